"""What a launch notes because the assembler would refuse it: versions and targets that lack what a kernel uses."""

from __future__ import annotations

import re
import time

import numpy as np
import pytest

import warpsim as ws
from tests.support import corpus
from tests.support.evidence import compared, rows
from tests.support.statements import kernel
from tests.truth.make.first_targets import NEWEST, TARGETS, VERSIONS
from warpsim import _engine as engine
from warpsim.instruction.refusals import reasons, refusals

TEXT = """.version {version}
.target {target}
.address_size 64
.visible .entry k() {{
.reg .b32 %r<9>; .reg .f32 %f<4>; .reg .b64 %d<4>; .reg .pred %p<2>; .shared .align 8 .b8 s[64];
{body}
ret; }}
"""
MMA = (
    "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"
    " {%f0,%f1,%f2,%f3},{%r0,%r1,%r2,%r3},{%r4,%r5},{%f0,%f1,%f2,%f3};"
)
REFUSED = "the assembler refuses this text"

#: what is written, a version and a target that lack it, what is said; a version and a target that have it
CASES = {
    "elect.sync _|%p0, -1;":
        ("7.8", "sm_90", "elect needs PTX 8.0 or later, not 7.8", "8.0", "sm_90"),
    "elect.sync _|%p0, 0xffffffff;":
        ("8.0", "sm_80", "elect needs sm_90 or higher; sm_80 has no elect", "8.0", "sm_90"),
    MMA:
        ("8.0", "sm_70", "mma.m16n8k16 of bf16 needs sm_80 or higher; sm_70 does not have it", "7.0", "sm_80"),
    "redux.sync.add.u32 %r0, %r1, -1;":
        ("7.0", "sm_75", "redux needs sm_80 or higher; sm_75 has no redux", "7.0", "sm_80"),
    "match.any.sync.b32 %r0, %r1, -1;":
        ("6.0", "sm_61", "match needs sm_70 or higher; sm_61 has no match", "6.0", "sm_70"),
    "mbarrier.test_wait.parity.shared.b64 %p0, [s], %r0;":
        ("7.0", "sm_80", "mbarrier.parity needs PTX 7.1 or later, not 7.0", "7.1", "sm_80"),
    "fence.proxy.async;":
        ("7.8", "sm_90", "fence.proxy.async needs PTX 8.0 or later, not 7.8", "8.0", "sm_90"),
    "setmaxnreg.inc.sync.aligned.u32 240;":
        ("8.0", "sm_90", "setmaxnreg needs sm_90a; sm_90 has no setmaxnreg", "8.0", "sm_90a"),
    "cp.async.wait_all;":
        ("7.0", "sm_75", "cp.async needs sm_80 or higher; sm_75 has no cp.async", "7.0", "sm_80"),
    "tanh.approx.f32 %f0, %f1;":
        ("7.0", "sm_72", "tanh needs sm_75 or higher; sm_72 has no tanh", "7.0", "sm_75"),
}  # fmt: skip


def notes(version: str, target: str, body: str) -> list[str]:
    text = TEXT.format(version=version, target=target, body=body)
    report = ws.Module(text)["k"](1, 32, (), check=False, count=False)
    assert all(note in str(report).replace("\n  ", " ") for note in report.notes[:1])
    return [note for note in report.notes if note.startswith(REFUSED)]


@pytest.mark.parametrize("body", CASES)
def test_a_launch_notes_what_a_target_or_a_version_lacks(body: str) -> None:
    version, target, what, right_version, right_target = CASES[body]
    assert notes(version, target, body + body.replace("%p0", "%p1")) == [f"{REFUSED} (line 6): {what}"]
    assert notes(right_version, right_target, body) == []


def test_a_version_that_nobody_knows_is_noted() -> None:
    assert notes("99.9", "sm_80", "") == [f"{REFUSED} (the file): .version 99.9: the newest that is known is 9.5"]
    assert notes("9.5", "sm_80", "") == []


