"""What a launch takes and refuses, what ends it, what it prints: both sides of every bound."""

import copy
import ctypes
import ctypes.util
import resource
import sys
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.support.process import run as run_program

HEAD = ".version 8.6\n.target sm_90a\n.address_size 64\n"
STORE = ".reg .b64 %d<3>; .reg .b32 %r<3>; ld.param.u64 %d0, [a]; ld.param.u32 %r0, [n]; st.global.u32 [%d0], %r0;"


def text(body: str, params: str = "", before: str = "", bounds: str = "") -> str:
    return f"{HEAD}{before}\n.visible .entry k({params}) {bounds} {{\n{body}\nret;\n}}\n"


def kernel(body: str, params: str = "", before: str = "", bounds: str = "") -> Any:
    return ws.Module(text(body, params, before, bounds))["k"]


def store() -> Any:
    return kernel(STORE, ".param .u64 a, .param .u32 n")


class Interface:
    def __init__(self, array: np.ndarray) -> None:
        self.__array_interface__ = array.__array_interface__


class Dlpack:
    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __dlpack__(self, **words: Any) -> Any:
        return self.array.__dlpack__(**words)

    def __dlpack_device__(self) -> Any:
        return self.array.__dlpack_device__()


def test_arrays_of_every_kind_are_written_in_place() -> None:
    for wrap in (np.asarray, Interface, Dlpack):
        array = np.zeros(4, "<u4")
        assert store()(1, 1, (wrap(array), 7)).ok
        assert array.tolist() == [7, 0, 0, 0]


READ_ONLY = np.frombuffer(bytes(16), np.uint32)
#: (arguments of the kernel, error, what its message says)
ARGUMENTS: tuple[tuple[tuple[Any, ...], type[Exception], str], ...] = (
    ((np.zeros(4, np.uint32),), TypeError, "args: expected 2 (a, n), got 1"),
    ((np.zeros(4, np.uint32), 1, 2), TypeError, "args: expected 2 (a, n), got 3"),
    ((np.zeros(4, np.uint32), 7.5), TypeError, "n: expected an int for .u32, got float"),
    ((1.5, 7), TypeError, "a: expected an array, None or an int for .u64, got float"),
    ((np.zeros(4, np.uint32), np.float32(3)), TypeError, "n: expected an int for .u32, got float32"),
    ((np.array(["abc"]), 7), TypeError, "a: expected an array of numbers, got dtype <U3"),
    ((np.zeros(4, "M8[s]"), 7), TypeError, "a: expected an array of numbers, got dtype datetime64[s]"),
    ((np.zeros(4, np.uint32), "7"), TypeError, "n: expected a number for .u32, got str"),
    ((np.zeros(4, np.uint32), 2**32), OverflowError, "n: 4294967296 does not fit into .u32"),
    ((np.zeros(4, np.uint32), -(2**31) - 1), OverflowError, "n: -2147483649 does not fit into .u32"),
    (([1], 7), TypeError, "a: expected an array, None or a number for .u64, got list"),
    ((READ_ONLY, 7), TypeError, "a: expected a writable array"),
    ((np.zeros(8, np.uint32)[::2], 7), TypeError, "a: expected a C-contiguous array"),
    ((np.zeros(4, ">u4"), 7), TypeError, "a: expected numbers in the GPU's byte order"),
    ((np.zeros(4, [("x", "<u4"), ("y", ">f4")]), 7), TypeError, "a: expected numbers in the GPU's byte order"),
)


@pytest.mark.parametrize(("args", "error", "message"), ARGUMENTS, ids=lambda value: str(value)[:40])
def test_an_argument_that_does_not_fit_is_named(args: tuple[Any, ...], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        store()(1, 1, args)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("type", "fits", "too_large"),
    [
        ("f16", 65504, 65536), ("f16", 65504.0, 70000.0),
        ("f32", 2**128 - 2**104, 2**128), ("f32", 3.4e38, 1e300),
        ("f64", 2**1024 - 2**971, 2**1024), ("f64", 1e308, 10**400), ("f64", np.inf, np.longdouble("1e400")),
    ],
)  # fmt: skip
def test_numbers_too_large_for_a_float_are_refused(type: str, fits: Any, too_large: Any) -> None:
    takes = kernel("", f".param .{type} x")
    assert takes(1, 1, (fits,)).ok
    with pytest.raises(OverflowError, match=rf"^x: .* does not fit into \.{type}$"):
        takes(1, 1, (too_large,))


