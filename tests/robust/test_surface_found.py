"""What fuzzing of the Python surface found, a small case each: they crashed, hung, or lied."""

import itertools
import os
import pickle
import random
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.bad_arguments import assert_named
from tests.support.evidence import compared
from tools.surface import recipes, session
from tools.surface.hostile import HUGE, LyingArray, misaligned
from tools.surface.running import Saboteur
from tools.surface.samples import CUDA, MODULE
from warpsim import dtypes

LANE = np.arange(32)
ROWS = LANE * 16
X4 = ws.Ldmatrix(num=4)
TILE = ws.Layout(16, 64, "f16")
FILL = ws.CpAsync()
COPY = MODULE["copy"]
LONG = "x" * 1_000_000


# --- crashes ------------------------------------------------------------------------------------


def test_out_that_lies_about_its_shape_is_refused() -> None:
    out = np.zeros(2, np.uint32).view(LyingArray)  # claims (4, 32, 4)
    assert out.shape == (4, 32, 4) and out.base is not None
    where = np.stack([ROWS] * 4)
    assert_named(lambda: X4.execute(ws.SharedMemory(512), where, out=out), ValueError, ["out", "(2,)"])


def test_memory_of_a_lying_array_has_its_real_bytes() -> None:
    memory = ws.SharedMemory(np.zeros(8, np.uint32).view(LyingArray))
    assert memory.nbytes == 32 and len(memory.bytes) == 32
    with pytest.raises(ws.OutOfBoundsError):
        X4.execute(memory, ROWS)


def test_instruction_with_wrong_registers_writes_nothing_outside() -> None:
    class Liar(ws.Ldmatrix):
        num_registers = 0

    with pytest.raises(ValueError, match="registers"):
        Liar(num=4).execute(ws.SharedMemory(512), ROWS.tolist())


@pytest.mark.parametrize("size", [0, 16, 511, 1 << 22])
@pytest.mark.parametrize("op", [X4, ws.Ld(), ws.St(), ws.WmmaLoad()])
def test_storage_resized_behind_a_memory_is_refused(op: ws.DataMovement, size: int) -> None:
    storage = np.zeros(512, np.uint8)
    memory = ws.SharedMemory(storage)
    before = storage.ctypes.data
    storage.resize(size, refcheck=False)
    if storage.ctypes.data == before and size >= 512:
        return  # it grew where it was: all of it is still there
    given = {"registers": np.zeros((32, 1), np.uint32)} if op.writes_memory else {}
    address: Any = 0 if op.is_wmma else LANE * 4
    assert_named(lambda: op.execute(memory, address, **given), ValueError, ["memory", "resized"])
    assert_named(lambda: memory.bytes, ValueError, ["memory", "resized"])
    assert_named(lambda: memory.view("u1", 4), ValueError, ["memory", "resized"])


@pytest.mark.parametrize("name", ["threads", "active", "exited"])
@pytest.mark.parametrize("size", [0, 16, 1 << 22])
def test_argument_that_resizes_the_memory_when_it_is_read_is_refused(name: str, size: int) -> None:
    storage = np.zeros(4096, np.uint8)
    memory = ws.SharedMemory(storage)
    honest = {"threads": 1, "active": 0xFFFF_FFFF, "exited": 0}[name]
    options = {name: Saboteur(honest, lambda: storage.resize(size, refcheck=False))}
    where = storage.ctypes.data
    try:
        result = ws.St().execute(memory, LANE * 128, np.ones((32, 1), np.uint32), **options)
    except (ValueError, ws.OutOfBoundsError) as error:
        assert "memory" in str(error)
    else:
        assert result.ok and size >= 4096 and storage.ctypes.data == where


def test_addresses_shrunk_while_they_are_read_are_refused() -> None:
    address = np.array(ROWS, np.uint32)
    threads = Saboteur(1, lambda: address.resize(1, refcheck=False))
    call = lambda: ws.Ld().execute(ws.SharedMemory(512), address, threads=threads)  # noqa: E731
    assert_named(call, ValueError, ["address", "size"])


