"""What passes data from block to block: scopes, the acquiring side, and the limit of what is kept of it."""

from functools import cache
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.support.findings.orders import ERROR, GUESS, RIGHT, UNACQUIRED, WRONG, Program

WAYS = [(order, threads) for order in (0, 3) for threads in (1, 4)]


def of_blocks(report: ws.KernelReport) -> list[str]:
    """The notes of what is not judged between blocks; those of a block's own flags are others."""
    return [note for note in report.notes if note.startswith("order between thread blocks was judged for the first")]


@cache
def compiled(program: Program) -> Any:
    return ws.compile(program.source, target="sm_90", options=["-std=c++17"])


def launched(program: Program, order: int, threads: int) -> ws.KernelReport:
    arrays = [np.zeros(4096, np.int32), np.zeros(64, np.uint32), np.zeros(4096, np.int32)]
    return compiled(program)["k"](4, 64, arrays, order=order, threads=threads, max_steps=10**6)


def found(program: Program, order: int, threads: int) -> tuple[Any, ...]:
    report = launched(program, order, threads)
    assert not report.notes
    return tuple(one for one in report.findings if one.severity != "note")


def some(programs: list[Program]) -> list[Any]:
    """All of them; each but every fourth is slow, since a compiler is asked."""
    return [
        pytest.param(program, marks=[pytest.mark.slow] * (i % 4 > 0), id=program.name)
        for i, program in enumerate(programs)
    ]


@pytest.mark.parametrize("program", some([one for one in WRONG if one.rule != GUESS]))
def test_what_does_not_pass_data_on_is_found_at_its_lines(program: Program) -> None:
    lines = program.marked(1) | program.marked(2)
    for order, threads in WAYS:
        findings = found(program, order, threads)
        between = [one for one in findings if one.rule == program.rule]
        assert between, program.name
        assert {one.rule for one in findings} <= {program.rule, "WS-RUN-018"}
        pairs = [{one.source_line, one.other.source_line} for one in between]
        assert any(pair <= lines for pair in pairs), program.name
        blocks = [one for one in between if one.block != one.other.block]
        assert not any("__syncthreads() (bar.sync) between" in one.fix for one in blocks)
    compared("wrong programs of several blocks", len(WAYS), at_least=4)


@pytest.mark.parametrize("program", some(RIGHT))
def test_what_passes_data_on_is_silent(program: Program) -> None:
    for order, threads in WAYS:
        assert found(program, order, threads) == ()
    compared("right programs of several blocks", len(WAYS), at_least=4)


def test_a_missing_acquire_is_a_warning_that_names_the_read() -> None:
    program = next(one for one in WRONG if one.name == "counter without a fence behind it")
    (first, *_) = found(program, 0, 1)
    line = next(at for at, text in enumerate(program.source.splitlines(), 1) if "atomicAdd" in text)
    assert (first.rule, first.severity) == (UNACQUIRED, "warning")
    assert first.fix.startswith("Put __threadfence() after line ")
    assert f":{line}), which reads" in first.fix


@pytest.mark.parametrize("program", some([one for one in WRONG if one.rule == GUESS]))
def test_what_a_compare_and_swap_checks_is_a_note(program: Program) -> None:
    for order, threads in WAYS:
        report = launched(program, order, threads)
        (*_, last) = [one for one in report.findings if one.rule == GUESS]
        assert last.severity == "note"
        assert "volatile" in last.fix
        assert found(program, order, threads) == ()
    compared("guesses of compare-and-swap that are notes", len(WAYS), at_least=4)


def test_a_scope_that_is_too_narrow_has_its_own_fix() -> None:
    program = next(one for one in WRONG if one.name == "atomics of two scopes on one cell")
    (one,) = found(program, 0, 1)
    assert one.rule == ERROR
    assert "atomicAdd() instead of atomicAdd_block()" in one.fix


RELEASES = """
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 data, .param .u64 flag, .param .u32 n) {
    .reg .b64 %d<4>; .reg .b32 %r<4>; .reg .pred %p;
    ld.param.u64 %d0, [data]; ld.param.u64 %d1, [flag]; ld.param.u32 %r0, [n]; mov.u32 %r1, %ctaid.x;
    st.global.u32 [%d0], %r1;
    setp.ne.u32 %p, %r1, 0;
    @%p bra E;
L:  membar.gl;
    red.global.add.u32 [%d1], 1;
    add.u64 %d1, %d1, 4;
    sub.u32 %r0, %r0, 1;
    setp.ne.u32 %p, %r0, 0;
    @%p bra L;
E:  ret;
}
"""


