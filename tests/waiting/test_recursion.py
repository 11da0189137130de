"""Calls so deep that a launch could take very long."""

from time import perf_counter

import warpsim as ws

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
