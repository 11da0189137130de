"""The map of a tile: its numbers against the oracle, its picture against goldens."""

import json
from collections import defaultdict
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import warpsim as ws
from tests.reference.forms import Form
from tests.reference.layouts import moved_bit
from tests.support.drawn import SVG, drawn, texts
from tests.support.evidence import compared
from tests.support.golden import assert_golden
from tests.support.tile_cases import Case, coverings, report_of
from warpsim.render.svg import BLACK, GUIDE
from warpsim.render.tables import tile as tile_text
from warpsim.render.tile_map import tile_map

X1, X4, FILL, COPY = ws.Ldmatrix(), ws.Ldmatrix(num=4), ws.St(vec=4), ws.CpAsync()
SWIZZLE = ws.Swizzle(3, 3, 3)
GOLDENS = {
    "tile_x1_plain": ws.tile(ws.Layout(8, 64, "f16"), store=FILL, load=X1, warps=1),
    "tile_x1_swizzle": ws.tile(ws.Layout(8, 64, "f16", swizzle=SWIZZLE), store=FILL, load=X1, warps=1),
}


@pytest.mark.parametrize("name", GOLDENS)
def test_tile_map_known_tile_equals_golden(name: str) -> None:
    assert_golden(f"{name}.svg", GOLDENS[name].svg())


