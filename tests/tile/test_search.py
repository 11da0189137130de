"""The search of layouts against brute force by the oracle, and its known answers."""

import json
from collections import Counter
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import warpsim as ws
from tests.reference import tiles as oracle
from tests.reference.forms import B6, Form
from tests.reference.layouts import Layout, end_byte, is_spelled
from tests.support.evidence import compared
from tests.support.tile_cases import TYPES, op_of
from warpsim import _core

X4 = ws.Ldmatrix(num=4)
FILL = ws.St(vec=4)
COPY = ws.CpAsync()
SHARED = 232448
WORDS = dict(zip(("pad", "cover", "pitch", "swizzle", "bytes", "shared"), _core.SEARCH_REASONS[1:], strict=True))
KEYS = ("order", "pad", "B", "M", "S", "store_wavefronts", "load_wavefronts", "cycles", "bytes")

Op = tuple[str, Form]


def f(mnemonic: str, **form: Any) -> Op:
    return mnemonic, form


def matrix(shape: str, num: int, type: str = "b16", trans: bool = False) -> Op:
    return "ldmatrix", dict(shape=shape, num=num, trans=trans, type=type)


#: fill, reads, type, rows, cols: powers of two and others, every width and mechanism
PROBLEMS: list[tuple[Op, Op, str, int, int]] = [
    (f("st", vec=4, type="b32"), matrix("m8n8", 4), "f16", 48, 80),
    (f("st", vec=2, type="b32"), matrix("m8n8", 2, trans=True), "f16", 16, 24),
    (f("cp.async", size=16, cache="cg"), matrix("m8n8", 4), "f16", 32, 48),
    (f("cp.async", size=16, cache="ca"), matrix("m8n8", 1), "f16", 24, 40),
    (f("cp.async", size=4, cache="ca"), f("ld", vec=1, type="b64"), "f32", 12, 20),
    (f("st", vec=1, type="b8"), f("ld", vec=1, type="b32"), "b8", 9, 36),
    (f("st", vec=1, type="b16"), f("ld", vec=4, type="b32"), "f16", 6, 56),
    (("stmatrix", matrix("m8n8", 4)[1]), f("ld", vec=2, type="b64"), "f16", 32, 32),
    (("stmatrix", matrix("m16n8", 2, "b8", trans=True)[1]), matrix("m16n16", 2, "b8", trans=True), *("e4m3", 64, 48)),
    (f("st", vec=4, type="b32"), matrix("m8n16", 4, B6), "b6x16_p32", 16, 96),
    (f("cp.async", size=8, cache="ca"), matrix("m8n16", 2, "s8.s4"), "s4", 16, 48),
    (f("st", vec=1, type="f64"), f("ld", vec=2, type="f64"), "f64", 10, 12),
]


def problem_name(problem: tuple[Op, Op, str, int, int]) -> str:
    (store, _), (load, form), type_, rows, cols = problem
    return f"{store}-{load}{form.get('num', '')}-{type_}-{rows}x{cols}"


def expected_rows(
    problem: tuple[Op, Op, str, int, int], candidates: list[Layout], max_bytes: int
) -> tuple[list[tuple[Layout, int, int, int]], Counter[str]]:
    """(layout, wavefronts of both sides, bytes) of the legal ones, and why the others are not."""
    store, load, *_ = problem
    widths = [oracle.width_of(*side) for side in (store, load)]
    rows, rejected = [], Counter[str]()
    for candidate in candidates:
        if not is_spelled(candidate):
            rejected[WORDS["pad"]] += 1
            continue
        if any(oracle.units_of(candidate, *side) is None for side in (store, load)):
            rejected[WORDS["cover"]] += 1
            continue
        why = oracle.rejection(candidate, widths, max_bytes, SHARED)
        if why is not None:
            rejected[WORDS[why]] += 1
            continue
        sums = []
        for side in (store, load):
            counts = oracle.counts_of(candidate, *side)
            assert counts is not None
            sums.append(sum(count["wavefronts"] for count in counts))
        rows.append((candidate, *sums, end_byte(candidate)))
    return rows, rejected


