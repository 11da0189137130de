"""What the cost model says about itself: each error where such an access was timed, None elsewhere."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from docs.make import cost_evidence
from docs.make import evidence as made
from docs.make.timings import errors
from tests.support.evidence import compared, load
from tests.support.paths import ROOT

ROWS = np.arange(32) * 16
GLOBAL = np.uint64(0x7F00_0000_0000)
WORDS = np.arange(32, dtype=np.uint64) * 4
X4 = ws.Ldmatrix(num=4)


def test_every_row_of_the_table_is_computed_from_the_measurements() -> None:
    assert made.FILE.read_text(encoding="utf-8") == made.text()
    laws = made.laws()
    compared("cases behind the stated errors", sum(map(len, laws.values())), at_least=8000)
    compared(
        "drawn cases behind the stated errors",
        sum(case.is_drawn for law in laws.values() for case in law),
        at_least=3400,
    )
    assert len(laws) == 33 and all(sum(case.is_drawn for case in cases) >= 16 for cases in laws.values())


def test_stated_error_of_each_drawn_case_is_that_of_its_law() -> None:
    """What a call states is the row that its own measurement is evidence for."""
    stated = {law: made.error(cases) for law, cases in made.laws().items()}
    without: Counter[str] = Counter()
    seen = 0
    for case in cost_evidence.device("drawn")["cases"]:
        op = cost_evidence._drawn_op(case["ptx"])
        place = op.cache if op.kind == "cp.async" else "shared" if op.kind == "movmatrix" else op.space
        for cost in cost_evidence._drawn_costs(case, op):
            enough = place != "cg" or cost.breakdown["data pipe"] >= 6
            load = "many" if case["warps"] >= 8 and enough else "few"
            assert cost.latency_error == stated[op.kind, place, "latency", ""]
            assert cost.interval_error == stated[op.kind, place, "interval", load]
            assert cost.error == max(cost.latency_error, cost.interval_error)
            without[case["ptx"]] += cost.error is None
            seen += 1
    compared("stated errors of drawn cases", seen, at_least=2700)
    assert without.total() == 0


#: what nobody timed
UNTIMED: dict[str, Any] = {
    "wmma.store": lambda: ws.WmmaStore().cost(0),
    "st.global": lambda: ws.St(space="global").cost(WORDS + GLOBAL),
    "generic ld in global memory": lambda: ws.Ld(space="").cost(WORDS + GLOBAL, warps=8),
    "generic ldmatrix": lambda: ws.Ldmatrix(num=4, space="").cost(ROWS),
    "s8.s4": lambda: ws.Ldmatrix(shape="m8n16", type="s8.s4").cost(ROWS, target="sm_90a", warps=8),
    "partial mask": lambda: ws.Ld().cost(WORDS, active=0xFFFF),
    "v4.u8": lambda: ws.Ld(type="u8", vec=4).cost(WORDS),
    "v2.u16": lambda: ws.Ld(type="u16", vec=2).cost(WORDS),
    "copies of pieces of sectors": lambda: ws.CpAsync().cost(ROWS, source=np.arange(32, dtype=np.uint64) * 64),
    "another target": lambda: X4.cost(ROWS, target="sm_86"),
    "a user's constant": lambda: X4.cost(ROWS, target=ws.Arch("sm_90", {"load_latency": 20.5})),
    "program with wmma": lambda: ws.cost([(ws.WmmaLoad(), 0)]),
    "program with st": lambda: ws.cost([(ws.St(), WORDS)]),
    "program with cp.async": lambda: ws.cost([(ws.CpAsync(), ROWS)]),
    "program with st.global": lambda: ws.cost([(X4, ROWS), (ws.St(space="global"), WORDS + GLOBAL)]),
    "program with wmma.store": lambda: ws.cost([(ws.WmmaStore(), 0)]),
    "main loop of another target": lambda: ws.mainloop((128, 128, 32), (2, 2), target="sm_80"),
}


@pytest.mark.parametrize("what", UNTIMED)
def test_what_nobody_timed_has_no_error(what: str) -> None:
    found = UNTIMED[what]()
    assert found.error is None and found.source
    if isinstance(found, ws.Cost):
        assert found.latency_error is None and found.interval_error is None
    assert "error not known" in str(found)


def test_generic_accesses_cost_what_the_memory_of_their_addresses_does() -> None:
    for kind in (ws.Ld, ws.St):
        for vec, pitch in ((1, 4), (1, 128), (4, 16)):
            there = np.arange(32, dtype=np.uint64) * np.uint64(pitch) + GLOBAL
            generic, named = (kind(vec=vec, space=space).cost(there, warps=8) for space in ("", "global"))
            assert (generic.latency, generic.interval, generic.breakdown) == (
                named.latency,
                named.interval,
                named.breakdown,
            )
    found = ws.Ld(space="").cost(WORDS + GLOBAL, warps=8)
    assert found.latency == 32.0 and found.error is None


def test_interval_of_global_loads_against_the_180_streams() -> None:
    """45 patterns with 8, 4, 2 and 1 warps. Their loads have address additions beside them: upper bounds.

    The loop's text has twice the loads that are executed: see benchmarks/device/sunk_loads.py.
    """
    cases = [case for case in cost_evidence.streams() if "ld.global" in case.family]
    compared("timings: streams of ld.global", len(cases), at_least=180)
    busy = [case for case in cases if case.label.endswith(", 8")]
    assert len(cases) == 180 and len(busy) == 45
    found = errors(busy)
    assert np.median(found) < 0.02
    assert sum(case.model <= 1.03 * case.measured for case in cases) == 180


def test_every_stream_is_compared_or_named_on_the_page() -> None:
    total = len(load("timing_throughput")["cases"])
    page = ROOT.joinpath("docs/explain/cost.md").read_text(encoding="utf-8")
    uneven = total - len(cost_evidence.streams())
    assert f"{uneven:,} of its {total:,} streams" in page


def test_error_of_copies_covers_the_streams_of_few_warps() -> None:
    """Not pooled with easier ones: .cg with few warps or wavefronts is off by two thirds."""
    cost = ws.CpAsync().cost(ROWS, warps=2)
    cases = [case for case in cost_evidence.copies() if case.family == "cp.async.cg, others"]
    assert cost.interval_error is not None
    assert cost.interval_error >= np.percentile(errors(cases), 95) > 0.6
    assert cost.error == cost.interval_error


def test_error_of_the_main_loop_is_that_of_loops_that_nobody_looked_at() -> None:
    found = ws.mainloop((128, 128, 32), (2, 2)).error
    unseen = errors(cost_evidence.own_mainloops("held_loops"))
    assert found is not None and found >= np.percentile(unseen, 95)
