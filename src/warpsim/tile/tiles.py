"""A whole tile: the addresses of every step that fills or reads it, and a report of both sides.

The tile begins at a multiple of 128 bytes; its cycles are those of the stores, then those of the
loads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core, arguments
from ..errors import bad_type, bad_value
from ..instruction.base import DataMovement
from ..targets import USUAL_TARGET
from ..time.architecture import Arch, profile_of, resolve
from ..words import suggesting
from .layout import Layout, layout_core
from .report import TileFinding, TileReport, TileSide
from .users import KINDS, User, instruction, users


def a_layout(layout: Layout, name: str = "layout") -> Layout:
    """The argument, or a TypeError."""
    if not isinstance(layout, Layout):
        raise bad_type(name, f"expected a Layout, got {type(layout).__name__}")
    return layout


def check_cover(layout: Layout, used: Sequence[User], warps: int) -> None:
    """A ValueError where the instructions do not cover the tile; sizes first, then warps."""
    for count in (1, warps):
        for user in used:
            _core.tile_cover(user.op, layout_core(layout), count, user.name)


def tile_steps(op: DataMovement | str, layout: Layout, *, warps: int = 1) -> NDArray[np.int64]:
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
    kinds = (*KINDS["store"], *KINDS["load"])
    return _core.tile_steps(
        instruction("op", op, kinds), layout_core(a_layout(layout)), arguments.positive_int("warps", warps)
    )


def _given(user: User, layout: Layout, warps: int) -> NDArray[np.int64]:
    """The lane addresses that a function gives, (warps, steps, 32)."""
    assert user.addresses is not None
    steps = _core.tile_cover(user.op, layout_core(layout), warps, user.name)
    lane = np.arange(arguments.LANES)
    found = np.empty((warps, steps, arguments.LANES), np.int64)
    for unit in range(warps * steps):
        given = arguments.integers(user.name, user.addresses(lane.copy(), unit))
        if given.shape not in ((), (arguments.LANES,)):
            raise bad_value(user.name, f"expected 32 addresses of step {unit}, got shape {given.shape}")
        least, most = arguments.bounds(user.name, given)
        last = most + user.op.access_bytes - 1
        if least < 0 or last >= _core.SHARED_WINDOW_BYTES:
            spread = f"{arguments.shown(least)} to {arguments.shown(last)}"
            raise bad_value(user.name, f"expected offsets in the tile, got bytes {spread} of step {unit}")
        found[unit % warps, unit // warps] = given
    return found


def _side(user: User, layout: Layout, warps: int, architecture: Arch) -> TileSide:
    newest = _core.newest_ptx(profile_of(architecture).target_row)
    legality = user.op.legality(architecture.target, f"{newest // 10}.{newest % 10}")
    if user.addresses is None:
        traffic, cycles, error = _core.tile_count(user.op, layout_core(layout), warps, profile_of(architecture))
        return TileSide(user.op, traffic, cycles, legality, error, user.name)
    address = _given(user, layout, warps)
    traffic = user.op.traffic(address, target=architecture.target)
    cycles = _core.tile_cycles(user.op, traffic.wavefronts, profile_of(architecture))
    return TileSide(user.op, traffic, cycles, legality, None, user.name, is_given=True)


def _findings(used: Sequence[User], layout: Layout, architecture: Arch) -> Iterator[TileFinding]:
    for user in used:
        if user.addresses is None:
            for rule, message in _core.tile_findings(layout_core(layout), user.op, profile_of(architecture)):
                yield TileFinding(rule, user.name, message)
    for rule, message in _core.tile_findings(layout_core(layout), None, profile_of(architecture)):
        yield TileFinding(rule, "tile", message)


@suggesting
def tile(
    layout: Layout,
    *,
    store: DataMovement | str | None = None,
    load: DataMovement | str | None = None,
    stores: Iterable[Any] = (),
    loads: Iterable[Any] = (),
    warps: int = 4,
    target: str | Arch = USUAL_TARGET,
) -> TileReport:
    """What filling the tile with `store` and reading it with `load` costs, and what is wrong.

    `store`: st, stmatrix or cp.async (which copies the same tile from global memory, where it lies
    dense from a 128-byte boundary on); `load`: ld or ldmatrix; instructions or PTX text. `stores`
    and `loads` are lists of several of them; none of one kind makes a tile that is only read or
    only filled. In a list, (instruction, function) takes the addresses of function(lanes, step)
    instead of the layout's: bytes from the tile's first, for lanes 0 to 31; step counts through
    all warps, as tile_steps does. An illegal instruction, a pitch or swizzle that breaks its
    accesses and a tile beyond the shared memory of the target are findings of the report. Sizes
    that do not divide: see tile_steps.

    >>> import warpsim as ws
    >>> padded = ws.Layout(64, 64, "f16", pad=8)
    >>> report = ws.tile(padded, store=ws.CpAsync(), load=ws.Ldmatrix(num=4))
    >>> report.store.traffic.sum().wavefronts.item(), report.load.traffic.sum().wavefronts.item()
    (168, 64)
    >>> report.ok, report.bytes, report.wasted_bytes
    (True, 9216, 1024)
    >>> both = ws.tile(padded, loads=[ws.Ldmatrix(num=4), ws.Ldmatrix(num=4, trans=True)])
    >>> [side.traffic.sum().wavefronts.item() for side in both.loads]
    [64, 64]
    """
    used = users(store, load, stores, loads)
    count = arguments.positive_int("warps", warps)
    architecture = resolve(target)
    if a_layout(layout).nbytes > _core.SHARED_WINDOW_BYTES:
        raise bad_value(
            "layout",
            f"expected at most {_core.SHARED_WINDOW_BYTES} bytes, the window of shared memory; got {layout.nbytes}",
        )
    check_cover(layout, used, count)
    sides = [(user.kind, _side(user, layout, count, architecture)) for user in used]
    return TileReport(
        layout,
        count,
        architecture.target,
        stores=tuple(side for kind, side in sides if kind == "store"),
        loads=tuple(side for kind, side in sides if kind == "load"),
        findings=tuple(_findings(used, layout, architecture)),
        bytes=layout.nbytes,
        wasted_bytes=layout.nbytes - layout_core(layout).element_bytes,
        shared_bytes=architecture.shared_bytes_per_block,
        _arch=architecture,
    )
