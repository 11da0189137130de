"""Costs against the slow oracle of `reference`, and what must hold of every cost."""

import copy
import math
import pickle
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import warpsim as ws
from tests.reference import cost as oracle
from tests.reference.forms import forms_of
from tests.reference.memory import Memory
from tests.support.evidence import compared
from tests.support.oracle import INSTRUCTIONS, Case, Instruction, Warp, traffic_of
from tests.support.oracle_cases import PATTERNS, pattern

FORMS = [one for one in INSTRUCTIONS if not one.is_wmma]
LANES = range(32)
EVERY = 0xFFFF_FFFF
REL = 1e-9


def constants(target: str | ws.Arch) -> dict[str, float]:
    arch = ws.arch(target) if isinstance(target, str) else target
    return {name: constant.value for name, constant in arch.constants.items()}


MASKS = (EVERY, EVERY, EVERY, 0, 1, 0xFFFF, 0x5555_5555, 0xFF00_00FF)


def access(
    random: Random, one: Instruction, kind: str, active: int
) -> tuple[oracle.Access, list[int] | None, list[int] | None]:
    """The oracle's access with the addresses, and sources, that it counts."""
    mnemonic, form = one.mnemonic, one.form
    if mnemonic == "movmatrix":
        return oracle.Access(mnemonic, form, 0, 0), None, None
    address, source = (
        [slot * one.width for slot in pattern(random, name, 1000)] for name in (kind, random.choice(PATTERNS))
    )
    case = Case("shared", None, (), Memory(bytearray()), Memory(bytearray()), 0)
    counts = traffic_of(one, case, Warp(address, source, [], [], active, 0), exited=0, sm_75=False)
    made = oracle.Access(mnemonic, form, counts["wavefronts"], counts["ideal_wavefronts"])
    return made, address, source if mnemonic == "cp.async" else None


@st.composite
def issues(draw: Any, index: int) -> tuple[Any, ...]:
    one = FORMS[index]
    random = Random(f"{one.name} {draw(st.integers(0, 2**32))}")
    masks = (EVERY,) if one.mnemonic.endswith("matrix") else MASKS
    active, kind = draw(st.sampled_from(masks)), draw(st.sampled_from(PATTERNS))
    target = draw(st.sampled_from(one.takers("shared")))
    return *access(random, one, kind, active), active, target, draw(st.integers(1, 64))


def check_cost(found: ws.Cost, made: oracle.Access, c: dict[str, float], lines: int) -> None:
    allowed = oracle.interval(made, c, found.warps, lines)
    assert found.interval == pytest.approx(max(allowed.values()), rel=REL), (made, found)
    assert allowed[found.bound] == pytest.approx(found.interval, rel=REL), (made, found)
    for name, cycles in allowed.items():
        assert found.breakdown.get(name, 0) == pytest.approx(cycles, rel=REL), (made, name)
    assert found.breakdown.get("latency", 0) == pytest.approx(oracle.fixed_latency(made, c))
    if made.mnemonic != "cp.async":  # where its data come from decides, and no law says how
        assert found.latency == pytest.approx(oracle.latency(made, c), rel=REL), (made, found)
    assert math.isfinite(found.latency) and found.latency > 0


