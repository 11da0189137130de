"""Products of warpgroups against plain decoding: every layout, type and fragment, with sums of whole numbers."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import warpsim as ws
from tests.reference import wgmma as oracle
from tests.support.evidence import compared
from tests.truth.wgmma import cases

IMAGE, B_BEGINS = 180224, 32768
TYPES = (*cases.FLOATS, *cases.INTEGERS, ("s32", "b1", "b1", 256))
SWIZZLES = {0: 0, 128: 1, 64: 2, 32: 3}
LOWEST = {"u8": 0, "b1": 0}


@st.composite
def matrices(draw: st.DrawFn, lines: int, depth: int, type_: str, begin: int) -> tuple[str, int, int, tuple[int, int]]:
    """Major, swizzle, start, and offsets with which no two elements share a byte; `depth`: bytes of k."""
    major = draw(st.sampled_from(("k", "mn"))) if type_ in cases.WITH_MAJORS else "k"
    swizzle = draw(st.sampled_from(tuple(SWIZZLES)))
    row = max(swizzle, 16)
    if major == "k":
        near, far = -(-depth // row), lines // 8
    elif swizzle == 0:
        near, far = depth // 16, lines // 8
    else:
        near, far = -(-lines // (row // 2)), depth // 16
    unit, pads = 8 * row, draw(st.tuples(st.integers(1, 2), st.integers(1, 2)))
    if draw(st.booleans()):
        leading = unit * pads[0]
        stride = leading * near * pads[1]
    else:
        stride = unit * pads[0]
        leading = stride * far * pads[1]
    return major, swizzle, begin + draw(st.integers(0, 2)) * 1024, (leading, stride)


def numbers(seed: int, shape: tuple[int, int], type_: str) -> oracle.Ints:
    low, high = LOWEST.get(type_, -3), 1 if type_ == "b1" else 3
    found: oracle.Ints = np.random.default_rng(seed).integers(low, high + 1, shape)
    return found


@st.composite
def products(draw: st.DrawFn) -> tuple[cases.Kernel, dict[str, Any]]:
    d, a, b, k = draw(st.sampled_from(TYPES))
    is_sparse = draw(st.booleans()) and a != "b1"
    n = draw(st.sampled_from(cases._columns(d == "s32")))
    shares_a = draw(st.booleans())
    placed_a = draw(matrices(64, 32, a, 0))
    placed_b = draw(matrices(n, 64 if is_sparse else 32, b, B_BEGINS))
    if not shares_a:
        placed_a = ("k", *placed_a[1:])
    signs = draw(st.tuples(st.sampled_from((1, -1)), st.sampled_from((1, -1)))) if d != "s32" else (1, 1)
    kernel = cases.Kernel(
        draw(st.integers(0, 3)), d, a, b, k * (1 + is_sparse), n, shares_a,
        (placed_a[0] == "mn", placed_b[0] == "mn"), is_sparse, d == "s32" and a != "b1" and draw(st.booleans()), signs,
    )  # fmt: skip
    return kernel, {"a": placed_a, "b": placed_b, "reads_d": draw(st.booleans()), "seed": draw(st.integers(0, 1 << 30))}


def inputs(kernel: cases.Kernel, how: dict[str, Any]) -> tuple[NDArray[np.uint8], NDArray[np.uint64], oracle.Ints]:
    """The pool, the record, and what D has to be."""
    seed, stored = how["seed"], kernel.k // (2 if kernel.is_sparse else 1)
    a, b = numbers(seed, (64, stored), kernel.a), numbers(seed + 1, (kernel.n, kernel.k), kernel.b)
    c = numbers(seed + 2, (128, kernel.registers), "s8")
    image = np.zeros(IMAGE, np.uint8)
    if kernel.shares_a:
        oracle.store(image, a, kernel.a, *how["a"])
    oracle.store(image, b, kernel.b, *how["b"])
    words, whole = np.zeros(128, np.uint32), a
    if kernel.is_sparse:
        pairs = np.array([(x, y) for x in range(4) for y in range(x + 1, 4)])
        random = np.random.default_rng(seed + 3)
        drawn = pairs[random.integers(0, 6, (64, stored // 2))].reshape(64, stored)
        chosen = random.integers(0, 2, (64, stored)) if kernel.a == "tf32" else drawn
        words = oracle.metadata(chosen, kernel.a, cases.selector(kernel))
        whole = oracle.expanded(a, chosen, kernel.a)
    fragment = oracle.registers_of_a(a, kernel.a) if kernel.a != "b1" else a.reshape(64, 8, 32)
    if kernel.a == "b1":
        packed = (fragment << np.arange(32)).sum(axis=2)
        fragment = oracle.registers_of_a(packed, "s32")
    sums = np.repeat(oracle.encoded(c, kernel.d), 1, axis=1).astype(np.uint32)
    if kernel.d == "f16":
        sums = sums | sums << 16
    pool = np.concatenate([image, *(one.astype(np.uint32).view(np.uint8).ravel() for one in (sums, fragment, words))])
    begins = np.cumsum([0, IMAGE, 4 * sums.size, 4 * fragment.size])
    record = np.zeros((1, 8), np.uint64)
    for at, (_, swizzle, start, offsets) in enumerate((how["a"], how["b"])):
        record[0, 1 + at] = cases.descriptor(start, *offsets, 0, SWIZZLES[swizzle])
    record[0, 3:6], record[0, 6] = begins[1:], how["reads_d"]
    expected = kernel.signs[0] * kernel.signs[1] * (whole @ b.T)
    if how["reads_d"]:
        expected = expected + oracle.results(sums, kernel.n, kernel.d)
    return pool, record, expected


@pytest.mark.slow
def test_every_layout_and_type_gives_exact_sums() -> None:
    count: Counter[str] = Counter()

    @settings(max_examples=250, deadline=None)
    @given(products())
    def equal(drawn: tuple[cases.Kernel, dict[str, Any]]) -> None:
        kernel, how = drawn
        pool, record, expected = inputs(kernel, how)
        out = np.zeros((1, 128, kernel.registers), np.uint32)
        found = ws.Module(cases.text([kernel], IMAGE))[kernel.name]
        report = found(1, 128, (pool, record, out), shared_bytes=IMAGE)
        assert not [one for one in report.findings if one.severity != "note"], report.findings
        assert np.array_equal(oracle.results(out[0], kernel.n, kernel.d), expected), (kernel, how)
        count["results"] += expected.size
        count["kernels"] += 1

    equal()
    compared("results of products of warpgroups, by plain decoding", count["results"], at_least=200_000)
    assert count["kernels"] >= 250


ACTIONS = (
    "product 0", "product 1", "product from 0", "commit", "wait 0", "wait 1", "read 0", "read 1", "write 0", "write 1",
    "fence",
)  # fmt: skip
SETS = ("%d0, %d1, %d2, %d3", "%e0, %e1, %e2, %e3")


def statement(action: str) -> str:
    word, *rest = action.split()
    if word == "product":
        a = "%rd4" if rest[0] != "from" else f"{{{SETS[0]}}}"
        into = SETS[int(rest[0])] if rest[0] != "from" else SETS[1]
        end = "1, 1, 1, 0, 0" if rest[0] != "from" else "1, 1, 1, 0"
        return f"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {{{into}}}, {a}, %rd4, {end};"
    return {
        "commit": "wgmma.commit_group.sync.aligned;",
        "fence": "wgmma.fence.sync.aligned;",
        "wait": f"wgmma.wait_group.sync.aligned {rest[0] if rest else ''};",
        "read": f"mov.b32 %r7, %{'de'[int(rest[0]) if rest else 0]}2;",
        "write": f"mov.b32 %{'de'[int(rest[0]) if rest else 0]}1, 0;",
    }[word]


def expected_findings(actions: list[str]) -> set[tuple[int, int, int | None]]:
    """(rule, line, other line) by plain bookkeeping: what is issued, committed, waited for, written since the fence."""
    found: set[tuple[int, int, int | None]] = set()
    issued: list[int] = []  # lines
    groups: list[int] = []  # products issued when each was committed
    ended, fenced = 0, -1
    owner: dict[int, tuple[int, bool]] = {}  # set -> number of its latest product, whether it is its result
    written: dict[int, int] = {}

    def runs(which: int) -> bool:
        return which in owner and owner[which][0] > ended

    for line, action in enumerate(actions):
        word, *rest = action.split()
        if word == "product":
            uses = {1: True, 0: False} if rest[0] == "from" else {int(rest[0]): True}
            issued.append(line)
            if fenced < 0:
                found.add((33, line, None))
            for which, is_result in uses.items():
                if written.get(which, -1) > fenced:
                    found.add((33, line, written[which]))
                if runs(which) and owner[which][1] and not is_result:
                    found.add((32, line, issued[owner[which][0] - 1]))
                owner[which] = len(issued), is_result
        elif word == "commit":
            groups.append(len(issued))
        elif word == "wait":
            kept = int(rest[0])
            ended = max(ended, groups[-1 - kept] if kept < len(groups) else 0)
        elif word == "fence":
            fenced = line
        else:
            which = int(rest[0])
            if runs(which) and (word == "write" or owner[which][1]):
                found.add((32, line, issued[owner[which][0] - 1]))
            if word == "write":
                written[which] = line
    return found


@pytest.mark.slow
def test_random_sequences_have_the_findings_of_plain_bookkeeping() -> None:
    count: Counter[str] = Counter()

    @settings(max_examples=200, deadline=None)
    @given(st.lists(st.sampled_from(ACTIONS), min_size=1, max_size=24), st.integers(0, 3))
    def equal(actions: list[str], order: int) -> None:
        lines = "\n".join(map(statement, actions))
        text = f""".version 8.4
