"""Clusters of thread blocks: how a launch is cut into them, and which of them run."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import _core, targets
from ..errors import bad_value
from ..picked import Blocks, Numbers, Picked, block_of, chosen, listed, row, spread, whole
from .arguments import extent
from .entry import Entry

Extent = tuple[int, int, int]
#: the clusters that run, and their blocks
Chosen = tuple[Picked, Numbers]

CLUSTER_MOST = (16, 16, 16)
MOST_CHECKED = 2**32  # clusters that a check tells apart
MOST_SEARCHED = 2**20  # blocks whose clusters are looked for one by one
MOST_BLOCKS = targets.MOST.cluster_blocks  # 8 without cudaFuncAttributeNonPortableClusterSizeAllowed


class Clusters:
    """The clusters of a launch: `size` blocks each, `extent` None where neither launch nor kernel speak of any.

    `each` is `extent`, or (1, 1, 1).
    """

    def __init__(self, kernel: Entry, asked: Any, grid: Extent, target: int) -> None:
        self.grid = grid
        self.extent = self._extent(kernel, asked)
        self.each = self.extent or (1, 1, 1)
        self.size = math.prod(self.each)
        most = targets.limits_of(target).cluster_blocks
        if self.size > most:
            whose = "" if target == targets.NO_TARGET else f" on {_core.TARGETS[target]}"
            raise bad_value(
                "cluster", f"expected at most {most} thread block{'s' if most > 1 else ''}{whose}, got {self.size:,}"
            )
        if kernel.most_ranks and self.size > kernel.most_ranks:
            raise bad_value(
                "cluster",
                f"expected at most {kernel.most_ranks} thread blocks (.maxclusterrank of the kernel), got {self.size}",
            )
        if any(blocks % each for blocks, each in zip(grid, self.each, strict=True)):
            raise bad_value("grid", f"expected multiples of the cluster {self.each}, got {grid}")
        self._counts = tuple(blocks // each for blocks, each in zip(grid, self.each, strict=True))
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
        (x, y, z), (i, j, k) = zip(*map(divmod, place, self.each), strict=True)
        number = (z * self._counts[1] + y) * self._counts[0] + x
        return number, (k * self.each[1] + j) * self.each[0] + i

    def block(self, cluster: int, rank: int) -> int:
        """The linear index of the block of a rank in a cluster."""
        return block_of(cluster, rank, self.each, self.grid)

    def chosen(self, blocks: Any) -> Picked:
        """The clusters that run, as `blocks` of a launch asks for: those that have any of its blocks."""
        if blocks is None:
            return row(range(self.total))
        if isinstance(blocks, int | np.integer) and not isinstance(blocks, bool):
            return spread(min(-(-whole(blocks, 1, 2**63) // self.size), self.total), self.total)
        found = chosen(blocks, math.prod(self.grid))
        if self.size == 1 or not found:
            return found
        if found.is_row and self.size == self.each[0]:
            return row(range(found[0] // self.size, found[-1] // self.size + 1))
        if len(found) == math.prod(self.grid):
            return row(range(self.total))
        if len(found) > MOST_SEARCHED:
            most = f"{MOST_SEARCHED:,} blocks of clusters"
            raise bad_value("blocks", f"expected at most {most}, or all, got {len(found):,}")
        return listed(sorted({self.of_block(index)[0] for index in found}))

    def picked(self, blocks: Any, is_checked: bool) -> Chosen:
        """The clusters that run, and their blocks."""
        found = self.chosen(blocks)
        if is_checked and len(found) > MOST_CHECKED:
            raise bad_value(
                "blocks",
                f"expected at most {MOST_CHECKED:,} {'thread blocks' if self.size == 1 else 'clusters'} that are"
                f" checked, got {len(found):,}; run a part of them, such as 1000, or without checks",
            )
        return found, self.blocks_of(found)

    def blocks_of(self, clusters: Picked) -> Numbers:
        """The linear indices of the blocks of these clusters."""
        if self.size == 1 or len(clusters) == self.total:
            return clusters if self.size == 1 else row(range(math.prod(self.grid)))
        return Blocks(clusters, self.each, self.grid)
