"""The explorer says what to do: headline and remedy, unfinished edits, examples, comparison, play, undo."""

import re
from typing import Any

import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.support.explorer_page import Tab, layout_of, wait_for
from tests.support.paths import DOCS

pytestmark = pytest.mark.slow

COPY = "cp.async.cg.shared.global+[a],+[b],+16;"

#: link -> the headline, and the button beside it
HEADLINES = {
    "": ("28 bank conflicts, 8 times the wavefronts. Swizzle<3,3,3> has none.", "Apply Swizzle<3,3,3>"),
    "B=3&M=3&S=3": ("No bank conflicts: 4 wavefronts, the fewest possible.", None),
    "op=wmma.load.a.sync.aligned.row.m16n16k16.shared.f16": (
        "28 bank conflicts, 8 times the wavefronts. Padding 8 has none.", "Apply padding 8",
    ),
    f"rows=128&pad=8&fill={COPY}": (
        "No bank conflicts here, but filling the whole tile takes 2.6 times the wavefronts. Swizzle<3,3,3> fills",
        "Apply Swizzle<3,3,3>",
    ),
    "pad=4": ("Undefined behaviour in lane 1 and 15 more.", "Apply Swizzle<3,3,3>"),
    "target=sm_70": ("Illegal on sm_70, PTX 9.5: ldmatrix needs sm_75", "Switch to sm_75"),
    "version=6.0": ("Illegal on sm_90, PTX 6.0: ", "Use the newest PTX version"),
    "rows=8": ("The instruction cannot read this tile: ", "Make it 16 rows"),
    "op=ldmatrix.x9": ("This is not an instruction that the page knows.", None),
    "op=movmatrix.sync.aligned.m8n8.trans.b16": ("movmatrix moves registers alone: it has no bank conflicts.", None),
}  # fmt: skip


def headline(tab: Tab) -> str:
    return str(tab.page.inner_text("#headline-text"))


@pytest.mark.parametrize("fragment", HEADLINES)
def test_headline_says_what_is_wrong_and_its_button_fixes_it(tab: Tab, fragment: str) -> None:
    text, button = HEADLINES[fragment]
    tab.show(f"#v=1&{fragment}")
    assert headline(tab).startswith(text)
    assert tab.page.is_visible("#apply") == (button is not None)
    if button is None:
        return
    assert tab.page.inner_text("#apply") == button
    tab.page.click("#apply")
    assert not headline(tab).startswith(text)
    answer = tab.page.evaluate("explorer.answer()")
    assert answer["legality"]["ok"] and answer["tile"].get("error") is None
    if "Apply" in button:
        assert headline(tab).startswith("No bank conflicts")


def test_remedy_is_counted_by_the_package(tab: Tab) -> None:
    count = 0
    for op in (ws.Ldmatrix(num=4), ws.Ldmatrix(num=2, trans=True), ws.Ld(vec=4), ws.Ld(), ws.St(vec=2)):
        for type, cols in (("f16", 16), ("f16", 64), ("f32", 32), ("s8", 128), ("f32", 128)):
            for order in ("row", "col"):
                state = {"op": op.ptx, "type": type, "rows": "64", "cols": str(cols), "order": order, "pad": "16"}
                answer = tab.state({**state, "fill": "", "pad": "0"})
                if "remedy" not in answer:
                    continue
                fields = {key: str(answer["remedy"][key]) for key in ("pad", "B", "M", "S", "unit")}
                layout = layout_of({**state, **fields})
                traffic = op.traffic(layout.addresses(op))
                assert answer["remedy"]["traffic"]["wavefronts"] == traffic.wavefronts.item()
                assert traffic.wavefronts < answer["traffic"]["wavefronts"]
                count += 1
    compared("remedies of the explorer", count, at_least=15)


def test_an_unfinished_swizzle_keeps_the_last_answer(tab: Tab) -> None:
    tab.show("#v=1")
    before = tab.page.evaluate("document.querySelector('#tile canvas').toDataURL()")
    for key, value, is_stale in (("B", "3", True), ("M", "3", True), ("S", "3", False)):
        tab.page.fill(f"#{key}", value)
        assert tab.page.is_visible("#stale") == is_stale
        assert tab.page.is_visible("#tile") and tab.page.is_visible("#counters") and tab.page.is_visible("#banks")
        if is_stale:
            assert headline(tab).startswith("28 bank conflicts")
            assert tab.page.evaluate("document.querySelector('#tile canvas').toDataURL()") == before
            assert tab.page.inner_text("#tile-error") == "S: expected a distance of at least B"
            assert tab.page.evaluate("document.getElementById('tile-error').previousElementSibling.htmlFor") == "S"
            assert tab.page.get_attribute("#S", "aria-invalid") == "true"
    assert headline(tab).startswith("No bank conflicts")
    assert tab.page.inner_text("#tile-error") == "" and tab.page.get_attribute("#S", "aria-invalid") is None


