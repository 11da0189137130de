"""The package against the slow oracle of `reference`, form by form, on random batches of warps."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise, product
from math import prod
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import warpsim as ws
from tests.reference import fragments, legality, matrices, plain, traffic, undefined
from tests.reference.forms import (
    ALL_LANES,
    B4,
    B6,
    S4,
    WARP_LANES,
    Form,
    access_bytes,
    forms_of,
    matrix_registers,
    row_bytes,
    row_lanes,
)
from tests.reference.memory import DEFAULT_SHARED_WINDOW, AddressSpace, Memory, resolve

CLASSES: dict[str, Any] = {
    "ldmatrix": ws.Ldmatrix,
    "stmatrix": ws.Stmatrix,
    "movmatrix": ws.Movmatrix,
    "ld": ws.Ld,
    "st": ws.St,
    "cp.async": ws.CpAsync,
}
SPACES = ("shared", "shared::cta", "")
STORES = ("stmatrix", "st", "cp.async")
MATRICES = ("ldmatrix", "stmatrix")

# What was compared, form by form: the last test looks whether it was enough.
COMPARED: dict[str, Counter[str]] = defaultdict(Counter)


@dataclass(frozen=True)
class Instruction:
    """A form of an instruction; the state space is chosen case by case."""

    mnemonic: str
    form: Form = field(hash=False)

    @property
    def name(self) -> str:
        words = [self.mnemonic]
        for key, value in self.form.items():
            prefix = {"num": "x", "vec": "v"}.get(key, "")
            words += [] if value is False else [key if value is True else f"{prefix}{value}"]
        return " ".join(words)

    @property
    def spaces(self) -> tuple[str, ...]:
        return ("",) if self.mnemonic in ("movmatrix", "cp.async") else SPACES

    @property
    def width(self) -> int:
        """Bytes behind one address, to which it is aligned too."""
        if self.mnemonic in MATRICES:
            return row_bytes(self.form["type"])
        if self.mnemonic in ("ld", "st"):
            return access_bytes(**self.form)
        return self.form["size"] if self.mnemonic == "cp.async" else 0

    @property
    def registers(self) -> int:
        if self.mnemonic in MATRICES:
            return matrix_registers(**self.form)
        return {"movmatrix": 1, "cp.async": 0}.get(self.mnemonic) or self.form.get("vec", 0)

    @property
    def register_bits(self) -> int:
        return plain.register_bits(self.form["type"]) if self.mnemonic in ("ld", "st") else 32

    @property
    def register_type(self) -> Any:
        return np.uint64 if self.register_bits == 64 else np.uint32

    @property
    def row_lanes(self) -> int:
        if self.mnemonic in MATRICES:
            return row_lanes(**self.form)
        return 0 if self.mnemonic == "movmatrix" else WARP_LANES

    @cached_property
    def targets(self) -> tuple[str, ...]:
        return legality.targets(self.mnemonic, self.form, "shared::cta")

    def op(self, space: str = "shared") -> Any:
        if self.mnemonic in ("movmatrix", "cp.async"):
            return CLASSES[self.mnemonic](**self.form)
        return CLASSES[self.mnemonic](space=space, **self.form)


INSTRUCTIONS = [Instruction(m, form) for m in CLASSES for form in forms_of(m)]
INSTRUCTIONS_BY_NAME = {instruction.name: instruction for instruction in INSTRUCTIONS}


def every_form(*mnemonics: str) -> pytest.MarkDecorator:
    chosen = [one for one in INSTRUCTIONS if one.mnemonic in mnemonics]
    return pytest.mark.parametrize("instruction", chosen, ids=lambda one: one.name)


# --- random batches -------------------------------------------------------------------------


@dataclass
class Warp:
    address: list[int]
    source: list[int]
    registers: list[list[int]]
    active: int
    exited: int


@dataclass
class Case:
    space: str
    target: str | None
    shape: tuple[int, ...]
    shared: Memory
    global_: Memory
    window: int
    warps: list[Warp]
    threads: int
    out: bool

    def reference_memory(self) -> Memory | AddressSpace:
        if self.space:
            return self.shared
        return AddressSpace(self.shared, self.global_, self.window)


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


FAULTS = (
    *("misaligned", "last", "past", "over the end"),
    *("before", "wrap", "wrap aligned", "far"),
)
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


def masks(draw: Any, random: Random, aligned: bool) -> tuple[int, int]:
    kind = draw(st.sampled_from(("all",) * (5 if aligned else 1) + ("none", "some", "few", "half")))
    some = random.getrandbits(32)
    active = {
        "all": ALL_LANES,
        "none": 0,
        "some": some,
        "few": some & random.getrandbits(32) & random.getrandbits(32),
        "half": random.choice((0xFFFF, 0xFFFF0000, 0xFF00FF00, 0x55555555)),
    }[kind]
    exits = draw(st.sampled_from((False,) * (9 if aligned else 2) + (True,)))
    return active, random.getrandbits(32) & random.getrandbits(32) if exits else 0


def warp_of(draw: Any, random: Random, instruction: Instruction, case: Case) -> Warp:
    """One warp of a case."""
    address: list[int] = []
    source: list[int] = []
    width = instruction.width
    if instruction.mnemonic != "movmatrix":
        address = places(draw, random, case.shared, width, 32)
    if instruction.mnemonic == "cp.async":
        source = places(draw, random, case.global_, width, 64)
        if random.random() < 0.5:
            source = [(source[0] + width * lane) % (1 << 64) for lane in range(WARP_LANES)]
    elif case.space == "" and address:
        generic(random, address, case, width, instruction.mnemonic in ("ld", "st"))
    if address and random.random() < 0.5:
        for lane in range(instruction.row_lanes, WARP_LANES):
            address[lane] = random.getrandbits(32 if case.space else 64)
    active, exited = masks(draw, random, instruction.mnemonic in (*MATRICES, "movmatrix"))
    registers = [
        [random.getrandbits(instruction.register_bits) for _ in range(instruction.registers)]
        for _ in range(WARP_LANES)
    ]
    return Warp(address, source, registers, active, exited)


@st.composite
def cases(draw: Any, instruction: Instruction) -> Case:
    # Hypothesis chooses the kind of everything; the many numbers come from a seed, form by form.
    random = Random(f"{instruction.name} {draw(st.integers(0, 2**32))}")
    nbytes = draw(st.sampled_from((4096, 8192, 1000, 200, 16)))
    targets = instruction.targets
    case = Case(
        space=draw(st.sampled_from(instruction.spaces)),
        target=draw(st.sampled_from((None, None, targets[0], targets[-1]))),
        shape=draw(st.sampled_from(((), (1,), (2,), (5,), (2, 2)))),
        shared=Memory(bytearray(random.randbytes(nbytes)), random.choice((0, 0, 1024))),
        global_=Memory(bytearray(random.randbytes(4096)), 0x7F00_0000_0000),
        window=random.choice((DEFAULT_SHARED_WINDOW, 0x7F12_3400_0000)),
        warps=[],
        threads=draw(st.sampled_from((1, 3))),
        out=random.random() < 0.5,
    )
    case.warps = [warp_of(draw, random, instruction, case) for _ in range(prod(case.shape))]
    return case


# --- what the oracle expects ----------------------------------------------------------------


@dataclass
class Expected:
    findings: list[undefined.Found]
    traffic: traffic.Counts | None
    registers: list[list[int]] | None = None
    warned: bool = False


def mask_of(warp: Warp) -> dict[str, Any]:
    return {"active": warp.active, "exited": warp.exited}


def findings_of(instruction: Instruction, case: Case, warp: Warp) -> list[undefined.Found]:
    mask = mask_of(warp)
    memory, width = case.reference_memory(), instruction.width
    if instruction.mnemonic == "movmatrix":
        return undefined.movmatrix_findings(**mask)
    if instruction.mnemonic == "cp.async":
        return undefined.cp_async_findings(
            case.shared, case.global_, warp.address, warp.source, size=width, **mask
        )
    if instruction.mnemonic in MATRICES:
        return undefined.matrix_findings(
            memory,
            warp.address,
            lanes=instruction.row_lanes,
            width=width,
            space=case.space,
            target=case.target,
            **mask,
        )
    return undefined.plain_findings(memory, warp.address, width=width, space=case.space, **mask)


def traffic_of(instruction: Instruction, warp: Warp, exited: int) -> traffic.Counts:
    form = instruction.form
    mask: dict[str, Any] = {"active": warp.active, "exited": exited}
    if warp.active == 0 or instruction.mnemonic == "movmatrix":
        return traffic.only_issued()
    if instruction.mnemonic in MATRICES:
        return traffic.matrix_traffic(
            warp.address, shape=form["shape"], num=form["num"], type=form["type"]
        )
    if instruction.mnemonic == "cp.async":
        return traffic.cp_async_traffic(warp.address, warp.source, **form, **mask)
    rule = traffic.ld_traffic if instruction.mnemonic == "ld" else traffic.st_traffic
    return rule(warp.address, **form, **mask)


def all_shared(instruction: Instruction, case: Case, warp: Warp) -> bool:
    """Whether plain generic accesses stay in shared memory: of others no rule counts traffic."""
    if case.space or instruction.mnemonic not in ("ld", "st"):
        return True
    lanes = plain.executing_lanes(warp.active, 0)
    ends = [resolve(case.reference_memory(), "", warp.address[lane])[0] for lane in lanes]
    return all(end is case.shared for end in ends)


def known_shared(instruction: Instruction, case: Case, warp: Warp) -> bool:
    """The same for traffic without a memory, which can know the usual window only."""
    plain_generic = not case.space and instruction.mnemonic in ("ld", "st")
    if plain_generic and case.window != DEFAULT_SHARED_WINDOW:
        return False
    return all_shared(instruction, case, warp)


def expect(instruction: Instruction, case: Case, warp: Warp) -> Expected:
    """What one warp does; stores change the memories of the case."""
    findings = findings_of(instruction, case, warp)
    if findings:
        return Expected(findings, traffic.nothing())
    counted = all_shared(instruction, case, warp)
    counts = traffic_of(instruction, warp, warp.exited) if counted else None
    expected = Expected([], counts)
    form, mask = instruction.form, mask_of(warp)
    memory = case.reference_memory()
    if instruction.mnemonic == "ld":
        expected.registers = plain.ld(memory, warp.address, space=case.space, **form, **mask)
    elif instruction.mnemonic == "st":
        plain.st(memory, warp.address, warp.registers, space=case.space, **form, **mask)
    elif instruction.mnemonic == "cp.async":
        shared, global_ = case.shared, case.global_
        plain.cp_async(shared, global_, warp.address, warp.source, **form, **mask)
        expected.warned = form["cache"] == "cg" and undefined.equal_destinations(
            warp.address, **mask
        )
    elif warp.active == 0:
        expected.registers = [[0] * instruction.registers for _ in range(WARP_LANES)]
    elif instruction.mnemonic == "ldmatrix":
        expected.registers = matrices.ldmatrix(memory, warp.address, space=case.space, **form)
    elif instruction.mnemonic == "stmatrix":
        matrices.stmatrix(memory, warp.address, warp.registers, space=case.space, **form)
    else:
        expected.registers = matrices.movmatrix(warp.registers)
    return expected


# --- the comparison -------------------------------------------------------------------------


def array_of(case: Case, rows: Sequence[Any], dtype: Any) -> Any:
    """One entry for each warp, in the shape of the batch."""
    array = np.array(rows, dtype=dtype)
    return array.reshape(case.shape + array.shape[1:])


def check_findings(name: str, found: Sequence[Any], expected: list[Expected]) -> None:
    """The same errors, in the order of the contract: warp, lane, misalignment before bounds."""
    errors = [one for one in found if one.severity == "error"]
    got = [(one.warp, one.lane, one.error.__name__, one.address) for one in errors]
    wanted = [
        (w, lane, error, address)
        for w, warp in enumerate(expected)
        for error, lane, address in warp.findings
    ]
    assert Counter(got) == Counter(wanted)
    assert [one[:2] for one in got] == [one[:2] for one in wanted]
    for (*place, error, _), (*next_place, next_error, _) in pairwise(got):
        if place == next_place and next_error == undefined.MISALIGNED:
            assert error not in (undefined.OUT_OF_BOUNDS, undefined.NON_SHARED)
    warned = {one.warp for one in found if one.severity == "warning"}
    for w, warp in enumerate(expected):
        if not warp.findings:
            assert (w in warned) == warp.warned
    COMPARED[name]["findings"] += len(wanted)


def check_traffic(name: str, counted: Any, wanted: list[traffic.Counts | None]) -> None:
    for counter in traffic.COUNTERS:
        values = np.asarray(getattr(counted, counter)).reshape(-1)
        assert len(values) == len(wanted)
        for value, counts in zip(values, wanted, strict=True):
            if counts is not None:
                assert value == counts[counter], counter
                COMPARED[name]["counters"] += 1


def check_registers(
    instruction: Instruction, case: Case, registers: Any, kept: Any, expected: list[Expected]
) -> None:
    """Lanes that are not active keep what was there before, warps with a finding are cleared."""
    wanted = kept.reshape(-1, WARP_LANES, instruction.registers).copy()
    for w, (warp, one) in enumerate(zip(case.warps, expected, strict=True)):
        if one.registers is None:
            wanted[w] = 0
            continue
        for lane in plain.executing_lanes(warp.active, warp.exited):
            wanted[w, lane] = one.registers[lane]
    assert registers.dtype == kept.dtype
    assert registers.shape == kept.shape
    assert np.array_equal(registers, wanted.reshape(kept.shape))
    COMPARED[instruction.name]["registers"] += wanted.size


def arrays_of(instruction: Instruction, case: Case) -> tuple[Any, dict[str, Any], dict[str, Any]]:
    """The addresses of a batch, and the keywords of execute and of traffic."""
    wide = np.uint64 if not case.space and instruction.mnemonic != "cp.async" else np.uint32
    address: Any = array_of(case, [warp.address for warp in case.warps], wide)
    active = array_of(case, [warp.active for warp in case.warps], np.uint32)
    execute = {
        "active": active,
        "exited": array_of(case, [warp.exited for warp in case.warps], np.uint32),
        "target": case.target,
        "threads": case.threads,
    }
    count = {"active": active}
    if instruction.mnemonic in ("stmatrix", "st", "movmatrix"):
        rows = [warp.registers for warp in case.warps]
        execute["registers"] = array_of(case, rows, instruction.register_type)
    if instruction.mnemonic == "cp.async":
        source = array_of(case, [warp.source for warp in case.warps], np.uint64)
        execute["source"] = count["source"] = source
    return None if instruction.mnemonic == "movmatrix" else address, execute, count


def memory_of(instruction: Instruction, case: Case, shared: Any, other: Any) -> Any:
    """The package's memory over the given bytes."""
    if instruction.mnemonic == "movmatrix":
        return None
    memory = ws.SharedMemory(shared, base=case.shared.base)
    if case.space:
        return memory
    outside = ws.GlobalMemory(other, base=case.global_.base)
    return ws.AddressSpace(shared=memory, global_=outside, shared_window=case.window)