@pytest.mark.parametrize(("releases", "is_judged"), [(16384, True), (16385, False)])
def test_order_is_judged_for_so_many_releases_and_a_note_says_so(releases: int, is_judged: bool) -> None:
    arrays = [np.zeros(4, np.uint32), np.zeros(releases, np.uint32)]
    report = ws.Module(RELEASES)["k"](2, 1, [*arrays, releases])
    assert (arrays[1] == 1).all()
    assert {one.rule for one in report.findings} == ({ERROR} if is_judged else set())
    assert len(of_blocks(report)) == (not is_judged)
    assert is_judged or "16,384 releases" in of_blocks(report)[0]


PLACES = """
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 data, .param .u64 flag, .param .u32 n, .param .u32 ahead) {
    .reg .b64 %d<4>; .reg .b32 %r<5>; .reg .pred %p;
    ld.param.u64 %d0, [data]; ld.param.u64 %d1, [flag]; ld.param.u32 %r0, [n]; ld.param.u32 %r1, [ahead];
    mov.u32 %r2, %ctaid.x;
    setp.eq.u32 %p, %r2, 0;
    @%p bra L;
    mul.wide.u32 %d2, %r2, 4; add.u64 %d1, %d1, %d2;
    add.u32 %r1, %r1, %r2; mul.wide.u32 %d2, %r1, 4; add.u64 %d0, %d0, %d2;
    ld.acquire.gpu.global.u32 %r3, [%d1+-4];
    ld.global.u32 %r4, [%d0+-4]; setp.eq.u32 %p, %r4, 9; @%p trap;
    ret;
L:  st.global.u32 [%d0], 1;
    st.release.gpu.global.u32 [%d1], 1;
    add.u64 %d0, %d0, 4; add.u64 %d1, %d1, 4;
    sub.u32 %r0, %r0, 1; setp.ne.u32 %p, %r0, 0;
    @%p bra L;
    ret;
}
"""


@pytest.mark.parametrize(("ahead", "races"), [(0, {}), (1, {ERROR: 4499})])
def test_each_of_many_places_gives_what_was_released_to_it_alone(ahead: int, races: dict[str, int]) -> None:
    """Block i acquires place i - 1, and reads what came before the release to it, or before the next one."""
    places = 4500
    arrays = [np.zeros(places, np.uint32), np.zeros(places, np.uint32)]
    report = ws.Module(PLACES)["k"](places, 1, [*arrays, places, ahead])
    assert {one.rule: one.count for one in report.findings} == races
    assert of_blocks(report) == []
    compared("places that were released and acquired", places, at_least=4500)


ACQUIRES = """
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 data, .param .u64 flag, .param .u32 n) {
    .reg .b64 %d<2>; .reg .b32 %r<4>; .reg .pred %p;
    ld.param.u64 %d0, [data]; ld.param.u64 %d1, [flag]; ld.param.u32 %r0, [n]; mov.u32 %r1, %ctaid.x;
    setp.eq.u32 %p, %r1, 0;
    @%p bra L;
A:  ld.acquire.gpu.global.u32 %r2, [%d1];
    add.u64 %d1, %d1, 4;
    sub.u32 %r0, %r0, 1; setp.ne.u32 %p, %r0, 0;
    @%p bra A;
    ld.global.u32 %r3, [%d0]; setp.eq.u32 %p, %r3, 9; @%p trap;
    ret;
L:  st.release.gpu.global.u32 [%d1], 1;
    add.u64 %d1, %d1, 4;
    sub.u32 %r0, %r0, 1; setp.ne.u32 %p, %r0, 0;
    @%p bra L;
    st.global.u32 [%d0], 1;
    ret;
}
"""


@pytest.mark.parametrize(("readers", "is_judged"), [(32, True), (33, False)])
def test_order_is_judged_for_so_many_acquires_and_a_note_says_so(readers: int, is_judged: bool) -> None:
    """512 places by each reader. The data is written after all releases: every reader races."""
    report = ws.Module(ACQUIRES)["k"](1 + readers, 1, [np.zeros(4, np.uint32), np.zeros(512, np.uint32), 512])
    (found,) = report.findings
    assert (found.rule, found.count) == (ERROR, 32)
    assert len(of_blocks(report)) == (not is_judged)


