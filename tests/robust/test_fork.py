"""Processes that are made after the threads have worked: they compute, and end."""

import multiprocessing
import os
import re
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support import launches
from tests.support.evidence import compared
from tests.support.paths import PACKAGE
from tests.support.process import ended, forked
from tools import records
from warpsim.kernel import pieces
from warpsim.threads.once import cached_property

X4 = ws.Ldmatrix(num=4)
METHODS = [name for name in ("fork", "forkserver", "spawn") if name in multiprocessing.get_all_start_methods()]
PATIENCE_SECONDS = 120.0
FORKS = 20


def answer(threads: int, n: int = 3000) -> int:
    memory = ws.SharedMemory(np.arange(2048, dtype=np.uint16))
    address = np.ascontiguousarray(np.broadcast_to(np.arange(32) * 16, (n, 32)), np.uint32)
    result = X4.execute(memory, address, threads=threads)
    return int(result.registers.sum(dtype=np.uint64)) + int(result.traffic.wavefronts.sum())


def both() -> list[int]:
    return [answer(1), answer(8), answer(2)]


@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
@pytest.mark.parametrize("method", METHODS)
def test_a_process_of_any_kind_computes_after_its_parent_did(method: str) -> None:
    expected = [answer(1)] * 3
    assert both() == expected
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.apply_async(both).get(PATIENCE_SECONDS) == expected
        pool.close()
        pool.join()
    assert both() == expected


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
def test_fork_in_the_midst_of_a_batch_of_another_thread() -> None:
    expected, stop = answer(1), threading.Event()
    wrong: list[Any] = []

    def work() -> None:
        while not stop.is_set():
            if answer(8, 20_000) <= 0:
                wrong.append("no answer")

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(FORKS):
            assert forked(lambda: both() == [expected] * 3)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert not wrong and both() == [expected] * 3
    compared("forks while threads work", FORKS, at_least=20)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
def test_a_child_of_a_child_computes() -> None:
    expected = [answer(8)] * 3
    assert forked(lambda: forked(lambda: both() == expected) and both() == expected)


def launched(threads: int) -> list[Any]:
    return [ask(threads=threads) for ask in launches.LAUNCHES.values()]


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
def test_children_launch_after_a_launch_of_threads_in_any_order() -> None:
    expected = launched(1)
    count = 0
    for mine, theirs in ((1, 2), (2, 1), (2, 2), (4, 3), (8, 2)):
        assert launched(mine) == expected
        for _ in range(2):
            assert forked(lambda theirs=theirs: launched(theirs) == expected)
            count += 1
    assert forked(lambda: forked(lambda: launched(2) == expected) and launched(3) == expected)
    compared("forks after launches of threads", count + 2, at_least=12)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_children_launch_while_other_threads_launch() -> None:
    """A fork comes at any moment: in the midst of a launch, of its threads' beginning and of their end.

    In a process of its own: what other tests leave here is as much memory as some machines have.
    """
    run = ended(sys.executable, "-m", "tools.launching.forks", "--count", str(FORKS), "--seed", "0")
    assert run.returncode == 0, run.stderr
    compared("forks while threads launch", int(records.figures_in(run.stdout)["forks"]), at_least=FORKS)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
def test_a_child_that_hangs_says_where(capfd: pytest.CaptureFixture[str]) -> None:
    """pytest's own timer runs here: a child that set another one would hang of it, and had."""
    with pytest.raises(AssertionError, match="the child hangs"):
        forked(lambda: threading.Event().wait(PATIENCE_SECONDS), seconds=0.5)
    assert "Fatal Python error: Aborted" in (said := capfd.readouterr().err) and "in wait" in said


class Slow:
    """What is computed once, and takes long where `go` is not set."""

    def __init__(self, begun: threading.Event, go: threading.Event) -> None:
        self.begun, self.go = begun, go

    @cached_property
    def value(self) -> int:
        self.begun.set()
        assert self.go.wait(PATIENCE_SECONDS)
        return 7


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
def test_a_fork_while_another_thread_computes_leaves_nothing_locked() -> None:
    """The lock that functools holds for all objects of a class made a child of a launch hang."""
    slow, quick = Slow(threading.Event(), threading.Event()), Slow(threading.Event(), threading.Event())
    quick.go.set()
    thread = threading.Thread(target=lambda: slow.value)
    thread.start()
    try:
        assert slow.begun.wait(PATIENCE_SECONDS)
        assert forked(lambda: quick.value == 7)
    finally:
        slow.go.set()
        thread.join()
    assert slow.value == quick.value == 7 and slow.__dict__["value"] == 7


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
def test_a_fork_while_a_piece_begins_leaves_no_lock_held() -> None:
    with pieces._here.lock, ThreadPoolExecutor(1) as pool:
        assert pool.submit(lambda: forked(lambda: pieces.stop("none") is None)).result(PATIENCE_SECONDS)


def test_no_property_of_the_package_holds_a_lock_while_it_computes() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")}
    assert [path.name for path, text in texts.items() if re.search(r"functools import .*cached_property", text)] == []
    compared("files without properties that lock", len(texts), at_least=100)


class Twice:
    """Its property is computed again before it has been computed."""

    def __init__(self) -> None:
        self.times = 0

    @cached_property
    def value(self) -> int:
        self.times += 1
        mine = self.times
        assert mine > 1 or self.value == 2
        return mine


def test_the_first_value_of_a_property_stays() -> None:
    twice = Twice()
    assert [twice.value, twice.value, twice.times] == [2, 2, 2]


assert sys.platform == "win32" or "fork" in METHODS
