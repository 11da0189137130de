"""Products with .kind and with block scaling (sm_120a), against an oracle that counts number by number.

No GPU was asked: the rule is the published one, and reports say so.
"""

import itertools
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import warpsim as ws
from tests.reference import narrow
from tests.support.evidence import compared, load

NAMES = ("e4m3", "e5m2", "e3m2", "e2m3", "e2m1")
SPARSE = "sp::ordered_metadata"


def forms() -> list[ws.Mma]:
    """Every form with .kind, or fp8 into f16, that sm_120a alone has."""
    found = []
    for sparsity, (a, b) in itertools.product(("", SPARSE), itertools.product(NAMES, repeat=2)):
        k = 64 if sparsity else 32
        types = {"shape": f"m16n8k{k}", "a": a, "b": b, "sparsity": sparsity}
        found += [ws.Mma(**types, d=d, c=d, narrow="f8f6f4") for d in ("f16", "f32")]
        found.append(ws.Mma(**types, narrow="mxf8f6f4", scale_vec=1, scale_type="ue8m0"))
    for sparsity in ("", SPARSE):
        types = {"shape": "m16n8k128" if sparsity else "m16n8k64", "a": "e2m1", "b": "e2m1", "sparsity": sparsity}
        found.append(ws.Mma(**types, narrow="mxf4", scale_vec=2, scale_type="ue8m0"))
        found += [
            ws.Mma(**types, narrow="mxf4nvf4", scale_vec=vec, scale_type=scale)
            for vec, scale in ((2, "ue8m0"), (4, "ue8m0"), (4, "ue4m3"))
        ]
    found += [
        ws.Mma("m16n8k64", d="f16", a=a, b=b, c="f16", sparsity=SPARSE)
        for a, b in itertools.product(NAMES[:2], repeat=2)
    ]
    return found


FORMS = forms()


def reference_of(op: ws.Mma) -> narrow.Form:
    k = int(op.shape.split("k")[1])
    return narrow.Form(
        k, op.a, op.b, op.d, bool(op.sparsity), op.narrow.startswith("mxf4"), op.scale_vec, op.scale_type
    )


def bytes_of(rng: np.random.Generator, type_: str, count: int, kind: int) -> NDArray[np.uint8]:
    """Elements of a type, a byte each: any bits, or numbers without infinities and NaN, or few that are not zero."""
    drawn = rng.integers(0, 256, count, dtype=np.uint8)
    if kind > 0 and type_ in ("e4m3", "e5m2"):
        drawn = np.where(drawn & 0x7C == 0x7C, drawn & 0x83 | 0x38, drawn).astype(np.uint8)
    if kind == 2:
        drawn[rng.random(count) < 0.8] = 0
    return drawn


def case(op: ws.Mma, rng: np.random.Generator, kind: int) -> dict[str, Any]:
    counts = op.num_registers
    given: dict[str, Any] = {}
    for name in "ab":
        given[name] = bytes_of(rng, getattr(op, name), 128 * counts[name], kind).view(np.uint32).reshape(32, -1)
    sums = rng.integers(0, 2**32, (32, counts["c"]), dtype=np.uint32)
    if op.c == "f32" and kind > 0:  # near the products, or anywhere
        sums = (rng.standard_normal(sums.shape) * 2.0 ** rng.integers(-20, 20)).astype(np.float32).view(np.uint32)
    elif op.c == "f16" and kind > 0:
        sums &= np.uint32(0xBBFFBBFF)
    given["c"] = sums * np.uint32(kind != 2 or rng.random() < 0.5)
    if op.sparsity:
        given["metadata"] = rng.integers(0, 2**32, 32, dtype=np.uint32)
    if op.scale_vec:
        middle = 127 if op.scale_type == "ue8m0" else 56
        width = 128 if kind == 0 else 12
        scales = [
            np.clip(rng.integers(middle - width, middle + width, (32, 4)), 0, 255 if kind == 0 else 120)
            if op.scale_type == "ue4m3"
            else np.clip(rng.integers(middle - width, middle + width, (32, 4)), 0, 255)
            for _ in "ab"
        ]
        given["scale_a"], given["scale_b"] = (one.astype(np.uint8).view(np.uint32)[:, 0] for one in scales)
        bytes_ = range(0, 4, op.scale_vec)
        given["scale_a_id"] = (int(rng.choice(bytes_)), int(rng.integers(2)))
        given["scale_b_id"] = (int(rng.choice(bytes_)), int(rng.integers(4)))
    return given