def test_addresses_moved_after_the_check_store_nothing_outside() -> None:
    address = np.array(ROWS, np.uint32)
    threads = Saboteur(1, lambda: address.fill(0xFFFF_FFF0))
    with pytest.raises(ws.OutOfBoundsError):
        ws.St().execute(ws.SharedMemory(512), address, np.ones((32, 1), np.uint32), threads=threads)


def test_registers_and_out_out_of_alignment_are_as_any_others() -> None:
    out = misaligned(np.zeros((32, 4), np.uint32))
    memory = ws.SharedMemory(np.arange(512, dtype=np.uint16).view(np.uint8)[:512].copy())
    found = X4.execute(memory, ROWS, out=out)
    assert found.registers is out and not out.flags.aligned
    assert np.array_equal(out, X4.execute(memory, ROWS).registers)
    other = ws.SharedMemory(512)
    ws.Stmatrix(num=4).execute(other, ROWS, out)
    assert np.array_equal(X4.execute(other, ROWS).registers, out)


# --- hangs --------------------------------------------------------------------------------------


class Endless(Iterator[Any]):
    """The item, again and again: whoever reads this many would read for ever."""

    def __init__(self, item: Any) -> None:
        self.item, self.reads = item, 0

    def __next__(self) -> Any:
        self.reads += 1
        assert self.reads <= 2**22 + 2, "read without a bound"
        return self.item


def with_endless(given: Any) -> Iterator[tuple[Any, Endless]]:
    """What a good argument can be replaced by: an endless one, or itself with an endless one in it; and that one."""
    items = list(given.items()) if isinstance(given, dict) else given if isinstance(given, list | tuple) else []
    whole = Endless(items[0] if isinstance(given, list | tuple) and items else 8)
    yield whole, whole
    for place, item in enumerate(items):
        one = Endless(8)
        if isinstance(given, dict):
            yield {**given, item[0]: one}, one
        else:
            yield type(given)([*items[:place], one, *items[place + 1 :]]), one


@pytest.mark.parametrize("name", recipes.RECIPES)
def test_iterables_without_an_end_are_refused(name: str) -> None:
    """Whoever begins to read one says that it is wrong; where one is accepted, nobody has looked into it."""
    function, args, good = recipes.RECIPES[name](random.Random(1))
    tried = 0
    for argument, given in good.items():
        for value, one in with_endless(given):
            tried += 1
            try:
                function(*args, **{**good, argument: value})
            except (TypeError, ValueError, ws.WarpsimError, *session.ALSO.get(name, ())):
                continue
            assert one.reads == 0, f"{name}: {argument} was read {one.reads} times and accepted"
    compared("endless arguments tried", tried, at_least=0)


def test_running_refuses_iterables_without_an_end() -> None:
    good = {"address": ROWS, "active": 1, "exited": 0, "threads": 1, "out": None, "target": None, "stride": None}
    for name in good:
        with pytest.raises((TypeError, ValueError)):
            X4.execute(ws.SharedMemory(512), **{**good, name: Endless(8)})


