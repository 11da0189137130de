"""Structs that a kernel takes by value, and arrays: what they bring, and what is refused."""

import ctypes
import pickle
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared

COPY = """.version 8.6
.target sm_90a
.address_size 64
.visible .entry k(.param .align 8 .b8 s[24]) {
.reg .b64 %d<2>; .reg .b32 %r<2>;
ld.param.u64 %d0, [s]; ld.param.u64 %d1, [s+8]; ld.param.u32 %r0, [s+16];
ld.global.u32 %r1, [%d0]; add.u32 %r1, %r1, %r0; st.global.u32 [%d1], %r1;
ret;
}
"""
FLAT = [("x", "pointer"), ("y", "pointer"), ("n", "i4")]
#: the same struct, told in other ways: (fields, the values for x, y and n)
SAME: tuple[tuple[Any, Any], ...] = (
    (FLAT, lambda x, y, n: {"x": x, "y": y, "n": n}),
    (np.dtype([("x", "u8"), ("y", "u8"), ("n", "i4"), ("", "i4")]), lambda x, y, n: {"x": x, "y": y, "n": n}),
    ([("ends", "pointer", 2), ("n", "u32")], lambda x, y, n: {"ends": [x, y], "n": np.uint32(n)}),
    ([("of", [("x", "pointer"), ("y", "pointer")]), ("n", "s32")], lambda x, y, n: {"of": {"x": x, "y": y}, "n": n}),
)


def test_structs_bring_their_arrays_and_numbers() -> None:
    kernel = ws.Module(COPY)["k"]
    for fields, values in SAME:
        x, y = np.array([5], np.uint32), ws.uninitialized(1, np.uint32)
        report = kernel(1, 1, (ws.Struct(fields, **values(x, y, 37)),))
        assert report.ok and y[0] == 42, fields
    compared("descriptions of a struct", len(SAME), at_least=4)


def test_fields_lie_where_the_c_compiler_puts_them() -> None:
    kinds = {"b": ctypes.c_int8, "h": ctypes.c_int16, "i": ctypes.c_int32, "q": ctypes.c_int64, "d": ctypes.c_double}
    rng, count = np.random.default_rng(3), 200
    for _ in range(count):
        chosen = rng.choice(list(kinds), rng.integers(1, 9))
        named = [(f"f{n}", str(kind)) for n, kind in enumerate(chosen)]
        record = type("Record", (ctypes.Structure,), {"_fields_": [(name, kinds[kind]) for name, kind in named]})
        values = {name: int(rng.integers(-100, 100)) for name, _ in named}
        assert ws.Struct(named, **values).packed()[0] == bytes(record(**values)), named
    compared("structs laid out by ctypes", count, at_least=200)


def test_a_part_of_an_array_that_nobody_wrote_is_told_by_its_field() -> None:
    x, y = ws.uninitialized(1, np.uint32), np.zeros(1, np.uint32)
    found = ws.Module(COPY)["k"](1, 1, (ws.Struct(FLAT, x=x, y=y, n=1),)).findings
    assert [finding.rule for finding in found] == ["WS-RUN-021"] and "s.x" in found[0].message


