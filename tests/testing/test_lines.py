"""Lines of a source: what a budget says of them, and what a launch shows while it runs."""

import io
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from warpsim.arrays import PIECE, pieces
from warpsim.kernel.budget import Budget, read, write
from warpsim.kernel.demands import rows_at
from warpsim.kernel.specs import given, value_of
from warpsim.kernel.watch import PATIENCE, Watch

TEXT = """.version 8.6
.target sm_90a
.address_size 64
.file 1 "one/k.cu"
.file 2 "two/k.cu"
.file 3 "three/h.cu"
.visible .entry k(.param .u64 k_out) {
.reg .b64 %d<2>;
.reg .b32 %r<3>;
.loc 1 4 1
ld.param.u64 %d0, [k_out];
.loc 2 7 1
mov.u32 %r0, %tid.x;
.loc 3 9 1
st.global.u32 [%d0], %r0;
.loc 1 12 1
ret;
}
"""


@pytest.fixture(scope="module")
def report() -> ws.KernelReport:
    return ws.Module(TEXT)["k"](1, 32, [np.zeros(4, np.uint32)], count=True)


def test_a_budget_names_a_line_by_the_shortest_name_of_its_file(report: ws.KernelReport, tmp_path: Path) -> None:
    limits = Budget.of(report).limits
    assert {"total", "one/k.cu:4", "two/k.cu:7", "h.cu:9", "one/k.cu:12"} == set(limits)
    for place in limits:
        count = rows_at(report, place) if place != "total" else np.arange(len(report.lines))
        assert int(report.lines[count]["executed"].sum()) == limits[place]["executed"]
    write(tmp_path / "budget.toml", report)
    assert read(tmp_path / "budget.toml").exceeded(report) == []
    compared("lines of a budget", len(limits), at_least=5)


def test_what_was_not_counted_has_no_budget(report: ws.KernelReport, tmp_path: Path) -> None:
    bare = ws.Module(TEXT)["k"](1, 32, [np.zeros(4, np.uint32)], count=False)
    for call in (lambda: Budget.of(bare), lambda: Budget.of(report).exceeded(bare)):
        with pytest.raises(ValueError, match="report: nothing was counted; launch with count=True"):
            call()
    with pytest.raises(ValueError, match="save_budget: cannot write"):
        write(tmp_path / "no folder" / "budget.toml", report)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_shows_how_far_a_launch_is_and_nothing_of_it_remains(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    watch = Watch(None, False, 4096)
    assert watch.is_needed
    watch.done(1, 10)
    assert terminal.getvalue() == ""  # it may end at once
    watch._begin -= 2 * PATIENCE + 1
    watch._next = watch._begin
    watch.done(1024, 10_000_000)
    assert "1,024 of 4,096 blocks" in terminal.getvalue()
    assert "million warp instructions/s" in terminal.getvalue()
    watch.clear()
    assert terminal.getvalue().endswith("\r\x1b[K")
    before = len(terminal.getvalue())
    watch.clear()
    assert len(terminal.getvalue()) == before


class Closed(io.StringIO):
    """A stream that nothing can be written to."""

    def write(self, text: str) -> int:
        raise BrokenPipeError(32, "Broken pipe")


class Plain:
    """An object that takes text, and has no isatty."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> None:
        self.text += text

    def flush(self) -> None:
        pass


def closed() -> io.StringIO:
    stream = io.StringIO()
    stream.close()
    return stream


PRINTS = TEXT.replace(
    ".visible .entry",
    """.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 v);
.global .align 1 .b8 said[4] = {104, 105, 10, 0};
.visible .entry""",
).replace(
    "ret;",
    "mov.u64 %d1, said; cvta.global.u64 %d1, %d1; { .param .b64 f; .param .b64 v;"
    " .param .b32 r; st.param.b64 [f], %d1; st.param.b64 [v], 0; call.uni (r), vprintf, (f, v); } ret;",
)


@pytest.mark.parametrize("stream", [Closed(), closed(), Plain(), None], ids=["broken", "closed", "plain", "none"])
def test_a_launch_ends_well_whatever_becomes_of_its_streams(stream: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setattr("warpsim.kernel.watch.RARE", 0.0)  # a line at once
    report = ws.Module(PRINTS)["k"](2, 1, [np.zeros(4, np.uint32)], print_output=True)
    assert report.output == "hi\n" * 2
    if isinstance(stream, Plain):
        assert stream.text.count("hi\n") == 2 and "of 2 blocks" in stream.text


def test_pieces_are_all_of_an_array_and_none_is_large() -> None:
    for shape in ((3, 2, PIECE), (2, 3, 2, PIECE), (7, PIECE // 2), (5,)):
        seen = np.zeros(shape, np.uint8)
        for index in pieces(shape):
            assert seen[index].size <= max(PIECE, shape[-1])
            seen[index] += 1
        assert (seen == 1).all(), shape
    compared("shapes of arrays that are worked on in pieces", 4, at_least=4)


def test_arguments_of_the_command_line_are_values_or_refused() -> None:
    assert value_of("bf16[4]:random(3)", "x=").dtype == np.uint16
    assert np.array_equal(value_of("u8[8]:random(3)", "x="), value_of("u8[8]:random(3)", "x="))
    params = ws.Module(TEXT)["k"].params
    assert given(params, ["out=null"]) == {0: None}
    for specs, says in (
        (["out"], "--arg: expected NAME=VALUE, got 'out'"),
        (["out=1x"], "expected TYPE[SHAPE]:FILL, a number or null, got '1x'"),
        (["out=1", "0=2"], "is given twice"),
        (["in=1"], "the kernel has no parameter 'in'"),
    ):
        with pytest.raises(ValueError) as error:
            given(params, specs)
        assert says in str(error.value)
