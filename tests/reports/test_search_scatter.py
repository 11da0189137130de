"""A search as a scatter and as a text, and the same scatter with matplotlib."""

import itertools
import sys
from typing import Any

import pytest

import warpsim as ws
from docs.make.report_pages import reports
from tests.support.drawn import SVG, drawn, texts
from tests.support.evidence import compared
from tests.support.golden import assert_golden
from warpsim.render import search_scatter
from warpsim.render.tables import search as search_text

X4, FILL, COPY = ws.Ldmatrix(num=4), ws.St(vec=4), ws.CpAsync()


def readme() -> ws.SearchResult:
    return reports()["search of the README"]  # type: ignore[no-any-return]


def padded() -> ws.SearchResult:
    return ws.search(128, 64, "f16", store=FILL, load=X4, pads=range(0, 65, 8), swizzles=[None])


def many() -> dict[str, ws.SearchResult]:
    both: dict[str, Any] = {"orders": ("row", "col")}
    return {
        **{name: one for name, one in reports().items() if isinstance(one, ws.SearchResult)},
        "padded": padded(),
        "both orders": ws.search(64, 64, "f32", store=ws.St(), load=ws.Ld(vec=2), **both),
        "packed": ws.search(
            64, 64, "b6x16_p32", store=COPY, load=ws.Ld(vec=4), target="sm_100a"
        ),
        "big": ws.search(4096, 1024, "f16", store=COPY, load=X4, max_bytes=1 << 24),
    }  # fmt: skip


def test_search_scatter_known_search_equals_golden() -> None:
    assert_golden("search.svg", padded().svg())


def test_search_scatter_many_searches_are_drawn_inside_their_sheets() -> None:
    found = many()
    for name, result in found.items():
        picture = result.svg()
        root = drawn(picture)
        assert len(picture) < 100_000, name
        for top in (1, 10, 1000):
            assert max(map(len, result.text(top).splitlines())) <= 80, name
        places = search_scatter.places_of(result.to_dict()["columns"])
        assert sum(place.total for place in places) == len(result)
        columns = result.columns()
        assert len(places) == len(set(zip(columns["bytes"], columns["cycles"], strict=True)))
        discs = [circle for group in root.iter(f"{SVG}g") for circle in group]
        assert len(discs) >= len(places)
    assert "no layout is legal" in texts(drawn(found["search, none"].svg()))
    compared("layouts in scatters", sum(map(len, found.values())), at_least=30_000)


def test_search_scatter_rings_and_labels_the_pareto_set() -> None:
    result = padded()
    root = drawn(result.svg())
    front = {(result.columns()["bytes"][i], result.columns()["cycles"][i]) for i in result.pareto}
    rings = [
        circle for group in root.iter(f"{SVG}g") if group.get("fill") == "none" for circle in group.iter(f"{SVG}circle")
    ]
    assert len(rings) == len(front) == 2
    found = texts(root)
    assert "plain: 16,384 bytes, 1,268 cycles" in found
    assert "pad 8: 18,432 bytes, 316 cycles" in found
    assert "padded: 8" in found and not any(words.startswith("swizzled") for words in found)


def test_search_scatter_kinds_are_told_apart() -> None:
    columns = readme().columns()
    kinds = {"plain": 0, "padded": 0, "swizzled": 0, "padded and swizzled": 0}
    for pad, bits in zip(columns["pad"], columns["B"], strict=True):
        words = ("plain", "swizzled", "padded", "padded and swizzled")
        kinds[words[2 * bool(pad) + bool(bits)]] += 1
    found = texts(drawn(readme().svg()))
    assert {f"{kind}: {count:,}" for kind, count in kinds.items()} <= set(found)


def test_search_text_in_colour_marks_the_pareto_set() -> None:
    contents = padded().to_dict()
    plain, coloured = search_text(contents), search_text(contents, colour=True)
    bold = [line for line in coloured.splitlines() if line.startswith("\x1b[1m")]
    assert len(bold) == 2 and all(line.startswith("\x1b[1m  *") for line in bold)
    assert coloured.replace("\x1b[1m", "").replace("\x1b[0m", "") == plain


def test_search_plot_draws_every_place(monkeypatch: pytest.MonkeyPatch) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    pyplot = pytest.importorskip("matplotlib.pyplot")
    result = readme()
    ax = result.plot()
    drawn_places = {tuple(point) for points in ax.collections for point in points.get_offsets().tolist()}
    columns = result.columns()
    assert drawn_places == set(zip(columns["bytes"], columns["cycles"], strict=True))
    given = pyplot.figure().subplots()
    assert padded().plot(given) is given
    for axes in (ax, given):
        axes.figure.canvas.draw()
    pyplot.close("all")
    assert list(itertools.chain(*(axes.texts for axes in (ax, given))))
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r"needs matplotlib: pip install warpsim\[plot\]"):
        result.plot()
