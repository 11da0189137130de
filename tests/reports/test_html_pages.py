"""Every HTML report, opened in a browser: quiet, readable, alone."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import html5lib
import pytest

import warpsim as ws
from docs.make import report_pages
from tests.reports.test_fragment_map import maps
from tests.support.browser import MEASURE, chromium
from tests.support.evidence import compared

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WIDTHS = (1280, 390)
SCHEMES = ("light", "dark")
LEAST_CONTRAST = 4.5
LEAST_SIZE = 8.0


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    found = {}
    for name, report in report_pages.reports().items():
        found[name] = folder / f"{name.replace(' ', '_')}.html"
        found[name].write_text(report.html(), encoding="utf-8")
    return found


def complaints(measured: dict[str, Any]) -> list[str]:
    """What is hard to read in one page."""
    found = [
        f"{words!r}: contrast {contrast:.2f}" for words, contrast, _ in measured["texts"] if contrast < LEAST_CONTRAST
    ]
    found += [f"{words!r}: {size:.1f} px" for words, _, size in measured["texts"] if size < LEAST_SIZE]
    found += [f"overlap: {words}" for words in measured["overlaps"]]
    if measured["scrollWidth"] > measured["innerWidth"]:
        found.append(f"{measured['scrollWidth']} wide, the screen has {measured['innerWidth']}")
    return found + measured["runaways"]


def opened(page: Page) -> list[str]:
    """What the page says and asks for from now on."""
    events: list[str] = []
    page.on("console", lambda message: events.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: events.append(f"error: {error}"))
    page.on("request", lambda request: events.append(request.url))
    return events


@pytest.mark.slow
def test_pages_in_a_browser_are_quiet_alone_and_readable(browser: Browser, files: dict[str, Path]) -> None:
    texts = boxed = pages = 0
    wrong: list[str] = []
    page = browser.new_page()
    events = opened(page)
    for name, file in files.items():
        events.clear()
        page.goto(file.as_uri())
        for scheme, width in product(SCHEMES, WIDTHS):
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size({"width": width, "height": 800})
            seen = page.evaluate(MEASURE)
            assert seen["scripts"] == 0
            assert (seen["innerWidth"], seen["dark"]) == (width, scheme == "dark")
            wrong += [f"{name}, {width} px, {scheme}: {what}" for what in complaints(seen)]
            texts += len(seen["texts"])
            boxed += seen["boxed"]
            pages += 1
        assert file.as_uri() in events
        others = [event for event in events if event not in (file.as_uri(), "data:,")]
        wrong += [f"{name}: {event}" for event in others]
    page.close()
    assert not wrong, "\n".join([f"{len(wrong)} complaints", *wrong[:40]])
    compared("pages opened in a browser, two widths, light and dark", pages, at_least=80)
    compared("texts of pages with enough contrast and size", texts, at_least=20_000)
    compared("texts inside their boxes", boxed, at_least=10_000)


def test_without_a_browser_tests_are_skipped_and_ci_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception), chromium():
        pass
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="apt-get install chromium"), chromium():
        pass


@pytest.mark.slow
def test_console_and_requests_of_a_page_are_heard(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "loud.html"
    file.write_text('<img src="nowhere.png"><script>console.log("hello"); oops()</script>')
    page = browser.new_page()
    events = opened(page)
    page.goto(file.as_uri())
    page.close()
    heard = "\n".join(events)
    assert "nowhere.png" in heard and "console: hello" in heard and "error: oops" in heard


def measured(browser: Browser, pictures: Iterable[Any], scheme: Any) -> Counter[str]:
    """How many texts of the pictures are well placed; all must be."""
    page = browser.new_page(viewport={"width": 940, "height": 800}, color_scheme=scheme)
    found: Counter[str] = Counter()
    wrong: list[str] = []
    for one in pictures:
        page.set_content(one.svg())
        seen = page.evaluate(MEASURE)
        wrong += [f"{one}: {what}" for what in complaints(seen)]
        found += Counter(texts=len(seen["texts"]), boxed=seen["boxed"], pairs=seen["pairs"])
    page.close()
    assert not wrong, "\n".join([f"{len(wrong)} complaints", *wrong[:40]])
    return found


@pytest.mark.slow
def test_fragment_maps_in_a_browser_no_text_leaves_its_cell(browser: Browser) -> None:
    """Forms that differ in their names only are drawn once, under the longest name."""
    found = maps()
    pictures = {re.sub(re.escape(one.ptx), "", one.svg()): one for one in sorted(found, key=lambda one: len(one.ptx))}
    good = measured(browser, pictures.values(), "light")
    compared("forms whose fragment maps were opened in a browser", len(found), at_least=145)
    compared("texts of fragment maps inside their cells", good["boxed"], at_least=20_000)
    compared("texts of fragment maps side by side", good["pairs"], at_least=100_000)


def many_tiles(count: int) -> list[ws.TileReport]:
    """Of all types, orders, pitches and swizzles, those that their accesses cover."""
    draw = random.Random(5)
    stores = [ws.St(), ws.St(vec=4), ws.St(type="b8"), ws.CpAsync(), ws.Stmatrix(num=4)]
    stores += [ws.CpAsync(size=size, cache="ca") for size in (4, 8)]
    loads = [ws.Ld(), ws.Ld(vec=4), ws.Ld(type="b16"), ws.Ldmatrix(), ws.Ldmatrix(num=4)]
    loads.append(ws.Ldmatrix(shape="m16n16", type="b8", num=2, trans=True))
    found: list[ws.TileReport] = []
    while len(found) < count:
        type_ = draw.choice(("f16", "b8", "f32", "f64", "s4", "b6x16_p32"))
        bits, base, shift = draw.choice(((0, 0, 0), (3, 3, 3), (2, 0, 5), (1, 4, -5), (3, 2, 4)))
        with suppress(ValueError):
            layout = ws.Layout(
                draw.choice((8, 32, 96, 256)), draw.choice((16, 48, 64, 256, 1040)), type_,
                draw.choice(("row", "col")), draw.choice((0, 1, 8, 32)),
                ws.Swizzle(bits, base, shift, "byte" if type_ == "b6x16_p32" else "element"),
            )  # fmt: skip
            sides = {"store": draw.choice(stores), "load": draw.choice(loads)}
            found.append(ws.tile(layout, warps=draw.choice((1, 2, 4)), target="sm_100a", **sides))
    return found


@pytest.mark.slow
def test_tile_maps_in_a_browser_keep_texts_in_their_boxes(browser: Browser) -> None:
    good = measured(browser, many_tiles(60), "dark")
    compared("texts of tile maps in a browser", good["texts"], at_least=10_000)


FAULTS = {
    "contrast": '<p style="color:#999">pale</p>',
    "contrast 1": '<svg width="50" height="50"><rect width="50" height="50" fill="#123"/>'
    '<text x="9" y="20" fill="#000">x</text></svg>',
    "6.0 px": '<svg width="50" height="50"><text x="9" y="20" font-size="6">x</text></svg>',
    "overlap": '<svg width="99" height="50"><text y="20">one</text><text y="20" x="9">two</text></svg>',
    "out of the sheet": '<svg width="50" height="50"><text y="20">a long sentence</text></svg>',
    "out of its box": '<svg width="99" height="50"><rect width="99" height="50" fill="#fff"/>'
    '<rect width="30" height="50" fill="#fff"/><text y="20" x="2">wide</text></svg>',
    "wide, the screen has": '<div style="width:2000px">x</div>',
}


@pytest.mark.slow
@pytest.mark.parametrize("complaint", FAULTS)
def test_measuring_finds_a_fault(browser: Browser, complaint: str) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 800})
    page.set_content(f'<body style="background:#fff;color:#000">{FAULTS[complaint]}')
    found = complaints(page.evaluate(MEASURE))
    page.close()
    assert any(complaint in words for words in found), found


@pytest.mark.parametrize("name", report_pages.reports())
def test_page_needs_no_other_file(name: str) -> None:
    page = report_pages.reports()[name].html()
    assert "<script" not in page.lower()
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", page)
    assert "url(" not in page and "@import" not in page
    parser = html5lib.HTMLParser()
    parser.parse(page)
    assert not parser.errors
    assert re.search(r"<footer>warpsim \d+\.\d+\.\d+</footer>", page)