@pytest.mark.parametrize(("stores", "is_judged"), [(16384, True), (16385, False)])
def test_strong_loads_are_judged_after_so_many_strong_stores_and_a_note_says_so(stores: int, is_judged: bool) -> None:
    text = ACQUIRES.replace(".release.", ".relaxed.").replace(".acquire.", ".relaxed.")
    report = ws.Module(text)["k"](2, 1, [np.zeros(4, np.uint32), np.zeros(stores, np.uint32), stores])
    assert len(of_blocks(report)) == (not is_judged)
    assert is_judged or "strong stores" in of_blocks(report)[0]


STORE, RELEASE = "st.global.u32 [%d0], 1;", "membar.gl; red.relaxed.gpu.global.add.u32 [%d1], 1;"
ELSEWHERE = RELEASE.replace("[%d1]", "[%d1+8]")
READS = """
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 data, .param .u64 flag) {{
    .reg .b64 %d<4>; .reg .b32 %r<4>; .reg .pred %p;
    ld.param.u64 %d0, [data]; ld.param.u64 %d1, [flag]; mov.u32 %r1, %ctaid.x;
    setp.eq.u32 %p, %r1, 0;
    @%p bra A;
    setp.eq.u32 %p, %r1, 1;
    @%p bra B;
    ld.relaxed.gpu.global.u32 %r2, [%d1];
    ld.global.u32 %r3, [%d0]; setp.eq.u32 %p, %r3, 9; @%p trap;
    ret;
A:  {} ret;
B:  {} ret;
}}
"""


@pytest.mark.parametrize(
    ("first", "second", "rule"),
    [
        (STORE + RELEASE, "", UNACQUIRED),
        (STORE + RELEASE, RELEASE, UNACQUIRED),
        (STORE + RELEASE, ELSEWHERE, UNACQUIRED),
        (STORE, RELEASE, ERROR),
        (RELEASE + STORE, "", ERROR),
        (RELEASE + STORE, RELEASE, ERROR),
        (STORE + ELSEWHERE, RELEASE, ERROR),
    ],
)
def test_a_fence_is_missing_only_behind_the_read_of_what_the_writer_released(
    first: str, second: str, rule: str
) -> None:
    report = ws.Module(READS.format(first, second))["k"](3, 1, [np.zeros(4, np.uint32), np.zeros(4, np.uint32)])
    assert {one.rule for one in report.findings} == {rule}


LATER = """
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 data, .param .u64 flag, .param .u32 reader) {
    .reg .b64 %d<2>; .reg .b32 %r<4>; .reg .pred %p;
    ld.param.u64 %d0, [data]; ld.param.u64 %d1, [flag]; ld.param.u32 %r0, [reader];
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x;
    setp.ne.u32 %p, %r2, 40;
    @%p ret;
    setp.eq.u32 %p, %r1, 0;
    @%p bra A;
    mov.u32 %r3, 0;
    setp.eq.u32 %p, %r1, %r0;
    @%p ld.relaxed.gpu.global.u32 %r3, [%d1];
    setp.eq.u32 %p, %r1, 2;
    @%p ld.global.u32 %r3, [%d0];
    setp.eq.u32 %p, %r3, 9; @%p trap;
    ret;
A:  st.global.u32 [%d0], 1;
    membar.gl;
    red.relaxed.gpu.global.add.u32 [%d1], 1;
    ret;
}
"""


@pytest.mark.parametrize(("reader", "rule"), [(1, ERROR), (2, UNACQUIRED)])
def test_what_one_block_has_read_needs_no_fence_of_the_next_one(reader: int, rule: str) -> None:
    """All blocks run one after the other, in the same memory of the simulator."""
    report = ws.Module(LATER)["k"](3, 64, [np.zeros(4, np.uint32), np.zeros(4, np.uint32), reader])
    assert [one.rule for one in report.findings if one.severity != "note"] == [rule]


