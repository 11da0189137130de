"""What csrc/include/warpsim/loop/pipeline_memory.h says of loads and copies, against the clock of a GPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import warpsim as ws
from docs.make.cost_evidence import device

#: cycles from a load's issue until its warp has read the clock again, where nothing is before it, at most
ALONE = 70


def cases(**wanted: int) -> list[dict[str, Any]]:
    found = [case for case in device("queues")["cases"] if wanted.items() <= case.items()]
    assert found, wanted
    return found


def data(case: dict[str, Any]) -> list[int]:
    """When the data of each warp's first load were there, in order."""
    return sorted(at[-1] for at in case["at"])


@pytest.mark.parametrize(("load_pitch", "wavefronts"), [(64, 16), (128, 32)])
def test_two_loads_at_once_take_two_cycles_per_wavefront(load_pitch: int, wavefronts: int) -> None:
    for warps in (2, 3, 4):
        (case,) = cases(warps=warps, copies=0, loads=1, load_pitch=load_pitch)
        found = np.array(data(case)) - data(case)[0]
        expected = 2 * wavefronts * (np.arange(warps) // 2)
        assert (abs(found - expected) <= 4).all(), (case, expected)


def wavefronts(case: dict[str, Any]) -> float:
    """Of a copy, in the mean."""
    pieces = np.arange(case["copies"] * case["warps"] * 32).reshape(-1, 32)
    in_row = case["row"] // 16
    places = pieces // in_row * (case["row"] + case["pad"]) + pieces % in_row * 16
    return float(ws.CpAsync(size=16).traffic(places, source=pieces.astype(np.uint64) * 16).wavefronts.mean())


def test_loads_wait_until_the_copies_before_them_are_in_the_queue() -> None:
    """When the last load goes, about ten copies are still before the stage of their addresses, however many there were:
    it waits for its own sub-partition's copies to enter, not for all of them to leave."""
    compared = []
    for case in cases(loads=1):
        if case["warps"] > 4 or case["warps"] * case["copies"] < 24 or case["pad"] == 0:
            continue
        first = min(at[1] for at in case["at"])
        stage = case["warps"] * case["copies"] * wavefronts(case)
        compared.append((first + stage - (data(case)[-1] - ALONE)) / wavefronts(case))
    print(f"{len(compared)} lists of copies and loads compared: {np.round(compared, 1)}")
    assert len(compared) >= 12
    assert min(compared) > 7 and max(compared) < 15 and 9 < np.median(compared) < 13


def test_a_full_queue_stops_the_warp() -> None:
    """Of twelve copies of each of four warps the first five are issued at once, the last at the pace of the stage."""
    for case in cases(warps=4, copies=12, loads=1, pad=16):
        between = np.diff([at[1:13] for at in case["at"]], axis=1)
        assert (between[:, :4] <= 12).all() and (between[:, -1] > 2 * wavefronts(case)).all(), case
