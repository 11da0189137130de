"""Every HTML report, opened in a browser: quiet, readable, alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import report_pages
from browser import MEASURE, chromium
from evidence import compared
from test_fragment_map import maps

if TYPE_CHECKING:
    from playwright.sync_api import Browser

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
        if hasattr(report, "html"):
            found[name] = folder / f"{name.replace(' ', '_')}.html"
            found[name].write_text(report.html(), encoding="utf-8")
    return found


def complaints(measured: dict[str, Any]) -> list[str]:
    """What is hard to read in one page."""
    found = [
        f"{words!r}: contrast {contrast:.2f}"
        for words, contrast, _, _ in measured["texts"]
        if contrast < LEAST_CONTRAST
    ]
    found += [
        f"{words!r}: {size:.1f} px"
        for words, _, size, _ in measured["texts"]
        if size < LEAST_SIZE
    ]
    found += [f"overlap: {words}" for words in measured["overlaps"]]
    if measured["scrollWidth"] > measured["innerWidth"]:
        found.append(f"{measured['scrollWidth']} wide, the screen has {measured['innerWidth']}")
    return found + measured["runaways"]


def test_pages_in_a_browser_are_quiet_alone_and_readable(
    browser: Browser, files: dict[str, Path]
) -> None:
    texts = boxed = pages = 0
    wrong: list[str] = []
    for scheme in SCHEMES:
        page = browser.new_page(color_scheme=scheme)
        events: list[str] = []
        page.on("console", lambda message: events.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: events.append(f"error: {error}"))
        page.on("request", lambda request: events.append(request.url))
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            for name, file in files.items():
                events.clear()
                page.goto(file.as_uri())
                measured = page.evaluate(MEASURE)
                assert measured["scripts"] == 0
                others = [event for event in events if event not in (file.as_uri(), "data:,")]
                at = f"{name}, {width} px, {scheme}"
                wrong += [f"{at}: {what}" for what in others + complaints(measured)]
                texts += len(measured["texts"])
                boxed += measured["boxed"]
                pages += 1
        page.close()
    assert not wrong, "\n".join([f"{len(wrong)} complaints", *wrong[:40]])
    compared("pages opened in a browser, two widths, light and dark", pages, at_least=80)
    compared("texts of pages with enough contrast and size", texts, at_least=20_000)
    compared("texts inside their boxes", boxed, at_least=10_000)


def test_fragment_maps_in_a_browser_no_text_leaves_its_cell(browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 940, "height": 800})
    boxed = pairs = 0
    wrong: list[str] = []
    for found in maps():
        page.set_content(found.svg())
        measured = page.evaluate(MEASURE)
        wrong += [f"{found.ptx}: {what}" for what in complaints(measured)]
        boxed += measured["boxed"]
        pairs += measured["pairs"]
    page.close()
    assert not wrong, "\n".join([f"{len(wrong)} complaints", *wrong[:40]])
    compared("texts of fragment maps inside their cells", boxed, at_least=40_000)
    compared("texts of fragment maps side by side", pairs, at_least=100_000)


@pytest.mark.parametrize("name", report_pages.reports())
def test_page_without_a_browser_stands_alone(name: str) -> None:
    report = report_pages.reports()[name]
    if not hasattr(report, "html"):
        pytest.skip("it has no page yet")
    page = report.html()
    assert "<script" not in page.lower()
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", page)
    assert "url(" not in page and "@import" not in page
    assert re.search(r"<footer>warpsim \d+\.\d+\.\d+</footer>", page)
