"""Calls of C code that does not look for Ctrl-C: they run on a thread, and the caller waits where Ctrl-C ends it."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Any, TypeVar

Answer = TypeVar("Answer")
LOOKS_SECONDS = 0.1  # where waiting itself cannot be interrupted, as on Windows
MOST_LEFT = 4  # each may hold a GiB

_left: list[threading.Event] = []  # of calls that Ctrl-C ended, and that go on
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_left.clear)  # there they go on no more


def _wait(ended: threading.Event) -> None:
    while not ended.wait(LOOKS_SECONDS):
        pass


def interruptible(work: Callable[[], Answer], cancel: Callable[[], object] | None = None) -> Answer:
    """What `work` gives, or raises.

    After Ctrl-C it goes on to its end, and what it gives is dropped. Where MOST_LEFT go on so, the next call waits for
    one of them first. Signals come to the main thread alone: the others call it directly.

    The process does not wait for what goes on: the core reads and writes only memory that this thread's own objects
    hold, which Python does not free at its end, and it ends for good where it asks for Python again. Another library
    tears down what it still works on when the process ends: such a call has a `cancel`, which asks it to end, and is
    waited for.
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

    _left[:] = [one for one in _left if not one.is_set()]
    if len(_left) >= MOST_LEFT:
        _wait(_left[0])
    threading.Thread(target=run, name="warpsim", daemon=cancel is None).start()
    try:
        _wait(ended)
    except BaseException:
        if cancel is not None:
            cancel()
        _left.append(ended)
        raise
    if raised:
        raise raised.pop()
    answer: Answer = given.pop()
    return answer
