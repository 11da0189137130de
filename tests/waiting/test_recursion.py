"""Calls so deep that a launch could take very long."""

from time import perf_counter

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared

RECURSION = """.version 8.0
.target sm_80
.address_size 64
.func f() { .local .b8 s[64]; st.local.u32 [s],1; call f; ret; }
.visible .entry k() { call f; ret; }"""


def _seconds_of_recursion(stack_bytes):
    kernel = ws.Module(RECURSION)["k"]
    begin = perf_counter()
    report = kernel(1, 32, [], stack_bytes=stack_bytes)
    assert [one.rule for one in report.findings] == ["WS-RUN-008"]
    return perf_counter() - begin


def test_recursion_to_the_end_of_the_stack_takes_time_in_proportion_to_it():
    small, large = (min(_seconds_of_recursion(n) for _ in range(3)) for n in (1 << 17, 1 << 20))
    assert large < 24 * small + 0.2, "8 times the stack: 64 times as long if each call wipes all that is left"


COUNTED = """.version 8.0
.target sm_80
.address_size 64
.func f(.reg .b32 %n) {
    .local .b8 s[64]; .reg .pred %p; .reg .b32 %m;
    setp.eq.u32 %p, %n, 1; @%p ret; sub.u32 %m, %n, 1; call f, (%m); ret;
}
.visible .entry k(.param .u32 n) { .reg .b32 %n; ld.param.u32 %n, [n]; call f, (%n); ret; }"""
FRAME, RETURN, SPARE = 64, 32, 64  # bytes: of f, of where a call goes back to, of what every stack has besides


@pytest.mark.parametrize("calls", [2, 3, 10, 40])
def test_the_deepest_call_that_fits_is_made(calls: int) -> None:
    """The first call is the program's own; a stack is a multiple of 16 bytes."""
    least = (calls - 1) * (FRAME + RETURN) - SPARE - 15
    kernel = ws.Module(COUNTED)["k"]
    assert kernel(1, 32, [np.uint32(calls)], stack_bytes=least).ok
    report = kernel(1, 32, [np.uint32(calls)], stack_bytes=least - 1)
    assert [one.rule for one in report.findings] == ["WS-RUN-008"]
    compared("bounds of a stack, both sides", 2, at_least=2)


@pytest.mark.parametrize("check", [True, False])
def test_whatever_does_not_fit_first_it_is_the_stack_that_overflows(check: bool) -> None:
    """The address of a return, an argument in a register, or a variable."""
    kernel = ws.Module(COUNTED)["k"]
    for nbytes in range(16, 2048, 16):
        report = kernel(1, 32, [np.uint32(40)], stack_bytes=nbytes, check=check)
        assert [(one.rule, len(one.lanes)) for one in report.findings] == [("WS-RUN-008", 32)]
    compared("sizes of a stack", 127, at_least=127)