@pytest.mark.parametrize("index", range(len(FORMS)), ids=lambda i: FORMS[i].name)
def test_cost_equals_the_laws(index: int) -> None:
    mnemonic, op = FORMS[index].mnemonic, FORMS[index].op()
    seen = 0

    @given(issues(index))
    @settings(deadline=None, max_examples=15)
    def check(issue: tuple[Any, ...]) -> None:
        nonlocal seen
        made, address, source, active, target, warps = issue
        given_source = {} if source is None else {"source": source}
        found = op.cost(address, active=active, target=target, warps=warps, **given_source)
        lines = {s // 128 for lane, s in enumerate(source or []) if active >> lane & 1}
        check_cost(found, made, constants(target), len(lines))
        assert (found.ptx, found.warps, found.target) == (op.ptx, warps, target)
        known = (found.latency_error, found.interval_error)
        assert found.error == (None if None in known else max(known))
        assert target in ("sm_90", "sm_90a") or known == (None, None)
        assert active in (EVERY, 0) or mnemonic == "movmatrix" or known == (None, None)
        assert found.source
        seen += 1

    check()
    compared("costs of instructions", seen, at_least=1 if mnemonic == "movmatrix" else 5)


def tag_passes(address: list[int]) -> int:
    """H200 measurement ("global memory"): lines of 128 bytes in the fullest of four tag banks."""
    lines = {a // 128 for a in address}
    banks = [2 * ((n & 0x37AB5).bit_count() % 2) + (n & 0x2D5DA).bit_count() % 2 for n in lines]
    return max(banks.count(bank) for bank in range(4))


def bank_passes(address: list[int], width: int) -> int:
    """Groups of 32, 16 or 8 lanes; of each the most distinct words in one bank, whatever their lines."""
    lanes = 32 if width <= 4 else 16 if width == 8 else 8
    passes = 0
    for first in range(0, 32, lanes):
        words = {word for a in address[first : first + lanes] for word in range(a // 4, (a + width - 1) // 4 + 1)}
        passes += max(sum(word % 32 == bank for word in words) for bank in range(32))
    return passes


@pytest.mark.parametrize("mnemonic", ["ld", "st"])
def test_cost_of_global_accesses_follows_their_counters(mnemonic: str) -> None:
    seen = 0
    for form in forms_of(mnemonic):
        one = Instruction(mnemonic, form)
        op, width = one.op("global"), one.width
        for pitch in (1, 2, 8, 33):
            address = [width * pitch * lane for lane in LANES]
            counts = op.traffic(address)
            passes = (tag_passes(address), bank_passes(address, width)) if mnemonic == "ld" else (0, 0)
            made = oracle.Access(
                mnemonic, form, counts.wavefronts.item(), counts.ideal_wavefronts.item(), "global", *passes
            )
            for warps in (1, 8):
                check_cost(op.cost(address, warps=warps), made, constants("sm_90"), 4)
                seen += 1
    compared("costs of global accesses", seen, at_least=200)


def test_cost_of_wmma_is_finite_and_never_below_its_wavefronts() -> None:
    seen = 0
    for shape, layout in ((s, r) for s in ("m16n16k16", "m8n32k16") for r in ("row", "col")):
        for operand, kind in (("a", "f16"), ("b", "bf16"), ("c", "f32"), ("a", "s8")):
            for space in ("shared", "global", ""):
                op = ws.WmmaLoad(shape=shape, operand=operand, layout=layout, type=kind, space=space)
                for stride in (16, 32, 40, 64):
                    for warps in (1, 2, 8, 64):
                        found = op.cost(0, stride=stride, warps=warps)
                        counters = op.traffic([0], stride=stride)  # from global memory, wavefronts overlap
                        counted = (counters.wavefronts if space == "shared" else counters.requests).item()
                        assert found.interval >= counted and math.isfinite(found.interval)
                        assert found.latency >= 2 * counted and math.isfinite(found.latency)
                        assert found.breakdown[found.bound] == found.interval
                        seen += 1
    compared("costs of wmma.load", seen, at_least=500)


@cache
def forms_for(target: str) -> list[Instruction]:
    """What a program on the target may hold."""
    return [f for f in FORMS if target in f.takers("shared") and f.mnemonic != "cp.async"]


@st.composite
def programs(draw: Any) -> tuple[list[tuple[Any, Any]], list[list[oracle.Access]], Any]:
    target = draw(st.sampled_from(("sm_80", "sm_86", "sm_90", "sm_90", "sm_100a", "sm_120f")))
    plain = forms_for(target)
    chosen = draw(st.lists(st.sampled_from(range(len(plain))), min_size=1, max_size=6))
    warps = draw(st.sampled_from((1, 2, 3, 4, 5, 8, 9, 63, 64)))
    random = Random(draw(st.integers(0, 2**32)))
    steps: list[tuple[Any, Any]] = []
    by_warp: list[list[oracle.Access]] = [[] for _ in range(warps)]
    for one in (plain[i] for i in chosen):
        shared = random.random() < 0.5 or one.mnemonic == "movmatrix"
        made = [access(random, one, random.choice(PATTERNS), EVERY) for _ in range(1 if shared else warps)]
        steps.append((one.op(), made[0][1] if shared else [m[1] for m in made]))
        for warp in range(warps):
            by_warp[warp].append(made[0 if shared else warp][0])
    return steps, by_warp, target


PARTS = ("latency", "start", "data pipe", "drain", "sub-partition", "warp")


def check_program(found: ws.ProgramCost, by_warp: list[list[oracle.Access]], c: Any) -> None:
    wanted = oracle.program(by_warp, c)
    assert found.cycles == pytest.approx(wanted["cycles"], rel=REL)
    assert {name: found.breakdown[name] for name in PARTS} == pytest.approx(
        {name: wanted[name] for name in PARTS}, rel=REL, abs=1e-9
    )
    assert found.wavefronts == wanted["data pipe"] and found.cycles >= found.wavefronts
    assert found.bound in ("data pipe", "sub-partition", "warp", "latency")
    if found.bound != "latency":
        assert found.breakdown[found.bound] + (
            found.breakdown["drain"] if found.bound == "data pipe" else 0
        ) == pytest.approx(found.cycles - found.breakdown["latency"] - found.breakdown["start"])


@pytest.mark.slow
def test_programs_equal_the_formula() -> None:
    seen = 0

    @given(programs())
    @settings(deadline=None, max_examples=200)
    def check(program: tuple[Any, ...]) -> None:
        nonlocal seen
        steps, by_warp, target = program
        found = ws.cost(steps, warps=len(by_warp), target=target)
        check_program(found, by_warp, constants(target))
        seen += 1

    check()
    compared("costs of programs", seen, at_least=100)


def test_programs_with_the_users_constants_equal_the_formula() -> None:
    """Each constant that the formula knows, moved alone: none is taken for another."""
    x4, fill, turn = ws.Ldmatrix(num=4), ws.St(vec=4), ws.Movmatrix()
    rows, pieces = [lane * 144 for lane in LANES], [lane * 16 for lane in LANES]
    form = {"shape": "m8n8", "num": 4, "trans": False, "type": "b16"}
    load = oracle.Access("ldmatrix", form, x4.traffic(rows).wavefronts.item(), 4)
    store = oracle.Access("st", {"vec": 4, "type": "b32"}, 4, 4)
    steps = [(fill, pieces), (x4, rows), (turn, None), (fill, pieces), (x4, rows)]
    by_warp = [store, load, oracle.Access("movmatrix", {}, 0, 0), store, load]
    moved = 0
    for name, constant in ws.arch("sm_90").constants.items():
        if name in ("banks", "bank_bytes", "sub_partitions", "shared_bytes_per_block"):
            continue
        arch = ws.Arch("sm_90", {name: constant.value + 3})
        for warps in (1, 3, 16):
            found = ws.cost(steps, warps=warps, target=arch)
            check_program(found, [by_warp] * warps, constants(arch))
            assert found.error is None
            moved += found.cycles != ws.cost(steps, warps=warps).cycles
    for partitions in (1, 2, 3, 8):
        arch = ws.Arch("sm_90", {"sub_partitions": partitions})
        check_program(ws.cost(steps, warps=7, target=arch), [by_warp] * 7, constants(arch))
    assert moved >= 12
    compared("constants moved", moved, at_least=12)


def test_costs_are_values() -> None:
    x4 = ws.Ldmatrix(num=4)
    rows = [lane * 16 for lane in LANES]
    arch = ws.Arch("sm_90", {"load_latency": 20.5})
    makers: list[Any] = [
        lambda: x4.cost(rows, warps=3),
        lambda: ws.cost([(x4, rows)], warps=3),
        lambda: ws.mainloop((64, 64, 32), (2, 2), a=ws.Layout(64, 32, "f16", pad=8)),
        lambda: ws.arch("sm_86"),
        lambda: ws.Arch("sm_90", {"load_latency": 20.5}),
        lambda: ws.mainloop((64, 64, 32), (2, 2), target=arch),
    ]
    for make in makers:
        first = make()
        assert first == make() and hash(first) == hash(make())
        for again in (pickle.loads(pickle.dumps(first)), copy.copy(first), copy.deepcopy(first)):
            assert again == first and hash(again) == hash(first)
            assert again.to_dict() == first.to_dict() and str(again) == str(first)
        assert all(first != other() for other in makers if other is not make)
    assert eval(repr(arch), vars(ws)) == arch != ws.arch("sm_90")
    with pytest.raises(AttributeError):
        x4.cost(rows).latency = 1.0  # type: ignore[misc]
    with pytest.raises(TypeError):
        ws.arch("sm_90").constants["banks"] = None  # type: ignore[index]
