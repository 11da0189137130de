"""A whole tile: the addresses of every step that fills or reads it, and a report of both sides.

The tile begins at a multiple of 128 bytes; its cycles are those of the stores, then those of the
loads.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .. import _core, arguments
from ..errors import bad_type, bad_value
from ..instruction.base import Instruction
from ..instruction.kinds import parse
from ..instruction.products import Product
from ..time.architecture import Arch, resolve
from ..words import suggesting
from .layout import Layout
from .report import TileFinding, TileReport, TileSide

#: what fills a tile, and what reads it
STORES, LOADS = _core.TILE_STORES, _core.TILE_LOADS


def instruction(name: str, op: Instruction | str, kinds: tuple[str, ...]) -> Instruction:
    """An instruction of one of these kinds, given as such or as PTX text."""
    found: object = parse(op) if isinstance(op, str) else op
    if not isinstance(found, Instruction | Product):
        raise bad_type(name, f"expected an Instruction or PTX text, got {type(op).__name__}")
    if found.kind not in kinds or isinstance(found, Product):
        wrong = bad_value if isinstance(op, str) else bad_type
        raise wrong(name, f"expected {', '.join(kinds[:-1])} or {kinds[-1]}; got {found.ptx}")
    if found.space == "global":
        raise bad_value(name, f"expected an instruction on shared memory, got {found.ptx}")
    return found


def a_layout(layout: Layout) -> Layout:
    """The argument, or a TypeError."""
    if not isinstance(layout, Layout):
        raise bad_type("layout", f"expected a Layout, got {type(layout).__name__}")
    return layout


def check_cover(layout: Layout, ops: tuple[Instruction, ...], warps: int) -> None:
    """A ValueError where the instructions do not cover the tile; sizes first, then warps."""
    for count in (1, warps):
        for name, op in zip(("store", "load"), ops, strict=True):
            _core.tile_cover(op, layout._core, count, name)


def tile_steps(op: Instruction | str, layout: Layout, *, warps: int = 1) -> NDArray[np.int64]:
    """Lane addresses (warps, steps, 32), bytes from the layout's first: the tile once.

    A unit is what one instruction covers: its block of matrices (x4: m1 below m0, m2 right of m0)
    or 32 pieces. Units are counted along the contiguous axis first; unit step * warps + warp
    belongs to that step of that warp. What does not divide is a ValueError that names the nearest
    sizes that do; only the last unit of plain accesses may be partial: its lanes repeat the last
    piece.

    >>> import warpsim as ws
    >>> ws.tile_steps(ws.Ldmatrix(num=4), ws.Layout(32, 64, "f16"), warps=2)[1, :, 0]
    array([  32,   96, 2080, 2144])
    """
    kinds = (*STORES, *LOADS)
    return _core.tile_steps(
        instruction("op", op, kinds), a_layout(layout)._core, arguments.positive_int("warps", warps)
    )


def _side(op: Instruction, layout: Layout, warps: int, architecture: Arch) -> TileSide:
    traffic, cycles, error = _core.tile_count(op, layout._core, warps, architecture._core)
    newest = _core.newest_ptx(architecture._core.target_row)
    legality = op.legality(architecture.target, f"{newest // 10}.{newest % 10}")
    return TileSide(op, traffic, cycles, legality, error)


@suggesting
def tile(
    layout: Layout, *, store: Instruction | str, load: Instruction | str, warps: int = 4, target: str | Arch = "sm_90"
) -> TileReport:
    """What filling the tile with `store` and reading it with `load` costs, and what is wrong.

    `store`: st, stmatrix or cp.async (which copies the same tile from global memory, where it lies
    dense from a 128-byte boundary on); `load`: ld or ldmatrix; instructions or PTX text. An
    illegal instruction, a pitch or swizzle that breaks its accesses and a tile beyond the shared
    memory of the target are findings of the report. Sizes that do not divide: see tile_steps.

    >>> import warpsim as ws
    >>> padded = ws.Layout(64, 64, "f16", pad=8)
    >>> report = ws.tile(padded, store=ws.CpAsync(), load=ws.Ldmatrix(num=4))
    >>> report.store.traffic.sum().wavefronts.item(), report.load.traffic.sum().wavefronts.item()
    (168, 64)
    >>> report.ok, report.bytes, report.wasted_bytes
    (True, 9216, 1024)
    """
    store_op = instruction("store", store, STORES)
    load_op = instruction("load", load, LOADS)
    count = arguments.positive_int("warps", warps)
    architecture = resolve(target)
    if a_layout(layout).nbytes > _core.SHARED_WINDOW_BYTES:
        raise bad_value(
            "layout",
            f"expected at most {_core.SHARED_WINDOW_BYTES} bytes, the window of shared memory; got {layout.nbytes}",
        )
    check_cover(layout, (store_op, load_op), count)
    store_side = _side(store_op, layout, count, architecture)
    load_side = _side(load_op, layout, count, architecture)
    found = _core.tile_findings(layout._core, store_op, load_op, architecture._core)
    return TileReport(
        layout,
        count,
        architecture.target,
        store_side,
        load_side,
        findings=tuple(TileFinding(*finding) for finding in found),
        bytes=layout.nbytes,
        wasted_bytes=layout.nbytes - layout._core.element_bytes,
        shared_bytes=architecture.shared_bytes_per_block,
    )
