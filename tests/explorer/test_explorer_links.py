"""From a report to the explorer: its link, and its frame in a notebook."""

import base64
import gzip
import json
import pickle
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.support.explorer_page import PLACES, ROWS, X4, address_of, layout_of, read, resolved, wait_for
from tests.support.paths import TESTS
from warpsim import _core, explorer, paths
from warpsim.cli.server import ExplorerServer
from warpsim.explorer import DEFAULTS, ExplorerFrame
from warpsim.instruction.explanation import Spot, explain
from warpsim.tile.layout import PACKED

LANE = np.arange(32)
WINDOW = 0x7FFF_0000_0000
SIDES: dict[str, Any] = {"store": ws.CpAsync(), "load": X4}


LAYOUTS = (
    ws.Layout(64, 64, "f16"),
    ws.Layout(64, 64, "f16", pad=8),
    ws.Layout(128, 64, "bf16", swizzle=ws.Swizzle(3, 3, 3)),
    ws.Layout(64, 64, "f16", "row", 8, ws.Swizzle(2, 3, -3)),
    ws.Layout(64, 32, "f32", order="col", pad=4),
    ws.Layout(64, 64, "s8", "col", 16, ws.Swizzle(2, 4, 3, "byte")),
    ws.Layout(64, 128, "s4", swizzle=ws.Swizzle(1, 5, 3)),
    ws.Layout(64, 64, "b6x16_p32", swizzle=ws.Swizzle(2, 4, 3, "byte")),
    ws.Layout(64, 64, "b4x16_p64", pad=16),
    ws.Layout(64, 64, "f64", swizzle=ws.Swizzle(0, 3, 3)),
)


def plain(layout: ws.Layout) -> ws.Layout:
    """A swizzle of no bits does not swizzle."""
    swizzle = layout.swizzle if layout.swizzle is not None and layout.swizzle.B else None
    given = (layout.rows, layout.cols, layout.type, layout.order, layout.pad)
    return ws.Layout(*given, swizzle)


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_link_of_a_tile_has_both_sides(layout: ws.Layout) -> None:
    load = ws.Ldmatrix(num=2) if layout.type not in PACKED else ws.Ld(vec=4)
    report = ws.tile(layout, store=ws.St(vec=2), load=load, warps=2, target="sm_80")
    state = read(report.explore_url())
    assert layout_of(state) == plain(layout)
    assert (ws.parse(state["op"]), ws.parse(state["fill"])) == (report.load.op, report.store.op)
    assert (state["warps"], state["target"], state["addresses"]) == ("2", "sm_80", "")
    again = ws.tile(
        layout_of(state), store=state["fill"], load=state["op"], warps=int(state["warps"]),
        target=state["target"],
    )  # fmt: skip
    for name in ("store", "load", "cycles", "bytes", "findings"):
        assert again.to_dict()[name] == report.to_dict()[name], name
    compared("links of tiles", 1, at_least=1)


def test_link_of_a_search_has_its_best_layout() -> None:
    found = ws.search(128, 64, "f16", warps=8, target="sm_86", **SIDES)
    state = read(found.explore_url())
    assert layout_of(state) == found.best
    assert (ws.parse(state["op"]), ws.parse(state["fill"])) == (X4, ws.CpAsync())
    assert (state["warps"], state["target"]) == ("8", "sm_86")
    packed = ws.search(
        64, 64, "b6x16_p32", store=ws.CpAsync(), load=ws.Ld(vec=4), pads=[0],
        swizzles=[ws.Swizzle(3, 4, 3, "byte")],
    )  # fmt: skip
    assert layout_of(read(packed.explore_url())) == packed.best


def test_link_of_a_search_without_a_result_is_refused_in_words() -> None:
    found = ws.search(128, 64, "f16", pads=[1], swizzles=[None], **SIDES)
    for ask in (found.explore_url, found.explore):
        with pytest.raises(ValueError, match=r"^no candidate is legal \(1: "):
            ask()


@pytest.mark.parametrize(
    ("op", "target"),
    [
        (X4, "sm_90"),
        (ws.Movmatrix(), "sm_90"),
        (ws.WmmaLoad(operand="c", type="s32", shape="m8n32k16"), "sm_75"),
        (ws.WmmaLoad(operand="c", type="s32", shape="m8n32k16"), "sm_90"),
        (ws.Ldmatrix(shape="m8n16", type="b8x16.b6x16_p32"), "sm_120a"),
    ],
)
def test_link_of_a_fragment_has_its_instruction(op: ws.DataMovement, target: str) -> None:
    fragment = op.fragment_for(target)
    state = read(fragment.explore_url())
    assert ws.parse(state["op"]) == op
    again = op.fragment_for(target if state["target"] == DEFAULTS["target"] else state["target"])
    assert again == fragment


