"""Many threads on one op, one memory, one result, and a sanitizer that sees planted races."""

import array
import mmap
import os
import shutil
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support import launches, sharing
from tests.support.evidence import compared
from tests.support.process import ended, run
from tools import thread_sanitizer

GIL_ENABLED = getattr(sys, "_is_gil_enabled", lambda: True)()


def needs_thread_sanitizer() -> None:
    """Skips where the compiler has none; fails in CI."""
    compiler = shutil.which("gcc")
    library = "libtsan.so"
    if compiler is not None:
        asked = [compiler, f"-print-file-name={library}"]
        library = run(*asked).strip()
    if not Path(library).is_absolute():
        assert "CI" not in os.environ, "ThreadSanitizer is missing"
        pytest.skip("gcc has no ThreadSanitizer here")


@pytest.mark.slow
def test_core_and_pool_have_no_race(tmp_path: Path) -> None:
    needs_thread_sanitizer()
    pool = thread_sanitizer.ROOT / "src" / "warpsim" / "_core" / "c"
    flags = ("-O0", "-DWS_NO_SIMD")
    assert thread_sanitizer.core_program(tmp_path, pool, *flags, rounds=1) == 0


@pytest.mark.slow
def test_races_planted_in_the_pool_are_seen(tmp_path: Path) -> None:
    needs_thread_sanitizer()
    seen = thread_sanitizer.core_races(tmp_path)
    compared("races planted in the pool, and seen", seen, at_least=3)


def test_first_use_of_all_is_by_many_threads() -> None:
    printed = run(sys.executable, "-m", "tests.support.together")
    assert printed == "8 threads began at once\n"


@pytest.fixture
def hasty() -> Iterator[None]:
    """Threads that take turns a hundred times as often."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(5e-5)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("hasty")
def test_threads_that_share_get_what_one_alone_gets() -> None:
    calls = sharing.one_batch(1) + sharing.made_and_dropped(5)
    compared("calls of threads that share op, memory and addresses", calls, at_least=500)


@pytest.mark.usefixtures("hasty")
def test_result_is_whole_for_all_that_ask_at_once() -> None:
    """Counters of a batch become columns on demand: NumPy lets other threads in meanwhile."""
    compared("results that threads opened at once", sharing.one_result(60), at_least=60)


@pytest.mark.usefixtures("hasty")
def test_all_questions_have_one_answer_in_all_threads() -> None:
    asked = sharing.all_questions(1)
    compared("questions asked by threads at once", asked, at_least=2000)


@pytest.mark.usefixtures("hasty")
def test_launches_of_threads_have_one_answer() -> None:
    """Atomics of all widths, the heap, printf, clusters, copies and the checks, with 1 to 4 threads in each launch."""
    compared("launches by threads at once", sharing.launched(1), at_least=70)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no interval timer here")
def test_handler_of_a_signal_runs_beside_batches() -> None:
    assert sharing.signals(4) > 0


@pytest.mark.slow
def test_interpreter_may_end_while_threads_work() -> None:
    code = "from tests.support import sharing; sharing.leave_at_work()"
    for _ in range(3):
        done = ended(sys.executable, "-c", code)
        assert (done.returncode, done.stderr) == (0, "")


def test_memory_keeps_its_storage() -> None:
    """Calls without the GIL work on it: a second __init__ may not take it away."""
    for kind in (ws.SharedMemory, ws.GlobalMemory):
        memory = kind(64)
        kept = memory.bytes
        with pytest.raises(TypeError, match="its storage was given before, and stays"):
            memory.__init__(128)  # type: ignore[misc]
        assert np.shares_memory(memory.bytes, kept)


@pytest.mark.slow
def test_extension_declares_that_it_needs_no_gil(tmp_path: Path) -> None:
    """Built with the directives of the first line, a module has the slot Py_mod_gil."""
    head, *_ = (thread_sanitizer.ROOT / "src" / "warpsim" / "_core" / "core.pyx").read_text().splitlines()
    for name, line in (("ours", head), ("other", head.replace("=True", "=False"))):
        (tmp_path / f"{name}.pyx").write_text(f"{line}\nVALUE = 1\n")
        command = [sys.executable, "-m", "cython", "-3", tmp_path / f"{name}.pyx"]
        run(*command)
        built = (tmp_path / f"{name}.c").read_text()
        default = built.partition("#define __PYX_DEFAULT_STRING_ENCODING_IS_ASCII")[0]
        default = default.rpartition("#define __Pyx_FREETHREADING_COMPATIBLE ")[2]
        assert default.startswith("Py_MOD_GIL_NOT_USED") == (name == "ours")


@pytest.mark.skipif(GIL_ENABLED, reason="this interpreter has its GIL")
def test_import_leaves_the_interpreter_without_its_gil() -> None:
    code = "import sys, warpsim; sys.exit(sys._is_gil_enabled())"
    run(sys.executable, "-W", "error", "-c", code)


def test_arrays_of_a_launch_cannot_be_freed_or_shrunk_while_it_runs() -> None:
    """The buffers are held: another thread that resizes or closes one gets a BufferError."""
    spins = launches.module()["spins"]
    tried = 0
    for kind in (bytearray, mmap.mmap, array.array):
        made: dict[Any, Any] = {
            bytearray: lambda: bytearray(1 << 16), mmap.mmap: lambda: mmap.mmap(-1, 1 << 16),
            array.array: lambda: array.array("i", bytes(1 << 16)),
        }  # fmt: skip
        memory = made[kind]()
        view = np.frombuffer(memory, np.int32)
        begun, done = threading.Event(), threading.Event()

        def progress(*_: Any, begun: threading.Event = begun, done: threading.Event = done) -> None:
            begun.set()
            assert done.wait(60)

        thread = threading.Thread(target=spins, args=(64, 64, (50, view)), kwargs={"progress": progress})
        thread.start()
        assert begun.wait(60)
        del view
        changes = {
            bytearray: lambda memory=memory: memory.clear(), mmap.mmap: lambda memory=memory: memory.close(),
            array.array: lambda memory=memory: memory.extend([1] * 1000),
        }  # fmt: skip
        try:
            with pytest.raises(BufferError):
                changes[kind]()
        finally:
            done.set()
            thread.join()
        changes[kind]()  # the launch has ended: it holds nothing
        tried += 1
    compared("kinds of memory that a launch holds", tried, at_least=3)


def test_a_numpy_array_cannot_be_resized_while_a_launch_runs() -> None:
    out = np.zeros(64 * 64, np.int32)
    begun, done = threading.Event(), threading.Event()

    def progress(*_: Any) -> None:
        begun.set()
        assert done.wait(60)

    args = (50, out)
    thread = threading.Thread(target=launches.module()["spins"], args=(64, 64, args), kwargs={"progress": progress})
    thread.start()
    try:
        assert begun.wait(60)
        with pytest.raises(ValueError, match="cannot resize"):
            out.resize(16)
    finally:
        done.set()
        thread.join()
    assert len(out) == 64 * 64 and out.any()
