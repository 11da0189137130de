"""Whatever text a user gives is shown as text: in HTML, in SVG, in logs and on a terminal."""

import json
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import html5lib
import pytest

import warpsim as ws
from docs.make import report_pages
from tests.support import browser
from tests.support.evidence import compared
from warpsim import cli
from warpsim.characters import escaped, printable
from warpsim.render import (
    cycle_bars,
    cycles,
    explanation,
    fragment_map,
    html,
    pages,
    punch_card,
    search_scatter,
    tables,
    tile_map,
)

X4 = ws.Ldmatrix(num=4)
SCRIPT = "<script>alert(1)</script>"
HOSTILE = (
    f"{SCRIPT}<img src=x onerror=alert(2)>\"'><svg onload=alert(3)>]]><!--&lt;&#0;"
    "<style>*{display:none}</style></title></pre>\x00\x01\x1b[31m\ud800\ufffe\uffff\x85\u202e\u2066\u200f\U000e0041"
)
#: elements and attributes that no report has; the text of HOSTILE would make them
ACTIVE = {"script", "img", "iframe", "object", "embed", "link", "form", "base", "a", "image"}
SHAPES = {"svg", "g", "rect", "text", "tspan", "path", "line", "circle", "title", "polyline"}
PTX = f""".version 8.0
.target sm_80
.visible .entry kernel() {{
    .reg .b32 %r<4>; // {HOSTILE}
    stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r1], {{%r2, %r3}}; /* {HOSTILE} */
    ldmatrix.sync.aligned.m8n8.x2.shared.b16 {{%r1}}, [{HOSTILE}];
    ldmatrix.<b>{HOSTILE} x;
::error::x; ldmatrix.sync.aligned.m8n8.x2.shared.b16 {{%r1}}, [%r2];
    ldmatrix.\u00e9\u4e2d.x1 y;
}}
"""


#: what none of the user's text is in yet
REPORTS = {
    kind: report_pages.reports()[name]
    for kind, name in {
        "banks": "banks conflict", "fragment": "fragment x4", "explanation": "explain undefined",
        "tile": "tile", "search": "search, one candidate", "cost": "cost",
        "program": "program cost", "mainloop": "main loop",
    }.items()
} | {"lint": ws.lint(PTX)}  # fmt: skip


#: kind -> the functions that make its markup of plain values
RENDERERS: dict[str, list[Any]] = {
    "banks": [punch_card.bank_report, pages.bank_report, explanation.bank_report],
    "fragment": [fragment_map.fragment, pages.fragment],
    "explanation": [pages.explanation],
    "search": [search_scatter.search_scatter, tables.search_html],
    "cost": [cycle_bars.cost, cycles.cost],
    "program": [cycle_bars.program_cost],
    "mainloop": [cycle_bars.mainloop],
    "tile": [tables.tile_html],
    "lint": [pages.lint],
}


def poisoned(value: Any) -> Iterator[Any]:
    """Copies of plain values, each with another text in them (or name of a text) made hostile."""
    if isinstance(value, str):
        yield value + HOSTILE
    elif isinstance(value, dict):
        for name, held in value.items():
            for bad in poisoned(held):
                yield {**value, name: bad}
    elif isinstance(value, list | tuple):
        for i, held in enumerate(value[:2]):
            for bad in poisoned(held):
                yield [*value[:i], bad, *value[i + 1 :]]


def assert_text_only(markup: str) -> None:
    """No element, attribute or control character of the markup is HOSTILE's."""
    parser = html5lib.HTMLParser(namespaceHTMLElements=False)
    tree = parser.parse(f"<!DOCTYPE html><title>t</title>{markup}")
    for element in tree.iter():
        if not isinstance(element.tag, str):
            raise AssertionError("a comment")
        name = element.tag.rpartition("}")[2]
        assert name not in ACTIVE and not (name == "style" and "display:none" in (element.text or ""))
        assert not any(str(key).lower().startswith("on") for key in element.attrib)
    assert not parser.errors, parser.errors
    assert all(c.isprintable() or c in "\n\t" for c in markup)


def assert_well_formed(svg: str) -> None:
    root = ET.fromstring(svg.encode("utf-8"))
    names = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert names <= SHAPES, names


@pytest.mark.slow
@pytest.mark.parametrize("kind", RENDERERS)
def test_every_text_of_every_report_is_text(kind: str) -> None:
    contents, checked, refused = REPORTS[kind].to_dict(), 0, 0
    for values in poisoned(json.loads(json.dumps(contents))):
        for render in RENDERERS[kind]:
            try:
                made = render(values, "") if render in (tables.tile_html, tables.search_html) else render(values)
            except (KeyError, ValueError, IndexError):  # a word that is not in its table
                refused += 1
                continue
            markup = made if isinstance(made, str) else "".join(made)
            if markup.lstrip().startswith("<svg"):
                assert_well_formed(markup)
            if markup.lstrip().startswith("<"):
                assert_text_only(markup)
                checked += 1
    compared("hostile texts in reports", checked, at_least=2)