GRIDS: dict[str, Callable[[], Any]] = {
    "endless values": lambda: {"a": Endless(1)},
    "endless values after others": lambda: {"a": [1], "b": itertools.count()},
    "10**18 points": lambda: dict.fromkeys("abcdef", range(1000)),
    "long ranges": lambda: {f"n{k}": range(2**22) for k in range(1000)},
    "10**18 values": lambda: {"a": range(10**18)},
    "endless points": lambda: ({"a": 1} for _ in Endless(1)),
    "endless names": lambda: {str(n): [1] for n in range(10**5)},
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", GRIDS)
def test_grid_without_an_end_is_refused_before_it_is_made(kind: str) -> None:
    with pytest.raises(ValueError, match=r"grid: .*expected at most"):
        ws.sweep(lambda **point: 1, GRIDS[kind](), progress=False)


@pytest.mark.parametrize(
    "call",
    [
        lambda huge: TILE(huge, 0),
        lambda huge: TILE.addresses(X4, 0, huge),
        ws.fp4_to_mma,
        lambda huge: ws.testing.assert_conflict_free(X4, huge),
        lambda huge: X4.execute(ws.SharedMemory(512), huge),
        X4.traffic,
    ],
)  # fmt: skip
def test_arrays_beyond_all_memory_are_memory_errors_at_once(call: Callable[[Any], object]) -> None:
    with pytest.raises(MemoryError):
        call(np.broadcast_to(np.uint32(0), (2**40, 32)))


# --- answered silently wrong --------------------------------------------------------------------


def test_no_target_is_no_answer() -> None:
    assert_named(lambda: X4.legality(None, "8.0"), TypeError, ["target"])  # was that of sm_60
    assert_named(lambda: X4.check(None, "8.0"), TypeError, ["target"])
    assert_named(lambda: ws.WmmaLoad().fragment_for(None), TypeError, ["target"])


def test_instruction_without_fields_cannot_be_made() -> None:
    for make in (ws.DataMovement, lambda: ws.DataMovement({}), lambda: ws.DataMovement({"kind": "ld"})):
        assert_named(make, TypeError, ["fields"])  # was legal everywhere


def test_bending_the_bytes_in_place_leaves_the_memory_alone() -> None:
    memory = ws.SharedMemory(512)
    with warnings.catch_warnings():  # NumPy would rather not
        warnings.simplefilter("ignore", DeprecationWarning)
        memory.bytes.shape = (2, 256)  # was a memory of 2 bytes
        memory.bytes.dtype = np.uint64
    assert memory.nbytes == 512 and memory.bytes.shape == (512,)
    assert X4.execute(memory, ROWS.tolist()).ok


# --- messages -----------------------------------------------------------------------------------

STRANGE = (LONG, HUGE, [LONG] * 9, "\ud800", np.zeros((9, 9)), float("nan"), 1j, object())


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("on_ub", lambda v: X4.execute(ws.SharedMemory(512), ROWS, on_ub=v)),
        ("traffic", lambda v: X4.execute(ws.SharedMemory(512), ROWS, traffic=v)),
        ("out", lambda v: X4.execute(ws.SharedMemory(512), ROWS, out=v)),
        ("target", lambda v: X4.execute(ws.SharedMemory(512), ROWS, target=v)),
        ("type", lambda v: ws.Layout(16, 16, v)),
        ("order", lambda v: ws.Layout(16, 16, "f16", v)),
        ("swizzle", lambda v: ws.Layout(16, 16, "f16", swizzle=v)),
        ("unit", lambda v: ws.Swizzle(3, 3, 3, v)),
        ("rows", lambda v: ws.Layout(v, 16, "f16")),
        ("arrange", lambda v: TILE.addresses(X4, arrange=v)),
        ("shape", ws.Ldmatrix),
        ("num", lambda v: ws.Ldmatrix(num=v)),
        ("trans", lambda v: ws.Ldmatrix(trans=v)),
        ("storage", ws.SharedMemory),
        ("base", lambda v: ws.SharedMemory(4, base=v)),
        ("shared_window", lambda v: ws.AddressSpace(shared_window=v)),
        ("dtype", lambda v: ws.SharedMemory(64).view(v, 4)),
        ("target", lambda v: X4.legality(v, "8.0")),
        ("ptx_version", lambda v: X4.legality("sm_90", v)),
        ("ops", lambda v: ws.issue(v, ws.SharedMemory(64), ROWS)),
        ("reports", ws.LoopReport.compare),
        ("steps", ws.cost),
        ("stages", lambda v: ws.mainloop((16, 16, 16), (1, 1), stages=v)),
        ("tile", lambda v: ws.mainloop(v, (1, 1))),
        ("op", ws.FragmentMap),
        ("orders", lambda v: ws.search(16, 16, "f16", store=ws.CpAsync(), load=X4, orders=v)),
        ("values", lambda v: ws.Arch("sm_90", v)),
        ("target", ws.arch),
        ("found", ws.Findings),
        ("counts", ws.Traffic),
        ("dtype", lambda v: dtypes.values(np.zeros(4, np.uint32), v)),
    ],
)  # fmt: skip
def test_strange_values_give_short_messages_with_the_name(name: str, call: Callable[[Any], object]) -> None:
    refused = 0
    fine = {"traffic": HUGE, "storage": STRANGE[4]}.get(name)
    for value in STRANGE:
        if value is fine:
            continue
        with pytest.raises((TypeError, ValueError, MemoryError)) as caught:
            call(value)
        message = str(caught.value)
        assert name in message and len(message) < 1200, (value, message[:300])
        refused += 1
    compared("strange values refused", refused, at_least=7)


