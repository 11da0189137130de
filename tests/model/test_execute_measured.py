"""What every lane gets, against runs of one H200."""

from collections import defaultdict
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import warpsim as ws
from tests.support.evidence import cases, compared, image, register_image, words

Case = dict[str, Any]


def by_instruction(name: str, prefix: str) -> dict[tuple[str, int], list[Case]]:
    groups = defaultdict(list)
    for case in cases(name, prefix):
        groups[case["ptx"], case["image_bytes"]].append(case)
    return groups


def loads() -> list[Case]:
    return cases("execute_ldst", "ldmatrix") + cases("execute_s8s4")


def test_ldmatrix_single_equals_silicon() -> None:
    count = 0
    for case in loads():
        op = ws.parse(case["ptx"])
        memory = ws.SharedMemory(image(case["image_seed"], case["image_bytes"]))
        result = op.execute(memory, case["address"], target="sm_90a")
        assert np.array_equal(result.registers.reshape(-1), words(case["registers"])), case
        count += 1
    compared("loads on silicon, one call each (execute_ldst, execute_s8s4)", count, at_least=1063)


def test_ldmatrix_batched_equals_silicon() -> None:
    """All cases of an instruction in one call: the images one after another in one memory."""
    count = 0
    for name, prefix in (("execute_ldst", "ldmatrix"), ("execute_s8s4", "")):
        for (ptx, nbytes), group in by_instruction(name, prefix).items():
            memory = ws.SharedMemory(np.concatenate([image(c["image_seed"], nbytes) for c in group]))
            base = np.arange(len(group))[:, None] * nbytes
            result = ws.parse(ptx).execute(memory, np.array([c["address"] for c in group]) + base)
            assert result.registers is not None and result.ok.all()
            expected = np.stack([words(c["registers"]) for c in group])
            assert np.array_equal(result.registers.reshape(len(group), -1), expected), ptx
            count += len(group)
    compared("loads on silicon, batched", count, at_least=1063)


def stored(case: Case) -> NDArray[np.uint8]:
    after = image(case["image_seed"], case["image_bytes"])
    for offset, data in case["memory_after"]:
        after[offset : offset + len(data) // 2] = np.frombuffer(bytes.fromhex(data), np.uint8)
    return after


def stores() -> list[Case]:
    return cases("execute_ldst", "st")


def test_stores_single_equal_silicon() -> None:
    count = 0
    for case in stores():
        op = ws.parse(case["ptx"])
        memory = ws.SharedMemory(image(case["image_seed"], case["image_bytes"]))
        registers = register_image(case["registers_seed"], op.num_registers)
        op.execute(memory, case["address"], registers, active=case.get("active", 0xFFFFFFFF))
        assert np.array_equal(memory.bytes, stored(case)), case
        count += 1
    compared("stores on silicon, one call each", count, at_least=680)


def test_stores_batched_equal_silicon() -> None:
    groups = by_instruction("execute_ldst", "st")
    count = 0
    for (ptx, nbytes), group in groups.items():
        op = ws.parse(ptx)
        memory = ws.SharedMemory(np.concatenate([image(c["image_seed"], nbytes) for c in group]))
        base = np.arange(len(group))[:, None] * nbytes
        op.execute(
            memory,
            np.array([c["address"] for c in group]) + base,
            np.stack([register_image(c["registers_seed"], op.num_registers) for c in group]),
            active=np.array([c.get("active", 0xFFFFFFFF) for c in group]),
        )
        assert np.array_equal(memory.bytes, np.concatenate([stored(c) for c in group])), ptx
        count += len(group)
    compared("stores on silicon, batched", count, at_least=680)


@pytest.mark.parametrize("batched", [False, True])
def test_movmatrix_equals_silicon(batched: bool) -> None:
    found = cases("execute_ldst", "movmatrix")
    sources = np.stack([words(c["source"]).reshape(32, 1) for c in found])
    expected = np.stack([words(c["registers"]).reshape(32, 1) for c in found])
    if batched:
        assert np.array_equal(ws.movmatrix(sources).registers, expected)
    else:
        for source, wanted in zip(sources, expected, strict=True):
            assert np.array_equal(ws.movmatrix(source).registers, wanted)
    compared("movmatrix on silicon", len(found), at_least=14)
