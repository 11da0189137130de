"""The explorer in use: keyboard, pointer, links old and hostile, what is copied, how fast it is."""

import contextlib
import io
import json
import re
import runpy
import shlex
import shutil
import statistics
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import warpsim as ws
from docs.make import explorer_pictures as pictures
from tests.support.browser import MEASURE
from tests.support.evidence import compared, figure
from tests.support.explorer_page import PAGE, Tab, random_state
from tests.support.paths import INCLUDE
from tests.support.process import run
from warpsim.cli import main
from warpsim.explorer import DEFAULTS

pytestmark = pytest.mark.slow

LINKS = Path(__file__).parent / "links.json"


def test_old_links_keep_their_meaning(tab: Tab) -> None:
    """Links that were given away: this file only grows."""
    links = json.loads(LINKS.read_text())
    for fragment, expected in links.items():
        found = tab.show(fragment)
        said = found.get("traffic", {}).get("wavefronts"), found["legality"]["ok"]
        assert said == tuple(expected), fragment
    compared("links of the explorer that were given away", len(links), at_least=8)


def test_the_page_writes_the_link_that_it_reads(tab: Tab) -> None:
    random, forms = Random(3), tab.page.evaluate("explorer.facts.forms")
    for _ in range(40):
        state = random_state(random, forms)
        tab.state(state)
        assert tab.page.evaluate("explorer.state()") == {**DEFAULTS, **state}
        tab.page.evaluate("explorer.setLink()")
        written = tab.page.evaluate("location.hash")
        tab.show("#v=1")
        tab.show(written)
        assert tab.page.evaluate("explorer.state()") == {**DEFAULTS, **state}


HOSTILE = (
    "#", "#v=9&op=x", "#v=1&op=<script>alert(1)</script>", "#v=1&rows=-1&cols=1e9&pad=NaN", "#" + "%ff%00" * 2000,
    "#v=1&op=" + "a" * 60_000, "#v=1&addresses=" + "9" * 50_000, "#" + "x" * 1_000_000,
    "#v=1&__proto__=1&constructor=2&toString=3", "#v=1&B=8&M=16&S=-16&rows=4096&cols=4096",
    "#v=1&rows=4096&cols=16&pad=4096&B=8&M=8&S=8", "#v=1&op=" + "%0Atarget%3Dsm_70" * 3,
    "#v=1&type=%22%3E%3Cimg%20src%3Dx%3E", "#v=1&lane=1e99&pass=-1&side=x", "#v=1&warps=0&stride=99999999999999999999",
)  # fmt: skip


def is_alive(tab: Tab) -> None:
    """Only its own scripts, no picture from elsewhere, words, and right answers."""
    assert tab.page.evaluate("document.querySelectorAll('script').length") == 2
    assert tab.page.evaluate("document.querySelectorAll('img, iframe, object').length") == 0
    assert tab.page.inner_text("#verdict")
    assert tab.show("#v=1&rows=32&cols=32")["traffic"]["wavefronts"] == 16


@pytest.mark.parametrize("fragment", HOSTILE, ids=lambda text: text[:30])
def test_hostile_links_leave_the_page_alive(tab: Tab, fragment: str) -> None:
    tab.show(fragment)
    is_alive(tab)
    assert tab.noise == []


def test_what_is_wrong_with_a_link_is_said(tab: Tab) -> None:
    for fragment, words in (
        ("#" + "x" * 1_000_000, "1000001 characters"), ("#v=9", "another version"),
        ("#v=1&colour=red", "colour"), ("#v=1&target=sm_1", "target: unknown value 'sm_1'"),
        ("#v=1&op=" + "a" * 60_000, "at most 16384 characters"),
    ):  # fmt: skip
        tab.show(fragment)
        assert words in tab.page.inner_text("#status")