.target sm_90a
.address_size 64
.shared .align 1024 .b8 tile[4096];
.visible .entry k()
{{
.reg .b32 %d<4>; .reg .b32 %e<4>; .reg .b32 %r<8>; .reg .b64 %rd<5>;
mov.u32 %r1, %tid.x; shl.b32 %r1, %r1, 5; mov.u32 %r2, tile; add.u32 %r1, %r1, %r2; mov.b32 %r3, 0;
st.shared.v4.b32 [%r1], {{%r3, %r3, %r3, %r3}}; st.shared.v4.b32 [%r1+16], {{%r3, %r3, %r3, %r3}};
fence.proxy.async; bar.sync 0; mov.b64 %rd4, {cases.descriptor(0, 128, 256, 0, 0)};
{lines}
ret;
}}
"""
        report = ws.Module(text)["k"](1, 128, (), order=order)
        found = {
            (int(one.rule[-2:]), one.line - 11, one.other.line - 11 if one.other else None)
            for one in report.findings
            if one.severity != "note"
        }
        either = {(rule, frozenset((line, other))) for rule, line, other in found}
        assert either == {(rule, frozenset((line, other))) for rule, line, other in expected_findings(actions)}
        count["faults"] += len(found)
        count["right"] += not found

    equal()
    compared("faults of random sequences of products", count["faults"], at_least=200)
    compared("random sequences of products without a fault", count["right"], at_least=10)


@pytest.mark.parametrize("n", [8, 136, 256])
def test_results_do_not_depend_on_the_order_of_warps(n: int) -> None:
    kernel = next(one for one in cases.KERNELS if one.n == n)
    records, found = cases.records(kernel)[:2], []
    for order in range(5):
        out = np.zeros((len(records), 128, kernel.registers), np.uint32)
        run = ws.Module(cases.text([kernel]))[kernel.name]
        assert run(len(records), 128, (cases.pool(), records, out), shared_bytes=cases.IMAGE, order=order).ok
        found.append(out)
    assert all(np.array_equal(one, found[0]) for one in found)
