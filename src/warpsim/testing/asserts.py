"""Assertions for the test suites of kernel authors: layouts without conflicts, PTX that is legal.

Each raises AssertionError with a message that explains; whole PTX files become test items of their
own with `pytest -p warpsim.pytest_plugin`.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _core, arguments
from .._core import Traffic
from ..errors import PtxSyntaxError, UnsupportedError, bad_type, bad_value
from ..instruction.banks import BankReport
from ..instruction.base import DataMovement
from ..instruction.instruction import Instruction
from ..instruction.kinds import Ld, Ldmatrix, St, parse
from ..kernel.report import KernelReport
from ..lint.lint import lint
from ..render import advice, text
from ..targets import USUAL_TARGET, ptx_number, target_row
from ..tile.layout import Layout
from ..tile.remedy import advised
from ..tile.search import search
from ..tile.tiles import tile_steps
from ..tile.users import KINDS, instruction
from ..words import suggesting
from .launches import launch_conflict_free

TEXT_WIDTH = 92
MOST_LINES = 8  #: of the bank report
NEWEST_PTX = f"{_core.NEWEST_PTX // 10}.{_core.NEWEST_PTX % 10}"
OF_A_FILE = (".version", ".target", ".address_size", ".visible", ".entry", ".func", ".extern")

Addresses = NDArray[np.int64]


def _steps(op: DataMovement, layout: Layout, row: int | None, col: int | None, arrange: str, warps: int) -> Addresses:
    """Lane addresses (..., 32): one place if it is given, else every step that covers the tile."""
    if row is None and col is None and arrange == "col":
        return tile_steps(op, layout, warps=warps)
    if row is None and col is None:
        raise bad_value("arrange", "'row' needs a place; give row and col")
    place = (0 if row is None else row, 0 if col is None else col)
    return layout.addresses(op, *place, arrange)


def _addresses(value: object) -> Addresses:
    """Lane addresses that fit into 63 bits."""
    found = arguments.integers("layout", value)
    least, most = arguments.bounds("layout", found) if found.size else (0, 0)
    if least < 0 or most >= 2**63:
        raise bad_value(
            "layout", f"expected addresses from 0 to 2**63 - 1, got {arguments.shown(least if least < 0 else most)}"
        )
    return found.astype(np.int64)


def _origin(layout: Layout, address: int) -> str:
    """Which element begins at a byte of the layout."""
    rows, cols = np.indices((layout.rows, layout.cols))
    places = np.argwhere(layout(rows, cols) == address)
    return f"({places[0][0]}, {places[0][1]})" if len(places) else f"byte {address}"


def _banks(report: BankReport) -> list[str]:
    """Which lanes meet where: the bank report without its picture."""
    lines = "\n".join(text.meetings(report.to_dict())).splitlines()
    more = len(lines) - MOST_LINES
    return [f"    {line}" for line in lines[:MOST_LINES]] + [f"    ... {more} more"] * (more > 0)


def _better(op: DataMovement, layout: Layout, warps: int, total: Traffic) -> dict[str, Any] | None:
    """The smallest layout of the same tile with the fewest wavefronts for `op`, as plain values."""
    wavefronts = int(total.wavefronts)
    is_load = op.kind in KINDS["load"]
    targets = op.legality(USUAL_TARGET, NEWEST_PTX).targets
    found = None
    for other in (St(vec=4), St(type="b32")) if is_load else (Ldmatrix(num=4), Ld(type="b32")):
        store, load = (other, op) if is_load else (op, other)
        try:
            found = search(
                layout.rows, layout.cols, layout.type,
                store=store, load=load, warps=warps, orders=(layout.order,),
                target=USUAL_TARGET if USUAL_TARGET in targets else targets[-1],
            )  # fmt: skip
        except (ValueError, TypeError):  # the other instruction does not divide the tile
            continue
        if len(found):
            break
    if found is None or not len(found):
        return None
    columns = found.columns()
    counts = columns["load_wavefronts" if is_load else "store_wavefronts"]
    best = int(np.lexsort((columns["cycles"], columns["bytes"], counts))[0])
    if counts[best] >= wavefronts:
        return None
    better = advised(found.layout(best), int(counts[best]), int(total.ideal_wavefronts), layout, wavefronts)
    return better.to_dict()


def _misaligned(op: DataMovement, steps: Addresses) -> None:
    unit = op.access_bytes
    used = steps[..., : op.row_lanes or 32]
    wrong = np.argwhere(used % unit)
    if len(wrong):
        *_, lane = first = wrong[0]
        raise AssertionError(
            f"{op.ptx}: the address of lane {lane}, {used[tuple(first)]}, is not a"
            f" multiple of {unit}, which is undefined behaviour"
        )


def _why(op: DataMovement, steps: Addresses, traffic: Traffic, target: str | None) -> list[str]:
    """How many steps conflict, and what happens in the worst."""
    extra = (traffic.wavefronts - traffic.ideal_wavefronts).reshape(-1)
    worst = int(extra.argmax())
    counts = sorted(Counter(extra[extra > 0].tolist()).items(), reverse=True)
    kinds = ", ".join(f"{n:,} with {more:,} wavefronts too many" for more, n in counts[:4])
    kinds += f", and {len(counts) - 4} other counts" * (len(counts) > 4)
    flat = steps.reshape(-1, arguments.LANES)
    total = traffic.sum()
    return [
        f"  {total.wavefronts.item():,} wavefronts, {total.ideal_wavefronts.item():,} are enough;"
        f" {np.count_nonzero(extra):,} of {len(extra):,} accesses conflict: {kinds}",
        *_banks(op.explain(flat[worst], target=target)),
    ]


@suggesting
def assert_conflict_free(
    op: DataMovement | str | KernelReport,
    layout: Layout | ArrayLike | None = None,
    *,
    lines: Iterable[int | str] | int | str | None = None,
    row: int | None = None,
    col: int | None = None,
    arrange: str = "col",
    warps: int = 1,
    target: str | None = None,
) -> None:
    """None if no access of `op` costs more wavefronts than its data need; else AssertionError.

    With a KernelReport instead: none of its statements has a bank conflict, or only those in `lines`
    are checked (lines of the PTX, or "FILE:LINE" of the source; one that did not run is ValueError).

    `op`: ldmatrix, stmatrix, ld, st or cp.async on shared memory, or its PTX text. `layout`: a
    Layout, of which every step is checked that covers the tile (`warps`: see tile_steps), or only
    the access at (row, col); or lane addresses (..., 32). The message has the worst access with
    the lanes that meet, and the best layout of the same tile. Addresses that are not aligned fail
    as well. Of ldmatrix m16n16 and m8n16 b6/b4 and stmatrix m16n8 the counters are approximations.

    >>> import warpsim as ws
    >>> ws.testing.assert_conflict_free(ws.Ldmatrix(num=4), ws.Layout(64, 64, "f16", pad=8))
    >>> ws.testing.assert_conflict_free("ld.shared.v4.b32", ws.Layout(8, 8, "f32"))
    >>> ws.testing.assert_conflict_free(ws.Ldmatrix(num=4), ws.Layout(16, 64, "f16"))
    Traceback (most recent call last):
        ...
    AssertionError: 112 bank conflicts, 8 times the wavefronts. Swizzle<3,3,3> has none.
      ldmatrix.sync.aligned.m8n8.x4.shared.b16
      Layout(16, 64, 'f16')
      128 wavefronts, 16 are enough; 4 of 4 accesses conflict: 4 with 28 wavefronts too many
      the worst has lane 0 at (0, 0):
        matrix 0 (lanes 0-7): 8 wavefronts
          banks 0-3: 8 words, for lanes 0, 1, 2, 3, 4, 5, 6, 7
        matrix 1 (lanes 8-15): 8 wavefronts
          banks 0-3: 8 words, for lanes 8, 9, 10, 11, 12, 13, 14, 15
        matrix 2 (lanes 16-23): 8 wavefronts
          banks 4-7: 8 words, for lanes 16, 17, 18, 19, 20, 21, 22, 23
        matrix 3 (lanes 24-31): 8 wavefronts
          banks 4-7: 8 words, for lanes 24, 25, 26, 27, 28, 29, 30, 31
      fix: Swizzle<3,3,3>: 16 wavefronts instead of 128, 2,048 bytes (as now)
        --tile  16x64:f16:swizzle=3,3,3
        Python  ws.Layout(16, 64, "f16", swizzle=ws.Swizzle(3, 3, 3))
        C++     tile[i ^ (i >> 3 & 0x38)], i = row * 64 + col
        CuTe    Sw<3,3,3> o 0 o (16,64):(64,1)
        Triton  #ttg.swizzled_shared<{vec=8, perPhase=1, maxPhase=8, order=[1, 0]}>
    """
    if isinstance(op, KernelReport):
        if layout is not None:
            lines = cast("Iterable[int | str]", layout)  # assert_conflict_free(report, lines)
        launch_conflict_free(op, lines)
        return
    if layout is None:
        raise bad_type("layout", "an instruction needs a Layout or addresses")
    found = instruction("op", op, (*KINDS["store"], *KINDS["load"]))
    arrange = arguments.word("arrange", arrange, ("col", "row"))
    tile = layout if isinstance(layout, Layout) else None
    if tile is not None:
        steps = _steps(found, tile, row, col, arrange, arguments.positive_int("warps", warps))
    elif row is not None or col is not None:
        raise ValueError("row, col: expected None where layout is an array of addresses")
    else:
        steps = _addresses(layout)
        if steps.ndim == 0 or steps.shape[-1] != arguments.LANES:
            raise bad_value("layout", f"expected addresses (..., 32), got shape {steps.shape}")
    _misaligned(found, steps)
    traffic = found.traffic(steps, target=target)
    extra = (traffic.wavefronts - traffic.ideal_wavefronts).reshape(-1)
    if not extra.any():
        return
    where = [f"  {tile!r}"] if tile is not None else []
    first, *rest = _why(found, steps, traffic, target)
    lane_0 = int(steps.reshape(-1, arguments.LANES)[int(extra.argmax()), 0])
    place = _origin(tile, lane_0) if tile is not None else f"address {lane_0}"
    is_whole, total = tile is not None and row is None and col is None, traffic.sum()
    better = _better(found, tile, warps, total) if tile is not None and is_whole else None
    answer = advice.headline({"ptx": found.ptx, "traffic": total.to_dict(), "remedy": better})
    message = [answer, f"  {found.ptx}", *where, first, f"  the worst has lane 0 at {place}:", *rest]
    if is_whole and better is None:
        message.append("  no padding up to 64 elements and no swizzle is better")
    message += [f"  {line}" for line in "\n".join(advice.remedy(better)).splitlines()]
    raise AssertionError("\n".join(message))


def _assert_instruction(ptx: Instruction | str, target: str, ptx_version: str | None) -> None:
    row = target_row(target)
    try:
        op = parse(ptx) if isinstance(ptx, str) else ptx
    except (PtxSyntaxError, UnsupportedError) as error:
        raise AssertionError(f"{error}") from None
    newest = _core.newest_ptx(row)
    version = ptx_version or f"{newest // 10}.{newest % 10}"
    legality = op.legality(target, version)
    if legality.ok:
        return
    lines = [f"{op.ptx} is not legal on {target} at PTX {version}"]
    lines += [f"  {reason}" for reason in legality.reasons]
    if legality.min_ptx_version is not None:
        lines.append(f"  on {target} it is legal in PTX {legality.min_ptx_version} and later")
    takers = f"  targets that take it: {', '.join(legality.targets) or 'none'}"
    lines.append(textwrap.fill(takers, TEXT_WIDTH, subsequent_indent="    "))
    raise AssertionError("\n".join(lines))


def assert_legal(ptx: Instruction | str, target: str | None = None, *, ptx_version: str | None = None) -> None:
    """None if the instruction, or every one of a PTX file's text, is legal; else AssertionError.

    `ptx`: an Instruction, its text, or the text of a whole file, which `lint` reads. `target`:
    "sm_90a"; a file has its own, which None leaves. `ptx_version`: by default the newest that has
    the target, and of a file its own. The message has the reasons and what would take it.

    >>> import warpsim as ws
    >>> ws.testing.assert_legal("ldmatrix.sync.aligned.m8n8.x4.shared.b16", "sm_90")
    >>> ws.testing.assert_legal(ws.Stmatrix(num=4), "sm_90", ptx_version="7.7")
    Traceback (most recent call last):
        ...
    AssertionError: stmatrix.sync.aligned.m8n8.x4.shared.b16 is not legal on sm_90 at PTX 7.7
      target sm_90 does not exist in PTX 7.7: it exists from PTX 7.8
      stmatrix needs PTX 7.8 or later, not 7.7
      on sm_90 it is legal in PTX 7.8 and later
      targets that take it: sm_90, sm_90a, sm_100, sm_100a, sm_100f, sm_101, sm_101a, sm_101f,
        sm_103, sm_103a, sm_103f, sm_107, sm_107a, sm_107f, sm_110, sm_110a, sm_110f, sm_120,
        sm_120a, sm_120f, sm_121, sm_121a, sm_121f
    """
    if ptx_version is not None:
        ptx_number(ptx_version)
    if target is not None:
        target_row(target)
    if isinstance(ptx, str) and any(line.lstrip().startswith(OF_A_FILE) for line in ptx.splitlines()):
        report = lint(ptx, target=target, ptx_version=ptx_version)
        if not report.ok:
            raise AssertionError(report.text())
        return
    if not isinstance(ptx, str | Instruction):
        raise bad_type("ptx", f"expected an Instruction or PTX text, got {type(ptx).__name__}")
    if target is None:
        raise bad_type("target", "an instruction needs one, such as 'sm_90'")
    _assert_instruction(ptx, target, ptx_version)
