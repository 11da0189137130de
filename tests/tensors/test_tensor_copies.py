"""Tensor maps and bulk copies against the driver and an H200: tests/truth/run/tensor_maps."""

import struct
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import warpsim as ws
from tests.reference import tensors
from tests.support.evidence import compared
from tests.support.tensors import copies as tensor_copies
from tests.truth.run.tensor_maps import more
from tests.truth.run.tensor_maps.cases import BYTES, Case, Words, draw_im2col, draw_tile
from warpsim.values import encoding

ILLEGAL, MISALIGNED = 715, 716  # CUDA errors


def encoded(case: Case) -> bytes | None:
    """The map as the package writes it, with the address; None: refused."""
    grain = 32 if case.interleave == 2 else 16
    known = case.dtype < len(BYTES) and case.swizzle < 4 and case.interleave < 3 and case.l2 < 4 and case.fill < 2
    address = case.address if case.kind == 0 else case.address + case.base
    if not known or not 1 <= case.rank <= 5 or address % grain or address >= 1 << 57:
        return None
    shape = tensor_copies.fields(case) if case.mode == 0 or case.rank >= 3 else None
    if shape is None:
        return None
    try:
        encoding.check(shape)
    except ValueError:
        return None
    return struct.pack("<Q", address) + encoding.encode(shape)[8:]


def test_maps_are_encoded_as_by_the_driver() -> None:
    count = refused = 0
    for case, row in tensor_copies.measured():
        if case.kind == 2 or case.mode > 1:
            continue
        found = encoded(case)
        assert (found is None) == (row.encoded != 0), case
        assert found is None or tensor_copies.digest(found) == row.map_digest, case
        count += 1
        refused += found is None
    compared("tensor maps of the driver", count, at_least=9000)
    compared("tensor maps that the driver refuses", refused, at_least=2000)


@pytest.mark.parametrize(
    "group", [pytest.param("tile", marks=pytest.mark.slow), "interleave", "im2col", "reduce", "plain"]
)
def test_copies_equal_those_of_the_h200(group: str) -> None:
    count = 0
    for case, row in tensor_copies.measured():
        fits = case.group.startswith(group) or (group == "reduce" and case.group.endswith("reduce"))
        if not fits or row.encoded or row.launched or case.kind == 0:
            continue
        report, data, image = tensor_copies.run(case)
        assert report.ok, (case, report.findings)
        assert tensor_copies.digest(data.tobytes(), image.tobytes()) == row.digest, case
        count += 1
    least = {"tile": 3300, "interleave": 400, "im2col": 900, "reduce": 450, "plain": 100}
    compared(f"copies of the H200, {group}", count, at_least=least[group])


def test_barriers_count_the_bytes_that_the_h200_counts() -> None:
    count = 0
    for case, row in tensor_copies.measured():
        if case.kind == 1 and case.op == 0 and row.transaction_bytes:
            assert tensor_copies.fields(case).transaction_bytes == row.transaction_bytes, case
            count += 1
    compared("transaction bytes of tensor copies", count, at_least=500)


def test_copies_that_the_h200_refuses_are_found() -> None:
    count = 0
    for case, row in tensor_copies.measured():
        needs_cluster = case.kind == 2 and (case.op == 2 or case.op >= 40) and row.launched == ILLEGAL
        if row.launched not in (ILLEGAL, MISALIGNED) or needs_cluster:
            continue
        report, _, _ = tensor_copies.run(case)
        rules = [finding.rule for finding in report.findings]
        assert rules == ["WS-RUN-038" if row.launched == ILLEGAL else "WS-RUN-003"], (case, rules)
        count += 1
    compared("copies that the H200 refuses", count, at_least=300)


def test_shared_address_of_a_tensor_needs_128_bytes() -> None:
    case = next(c for c, row in tensor_copies.measured() if c.group == "tile" and c.op == 0 and not row.launched)
    for shift, ok in ((16, False), (64, False), (128, True)):
        report, _, _ = tensor_copies.run(replace(case, smem=shift))
        assert report.ok == ok


