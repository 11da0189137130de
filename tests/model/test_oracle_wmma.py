"""wmma: the slow oracle against a matrix product, and the package against the oracle."""

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import warpsim as ws
from tests.reference.forms import ALL_LANES, WARP_LANES
from tests.reference.memory import Memory
from tests.reference.wmma import forms as wmma_forms
from tests.reference.wmma import hardware as wmma_hardware
from tests.reference.wmma import lowering as wmma_lowering
from tests.reference.wmma import matrices as wmma
from tests.support.evidence import compared
from tests.support.oracle import UNKNOWN_TARGETS, WMMA, Instruction, Warp, wmma_instructions
from tests.support.oracle_cases import GLOBAL_BASE, cases, check, enough, every_form, examples

Values = Any  # a NumPy array of numbers


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
            kind, a[:, a_values * y : a_values * (y + 1)], b[:, b_values * x : b_values * (x + 1)], c[:, held]
        )
    return d


def products() -> Iterator[tuple[str, str, str]]:
    """Type of A and B, type of C and D, shape."""
    types = {form["type"]: None for form in wmma_forms.wmma_forms(("a",))}
    for type, shape in product(types, wmma_forms.SHAPES):
        for accumulator in ("f16", "f32", "s32", "f64"):
            floats = accumulator in ("f16", "f32", "f64")
            if (accumulator == "f16" and type != "f16") or (accumulator == "f64") != (type == "f64"):
                continue
            if floats == (type in ("f16", "bf16", "tf32", "f64")) and wmma_forms.exists("a", "row", shape, type):
                yield type, accumulator, shape


def random_matrix(random: Random, type: str, shape: tuple[int, int]) -> Values:
    """Small whole numbers, whose products and sums every accumulator holds exactly."""
    low, high = {"u8": (0, 256), "s8": (-128, 128), "b1": (0, 2), "u4": (0, 16), "s4": (-8, 8)}.get(type, (-5, 6))
    return np.array([[random.randrange(low, high) for _ in range(shape[1])] for _ in range(shape[0])])


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
            stored, 0, pack(accumulator, d), layout=layout["d"], shape=shape, type=accumulator, stride=stride
        )
        assert stored.data == as_memory(accumulator, expected, layout["d"], stride), layout
        done += expected.size
    compared("elements of products through oracle fragments", done, at_least=64)


@every_form(*WMMA)
@given(data=st.data())
@examples(12)
def test_wmma_agrees_with_the_oracle(instruction: Instruction, data: Any) -> None:
    check(instruction, data.draw(cases(instruction)))


@every_form(*WMMA)
def test_fragments_of_volta_are_said_to_be_unknown(instruction: Instruction) -> None:
    registers = np.zeros((WARP_LANES, instruction.registers), instruction.register_type)
    given_ = {"registers": registers} if instruction.mnemonic == "wmma.store" else {}
    for target in UNKNOWN_TARGETS:
        taken = target in instruction.takers("shared")
        expected = ws.UnknownHardwareBehaviorError if taken else ws.UnsupportedError
        with pytest.raises(expected):
            instruction.op().execute(ws.SharedMemory(1 << 16), 0, target=target, **given_)


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
    step = random.choice((1, 4, instruction.width, 16, 32))
    middle = memory.base + random.randrange(len(memory.data) // 4, len(memory.data)) // step * step
    warp = Warp([middle] * WARP_LANES, [], [stride] * WARP_LANES, [], ALL_LANES, 0)
    if random.random() < 0.4:
        warp.address = [middle + random.randrange(8) * step for _ in range(WARP_LANES)]
    if random.random() < 0.4:
        warp.stride = [random.choice((stride, least, 2 * least)) for _ in range(WARP_LANES)]
    warp.registers = [
        [random.getrandbits(instruction.register_bits) for _ in range(instruction.registers)] for _ in range(WARP_LANES)
    ]
    return warp


@pytest.mark.parametrize("space", ["shared", "global", ""])
@every_form(*WMMA)
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
        if instruction.mnemonic == "wmma.store":
            call["registers"] = np.array(warp.registers, instruction.register_type)
        wide = np.uint32 if space == "shared" else np.uint64
        arguments = (given_, np.array(warp.address, wide))
        call["stride"] = np.array(warp.stride, np.uint32)
        op = instruction.op(space)
        faults = faults_of(instruction, warp, space, memory)
        if faults:
            with pytest.raises(ws.HardwareTrap) as trap:
                op.execute(*arguments, **call)
            assert trap.value.code in faults
            continue
        lanes = (memory, warp.address, warp.stride)
        result = op.execute(*arguments, **call)
        if instruction.mnemonic == "wmma.store":
            wmma_hardware.hardware_store(*lanes, warp.registers, form=instruction.form, space=space)
            assert held.tobytes() == bytes(memory.data)
        else:
            wanted = wmma_hardware.hardware_load(*lanes, form=instruction.form, space=space)
            assert result.registers.tolist() == wanted
    compared("wmma where PTX leaves it undefined", 6, at_least=6)


@pytest.mark.slow
def test_global_loads_are_inexact_where_an_access_crosses_32_mib() -> None:
    """Of one warp, and of a batch with one such warp: for any access that wmma is lowered to."""
    random, crossing, whole = Random(32), 0, 0
    for form in wmma_forms.wmma_forms():
        accesses = wmma_lowering.lowering(**form, space="global").accesses
        op = ws.WmmaLoad(**form, space="global")
        for _ in range(40):
            stride = random.choice((32, 256, 1 << 12, 1 << 20, 1 << 21, 1 << 24))
            address = GLOBAL_BASE + (1 << 25) - 32 * random.randrange(1, 1 << random.randrange(1, 21))
            lanes = [
                wmma_hardware.access_addresses(access, [address] * 32, [stride] * 32, form=form, space="global")
                for access in accesses
            ]
            crosses = any(len({lane >> 25 for lane in lane_addresses}) > 1 for lane_addresses in lanes)
            assert op.traffic(address, stride=stride).inexact == (("wavefronts",) if crosses else ()), form
            batch = np.repeat(np.array([GLOBAL_BASE, address], np.uint64)[:, None], 32, 1)
            assert bool(op.traffic(batch, stride=[32, stride]).inexact) == crosses
            crossing, whole = crossing + crosses, whole + (not crosses)
    compared("wmma loads across 32 MiB", crossing, at_least=500)
    compared("wmma loads within 32 MiB", whole, at_least=500)


def test_enough_was_compared_of_every_form() -> None:
    enough(wmma_instructions(), findings=10, counters=100, moved=500)