def accesses() -> Iterator[tuple[ws.DataMovement, Any, dict[str, Any]]]:
    """Instructions with addresses, strides and targets."""
    yield X4, ROWS, {}
    yield ws.Ldmatrix(num=1), np.where(LANE < 8, LANE * 16, -1), {}
    yield ws.Ldmatrix(num=2, space=""), WINDOW + LANE * 80, {}
    yield ws.Stmatrix(shape="m16n8", num=2, trans=True, type="b8"), LANE * 48, {}
    yield ws.Ld(vec=4), LANE * 16, {}
    yield ws.Ld(space="global"), 2**52 + LANE * 4, {}
    yield ws.St(type="b64"), LANE * 128, {"active": 0xFFFF_FFFF}
    yield ws.CpAsync(), ws.Layout(8, 64, "f16", pad=8).addresses(ws.CpAsync()), {}
    yield ws.WmmaLoad(), 64, {}
    yield ws.WmmaLoad(), [64], {"stride": 24}
    yield ws.WmmaStore(type="f32"), np.full(32, 128), {"stride": -16}
    yield ws.WmmaLoad(), LANE * 32, {"stride": 24, "target": "sm_80"}
    yield X4, ROWS, {"target": "sm_75"}
    yield X4, ROWS, {"target": "sm_90a"}
    yield ws.Movmatrix(), None, {}


def test_link_of_banks_and_costs_has_their_addresses() -> None:
    count = 0
    for op, address, options in accesses():
        banks = op.explain(address, **options)
        cost = op.cost(address, warps=3, **{"target": "sm_120a", **options})
        for report in (banks, cost):
            state = read(report.explore_url())
            assert ws.parse(state["op"]) == op
            again = None if op.kind == "movmatrix" else address_of(state, op)[0]
            stride = int(state["stride"]) if state["stride"] else None
            if report is banks:
                target = options.get("target")
                assert state["target"] == (target or DEFAULTS["target"])
                assert op.explain(again, stride=stride, target=target).to_dict() == banks.to_dict()
            else:
                assert (state["warps"], state["target"]) == ("3", cost.target)
                assert op.cost(again, stride=stride, target=cost.target, warps=3) == cost
            count += 1
    compared("links of banks and costs", count, at_least=28)


def test_pickles_that_kept_no_addresses_are_refused_in_words() -> None:
    path = TESTS / "robust" / "pickles" / "0.1.0.json.gz"
    kept = json.loads(gzip.decompress(path.read_bytes()))
    for name in ("BankReport", "Explanation", "Cost"):
        old = pickle.loads(base64.b64decode(kept[name]["pickles"]["4"]))
        with pytest.raises(ValueError, match="by a version that did not keep addresses"):
            old.explore_url()


def test_pickled_report_has_the_same_link() -> None:
    layout = ws.Layout(16, 16, "f16", pad=8)
    fragment = X4.fragment
    reports = (
        explain(X4, layout.addresses(X4), spot=Spot("", layout, at=(0, 0))), X4.explain(ROWS), X4.cost(ROWS), fragment,
        ws.tile(layout, warps=1, **SIDES), ws.search(16, 16, "f16", warps=1, pads=[8], swizzles=[None], **SIDES),
    )  # fmt: skip
    for report in reports:
        again = pickle.loads(pickle.dumps(report))
        assert again.explore_url() == report.explore_url()
    compared("links of pickled reports", len(reports), at_least=6)


JUDGED = [[], ["--target", "sm_75"], ["--target", "sm_101a"], ["--target", "sm_80", "--ptx-version", "7.0"]]


def test_link_of_an_explanation_has_its_place() -> None:
    count = 0
    for ptx, words in PLACES:
        op, place = resolved(ptx, words)
        for judged in JUDGED:
            target, version = [*judged[1::2], None, None][:2]
            report = explain(
                op, place.address, stride=place.stride, target=target, ptx_version=version, spot=place.spot()
            )
            state = read(report.explore_url())
            assert ws.parse(state["op"]) == op
            if place.layout is not None:
                assert layout_of(state) == plain(place.layout)
            if place.address is not None:
                address, stride = address_of(state, op)
                assert np.array_equal(address[: len(place.address)], place.address)
                assert len(set(address[len(place.address) - 1 :])) == 1 or not op.is_wmma
                assert stride == place.stride
            generic = op.space == "" and op.kind != "cp.async"
            assert bool(state["addresses"]) == (bool(words) and (generic or "--address" in words))
            if target is not None:
                asked = report.to_dict()["legality"]
                newest = _core.newest_ptx(_core.TARGETS.index(target))
                version = state["version"] or f"{newest // 10}.{newest % 10}"
                assert state["target"] == target
                assert op.legality(target, version).ok == asked["ok"]
                assert asked["ptx_version"] == version
            count += 1
    compared("links of explanations", count, at_least=50)