def copied_by(
    form: int, rank: int = 2, mode: str = "tile", of: int = 2
) -> tuple[tuple[ws.KernelFinding, ...], list[int]]:
    """A kernel changes the word of a map of rank `of` that says its form, and copies by it: the findings, what came."""
    copy = f"cp.async.bulk.tensor.{rank}d.shared::cluster.global.{mode}.mbarrier::complete_tx::bytes"
    place, offsets = ", ".join(["%r1"] * rank), ", {%rs0}" if mode == "im2col" else ""
    text = f"""
.version 8.6
.target sm_90a
.address_size 64
.visible .entry k(.param .align 64 .b8 map[128], .param .u64 made, .param .u64 out, .param .u32 form)
{{
    .shared .align 128 .b8 s[64];
    .shared .align 8 .b64 bar;
    .reg .b16 %rs<1>; .reg .b32 %r<4>; .reg .b64 %rd<5>; .reg .pred %p;
    mov.u16 %rs0, 0; mov.u64 %rd2, map; mov.u32 %r1, 0;
    ld.param.u64 %rd0, [made]; ld.param.u64 %rd1, [out]; ld.param.u32 %r0, [form];
MAP:
    cvt.u64.u32 %rd3, %r1; add.u64 %rd4, %rd2, %rd3; ld.param.u32 %r2, [%rd4];
    setp.eq.u32 %p, %r1, 8; @%p xor.b32 %r2, %r2, %r0;
    add.u64 %rd4, %rd0, %rd3; st.global.u32 [%rd4], %r2;
    add.u32 %r1, %r1, 4; setp.lt.u32 %p, %r1, 128; @%p bra MAP;
    mbarrier.init.shared::cta.b64 [bar], 1; fence.proxy.async; fence.proxy.tensormap::generic.acquire.gpu [%rd0], 128;
    mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 64; mov.u32 %r1, 0; mov.u32 %r2, s; mov.u32 %r3, bar;
    {copy} [%r2], [%rd0, {{{place}}}], [%r3]{offsets};
WAIT:
    mbarrier.try_wait.parity.shared::cta.b64 %p, [%r3], 0; @!%p bra WAIT;
    ld.shared.u32 %r0, [s+4]; st.global.u32 [%rd1], %r0; ld.shared.u32 %r0, [s+20]; st.global.u32 [%rd1+4], %r0;
    ret;
}}
"""
    source, made, out = np.arange(64, dtype=np.uint32), np.zeros(32, np.uint32), np.zeros(2, np.uint32)
    given = ws.tensor_map(source.reshape((1,) * (of - 2) + (8, 8)), (4, 4) + (1,) * (of - 2))
    return ws.Module(text)["k"](1, 1, (given, made, out, form), target="sm_90a").findings, out.tolist()


def test_a_map_of_no_known_form_is_refused() -> None:
    assert copied_by(0) == ((), [1, 9])
    forms = {
        "interleave": 3 << 11,
        "more than all fields": 1 << 19,
        "im2col of a plane": 1,
        "type": 15 << 7,
        "rank": 4 << 4,
    }
    for name, form in forms.items():
        (found,), out = copied_by(form)
        assert found.rule == "WS-RUN-038" and out == [0, 0], name
    compared("forms that no map has", len(forms), at_least=5)


def test_a_map_of_another_rank_is_refused() -> None:
    for rank in (1, 3, 5):
        (found,), out = copied_by(0, rank)
        assert found.rule == "WS-RUN-038" and out == [0, 0]


@pytest.mark.parametrize(
    ("form", "mode", "words"),
    [(0, "im2col", "a tiled one, the instruction is im2col"), (1, "tile", "one for im2col, the instruction is not")],
)
def test_a_map_of_another_mode_is_refused(form: int, mode: str, words: str) -> None:
    (found,), out = copied_by(form, 3, mode, of=3)
    assert found.rule == "WS-RUN-038" and words in found.message and out == [0, 0]


@settings(deadline=None, max_examples=150)
@given(seed=st.integers(0, 2**64 - 1), kind=st.sampled_from(["tile", "interleave", "im2col"]))
def test_copies_equal_those_of_the_reference(seed: int, kind: str) -> None:
    words = Words(seed)
    case = more.interleaved(words, 0) if kind == "interleave" else draw(words, kind)
    if kind == "im2col" and case.op:  # corners that no store takes
        return
    case.op = min(case.op, 1)
    overlaps = len(set(place for _, place in tensors.elements(case) if place is not None)) < sum(
        place is not None for _, place in tensors.elements(case)
    )
    if case.kind == 1 and encoded(case) is not None and not (case.op and overlaps):
        data, image = tensor_copies.images(case)
        expected = tensors.copied(case, data.tobytes(), image.tobytes())
        report, data, image = tensor_copies.run(case)
        assert report.ok, report.findings
        assert (data.tobytes(), image.tobytes()) == expected
        compared("tensor copies of the reference", 1, at_least=1)


def draw(words: Words, kind: str) -> Case:
    return draw_im2col(words, kind) if kind == "im2col" else draw_tile(words, kind)
