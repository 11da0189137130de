"""vprintf, malloc, free and __assertfail: pointers that they cannot take, and stacks without room for their calls."""

import re
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared

HEAD = """.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 v);
.extern .func (.param .b64 at) malloc (.param .b64 n);
.extern .func free (.param .b64 at);
.extern .func __assertfail (.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 s);
.global .align 1 .b8 text[4] = {37, 100, 10, 0};
"""
PRINT = """{ .param .b64 f; .param .b64 v; .param .b32 r; st.param.b64 [f], %d0; st.param.b64 [v], %d1;
    call (r), vprintf, (f, v); }"""
MALLOC = "{ .param .b64 n; .param .b64 at; st.param.b64 [n], 16; call (at), malloc, (n); ld.param.b64 %d2, [at]; }"
FREE = "{ .param .b64 at; st.param.b64 [at], %d2; call free, (at); }"
ASSERT = """{ .param .b64 m; .param .b64 f; .param .b32 l; .param .b64 n; .param .b64 s; st.param.b64 [m], %d0;
    st.param.b64 [f], %d0; st.param.b32 [l], 7; st.param.b64 [n], %d0; st.param.b64 [s], 1;
    call __assertfail, (m, f, l, n, s); }"""
#: lane 3 alone makes a call, with two pointers
ONE = """.visible .entry k(.param .u64 a, .param .u64 b) {
    .reg .b64 %d<5>; .reg .pred %p; .reg .b32 %r;
    ld.param.u64 %d0, [a]; ld.param.u64 %d1, [b]; mov.u32 %r, %tid.x; setp.ne.u32 %p, %r, 3; @%p ret;
    BODY
    ret;
}
"""


def of_one(body: str, *args: Any, check: bool) -> ws.KernelReport:
    return ws.Module(HEAD + ONE.replace("BODY", body))["k"](1, 32, args, check=check)


FREED = {
    "within what malloc gave": "add.u64 %d2, %d2, 8;",
    "of an array": "mov.u64 %d2, %d0;",
    "of nothing": "mov.u64 %d2, 1;",
    "again": FREE,
}


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("what", FREED)
def test_free_takes_what_malloc_gave_once(what: str, check: bool) -> None:
    array = np.zeros(4, np.uint32)
    assert not of_one(f"{MALLOC} {FREE}", array, 0, check=check).findings
    (finding,) = of_one(f"{MALLOC} {FREED[what]} {FREE}", array, 0, check=check).findings
    assert (finding.rule, finding.lanes) == ("WS-RUN-011", ((3, 0, 0),))
    assert "free of a pointer that malloc did not return: 0x" in finding.message
    assert finding.error is ws.UndefinedBehaviorError


def test_free_of_a_null_pointer_does_nothing() -> None:
    assert not of_one(f"mov.u64 %d2, 0; {FREE}", 0, 0, check=True).findings


#: what a format wants of values that are 4 bytes, and what there is to say of it; nothing: it prints
PRINTED = {
    b"%d\0": "",
    b"%u and %u\0": "read of 4 bytes at generic address 0x[0-9a-f]+, 0 bytes after the end of b",
    b"%lld\0": "read of 8 bytes at generic address 0x[0-9a-f]+, 0 bytes into b .4 bytes., 4 of them beyond",
    b"%s\0": "read of 8 bytes",
    b"no zero": "read of 1 byte at generic address 0x[0-9a-f]+, 0 bytes after the end of a",
}


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("form", PRINTED)
def test_values_that_a_format_cannot_read_end_the_launch_and_print_nothing(form: bytes, check: bool) -> None:
    text, values = np.frombuffer(form, np.uint8).copy(), np.full(1, 7, np.uint32)
    report = of_one(PRINT, text, values, check=check)
    if not PRINTED[form]:
        assert report.ok and report.output == "7"
        return
    (finding,) = report.findings
    assert (finding.rule, finding.lanes, report.output) == ("WS-RUN-001", ((3, 0, 0),), "")
    assert re.search(PRINTED[form], finding.message), finding.message


#: what a format takes of 4,096 characters: a width, or a precision, makes many of a few bytes
WIDE = {
    b"%4096d\0": True,
    b"%4097d\0": False,
    b"%-4096d\0": True,
    b"%-999999999d\0": False,
    b"%.4096d\0": True,
    b"%.999999999d\0": False,
    b"%" + b"9" * 5000 + b"d\0": False,
    b"%.00004096d\0": True,
    b"%4000d%96d\0": True,
    b"%4000d%97d\0": False,
}