def test_numbers_at_their_bounds_fit() -> None:
    for number, left in ((2**32 - 1, 2**32 - 1), (-(2**31), 2**31), (True, 1), (np.uint8(9), 9)):
        array = np.zeros(1, np.uint32)
        store()(1, 1, (array, number))
        assert array[0] == left


def test_structs_have_their_exact_size() -> None:
    read = kernel(
        ".reg .b64 %d<2>; .reg .b32 %r; ld.param.u64 %d0, [a]; ld.param.u32 %r, [s+8]; st.global.u32 [%d0], %r;",
        ".param .u64 a, .param .align 8 .b8 s[16]",
    )
    record = np.array((5, 77), "u8,u8")
    for value in (record.tobytes(), record, bytearray(record.tobytes())):
        array = np.zeros(1, np.uint32)
        read(1, 1, (array, value))
        assert array[0] == 77
    for size in (15, 17):
        with pytest.raises(ValueError, match=f"s: expected 16 bytes, got {size}"):
            read(1, 1, (np.zeros(1, np.uint32), bytes(size)))


#: (words of the launch, what the message of the ValueError or TypeError says)
SHAPES: tuple[tuple[dict[str, Any], str], ...] = (
    ({"grid": 0}, "grid: expected 1 to 2,147,483,647 in x, got 0"),
    ({"grid": (1, 65536)}, "grid: expected 1 to 65,535 in y, got 65536"),
    ({"grid": (1, 1, 1, 1)}, "grid: expected an int or a tuple of up to 3"),
    ({"block": 1025}, "block: expected 1 to 1,024 in x, got 1025"),
    ({"block": (32, 33)}, "block: expected at most 1,024 threads, got 1,056"),
    ({"block": (1, 1, 65)}, "block: expected 1 to 64 in z, got 65"),
    ({"shared_bytes": -1}, "shared_bytes: expected 0 to 232,448, got -1"),
    ({"shared_bytes": 232449}, "shared_bytes: expected 0 to 232,448, got 232449"),
    ({"threads": 0}, "threads: expected 1 to 1,024, got 0"),
    ({"max_steps": 0}, "max_steps: expected 1 to"),
    ({"stack_bytes": -1}, "stack_bytes: expected 0 to"),
    ({"order": -1}, "order: expected 0 to"),
    ({"on_finding": "x"}, "on_finding: expected 'record' or 'raise', got 'x'"),
    ({"blocks": 0}, "blocks: expected 1 to"),
    ({"simd": 99}, "simd: expected 0 to"),
    ({"simd": -1}, "simd: expected 0 to"),
    ({"simd": True}, "simd: expected an int, got bool"),
    ({"simd": 1.0}, "simd: expected an int, got float"),
    ({"check": 2}, "check: expected a bool, got 2"),
    ({"count": -1}, "count: expected a bool, got -1"),
    ({"contract": np.int64(3)}, "contract: expected a bool, got np.int64(3)"),
    ({"print_output": 1.0}, "print_output: expected a bool, got float"),
    ({"check": None}, "check: expected a bool, got NoneType"),
    ({"as_assembled": 1}, "as_assembled: expected None, 'text', a bool or what kernel.merged gives, got int"),
    ({"threads": 2.0}, "threads: expected an int, got float"),
    ({"threads": -1}, "threads: expected 1 to"),
    ({"order": -1}, "order: expected 0 to"),
    ({"order": np.True_}, "order: expected an int, got bool"),
    ({"max_steps": 1e9}, "max_steps: expected an int, got float"),
    ({"stack_bytes": -1}, "stack_bytes: expected 0 to"),
    ({"shared_bytes": -1}, "shared_bytes: expected 0 to"),
    ({"shared_bytes": 1.5}, "shared_bytes: expected an int, got float"),
    ({"cluster": 1.0}, "cluster: expected an int or a tuple"),
    ({"grid": 2.0}, "grid: expected an int or a tuple"),
    ({"block": (True, 1)}, "block: expected ints, got bool"),
    ({"progress": True}, "progress: expected None, False or a function"),
    ({"blocks": [1]}, "blocks: expected 0 to 0, got 1"),
    ({"blocks": "all"}, "blocks: expected None, an int, a slice or indices"),
    ({"blocks": np.array(0)}, "blocks: expected None, an int, a slice or indices"),
    ({"blocks": np.zeros((1, 1), int)}, "blocks: expected None, an int, a slice or indices"),
    ({"target": "sm_12"}, "target: expected one of"),
)


