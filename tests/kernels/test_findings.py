"""Planted bugs are found with the right lines; nothing is found in repaired twins and in correct kernels."""

from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.support.findings.planted import findings, missed, planted, short, unexpected
from tests.support.measured_kernels import GROUPS, launches, measured
from tests.support.paths import TESTS

BUGS = {bug.id: bug for bug in planted() if not bug.not_run}
#: bugs that end a launch in some orders: an object that is not initialised yet
ENDED_EARLY = {"mbarrier_init_race"}
#: launches whose warps or blocks store different bytes to one place on purpose
RACY = {"global_patterns/shifted", "global_patterns/random"}
#: on how many correct launches of a group a rule warns, or has a note
CORRECT = TESTS / "support" / "findings" / "correct.txt"


def errors(found: tuple[Any, ...]) -> list[str]:
    return [short(one) for one in found if one.severity == "error"]


#: a wait for the wrong phase: whether the copy has arrived when the next one begins depends on who else waits
ARRIVES = {"mbarrier_phase"}


@pytest.mark.parametrize("name", BUGS)
def test_the_bug_is_found_where_it_is(name: str) -> None:
    bug = BUGS[name]
    found = findings(*bug.bug)
    assert missed(bug, found) == [], [short(one) for one in found]
    assert unexpected(bug, found) == []
    compared("planted bugs found with their lines", 1, at_least=1)


@pytest.mark.parametrize("name", BUGS)
def test_nothing_is_wrong_with_the_repaired_twin(name: str) -> None:
    assert [short(one) for one in findings(*BUGS[name].twin) if one.severity != "note"] == []


@cache
def found_in_correct(group: str) -> dict[str, tuple[Any, ...]]:
    """What is found in each correct launch of a group."""
    texts = measured()["ptx"]
    return {one["id"]: findings(texts[one["ptx"]], one) for one in launches(group) if one["id"] not in RACY}


@pytest.mark.parametrize("group", GROUPS)
def test_no_error_is_found_in_a_correct_kernel(group: str) -> None:
    correct = found_in_correct(group)
    assert {name: errors(found) for name, found in correct.items() if errors(found)} == {}
    compared("correct launches without an error finding", len(correct), at_least=5)


@pytest.mark.parametrize("group", GROUPS)
def test_warnings_and_notes_of_correct_kernels_are_those_of_the_table(group: str) -> None:
    found = Counter(
        f"{group} {severity} {rule}"
        for every in found_in_correct(group).values()
        for severity, rule in {(one.severity, one.rule) for one in every if one.severity != "error"}
    )
    here = [f"{what} {count}" for what, count in sorted(found.items())]
    lines = [line for line in CORRECT.read_text().splitlines() if line.startswith(f"{group} ")]
    assert here == lines, (
        "these kernels are correct: mend the rule that speaks on them, or, if it is right to, write the lines of"
        f" {group} in tests/support/findings/{CORRECT.name} anew:\n" + "\n".join(here)
    )
    compared("correct launches with the warnings and notes of the table", len(found_in_correct(group)), at_least=5)


def test_an_order_of_warps_changes_nothing_that_is_found() -> None:
    """Except reads that race with the only write: they come before it in some orders."""
    for bug in BUGS.values():
        if bug.id in ENDED_EARLY or bug.id in ARRIVES:
            continue
        ways = [findings(*bug.bug, order=order) for order in (0, 3, 4)]
        first, *others = [{short(one) for one in found if one.rule != "WS-RUN-021"} for found in ways]
        assert others == [first, first], bug.id


HEAP = """.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b64 at) malloc (.param .b64 n);
.extern .func free (.param .b64 at);
.visible .entry k(.param .u32 kept)
{
    .reg .pred %p<2>; .reg .b32 %r<3>; .reg .b64 %rd<3>;
    ld.param.u32 %r0, [kept];
    mov.u32 %r1, %tid.x;
    mov.u64 %rd0, 16;
    { .param .b64 n; .param .b64 at; st.param.b64 [n], %rd0; call (at), malloc, (n); ld.param.b64 %rd1, [at]; }
    setp.lt.u32 %p0, %r1, %r0;
    @%p0 bra END;
    { .param .b64 at; st.param.b64 [at], %rd1; call free, (at); }
END: ret;
}
"""


