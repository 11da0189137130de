"""Programs that tests and campaigns run."""

import faulthandler
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.support.paths import ROOT

#: where the programs of this environment are: pip's, pytest's, twine's
BIN = Path(sys.executable).parent
MOST_SECONDS = 3000  # what hangs is an error
MOST_FORK_SECONDS = 120.0
STDERR = 2


def forked(work: Callable[[], object], seconds: float = MOST_FORK_SECONDS) -> bool:
    """Does a fork of this process do the work, so that it is true? Whatever happens there, it ends there.

    A child that hangs says where: SIGABRT asks it, since faulthandler's timer waits in a child for the thread that its
    parent's timer had.
    """
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            faulthandler.enable(STDERR)
            status = 0 if work() else 1
        finally:
            os._exit(status)
    status = _status(pid, seconds)
    if status is None:
        os.kill(pid, signal.SIGABRT)
        if _status(pid, 10) is None:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        raise AssertionError("the child hangs")
    return os.waitstatus_to_exitcode(status) == 0


def _status(pid: int, seconds: float) -> int | None:
    """How a child ended; None if it has not after so long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return status
        time.sleep(0.005)
    return None


@contextmanager
def begun(*command: str | Path) -> Iterator[subprocess.Popen[str]]:
    """A program that runs, in a group of its own: an error kills the group, since Popen waits forever."""
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:  # fmt: skip
        try:
            yield process
        except BaseException:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            raise


def ended(
    *command: str | Path, cwd: Path = ROOT, input: str | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """A program that has ended, with its status and what it printed."""
    path = os.pathsep.join((str(BIN), os.environ["PATH"]))
    return subprocess.run(
        command, cwd=cwd, env={**os.environ, "PATH": path, **environment}, check=False, input=input,
        capture_output=True, text=True, errors="replace", timeout=MOST_SECONDS,
    )  # fmt: skip


def run(*command: str | Path, cwd: Path = ROOT, input: str | None = None, **environment: str) -> str:
    """What the program prints; it must succeed, and what it said is in the error if it does not."""
    done = ended(*command, cwd=cwd, input=input, **environment)
    if done.returncode:
        words = shlex.join(map(str, command))
        raise RuntimeError(f"{words}\n{done.stdout[-6000:]}{done.stderr[-6000:]}")
    return done.stdout
