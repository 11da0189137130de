"""Products as values: what they are, what they refuse, where their elements are."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared, load

OPCODES = [form["op"] for form in load("forms")["forms"] if form["kind"] != "wgmma"]
DENSE = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
SPARSE = "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32"
WHOLE = "{%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%f5, %f6, %f7, 0f00000000};"
WMMA = str(ws.WmmaMma())
QUADS = "{a,b,c,d}, {e,f,g,h}, {i,j,k,l}, {m,n,o,p}"


def test_every_form_is_a_value() -> None:
    for text in OPCODES:
        op = ws.parse(text)
        assert str(op) == op.ptx == text.replace(".rn.", ".rn.")
        assert ws.parse(op.ptx) == op and hash(ws.parse(op.ptx)) == hash(op)
        assert pickle.loads(pickle.dumps(op)) == op == copy.deepcopy(op)
        fields = {name: getattr(op, name) for name in op._fields}
        assert type(op)(**fields) == op and eval(repr(op), {"Mma": ws.Mma, "WmmaMma": ws.WmmaMma}) == op
    assert len({ws.parse(text) for text in OPCODES}) == len(set(OPCODES))
    compared("products built, written and pickled", len(OPCODES), at_least=380)


def test_products_cannot_be_changed() -> None:
    with pytest.raises(AttributeError, match="Mma is immutable"):
        ws.Mma().shape = "m16n8k8"
    assert ws.Mma() != ws.WmmaMma() and ws.Mma() != ws.Ldmatrix()


@pytest.mark.parametrize(
    "text",
    [
        f"{DENSE} {WHOLE}",
        f"{{ {DENSE} {WHOLE} }}",
        f"$L1: @!%p1 {DENSE} {WHOLE} // a comment",
        "mma .sync /* white space */ .aligned.row.col.m16n8k16.f32.f16.f16.f32",
        f"{DENSE} {WHOLE} {DENSE} {WHOLE}",
        "mma.aligned.sync.m16n8k16.f32.row.f16.col.f16.f32",
    ],
)
def test_statements_are_read(text: str) -> None:
    assert ws.parse(text) == ws.Mma()


@pytest.mark.parametrize(
    ("text", "error", "words", "column"),
    [
        (f"{DENSE} {WHOLE.replace('%f1, ', '')}", ws.PtxSyntaxError, "qualifiers takes 4 registers, not 3", 50),
        (f"{DENSE} {WHOLE[:-1]}", ws.PtxSyntaxError, "expected ';'", None),
        (f"{DENSE} {WHOLE} {SPARSE}", ws.PtxSyntaxError, "a second, different instruction", None),
        (f"{{ {DENSE} {WHOLE}", ws.PtxSyntaxError, "expected '}'", None),
        (f"{DENSE} {WHOLE} }}", ws.PtxSyntaxError, "expected the end of the text", None),
        (f"{SPARSE} {QUADS}, q, 2;", ws.UnsupportedError, "selectors below 2, not 2", None),
        (f"{SPARSE} {QUADS};", ws.PtxSyntaxError, "expected ','", None),
        (DENSE.replace("f16.f16", "f16.bf16"), ws.UnsupportedError, "PTX does not have these types", None),
        (DENSE.replace("m16n8k16", "m16n8k17"), ws.UnsupportedError, "PTX does not have this shape", None),
        (DENSE.replace("sync", "synk"), ws.UnsupportedError, "does not take the qualifier '.synk'", 4),
        (DENSE.replace(".sync", ""), ws.PtxSyntaxError, "expected .sync", None),
        (DENSE.replace("col", "col.kind::f8f6f4"), ws.UnsupportedError, "PTX does not have this kind, scale", None),
        (DENSE.replace("col", "col.kind::f4"), ws.UnsupportedError, "does not take the qualifier '.kind::f4'", 34),
        ("mma." + "x" * 300, ws.PtxSyntaxError, "a shorter opcode", None),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_where_it_is(text: str, error: type[Exception], words: str, column: int | None) -> None:
    with pytest.raises(error) as caught:
        ws.parse(text)
    assert words in str(caught.value)
    assert column is None or caught.value.column == column  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("fields", "error", "words"),
    [
        ({"shape": 16}, TypeError, "shape: expected a str such as 'm16n8k16', got int"),
        ({"shape": "16x8x16"}, ValueError, "shape: expected a shape such as 'm16n8k16', got '16x8x16'"),
        ({"a_layout": "left"}, ValueError, "a_layout: expected 'row' or 'col'; got 'left'"),
        ({"a": "f17"}, ValueError, "a: expected 'b8'"),
        ({"sparsity": "dense"}, ValueError, "sparsity: expected"),
        ({"satfinite": "yes"}, TypeError, "satfinite: expected a bool, got str"),
        ({"satfinite": True}, ws.UnsupportedError, "layout or modifier"),
        ({"rounding": "up"}, ValueError, "rounding: expected"),
        ({"bits": "or"}, ValueError, "bits: expected"),
    ],
)
def test_fields_are_checked(fields: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error) as caught:
        ws.Mma(**fields)
    assert words in str(caught.value)


def zeros(op: ws.Mma | ws.WmmaMma, *batch: int) -> dict[str, Any]:
    return {name: np.zeros((*batch, 32, op.num_registers[name]), np.uint32) for name in "abc"}


@pytest.mark.parametrize(
    ("text", "changed", "error", "words"),
    [
        (DENSE, {"b": np.zeros((32, 4), np.uint32)}, ValueError, "b: expected shape (32, 2) (batch of a, lanes"),
        (DENSE, {"c": np.zeros((2, 32, 4), np.uint32)}, ValueError, "c: expected shape (32, 4)"),
        (DENSE, {"a": np.zeros((32, 4))}, TypeError, "a: expected an array of integers, got dtype float64"),
        (DENSE, {"a": np.full((32, 4), -1)}, ValueError, "a: expected unsigned 32-bit values"),
        (DENSE, {"metadata": np.zeros(32, np.uint32)}, ValueError, "metadata: mma does not take metadata"),
        (DENSE, {"selector": 1}, ValueError, "selector: expected 0, got 1"),
        (DENSE, {"target": "sm_75"}, ws.UnsupportedError, "needs sm_80 or higher; sm_75 does not have it"),
        (DENSE, {"target": "sm_91"}, ValueError, "target: expected one of"),
        (DENSE, {"threads": 0}, ValueError, "threads: expected 1 or more, got 0"),
        (SPARSE, {}, TypeError, "metadata: mma.sp needs a word of each lane: expected shape (32,), got None"),
        (SPARSE, {"metadata": np.zeros((32, 1), np.uint32)}, ValueError, "metadata: expected shape (32,)"),
        (SPARSE, {"metadata": np.zeros(32, np.uint32), "selector": 2}, ValueError, "selector: expected 0 to 1, got 2"),
        (WMMA, {"target": "sm_70"}, ws.UnknownHardwareBehaviorError, "which lane holds which element on sm_70"),
    ],
)  # fmt: skip
def test_operands_are_checked(text: str, changed: dict[str, Any], error: type[Exception], words: str) -> None:
    op = ws.parse(text)
    with pytest.raises(error) as caught:
        op.multiply(**{**zeros(op), **changed})
    assert words in str(caught.value)


def test_batches_of_any_shape() -> None:
    op = ws.Mma()
    assert op.multiply(**zeros(op)).shape == (32, 4)
    assert op.multiply(**zeros(op, 0)).shape == (0, 32, 4)
    assert op.multiply(**zeros(op, 2, 3)).shape == (2, 3, 32, 4)
    values = np.arange(2 * 3 * 32 * 4, dtype=np.uint32).reshape(2, 3, 32, 4)
    given = zeros(op, 2, 3) | {"c": values.transpose(1, 0, 2, 3).copy().transpose(1, 0, 2, 3)}
    assert op.multiply(**given).dtype == np.uint32 and np.array_equal(op.multiply(**given), values)


def test_fragments_hold_every_element_once_and_say_where() -> None:
    """C is put where the map says, one value a time the product of ones: D finds it where its map says."""
    count = 0
    for text in sorted(set(OPCODES)):
        op = ws.parse(text)
        shapes = dict(
            zip("mnk", (int(n) for n in op.shape[1:].replace("n", " ").replace("k", " ").split()), strict=True)
        )
        sizes = {"a": ("m", "k"), "b": ("k", "n"), "c": ("m", "n"), "d": ("m", "n")}
        products = 4 if op.shape == "m8n8k4" and op.a == "f16" else 1
        for name, (rows, cols) in sizes.items():
            elements = op.fragments[name].elements.reshape(-1, 3)
            stored = shapes[cols] // (2 if op.is_sparse and name == "a" else 1)
            places = {tuple(place) for place in elements.tolist()}
            assert places == set(np.ndindex(products, shapes[rows], stored)), (text, name)
            repeats = 2 if op.kind == "wmma.mma" and op.a == "f16" and name in "ab" else 1
            assert len(elements) >= len(places) and (repeats == 2 or len(elements) == len(places)), (text, name)
            count += 1
    compared("fragment maps of products", count, at_least=1000)


def test_wmma_fragments_are_those_of_wmma_load_and_store() -> None:
    count = 0
    for text in sorted({text for text in OPCODES if text.startswith("wmma")}):
        op = ws.parse(text)
        for name, map_ in op.fragments.items():
            layout = {"a": op.a_layout, "b": op.b_layout}.get(name, "row")
            if name == "d":
                moved: Any = ws.WmmaStore(layout, op.shape, "shared", op.d)
            else:
                moved = ws.WmmaLoad(name, layout, op.shape, "shared", getattr(op, name))
            assert np.array_equal(moved.fragment.elements, map_.elements), (text, name)
            count += 1
    compared("fragments of wmma.mma", count, at_least=400)


def test_metadata_maps_choose_the_rows_of_b() -> None:
    """One index of one row is changed: the element of that row meets another row of B, and no other result changes."""
    op, rng, count = ws.parse(SPARSE), np.random.default_rng(7), 0
    maps = op.fragments["metadata"]
    given = {
        name: rng.integers(0, 2, one.shape, dtype=np.uint32) * np.uint32(0x3C00) for name, one in zeros(op).items()
    }
    given["c"] = zeros(op)["c"]
    given["a"] = np.full_like(given["a"], 0x3C003C00)
    before = np.full(32, 0x44444444, np.uint32)
    rows = op.fragments["d"].elements[:, :, 0, 1]
    for selector in range(op.selectors):
        d = op.multiply(**given, metadata=before, selector=selector)
        for row, index in np.ndindex(16, 16):
            ((lane, _, field),) = maps.holders(selector, row, index)
            after = before.copy()
            after[lane] ^= np.uint32(1 << 2 * field)
            changed = op.multiply(**given, metadata=after, selector=selector) != d
            assert not changed[rows != row].any()
            count += changed.any()
    compared("indices that change their own row alone", count, at_least=300)


def test_reports_explain_a_product() -> None:
    report = ws.parse(SPARSE).explain(target="sm_75")
    text = str(report)
    assert not report.ok and "sm_75 does not have it" in text and "selectors: 2" in text
    assert set(report.to_dict()["fragments"]) == {"a", "b", "c", "d", "metadata"}
    assert report.svg().startswith("<svg") and "<svg" in report.html()
    assert all(len(line) <= 80 for line in str(ws.Mma().explain()).splitlines())
    assert pickle.loads(pickle.dumps(report)).to_dict() == report.to_dict()
    assert ws.explain(SPARSE, target="sm_90").ok


class Shrinking:
    """An operand that makes another one smaller when it is read."""

    def __init__(self, other: np.ndarray, value: np.ndarray) -> None:
        self.other, self.value = other, value

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        self.other.resize((1, *self.other.shape[1:]), refcheck=False)
        return self.value


@pytest.mark.parametrize(("earlier", "later"), [("a", "b"), ("a", "c"), ("b", "c")])
def test_an_operand_that_a_later_one_makes_smaller_is_refused(earlier: str, later: str) -> None:
    op = ws.parse(DENSE)
    operands = zeros(op, 200)
    operands[later] = Shrinking(operands[earlier], operands[later])
    with pytest.raises(ValueError, match=f"^{earlier}: changed its size during the call"):
        op.multiply(**operands)
