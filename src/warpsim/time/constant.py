"""One constant of the cost model: its value, where that comes from, and which values it may have."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

from .. import _core, arguments
from ..errors import bad_type, bad_value
from ..pickling import Kept

NAMES = tuple(name for name, _, _ in _core.CONSTANTS)
_FIXED = {"banks": 32, "bank_bytes": 4}
_WHOLE = {"sub_partitions": (1, 8), "shared_bytes_per_block": (1, 2**24)}
_MOST = 1e6
_DIVIDED = {"dense_fma": 1, "mma_interval": 2**-10}  # by these: their least keeps quotients finite
MOST_LETTERS = 1000  # of a source


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

    def toml(self, whole: bool = False) -> str:
        """A line of a TOML file: the value, and if `whole`, where it comes from."""
        if not whole:
            return f"{self.name} = {written(self.value)}"
        error = "" if self.error is None else f"error = {written(self.error)}, "
        basis, source = json.dumps(self.basis), json.dumps(self.source)
        return f"{self.name} = {{ value = {written(self.value)}, {error}basis = {basis}, source = {source} }}"


def checked(name: str, value: object) -> float:
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


def written(value: float) -> str:
    """All digits of a value, and no more."""
    return str(int(value)) if value == int(value) else repr(value)


def a_name(key: object) -> str:
    """A constant's name, or a ValueError."""
    name = str.__str__(key) if isinstance(key, str) else None
    if name is None or name not in NAMES:
        listed = ", ".join(NAMES)
        raise ValueError(f"{arguments.shown(key)}: no such constant in values; expected {listed}")
    return name


def given(name: str, value: object) -> float | Constant:
    """A user's value: a number, or a Constant that says where it comes from; else a ValueError or TypeError."""
    if not isinstance(value, Constant):
        return checked(name, value)
    if value.name != name:
        raise bad_value(name, f"expected a Constant of this name, got {arguments.shown(value.name)}")
    basis = arguments.word(name, value.basis, _core.BASES)
    if not isinstance(value.source, str) or len(value.source) > MOST_LETTERS or not value.source.isprintable():
        given = arguments.shown(value.source)
        raise bad_type(name, f"expected a source of at most {MOST_LETTERS} printable characters, got {given}")
    error = None if value.error is None else _number(value.error)
    if value.error is not None and (error is None or not 0 <= error < _MOST):
        raise bad_value(name, f"expected an error of 0 or more, or None; got {arguments.shown(value.error)}")
    return Constant(name, checked(name, value.value), "", "", basis, str.__str__(value.source), error)


def read(name: str, value: Any) -> Any:
    """A value of a file: a number, or a table of value, basis, source and perhaps error."""
    if not isinstance(value, dict):
        return value
    if not {"value", "basis", "source"} <= set(value) <= {"value", "basis", "source", "error"}:
        keys = "a table of value, basis, source and perhaps error"
        raise bad_value(name, f"expected a number, or {keys}; got {arguments.shown(value)}")
    return Constant(name, value["value"], "", "", value["basis"], value["source"], value.get("error"))
