"""Calls of C code that does not look for Ctrl-C: they run on a thread, and the caller waits where Ctrl-C ends it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar

Answer = TypeVar("Answer")
LOOKS_SECONDS = 0.1  # where waiting itself cannot be interrupted, as on Windows


def interruptible(work: Callable[[], Answer]) -> Answer:
    """What `work` gives, or raises.

    After Ctrl-C it goes on to its end, which the process waits for, and what it gives is dropped.
    Signals come to the main thread alone: the others call it directly.
    """
    if threading.current_thread() is not threading.main_thread():
        return work()
    given: list[Any] = []
    raised: list[BaseException] = []
    ended = threading.Event()

    def run() -> None:
        try:
            given.append(work())
        except BaseException as error:
            raised.append(error)
        finally:
            ended.set()

    threading.Thread(target=run, name="warpsim").start()  # no daemon: a library must not be unloaded under it
    while not ended.wait(LOOKS_SECONDS):
        pass
    if raised:
        raise raised.pop()
    answer: Answer = given.pop()
    return answer
