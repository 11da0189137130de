"""What csrc/include/warpsim/loop/pipeline_memory.h says of the data pipe, against streams of ldmatrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from docs.make.cost_evidence import device

LOADS = 16  # of a warp and pass
#: bytes from a row to the next -> wavefronts of an ldmatrix.x4
WAVEFRONTS = {16: 4, 32: 8, 64: 16, 128: 32}


def passes(at_least_at_once: int, warps: tuple[int, ...]) -> list[tuple[dict[str, Any], float, list[int]]]:
    """Cases of so many warps with so many loads under way: each, its cycles of a pass, wavefronts of its warps."""
    found = []
    for case in device("loads")["cases"]:
        if case["window"] >= at_least_at_once and len(case["running"]) in warps:
            each = [LOADS * WAVEFRONTS[case["pitch"][i % 2]] for i in range(len(case["running"]))]
            found.append((case, (case["cycles"][1] - case["cycles"][0]) / 80, each))
    return found


def test_loads_of_one_warp_take_two_cycles_for_a_wavefront() -> None:
    """Alone, or beside a warp of another sub-partition: but for what ends a pass."""
    alone = [one for one in passes(4, (1, 2)) if one[0]["running"] in ([0], [0, 1])]
    found = [(cycles - 2 * max(each), case) for case, cycles, each in alone]
    print(f"{len(found)} streams of one and two warps compared")
    assert len(found) >= 60
    for rest, case in found:
        assert 0 < rest < 80, case


def test_warps_that_fill_the_data_pipe_take_a_cycle_for_a_wavefront_until_the_last_one_ends() -> None:
    """Six warps and more, also where half of them have an eighth of the wavefronts and are done early."""
    found = [(cycles / sum(each) - 1, case) for case, cycles, each in passes(2, (6, 7, 8, 12, 16))]
    print(f"{len(found)} streams of six warps and more compared: {100 * np.median([off for off, _ in found]):.1f} %")
    assert len(found) >= 300
    for off, case in found:
        assert -0.01 < off < 0.04, (off, case)


def test_five_warps_take_five_loads_time() -> None:
    """One load each under way, 32 wavefronts: two are in the pipe, three wait, and none is served more than others."""
    ((case, cycles, each),) = [
        one for one in passes(1, (5,)) if one[0]["pitch"] == [128, 128] and one[0]["window"] == 1
    ]
    assert abs(cycles / sum(each) - 1) < 0.005, case
