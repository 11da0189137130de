"""Which register of which lane holds an element, and what a lane holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import bad_value
from ..render import html
from ..render.text import columns
from ..report import Report
from .fragment_map import FragmentMap

NAMES = ("lane", "register", "field", "matrix", "row", "col")


class Holders(Report):
    """A part of a fragment map: rows of lane, register, field and the element that it holds."""

    def __init__(self, ptx: str, rows: NDArray[np.int64]) -> None:
        self.ptx = ptx
        self._rows = rows

    def columns(self) -> dict[str, NDArray[np.int64]]:
        """One 1-D array for each of lane, register, field, matrix, row, col."""
        return {name: self._rows[:, i] for i, name in enumerate(NAMES)}

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        rows = [dict(zip(NAMES, row, strict=True)) for row in self._rows.tolist()]
        return {"schema": "warpsim.holders/1", "ptx": self.ptx, "holders": rows}

    def _title(self) -> str:
        return f"Elements of {self.ptx}"

    def _parts(self) -> Sequence[str]:
        cells = [[str(value) for value in row] for row in self._rows.tolist()]
        return [html.table(NAMES, cells, "field: counted from the low bits of the register")]

    def __str__(self) -> str:
        rows = [list(NAMES), *([str(value) for value in row] for row in self._rows.tolist())]
        return f"{self.ptx}\nfield: counted from the low bits of the register\n{columns(rows)}"


def holders(fragment: FragmentMap, *, lane: int | None = None, element: Sequence[int] | None = None) -> Holders:
    """The part of a map that is about a lane, or about an element (matrix, row, column), or both.

    A lane or an element that does not exist is a ValueError.

    >>> import warpsim as ws
    >>> from warpsim.holders import holders
    >>> found = holders(ws.Ldmatrix(num=4).fragment, element=(2, 3, 5)).columns()
    >>> found["lane"].item(), found["register"].item(), found["field"].item()
    (14, 2, 1)
    """
    elements = fragment.elements
    places = np.moveaxis(np.indices(elements.shape[:3]), 0, -1)
    table = np.concatenate([places, elements], axis=-1).reshape(-1, len(NAMES)).astype(np.int64)
    if lane is not None:
        if not 0 <= lane < len(elements):
            raise bad_value("lane", f"expected 0 to {len(elements) - 1}, got {lane}")
        table = table[table[:, 0] == lane]
    if element is not None:
        limits = elements.reshape(-1, 3).max(axis=0)
        for name, value, limit in zip(NAMES[3:], element, limits, strict=True):
            if not 0 <= value <= limit:
                raise bad_value("element", f"expected {name} 0 to {limit}, got {value}")
        table = table[(table[:, 3:] == np.array(element)).all(axis=1)]
    return Holders(fragment.ptx, table)
