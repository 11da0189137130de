"""wmma: the slow oracle against a matrix product, and the package against the oracle."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
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
from tests.reference import traffic
from tests.reference.forms import ALL_LANES, WARP_LANES
from tests.reference.legality import TARGETS
from tests.reference.memory import DEFAULT_SHARED_WINDOW, AddressSpace, Memory, resolve
from tests.reference.plain import executing_lanes
from tests.reference.undefined import MISALIGNED, OUT_OF_BOUNDS
from tests.reference.wmma import forms as wmma_forms
from tests.reference.wmma import hardware as wmma_hardware
from tests.reference.wmma import legality as wmma_legality
from tests.reference.wmma import lowering as wmma_lowering
from tests.reference.wmma import matrices as wmma
from tests.reference.wmma import traffic as wmma_traffic
from tests.reference.wmma import undefined as wmma_undefined
from tests.reference.wmma.forms import WmmaForm
from tests.reference.wmma.forms import wmma_forms as forms_of
from tests.reference.wmma.fragments import wmma_fragment
from tests.support.evidence import compared

Values = Any  # a NumPy array of numbers
GLOBAL_BASE = 0x7F00_0000_0000


# --- the oracle against a matrix product ----------------------------------------------------

FLOATS = {"f16": np.float16, "f32": np.float32, "tf32": np.float32, "f64": np.float64}


def decode(type: str, raw: Values) -> Values:
    """Numbers, given the bits of elements."""
    bits = wmma_forms.element_bits(type)
    if type == "bf16":
        return (raw.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    if type in FLOATS:
        return raw.astype(f"u{bits // 8}").view(FLOATS[type]).astype(np.float64)
    signed = raw.astype(np.int64)
    return signed - ((signed >> (bits - 1)) << bits) if type.startswith("s") else signed


def encode(type: str, numbers: Values) -> Values:
    """The bits of elements, given numbers that the type holds exactly."""
    bits = wmma_forms.element_bits(type)
    if type == "bf16":
        return (numbers.astype(np.float32).view(np.uint32) >> 16).astype(np.uint64)
    if type in FLOATS:
        return numbers.astype(FLOATS[type]).view(f"u{bits // 8}").astype(np.uint64)
    return numbers.astype(np.int64).astype(np.uint64) & np.uint64((1 << bits) - 1)


def as_memory(type: str, matrix: Values, layout: str, stride: int) -> bytearray:
    """A matrix in memory: PTX "Matrix Storage for WMMA"."""
    lines = matrix if layout == "row" else matrix.T
    padded = np.full((len(lines), stride), 1, np.uint64)
    padded[:, : lines.shape[1]] = encode(type, lines)
    places = np.arange(wmma_forms.element_bits(type), dtype=np.uint64)
    bits = (padded.reshape(-1, 1) >> places & np.uint64(1)).astype(np.uint8)
    return bytearray(np.packbits(bits, bitorder="little").tobytes())


def unpack(type: str, registers: list[list[int]]) -> Values:
    """The values of each lane: [lane][value]."""
    bits = wmma_forms.element_bits(type)
    places = np.arange(0, wmma_forms.register_bits(type), bits, dtype=np.uint64)
    raw = np.array(registers, np.uint64)[:, :, None] >> places
    return decode(type, raw.reshape(WARP_LANES, -1) & np.uint64((1 << bits) - 1))


def pack(type: str, values: Values) -> list[list[int]]:
    """The inverse of unpack."""
    count = wmma_forms.fields(type)
    raw = encode(type, values).reshape(WARP_LANES, -1, count).tolist()
    bits = wmma_forms.element_bits(type)
    return [[sum(v << (j * bits) for j, v in enumerate(r)) for r in lane] for lane in raw]


def mma_places(operand: str, kind: str, values: int) -> tuple[Values, Values]:
    """PTX, the layouts of mma operands: rows and columns of [lane][value].

    kind "m16n8k16" (16 bits), "m16n8k8" (tf32), or "m8n8": consecutive values along K.
    """
    lane = np.arange(WARP_LANES)[:, None]
    i = np.arange(values)[None, :]
    g, t = lane >> 2, lane & 3
    if operand == "c":
        return (g + 8 * (i >> 1) if kind != "m8n8" else g + 0 * i), 2 * t + (i & 1)
    if kind == "m16n8k16":
        outer, along = g + 8 * (i >> 1 & 1), 2 * t + (i & 1) + 8 * (i >> 2)
        if operand == "b":
            outer, along = g + 0 * i, 2 * t + (i & 1) + 8 * (i >> 1)
    elif kind == "m16n8k8":
        outer, along = (g + 8 * (i & 1), t + 4 * (i >> 1))
        if operand == "b":
            outer, along = g + 0 * i, t + 4 * i
    else:
        outer, along = g + 0 * i, values * t + i
    return (outer, along) if operand == "a" else (along, outer)


def mma(kind: str, a: Values, b: Values, c: Values) -> Values:
    """D of one mma instruction, from the values of its operands."""
    matrices = []
    for operand, values in zip("abc", (a, b, c), strict=True):
        places = mma_places(operand, kind, values.shape[1])
        matrix = np.zeros([int(p.max()) + 1 for p in places])
        matrix[places] = values
        matrices.append(matrix)
    dense = matrices[0] @ matrices[1] + matrices[2]
    return dense[mma_places("c", kind, c.shape[1])]


def wmma_mma(type: str, shape: str, a: Values, b: Values, c: Values) -> Values:
    """D of a wmma: the mma instructions that it is made of."""
    if shape == "m8n32k16":  # the transposed product
        return wmma_mma(type, "m32n8k16", b, a, c)
    bits = wmma_forms.element_bits(type)
    kind = {16: "m16n8k16", 32: "m16n8k8"}.get(bits, "m8n8")
    # values of one mma, and tiles down M and along N
    a_values, b_values, c_values = {"m16n8k16": (8, 4, 4), "m16n8k8": (4, 2, 4)}.get(
        kind, (max(1, 32 // bits), max(1, 32 // bits), 2)
    )
    tile_rows = 8 if kind == "m8n8" else 16
    rows, columns = wmma_forms.dimensions("c", shape)
    down, along = rows // tile_rows, columns // 8
    d = np.empty_like(c)
    for x, y in product(range(along), range(down)):
        held = slice(c_values * (x * down + y), c_values * (x * down + y + 1))
        d[:, held] = mma(
            kind,
            a[:, a_values * y : a_values * (y + 1)],
            b[:, b_values * x : b_values * (x + 1)],
            c[:, held],
        )
    return d


def products() -> Iterator[tuple[str, str, str]]:
    """Type of A and B, type of C and D, shape."""
    types = {form["type"]: None for form in forms_of(("a",))}
    for type, shape in product(types, wmma_forms.SHAPES):
        for accumulator in ("f16", "f32", "s32", "f64"):
            floats = accumulator in ("f16", "f32", "f64")
            if (accumulator == "f16" and type != "f16") or (accumulator == "f64") != (
                type == "f64"
            ):
                continue
            if floats == (type in ("f16", "bf16", "tf32", "f64")) and wmma_forms.exists(
                "a", "row", shape, type
            ):
                yield type, accumulator, shape


def random_matrix(random: Random, type: str, shape: tuple[int, int]) -> Values:
    """Small whole numbers, whose products and sums every accumulator holds exactly."""
    low, high = {"u8": (0, 256), "s8": (-128, 128), "b1": (0, 2), "u4": (0, 16), "s4": (-8, 8)}.get(
        type, (-5, 6)
    )
    return np.array(
        [[random.randrange(low, high) for _ in range(shape[1])] for _ in range(shape[0])]
    )


@pytest.mark.parametrize(("type", "accumulator", "shape"), list(products()))
def test_oracle_multiplies_like_numpy(type: str, accumulator: str, shape: str) -> None:
    random = Random(f"{type} {accumulator} {shape}")
    types = {"a": type, "b": type, "c": accumulator}
    done = 0
    for layouts in product(wmma_forms.LAYOUTS, repeat=4):
        layout = dict(zip("abcd", layouts, strict=True))
        if not all(wmma_forms.exists(o, layout[o], shape, types[o]) for o in "abc"):
            continue
        matrices, fragments, size = {}, {}, {}
        for operand in "abc":
            dimensions = wmma_forms.dimensions(operand, shape)
            matrices[operand] = random_matrix(random, types[operand], dimensions)
            size[operand] = wmma_forms.fragment_bytes(operand, shape, types[operand])
            least = wmma_forms.default_stride(operand, layout[operand], shape)
            step = 8 * size[operand] // wmma_forms.element_bits(types[operand])
            stride = random.choice((None, least, -(-least // step) * step + step))
            held = as_memory(types[operand], matrices[operand], layout[operand], stride or least)
            loaded = wmma.wmma_load(
                Memory(held, 64),
                64,
                operand=operand,
                layout=layout[operand],
                shape=shape,
                type=types[operand],
                stride=stride,
            )
            fragments[operand] = unpack(types[operand], loaded)
        d = wmma_mma(type, shape, fragments["a"], fragments["b"], fragments["c"])
        expected = matrices["a"] @ matrices["b"] + matrices["c"]
        rows, columns = expected.shape
        stride = (columns if layout["d"] == "row" else rows) + 16
        stored = Memory(as_memory(accumulator, 0 * expected, layout["d"], stride))
        wmma.wmma_store(
            stored,
            0,
            pack(accumulator, d),
            layout=layout["d"],
            shape=shape,
            type=accumulator,
            stride=stride,
        )
        assert stored.data == as_memory(accumulator, expected, layout["d"], stride), layout
        done += expected.size
    compared("elements of products through oracle fragments", done, at_least=64)


# --- the package against the oracle: random batches -----------------------------------------

SPACES = ("shared", "shared::cta", "global", "")


@dataclass(frozen=True)
class Instruction:
    """A form of wmma.load, or of wmma.store; the state space is chosen case by case."""

    store: bool
    form: WmmaForm = field(hash=False)

    @property
    def name(self) -> str:
        return " ".join(("store" if self.store else "load", *self.form.values()))

    @property
    def size(self) -> int:
        """F, the bytes of a fragment in a lane."""
        return wmma_forms.fragment_bytes(
            self.form["operand"], self.form["shape"], self.form["type"]
        )

    @property
    def bits(self) -> int:
        return wmma_forms.element_bits(self.form["type"])

    @property
    def lines(self) -> tuple[int, int]:
        return wmma_forms.lines(self.form["operand"], self.form["layout"], self.form["shape"])

    @property
    def registers(self) -> int:
        return wmma_forms.registers(self.form["operand"], self.form["shape"], self.form["type"])

    @property
    def register_type(self) -> Any:
        return np.uint64 if self.form["type"] == "f64" else np.uint32

    @cached_property
    def targets(self) -> tuple[str, ...]:
        """Those that can execute it: the fragments of sm_70 and sm_72 are not known."""
        takers = wmma_legality.targets(self.form, "shared::cta")
        return tuple(target for target in takers if target not in ("sm_70", "sm_72"))

    def op(self, space: str = "shared") -> Any:
        form = dict(self.form)
        if self.store:
            del form["operand"]
            return ws.WmmaStore(space=space, **form)
        return ws.WmmaLoad(space=space, **form)


INSTRUCTIONS = [Instruction(False, form) for form in forms_of()]
INSTRUCTIONS += [Instruction(True, form) for form in forms_of(("c",))]
EVERY = pytest.mark.parametrize("instruction", INSTRUCTIONS, ids=lambda one: one.name)


@dataclass
class Warp:
    address: list[int]
    stride: list[int]
    registers: list[list[int]]
    active: int
    exited: int

    @property
    def agrees(self) -> bool:
        """Whether the lanes that execute have one address and one stride."""
        lanes = executing_lanes(self.active, self.exited)
        return len({(self.address[lane], self.stride[lane]) for lane in lanes}) <= 1


@dataclass
class Case:
    space: str
    target: str | None
    shape: tuple[int, ...]
    shared: Memory
    global_: Memory
    window: int
    default_stride: bool
    warps: list[Warp]
    threads: int
    out: bool

    @property
    def sm_75(self) -> bool:
        return self.target == "sm_75"

    def reference_memory(self) -> Memory | AddressSpace:
        if self.space == "":
            return AddressSpace(self.shared, self.global_, self.window)
        return self.global_ if self.space == "global" else self.shared


def stride_for(draw: Any, random: Random, instruction: Instruction) -> int:
    """In elements; mostly one that is defined."""
    least = instruction.lines[1]
    step = max(1, 8 * instruction.size // instruction.bits)
    small = max(1, 8 * min(instruction.size, 16) // instruction.bits)
    kind = draw(st.sampled_from(("default", "multiple", "multiple", "padded", "any", "below")))
    if kind == "multiple":
        return (-(-least // step) + random.randrange(4)) * step
    if kind == "padded":
        return (-(-least // small) + random.randrange(6)) * small
    if kind == "any":
        return random.randrange(3 * least)
    return random.randrange(least) // small * small if kind == "below" else least


def address_for(
    draw: Any, random: Random, instruction: Instruction, memory: Memory, stride: int
) -> int:
    """Mostly one with which the matrix lies in the memory."""
    size, bits = instruction.size, instruction.bits
    count, length = instruction.lines
    extent = ((count - 1) * stride + length) * bits // 8
    end = memory.base + len(memory.data)
    last = max(memory.base, (end - extent) // size * size)
    kind = draw(st.sampled_from(("in",) * 6 + ("last", "past", "odd", "before", "over", "far")))
    if kind == "odd":
        return memory.base + random.randrange(max(1, len(memory.data) - extent))
    if kind == "far":
        return random.getrandbits(31 if memory.base < GLOBAL_BASE else 47) // size * size
    if kind == "before":
        return max(0, memory.base - size * random.randint(1, 4))
    if kind == "over":
        return max(0, end - random.randrange(extent + size))
    if kind == "past":
        return last + size
    return last if kind == "last" else memory.base + random.randrange(
        (last - memory.base) // size + 1
    ) * size  # fmt: skip


def masks(draw: Any, random: Random) -> tuple[int, int]:
    kind = draw(st.sampled_from(("all",) * 9 + ("none", "some", "exited")))
    some = random.getrandbits(32)
    if kind == "exited":
        return ALL_LANES, some
    return {"all": ALL_LANES, "none": 0, "some": some}[kind], 0


def warp_of(draw: Any, random: Random, instruction: Instruction, case: Case) -> Warp:
    in_global = case.space == "global" or (case.space == "" and random.random() < 0.5)
    memory = case.global_ if in_global else case.shared
    stride = instruction.lines[1]
    if not case.default_stride:
        stride = stride_for(draw, random, instruction)
    address = address_for(draw, random, instruction, memory, stride)
    if case.space == "" and not in_global:
        address += case.window
    active, exited = masks(draw, random)
    warp = Warp([address] * WARP_LANES, [stride] * WARP_LANES, [], active, exited)
    differ = draw(st.sampled_from((None,) * 8 + ("address", "stride", "idle")))
    for lane in random.sample(range(WARP_LANES), random.choice((1, 3, 31))):
        idle = not (active & ~exited) >> lane & 1
        if differ == "address" or (differ == "idle" and idle):
            warp.address[lane] = max(0, address + random.choice((-1, 1, 2)) * instruction.size)
        if not case.default_stride and (differ == "stride" or (differ == "idle" and idle)):
            warp.stride[lane] = stride + random.choice((1, 8, 32))
    warp.registers = [
        [random.getrandbits(64 if instruction.bits == 64 else 32) for _ in range(8)]
        for _ in range(WARP_LANES)
    ]
    warp.registers = [lane[: instruction.registers] for lane in warp.registers]
    return warp


@st.composite
def cases(draw: Any, instruction: Instruction) -> Case:
    # Hypothesis chooses the kind of everything; the many numbers come from a seed, form by form.
    random = Random(f"{instruction.name} {draw(st.integers(0, 2**32))}")
    nbytes = draw(st.sampled_from((8192, 16384, 2000, 300)))
    targets = instruction.targets
    case = Case(
        space=draw(st.sampled_from(SPACES)),
        target=draw(st.sampled_from((None, targets[0], targets[-1]))),
        shape=draw(st.sampled_from(((), (1,), (2,), (3,), (2, 1)))),
        shared=Memory(bytearray(random.randbytes(nbytes)), random.choice((0, 0, 1024))),
        global_=Memory(bytearray(random.randbytes(nbytes)), GLOBAL_BASE),
        window=random.choice((DEFAULT_SHARED_WINDOW, 0x7F12_3400_0000)),
        default_stride=draw(st.sampled_from((False, False, True))),
        warps=[],
        threads=draw(st.sampled_from((1, 3))),
        out=random.random() < 0.5,
    )
    case.warps = [warp_of(draw, random, instruction, case) for _ in range(prod(case.shape))]
    return case


# --- what the oracle expects ----------------------------------------------------------------


@dataclass
class Expected:
    findings: list[wmma_undefined.WmmaFound]
    traffic: traffic.Counts
    registers: list[list[int]] | None = None

    @property
    def ok(self) -> bool:
        return all(severity != wmma_undefined.ERROR for _, severity, *_ in self.findings)


def lies_in_shared(case: Case, warp: Warp) -> bool:
    if case.space:
        return case.space != "global"
    return resolve(case.reference_memory(), "", warp.address[0])[0] is case.shared


def traffic_of(instruction: Instruction, case: Case, warp: Warp, sm_75: bool) -> traffic.Counts:
    return wmma_traffic.wmma_traffic(
        warp.address,
        warp.stride,
        form=instruction.form,
        space=case.space,
        shared=lies_in_shared(case, warp),
        store=instruction.store,
        active=warp.active,
        sm_75=sm_75,
    )


def expect(instruction: Instruction, case: Case, warp: Warp) -> Expected:
    """What one warp does; stores change the memories of the case."""
    memory, form = case.reference_memory(), instruction.form
    findings = wmma_undefined.wmma_findings(
        memory,
        warp.address,
        warp.stride,
        form=form,
        space=case.space,
        active=warp.active,
        exited=warp.exited,
        sm_75=case.sm_75,
    )
    expected = Expected(findings, traffic.nothing())
    if not expected.ok:
        return expected
    expected.traffic = traffic_of(instruction, case, warp, case.sm_75)
    if warp.active == 0:
        return expected
    call: dict[str, Any] = {
        **form,
        "stride": warp.stride[0],
        "space": case.space,
        "sm_75": case.sm_75,
    }
    if instruction.store:
        del call["operand"]
        wmma.wmma_store(memory, warp.address[0], warp.registers, **call)
    else:
        expected.registers = wmma.wmma_load(memory, warp.address[0], **call)
    return expected


# --- the comparison -------------------------------------------------------------------------

# What was compared, form by form: the last test looks whether it was enough.
COMPARED: dict[str, Counter[str]] = defaultdict(Counter)
Key = tuple[int, int, str, str, "int | None"]


def key(warp: int, lane: int | None, error: str, severity: str, address: int | None) -> Key:
    """A finding as it compares: of strides and of operands that differ, the address is open."""
    open_ = error in (wmma_undefined.STRIDE, wmma_undefined.DIVERGENT)
    return warp, -1 if lane is None else lane, error, severity, None if open_ else address


def check_findings(
    instruction: Instruction, case: Case, found: Sequence[Any], expected: list[Expected]
) -> None:
    """The same findings, in the order of the contract: warp, lane, misalignment before bounds.

    Of a warp whose lanes disagree, only that it is said. If the stride has an error, it is open
    where the lines of the matrix begin, and in how many ways the stride is wrong.
    """
    got = [key(f.warp, f.lane, f.error.__name__, f.severity, f.address) for f in found]
    wanted = [
        key(w, lane, error, severity, address)
        for w, warp in enumerate(expected)
        for error, severity, lane, address in warp.findings
    ]
    wrong_stride = (wmma_undefined.STRIDE, wmma_undefined.ERROR)
    for w, warp in enumerate(case.warps):
        some = [f for f in got if f[0] == w]
        wants = [f for f in wanted if f[0] == w]
        said, open_ = {f[2] for f in some}, {f[2] for f in wants} | {OUT_OF_BOUNDS}
        if not warp.agrees:
            assert wmma_undefined.DIVERGENT in said and said <= open_
        elif any(f[2:4] == wrong_stride for f in wants):
            open_ = {OUT_OF_BOUNDS, wmma_undefined.STRIDE}
            assert [f for f in some if f[2] not in open_] == [f for f in wants if f[2] not in open_]
            assert (-1, *wrong_stride) in {f[1:4] for f in some}
        else:
            assert Counter(some) == Counter(wants)
    assert [f[:2] for f in got] == sorted(f[:2] for f in got)
    for one, other in pairwise(got):
        assert one[:3] != (*other[:2], OUT_OF_BOUNDS) or other[2] != MISALIGNED
    COMPARED[instruction.name]["findings"] += len(wanted)


def check_traffic(name: str, counted: Any, wanted: Sequence[traffic.Counts | None]) -> None:
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
    """A warp that does not execute keeps what was there, one with an error is cleared."""
    wanted = kept.reshape(-1, WARP_LANES, instruction.registers).copy()
    for w, one in enumerate(expected):
        if one.registers is not None:
            wanted[w] = one.registers
        elif not one.ok:
            wanted[w] = 0
    assert registers.dtype == kept.dtype
    assert registers.shape == kept.shape
    assert np.array_equal(registers, wanted.reshape(kept.shape))
    COMPARED[instruction.name]["registers"] += wanted.size


def array_of(case: Case, rows: Sequence[Any], dtype: Any) -> Any:
    """One entry for each warp, in the shape of the batch."""
    array = np.array(rows, dtype=dtype)
    return array.reshape(case.shape + array.shape[1:])


def arrays_of(instruction: Instruction, case: Case) -> tuple[Any, dict[str, Any], dict[str, Any]]:
    """The addresses of a batch, and the keywords of execute and of traffic."""
    wide = np.uint32 if case.space.startswith("shared") else np.uint64
    address = array_of(case, [warp.address for warp in case.warps], wide)
    stride: Any = array_of(case, [warp.stride for warp in case.warps], np.uint32)
    if all(len(set(warp.address)) == 1 for warp in case.warps):
        address = address[..., :1]  # a last axis of 1 stands for all lanes
    if all(len(set(warp.stride)) == 1 for warp in case.warps):
        stride = stride[..., 0]
    count = {
        "active": array_of(case, [warp.active for warp in case.warps], np.uint32),
        "stride": None if case.default_stride else stride,
    }
    call = {
        **count,
        "exited": array_of(case, [warp.exited for warp in case.warps], np.uint32),
        "target": case.target,
        "threads": case.threads,
    }
    if instruction.store:
        rows = [warp.registers for warp in case.warps]
        call["registers"] = array_of(case, rows, instruction.register_type)
    return address, call, count


def memory_of(case: Case, shared: Any, global_: Any) -> Any:
    """The package's memory over the given bytes."""
    inside = ws.SharedMemory(shared, base=case.shared.base)
    outside = ws.GlobalMemory(global_, base=case.global_.base)
    if case.space == "":
        return ws.AddressSpace(shared=inside, global_=outside, shared_window=case.window)
    return outside if case.space == "global" else inside