def test_random_bytes_and_tags_leave_the_page_alive(tab: Tab) -> None:
    random = Random(5)
    tag = "<script>window.hacked=1</script><img src=x onerror=window.hacked=1>"
    fragments = [
        "#" + "".join(f"%{random.randrange(256):02x}" for _ in range(random.randrange(400))) for _ in range(60)
    ]
    fragments += [
        "#v=1&" + "&".join(f"{key}={chr(random.randrange(32, 0x2FF))}" for key in DEFAULTS) for _ in range(20)
    ]
    for fragment in fragments:
        tab.show(fragment)
    for key in DEFAULTS:
        tab.show(f"#v=1&{key}={tag}")
    assert tab.page.evaluate("window.hacked") is None
    is_alive(tab)
    assert tab.noise == []
    compared("hostile links of the explorer", len(fragments) + len(DEFAULTS), at_least=80)


def test_a_megabyte_that_is_typed_is_refused_in_words(tab: Tab) -> None:
    tab.show("#v=1")
    for box in ("op", "addresses", "fill"):
        tab.page.evaluate(
            "id => { const box = document.getElementById(id); box.value = 'ü<b>'.repeat(250000);"
            " box.dispatchEvent(new Event('input', { bubbles: true })); }",
            box,
        )
        assert f"{box}: expected at most 16384 characters" in tab.page.inner_text("#status")
    is_alive(tab)


def test_everything_is_reached_and_named(tab: Tab) -> None:
    tab.show("#v=1&op=wmma.load.a.sync.aligned.row.m16n16k16.shared.f16&rows=32&cols=32")
    tab.page.click("#search")
    tab.page.focus("#preset")  # the first of them
    tab.page.keyboard.press("Shift+Tab")
    assert tab.page.evaluate("document.activeElement === document.body")
    seen = []
    for _ in range(80):
        tab.page.keyboard.press("Tab")
        name = tab.page.evaluate(
            "(() => { const at = document.activeElement; const label = at.labels?.[0];"
            " return at === document.body ? null : [at.id || at.dataset.copy || at.dataset.save"
            " || at.parentElement.id, at.getAttribute('aria-label') ?? label?.innerText"
            " ?? at.innerText]; })()"
        )
        if name is None:
            break
        seen.append(name)
    reached = {one for one, _ in seen}
    assert set(DEFAULTS) <= reached
    wanted = {
        "preset",
        "paste",
        "pin",
        "play",
        "search",
        "link",
        "python",
        "cpp",
        "cli",
        "svg",
        "png",
        "tile",
        "banks",
        "fragment",
    }
    assert wanted <= reached
    assert all(words and words.strip() for _, words in seen), seen


def test_typing_an_instruction_shows_its_error_under_the_caret(tab: Tab) -> None:
    tab.show("#v=1")
    tab.page.fill("#op", "ldmatrix.sync.aligned.m8n8.x5.shared.b16")
    lines = tab.page.text_content("#op-error").split("\n")
    assert lines[0][lines[1].index("^") :].startswith("x5")
    assert "x5" in lines[2]
    assert tab.page.get_attribute("#op", "aria-invalid") == "true"
    tab.page.fill("#op", "ldmatrix.sync.aligned.m8n8.x4.shared.b16")
    assert tab.page.text_content("#op-error") == ""


def test_what_is_offered_is_what_is_legal(tab: Tab) -> None:
    for target, version in (("sm_75", "6.5"), ("sm_90", "8.0"), ("sm_100a", "8.6")):
        tab.show(f"#v=1&target={target}&version={version}")
        offered = set(tab.page.evaluate("[...document.querySelectorAll('#forms option')].map(o => o.value)"))
        forms = tab.page.evaluate("explorer.facts.forms")
        assert offered == {one for one in forms if ws.parse(one).legality(target, version).ok}
        assert len(offered) > 100


def test_arrow_keys_move_through_the_tile(tab: Tab) -> None:
    tab.show("#v=1&row=8&col=8")
    tab.page.focus("#tile canvas")
    for key in ("ArrowDown", "ArrowRight", "ArrowRight"):
        tab.page.keyboard.press(key)
    words = tab.page.inner_text("#tile-place")
    byte = ws.Layout(64, 64, "f16")(9, 10)
    assert words == f"(9, 10): byte {byte}, bank {byte // 4 % 32}; lane 5 r0.0"