def check_search(
    problem: tuple[Op, Op, str, int, int],
    orders: list[str],
    pads: list[int],
    swizzles: list[tuple[int, int, int]],
    in_bytes: bool,
    max_bytes: int | None,
) -> int:
    """The whole result against brute force; how many candidates were compared."""
    (store, load, type_, rows, cols), unit = problem, "byte" if in_bytes else "element"
    made: list[ws.Swizzle | None] = [ws.Swizzle(*s, unit) if s[0] else None for s in swizzles]
    found = ws.search(
        rows,
        cols,
        type_,
        store=op_of(*store),
        load=op_of(*load),
        warps=1,
        target="sm_100a",
        pads=pads,
        swizzles=made,
        orders=orders,
        max_bytes=max_bytes,
    )
    bits, packed = TYPES[type_]
    candidates = [
        Layout(rows, cols, bits, packed, order, pad, swizzle, in_bytes)
        for order in dict.fromkeys(orders)
        for pad in dict.fromkeys(pads)
        for swizzle in dict.fromkeys(swizzles)
    ]
    expected, rejected = expected_rows(problem, candidates, max_bytes or 2**40)
    assert found.rejected == rejected
    columns = found.columns()
    assert tuple(columns) == KEYS
    in_row = list(zip(*(values.tolist() for values in columns.values()), strict=True))
    cycles = {row[:5]: row[7] for row in in_row}
    expected.sort(key=lambda row: oracle.ranking_key(cycles[_key(row[0])], row[3], row[0]))
    assert in_row == [
        (*_key(layout), stores, loads, cycles[_key(layout)], nbytes) for layout, stores, loads, nbytes in expected
    ]
    points = [(row[7], row[8]) for row in in_row]
    assert found.pareto.tolist() == oracle.non_dominated(points)
    for i in range(0, len(in_row), 7):
        report = ws.tile(found.layout(i), store=op_of(*store), load=op_of(*load), warps=1, target="sm_100a")
        assert report.ok
        assert (report.cycles, report.bytes) == points[i]
    return len(candidates)


def _key(layout: Layout) -> tuple[str, int, int, int, int]:
    return (layout.order, layout.pad, *layout.swizzle)


SOME_SWIZZLES = [
    (b, m, s)
    for b in range(4)
    for m in (0, 1, 2, 3, 4, 5)
    for s in (-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 6)
    if abs(s) >= b and (b > 0 or (m, s) == (0, 0))
]


@pytest.mark.parametrize("problem", PROBLEMS, ids=problem_name)
def test_search_equals_brute_force(problem: tuple[Op, Op, str, int, int]) -> None:
    type_ = problem[2]
    pads = [0, 16, 32] if type_ in ("b6x16_p32", "s4") else [0, 1, 2, 4, 8]
    count = check_search(problem, ["row"], pads, SOME_SWIZZLES[::3], type_ == "b6x16_p32", None)
    compared("candidates against brute force", count, at_least=60)


@st.composite
def spaces(draw: st.DrawFn) -> tuple[Any, ...]:
    problem = draw(st.sampled_from(PROBLEMS))
    orders = draw(st.lists(st.sampled_from(("row", "col")), min_size=1, max_size=2))
    steps = draw(st.sampled_from((1, 2, 4, 8, 16)))
    pads = [pad * steps for pad in draw(st.lists(st.integers(0, 6), min_size=1, max_size=3))]
    swizzles = draw(st.lists(st.sampled_from(SOME_SWIZZLES), min_size=1, max_size=12))
    in_bytes = problem[2] == "b6x16_p32" or draw(st.booleans())
    max_bytes = draw(st.sampled_from((None, None, 1024, 2048, 4096, 7680)))
    return problem, orders, pads, swizzles, in_bytes, max_bytes


@pytest.mark.slow
@given(spaces())
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
def test_search_of_any_space_equals_brute_force(space: tuple[Any, ...]) -> None:
    try:
        count = check_search(*space)
    except ValueError as error:
        assert "expected a multiple of" in str(error)  # no order divides
        return
    compared("candidates against brute force", count, at_least=1)


def usual(**options: Any) -> ws.SearchResult:
    return ws.search(128, 64, "f16", **({"store": FILL, "load": X4} | options))