def check(instruction: Instruction, case: Case) -> None:
    """Execute the batch in the package and warp by warp in the oracle, and compare everything."""
    name, op = instruction.name, instruction.op(case.space)
    shared = np.frombuffer(bytes(case.shared.data), dtype=np.uint8).copy()
    other = np.frombuffer(bytes(case.global_.data), dtype=np.uint8).copy()
    memory = memory_of(instruction, case, shared, other)
    address, call, count = arrays_of(instruction, case)
    before = shared.tobytes(), other.tobytes()
    expected = [expect(instruction, case, warp) for warp in case.warps]
    if any(warp.findings for warp in expected):
        with pytest.raises(ws.UndefinedBehaviorError) as caught:
            op.execute(memory, address, **call)
        found = caught.value.findings
        errors = [one.error for one in found if one.severity == "error"]
        assert type(caught.value) is errors[0]
        check_findings(name, found, expected)
        assert before == (shared.tobytes(), other.tobytes())
    shape = (*case.shape, WARP_LANES, instruction.registers)
    kept = np.full(shape, 0xA5A5A5A5 if case.out else 0, dtype=instruction.register_type)
    if case.out and instruction.mnemonic not in STORES:
        call["out"] = kept.copy()
    result = op.execute(memory, address, on_ub="record", **call)
    assert np.asarray(result.ok).shape == case.shape
    assert np.ravel(result.ok).tolist() == [not warp.findings for warp in expected]
    check_findings(name, result.findings, expected)
    check_traffic(name, result.traffic, [warp.traffic for warp in expected])
    assert shared.tobytes() == bytes(case.shared.data)
    assert other.tobytes() == bytes(case.global_.data)
    COMPARED[name]["bytes"] += shared.size + other.size
    if instruction.mnemonic in STORES:
        assert result.registers is None
    else:
        check_registers(instruction, case, result.registers, kept, expected)
        if case.out:
            check_registers(instruction, case, call["out"], kept, expected)
    if address is not None:
        as_given = [
            traffic_of(instruction, warp, 0) if known_shared(instruction, case, warp) else None
            for warp in case.warps
        ]
        check_traffic(name, op.traffic(address, **count), as_given)


