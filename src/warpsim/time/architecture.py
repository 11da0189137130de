"""The SM of a target in numbers: banks, latencies, rates, each with its source."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from .. import _core, arguments, gpus, targets
from ..errors import bad_type, bad_value
from ..pickling import Kept
from ..render import html

NAMES = tuple(name for name, _, _ in _core.CONSTANTS)
_FIXED = {"banks": 32, "bank_bytes": 4}
_WHOLE = {"sub_partitions": (1, 8), "shared_bytes_per_block": (1, 2**24), "scoreboard_loads": (1, 64)}
_MOST = 1e6
_DIVIDED = {"dense_fma": 1, "mma_interval": 2**-10}  # by these: their least keeps quotients finite
MOST_BYTES = 2**20  # of a profile
HALF = "half the tensor rate of its architecture (NVIDIA's whitepaper or data sheet)"
#: of all types half the rate; of GeForce only the sums in f32, which are those of the constants
_HALF_OF_ALL = ("L40", "A10G")


def _slower(product: str) -> int:
    """By how much f16 with f32 accumulators is slower than on the fastest product of the target."""
    return 2 if product.startswith("GeForce") or product in _HALF_OF_ALL else 1


@dataclass(frozen=True, slots=True)
class Constant(Kept):
    """One constant of the cost model.

    `basis`: "measured", "specified", "published", "fitted", "assumed from sm_90" or "user";
    `error`: relative, against the measurements that `source` names; None where nobody knows.
    """

    name: str
    value: float
    unit: str
    meaning: str
    basis: str
    source: str
    error: float | None

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {name: getattr(self, name) for name in self.__slots__}


def _checked(name: str, value: object) -> float:
    """A user's value of a constant, or a ValueError that says what it must be."""
    found = _number(value)
    if found is None or math.isnan(found):
        raise bad_value(name, f"expected a number, got {arguments.shown(value)}")
    if name in _FIXED and found != _FIXED[name]:
        raise bad_value(name, f"accesses are counted for {_FIXED[name]} only, got {found:g}")
    low, high = _WHOLE.get(name, (0, _MOST))
    if not low <= found <= high or (name in _WHOLE and not found.is_integer()):
        kind = "a whole number" if name in _WHOLE else "a number"
        raise bad_value(name, f"expected {kind} from {low:g} to {high:g}, got {found:g}")
    if found < _DIVIDED.get(name, 0):
        raise bad_value(name, f"expected {_DIVIDED[name]:g} or more, got {found:g}")
    return found


def _number(value: object) -> float | None:
    """An int or float as a plain float; None for what is neither."""
    if isinstance(value, float):
        return float.__pos__(value)
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    whole = arguments.whole("", value)
    if abs(whole) >= 2**1000:
        return math.inf if whole > 0 else -math.inf
    return float(whole)


def _written(value: float) -> str:
    """All digits of a value, and no more."""
    return str(int(value)) if value == int(value) else repr(value)


def _name(key: object) -> str:
    """A constant's name, or a ValueError."""
    name = str.__str__(key) if isinstance(key, str) else None
    if name is None or name not in NAMES:
        listed = ", ".join(NAMES)
        raise ValueError(f"{arguments.shown(key)}: no such constant in values; expected {listed}")
    return name


def _text(path: Path) -> str:
    """A profile's text; ValueError for what cannot be one: devices, pipes, large files."""
    if path.exists() and not path.is_dir() and not path.is_file():
        raise ValueError("expected a regular file")
    with path.open("rb") as file:
        found = file.read(MOST_BYTES + 1)
    if len(found) > MOST_BYTES:
        raise ValueError(f"expected at most {MOST_BYTES} bytes")
    return str(found, "utf-8").replace("\r\n", "\n")


