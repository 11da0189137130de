"""Variables of a module: what they hold; sizes that wrap at 2^32 or 2^64 are refused at their place in the text."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from warpsim.memory import memory_limit

HEAD = ".version 8.6\n.target sm_90a\n.address_size 64\n"
MOST = 2**26 - 1  # bytes that are placed at all; a thread block has fewer
SHARED_MOST = 49152  # of variables
TOO_LARGE = "this variable is too large: with those before it, it takes more than 67,108,863 bytes"


def text(module: str = "", body: str = "", parameters: str = ".param .u64 o") -> str:
    return f"{HEAD}{module}\n.visible .entry k({parameters}) {{\n.reg .b32 %r<9>; .reg .b64 %d<9>;\n{body}\nret;\n}}\n"


def uses(*names: str) -> str:
    return " ".join(f"mov.u32 %r0, {name}; st.shared.u8 [%r0], %r1;" for name in names)


def refused(source: str, word: str) -> str:
    """The message, whose caret is under the word."""
    with pytest.raises(ws.PtxSyntaxError) as caught:
        ws.Module(source)["k"].shared_bytes  # noqa: B018
    first, line, caret = str(caught.value).split("\n")
    assert line[caret.index("^") :].startswith(word), str(caught.value)
    return first.split(": ", 1)[1]


EXTENTS = (MOST + 1, 2**31, 2**32 - 1, 2**32, 2**32 + 1024, 2**40, 2**62, 2**63 - 1)


def test_one_variable_is_refused_where_it_stands() -> None:
    count = 0
    for extent in EXTENTS:
        for space, sources in (
            (
                "shared",
                (text(f".shared .b8 s[{extent}];", uses("s")), text("", f".shared .b8 s[{extent}]; {uses('s')}")),
            ),
            ("local", (text("", f".local .b8 s[{extent}]; mov.u64 %d0, s;"), text("", f".local .b8 s[{extent}];"))),
            (
                "param",
                (text(parameters=f".param .u64 o, .param .b8 s[{extent}]"), text("", f".param .b8 s[{extent}];")),
            ),
        ):
            for source in sources:
                assert refused(source, "s[") == TOO_LARGE, (space, extent)
                count += 1
    compared("variables that are too large", count, at_least=48)


def test_one_byte_less_is_placed() -> None:
    assert ws.Module(text("", f".shared .b8 s[{MOST}]; {uses('s')}"))["k"].shared_bytes == MOST
    assert ws.Module(text("", f".local .b8 s[{MOST}];"))["k"].local_bytes == MOST + 1
    with pytest.raises(ws.UnsupportedError, match=r"take 67,108,863 bytes; a thread block has at most 49,152 for them"):
        ws.Module(text("", f".shared .b8 s[{MOST}]; {uses('s')}"))["k"](1, 1, [None])
    with pytest.raises(ws.UnsupportedError, match=r"take 49,153 bytes; a thread block has at most 49,152 for them"):
        ws.Module(text("", f".shared .b8 s[{SHARED_MOST + 1}]; {uses('s')}"))["k"](1, 1, [None])
    assert ws.Module(text("", f".shared .b8 s[{SHARED_MOST}]; {uses('s')}"))["k"](1, 1, [None]).ok
    assert ws.Module(text("", ".param .b8 s[4000];", ".param .b8 p[4000]"))["k"](1, 1, [bytes(4000)]).ok


PRODUCTS = (".b8 s[65536][65536]", ".b32 s[32768][32768][4]", ".b64 s[1024][1024][1024][2]", ".v4 .b32 s[268435456]")


def test_products_of_dimensions_do_not_wrap() -> None:
    for declared in PRODUCTS:
        assert refused(text("", f".shared {declared}; {uses('s')}"), "s[") == TOO_LARGE
    for declared in (".b8 s[4294967296][4294967296]", ".b64 s[1152921504606846976]", ".v2 .b64 s[576460752303423488]"):
        for space in ("shared", "local", "global", "const", "param"):
            source = (
                text(f".{space} {declared};") if space in ("global", "const") else text("", f".{space} {declared};")
            )
            assert refused(source, "s") == "'s' is too large for any memory", (space, declared)
    assert refused(text(".global .b8 s[][4611686018427387904] = {{1}, {1}};"), ";").startswith(
        "expected a smaller array"
    )


def test_sums_and_alignments_do_not_wrap() -> None:
    names = [f"s{i}" for i in range(65)]
    many = "".join(f".shared .b8 {name}[1048576]; " for name in names)
    assert refused(text("", many + uses(*names)), "s63[") == TOO_LARGE  # 64 MiB is one byte too many
    fits = "".join(f".shared .b8 {name}[1048576]; " for name in names[:63])
    assert (
        ws.Module(text("", f"{fits} .shared .b8 last[1048575]; {uses(*names[:63], 'last')}"))["k"].shared_bytes == MOST
    )
    large = "".join(f".shared .b8 {name}[1073741824]; " for name in names[:4])
    assert refused(text("", large + uses(*names[:4])), "s0[") == TOO_LARGE
    align = ".shared .b8 a; .shared .align {} .b8 b;"
    for power in (26, 30, 31):
        assert refused(text("", align.format(2**power) + uses("a", "b")), "b;") == TOO_LARGE
    assert ws.Module(text("", align.format(2**25) + uses("a", "b")))["k"].shared_bytes == 2**25 + 1
    assert refused(text("", ".shared .align 4294967296 .b8 b;"), "4294967296") == "this number is too large"
    open_ = text(".extern .shared .align 2147483648 .b8 d[];", ".shared .b8 a; " + uses("a", "d"))
    assert ws.Module(open_)["k"].shared_bytes == 2**31
    with pytest.raises(ws.UnsupportedError, match="2,147,483,648 bytes"):
        ws.Module(open_)["k"](1, 1, [None])


def test_frames_of_all_functions_do_not_wrap() -> None:
    def functions(count: int) -> str:
        bodies = "".join(f".func f{i}() {{ .local .b8 s[{MOST}]; ret; }}\n" for i in range(count))
        return text(bodies, "".join(f"call f{i}, ();" for i in range(count)))

    assert ws.Module(functions(15))["k"].local_bytes == 0
    message = "the variables of the kernel's functions take more than 1,073,741,824 bytes with this one"
    assert refused(functions(16), "f15") == refused(functions(64), "f15") == message


def test_operands_of_a_prototype_do_not_wrap() -> None:
    call = "P: .callprototype _ (.param .b8 q[{}]); .param .b8 v[16]; mov.u64 %d0, f; call %d0, (v), P;"
    module = ".func f(.param .b8 q[16]) { ret; }"
    assert refused(text(module, call.format(2**32 + 16)), "q[") == TOO_LARGE
    assert ws.Module(text(module, call.format(16)))["k"](1, 1, [None]).ok


def test_variables_that_nobody_names_take_nothing() -> None:
    source = text(".shared .b8 s[1099511627776];", "")
    assert ws.Module(source)["k"].shared_bytes == 0 and ws.Module(source)["k"](1, 1, [None]).ok


def test_variables_of_global_memory_that_are_too_large_say_so() -> None:
    for space in ("global", "const"):
        for extent in (2**62, 2**63 - 1):
            module = ws.Module(text(f".{space} .b8 s[{extent}];", "mov.u64 %d0, s;"))
            with pytest.raises(ws.OutOfMemoryError, match=f"s: no memory for a variable of {extent:,} bytes"):
                _ = module.globals
            kind = ws.OutOfMemoryError if space == "global" else ws.UnsupportedError  # .const has a limit of its own
            with pytest.raises(kind, match=f"{extent:,} bytes"):
                module["k"](1, 1, [np.zeros(1, np.uint8)])


def test_variables_of_global_memory_are_too_large_together(monkeypatch: pytest.MonkeyPatch) -> None:
    most = 2**30
    monkeypatch.setattr(memory_limit, "most", lambda: most)
    for space in ("global", "const"):
        for extra in (0, 4):
            names = [f".{space} .b8 s{i}[{most // 8}];\n" for i in range(7)]
            module = ws.Module(text("".join(names) + f".global .b8 t[{most // 8 + extra}];", "mov.u64 %d0, t;"))
            if extra == 0:
                assert len(module.globals) == 8 or space == "const"
                continue
            message = rf"8 variables .* take {most + extra:,} bytes together; this machine has 1\.0 GiB .*: make them"
            with pytest.raises(ws.OutOfMemoryError, match=message):
                _ = module.globals
            if space == "global":
                with pytest.raises(ws.OutOfMemoryError, match=message):
                    module["k"](1, 1, [np.zeros(1, np.uint8)])


POINTER = ".global .align 4 .u32 x = 7; .global .align 8 .u64 p = x;"
FOLLOWED = "ld.param.u64 %d0, [o]; ld.global.u64 %d1, [p]; st.global.u64 [%d0], %d1;"


@pytest.mark.parametrize("launches", [0, 1])
def test_what_was_put_in_the_place_of_an_address_stays(launches: int) -> None:
    module, found = ws.Module(text(POINTER, FOLLOWED)), np.zeros(1, np.uint64)
    for _ in range(launches):
        module["k"](1, 1, (found,))
        assert found[0] >= 2**40  # an address of x
    module.globals["p"].view(np.uint64)[0] = 123456
    module["k"](1, 1, (found,))
    assert found[0] == module.globals["p"].view(np.uint64)[0] == 123456


@pytest.mark.slow
def test_the_first_launches_of_several_threads_have_all_addresses() -> None:
    many = "\n".join(f".global .align 8 .u64 p{i} = x;" for i in range(5000))
    module = ws.Module(text(f"{POINTER}\n{many}", FOLLOWED.replace("[p]", "[p4999]")))

    def launched(_: int) -> int:
        found = np.zeros(1, np.uint64)
        module["k"](1, 1, (found,))
        return int(found[0])

    with ThreadPoolExecutor(4) as pool:
        found = set(pool.map(launched, range(4)))
    assert len(found) == 1 and found.pop() >= 2**40


def test_an_interrupt_while_addresses_are_written_leaves_none_out(monkeypatch: pytest.MonkeyPatch) -> None:
    module, found = ws.Module(text(POINTER, FOLLOWED)), np.zeros(1, np.uint64)
    bytes_of, asked = module._source.bytes_of, [0, 1]  # of x and p, which are placed; then p has its address

    def interrupted(number: int) -> np.ndarray:
        if not asked:
            raise KeyboardInterrupt
        asked.pop()
        return bytes_of(number)

    with monkeypatch.context() as patched:
        patched.setattr(module._source, "bytes_of", interrupted)
        with pytest.raises(KeyboardInterrupt):
            module["k"](1, 1, (found,))
    module["k"](1, 1, (found,))
    assert found[0] >= 2**40


def test_variables_are_written_in_place_alone() -> None:
    variables = ws.Module(text(POINTER)).globals
    assert not any(hasattr(variables, name) for name in ("update", "setdefault", "pop", "clear", "__delitem__"))
    assert set(variables) == {"x", "p"} and "array" in repr(variables)


def test_a_variable_that_is_an_argument_too_is_one_memory() -> None:
    """What is written by the name and by the argument is there, whoever ran the block."""
    body = "ld.param.u64 %d0, [o]; ld.global.u32 %r0, [g]; add.u32 %r0, %r0, 1; st.global.u32 [%d0], %r0;"
    body += "st.global.u32 [g+8], %r0;"
    for executor in (None, ThreadPoolExecutor(1)):
        module = ws.Module(text(".global .align 4 .u32 g[4] = {7};", body))
        module["k"](1, 1, (module.globals["g"].view(np.uint32),), executor=executor)
        assert module.globals["g"].view(np.uint32).tolist() == [8, 0, 8, 0]
    report = module["k"](1, 1, (module.globals["g"][4:],))
    assert report.ok and module.globals["g"].view(np.uint32).tolist() == [8, 9, 9, 0]
