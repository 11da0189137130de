"""What an H200 launched, run again: its memory, and Nsight Compute's counters of each line."""

import json
from pathlib import Path

import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.support.paths import TRUTH

CAPTURES = TRUTH / "run" / "captures"
COUNTERS = ("threads", "wavefronts", "ideal_wavefronts", "sectors", "ideal_sectors")


def test_a_kernel_of_triton_leaves_the_memory_that_the_gpu_left() -> None:
    launch = ws.Capture(CAPTURES / "triton.capture", ptx=(CAPTURES / "add_kernel.ptx").read_text()).launches[0]
    report = launch.run(threads=2)
    assert report.ok and launch.differences == ()
    held = sum(len(one.before) for one in launch.buffers)
    compared("bytes of memory after a captured launch", held, at_least=1 << 21)


@pytest.mark.parametrize(
    ("name", "ptx"), [("cutlass_tma", None), ("cutlass3", None), ("triton_tma", "matmul_tma.ptx"), ("attention", None)]
)
def test_kernels_of_tensor_copies_and_wgmma_leave_the_memory_that_the_gpu_left(name: str, ptx: str | None) -> None:
    """cutlass3: with clusters of two, and multicast."""
    text = None if ptx is None else (CAPTURES / ptx).read_text()
    launch = ws.Capture(CAPTURES / f"{name}.capture", ptx=text).launches[0]
    report = launch.run(threads=2)
    assert launch.differences == () and report.findings == ()
    assert report.shared["warpgroup product"]["instructions"] > 500
    held = sum(len(one.before) for one in launch.buffers)
    compared("bytes of memory after a captured launch", held, at_least=1 << 18)


def test_kinds_of_access_of_a_cutlass_kernel_count_what_nsight_compute_counted() -> None:
    """The sums of HGMMA, LDSM and STSM on the source page of the same launch."""
    report = ws.Capture(CAPTURES / "cutlass_tma.capture").launches[0].run()
    found = {
        kind: (row["instructions"], row["wavefronts"], row["ideal_wavefronts"]) for kind, row in report.shared.items()
    }
    assert found == {
        "warpgroup product": (512, 6144, 6144), "load matrix": (256, 1024, 1024), "store matrix": (256, 1024, 1024),
    }  # fmt: skip


def test_lines_of_a_captured_kernel_count_what_nsight_compute_counted() -> None:
    measured = json.loads((CAPTURES / "gemm_counters.json").read_text())
    report = ws.Capture(CAPTURES / "gemm.capture").launches[0].run()
    found = {int(row["line"]): row for row in report.lines}
    wrong = [
        (line, name, int(found[line][name]), value)
        for line, *values in measured
        for name, value in zip(COUNTERS, values, strict=True)
        if found[line][name] != value
    ]
    assert wrong == []
    compared("counters of lines of a captured launch", len(measured) * len(COUNTERS), at_least=300)


def test_the_race_of_a_captured_kernel_is_found() -> None:
    report = ws.Capture(CAPTURES / "gemm.capture").launches[0].run()
    assert "WS-RUN-017" in {finding.rule for finding in report.findings} and not report.ok


@pytest.mark.parametrize("name", ["gemm", "triton"])
def test_captures_say_what_was_launched(name: str, tmp_path: Path) -> None:
    capture = ws.Capture(CAPTURES / f"{name}.capture")
    assert capture.device == "NVIDIA H200" and capture.target == "sm_90"
    launch = capture.launches[0]
    assert not launch.is_cut and all(one.after is not None for one in launch.buffers)
