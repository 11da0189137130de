"""Races that the engine finds against those of the slow judge, which looks at every pair of accesses."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import warpsim as ws
from tests.support.evidence import compared
from tests.support.findings.planted import lines, planted
from tests.support.interpreter.order import Verdict, judged
from tests.support.measured_kernels import arguments
from tests.support.random_kernels.races import Access, Racy, racy
from warpsim.kernel import launch as launching
from warpsim.kernel.memory import Memory

#: every block stores its number to the same place
STORES = """.version 8.5
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out)
{
.reg .b32 %r<2>;
.reg .b64 %rd<2>;
ld.param.u64 %rd0, [out];
mov.u32 %r0, %ctaid.x;
st.global.u32 [%rd0], %r0;
ret;
}
"""

#: races of two warps, of lanes, in global memory, with a copy in flight; of equal values
RACES = {"WS-RUN-017", "WS-RUN-018", "WS-RUN-019", "WS-RUN-020", "WS-RUN-023"}


def slow(kernel: Racy) -> Verdict:
    verdict = judged(kernel.ptx, "k", 1, kernel.threads, arrays())
    assert not verdict.failed
    return verdict


def arrays() -> list[np.ndarray]:
    return [np.zeros(128, np.uint32), np.arange(128, dtype=np.uint32)]


def agree(kernel: Racy) -> None:
    """Nothing is found that is ordered; what is not ordered is found, between warps too, in any order of the warps."""
    races = slow(kernel).races
    expected, between_warps = {(a, b) for _, a, b in races}, any(where != "warp" for where, _, _ in races)
    for order in (0, 5):
        report = ws.Module(kernel.ptx)["k"](1, kernel.threads, arrays(), order=order)
        found = [one for one in report.judged if one.rule in RACES]
        pairs = {tuple(sorted(lines(one))) for one in found}
        assert pairs <= expected, kernel.ptx
        assert bool(pairs) == bool(expected), kernel.ptx
        assert not between_warps or any(one.rule != "WS-RUN-018" for one in found), kernel.ptx
    compared("random kernels with and without races", 1, at_least=1)


LOAD, STORE = Access("load", 0, 0, 32, 64), Access("store", 0, 0, 32, 64)
#: what random kernels have shown: a race of lanes hid one of warps, whose stores write the same value
SHOWN = {
    "lanes": Racy(64, (LOAD, STORE)),
    "warps": Racy(64, (STORE, Access("narrow store", 1, 0, 0, 48))),
    "both": Racy(64, (LOAD, STORE, Access("narrow store", 1, 0, 0, 48))),
}


@pytest.mark.parametrize("name", SHOWN)
def test_a_race_of_lanes_hides_none_of_warps(name: str) -> None:
    agree(SHOWN[name])


@pytest.mark.slow
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(racy())
def test_random_kernels_race_where_nothing_orders_them(kernel: Racy) -> None:
    agree(kernel)


@pytest.mark.slow
@settings(max_examples=1500, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(racy())
def test_many_random_kernels_race_where_nothing_orders_them(kernel: Racy) -> None:
    agree(kernel)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(racy())
def test_races_of_blocks_are_told_alike_on_any_number_of_threads(kernel: Racy) -> None:
    told = []
    for threads in (1, 2, 4):
        given = arrays()
        report = ws.Module(kernel.ptx)["k"](8, kernel.threads, given, threads=threads)
        told.append(([str(one) for one in report.judged], [one.tolist() for one in given]))
    assert told[1:] == told[:1] * 2, kernel.ptx
    compared("kernels of several blocks on several threads", 2, at_least=2)


def test_memory_beyond_a_bound_is_not_copied_for_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """One thread takes all blocks then, and what is found is the same."""
    copies: list[list[bytes]] = []
    held = Memory.held

    def copied(memory: Memory) -> list[bytes]:
        copies.append(held(memory))
        return copies[-1]

    monkeypatch.setattr(Memory, "held", copied)
    kernel = ws.Module(STORES)["k"]
    told = [str(kernel(8, 32, [np.zeros(8, np.uint32)], threads=4).judged)]
    assert len(copies) == 1
    monkeypatch.setattr(launching, "HELD_BYTES", 31)
    told.append(str(kernel(8, 32, [np.zeros(8, np.uint32)], threads=4).judged))
    assert len(copies) == 1 and told[0] == told[1] and "WS-RUN-019" in told[0]
    compared("launches with and without a copy of memory", 2, at_least=2)


@pytest.mark.slow
def test_the_slow_judge_finds_the_planted_races_and_none_in_the_twins() -> None:
    """The judge against what was planted: it must not be wrong itself."""
    seen = 0
    for bug in planted():
        if bug.id == "mbarrier_phase":  # the judge knows no bulk copies
            continue
        wanted = [must for must in bug.must if {f"WS-RUN-{rule:03}" for rule in must["rules"]} & RACES]
        if not wanted:
            continue
        for is_twin, (text, launch) in enumerate((bug.bug, bug.twin)):
            values, _, _ = arguments(launch)
            verdict = judged(
                text, launch["kernel"], tuple(launch["grid"]), tuple(launch["block"]), values, launch["shared"]
            )
            if is_twin:
                assert verdict.harmless, (bug.id, verdict)
                continue
            for must in wanted:
                a, b = must["lines"]
                assert any((x in a and y in b) or (x in b and y in a) for x, y in verdict.pairs), (bug.id, must)
                seen += 1
    compared("planted races that the slow judge finds", seen, at_least=30)


#: blocks draw tickets from a counter; then one of them stores to it; each has a word of its own in `out`
TICKETS = """.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 counter, .param .u64 out) {{
.reg .pred %p<3>; .reg .b32 %r<6>; .reg .b64 %d<2>;
ld.param.u64 %d0, [counter]; ld.param.u64 %d1, [out];
mov.u32 %r0, %ctaid.x; mov.u32 %r1, %nctaid.x; sub.u32 %r1, %r1, 1; mov.u32 %r4, 0;
{draws}
@%p0 st.global.u32 [%d0], 77;
mad.wide.u32 %d1, %r0, 4, %d1; st.global.u32 [%d1], %r4;
ret; }}
"""
DRAW = "atom.global.add.u32 %r2, [%d0], 1;"
LAST = "setp.eq.u32 %p0, %r2, %r1;"
BY_NUMBER = "setp.eq.u32 %p0, %r0, %r1;"
STORE = "setp.ne.u32 %p1, %r0, %r1; @%p1 st.relaxed.gpu.global.u32 [%d0], %r0; setp.eq.u32 %p0, %r0, %r1;"


def races_of_tickets(draws: str, blocks: int) -> list[str]:
    ptx = TICKETS.format(draws=draws)
    report = ws.Module(ptx)["k"](blocks, 1, [np.zeros(1, np.uint32), np.zeros(blocks, np.uint32)])
    return [one.rule for one in report.findings if one.rule in RACES]


@pytest.mark.parametrize("blocks", [2, 3, 4, 5, 9])
def test_who_draws_the_last_ticket_may_reset_the_counter(blocks: int) -> None:
    assert races_of_tickets(DRAW + LAST, blocks) == []
    assert races_of_tickets(DRAW + "add.u32 %r4, %r4, %r2;" + LAST, blocks) == []


@pytest.mark.parametrize("blocks", [3, 4, 5, 9])
def test_who_draws_an_earlier_ticket_or_none_may_not(blocks: int) -> None:
    early = "sub.u32 %r1, %r1, 1;" + LAST
    unread = "atom.global.add.u32 %r3, [%d0], 1; mov.u32 %r2, 0;"
    none = "red.global.add.u32 [%d0], 1; mov.u32 %r2, 0;"
    for draws in (DRAW + early, unread + BY_NUMBER, none + BY_NUMBER, STORE):
        assert races_of_tickets(draws, blocks) == ["WS-RUN-019"], draws


#: the same of threads of a block, whose counter is in shared memory
OF_THREADS = {
    "ld.param.u64 %d0, [counter];": ".shared .b32 n; mov.u64 %d0, n; mov.u32 %r3, %tid.x; setp.eq.u32 %p2, %r3, 0;"
    " @%p2 st.shared.u32 [%d0], 0; bar.sync 0;",
    "%ctaid": "%tid", "%nctaid": "%ntid", "atom.global": "atom.shared", "st.global.u32 [%d0]": "st.shared.u32 [%d0]",
}  # fmt: skip


@pytest.mark.parametrize("threads", [33, 64, 128])
def test_who_draws_the_last_ticket_of_a_block_may_reset_its_counter(threads: int) -> None:
    for draws, races in ((DRAW + LAST, []), (DRAW + "mov.u32 %r1, 0;" + LAST, ["WS-RUN-017"])):
        ptx = TICKETS.format(draws=draws)
        for before, after in OF_THREADS.items():
            ptx = ptx.replace(before, after)
        report = ws.Module(ptx)["k"](1, threads, [np.zeros(1, np.uint32), np.zeros(threads, np.uint32)])
        assert sorted({one.rule for one in report.findings if one.rule in RACES} - {"WS-RUN-018"}) == races


#: one lane reads a word; then it writes it, others do, or all
COVERED = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 g) {{
.reg .pred %p<3>; .reg .b32 %r<4>; .reg .b64 %d<2>; .shared .b32 s;
ld.param.u64 %d0, [g]; mov.u64 %d1, s; mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 5; setp.ge.u32 %p1, %r0, {first};
st.{to}, 0; bar.sync 0;
@%p0 ld.{to_read}; {between}
@%p1 st.{to}, 7; setp.eq.u32 %p2, %r1, 9; @%p2 trap;
ret; }}
"""
SPACES = {"shared": "shared.u32 {}[%d1]", "global": "global.u32 {}[%d0]"}


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize(("first", "between", "races"), [
    (0, "", 1), (0, "bar.warp.sync -1;", 0), (5, "", 1), (6, "", 1), (31, "", 1), (6, "bar.warp.sync -1;", 0),
])  # fmt: skip
def test_what_a_lane_has_read_races_with_the_others_of_its_store(
    space: str, first: int, between: str, races: int
) -> None:
    """Also where the lane itself is the first that writes."""
    to, to_read = SPACES[space].format(""), SPACES[space].format("%r1, ")
    text = COVERED.format(to=to, to_read=to_read, first=first, between=between)
    found = ws.Module(text)["k"](1, 32, [np.zeros(1, np.uint32)]).findings
    assert [one.rule for one in found if one.rule in RACES] == ["WS-RUN-018"] * races