@pytest.mark.parametrize(("kept", "options"), [(0, {}), (2, {}), (40, {"threads": 2}), (3, {"check": False})])
def test_memory_of_the_heap_that_is_not_freed_is_told_at_its_malloc(kept: int, options: dict[str, Any]) -> None:
    report = ws.Module(HEAP)["k"](2, 40, [kept], **options)
    notes = [(one.rule, one.severity, one.line, one.count) for one in report.findings]
    assert notes == ([("WS-RUN-029", "note", 12, 2 * kept)] if kept and options.get("check", True) else [])


SHARED = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u32 round)
{
    .reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<2>; .shared .align 8 .b8 s[512];
    mov.u32 %r0, %tid.x;
    shl.b32 %r1, %r0, 2;
    mov.u32 %r2, s;
    add.s32 %r1, %r1, %r2;
    setp.ne.u32 %p0, %r0, 0;
BODY
    ret;
}
"""
MEETING = """st.volatile.shared.u32 [%r1], %r0;
BETWEEN
ld.volatile.shared.u32 %r3, [%r1+128]; setp.eq.u32 %p1, %r3, 999; @%p1 trap;"""
OBJECT = """@!%p0 mbarrier.init.shared.b64 [s], 64;
bar.sync 0;
BETWEEN
mbarrier.arrive.shared.b64 %rd0, [s];
bar.sync 0;
ld.shared.u32 %r3, [s+OFFSET]; setp.eq.u32 %p1, %r3, 999; @%p1 trap;
"""
FREED = "@!%p0 mbarrier.inval.shared.b64 [s];\nbar.sync 0;\n@!%p0 mbarrier.init.shared.b64 [s], 64;\nbar.sync 0;"
AGAIN = "@!%p0 mbarrier.init.shared.b64 [s], 64;\nbar.sync 0;"


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        (MEETING.replace("BETWEEN", ""), ["warning WS-RUN-030 12-14"]),
        (MEETING.replace("BETWEEN", "bar.sync 0;"), []),
        (MEETING.replace("BETWEEN", "").replace(".volatile", ""), ["error WS-RUN-017 12-14"]),
        (MEETING.replace("BETWEEN", "").replace("volatile", "relaxed.cta"), []),
        (OBJECT.replace("BETWEEN", "").replace("OFFSET", "4"), ["error WS-RUN-031 12-17"]),
        (OBJECT.replace("BETWEEN", "st.shared.u32 [%r1+8], %r0; bar.sync 0;").replace("OFFSET", "8"), []),
        (OBJECT.replace("BETWEEN", FREED).replace("OFFSET", "4"), ["error WS-RUN-031 16-20"]),
        (OBJECT.replace("BETWEEN", AGAIN).replace("OFFSET", "8"), ["error WS-RUN-031 12-14"]),
    ],
    ids=["volatile", "ordered", "plain", "atomic", "load", "beside", "freed", "init twice"],
)
def test_volatile_accesses_of_two_warps_and_objects_that_others_touch(body: str, wanted: list[str]) -> None:
    found = ws.Module(SHARED.replace("BODY", body))["k"](1, 64, [0]).findings
    assert [short(one) for one in found if one.rule not in ("WS-RUN-021", "WS-RUN-027", "WS-RUN-028")] == wanted


TWO_ERRORS = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 wrong)
{
    .reg .pred %p<2>; .reg .b32 %r<6>; .reg .b64 %rd<3>;
    ld.param.u64 %rd0, [out];
    ld.param.u32 %r0, [wrong];
    mov.u32 %r1, %ctaid.x;
    mul.wide.u32 %rd1, %r1, 4;
    add.s64 %rd0, %rd0, %rd1;
    st.global.u32 [%rd0], 1;
    setp.ne.u32 %p0, %r0, %r1;
    selp.u32 %r2, 1, 0, %p0;
    div.u32 %r3, 7, %r2;
    st.global.u32 [%rd0], 2;
    rem.u32 %r3, 7, 0;
    ret;
}
"""


@pytest.mark.parametrize("threads", [1, 2])
def test_a_launch_that_raises_stops_at_the_first_error(threads: int) -> None:
    out = np.zeros(6, np.uint32)
    with pytest.raises(ws.UndefinedBehaviorError, match=r"line 15: div\.u32") as caught:
        ws.Module(TWO_ERRORS)["k"](6, 1, [out, 0], on_finding="raise", threads=threads)
    assert caught.value.findings[0].line == 15
    assert out[0] == 1 and 2 not in out[threads:]
    report = ws.Module(TWO_ERRORS)["k"](6, 1, [out, 2])
    assert [one.line for one in report.findings] == [15, 17] and (out == 2).all()


