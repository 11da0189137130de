"""PTX with numbers changed by chance, through the Python door: every launch is told, printed and drawn, or refused."""

import re
from random import Random
from typing import Any

import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.support.findings.programs import Program, chosen, numbers, packed, programs, values

CHANGED = 40
MOST_STEPS = 300_000
NUMBER = re.compile(r"(?<![%\w.\]$])-?\d+\b")


def texts() -> list[tuple[Program, str]]:
    """Each variant of the programs with planted bugs that is kept as PTX."""
    ptx = [(one, chosen(one.path.read_text(), bug)) for one in programs() if one.door == "ptx" for bug in numbers(one)]
    cuda = [one for one in programs() if one.door == "cuda"]
    return [*ptx, *((one, text) for one in cuda for text in packed()[one.path.stem]["ptx"].values())]


def changed(text: str, random: Random) -> str:
    """The text with one to three of the numbers in its statements changed, and a statement left out at times."""
    lines = text.split("\n")
    places = [i for i, line in enumerate(lines) if NUMBER.search(line) and not line.lstrip().startswith((".", "//"))]
    for at in random.sample(places, random.choice((1, 1, 2, 3))):
        number = random.choice(list(NUMBER.finditer(lines[at])))
        n = int(number[0])
        other = random.choice((n + 1, n - 1, n + 4, n - 16, n + 32, n - 128, 2 * n, n // 2, -n, 0))
        lines[at] = f"{lines[at][: number.start()]}{other}{lines[at][number.end() :]}"
    if random.random() < 0.2:
        lines[random.choice(places)] = ""
    return "\n".join(lines)


def told(program: Program, text: str, random: Random) -> str:
    """How the launch of a text ends, after all that a report can say of it was asked."""
    given = program.given
    options: dict[str, Any] = {"threads": random.choice((1, 2)), "order": random.choice((0, 1, 3))}
    options |= {"shared_bytes": given.get("shared", 0), "max_steps": MOST_STEPS}
    if "cluster" in given:
        options["cluster"] = tuple(given["cluster"])
    try:
        kernel = ws.Module(text)[given["kernel"]]
        if random.random() < 0.2:
            options["as_assembled"] = kernel.merged
        shape = tuple(given["grid"]), tuple(given["block"])
        report = kernel(*shape, list(values(program).values()), **options)
    except ws.WarpsimError as error:
        return type(error).__name__
    assert str(report) and report.html() and report.svg() and report.csv() and report.to_dict()
    assert all(str(finding) for finding in report.findings)
    report.bounds()
    return "told"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_changed_texts_are_told_or_refused(seed: int) -> None:
    random, every = Random(seed), texts()
    ends = []
    for _ in range(CHANGED):
        program, text = random.choice(every)
        ends.append(told(program, changed(text, random), random))
    assert ends.count("told") > CHANGED // 3, ends
    compared("changed PTX texts that were launched and told, or refused", len(ends), at_least=CHANGED)
