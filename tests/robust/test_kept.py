"""Memory of results that are gone: kept within a bound, for the next call, and never anybody's else."""

import ctypes
import gc
import itertools
import os
import random
import sys
import tracemalloc
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import warpsim as ws
from benchmarks.memory_probe import STATUS
from tests.support.evidence import compared
from tests.support.process import ended, forked, run
from tests.support.together import together
from warpsim import _core

MB = 2**20
MOST = 64 * MB  # as docs/explain/speed.md has it
LEAST = MB // 4
X4 = ws.Ldmatrix(num=4)
MEMORY = ws.SharedMemory(np.arange(1024, dtype=np.uint16))
ROWS = np.arange(32, dtype=np.uint32) * 16


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    gc.collect()
    _core.free_kept()
    assert _core.kept_bytes() == 0
    yield
    _core.free_kept()


def batch(n: int) -> NDArray[np.uint32]:
    return np.ascontiguousarray(np.broadcast_to(ROWS, (n, 32)))


def full(nbytes: int, value: int = 255) -> NDArray[np.uint8]:
    made: NDArray[np.uint8] = _core.new_array(np.empty, (nbytes,), np.uint8)
    made.fill(value)
    return made


def place(array: NDArray[Any]) -> int:
    return int(array.__array_interface__["data"][0])


def test_released_memory_is_used_again_by_calls_of_about_the_same_size() -> None:
    address = batch(8192)
    first = place(X4.execute(MEMORY, address).registers)
    kept = _core.kept_bytes()
    assert kept >= 8192 * 512
    for n in (8192, 8150, 8192):
        result = X4.execute(MEMORY, address[:n])
        assert place(result.registers) == first and _core.kept_bytes() < LEAST
        del result
        assert _core.kept_bytes() == kept


