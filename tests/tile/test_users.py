"""Tiles with several readers and writers, with functions for addresses, and of several blocks."""

import copy
import json
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import warpsim as ws
from tests.support.evidence import compared

X4, XT = ws.Ldmatrix(num=4), ws.Ldmatrix(num=4, trans=True)
STORES = (ws.St(vec=4), ws.St(), ws.CpAsync(), ws.Stmatrix(num=4))
LOADS = (X4, XT, ws.Ldmatrix(num=2), ws.Ld(vec=4), ws.Ld())
BOXES = ws.Layout.from_tma((64, 64), "f16", "128B").boxes(2)
Layouts = st.builds(
    lambda pad, swizzled: ws.Layout(32, 64, "f16", pad=pad, swizzle=ws.Swizzle(3, 3, 3) if swizzled else None),
    st.integers(0, 4).map(lambda n: 8 * n),
    st.booleans(),
)


def totals(side: ws.TileSide) -> dict[str, Any]:
    found = side.to_dict()
    return {name: found[name] for name in ("ptx", "wavefronts", "bank_conflicts", "sectors", "cycles")}


@given(Layouts, st.lists(st.sampled_from(STORES), max_size=3), st.lists(st.sampled_from(LOADS), max_size=3))
def test_each_side_is_what_it_is_alone(layout: ws.Layout, stores: list[Any], loads: list[Any]) -> None:
    if not stores and not loads:
        with pytest.raises(TypeError, match="at least one instruction that fills or reads"):
            ws.tile(layout)
        return
    report = ws.tile(layout, stores=stores, loads=loads, warps=2)
    assert [side.op for side in report.sides] == [*stores, *loads]
    for side in report.stores:
        assert totals(side) == totals(ws.tile(layout, store=side.op, warps=2).store)
    for side in report.loads:
        assert totals(side) == totals(ws.tile(layout, load=side.op, warps=2).load)
    assert report.wavefronts == sum(int(side.traffic.wavefronts.sum()) for side in report.sides)
    assert report.cycles == pytest.approx(sum(side.cycles for side in report.sides))
    compared("sides of tiles alone", len(report.sides), at_least=0)


