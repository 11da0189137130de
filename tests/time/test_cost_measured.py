"""The cost model against every timing: the gates, and the pages that state the errors."""

import json
from functools import partial
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from docs.make import cost_evidence, cost_page
from docs.make.timings import errors
from tests.support import evidence
from warpsim import _core


def figures(cases: list[cost_evidence.Case], what: str, at_least: int) -> tuple[float, float, float]:
    """Median, 95th percentile and largest relative error."""
    evidence.compared(f"timings: {what}", len(cases), at_least=at_least)
    found = errors(cases)
    return float(np.median(found)), float(np.percentile(found, 95)), float(found.max())


def of(family: str, cases: list[cost_evidence.Case]) -> list[cost_evidence.Case]:
    return [case for case in cases if case.family.startswith(family)]


@pytest.mark.parametrize(
    ("family", "at_least"),
    [("latency: movmatrix", 1), ("latency: ld, ldmatrix, st, stmatrix", 400), ("latency: u8 and u16", 40)],
)
def test_latency_chains_agree_to_the_cycle(family: str, at_least: int) -> None:
    cases = of(family, cost_evidence.latencies())
    evidence.compared(f"timings: {family}", len(cases), at_least=at_least)
    assert max(abs(case.model - case.measured) for case in cases) < 0.01


random_loops = partial(cost_evidence.own_mainloops, "random_loops")
unseen_loops = partial(cost_evidence.own_mainloops, "unseen_loops")
typed_loops = partial(cost_evidence.own_mainloops, "typed_loops")
held_loops = partial(cost_evidence.own_mainloops, "held_loops")
wmma_loops = partial(cost_evidence.own_mainloops, "wmma_loops")
wmma_code = partial(cost_evidence.assembled_mainloops, "wmma_code")
held_code = partial(cost_evidence.assembled_mainloops, "held_code")
random_code = partial(cost_evidence.assembled_mainloops, "random_code")
unseen_code = partial(cost_evidence.assembled_mainloops, "unseen_code")
reference_code = partial(cost_evidence.assembled_mainloops, "reference_code")
LATENCIES, STREAMS = cost_evidence.latencies, cost_evidence.streams
#: cases, family -> how many there are at least, most of median, 95th percentile and all
GATES = {
    (LATENCIES, "latency: ld.global"): (20, 0.01, 0.01, 0.01),
    (LATENCIES, "latency: wmma.load.shared"): (50, 0.05, 0.12, np.inf),
    (LATENCIES, "latency: wmma.load.global"): (50, 0.13, 0.22, np.inf),
    (STREAMS, "streams: ld.global, 8"): (45, 0.02, 0.40, np.inf),
    (STREAMS, "streams: 8"): (1600, 0.02, 0.02, 0.02),
    (STREAMS, "streams: fewer"): (2800, 0.03, 0.20, np.inf),
    (cost_evidence.copies, "cp.async.cg, 16 warps"): (15, 0.03, 0.03, 0.03),
    (cost_evidence.copies_at_once, "cp.async.cg, all at once after a barrier"): (352, 0.03, 0.08, 0.13),
    (cost_evidence.mixed, "mixed streams"): (140, 0.05, 0.05, 0.05),  # the sum of their wavefronts
    (cost_evidence.short_loops, "short loops"): (110, 0.10, 0.30, np.inf),
    (cost_evidence.bursts, "bursts"): (130, 0.03, 0.12, np.inf),
    (cost_evidence.tiles, "tiles"): (117, 0.05, 0.15, np.inf),
    (cost_evidence.mainloops, "main loops: once held out"): (50, 0.04, 0.10, np.inf),
    (cost_evidence.own_mainloops, "main loops: another program"): (90, 0.05, 0.12, np.inf),
    (random_loops, "main loops: another program, drawn first"): (120, 0.05, 0.15, 0.50),
    (unseen_loops, "main loops: another program, drawn later"): (160, 0.05, 0.17, np.inf),
    (typed_loops, "main loops: another program, all types, fitted"): (5180, 0.03, 0.125, np.inf),
    (held_loops, "main loops: another program, all types, held out"): (400, 0.04, 0.12, np.inf),
    (wmma_loops, "main loops: another program, wmma, held out"): (200, 0.04, 0.13, np.inf),
    (wmma_code, "main loops as assembled: another program, wmma, held out"): (200, 0.04, 0.12, np.inf),
    (reference_code, "main loops as assembled: once held out"): (50, 0.03, 0.09, np.inf),
    (reference_code, "main loops as assembled: fitted"): (110, 0.03, 0.10, np.inf),
    (random_code, "main loops as assembled: another program, drawn first"): (120, 0.04, 0.12, np.inf),
    (unseen_code, "main loops as assembled: another program, drawn later"): (160, 0.03, 0.11, np.inf),
    (held_code, "main loops as assembled: another program, all types, held out"): (400, 0.03, 0.10, np.inf),
    (cost_evidence.programs, "drawn: programs"): (400, 0.07, 0.23, np.inf),
}


