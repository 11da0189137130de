"""A launch pauses to look for Ctrl-C, sooner where turns take long: that changes no order of its warps."""

import itertools
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support import launches
from tests.support.evidence import compared

#: each warp writes what it reads of the others, in an order that chance picks, and the steps until then
RACY = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 o) { .reg .b32 %r<9>; .reg .b64 %d<4>; .reg .pred %p;
ld.param.u64 %d0, [o]; mov.u32 %r0, %tid.x; mov.u32 %r1, 0; mov.u32 %r2, 0;
L: atom.global.exch.b32 %r3, [%d0], %r0; mad.lo.u32 %r2, %r2, 31, %r3; add.u32 %r1, %r1, 1;
setp.lt.u32 %p, %r1, 300; @%p bra L;
mov.u32 %r4, %clock; xor.b32 %r2, %r2, %r4; mov.u32 %r5, %ctaid.x; mad.lo.u32 %r5, %r5, 128, %r0; add.u32 %r5, %r5, 1;
mul.wide.u32 %d1, %r5, 4; add.u64 %d1, %d0, %d1; st.global.u32 [%d1], %r2; ret; }
"""


def after(monkeypatch: pytest.MonkeyPatch, clock: Callable[[], float], order: int) -> Any:
    with monkeypatch.context() as patch:
        patch.setattr(time, "monotonic", clock)
        out = np.zeros(1 + 4 * 128, np.uint32)
        report = ws.Module(RACY)["k"](4, 128, (out,), order=order, check=False)
    return out.tobytes(), report.steps


def test_pauses_change_no_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    slow, found = itertools.count(), set()
    for order in range(6):
        each_turn = after(monkeypatch, lambda: float(next(slow)), order)
        assert each_turn == after(monkeypatch, lambda: 0.0, order)
        found.add(each_turn)
    assert len(found) == 6  # an order is seen in what is written
    assert next(slow) > 100
    compared("launches with pauses and without", 6, at_least=6)


def test_steps_end_where_they_would_without_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    for clock in (itertools.count().__next__, lambda: 0):
        with monkeypatch.context() as patch:
            patch.setattr(time, "monotonic", clock)
            with pytest.raises(ws.StepLimitError, match="5,000"):
                ws.Module(RACY)["k"](1, 128, (np.zeros(129, np.uint32),), max_steps=5000)
            launches.answer(ws.Module(RACY)["k"], 1, 32, lambda: (np.zeros(33, np.uint32),), max_steps=5000)
