"""Reports begin with the answer and end with what to do, as text to paste that means what it says."""

import re

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from warpsim.render import advice
from warpsim.tile.remedy import near, notations, spoken

X4 = ws.Ldmatrix(num=4)
TRANS = "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16"


def in_cpp(text: str, layout: ws.Layout) -> np.ndarray:
    """The indices of a C++ expression for every element; C's operators bind as Python's do here."""
    row, col = np.indices((layout.rows, layout.cols))
    index, _, i = text.partition(", i = ")
    inner = re.fullmatch(r"\w+\[(.*)\]", index)
    assert inner is not None
    names = {"row": row, "col": col}
    return np.asarray(eval(inner[1], names | ({"i": eval(i, names)} if i else {})))


@pytest.mark.parametrize("type_", ["f16", "f32", "s8", "f64"])
@pytest.mark.parametrize("order", ["row", "col"])
def test_layouts_to_paste_are_the_layout(type_: str, order: str) -> None:
    count = 0
    layouts = [*near(ws.Layout(64, 128, type_, order))]
    layouts += [ws.Layout(64, 128, type_, order, swizzle=ws.Swizzle(2, 4, 3, "byte"))]
    layouts += [ws.Layout(64, 128, type_, order, swizzle=ws.Swizzle(2, 1, -3))]
    for layout in layouts:
        texts = notations(layout)
        offsets = layout(*np.indices((64, 128)))
        assert eval(texts["Python"], {"ws": ws}) == layout
        width = 1 if texts["C++"].startswith("bytes") else layout(*((0, 1) if order == "row" else (1, 0))) or 1
        width = {"f16": 2, "f32": 4, "s8": 1, "f64": 8}[type_] if width != 1 else 1
        assert np.array_equal(in_cpp(texts["C++"], layout) * width, offsets), texts["C++"]
        assert np.array_equal(ws.Layout.from_cute(texts["CuTe"], type_)(*np.indices((64, 128))), offsets)
        if "Triton" in texts:
            triton = ws.Layout.from_triton(texts["Triton"], (64, 128), type_)
            assert np.array_equal(triton(*np.indices((64, 128))), offsets)
        count += 1
    compared("layouts to paste", count, at_least=10)


@pytest.mark.parametrize("pad", range(0, 72, 8))
def test_remedy_saves_what_it_says(pad: int) -> None:
    layout = ws.Layout(64, 64, "f16", pad=pad)
    found = ws.explain(X4, layout=layout).to_dict()["remedy"]
    now = X4.traffic(layout.addresses(X4))
    assert (found is None) == (now.wavefronts == now.ideal_wavefronts)
    if found is not None:
        better = eval(found["notations"]["Python"], {"ws": ws})
        assert X4.traffic(better.addresses(X4)).wavefronts == found["wavefronts"] == 4
        assert found["instead_of"] == now.wavefronts and found["more_bytes"] == better.nbytes - layout.nbytes


def test_loop_names_the_side_that_wants_another_swizzle() -> None:
    layouts = {"a": ws.Layout(128, 64, "f16", swizzle=ws.Swizzle(3, 3, 3)),
               "b": ws.Layout(64, 128, "f16", swizzle=ws.Swizzle(3, 3, 3))}  # fmt: skip
    report = ws.mainloop((128, 128, 64), (2, 2), trans_b=True, **layouts)
    assert report.wavefronts == {"store": 256, "load": 768} and report.ideal_wavefronts == {"store": 256, "load": 512}
    remedy = report.remedy
    assert remedy is not None and remedy.layout == {"b": remedy.layout["b"]}
    found = remedy.to_dict()
    assert remedy.text("python") == "b: " + found["sides"]["b"]["notations"]["Python"]
    better = layouts | {"b": eval(found["sides"]["b"]["notations"]["Python"], {"ws": ws})}
    after = ws.mainloop((128, 128, 64), (2, 2), trans_b=True, **better)
    assert after.wavefronts == after.ideal_wavefronts and after.cycles == found["cycles"]
    assert remedy.saves == {"wavefronts": 256, "bytes": 0, "cycles": report.cycles - after.cycles}
    assert after.remedy is None
    text = " ".join(str(report).split())
    assert text.startswith(
        "1411 cycles an iteration, bound by data pipe; 36% of the tensor peak; 1243 with B in Swizzle<3,3,4>"
    )
    assert "fix: 168 cycles fewer, 12%, with B: Swizzle<3,3,4>: 256 wavefronts fewer, 16,384 bytes (as now)" in text
    assert "peak 2048 FMA a cycle: H100 whitepaper: 989.4 TFLOPS dense" in text


