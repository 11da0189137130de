"""What every notation comes down to: an offset for each row, one for each column, and a swizzle of their sum."""

from __future__ import annotations

from dataclasses import dataclass, replace

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

    def pitch(self) -> tuple[str, int] | None:
        """The order and the pitch in elements of contiguous lines equally far apart; None for anything else."""
        for order, line, run in (("row", self.row, self.col), ("col", self.col, self.row)):
            pitch = int(line[1]) if len(line) > 1 else len(run)
            steps = np.arange(len(line)) * pitch, np.arange(len(run))
            if pitch >= len(run) and np.array_equal(line, steps[0]) and np.array_equal(run, steps[1]):
                return order, pitch
        return None

    @property
    def begin(self) -> int:
        """Elements before the first."""
        return int(self.row[0] + self.col[0])

    @property
    def order(self) -> str:
        """Which axis begins contiguously."""
        return "col" if len(self.row) > 1 and self.row[1] - self.row[0] == 1 else "row"

    def repeated(self, order: str, count: int, apart: int | None = None) -> Tables:
        """`count` of these side by side along the axis that is contiguous, `apart` elements from one to the next."""
        step = int(self.row.max() + self.col.max()) + 1 if apart is None else apart
        line = self.col if order == "row" else self.row
        many = (np.arange(count, dtype=np.int64)[:, None] * step + line).reshape(-1)
        return replace(self, col=many) if order == "row" else replace(self, row=many)


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