def check(instruction: Instruction, case: Case) -> None:
    """Execute the batch in the package and warp by warp in the oracle, and compare everything."""
    name, op = instruction.name, instruction.op(case.space)
    arrays = [
        np.frombuffer(bytes(memory.data), np.uint8).copy() for memory in (case.shared, case.global_)
    ]
    memory = memory_of(case, *arrays)
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
    kept = np.full(
        (*case.shape, WARP_LANES, instruction.registers),
        0xA5A5A5A5 if case.out else 0,
        dtype=instruction.register_type,
    )
    if case.out and not instruction.store:
        call["out"] = kept.copy()
    result = op.execute(memory, address, on_ub="record", **call)
    assert np.asarray(result.ok).shape == case.shape
    assert np.ravel(result.ok).tolist() == [one.ok for one in expected]
    check_findings(instruction, case, result.findings, expected)
    check_traffic(name, result.traffic, [one.traffic for one in expected])
    for array, reference in zip(arrays, (case.shared, case.global_), strict=True):
        assert array.tobytes() == bytes(reference.data)
        COMPARED[name]["bytes"] += array.size
    if instruction.store:
        assert result.registers is None
    else:
        check_registers(instruction, case, result.registers, kept, expected)
        if case.out:
            check_registers(instruction, case, call["out"], kept, expected)
    check_traffic(
        name, op.traffic(address, **count), [counted(instruction, case, w) for w in case.warps]
    )


