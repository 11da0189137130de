"""The layout that fills and reads a whole tile with the fewest cycles, of all that a search counts."""

from __future__ import annotations

from typing import Any

from ..errors import WarpsimError
from .remedy import advised
from .report import TileReport, register_remedy
from .search import search


def remedy(report: TileReport) -> dict[str, Any] | None:
    """See TileReport.remedy."""
    layout, now = report.layout, report.wavefronts
    try:
        found = search(
            layout.rows, layout.cols, layout.type, store=report.store.op, load=report.load.op,
            warps=report.warps, target=report.target, orders=(layout.order,),
        )  # fmt: skip
    except (ValueError, WarpsimError):  # the target lacks an instruction, or one does not cover the tile
        return None
    if not len(found):
        return None
    best = found[0]
    after = best["store_wavefronts"] + best["load_wavefronts"]
    if report.ok and after >= now:
        return None
    ideal = sum(int(side.traffic.ideal_wavefronts.sum()) for side in (report.store, report.load))
    contents = advised(found.best, after, ideal, layout, now) | {"cycles": best["cycles"]}
    saved = f"{best['cycles']:g} cycles instead of {report.cycles:g}"
    return contents | {"words": f"{contents['words']}, {saved}" if report.ok else contents["name"]}


register_remedy(remedy)
