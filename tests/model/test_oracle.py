"""The package against the slow oracle, form by form, on random batches of warps."""

from collections import defaultdict
from collections.abc import Callable
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import warpsim as ws
from tests.reference import fragments, legality, traffic
from tests.reference.forms import ALL_LANES, B4, B6, S4, WARP_LANES, Form
from tests.reference.memory import Memory
from tests.reference.wmma import forms as wmma_forms
from tests.reference.wmma.fragments import wmma_fragment
from tests.support.evidence import compared
from tests.support.oracle import CLASSES, INSTRUCTIONS, MATRICES, Case, Instruction, Warp
from tests.support.oracle_cases import COMPARED, cases, check, check_traffic, enough, every_form, examples
from warpsim import _core


@every_form(*MATRICES, "movmatrix")
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
    check_traffic("movmatrix", ws.Movmatrix().traffic(None), [traffic.only_issued()])


@every_form(*MATRICES, "ld", "st", "cp.async")
def test_counters_without_a_measurement_are_marked_inexact(instruction: Instruction) -> None:
    address = np.arange(WARP_LANES, dtype=np.uint32) * 16
    measured = instruction.mnemonic not in MATRICES or (
        instruction.form["type"] == S4 or instruction.form["shape"] == "m8n8"
    )
    assert (not instruction.op().traffic(address).inexact) == measured


