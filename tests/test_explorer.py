"""The explorer: one page with the C core in it, whose numbers are those of the package."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pytest
from browser import chromium
from evidence import compared

import warpsim as ws
from warpsim import _core, explanation
from warpsim.layout import PACKED, TYPE_BITS

ROOT = Path(__file__).parents[1]
PAGE = Path(str(files("warpsim") / "data" / "explorer.html"))
STATES = 120
MOST_BYTES = 300_000
FILLS = (
    "st.shared.b32", "st.shared.v4.b32", "cp.async.cg.shared.global [a], [b], 16;",
    "cp.async.ca.shared.global [a], [b], 4;", "stmatrix.sync.aligned.m8n8.x4.shared.b16",
)  # fmt: skip
ARCHITECTURES = {name: ws.arch(name) for name in _core.TARGETS}


class Page:
    """A tab with the explorer; what went to its console or out of it is kept."""

    def __init__(self, browser: Any) -> None:
        self.page = browser.new_page(viewport={"width": 1280, "height": 900})
        self.noise: list[str] = []
        self.page.on("console", lambda message: self.noise.append(message.text))
        self.page.on("pageerror", lambda error: self.noise.append(str(error)))
        self.page.on("request", lambda request: self.noise.append(request.url))
        self.page.goto(PAGE.as_uri())
        self.page.wait_for_function("window.explorer")
        self.noise.remove(PAGE.as_uri())

    def show(self, fragment: str) -> Any:
        """The answer to a link, as the page has it."""
        self.page.evaluate("words => { location.hash = words; }", fragment)
        self.page.evaluate("() => new Promise(done => setTimeout(done, 0))")
        return self.page.evaluate("explorer.answer()")


@pytest.fixture(scope="module")
def tab() -> Iterator[Page]:
    with chromium() as browser:
        yield Page(browser)


def random_state(random: Random, forms: list[str]) -> dict[str, str]:
    """A link's words; most of them fit together."""
    type = random.choice(list(TYPE_BITS))
    sizes = (8, 16, 32, 48, 64, 128)
    b = random.choice((0, 0, 1, 2, 3))
    state = {
        "op": random.choice(forms), "target": random.choice(_core.TARGETS), "type": type,
        "rows": str(random.choice(sizes)), "cols": str(random.choice(sizes)),
        "order": random.choice(("row", "row", "col")), "warps": str(random.choice((1, 2, 4, 8))),
        "pad": str(random.choice((0, 0, 8, 16, 4))), "B": str(b),
        "M": str(random.choice((0, 3, 4))), "S": str(random.choice((3, -3, 4))),
        "unit": "byte" if type in PACKED else random.choice(("element", "byte")),
        "row": str(random.choice((0, 0, 8))), "col": str(random.choice((0, 0, 8))),
        "arrange": random.choice(("col", "row")), "fill": random.choice(FILLS),
    }  # fmt: skip
    if random.random() < 0.3:
        unit = random.choice((16, 16, 4, 1))
        state["addresses"] = " ".join(str(random.randrange(4096) * unit) for _ in range(32))
    return state


def layout_of(state: dict[str, str]) -> ws.Layout:
    b, m, s = (int(state[key]) for key in "BMS")
    swizzle = ws.Swizzle(b, m, s, state["unit"]) if b else None
    size = int(state["rows"]), int(state["cols"])
    return ws.Layout(*size, state["type"], state["order"], int(state["pad"]), swizzle)


def address_of(state: dict[str, str], op: ws.Instruction) -> Any:
    """Of the list, or of the tile: with wmma p in all lanes, for generic ones in the window."""
    if "addresses" in state:
        return np.array([int(word) for word in state["addresses"].split()])
    place = int(state["row"]), int(state["col"])
    layout = layout_of(state)
    window = 0x7FFF_0000_0000 if op.space == "" and op.kind != "cp.async" else 0
    if op.is_wmma:
        return np.full(32, layout(*place)) + window
    return layout.addresses(op, *place, state["arrange"]) + window


def check_access(state: dict[str, str], op: ws.Instruction, address: Any, found: Any) -> None:
    """Counters, banks, cycles and findings of the instruction itself."""
    name = state["target"]
    target = name if op.legality(name, "9.5").min_ptx_version is not None else None
    traffic = op.traffic(address, target=target).to_dict()
    for key, value in found["traffic"].items():
        assert value == traffic[key], key
    banks = op.explain(address, target=target).to_dict()["groups"]
    assert found["banks"]["wavefronts"] == [group["wavefronts"] for group in banks]
    cells = [
        [index, cell["lane"], cell["bank"], cell["pass"], cell["word"]]
        for index, group in enumerate(banks)
        for cell in group["cells"]
    ]
    assert np.array_equal(np.reshape(found["banks"]["cells"], (-1, 5)), np.reshape(cells, (-1, 5)))
    if target is None:
        assert "cost" not in found
    else:
        cost = op.cost(address, target=target, warps=int(state["warps"]))
        assert (found["cost"]["latency"], found["cost"]["interval"]) == (
            cost.latency,
            cost.interval,
        )
        assert found["cost"]["bound"] == cost.bound
        assert (found["cost"]["error"] if found["cost"]["error"] >= 0 else None) == cost.error
    if (
        op.kind != "movmatrix"
        and op.space != "global"
        and not (target in ("sm_70", "sm_72") and op.is_wmma)
    ):
        said = explanation.explain(op, address, target=name).to_dict()["findings"]
        assert [one["message"] for one in found["findings"]] == [one["message"] for one in said]


