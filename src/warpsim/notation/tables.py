"""What every notation comes down to: an offset for each row, one for each column, and a swizzle of their sum."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..arguments import describe
from ..errors import bad_type, bad_value

MOST_CHARACTERS, MOST_LINES = 10_000, 2**20
NO_SWIZZLE = (0, 0, 0)


@dataclass(frozen=True, slots=True)
class Tables:
    """Element (r, c) lies at swizzle(row[r] + col[c]), in elements; `swizzle` is B, M, S."""

    row: NDArray[np.int64]
    col: NDArray[np.int64]
    swizzle: tuple[int, int, int] = NO_SWIZZLE
    unit: str = "element"

    def pitch(self, name: str) -> tuple[str, int]:
        """The order and the pitch in elements of a matrix whose lines are contiguous and equally far apart."""
        for order, line, run in (("row", self.row, self.col), ("col", self.col, self.row)):
            pitch = int(line[1]) if len(line) > 1 else len(run)
            steps = np.arange(len(line)) * pitch, np.arange(len(run))
            if pitch >= len(run) and np.array_equal(line, steps[0]) and np.array_equal(run, steps[1]):
                return order, pitch
        raise bad_value(
            name,
            f"expected contiguous rows or columns one pitch apart, got {len(self.row)}x{len(self.col)} elements in"
            f" several blocks (row offsets {_first(self.row)}, column offsets {_first(self.col)}); give one block of"
            " them, such as one TMA box or one CuTe atom",
        )


def _first(offsets: NDArray[np.int64]) -> str:
    """Where the steps of a table change: enough to recognise it."""
    steps = np.diff(offsets)
    changed = np.flatnonzero(steps != steps[0]) if len(steps) else steps
    where = int(changed[0]) + 1 if len(changed) else 1
    return f"0, {', '.join(str(int(value)) for value in offsets[1:2])} ... {offsets[min(where, len(offsets) - 1)]}"


def readable(name: str, text: object) -> str:
    """The text of a notation, of a bounded length."""
    if not isinstance(text, str):
        raise bad_type(name, f"expected a str, got {describe(text)}")
    if len(text) > MOST_CHARACTERS:
        raise bad_value(name, f"expected at most {MOST_CHARACTERS} characters, got {len(text)}")
    return text


def power(name: str, value: int, what: str) -> int:
    """log2 of a power of two; ValueError otherwise."""
    if value < 1 or value & value - 1:
        raise bad_value(name, f"expected {what} to be a power of two, got {value}")
    return value.bit_length() - 1
