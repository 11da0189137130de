"""Layouts pasted into the explorer in the words of CuTe, Triton and TMA, element by element."""

from random import Random
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.support.explorer_page import Tab
from warpsim.tile.layout import TYPE_BITS

pytestmark = pytest.mark.slow

WINDOW = {"viewport": {"width": 1280, "height": 40}}  # numbers are asked for: little has to be painted

PASTE = (
    "([box, text]) => { const at = document.getElementById(box); at.value = text;"
    " at.dispatchEvent(new Event('input', { bubbles: true })); }"
)


def pasted(tab: Tab, text: str, state: dict[str, str]) -> Any:
    """Bytes of the elements, [row, column], after pasting into a state."""
    tab.state({"op": "ld.shared.b32", "fill": "", **state})
    tab.page.evaluate(PASTE, ["paste", text])
    assert tab.page.inner_text("#paste-error") == "", text
    assert tab.page.inner_text("#tile-error") == "", text
    bits, shown = tab.told("[[...explorer.bits()], explorer.shown()]")
    return np.reshape(bits, (int(shown["rows"]), int(shown["cols"])))


def swizzled(offset: Any, b: int, m: int, s: int) -> Any:
    """CuTe's Swizzle<B, M, S>."""
    return offset ^ ((offset >> m + s & (1 << b) - 1) << m)


def split(random: Random, size: int, stride: int) -> tuple[str, str]:
    """A mode, nested or not."""
    inner = random.choice([one for one in (1, 2, 4, 8) if size % one == 0])
    if random.random() < 0.5:
        return str(size), str(stride)
    return f"({inner},{size // inner})", f"({stride},{stride * inner})"


def test_cute_layouts_are_read_element_by_element(tab: Tab) -> None:
    random, elements = Random(21), 0
    for _ in range(200):
        rows, cols = random.choice((8, 16, 32, 64)), random.choice((8, 16, 32, 64, 128))
        is_row, pad = random.random() < 0.6, random.choice((0, 0, 8, 16, 4))
        pitch = (cols if is_row else rows) + pad
        down, right = (pitch, 1) if is_row else (1, pitch)
        (row_size, row_stride), (col_size, col_stride) = split(random, rows, down), split(random, cols, right)
        b, m, s = random.choice(((0, 0, 0), (3, 3, 3), (2, 3, 3), (3, 4, 3), (3, 3, 4), (1, 3, 3)))
        swizzle = f"Sw<{b},{m},{s}> o 0 o " if b else ""
        text = f"{swizzle}({row_size},{col_size}):({row_stride},{col_stride})"
        type = random.choice(("f16", "f32", "s8"))
        found = pasted(tab, text, {"type": type, "op": "ld.shared.b8" if type == "s8" else "ld.shared.b32"})
        offset = np.arange(rows)[:, None] * down + np.arange(cols) * right
        assert np.array_equal(found, swizzled(offset, b, m, s) * TYPE_BITS[type]), text
        elements += found.size
    compared("elements of CuTe layouts pasted into the explorer", elements, at_least=200_000)


