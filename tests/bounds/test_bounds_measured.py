"""Bounds against what an H200 measured: cycles of blocks and launches, counters of every pipe, cycles of products."""

import json
from functools import cache
from typing import Any

import pytest

import warpsim as ws
from tests.support import measured_kernels
from tests.support.evidence import compared
from tests.support.paths import TRUTH
from warpsim import _engine as engine
from warpsim.bounds.report import Bounds
from warpsim.time.tensor_rates import multiplied
from warpsim.time.throughput import L1_SECTORS, throughput_of

NOISE = 0.005  # of the cycles of one product: they are differences of two runs
LEAST = {"classic": 100, "pattern": 30, "tensor": 45, "triton": 15, "hopper": 7, "bug": 30}


@cache
def measured() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((TRUTH / "run" / "cycles.json").read_text())
    return found


def launches(group: str, is_assembled: bool) -> list[tuple[dict[str, Any], dict[str, Any], Bounds, ws.KernelReport]]:
    """Each launch of a group that was timed, what was measured of it, and its bounds on the same GPU."""
    found = []
    for launch in measured_kernels.measured()["launches"]:
        row = measured()["launches"].get(launch["id"])
        if launch["group"] != group or row is None or launch["id"].endswith("_bug/x"):
            continue
        options: dict[str, Any] = {"cluster": tuple(launch["cluster"])} if "cluster" in launch else {}
        with measured_kernels.recorded_code() as asked:
            asked["launch"] = launch
            is_known = is_assembled and bool(measured_kernels.machine_code(launch))
            report = measured_kernels.run(launch, as_assembled=is_known, **options)[0]
        found.append((launch, dict(zip(measured()["fields"], row, strict=True)), report.bounds("h200"), report))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("is_assembled", [False, True], ids=["text", "machine_code"])
@pytest.mark.parametrize("group", measured_kernels.GROUPS)
def test_no_bound_is_above_what_was_measured(group: str, is_assembled: bool) -> None:
    rates = throughput_of(ws.arch("h200"))
    instructions = {"FMA": rates.f32, "FMA f16": rates.f16, "FP64": rates.f64, "XU": rates.special}
    count = pipes = 0
    for launch, row, bounds, report in launches(group, is_assembled):
        name = launch["id"]
        assert 0 < bounds.cycles <= row["active"] <= row["elapsed"], name
        assert max(pipe.block for pipe in bounds) <= row["block"], name
        assert max(pipe.warp for pipe in bounds) <= row["block"], name
        assert bounds.blocks == bounds.ran == len(report.blocks) <= bounds.sms
        of_pipe = {pipe.name: pipe.grid * bounds.blocks for pipe in bounds if pipe.grid}
        assert of_pipe.get("LSU data", 0) <= row["wavefronts"] + 1e-6, name
        assert of_pipe.get("L1 sectors", 0) * L1_SECTORS <= row["sectors"] + 1e-6, name
        share = min(4, bounds.warps)  # sub-partitions that a block uses
        assert of_pipe.get("issue", 0) * share <= row["instructions"] + 1e-6, name
        for pipe, rate in instructions.items():
            assert of_pipe.get(pipe, 0) * rate * share / 4 <= row["pipes"].get(pipe, 0) + 1e-6, (name, pipe)
        count, pipes = count + 1, pipes + len(of_pipe)
    compared(f"bounds of {group} kernels against measured cycles", count, at_least=LEAST[group])
    compared("bounds of pipes against hardware counters", pipes, at_least=2 * LEAST[group])


def opcode_of(name: str) -> str:
    """The opcode of a form that was timed: its name leaves out what all have, and says where A lies at its end."""
    words = [word for word in name.split(".") if word not in ("rs", "ss", "sel0", "sel1")]
    words[:1] = {"mma": ["mma"], "wmma": ["wmma"], "wgmma": ["wgmma", "mma_async"]}[words[0]]
    at = 1 + (words[0] != "mma") + ("sp" in words or "spom" in words)
    return ".".join([*words[:at], "sync", "aligned", *words[at:]]).replace(".spom.", ".sp::ordered_metadata.")


def test_products_take_no_less_than_they_are_said_to() -> None:
    h200, count = ws.arch("h200"), 0
    for name, cycles in measured()["products"].items():
        product = engine.row(opcode_of(name)).product
        assert product is not None, name
        found = multiplied(h200, product)
        assert 0 < found.cycles <= cycles * (1 + NOISE), name
        count += 1
    compared("cycles of forms of products", count, at_least=130)