def test_what_the_check_leaves_out_is_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    out = np.zeros(6, np.uint32)
    assert ws.Module(TWO_ERRORS)["k"](6, 1, [out, 9]).notes == ()
    monkeypatch.setattr("warpsim._engine.engine.MOST_JUDGED", 23)
    (note,) = ws.Module(TWO_ERRORS)["k"](6, 1, [out, 9]).notes
    assert note.startswith("out is not checked for races: it has 24 bytes")
    monkeypatch.setattr("warpsim._engine.engine.MOST_JUDGED", 24)
    many = TWO_ERRORS.replace("rem.u32 %r3, 7, 0;", "rem.u32 %r3, 7, 0;" * 1030)
    report = ws.Module(many)["k"](1, 1, [out, 9])
    assert len(report.findings) == 1024
    assert report.notes == ("6 findings are lost: repair those that are listed, and run again",)
    one = TWO_ERRORS.replace("rem.u32 %r3, 7, 0;", "rem.u32 %r3, 7, 0;" * 1025)
    (note,) = ws.Module(one)["k"](1, 1, [out, 9]).notes
    assert note == "1 finding is lost: repair those that are listed, and run again"


def test_no_error_is_lost_to_warnings() -> None:
    def text(last: str) -> str:
        stores = "".join(f"st.global.u32 [%rd0+{4 * n}], %r0;" for n in range(1030))
        return (
            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 out) {"
            f".reg .b32 %r<2>; .reg .b64 %rd0; ld.param.u64 %rd0, [out]; mov.u32 %r0, %laneid;{stores}{last} ret; }}"
        )

    out = np.zeros(1030, np.uint32)
    warned = ws.Module(text(""))["k"](1, 32, [out], on_finding="raise")
    assert warned.ok and [one.severity for one in warned.findings] == ["warning"] * 1024
    wrong = ws.Module(text("div.u32 %r1, %r0, 0; rem.u32 %r1, %r0, 0;"))["k"]
    report = wrong(1, 32, [out])
    assert [one.severity for one in report.findings] == ["warning"] * 1022 + ["error"] * 2 and not report.ok
    assert report.notes == ("248 findings are lost: repair those that are listed, and run again",)
    with pytest.raises(ws.UndefinedBehaviorError, match=r"div\.u32"):
        wrong(1, 32, [out], on_finding="raise")


LOCAL = """.version 8.0
.target sm_80
.address_size 64
.func (.param .b32 got) f(.param .b32 writes, .param .b64 at)
{
    .local .align 8 .b8 own[24];
    .reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<2>;
    ld.param.b32 %r0, [writes];
    ld.param.b64 %rd0, [at];
    setp.ne.u32 %p0, %r0, 0;
    @%p0 st.local.u32 [own+20], %r0;
    ld.local.u32 %r1, [own+20];
    st.u32 [%rd0], %r1;
    st.param.b32 [got], %r1;
    ret;
}
.visible .entry k(.param .u64 out, .param .u32 n)
{
    .local .align 16 .b8 depot[64]; .shared .align 16 .b8 s[512];
    .reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %rd<6>;
    ld.param.u64 %rd0, [out];
    ld.param.u32 %r0, [n];
    mov.u32 %r1, %tid.x;
    setp.lt.u32 %p0, %r1, %r0;
    mov.u64 %rd1, depot;
    cvta.local.u64 %rd1, %rd1;
    BODY
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd0, %rd0, %rd2;
    st.global.u32 [%rd0], %r3;
    ret;
}
"""
CALL = "{{ .param .b32 a; .param .b64 b; .param .b32 c; st.param.b32 [a], {}; st.param.b64 [b], %rd1;\n"
CALL += "call (c), f, (a, b); ld.param.b32 %r3, [c]; }}\n"
VECTOR = "@%p0 st.local.u32 [depot+4], 9; st.local.u32 [depot], 5;\nld.local.v2.u32 {%r4, %r3}, [depot];\n"
SHARED_VECTOR = "st.shared.u32 [s], 5; bar.warp.sync -1;\nld.shared.v2.u32 {%r4, %r3}, [s];\n"
FIRST_ELEMENT = SHARED_VECTOR.replace("[s], 5", "[s+4], 5")


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("ld.local.u32 %r3, [depot+60];", ["error WS-RUN-021 27-30"]),
        ("st.local.u32 [depot+60], %r1; ld.u32 %r3, [%rd1+60];", []),
        ("st.u32 [%rd1+60], %r1; ld.local.u32 %r3, [depot+60];", []),
        ("st.local.u32 [depot+56], %r1; ld.u32 %r3, [%rd1+60];", ["error WS-RUN-021 27-30"]),
        (VECTOR, ["error WS-RUN-021 28-32"]),
        (VECTOR.replace("{%r4, %r3}", "{%r3, %r4}"), ["note WS-RUN-027 28"]),
        (SHARED_VECTOR, ["error WS-RUN-021 28-32"]),
        (SHARED_VECTOR.replace("{%r4, %r3}", "{%r3, _}"), ["note WS-RUN-027 28"]),
        (FIRST_ELEMENT, ["note WS-RUN-027 28"]),
        (FIRST_ELEMENT.replace("{%r4, %r3}", "{%r3, %r4}"), ["error WS-RUN-021 28-32"]),
        (CALL.format("%r0") + "ld.local.u32 %r3, [depot];", []),
        (CALL.format("%r0") + CALL.format("0"), ["error WS-RUN-021 12-34"]),
    ],
    ids=[
        "read", "generic read", "generic write", "beside", "used", "not used", "shared", "shared, not used",
        "first, not used", "first, used",
        "callee writes", "called again",
    ],
)  # fmt: skip
def test_local_memory_that_nobody_has_written(body: str, wanted: list[str]) -> None:
    out = np.zeros(32, np.uint32)
    found = ws.Module(LOCAL.replace("BODY", body))["k"](1, 32, [out, 20]).findings
    assert [short(one) for one in found if one.rule in ("WS-RUN-021", "WS-RUN-027")] == wanted


