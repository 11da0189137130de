"""Processes that are made after the threads have worked: they compute, and end."""

import multiprocessing
import os
import sys
import threading
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.support.process import forked

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


assert sys.platform == "win32" or "fork" in METHODS
