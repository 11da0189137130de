"""Clusters of thread blocks: how a launch is cut into them, and which of them run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..arguments import describe, shown
from ..errors import bad_type, bad_value
from .arguments import extent
from .entry import Entry

Extent = tuple[int, int, int]

CLUSTER_MOST = (16, 16, 16)
MOST_BLOCKS = 16  # of a cluster; 8 without cudaFuncAttributeNonPortableClusterSizeAllowed


def _whole(value: Any, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise bad_type("blocks", f"expected an int, got {describe(value)}")
    number = int(value)
    if not low <= number <= high:
        raise bad_value("blocks", f"expected {low:,} to {high:,}, got {shown(number)}")
    return number


def _chosen(blocks: Any, total: int) -> Sequence[int]:
    """The linear indices of the blocks that are asked for."""
    if isinstance(blocks, slice):
        return range(total)[blocks]
    is_row = isinstance(blocks, np.ndarray) and blocks.ndim == 1
    if is_row or (isinstance(blocks, Sequence) and not isinstance(blocks, str | bytes)):
        return [_whole(index, 0, total - 1) for index in blocks]
    raise bad_type("blocks", f"expected None, an int, a slice or indices, got {describe(blocks)}")


class Clusters:
    """The clusters of a launch: `size` blocks each, `extent` None where neither launch nor kernel speak of any."""

    def __init__(self, kernel: Entry, asked: Any, grid: Extent) -> None:
        self.grid = grid
        self.extent = self._extent(kernel, asked)
        self._each = self.extent or (1, 1, 1)
        self.size = math.prod(self._each)
        if self.size > MOST_BLOCKS:
            raise bad_value("cluster", f"expected at most {MOST_BLOCKS} thread blocks, got {self.size:,}")
        if kernel.most_ranks and self.size > kernel.most_ranks:
            raise bad_value(
                "cluster",
                f"expected at most {kernel.most_ranks} thread blocks (.maxclusterrank of the kernel), got {self.size}",
            )
        if any(blocks % each for blocks, each in zip(grid, self._each, strict=True)):
            raise bad_value("grid", f"expected multiples of the cluster {self._each}, got {grid}")
        self._counts = tuple(blocks // each for blocks, each in zip(grid, self._each, strict=True))
        self.total = math.prod(self._counts)

    @staticmethod
    def _extent(kernel: Entry, asked: Any) -> Extent | None:
        required = kernel.required_cluster
        if asked is None:
            if required is None and kernel.is_explicit_cluster:
                raise bad_value("cluster", "expected the blocks of a cluster: the kernel is .explicitcluster")
            return required
        given = extent("cluster", asked, CLUSTER_MOST)
        if required is not None and given != required:
            raise bad_value("cluster", f"expected {required} (.reqnctapercluster of the kernel), got {given}")
        return given

    def of_block(self, block: int) -> tuple[int, int]:
        """The cluster of a block, and its rank there, from its linear index."""
        place = block % self.grid[0], block // self.grid[0] % self.grid[1], block // (self.grid[0] * self.grid[1])
        (x, y, z), (i, j, k) = zip(*map(divmod, place, self._each), strict=True)
        number = (z * self._counts[1] + y) * self._counts[0] + x
        return number, (k * self._each[1] + j) * self._each[0] + i

    def block(self, cluster: int, rank: int) -> int:
        """The linear index of the block of a rank in a cluster."""
        width, height, _ = self._counts
        at = cluster % width, cluster // width % height, cluster // (width * height)
        within = rank % self._each[0], rank // self._each[0] % self._each[1], rank // (self._each[0] * self._each[1])
        x, y, z = (a * each + b for a, each, b in zip(at, self._each, within, strict=True))
        return (z * self.grid[1] + y) * self.grid[0] + x

    def chosen(self, blocks: Any) -> Sequence[int]:
        """The clusters that run, as `blocks` of a launch asks for: those that have any of its blocks."""
        total = math.prod(self.grid)
        if blocks is None:
            return range(self.total)
        if isinstance(blocks, int | np.integer) and not isinstance(blocks, bool):
            count = min(-(-_whole(blocks, 1, 2**63) // self.size), self.total)
            return [i * self.total // count for i in range(count)]
        indices = _chosen(blocks, total)
        return indices if self.size == 1 else sorted({self.of_block(index)[0] for index in indices})

    def blocks_of(self, clusters: Sequence[int]) -> Sequence[int]:
        """The linear indices of the blocks of these clusters."""
        if self.size == 1:
            return clusters
        return sorted(self.block(cluster, rank) for cluster in clusters for rank in range(self.size))
