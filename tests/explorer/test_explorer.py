"""The explorer: one page with the C core in it, whose numbers are those of the package."""

import os
import shutil
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.support.explorer_page import PAGE, Tab, address_of, layout_of, origin_of, random_state
from tests.support.paths import ROOT
from tests.support.process import run
from warpsim.instruction import explanation

pytestmark = pytest.mark.slow

STATES = 500
WINDOW = {"viewport": {"width": 1280, "height": 40}}  # numbers are asked for: little has to be painted
MOST_BYTES = 300_000


def test_page_is_what_build_makes(tmp_path: Path) -> None:
    clang = shutil.which("clang")
    assert PAGE.stat().st_size < MOST_BYTES
    if clang is None or shutil.which("wasm-ld") is None:
        if os.environ.get("CI"):
            pytest.fail("CI needs clang and lld: apt-get install clang lld")
        pytest.skip("no clang and lld on this machine")
    version = run(clang, "--version")
    made = tmp_path / "explorer.html"
    run(sys.executable, ROOT / "web" / "build.py", made)
    told = Path.read_bytes if " 14." in version else without_core  # another clang makes other code
    is_fresh = told(made) == told(PAGE)
    assert is_fresh, "stale: python3 web/build.py"


def without_core(page: Path) -> str:
    before, _, rest = page.read_text("utf-8").partition('id="core">')
    return before + rest.partition("</script>")[2]


def target_of(state: dict[str, str], op: ws.DataMovement) -> str | None:
    has_it = op.legality(state["target"], "9.5").min_ptx_version is not None
    return state["target"] if has_it else None


def check_op(state: dict[str, str], op: ws.DataMovement, found: Any) -> None:
    """The text, legality, fragment and packed row."""
    assert found["op"]["ptx"] == op.ptx
    legality = op.legality(state["target"], f"{found['legality']['ptx'] / 10:.1f}")
    said = found["legality"]["ok"], found["legality"]["reasons"], found["legality"]["targets"]
    assert said == (legality.ok, list(legality.reasons), list(legality.targets))
    if op.fragment is None:
        assert found["fragment"] is None
        return
    elements = np.reshape(found["fragment"]["elements"], (-1, 3))
    assert np.array_equal(elements, op.fragment.elements.reshape(-1, 3))
    assert found["row"] == op.fragment.to_dict()["row"]


def check_banks(op: ws.DataMovement, address: Any, found: Any, **options: Any) -> None:
    """Counters and cells."""
    report = op.explain(address, **options).to_dict()
    for key, value in found["traffic"].items():
        assert value == report["traffic"][key], key
    assert found["banks"]["wavefronts"] == [group["wavefronts"] for group in report["groups"]]
    cells = [
        [index, cell["lane"], cell["bank"], cell["pass"], cell["word"]]
        for index, group in enumerate(report["groups"])
        for cell in group["cells"]
    ]
    assert np.array_equal(np.reshape(found["banks"]["cells"], (-1, 5)), np.reshape(cells, (-1, 5)))


def check_access(state: dict[str, str], op: ws.DataMovement, address: Any, stride: int | None, found: Any) -> None:
    """Counters, banks, cycles and findings of the instruction itself."""
    target = target_of(state, op)
    check_banks(op, address, found, target=target, stride=stride)
    if target is None:
        assert "cost" not in found
    else:
        cost = op.cost(address, stride=stride, target=target, warps=int(state.get("warps", 4)))
        said = found["cost"]["latency"], found["cost"]["interval"], found["cost"]["bound"]
        assert said == (cost.latency, cost.interval, cost.bound)
        assert (found["cost"]["error"] if found["cost"]["error"] >= 0 else None) == cost.error
    unrunnable = target in ("sm_70", "sm_72") and op.is_wmma  # the package refuses to execute it
    if op.kind != "movmatrix" and op.space != "global" and not unrunnable:
        report = explanation.explain(op, address, stride=stride, target=state["target"])
        said = [one["message"] for one in found["findings"]]
        assert said == [one["message"] for one in report.to_dict()["findings"]]


def check_sides(state: dict[str, str], op: ws.DataMovement, found: Any) -> None:
    """The package counts both sides, too, with the same numbers."""
    report = ws.tile(
        layout_of(state), store=state["fill"], load=op, warps=int(state["warps"]),
        target=state["target"],
    )  # fmt: skip
    for name, side in (("store", report.store), ("load", report.load)):
        traffic = side.traffic.sum().to_dict()
        assert found[name]["traffic"] == {key: traffic[key] for key in found[name]["traffic"]}
        assert found[name]["cycles"] == side.cycles
    said = [(one.rule, one.side, one.message) for one in report.findings]
    assert [(one["rule"], one["side"], one["message"]) for one in found["findings"]] == said
    if state["side"] == "fill":
        step, worst = found["store"]["costliest"], report.store.costliest
        assert (step["warp"], step["step"]) == (worst["warp"], worst["step"])
        assert step["traffic"]["wavefronts"] == worst["wavefronts"]
        if report.store.op.kind != "cp.async":  # the tile knows the source addresses
            check_banks(report.store.op, np.array(step["addresses"]), step)


