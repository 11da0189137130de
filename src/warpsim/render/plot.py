"""Reports drawn with matplotlib, which is the extra [plot] and is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from ..errors import bad_type
from .cycle_bars import BOUND, BUSY, mainloop_bars
from .cycles import heading_of_loop, loop_cycles
from .search_scatter import KINDS, pareto_places, places_of
from .tables import layout_words


def _axes(ax: Any) -> Any:
    """The given Axes, or those of a new figure."""
    if ax is not None:
        if not callable(getattr(ax, "barh", None)):
            raise bad_type("ax", f"expected matplotlib's Axes, got {type(ax).__name__}")
        return ax
    try:
        pyplot = import_module("matplotlib.pyplot")
    except ImportError as error:
        raise ImportError("needs matplotlib: pip install warpsim[plot]") from error
    return pyplot.subplots(layout="constrained")[1]


def mainloop(report: Mapping[str, Any], ax: Any = None) -> Any:
    """Busy cycles of each part as bars; `report` is `LoopReport.to_dict()`. Returns the Axes."""
    ax = _axes(ax)
    bars = mainloop_bars(report)[::-1]
    cycles, error = report["cycles"], report["error"]
    drawn = ax.barh(
        [bar.label for bar in bars],
        [bar.pieces[0][1] for bar in bars],
        color=[BOUND if bar.fill == BOUND else BUSY for bar in bars],
    )
    ax.bar_label(drawn, [bar.words for bar in bars], padding=3)
    ax.axvline(cycles, linestyle="--", color="black", linewidth=1, zorder=0)
    if error:
        ax.axvspan(cycles * (1 - error), cycles * (1 + error), color="black", alpha=0.06, zorder=0)
    ax.margins(x=0.2)
    ax.set_xlabel("cycles")
    ax.set_title(f"{heading_of_loop(report)}\n{loop_cycles(report)}", fontsize="medium")
    return ax


def search(report: Mapping[str, Any], ax: Any = None) -> Any:
    """Every counted layout by bytes and cycles; `report` is `SearchResult.to_dict()`."""
    ax = _axes(ax)
    places = places_of(report["columns"])
    for kind, colour in KINDS.items():
        shown = [place for place in places if kind in place.kinds]
        ax.scatter(
            [place.bytes for place in shown],
            [place.cycles for place in shown],
            s=[8 * place.kinds[kind] for place in shown],
            color=colour, alpha=0.75, linewidths=0, label=kind,
        )  # fmt: skip
    front = pareto_places(report, places)
    x, y = [place.bytes for place in front], [place.cycles for place in front]
    ax.step(
        x, y, where="post", color="black", linewidth=1, marker="o", markersize=9, fillstyle="none",
        label="no other is better in both",
    )  # fmt: skip
    for place in front[:1] + front[1:][-1:]:
        row = {name: values[place.best] for name, values in report["columns"].items()}
        ax.annotate(
            layout_words(row), (place.bytes, place.cycles), xytext=(8, -12),
            textcoords="offset points",
        )  # fmt: skip
    ax.set_xlabel("bytes of shared memory")
    ax.set_ylabel("cycles to fill and read")
    ax.set_title(f"{report['rows']}x{report['cols']} {report['type']}, {report['counted']} layouts")
    ax.legend(fontsize="small")
    return ax
