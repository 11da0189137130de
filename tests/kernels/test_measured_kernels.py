"""Whole kernels against what an H200 left in every buffer: tests/truth/run/kernels.json.xz, with where it came from."""

import base64
import hashlib
import json
import lzma
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.support.paths import TRUTH
from tests.truth.run import contents

GROUPS = ("classic", "pattern", "tensor", "triton", "bug")
#: lanes store different bytes to one place on purpose, and the assembler reorders the stores: racy, whatever runs them
RACY = {("global_patterns/shifted", "store"), ("global_patterns/random", "store")}
#: float atomics add up in any order: relative to the largest
TOLERANCE = {"f32": 1e-5, "f64": 1e-13, "f16": 2e-2, "bf16": 1e-1}
#: what only Hopper has, and is not modelled: launches of other groups that need it are left out
HOPPERS_OWN = ("wgmma.", "cp.async.bulk.")


@cache
def measured() -> dict[str, Any]:
    return json.loads(lzma.decompress((TRUTH / "run" / "kernels.json.xz").read_bytes()))


@cache
def module(name: str) -> Any:
    return ws.Module(measured()["ptx"][name])


def launches(group: str) -> list[dict[str, Any]]:
    """Those of a group whose end is measured (planted bugs end as they like) and that need nothing of Hopper's own."""
    found = [one for one in measured()["launches"] if one["group"] == group and not one["id"].endswith("_bug/x")]
    refused = {one["id"]: module(one["ptx"])[one["kernel"]].unsupported for one in found}
    for opcodes in refused.values():
        assert not opcodes or any(opcode.startswith(HOPPERS_OWN) for _, opcode in opcodes)
    assert sum(bool(opcodes) for opcodes in refused.values()) <= 3
    return [one for one in found if not refused[one["id"]]]


def arguments(launch: dict[str, Any]) -> tuple[list[Any], dict[str, np.ndarray], dict[str, str]]:
    """The values of the parameters; the arrays by name, and their types."""
    values, arrays, types = [], {}, {}
    for argument in launch["args"]:
        if "buffer" not in argument:
            values.append(argument["value"] if "scalar" in argument else bytes.fromhex(argument["bytes"]))
            continue
        name, type_ = argument["buffer"], argument["dtype"]
        if name not in arrays:
            found = contents.content(type_, argument["count"], argument["init"])
            arrays[name] = np.zeros(argument["count"], contents.STORED[type_]) if found is None else found.copy()
            types[name] = type_
        values.append(arrays[name])
    return values, arrays, types


def run(launch: dict[str, Any], **options: Any) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """Every buffer after the launch on a fresh module."""
    values, arrays, types = arguments(launch)
    kernel = ws.Module(measured()["ptx"][launch["ptx"]])[launch["kernel"]]
    report = kernel(
        tuple(launch["grid"]), tuple(launch["block"]), values, shared_bytes=launch["shared"], target="sm_90a",
        stack_bytes=launch.get("stack", 1024), **options,
    )  # fmt: skip
    assert report.findings == (), f"{launch['id']}: {report.findings[0]}"
    assert report.steps > 0
    return arrays, types


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
        assert list(wrong(launch, *run(launch))) == []
        buffers += len(launch["buffers"])
    compared("buffers of measured kernels", buffers, at_least=20)


WAYS: list[dict[str, Any]] = [*({"simd": level} for level in range(1, 5)), {"threads": 3}, {"order": 7}]


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS, ids=str)
@pytest.mark.parametrize("group", GROUPS)
def test_levels_threads_and_turns_change_nothing(group: str, way: dict[str, Any]) -> None:
    buffers = 0
    for launch in launches(group):
        assert list(wrong(launch, *run(launch, **way))) == [], way
        buffers += len(launch["buffers"])
    compared("buffers of measured kernels, other ways", buffers, at_least=20)


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