def test_stride_may_be_any_object_with_an_index() -> None:
    op, memory = ws.WmmaLoad(), ws.SharedMemory(np.arange(4096, dtype=np.uint16).view(np.uint8))
    found = op.execute(memory, 0, stride=Saboteur(16, lambda: None))
    assert np.array_equal(found.registers, op.execute(memory, 0, stride=16).registers)


def test_cost_of_a_copy_takes_its_sources() -> None:
    op = ws.CpAsync()
    assert op.cost(ROWS, source=ROWS).interval <= op.cost(ROWS, source=LANE * 4096).interval


def test_ragged_lists_name_the_argument() -> None:
    for name in ("active", "exited"):
        call = lambda n=name: X4.execute(ws.SharedMemory(512), ROWS, **{n: [[1, 2], [3]]})  # noqa: E731
        assert_named(call, ValueError, [name])
    assert_named(lambda: X4.traffic([[1, 2], [3]]), ValueError, ["address"])


def test_read_only_memory_takes_no_stores() -> None:
    memory = ws.SharedMemory(np.frombuffer(bytes(512), np.uint8))
    call = lambda: ws.St().execute(memory, ROWS, np.ones((32, 1), np.uint32))  # noqa: E731
    assert_named(call, ValueError, ["memory", "read-only"])


def test_findings_travel() -> None:
    result = X4.execute(ws.SharedMemory(512), ROWS + 1, on_ub="record")
    again = pickle.loads(pickle.dumps(result)).findings
    assert repr(again) == repr(result.findings) == repr(pickle.loads(pickle.dumps(result.findings)))
    assert again == result.findings and len(again) > 0 and again[0] == result.findings[0]


def test_paths_that_are_none_are_named() -> None:
    for value in (5, None, object(), [Path()], "a\0b"):
        assert_named(lambda v=value: ws.Arch.from_file(v), (TypeError, ValueError), ["path"])
        assert_named(lambda v=value: ws.arch("sm_90").to_file(v), (TypeError, ValueError), ["path"])


#: arguments that were compared, hashed or encoded before anybody asked what they are
UNASKED: dict[str, Callable[[Any], object]] = {
    "as_assembled": lambda v: COPY(1, 32, [LANE.copy(), LANE.copy()], as_assembled=v),
    "timeout": lambda v: COPY(1, 32, [LANE.copy(), LANE.copy()], timeout=v),
    "interleave": lambda v: ws.tensor_map(np.zeros((8, 8), np.float16), (8, 8), interleave=v),
    "layouts": lambda v: ws.search(16, 64, "f16", load=X4, layouts=[v]),
    "options": lambda v: ws.compile(CUDA, options=v),
    "name": lambda v: ws.compile(CUDA, name=v),
    "headers": lambda v: ws.compile(CUDA, headers=v),
}
WRONG = (np.arange(3), np.zeros(3, [("a", "i4"), ("b", "f2")]), [LANE], {"a": LANE}, 10**5000, "\ud800", ["\ud800"])


@pytest.mark.parametrize("name", UNASKED)
@pytest.mark.parametrize("value", WRONG, ids=range(len(WRONG)))
def test_argument_is_asked_what_it_is(name: str, value: Any) -> None:
    assert_named(lambda: UNASKED[name](value), (TypeError, ValueError), [name])


def test_file_whose_name_is_no_text_compiles(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"\xff.cu")
    path.write_text(CUDA)
    assert list(ws.compile(path)) == ["k"]
