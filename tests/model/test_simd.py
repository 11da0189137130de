"""Every level of vector instructions gives the same answers, as do threads, `out` and both ways."""

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import warpsim as ws
from docs.make.reference.instructions_page import made
from tests.support.evidence import compared
from tests.support.process import ended, run
from warpsim import _core

LEVELS = _core.simd_levels()
BYTES = 228 * 1024
LOADS = [
    *(ws.Ldmatrix(num=num, trans=trans) for num in (1, 2, 4) for trans in (False, True)),
    *(ws.Ldmatrix("m16n16", num, True, type=type) for num in (1, 2)
      for type in ("b8", "b8x16.b6x16_p32", "b8x16.b4x16_p64")),
    *(ws.Ldmatrix("m8n16", num, type=type) for num in (1, 2, 4)
      for type in ("b8x16.b6x16_p32", "b8x16.b4x16_p64", "s8.s4")),
    *(ws.Ld(vec=vec, type=type) for vec, type in ((1, "b32"), (2, "u32"), (4, "f32"), (4, "s8"))),
    *(ws.Ld(vec=vec, type=type) for vec, type in ((1, "b64"), (2, "f64"))),
]  # fmt: skip
STORES = [
    *(ws.Stmatrix(num=num, trans=trans) for num in (1, 2, 4) for trans in (False, True)),
    *(ws.Stmatrix("m16n8", num, True, type="b8") for num in (1, 2, 4)),
    *(ws.St(vec=vec, type=type) for vec, type in ((1, "b32"), (4, "b32"), (2, "b16"))),
    *(ws.St(vec=vec, type=type) for vec, type in ((1, "b64"), (2, "b64"))),
]  # fmt: skip


@pytest.fixture(params=LEVELS)
def level(request: pytest.FixtureRequest) -> Iterator[str]:
    before = _core.get_simd()
    _core.set_simd(request.param)
    yield request.param
    _core.set_simd(before)


def at_portable(work: Any) -> Any:
    before = _core.get_simd()
    _core.set_simd("portable")
    try:
        return work()
    finally:
        _core.set_simd(before)