@pytest.mark.parametrize(("words", "message"), SHAPES, ids=lambda value: str(value)[:40])
def test_a_launch_beyond_a_bound_is_refused(words: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError)) as caught:
        kernel("")(**{"grid": 1, "block": 1, "args": (), **words})
    assert str(caught.value).startswith(message)


def test_launches_at_the_bounds_run() -> None:
    for words in (
        {"check": np.False_, "count": 0, "contract": 1, "print_output": np.False_, "as_assembled": np.False_},
        {"simd": 1, "order": 2**63, "max_steps": np.int64(10**6), "threads": np.uint8(2)},
        {"block": 1024},
        {"block": (4, 4, 64)},
        {"shared_bytes": 232448},
        {"grid": (2**31 - 1, 65535), "blocks": 3},
    ):
        assert kernel("")(**{"grid": 1, "block": 1, "args": (), **words}).ok
    assert kernel("")((4, 2), 1, (), blocks=slice(1, None, 3)).blocks == (1, 4, 7)
    report = kernel("")(10, 1, (), blocks=4)
    assert report.blocks == (0, 2, 5, 7) and report.scale == 2.5


def test_a_barrier_for_more_threads_than_the_block_has_says_so() -> None:
    with pytest.raises(ws.DeadlockError) as caught:
        kernel("bar.sync 1, 128;")(1, 64, [])
    said = str(caught.value)
    assert "64 of 128 threads have arrived" in said
    assert "missing at barrier 1: threads that have exited, or that the block does not have" in said


def test_lanes_that_wait_name_those_of_the_mask_that_are_missing() -> None:
    body = """
        .reg .b32 %r<2>; .reg .pred %p; mov.u32 %r1, %laneid; setp.lt.u32 %p, %r1, 16; @%p bra L; bar.sync 1, 64; bra E;
        L: bar.warp.sync 0xffffffff;
        E: ret;
    """
    with pytest.raises(ws.DeadlockError, match=r"lanes 0-15, line \d+: bar.warp.sync, waits for lanes 16-31 to come"):
        kernel(body)(1, 32, ())


def test_bodies_without_a_ret_return_at_their_end() -> None:
    """An empty body has a statement of its own: its executions count for no other function, nor behind the last."""
    empty, falls = "{}", "{ .reg .b32 %r; mov.u32 %r, 1; }"
    for body, ran in ((empty, {"ret": 1}), (falls, {"mov.u32": 1})):
        for after in ("", "\n.visible .entry j() { trap; }"):
            report = ws.Module(f"{HEAD}.visible .entry k() {body}{after}")["k"](1, 32, [])
            assert report.ok and report.instructions == ran, (body, after)
            assert report.to_dict() and str(report) and report.html()
    report = ws.Module(f"{HEAD}.func f() {{\n}}\n.visible .entry k() {{ call f; ret; }}")["k"](1, 32, [])
    assert report.instructions == {"ret": 2, "call": 1}
    assert [(row["line"], row["executed"]) for row in report.lines] == [(5, 1), (6, 1), (6, 1)]


def test_blocks_fixed_in_the_text_are_obeyed() -> None:
    with pytest.raises(ValueError, match=r"block: expected \(64, 1, 1\) \(.reqntid of the kernel\), got \(32, 1, 1\)"):
        kernel("", bounds=".reqntid 64")(1, 32, ())
    with pytest.raises(ValueError, match=r"block: expected at most 64 threads \(.maxntid of the kernel\), got 65"):
        kernel("", bounds=".maxntid 64")(1, 65, ())
    assert kernel("", bounds=".reqntid 64")(1, 64, ()).ok and kernel("", bounds=".maxntid 64")(1, 64, ()).ok


def test_what_is_not_modelled_is_listed_before_anything_runs() -> None:
    array = np.zeros(1, np.uint32)
    refused = kernel(
        f"{STORE}\ntcgen05.fence::before_thread_sync;\ntcgen05.fence::after_thread_sync;",
        ".param .u64 a, .param .u32 n",
    )
    assert refused.unsupported == ((7, "tcgen05.fence::before_thread_sync"), (8, "tcgen05.fence::after_thread_sync"))
    with pytest.raises(
        ws.UnsupportedError, match=r"k has 2 statements that warpsim does not model:\n  line 7: tcgen05"
    ):
        refused(1, 1, (array, 1))
    assert array[0] == 0


def test_a_kernel_that_is_not_there_names_the_nearest() -> None:
    with pytest.raises(KeyError, match=r"the module has no kernel 'kk'; did you mean 'k'\?"):
        ws.Module(text(""))["kk"]