@pytest.mark.parametrize("form", WIDE)
def test_what_is_printed_has_a_bound(form: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warpsim.kernel.printing.TEXT_MOST", 4096)
    text, values = np.frombuffer(form, np.uint8).copy(), np.full(2, 7, np.uint32)
    report = of_one(PRINT, text, values, check=True)
    left_out = [note for note in report.notes if note.startswith("1 call of printf is left out")]
    assert report.ok and (len(report.output), len(left_out)) == ((4096, 0) if WIDE[form] else (0, 1))


@pytest.mark.parametrize("beyond", [0, 1])
def test_the_bounds_of_what_is_printed_are_those_of_the_page(beyond: int) -> None:
    """Of a call 20 bytes are kept beside its text, which ends in a zero; a number may be as wide as all characters."""
    value, said = np.full(2, 7, np.uint32), "1 call of printf is {}: a launch keeps {:,} {}"
    for form, characters, note in (
        (b"x" * (2**20 - 21 + beyond), 2**20 - 21, said.format("lost", 2**20, "bytes")),
        (b"%%%dd" % (2**24 + beyond), 2**24, said.format("left out", 2**24, "characters of what is printed")),
    ):
        text = np.frombuffer(form + b"\0", np.uint8).copy()
        report = ws.Module(HEAD + ONE.replace("BODY", PRINT))["k"](1, 32, (text, value), print_output=False)
        assert (len(report.output), report.notes) == ((0, (note,)) if beyond else (characters, ()))


@pytest.mark.parametrize(("calls", "said"), [(1, "1 call of printf is"), (2, "2 calls of printf are")])
def test_calls_that_have_no_room_are_counted(calls: int, said: str) -> None:
    text = np.full(2**20, ord("x"), np.uint8)
    text[-1] = 0
    lost = ws.Module(HEAD + ONE.replace("BODY", f"{PRINT} " * calls))["k"](1, 32, (text, text))
    assert lost.ok and lost.notes == (f"{said} lost: a launch keeps 1,048,576 bytes",)


#: f calls itself ten times, and then the function
DEEP = """.func f(.reg .b32 n) {
    .local .align 8 .b8 v[64]; .reg .b64 %d<3>; .reg .pred %p; .reg .b32 %m;
    setp.eq.u32 %p, n, 0; @%p bra END; sub.u32 %m, n, 1; call f, (%m); ret;
END: mov.u64 %d0, text; cvta.global.u64 %d0, %d0; mov.u64 %d1, v; cvta.local.u64 %d1, %d1; st.local.u32 [v], 5;
    mov.u64 %d2, 0;
    CALL
    ret;
}
.visible .entry k() { call f, (10); ret; }
"""
#: the call, what it prints, and the rules of what is told of it
CALLS = {
    "vprintf": (PRINT, "5\n" * 32, []),
    "malloc": (MALLOC, "", ["WS-RUN-029"]),
    "free": (FREE, "", []),
    "__assertfail": (ASSERT, "", ["WS-RUN-010"]),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_stack_without_room_for_a_call_of_the_system_says_so_there(name: str) -> None:
    call, printed, expected = CALLS[name]
    text = HEAD + DEEP.replace("CALL", call)
    line = next(at for at, one in enumerate(text.splitlines(), 1) if name in one and "extern" not in one)
    kernel = ws.Module(text)["k"]
    sizes = range(800, 1600, 16)
    reports = [kernel(1, 32, [], stack_bytes=size) for size in sizes]
    first = next(at for at, one in enumerate(reports) if [f.rule for f in one.findings] == expected)
    for report in reports[first:]:
        assert ([one.rule for one in report.findings], report.output) == (expected, printed)
    (finding,) = reports[first - 1].findings
    assert (finding.rule, finding.line, finding.error) == ("WS-RUN-008", line, ws.OutOfBoundsError)
    assert not any(report.output for report in reports[:first])
    compared("sizes of a stack", len(reports), at_least=50)


#: each warp says that it is there, makes a call, and looks for the other one
TWO = """.func take(.param .align 8 .b8 a[SIZE]) { ret; }
.visible .entry k(.param .u64 seen, .param .u64 there, .param .u64 values, .param .u64 form) {
    .reg .b64 %d<6>; .reg .b32 %r<3>;
    ld.param.u64 %d2, [seen]; ld.param.u64 %d3, [there]; ld.param.u64 %d1, [values]; ld.param.u64 %d0, [form];
    add.u64 %d4, %d1, 8; st.global.u64 [%d1], %d4;
    mov.u32 %r0, %tid.x; shr.u32 %r0, %r0, 5; mul.wide.u32 %d4, %r0, 4; add.u64 %d2, %d2, %d4;
    sub.u64 %d5, %d3, %d4; add.u64 %d3, %d3, %d4; st.volatile.global.u32 [%d3], 1;
    BODY
    ld.volatile.global.u32 %r1, [%d5+4]; st.global.u32 [%d2], %r1;
    ret;
}
"""
PASSED = "{ .param .align 8 .b8 q[SIZE]; call take, (q); }"


#: (calls, bytes of the text or the parameter, do both warps see the other)
MOVES: tuple[tuple[str, int, bool], ...] = (
    (PRINT, 2045, False), (PRINT, 2046, True), (PRINT, 1 << 24, True), (PASSED, 2047, False), (PASSED, 2048, True),
    (PASSED * 7, 256, False), (PASSED * 8, 256, True), (PASSED * 99, 255, False),
)  # fmt: skip


@pytest.mark.parametrize(("body", "size", "both"), MOVES, ids=lambda value: str(value)[:20])
def test_calls_that_move_many_bytes_end_the_turn_of_their_warp(body: str, size: int, both: bool) -> None:
    """As bulk copies do, or Ctrl-C would wait for seconds. A text counts that has no room, too; few bytes do not."""
    text = np.full(8 + size + 1, ord("x"), np.uint8)
    text[-1] = 0
    seen, there = np.zeros(2, np.uint32), np.zeros(2, np.uint32)
    source = (HEAD + TWO).replace("BODY", body).replace("SIZE", str(size if body != PRINT else 8))
    form = np.frombuffer(b"%s\0", np.uint8).copy()
    ws.Module(source)["k"](1, 64, (seen, there, text, form), check=False, print_output=False)
    assert sorted(seen.tolist()) == [int(both), 1]


def test_last_looks_at_slow_steps_end_soon() -> None:
    """Where the time is up, the message asks who polls: not for thousands of steps of a megabyte."""
    source = (HEAD + TWO).replace("BODY", f"L: {PASSED * 8} bra L;").replace("SIZE", "1000000")
    values = np.zeros(64, np.uint32)
    with pytest.raises(ws.StepLimitError, match="more time than timeout allows"):
        ws.Module(source)["k"](1, 32, (values, values.copy(), values.copy(), values.copy()), timeout=0.1, check=False)