@pytest.mark.parametrize("base", ["", "explorer.html", "https://example.org/a/explorer.html?b=1"])
def test_base_comes_before_the_state(base: str) -> None:
    assert read(X4.explain(ROWS).explore_url(base), base)["op"] == X4.ptx


class Tags(HTMLParser):
    """The start tags of a text, with their attributes as a browser has them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


FRAMES = {
    "report": X4.explain(ROWS).explore(),
    "hosted": X4.explain(ROWS).explore("https://example.org/explorer.html?a=1&b=2"),
    "hostile": ExplorerFrame('"><script>alert(1)</script>', "#v=1&op='\"><img src=x>&amp;"),
    "state": ExplorerFrame("x", explorer.fragment({"op": "</iframe><script>\"'&#\n\x00é"})),
}  # fmt: skip


@pytest.mark.parametrize("name", FRAMES)
def test_frame_holds_the_page_with_its_state(name: str) -> None:
    frame = FRAMES[name]
    [(tag, attributes)] = Tags(frame._repr_html_()).tags
    assert tag == "iframe"
    assert attributes["sandbox"] == "allow-scripts allow-downloads"
    assert attributes["allow"] == "clipboard-write" and attributes["title"]
    inside = attributes["srcdoc"]
    first, *others = Tags(inside).tags
    assert first == ("html", {"lang": "en", "data-state": frame.state, "data-home": frame.home})
    assert others == Tags(explorer.page()).tags[1:]
    root = re.search(r"<html [^>]*>", inside)
    assert root and inside.replace(root[0], explorer.ROOT, 1) == explorer.page()
    assert str(frame) == frame.home + frame.state


def test_frame_of_a_report_is_its_link() -> None:
    report = X4.explain(ROWS)
    assert str(report.explore()) == report.explore_url()
    assert str(report.explore("a.html")) == report.explore_url("a.html")
    assert pickle.loads(pickle.dumps(report.explore())) == report.explore()


def test_state_is_written_in_characters_that_need_no_care() -> None:
    hostile = "</script>\"'<>&#%+ \n\x00é"
    words = explorer.fragment({"op": hostile, "pass": hostile})
    assert re.fullmatch(r"#[A-Za-z0-9_.~%+=&-]+", words)
    assert dict(parse_qsl(words[1:]))["pass"] == hostile
    with pytest.raises(ValueError, match="is not in list"):
        explorer.fragment({"colour": "red"})


@pytest.mark.slow
def test_page_opens_with_the_numbers_of_the_report(server: ExplorerServer, browser: Any) -> None:
    tile = ws.tile(ws.Layout(64, 64, "f16", pad=8), store=ws.St(vec=4), load=X4)
    op, place = resolved(*PLACES[0])
    explained = explain(op, place.address, target="sm_80", spot=place.spot())
    banks = ws.WmmaLoad().explain(64, stride=24)
    page = browser.new_page()

    def answer(url: str) -> Any:
        page.goto("about:blank")
        page.goto(url)
        wait_for(page, "window.explorer")
        return page.evaluate("explorer.answer()")

    bare = answer(paths.explorer().as_uri())
    assert page.evaluate("explorer.state()").items() <= DEFAULTS.items()
    assert bare["op"]["ptx"] == DEFAULTS["op"]
    for base in (None, server.url):
        assert answer(banks.explore_url(base))["traffic"]["wavefronts"] == banks.wavefronts
        wavefronts = explained.to_dict()["banks"]["traffic"]["wavefronts"]
        assert answer(explained.explore_url(base))["traffic"]["wavefronts"] == wavefronts
        found = answer(tile.explore_url(base))["tile"]
        for name, side in (("store", tile.store), ("load", tile.load)):
            assert found[name]["traffic"]["wavefronts"] == side.traffic.sum().wavefronts
    conflicts = X4.explain(ROWS)
    assert answer(conflicts.explore_url())["traffic"]["wavefronts"] == conflicts.wavefronts == 32
    compared("reports opened in a browser as links", 7, at_least=7)


@pytest.mark.slow
def test_frame_runs_inside_a_page_of_another_origin(browser: Any) -> None:
    frame = X4.explain(ROWS).explore()
    page = browser.new_page()
    page.set_content(f"<!doctype html><title>notebook</title>{frame._repr_html_()}")
    inside = page.frames[1]
    wait_for(inside, "document.documentElement.dataset.state")
    assert inside.evaluate("document.documentElement.dataset.state") == frame.state
    assert inside.evaluate("document.documentElement.dataset.home") == frame.home
    wait_for(inside, "window.explorer")
    assert inside.evaluate("explorer.answer().traffic.wavefronts") == 32
    for _ in range(5):  # it has no address of its own to keep the lane in
        inside.press("#fragment canvas", "ArrowDown")
    state = {**dict(parse_qsl(frame.state[1:])), "lane": "5"}
    assert inside.evaluate("explorer.share('link')") == frame.home + explorer.fragment(
        {key: state[key] for key in DEFAULTS if key in state}
    )
