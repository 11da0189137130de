"""Killing workers and whole runs in the middle, at a place that a log of calls tells.

The functions that run write one line a call to a log (`workers.note_call`).
"""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.process import begun
from tests.sweep import workers

PATIENCE_SECONDS = 60.0


def calls(log: Path) -> list[tuple[int, str]]:
    """(pid, what) of every call so far."""
    if not log.exists():
        return []
    lines = log.read_text().splitlines()
    return [(int(pid), what) for pid, what in (line.split(" ", 1) for line in lines)]


def wait_until(condition: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.005)


@contextmanager
def worker_killed_after(log: Path, count: int) -> Iterator[list[int]]:
    """SIGKILLs the process of the last call once there were `count`; gives the pids killed."""
    killed: list[int] = []

    def kill() -> None:
        wait_until(lambda: len(calls(log)) >= count, f"{count} calls")
        pid, _ = calls(log)[-1]
        assert pid != os.getpid()
        os.kill(pid, signal.SIGKILL)
        killed.append(pid)

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        yield killed
    finally:
        thread.join()


@dataclass(frozen=True)
class Ended:
    group: int
    status: int
    errors: str


@dataclass(frozen=True)
class Job:
    """A sweep in a process of its own (see workers.main)."""

    function: str
    grid: dict[str, list[Any]]
    checkpoint: Path
    bound: dict[str, Any]
    executor: str = "serial"

    def start(self) -> AbstractContextManager[subprocess.Popen[str]]:
        text = json.dumps({**vars(self), "checkpoint": str(self.checkpoint)})
        return begun(sys.executable, "-m", workers.__name__, text)

    def stopped_after(self, log: Path, count: int, by: signal.Signals, *, group: bool) -> Ended:
        """Sends the signal `by` to it, or to its whole group, at the log's next `count` calls."""
        before = len(calls(log))
        with self.start() as process:
            wait_until(lambda: len(calls(log)) >= before + count, f"{count} calls")
            assert process.poll() is None, "it had ended before it was stopped"
            (os.killpg if group else os.kill)(process.pid, by)
            _, errors = process.communicate(timeout=PATIENCE_SECONDS)
        return Ended(process.pid, process.returncode, errors)

    def finished(self) -> dict[str, list[Any]]:
        """Its columns."""
        with self.start() as process:
            out, err = process.communicate(timeout=PATIENCE_SECONDS)
        assert process.returncode == 0, err
        columns: dict[str, list[Any]] = json.loads(out)
        return columns


def living(group: int) -> list[int]:
    """Processes of a group, those that only wait to be reaped left out."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, of_group = stat.read_text().rpartition(")")[2].split()[:3]
        except OSError:  # it has ended meanwhile
            continue
        if int(of_group) == group and state not in "ZX":
            found.append(int(stat.parent.name))
    return found


def finished(file: Path) -> dict[str, Any]:
    """Point -> result, as JSON, of all that a checkpoint holds."""
    connection = sqlite3.connect(file)
    rows = connection.execute("SELECT point, result FROM points").fetchall()
    connection.close()
    return {point: json.loads(result) for point, result in rows}


def finished_x(file: Path) -> set[int]:
    """The points of a sweep over x, after a check of their results."""
    done = {json.loads(point)["x"]: row for point, row in finished(file).items()}
    assert all(row == {"result": x * x} for x, row in done.items())
    return set(done)