#: lanes of one warp load a word, change it, and store
UPDATES = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 g) {{
.reg .pred %p<3>; .reg .b32 %r<6>; .reg .b64 %d<3>; .shared .align 4 .b8 s[128];
ld.param.u64 %d0, [g]; mov.u64 %d1, s; mov.u32 %r0, %tid.x; mov.u32 %r3, 0; setp.eq.u32 %p1, %r0, 0;
{body}
ret; }}
"""
LOOP = "L: setp.ne.u32 %p0, %r0, %r3; @%p0 bra N; {} N: {} add.u32 %r3, %r3, 1; setp.lt.u32 %p0, %r3, 32; @%p0 bra L;"
ADD, OR = "add.u32 %r1, %r1, 1;", "or.b32 %r1, %r1, 1;"
OWN = "shl.b32 %r4, 1, %r0; or.b32 %r1, %r1, %r4;"


def rules_of_updates(body: str) -> set[tuple[str, str]]:
    found = ws.Module(UPDATES.format(body=body))["k"](1, 32, [np.zeros(32, np.uint32)]).findings
    return {(one.rule, one.severity) for one in found if one.rule in RACES}


@pytest.mark.parametrize(
    ("space", "rule"), [("shared.u32 {}[%d1]", "WS-RUN-017"), ("global.u32 {}[%d0]", "WS-RUN-019")]
)
def test_an_update_that_lanes_of_a_warp_lose_is_an_error(space: str, rule: str) -> None:
    """Like one that warps lose; one value that all store, and updates one by one, are none."""
    to, read = space.format(""), f"ld.{space.format('%r1, ')};"
    start = f"@%p1 st.{to}, 0; bar.warp.sync -1;"
    for change in (ADD, OWN):
        assert rules_of_updates(f"{start} {read} {change} st.{to}, %r1;") == {(rule, "error")}, change
    for change in (OR, "mov.u32 %r1, 1;"):
        assert rules_of_updates(f"{start} {read} {change} st.{to}, %r1;") <= {("WS-RUN-018", "warning")}, change
    one_by_one = LOOP.format(f"{read} {ADD} st.{to}, %r1;", "")
    assert rules_of_updates(start + one_by_one) == {("WS-RUN-018", "warning")}
    meets = LOOP.format(f"{read} {ADD} st.{to}, %r1;", "bar.warp.sync -1;")
    assert rules_of_updates(start + meets) == set()
    assert rules_of_updates(f"{start} red.{space.format('').replace('u32', 'add.u32')}, 1;") == set()
    compared("updates by lanes of a warp", 7, at_least=7)
