"""What accesses cost the memory, against the counters of one H200."""

from collections import defaultdict
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import cases, compared

Case = dict[str, Any]
FULL = 0xFFFFFFFF


def shared_cases() -> dict[str, list[Case]]:
    groups = defaultdict(list)
    for name in ("shared_traffic", "s8s4_traffic"):
        for case in cases(name):
            if not case["ptx"].startswith(("wmma", "movmatrix")):
                groups[case["ptx"]].append(case)
    return groups


def test_shared_counters_single_equal_silicon() -> None:
    count = 0
    for ptx, group in shared_cases().items():
        op = ws.parse(ptx)
        for case in group:
            found = op.traffic(case["address"], active=case.get("active", FULL))
            assert found.wavefronts == case["wavefronts"], case
            assert found.bank_conflicts == case["bank_conflicts"], case
            assert found.inexact == found.unknown == ()
            count += 1
    compared("shared counters on silicon, one call each", count, at_least=6304)


def test_shared_counters_batched_equal_silicon() -> None:
    count = 0
    for ptx, group in shared_cases().items():
        found = ws.parse(ptx).traffic(
            np.array([c["address"] for c in group]), active=np.array([c.get("active", FULL) for c in group])
        )
        assert found.wavefronts.tolist() == [c["wavefronts"] for c in group], ptx
        assert found.bank_conflicts.tolist() == [c["bank_conflicts"] for c in group], ptx
        assert np.array_equal(found.ideal_wavefronts, found.wavefronts - found.bank_conflicts)
        count += len(group)
    compared("shared counters on silicon, batched", count, at_least=6304)


def test_movmatrix_counts_no_shared_wavefront() -> None:
    found = cases("shared_traffic", "movmatrix")
    for case in found:
        counted = ws.Movmatrix().traffic(None)
        assert counted.wavefronts == case["wavefronts"] == 0
        assert counted.bank_conflicts == case["bank_conflicts"] == 0
        assert counted.instructions == 1
    compared("movmatrix counters on silicon", len(found), at_least=2)


def copies(prefix: str) -> list[Case]:
    return cases("cp_async_traffic", f"cp.async.{prefix}")


def op_of(case: Case) -> ws.CpAsync:
    opcode, size = case["ptx"].split()
    return ws.CpAsync(size=int(size), cache=opcode.split(".")[2])


def counted(case: Case) -> ws.Traffic:
    return op_of(case).traffic(case["address"], source=case["source"], active=case["active"])


def is_contiguous(case: Case) -> bool:
    size = op_of(case).size
    lanes = [lane for lane in range(32) if case["active"] >> lane & 1]
    first = lanes[0]
    return all(case["source"][lane] - case["source"][first] == (lane - first) * size for lane in lanes)


def test_cp_async_cg_counters_equal_silicon() -> None:
    found = copies("cg")
    wrong = 0
    for case in found:
        traffic = counted(case)
        wrong += traffic.wavefronts != case["wavefronts"]
        assert traffic.bank_conflicts == case["bank_conflicts"] == 0
        assert traffic.sectors == case["sectors"], case
    assert wrong <= 4, wrong
    compared(f"cp.async.cg counters on silicon ({wrong} differ)", len(found), at_least=2131)


@pytest.mark.parametrize("contiguous", [True, False])
def test_cp_async_ca_counters_equal_silicon(contiguous: bool) -> None:
    found = [case for case in copies("ca") if is_contiguous(case) == contiguous]
    wrong = 0
    for case in found:
        traffic = counted(case)
        same = traffic.wavefronts == case["wavefronts"]
        same &= traffic.bank_conflicts == case["bank_conflicts"]
        wrong += not same
        assert traffic.sectors == case["sectors"], case
        assert bool(traffic.inexact) != contiguous
    if contiguous:
        assert wrong == 0
    else:
        assert wrong <= len(found) / 5, (wrong, len(found))
    word = "contiguous" if contiguous else f"scattered ({wrong} differ)"
    compared(f"cp.async.ca counters on silicon, {word} sources", len(found), at_least=600)


def active_addresses(case: Case) -> list[int]:
    return [a for lane, a in enumerate(case["address"]) if case["active"] >> lane & 1]


def test_global_counters_equal_silicon() -> None:
    """Sectors of all, wavefronts of loads; wavefronts of stores are approximate."""
    counters = loads = stores = stores_wrong = 0
    for case in cases("global_traffic"):
        if not case["ptx"].startswith(("ld.global", "st.global")):
            continue
        op = ws.parse(case["ptx"])
        found = op.traffic(case["address"], active=case["active"])
        for counter in ("sectors", "requests"):
            if case[counter] is not None:
                assert getattr(found, counter) == case[counter], (counter, case)
                counters += 1
        if case["wavefronts"] is None:
            continue
        if op.is_load and len({a >> 25 for a in active_addresses(case)}) > 1:
            assert found.inexact == ("wavefronts",)  # the tag bank is not known across 32 MiB
        elif op.is_load:
            assert found.inexact == ()
            assert found.wavefronts == case["wavefronts"], case
            loads += 1
        else:
            assert found.inexact == ("wavefronts",)
            stores_wrong += found.wavefronts != case["wavefronts"]
            stores += 1
    compared("sectors and requests of ld.global and st.global", counters, at_least=500)
    compared("wavefronts of ld.global on silicon", loads, at_least=100)
    compared(f"wavefronts of st.global on silicon ({stores_wrong} differ)", stores, at_least=500)
