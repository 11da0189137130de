"""Bounds of small kernels, counted by hand; what of each statement remains; reports, and what is refused."""

import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from warpsim import _engine as engine
from warpsim.bounds.statements import use_of
from warpsim.bounds.values import remaining
from warpsim.time.gpu import _TABLE, gpu_of
from warpsim.time.tensor_rates import multiplied
from warpsim.time.throughput import throughput_of

HEAD = """.version 8.0
.target sm_90
.address_size 64
.visible .entry kernel(.param .u64 x, .param .u64 y)
{
    .reg .b32 %r<9>;
    .reg .f32 %f<9>;
    .reg .b64 %d<9>;
    .shared .align 16 .b8 s[4096];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, s;
    mad.lo.u32 %r2, %r1, 4, %r2;
    ld.param.u64 %d1, [x];
    ld.param.u64 %d2, [y];
    mad.wide.u32 %d3, %r1, 4, %d1;
    mad.wide.u32 %d4, %r1, 4, %d2;
    mov.f32 %f1, 0f3F800000;
"""
TAIL = "st.global.f32 [%d4], %f1;\nret;\n}\n"


def launched(body: str, threads: int = 32, blocks: int = 1, **options: Any) -> ws.KernelReport:
    x, y = np.ones(1024, np.float32), np.zeros(1024, np.float32)
    return ws.Module(HEAD + body + TAIL)["kernel"](blocks, threads, (x, y), **options)


def least(body: str, pipe: str, **options: Any) -> float:
    """Cycles of a block on an H200."""
    report = launched(body, contract=False, **options)
    assert report.ok
    found = {one.name: one.block for one in report.bounds("h200")}
    return found.get(pipe, 0.0)


@pytest.mark.parametrize(
    ("body", "pipe", "cycles"),
    [
        ("ld.global.f32 %f1, [%d3];\nfma.rn.f32 %f1, %f1, %f1, %f1;\nfma.rn.f32 %f1, %f1, %f1, %f1;", "FMA", 2),
        ("ld.global.f32 %f1, [%d3];\nmul.f32 %f2, %f1, %f1;\nadd.f32 %f1, %f2, %f1;", "FMA", 1),
        ("ld.global.f32 %f1, [%d3];\nmul.rn.f32 %f2, %f1, %f1;\nadd.rn.f32 %f1, %f2, %f1;", "FMA", 2),
        ("ld.global.f32 %f1, [%d3];\nsin.approx.f32 %f2, %f1;\nsin.approx.f32 %f3, %f1;\n"
         "add.rn.f32 %f1, %f2, %f3;", "XU", 8),
        ("ld.global.f32 %f1, [%d3];\nsin.approx.f32 %f2, %f1;", "XU", 0),
        ("ld.global.f32 %f1, [%d3];\nmov.f32 %f3, %f1;\nex2.approx.f32 %f1, %f1;\nex2.approx.f32 %f2, %f3;\n"
         "add.rn.f32 %f1, %f1, %f2;", "XU", 8),
        ("st.volatile.shared.f32 [%r2], %f1;", "LSU data", 1 + 1 / 4),
        ("mov.u32 %r3, s;\nmad.lo.u32 %r3, %r1, 16, %r3;\nst.shared.v4.f32 [%r3], {%f1, %f1, %f1, %f1};",
         "LSU data", 4 + 1 / 4),
        ("st.shared.f32 [%r2], %f1;", "LSU data", 1 / 4 + 1 / 4),
        ("ld.global.f32 %f1, [%d3];", "L2", 2),
        ("ld.global.f32 %f1, [%d3];\nld.global.f32 %f2, [%d3];\nadd.f32 %f1, %f1, %f2;", "L2", 2),
        ("ld.global.f32 %f1, [%d3];", "L1 sectors", 2 * 4 / 16 / 4),
        (".reg .pred p;\nsetp.lt.u32 p, %r1, 8;\n@p st.volatile.shared.f32 [%r2], %f1;", "LSU data", 1 / 4 + 1 / 4),
    ],
)  # fmt: skip
def test_bound_of_a_block_is_as_counted_by_hand(body: str, pipe: str, cycles: float) -> None:
    assert least(body, pipe) == pytest.approx(cycles)


def test_warps_share_the_sub_partitions_and_blocks_the_sms() -> None:
    body = "ld.global.f32 %f1, [%d3];\nex2.approx.f32 %f1, %f1;"
    for threads, cycles in ((32, 8), (64, 8), (128, 8), (256, 16)):
        assert least(body, "XU", threads=threads) == cycles
    many = launched(body, threads=256, blocks=300).bounds("h200")
    assert many["XU"].grid == pytest.approx(300 * 16 / 132) and many["XU"].written == 3 * 16 and many["XU"].warp == 8
    assert many.waves == 1 and many.occupancy is not None and many.occupancy.blocks == 8
    part = launched(body, threads=256, blocks=300)
    assert part.read_bytes == 1024 and part.written_bytes == 1024