@pytest.mark.slow
def test_no_more_than_the_bound_is_kept() -> None:
    random.seed(18)
    held: list[NDArray[np.uint8]] = []
    most = 0
    for _ in range(400):
        held.append(
            full(random.choice((1, LEAST // 2, LEAST, 3 * LEAST, 5 * MB + 1, 20 * MB, MOST - MB, MOST, MOST + 1)))
        )
        if len(held) > 4:
            del held[random.randrange(len(held))]
        most = max(most, _core.kept_bytes())
        assert _core.kept_bytes() <= MOST
    assert most > MOST // 2


#: in a process of its own: a heap that has worked may have had room for it all
BEYOND = """
import numpy as np
from benchmarks.memory_probe import resident
from warpsim import _core
before = resident("VmRSS")
alive = [_core.new_array(np.empty, (40 * 2**20,), np.uint8) for _ in range(6)]
for array in alive:
    array.fill(255)
del alive, array
assert _core.kept_bytes() == 40 * 2**20
kept = resident("VmRSS") - before
_core.free_kept()
print(kept // 2**20, (resident("VmRSS") - before) // 2**20)
"""


@pytest.mark.skipif(not STATUS.exists(), reason="the system does not tell what is resident")
def test_what_is_beyond_the_bound_goes_back_to_the_system() -> None:
    kept, left = map(int, run(sys.executable, "-c", BEYOND).split())
    assert 30 < kept < 50 and left < 10


def test_small_and_huge_arrays_are_not_kept() -> None:
    for nbytes in (1, LEAST - 1, MOST + 1):
        full(nbytes)
        assert _core.kept_bytes() == 0, nbytes
    full(LEAST)
    assert _core.kept_bytes() == LEAST


def test_live_results_share_nothing() -> None:
    random.seed(19)
    live: list[tuple[int, NDArray[np.uint8]]] = []
    for i in range(300):
        live.append((i % 256, full(random.randrange(LEAST, 2 * MB), i % 256)))
        if len(live) > 8:
            live.pop(random.randrange(8))
    places = sorted((place(array), place(array) + array.nbytes) for _, array in live)
    assert all(end <= begin for (_, end), (begin, _) in itertools.pairwise(places))
    assert all((array == value).all() for value, array in live)
    compared("results that live at once", len(live), at_least=8)


N = 8000
WARPS = np.arange(N)
MASKS = WARPS * 1_000_003 % 2**32
CALLS: dict[str, tuple[ws.DataMovement, NDArray[Any], dict[str, Any]]] = {
    "plain": (X4, batch(N), {}),
    "int64": (X4, batch(N).astype(np.int64), {}),
    "undefined": (X4, batch(N) + (WARPS % 3 == 0)[:, None], {"on_ub": "record"}),
    "masked": (ws.Ld(vec=4), batch(N), {"active": MASKS}),
    "exited": (ws.Ld(), batch(N), {"exited": MASKS}),
    "wmma": (ws.WmmaLoad(), WARPS[:, None] * 16 % 512, {"on_ub": "record"}),
}


@pytest.mark.parametrize("name", CALLS)
def test_what_lay_there_before_shows_in_no_result(name: str) -> None:
    op, address, given = CALLS[name]
    memory = ws.SharedMemory(np.arange(4096, dtype=np.uint16))
    result = op.execute(memory, address, **given)
    before = place(result.registers)
    result.registers.fill(2**32 - 1)
    for counter in _core.COUNTERS:
        getattr(result.traffic, counter)[...] = -1
    del result
    result = op.execute(memory, address, **given)
    assert place(result.registers) == before
    for first in range(0, N, 80):  # of so few warps nothing is kept
        part = slice(first, first + 80)
        few = {key: value[part] if isinstance(value, np.ndarray) else value for key, value in given.items()}
        alone = op.execute(memory, address[part], **few)
        assert (result.registers[part] == alone.registers).all() and (result.ok[part] == alone.ok).all()
        for counter in _core.COUNTERS:
            assert (getattr(result.traffic, counter)[part] == getattr(alone.traffic, counter)).all(), counter


def test_results_own_their_memory_and_can_be_resized() -> None:
    registers = X4.execute(MEMORY, batch(4096)).registers
    assert registers.flags.owndata and registers.flags.writeable and registers.base is None
    expected = registers[:100].copy()
    for n in (9000, 100, 40_000, 0):
        registers.resize((n, 32, 4), refcheck=False)
        assert (registers[:100] == expected[:n]).all() and not registers[9000:].any()
    del registers
    assert _core.kept_bytes() <= MOST


def test_kept_memory_is_not_counted_as_allocated() -> None:
    address = batch(8192)
    tracemalloc.start()
    try:
        result = X4.execute(MEMORY, address, traffic=False)
        assert result.registers.nbytes <= tracemalloc.get_traced_memory()[0] < 1.1 * result.registers.nbytes
        del result
        assert tracemalloc.get_traced_memory()[0] < MB
    finally:
        tracemalloc.stop()


def test_allocator_that_somebody_else_chose_stays() -> None:
    """NEP 49: slots 304 and 306 of NumPy's table set the handler of new arrays and hold the default one."""
    api = ctypes.pythonapi
    api.PyCapsule_GetPointer.restype, api.PyCapsule_New.restype = ctypes.c_void_p, ctypes.py_object
    api.PyCapsule_GetPointer.argtypes = (ctypes.py_object, ctypes.c_char_p)
    api.PyCapsule_New.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    module = np._core._multiarray_umath  # type: ignore[attr-defined]
    table = ctypes.cast(api.PyCapsule_GetPointer(module._ARRAY_API, None), ctypes.POINTER(ctypes.c_void_p))
    choose = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object)(table[304])
    default = ctypes.cast(table[306], ctypes.POINTER(ctypes.py_object))[0]
    copy = ctypes.create_string_buffer(ctypes.string_at(api.PyCapsule_GetPointer(default, b"mem_handler"), 168))
    copy[:7] = b"theirs\0"
    before = choose(api.PyCapsule_New(ctypes.addressof(copy), b"mem_handler", None))
    try:
        theirs = X4.execute(MEMORY, batch(4096)).registers
    finally:
        choose(before)
    name = np._core.multiarray.get_handler_name  # type: ignore[attr-defined]
    assert name(theirs) == "theirs"
    assert name(X4.execute(MEMORY, batch(4096)).registers) == "warpsim"
    assert name(np.empty(MB)) == name(np.empty(1)) == "default_allocator"
    del theirs
    assert _core.kept_bytes() < 3 * MB


def test_threads_that_make_and_release_get_memory_of_their_own() -> None:
    def work(me: int) -> int:
        mine: list[NDArray[np.uint8]] = []
        for i in range(60):
            mine.append(full(LEAST + (me + i) % 3 * MB, me))
            if len(mine) > 3:
                assert (mine.pop(i % 3) == me).all()
            assert _core.kept_bytes() <= MOST
        return len(mine)

    assert together(work) == [3] * 8
    gc.collect()
    assert _core.kept_bytes() <= MOST


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
def test_child_of_a_fork_uses_what_was_kept_and_leaves_it_to_its_parent() -> None:
    mine = full(4 * MB, 7)
    full(4 * MB, 8)
    before = _core.kept_bytes()

    def child() -> bool:
        theirs = full(4 * MB, 9)
        good = (mine == 7).all() and _core.kept_bytes() == 0 and (theirs == 9).all()
        del theirs
        return bool(good) and _core.kept_bytes() == before

    assert forked(child)
    assert _core.kept_bytes() == before and (mine == 7).all()
    assert (_core.new_array(np.empty, (4 * MB,), np.uint8) == 8).all()


SHORT_OF_MEMORY = """
import resource
import numpy as np
from warpsim import _core
alive = [_core.new_array(np.ones, (15 * 2**20,), np.uint8) for _ in range(4)]
del alive
assert _core.kept_bytes() == 60 * 2**20
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * 4096 + 2 * 2**20,) * 2)
made = _core.new_array(np.empty, (40 * 2**20,), np.uint8)
assert _core.kept_bytes() == 0
try:
    _core.new_array(np.zeros, (50 * 2**20,), np.uint8)
except MemoryError:
    print("refused")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits of the address space as Linux has them")
def test_what_is_kept_makes_way_where_memory_is_short() -> None:
    done = ended(sys.executable, "-c", SHORT_OF_MEMORY)
    assert (done.returncode, done.stdout, done.stderr) == (0, "refused\n", "")


def test_interpreter_ends_with_results_alive_and_others_kept() -> None:
    code = (
        "import numpy as np, warpsim as ws; a = np.zeros((9000, 32), np.uint32); m = ws.SharedMemory(64);"
        " ws.alive = ws.Ldmatrix().execute(m, a), [ws.Ldmatrix().execute(m, a) for _ in range(3)].pop()"
    )
    done = ended(sys.executable, "-c", code)
    assert (done.returncode, done.stderr) == (0, "")
