"""Layouts in the words of CuTe, Triton and TMA: equal to their sources, there and back, and clear where they cannot."""

import gzip
import hashlib
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import warpsim as ws
from tests.support.evidence import compared, found
from warpsim.cli import options
from warpsim.notation import cute, tma, triton
from warpsim.notation.tables import Tables

CASES = json.loads(gzip.decompress(found("foreign_layouts.json.gz").read_bytes()))
TYPES = {8: "b8", 16: "f16", 32: "f32"}
SWIZZLED = "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>"


def bytes_of(tables: Tables, bits: int) -> NDArray[np.int64]:
    """The byte offset of every element."""
    offset = tables.row[:, None] + tables.col
    if tables.unit == "byte":
        offset = offset * bits // 8
    b, m, s = tables.swizzle
    field = offset >> (m + max(s, 0)) & (1 << b) - 1
    offset = offset ^ field << (m - min(s, 0))
    return offset if tables.unit == "byte" else offset * bits // 8


def digest(offsets: NDArray[Any]) -> str:
    return hashlib.sha256(np.ascontiguousarray(offsets, "<i8").tobytes()).hexdigest()[:16]


def whole(layout: ws.Layout) -> NDArray[np.int64]:
    offsets: NDArray[np.int64] = layout(np.arange(layout.rows)[:, None], np.arange(layout.cols))
    return offsets


@pytest.mark.slow
def test_cute_equals_pycute() -> None:
    blocks = elements = 0
    for text, bits, wanted in CASES["cute"]:
        tables = cute.read(text)
        assert digest(bytes_of(tables, bits)) == wanted, text
        elements += len(tables.row) * len(tables.col)
        layout = ws.Layout.from_cute(text, TYPES[bits])
        blocks += layout.is_one_block
        assert digest(whole(layout)) == wanted, text
        assert digest(whole(ws.Layout.from_cute(layout.to_cute(), layout.type))) == wanted, text
    compared("layouts of CuTe", len(CASES["cute"]), at_least=2_000)
    compared("layouts of CuTe: elements", elements, at_least=1_000_000)
    compared("layouts of CuTe: as a Layout, and back", blocks, at_least=50)


def test_triton_equals_its_linear_layouts() -> None:
    blocks = elements = 0
    for text, shape, bits, wanted in CASES["triton"]:
        assert digest(bytes_of(triton.read(text, *shape, bits), bits)) == wanted, text
        elements += shape[0] * shape[1]
        layout = ws.Layout.from_triton(text, shape, TYPES[bits])
        assert digest(whole(layout)) == wanted, text
        if layout.is_one_block:
            blocks += 1
            assert digest(whole(ws.Layout.from_triton(layout.to_triton(), shape, layout.type))) == wanted, text
        assert digest(whole(ws.Layout.from_cute(layout.to_cute(), layout.type))) == wanted, text
    compared("layouts of Triton", len(CASES["triton"]), at_least=500)
    compared("layouts of Triton: elements", elements, at_least=1_000_000)
    compared("layouts of Triton: as a Layout, and back", blocks, at_least=200)