def test_what_is_touched_counts_once_for_all_threads_and_pieces() -> None:
    x, y = np.ones(1 << 16, np.float32), np.zeros(1 << 16, np.float32)
    index = "mov.u32 %r1, %tid.x;\nmov.u32 %r4, %ctaid.x;\nmad.lo.s32 %r1, %r4, 256, %r1;"
    body = HEAD.replace("mov.u32 %r1, %tid.x;", index)
    kernel = ws.Module(body + "ld.global.f32 %f1, [%d3];\n" + TAIL)["kernel"]
    reports = [kernel(200, 256, (x, y)), kernel(200, 256, (x, y), threads=3), kernel(200, 256, (x, y), check=False)]
    with ThreadPoolExecutor(2) as pool:
        reports.append(kernel(200, 256, (x, y), executor=pool))
    for report in reports:
        assert (report.read_bytes, report.written_bytes) == (200 * 1024, 200 * 1024)
    some = kernel(200, 256, (x, y), blocks=range(10))
    assert (some.read_bytes, some.written_bytes) == (10 * 1024, 10 * 1024)
    compared("sectors that blocks touch", 2 * len(reports) + 2, at_least=10)


def test_assembled_counters_need_no_allowance() -> None:
    narrow, wide, fixed, barrier, integer = map(
        engine.row, ("ld.shared.f32", "ld.shared.v2.f64", "ld.volatile.shared.f32", "bar.sync", "add.s32")
    )
    assert use_of(narrow).share == 0.25 and use_of(wide).share == 1
    assert use_of(narrow, is_assembled=True).share == 1 == use_of(fixed).share
    assert use_of(barrier, is_alone=True).least == 0 and use_of(barrier).least == 1
    assert use_of(integer).least == 0 and use_of(integer).pipe == "ALU"


def test_equal_values_and_unread_ones_count_once() -> None:
    lines = """
        ld.shared.u32 %r1, [%r2]; mov.b32 {h, l}, %r1; ex2.approx.f16 f1, h;
        mov.b32 %r3, {h, l}; mov.b32 {a, b}, %r3; ex2.approx.f16 f2, a;
        ex2.approx.f16 f3, b; ex2.approx.f16 f4, b; ld.shared.u32 %r1, [%r2];
        mov.b32 {h, l}, %r1; ex2.approx.f16 f5, h; ex2.approx.f16 f6, l;
        st.shared.v4.b16 [%r2], {f1, f2, f3, f4}; st.shared.b16 [%r2], f5;"""
    module = engine.Module((HEAD + ".reg .b16 h, l, a, b, f1, f2, f3, f4, f5, f6;" + lines + TAIL).encode())
    statements = [engine.statement(module, number) for number in range(module.statement_count)]
    uses = [use_of(one.row) for one in statements]
    counted = remaining(statements, uses, [1.0] * len(uses), 1.0)
    first = next(number for number, one in enumerate(statements) if one.row.opcode == "ld.shared.u32")
    there = [number - first for number, is_there in enumerate(counted) if is_there and uses[number].pipe == "XU"]
    assert there == [2, 6, 10]  # a is h again; f4 is f3 again; f6 is read by nobody


LOOP = """    .reg .pred p;
    mov.u32 %r4, 0;
L:  BODY
    add.u32 %r4, %r4, 1;
    setp.lt.u32 p, %r4, 64;
    @p bra L;
"""


@pytest.mark.parametrize(
    ("body", "pipe", "cycles"),
    [
        ("ld.volatile.shared.f32 %f2, [%r2]; add.f32 %f1, %f1, %f2;", "LSU data", 64 + 1 / 4),
        ("ld.shared.f32 %f2, [%r2]; add.f32 %f1, %f1, %f2;", "LSU data", 4 / 4 + 1 / 4),  # %r2 and memory: twice each
        ("bar.sync 0; ld.shared.f32 %f2, [%r2]; add.f32 %f1, %f1, %f2;", "LSU data", 64 / 4 + 1 / 4),
        ("ld.shared.f32 %f2, [%r2]; st.shared.f32 [%r2], %f1; add.f32 %f1, %f1, %f2;", "LSU data", 2 * 64 / 4 + 1 / 4),
        ("ld.shared.f32 %f2, [%r2]; add.u32 %r2, %r2, 4; add.f32 %f1, %f1, %f2;", "LSU data", 64 / 4 + 1 / 4),
        ("fma.rn.f32 %f1, %f1, %f1, %f1;", "FMA", 64),
        ("fma.rn.f32 %f2, %f2, %f2, %f2;", "FMA", 0),
        ("ex2.approx.f32 %f2, %f3; add.f32 %f1, %f1, %f2;", "XU", 8),
        ("ex2.approx.f32 %f1, %f1;", "XU", 8 * 64),
    ],
)
def test_what_does_not_change_in_a_loop_counts_once(body: str, pipe: str, cycles: float) -> None:
    store = "st.volatile.shared.f32 [%r2], %f1;\nst.volatile.shared.f32 [%r2+256], %f1;\n"
    found = least("mov.f32 %f2, %f1;\nmov.f32 %f3, %f1;\n" + store + LOOP.replace("BODY", body), pipe)
    stores = 2 if pipe == "LSU data" else 0
    assert found == pytest.approx(cycles + stores)


