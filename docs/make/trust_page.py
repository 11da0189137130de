"""The table of docs/explain/trust.md: `python3 -m docs.make.trust_page` writes it anew.

A promise names the record of the run that shows it (tools/records.json), its figure, and the gate that
the figure must keep; tests/docs/test_trust.py holds all of it.
"""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docs.make.markdown import replaced, table
from tests.support.paths import DOCS
from tools import records
from tools.coverage_run import UNREACHED

PAGE = DOCS / "explain" / "trust.md"
BEGIN, END = "<!-- promises: generated -->\n", "<!-- promises: end -->"
RUN = (
    "*Run*: the date and the commit of the run, and of the latest one with fewer inputs, where the code that a promise speaks of has changed since; "
    "and how much of that code, as it is in commit `{at}`, the run had before it. `python3 -m tools.records --check` fails if any "
    "is older than its code, and a release needs that to pass."
)
AT = re.compile(r"as it is in commit `(\w+)`")
KERNELS = (
    "Branches: a kernel of `simd/` is compiled into each of its callers once for every combination of constants (lanes, "
    "packing, transposition), and gcov counts the branches of every copy. The constants decide most of them at compile time, "
    "so that a copy takes one side only."
)
Figures = Mapping[str, int | float | str]


#: instead of a figure, where the last run was of a commit that is gone, or there was none
NOT_RUN = "not run to its end yet"
#: of a long run's inputs, at least so much again in a shorter one
SHARE = 1 / 100


@dataclass(frozen=True)
class Promise:
    """A line of the table."""

    part: str
    says: str
    test: str
    """The file that looks at it in each change, from the root of the checkout."""
    record: str
    """Its name in tools/records.json."""
    figure: str
    """What the line shows, for str.format with the record's figures."""
    gate: Mapping[str, Any]
    """What must hold of the figures: at_least, at_most, zero, equal, has."""

    def holds(self, figures: Figures, share: float = 1) -> bool:
        """Does the gate let these pass, of a run of this share of the inputs?"""
        gate, number = self.gate, lambda name: float(figures[name])
        assert gate.keys() <= {"at_least", "at_most", "zero", "equal", "has"}, gate
        return (
            all(number(name) >= least * share for name, least in gate.get("at_least", {}).items())
            and all(number(name) <= most for name, most in gate.get("at_most", {}).items())
            and all(number(name) == 0 for name in gate.get("zero", ()))
            and all(number(one) == number(other) for one, other in gate.get("equal", ()))
            and all(word in str(figures[name]) for name, word in gate.get("has", {}).items())
        )


PROMISES = tuple(
    Promise(**row) for row in json.loads(Path(__file__).with_name("data").joinpath("promises.json").read_text("utf-8"))
)


def plain(name: str) -> str:
    """A figure's name as str.format takes it."""
    return name.replace(":", ",")


def when_of(name: str, run: records.Run, at: str) -> str:
    """Date and commit of a run, and its share of the code."""
    return f"{run.date}, `{run.commit}`, {math.floor(100 * records.share_of(name, run, at))} %"


def cells(promise: Promise, at: str) -> tuple[str, ...]:
    """The cells of a row."""
    record = records.read().get(promise.record)
    command = record.command if record else records.RUNS[promise.record]
    if promise.record == "tests":
        command = f"python3 -m pytest -m '' {promise.test}"
    name = Path(promise.test).name
    test = f"[`{name}`](../../{promise.test})"
    figure = figure_of(promise, record) if record else NOT_RUN
    when = when_of(promise.record, record, at) if record else ""
    if record and record.again:
        figure += f"; again: {figure_of(promise, record.again)}"
        when += f"; {when_of(promise.record, record.again, at)}"
    return promise.says, test, figure, f"`{command}`", when


def figure_of(promise: Promise, run: records.Run) -> str:
    """What a run found."""
    return promise.figure.format(**{plain(name): n for name, n in run.figures.items()})


def not_run() -> list[str]:
    """Lines of the package that the coverage run has not seen, file by file."""
    found: dict[str, list[str]] = {}
    for place in str(records.read()["coverage"].figures["python_not_run"]).split():
        path, _, number = place.removeprefix("src/warpsim/").rpartition(":")
        found.setdefault(path, []).append(number)
    return [f"- `{path}`: {', '.join(numbers)}" for path, numbers in found.items()]


def promised(at: str) -> str:
    """All promises, a table for each part."""
    lines = []
    for part in dict.fromkeys(promise.part for promise in PROMISES):
        rows = (cells(promise, at) for promise in PROMISES if promise.part == part)
        lines += ["", f"### {part}", "", *table("promise | test | figure | reproduced by | run", rows)]
    lines += ["", RUN.format(at=at)]
    lines += ["", KERNELS]
    lines += ["", "Lines of the core that no test runs, and why:", ""]
    lines += [f"- `{header}`, `{text}`: {why}" for header, text, why in UNREACHED]
    lines += ["", "Lines of the package that no test runs:", "", *not_run()]
    return "\n".join(lines).lstrip("\n") + "\n"


def page(at: str) -> str:
    """The page with a new table, whose shares are those of a commit."""
    return replaced(PAGE, {(BEGIN, END): f"\n{promised(at)}\n"})


if __name__ == "__main__":
    PAGE.write_text(page(records.git("rev-parse", "--short=10", "HEAD")), encoding="utf-8")