@pytest.mark.parametrize(
    ("box", "text"), [("op", "ldmatrix.sync"), ("rows", ""), ("rows", "4"), ("addresses", "0 16"), ("pad", "x")]
)
def test_nothing_blanks_while_typing(tab: Tab, box: str, text: str) -> None:
    tab.show("#v=1&lane=3")
    counters = tab.page.inner_text("#counters")
    tab.page.eval_on_selector(f"#{box}", "(at, text) => { at.type = 'text'; at.value = text; }", text)
    tab.page.eval_on_selector(f"#{box}", "(at) => at.dispatchEvent(new Event('input', { bubbles: true }))")
    is_stale = text != ""  # an empty field has its default
    assert tab.page.is_visible("#stale") == is_stale
    assert tab.page.inner_text("#counters") == counters
    assert "ws.Layout(64, 64" in tab.page.evaluate("explorer.share('python')")
    tab.page.reload()
    wait_for(tab.page, "window.explorer")
    tab.noise.clear()


def test_examples_are_the_questions_and_the_words_of_others(tab: Tab) -> None:
    groups = tab.page.evaluate(
        "[...document.querySelectorAll('#preset optgroup')].map(g => [g.label, [...g.children].map(o => o.innerText)])"
    )
    pages = sorted(path.name for path in (DOCS / "howto").glob("*/[01][0-9]_*.md"))
    questions = dict(groups)["The fifteen questions"]
    assert [int(name.split(".")[0]) for name in questions] == [int(page[:2]) for page in pages]
    assert [name for name, _ in groups[1:]] == ["CuTe", "TMA", "Triton"]
    count = 0
    for _, names in groups:
        for name in names:
            tab.page.select_option("#preset", label=name)
            assert headline(tab), name
            assert tab.page.inner_text("#status") == "", name
            answer = tab.page.evaluate("explorer.answer()")
            assert "error" not in answer and answer["tile"].get("error") is None, name
            count += 1
    assert tab.noise == []
    compared("examples of the explorer", count, at_least=29)


#: question -> what the page on it says
QUESTIONS = {
    "1.": "28 bank conflicts", "2.": "4 bank conflicts", "3.": "2 bank conflicts", "4.": "No bank conflicts: 4",
    "5.": "1 bank conflict, 2 times", "9.": "The store side cannot use this layout: Swizzle<3,3,3> (in elements)",
    "11.": "2 bank conflicts", "15.": "No bank conflicts here, but filling",
    "6.": "No bank conflicts: 4", "7.": "No bank conflicts here, but filling", "8.": "No bank conflicts: 4",
    "10.": "Illegal on sm_90a", "12.": "Undefined behaviour", "13.": "Undefined behaviour",
    "14.": "Undefined behaviour",
}  # fmt: skip


@pytest.mark.parametrize("question", QUESTIONS)
def test_example_of_a_question_has_its_answer(tab: Tab, question: str) -> None:
    names = tab.page.evaluate("[...document.querySelectorAll('#preset option')].map(o => o.innerText)")
    tab.page.select_option("#preset", label=next(name for name in names if name.startswith(question)))
    assert headline(tab).startswith(QUESTIONS[question])


def test_two_layouts_are_shown_side_by_side(tab: Tab) -> None:
    tab.show("#v=1")
    assert not tab.page.is_visible("#beside-tile")
    tab.page.fill("#beside", "3,3,3")
    boxes = [tab.page.locator(f"#{id}").bounding_box() for id in ("tile", "beside-tile")]
    assert boxes[0]["y"] == boxes[1]["y"] and boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"]
    rows = tab.page.evaluate("[...document.querySelectorAll('#compare tr')].map(r => r.innerText.split('\\t'))")
    table = {name: (ours, other) for name, ours, other in rows}
    assert table[""] == ("plain", "swizzle=3,3,3")
    for words, swizzle in ((0, None), (1, ws.Swizzle(3, 3, 3))):
        layout = ws.Layout(64, 64, "f16", swizzle=swizzle)
        report = ws.tile(layout, store=ws.St(vec=4), load=ws.Ldmatrix(num=4), target="sm_90")
        assert int(table["wavefronts to read"][words]) == report.load.traffic.wavefronts.sum()
        assert int(table["wavefronts to fill"][words]) == report.store.traffic.wavefronts.sum()
    assert "beside=3%2C3%2C3" in tab.page.evaluate("location.hash")
    tab.page.click("#swap")
    assert tab.page.evaluate("explorer.state().B") == "3" and tab.page.input_value("#beside") == "plain"
    tab.page.fill("#beside", "3,3")
    assert "expected plain" in tab.page.inner_text("#beside-error")
    tab.page.click("#pin")
    tab.page.fill("#pad", "8")
    assert tab.page.input_value("#beside") == "swizzle=3,3,3" and tab.page.is_visible("#beside-tile")


