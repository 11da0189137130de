"""The SM of a target in numbers: banks, latencies, rates, each with its source."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from .. import _core, gpus, targets
from ..errors import bad_type, bad_value, why
from ..files import MIB, path_shown, put_text, text, toml
from ..render import html
from .constant import NAMES, Constant, a_name, checked, given, read

HALF = "half the tensor rate of its architecture (NVIDIA's whitepaper or data sheet)"
#: of all types half the rate; of GeForce only the sums in f32, which are those of the constants
_HALF_OF_ALL = ("L40", "A10G")


def _slower(product: str) -> int:
    """By how much f16 with f32 accumulators is slower than on the fastest product of the target."""
    return 2 if product.startswith("GeForce") or product in _HALF_OF_ALL else 1


class Arch:
    """What the SM of one target is made of; the cost model takes it instead of a target's name.

    `.constants` maps names to Constant; what nobody measured on a target is assumed to be as on
    sm_90, and says so. `values` replaces some of them by the user's own: numbers, or Constants that say
    where they come from (`warpsim calibrate` writes such). `target` can be the name of a GPU, which
    `.product` keeps: GeForce has half the tensor rate with f32 accumulators.

    >>> import warpsim as ws
    >>> h200 = ws.arch("sm_90")
    >>> h200.banks, h200.bank_bytes, h200.shared_bytes_per_block, h200.sub_partitions
    (32, 4, 232448, 4)
    >>> ws.arch("sm_86").constants["movmatrix_latency"].basis
    'assumed from sm_90'
    >>> ws.arch("rtx4090").constants["dense_fma"].value, ws.arch("l40s").constants["dense_fma"].value
    (256.0, 512.0)
    """

    __slots__ = ("_core", "_values", "constants", "product", "target")

    def __init__(self, target: str, values: Mapping[str, float | Constant] | None = None) -> None:
        row = targets.named_row(target)
        self.target = _core.TARGETS[row]
        self.product = "" if target == self.target else (gpus.gpu_of(target) or ("", ""))[1]
        self._core = _core.Profile(row)
        self._values: dict[str, float | Constant] = {}
        slower = _slower(self.product)
        for name, factor in (("dense_fma", 1 / slower), ("mma_interval", slower)) if slower != 1 else ():
            index = NAMES.index(name)
            self._core.put(index, factor * self._core.constant(index)[0])
        if values is not None and not isinstance(values, Mapping):
            raise bad_type("values", f"expected a dict, got {type(values).__name__}")
        for key, value in () if values is None else values.items():
            name = a_name(key)
            mine = self._values[name] = given(name, value)
            self._core.put(NAMES.index(name), mine.value if isinstance(mine, Constant) else mine)
        found = {}
        for i, (name, unit, meaning) in enumerate(_core.CONSTANTS):
            value, basis, source, error = self._core.constant(i)
            if basis == "user" and name not in self._values:
                basis, source = "specified", f"{self.product}: {HALF}"
            mine = self._values.get(name, value)
            found[name] = Constant(name, value, unit, meaning, basis, source, error)
            if isinstance(mine, Constant):
                found[name] = replace(mine, unit=unit, meaning=meaning)
        self.constants: Mapping[str, Constant] = MappingProxyType(found)

    @property
    def halves_f32(self) -> bool:
        """Are sums in f32 half as fast as those in f16? On GeForce and GB10 they are."""
        return self.product.startswith("GeForce") or self.target.startswith("sm_121")

    def with_values(self, **values: float | Constant) -> Arch:
        """The same with some constants replaced."""
        return Arch(self.product or self.target, {**self._values, **values})

    @property
    def named(self) -> str:
        """The target, and the product if one was named."""
        return f"{self.target} ({self.product})" if self.product else self.target

    @property
    def banks(self) -> int:
        """Banks of shared memory."""
        return int(self.constants["banks"].value)

    @property
    def bank_bytes(self) -> int:
        """Bytes of a bank."""
        return int(self.constants["bank_bytes"].value)

    @property
    def shared_bytes_per_block(self) -> int:
        """Bytes of shared memory that one block can have."""
        return int(self.constants["shared_bytes_per_block"].value)

    @property
    def sub_partitions(self) -> int:
        """Sub-partitions of an SM; warp k belongs to number k mod that."""
        return int(self.constants["sub_partitions"].value)

    def sources(self) -> str:
        """Where the constants come from, in a line, the target's own first."""
        own = [c for c in self.constants.values() if c.basis in ("published", "user") or c.name in self._values]
        words = dict.fromkeys(c.source for c in own)
        rest = any(c.basis == "assumed from sm_90" for c in self.constants.values())
        return "; ".join([*words, *(["assumed from sm_90"] if rest else [])])

    def toml(self) -> str:
        """What to_file writes."""
        lines = [f'target = "{self.product or self.target}"', "", "[constants]"]
        for constant in self.constants.values():
            lines.append(f"# {constant.meaning}; {constant.unit}")
            whole = isinstance(self._values.get(constant.name), Constant)
            if not whole:
                lines.append(f"# {constant.basis}: {constant.source}")
            lines.append(constant.toml(whole))
        return "\n".join(lines) + "\n"

    def to_file(self, path: str | Path) -> None:
        """Writes all constants as TOML: values to change, with units and sources as comments."""
        put_text(a_path(path), self.toml())

    @classmethod
    def from_file(cls, path: str | Path) -> Arch:
        """Reads TOML as to_file writes it; constants that are missing keep the target's values.

        Those that equal the target's keep their source, too; the others are the user's.
        """
        file = a_path(path)
        try:
            found = toml(text(file, MIB))
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{file}: not TOML: {error}") from error
        unknown = set(found) - {"target", "constants"}
        values = found.get("constants", {})
        if unknown or not isinstance(found.get("target"), str) or not isinstance(values, dict):
            raise ValueError(f'{file}: expected target = "sm_..." and a table [constants]')
        try:
            known = cls(found["target"]).constants
            changed = {
                name: read(name, value)
                for name, value in values.items()
                if name not in known or isinstance(value, dict) or checked(name, value) != known[name].value
            }
            return cls(found["target"], changed)
        except (ValueError, TypeError) as error:
            raise ValueError(f"{file}: {error}") from error

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        constants = [constant.to_dict() for constant in self.constants.values()]
        product = {"product": self.product} if self.product else {}
        return {"schema": "warpsim.arch/1", "target": self.target, **product, "constants": constants}

    def __str__(self) -> str:
        rows = [(c.name, f"{c.value:g} {c.unit}", c.basis) for c in self.constants.values()]
        wide = [max(len(row[i]) for row in rows) for i in range(2)]
        lines = [f"  {name:<{wide[0]}}  {value:<{wide[1]}}  {basis}" for name, value, basis in rows]
        return "\n".join([f"{self.named}: constants of the cost model", *lines])

    def _repr_html_(self) -> str:
        rows = [(c.name, f"{c.value:g} {c.unit}", c.basis, c.source) for c in self.constants.values()]
        return html.table(("constant", "value", "basis", "source"), rows, f"{self.named}: constants of the cost model")

    def __repr__(self) -> str:
        name = self.product or self.target
        return f"Arch({name!r}, {self._values!r})" if self._values else f"Arch({name!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Arch) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return Arch, (self.product or self.target, self._values)


