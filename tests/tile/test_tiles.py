"""Steps of a tile and the report of both sides, against the oracle and known cases."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import warpsim as ws
from tests.reference import layouts as memory
from tests.reference import tiles as oracle
from tests.reference.forms import Form
from tests.support.evidence import compared
from tests.support.tile_cases import Case, coverings, op_of
from warpsim import _core

X4 = ws.Ldmatrix(num=4)
FILL = ws.St(vec=4)
COPY = ws.CpAsync()
EVERY = ("ldmatrix", "stmatrix", "ld", "st", "cp.async")
STORES = ("stmatrix", "st", "cp.async")


def divisor(draw_of: int, number: int) -> int:
    """Some number of warps that divides the units."""
    fits = [warps for warps in range(1, 65) if number % warps == 0]
    return fits[draw_of % len(fits)]


@given(coverings(EVERY), st.integers(0, 63))
@settings(deadline=None, max_examples=300)
def test_tile_steps_equal_the_oracle(covering: tuple[Case, str, Form], pick: int) -> None:
    case, mnemonic, form = covering
    units = oracle.units_of(case.spec, mnemonic, form)
    assert units is not None
    warps = divisor(pick, len(units))
    found = ws.tile_steps(op_of(mnemonic, form), case.made, warps=warps)
    assert found.dtype == np.int64
    assert found.tolist() == oracle.dealt(units, warps), (case, mnemonic, form)
    compared("lane addresses of tiles", found.size, at_least=32)


@given(coverings(STORES), st.integers(0, 63))
@settings(deadline=None, max_examples=150)
def test_tile_counts_equal_the_oracle(covering: tuple[Case, str, Form], pick: int) -> None:
    case, mnemonic, form = covering
    counts = oracle.counts_of(case.spec, mnemonic, form)
    assert counts is not None
    load = ws.Ld(type="b8") if case.spec.bits <= 8 else ws.Ld(type=f"b{case.spec.bits}")
    warps = divisor(pick, int(np.gcd(len(counts), ws.tile_steps(load, case.made).shape[1])))
    report = ws.tile(
        case.made, store=op_of(mnemonic, form), load=load, warps=warps, target="sm_100a"
    )
    for name in _core.COUNTERS:
        found = getattr(report.store.traffic, name)
        assert found.shape == (warps, len(counts) // warps)
        assert found.T.reshape(-1).tolist() == [count[name] for count in counts], (case, name)
    compared("accesses of tiles counted", len(counts), at_least=1)


@given(coverings(EVERY))
@settings(deadline=None, max_examples=400)
def test_tile_findings_equal_the_oracle(covering: tuple[Case, str, Form]) -> None:
    case, mnemonic, form = covering
    width = oracle.width_of(mnemonic, form)
    op, byte = op_of(mnemonic, form), ws.Ld(type="b8")
    tile = case.made if case.spec.bits <= 8 else None
    if tile is None:
        byte = ws.Ld(type=f"b{case.spec.bits}")
        tile = case.made
    found = _core.tile_findings(tile._core, op, byte, ws.arch("sm_100a")._core)
    rules = {rule for rule, side, _ in found if side == "store"}
    aligned = memory.lines_are_aligned(case.spec, width)
    assert ("WS-TILE-002" in rules) == (not aligned), case
    if aligned:
        assert ("WS-TILE-003" in rules) == (not memory.pieces_stay_whole(case.spec, width)), case
    compared("tiles judged", 1, at_least=1)


@given(coverings(("ldmatrix",)))
@settings(deadline=None, max_examples=100)
def test_every_address_of_a_tile_without_findings_is_executed(
    covering: tuple[Case, str, Form],
) -> None:
    """What the report calls aligned, execute takes; what it does not, execute refuses."""
    case, mnemonic, form = covering
    op, layout = op_of(mnemonic, form), case.made
    address = ws.tile_steps(op, layout)
    findings = _core.tile_findings(layout._core, op, op, ws.arch("sm_100a")._core)
    result = op.execute(ws.SharedMemory(layout.nbytes + 16), address, on_ub="record")
    aligned = bool(result.ok.all())
    if not {rule for rule, _, _ in findings} & {"WS-TILE-002", "WS-TILE-003"}:
        assert aligned
    compared("tiles executed", 1, at_least=1)


def test_tile_steps_each_piece_once_and_in_order() -> None:
    layout = ws.Layout(64, 64, "f16")
    address = ws.tile_steps(FILL, layout, warps=4)
    assert address.shape == (4, 4, 32)
    assert sorted(address.reshape(-1).tolist()) == list(range(0, 8192, 16))
    assert address[1, 0, 0] == 512  # unit 1: the next four rows
    assert address[0, 1, 0] == 2048  # unit 4
    blocks = ws.tile_steps(X4, layout, warps=4)
    assert blocks[:, 0, 0].tolist() == [0, 32, 64, 96]  # four blocks side by side
    assert blocks[0, :, 0].tolist() == [0, 2048, 4096, 6144]


def test_tile_steps_one_unit_is_what_layout_addresses_gives() -> None:
    layout = ws.Layout(32, 64, "f16", pad=8, swizzle=ws.Swizzle(2, 3, 3))
    steps = ws.tile_steps(X4, layout)[0]
    places = [(row, col) for row in (0, 16) for col in (0, 16, 32, 48)]
    for step, (row, col) in zip(steps, places, strict=True):
        assert np.array_equal(step, layout.addresses(X4, row, col))


def test_tile_steps_only_the_last_unit_repeats_its_last_piece() -> None:
    address = ws.tile_steps(FILL, ws.Layout(5, 64, "f16"))  # 40 pieces
    assert address[0, 1].tolist() == [512 + 16 * min(lane, 7) for lane in range(32)]
    full = ws.tile_steps(FILL, ws.Layout(4, 64, "f16"))
    assert full.shape == (1, 1, 32)


@pytest.mark.parametrize(
    ("op", "layout", "warps", "message"),
    [
        (
            X4,
            ws.Layout(60, 64, "f16"),
            1,
            "rows: ldmatrix .* of 16, .* are 48 and 64; got 60",
        ),
        (X4, ws.Layout(64, 8, "f16"), 1, "cols: .* multiple of 16, the nearest is 16; got 8"),
        (
            X4,
            ws.Layout(8, 64, "f16", "col"),
            1,
            "rows: .* of 16, the nearest is 16; got 8",
        ),
        (FILL, ws.Layout(4, 60, "f16"), 1, "cols: st takes whole pieces; .* are 56 and 64; got 60"),
        (
            FILL,
            ws.Layout(60, 4, "f16", "col"),
            1,
            "rows: st takes whole pieces; .* 64; got 60",
        ),
        (ws.Ld(), ws.Layout(4, 24, "b6x16_p32", pad=8), 1, "cols: ld .* are 16 and 32; got 24"),
        (FILL, ws.Layout(64, 64, "f16"), 3, "warps: 16 instructions .* are 2 and 4; got 3"),
        (FILL, ws.Layout(64, 64, "f16"), 17, "warps: 16 instructions .* the nearest is 16; got 17"),
        (FILL, ws.Layout(4, 64, "f16"), 2, "warps: 1 instruction covers .* is 1; got 2"),
        (FILL, ws.Layout(64, 64, "f16"), 65, "warps: expected 1 to 64; got 65"),
        (FILL, ws.Layout(64, 64, "f16"), 0, "warps: expected 1 or more, got 0"),
        (ws.St(type="b8"), ws.Layout(64, 64, "f16"), 1, "op: expected accesses that hold"),
        (ws.Ld(space="global"), ws.Layout(64, 64, "f16"), 1, "op: expected an instruction on"),
    ],
)
def test_tile_steps_what_does_not_divide_names_the_nearest(
    op: ws.Instruction, layout: ws.Layout, warps: int, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        ws.tile_steps(op, layout, warps=warps)


@pytest.mark.parametrize("op", [ws.WmmaLoad(), ws.WmmaStore(), ws.Movmatrix()])
def test_tile_steps_without_lane_addresses_are_a_type_error(op: ws.Instruction) -> None:
    with pytest.raises(TypeError, match=r"op: expected stmatrix, .*, ldmatrix or ld; got"):
        ws.tile_steps(op, ws.Layout(64, 64, "f16"))


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"store": X4}, TypeError, "store: expected stmatrix, st or cp.async; got ldmatrix"),
        ({"load": FILL}, TypeError, "load: expected ldmatrix or ld; got st"),
        ({"load": "st.shared.b32"}, ValueError, "load: expected ldmatrix or ld; got st"),
        ({"load": 5}, TypeError, "load: expected an Instruction or PTX text, got int"),
        ({"load": "ldmatrix.nonsense"}, ws.PtxSyntaxError, "nonsense"),
        ({"load": ws.Ld(space="global")}, ValueError, "load: expected an instruction on shared"),
        ({"warps": "4"}, TypeError, "warps: expected an int, got str"),
        ({"warps": 3}, ValueError, "warps: 16 instructions cover"),
        ({"target": "sm_91"}, ValueError, "target: expected one of"),
        ({"target": None}, TypeError, "target: expected a str"),
        ({"layout": "64x64"}, TypeError, "layout: expected a Layout, got str"),
        (
            {"layout": ws.Layout(2**12, 2**12, "f16")},
            ValueError,
            "layout: expected at most",
        ),
    ],
)
def test_tile_wrong_arguments_are_named(
    wrong: dict[str, Any], error: type[Exception], message: str
) -> None:
    arguments: dict[str, Any] = {"store": FILL, "load": X4, "layout": ws.Layout(64, 64, "f16")}
    arguments |= wrong
    with pytest.raises(error, match=message):
        ws.tile(arguments.pop("layout"), **arguments)


def test_tile_pad_8_against_swizzle_for_a_16x16_half_tile() -> None:
    """Rows of 32 bytes: both free the reads, but padding doubles the stores, and takes bytes."""
    reports = {
        name: ws.tile(layout, store=FILL, load=X4, warps=1)
        for name, layout in {
            "plain": ws.Layout(16, 16, "f16"),
            "pad": ws.Layout(16, 16, "f16", pad=8),
            "swizzle": ws.Layout(16, 16, "f16", swizzle=ws.Swizzle(1, 3, 3)),
        }.items()
    }
    found = {
        name: (
            int(report.store.traffic.wavefronts.sum()),
            int(report.load.traffic.wavefronts.sum()),
            report.bytes,
            report.wasted_bytes,
        )
        for name, report in reports.items()
    }
    assert found == {
        "plain": (4, 8, 512, 0),
        "pad": (8, 4, 768, 256),
        "swizzle": (4, 4, 512, 0),
    }


def test_tile_trans_with_the_swizzle_of_another_pitch_still_conflicts_and_explain_says_why() -> (
    None
):
    """Swizzle<3,3,4> takes rows in pairs: with rows of 128 bytes it frees half of the banks."""
    op = ws.Ldmatrix(num=4, trans=True)
    wrong = ws.Layout(64, 64, "f16", swizzle=ws.Swizzle(3, 3, 4))
    report = ws.tile(wrong, store=FILL, load=op)
    assert report.ok
    assert set(report.load.traffic.wavefronts.reshape(-1).tolist()) == {8}
    lanes = op.explain(ws.tile_steps(op, wrong)[0, 0])
    assert lanes.wavefronts == 8
    assert "2 words, for lanes" in str(lanes)
    right = ws.tile(ws.Layout(64, 64, "f16", swizzle=ws.Swizzle(3, 3, 3)), store=FILL, load=op)
    assert set(right.load.traffic.wavefronts.reshape(-1).tolist()) == {4}
    longer = ws.tile(ws.Layout(64, 128, "f16", swizzle=ws.Swizzle(3, 3, 4)), store=FILL, load=op)
    assert set(longer.load.traffic.wavefronts.reshape(-1).tolist()) == {4}  # its own pitch


def test_tile_of_int8_read_by_m16n16_trans() -> None:
    op = ws.Ldmatrix(shape="m16n16", num=2, trans=True, type="b8")
    plain = ws.tile(ws.Layout(64, 64, "s8"), store=FILL, load=op, target="sm_100a")
    assert plain.ok
    assert plain.load.traffic.wavefronts.shape == (4, 2)
    assert set(plain.load.traffic.wavefronts.reshape(-1).tolist()) == {16}  # 4 groups, 4 ways
    assert plain.load.traffic.inexact
    swizzled = ws.Layout(64, 64, "s8", swizzle=ws.Swizzle(2, 4, 3))
    free = ws.tile(swizzled, store=FILL, load=op, target="sm_100a")
    assert set(free.load.traffic.wavefronts.reshape(-1).tolist()) == {4}
    illegal = ws.tile(swizzled, store=FILL, load=op, target="sm_90")
    assert [finding.rule for finding in illegal.findings] == ["WS-TILE-001"]


def test_tile_of_packed_six_bit_elements() -> None:
    op = ws.Ldmatrix(shape="m8n16", num=4, type="b8x16.b6x16_p32")
    tile = ws.Layout(32, 64, "b6x16_p32")
    report = ws.tile(tile, store=COPY, load=op, target="sm_100a")
    assert (report.bytes, report.wasted_bytes) == (2048, 512)  # four of every 16 bytes
    assert report.load.op == op
    assert set(report.load.traffic.wavefronts.reshape(-1).tolist()) == {16}
    swizzle = ws.Swizzle(2, 4, 3, unit="byte")
    better = ws.tile(
        ws.Layout(32, 64, "b6x16_p32", swizzle=swizzle), store=COPY, load=op, target="sm_100a"
    )
    assert set(better.load.traffic.wavefronts.reshape(-1).tolist()) == {4}


def test_tile_copies_into_padded_rows_cost_what_was_measured() -> None:
    """10.5, 15 and 24 wavefronts for rows of 128, 64 and 32 bytes padded by 16; 4 without."""
    for cols, wavefronts in ((64, 10.5), (32, 15), (16, 24)):
        for pad, expected in ((0, 4), (8, wavefronts)):
            report = ws.tile(ws.Layout(64, cols, "f16", pad=pad), store=COPY, load=X4, warps=1)
            assert report.store.traffic.wavefronts.mean() == expected
            assert pad == 0 or set(report.load.traffic.wavefronts.reshape(-1).tolist()) == {4}


@pytest.mark.parametrize(
    ("pad", "message"),
    [
        (1, "pitch of 130 bytes .* 16 bytes .*: 128 bytes .pad 0., then 144 bytes .pad 8."),
        (7, "pitch of 142 bytes .*: 144 bytes .pad 8., then 128 bytes .pad 0."),
        (12, "pitch of 152 bytes .*: 144 bytes .pad 8., then 160 bytes .pad 16."),
    ],
)
def test_tile_names_the_nearest_legal_pitch(pad: int, message: str) -> None:
    report = ws.tile(ws.Layout(64, 64, "f16", pad=pad), store=ws.St(), load=X4)
    if pad % 2:
        assert [finding.side for finding in report.findings] == ["store", "load"]
    else:
        assert [finding.side for finding in report.findings] == ["load"]
    assert re.search(message, report.findings[-1].message)
    assert not report.ok
    assert ws.tile(ws.Layout(64, 64, "f16", pad=8), store=ws.St(), load=X4).ok


@pytest.mark.parametrize(
    ("swizzle", "smallest"),
    [
        (ws.Swizzle(3, 2, 3), 3),
        (ws.Swizzle(3, 3, 3), None),
        (ws.Swizzle(3, 3, 3, "byte"), 4),
        (ws.Swizzle(3, 4, 3, "byte"), None),
        (ws.Swizzle(1, 2, -1), 3),
        (ws.Swizzle(1, 0, 12), 3),  # element 4096 of 4096 would be the first to move
        (ws.Swizzle(1, 0, 11), 3),
    ],
)
def test_tile_names_the_smallest_base_of_a_swizzle(
    swizzle: ws.Swizzle, smallest: int | None
) -> None:
    report = ws.tile(ws.Layout(64, 64, "f16", swizzle=swizzle), store=ws.St(), load=X4)
    messages = [f.message for f in report.findings if f.side == "load"]
    if swizzle == ws.Swizzle(1, 0, 12):
        assert report.ok  # it changes nothing in this tile
    elif smallest is None:
        assert not messages
    else:
        assert messages[0].endswith(f"the smallest M that does: {smallest}")
        assert "16 bytes" in messages[0]


def test_tile_both_sides_of_the_shared_memory_of_a_block() -> None:
    fits = ws.tile(ws.Layout(227, 512, "f16"), store=FILL, load=ws.Ld(vec=4), warps=2)
    assert fits.ok
    assert fits.bytes == fits.shared_bytes == 227 * 1024
    large = ws.tile(ws.Layout(228, 512, "f16"), store=FILL, load=ws.Ld(vec=4), warps=2)
    assert [finding.rule for finding in large.findings] == ["WS-TILE-004"]
    assert "233472 bytes; a block of sm_90 has at most 232448" in large.findings[0].message


def test_tile_one_row_has_no_pitch_to_be_wrong() -> None:
    one = ws.tile(ws.Layout(1, 256, "f16", pad=1), store=FILL, load=ws.Ld(vec=4), warps=1)
    assert one.ok
    assert not ws.tile(ws.Layout(2, 256, "f16", pad=1), store=FILL, load=ws.Ld(vec=4), warps=1).ok


def test_tile_report_in_all_its_forms() -> None:
    report = ws.tile(ws.Layout(64, 64, "f16", pad=4), store=COPY.ptx, load=X4.ptx, target="sm_75")
    contents = json.loads(json.dumps(report.to_dict()))
    assert contents["schema"] == "warpsim.tile/1"
    assert not contents["ok"]
    assert [f["rule"] for f in contents["findings"]] == [
        "WS-TILE-001",
        "WS-TILE-002",
        "WS-TILE-002",
    ]
    assert len(contents["load"]["wavefronts_per_step"]) == 4
    text = str(report)
    assert max(map(len, text.splitlines())) <= 80
    assert "NOT legal" in text
    assert "WS-TILE-002" in report._repr_html_()
    table = report.columns()
    assert table["side"].tolist() == ["store", "load"]
    assert {len(values) for values in table.values()} == {2}
    assert table["cycles"].sum() == report.cycles
    assert report.wavefronts == table["wavefronts"].sum()


def test_tile_generic_accesses_are_those_of_shared_memory() -> None:
    layout = ws.Layout(64, 64, "f16", pad=2)
    shared = ws.tile(layout, store=ws.St(), load=ws.Ld())
    generic = ws.tile(layout, store=ws.St(space=""), load=ws.Ld(space=""))
    assert np.array_equal(shared.store.traffic.wavefronts, generic.store.traffic.wavefronts)
    assert "wavefronts" in generic.load.traffic.inexact
    assert not shared.load.traffic.inexact


def test_tile_a_removed_target_is_judged_at_its_last_version() -> None:
    report = ws.tile(ws.Layout(64, 64, "f16"), store=FILL, load=X4, target="sm_101a")
    assert report.ok
    assert report.load.legality.ok


@pytest.mark.parametrize("level", _core.simd_levels())
def test_tile_counts_the_same_at_every_level(level: str) -> None:
    before = _core.get_simd()
    layout = ws.Layout(48, 72, "f16", pad=8, swizzle=ws.Swizzle(2, 3, 3))
    try:
        reports = []
        for name in ("portable", level):
            _core.set_simd(name)
            reports.append(ws.tile(layout, store=COPY, load=ws.Ldmatrix(num=1), warps=1).to_dict())
        assert reports[0] == reports[1]
    finally:
        _core.set_simd(before)
