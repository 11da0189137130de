"""Out of memory, at every allocation of a call: MemoryError, and nothing lost.

Run as a program with a library in LD_PRELOAD, or without: the process in which allocations fail.
"""

import ctypes
import gc
import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support import launches
from tests.support.evidence import compared
from tests.support.paths import ROOT, TESTS

CALM, MOST = 40, 3000  # calls in a row in which nothing failed end the attempts
ROWS = np.arange(32, dtype=np.uint32) * 16
X4, X1 = ws.Ldmatrix(num=4), ws.Ldmatrix()
PTX = ".version 8.0\n.target sm_80\n" + "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%a}, [p];\n" * 9
SIDES: dict[str, Any] = {"store": ws.CpAsync(), "load": X4}
MEMORY = ws.SharedMemory(np.arange(2048, dtype=np.uint16))
BATCH = np.ascontiguousarray(np.broadcast_to(ROWS, (8192, 32)))


def undefined() -> str:
    try:
        return str(X4.execute(MEMORY, BATCH[:70] + 1).findings)
    except ws.MisalignedAddressError as error:
        return str(error)


#: calls that allocate in the extension itself
OURS: dict[str, Callable[[], object]] = {
    "undefined": undefined,
    "findings": lambda: list(X4.execute(MEMORY, BATCH[:70] + 1, on_ub="record").findings),
    "mainloop": lambda: ws.mainloop((64, 64, 32), (2, 2)),
    "search": lambda: ws.search(64, 64, "f16", pads=[0, 8], **SIDES),
    "lint": lambda: ws.lint(PTX),
}
#: those of the engine: reading and decoding a text, and launches, on one thread and on several
LAUNCHED: dict[str, Callable[[], object]] = {
    "reading": lambda: [*ws.Module(launches.TEXT).kernels],
    "reading, decoding, launch": lambda: launches.answer(
        ws.Module(launches.WGMMA)["k"], 1, 128, lambda: (launches.zeros(512, np.float32),)
    ),
    **{
        f"launch of {name}, threads={threads}": partial(launches.LAUNCHES[name], threads=threads)
        for name in ("wgmma", "a race")
        for threads in (1, 2)
    },
}
#: calls whose Python objects the extension makes; in NumPy's arithmetic, and where the interpreter
#: handles an exception, a failing allocation can end in SystemError, or in a crash
OBJECTS: dict[str, Callable[[], object]] = {
    "parse": lambda: ws.parse("ldmatrix.sync.aligned.x2.m8n8.shared.b16 {%r1, %r2}, [%rd1+16];"),
    "execute": lambda: X4.execute(MEMORY, ROWS),
    "batch": lambda: X4.execute(MEMORY, BATCH, threads=8),
    "ld": lambda: ws.Ld(vec=4).execute(MEMORY, BATCH[:100]),
    "traffic": lambda: X4.traffic(BATCH),
    "tile_steps": lambda: ws.tile_steps(X4, ws.Layout(64, 64, "f16", pad=8)),
    "lint": lambda: ws.lint(PTX),
    "legality": lambda: X4.legality("sm_75", "6.5"),
}

Arm = Callable[[int], object]


def shown(value: object) -> str:
    return repr(value.to_dict()) if hasattr(value, "to_dict") else repr(value)


def points(
    call: Callable[[], object], arm: Arm, failed: Callable[[], bool], expected: str = "", most_calm: int = CALM
) -> int:
    """How many allocations the call makes, each of which has failed once."""
    expected = expected or shown(call())
    tried = calm = 0
    while calm < most_calm:
        result, error = None, None
        arm(tried)
        try:
            result = call()
        except BaseException as caught:
            error = caught
        calm = 0 if failed() or error is not None else calm + 1
        tried += 1
        assert tried < MOST
        assert error is None or isinstance(error, MemoryError), repr(error)
        assert error is not None or shown(result) == expected
        error = result = None
    assert shown(call()) == expected
    return tried - calm