def test_variables_of_the_module_are_arrays_that_kernels_write() -> None:
    module = ws.Module(
        text(
            ".reg .b32 %r; ld.global.u32 %r, [g+4]; st.global.u32 [g], %r;",
            before=".visible .global .align 4 .u32 g[3] = {1, 7}; .visible .const .f32 c = 0f3F800000;",
        )
    )
    assert module.globals["g"].view(np.uint32).tolist() == [1, 7, 0]
    assert module.globals["c"].view(np.float32).tolist() == [1]
    module["k"](1, 1, ())
    assert module.globals["g"].view(np.uint32).tolist() == [7, 7, 0]
    with pytest.raises(TypeError, match=r"globals: expected .* written in place, as in globals\['g'\]\[:\] = values"):
        module.globals["g"] = np.zeros(12, np.uint8)
    assert copy.deepcopy(module.globals)["g"].tolist() == module.globals["g"].tolist()
    assert "k" in module and "g" not in module and list(module) == ["k"]


NARROW = """.version 8.7
.target sm_90a
.address_size 64
.const .align 4 .u32 c[2] = {5, 7};
.visible .entry k(.param .u64 out, .param .align 8 .b8 s[16])
{
.reg .b32 %r<9>; .reg .b64 %rd<9>;
ld.param.u64 %rd1, [out];
mov.b32 %r1, s;
mov.b32 %r2, c;
add.s32 %r1, %r1, 4;
ld.param.b32 %r3, [%r1+4];
ld.const.b32 %r4, [%r2+4];
cvt.u64.u32 %rd2, %r1;
cvta.param.u64 %rd2, %rd2;
ld.b32 %r5, [%rd2];
cvt.u64.u32 %rd3, %r2;
cvta.const.u64 %rd3, %rd3;
ld.b32 %r6, [%rd3];
mov.b64 %rd4, s;
cvta.param.u64 %rd4, %rd4;
ld.b32 %r7, [%rd4+12];
mov.b64 %rd5, c;
cvta.const.u64 %rd5, %rd5;
ld.b32 %r8, [%rd5+4];
st.global.v4.b32 [%rd1], {%r3, %r4, %r5, %r6};
st.global.v2.b32 [%rd1+16], {%r7, %r8};
ret;
}
"""


def test_parameters_and_constants_have_addresses_of_32_bits_too() -> None:
    """Triton 3.9 writes them so, before cvta.param."""
    out, values = np.zeros(6, np.uint32), np.arange(10, 14, dtype=np.uint32)
    assert ws.Module(NARROW)["k"](1, 1, (out, values.tobytes())).ok
    assert out.tolist() == [12, 7, 11, 5, 13, 7]


def test_null_pointers_and_empty_arrays_are_told_as_such() -> None:
    for value, where, fix in (
        (None, "0x1fc, a null pointer", "The pointer is null: pass an array, or test it before the access."),
        (np.zeros(0, np.uint32), ", 508 bytes after the end of p (0 bytes)", "Check the index"),
        (np.zeros(4, np.uint32), ", 492 bytes after the end of p (16 bytes)", "Check the index"),
        (4096 - 508, "0x1000, far from every array", "Check the index"),
    ):
        body = ".reg .b64 %d; .reg .b32 %r; ld.param.u64 %d, [p]; ld.global.u32 %r, [%d+508];"
        (found,) = kernel(body, ".param .u64 p")(1, 1, [value]).findings
        assert found.rule == "WS-RUN-001" and where in found.message and found.fix.startswith(fix), str(found)
        assert value is None or isinstance(value, int) or found.array_bytes == value.nbytes


ENDLESS = ".func f() { call f; ret; }"
#: (body, before the kernel, threads, rule, error when asked to raise)
ENDS: tuple[tuple[str, str, int, str, type[Exception]], ...] = (
    ("trap;", "", 32, "the kernel executed trap;", ws.TrapError),
    ("brkpt;", "", 32, "the kernel executed brkpt;", ws.TrapError),
    ("call f;", ENDLESS, 32, "stack overflow", ws.OutOfBoundsError),
    (".reg .b32 %r; st.shared.u32 [4096], 1;", "", 32, "access out of bounds", ws.OutOfBoundsError),
    (".reg .b32 %r; .shared .b32 s[4]; st.shared.u32 [s+2], 1;", "", 32, "misaligned", ws.MisalignedAddressError),
)


