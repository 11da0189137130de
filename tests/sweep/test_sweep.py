"""ws.sweep: the same rows in the same order, whatever runs them and whatever is killed."""

import enum
import itertools
import math
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import warpsim as ws
from tests.support.evidence import compared
from tests.sweep import workers
from tests.sweep.columns import holds, same
from tests.sweep.killing import Job, calls, finished, finished_x, living, wait_until, worker_killed_after

GRID = {"pad": [0, 8, 16, 24], "rows": [16, 32], "cols": [64, 128, 256]}
LOGGED = f"{workers.__name__}:logged"


@pytest.fixture(scope="module")
def serial() -> dict[str, Any]:
    return ws.sweep(workers.conflicts, GRID)


def test_sweep_of_two_names_is_their_product_last_fastest() -> None:
    columns = ws.sweep(lambda a, b: a * 10 + b, {"a": [1, 2], "b": (3, 4, 5)})
    assert {name: column.tolist() for name, column in columns.items()} == {
        "a": [1, 1, 1, 2, 2, 2],
        "b": [3, 4, 5, 3, 4, 5],
        "result": [13, 14, 15, 23, 24, 25],
    }
    assert all(column.ndim == 1 for column in columns.values())


def test_sweep_of_points_keeps_their_order_and_repeats() -> None:
    points = [{"x": 3, "y": 1}, {"y": 2, "x": 1}, {"x": 3, "y": 1}]
    columns = ws.sweep(lambda x, y: {"sum": x + y, "big": x > y}, points)
    assert list(columns) == ["x", "y", "sum", "big"]
    assert columns["sum"].tolist() == [4, 3, 4] and columns["big"].dtype == np.bool_


def test_sweep_takes_what_wavefronts_are_known(serial: dict[str, Any]) -> None:
    assert list(serial)[:3] == list(GRID) and "wavefronts" in serial and len(serial["pad"]) == 24
    assert "schema" not in serial and "inexact" not in serial
    rows_of_128_bytes = (serial["pad"] == 0) & (serial["cols"] == 64)
    assert serial["wavefronts"][rows_of_128_bytes].tolist() == [64, 64]  # two x4, 8-way each
    padded_by_16_bytes = serial["pad"] == 8
    assert not serial["bank_conflicts"][padded_by_16_bytes].any()


def note_progress(seen: list[tuple[int, int]], done: int, total: int) -> None:
    seen.append((done, total))


@pytest.mark.parametrize("grid", [{}, [], {"x": []}, {"x": [], "y": [1]}])
def test_sweep_of_nothing_is_empty_columns(grid: Any, tmp_path: Path) -> None:
    for file in (None, tmp_path / "done"):
        seen: list[tuple[int, int]] = []
        note = partial(note_progress, seen)
        columns = ws.sweep(workers.echo, grid, progress=note, checkpoint=file)
        assert list(columns) == list(grid) and all(c.shape == (0,) for c in columns.values())
        assert seen == [(0, 0)]


class Stage(enum.IntEnum):
    TWO = 2


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        ([True, False], np.bool_),
        ([1, -(2**63)], np.int64),
        ([0, 2**64 - 1], np.uint64),
        ([-1, 2**63], object),
        ([2**70], object),
        ([1, 2.5, math.inf], np.float64),
        ([2**53 + 1, 0.5], object),
        ([True, 1], object),
        (["a", "bcd"], "<U3"),
        (["nul\0"], object),
        ([None, 1], object),
        ([np.float32(0.1), np.int8(3)], np.float64),
        ([np.array(7), np.uint64(2**63)], np.uint64),
        ([(1, 2), (3, 4)], object),
        ([[1, 2], [3, 4]], object),
    ],
)
def test_columns_hold_values_exactly(values: list[Any], dtype: Any) -> None:
    columns = ws.sweep(lambda x: None, {"x": values})
    expected = [value.item() if hasattr(value, "dtype") else value for value in values]
    assert columns["x"].dtype == np.dtype(dtype)
    assert columns["x"].tolist() == expected


def test_results_may_be_numpy_scalars_and_enums() -> None:
    columns = ws.sweep(lambda x: {"a": np.float32(x), "b": Stage.TWO}, {"x": np.arange(2)})
    assert columns["a"].dtype == np.float64 and columns["b"].dtype == np.int64