def counted(instruction: Instruction, case: Case, warp: Warp) -> traffic.Counts | None:
    """Traffic without a memory; it knows the usual window only, and strides that are defined."""
    if case.space == "":
        ends = [address + e for address in warp.address for e in (0, 1 << 16)]
        inside = {0 <= end - case.window < 1 << 24 for end in ends}
        if case.window != DEFAULT_SHARED_WINDOW or len(inside) > 1:
            return None
    if not all(wmma_undefined.defined_stride(s, **instruction.form) for s in warp.stride):
        return None
    return traffic_of(instruction, case, warp, sm_75=False)


def examples(count: int) -> Callable[[Any], Any]:
    return settings(
        max_examples=count,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


@EVERY
@given(data=st.data())
@examples(12)
def test_package_agrees_with_the_oracle(instruction: Instruction, data: Any) -> None:
    check(instruction, data.draw(cases(instruction)))


# --- what silicon does where it is undefined ------------------------------------------------


def faults_of(instruction: Instruction, warp: Warp, space: str, memory: Memory) -> set[str]:
    """The traps of all accesses; which of them comes first was never measured."""
    rule = wmma_hardware.shared_trap if space == "shared" else wmma_hardware.global_trap
    faults = set()
    for access in wmma_lowering.lowering(**instruction.form, space=space).accesses:
        addresses = wmma_hardware.access_addresses(
            access, warp.address, warp.stride, form=instruction.form, space=space
        )
        faults.add(rule(addresses, access.width, memory))
        if space != "shared" and not all(memory.holds(a, access.width) for a in addresses):
            faults |= {wmma_hardware.ILLEGAL_ADDRESS, "CUDA_ERROR_INVALID_ADDRESS_SPACE"}
    return {fault for fault in faults if fault}


def undefined_warp(random: Random, instruction: Instruction, memory: Memory) -> Warp:
    """Anything that an H200 executes or traps on: any address and any stride."""
    least = instruction.lines[1]
    kind = random.choice(("any", "any", "negative", "huge", "small"))
    stride = {
        "any": random.randrange(3 * least),
        "small": random.randrange(3),
        "negative": (1 << 32) - random.randint(1, 2 * least),
        "huge": random.getrandbits(32),
    }[kind]
    step = random.choice((1, 4, instruction.size, 16, 32))
    middle = memory.base + random.randrange(len(memory.data) // 4, len(memory.data)) // step * step
    warp = Warp([middle] * WARP_LANES, [stride] * WARP_LANES, [], ALL_LANES, 0)
    if random.random() < 0.4:
        warp.address = [middle + random.randrange(8) * step for _ in range(WARP_LANES)]
    if random.random() < 0.4:
        warp.stride = [random.choice((stride, least, 2 * least)) for _ in range(WARP_LANES)]
    bits = 64 if instruction.bits == 64 else 32
    warp.registers = [
        [random.getrandbits(bits) for _ in range(instruction.registers)] for _ in range(WARP_LANES)
    ]
    return warp


@pytest.mark.parametrize("space", ["shared", "global", ""])
@EVERY
def test_hardware_policy_agrees_with_the_oracle(instruction: Instruction, space: str) -> None:
    random = Random(f"hardware {instruction.name} {space}")
    for _ in range(6):
        base = 1024 if space == "shared" else GLOBAL_BASE
        memory = Memory(bytearray(random.randbytes(16384)), base)
        warp = undefined_warp(random, instruction, memory)
        held = np.frombuffer(bytes(memory.data), np.uint8).copy()
        given_: Any = (ws.SharedMemory if space == "shared" else ws.GlobalMemory)(held, base=base)
        if space == "":
            given_ = ws.AddressSpace(shared=ws.SharedMemory(1024), global_=given_)
        call: dict[str, Any] = {"target": "sm_90", "on_ub": "hardware"}
        if instruction.store:
            call["registers"] = np.array(warp.registers, instruction.register_type)
        wide = np.uint32 if space == "shared" else np.uint64
        arguments = (given_, np.array(warp.address, wide))
        call["stride"] = np.array(warp.stride, np.uint32)
        op = instruction.op(space)
        faults = faults_of(instruction, warp, space, memory)
        COMPARED[instruction.name]["hardware"] += 1
        if faults:
            with pytest.raises(ws.HardwareTrap) as trap:
                op.execute(*arguments, **call)
            assert trap.value.code in faults
            continue
        lanes = (memory, warp.address, warp.stride)
        result = op.execute(*arguments, **call)
        if instruction.store:
            wmma_hardware.hardware_store(*lanes, warp.registers, form=instruction.form, space=space)
            assert held.tobytes() == bytes(memory.data)
        else:
            wanted = wmma_hardware.hardware_load(*lanes, form=instruction.form, space=space)
            assert result.registers.tolist() == wanted


# --- maps, sizes, legality: everything there is ---------------------------------------------


def inverse(fragment: Sequence[Sequence[Sequence[Any]]]) -> dict[Any, list[tuple[int, int, int]]]:
    holders = defaultdict(list)
    for lane, registers in enumerate(fragment):
        for register, elements in enumerate(registers):
            for j, element in enumerate(elements):
                holders[element].append((lane, register, j))
    return holders


@EVERY
def test_fragment_maps_agree_with_the_oracle(instruction: Instruction) -> None:
    form = instruction.form
    wanted = wmma_fragment(**form)
    rows, columns = wmma_forms.dimensions(form["operand"], form["shape"])
    holders = inverse(wanted)
    assert sorted(holders) == list(product(range(rows), range(columns)))
    for space in SPACES:
        fragment = instruction.op(space).fragment
        assert fragment.elements.dtype == np.int32
        assert not fragment.elements[..., 0].any()
        assert np.array_equal(fragment.elements[..., 1:], wanted)
        if space == "":
            for element, fields in holders.items():
                assert sorted(fragment.holders(0, *element)) == fields
        COMPARED[instruction.name]["fields"] += fragment.elements.size // 3
    for target in instruction.targets:
        of_target = instruction.op().fragment_for(target).elements[..., 1:]
        assert np.array_equal(of_target, wmma_fragment(**form, sm_75=target == "sm_75"))


@EVERY
def test_sizes_agree_with_the_oracle(instruction: Instruction) -> None:
    for space in SPACES:
        op = instruction.op(space)
        assert op.num_registers == instruction.registers
        assert op.register_bits == (64 if instruction.form["type"] == "f64" else 32)
        assert op.row_lanes == 1
        assert ws.parse(op.ptx) == op


@EVERY
def test_fragments_of_volta_are_said_to_be_unknown(instruction: Instruction) -> None:
    memory = ws.SharedMemory(1 << 16)
    registers = {}
    if instruction.store:
        shape = (WARP_LANES, instruction.registers)
        registers["registers"] = np.zeros(shape, instruction.register_type)
    takers = wmma_legality.targets(instruction.form, "shared")
    for target in ("sm_70", "sm_72"):
        expected: Any = ws.UnsupportedError
        if target in takers:
            expected = ws.UnknownHardwareBehaviorError
        with pytest.raises(expected):
            instruction.op().execute(memory, 0, target=target, **registers)


@EVERY
def test_legality_agrees_with_the_oracle(instruction: Instruction) -> None:
    form = instruction.form
    for space in SPACES:
        op = instruction.op(space)
        takers = wmma_legality.targets(form, space)
        for target in TARGETS:
            lowest = wmma_legality.min_ptx_version(form, space, target)
            for ptx_version in wmma_legality.PTX_VERSIONS:
                wanted = wmma_legality.legal(form, space, target, ptx_version)
                verdict = op.legality(target, ptx_version)
                assert verdict.ok is wanted, (target, ptx_version)
                assert bool(verdict.reasons) is not wanted, (target, ptx_version)
                assert verdict.min_ptx_version == lowest, (target, ptx_version)
                assert tuple(verdict.targets) == takers, (target, ptx_version)
                COMPARED[instruction.name]["verdicts"] += 1


def test_combinations_that_are_legal_nowhere_cannot_be_built() -> None:
    types = ("f16", "bf16", "tf32", "f32", "s32", "u32", "f64", "s8", "u8", "s4", "u4", "b1")
    refused = 0
    for operand, layout, shape, type in product(
        "abc", wmma_forms.LAYOUTS, wmma_forms.SHAPES, types
    ):
        if wmma_forms.exists(operand, layout, shape, type):
            continue
        with pytest.raises(ws.UnsupportedError):
            ws.WmmaLoad(operand=operand, layout=layout, shape=shape, space="shared", type=type)
        if operand == "c":
            with pytest.raises(ws.UnsupportedError):
                ws.WmmaStore(layout=layout, shape=shape, space="shared", type=type)
        refused += 1
    compared("wmma forms that cannot be built", refused, at_least=300)


def test_enough_was_compared_of_every_form() -> None:
    total: Counter[str] = Counter()
    for instruction in INSTRUCTIONS:
        one = COMPARED[instruction.name]
        floor = {"findings": 10, "counters": 100, "verdicts": 4000, "fields": 100, "hardware": 12}
        floor["bytes" if instruction.store else "registers"] = 500
        for what, least in floor.items():
            assert one[what] >= least, (instruction.name, what)
        total += one
    for what, count in total.items():
        compared(f"wmma against the oracle: {what}", count, at_least=1000)
