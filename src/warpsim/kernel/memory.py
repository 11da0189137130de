"""Where the arrays of a launch lie in the GPU's address space."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .. import _engine as engine

GAP = 512  # bytes between two regions, and their alignment
WINDOW = 1 << 32  # no region of at most so many bytes crosses a multiple of it


@dataclass
class Region:
    """Bytes at an address: of an argument, a variable of the module, the parameters or the heap."""

    base: int
    array: Any
    kind: int
    owner: int
    read_only: bool = False

    @property
    def end(self) -> int:
        return self.base + len(self.array)


@dataclass
class Space:
    """The regions of one launch, and the next free address."""

    regions: list[Region] = field(default_factory=list)
    cursor: int = engine.FIRST_GLOBAL

    def place(self, array: Any, kind: int, owner: int, read_only: bool = False) -> Region:
        """A region of its own for a buffer of bytes."""
        size = max(len(array), 1)
        if size <= WINDOW and self.cursor // WINDOW != (self.cursor + size - 1) // WINDOW:
            self.cursor = (self.cursor // WINDOW + 1) * WINDOW
        region = Region(self.cursor, array, kind, owner, read_only)
        self.cursor = (self.cursor + size + 2 * GAP - 1) // GAP * GAP
        if len(array) > 0:
            self.regions.append(region)
        return region

    def place_arrays(self, arrays: dict[int, np.ndarray]) -> dict[int, int]:
        """The address of each array, by number; arrays that share bytes share a region.

        Regions follow the order of the arguments, wherever the arrays are on this machine: runs are repeatable.
        """
        spans = sorted(
            (array.ctypes.data, array.ctypes.data + array.nbytes, number) for number, array in arrays.items()
        )
        groups: list[list[tuple[int, int, int]]] = []
        last = 0
        for span in spans:
            if not groups or span[0] >= last:
                groups.append([])
            groups[-1].append(span)
            last = max(last, span[1])
        addresses: dict[int, int] = {}
        for group in sorted(groups, key=lambda group: min(number for _, _, number in group)):
            first, last = group[0][0], max(end for _, end, _ in group)
            buffer = (ctypes.c_uint8 * (last - first)).from_address(first) if last > first else b""
            region = self.place(memoryview(buffer).cast("B"), engine.ARGUMENT, group[0][2])
            addresses.update({number: region.base + begin - first for begin, _, number in group})
        return addresses