@pytest.mark.parametrize(
    ("fields", "values", "message"),
    [
        (FLAT, {"m": 3}, "m: expected one of x, y, n"),
        (FLAT, {"n": 7.5}, "n: expected an integer for int32, got float"),
        (FLAT, {"n": 1 << 31}, "n: 2147483648 does not fit into int32"),
        (FLAT, {"n": None}, "n: expected a value for int32, got None"),
        (FLAT, {"x": "a"}, "x: expected a value for uint64, got str"),
        (FLAT, {"x": [1]}, r"x: expected shape \(\) for uint64, got \(1,\)"),
        (FLAT, {"x": np.zeros((4, 4))[:, 1]}, "x: expected a C-contiguous array"),
        ([("ends", "pointer", 2)], {"ends": [None]}, "ends: expected 2 values, got 1"),
        ([("x", "pointr")], {}, "expected a NumPy dtype or a PTX type, got 'pointr'"),
        ("i4", {}, r"fields: expected a list of \(name, type\) or a NumPy dtype, got str"),
        (np.dtype("i4"), {}, "fields: expected a dtype with fields"),
        ([("n", "i4", (2,))], {"n": np.array([2**31, 1])}, r"n: .* does not fit into int32"),
        ([("n", "i4", (2,))], {"n": np.array([-(2**31) - 1, 1])}, r"n: .* does not fit into int32"),
        ([("n", "u4")], {"n": np.int64(-1)}, r"n: .* does not fit into uint32"),
        ([("n", "f2")], {"n": 65520.0}, r"n: 65520.0 does not fit into float16"),
        ([("n", "f4")], {"n": np.complex64(1 + 2j)}, "n: expected a real number for float32, got complex64"),
        ([("n", "i4")], {"n": np.complex64(1)}, "n: expected an integer for int32, got complex64"),
        ([("n", "i4")], {"n": "12"}, "n: expected a value for int32, got str"),
        (np.dtype([("a", ">i4")]), {"a": 1}, "fields: expected numbers in the GPU's byte order"),
    ],
)
def test_what_does_not_fit_is_refused(fields: Any, values: dict[str, Any], message: str) -> None:
    kernel = ws.Module(COPY)["k"]
    with pytest.raises((TypeError, ValueError, OverflowError), match=message):
        kernel(1, 1, (ws.Struct(fields, **values),))


def test_a_struct_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match=r"s: expected 24 bytes, got 16: Struct\(x, y: 16 bytes, 0 arrays\)"):
        ws.Module(COPY)["k"](1, 1, (ws.Struct(FLAT[:2]),))


PIECES = """.version 8.6
.target sm_90a
.address_size 64
.visible .entry k(.param .align 16 .b8 s[16], .param .u64 out) {{
.reg .b64 %d<4>; .reg .b32 %r<8>;
ld.param.{of} {{{names}}}, [s+{at}]; ld.param.u64 %d0, [out];
st.global.{of} [%d0], {{{names}}};
ret;
}}
"""


@pytest.mark.parametrize("of", ["v2.u32", "v4.u32", "v2.u64", "v2.s16"])
def test_vectors_of_a_parameter_are_its_bytes_up_to_its_end(of: str) -> None:
    count, nbytes = int(of[1]), int(of[4:]) // 8
    names = ", ".join(f"%{'d' if nbytes == 8 else 'r'}{i + 1}" for i in range(count))
    given, width = np.arange(16, dtype=np.uint8), count * nbytes
    for at in range(0, 17, width):
        out = np.zeros(16, np.uint8)
        module = ws.Module(PIECES.format(of=of, names=names, at=at).replace("s16 {", "b16 {"))
        if at + width <= 16:
            module["k"](1, 1, [given.tobytes(), out])
            assert out[:width].tolist() == given[at : at + width].tolist()
            continue
        with pytest.raises(ws.PtxSyntaxError, match="reads beyond the end of the parameter"):
            module["k"](1, 1, [given.tobytes(), out])


@pytest.mark.parametrize(("of", "at"), [("u32", 2), ("u16", 5), ("u64", 4), ("v2.u32", 4), ("v4.u32", 8)])
def test_a_parameter_that_is_read_where_it_is_not_aligned_is_found(of: str, at: int) -> None:
    names = "{%r1, %r2, %r3, %r4}" if of[:2] == "v4" else "{%r1, %r2}" if of[0] == "v" else "%d1"
    text = f""".version 8.6
.target sm_90a
.address_size 64
.visible .entry k(.param .align 16 .b8 s[32], .param .u64 out) {{
.reg .b64 %d<4>; .reg .b32 %r<8>; ld.param.{of} {names}, [s+@]; ret; }}"""
    arguments = [bytes(32), np.zeros(1, np.uint32)]
    (found,) = ws.Module(text.replace("@", str(at)))["k"](1, 1, arguments).findings
    assert found.rule == "WS-RUN-003" and found.line == 5 and f"{at} bytes into the parameters" in found.message
    assert ws.Module(text.replace("@", "16"))["k"](1, 1, arguments).ok