def test_search_with_copies_prefers_a_swizzle() -> None:
    """cp.async.cg into rows padded by 16 bytes: 2.6 times the wavefronts, and no error tells."""
    padded = {"pads": [0, 8], "swizzles": [None]}
    stores, copies = usual(**padded), usual(store=COPY, **padded)
    assert stores.columns()["store_wavefronts"].tolist() == [128, 128]
    by_pad = dict(zip(copies.columns()["pad"].tolist(), copies.columns()["store_wavefronts"].tolist(), strict=True))
    assert by_pad == {0: 128, 8: 336}
    found = usual(store=COPY)
    assert found.best.swizzle == ws.Swizzle(3, 3, 3)
    assert found.best.pad == 0
    free = found.columns()["cycles"] == found.columns()["cycles"][0]
    assert (found.columns()["B"][free] > 0).all()  # padding alone never gets there
    indifferent = usual().columns()
    free = indifferent["cycles"] == indifferent["cycles"][0]
    assert (indifferent["B"][free] == 0).any()


def test_search_max_bytes_both_sides() -> None:
    at = usual(max_bytes=16384)
    assert set(at.columns()["bytes"].tolist()) == {16384}
    assert WORDS["bytes"] in at.rejected
    below = usual(max_bytes=16383)
    assert len(below) == 0
    with pytest.raises(ValueError, match=r"no candidate is legal .*more than max_bytes"):
        _ = below.best
    assert "no layout is legal" in str(below)
    assert below.pareto.tolist() == []


def test_search_beyond_the_shared_memory_of_a_block_rejects_all() -> None:
    found = ws.search(2**14, 2**14, "f16", store=FILL, load=X4, pads=[0, 8], swizzles=[None])
    assert found.rejected == {WORDS["shared"]: 2}
    fits = ws.search(227, 512, "f16", store=FILL, load=ws.Ld(vec=4), warps=2, pads=[0, 8], swizzles=[None])
    assert len(fits) == 1
    assert fits.rejected == {WORDS["shared"]: 1}


def note(told: list[tuple[int, int]], done: int, total: int) -> None:
    told.append((done, total))


def test_search_through_executors_gives_the_same_in_the_same_order(monkeypatch: pytest.MonkeyPatch) -> None:
    search = __import__("sys").modules["warpsim.tile.search"]
    alone = usual().to_dict()
    monkeypatch.setattr(search, "CHUNK", 1000)
    executors: list[Executor] = [ThreadPoolExecutor(2), ProcessPoolExecutor(1)]
    for executor in executors:
        with executor:
            told: list[tuple[int, int]] = []
            found = usual(executor=executor, progress=partial(note, told))
        assert found.to_dict() == alone
        assert told == [(min(1000 * i, 17_095), 17_095) for i in range(19)]


def test_search_progress_is_told_and_may_stop() -> None:
    told: list[tuple[int, int]] = []
    usual(progress=partial(note, told))
    assert told[-1] == (17_095, 17_095)

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        usual(progress=stop)


def test_search_types_whose_pads_are_limited() -> None:
    sides: dict[str, Any] = {"store": COPY, "warps": 1, "target": "sm_100a"}
    packed, narrow = (ws.Ldmatrix(shape="m8n16", num=n, type=type_) for n, type_ in ((4, B6), (2, "s8.s4")))
    six = ws.search(16, 64, "b6x16_p32", load=packed, **sides)
    assert six.unit == "byte"
    assert sorted(set(six.columns()["pad"].tolist())) == [0, 16, 32, 48, 64]
    assert six.best.swizzle is None or six.best.swizzle.unit == "byte"
    four = ws.search(16, 64, "s4", load=narrow, **sides)
    assert set(four.columns()["pad"].tolist()) <= set(range(0, 65, 2))
    odd = ws.search(16, 64, "s4", store=COPY, load=ws.Ld(), warps=1, pads=[0, 1], swizzles=[None])
    assert odd.rejected == {WORDS["pad"]: 1}


def test_search_of_sizes_that_do_not_divide_names_the_nearest() -> None:
    with pytest.raises(ValueError, match=r"rows: ldmatrix .* the nearest are 48 and 64; got 60"):
        ws.search(60, 64, "f16", store=FILL, load=X4)
    half: dict[str, Any] = {"store": FILL, "load": ws.Ldmatrix(num=2), "warps": 1, "pads": [0]}
    mixed = ws.search(8, 8, "f32", swizzles=[None], orders=("row", "col"), **half)
    assert mixed.rejected == {WORDS["cover"]: 1}  # rows of 4 elements: two matrices are 16x4
    assert mixed.best.order == "col"
    with pytest.raises(ValueError, match=r"rows: .* the nearest is 16; got 8"):
        ws.search(8, 8, "f32", swizzles=[None], **half)


