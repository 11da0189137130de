"""Random batches of warps in the package and in the slow oracle, compared in everything."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import prod
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

import warpsim as ws
from tests.reference import plain, traffic, undefined
from tests.reference.forms import ALL_LANES, WARP_LANES
from tests.reference.memory import DEFAULT_SHARED_WINDOW, Memory
from tests.reference.wmma import forms as wmma_forms
from tests.reference.wmma import undefined as wmma_undefined
from tests.support.evidence import compared
from tests.support.oracle import (
    INSTRUCTIONS,
    MATRICES,
    PLAIN,
    STORES,
    WMMA,
    Case,
    Expected,
    Instruction,
    Warp,
    expect,
    traffic_alone,
)

GLOBAL_BASE = 0x7F00_0000_0000
#: What was compared, form by form.
COMPARED: dict[str, Counter[str]] = defaultdict(Counter)


def every_form(*mnemonics: str) -> pytest.MarkDecorator:
    chosen = [one for one in INSTRUCTIONS if one.mnemonic in mnemonics]
    return pytest.mark.parametrize("instruction", chosen, ids=lambda one: one.name)


def examples(count: int) -> Callable[[Any], Any]:
    return settings(
        max_examples=count, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
    )


def pattern(random: Random, kind: str, slots: int) -> list[int]:
    """One slot of memory for each lane."""
    if kind == "tile":
        rows = random.choice((2, 4, 8, 16, 32))
        start, pitch, step = random.randrange(slots), random.randrange(18), random.randrange(9)
        return [(start + i % rows * pitch + i // rows * step) % slots for i in range(WARP_LANES)]
    if kind == "shuffled":
        start = random.randrange(slots)
        return [(start + i) % slots for i in random.sample(range(WARP_LANES), WARP_LANES)]
    if kind == "few":
        few = [random.randrange(slots) for _ in range(random.randint(1, 4))]
        return [random.choice(few) for _ in range(WARP_LANES)]
    anywhere = [random.randrange(slots) for _ in range(WARP_LANES)]
    if kind == "pairs":
        distance = random.choice((1, 2, 3))
        return [anywhere[i & ~distance] for i in range(WARP_LANES)]
    return anywhere


def fault(random: Random, kind: str, place: int, *, width: int, memory: Memory, bits: int) -> int:
    """An address that is wrong, or just about right, instead of `place`."""
    end = memory.base + len(memory.data)
    wrong = {
        "misaligned": place + random.randrange(width),
        "last": (end - width) // width * width,
        "past": -(-end // width) * width,
        "over the end": end - random.randrange(width),
        "before": memory.base - random.randint(1, 2 * width),
        "wrap": (1 << bits) - random.randint(1, 2 * width),
        "wrap aligned": (1 << bits) - width,
        "far": random.getrandbits(bits),
    }[kind]
    return wrong % (1 << bits)


FAULTS = (*("misaligned", "last", "past", "over the end"), *("before", "wrap", "wrap aligned", "far"))
PATTERNS = ("tile", "random", "few", "pairs", "shuffled")


def places(draw: Any, random: Random, memory: Memory, width: int, bits: int) -> list[int]:
    slots = max(1, len(memory.data) // width)
    lanes = pattern(random, draw(st.sampled_from(PATTERNS)), slots)
    address = [memory.base + width * slot for slot in lanes]
    if draw(st.sampled_from((False, False, False, True))):
        kinds = st.tuples(st.integers(0, WARP_LANES - 1), st.sampled_from(FAULTS))
        for lane, kind in draw(st.lists(kinds, min_size=1, max_size=3)):
            place = address[lane]
            address[lane] = fault(random, kind, place, width=width, memory=memory, bits=bits)
    return address


def generic(random: Random, address: list[int], case: Case, width: int, anywhere: bool) -> None:
    """Turn shared addresses into generic ones, some of them into global or nameless ones."""
    strays = anywhere and random.random() < 0.4
    for lane, place in enumerate(address):
        address[lane] = (case.window + place) % (1 << 64)
        if strays and random.random() < 0.4:
            slots = len(case.global_.data) // width
            address[lane] = case.global_.base + width * random.randrange(slots)
    if random.random() < 0.15:
        edges = (case.window, case.window + (1 << 24), case.global_.base, 1 << 32, 0)
        stray = random.choice(edges) + random.choice((-width, 0, 1, width))
        address[random.randrange(WARP_LANES)] = stray % (1 << 64)


def masks(draw: Any, random: Random, whole: int) -> tuple[int, int]:
    """Lanes that are active, and that have exited; all and none `whole` times as often."""
    kind = draw(st.sampled_from(("all",) * whole + ("none", "some", "few", "half")))
    some = random.getrandbits(32)
    active = {
        "all": ALL_LANES,
        "none": 0,
        "some": some,
        "few": some & random.getrandbits(32) & random.getrandbits(32),
        "half": random.choice((0xFFFF, 0xFFFF0000, 0xFF00FF00, 0x55555555)),
    }[kind]
    exits = draw(st.sampled_from((False,) * 2 * whole + (True,)))
    return active, random.getrandbits(32) & random.getrandbits(32) if exits else 0


def stride_for(draw: Any, random: Random, instruction: Instruction) -> int:
    """In elements; mostly one that is defined."""
    least, bits = instruction.lines[1], wmma_forms.element_bits(instruction.form["type"])
    step, small = (max(1, 8 * nbytes // bits) for nbytes in (instruction.width, min(instruction.width, 16)))
    kind = draw(st.sampled_from(("default", "multiple", "multiple", "padded", "any", "below")))
    return {
        "default": least,
        "multiple": (-(-least // step) + random.randrange(4)) * step,
        "padded": (-(-least // small) + random.randrange(6)) * small,
        "any": random.randrange(3 * least),
        "below": random.randrange(least) // small * small,
    }[kind]


def address_for(draw: Any, random: Random, instruction: Instruction, memory: Memory, stride: int) -> int:
    """Mostly one with which the matrix lies in the memory."""
    size, (count, length) = instruction.width, instruction.lines
    extent = ((count - 1) * stride + length) * wmma_forms.element_bits(instruction.form["type"]) // 8
    base, end = memory.base, memory.base + len(memory.data)
    last = max(base, (end - extent) // size * size)
    kind = draw(st.sampled_from(("in",) * 6 + ("last", "past", "odd", "before", "over", "far")))
    return {
        "in": base + random.randrange((last - base) // size + 1) * size,
        "odd": base + random.randrange(max(1, len(memory.data) - extent)),
        "far": random.getrandbits(31 if base < GLOBAL_BASE else 47) // size * size,
        "before": max(0, base - size * random.randint(1, 4)),
        "over": max(0, end - random.randrange(extent + size)),
        "past": last + size,
        "last": last,
    }[kind]


def wmma_places(draw: Any, random: Random, instruction: Instruction, case: Case, warp: Warp) -> None:
    """One address and one stride, of which a lane may differ."""
    in_global = case.space == "global" or (case.space == "" and random.random() < 0.5)
    memory = case.global_ if in_global else case.shared
    stride = instruction.lines[1] if case.default_stride else stride_for(draw, random, instruction)
    address = address_for(draw, random, instruction, memory, stride)
    address += case.window if case.space == "" and not in_global else 0
    warp.address, warp.stride = [address] * WARP_LANES, [stride] * WARP_LANES
    differ = draw(st.sampled_from((None,) * 8 + ("address", "stride", "idle")))
    for lane in random.sample(range(WARP_LANES), random.choice((1, 3, 31))):
        idle = differ == "idle" and not (warp.active & ~warp.exited) >> lane & 1
        if differ == "address" or idle:
            warp.address[lane] = max(0, address + random.choice((-1, 1, 2)) * instruction.width)
        if not case.default_stride and (differ == "stride" or idle):
            warp.stride[lane] = stride + random.choice((1, 8, 32))


def other_places(draw: Any, random: Random, instruction: Instruction, case: Case, warp: Warp) -> None:
    width = instruction.width
    if instruction.mnemonic != "movmatrix":
        warp.address = places(draw, random, case.shared, width, 32)
    if instruction.mnemonic == "cp.async":
        warp.source = places(draw, random, case.global_, width, 64)
        if random.random() < 0.5:
            first = warp.source[0]
            warp.source = [(first + width * lane) % (1 << 64) for lane in range(WARP_LANES)]
    elif case.space == "" and warp.address:
        generic(random, warp.address, case, width, instruction.mnemonic in PLAIN)
    if warp.address and random.random() < 0.5:
        for lane in range(instruction.row_lanes, WARP_LANES):
            warp.address[lane] = random.getrandbits(32 if case.space else 64)


def warp_of(draw: Any, random: Random, instruction: Instruction, case: Case) -> Warp:
    """One warp of a case."""
    alike = {**dict.fromkeys((*MATRICES, "movmatrix"), 5), **dict.fromkeys(WMMA, 9)}
    registers = [
        [random.getrandbits(instruction.register_bits) for _ in range(instruction.registers)] for _ in range(WARP_LANES)
    ]
    warp = Warp([], [], [], registers, *masks(draw, random, alike.get(instruction.mnemonic, 1)))
    (wmma_places if instruction.is_wmma else other_places)(draw, random, instruction, case, warp)
    return warp


@st.composite
def cases(draw: Any, instruction: Instruction) -> Case:
    # Hypothesis chooses the kind of everything; the many numbers come from a seed, form by form.
    random = Random(f"{instruction.name} {draw(st.integers(0, 2**32))}")
    sizes = (8192, 16384, 2000, 300) if instruction.is_wmma else (4096, 8192, 1000, 200, 16)
    nbytes, targets = draw(st.sampled_from(sizes)), instruction.targets
    case = Case(
        space=draw(st.sampled_from(instruction.spaces)),
        target=draw(st.sampled_from((None, None, targets[0], targets[-1]))),
        shape=draw(st.sampled_from(((), (1,), (2,), (5,), (2, 2)))),
        shared=Memory(bytearray(random.randbytes(nbytes)), random.choice((0, 0, 1024))),
        global_=Memory(bytearray(random.randbytes(max(nbytes, 4096))), GLOBAL_BASE),
        window=random.choice((DEFAULT_SHARED_WINDOW, 0x7F12_3400_0000)),
        threads=draw(st.sampled_from((1, 3))),
        out=random.random() < 0.5,
        default_stride=random.random() < 0.3,
    )
    case.warps = [warp_of(draw, random, instruction, case) for _ in range(prod(case.shape))]
    return case


def array_of(case: Case, rows: Sequence[Any], dtype: Any) -> Any:
    """One entry for each warp, in the shape of the batch."""
    array = np.array(rows, dtype=dtype)
    return array.reshape(case.shape + array.shape[1:])


def key(error: str, severity: str, lane: int | None, address: int | None) -> tuple[Any, ...]:
    """A finding as it compares: of strides and of operands that differ, the address is open."""
    open_ = error in (wmma_undefined.STRIDE, wmma_undefined.DIVERGENT)
    return error, severity, -1 if lane is None else lane, None if open_ else address


def check_warp(instruction: Instruction, warp: Warp, found: list[Any], expected: Expected) -> None:
    """The findings of one warp.

    Of a wmma whose lanes disagree, only that it is said. If its stride has an error, it is open
    where the lines of the matrix begin, and in how many ways the stride is wrong.
    """
    wanted = [key(*one) for one in expected.findings]
    said, open_ = {one[0] for one in found}, {one[0] for one in wanted} | {undefined.OUT_OF_BOUNDS}
    wrong_stride = (wmma_undefined.STRIDE, wmma_undefined.ERROR)
    if not instruction.is_wmma:
        errors = [one for one in found if one[1] == wmma_undefined.ERROR]
        assert Counter(errors) == Counter(wanted)
        assert wanted or (len(found) > 0) == expected.warned
    elif not warp.agrees:
        assert wmma_undefined.DIVERGENT in said and said <= open_
    elif any(one[:2] == wrong_stride for one in wanted):
        open_ = {undefined.OUT_OF_BOUNDS, wmma_undefined.STRIDE}
        assert [f for f in found if f[0] not in open_] == [f for f in wanted if f[0] not in open_]
        assert (*wrong_stride, -1) in {f[:3] for f in found}
    else:
        assert Counter(found) == Counter(wanted)


def check_findings(instruction: Instruction, case: Case, found: Sequence[Any], expected: list[Expected]) -> None:
    """The same findings, in the order of the contract: warp, lane, misalignment before bounds."""
    got = [(one.warp, *key(one.error.__name__, one.severity, one.lane, one.address)) for one in found]
    for w, (warp, one) in enumerate(zip(case.warps, expected, strict=True)):
        check_warp(instruction, warp, [f[1:] for f in got if f[0] == w], one)
        COMPARED[instruction.name]["findings"] += len(one.findings)
    order = [(f[0], f[3]) for f in got if instruction.is_wmma or f[2] == wmma_undefined.ERROR]
    assert order == sorted(order)
    for one, other in pairwise(got):
        same = one[0] == other[0] and one[3] == other[3]
        if same and (instruction.is_wmma or one[4] == other[4]) and other[1] == undefined.MISALIGNED:
            assert one[1] not in (undefined.OUT_OF_BOUNDS, undefined.NON_SHARED)


def check_traffic(name: str, counted: Any, wanted: Sequence[traffic.Counts | None]) -> None:
    for counter in traffic.COUNTERS:
        values = np.asarray(getattr(counted, counter)).reshape(-1)
        assert len(values) == len(wanted)
        for value, counts in zip(values, wanted, strict=True):
            if counts is not None:
                assert value == counts[counter], counter
                COMPARED[name]["counters"] += 1


def check_registers(instruction: Instruction, case: Case, registers: Any, kept: Any, expected: list[Expected]) -> None:
    """Lanes that are not active keep what was there before, warps with an error are cleared."""
    wanted = kept.reshape(-1, WARP_LANES, instruction.registers).copy()
    for w, (warp, one) in enumerate(zip(case.warps, expected, strict=True)):
        if one.registers is None:
            wanted[w] = 0
            continue
        for lane in plain.executing_lanes(**warp.mask):
            wanted[w, lane] = one.registers[lane]
    assert registers.dtype == kept.dtype
    assert registers.shape == kept.shape
    assert np.array_equal(registers, wanted.reshape(kept.shape))
    COMPARED[instruction.name]["registers"] += wanted.size


def arrays_of(instruction: Instruction, case: Case) -> tuple[Any, dict[str, Any], dict[str, Any]]:
    """The addresses of a batch, and the keywords of execute and of traffic."""
    short = case.space.startswith("shared") or instruction.mnemonic == "cp.async"
    address: Any = array_of(case, [w.address for w in case.warps], np.uint32 if short else np.uint64)
    count: dict[str, Any] = {"active": array_of(case, [w.active for w in case.warps], np.uint32)}
    if instruction.is_wmma:
        stride: Any = array_of(case, [w.stride for w in case.warps], np.uint32)
        if all(len(set(w.address)) == 1 for w in case.warps):
            address = address[..., :1]  # a last axis of 1 means all lanes
        if all(len(set(w.stride)) == 1 for w in case.warps):
            stride = stride[..., 0]
        count["stride"] = None if case.default_stride else stride
    if instruction.mnemonic == "cp.async":
        count["source"] = array_of(case, [w.source for w in case.warps], np.uint64)
    exited = array_of(case, [w.exited for w in case.warps], np.uint32)
    call = {**count, "exited": exited, "target": case.target, "threads": case.threads}
    if instruction.mnemonic in ("stmatrix", "st", "movmatrix", "wmma.store"):
        rows = [w.registers for w in case.warps]
        call["registers"] = array_of(case, rows, instruction.register_type)
    return None if instruction.mnemonic == "movmatrix" else address, call, count


def memory_of(instruction: Instruction, case: Case, shared: Any, other: Any) -> Any:
    """The package's memory over the given bytes."""
    if instruction.mnemonic == "movmatrix":
        return None
    inside = ws.SharedMemory(shared, base=case.shared.base)
    outside = ws.GlobalMemory(other, base=case.global_.base)
    if case.space == "":
        return ws.AddressSpace(shared=inside, global_=outside, shared_window=case.window)
    return outside if case.space == "global" else inside


