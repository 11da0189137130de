"""Threads that begin at the same moment.

`python3 -m tests.support.together`: many threads at once are the first to use the package.
"""

import importlib
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

THREADS = 8


def together(work: Callable[[int], Any], threads: int = THREADS) -> list[Any]:
    """What `work` gives to each of several threads; raises what the first that failed raised."""
    start = threading.Barrier(threads)
    answers: list[Any] = [None] * threads
    errors: list[BaseException] = []

    def run(me: int) -> None:
        try:
            start.wait()
            answers[me] = work(me)
        except BaseException as error:
            errors.append(error)

    started = [threading.Thread(target=run, args=(me,)) for me in range(threads)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()
    if errors:
        raise errors[0]
    return answers


def first_use() -> None:
    """Import and first calls in all threads at once; a text is one object in all."""
    texts = [f"ldmatrix.sync.aligned.m8n8.x{num}.shared.b16" for num in (1, 2, 4)]

    def work(_: int) -> Any:
        ws = importlib.import_module("warpsim")
        ops = [ws.parse(text) for text in texts]
        address = np.arange(3200, dtype=np.uint32).reshape(100, 32) * 16 % 1024
        shared = ws.SharedMemory(np.arange(1024).astype(np.uint8))
        found = [op.execute(shared, address, threads=2).registers.tolist() for op in ops]
        return [id(op) for op in ops], id(ws.arch("sm_90")), found

    answers = together(work)
    assert all(answer == answers[0] for answer in answers)
    print(f"{len(answers)} threads began at once")


if __name__ == "__main__":
    first_use()