@given(Layouts, st.sampled_from(STORES + LOADS), st.sampled_from([1, 2, 4]))
def test_a_function_that_gives_the_layouts_addresses_costs_as_much(layout: ws.Layout, op: Any, warps: int) -> None:
    address = ws.tile_steps(op, layout, warps=warps)
    kind = "stores" if op in STORES else "loads"
    given_ = (op, lambda lanes, step: address[step % warps, step // warps][lanes])
    same = ws.tile(layout, **{kind: [op]}, warps=warps)
    report = ws.tile(layout, **{kind: [given_]}, warps=warps)
    (side,), (plain,) = report.sides, same.sides
    assert side.is_given and not plain.is_given and not report.findings
    if op.kind != "cp.async":  # whose sources count too: a function says nothing about them
        assert np.array_equal(side.traffic.wavefronts, plain.traffic.wavefronts)
    compared("functions against layouts", address.shape[0] * address.shape[1], at_least=1)


def test_a_function_has_its_own_conflicts() -> None:
    plain = ws.Layout(32, 32, "f32")
    transposed = ws.tile(plain, loads=[("ld.shared.b32", lambda lane, step: (lane * 32 + step) * 4)], warps=1)
    assert transposed.load.traffic.wavefronts.tolist() == [[32] * 32]
    padded = ws.tile(plain, loads=[("ld.shared.b32", lambda lane, step: (lane * 33 + step) * 4)], warps=1)
    assert padded.load.traffic.wavefronts.tolist() == [[1] * 32]
    assert transposed.remedy is None
    same_for_all = ws.tile(plain, loads=[("ld.shared.b32", lambda lane, step: 4 * step)], warps=1)
    assert same_for_all.wavefronts == 32


@pytest.mark.parametrize(
    ("stores", "loads", "message"),
    [
        ((), [("ld.shared.b32", 4)], "loads: expected an instruction or .instruction, function"),
        ((), [("ld.shared.b32", lambda lane, step: lane[:4])], "load: expected 32 addresses of step 0, got shape"),
        ((), [("ld.shared.b32", lambda lane, step: lane - 1)], "load: expected offsets in the tile, got bytes -1"),
        ((), [("ld.shared.b32", lambda lane, step: [2**70] * 32)], f"load: expected .*, got bytes {2**70}"),
        ((), [("ld.shared.b32", lambda lane, step: [-(2**70)] * 32)], "load: expected offsets in the tile, got"),
        ((), [("ld.shared.b32", lambda lane, step: lane * 0.5)], "load: expected"),
        ((), [("ld.shared.b32", lambda lane, step: lane + 2**24)], "load: expected offsets in the tile"),
        ((), "ld.shared.b32", "loads: expected a list of instructions"),
        (["ld.shared.b32"], (), "stores: expected stmatrix, st or cp.async; got ld.shared.b32"),
        (["st.shared.b32"] * 9, ["ld.shared.b32"] * 9, "stores, loads: expected at most 16 instructions, got 18"),
        ((), ["ld.shared.b32"] * 17, "loads: expected at most 16"),
    ],
)
def test_errors(stores: Any, loads: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        ws.tile(ws.Layout(32, 32, "f32"), stores=stores, loads=loads)


def test_several_sides_in_every_form() -> None:
    report = ws.tile(ws.Layout(64, 64, "f16"), store=ws.CpAsync(), loads=[X4, XT])
    assert [side.name for side in report.sides] == ["store", "load 1", "load 2"]
    contents = json.loads(json.dumps(report.to_dict()))
    assert contents["sides"] == ["store", "load 1", "load 2"]
    assert contents["load_2_wavefronts"] == contents["load 2"]["wavefronts"] == 512
    for text in (str(report), report.html(), report.svg()):
        assert "load 1" in text and "load 2" in text
    assert report.columns()["side"].tolist() == ["store", "load 1", "load 2"]
    with pytest.raises(ValueError, match=r"this tile has 2 loads; see \.loads"):
        _ = report.load
    reads = ws.tile(ws.Layout(64, 64, "f16"), load=X4)
    assert "load" in str(reads) and "store" not in str(reads).split("Swizzle")[0]
    with pytest.raises(ValueError, match="this tile has 0 stores"):
        _ = reads.store


def by_hand(
    shape: tuple[int, int], ops: list[Any], weights: list[float], layouts: list[ws.Layout]
) -> list[tuple[float, int]]:
    """(cycles with their weights, bytes) of the layouts that have no finding, best first."""
    found = []
    for layout in layouts:
        reports = [ws.tile(layout, **{"store" if op in STORES else "load": op}, warps=2) for op in ops]
        if all(report.ok for report in reports):
            cycles = sum(weight * report.cycles for weight, report in zip(weights, reports, strict=True))
            found.append((cycles, layout.nbytes))
    return sorted(found)


@given(
    st.lists(st.sampled_from(STORES), max_size=2), st.lists(st.sampled_from(LOADS), min_size=1, max_size=3), st.data()
)
def test_search_ranks_by_the_weighted_sum(stores: list[Any], loads: list[Any], data: st.DataObject) -> None:
    ops = [*stores, *loads]
    weights = data.draw(st.lists(st.sampled_from([0.25, 1.0, 2.0, 7.5]), min_size=len(ops), max_size=len(ops)))
    swizzles = [None, ws.Swizzle(3, 3, 3), ws.Swizzle(2, 3, 3)]
    pads = [0, 4, 8, 16]
    layouts = [ws.Layout(32, 64, "f16", pad=pad, swizzle=swizzle) for pad in pads for swizzle in swizzles]
    found = ws.search(32, 64, "f16", stores=stores, loads=loads, weights=weights, warps=2, pads=pads, swizzles=swizzles)
    wanted = by_hand((32, 64), ops, weights, layouts)
    assert len(found) == len(wanted)
    assert [(row["cycles"], row["bytes"]) for row in found] == [pytest.approx(row) for row in wanted]
    compared("weighted candidates", len(wanted), at_least=0)


def test_weights_decide() -> None:
    ops = {"store": "st.shared.b32", "loads": ["ld.shared.v4.b32", "ldmatrix.sync.aligned.m8n8.x1.shared.b16"]}
    found = ws.search(32, 64, "f16", **ops, weights=[1, 1, 1])
    assert found.weights == (1.0, 1.0, 1.0) and found.to_dict()["sides"] == ["store", "load 1", "load 2"]
    for wrong, message in (([1, 1], "expected 3"), ([1, 1, 0], "weights"), ([1, 1, "a"], "weights")):
        with pytest.raises((ValueError, TypeError), match=message):
            ws.search(32, 64, "f16", **ops, weights=wrong)
    with pytest.raises(ValueError, match="a search gives the addresses"):
        ws.search(32, 64, "f16", loads=[("ld.shared.b32", lambda lane, step: lane)])


@pytest.mark.parametrize(
    "layout",
    [
        BOXES,
        ws.Layout.from_cute("((8,8),(8,16)):((8,1024),(1,64))", "f16"),
        ws.Layout.from_cute("Sw<2,3,3> o 0 o ((8,4),(32,2)):((32,256),(1,1024))"),
        ws.Layout.from_triton(
            "#ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>", (32, 64), "f16"
        ),
    ],
    ids=str,
)
def test_tiles_of_several_blocks(layout: ws.Layout) -> None:
    assert not layout.is_one_block
    steps = ws.tile_steps(X4, layout)[0]
    lane, cols = np.arange(32), layout.cols // 16
    for step, address in enumerate(steps):
        row, col = step // cols * 16, step % cols * 16
        wanted = layout.offset(row + lane % 16, col + lane // 16 * 8)
        assert address.tolist() == wanted.tolist()
    report = ws.tile(layout, store=ws.CpAsync(), load=X4, warps=1)
    assert report.ok and report.load.traffic.wavefronts.tolist() == [X4.traffic(steps).wavefronts.tolist()]
    places = layout(np.arange(layout.rows)[:, None], np.arange(layout.cols)).reshape(-1)
    assert len(set(places.tolist())) == layout.rows * layout.cols
    assert report.bytes == layout.nbytes >= places.max() + 2
    for text in (str(report), report.html(), report.svg()):
        assert "(" in text
    assert eval(repr(layout), {"Layout": ws.Layout}) == layout
    assert pickle.loads(pickle.dumps(layout)) == copy.deepcopy(layout) == layout
    compared("steps of tiles of several blocks", len(steps), at_least=1)


def test_boxes_of_tma() -> None:
    one = ws.Layout.from_tma((64, 64), "f16", "128B")
    assert BOXES.to_tma() == one.to_tma() == "CU_TENSOR_MAP_SWIZZLE_128B"
    assert BOXES.nbytes == 2 * one.nbytes and (BOXES.rows, BOXES.cols) == (64, 128)
    row, col = np.arange(64)[:, None], np.arange(128)
    assert np.array_equal(BOXES(row, col), one(row, col % 64) + col // 64 * one.nbytes)
    assert ws.tile(BOXES, load=X4).load.traffic.bank_conflicts.sum() == 0
    four = BOXES.boxes(2)
    assert np.array_equal(four(row, col), BOXES(row, col)) and four.nbytes == 4 * one.nbytes
    assert one.boxes(1) == one
    loop = ws.mainloop((64, 64, 128), (2, 2), a=BOXES, b=BOXES)
    assert loop.wavefronts == {name: count for name, count in loop.ideal_wavefronts.items()}


def test_blocks_that_part_an_access_are_a_finding() -> None:
    parted = ws.Layout.from_cute("(16,(2,16)):(2,(1,32))", "f16")
    report = ws.tile(parted, store=ws.St(), load=X4, warps=1)
    (finding,) = report.findings
    assert finding.rule == "WS-TILE-002" and finding.side == "load"
    assert "does not keep the 16 bytes that ldmatrix accesses together" in finding.message
