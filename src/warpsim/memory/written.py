"""What pieces of a launch wrote, each in memory of its own, and what it becomes together.

A byte that one piece wrote takes its value. One that several wrote must have one value, unless all of them wrote it by
the same integer atomic (add, min, max, and, or, xor): then it becomes what they make of it together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import ConflictingWritesError

STRETCH = 2**20  # bytes, a multiple of what an atomic writes
PLAIN, ATOMIC = 1, 4  # WS_MARK_... of the core
#: what atomics make of a byte together: (what it was, what one piece left, what another left)
TOGETHER: tuple[Callable[[Any, Any, Any], Any], ...] = (
    lambda old, a, b: a + b - old,
    lambda old, a, b: np.minimum(a, b),
    lambda old, a, b: np.maximum(a, b),
    lambda old, a, b: a & b,
    lambda old, a, b: a | b,
    lambda old, a, b: a ^ b ^ old,
)

#: where bytes were written: begin, end, mark; and the bytes
Written = tuple[np.ndarray, bytes]


def _runs(array: np.ndarray, marks: np.ndarray, before: np.ndarray) -> np.ndarray:
    marks[(marks == 0) & (array != before)] = PLAIN  # by what leaves no mark: wmma.store
    edges = np.flatnonzero(np.diff(marks, prepend=np.uint8(0), append=np.uint8(0)))
    begins, ends = edges[:-1], edges[1:]
    found = np.stack([begins, ends, marks[begins]], 1) if len(edges) else np.zeros((0, 3), np.int64)
    written: np.ndarray = found[found[:, 2] != 0]
    return written


def written_of(array: np.ndarray, marks: np.ndarray, before: bytes) -> Written:
    """Stretch by stretch, since what is found by NumPy takes many times the room of what is searched."""
    old, found = np.frombuffer(before, np.uint8), [np.zeros((0, 3), np.int64)]
    for first in range(0, len(array), STRETCH):
        span = slice(first, first + STRETCH)
        found.append(_runs(array[span], marks[span], old[span]) + np.array([first, first, 0]))
    runs = np.concatenate(found)
    return runs, b"".join(array[begin:end].tobytes() for begin, end, _ in runs.tolist())


class _Merged:
    """A region, and what pieces have written so far."""

    def __init__(self, name: str, array: Any) -> None:
        self.name = name
        self.before = np.array(np.frombuffer(array, np.uint8))
        self.bytes = self.before.copy()
        self.marks = np.zeros(len(self.bytes), np.uint8)

    def add(self, written: Written) -> None:
        runs, values = written
        at = 0
        for begin, end, mark in runs.tolist():
            self._run(begin, np.frombuffer(values[at : at + end - begin], np.uint8), mark)
            at += end - begin

    def _run(self, begin: int, values: np.ndarray, mark: int) -> None:
        end = begin + len(values)
        old = self.marks[begin:end]
        size = 8 if mark & 2 else 4
        if mark >= ATOMIC and (old == mark).any() and not (begin % size or len(values) % size):
            commutes = (old == mark).reshape(-1, size).all(axis=1).repeat(size)
        else:
            commutes = np.zeros(len(values), np.bool_)
        wrong = (old != 0) & ~commutes & (self.bytes[begin:end] != values)
        if wrong.any():
            place = int(np.argmax(wrong))
            a, b = self.bytes[begin + place], values[place]
            raise ConflictingWritesError(
                f"byte {begin + place:,} of {self.name}: one piece of the launch wrote 0x{a:02x}, another 0x{b:02x};"
                " run it without executor=, or write by integer atomics (add, min, max, and, or, xor)"
            )
        merged = np.where(commutes, self._together(begin, values, mark, size) if commutes.any() else values, values)
        self.marks[begin:end] = np.where((old == 0) | (old == mark), mark, PLAIN)
        self.bytes[begin:end] = merged

    def _together(self, begin: int, values: np.ndarray, mark: int, size: int) -> np.ndarray:
        dtype = f"<{'i' if mark & 1 else 'u'}{size}"
        span = slice(begin, begin + len(values))
        parts = (np.frombuffer(part.tobytes(), dtype) for part in (self.before[span], self.bytes[span], values))
        return np.frombuffer(TOGETHER[(mark - ATOMIC) >> 2](*parts).tobytes(), np.uint8)


def merge(pieces: Iterable[Mapping[int, Written]], names: Sequence[str], arrays: Sequence[Any]) -> None:
    """Writes to the arrays what the pieces wrote to theirs; nothing if they contradict each other."""
    merged: dict[int, _Merged] = {}
    for piece in pieces:
        for number, written in piece.items():
            if number not in merged:
                merged[number] = _Merged(names[number], arrays[number])
            merged[number].add(written)
    for number, one in merged.items():
        np.frombuffer(arrays[number], np.uint8)[:] = one.bytes