def test_passes_are_played(tab: Tab) -> None:
    tab.show("#v=1&op=ldmatrix.sync.aligned.m8n8.x1.shared.b16")
    tab.page.clock.install()
    tab.page.click("#play")
    seen = [tab.page.input_value("#pass")]
    assert tab.page.inner_text("#play") == "Pause"
    for _ in range(8):
        tab.page.clock.run_for(600)
        seen.append(tab.page.input_value("#pass"))
    assert seen == [*map(str, range(8)), ""]
    assert tab.page.inner_text("#play") == "Play"
    tab.page.click("#play")
    tab.page.click("#play")
    tab.page.clock.run_for(3000)
    assert tab.page.input_value("#pass") == "0"


def test_readout_is_at_the_pointer(tab: Tab) -> None:
    tab.show("#v=1&rows=16&cols=16&beside=pad=8")
    for id in ("tile", "beside-tile", "banks", "fragment"):
        tab.page.locator(f"#{id}").scroll_into_view_if_needed()
        box = tab.page.locator(f"#{id} canvas >> nth=0").bounding_box()
        x, y = box["x"] + 60, box["y"] + 60
        tab.page.mouse.move(x, y)
        tip = tab.page.locator("#tip").bounding_box()
        assert tip is not None, id
        assert abs(tip["x"] - x) < 60 and min(abs(tip["y"] - y), abs(tip["y"] + tip["height"] - y)) < 60
        if "tile" in id:
            assert re.match(r"\(\d+, \d+\): byte \d+, bank \d+", tab.page.inner_text("#tip"))
    tab.page.mouse.move(5, 5)
    assert not tab.page.is_visible("#tip")


def test_a_link_to_a_local_file_is_copied_with_a_warning(tab: Tab) -> None:
    tab.show("#v=1&pad=8")
    tab.page.click("[data-copy=link]")
    tab.page.locator("#status", has_text="opens on this computer only").wait_for()
    tab.page.click("[data-copy=cli]")
    tab.page.locator("#status", has_text=re.compile(r"^Copied\.$")).wait_for()
    assert tab.noise == []


def test_changes_are_undone_and_redone(tab: Tab) -> None:
    tab.show("#v=1&target=sm_80")
    tab.page.click("#apply")
    tab.page.click("#pad")
    tab.page.keyboard.press("Control+A")
    tab.page.keyboard.type("16")
    tab.page.select_option("#preset", label="14. Misaligned after padding")
    pads = []
    for _ in range(3):
        pads.append((tab.page.input_value("#pad"), tab.page.input_value("#B")))
        tab.page.keyboard.press("Control+z")
    assert pads == [("4", "0"), ("16", "3"), ("0", "3")]
    assert tab.page.input_value("#B") == "0" and tab.page.input_value("#target") == "sm_80"
    assert "target=sm_80" in tab.page.evaluate("location.hash")
    tab.page.click("#redo")
    assert headline(tab).startswith("No bank conflicts")
    tab.page.keyboard.press("Control+Shift+Z")
    assert tab.page.input_value("#pad") == "16"
    tab.page.click("#undo")
    assert tab.page.input_value("#pad") == "0"


def test_the_browsers_history_goes_back_too(browser: Any) -> None:
    tab = Tab(browser, "#v=1")
    assert tab.page.is_disabled("#undo")
    tab.page.click("#apply")
    tab.page.fill("#rows", "32")
    tab.page.go_back()
    assert tab.page.input_value("#rows") == "64"
    tab.page.go_back()
    assert tab.page.input_value("#B") == "0"
    assert tab.noise == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_results_come_first_on_a_phone(browser: Any, scheme: str) -> None:
    tab = Tab(browser, viewport={"width": 390, "height": 844}, color_scheme=scheme)
    edges = {
        id: tab.page.evaluate("id => document.getElementById(id).getBoundingClientRect().toJSON()", id)
        for id in ("headline", "tile", "counters", "controls")
    }
    assert edges["headline"]["bottom"] < edges["tile"]["top"] < edges["tile"]["bottom"] < 844
    assert edges["tile"]["bottom"] < edges["counters"]["top"] and edges["counters"]["right"] <= 390
    assert edges["controls"]["top"] > 1500
    tab.page.click("#edit")
    top = tab.page.evaluate("document.getElementById('headline').getBoundingClientRect().top")
    assert top == 0  # in sight while the fields below it change
    assert tab.page.evaluate("document.getElementById('controls').getBoundingClientRect().top") < 844
    assert tab.noise == []