#: mode -> bytes of a piece, its place in row i: the tables of "Swizzling Modes"
PIECES: dict[str, tuple[int, Callable[[Any], Any]]] = {
    "NONE": (16, lambda i: 0 * i),
    "32B": (16, lambda i: i // 4 % 2),
    "64B": (16, lambda i: i // 2 % 4),
    "128B": (16, lambda i: i % 8),
    "128B_ATOM_32B": (32, lambda i: i % 4),
}


@pytest.mark.slow
def test_tma_modes() -> None:
    assert set(PIECES) == set(tma.MODES)
    count = 0
    for mode, (piece, moved) in PIECES.items():
        for type_, bits in (("b8", 8), ("f16", 16), ("f32", 32), ("f64", 64)):
            spans = [tma.MODES[mode][0]] if mode != "NONE" else [16, 48, 128, 256]
            for span in spans:
                for rows in range(1, 257):
                    layout = ws.Layout.from_tma((rows, span * 8 // bits), type_, mode)
                    i, at = np.arange(rows)[:, None], np.arange(0, span, bits // 8)
                    assert np.array_equal(whole(layout), i * span + (at // piece ^ moved(i)) * piece + at % piece)
                    assert layout.to_tma() == f"CU_TENSOR_MAP_SWIZZLE_{mode}"
                    assert np.array_equal(whole(ws.Layout.from_cute(layout.to_cute(), type_)), whole(layout))
                    count += 1
    compared("layouts of TMA", count, at_least=8_000)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("Sw<3,3,3> o 0 o (8,64):(64,1)", "8x64:f16:swizzle=3,3,3"),
        ("Swizzle<3, 3, 3> o _0 o (_8,_64):(_64,_1)", "8x64:f16:swizzle=3,3,3"),
        ("f32:(32,64):(68,1)", "32x64:f32:pad=4"),
        ("Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)", "8x64:f16:swizzle=3,4,3,byte"),
        ("((8,8),64):((64,512),1)", "64x64:f16"),
        ("(64,32):(1,64)", "64x32:f16:col"),
        ("64x64:f16:" + SWIZZLED, "64x64:f16:swizzle=3,3,3"),
        ("64x64:f16:#ttg.padded_shared<[64:+8] {order = [1, 0], shape = [64, 64]}>", "64x64:f16:pad=8"),
        ("64x64:f16:tma=128B", "64x64:f16:swizzle=3,4,3,byte"),
        ("64x128:f16:tma=128B", "Sw<3,3,3> o 0 o (64,(64,2)):(64,(1,4096))"),
        ("64x64:f16:tma=CU_TENSOR_MAP_SWIZZLE_128B", "64x64:f16:swizzle=3,4,3,byte"),
    ],
)
def test_command_line(text: str, same: str) -> None:
    assert options.tile(text) == options.tile(same)
    assert options.options(text.removeprefix("64x64:f16:"), "--a", 64, 64, "f16") is not None


def nested(depth: int) -> str:
    return f"({'(' * depth}8{')' * depth},8):({'(' * depth}8{')' * depth},1)"


def nest(number: int, depth: int) -> Any:
    return number if depth == 0 else (nest(number, depth - 1),) if depth < 900 else nest(number, depth - 900)


def test_brackets_may_be_deep() -> None:
    assert ws.Layout.from_cute(nested(60)) == ws.Layout.from_cute("(8,8):(8,1)")


@pytest.mark.parametrize(
    ("call", "parts"),
    [
        (lambda: ws.Layout.from_cute("(8,64)"), ("text: expected CuTe's SHAPE:STRIDE", "(8,64):(64,1)")),
        (lambda: ws.Layout.from_cute("(8,64):64"), ("text: expected a stride for each mode",)),
        (lambda: ws.Layout.from_cute("(8,(8,8)):(64,1)"), ("text: expected strides nested as the shape",)),
        (lambda: ws.Layout.from_cute("(8,8,8):(64,8,1)"), ("text: expected two modes", "got 3", "group them")),
        (lambda: ws.Layout.from_cute("(8,64:(64,1)"), ("text: expected as many ')' as '('",)),
        (lambda: ws.Layout.from_cute("(8 64):(64,1)"), ("text: expected brackets",)),
        (lambda: ws.Layout.from_cute("(8,64):(64,1))"), ("text: expected brackets",)),
        (lambda: ws.Layout.from_cute(nested(65)), ("text: expected brackets at most 64 deep",)),
        (lambda: ws.Layout.from_cute("(" * 4000 + ":1"), ("text: expected brackets at most 64 deep",)),
        (lambda: ws.Layout.from_cute((nest(8, 2000), nest(1, 2000))), ("text: expected tuples at most 64 deep",)),
        (lambda: ws.Layout.from_cute(((8, 10**5000), (1, 8))), ("text: expected numbers of at most 18 digits",)),
        (lambda: ws.Layout.from_cute(f"(8,8):({'9' * 5000},1)"), ("text: expected brackets, commas and integers",)),
        (lambda: ws.Layout.from_cute(f"Sw<{'9' * 5000},3,3> o 0 o (8,8):(8,1)"), ("text: expected CuTe's",)),
        (lambda: ws.Layout.from_cute("(0,64):(64,1)"), ("text: expected sizes of 1",)),
        (lambda: ws.Layout.from_cute(8), ("text: expected a str, got int",)),  # type: ignore[arg-type]
        (lambda: ws.Layout.from_cute(True, "f16"), ("text: expected a str",)),  # type: ignore[arg-type]
        (lambda: ws.Layout.from_cute("(" * 20_000), ("text: expected at most 10000",)),
        (lambda: ws.Layout.from_cute("(8,64):(64,1)", "half"), ("dtype: expected", "did you mean f16?")),
        (lambda: ws.Layout.from_cute("Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)", "f32"), ("dtype:", "16 bits")),
        (lambda: ws.Layout.from_cute(((8, 64), (64, 1), 1)), ("text: expected (shape, stride)",)),
        (lambda: ws.Layout.from_cute(((8, 64), (64, "a"))), ("text: expected",)),
        (lambda: ws.Layout.from_cute("(64,(64,2)):(64,(1,4096))").to_triton(), ("layout: expected contiguous rows",)),
        (lambda: ws.Layout.from_cute("((8,8),(64,2)):((64,512),(1,8192))").to_tma(), ("boxes side by side",)),
        (lambda: ws.Layout(8, 64, "b6x16_p32").boxes(2), ("layout: b6x16_p32",)),
        (lambda: ws.Layout(8, 64, "f16").boxes(0), ("n: expected",)),
        (lambda: ws.Layout(8, 64, "f16").boxes(2**20), ("n: expected at most",)),
        (lambda: ws.Layout.from_triton("#ttg.swizled_shared<{}>", (8, 8)), ("encoding:", "mean swizzled_shared?")),
        (lambda: ws.Layout.from_triton(SWIZZLED.replace("vec", "vecs"), (8, 8)), ("'vecs'", "did you mean vec?")),
        (lambda: ws.Layout.from_triton(SWIZZLED, (8, 24)), ("shape: expected", "power of two, got 24")),
        (lambda: ws.Layout.from_triton(SWIZZLED, (8, 8, 8)), ("shape:", "at most 2")),  # type: ignore[arg-type]
        (lambda: ws.Layout.from_triton(SWIZZLED.replace("8,", "6,", 1), (8, 8)), ("encoding: expected vec", "got 6")),
        (lambda: ws.Layout.from_tma((64, 128)), ("box: expected rows of 128 bytes, 64 elements", "several boxes")),
        (lambda: ws.Layout.from_tma((512, 64)), ("box: expected at most 256",)),
        (lambda: ws.Layout.from_tma((64, 64), "f16", "128"), ("swizzle: expected", "did you mean 128B?")),
        (lambda: ws.Layout(64, 64, "f16", pad=8).to_tma(), ("layout: expected what one TMA box fills",)),
        (lambda: ws.Layout(64, 60, "f16").to_triton(), ("layout: expected", "power of two, got 60")),
        (lambda: ws.Layout(64, 64, "f16", pad=8, swizzle=ws.Swizzle(3, 3, 3)).to_triton(), ("try .to_cute()",)),
        (lambda: ws.Layout(64, 64, "b6x16_p32").to_cute(), ("layout: b6x16_p32",)),
        (lambda: options.tile("8x64:(64,1)"), ("--tile:",)),
        (lambda: options.tile("f16:(8,64):64"), ("--tile: ", "expected a stride")),
        (lambda: options.tile("64x96:f16:tma=128B"), ("--tile: ", "several boxes")),
    ],
)
def test_errors(call: Callable[[], Any], parts: tuple[str, ...]) -> None:
    with pytest.raises((ValueError, TypeError)) as error:
        call()
    for part in parts:
        assert part in str(error.value), error.value