@pytest.mark.parametrize(("body", "before", "threads", "title", "error"), ENDS, ids=lambda value: str(value)[:20])
def test_what_ends_a_kernel_is_a_finding_or_an_error(
    body: str, before: str, threads: int, title: str, error: type[Exception]
) -> None:
    (finding,) = kernel(body, before=before)(1, threads, ()).findings
    assert finding.severity == "error" and title in finding.message and finding.line >= 4
    with pytest.raises(error) as caught:
        kernel(body, before=before)(1, threads, (), on_finding="raise")
    assert title in str(caught.value)


def test_a_kernel_that_hangs_ends_and_says_where() -> None:
    with pytest.raises(ws.StepLimitError, match=r"(?s)max_steps allows, 1,000,000.*warp 0, lanes 0-31, line 6: bra"):
        kernel("L: bra L;")(1, 32, (), max_steps=10**6)
    waits = (
        ".reg .pred %p; .reg .b32 %r; mov.u32 %r, %tid.x; setp.lt.u32 %p, %r, 32;"
        "@%p bar.sync 0, 64; @!%p bar.sync 1, 64;"
    )
    with pytest.raises(ws.DeadlockError, match=r"(?s)waits at barrier 0: 32 of 64.*waits at barrier 1: 32 of 64"):
        kernel(waits)(1, 64, ())
    barrier = "Make sure that every thread the barrier expects reaches it"
    for body, fix in (
        ("L: nanosleep.u32 1000; bra L;", "give the loop an end"),
        (waits, barrier),
        (waits.replace("@!%p bar.sync 1, 64;", "L: nanosleep.u32 9; bra L;"), barrier),
    ):
        with pytest.raises(ws.DeadlockError, match=f"fix: .*{fix}"):
            kernel(body)(1, 64, ())


#: what nobody writes by hand, and must end soon in little memory: (body, before, error or None: it runs)
ABSURD: dict[str, tuple[str, str, type[Exception] | None]] = {
    "a million registers": (".reg .b32 %r<1000000>; mov.u32 %r999999, 1;", "", None),
    "100,000 statements": (".reg .b32 %r<9>;" + "add.u32 %r1, %r1, 1;\n" * 100_000, "", None),
    "100,000 labels": ("".join(f"L{i}: bra L{i + 1};\n" for i in range(100_000)) + "L100000:", "", None),
    "10,000 functions": (
        "call f9999;",
        ".func f0() { ret; }" + "".join(f".func f{i}() {{ call f{i - 1}; ret; }}\n" for i in range(1, 10_000)),
        None,
    ),
    "10,000 scopes": ("{" * 10_000 + "}" * 10_000, "", None),
    "a large frame": (".local .b8 x[1000000000]; .reg .b32 %r; mov.u32 %r, x;", "", ws.PtxSyntaxError),
    "large shared memory": (".shared .b8 x[1000000000]; .reg .b32 %r; mov.u32 %r, x;", "", ws.PtxSyntaxError),
    "a large variable": (".reg .b64 %r; mov.u64 %r, x;", ".global .b8 x[1000000000000];", ws.OutOfMemoryError),
    "an array of arrays": ("", ".global .b8 x[4294967296][4294967296];", ws.PtxSyntaxError),
    "parentheses": ("", ".global .u32 x = " + "(" * 100_000 + "1" + ")" * 100_000 + ";", ws.PtxSyntaxError),
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name.startswith("100,000") else ()) for name in ABSURD]
)
def test_absurd_texts_end(name: str) -> None:
    body, before, error = ABSURD[name]
    began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    if error is None:
        assert kernel(body, before=before)(1, 64, ()).ok
    else:
        with pytest.raises(error) as caught:
            kernel(body, before=before)(1, 64, ())
        assert 0 < len(str(caught.value)) < 1000
    more = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - began
    assert more < 2**19, f"{more} kB more"


