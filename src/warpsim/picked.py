"""Which thread blocks of a grid run: sequences of ascending numbers that take a few words, however many they are."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np

from .arguments import describe, shown
from .errors import bad_type, bad_value
from .words import plural

MOST_SPREAD = 2**32  # blocks spread evenly: what the core computes in 64 bits
MOST_LISTED = 2**26  # indices of a list: 8 bytes each
MOST_WRITTEN = 4096  # numbers in a dict
PART = 1 << 16  # indices of a list that are read at once

#: number = first + ordinal * step + ordinal * rest // parts
Rule = tuple[int, int, int, int]


class Numbers(Sequence[int]):
    """Ascending numbers, computed as they are asked for; equal to a tuple of the same."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Numbers | tuple):
            return NotImplemented
        return self is other or (len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True)))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        if len(self) <= 8:
            return repr(tuple(self))
        return f"({', '.join(str(self[i]) for i in range(3))}, ..., {self[-1]}; {len(self):,} numbers)"

    def to_dict(self) -> list[int] | dict[str, int]:
        """JSON-ready: the numbers, or where they are more than 4,096 the first, the last and how many there are."""
        if len(self) <= MOST_WRITTEN:
            return list(self)
        return {"first": self[0], "last": self[-1], "count": len(self)}


class Picked(Numbers):
    """Numbers by a rule or from an array of 64-bit ones: those of the ordinals [begin, end)."""

    __slots__ = ("_begin", "_end", "_numbers", "_rule")

    def __init__(self, begin: int, end: int, rule: Rule, numbers: np.ndarray | None = None) -> None:
        self._begin, self._end, self._rule, self._numbers = begin, end, rule, numbers

    @property
    def door(self) -> tuple[int, int, Rule, np.ndarray | None]:
        """What the core takes."""
        return self._begin, self._end, self._rule, self._numbers

    @property
    def is_row(self) -> bool:
        """One number after the other."""
        return len(self) == 0 or self[-1] - self[0] == len(self) - 1

    def _number(self, ordinal: int) -> int:
        if self._numbers is not None:
            return int(self._numbers[ordinal])
        first, step, rest, parts = self._rule
        return first + ordinal * step + ordinal * rest // parts

    def __len__(self) -> int:
        return self._end - self._begin

    def __iter__(self) -> Iterator[int]:
        return map(self._number, range(self._begin, self._end))

    def __getitem__(self, index: Any) -> Any:
        ordinals = range(self._begin, self._end)[index]
        if isinstance(ordinals, int):
            return self._number(ordinals)
        if ordinals.step != 1:
            return tuple(map(self._number, ordinals))
        if self._numbers is None:
            return Picked(ordinals.start, max(ordinals.start, ordinals.stop), self._rule)
        return listed(self._numbers[ordinals.start : max(ordinals.start, ordinals.stop)])

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Picked) and self._rule == other._rule and self._numbers is other._numbers is None:
            return len(self) == len(other) == 0 or (self._begin, self._end) == (other._begin, other._end)
        return super().__eq__(other)

    __hash__ = None

    def __contains__(self, number: object) -> bool:
        if not isinstance(number, int | np.integer):
            return False
        at = bisect_left(self, number)
        return at < len(self) and self[at] == number

    def __reduce__(self) -> tuple[Any, ...]:
        return Picked, self.door


def row(numbers: range) -> Picked:
    """Those of a range, in ascending order."""
    if not numbers:
        return Picked(0, 0, (0, 1, 0, 1))
    numbers = numbers if numbers.step > 0 else numbers[::-1]
    return Picked(0, len(numbers), (numbers.start, numbers.step, 0, 1))


def spread(count: int, total: int) -> Picked:
    """`count` numbers of 0 .. total - 1, spread evenly."""
    if count == total:
        return row(range(total))
    if count > MOST_SPREAD:
        raise bad_value("blocks", f"expected at most {MOST_SPREAD:,} of {total:,}, or all, got {count:,}")
    return Picked(0, count, (0, *divmod(total, count), count))


def listed(numbers: Any) -> Picked:
    """Those of an array of ascending numbers."""
    array = np.ascontiguousarray(numbers, np.uint64)
    return Picked(0, len(array), (0, 0, 0, 1), array)