def watch(library: Any, file: str) -> None:
    """From here on it is the allocations of this extension that fail."""
    lines = [line.split() for line in Path("/proc/self/maps").read_text().splitlines()]
    own = [line[0].split("-") for line in lines if len(line) > 5 and line[5] == file]
    places = [int(word, 16) for words in own for word in words]
    library.faults_watch(ctypes.c_size_t(min(places)), ctypes.c_size_t(max(places)))


def by_allocator(library: Any) -> dict[str, Any]:
    """The allocations of the extensions."""
    from warpsim._core import core
    from warpsim._engine import engine

    watch(library, core.__file__)
    arm = lambda k: library.faults_arm(ctypes.c_long(k))  # noqa: E731
    pool = lambda: X4.execute(MEMORY, BATCH, threads=8)  # noqa: E731
    alone = shown(X4.execute(MEMORY, BATCH))  # a pool that cannot grow: fewer threads, the same answer
    found = {"pool": [points(pool, arm, lambda: arm(-1) < 0, alone), 0]}
    for name, call in (*OURS.items(), *LAUNCHED.items()):
        if name in LAUNCHED:
            watch(library, engine.__file__)
            call()  # a module keeps what it has decoded
            gc.collect()
        live = library.faults_live()
        made = points(call, arm, lambda: arm(-1) < 0, most_calm=4 if name in LAUNCHED else CALM)
        gc.collect()
        found[name] = [made, library.faults_live() - live]
    return found


def by_interpreter() -> dict[str, Any]:
    """The allocations of Python objects, where the interpreter can be made to fail at them."""
    try:
        import _testcapi
    except ImportError:
        return {}
    found = {}
    for name, call in OBJECTS.items():
        failed = lambda: bool(_testcapi.remove_mem_hooks())  # noqa: E731
        arm = lambda k: _testcapi.set_nomemory(k, k + 1)  # noqa: E731
        points(call, arm, failed)  # what is made once, is made now
        gc.collect()
        before = len(gc.get_objects())
        made = points(call, arm, failed)
        gc.collect()
        found[name] = [made, max(0, len(gc.get_objects()) - before - 10)]
    return found


def run(*words: str, **more: str) -> dict[str, Any]:
    """Call -> its allocations, and what leaked, in a process of its own."""
    measured = "COVERAGE_PROCESS"  # what measures lines allocates, too
    environment = {k: v for k, v in os.environ.items() if not k.startswith(measured)} | more
    command = [sys.executable, "-m", "tests.robust.test_faults_memory", *words]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="LD_PRELOAD, as glibc has it")
def test_failing_malloc_gives_memory_errors_and_leaks_nothing(tmp_path: Path) -> None:
    made, source = str(tmp_path / "malloc.so"), str(TESTS / "support" / "failing_malloc.c")
    flags = ("-O1", "-shared", "-fPIC", "-std=gnu11", "-Wall", "-Wextra", "-Werror")
    subprocess.run(["cc", *flags, "-o", made, source], check=True)
    found = run(made, LD_PRELOAD=made)
    assert all(count > 0 and leaked <= 0 for count, leaked in found.values()), found
    compared("points where malloc failed", sum(n for n, _ in found.values()), at_least=10)
    in_launches = sum(n for name, (n, _) in found.items() if name.startswith("launch"))
    compared("points where malloc failed in launches", in_launches, at_least=40)


@pytest.mark.slow
@pytest.mark.skipif(
    bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
    reason="CPython 3.13t itself crashes: it frees a list without memory with what lay there",
)
def test_failing_python_objects_give_memory_errors_and_leak_nothing() -> None:
    found = run()
    if not found:
        pytest.skip("this interpreter has no _testcapi")
    assert {name: leaked for name, (_, leaked) in found.items() if leaked} == {}
    compared("points where a Python object failed", sum(n for n, _ in found.values()), at_least=100)


if __name__ == "__main__":
    library = ctypes.CDLL(sys.argv[1]) if len(sys.argv) > 1 else None
    print(json.dumps(by_allocator(library) if library else by_interpreter()))
