"""Lint over whole files as compilers write them, against what NVIDIA's assembler said of each.

own, other: the verdicts are equal. planted: they are, and lint's error is in the statement that was
changed. moved (to another version and target): every complaint of the assembler about a modelled
statement of the families is an error of lint's on that line, and lint has no error on other lines.
"""

import random
from collections import Counter

import pytest

import warpsim as ws
from tests.support.corpus import changed, files, verdicts
from tests.support.evidence import compared

ROWS = [row for row in verdicts() if row["defined"] == "1"]
NO_SUCH_TARGET = "WS-LINT-005"


def errors(report: ws.LintReport) -> set[int]:
    return {finding.line for finding in report.findings if finding.severity == "error"}


def complaints(row: dict[str, str]) -> tuple[set[int], int]:
    """Lines that the assembler complains of, and the one at which it stopped reading."""
    lines = row["lines"].split()
    stops = [int(line[:-1]) for line in lines if line.endswith("!")]
    return {int(line.rstrip("!")) for line in lines}, min(stops, default=2**60)


def modelled(report: ws.LintReport) -> tuple[set[int], set[int]]:
    """Lines with statements of the families that are modelled, and lines with others."""
    wrong = errors(report)
    known = {line for line, op in report.instructions if op is not None or line in wrong}
    return known, {line for line, op in report.instructions if op is None and line not in wrong}


def test_files_of_compilers_have_no_finding_but_notes() -> None:
    for name, text in files().items():
        report = ws.lint(text)
        target = name.split(".")[1]
        named = {target, target + "a"} if name.startswith("triton") else {target}
        assert report.ok and report.target in named, f"{name}\n{report}"
        kinds = {finding.severity for finding in report.findings}
        assert kinds <= {"note", "warning"}, name
    compared("PTX files of nvcc, NVRTC, Triton and by hand", len(files()), at_least=190)
    instructions = sum(len(ws.lint(text).instructions) for text in files().values())
    compared("instructions in PTX files of compilers", instructions, at_least=39_000)


@pytest.mark.parametrize("family", ["own", "other"])
def test_verdict_on_a_file_is_the_assemblers(family: str) -> None:
    counts: Counter[str] = Counter()
    for row in ROWS:
        if row["family"] != family:
            continue
        report = ws.lint(changed(row))
        said, stop = complaints(row)
        wrong = {line for line in errors(report) if line < stop}
        assert not wrong - said, f"{row}\n{report}"  # lint does not judge other instructions
        assert family == "other" or report.ok == (row["accepted"] == "1"), f"{row}\n{report}"
        counts[row["accepted"]] += 1
    compared(f"lint's verdicts on files, {family}, accepted", counts["1"], at_least=28)
    if family == "other":
        compared("lint's verdicts on files, other, rejected", counts["0"], at_least=250)


@pytest.mark.slow
def test_verdict_on_a_planted_error_is_the_assemblers() -> None:
    counts: Counter[str] = Counter()
    for row in ROWS:
        if row["family"] != "planted":
            continue
        report, line = ws.lint(changed(row)), int(row["line"])
        rejected = row["accepted"] == "0"
        if rejected and report.ok and line in modelled(report)[1]:
            counts["not modelled"] += 1
            continue
        assert report.ok != rejected, f"{row}\n{report}"
        _, stop = complaints(row)
        last = max(line, min(stop, line + 5))  # a missing mark is missed where the text goes on
        wrong = errors(report)
        assert min(wrong, default=line) >= line, f"{row}\n{report}"
        assert not wrong or min(wrong) <= last, f"{row}\n{report}"
        assert all(at <= last for at in wrong) or stop < 2**60, f"{row}\n{report}"
        counts[row["accepted"]] += 1
    compared("lint's verdicts on planted errors, accepted", counts["1"], at_least=1450)
    compared("lint's verdicts on planted errors, rejected", counts["0"], at_least=5000)
    compared("planted errors in forms that are not modelled", counts["not modelled"], at_least=200)
    assert counts["not modelled"] < 300


@pytest.mark.slow
def test_verdict_on_a_moved_file_is_the_assemblers_line_by_line() -> None:
    counts: Counter[str] = Counter()
    for row in ROWS:
        if row["family"] != "moved":
            continue
        report = ws.lint(changed(row))
        said, stop = complaints(row)
        wrong, (known, _) = errors(report), modelled(report)
        counts[row["accepted"]] += 1
        if any(finding.rule == NO_SUCH_TARGET for finding in report.findings):
            assert row["accepted"] == "0", f"{row}\n{report}"  # at a line of the assembler's choice
            counts["no such target"] += 1
            continue
        assert row["accepted"] == "0" or report.ok, f"{row}\n{report}"
        before = {line for line in wrong if line < stop}
        assert not before - said, f"{row}\n{report}"
        assert not {line for line in said & known if line < stop} - wrong, f"{row}\n{report}"
        counts["lines"] += len(before)
        counts["quiet"] += len(known - said) if stop == 2**60 else 0
    compared("lint's verdicts on moved files, accepted", counts["1"], at_least=300)
    compared("lint's verdicts on moved files, rejected", counts["0"], at_least=1100)
    compared("lines of moved files that are errors", counts["lines"], at_least=12_000)
    compared("lines of moved files without a finding", counts["quiet"], at_least=50_000)


def mangled(seed: random.Random, names: list[str]) -> str:
    """A text cut at random places, spliced with another, and given directives of the future."""
    texts = [files()[seed.choice(names)] for _ in range(2)]
    pieces = []
    for text in texts:
        begin = seed.randrange(len(text))
        pieces.append(text[begin : begin + seed.randrange(4000)])
    pieces.insert(
        seed.randrange(3),
        seed.choice(
            [
                ".future 12 {a, b} (c) <d>;\n", ".version 17.3\n", ".target sm_999z, foo\n", "\x00",
                ".newspace::sub .align 16 .b4096 x<9>[3] = {{1}};\n", ".section .x {\n", "\n}\n",
                "ldmatrix.sync.aligned.m64n64.x9.shared::grid.b512 {a}, [b : c], d => e;\n", "/*",
                ".reg .v32 .q77 %zz<4294967296>;\n", "@!(a & b) st.<t>.u32 [x], y;\n", '"', "\\",
            ]
        ),
    )  # fmt: skip
    text = "".join(pieces)
    for _ in range(seed.randrange(6)):
        at = seed.randrange(len(text) + 1)
        text = text[:at] + chr(seed.choice([*range(128), 233, 0x663, 0xFEFF])) + text[at + 1 :]
    return text


def test_any_text_gives_a_report() -> None:
    seed = random.Random(19)
    names = sorted(files())
    findings = 0
    for _ in range(3000):
        report = ws.lint(mangled(seed, names))
        assert str(report)
        assert all(0 <= found.caret <= len(found.source) for found in report.findings)
        findings += len(report.findings)
    compared("findings in spliced files", findings, at_least=3000)
