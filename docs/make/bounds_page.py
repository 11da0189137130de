"""docs/explain/bounds.md: how far the bounds of whole kernels are below what an H200 measured, and the picture of one."""

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from statistics import median
from typing import Any, NamedTuple

from docs.make.markdown import replaced, table
from tests.support import measured_kernels
from tests.support.paths import DOCS, TRUTH
from warpsim.bounds.report import Bounds

PAGE = DOCS / "explain" / "bounds.md"
PICTURED = "nbody/n128"
END = "<!-- end -->"
SHOWN = 8
HEAD = (
    "kind | what | launches | bound: median | highest | of the machine code: median | highest"
    " | as written: median | highest | bound by"
)
KINDS = {
    "classic": "textbook kernels", "pattern": "one access pattern each", "tensor": "mma and wmma", "triton": "Triton",
    "hopper": "wgmma, bulk copies", "bug": "repaired twins of bugs, and small others",
}  # fmt: skip


class Compared(NamedTuple):
    """A launch: its bounds, and the cycles that its SM was active."""

    id: str
    group: str
    bounds: Bounds
    assembled: Bounds  # as_assembled=True
    active: int


@cache
def compared() -> tuple[Compared, ...]:
    measured: dict[str, Any] = json.loads((TRUTH / "run" / "cycles.json").read_text())
    place, found = measured["fields"].index("active"), []
    for launch in measured_kernels.measured()["launches"]:
        row = measured["launches"].get(launch["id"])
        if row is None or launch["id"].endswith("_bug/x"):
            continue
        options: dict[str, Any] = {"cluster": tuple(launch["cluster"])} if "cluster" in launch else {}
        with measured_kernels.recorded_code() as asked:
            asked["launch"] = launch
            made = bool(measured_kernels.machine_code(launch))
            reports = [measured_kernels.run(launch, as_assembled=one, **options)[0] for one in (False, made)]
        text, assembled = (report.bounds("h200") for report in reports)
        found.append(Compared(launch["id"], launch["group"], text, assembled, row[place]))
    return tuple(found)


def _percent(share: float) -> str:
    return f"{share:.0%}".replace("%", " %")


def kinds() -> Iterator[str]:
    """A row for each kind of kernel."""
    rows = []
    for group, words in KINDS.items():
        of = [one for one in compared() if one.group == group]
        least = [one.bounds.cycles / one.active for one in of]
        assembled = [one.assembled.cycles / one.active for one in of]
        written = [one.bounds.estimate / one.active for one in of]
        by = ", ".join(f"{name} {count}" for name, count in Counter(one.bounds.by for one in of).most_common(3))
        rows.append(
            [group, words, len(of), *(_percent(f(shares)) for shares in (least, assembled, written) for f in (median, max)),
             by]
        )  # fmt: skip
    return table(HEAD, rows)


def highest() -> Iterator[str]:
    """The launches that the bound explains best."""
    order = sorted(compared(), key=lambda one: -one.bounds.cycles / one.active)[:SHOWN]
    rows = [
        [one.id, one.bounds.by, f"{one.bounds.cycles:,.0f}", f"{one.bounds.estimate:,.0f}", f"{one.active:,}"]
        for one in order
    ]
    return table("launch | bound by | at least | as written | measured", rows)


def page() -> str:
    parts = {"<!-- kinds: generated -->": kinds(), "<!-- highest: generated -->": highest()}
    return replaced(PAGE, {(mark, END): "\n" + "\n".join(rows) + "\n" for mark, rows in parts.items()})


def picture() -> str:
    return next(one.bounds.svg() for one in compared() if one.id == PICTURED)