def whole(value: Any, low: int, high: int) -> int:
    """A number of blocks, or the index of one."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise bad_type("blocks", f"expected an int, got {describe(value)}")
    number = int(value)
    if not low <= number <= high:
        raise bad_value("blocks", f"expected {low:,} to {high:,}, got {shown(number)}")
    return number


def _sliced(blocks: slice, total: int) -> range:
    try:
        return range(total)[blocks]
    except (TypeError, ValueError) as error:
        raise bad_value("blocks", f"expected a slice of ints whose step is not 0, got {shown(blocks)}") from error


def _parts(blocks: Iterable[Any], total: int) -> Iterator[np.ndarray]:
    """The indices of a list in parts; those that are no plain ints within bounds are looked at one by one."""
    rest = iter(blocks)
    while part := list(islice(rest, PART)):
        if set(map(type, part)) != {int} or min(part) < 0 or max(part) >= total:
            part = [whole(index, 0, total - 1) for index in part]
        yield np.array(part, np.uint64)


def _once(numbers: np.ndarray) -> np.ndarray:
    """Ascending, once each. numpy.unique takes ten times as long: it hashes what it could sort."""
    if (numbers[1:] > numbers[:-1]).all():
        return numbers
    numbers = np.sort(numbers)
    is_new: np.ndarray = np.append(True, numbers[1:] > numbers[:-1])
    return np.compress(is_new, numbers)


def _all_of(blocks: Any, total: int) -> Picked:
    """Those of a list or an array, once each."""
    most = min(total, MOST_LISTED)
    if len(blocks) > most:
        raise bad_value(
            "blocks", f"expected at most {plural(most, 'index')}, or a slice or a range, got {len(blocks):,}"
        )
    if isinstance(blocks, np.ndarray) and blocks.dtype.kind in "iu" and len(blocks):
        whole(blocks.min(), 0, total - 1)
        whole(blocks.max(), 0, total - 1)
        return listed(_once(blocks.astype(np.uint64)))
    return listed(_once(np.concatenate([np.empty(0, np.uint64), *_parts(blocks, total)])))


def chosen(blocks: Any, total: int) -> Picked:
    """The linear indices that a slice, a range or a list asks for, of a grid of `total` blocks."""
    if isinstance(blocks, slice):
        return row(_sliced(blocks, total))
    if isinstance(blocks, range):
        for index in (blocks[0], blocks[-1]) if blocks else ():
            whole(index, 0, total - 1)
        return row(blocks)
    is_row = isinstance(blocks, np.ndarray) and blocks.ndim == 1
    if is_row or (isinstance(blocks, Sequence) and not isinstance(blocks, str | bytes | bytearray)):
        return _all_of(blocks, total)
    raise bad_type("blocks", f"expected None, an int, a slice or indices, got {describe(blocks)}")


class Blocks(Numbers):
    """The blocks of clusters, cluster by cluster: linear indices."""

    __slots__ = ("_clusters", "_each", "_grid")

    def __init__(self, clusters: Picked, each: tuple[int, int, int], grid: tuple[int, int, int]) -> None:
        self._clusters, self._each, self._grid = clusters, each, grid

    def __len__(self) -> int:
        return len(self._clusters) * math.prod(self._each)

    def __getitem__(self, index: Any) -> Any:
        found = range(len(self))[index]
        if not isinstance(found, int):
            return tuple(self[i] for i in found)
        cluster, rank = divmod(found, math.prod(self._each))
        return block_of(self._clusters[cluster], rank, self._each, self._grid)

    def __reduce__(self) -> tuple[Any, ...]:
        return Blocks, (self._clusters, self._each, self._grid)


def block_of(cluster: int, rank: int, each: tuple[int, int, int], grid: tuple[int, int, int]) -> int:
    """The linear index of the block of a rank in a cluster."""
    width, height = grid[0] // each[0], grid[1] // each[1]
    at = cluster % width, cluster // width % height, cluster // (width * height)
    within = rank % each[0], rank // each[0] % each[1], rank // (each[0] * each[1])
    x, y, z = (a * n + b for a, n, b in zip(at, each, within, strict=True))
    return (z * grid[1] + y) * grid[0] + x


def of_older(held: dict[str, Any]) -> dict[str, Any]:
    """What a report held, whose blocks older versions kept as a tuple."""
    return {**held, "blocks": listed(held["blocks"]) if isinstance(held["blocks"], tuple) else held["blocks"]}
