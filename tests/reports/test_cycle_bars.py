"""Costs as bars and as texts, and the same bars with matplotlib."""

import itertools
import json
import sys
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import warpsim as ws
from tests.support.drawn import SVG, drawn, texts
from tests.support.evidence import compared
from tests.support.golden import assert_golden
from warpsim.render import cycle_bars

X4, COPY = ws.Ldmatrix(num=4), ws.CpAsync()
LANE = np.arange(32)
SWIZZLED = ws.Layout(128, 64, "f16", swizzle=ws.Swizzle(3, 3, 3))
LOOP = ws.mainloop((128, 128, 64), (4, 2), a=SWIZZLED, b=SWIZZLED)
TARGETS = ("sm_90", "sm_80", "sm_86", "sm_100a")


def bars(root: ET.Element) -> list[tuple[float, float, str]]:
    """(x, width, fill) of every bar."""
    return [
        (float(rect.attrib["x"]), float(rect.attrib["width"]), rect.attrib["fill"])
        for rect in root.iter(f"{SVG}rect")
        if "fill-opacity" in rect.attrib
    ]


def costs() -> list[Any]:
    """Of many patterns, from one wavefront to 32, on several targets, and of movmatrix."""
    ops = (X4, ws.Ldmatrix(), ws.Stmatrix(num=2), ws.Ld(vec=4), ws.St(), COPY, ws.Ld(type="u8"))
    found: list[Any] = [ws.Movmatrix().cost(None, warps=8), ws.WmmaLoad().cost(0, stride=64)]
    for op, step, target, warps in itertools.product(ops, (4, 16, 128, 144), TARGETS, (1, 7, 64)):
        if op.legality(target, "9.0").ok:
            found.append(op.cost(LANE * max(step, op.access_bytes), target=target, warps=warps))
    return found


def programs() -> list[Any]:
    rows = [SWIZZLED.addresses(X4), ws.Layout(16, 64, "f16").addresses(X4)]
    steps = [(X4, rows[0]), (X4, rows[1]), (ws.St(vec=4), LANE * 16), (ws.Movmatrix(), None)]
    return [
        ws.cost(steps[:count] * times, warps=warps, target=target)
        for count, times, warps, target in itertools.product(range(1, 5), (1, 9), (1, 2, 16), TARGETS[:2])
    ]


def loops() -> list[Any]:
    found = [LOOP]
    tiles = ((16, 16, 16), (128, 128, 64), (128, 64, 32))
    for (m, n, k), stages, target, pad in itertools.product(tiles, (0, 1, 2), TARGETS, (0, 8)):
        a, b = ws.Layout(m, k, "f16", pad=pad), ws.Layout(n, k, "f16", pad=pad)
        found.append(ws.mainloop((m, n, k), (1, 1) if m == 16 else (4, 4), a=a, b=b, stages=stages, target=target))
    return found


def test_mainloop_bars_known_loop_equals_golden() -> None:
    assert_golden("mainloop.svg", LOOP.svg())


@pytest.mark.slow
@pytest.mark.parametrize("make", [costs, programs, loops])
def test_cycle_bars_many_costs_are_drawn_inside_their_sheets(make: Any) -> None:
    reports = make()
    for report in reports:
        root = drawn(report.svg())
        found = bars(root)
        right = cycle_bars.RIGHT + 0.1
        assert found and all(x >= cycle_bars.LEFT and x + wide <= right for x, wide, _ in found)
        apart = isinstance(report, ws.Cost) and report.latency_error != report.interval_error
        stated = f"latency {report.latency_error:.0%}, interval {report.interval_error:.0%}" if apart else report.error
        stated = f"{stated:.0%}" if isinstance(stated, float) else stated
        known = "error not known" if report.error is None else f"expected error: {stated}"
        assert any(known in words for words in texts(root))
        assert max(map(len, str(report).splitlines())) <= 80, str(report)
        table = report._repr_html_()
        assert report.svg() in report.html() and known in table
        assert all(f"<td>{part}</td>" in table for part in report.breakdown)
        assert json.loads(json.dumps(report.to_dict()))["schema"].startswith("warpsim.")
    compared("costs drawn and written in 80 columns", len(reports), at_least=40)


def test_mainloop_bars_are_as_long_as_the_cycles() -> None:
    drawn_bars = bars(drawn(LOOP.svg()))
    cycles = sorted(LOOP.breakdown.values(), reverse=True)
    widths = sorted((wide for _, wide, _ in drawn_bars), reverse=True)
    assert np.allclose(np.array(widths) / widths[0], np.array(cycles) / cycles[0], atol=2e-3)
    bound = [wide for _, wide, fill in drawn_bars if fill == cycle_bars.BOUND]
    assert bound == [widths[cycles.index(LOOP.breakdown[LOOP.bound])]]


def test_mainloops_stand_side_by_side() -> None:
    plain = ws.mainloop((128, 128, 64), (4, 2))
    root = drawn(ws.LoopReport.compare({"plain": plain, "swizzled": LOOP}))
    widths = [wide for _, wide, fill in bars(root) if fill == cycle_bars.BOUND]
    assert widths[1] / widths[0] == pytest.approx(LOOP.cycles / plain.cycles, abs=2e-3)
    assert {"plain", "swizzled", "tensor pipe", "cycles of an iteration"} <= set(texts(root))
    assert f"{LOOP.cycles:,.0f} swizzled" in texts(root)


def test_program_bars_end_where_the_program_ends() -> None:
    for report in programs():
        found = bars(drawn(report.svg()))
        ends = [x + wide for x, wide, _ in found]
        scale = (max(ends) - cycle_bars.LEFT) / report.cycles
        before = max(ends) - cycle_bars.LEFT - report.breakdown["latency"] * scale
        assert any(abs(end - cycle_bars.LEFT - before) < 0.2 for end in ends[:-1])


def test_mainloop_plot_draws_the_same_bars(monkeypatch: pytest.MonkeyPatch) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    pyplot = pytest.importorskip("matplotlib.pyplot")
    ax = LOOP.plot()
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert set(names) == {*LOOP.breakdown} - {"latency"} | {"latency (rest)"}
    assert sorted(bar.get_width() for bar in ax.patches[: len(names)]) == sorted(LOOP.breakdown.values())
    given = pyplot.figure().subplots()
    assert LOOP.plot(given) is given and given is not ax
    ax.figure.canvas.draw()
    pyplot.close("all")
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r"needs matplotlib: pip install warpsim\[plot\]"):
        LOOP.plot()