UNROLLED = """st.shared.u32 [%r1], %r0;
st.shared.u32 [%r1+256], %r0;
FIRST
xor.b32 %r2, %r1, 128;
ld.shared.u32 %r3, [%r2]; setp.eq.u32 %p1, %r3, 999; @%p1 trap;
ld.shared.u32 %r3, [%r2+256]; setp.eq.u32 %p1, %r3, 999; @%p1 trap;
SECOND
st.shared.u32 [%r1], %r0;
"""


def fixes(body: str) -> list[str]:
    """The remedies of races between warps, each once."""
    findings = ws.Module(SHARED.replace("BODY", body))["k"](1, 64, [2]).findings
    return list(dict.fromkeys(one.fix for one in findings if one.rule == "WS-RUN-017"))


STRAIGHT = "Put __syncthreads() (bar.sync) between line {} and line {}.{}"
AGAIN_ROUND = "; in a loop, also before the next round begins."
ROUND = "Put __syncthreads() (bar.sync) after line {}, before the next round of the loop comes to line {}.{}"
PAIRS = " It orders both pairs of lines."


@pytest.mark.parametrize(
    ("first", "second", "wanted"),
    [
        ("bar.sync 0;", "bar.sync 0;", []),
        ("", "bar.sync 0;", [STRAIGHT.format(13, 16, PAIRS)]),
        ("bar.warp.sync -1;", "bar.sync 0;", [STRAIGHT.format(13, 16, PAIRS)]),
        ("bar.sync 0;", "", [STRAIGHT.format(16, 19, "")]),
        ("", "", [STRAIGHT.format(13, 16, PAIRS), STRAIGHT.format(16, 19, "")]),
    ],
    ids=["both", "second", "of the warp", "first", "none"],
)
def test_one_barrier_is_the_remedy_of_all_races_that_it_orders(first: str, second: str, wanted: list[str]) -> None:
    assert fixes(UNROLLED.replace("FIRST", first).replace("SECOND", second)) == wanted


LOOP = """.reg .b32 %k; mov.u32 %k, 0;
L: st.shared.u32 [%r1], %r0;
st.shared.u32 [%r1+256], %r0;
FIRST
xor.b32 %r2, %r1, 128;
ld.shared.u32 %r3, [%r2]; setp.eq.u32 %p1, %r3, 999; @%p1 trap;
ld.shared.u32 %r3, [%r2+256]; setp.eq.u32 %p1, %r3, 999; @%p1 trap;
SECOND
add.u32 %k, %k, 1; setp.lt.u32 %p1, %k, 2;
@%p1 bra L;
"""