def test_dram_binds_what_l2_cannot_hold() -> None:
    small = launched("ld.global.f32 %f1, [%d3];").bounds("t4")
    assert small["DRAM"].grid == 0 < small["DRAM"].written
    assert gpu_of(ws.arch("h200")).dram_bytes_per_cycle == pytest.approx(4800e9 / 1980e6)


def test_gpus_are_those_that_have_a_name_and_rates() -> None:
    count = 0
    for number, rows in _TABLE.items():
        for name, sms, mhz, mib, gigabytes in rows:
            architecture = ws.arch(name)
            assert architecture.target == f"sm_{number}" and gpu_of(architecture).name == name
            assert 10 <= sms <= 200 and 1000 <= mhz <= 3000 and 1 < mib < 200 and 200 < gigabytes < 10_000
            assert not throughput_of(architecture).assumed
            count += 1
    assert "not known here" in gpu_of(ws.arch("rtx3060")).assumed
    compared("GPUs with SMs and rates", count, at_least=20)


def test_products_of_other_targets_are_at_their_peaks() -> None:
    opcode = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
    product = engine.row(opcode).product
    for name, cycles in (("a100", 8), ("rtx4090", 32), ("l40s", 16), ("h100", 6)):
        found = multiplied(ws.arch(name), product)
        assert (found.cycles, found.fma, found.type) == (cycles, 2048, "f16"), name
    assert engine.row("mma.sync").product is None
    assert engine.row("wmma.load.a.sync.aligned.row.m16n16k16.f16").product is None


def test_report_is_a_value_a_text_a_page_and_a_picture() -> None:
    report = launched("ld.global.f32 %f1, [%d3];\nfma.rn.f32 %f1, %f1, %f1, %f1;", threads=256)
    bounds = report.bounds("h200", registers=40)
    found = json.loads(json.dumps(bounds.to_dict()))
    assert found["schema"] == "warpsim.bounds/1" and found["by"] == bounds.by == "L2" and bounds.cycles == 16
    assert [pipe["name"] for pipe in found["pipes"]] == [pipe.name for pipe in bounds] and len(bounds) > 4
    assert pickle.loads(pickle.dumps(bounds)).to_dict() == bounds.to_dict()
    assert max(map(len, str(bounds).splitlines())) <= 80 and "bound by L2" in str(bounds)
    assert bounds.svg().startswith("<svg") and "roofline" in bounds.svg() and "<script" not in bounds.html()
    assert "takes at least" in str(report) and "Cycles at least" in report.html()
    assert report.to_dict()["bounds"]["cycles"] == report.bounds().cycles
    with pytest.raises(KeyError):
        bounds["lost"]


def test_what_was_not_counted_has_no_bounds() -> None:
    report = launched("", count=False)
    with pytest.raises(ValueError, match="launch with count=True"):
        report.bounds()
    assert report.to_dict()["bounds"] is None and "takes at least" not in str(report)
    with pytest.raises(ValueError, match="registers"):
        launched("").bounds(registers=0)
    with pytest.raises(ValueError, match="target"):
        launched("").bounds("h9000")
    assert launched("").bounds("sm_62").occupancy is None


def test_bytes_that_are_no_utf_8_move_no_statement() -> None:
    body = "/*%s*/ fma.rn.f32 %%f2, %%f1, %%f1, %%f1; /*%s*/ sin.approx.f32 %%f1, %%f2;\n"
    found = []
    for letter in (b"x", b"\x80", b"\xff", "\u00e9".encode()):
        text = (HEAD + body + TAIL).encode().replace(b"%s", letter * 60).replace(b"%%", b"%")
        report = ws.Module(text)["kernel"](1, 32, (np.ones(32, np.float32), np.zeros(32, np.float32)))
        found.append({one.name: (one.block, one.written) for one in report.bounds("h200")})
    assert all(one == found[0] for one in found) and found[0]["XU"][1] > 0