def test_triton_layouts_are_read_element_by_element(tab: Tab) -> None:
    random, elements = Random(22), 0
    for _ in range(100):
        run, runs = random.choice((16, 32, 64, 128)), random.choice((8, 32, 64))
        vec, per_phase = random.choice((1, 2, 4, 8)), random.choice((1, 2, 4))
        max_phase = random.choice([one for one in (1, 2, 4, 8) if one * vec <= run])
        is_row = random.random() < 0.7
        order = "[1, 0]" if is_row else "[0, 1]"
        text = f"#ttg.swizzled_shared<{{vec = {vec}, perPhase = {per_phase}, maxPhase = {max_phase}, order = {order}}}>"
        rows, cols = (runs, run) if is_row else (run, runs)
        found = pasted(tab, text, {"rows": str(rows), "cols": str(cols)})
        outer, inner = np.arange(runs)[:, None], np.arange(run)
        offset = outer * run + (inner // vec ^ outer // per_phase % max_phase) * vec + inner % vec
        assert np.array_equal(found, (offset if is_row else offset.T) * 16), text
        elements += found.size
    compared("elements of Triton layouts pasted into the explorer", elements, at_least=100_000)


@pytest.mark.parametrize("form", ["{}B", "CU_TENSOR_MAP_SWIZZLE_{}B", "#ttg.nvmma_shared<{{swizzlingByteWidth = {}}}>"])
def test_tma_modes_are_read_byte_by_byte(tab: Tab, form: str) -> None:
    elements = 0
    for type, bits in (("f16", 16), ("f32", 32), ("s8", 8)):
        for width, mask in ((32, 1), (64, 3), (128, 7)):
            found = pasted(tab, form.format(width), {"rows": "64", "type": type, "op": "ld.shared.b32"})
            assert found.shape == (64, width * 8 // bits)
            byte = np.arange(64)[:, None] * width + np.arange(found.shape[1]) * bits // 8
            # 16-byte pieces of a line of 128 bytes change places with the number of the line
            assert np.array_equal(found, (byte ^ (byte // 128 & mask) * 16) * 8)
            elements += found.size
    compared("elements of TMA boxes pasted into the explorer", elements, at_least=25_000)


def expression(random: Random, depth: int = 0) -> str:
    """Python that names lane, mostly of small numbers."""
    if depth > 3 or random.random() < 0.3:
        return random.choice(("lane", "lane", "3", "16", "0x20", "-lane", "~lane"))
    left, right = expression(random, depth + 1), expression(random, depth + 1)
    op = random.choice(("+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>"))
    if op in ("//", "%"):
        right = random.choice(("3", "8", "-5"))
    if op in ("<<", ">>"):
        right = random.choice(("1", "4"))
    return random.choice((f"{left} {op} {right}", f"({left} {op} {right})", f"{left}{op}{right}"))


def test_expressions_in_lane_are_those_of_python(tab: Tab) -> None:
    random, count = Random(23), 0
    while count < 300:
        text = expression(random)
        try:
            expected = [eval(text, {"lane": lane}) for lane in range(32)]
        except (ValueError, ZeroDivisionError):
            continue
        if "lane" not in text or not all(0 <= one < 2**32 for one in expected):
            continue
        found = tab.state({"op": "ld.shared.b8", "addresses": text})
        assert found.get("addresses") == expected, text
        count += 1
    for text in (
        "lane +",
        "lane ** 2",
        "(lane",
        "lane / 2",
        "lane // 0",
        "lane << 99",
        "lane lane",
        "1 << lane * 9999",
    ):
        assert "or an expression such as lane * 16" in tab.state({"addresses": text})["tile"]["error"], text
    assert tab.noise == []
    compared("expressions in lane typed into the explorer", count, at_least=300)


#: text -> the layout; None: a message
TEXTS = {
    "plain": ws.Layout(64, 64, "f16"),
    "3,3,3": ws.Layout(64, 64, "f16", swizzle=ws.Swizzle(3, 3, 3)),
    "Swizzle<3, 3, 3>": ws.Layout(64, 64, "f16", swizzle=ws.Swizzle(3, 3, 3)),
    "swizzle=3,4,3,byte": ws.Layout(64, 64, "f16", swizzle=ws.Swizzle(3, 4, 3, "byte")),
    "32x64:f16:col:pad=8": ws.Layout(32, 64, "f16", "col", 8),
    "Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)": ws.Layout(
        8, 64, "f16", swizzle=ws.Swizzle(3, 4, 3, "byte")
    ),
    "#ttg.padded_shared<[64:+8] {order = [1, 0]}>": ws.Layout(64, 64, "f16", pad=8),
    "NONE": ws.Layout(64, 64, "f16"),
    "Sw<3,3>": None, "(8,64)": None, "(8,64):(64,2)": None, "(8,(8,8)):(8,(1,128))": None, "256B": None,
    "#ttg.padded_shared<[128:+8]>": None, "((8,2),64):(64,1)": None,
    "#ttg.swizzled_shared<{vec = 3, perPhase = 1, maxPhase = 8, order = [1, 0]}>": None,
    "#ttg.swizzled_shared<{vec = 16, perPhase = 1, maxPhase = 8, order = [1, 0]}>": None, "(8,64):(32,1)": None,
}  # fmt: skip


def test_other_notations_are_read_or_refused_in_words(tab: Tab) -> None:
    for text, layout in TEXTS.items():
        if layout is None:
            tab.show("#v=1&rows=32")
            tab.page.evaluate(PASTE, ["paste", text])
            assert len(tab.page.inner_text("#paste-error")) > 20, text
            assert tab.page.get_attribute("#paste", "aria-invalid") == "true"
            assert tab.page.evaluate("explorer.state().rows") == "32"
            continue
        rows, cols = np.arange(layout.rows)[:, None], np.arange(layout.cols)
        assert np.array_equal(pasted(tab, text, {}), layout(rows, cols) * 8), text
    assert tab.noise == []