def test_search_result_in_all_its_forms() -> None:
    found = usual(orders=("row", "col"))
    contents = json.loads(json.dumps(found.to_dict()))
    assert contents["schema"] == "warpsim.search/1"
    assert contents["counted"] == len(found)
    assert max(map(len, str(found).splitlines())) <= 80
    assert "Swizzle&lt;3,3,3&gt;" in found._repr_html_()
    assert {len(values) for values in found.columns().values()} == {len(found)}
    assert found.columns()["order"].dtype.kind == "U"
    text = found.text(3).splitlines()
    assert sum(line.startswith("  *") or "pad 8" in line for line in text) >= 1
    with pytest.raises(AttributeError):
        found.rows = 1  # type: ignore[misc]


def test_search_nothing_offered_is_nothing_found() -> None:
    found = usual(pads=[])
    assert len(found) == 0
    with pytest.raises(ValueError, match="no candidate"):
        _ = found.best


def test_layout_of_a_row_has_the_swizzle_of_its_columns() -> None:
    found = ws.search(8, 16, "f32", store=ws.St(), load=ws.Ld(), warps=1, orders=("row",))
    columns = found.columns()
    for row, (b, m, s) in enumerate(zip(*(columns[name].tolist() for name in "BMS"), strict=True)):
        swizzle = found.layout(row).swizzle
        assert (swizzle is None) == (b == 0)
        assert swizzle is None or swizzle == ws.Swizzle(b, m, s, found.unit)
    compared("swizzles of rows with M = 0", int(((columns["B"] > 0) & (columns["M"] == 0)).sum()), at_least=1)


def test_rows_iterate_and_index() -> None:
    found = ws.search(64, 64, "f16", store=ws.St(vec=4), load=ws.Ldmatrix(num=4), pads=[0, 8])
    rows = list(found)
    assert len(rows) == len(found) and rows[0] == found[0] and rows[-1] == found[-1]
    assert rows[0]["layout"] == found.best and set(rows[0]) == {"layout", *found.columns()}
    assert [row["cycles"] for row in rows] == found.columns()["cycles"].tolist()
    assert repr(found.best) in repr(found) and len(repr(found)) < 200
    with pytest.raises(IndexError, match="row: expected one of"):
        found[len(found)]


def own(*layouts: ws.Layout, **options: Any) -> ws.SearchResult:
    return ws.search(64, 64, "f16", store=ws.CpAsync(), load=ws.Ldmatrix(num=4), layouts=layouts, **options)


def test_own_layouts_cost_in_a_search_what_they_cost_as_tiles() -> None:
    rotated = ws.Layout.from_cute("Sw<2,3,3> o 0 o (64,64):(64,1)", "f16")
    boxes = ws.Layout.from_tma((64, 32), "f16", "64B").boxes(2)
    found = own(rotated, boxes, ws.Layout(64, 64, "f16", pad=3), weights=[1, 3])
    for layout, row in zip((rotated, boxes), found.to_dict()["given"], strict=False):
        report = ws.tile(layout, store=ws.CpAsync(), load=ws.Ldmatrix(num=4))
        assert row["layout"] == str(layout) and row["ok"] and row["bytes"] == report.bytes
        assert row["load_wavefronts"] == report.load.traffic.sum().wavefronts
        assert row["cycles"] == report.store.cycles + 3 * report.load.cycles
    assert [report.ok for report in found.given] == [True, True, False]
    text = str(found)
    assert f"yours takes {found.to_dict()['given'][0]['cycles']:,g} cycles" in text.replace("\n  ", " ")
    assert "yours  pad 3" in text and "illegal" in text and "(yours)" in found.html()
    searched = {name: values for name, values in own().to_dict().items() if name != "given"}
    assert searched == {name: values for name, values in own(rotated).to_dict().items() if name != "given"}


def test_own_layouts_are_of_the_tile_that_is_searched() -> None:
    with pytest.raises(ValueError, match="layouts: expected 64x64 f16 as the search; got 32x64 f16"):
        own(ws.Layout(32, 64, "f16"))
    with pytest.raises(TypeError, match="layouts: expected a Layout, got str"):
        own("64x64:f16")  # type: ignore[arg-type]
