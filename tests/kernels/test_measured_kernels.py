"""Whole kernels against what an H200 left in every buffer."""

import base64
import hashlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.support.measured_kernels import GROUPS, arguments, launches, measured, module, run

#: lanes store different bytes to one place on purpose, and the assembler reorders the stores: racy, whatever runs them
RACY = {("global_patterns/shifted", "store"), ("global_patterns/random", "store")}
#: float atomics add up in any order: relative to the largest
TOLERANCE = {"f32": 1e-5, "f64": 1e-13, "f16": 2e-2, "bf16": 1e-1}


def wrong(launch: dict[str, Any], arrays: dict[str, np.ndarray], types: dict[str, str]) -> Iterator[str]:
    """The buffers that are not as measured."""
    for name, wanted in launch["buffers"].items():
        if (launch["id"], name) in RACY:
            continue
        found = arrays[name]
        if "order" in launch["flags"] and len(wanted) != 64:
            expected = np.frombuffer(base64.b64decode(wanted), found.dtype)
            if types[name] == "bf16":
                found, expected = ((x.astype(np.uint32) << 16).view(np.float32) for x in (found, expected))
            bound = TOLERANCE.get(types[name], 0) * np.abs(expected.astype(np.float64)).max()
            if np.abs(found.astype(np.float64) - expected.astype(np.float64)).max() > bound:
                yield f"{launch['id']} {name}"
        elif hashlib.sha256(found.tobytes()).hexdigest() != wanted:
            yield f"{launch['id']} {name}"


@pytest.mark.parametrize("group", GROUPS)
def test_every_buffer_is_as_the_hardware_left_it(group: str) -> None:
    buffers = 0
    for launch in launches(group):
        assert list(wrong(launch, *run(launch)[1:])) == []
        buffers += len(launch["buffers"])
    compared("buffers of measured kernels", buffers, at_least=10 if group == "hopper" else 20)


WAYS: list[dict[str, Any]] = [*({"simd": level} for level in range(1, 5)), {"threads": 3}, {"order": 7}]


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS, ids=str)
@pytest.mark.parametrize("group", GROUPS)
def test_levels_threads_and_turns_change_nothing(group: str, way: dict[str, Any]) -> None:
    buffers = 0
    for launch in launches(group):
        assert list(wrong(launch, *run(launch, **way)[1:])) == [], way
        buffers += len(launch["buffers"])
    compared("buffers of measured kernels, other ways", buffers, at_least=10 if group == "hopper" else 20)


def test_planted_bugs_end_without_harm() -> None:
    """Each ends as a report with a finding or without, or as an error with a message; nothing hangs or crashes."""
    ended = 0
    for launch in measured()["launches"]:
        if not launch["id"].endswith("_bug/x"):
            continue
        values, _, _ = arguments(launch)
        kernel = module(launch["ptx"])[launch["kernel"]]
        try:
            kernel(
                tuple(launch["grid"]), tuple(launch["block"]), values, shared_bytes=launch["shared"], target="sm_90a",
                max_steps=10**6,
            )  # fmt: skip
        except ws.WarpsimError as error:
            assert str(error)
        ended += 1
    compared("planted bugs that ended", ended, at_least=30)