def test_points_reach_the_function_as_python_values() -> None:
    seen: list[Any] = []

    def note_point(x: Any) -> None:
        seen.append(x)

    layout = ws.Layout(16, 64, "f16")
    ws.sweep(note_point, {"x": [np.int16(4), np.bool_(True), Stage.TWO, layout]})
    assert [type(value) for value in seen] == [int, bool, Stage, ws.Layout]
    assert seen[3] is layout


class Report:
    def __init__(self, **entries: Any) -> None:
        self.entries = entries

    def to_dict(self) -> dict[str, Any]:
        return {"schema": "test/1", **self.entries}


def test_reports_give_their_scalars_as_columns() -> None:
    columns = ws.sweep(lambda x: Report(x=x, cycles=x / 2, parts={"a": 1}, all=[1]), {"x": [1, 2]})
    assert list(columns) == ["x", "cycles"] and columns["cycles"].tolist() == [0.5, 1.0]
    with pytest.raises(ValueError, match=r"names that the grid does not have, got \['x'\]"):
        ws.sweep(lambda x: Report(x=x + 1), {"x": [1]})


@pytest.mark.parametrize(
    ("grid", "error", "words"),
    [
        (None, TypeError, "grid: expected a dict of name -> values or a list of dicts"),
        ("ab", TypeError, "grid: .* got str"),
        ({"x": 3}, TypeError, "grid: expected a sequence of values for x, got int"),
        ({"x": "ab"}, TypeError, "for x, got str"),
        ({"x": {1, 2}}, TypeError, "for x, got set"),
        ({1: [2]}, TypeError, "names that are strings, got 1"),
        ({"x": np.zeros((2, 2))}, ValueError, r"1-D array for x, got shape \(2, 2\)"),
        ([{"x": 1}, 3], TypeError, "expected dicts, got int as point 1"),
        ([{"x": 1}, {"y": 1}], ValueError, r"names \['x'\].* got \['y'\] in point 1"),
    ],
)
def test_grid_that_is_none_is_refused(grid: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        ws.sweep(workers.echo, grid)


@pytest.mark.parametrize(
    ("keywords", "words"),
    [
        ({"executor": 3}, "executor: expected None or an executor with submit.*got 3"),
        ({"executor": ThreadPoolExecutor}, "executor: expected"),
        ({"progress": True}, "progress: expected None, False or a function.*got True"),
        ({"checkpoint": 3}, "checkpoint: expected a path, got int"),
    ],
)
def test_keyword_of_wrong_type_is_refused(keywords: dict[str, Any], words: str) -> None:
    with pytest.raises(TypeError, match=words):
        ws.sweep(workers.echo, {"x": [1]}, **keywords)
    with pytest.raises(TypeError, match="function: expected a function, got int"):
        ws.sweep(3, {"x": [1]})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("function", "error", "words"),
    [
        (lambda x: [x], TypeError, "a scalar, a dict of scalars or a report.*got list"),
        (lambda x: 1j, TypeError, "got complex"),
        (lambda x: np.zeros(2), TypeError, "got ndarray of float64"),
        (lambda x: {"a": [x]}, TypeError, "name -> scalar, got list for 'a'"),
        (lambda x: {1: x}, TypeError, "for 1"),
        (lambda x: {"x": x}, ValueError, r"names that the grid does not have, got \['x'\]"),
        (lambda x: {"a": 1} if x else {"b": 1}, ValueError, r"\['b'\] at x=0 and \['a'\] at x=1"),
    ],
)
def test_result_that_makes_no_row_is_refused(function: Callable[..., Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        ws.sweep(function, {"x": [0, 1]})


class NotAnExecutor:
    def submit(self, function: Callable[[], Any]) -> object:
        return object()


def test_executor_with_other_futures_is_refused() -> None:
    with pytest.raises(TypeError, match="NotAnExecutor, which gives object"):
        ws.sweep(workers.echo, {"x": [1]}, executor=NotAnExecutor())  # type: ignore[arg-type]


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.text(st.characters(categories=["Cs", "Ll"]), max_size=3),
)
GRIDS = st.dictionaries(st.text(max_size=3), st.lists(SCALARS, max_size=4), max_size=3)


@pytest.mark.slow
def test_sweep_equals_a_plain_loop(tmp_path: Path) -> None:
    numbers = itertools.count()
    values = 0

    @settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
    @given(grid=GRIDS, threads=st.booleans(), kept=st.sampled_from([False, False, True]))
    def check(grid: dict[str, list[Any]], threads: bool, kept: bool) -> None:
        nonlocal values
        product = itertools.product(*grid.values()) if grid else ()
        points = [dict(zip(grid, chosen, strict=True)) for chosen in product]
        file = tmp_path / str(next(numbers)) if kept else None
        columns = ws.sweep(workers.echo, grid, executor=pool if threads else None, checkpoint=file)
        assert list(columns) == [*grid, *(f"got {name}" for name in grid if points)]
        for name, column in columns.items():
            assert holds(column, [point[name.removeprefix("got ")] for point in points])
            values += len(points)
        if points:
            assert same(ws.sweep(workers.echo, points, checkpoint=file), columns)

    with ThreadPoolExecutor(2) as pool:
        check()
    compared("values of sweeps against a plain loop", values, at_least=300)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Executor]:
    with workers.cluster() as client:
        yield client.get_executor()


