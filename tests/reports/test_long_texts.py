"""Reports of texts with very long lines, names and lists: their time grows with the length, not with its square."""

import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest

import warpsim as ws
from warpsim.render.launch.texts import LINE_MOST, line_of, lines_of

HEAD = ".version 8.6\n.target sm_90a\n.address_size 64\n"
#: seconds of the processor; each of these took more than ten of them
MOST = 4.0


def kernel_of(body: str, name: str = "k") -> ws.Kernel:
    registers = ".reg .b64 %d<9>; .reg .b32 %r<9>; .reg .pred %p<4>;"
    return ws.Module(f"{HEAD}.visible .entry {name}(.param .u64 o) {{ {registers} {body} ret; }}\n")[name]


def branches(count: int) -> str:
    jumps = (f"mov.u32 %r0, %tid.x; setp.gt.u32 %p0, %r0, {i % 32}; @%p0 bra L{i};" for i in range(count))
    return "".join(jumps) + "".join(f"L{i}:" for i in range(count))


def chain(count: int) -> str:
    """Each register is made of the next one, and the first of them is used before all others in the text."""
    sums = " ".join(f"add.u32 %q{i}, %q{i + 1}, 1;" for i in range(count))
    used = "ld.param.u64 %d0, [o]; st.global.u32 [%d0], %q0;"
    return f".reg .b32 %q<{count + 1}>; bra M; L: {used} bra N; M: {sums} bra L; N:"


LONG: dict[str, Callable[[], ws.Kernel]] = {
    "a name": lambda: kernel_of("", "k" * 100_000),
    "a text in quotes": lambda: kernel_of(f'.pragma "{"x" * 100_000}";'),
    "operands": lambda: kernel_of(f"mov.b32 %r0, {' + '.join(['1'] * 40_000)};"),
    "statements on one line": lambda: kernel_of(branches(4000)),
    "registers made of later ones": lambda: kernel_of(chain(6000)),
}


def spent(made: Callable[[], object]) -> float:
    begin = time.process_time()
    made()
    return time.process_time() - begin


@pytest.mark.slow
@pytest.mark.parametrize("what", LONG)
def test_reports_of_long_texts_take_no_longer_than_their_length(what: str) -> None:
    kernel = LONG[what]()
    report = kernel(1, 32, [np.zeros(8, np.uint32)], check=False)
    shown: Iterator[Callable[[], object]] = iter((report.__str__, report.html, report.csv, report.to_dict, report.svg))
    longest = max(spent(one) for one in shown)
    assert longest < MOST, f"{what}: {longest:.1f} s"


@pytest.mark.slow
def test_joins_of_many_accesses_take_no_longer_than_their_number() -> None:
    stepped = kernel_of("".join(f"ld.shared.u32 %r1, [%r0+{4 * i}]; add.u32 %r0, %r0, 64;" for i in range(2000)))
    assert spent(lambda: stepped.merged) < MOST and stepped.merged == ()
    side_by_side = kernel_of(
        ".shared .align 16 .b8 s[32768]; mov.u32 %r0, s;"
        + "".join(f"ld.shared.u32 %r1, [%r0+{4 * i}];" for i in range(8000))
    )
    assert spent(lambda: side_by_side.merged) < MOST and len(side_by_side.merged) == 2000


def test_a_line_of_many_statements_is_cut() -> None:
    lines = ["short", " " * 9 + "x" * LINE_MOST, "y" * (LINE_MOST + 1), ""]
    assert lines_of(lines, [2, 1, 2, 9]) == [line_of(lines, number) for number in (2, 1, 2, 9)]
    assert line_of(lines, 2) == "x" * LINE_MOST
    assert line_of(lines, 3) == "y" * LINE_MOST + "..."


@pytest.mark.slow
def test_checks_of_many_shared_variables_take_no_longer_than_their_number() -> None:
    def text(count: int) -> str:
        variables = "\n".join(f".shared .b8 s{i};" for i in range(count))
        stores = "\n".join(f"st.shared.u8 [s{i}], 1;" for i in range(count))
        return f"{HEAD}.visible .entry k() {{ {variables}\n{stores}\nret; }}\n"

    kernel = ws.Module(text(8000))["k"]
    reports = []
    taken = spent(lambda: reports.append(kernel(1, 1, [])))
    assert taken < MOST, f"{taken:.1f} s"
    assert reports[0].ok and reports[0].shared_bytes == 8000
