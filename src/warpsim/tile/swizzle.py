"""What a layout is made of: the types of elements, and CuTe's swizzle."""

from __future__ import annotations

from dataclasses import dataclass

from .. import _core, arguments
from ..pickling import Kept, Spelled

#: bits of an element; the packed formats lie in pieces of 16 elements, 16 bytes
TYPE_BITS = {name: bits for name, bits, _, _ in _core.ELEMENT_TYPES}
PACKED = tuple(name for name, _, packed, _ in _core.ELEMENT_TYPES if packed)
RUN_UNITS = {name: unit for name, _, _, unit in _core.ELEMENT_TYPES}


def run_unit(type: str) -> int:
    """Elements that a row (order "col": column) with its padding must be a multiple of."""
    return RUN_UNITS[type]


@dataclass(frozen=True, slots=True)
class Swizzle(Kept, Spelled):
    """CuTe's Swizzle<B, M, S>: B bits from M + max(S, 0) on, XORed onto those from M - min(S, 0).

    `unit` "element" (as CuTe applies it to element offsets) or "byte". `|S|` must be at least B.
    """

    B: int
    M: int
    S: int
    unit: str = "element"

    def __post_init__(self) -> None:
        for name in ("B", "M", "S"):
            object.__setattr__(self, name, arguments.whole(name, getattr(self, name)))
        given = ", ".join(arguments.shown(value) for value in (self.B, self.M, self.S))
        if self.B < 0 or self.M < 0 or abs(self.S) < self.B:
            raise ValueError(f"Swizzle: expected B >= 0, M >= 0 and |S| >= B, got <{given}>")
        if self.M + self.B + abs(self.S) > 32:
            raise ValueError(f"Swizzle: expected M + B + |S| <= 32, got <{given}>")
        object.__setattr__(self, "unit", arguments.word("unit", self.unit, ("element", "byte")))

    def __str__(self) -> str:
        of = " of bytes" if self.unit == "byte" else ""
        return f"Swizzle<{self.B},{self.M},{self.S}>{of}"
