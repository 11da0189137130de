"""Ten thousand main loops swept: over a cluster, with a worker killed, and killed as a whole."""

from __future__ import annotations

import json
import math
import signal
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import warpsim as ws
from tests.support import sweep_workers as workers
from tests.support.columns import same
from tests.support.evidence import compared
from tests.support.killing import Job, calls, finished, worker_killed_after

pytestmark = pytest.mark.slow

GRID: dict[str, list[Any]] = {
    "m": [32, 64, 96, 128, 160],
    "n": [32, 64, 96, 128, 160],
    "k": [16, 32],
    "pad": [0, 8, 16, 24],
    "stages": [0, 1, 2, 3, 4],
    "trans_b": [False, True],
    "swizzle": list(range(len(workers.SWIZZLES))),
}
POINTS = math.prod(len(values) for values in GRID.values())


@pytest.fixture(scope="module")
def serial() -> dict[str, Any]:
    columns = ws.sweep(workers.main_loop, GRID)
    assert POINTS == 10_000 and len(columns["cycles"]) == POINTS
    assert {"store_wavefronts", "load_wavefronts", "bound", "tensor_fraction"} <= set(columns)
    return columns


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with workers.cluster() as client:
        yield client


def test_main_loops_over_a_cluster_equal_the_serial_ones(
    serial: dict[str, Any], cluster: Any
) -> None:
    columns = ws.sweep(workers.main_loop, GRID, executor=cluster.get_executor())
    assert same(columns, serial)
    compared("main loops through a cluster", POINTS, at_least=10_000)


def test_main_loops_with_a_worker_killed_equal_the_serial_ones(
    serial: dict[str, Any], cluster: Any, tmp_path: Path
) -> None:
    log, file = tmp_path / "log", tmp_path / "done"
    function = partial(workers.main_loop, log=str(log))
    with worker_killed_after(log, 3000) as killed:
        columns = ws.sweep(function, GRID, executor=cluster.get_executor(), checkpoint=file)
    assert len(killed) == 1
    assert same(columns, serial)
    assert len(finished(file)) == POINTS
    compared("main loops after a worker was killed", POINTS, at_least=10_000)


def test_main_loops_killed_as_a_whole_and_begun_again_lose_and_repeat_nothing(
    serial: dict[str, Any], tmp_path: Path
) -> None:
    log, file = tmp_path / "log", tmp_path / "done"
    function = f"{workers.__name__}:{workers.main_loop.__name__}"
    job = Job(function, GRID, file, {"log": str(log)}, "processes")
    ended = job.stopped_after(log, 4000, signal.SIGKILL, group=True)
    assert ended.status == -signal.SIGKILL
    done = {tuple(json.loads(point)[name] for name in GRID) for point in finished(file)}
    before = len(calls(log))
    columns = job.finished()
    again = Counter(what for _, what in calls(log)[before:])
    assert len(done) >= 1000 and len(again) == POINTS - len(done)
    assert not {str(point) for point in done} & set(again), "what was finished is not repeated"
    assert set(again.values()) == {1}
    assert list(columns) == list(serial)
    assert all(columns[name] == serial[name].tolist() for name in columns)
    compared("main loops after the sweep was killed", POINTS, at_least=10_000)
