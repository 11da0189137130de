"""Which main loops can be: shapes, layouts, and what a block of the target holds."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from .. import _core, arguments
from ..errors import UnsupportedError, bad_type, bad_value
from ..tile.layout import TYPE_BITS, Layout
from ..time.occupancy import Occupancy, occupancy
from ..time.tensor_rates import TYPES
from ..words import plural


def whole(name: str, values: Sequence[int], count: int, most: int) -> tuple[int, ...]:
    """`count` ints of 1 to `most`."""
    is_list = isinstance(values, Sequence) and not isinstance(values, str)
    found = list(islice(arguments.each_of(name, values), count + 1)) if is_list else []
    if len(found) != count:
        raise bad_type(name, f"expected {count} ints, got {arguments.shown(values)}")
    return tuple(arguments.positive_int(f"{name}[{i}]", value, most) for i, value in enumerate(found))


def layout_of(name: str, layout: Layout | None, rows: int, cols: int, type: str) -> Layout:
    """The layout of one side, by default plain; a ValueError where it is of another matrix."""
    if layout is None:
        return Layout(rows, cols, type)
    if not isinstance(layout, Layout):
        raise bad_type(name, f"expected a Layout or None, got {arguments.shown(layout)}")
    if (layout.rows, layout.cols, layout.order) != (rows, cols, "row"):
        raise bad_value(name, f"expected a row-major layout of {rows} x {cols}, got {layout!r}")
    if TYPE_BITS[layout.type] != TYPES[type].bits:
        raise bad_value(name, f"expected elements of {TYPES[type].bits} bits, as {type} has, got {layout!r}")
    return layout


def registers_of(grid: tuple[int, int]) -> int:
    """The most that a thread of such a block can have."""
    return min(_core.THREAD_REGISTERS, _core.BLOCK_REGISTERS // (32 * grid[0] * grid[1]) // 8 * 8)


def check_possible(
    shape: tuple[int, int, int], grid: tuple[int, int], stages: int, slabs: int, sums: int, most: int
) -> None:
    """UnsupportedError with every reason why no such kernel can run.

    `slabs`: bytes of one stage of A and B. `sums`: accumulators in a register.
    """
    (m, n, k), filled, limit = shape, max(1, stages), registers_of(grid)
    needed = m // grid[0] * (n // grid[1]) // 32 // sums
    reasons = []
    if filled * slabs > most:
        advice = f"use at most {plural(most // slabs, 'stage')}" if most >= slabs else "make the tile smaller"
        need = f"{plural(filled, 'stage')} need{'s' * (filled == 1)} {filled * slabs:,} bytes"
        reasons.append(f"{need} of shared memory, a block has {most:,}: {advice}")
    if needed > limit:
        reasons.append(
            f"the accumulators alone need {needed} registers of a thread, which can have {limit}:"
            " use more warps or a smaller tile"
        )
    if reasons:
        raise UnsupportedError(f"tile: {m} x {n} x {k} on {grid[0]} x {grid[1]} warps cannot run: {'; '.join(reasons)}")


def occupancy_of(found: dict[str, Any], grid: tuple[int, int], target: str) -> Occupancy | None:
    """Blocks of the loop on an SM, None where the limits of the target are not known."""
    registers = min(registers_of(grid), found["registers"])
    try:
        return occupancy(32 * grid[0] * grid[1], registers, found["shared_bytes"], target=target)
    except ValueError:
        return None