def check_sides(state: dict[str, str], op: ws.Instruction, found: Any) -> None:
    """Both sides of the tile, where they cover it."""
    try:
        report = ws.tile(
            layout_of(state), store=state["fill"], load=op, warps=int(state["warps"]),
            target=state["target"],
        )  # fmt: skip
    except (ValueError, TypeError, ws.UnsupportedError):
        return
    for name, side in (("store", report.store), ("load", report.load)):
        traffic = side.traffic.sum().to_dict()
        assert found[name]["traffic"] == {key: traffic[key] for key in found[name]["traffic"]}
        assert found[name]["cycles"] == side.cycles
    said = [(one.rule, one.side, one.message) for one in report.findings]
    assert [(one["rule"], one["side"], one["message"]) for one in found["findings"]] == said


def test_page_is_what_build_makes(tmp_path: Path) -> None:
    clang = shutil.which("clang")
    assert PAGE.stat().st_size < MOST_BYTES
    if clang is None or shutil.which("wasm-ld") is None:
        if os.environ.get("CI"):
            pytest.fail("CI needs clang and lld: apt-get install clang lld")
        pytest.skip("no clang and lld on this machine")
    version = subprocess.run([clang, "--version"], capture_output=True, text=True, check=True)
    made = tmp_path / "explorer.html"
    subprocess.run([sys.executable, str(ROOT / "web" / "build.py"), str(made)], check=True)
    if " 14." in version.stdout:  # another clang makes other code
        assert made.read_bytes() == PAGE.read_bytes(), "stale: python3 web/build.py"


def test_numbers_are_those_of_the_package(tab: Page) -> None:
    random = Random(9)
    forms: list[str] = tab.page.evaluate("explorer.facts.forms")
    accesses = sides = refused = 0
    for _ in range(STATES):
        state = random_state(random, forms)
        found = tab.show("#v=1&" + urlencode(state))
        op = ws.parse(state["op"])
        assert found["op"]["ptx"] == op.ptx
        legality = op.legality(state["target"], f"{found['legality']['ptx'] / 10:.1f}")
        assert (found["legality"]["ok"], found["legality"]["reasons"]) == (
            legality.ok,
            list(legality.reasons),
        )
        if op.is_collective:
            elements = np.reshape(found["fragment"]["elements"], (-1, 3))
            assert np.array_equal(elements, op.fragment.elements.reshape(-1, 3))
        if op.kind == "movmatrix":
            continue
        try:
            address = address_of(state, op)
        except (ValueError, TypeError):
            assert "traffic" not in found and found["tile"]["error"]
            refused += 1
            continue
        check_access(state, op, address, found)
        accesses += 1
        if "store" in found["tile"] and "load" in found["tile"] and "findings" in found["tile"]:
            check_sides(state, op, found["tile"])
            sides += 1
    assert tab.noise == []
    compared("states of the explorer: accesses", accesses, at_least=STATES // 3)
    compared("states of the explorer: tiles", sides, at_least=5)
    compared("states of the explorer: refused by both", refused, at_least=5)


def test_search_is_that_of_the_package(tab: Page) -> None:
    tab.show("#v=1&rows=128&cols=64&fill=st.shared.v4.b32")
    tab.page.click("#search")
    found = tab.page.evaluate("explorer.found()")
    said = ws.search(128, 64, "f16", store="st.shared.v4.b32", load=ws.Ldmatrix(num=4))
    assert found["counted"] == len(said)
    assert found["candidates"] == len(said) + sum(said.rejected.values())
    columns = ("pad", "B", "M", "S", "store_wavefronts", "load_wavefronts", "bytes")
    ranked = said.columns()
    for row, values in enumerate(found["best"]):
        assert values[:7] == [int(ranked[name][row]) for name in columns]
    compared("layouts that the explorer ranks", len(found["best"]), at_least=200)
    assert tab.noise == []


HOSTILE = (
    "#", "#v=9&op=x", "#v=1&op=<script>alert(1)</script>", "#v=1&rows=-1&cols=1e9&pad=NaN",
    "#" + "%ff%00" * 2000, "#v=1&op=" + "a" * 60_000, "#v=1&addresses=" + "9" * 50_000,
    "#" + "x" * 1_000_000, "#v=1&__proto__=1&constructor=2",
    "#v=1&B=8&M=16&S=-16&rows=4096&cols=4096",
    "#v=1&op=" + "%0Atarget%3Dsm_70" * 3, "#v=1&type=%22%3E%3Cimg%20src%3Dx%3E",
)  # fmt: skip


@pytest.mark.parametrize("fragment", HOSTILE, ids=lambda text: text[:30])
def test_hostile_links_leave_the_page_alive(tab: Page, fragment: str) -> None:
    tab.show(fragment)
    assert tab.page.evaluate("document.querySelectorAll('script, img').length") == 2
    assert tab.page.inner_text("#verdict")
    found = tab.show("#v=1&rows=32&cols=32")
    assert found["traffic"]["wavefronts"] == 16
    assert tab.noise == []
