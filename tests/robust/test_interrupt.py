"""Ctrl-C ends long calls soon, and what comes after is right. The figures: tools/interrupts.py."""

import os
import signal
import statistics
import subprocess
import sys
import threading
import time

import pytest

from tests.support.evidence import compared
from tests.support.process import forked
from tools import interrupts
from warpsim.compile import toolkit
from warpsim.threads import patience
from warpsim.threads.patience import interruptible

pytestmark = pytest.mark.slow

#: far beyond what is promised (0.2 s), since a loaded machine may not run us for a while
PATIENCE_SECONDS = 2.0
CALLS = ("execute, threads=1", "execute, threads=8", "search by bytes", "lint, all wrong")


@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT is sent by os.kill")
@pytest.mark.parametrize("name", CALLS)
def test_ctrl_c_ends_a_long_call_soon(name: str) -> None:
    seconds = interrupts.delays(name, 3)
    assert statistics.median(seconds) < PATIENCE_SECONDS, seconds
    compared("calls that Ctrl-C ended", len(seconds), at_least=3)


@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT is sent by os.kill")
@pytest.mark.parametrize("name", interrupts.LAUNCHES)
def test_ctrl_c_ends_a_launch_soon(name: str) -> None:
    seconds = interrupts.delays(name, 2)
    assert min(seconds) < PATIENCE_SECONDS, seconds
    compared("launches that Ctrl-C ended", len(seconds), at_least=2)


#: a call that ends much later, and nothing after it
LASTING = {
    "of the core": "from tests.support.launches import lasting; lasting.parsed(1_000_000)()",
    "that looks at nothing": "patience.interruptible(lambda: ctypes.CDLL(None).sleep(60))",
}
if toolkit.nvrtc() is not None:
    LASTING["of NVRTC"] = "from tests.support.launches import lasting; lasting.compiled()()"
ENDED = """
import ctypes, os, signal, sys, threading, time
import warpsim as ws
from warpsim.threads import patience

def press():
    while not any(thread.name == "warpsim" for thread in threading.enumerate()):
        time.sleep(0.01)
    time.sleep(0.2)
    print(time.time(), flush=True)
    os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)
threading.Thread(target=press).start()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT is sent by os.kill")
@pytest.mark.parametrize("call", LASTING)
def test_ctrl_c_ends_the_process_too(call: str) -> None:
    """What goes on aside does not keep a process that has nothing else to do."""
    done = subprocess.run(
        [sys.executable, "-c", ENDED + LASTING[call]], capture_output=True, text=True, timeout=90, check=False,
    )  # fmt: skip
    ended = time.time()
    assert "KeyboardInterrupt" in done.stderr.splitlines()[-1], done.stderr
    assert ended - float(done.stdout) < PATIENCE_SECONDS


def test_another_library_is_asked_to_end_and_waited_for() -> None:
    """It would work on what it has torn down itself; what is not interrupted is not asked."""
    asked = threading.Event()
    assert interruptible(lambda: threading.current_thread().daemon, asked.set) is False
    assert interruptible(lambda: threading.current_thread().daemon) is True
    assert not asked.is_set()

    def stop(_: threading.Event) -> None:
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(patience, "_wait", stop)
        with pytest.raises(KeyboardInterrupt):
            interruptible(lambda: asked.wait(60), asked.set)
    assert asked.is_set()


def test_what_was_interrupted_goes_on_aside_and_is_dropped() -> None:
    """C code that does not look for Ctrl-C: the caller is free at once, and the next call gets its own answer."""
    begun, end = threading.Event(), threading.Event()

    def work() -> str:
        begun.set()
        assert end.wait(60)
        return "too late"

    def press() -> None:
        assert begun.wait(60)
        signal.raise_signal(signal.SIGINT) if sys.platform == "win32" else os.kill(os.getpid(), signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    presses = threading.Thread(target=press)
    try:
        presses.start()
        with pytest.raises(KeyboardInterrupt):
            interruptible(work)
        presses.join()
        assert interruptible(lambda: "in time") == "in time"
        with pytest.raises(ZeroDivisionError):
            interruptible(lambda: 1 // 0)
    finally:
        end.set()
        signal.signal(signal.SIGINT, before)


def test_few_calls_go_on_aside_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each holds its memory: twenty launches of 1 GiB that Ctrl-C had ended filled the machine."""
    left = [threading.Event() for _ in range(patience.MOST_LEFT)]
    monkeypatch.setattr(patience, "_left", left[1:])
    begin = time.monotonic()
    assert interruptible(lambda: "at once") == "at once" and time.monotonic() - begin < 0.4
    patience._left[:] = left
    threading.Timer(0.5, left[0].set).start()
    assert interruptible(lambda: "later") == "later" and time.monotonic() - begin >= 0.5


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
def test_a_fork_waits_for_no_call_of_its_parent() -> None:
    patience._left[:] = [threading.Event() for _ in range(patience.MOST_LEFT)]
    try:
        assert forked(lambda: interruptible(lambda: 7) == 7, seconds=30)
    finally:
        patience._left.clear()