@pytest.fixture(scope="module")
def pool() -> Iterator[Executor]:
    with workers.processes() as executor:
        yield executor


@pytest.fixture(scope="module")
def reusable() -> Iterator[Executor]:
    import loky

    executor = loky.get_reusable_executor(2, timeout=60)
    yield executor
    executor.shutdown(wait=True)


@pytest.fixture
def executor(request: pytest.FixtureRequest) -> Iterator[Executor]:
    if request.param == "threads":
        with ThreadPoolExecutor(3) as threads:
            yield threads
    else:
        yield request.getfixturevalue(request.param)


SLOW = pytest.mark.slow
NEEDS_MORE = [pytest.param(name, marks=SLOW) for name in ("reusable", "cluster")]
EVERY_KIND = pytest.mark.parametrize("executor", ["threads", "pool", *NEEDS_MORE], indirect=True)


@EVERY_KIND
def test_rows_are_the_same_through_every_executor(executor: Executor, serial: dict[str, Any], tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    note = partial(note_progress, seen)
    columns = ws.sweep(workers.conflicts, GRID, executor=executor, progress=note)
    assert same(columns, serial)
    assert seen == sorted(seen) and seen[0] == (0, 24) and seen[-1] == (24, 24)
    kept = ws.sweep(workers.conflicts, GRID, executor=executor, checkpoint=tmp_path / "done")
    assert same(kept, serial)
    layouts = [ws.Layout(16, 64, "f16", pad=pad) for pad in (0, 8)]
    layouts.append(ws.Layout(16, 64, "f16", swizzle=ws.Swizzle(3, 3, 3)))
    grid = {"layout": layouts, "op": [ws.Ldmatrix(num=num) for num in (1, 2, 4)]}
    alone = ws.sweep(workers.of_layout, grid, checkpoint=tmp_path / "layouts")
    assert same(ws.sweep(workers.of_layout, grid, executor=executor), alone)
    assert same(ws.sweep(workers.of_layout, grid, checkpoint=tmp_path / "layouts"), alone)
    assert alone["wavefronts"].tolist() == [8, 16, 32, 1, 2, 4, 1, 2, 4]
    compared("rows swept through executors", 2 * 24 + 9, at_least=57)


@EVERY_KIND
def test_exception_names_its_point_through_every_executor(executor: Executor, tmp_path: Path) -> None:
    function = partial(workers.fails_at, bad=30)
    file = tmp_path / "done"
    with pytest.raises(ws.HardwareTrap, match="no such tile") as caught:
        ws.sweep(function, {"x": range(60)}, executor=executor, checkpoint=file)
    assert caught.value.code == "CUDA_ERROR_MISALIGNED_ADDRESS"
    assert "sweep: at the point x=30" in caught.value.__notes__
    kept = finished(file)
    assert len(kept) >= 3, "chunks begin with one point, so that some must have come in"
    assert '{"x":30}' not in kept


def test_exception_that_cannot_travel_still_tells_what_it_was(pool: Executor) -> None:
    with pytest.raises(RuntimeError, match="UnpicklableError: odd 1") as caught:
        ws.sweep(workers.fails_oddly, {"x": [1]}, executor=pool)
    assert any("in fails_oddly" in note for note in caught.value.__notes__)


def test_function_that_cannot_travel_is_an_error_of_the_executor(pool: Executor) -> None:
    why = "Can't get local object" if sys.version_info[:2] == (3, 13) else "Can't pickle local object"
    with pytest.raises((AttributeError, TypeError, Exception), match=why) as caught:
        ws.sweep(lambda x: x, {"x": [1]}, executor=pool)
    assert any("must be picklable" in note for note in caught.value.__notes__)


@pytest.mark.slow
def test_worker_of_the_cluster_killed_changes_nothing(cluster: Executor, tmp_path: Path) -> None:
    log, xs = tmp_path / "log", range(60)
    function = partial(workers.logged, log=str(log), seconds=0.01)
    with worker_killed_after(log, 15) as killed:
        columns = ws.sweep(function, {"x": xs}, executor=cluster, checkpoint=tmp_path / "done")
    assert killed[0] in {pid for pid, _ in calls(log)}
    assert columns["result"].tolist() == [x * x for x in xs]
    assert finished_x(tmp_path / "done") == set(xs)
    compared("rows after a worker of the cluster was killed", len(xs), at_least=60)


@pytest.mark.parametrize("kind", ["pool", pytest.param("loky", marks=SLOW)])
def test_worker_process_killed_is_an_error_and_the_rest_is_kept(kind: str, tmp_path: Path) -> None:
    log, file = tmp_path / "log", tmp_path / "done"
    function = partial(workers.dies_once, bad=40, log=str(log))
    if kind == "pool":
        executor = workers.processes()
    else:
        import loky

        executor = loky.ProcessPoolExecutor(2)
    with executor, pytest.raises(BrokenExecutor, match="executor: a worker died"):
        ws.sweep(function, {"x": range(80)}, executor=executor, checkpoint=file)
    kept = set(finished(file))
    assert kept and '{"x":40}' not in kept
    again = ws.sweep(function, {"x": range(80)}, checkpoint=file)
    assert again["result"].tolist() == list(range(80))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["serial", "processes"])