def test_arrow_keys_choose_a_lane_that_the_link_keeps(tab: Tab) -> None:
    tab.show("#v=1")
    for view, key, lane in (("fragment", "ArrowDown", 1), ("banks", "ArrowLeft", 0)):
        tab.page.focus(f"#{view} canvas")
        tab.page.keyboard.press(key)
        assert tab.page.evaluate("explorer.state().lane") == str(lane)
    tab.page.keyboard.press("ArrowUp")
    assert "lane=31" in tab.page.evaluate("location.hash")
    assert tab.page.inner_text("#fragment-place").startswith("Lane 31 holds")


def test_pointing_joins_tile_and_fragment(tab: Tab) -> None:
    tab.show("#v=1&rows=16&cols=16&pad=8")
    cell, left, top = 28, 38, 20
    tab.page.hover("#tile canvas", position={"x": left + 10 * cell + 3, "y": top + 3 * cell + 3})
    holder = ws.Ldmatrix(num=4).fragment.holders(2, 3, 2)[0]
    assert tab.page.inner_text("#tile-place").endswith(f"lane {holder[0]} r{holder[1]}.{holder[2]}")
    assert tab.page.inner_text("#fragment-place").startswith(f"Lane {holder[0]} holds")
    before = tab.page.evaluate("document.querySelectorAll('#tile canvas')[1].toDataURL()")
    tab.page.hover("#fragment canvas", position={"x": 30 + 12, "y": 38 + 5 * 24 + 12})
    assert tab.page.inner_text("#fragment-place").startswith("Lane 20 holds")
    assert tab.page.evaluate("document.querySelectorAll('#tile canvas')[1].toDataURL()") != before


def test_undefined_behaviour_is_said_at_its_lane(tab: Tab) -> None:
    address = 16 * np.arange(32)
    address[7] += 2
    tab.show("#v=1&addresses=" + "+".join(map(str, address)))
    tab.page.focus("#banks canvas")
    words = {}
    for lane in range(1, 9):
        tab.page.keyboard.press("ArrowDown")
        words[lane] = tab.page.inner_text("#banks-place")
    assert [lane for lane, text in words.items() if "WS-LDM-001" in text] == [7]
    assert words[3] == "Lane 3: banks 12, 13, 14, 15 in pass 0 of group 0."


def test_a_pass_shows_its_lanes_alone(tab: Tab) -> None:
    tab.show("#v=1")
    options = tab.page.evaluate("[...document.querySelectorAll('#pass option')].map(o => o.innerText)")
    assert options[:3] == ["all", "pass 0 of group 0", "pass 1 of group 0"]
    assert len(options) == 1 + 32
    whole = tab.page.evaluate("document.querySelector('#banks canvas').toDataURL()")
    tab.page.select_option("#pass", "9")
    assert tab.page.evaluate("document.querySelector('#banks canvas').toDataURL()") != whole
    assert "pass=9" in tab.page.evaluate("location.hash")


def test_a_found_layout_is_taken(tab: Tab) -> None:
    tab.show("#v=1&rows=128")
    tab.page.click("#search")
    tab.page.click("#found-list button >> nth=0")
    state = tab.page.evaluate("explorer.state()")
    assert (state["pad"], state["B"], state["M"], state["S"]) == ("0", "3", "3", "3")
    best = ws.search(128, 64, "f16", store="st.shared.v4.b32", load=ws.Ldmatrix(num=4)).best
    assert best.swizzle == ws.Swizzle(3, 3, 3)
    assert tab.page.evaluate("explorer.answer().traffic.wavefronts") == 4
    places = tab.page.evaluate("explorer.points()")
    row = tab.page.evaluate("explorer.found().best[150]")
    x, y = places[150]
    tab.page.click("#found canvas", position={"x": x, "y": y})
    taken = tab.page.evaluate("explorer.state()")
    near = tab.page.evaluate("explorer.found().best[explorer.chosen()]")
    assert [near[6], near[7]] == [row[6], row[7]]
    assert taken["pad"] == str(near[0])