def test_names_of_compared_loops_layouts_and_pictures_are_text() -> None:
    loop = REPORTS["mainloop"]
    svg = ws.LoopReport.compare({"<b>&\x00\x1b": loop, "</svg>": loop})
    assert_well_formed(svg)
    assert "&lt;b&gt;&amp;\ufffd\ufffd" in svg
    picture = REPORTS["tile"].picture()
    for values in poisoned(json.loads(json.dumps(picture))):
        try:
            assert_well_formed(tile_map.tile_map(values))
        except (KeyError, ValueError):
            continue
    pieces = [
        html.heading(HOSTILE), html.paragraph(HOSTILE), html.preformatted(HOSTILE),
        html.table((HOSTILE,), [(HOSTILE,)], HOSTILE), html.facts([(HOSTILE, HOSTILE)]), html.details(HOSTILE, ""),
        html.items([HOSTILE]), html.source(HOSTILE, 3, 4), html.finding(HOSTILE, HOSTILE, HOSTILE, []),
    ]  # fmt: skip
    for piece in pieces:
        assert_text_only(piece)
    page = html.page(HOSTILE, pieces, HOSTILE)
    assert page.count("<script") == 0 and page.count("<style>") == 1


def test_lint_of_a_hostile_file_is_text_everywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name = '<b>\x1b[31m\n::error::&".ptx'
    Path(name).write_bytes(PTX.encode("utf-8", "surrogatepass"))
    found = {}
    for form in ("--html", "--json", "--sarif", ""):
        assert cli.main(["lint", *([form] if form else []), name]) == 1
        found[form] = capsys.readouterr().out
    assert all(c.isprintable() or c == "\n" for c in found[""])
    assert not any(line.lstrip().startswith(("::", "##")) for line in found[""].splitlines())
    assert_text_only(found["--html"][found["--html"].index("<body>") :])
    assert "\x1b" not in found["--html"] and "<b>\ufffd" not in found["--html"]
    log = json.loads(found["--sarif"])
    uris = {
        place["physicalLocation"]["artifactLocation"]["uri"]
        for result in log["runs"][0]["results"]
        for place in result["locations"]
    }
    assert len(uris) == 1 and not set(uris.pop()) & set('<>"\n\x1b ')
    assert json.loads(found["--json"])["file"]
    for line in found["--json"].splitlines():
        assert line.isascii() and line.isprintable()


def test_errors_of_the_parser_steer_no_terminal() -> None:
    for bad in ("ldmatrix.\x1b[2J", "ldmatrix.sync.aligned \x9b31m {a}", "\u202eldmatrix", "\x07"):
        with pytest.raises(ws.WarpsimError) as caught:
            ws.parse(bad)
        assert all(c.isprintable() or c == "\n" for c in str(caught.value)), str(caught.value)


@pytest.mark.parametrize("code", [*range(0x20), 0x7F, 0x9B, 0xD800, 0xDFFF, 0xFDD0, 0xFFFE, 0x1FFFF])
def test_what_is_no_character_is_replaced(code: int) -> None:
    shown = escaped(f"a{chr(code)}b")
    ET.fromstring(f"<p>{shown}</p>".encode())
    assert shown == f"a{chr(code)}b" if chr(code) in "\t\n" else shown == "a\ufffdb"
    assert printable(chr(code)) in ("\n", "\ufffd")


@pytest.mark.slow
def test_pages_run_nothing_in_a_browser(tmp_path: Path) -> None:
    events: list[str] = []
    fragment = X4.fragment
    page_of = {"lint": ws.lint(PTX).html(), "fragment": fragment.html()}
    page_of["direct"] = page_of["lint"].replace("<main>", f"<main>{HOSTILE[:-5]}")
    with browser.chromium() as opened:
        for name, contents in page_of.items():
            path = tmp_path / f"{name}.html"
            path.write_text(contents, encoding="utf-8", errors="replace")
            page = opened.new_page()
            page.on("dialog", lambda dialog: (events.append(f"dialog {dialog.message}"), dialog.dismiss()))
            page.on("request", lambda request: events.append(f"request {request.url}"))
            page.on("console", lambda message: events.append(f"console {message.text}"))
            page.on("pageerror", lambda error: events.append(f"error {error}"))
            page.goto(path.as_uri())
            page.wait_for_timeout(150)
            scripts = page.evaluate("document.querySelectorAll('script, img, iframe').length")
            page.close()
            asked = [event for event in events if path.as_uri() not in event and "data:," not in event]
            if name == "direct":  # markup in the midst of a page: the policy of the page stops it
                assert scripts and not any(event.startswith("dialog") for event in asked), asked
                assert any("Content Security Policy" in event for event in asked)
            else:
                assert not scripts and not asked, asked
            events.clear()
    compared("hostile pages in a browser", len(page_of), at_least=3)


def test_every_page_has_the_policy() -> None:
    for report in REPORTS.values():
        page = report.html()
        assert f'<meta http-equiv="Content-Security-Policy" content="{html.POLICY}">' in page
        assert page.index("Content-Security-Policy") < page.index("<title>")
    assert "script" not in html.POLICY and "default-src 'none'" in html.POLICY


def test_names_of_source_files_are_printable() -> None:
    text = PTX_OF_A_FILE.replace("FILE", "\x1b[31m\u202e<script>.cu")
    report = ws.Module(text)["k"](1, 1, [None])
    (found,) = [one for one in report.findings if one.severity == "error"]
    assert all(printable(text) == text for text in (report.csv(view="source"), str(found.where), *report.sources))


PTX_OF_A_FILE = """.version 8.0
.target sm_80
.address_size 64
.file 1 "FILE"
.visible .entry k(.param .u64 o) { .reg .b64 %d;
.loc 1 1 0
ld.param.u64 %d, [o]; st.global.u32 [%d], 7; ret; }
"""
