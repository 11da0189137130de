"""Work that other processes do and nobody waits for any more: a file that appears tells those of this machine.

A process of a pool hears nothing of Ctrl-C in the one that sent it work. No file is made unless work is recalled; where
none can be made, the others work to their end. One that was made by the sender also looks whether the sender lives.
"""

from __future__ import annotations

import atexit
import multiprocessing
import os
import tempfile
import threading
import time
import uuid
from collections import deque
from contextlib import suppress

MOST_FILES = 64  # the oldest is removed then, the others when this process ends
LOOKS_SECONDS = 0.02


class _Made:
    """The files of this process; not those of the process that it is a fork of."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        self.lock = threading.Lock()
        self.paths: deque[str] = deque()

    def add(self, path: str) -> None:
        with self.lock:
            self.paths.append(path)
            old = [self.paths.popleft() for _ in range(len(self.paths) - MOST_FILES)]
        self.remove(old)

    def remove(self, paths: list[str]) -> None:
        for path in paths:
            with suppress(OSError):
                os.unlink(path)


_made = _Made()
atexit.register(lambda: _made.remove(list(_made.paths)))
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_made.begin)


def place() -> str:
    """A path that nobody else has, for the file; a bare name if no folder takes temporary files."""
    name = f"warpsim-{uuid.uuid4().hex}"
    try:
        return os.path.join(tempfile.gettempdir(), name)
    except OSError:
        return name


def recall(path: str) -> None:
    """Tells whoever works at it."""
    if not os.path.dirname(path):
        return
    with suppress(OSError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        _made.add(path)


class Recalled:
    """Called often: is it recalled, or has its sender ended that made this process? It looks every LOOKS_SECONDS."""

    def __init__(self, path: str, sender: int) -> None:
        self._path = path
        parent = multiprocessing.parent_process()
        self._sender = parent if parent is not None and parent.pid == sender else None
        self._next = 0.0
        self._is_recalled = False

    def __call__(self) -> bool:
        now = time.monotonic()
        if not self._is_recalled and now >= self._next:
            self._next = now + LOOKS_SECONDS
            is_there = bool(os.path.dirname(self._path)) and os.path.exists(self._path)
            self._is_recalled = is_there or (self._sender is not None and not self._sender.is_alive())
        return self._is_recalled
