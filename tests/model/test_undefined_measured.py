"""What one H200 did where PTX leaves the behaviour undefined."""

import re
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import cases, compared, image, register_image, words

Case = dict[str, Any]
BASE = 1024  # dynamic shared memory begins at absolute shared address 1024


def memory_of(case: Case) -> ws.SharedMemory:
    size = case["dynamic_shared_bytes"]
    contents = np.zeros(size, np.uint8)
    held = image(case["image_seed"], case["image_bytes"])[:size]
    contents[: len(held)] = held
    return ws.SharedMemory(contents, base=BASE)


def space_of(case: Case) -> ws.SharedMemory | ws.AddressSpace:
    memory = memory_of(case)
    return memory if case["memory"] == "shared" else ws.AddressSpace(memory)


def addresses_of(case: Case) -> list[int]:
    if case["memory"] == "shared":
        return [(a + BASE) % 2**32 for a in case["address"]]
    if case["memory"] == "generic":
        return list(case["address"])
    return [ws.AddressSpace().shared_window + BASE + a for a in case["address"]]


def plain_cases(*prefixes: str) -> list[Case]:
    return [c for c in cases("undefined") if c["ptx"].startswith(prefixes)]


def run(case: Case, **options: Any) -> tuple[ws.Result, ws.SharedMemory | ws.AddressSpace]:
    memory = space_of(case)
    op = ws.parse(case["ptx"])
    active = case.get("active", 0xFFFFFFFF)
    options = {"active": active, "exited": case.get("exited", 0), "target": "sm_90", **options}
    if "ptx_other" in case:
        other = ws.parse(case["ptx_other"])
        ops = [other if case["other_lanes"] >> lane & 1 else op for lane in range(32)]
        address = np.zeros(32, np.uint32) + BASE
        return ws.issue(ops, memory, address, **options), memory
    if "registers_seed" in case:
        options["registers"] = register_image(case["registers_seed"], op.num_registers)
    return op.execute(memory, addresses_of(case), **options), memory


def held_before(case: Case) -> np.ndarray[Any, Any]:
    """What the destination registers held before the instruction."""
    count = ws.parse(case["ptx"]).num_registers
    return np.tile(np.arange(count, dtype=np.uint32) + 0xDEAD0000, (32, 1))


@pytest.mark.parametrize("prefix", ["ldmatrix", "stmatrix", "ld.shared", "st.shared"])
def test_hardware_policy_equals_silicon(prefix: str) -> None:
    found = plain_cases(prefix)
    for case in found:
        options: dict[str, Any] = {"on_ub": "hardware"}
        if case["ptx"].startswith("ld") and "active" in case:
            options["out"] = held_before(case)
        if case["result"] != "CUDA_SUCCESS":
            with pytest.raises(ws.HardwareTrap) as trap:
                run(case, **options)
            assert trap.value.code == case["result"], case["condition"]
            continue
        result, memory = run(case, **options)
        if "registers" in case and "exited" not in case:
            assert np.array_equal(result.registers.reshape(-1), words(case["registers"])), case
        if "exited" in case and result.registers is not None:
            assert not result.registers.any()
        if "changed_rows" in case:
            check_changed_rows(case, memory)
    compared(f"undefined behaviour of {prefix} on silicon", len(found), at_least=10)


def check_changed_rows(case: Case, memory: ws.SharedMemory | ws.AddressSpace) -> None:
    assert isinstance(memory, ws.SharedMemory)
    before, after = memory_of(case).bytes, memory.bytes
    rows = range(0, len(after) - 15, 16)
    changed = [[r, after[r : r + 16].tobytes().hex()] for r in rows]
    changed = [row for row in changed if row[1] != before[row[0] : row[0] + 16].tobytes().hex()]
    # a row beyond the image is that of a neighbour in the allocation's round-up
    expected = [row for row in case["changed_rows"] if 0 <= row[0] < len(after)]
    assert changed == expected, case["condition"]


def expected_lanes(case: Case) -> set[int] | None:
    condition = case["condition"]
    if match := re.search(r"lanes (?:predicated off|exited) mask ([0-9a-f]{8})", condition):
        return {lane for lane in range(32) if int(match[1], 16) >> lane & 1}
    if match := re.search(r"divergent qualifiers: trans on mask ([0-9a-f]{8})", condition):
        mask = int(match[1], 16)
        mask = mask if not mask & 1 else ~mask & 0xFFFFFFFF
        return {lane for lane in range(32) if mask >> lane & 1}
    if match := re.match(r"misaligned lane (\d+) \+(\d+)", condition):
        op = ws.parse(case["ptx"])
        return {int(match[1])} if int(match[2]) % op.access_bytes else set()
    return None


def test_record_policy_names_the_right_lanes() -> None:
    named = 0
    for case in plain_cases("ldmatrix", "stmatrix", "ld.shared", "st.shared"):
        result, _ = run(case, on_ub="record")
        lanes = {finding.lane for finding in result.findings}
        assert bool(result.ok) == (not lanes)
        wanted = expected_lanes(case)
        if wanted is not None:
            assert lanes == wanted, case["condition"]
            named += 1
        elif "lane 5 at" in case["condition"] or "lane 5 " in case["condition"]:
            bytes_ = ws.parse(case["ptx"]).access_bytes
            last = BASE + case["dynamic_shared_bytes"] - bytes_
            inside = BASE <= addresses_of(case)[5] <= last
            assert lanes == (set() if inside else {5}), case["condition"]
            named += 1
        elif "unused lanes garbage" in case["condition"] or "all lanes" in case["condition"]:
            assert not lanes, case["condition"]
            named += 1
        elif "memory" in case and case["memory"] == "generic":
            errors = {finding.error for finding in result.findings}
            assert errors == {ws.NonSharedAddressError}, case["condition"]
            named += 1
    compared("undefined behaviour, lanes named", named, at_least=200)


def test_unmeasured_behaviour_is_said_to_be_unknown() -> None:
    with pytest.raises(ws.UnknownHardwareBehaviorError, match="sm_80"):
        ws.Ldmatrix().execute(ws.SharedMemory(1024), np.arange(32) * 8, target="sm_80", on_ub="hardware")
    with pytest.raises(ws.UnknownHardwareBehaviorError):
        ws.Movmatrix().execute(None, None, np.zeros((32, 1), np.uint32), active=1, target="sm_90", on_ub="hardware")
