"""The map through an executor: in order, in few tasks, and stopped at any time."""

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import warpsim as ws
from tests.sweep import workers
from tests.sweep.killing import calls, finished_x, wait_until
from warpsim.sweep import fanout


class Recorder(Executor):
    """Runs tasks when asked to, and notes how many were waiting."""

    def __init__(self, most_at_once: int = 1) -> None:
        self.tasks = self.most_waiting = 0
        self.waiting: list[tuple[Future[Any], Callable[[], Any]]] = []
        self.threads = ThreadPoolExecutor(most_at_once)

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.tasks += 1
        future = self.threads.submit(function, *args, **kwargs)
        self.waiting = [task for task in self.waiting if not task[0].done()]
        self.waiting.append((future, function))
        self.most_waiting = max(self.most_waiting, len(self.waiting))
        return future


def test_ordered_map_of_many_items_takes_few_tasks() -> None:
    executor = Recorder()
    kept: list[int] = []
    values = fanout.ordered_map(abs, range(10_000), executor=executor, keep=lambda begin, new: kept.extend(new))
    assert values == list(range(10_000)) and sorted(kept) == values
    assert executor.tasks < 1000
    assert executor.most_waiting <= fanout.MOST_IN_FLIGHT


def test_ordered_map_chunk_is_the_most_items_a_task_has() -> None:
    executor = Recorder()
    assert fanout.ordered_map(abs, range(100), executor=executor, chunk=30) == list(range(100))
    assert executor.tasks == 4
    with pytest.raises(ValueError, match="chunk: expected 1 or more, got 0"):
        fanout.ordered_map(abs, [1], chunk=0)


def test_ordered_map_slow_chunk_comes_back_and_the_rest_goes_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fanout, "MOST_CHUNK_SECONDS", 0.0)
    executor = Recorder(2)
    assert fanout.ordered_map(abs, range(50), executor=executor, chunk=20) == list(range(50))
    assert executor.tasks == 50


class Never(Executor):
    """Finishes the first task and leaves all others waiting."""

    def __init__(self) -> None:
        self.futures: list[Future[Any]] = []

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.futures.append(Future())
        if len(self.futures) == 1:
            self.futures[0].set_result(function())
        return self.futures[-1]


class Faulty(Executor):
    """Runs tasks at once, but answers the first few with an error of its own."""

    def __init__(self, faults: int, error: BaseException) -> None:
        self.tasks, self.faults, self.error = 0, faults, error

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.tasks += 1
        future: Future[Any] = Future()
        if self.tasks <= self.faults:
            future.set_exception(self.error)
        else:
            future.set_result(function())
        return future


def test_ordered_map_retries_a_chunk_that_the_executor_failed() -> None:
    executor = Faulty(fanout.MOST_FORGIVEN, TypeError("cannot unpack"))
    assert fanout.ordered_map(abs, range(-100, 0), executor=executor) == list(range(100, 0, -1))
    assert executor.tasks > fanout.MOST_FORGIVEN


@pytest.mark.parametrize(
    ("faults", "error"),
    [
        (fanout.MOST_FORGIVEN + 1, TypeError("cannot unpack")),
        (1, BrokenExecutor("a worker died")),
        (1, KeyboardInterrupt()),
    ],
)
def test_ordered_map_raises_what_an_executor_goes_on_with(faults: int, error: BaseException) -> None:
    with pytest.raises(type(error)):
        fanout.ordered_map(abs, [-1], executor=Faulty(faults, error))


@pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError])
def test_ordered_map_interrupted_cancels_what_waits(error: type[BaseException]) -> None:
    executor = Never()

    def interrupted(done: int, total: int) -> None:
        if done:
            raise error

    kept: list[int] = []
    with pytest.raises(error):
        fanout.ordered_map(
            abs, range(20), executor=executor, progress=interrupted, keep=lambda begin, new: kept.extend(new)
        )
    assert len(executor.futures) == fanout.FIRST_IN_FLIGHT
    assert all(future.cancelled() for future in executor.futures[1:]) and 0 in kept