@pytest.mark.slow
@pytest.mark.parametrize(("cases", "family"), GATES)
def test_errors_are_within_their_gates(cases: Any, family: str) -> None:
    at_least, *most = GATES[cases, family]
    found = figures(of(family, cases()), family, at_least)
    assert all(figure < gate for figure, gate in zip(found, most, strict=True)), found


def _ranks(values: list[float]) -> np.ndarray:
    return np.argsort(np.argsort(values)).astype(float)


@pytest.mark.parametrize("of_held", [held_loops, held_code], ids=["estimated", "as assembled"])
def test_mainloops_held_out_are_ranked_as_measured(of_held: Any) -> None:
    """400 loops of six types, warps from 1 to 16, 0 to 5 stages, timed after the model was final."""
    cases = of_held()
    evidence.compared("timings: ranks of held-out main loops", len(cases), at_least=400)
    ranks = [_ranks([getattr(case, name) for case in cases]) for name in ("measured", "model")]
    assert np.corrcoef(*ranks)[0, 1] > 0.985


def test_mainloops_parts_alone_are_what_the_mechanisms_say() -> None:
    """Fills alone run at their wavefronts, reads alone too; stages=0 has no barrier and no fill."""
    padded = ws.Layout(128, 32, "f16", pad=8)
    report = ws.mainloop((128, 128, 32), (2, 2), a=padded, b=padded)
    alone = [
        case
        for case in cost_evidence.device("loops")["cases"]
        if case["tile"] == [128, 128, 32] and case["warps"] == [2, 2] and case["pad"] == 8
    ]
    fills = [case["cycles"] for case in alone if case["parts"] == ["fill", "bar"]]
    assert len(fills) == 1
    assert report.wavefronts["store"] == pytest.approx(fills[0], rel=0.01)
    resident = [case for case in cost_evidence.mainloops() if ", 0 stages" in case.label]
    assert figures(resident, "main loops without a fill", 25)[0] < 0.03


@pytest.mark.slow
def test_cost_page_is_not_stale() -> None:
    assert cost_page.PAGE.read_text(encoding="utf-8") == cost_page.page()
    assert cost_page.PLOT.read_text(encoding="utf-8") == cost_page.plot()


def test_measured_cases_of_our_own_are_complete() -> None:
    """At least 60 cases beyond those of the reference data, each with its provenance."""
    for name, at_least in (
        ("streams", 400),
        ("loops", 250),
        ("random_programs", 400),
        ("unseen_loops", 160),
        ("typed_loops", 5180),
        ("held_loops", 400),
        ("wmma_loops", 200),
    ):
        file = cost_evidence.device(name)
        assert any(gpu in file["source"] for gpu in ("H100", "H200"))
        assert file["fields"] and "benchmarks/device" in file["what"]
        evidence.compared(f"timings: own {name}", len(file["cases"]), at_least=at_least)
        assert all(case["cycles_min"] <= case["cycles"] <= case["cycles_max"] for case in file["cases"])
        json.dumps(file)


def test_bounds_and_parts_have_the_words_of_the_documentation() -> None:
    text = cost_page.PAGE.read_text(encoding="utf-8")
    for word in ("data pipe", "sub-partition", "warp", "tensor pipe", "drain", "start", "latency"):
        assert word in text.lower()
        assert word in (*_core.BOUNDS, *_core.PROGRAM_PARTS)