def rows(op: ws.DataMovement, warps: int, seed: int) -> NDArray[np.uint32]:
    """Aligned addresses in shared memory; in every third warp few rows, in the next lane pairs."""
    rng = np.random.default_rng(seed)
    at = rng.integers(0, BYTES // op.access_bytes, (warps, 32))
    at[::3] %= 40
    at[1::3] = np.repeat(at[1::3, ::2], 2, axis=1)
    return (at * op.access_bytes).astype(np.uint32)


def memory(seed: int) -> ws.SharedMemory:
    return ws.SharedMemory(np.random.default_rng(seed).integers(0, 256, BYTES, np.uint8))


@pytest.mark.parametrize("op", LOADS, ids=str)
def test_loads_agree_with_portable(op: ws.DataMovement, level: str) -> None:
    shared, address = memory(1), rows(op, 700, 2)
    found = op.execute(shared, address)
    expected = at_portable(lambda: op.execute(shared, address))
    assert found.registers is not None
    assert np.array_equal(found.registers, expected.registers)
    assert found.traffic == expected.traffic
    compared(f"warps loaded at level {level}", len(address), at_least=1)


@pytest.mark.parametrize("op", STORES, ids=str)
def test_stores_agree_with_portable(op: ws.DataMovement, level: str) -> None:
    address = rows(op, 90, 3)
    width = np.uint32 if op.register_bits == 32 else np.uint64
    registers = np.random.default_rng(4).integers(
        0, np.iinfo(width).max, (90, 32, op.num_registers), width, endpoint=True
    )

    def stored() -> tuple[NDArray[np.uint8], ws.Traffic | None]:
        shared = memory(5)
        result = op.execute(shared, address, registers)
        return shared.bytes, result.traffic

    found, expected = stored(), at_portable(stored)
    assert np.array_equal(found[0], expected[0])
    assert found[1] == expected[1]


def test_loads_that_merge_are_counted_merged_at_every_level(level: str) -> None:
    """Pairs of lanes at distance 1 or 2 halve the groups of a load, and of no store."""
    lane = np.arange(32, dtype=np.uint32)
    for pattern, passes in ((lane * 16, 4), (lane // 2 * 16, 2), ((lane // 4 * 2 + lane % 2) * 16, 2)):
        address = np.tile(pattern, (50, 1))
        loads = ws.Ld(vec=4).traffic(address)
        assert loads.wavefronts.tolist() == [passes] * 50
        assert loads.bank_conflicts.sum() == 0
        assert ws.St(vec=4).traffic(address).wavefronts.tolist() == [4] * 50


def test_rows_4_gib_apart_are_different_rows_at_every_level(level: str) -> None:
    """Generic addresses are counted in 32 bits only where the rest of them is equal."""
    lane = np.arange(32, dtype=np.uint64)
    load = ws.Ldmatrix(num=1, space="")
    near = lane % 8 // 2 * 16
    far = near + lane % 2 * np.uint64(2**32)
    assert load.traffic(np.tile(near, (50, 1))).wavefronts.tolist() == [1] * 50
    assert load.traffic(np.tile(far, (50, 1))).wavefronts.tolist() == [2] * 50


@pytest.mark.parametrize("op", [*LOADS, *STORES], ids=str)
def test_row_by_row_and_in_bulk_agree(op: ws.DataMovement) -> None:
    """A base that no row is aligned to sends every warp through the headers that bear the names."""
    address = rows(op, 60, 13) % 4096 + 1024  # few rows: stores overlap
    rng = np.random.default_rng(14)
    storage = rng.integers(0, 256, 8 + 4096 + 16, np.uint8)
    width = np.uint32 if op.register_bits == 32 else np.uint64
    most = np.iinfo(width).max
    given = rng.integers(0, most, (60, 32, op.num_registers), width, endpoint=True)
    registers = given if op.writes_memory else None
    aligned, odd = ws.SharedMemory(storage[8:].copy(), base=1024), storage.copy()
    bulk = op.execute(aligned, address, registers)
    alone = op.execute(ws.SharedMemory(odd, base=1016), address, registers)
    assert np.array_equal(aligned.bytes, odd[8:])
    if not op.writes_memory:
        assert np.array_equal(np.asarray(bulk.registers), np.asarray(alone.registers))
    compared("warps in bulk and row by row", len(address), at_least=1)


@pytest.mark.parametrize("op", [*LOADS, *STORES], ids=str)
def test_bounds_hold_at_every_level(op: ws.DataMovement, level: str) -> None:
    """The last row inside, the first outside, and off by the least that is not aligned."""
    unit, base, nbytes = op.access_bytes, 1024, 4096
    registers = (
        np.zeros((9, 32, op.num_registers), np.uint32 if op.register_bits == 32 else np.uint64)
        if op.writes_memory
        else None
    )
    last = base + nbytes - unit
    steps = [(last, 0), (last + unit, 1), (base - unit, 1), (2**32 - unit, 1)]
    steps += [(base + unit // 2, 1)] if unit > 1 else []
    for lane in range(0, op.row_lanes, 5):
        for where, count in steps:
            address = np.full((9, 32), base, np.uint32)
            address[7, lane] = where
            found = op.execute(ws.SharedMemory(nbytes, base=base), address, registers, on_ub="record")
            assert [finding.warp for finding in found.findings] == [7] * count, (lane, where)


def test_a_million_random_warps_count_the_same() -> None:
    """Groups of 8, 16 and 32 lanes, on both sides of the 16 bits that the vectors hold."""
    before = _core.get_simd()
    warps = 0
    for seed, op in enumerate([ws.Ldmatrix(num=4), ws.Ld(type="b64"), ws.Ld(), ws.Ld(vec=4)]):
        rng = np.random.default_rng(seed)
        for part in range(8):
            units = 0x10000 if part < 6 else 0x10400
            at = rng.integers(0, units, (32_768, 32), np.uint32)
            at[part::11] %= 256
            address = at * np.uint32(op.access_bytes)
            counts = []
            for name in LEVELS:
                _core.set_simd(name)
                counts.append(op.traffic(address).wavefronts)
            assert all(np.array_equal(counts[0], other) for other in counts[1:])
            warps += len(address)
    _core.set_simd(before)
    compared("random warps, every level against every other", warps, at_least=1_000_000)


@pytest.mark.parametrize("op", [ws.Ldmatrix(num=4), ws.Ld(type="b64"), ws.Ld()], ids=str)
def test_one_group_with_conflicts_among_free_ones_is_found(op: ws.DataMovement, level: str) -> None:
    """Kernels that look for conflicts first must look everywhere."""
    lanes, width, warps = op.group_lanes, op.access_bytes, 32
    free = np.tile(np.arange(32, dtype=np.uint32) * width, (warps, 1))
    groups = 32 // lanes
    for group in range(warps * groups):
        address = free.copy()
        address.reshape(-1, lanes)[group] = np.arange(lanes) * 128
        expected = np.full(warps, groups)
        expected[group // groups] += lanes - 1
        assert np.array_equal(op.traffic(address).wavefronts, expected)
    compared("single groups with conflicts", warps * groups, at_least=1)


FRAGMENTS = {
    "layout": ("row", "col"), "shape": [x for x in _core.SHAPES if x],
    "type": [x for x in _core.TYPES if x], "space": ("shared",),
}  # fmt: skip
WMMA = [*made(ws.WmmaLoad, operand=("a", "b", "c"), **FRAGMENTS), *made(ws.WmmaStore, **FRAGMENTS)]


@pytest.mark.slow
@pytest.mark.parametrize("target", [None, "sm_75"])
def test_warps_of_wmma_are_in_a_batch_what_they_are_alone(level: str, target: str | None) -> None:
    """Strides of all kinds, and matrices that hang over the end of the memory."""
    random = np.random.default_rng(21)
    shared = ws.SharedMemory(random.integers(0, 256, 4096, np.uint8))
    warps = 20
    for op in WMMA:
        if target is not None and not op.legality(target, "9.0").ok:
            continue
        default = op.default_stride
        strides = default * random.integers(1, 4, warps) + 8 * random.integers(0, 2, warps)
        place = random.integers(0, 4096 // 32, warps) * 32
        for stride in (None, int(strides[0]), strides):
            batch = _wmma(op, shared, place[:, None], stride, target)
            for i in range(warps):
                own = int(stride[i]) if isinstance(stride, np.ndarray) else stride
                alone = _wmma(op, shared, np.full(32, place[i]), own, target)
                same = [np.array_equal(one[i], other) for one, other in zip(batch, alone, strict=True)]
                assert all(same), (op, place[i], own, same)
            _wmma_without_findings(op, shared, place[:, None], stride, target)
    compared("warps of wmma alone and in a batch", warps * 3 * len(WMMA), at_least=1000)


def _wmma(op: ws.DataMovement, shared: ws.SharedMemory, place: Any, stride: Any, target: str | None) -> list[Any]:
    """What a call gives that has an entry a warp."""
    options = {"stride": stride, "target": target}
    traffic = op.traffic(place, **options)
    counted = [traffic.requests, traffic.wavefronts, traffic.ideal_wavefronts]
    if not op.is_load:
        return counted
    found = op.execute(shared, place, on_ub="record", **options)
    return [*counted, found.registers, found.ok]


def _wmma_without_findings(
    op: ws.DataMovement, shared: ws.SharedMemory, place: Any, stride: Any, target: str | None
) -> None:
    """What nothing is wrong with goes another way, to the same end."""
    random = np.random.default_rng(25)
    width = np.uint32 if op.register_bits == 32 else np.uint64
    registers = random.integers(0, 2**32, (len(place), 32, op.num_registers)).astype(width)
    given = None if op.is_load else registers
    options = {"stride": stride, "target": target}
    slow = ws.SharedMemory(shared.bytes.copy())
    fine = op.execute(slow, place, given, on_ub="record", **options)
    if isinstance(stride, np.ndarray):
        options["stride"] = stride[fine.ok]
    quick = ws.SharedMemory(shared.bytes.copy())
    out = np.full_like(registers[fine.ok], 0xDEAD) if op.is_load else None
    given = None if op.is_load else registers[fine.ok]
    op.execute(quick, place[fine.ok], given, out=out, **options)
    assert np.array_equal(quick.bytes, slow.bytes)
    if op.is_load:
        assert np.array_equal(out, fine.registers[fine.ok])


@pytest.mark.parametrize("op", [ws.Ld(), ws.Ld(vec=4), ws.Ld(type="s8"), ws.St(vec=2)], ids=str)
def test_exited_lanes_are_counted_as_lanes_that_are_not_active(op: ws.DataMovement, level: str) -> None:
    shared, address = memory(22), rows(op, 50, 23)
    exited = np.random.default_rng(24).integers(0, 2**32, 50).astype(np.uint32)
    registers = None if op.is_load else np.zeros((50, 32, op.num_registers), np.uint32)
    found = op.execute(shared, address, registers, exited=exited, on_ub="record").traffic
    assert found == op.traffic(address, active=~exited)


@pytest.mark.parametrize("op", [ws.Ldmatrix(num=4), ws.Ld(vec=4), ws.WmmaLoad(), ws.Ldmatrix()], ids=str)
@pytest.mark.parametrize("threads", [2, 3, 8])
def test_threads_change_nothing(op: ws.DataMovement, threads: int) -> None:
    shared, address = memory(6), rows(op, 5000, 7)
    if op.is_wmma:
        address = np.repeat(address[:, :1] // 4, 32, axis=1) // 32 * 32
    alone, together = (op.execute(shared, address, threads=n) for n in (1, threads))
    assert np.array_equal(np.asarray(alone.registers), np.asarray(together.registers))
    assert alone.traffic == together.traffic == op.traffic(address, threads=threads)
    address[4321, 5] += 1
    for n in (1, threads):
        found = op.execute(shared, address, threads=n, on_ub="record")
        assert {finding.warp for finding in found.findings} == {4321}
        assert not found.ok[4321]
        with pytest.raises(ws.UndefinedBehaviorError) as raised:
            op.execute(shared, address, threads=n)
        assert list(raised.value.findings) == list(found.findings)


def test_out_is_used_and_left_alone_where_something_is_undefined() -> None:
    op, shared = ws.Ldmatrix(num=4), memory(9)
    address = rows(op, 300, 10)
    out = np.full((300, 32, 4), 0xDEAD, np.uint32)
    assert op.execute(shared, address, out=out).registers is out
    assert np.array_equal(out, np.asarray(op.execute(shared, address).registers))
    before = out.copy()
    address[299, 31] += 8
    for threads in (1, 2):
        with pytest.raises(ws.MisalignedAddressError):
            op.execute(shared, address, out=out, threads=threads)
        assert np.array_equal(out, before)


@pytest.mark.parametrize("form", ["own addresses", "own memory", "backwards", "wrong shape"])
def test_out_that_cannot_be_taken_as_it_is(form: str) -> None:
    op = ws.Ldmatrix(num=4)
    storage = np.arange(4096, dtype=np.uint32)
    shared = ws.SharedMemory(storage[:2048])
    address = (np.arange(32, dtype=np.uint32) * 16).reshape(1, 32)
    right = np.asarray(op.execute(shared, address.copy()).registers)
    if form == "own addresses":
        mixed = np.zeros((1, 32, 4), np.uint32)
        inside = mixed.reshape(-1)[:32].reshape(1, 32)
        inside[:] = address
        assert np.array_equal(np.asarray(op.execute(shared, inside, out=mixed).registers), right)
    elif form == "own memory":
        many = np.tile(address, (4, 1))
        for first in (0, 32, 100):
            kept = storage.copy()
            out = kept[first : first + 512].reshape(4, 32, 4)
            op.execute(ws.SharedMemory(kept[:2048]), many, out=out)
            assert np.array_equal(out, np.repeat(right, 4, axis=0))
    elif form == "backwards":
        with pytest.raises(ValueError, match="out"):
            op.execute(shared, address, out=np.zeros((1, 32, 4), np.uint32)[:, ::-1])
    else:
        with pytest.raises(ValueError, match="out"):
            op.execute(shared, address, out=np.zeros((32, 4), np.uint32))


@pytest.mark.parametrize(
    "shape",
    [(32,), (1, 32), (3, 32), (2, 5, 32), (70, 2, 32), (0, 32)]
    + [(1,) * (rank - 2) + (2, 32) for rank in (5, 6, 7, 8, 9, 10, 17, 40)],
)
def test_short_and_long_way_agree(shape: tuple[int, ...]) -> None:
    op, shared = ws.Ldmatrix(num=4, trans=True), memory(11)
    address = rows(op, int(np.prod(shape[:-1])), 12).reshape(shape)
    short, long = op.execute(shared, address), op.execute(shared, address.astype(np.int64))
    for name in ("registers", "ok"):
        one, other = np.asarray(getattr(short, name)), np.asarray(getattr(long, name))
        assert one.shape == other.shape
        assert one.dtype == other.dtype
        assert np.array_equal(one, other)
    assert short.traffic == long.traffic == op.traffic(address)
    assert list(short.findings) == list(long.findings) == []
    assert op.execute(shared, address, traffic=False).traffic is None


@pytest.mark.parametrize("wrong", [{"threads": 0}, {"threads": -1}, {"threads": 1.5}, {"threads": True}, {"thread": 2}])
def test_keywords_that_are_wrong_are_named(wrong: dict[str, Any]) -> None:
    op, address = ws.Ldmatrix(), np.zeros(32, np.uint32)
    with pytest.raises((TypeError, ValueError), match=next(iter(wrong))):
        op.execute(ws.SharedMemory(64), address, **wrong)
    with pytest.raises((TypeError, ValueError), match=next(iter(wrong))):
        op.traffic(address, **wrong)


@pytest.mark.parametrize("name", [*LEVELS, "auto"])
def test_environment_names_the_level(name: str) -> None:
    code = "from warpsim import _core; print(_core.get_simd())"
    printed = run(sys.executable, "-c", code, WARPSIM_SIMD=name)
    assert printed.strip() == (LEVELS[-1] if name == "auto" else name)


def test_environment_with_an_unknown_level_says_which_there_are() -> None:
    done = ended(sys.executable, "-c", "import warpsim", WARPSIM_SIMD="mmx")
    assert done.returncode != 0
    assert "WARPSIM_SIMD: expected one of auto, portable" in done.stderr
    assert "'mmx'" in done.stderr
