"""The layout that fills and reads a whole tile with the fewest cycles, of all that a search counts."""

from __future__ import annotations

from ..errors import WarpsimError
from .remedy import Remedy, advised
from .report import TileReport, arch_of, register_remedy
from .search import search


def remedy(report: TileReport) -> Remedy | None:
    """See TileReport.remedy."""
    layout, now = report.layout, report.wavefronts
    if any(side.is_given for side in report.sides):  # another layout needs other functions
        return None
    try:
        found = search(
            layout.rows, layout.cols, layout.type,
            stores=[side.op for side in report.stores], loads=[side.op for side in report.loads],
            warps=report.warps, target=arch_of(report), orders=(layout.order,),
        )  # fmt: skip
    except (ValueError, WarpsimError):  # the target lacks an instruction, or one does not cover the tile
        return None
    if not len(found):
        return None
    best = found[0]
    after = best["store_wavefronts"] + best["load_wavefronts"]
    if report.ok and after >= now:
        return None
    ideal = sum(int(side.traffic.ideal_wavefronts.sum()) for side in report.sides)
    remedy = advised(found.best, after, ideal, layout, now, cycles=best["cycles"], cycles_now=report.cycles)
    contents = remedy.to_dict()
    saved = f"{best['cycles']:g} cycles instead of {report.cycles:g}"
    contents["words"] = f"{contents['words']}, {saved}" if report.ok else contents["name"]
    return remedy


register_remedy(remedy)