def test_a_target_that_a_version_does_not_know_is_noted() -> None:
    told = f"{REFUSED} (the file): .target sm_90 needs PTX 7.8 or later, not 7.7"
    assert notes("7.7", "sm_90", "") == [told] and notes("7.8", "sm_90", "") == []
    assert notes("5.0", "sm_60", "") == []  # what came before 6.0 is not told apart


def test_statements_that_the_kernel_does_not_reach_are_not_noted() -> None:
    text = (
        TEXT.format(version="8.0", target="sm_80", body="")
        + ".visible .entry other() { .reg .pred %p; elect.sync _|%p, -1; ret; }"
    )
    module = ws.Module(text)
    assert module["k"](1, 32, ()).notes == () and len(module["other"](1, 32, ()).notes) == 1


def test_notes_of_opcodes_agree_with_the_assembler() -> None:
    """None for the first target and version that take a statement; one for those before."""
    told = fine = 0
    silent = set()
    for row in rows("first_targets"):
        text, first, version = row["instruction"], row["target"], row["ptx_version"]
        opcode, _, operands = text.rstrip(";").partition(" ")
        count = len(re.sub(r"{[^}]*}", "", operands).split(",")) if operands else 0
        earlier = VERSIONS[VERSIONS.index(TARGETS[first]) : VERSIONS.index(version)]
        asked = [(target, NEWEST) for target in list(TARGETS)[: list(TARGETS).index(first)]]
        for target, number in [*asked, *((first, one) for one in earlier[-1:])]:
            told += bool(found := reasons(opcode, target, int(number.replace(".", "")), count))
            silent |= set() if found else {opcode}
        for number in (version, NEWEST):
            assert reasons(opcode, first, int(number.replace(".", "")), count) == (), (text, first, number)
            fine += 1
    # special registers are no part of an opcode, and sm_89 has conversions to FP8 three versions after sm_90
    assert {one for one in silent if not one.startswith(("mov.", "cvt.rn."))} == set()
    assert len(silent) < 20 and all("e4m3x2" in one or "e5m2x2" in one for one in silent if one.startswith("cvt"))
    compared("statements that the assembler takes, without a note", fine, at_least=5000)
    compared("targets and versions that it refuses, with a note", told, at_least=2000)


def test_a_note_counts_operands() -> None:
    three = kernel("min.f32 f1, f2, f3; min.f32 f1, f2, f3, f4;", "sm_90")
    found = [one for one in ws.Module(three)["k"](1, 1, [np.zeros(1)]).notes if one.startswith(REFUSED)]
    assert len(found) == 1
    assert found[0].endswith("min.f32 with 4 operands needs sm_100 or higher; sm_90 has no min.f32 with 4 operands")


@pytest.mark.slow
def test_notes_agree_with_the_assembler_on_whole_files() -> None:
    """None where it accepts a file at a version and a target; where it refuses one that was moved, mostly one."""
    fine = refused = seen = 0
    for row in corpus.verdicts():
        if row["line"] != "0" or row["defined"] != "1":
            continue
        try:
            module = ws.Module(corpus.changed(row))
            programs = [entry.program(entry.key("sm_90a")) for entry in module._entries]
        except (ws.WarpsimError, ValueError):
            continue
        target, version = module.targets[0], module._source.core.version
        told = [one for program in programs for one in refusals(engine.opcodes(program), target, version)]
        if row["accepted"] == "1":
            assert told == [], (row["file"], row["target"], row["ptx_version"])
            fine += 1
        else:
            refused += 1
            seen += bool(told)
    compared("files that the assembler takes, without a note", fine, at_least=300)
    compared(f"files that it refuses, with a note ({refused - seen} without)", seen, at_least=100)


def test_notes_cost_a_launch_nothing_the_second_time() -> None:
    body = "\n".join(f"mov.u32 %r{i % 8}, {i}; mad.lo.u32 %r1, %r2, %r3, {i};" for i in range(20_000))
    kernel = ws.Module(TEXT.format(version="8.0", target="sm_80", body=body))["k"]._entry
    program = kernel.program()
    begin = time.perf_counter()
    first = kernel.refusals(program)
    assert time.perf_counter() - begin < 0.1
    assert kernel.refusals(program) is first == ()