class Arch:
    """What the SM of one target is made of; the cost model takes it instead of a target's name.

    `.constants` maps names to Constant; what nobody measured on a target is assumed to be as on
    sm_90, and says so. `values` replaces some of them by the user's own. `target` can be the name of a
    GPU, which `.product` keeps: GeForce has half the tensor rate with f32 accumulators.

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

    def __init__(self, target: str, values: Mapping[str, float] | None = None) -> None:
        row = targets.named_row(target)
        self.target = _core.TARGETS[row]
        self.product = "" if target == self.target else (gpus.gpu_of(target) or ("", ""))[1]
        self._core = _core.Profile(row)
        self._values = {}
        slower = _slower(self.product)
        for name, factor in (("dense_fma", 1 / slower), ("mma_interval", slower)) if slower != 1 else ():
            index = NAMES.index(name)
            self._core.put(index, factor * self._core.constant(index)[0])
        if values is not None and not isinstance(values, Mapping):
            raise bad_type("values", f"expected a dict, got {type(values).__name__}")
        for key, value in () if values is None else values.items():
            name = _name(key)
            self._values[name] = _checked(name, value)
            self._core.put(NAMES.index(name), self._values[name])
        found = {}
        for i, (name, unit, meaning) in enumerate(_core.CONSTANTS):
            value, basis, source, error = self._core.constant(i)
            if basis == "user" and name not in self._values:
                basis, source = "specified", f"{self.product}: {HALF}"
            found[name] = Constant(name, value, unit, meaning, basis, source, error)
        self.constants: Mapping[str, Constant] = MappingProxyType(found)

    @property
    def halves_f32(self) -> bool:
        """Are sums in f32 half as fast as those in f16? On GeForce and GB10 they are."""
        return self.product.startswith("GeForce") or self.target.startswith("sm_121")

    def with_values(self, **values: float) -> Arch:
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
        own = [c for c in self.constants.values() if c.basis in ("published", "user")]
        words = dict.fromkeys(c.source for c in own)
        rest = any(c.basis == "assumed from sm_90" for c in self.constants.values())
        return "; ".join([*words, *(["assumed from sm_90"] if rest else [])])

    def to_file(self, path: str | Path) -> None:
        """Writes all constants as TOML: values to change, with units and sources as comments."""
        lines = [f'target = "{self.product or self.target}"', "", "[constants]"]
        for constant in self.constants.values():
            lines.append(f"# {constant.meaning}; {constant.unit}")
            lines.append(f"# {constant.basis}: {constant.source}")
            lines.append(f"{constant.name} = {_written(constant.value)}")
        a_path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")

    @classmethod
    def from_file(cls, path: str | Path) -> Arch:
        """Reads TOML as to_file writes it; constants that are missing keep the target's values.

        Those that equal the target's keep their source, too; the others are the user's.
        """
        file = a_path(path)
        try:
            found = tomllib.loads(_text(file))
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{file}: not TOML: {error}") from error
        unknown = set(found) - {"target", "constants"}
        values = found.get("constants", {})
        if unknown or not isinstance(found.get("target"), str) or not isinstance(values, dict):
            raise ValueError(f'{file}: expected target = "sm_..." and a table [constants]')
        try:
            known = cls(found["target"]).constants
            changed = {
                name: value
                for name, value in values.items()
                if name not in known or _checked(name, value) != known[name].value
            }
            return cls(found["target"], changed)
        except ValueError as error:
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


def a_path(path: str | Path) -> Path:
    """The argument as a path; else TypeError or ValueError."""
    try:
        found = Path(path)
    except TypeError:
        raise bad_type("path", f"expected a path, got {type(path).__name__}") from None
    if "\0" in str(found):
        raise bad_value("path", "expected one without NUL characters")
    return found


_known: dict[str, Arch] = {}


def arch(target: str) -> Arch:
    """The SM of a target such as "sm_90"; ValueError for an unknown name.

    >>> import warpsim as ws
    >>> latency = ws.arch("sm_90").constants["load_latency"]
    >>> latency.value, latency.unit, latency.basis
    (21.0, 'cycles', 'measured')
    """
    if isinstance(target, str) and str.__str__(target) in _known:
        return _known[str.__str__(target)]
    made = Arch(target)
    return _known.setdefault(made.product or made.target, made)


def resolve(target: str | Arch) -> Arch:
    """The argument `target` of the cost model: a name or an Arch."""
    return target if isinstance(target, Arch) else arch(target)