# --- the tests ------------------------------------------------------------------------------


def examples(count: int) -> settings:
    return settings(
        max_examples=count,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


@every_form("ldmatrix", "stmatrix", "movmatrix")
@given(data=st.data())
@examples(60)
def test_matrix_instructions_agree_with_the_oracle(instruction: Instruction, data: Any) -> None:
    check(instruction, data.draw(cases(instruction)))


@every_form("ld", "st")
@given(data=st.data())
@examples(30)
def test_plain_accesses_agree_with_the_oracle(instruction: Instruction, data: Any) -> None:
    check(instruction, data.draw(cases(instruction)))


@every_form("cp.async")
@given(data=st.data())
@examples(150)
def test_cp_async_agrees_with_the_oracle(instruction: Instruction, data: Any) -> None:
    check(instruction, data.draw(cases(instruction)))


@every_form("cp.async")
def test_cp_async_without_source_counts_consecutive_bytes(instruction: Instruction) -> None:
    random = Random(instruction.name)
    for _ in range(20):
        address = [16 * random.randrange(512) for _ in range(WARP_LANES)]
        active = random.getrandbits(32)
        source = traffic.default_source(instruction.width)
        wanted = traffic.cp_async_traffic(address, source, active=active, **instruction.form)
        counted = instruction.op().traffic(np.array(address, dtype=np.uint32), active=active)
        check_traffic(instruction.name, counted, [wanted])


def test_movmatrix_counts_no_shared_wavefront() -> None:
    instruction = INSTRUCTIONS_BY_NAME["movmatrix"]
    check_traffic(instruction.name, instruction.op().traffic(None), [traffic.only_issued()])


@every_form(*MATRICES, "ld", "st", "cp.async")
def test_counters_without_a_measurement_are_marked_inexact(instruction: Instruction) -> None:
    address = np.arange(WARP_LANES, dtype=np.uint32) * 16
    measured = instruction.mnemonic not in MATRICES or (
        instruction.form["type"] == S4 or instruction.form["shape"] == "m8n8"
    )
    assert (not instruction.op().traffic(address).inexact) == measured


@pytest.mark.parametrize("space", ["shared", "shared::cta"])
@every_form("ldmatrix", "ld", "st")
def test_memory_that_ends_at_the_last_address_does_not_wrap(
    instruction: Instruction, space: str
) -> None:
    random = Random(instruction.name)
    width = instruction.width
    data = bytearray(random.randbytes(256))
    for past in (0, 1, width // 2):
        shared = Memory(bytearray(data), (1 << 32) - len(data))
        address = [((1 << 32) - width + past) % (1 << 32)] * WARP_LANES
        registers = [[7] * instruction.registers] * WARP_LANES
        warp = Warp(address, [], registers, ALL_LANES, 0)
        empty = Memory(bytearray(1))
        check(instruction, Case(space, None, (), shared, empty, 0, [warp], 1, False))


FRAGMENTS: dict[str, Callable[..., fragments.Fragment]] = {
    "ldmatrix": fragments.ldmatrix_fragment,
    "stmatrix": fragments.stmatrix_fragment,
    "movmatrix": fragments.movmatrix_fragment,
}


@every_form(*FRAGMENTS)
def test_fragment_maps_agree_with_the_oracle(instruction: Instruction) -> None:
    wanted = FRAGMENTS[instruction.mnemonic](**instruction.form)
    holders: dict[fragments.Element, list[tuple[int, int, int]]] = defaultdict(list)
    for lane, registers in enumerate(wanted):
        for register, elements in enumerate(registers):
            for place, element in enumerate(elements):
                holders[element].append((lane, register, place))
    for space in instruction.spaces:
        fragment = instruction.op(space).fragment
        assert fragment.elements.dtype == np.int32
        assert np.array_equal(fragment.elements, wanted)
        for element, fields in holders.items():
            assert sorted(fragment.holders(*element)) == fields
        COMPARED[instruction.name]["fields"] += fragment.elements.size


@every_form(*CLASSES)
def test_sizes_agree_with_the_oracle(instruction: Instruction) -> None:
    for space in instruction.spaces:
        op = instruction.op(space)
        assert op.num_registers == instruction.registers
        assert op.register_bits == instruction.register_bits
        assert op.row_lanes == instruction.row_lanes
        assert (op.fragment is None) == (instruction.mnemonic not in FRAGMENTS)
        assert ws.parse(op.ptx) == op


@every_form(*CLASSES)
def test_legality_agrees_with_the_oracle(instruction: Instruction) -> None:
    mnemonic, form = instruction.mnemonic, instruction.form
    for space in instruction.spaces:
        op = instruction.op(space)
        takers = legality.targets(mnemonic, form, space)
        for target in legality.TARGETS:
            lowest = legality.min_ptx_version(mnemonic, form, space, target)
            for ptx_version in legality.PTX_VERSIONS:
                wanted = legality.legal(mnemonic, form, space, target, ptx_version)
                verdict = op.legality(target, ptx_version)
                assert verdict.ok is wanted, (target, ptx_version)
                assert bool(verdict.reasons) is not wanted, (target, ptx_version)
                assert verdict.min_ptx_version == lowest, (target, ptx_version)
                assert tuple(verdict.targets) == takers, (target, ptx_version)
                COMPARED[instruction.name]["verdicts"] += 1


@pytest.mark.parametrize("mnemonic", MATRICES)
def test_combinations_that_are_legal_nowhere_cannot_be_built(mnemonic: str) -> None:
    shapes = ("m8n8", "m8n16", "m16n8", "m16n16")
    types = ("b16", "b8", B6, B4, S4)
    for shape, num, trans, kind in product(shapes, (1, 2, 4), (False, True), types):
        form = {"shape": shape, "num": num, "trans": trans, "type": kind}
        if not legality.exists(mnemonic, form):
            with pytest.raises(ws.UnsupportedError):
                CLASSES[mnemonic](**form)


def test_enough_was_compared_of_every_form(capsys: pytest.CaptureFixture[str]) -> None:
    total: Counter[str] = Counter()
    for instruction in INSTRUCTIONS:
        compared = COMPARED[instruction.name]
        floor = {"findings": 40, "counters": 200, "verdicts": 1000}
        floor["bytes" if instruction.mnemonic in STORES else "registers"] = 1000
        for what, least in floor.items():
            assert compared[what] >= least, (instruction.name, what)
        total += compared
    with capsys.disabled():
        print("\noracle:", len(INSTRUCTIONS), "forms,", dict(total))