def shared_states(tab: Tab, count: int) -> list[tuple[dict[str, str], Any]]:
    """States with an access, and the page's answers."""
    random, found = Random(12), []
    forms = [one for one in tab.page.evaluate("explorer.facts.forms") if ".global" not in one]
    while len(found) < count:
        state = random_state(random, forms)
        answer = tab.state(state)
        if "traffic" in answer:
            copies = {kind: tab.page.evaluate(f"explorer.share('{kind}')") for kind in KINDS}
            found.append((copies, answer))
    return found


KINDS = ("python", "cpp", "cli")


def test_python_and_commands_that_are_copied_run(tab: Tab, tmp_path: Path) -> None:
    program, told = tmp_path / "copied.py", 0
    states = shared_states(tab, 60)
    for copies, answer in states:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            program.write_text(copies["python"])
            runpy.run_path(str(program))
        wavefronts = answer["traffic"]["wavefronts"]
        if answer["op"]["kind"] != "movmatrix":
            said = re.search(r"(\d+) wavefronts?", out.getvalue())
            is_told = "Undefined behaviour" not in out.getvalue()  # what an access would cost that has a fault is not
            assert (said is not None) == is_told, copies["python"]
            assert said is None or int(said[1]) == wavefronts, copies["python"]
            told += is_told
        words = shlex.split(copies["cli"])
        assert words[0] == "warpsim"
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            status = main([*words[1:], "--json"])
        assert status in (0, 1), copies["cli"]
        banks = json.loads(out.getvalue())["banks"]
        if banks is not None:
            assert banks["traffic"]["wavefronts"] == wavefronts, copies["cli"]
    compared("states copied as Python and as commands", len(states), at_least=60)
    assert told >= 20


def test_cpp_that_is_copied_compiles_and_runs(tab: Tab, tmp_path: Path) -> None:
    compiler = shutil.which("c++")
    assert compiler is not None
    bodies, expected = [], []
    for copies, answer in shared_states(tab, 24):
        if copies["cpp"] is None:
            assert answer["op"]["kind"] == "movmatrix"
            continue
        head, _, body = copies["cpp"].partition("int main() {")
        assert "#include <warpsim/warpsim.h>" in head
        bodies.append(body.replace("return 1;", "return false;").rstrip().removesuffix("}"))
        expected.append(answer["traffic"]["wavefronts"])
    assert len(bodies) >= 20
    functions = "\n".join(f"static bool copied_{i}() {{{body}    return true;\n}}" for i, body in enumerate(bodies))
    calls = " && ".join(f"copied_{i}()" for i in range(len(bodies)))
    source = tmp_path / "copied.cpp"
    source.write_text(f"{head}\n{functions}\nint main() {{ return {calls} ? 0 : 1; }}\n")
    program = tmp_path / "copied"
    flags = ["-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{INCLUDE}"]
    run(compiler, *flags, source, "-o", program)
    lines = run(program)
    assert [int(line.split()[0]) for line in lines.splitlines()] == expected
    compared("states copied as C++", len(expected), at_least=20)


@pytest.mark.parametrize("picture", ["tile", "banks", "fragment", "packed"])
def test_pictures_are_saved(tab: Tab, picture: str, tmp_path: Path) -> None:
    tab.show(
        "#v=1&op=ldmatrix.sync.aligned.m8n16.x2.shared.b8x16.b6x16_p32&target=sm_100a&type=b6x16_p32&rows=32&cols=64"
    )
    tab.page.select_option("#picture", picture)
    for kind in ("svg", "png"):
        with tab.page.expect_download() as download:
            tab.page.click(f"[data-save={kind}]")
        path = tmp_path / f"{picture}.{kind}"
        download.value.save_as(path)
        if kind == "svg":
            assert len(list(ElementTree.parse(path).iter())) > 100
        else:
            assert path.read_bytes().startswith(b"\x89PNG")