def test_sweep_killed_and_begun_again_loses_and_repeats_nothing(kind: str, tmp_path: Path) -> None:
    log, file, xs = tmp_path / "log", tmp_path / "done", list(range(60))
    most = tmp_path / "log most"
    job = Job(f"{workers.__name__}:held", {"x": xs}, file, {"log": str(log)}, kind)
    for _ in range(2):
        most.write_text(str(len(calls(log)) + 20))
        ended = job.stopped_after(log, 20, signal.SIGKILL, group=True)
        assert ended.status == -signal.SIGKILL
        done = finished_x(file)
        called = [int(what) for _, what in calls(log)]
        assert done <= set(called) and len(done) >= (20 if kind == "serial" else 1) - 1
    most.unlink()
    before_last = len(calls(log))
    assert job.finished() == {"x": xs, "result": [x * x for x in xs]}
    last = [int(what) for _, what in calls(log)[before_last:]]
    assert sorted(last) == sorted(set(xs) - done), "finished points are not computed again"
    if kind == "serial":
        assert len(calls(log)) <= len(xs) + 2, "only the point of each kill is computed again"
    compared("rows after the sweep was killed", len(xs), at_least=60)


@pytest.mark.parametrize(("kind", "group"), [("serial", False), ("processes", False), ("processes", True)])
def test_sweep_interrupted_keeps_results_and_leaves_no_process(kind: str, group: bool, tmp_path: Path) -> None:
    log, file, xs = tmp_path / "log", tmp_path / "done", list(range(4000))
    job = Job(LOGGED, {"x": xs}, file, {"log": str(log), "seconds": 0.01}, kind)
    ended = job.stopped_after(log, 12, signal.SIGINT, group=group)
    assert ended.status == 130, ended.errors
    assert len(calls(log)) < len(xs)
    wait_until(lambda: not living(ended.group), "the workers to end")
    done = finished_x(file)
    assert done and done <= {int(what) for _, what in calls(log)}
    compared("rows kept after Ctrl-C", len(done), at_least=1)