def check(instruction: Instruction, case: Case) -> None:
    """Execute the batch in the package and warp by warp in the oracle, and compare everything."""
    name, op = instruction.name, instruction.op(case.space)
    arrays = [np.frombuffer(bytes(m.data), np.uint8).copy() for m in (case.shared, case.global_)]
    memory = memory_of(instruction, case, *arrays)
    address, call, count = arrays_of(instruction, case)
    before = [array.tobytes() for array in arrays]
    expected = [expect(instruction, case, warp) for warp in case.warps]
    if not all(one.ok for one in expected):
        with pytest.raises(ws.UndefinedBehaviorError) as caught:
            op.execute(memory, address, **call)
        found = caught.value.findings
        assert type(caught.value) is next(one.error for one in found if one.severity == "error")
        check_findings(instruction, case, found, expected)
        assert before == [array.tobytes() for array in arrays]
    shape = (*case.shape, WARP_LANES, instruction.registers)
    kept = np.full(shape, 0xA5A5A5A5 if case.out else 0, dtype=instruction.register_type)
    if case.out and instruction.mnemonic not in STORES:
        call["out"] = kept.copy()
    result = op.execute(memory, address, on_ub="record", **call)
    assert np.asarray(result.ok).shape == case.shape
    assert np.ravel(result.ok).tolist() == [one.ok for one in expected]
    check_findings(instruction, case, result.findings, expected)
    check_traffic(name, result.traffic, [one.traffic for one in expected])
    for array, reference in zip(arrays, (case.shared, case.global_), strict=True):
        assert array.tobytes() == bytes(reference.data)
        COMPARED[name]["bytes"] += array.size
    if instruction.mnemonic in STORES:
        assert result.registers is None
    else:
        check_registers(instruction, case, result.registers, kept, expected)
        assert not case.out or result.registers is call["out"]
    if address is not None:
        alone = [traffic_alone(instruction, case, warp) for warp in case.warps]
        check_traffic(name, op.traffic(address, **count), alone)


def enough(instructions: Sequence[Instruction], **floor: int) -> None:
    """That so much was compared of every form; moved: registers or bytes."""
    total: Counter[str] = Counter()
    for instruction in instructions:
        one = COMPARED[instruction.name]
        for what, least in floor.items():
            moved = "bytes" if instruction.mnemonic in STORES else "registers"
            assert one[moved if what == "moved" else what] >= least, (instruction.name, what)
        total += one
    for what, count in total.items():
        compared(f"against the oracle: {what}", count, at_least=1000)
