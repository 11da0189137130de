"""Nsight Compute's counters of whole kernels: what they add to a pattern's, and when."""

import gzip
import json
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.support.paths import ROOT

DATA = ROOT / "benchmarks" / "device" / "counters.json.gz"
MANY_BLOCKS, ONE_BLOCK = 2048, 200 * 1024  # shared memory of a block: many fit on an SM, or one

#: pattern in the data -> what even and odd warps repeat, and the lane addresses
LANE = np.arange(32)
OPS: dict[str, list[tuple[str, Any]]] = {
    "ld.shared.b32": [("ld.shared.b32", LANE * 4)],
    "ld.shared.b32, two words a bank": [("ld.shared.b32", LANE * 8)],
    "ld.shared.v4.b32": [("ld.shared.v4.b32", LANE * 16)],
    "ldmatrix.x4": [("ldmatrix.sync.aligned.m8n8.x4.shared.b16", LANE * 16)],
    "ldmatrix.x4, then bar.sync": [("ldmatrix.sync.aligned.m8n8.x4.shared.b16", LANE * 16)],
    "st.shared.v4.b32": [("st.shared.v4.b32", LANE * 16)],
    "stmatrix.x4": [("stmatrix.sync.aligned.m8n8.x4.shared.b16", LANE * 16)],
    "ld.shared.v4.b32 and st.shared.v4.b32": [
        ("ld.shared.v4.b32", LANE * 16), ("st.shared.v4.b32", LANE * 16)
    ],
    "ldmatrix.x4 and ld.global.v4.b32": [
        ("ldmatrix.sync.aligned.m8n8.x4.shared.b16", LANE * 16), ("ld.global.v4.b32", LANE * 16)
    ],
    "ldmatrix.x4 and cp.async.cg": [
        ("ldmatrix.sync.aligned.m8n8.x4.shared.b16", LANE * 16),
        ("cp.async.cg.shared.global [d], [s], 16;", LANE * 16 + 1024),
    ],
}  # fmt: skip


def launches() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(gzip.decompress(DATA.read_bytes()))["cases"]
    return found


def modelled(case: dict[str, Any]) -> dict[str, int]:
    """Wavefronts and conflicts of the pattern alone: loads, stores, all on shared memory."""
    ops = OPS[case["pattern"]]
    each = case["blocks"] * case["repeats"] * case["warps"] // len(ops)
    total = dict.fromkeys(("ld", "st", "all", "ideal", "conflicts_ld"), 0)
    for text, address in ops:
        op = ws.parse(text)
        traffic = op.traffic(address)
        if op.space == "global":
            continue
        side = {"ld": "ld", "ldmatrix": "ld", "st": "st", "stmatrix": "st"}.get(op.kind)
        if side is not None:
            total[side] += each * traffic.wavefronts.item()
        if side == "ld":
            total["conflicts_ld"] += each * traffic.bank_conflicts.item()
        total["all"] += each * traffic.wavefronts.item()
        total["ideal"] += each * traffic.ideal_wavefronts.item()
    return total


def test_counters_of_an_instruction_ignore_what_else_runs() -> None:
    cases = launches()
    for case in cases:
        total = modelled(case)
        assert (total["ld"], total["st"]) == (case["expected_ld"], case["expected_st"])
        assert case["source_wavefronts"] == total["all"], case
        assert case["source_wavefronts_ideal"] == total["ideal"], case
        assert case["source_conflicts_ldsm"] == case["source_conflicts_stsm"] == 0
    compared("launches, counters of instructions", len(cases), at_least=280)


@pytest.mark.parametrize("bytes_", [MANY_BLOCKS, ONE_BLOCK])
def test_counters_of_an_sm_add_conflicts_when_blocks_share_it(bytes_: int) -> None:
    seen = most = 0
    cases = [case for case in launches() if case["shared_bytes"] == bytes_]
    for case in cases:
        total = modelled(case)
        assert case["wavefronts_st"] == total["st"] and case["conflicts_st"] == 0
        extra = case["conflicts_ld"] - total["conflicts_ld"]
        assert extra == case["wavefronts_ld"] - total["ld"] >= 0
        seen += extra > 0
        most = max(most, extra / total["ld"] if total["ld"] else 0)
        if bytes_ == ONE_BLOCK or case["blocks"] == 1:
            assert extra == 0, case
    assert most < 0.01
    if bytes_ == MANY_BLOCKS:
        compared("launches whose counters show conflicts that no pattern has", seen, at_least=30)
    compared(f"launches, {bytes_} bytes a block", len(cases), at_least=140)