LOOKS = (
    *(look.link for look in pictures.LOOKS), "#v=1&rows=16&cols=16&B=3&M=3&S=3&lane=7",
    "#v=1&op=ldmatrix.x9", "#v=1&target=sm_70&addresses=" + "+".join(["33"] * 32),
    "#v=1&op=ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b4x16_p64&target=sm_100a&type=b4x16_p64",
    "#v=1&op=ldmatrix.sync.aligned.m8n16.x1.shared.s8.s4&target=sm_100a&type=s4",
)  # fmt: skip


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_words_are_legible_and_nothing_runs_out(browser: Any, width: int, scheme: str) -> None:
    texts = 0
    options = {"viewport": {"width": width, "height": 844}, "color_scheme": scheme}
    tab, sheet = Tab(browser, **options), browser.new_page(**options)
    for fragment in LOOKS:
        tab.show(fragment)
        tab.page.evaluate("document.getElementById('search').click()")
        found = tab.page.evaluate(MEASURE)
        assert found["dark"] == (scheme == "dark")
        assert found["scrollWidth"] <= width, fragment
        svgs = tab.page.evaluate("explorer.drawn()")
        colors = tab.page.evaluate("explorer.colors()")
        sheet.set_content(f"<body style='background:{colors['paper']}'>{''.join(svgs)}</body>")
        drawn = sheet.evaluate(MEASURE)
        assert drawn["runaways"] == [] and drawn["overlaps"] == [], (fragment, drawn)
        for words, contrast, size in [*found["texts"], *drawn["texts"]]:
            assert contrast >= 4.5, (fragment, words, contrast)
            assert size >= 9, (fragment, words, size)
        texts += len(found["texts"]) + len(drawn["texts"])
    assert tab.noise == []
    compared("texts of the explorer with enough contrast and size", texts, at_least=4000)


def test_documentation_shows_the_states(tab: Tab) -> None:
    assert pictures.PAGE.read_text("utf-8").endswith(pictures.section())
    files = {look.picture(width) for look in pictures.LOOKS for width in pictures.WIDTHS}
    assert files == set(pictures.FOLDER.iterdir())
    assert len(pictures.LOOKS) == 9
    for look in pictures.LOOKS:
        for width in pictures.WIDTHS:
            begin = look.picture(width).read_bytes()[:24]
            assert int.from_bytes(begin[16:20], "big") == width
        assert "error" not in tab.show(look.link)


def test_how_long_it_takes(browser: Any) -> None:
    """Printed, not asserted as time: first view, an edit of a 128x128 tile, the whole search."""
    tab = Tab(browser, "#v=1&rows=128&cols=128")
    first = tab.page.evaluate("firstViewMilliseconds")
    edits, searches = [], []
    for turn in range(30):
        tab.page.fill("#pad", str(8 * (turn % 3)))
        edits.append(tab.page.evaluate("redrawMilliseconds"))
    for _ in range(5):
        assert tab.search()["candidates"] == 17_095
        searches.append(tab.page.evaluate("searchMilliseconds"))
    assert tab.noise == []
    assert min(first, *edits, *searches) > 0
    figure("explorer: first view", first, "ms")
    figure("explorer: an edit of a 128x128 tile (median)", statistics.median(edits), "ms")
    figure("explorer: an edit of a 128x128 tile (slowest)", max(edits), "ms")
    figure("explorer: search of 17,095 layouts (slowest)", max(searches), "ms")


def test_page_asks_for_nothing() -> None:
    text = PAGE.read_text("utf-8")
    assert re.findall(r"""(?:src|href|action)\s*=\s*["'][^"'#]""", text) == []
    assert "default-src 'none'" in text
    assert not re.search(r"\b(eval|fetch|XMLHttpRequest|WebSocket|innerHTML|import)\b\s*[(=]", text)
    assert np.isclose(PAGE.stat().st_size, len(text.encode()))