CLUSTER = """
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 data, .param .u64 flag) .reqnctapercluster 2 {{
    .reg .b64 %d<2>; .reg .b32 %r<4>; .reg .pred %p;
    ld.param.u64 %d0, [data]; ld.param.u64 %d1, [flag]; mov.u32 %r1, %ctaid.x;
    setp.eq.u32 %p, %r1, 0;
    @%p bra A;
L:  ld.acquire.{0}.global.u32 %r2, [%d1];
    setp.eq.u32 %p, %r2, 0;
    @%p bra L;
    ld.global.u32 %r3, [%d0]; setp.eq.u32 %p, %r3, 9; @%p trap;
    ret;
A:  st.global.u32 [%d0], 1;
    st.release.{0}.global.u32 [%d1], 1;
    ret;
}}
"""


@pytest.mark.parametrize(("scope", "rules"), [("cta", {ERROR}), ("cluster", set()), ("gpu", set()), ("sys", set())])
def test_the_scope_of_a_block_does_not_reach_the_rest_of_its_cluster(scope: str, rules: set[str]) -> None:
    for order in (0, 1, 2):
        arrays = [np.zeros(4, np.uint32), np.zeros(4, np.uint32)]
        report = ws.Module(CLUSTER.format(scope))["k"](2, 1, arrays, order=order)
        assert {one.rule for one in report.findings if one.severity != "note"} == rules, report.findings


HALVES = """
.version 8.6
.target sm_90
.address_size 64
.visible .entry k(.param .u64 data, .param .u64 flag) {{
    .reg .b64 %d<2>; .reg .b32 %r<4>; .reg .pred %p;
    ld.param.u64 %d0, [data]; ld.param.u64 %d1, [flag]; mov.u32 %r1, %ctaid.x;
    setp.eq.u32 %p, %r1, 0;
    @%p bra A;
L:  ld.relaxed.gpu.global.u32 %r2, [%d1];
    setp.eq.u32 %p, %r2, 0;
    @%p bra L;
    fence.{1}.gpu;
    ld.global.u32 %r3, [%d0]; setp.eq.u32 %p, %r3, 9; @%p trap;
    ret;
A:  st.global.u32 [%d0], 1;
    fence.{0}.gpu;
    st.relaxed.gpu.global.u32 [%d1], 1;
    ret;
}}
"""


@pytest.mark.parametrize("before", ["release", "acquire", "acq_rel"])
@pytest.mark.parametrize("after", ["release", "acquire", "acq_rel"])
def test_half_a_fence_does_its_half(before: str, after: str) -> None:
    for order in (0, 1, 2):
        arrays = [np.zeros(4, np.uint32), np.zeros(4, np.uint32)]
        report = ws.Module(HALVES.format(before, after))["k"](2, 1, arrays, order=order)
        found = {one.rule for one in report.findings if one.severity != "note"}
        assert bool(found) == (before == "acquire" or after == "release"), (before, after, report.findings)
    compared("pairs of fences", 3, at_least=3)


def many_flags(flags: int, fence: str) -> str:
    """Block 1 sees flags that block 0 has set one after the other, fences, and reads the data before the first."""
    sets = "\n".join(f"st.release.gpu.global.u32 [%d1+{4 * i}], 1;" for i in range(flags))
    sees = "\n".join(
        f"L{i}: ld.relaxed.gpu.global.u32 %r2, [%d1+{4 * i}]; setp.eq.u32 %p, %r2, 0; @%p bra L{i};"
        for i in range(flags)
    )
    text = HALVES.format("acq_rel", "acq_rel")
    begin, end = text.index("L:"), text.index("    ld.global.u32 %r3")
    text = f"{text[:begin]}{sees}\n{fence}\n{text[end:]}"
    begin, end = text.index("    fence.acq_rel.gpu;\n    st.relaxed"), text.rindex("    ret;")
    return f"{text[:begin]}{sets}\n{text[end:]}"


@pytest.mark.parametrize("flags", [1, 4, 5, 9])
def test_a_fence_acquires_what_all_reads_before_it_have_seen(flags: int) -> None:
    """Four are kept; what a fifth read pushes out counts as acquired: no alarm, though a fence is missing."""
    for fence, wanted in (("fence.acq_rel.gpu;", set()), ("", {UNACQUIRED})):
        arrays = [np.zeros(4, np.uint32), np.zeros(flags, np.uint32)]
        report = ws.Module(many_flags(flags, fence))["k"](2, 1, arrays)
        found = {one.rule for one in report.findings if one.severity != "note"}
        assert found == (wanted if flags <= 4 else set()), report.findings
    compared("numbers of flags before a fence", 2, at_least=2)