def check_search(state: dict[str, str], op: ws.DataMovement, found: Any) -> bool:
    """Whether the package searches the tile, too; then the same ranking."""
    try:
        said = ws.search(
            int(state["rows"]), int(state["cols"]), state["type"], store=state["fill"], load=op,
            warps=int(state["warps"]), target=state["target"], orders=state["order"],
        )  # fmt: skip
    except (ValueError, TypeError, ws.UnsupportedError):
        assert "error" in found, state
        return False
    assert found["counted"] == len(said)
    if not len(said):
        return False
    assert found["candidates"] == len(said) + sum(said.rejected.values())
    columns = ("pad", "B", "M", "S", "store_wavefronts", "load_wavefronts", "bytes")
    ranked = said.columns()
    best = np.array(found["best"], np.int64).reshape(-1, len(columns))
    expected = np.stack([ranked[name] for name in columns], axis=1)
    assert np.array_equal(best, expected[: len(best)])
    assert (len(best), found["last"]) == (min(len(said), 500), expected[-1].tolist())
    assert found["pareto"] == len(said.pareto)
    return True


def test_numbers_are_those_of_the_package(tab: Tab) -> None:
    random = Random(9)
    forms: list[str] = tab.page.evaluate("explorer.facts.forms")
    accesses = sides = refused = searches = 0
    for _ in range(STATES):
        state = random_state(random, forms)
        found = tab.state(state)
        op = ws.parse(state["op"])
        check_op(state, op, found)
        if op.kind == "movmatrix":
            assert found["traffic"]["wavefronts"] == 0
            continue
        try:
            address, stride = address_of(state, op)
        except (ValueError, TypeError):
            assert "traffic" not in found and found["tile"]["error"], state
            refused += 1
            continue
        check_access(state, op, address, stride, found)
        accesses += 1
        if found["tile"].get("findings") is not None:
            check_sides(state, op, found["tile"])
            sides += 1
        searches += check_search(state, op, tab.search())
    compared("states of the explorer: accesses", accesses, at_least=STATES // 2)
    compared("states of the explorer: tiles", sides, at_least=STATES // 8)
    compared("states of the explorer: searches", searches, at_least=STATES // 10)
    compared("states of the explorer: refused by both", refused, at_least=STATES // 25)


TILES = (
    {"rows": "128", "cols": "64"}, {"rows": "64", "cols": "64", "order": "col"},
    {"rows": "32", "cols": "128", "type": "b8", "fill": "cp.async.cg.shared.global [a], [b], 16;"},
    {
        "rows": "32", "cols": "128", "type": "b6x16_p32", "target": "sm_100a",
        "op": "ldmatrix.sync.aligned.m8n16.x2.shared.b8x16.b6x16_p32",
    },
)  # fmt: skip


@pytest.mark.parametrize("tile", TILES, ids=lambda tile: tile.get("type", "f16"))
def test_search_is_that_of_the_package(tab: Tab, tile: dict[str, str]) -> None:
    state = {
        "fill": "st.shared.v4.b32", "op": "ldmatrix.sync.aligned.m8n8.x4.shared.b16",
        "order": "row", "type": "f16", "warps": "4", "target": "sm_90", **tile,
    }  # fmt: skip
    tab.state(state)
    assert check_search(state, ws.parse(state["op"]), tab.search())


PLANES = 12  # of an address
BYTES = 1 << PLANES


def place_images() -> ws.SharedMemory:
    """One image after the other: each byte has a pattern in its bits, or one bit of its address."""
    byte = np.arange(BYTES)
    images = [np.full(BYTES, pattern) for pattern in (0xAA, 0xCC, 0xF0)]
    images += [(byte >> plane & 1) * 0xFF for plane in range(PLANES)]
    memory = ws.SharedMemory(len(images) * BYTES)
    memory.view("uint8", len(images) * BYTES)[:] = np.concatenate(images).astype(np.uint8)
    return memory


def places_of(op: ws.DataMovement, address: Any, memory: ws.SharedMemory) -> Any:
    """The bit of memory at which each value of a load begins, (32, values): asked of the op.

    One load from each of place_images(): the lowest bit of a value is one bit of its place.
    """
    starts = np.arange(3 + PLANES)[:, np.newaxis] * BYTES
    loaded = op.execute(ws.AddressSpace(memory), address + starts, traffic=False).registers
    assert loaded is not None
    planes = np.stack([lowest_bits(op, registers) for registers in loaded], axis=-1)
    return (planes << np.arange(3 + PLANES)).sum(axis=-1)


def lowest_bits(op: ws.DataMovement, registers: Any) -> Any:
    """Bit 0 of each value: (32, values)."""
    fields = op.fields or 1
    shifts = (np.arange(fields) * (op.register_bits // fields)).astype(registers.dtype)
    return (registers[..., np.newaxis] >> shifts & 1).astype(np.int64).reshape(32, -1)


def test_every_form_opens_from_its_link(tab: Tab) -> None:
    forms: list[str] = tab.page.evaluate("explorer.facts.forms")
    lanes, memory = np.arange(32), place_images()
    values = findings = 0
    for ptx in forms:
        op = ws.parse(ptx)
        lowest = op.legality("sm_90", "9.5").targets[0]
        state = {"op": ptx, "target": lowest if lowest not in ("sm_70", "sm_72") else "sm_90"}
        address = origin_of(op) + (np.full(32, 256) if op.is_wmma else 1024 + 16 * (lanes ^ 5))
        if op.kind != "movmatrix":
            state["addresses"] = " ".join(map(str, address))
        found = tab.state(state)
        check_op(state, op, found)
        if op.kind == "movmatrix":
            continue
        check_access(state, op, address, None, found)
        findings += len(found["findings"])
        at = np.reshape(found["places"]["at"], (32, -1))
        if op.kind in ("ldmatrix", "ld", "wmma.load") and op.space != "global":
            assert np.array_equal(at, places_of(op, address, memory)), ptx
            values += at.size
    compared("forms of instructions opened in the explorer", len(forms), at_least=700)
    compared("places of values in the explorer", values, at_least=50_000)