def printed(form: str, *values: Any) -> str:
    """What a kernel prints."""
    bytes_ = ", ".join(str(byte) for byte in form.encode() + b"\0")
    at, stores = 0, []
    for value in values:
        size = 8 if isinstance(value, float) or abs(value) >= 2**31 else 4
        at = -(-at // size) * size
        bits = np.float64(value).view(np.uint64) if isinstance(value, float) else value & (2 ** (8 * size) - 1)
        stores.append(f"st.local.b{8 * size} [b+{at}], {bits};")
        at += size
    before = (
        f".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 v);\n.global .b8 text[] = {{{bytes_}}};"
    )
    body = (
        f".local .align 8 .b8 b[64]; .reg .b64 %d<4>; .reg .b32 %r; {' '.join(stores)}\n"
        "mov.u64 %d0, text; cvta.global.u64 %d0, %d0; mov.u64 %d1, b; cvta.local.u64 %d1, %d1;\n"
        "{ .param .b64 f; .param .b64 v; .param .b32 r; st.param.b64 [f], %d0; st.param.b64 [v], %d1;\n"
        "call (r), vprintf, (f, v); }"
    )
    return str(kernel(body, before=before)(1, 1, ()).output)


PRINTS: tuple[tuple[Any, ...], ...] = (
    ("plain",), ("%d%%", 5), ("%d %i %u", -3, 7, -1), ("[%5d|%-5d|%05d|%+d]", 42, 42, 42, 42),
    ("%x %X %#x %o", 255, 255, 255, 8),
    ("%ld %lu %llx", -(2**40), 2**40, 2**60), ("%c%c", 104, 105), ("%f %e %g %G", 1.5, -2.25e10, 1e-7, 1e20),
    ("%.3f|%8.2f|%-8.1f|", 3.14159, 2.5, 0.5), ("%*d|%.*f|%-*d|", 6, 42, 2, 1.23456, 4, 7), ("%hhd %hd", 300, 70000),
    ("%g %f", float("inf"), float("nan")), ("%5c|%%", 65), ("%i", -(2**31)), ("%zu %jd", 2**33, -(2**33)),
)  # fmt: skip


@pytest.mark.skipif(sys.platform != "linux", reason="snprintf of the C library")
@pytest.mark.parametrize("words", PRINTS, ids=lambda words: words[0])
def test_prints_as_c_prints(words: tuple[Any, ...]) -> None:
    form, *values = words
    buffer = ctypes.create_string_buffer(1000)
    typed = [ctypes.c_double(v) if isinstance(v, float) else ctypes.c_longlong(v) for v in values]
    ctypes.CDLL(ctypes.util.find_library("c")).snprintf(buffer, 1000, form.encode(), *typed)
    assert printed(form, *values) == buffer.value.decode().replace("-nan", "nan")


def sums(grid: int = 8, **words: Any) -> list[int]:
    """Every block adds its threads' numbers to one place."""
    add = kernel(
        ".reg .b64 %d; .reg .b32 %r<3>; ld.param.u64 %d, [a]; mov.u32 %r0, %ctaid.x; mov.u32 %r1, %tid.x;"
        "mad.lo.u32 %r2, %r0, 1000, %r1; red.global.add.u32 [%d], %r2;",
        ".param .u64 a",
    )
    array = np.zeros(1, np.uint32)
    report = add(grid, 96, (array,), **words)
    assert report.ok
    return [int(array[0]), report.steps]


def test_threads_and_turns_change_nothing() -> None:
    ways: tuple[dict[str, Any], ...] = (
        {"threads": 4},
        {"order": 3},
        {"order": 4, "threads": 2},
        {"check": False, "count": False},
    )
    for words in ways:
        assert sums(**words)[0] == sums()[0] == sum(1000 * block + thread for block in range(8) for thread in range(96))
    compared("ways of one launch", len(ways), at_least=4)


INTERRUPTED = f"""
import os, signal, threading, time, numpy as np, warpsim as ws
signal.signal(signal.SIGINT, signal.default_int_handler)
kernel = ws.Module({text("L: bra L;")!r})["k"]
delays = []
for threads in (1, 4):
    sent = []
    def send():
        time.sleep(0.3)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=send).start()
    try:
        kernel(8, 64, (), threads=threads)
    except KeyboardInterrupt:
        delays.append(time.monotonic() - sent[0])
print(len(delays), max(delays) < 2)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT is sent by os.kill")
def test_ctrl_c_ends_a_kernel_that_hangs() -> None:
    assert run_program(sys.executable, "-c", INTERRUPTED) == "2 True\n"


WHILE_THREADS_START = f"""
from concurrent.futures import ThreadPoolExecutor
import warpsim as ws
submit, started = ThreadPoolExecutor.submit, []
def one(*given):
    if started:
        raise KeyboardInterrupt
    started.append(submit(*given))
    return started[0]
ThreadPoolExecutor.submit = one
try:
    ws.Module({text("L: bra L;")!r})["k"](8, 64, (), threads=4)
except KeyboardInterrupt:
    print(started[0].done())
"""


def test_ctrl_c_while_threads_start_ends_those_that_run() -> None:
    assert run_program(sys.executable, "-c", WHILE_THREADS_START) == "True\n"
