"""What warpsim calibrate measured on an H200 and an H100, twice each, against the package's own profile and model."""

from functools import cache
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from docs.make import cost_evidence
from tests.support.evidence import compared
from warpsim.calibrate.calibration import Calibration, calibration
from warpsim.calibrate.compare import comparison
from warpsim.calibrate.constants import MOVED, _of_rounds

GPUS = ("h200", "h100")
RATES = (
    "access_interval", "load_port", "store_port", "store_register_port", "copy_path", "copy_alone", "copy_ca_alone",
    "copy_ca_arrival", "mma_interval", "movmatrix_interval",
)  # fmt: skip
LATENCIES = (
    "load_latency", "wavefront_latency", "group_latency", "store_latency", "store_register_latency",
    "movmatrix_latency", "global_latency", "copy_latency", "mma_latency", "barrier_latency",
)  # fmt: skip
EXACT = ("banks", "bank_bytes", "sub_partitions", "shared_bytes_per_block")


@cache
def runs(gpu: str, kind: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = cost_evidence.device(f"calibrate_{gpu}")[kind]
    return found


@pytest.mark.parametrize("gpu", GPUS)
def test_calibration_brings_back_the_profile_twice_in_a_row(gpu: str) -> None:
    own, seen = ws.arch("sm_90").constants, 0
    for run in runs(gpu, "calibrations"):
        found = calibration(run)
        assert sorted(found.constants) == sorted((*RATES, *LATENCIES, *EXACT)) and not found.notes
        for names, most in ((LATENCIES, 0.01), (RATES, 0.02), (EXACT, 0)):
            for name in names:
                off = abs(found.constants[name].value / own[name].value - 1)
                assert off <= most, f"{name}: {off:.2%} off"
                seen += 1
    compared(f"constants measured on an {gpu.upper()}", seen, at_least=48)
    assert len(runs(gpu, "calibrations")) == 2


@pytest.mark.parametrize("gpu", GPUS)
def test_stated_errors_cover_what_is_off_but_for_the_package_s_own(gpu: str) -> None:
    """Two runs of a GPU differ by no more than they state, of latencies and rates that are not moved."""
    first, second = (calibration(run) for run in runs(gpu, "calibrations"))
    for name, one in first.constants.items():
        assert abs(one.value / second.constants[name].value - 1) <= one.error + second.constants[name].error + 1e-9, (
            name
        )


def test_references_of_moved_constants_are_those_of_the_h200() -> None:
    for name, (of, reference, _) in MOVED.items():
        here = [np.median(_of_rounds(run, of)) for run in runs("h200", "calibrations")]
        assert np.median(here) == pytest.approx(reference, rel=0.001), name


#: GPU -> most of the median and of the 95th percentile of the 30 tiles and main loops
GATES = {"h100": (0.03, 0.12), "h200": (0.03, 0.12)}


@pytest.mark.parametrize("gpu", GPUS)
def test_tiles_and_loops_are_near_the_model_of_the_calibrated_profile(gpu: str) -> None:
    profile = calibration(runs(gpu, "calibrations")[0]).arch
    for run in runs(gpu, "comparisons"):
        found = comparison(run, profile)
        compared(f"tiles and main loops on an {gpu.upper()}", len(found.rows), at_least=30)
        median, most = GATES[gpu]
        assert found.median < median and found.percentile_95 < most, str(found)
        assert len({row[0] for row in found.rows}) == len(found.rows) == 30 and not found.missing


def test_data_come_with_their_origin() -> None:
    for gpu in GPUS:
        file = cost_evidence.device(f"calibrate_{gpu}")
        assert gpu.upper() in file["source"] and "src/warpsim/calibrate" in file["what"]
        for run in (*file["calibrations"], *file["comparisons"]):
            assert set(run) <= {"version", *file["fields"]}
            assert run["seconds"] < 180 and run["device"]["sm"] == 90


def profile() -> Calibration:
    return calibration(runs("h100", "calibrations")[0])


def test_a_profile_s_file_brings_back_values_errors_and_sources(tmp_path: Any) -> None:
    made = profile()
    path = tmp_path / "my_gpu.toml"
    path.write_text(made.toml(), encoding="utf-8")
    again = ws.arch(path)
    assert again == made.arch == ws.arch(str(path)) and again.product == "H100"
    for name, found in made.constants.items():
        constant = again.constants[name]
        assert constant.source.startswith("warpsim calibrate on NVIDIA H100 80GB HBM3")
        assert constant.basis == ("fitted" if found.moved else "measured")
        assert constant.error == pytest.approx(found.error, abs=1e-4)
    for name in made.kept:
        assert again.constants[name] == ws.arch("h100").constants[name]
    assert {*made.kept, *made.constants} == set(again.constants)


def test_a_profile_is_a_target_of_all_that_costs_cycles() -> None:
    arch, x4, tile = profile().arch, ws.Ldmatrix(num=4), ws.Layout(64, 64, "f16", pad=8)
    plain = ws.mainloop((64, 64, 64), (2, 2), target=arch)
    assert plain.remedy is not None and plain.remedy.to_dict()["cycles"] < plain.cycles
    found = x4.cost(tile.addresses(x4), target=arch)
    assert found.latency == 29 and "warpsim calibrate on NVIDIA H100" in found.source
    slow = arch.with_values(load_latency=1021)
    for asked in (
        lambda a: x4.cost(tile.addresses(x4), target=a).latency,
        lambda a: ws.cost([(x4, tile.addresses(x4))], target=a).cycles,
        lambda a: ws.tile(tile, load=x4, target=a).cycles,
        lambda a: ws.search(64, 64, "f16", load=x4, target=a)[0]["cycles"],
        lambda a: ws.mainloop((64, 64, 64), (2, 2), target=a).cycles,
    ):
        assert asked(slow) >= asked(arch) + 1000


def _changed(run: dict[str, Any], name: str, factor: float) -> dict[str, Any]:
    """The run with other times of a program."""
    spans = {
        label: [[round(factor * value) for value in row] for row in rounds]
        for label, rounds in run["spans"][name].items()
    }
    return {**run, "spans": {**run["spans"], name: spans}}


def test_what_the_model_takes_for_granted_and_a_gpu_does_not_do_is_a_note() -> None:
    run = runs("h100", "calibrations")[0]
    for name, factor, note in (
        ("ldmatrix.x4 stream", 2, "a wavefront takes 2.01 cycles of the SM's data pipe; the model takes 1"),
        (
            "mma tf32 f32",
            2,
            "mma.sync of tf32 with f32 sums takes 2 times what f16 with f32 sums does; the model takes 1",
        ),
        ("ldmatrix.x4 x96", 1.5, "loads of 1 to 32 wavefronts are"),
    ):
        found = calibration(_changed(run, name, factor))
        assert any(one.startswith(note) for one in found.notes), found.notes
        assert f"# {found.notes[0]}" in found.toml() and found.notes[0] in str(found)


def test_error_of_a_constant_grows_with_the_spread_of_its_rounds() -> None:
    run = runs("h100", "calibrations")[0]
    label = "1 sub-partition, 12"
    rounds = [
        [round(value * (1 + 0.03 * (i == 0))) for value in row]
        for i, row in enumerate(run["spans"]["ld.b32 stream"][label])
    ]
    noisy = {**run, "spans": {**run["spans"], "ld.b32 stream": {**run["spans"]["ld.b32 stream"], label: rounds}}}
    quiet, found = calibration(run).constants["load_port"], calibration(noisy).constants["load_port"]
    assert found.value == pytest.approx(quiet.value, rel=0.002) and quiet.error < 0.01 and found.error > 0.04