@pytest.mark.parametrize(
    ("first", "second", "wanted"),
    [
        ("bar.sync 0;", "bar.sync 0;", []),
        ("bar.sync 0;", "", [ROUND.format(18, 13, PAIRS)]),
        ("", "bar.sync 0;", [STRAIGHT.format(14, 17, PAIRS)]),
        ("", "", [STRAIGHT.format(14, 17, "").rstrip(".") + AGAIN_ROUND + PAIRS]),
    ],
    ids=["both", "between rounds", "straight", "none"],
)
def test_a_barrier_that_a_loop_lacks_goes_before_its_next_round(first: str, second: str, wanted: list[str]) -> None:
    assert fixes(LOOP.replace("FIRST", first).replace("SECOND", second)) == wanted


def test_findings_that_one_barrier_ends_are_folded_up_in_text_and_page() -> None:
    body = UNROLLED.replace("FIRST", "").replace("SECOND", "bar.sync 0;")
    report = ws.Module(SHARED.replace("BODY", body))["k"](1, 64, [0])
    text, page = str(report), report.html()
    assert text.count("WS-RUN-017") == 1 and "the same at lines 13 and 17" in text
    assert "<details><summary>the same at lines 13 and 17</summary>" in page
    assert page.count("finding-") >= len(report.findings)


MATRIX = """.version 8.6
.target sm_100a
.address_size 64
.file 1 "tile.cu"
.visible .entry k()
{
.reg .b32 %r<9>;
.shared .align 16 .b8 s[1024];
mov.u32 %r0, %tid.x;
and.b32 %r3, %r0, 31;
mov.u32 %r1, VALUE;
xor.b32 %r2, %r1, 5;
shl.b32 %r4, %r3, 4;
mov.u32 %r5, s;
add.u32 %r5, %r5, %r4;
.loc 1 7 1
FORM [%r5], REGISTERS;
FORM [%r5+512], REGISTERS;
ret;
}
"""


@pytest.mark.parametrize(
    ("form", "registers"),
    [
        ("stmatrix.sync.aligned.m8n8.x4.shared.b16", "{%r1, %r1, %r2, %r2}"),
        ("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16", "{%r1, %r2, %r2, %r1}"),
        ("stmatrix.sync.aligned.m8n8.x1.shared.b16", "{%r1}"),
        ("stmatrix.sync.aligned.m16n8.x2.trans.shared.b8", "{%r1, %r2}"),
    ],
)
def test_warps_that_store_the_same_matrix_race_no_more_than_those_that_store_the_same_word(
    form: str, registers: str
) -> None:
    text = MATRIX.replace("FORM", form).replace("REGISTERS", registers)
    same = ws.Module(text.replace("VALUE", "%r3"))["k"](1, 64, ()).findings
    assert [(one.rule, one.severity) for one in same if one.other is not None and one.other.line == one.line] == [
        ("WS-RUN-023", "note")
    ]
    assert same[0].line == 17 and same[0].also == (18,) and "; and line 18" in str(same[0])
    other = ws.Module(text.replace("VALUE", "%r0"))["k"](1, 64, ()).findings
    assert "WS-RUN-017" in {one.rule for one in other}


DECLARED = ".reg .b16 %h<4>; cvt.u16.u32 %h0, %r0; add.u16 %h0, %h0, {}; mov.u16 %h1, 7;"


@pytest.mark.parametrize("opcode", ["div.u16", "div.s16", "rem.u16", "rem.s16"])
def test_a_division_of_16_bits_looks_at_16_bits(opcode: str) -> None:
    for first, thread in ((1, None), (0, 0), (65535, 1)):
        body = f"{DECLARED.format(first)} {opcode} %h2, %h1, %h0;"
        found = ws.Module(SHARED.replace("BODY", body))["k"](1, 32, [2]).findings
        wanted = [] if thread is None else [("WS-RUN-026", ((thread, 0, 0),))]
        assert [(one.rule, one.lanes) for one in found] == wanted


def test_lanes_of_a_warp_that_come_one_by_one_are_told_together() -> None:
    body = """mov.u32 %r2, 0;
L: setp.ne.u32 %p1, %r0, %r2; @%p1 bra N;
ld.shared.u32 %r3, [s]; setp.eq.u32 %p1, %r3, 999; @%p1 trap;
N: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 64; @%p1 bra L;
"""
    (one,) = [
        one for one in ws.Module(SHARED.replace("BODY", body))["k"](1, 64, [2]).findings if one.rule == "WS-RUN-021"
    ]
    assert (one.lanes, one.count) == (tuple((x, 0, 0) for x in range(32)), 64)