def a_path(path: str | os.PathLike[str]) -> Path:
    """The argument as a path; else TypeError or ValueError."""
    try:
        found = Path(path)
    except TypeError:
        raise bad_type("path", f"expected a path, got {type(path).__name__}") from None
    if "\0" in str(found):
        raise bad_value("path", f"expected one without NUL characters, got {str(found)!r}")
    return found


_known: dict[str, Arch] = {}


def arch(target: str | os.PathLike[str]) -> Arch:
    """The SM of a target such as "sm_90", or of a file of constants such as "my_gpu.toml".

    ValueError for an unknown name, or a file that cannot be read; a path (pathlib) is always a file.

    >>> import warpsim as ws
    >>> latency = ws.arch("sm_90").constants["load_latency"]
    >>> latency.value, latency.unit, latency.basis
    (21.0, 'cycles', 'measured')
    """
    if isinstance(target, os.PathLike) or (isinstance(target, str) and str.endswith(target, ".toml")):
        try:
            return Arch.from_file(a_path(target))
        except OSError as error:
            raise bad_value("target", f"cannot read {path_shown(a_path(target))}: {why(error)}") from error
    if isinstance(target, str) and str.__str__(target) in _known:
        return _known[str.__str__(target)]
    made = Arch(target)
    return _known.setdefault(made.product or made.target, made)


def resolve(target: str | Arch) -> Arch:
    """The argument `target` of the cost model: a name or an Arch."""
    return target if isinstance(target, Arch) else arch(target)


def profile_of(architecture: Arch) -> _core.Profile:
    """The constants as the core has them."""
    return architecture._core
