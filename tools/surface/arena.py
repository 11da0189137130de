"""Storage that the rules lend to calls: one block, the slots apart, what lies between never changes."""

from __future__ import annotations

import array
import ctypes
import mmap
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

GAP = 64
#: name -> bytes
SLOTS = {
    "memory": 2048,
    "global": 1024,
    "address": 1024,
    "source": 1024,
    "registers": 4096,
    "out": 4096,
}
TOTAL = sum(SLOTS.values()) + GAP * (len(SLOTS) + 1)
CANARY = 0xA5

#: what the block is made of
BACKINGS: dict[str, Callable[[], Any]] = {
    "ndarray": lambda: np.zeros(TOTAL, np.uint8),
    "bytearray": lambda: bytearray(TOTAL),
    "mmap": lambda: mmap.mmap(-1, TOTAL),
    "ctypes": lambda: (ctypes.c_uint8 * TOTAL)(),
    "array.array": lambda: array.array("B", bytes(TOTAL)),
}


class Arena:
    """One block of bytes with a slot for each kind of argument."""

    def __init__(self, random: Random) -> None:
        self.backing_kind = random.choice(tuple(BACKINGS))
        self.backing = BACKINGS[self.backing_kind]()
        self.block = np.frombuffer(self.backing, np.uint8)
        self.block[:] = CANARY
        self.place: dict[str, tuple[int, int]] = {}
        start = GAP
        for name, size in SLOTS.items():
            self.place[name] = (start, start + size)
            start += size + GAP
        for name in ("memory", "global"):
            self.slot(name)[:] = np.frombuffer(random.randbytes(SLOTS[name]), np.uint8)

    def slot(self, name: str) -> NDArray[np.uint8]:
        begin, end = self.place[name]
        return self.block[begin:end]

    def array(self, name: str, dtype: Any, shape: tuple[int, ...]) -> NDArray[Any]:
        """An array at the begin of a slot."""
        count = int(np.prod(shape)) * np.dtype(dtype).itemsize
        begin, end = self.place[name]
        assert begin + count <= end, (name, shape)
        return self.block[begin : begin + count].view(dtype).reshape(shape)

    def bytes(self) -> bytes:
        return self.block.tobytes()

    def changed(
        self, before: bytes, after: bytes, allowed: Sequence[tuple[int, int]]
    ) -> str | None:
        """The first byte outside of the allowed parts that changed, in words."""
        different = np.frombuffer(before, np.uint8) != np.frombuffer(after, np.uint8)
        for begin, end in allowed:
            different[begin:end] = False
        found = np.flatnonzero(different)
        if not len(found):
            return None
        at = int(found[0])
        for name, (begin, end) in self.place.items():
            if begin <= at < end:
                return f"in {name} at {at - begin} ({len(found)} in all)"
        return f"between the slots at {at} ({len(found)} in all)"