def test_ordered_map_interrupt_while_it_keeps_keeps_all_the_same() -> None:
    kept: list[list[int]] = []

    def keep(begin: int, new: list[int]) -> None:
        kept.append(new)
        if len(kept) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fanout.ordered_map(abs, range(5), keep=keep)
    assert kept == [[0], [1], [1]]


def test_worker_that_dies_after_an_interrupt_takes_the_others_along(tmp_path: Path) -> None:
    log, before = tmp_path / "log", set(multiprocessing.active_children())
    points = [{"x": x, "seconds": 300.0 * (x > 0)} for x in range(20)]

    def interrupted(done: int, total: int) -> None:
        if done:
            raise KeyboardInterrupt

    with workers.processes() as pool:
        with pytest.raises(KeyboardInterrupt):
            ws.sweep(partial(workers.logged, log=str(log)), points, executor=pool, progress=interrupted)
        wait_until(lambda: len(calls(log)) == 3, "both workers to be busy")
        os.kill(calls(log)[-1][0], signal.SIGKILL)
    left = set(multiprocessing.active_children()) - before
    for process in left:
        process.kill()
    assert not left


@pytest.mark.parametrize("kind", ["threads", "processes"])
def test_pool_shut_down_with_work_waiting_is_an_error_and_the_rest_is_kept(kind: str, tmp_path: Path) -> None:
    grid, log, file = {"x": range(40)}, str(tmp_path / "log"), tmp_path / "done"
    function = partial(workers.logged, log=log, seconds=0.05)
    with workers.executor_of(kind) as pool:
        assert pool is not None

        def shut(done: int, total: int) -> None:
            if done:
                threading.Thread(target=partial(pool.shutdown, wait=False, cancel_futures=True)).start()

        with pytest.raises(
            RuntimeError, match=r"executor: it was shut down.*pass a live executor to continue"
        ) as caught:
            ws.sweep(function, grid, executor=pool, checkpoint=file, progress=shut)
        assert "picklable" not in str(caught.value) and not hasattr(caught.value, "__notes__")
    kept = finished_x(file)
    assert kept and len(kept) < 40
    assert ws.sweep(function, grid, checkpoint=file)["result"].tolist() == [x * x for x in range(40)]


def test_executor_that_is_shut_down_already_is_an_error_that_says_so() -> None:
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with pytest.raises(RuntimeError, match="executor: it was shut down"):
        ws.sweep(abs_of, {"x": [1]}, executor=pool)


class Cancelling(Never):
    """Cancels what is sent, without a word to those who wait."""

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future = super().submit(function, *args, **kwargs)
        future.cancel()
        return future


def test_executor_that_cancels_is_an_error_that_says_so() -> None:
    with pytest.raises(RuntimeError, match="its work was cancelled, before items 1 to 1 of 20"):
        fanout.ordered_map(abs, range(20), executor=Cancelling())


def test_future_that_gives_something_else_is_an_error_of_the_executor() -> None:
    class Other(Executor):
        def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            future: Future[Any] = Future()
            future.set_result(5)
            return future

    with pytest.raises(TypeError, match="executor: expected one whose futures give what the task returns; got int"):
        fanout.ordered_map(abs, [1], executor=Other())


def test_progress_bar_is_drawn_on_a_terminal_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []

    class Terminal:
        encoding = "utf-8"

        def __init__(self, is_one: bool) -> None:
            self.isatty = lambda: is_one
            self.write = drawn.append
            self.flush = lambda: None

    for is_one, progress, expected in ((True, None, True), (True, False, False), (False, None, 0)):
        drawn.clear()
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stderr", Terminal(is_one))
            patch.setenv("TERM", "xterm")
            ws.sweep(abs_of, {"x": range(-7, 0)}, progress=progress)  # type: ignore[arg-type]
        assert ("7/7" in "".join(drawn)) == bool(expected)


def abs_of(x: int) -> int:
    return abs(x)