def check_places(case: Case, panel: dict[str, Any]) -> int:
    """Offsets and banks of the window, byte by byte of the oracle."""
    spec, size = case.spec, panel["piece_bytes"]
    run = spec.along_bits(spec.run) // 8
    starts = [*range(0, run, size), *range(run, spec.pitch_bits // 8, size)]
    first = starts.index(panel["first_byte"])
    for row in panel["lines"]:
        for i, (offset, banks) in enumerate(zip(row["offsets"], row["banks"], strict=True)):
            bit = row["line"] * spec.pitch_bits + 8 * starts[first + i]
            assert offset == moved_bit(spec, bit) // 8
            end = [*starts, spec.pitch_bits // 8][first + i + 1]
            last = offset + end - starts[first + i] - 1
            assert banks == [offset // 4 % 32, last // 4 % 32]
    shown = starts[first : first + panel["pieces"]]
    assert panel["padding"] == sum(start < run for start in shown)
    return len(panel["lines"]) * panel["pieces"]


def check_touched(case: Case, panel: dict[str, Any], report: ws.TileReport) -> int:
    """Every lane is where its address is, and passes add up to the wavefronts."""
    op, worst = getattr(report, panel["side"]).op, panel["costliest"]
    address = ws.tile_steps(op, report.layout, warps=report.warps)[worst["warp"], worst["step"]]
    counted = op.traffic(address)
    assert counted.wavefronts == worst["wavefronts"]
    first = panel["lines"][0]["line"]
    passes: defaultdict[str, int] = defaultdict(int)
    seen: set[int] = set()
    for piece in panel["touched"]:
        begin = panel["lines"][piece["line"] - first]["offsets"][piece["piece"]]
        for lane in set(piece["lanes"]) - seen:  # its first piece, if none is outside
            assert panel["hidden"] or 0 <= address[lane] - begin < panel["piece_bytes"]
        seen.update(piece["lanes"])
        if panel["passes"]:
            passes[piece["group"]] = max(passes[piece["group"]], piece["pass"] + 1)
    if not panel["hidden"]:
        assert seen == set(range(op.row_lanes))
        whole = len({int(at) for at in address[: op.row_lanes]}) == op.row_lanes
        if panel["passes"] and op.kind != "cp.async" and whole:
            assert sum(passes.values()) == worst["wavefronts"], (case, op)
    return len(seen)


@pytest.mark.slow
@given(coverings(("ldmatrix", "stmatrix", "ld", "st", "cp.async")), st.integers(0, 63))
@settings(deadline=None, max_examples=250)
def test_tile_picture_equals_the_oracle_and_is_drawn(covering: tuple[Case, str, Form], pick: int) -> None:
    case, mnemonic, form = covering
    report = report_of(case, mnemonic, form, pick)
    picture = json.loads(json.dumps(report.picture()))
    pieces = lanes = 0
    for panel in picture["panels"]:
        pieces += check_places(case, panel)
        lanes += check_touched(case, panel, report)
    root = drawn(tile_map(picture))
    labels = [text for text in root.iter(f"{SVG}text") if float(text.get("font-size", "11")) < 10]
    assert not labels
    lines = [line for line in str(report).splitlines() if not line.startswith("  Python ")]  # a text to paste
    assert max(map(len, lines)) <= 80, str(report)
    compared("pieces of tile maps", pieces, at_least=1)
    compared("lanes of tile maps", lanes, at_least=1)
    compared("tile maps well-formed and inside their sheets", 1, at_least=1)


BIG = [
    (ws.Layout(256, 256, "f32", swizzle=ws.Swizzle(3, 2, 3)), ws.St(), ws.Ld(vec=4)),
    (ws.Layout(64, 512, "f16", pad=8), COPY, X4),
    (ws.Layout(128, 1024, "f64", order="col", pad=1), ws.St(type="b64"), ws.Ld(type="b64")),
    (ws.Layout(4096, 16, "b4x16_p64"), FILL, ws.Ld(vec=4)),
]


@pytest.mark.parametrize(("layout", "store", "load"), BIG)
def test_tile_map_big_tile_shows_a_window(layout: ws.Layout, store: ws.DataMovement, load: ws.DataMovement) -> None:
    report = ws.tile(layout, store=store, load=load, target="sm_100a")
    for panel in report.picture()["panels"]:
        assert len(panel["lines"]) <= 32 and panel["pieces"] <= 64
        assert panel["pieces"] * panel["piece_bytes"] <= 1024
        assert panel["touched"] and not panel["hidden"]
    found = texts(drawn(report.svg()))
    lines = layout.rows if layout.order == "row" else layout.cols
    assert any(f"of {lines:,}, bytes 0-" in words for words in found)
    assert len(report.svg()) < 150_000


def test_tile_map_window_moves_to_what_is_touched() -> None:
    layout = ws.Layout(16, 2048, "f16", pad=8, swizzle=ws.Swizzle(3, 3, 7))
    report = ws.tile(layout, store=FILL, load=X4, warps=1)
    panel = report.picture()["panels"][1]
    assert panel["costliest"]["step"] * 32 == panel["first_byte"] == 1824
    assert len(panel["touched"]) == 32 and not panel["hidden"]
    assert "rows 0-15 of 16, bytes 1,824-2,847 of each; a box is 16 bytes" in texts(drawn(report.svg()))


def test_tile_map_step_that_is_wider_than_the_window_says_so() -> None:
    """The step runs from the end of one row of 65 pieces into the next."""
    report = ws.tile(ws.Layout(8, 520, "f16", pad=8), store=COPY, load=ws.Ld(vec=4), warps=1)
    panel = report.picture()["panels"][0]
    assert panel["hidden"] == 32 - len(panel["touched"]) == 2
    found = texts(drawn(report.svg()))
    assert any(text.endswith("; 2 more touched outside") for text in found)


def test_tile_map_says_lane_pass_banks_and_place() -> None:
    root = drawn(GOLDENS["tile_x1_plain"].svg())
    tooltips = {title.text for title in root.iter(f"{SVG}title")}
    assert "lane 3, pass 3 of matrix 0: row 3, byte 0 of it, offset 384, banks 0-3" in tooltips
    assert len(tooltips) == 32 + 8
    found = texts(root)
    assert "8 wavefronts, 1 ideal" in found and "4 wavefronts, 4 ideal" in found
    assert "rows 0-7 of 8, bytes 0-127 of each; a box is 16 bytes" in found
    swizzled = texts(drawn(GOLDENS["tile_x1_swizzle"].svg()))
    assert "1 wavefront, 1 ideal" in swizzled
    assert not any("has to wait" in words for words in swizzled)


def test_tile_map_copy_says_that_its_rules_are_its_own() -> None:
    report = ws.tile(ws.Layout(64, 64, "f16", pad=8), store=COPY, load=X4)
    panel = report.picture()["panels"][0]
    assert not panel["passes"] and {piece["pass"] for piece in panel["touched"]} == {None}
    assert "11 wavefronts, 4 ideal: by rules of its own, so no pass is drawn" in texts(drawn(report.svg()))
    frames = [line for line in report.svg().split("\n") if 'fill="none"' in line]
    assert any(GUIDE in line for line in frames) and any(BLACK in line for line in frames)


def test_tile_costliest_is_the_first_step_with_most_wavefronts() -> None:
    report = ws.tile(ws.Layout(64, 64, "f16", pad=8), store=COPY, load=X4)
    wavefronts = report.store.traffic.wavefronts
    units = wavefronts.T.reshape(-1).tolist()
    found = report.to_dict()["store"]["costliest"]
    assert found["wavefronts"] == max(units) == wavefronts[found["warp"], found["step"]]
    assert found["step"] * report.warps + found["warp"] == units.index(max(units))
    assert found["steps"] == units.count(max(units))


def test_tile_text_in_colour_marks_conflicts_and_findings() -> None:
    bad = ws.tile(ws.Layout(64, 64, "f16", pad=1), store=FILL, load=X4).to_dict()
    plain, coloured = tile_text(bad), tile_text(bad, colour=True)
    red = [line for line in coloured.splitlines() if line.startswith("\x1b[31m")]
    assert any(line.startswith("\x1b[31m  load WS-TILE-002") for line in red)
    assert not any("store  " in line for line in red) and plain.startswith("NOT legal: the pitch of 130 bytes")
    assert coloured.replace("\x1b[31m", "").replace("\x1b[1m", "").replace("\x1b[0m", "") == plain