@pytest.mark.parametrize(
    ("type", "value"),
    [("i4", np.array([-(2**31), 2**31 - 1])), ("u4", np.array([0, 2**32 - 1])), ("f2", np.array([65504, np.inf]))],
)
def test_numbers_at_the_bounds_of_a_field_are_kept(type: str, value: np.ndarray) -> None:
    assert ws.Struct([("n", type, (2,))], n=value).packed()[0] == value.astype(type).tobytes()


@pytest.mark.parametrize("value", [np.array((1, 2), ">i4,i4")[()], np.ones(2, ">i4")], ids=["record", "array"])
def test_a_record_in_the_other_byte_order_is_refused(value: Any) -> None:
    kernel = ws.Module(COPY.replace("s[24]", "s[8]").replace("[s+8]", "[s]").replace("[s+16]", "[s]"))["k"]
    with pytest.raises(TypeError, match="s: expected numbers in the GPU's byte order"):
        kernel(1, 1, (value,))


READ = """.version 8.6
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 x, .param .u64 y) {
.reg .b64 %d<2>; .reg .b32 %r; ld.param.u64 %d0, [x]; ld.param.u64 %d1, [y];
ld.global.u32 %r, [%d0]; st.global.u32 [%d1], %r; ret;
}
"""


def test_a_launch_that_is_refused_writes_no_array() -> None:
    kernel, x, y = ws.Module(READ)["k"], ws.uninitialized(4, np.uint32), np.zeros(4, np.uint32)
    with pytest.raises(ValueError, match="blocks"):
        kernel(1, 1, (x, y), blocks=[5])
    assert [finding.rule for finding in kernel(1, 1, (x, y)).findings] == ["WS-RUN-021"]
    assert kernel(1, 1, (x, y)).findings == ()  # the launch before may have written it


@pytest.mark.parametrize(
    "of",
    [lambda y: y[:2], lambda y: y.view("i4"), lambda y: y.copy(), lambda y: y + 0,
     lambda y: y.astype("u4").reshape(2, 2), lambda y: pickle.loads(pickle.dumps(y))],
    ids=["slice", "view", "copy", "sum", "astype", "pickle"],
)  # fmt: skip
def test_what_comes_of_an_array_that_was_written_is_written(of: Any) -> None:
    kernel, y = ws.Module(READ)["k"], ws.uninitialized(4, np.uint32)
    part = y[:2]
    assert [finding.rule for finding in kernel(1, 1, (part, np.zeros(1, "u4"))).findings] == ["WS-RUN-021"]
    assert kernel(1, 1, (np.arange(4, dtype="u4"), y)).findings == ()
    assert kernel(1, 1, (of(y), np.zeros(1, "u4"))).findings == ()


class Freeing(int):
    """A number of a block that frees an array when it is read."""

    array: np.ndarray

    def __int__(self) -> int:
        self.array.resize(1, refcheck=False)
        return 0


def test_an_array_that_a_later_argument_frees_is_found_as_it_is_then() -> None:
    x, number = np.zeros(1 << 20, np.uint32), Freeing(0)
    number.array = x
    text = READ.replace("ld.global.u32 %r, [%d0]", "ld.global.u32 %r, [%d0+4]")
    found = ws.Module(text)["k"](1, 1, (x, np.zeros(1, np.uint32)), blocks=[number]).findings
    assert len(x) == 1 and [finding.rule for finding in found] == ["WS-RUN-001"]