def expected(op: ws.Mma, given: dict[str, Any]) -> NDArray[np.uint32]:
    """D by the oracle, in registers as the figure of m16n8 has them."""
    none = np.zeros(32, np.uint32)
    places = narrow.multiply(
        reference_of(op), *(given[name].tolist() for name in "abc"), given.get("metadata", none).tolist(),
        (given.get("scale_a", none).tolist(), given.get("scale_b", none).tolist()),
        (given.get("scale_a_id", (0, 0)), given.get("scale_b_id", (0, 0))),
    )  # fmt: skip
    found = np.zeros((32, op.num_registers["d"]), np.uint32)
    for (row, col), bits in places.items():
        lane, i = 4 * (row % 8) + col // 2, 2 * (row // 8) + col % 2
        if op.d == "f32":
            found[lane, i] = bits
        else:
            found[lane, i // 2] |= np.uint32(bits << 16 * (i % 2))
    return found


PARTS = [0, *[pytest.param(part, marks=pytest.mark.slow) for part in range(1, 16)]]


@pytest.mark.parametrize("part", PARTS)
def test_every_form_equals_the_oracle(part: int) -> None:
    rng, count, special = np.random.default_rng((120, part)), 0, 0
    for op, kind in itertools.product(FORMS[part::16], (0, 1, 2)):
        given = case(op, rng, kind)
        found = op.multiply(**given, target="sm_120a")
        wrong = np.argwhere(found != expected(op, given))
        assert not len(wrong), (op, kind, wrong[:4].tolist(), given.get("scale_a_id"))
        count += 128
        special += int((found.view(np.uint16) == 0x7FFF).sum()) if op.d == "f16" else int((found == 0x7FFFFFFF).sum())
    compared("results of products with .kind, by the oracle", count, at_least=3_500)
    compared("of them NaN", special, at_least=60)
    assert special < count / 2


def test_a_published_number_by_hand() -> None:
    """1.0 x 2^(128 - 127) times 0.5: sums of 64 products, each chunk with its own factor."""
    op = ws.Mma("m16n8k64", a="e2m1", b="e2m1", narrow="mxf4", scale_vec=2, scale_type="ue8m0")
    ones, zeros = np.full((32, 4), 0x22222222, np.uint32), np.zeros((32, 4), np.uint32)
    two_and_four = np.full(32, 0x8180 << 16 | 0x8180, np.uint32)
    half = np.full(32, 0x7E7E7E7E, np.uint32)
    d = op.multiply(ones, ones[:, :2], zeros, scale_a=two_and_four, scale_b=half, target="sm_120a")
    assert (d.view(np.float32) == 32 * 2 * 0.5 + 32 * 4 * 0.5).all()


@pytest.mark.parametrize(
    ("narrow", "vec", "type_", "nan"),
    [("mxf4", 2, "ue8m0", 0xFF), ("mxf4nvf4", 2, "ue8m0", 0xFF), ("mxf4nvf4", 4, "ue4m3", 0x7F)],
)
def test_a_factor_that_is_no_number_leaves_none(narrow: str, vec: int, type_: str, nan: int) -> None:
    op = ws.Mma("m16n8k64", a="e2m1", b="e2m1", narrow=narrow, scale_vec=vec, scale_type=type_)
    ones, zeros = np.full((32, 4), 0x22222222, np.uint32), np.zeros((32, 4), np.uint32)
    for factor, is_nan in ((nan, True), (nan - 1, False), (1, False)):
        words = np.full(32, factor * 0x01010101, np.uint32)
        small = np.full(32, 0x01010101, np.uint32)
        for a, b in ((words, small), (small, words)):
            d = op.multiply(ones, ones[:, :2], zeros, scale_a=a, scale_b=b, target="sm_120a").view(np.float32)
            assert (np.isnan(d) == is_nan).all(), (factor, d)


def test_texts_and_fields_agree() -> None:
    for op in FORMS:
        assert ws.parse(op.ptx) == op and ws.parse(op.ptx).ptx == op.ptx
        assert type(op)(**{name: getattr(op, name) for name in op._fields}) == op
    short = ws.parse("mma.sync.aligned.kind::mxf4.block_scale.m16n8k64.row.col.f32.e2m1.e2m1.f32.ue8m0")
    assert isinstance(short, ws.Mma) and short.scale_vec == 2 and ".scale_vec::2X." in short.ptx
    assert len(set(FORMS)) == len(FORMS)
    compared("forms with .kind as texts and as fields", len(FORMS), at_least=160)


def test_fragments_say_who_holds_a_factor() -> None:
    """One factor is changed: the results of its row, or column, change alone."""
    count, rng = 0, np.random.default_rng(7)
    for op in (one for one in FORMS if one.scale_vec and not one.sparsity and one.a == one.b):
        vec = op.scale_vec
        given = {
            "a": np.full((32, op.num_registers["a"]), 0x22222222 if "mxf4" in op.narrow else 0x38383838, np.uint32),
            "b": np.full((32, op.num_registers["b"]), 0x22222222 if "mxf4" in op.narrow else 0x38383838, np.uint32),
            "c": np.zeros((32, 4), np.uint32),
            "scale_a": np.full(32, 0x38383838, np.uint32), "scale_b": np.full(32, 0x38383838, np.uint32),
        }  # fmt: skip
        places = op.fragments["d"].elements[:, :, 0]
        for name, lines, threads in (("scale_a", 16, 2), ("scale_b", 8, 4)):
            byte, thread = vec * int(rng.integers(4 // vec)), int(rng.integers(threads))
            ids = {f"{name}_id": (byte, thread)}
            before = op.multiply(**given, **ids, target="sm_120a")
            for line, chunk in itertools.product(range(lines), range(vec)):
                matrix = thread * (4 // vec) + byte // vec
                place = (line, chunk) if name == "scale_a" else (chunk, line)
                ((lane, _, field),) = op.fragments[name].holders(matrix, *place)
                words = given[name].copy()
                words[lane] ^= np.uint32(1 << (8 * field + 3))
                changed = op.multiply(**{**given, name: words}, **ids, target="sm_120a") != before
                assert np.array_equal(changed, places[:, :, 1 + (name == "scale_b")] == line), (op, name, line, chunk)
                count += 1
    compared("factors that change their own line alone", count, at_least=300)


@pytest.mark.parametrize(
    ("changed", "error", "words"),
    [
        ({"scale_a": None}, TypeError, "scale_a: block scaling needs a word of each lane"),
        ({"scale_b": np.zeros(31, np.uint32)}, ValueError, "scale_b: expected shape (32,)"),
        ({"scale_a_id": (1, 0)}, ValueError, "scale_a_id: expected a byte of [0, 2] and a thread below 2, got (1, 0)"),
        ({"scale_b_id": (0, 4)}, ValueError, "scale_b_id: expected a byte of [0, 2] and a thread below 4, got (0, 4)"),
        ({"scale_b_id": 3}, TypeError, "scale_b_id: expected (byte-id, thread-id), got 3"),
        ({"target": "sm_120"}, ws.UnsupportedError, "needs sm_120a, its family (f) or higher; sm_120 does not have it"),
    ],
)
def test_what_is_wrong_is_said(changed: dict[str, Any], error: type[Exception], words: str) -> None:
    op = ws.Mma("m16n8k64", a="e2m1", b="e2m1", narrow="mxf4", scale_vec=2, scale_type="ue8m0")
    given = case(op, np.random.default_rng(0), 1) | {"target": "sm_120a"}
    with pytest.raises(error) as caught:
        op.multiply(**{**given, **changed})
    assert words in str(caught.value)


def test_factors_are_refused_where_there_are_none() -> None:
    op = ws.Mma()
    zeros = {name: np.zeros((32, count), np.uint32) for name, count in op.num_registers.items() if name != "d"}
    with pytest.raises(ValueError, match=r"scale_a: .* does not take factors"):
        op.multiply(**zeros, scale_a=np.zeros(32, np.uint32))
    with pytest.raises(ws.UnsupportedError):
        ws.Mma("m16n8k64", a="e2m1", b="e2m1", narrow="mxf4", scale_vec=4, scale_type="ue8m0")
    with pytest.raises(ValueError, match="scale_vec: expected 0, 1, 2 or 4; got 3"):
        ws.Mma(narrow="mxf4", scale_vec=3)


def kernel_text(op: ws.Mma, ids: str = "registers") -> str:
    """A kernel of one product: operands, metadata and factors from global memory."""
    counts = op.num_registers
    lines, at = [], 0
    for name in ("a", "b", "c"):
        for i in range(counts[name]):
            lines.append(f"ld.global.b32 %{name}{i}, [%rd2+{128 * at}];")
            at += 1
    for name in ("e0", "s0", "s1"):
        lines.append(f"ld.global.b32 %{name}, [%rd2+{128 * at}];")
        at += 1
    lines += [f"ld.global.u16 %h{i}, [%rd1+{128 * at + 2 * i}];" for i in range(4)]
    vectors = [", ".join(f"%{name}{i}" for i in range(counts[name])) for name in "dabc"]
    text = f"{op.ptx} {{{vectors[0]}}}, {{{vectors[1]}}}, {{{vectors[2]}}}, {{{vectors[3]}}}"
    text += ", %e0, 0" if op.sparsity else ""
    if op.scale_vec:
        first, second = ("%h0, %h1", "%h2, %h3") if ids == "registers" else ("0, 1", "0, 2")
        text += f", {{%s0}}, {{{first}}}, %s1, {{{second}}}"
    stores = [f"st.global.b32 [%rd2+{128 * (at + 1 + i)}], %d{i};" for i in range(counts["d"])]
    return "\n".join([
        ".version 9.1\n.target sm_120a\n.address_size 64\n.visible .entry k(.param .u64 p) {",
        ".reg .b32 %a<9>; .reg .b32 %b<9>; .reg .b32 %c<9>; .reg .b32 %d<9>; .reg .b32 %e<2>; .reg .b32 %s<2>;",
        ".reg .b16 %h<4>; .reg .b64 %rd<9>; .reg .b32 %r<3>;",
        "ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4; add.u64 %rd2, %rd1, %rd3;",
        *lines, f"{text};", *stores, "ret; }",
    ])  # fmt: skip


def launched(op: ws.Mma, given: dict[str, Any], ids: str) -> tuple[NDArray[np.uint32], Any]:
    zeros = np.zeros(32, np.uint32)
    columns = [column for name in "abc" for column in given[name].T]
    columns += [given.get("metadata", zeros), given.get("scale_a", zeros), given.get("scale_b", zeros)]
    numbers = np.zeros(64, np.uint16)
    numbers[:4] = [*given.get("scale_a_id", (0, 0)), *given.get("scale_b_id", (0, 0))]
    d = op.num_registers["d"]
    memory = np.concatenate([*columns, numbers.view(np.uint32), np.zeros(32 * d, np.uint32)])
    report = ws.Module(kernel_text(op, ids))["k"](1, 32, [memory], target="sm_120a")
    return memory[-32 * d :].reshape(d, 32).T, report


def test_kernels_compute_the_same_and_say_that_it_is_inexact() -> None:
    rng, count = np.random.default_rng(11), 0
    for op, ids in itertools.product(FORMS[::3] + FORMS[-12:], ("registers", "constants")):
        given = case(op, rng, 1)
        if ids == "constants" and op.scale_vec:
            given |= {"scale_a_id": (0, 1), "scale_b_id": (0, 2)}
        found, report = launched(op, given, ids)
        assert report.ok, report.findings
        assert np.array_equal(found, op.multiply(**given, target="sm_120a")), op
        assert any(op.ptx.split(".")[0] in one for one in report.inexact), report.inexact
        count += 128
    compared("results of products with .kind in kernels", count, at_least=10_000)


def test_factors_that_are_nowhere_are_found() -> None:
    op = next(one for one in FORMS if one.narrow == "mxf4" and not one.sparsity)
    given = case(op, np.random.default_rng(3), 1)
    for wrong in ({"scale_a_id": (1, 0)}, {"scale_a_id": (0, 2)}, {"scale_b_id": (4, 0)}, {"scale_b_id": (0, 4)}):
        _, report = launched(op, {**given, **wrong}, "registers")
        assert [one.rule for one in report.findings] == ["WS-RUN-044"], (wrong, report.findings)
    _, report = launched(op, given, "registers")
    assert not report.findings


def test_statements_are_checked() -> None:
    op = next(one for one in FORMS if one.narrow == "mxf4" and not one.sparsity)
    whole = f"{op.ptx} {{a,b,c,d}}, {{e,f,g,h}}, {{i,j}}, {{k,l,m,n}}"
    assert ws.parse(f"{whole}, p, {{2, 1}}, {{q}}, {{0, 3}};") == op
    assert ws.parse(f"{whole}, p, {{x, y}}, {{q}}, {{ z , %w1 }};") == op
    for rest, words in (
        (";", "expected ','"),
        (", p, {1, 0}, q, {0, 0};", "no scale at byte or thread 1"),
        (", p, {0, 2}, q, {0, 0};", "no scale at byte or thread 2"),
        (", p, 0, q, {0, 0};", "{byte-id, thread-id}"),
        (", p, {.x, 0}, q, {0, 0};", "register"),
    ):
        with pytest.raises((ws.PtxSyntaxError, ws.UnsupportedError)) as caught:
            ws.parse(whole + rest)
        assert words in str(caught.value), (rest, str(caught.value))


def test_the_forms_are_those_of_the_assembler() -> None:
    """What ptxas takes for sm_120a and not for sm_90a is here, and only that."""
    data = load("verdicts")
    taken = set()
    for text, index in data["texts"].items():
        accepted = data["patterns"][index]
        if "sm_120a" in accepted and "sm_90a" not in accepted and "sm_100a" not in accepted:
            taken.add(ws.parse(text))
    assert taken == {op for op in FORMS if not op.legality("sm_100a").ok}
    compared("forms that sm_120a alone has", len(taken), at_least=140)