@pytest.mark.parametrize("space", ["shared", "shared::cta"])
@every_form("ldmatrix", "ld", "st")
def test_memory_that_ends_at_the_last_address_does_not_wrap(instruction: Instruction, space: str) -> None:
    random = Random(instruction.name)
    width = instruction.width
    data = bytearray(random.randbytes(256))
    for past in (0, 1, width // 2):
        shared = Memory(bytearray(data), (1 << 32) - len(data))
        address = [((1 << 32) - width + past) % (1 << 32)] * WARP_LANES
        registers = [[7] * instruction.registers] * WARP_LANES
        warp = Warp(address, [], [], registers, ALL_LANES, 0)
        check(instruction, Case(space, None, (), shared, Memory(bytearray(1)), 0, [warp]))


FRAGMENTS: dict[str, Callable[..., Any]] = {
    "ldmatrix": fragments.ldmatrix_fragment,
    "stmatrix": fragments.stmatrix_fragment,
    "movmatrix": fragments.movmatrix_fragment,
    "wmma.load": wmma_fragment,
    "wmma.store": wmma_fragment,
}


@every_form(*FRAGMENTS)
def test_fragment_maps_agree_with_the_oracle(instruction: Instruction) -> None:
    wanted = np.array(FRAGMENTS[instruction.mnemonic](**instruction.form))
    if instruction.is_wmma:  # one matrix
        wanted = np.insert(wanted, 0, 0, axis=-1)
        for target in instruction.targets:
            of_target = instruction.op().fragment_for(target).elements[..., 1:]
            sm_75 = target == "sm_75"
            assert np.array_equal(of_target, wmma_fragment(**instruction.form, sm_75=sm_75))
    holders: dict[Any, list[tuple[int, ...]]] = defaultdict(list)
    for place in np.ndindex(wanted.shape[:-1]):
        holders[tuple(wanted[place].tolist())].append(place)
    matrices, rows, columns = (wanted.reshape(-1, 3).max(axis=0) + 1).tolist()
    assert sorted(holders) == list(product(range(matrices), range(rows), range(columns)))
    for space in instruction.spaces:
        fragment = instruction.op(space).fragment
        assert fragment.elements.dtype == np.int32
        assert np.array_equal(fragment.elements, wanted)
        COMPARED[instruction.name]["fields"] += fragment.elements.size
    for element, fields in holders.items():
        assert sorted(fragment.holders(*element)) == fields


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
    for space in instruction.spaces:
        op, takers = instruction.op(space), instruction.takers(space)
        for target in legality.TARGETS:
            lowest = instruction.min_ptx_version(space, target)
            for ptx_version in legality.PTX_VERSIONS:
                wanted = instruction.legal(space, target, ptx_version)
                verdict = op.legality(target, ptx_version)
                assert verdict.ok is wanted, (target, ptx_version)
                assert bool(verdict.reasons) is not wanted, (target, ptx_version)
                assert verdict.min_ptx_version == lowest, (target, ptx_version)
                assert tuple(verdict.targets) == takers, (target, ptx_version)
                COMPARED[instruction.name]["verdicts"] += 1


def row_name(mnemonic: str, form: Form) -> str:
    """`ldmatrix.m8n16.x2.b8`, for messages."""
    return Instruction(mnemonic, form).name.replace(" ", ".")


def forms_file(mnemonic: str) -> str:
    return f"tests/reference/{'wmma/' if mnemonic.startswith('wmma') else ''}forms.py"


def can_be_built(instruction: Instruction, space: str = "shared") -> bool:
    try:
        instruction.op(space)
    except ws.UnsupportedError:
        return False
    return True


COUNTS = (1, 2, 4, 8, 16)
TYPES = {"type": _core.TYPES[1:]}
MATRIX = {"shape": _core.SHAPES[1:], "num": COUNTS, "trans": (False, True), **TYPES}
TILE = {"layout": _core.LAYOUTS[1:], "shape": _core.SHAPES[1:], **TYPES}
#: every value that the vocabularies of the package have for the qualifiers of each kind
WORDS: dict[str, dict[str, Any]] = {
    "ldmatrix": MATRIX,
    "stmatrix": MATRIX,
    "movmatrix": {},
    "ld": {"vec": COUNTS, **TYPES},
    "st": {"vec": COUNTS, **TYPES},
    "cp.async": {"size": COUNTS, "cache": _core.CACHES[1:]},
    "wmma.load": {"operand": ("a", "b", "c"), **TILE},
    "wmma.store": {"operand": ("c",), **TILE},
}


def test_the_oracle_has_every_row_of_the_table() -> None:
    """A row that it lacks would be compared with nothing."""
    assert set(WORDS) == set(_core.KINDS)
    known = {mnemonic: [one.form for one in INSTRUCTIONS if one.mnemonic == mnemonic] for mnemonic in WORDS}
    built, missing = 0, []
    for mnemonic, choices in WORDS.items():
        for values in product(*choices.values()):
            form = dict(zip(choices, values, strict=True))
            if not any(can_be_built(Instruction(mnemonic, form), space) for space in _core.SPACES):
                continue
            built += 1
            if form not in known[mnemonic]:
                missing.append(f"{row_name(mnemonic, form)} is a row of isa.h, but not of {forms_file(mnemonic)}")
    assert not missing, "\n".join(missing)
    compared("forms that can be built, and that the oracle has", built, at_least=len(INSTRUCTIONS))


def test_combinations_that_are_legal_nowhere_cannot_be_built() -> None:
    refused = 0
    wide = {"shape": ("m8n8", "m8n16", "m16n8", "m16n16"), "num": (1, 2, 4), "trans": (False, True)}
    matrix = {**wide, "type": ("b16", "b8", B6, B4, S4)}
    types = ("f16", "bf16", "tf32", "f32", "s32", "u32", "f64", "s8", "u8", "s4", "u4", "b1")
    tile = {"layout": wmma_forms.LAYOUTS, "shape": wmma_forms.SHAPES, "type": types}
    for mnemonic, choices in (
        *((mnemonic, matrix) for mnemonic in MATRICES),
        ("wmma.load", {"operand": "abc", **tile}),
        ("wmma.store", {"operand": "c", **tile}),
    ):
        for values in product(*choices.values()):
            form = dict(zip(choices, values, strict=True))
            exists = wmma_forms.exists(**form) if "layout" in form else legality.exists(mnemonic, form)
            if not exists:
                assert not can_be_built(Instruction(mnemonic, form)), (
                    f"{row_name(mnemonic, form)} can be built, but {forms_file(mnemonic)} does not have it"
                )
                refused += 1
    compared("forms that cannot be built", refused, at_least=600)


def test_enough_was_compared_of_every_form() -> None:
    executed = [one for one in INSTRUCTIONS if not one.is_wmma]
    enough(executed, findings=40, counters=200, moved=500, verdicts=1000)
    enough([one for one in INSTRUCTIONS if one.is_wmma], fields=100, verdicts=4000)