def test_tile_says_which_side_costs_and_what_is_better() -> None:
    layout = ws.Layout(64, 64, "f16", pad=8)
    report = ws.tile(layout, store="cp.async.cg.shared.global", load=X4)
    text = " ".join(str(report).split())
    first = "Filling takes 2.6 times the wavefronts. Swizzle<3,3,3> fills and reads it in 128 instead of 232."
    better = ws.tile(ws.Layout(64, 64, "f16", swizzle=ws.Swizzle(3, 3, 3)), store="cp.async.cg.shared.global", load=X4)
    assert text.startswith(first) and "460.5 cycles instead of 570 --tile 64x64:f16:swizzle=3,3,3" in text
    assert str(better).startswith("No bank conflicts: 128 wavefronts, the fewest possible.")
    assert better.remedy is None and better.wavefronts == 128


def test_undefined_access_has_its_fix_first_and_no_counts() -> None:
    layout = ws.Layout(64, 64, "f16", pad=4)
    for report in (ws.explain(X4, layout=layout), X4.explain(layout.addresses(X4))):
        lines = str(report).splitlines()
        assert lines[0] == "Undefined behaviour in lane 1 and 15 more." and lines[1].startswith("fix: ")
        assert "pass 0" not in str(report) and "wavefront" not in str(report)
        assert "<h2>Banks" not in report.html() and "pass 0" not in report.svg()
    wrong = ws.tile(ws.Layout(64, 64, "f16", pad=2), store=ws.St(vec=4), load=X4)
    assert str(wrong).startswith("NOT legal: the pitch of 132 bytes") and "wavefronts" not in str(wrong)


@pytest.mark.parametrize(
    "op",
    [X4, ws.Ldmatrix(shape="m16n16", num=2, trans=True, type="b8"), ws.WmmaLoad(), ws.St(vec=4), ws.CpAsync(),
     ws.Movmatrix(), ws.parse("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")],
)  # fmt: skip
def test_explain_fits_a_screen_and_all_is_there(op: ws.DataMovement) -> None:
    layouts = {"s8": ws.Layout(64, 128, "s8"), "f16": ws.Layout(64, 64, "f16")}
    kind = "s8" if getattr(op, "shape", "") == "m16n16" else "f16"
    has_addresses = op.kind not in ("movmatrix", "mma")
    for options in ({}, {"target": "sm_70"}, {"layout": layouts[kind]} if has_addresses else {}):
        report = ws.explain(op, **options)
        lines = str(report).splitlines()
        assert len(lines) <= 24 and max(map(len, lines)) <= 80, str(report)
        assert len(report.text(all=True).splitlines()) >= len(lines) - 1


def test_words_of_a_layout() -> None:
    assert spoken(ws.Layout(8, 8, "f16")) == "no padding"
    assert spoken(ws.Layout(8, 8, "f16", pad=8, swizzle=ws.Swizzle(1, 3, 3))) == "padding 8, Swizzle<1,3,3>"
    assert advice.times(10, 4) == "2.5 times the wavefronts"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: ws.Ldmatrix(nun=4), "did you mean num?"),
        (lambda: ws.Ldmatrix(transpose=True), "did you mean trans?"),
        (lambda: ws.Layout(8, 8, "f16", padding=8), "did you mean pad?"),
        (lambda: ws.tile(ws.Layout(64, 64, "f16"), store=ws.St(vec=4), laod=X4), "did you mean load?"),
        (lambda: X4.traffic(range(0, 512, 16), activ=1), "did you mean active?"),
        (lambda: ws.mainloop((64, 64, 64), (2, 2), zzz=1), "it takes tile, warps, type, a, b, trans_b"),
        (lambda: ws.parse("ldmatrix.x4"), "in full: ldmatrix.sync.aligned.m8n8.x4.shared.b16\n"),
        (lambda: ws.parse("ldmatrx.x4.trans"), f"did you mean ldmatrix?; in full: {TRANS}\n"),
        (lambda: ws.parse("LDMATRIX"), "did you mean ldmatrix?; in full: ldmatrix.sync.aligned.m8n8.x1.shared.b16\n"),
        (lambda: ws.parse("ld.shred.b32"), "did you mean .shared?; in full: ld.shared.b32\n"),
        (lambda: ws.parse("ld.shared.half"), "did you mean .f16?"),
        (lambda: ws.parse("ld.shared.v4.fp32"), "did you mean .f32?; in full: ld.shared.v4.f32\n"),
        (lambda: ws.Layout(8, 8, "half"), "did you mean f16?"),
        (lambda: ws.Layout(8, 8, "float16"), "did you mean f16?"),
    ],
)
def test_misspelt_words_get_the_right_ones(call: object, words: str) -> None:
    assert callable(call)
    with pytest.raises((TypeError, ValueError)) as error:
        call()
    assert words in str(error.value)
