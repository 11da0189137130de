"""The model against tiles and main loops that it was not fitted to: which they are, and how near it comes."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from statistics import median
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..instruction.kinds import parse
from ..loop.mainloop import mainloop
from ..render import html
from ..report import Report
from ..tile.layout import Layout
from ..tile.swizzle import Swizzle
from ..tile.tiles import tile_steps
from ..time.architecture import Arch
from .held_out import FEW, LOOPS, MANY, TILES, Loop, Tile, loops, tiles
from .probes import Probe
from .programs import loop_probe, tile_probe

T = TypeVar("T", bound=Hashable)
MOST_STEPS = 8
#: where the buffers of copies are supposed to begin: a multiple of 16 MiB
GLOBAL = np.uint64(0x7F00_0000_0000)


def _layout(rows: int, cols: int, pad: int, swizzle: Any) -> Layout:
    return Layout(rows, cols, "f16", pad=pad, swizzle=Swizzle(*swizzle) if swizzle else None)


def steps_of(tile: Tile) -> NDArray[np.int64] | None:
    """Lane addresses (warps, steps, 32); None where the tile does not divide among so many warps."""
    with suppress(ValueError):
        found = tile_steps(
            parse(tile.form.ptx_text), _layout(tile.rows, tile.cols, tile.pad, tile.swizzle), warps=tile.warps
        )
        if found.shape[1] <= MOST_STEPS:
            return found
    return None


def label(case: Tile | Loop) -> str:
    """A case in words."""
    if isinstance(case, Tile):
        how = "swizzled" if case.swizzle else f"pad {case.pad}" if case.pad else "plain"
        return f"{case.rows}x{case.cols} {how}, {case.warps} warps: {case.form.name}"
    how = "swizzled" if case.swizzle_a else f"pad {case.pad}"
    size, warps = ("x".join(map(str, numbers)) for numbers in (case.tile, case.warps))
    return f"{size} {how}{', trans_b' if case.trans_b else ''}, {warps} warps, {case.stages} stages"


@dataclass(frozen=True, slots=True)
class Held:
    """One case: its program, how often that does the case in a pass, and the case itself."""

    case: Tile | Loop
    probe: Probe
    repeats: int = 1

    def measured(self, spans: Mapping[str, Any]) -> list[float]:
        """Cycles of the case in each round."""
        few, many = (spans[self.probe.name][str(passes)] for passes in (FEW, MANY))
        return [(b[1] - a[1]) / ((MANY - FEW) * self.repeats) for a, b in zip(few, many, strict=True)]

    def model(self, arch: Arch) -> float:
        """Cycles that the model predicts: of a tile's steps in an endless stream, of an iteration of a loop."""
        if isinstance(self.case, Loop):
            (m, _, k), pad = self.case.tile, self.case.pad
            a = _layout(m, k, pad, self.case.swizzle_a)
            b = _layout(*self.case.b_size, pad, self.case.swizzle_b)
            rest: Any = {"trans_b": self.case.trans_b, "stages": self.case.stages}
            return mainloop(self.case.tile, self.case.warps, a=a, b=b, target=arch, **rest).cycles
        op, steps = parse(self.case.form.ptx_text), steps_of(self.case)
        assert steps is not None
        total = 0.0
        for warp, of_warp in enumerate(steps):
            for step, address in enumerate(of_warp):
                more: dict[str, Any] = {}
                if op.kind == "cp.async":
                    first = 512 * (step * self.case.warps + warp)
                    more["source"] = np.arange(first, first + 512, 16, dtype=np.uint64) + GLOBAL
                total += op.cost(address, warps=self.case.warps, target=arch, **more).interval
        return total


def once(drawn: Iterable[T]) -> Iterator[T]:
    """Each case the first time that it is drawn."""
    seen = set()
    for case in drawn:
        if case not in seen:
            seen.add(case)
            yield case


def cases(sm: int, most_shared: int) -> Iterator[Held]:
    """The same cases for every GPU of a target: tiles, then main loops where the target has cp.async."""
    fitting = (
        (tile, steps) for tile in once(tiles()) if sm >= tile.form.least and (steps := steps_of(tile)) is not None
    )
    for number, (tile, steps) in enumerate(islice(fitting, TILES)):
        yield Held(tile, *tile_probe(f"tile {number}", tile, steps.tolist()))
    for number, loop in enumerate(islice(once(loops(most_shared)), LOOPS if sm >= 80 else 0)):
        yield Held(loop, loop_probe(f"loop {number}", loop))


@dataclass(frozen=True, slots=True)
class Comparison(Report):
    """The model against a GPU: rows of (what, measured cycles, model, relative error)."""

    device: str
    arch: str
    rows: tuple[tuple[str, float, float, float], ...]
    missing: tuple[str, ...]
    measurements: dict[str, Any] = field(repr=False, hash=False)

    @property
    def median(self) -> float:
        """The median of the absolute errors."""
        return median(abs(row[3]) for row in self.rows)

    @property
    def percentile_95(self) -> float:
        """The 95th percentile of the absolute errors."""
        return float(np.percentile([abs(row[3]) for row in self.rows], 95))

    def _title(self) -> str:
        return f"The model against {self.device}"

    def _parts(self) -> Sequence[str]:
        rows = [(what, f"{was:.1f}", f"{says:.1f}", f"{100 * off:+.1f} %") for what, was, says, off in self.rows]
        return (html.table(("", "measured", "model", "error"), rows, str(self).splitlines()[-1]),)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        keys = ("what", "measured", "model", "error")
        return {
            "schema": "warpsim.comparison/1", "device": self.device, "arch": self.arch,
            "rows": [dict(zip(keys, row, strict=True)) for row in self.rows], "median": self.median,
            "percentile_95": self.percentile_95, "missing": list(self.missing), "measurements": self.measurements,
        }  # fmt: skip

    def __str__(self) -> str:
        wide = max(len(row[0]) for row in self.rows)
        lines = [f"{len(self.rows)} tiles and main loops on {self.device}, model of {self.arch}; cycles of the SM"]
        lines.append(f"  {'':<{wide}}  measured    model   error")
        lines += [f"  {what:<{wide}}  {was:8.1f} {says:8.1f} {100 * off:+6.1f} %" for what, was, says, off in self.rows]
        lines += [f"  not measured: {words}" for words in self.missing]
        lines.append(f"error: median {100 * self.median:.1f} %, 95th percentile {100 * self.percentile_95:.1f} %")
        return "\n".join(lines)


def comparison(found: Mapping[str, Any], arch: Arch) -> Comparison:
    """What a run of the cases says about a profile."""
    device, rows, missing = found["device"], [], []
    for held in cases(device["sm"], device["shared_bytes"]):
        if held.probe.name in found["refused"]:
            missing.append(f"{label(held.case)}: {found['refused'][held.probe.name]}")
            continue
        was, says = median(held.measured(found["spans"])), held.model(arch)
        rows.append((label(held.case), was, says, says / was - 1))
    return Comparison(device["name"], arch.named, tuple(rows), tuple(missing), dict(found))
