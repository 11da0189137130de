"""The programs with planted bugs as they are kept: what NVRTC made of them, and what a GPU and its sanitizer said."""

import json
import lzma
from collections import Counter

from tests.support.evidence import compared
from tests.support.findings.programs import PLANTED, digest, numbers, packed, programs

MEASURED = json.loads(lzma.decompress((PLANTED / "h200.json.xz").read_bytes()))
BY_NAME = {program.name: program for program in programs()}


def test_there_are_enough_bugs_of_every_door() -> None:
    bugs = Counter(program.door for program in programs() for _ in program.bugs)
    assert set(bugs) == {"cuda", "ptx", "triton", "gluon", "numba"}
    assert min(bugs.values()) >= 10 and sum(bugs.values()) >= 400
    assert all(mark for program in programs() for mark in program.marks)


def test_every_bug_names_marks_that_its_source_has() -> None:
    names = [
        (program.name, mark) for program in programs() for bug in program.bugs for must in bug.must
        for names in must.get("at", []) for mark in names if mark not in program.marks
    ]  # fmt: skip
    assert names == []


def test_what_nvrtc_made_is_of_these_sources() -> None:
    cuda = [program for program in programs() if program.door == "cuda"]
    old = [program.name for program in cuda if packed()[program.path.stem]["digest"] != digest(program)]
    assert old == [], "python -m tests.truth.make.pack_planted"
    assert {program.path.stem for program in cuda} == set(packed())


def test_correct_programs_are_right_on_a_gpu() -> None:
    """Of each that was run there: no error of the driver, and every array as it must be."""
    wrong, right = [], 0
    for name, runs in MEASURED.items():
        assert {int(bug) for bug in runs} <= set(numbers(BY_NAME[name]))
        for bug, run in runs.items():
            alone = run["alone"]
            if int(bug) > 0:
                continue
            right += 1
            if alone["status"] != 0 or not all(alone["right"].values()):
                wrong.append(f"{name} {bug}")
    assert wrong == []
    compared("correct programs that are right on an H200", right, at_least=75)
