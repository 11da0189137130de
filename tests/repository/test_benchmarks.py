"""The benchmarks run, and both sides of each give the same answer; nothing is timed here."""

import importlib
import json
import math
import sys
from typing import Any

import pytest

from tests.support.paths import ROOT
from tests.support.process import run

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, dict[str, Any]]:
    """What the short form prints and writes."""
    file = tmp_path_factory.mktemp("benchmarks") / "short.json"
    printed = run(sys.executable, "-m", "benchmarks", "--short", "--json", file)
    return printed, json.loads(file.read_text())


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module with the rows and their gates."""
    monkeypatch.syspath_prepend(ROOT)
    return importlib.import_module("benchmarks.rows")


def test_benchmarks_short_form_has_every_row(short: tuple[str, dict[str, Any]], table: Any) -> None:
    rows = set(table.ROWS)
    lines = short[1]["lines"]
    assert {line["row"] for line in lines} == rows
    measured = {line["row"] for line in lines if line["value"] is not None}
    may_be_missing = {row for row in rows if row.startswith(("numba_", "triton_", "threads_"))}
    assert rows - measured <= may_be_missing


def test_benchmarks_figures_are_finite_and_positive(short: tuple[str, dict[str, Any]]) -> None:
    for line in short[1]["lines"]:
        if line["value"] is None:
            assert line["verdict"].startswith("not run: "), line
            continue
        for figure in ("value", "over", "ratio"):
            assert math.isfinite(line[figure]), line
            assert line[figure] > 0, line


def test_benchmarks_every_level_is_measured_or_said_to_be_missing(short: tuple[str, dict[str, Any]]) -> None:
    levels = {line["level"] for line in short[1]["lines"] if line["row"] == "ldmatrix_gather"}
    assert levels == {"portable", "sse2", "avx2", "avx512"}
    assert set(short[1]["levels"]) <= levels


def test_benchmarks_table_names_every_row_once(short: tuple[str, dict[str, Any]]) -> None:
    text = short[0].splitlines()
    for line in short[1]["lines"]:
        assert text.count(f"{line['what']}, against {line['over_what']}") == 1


@pytest.mark.parametrize(
    ("at_least", "value", "verdict", "failed"),
    [
        (False, 20.0, "met", False),
        (False, 21.0, "missed by 5 %", False),
        (False, 24.0, "missed by 20 %", True),
        (True, 5.0, "met", False),
        (True, 6.0, "missed by 20 %", True),
    ],
)
def test_benchmarks_gate_fails_beyond_its_tolerance(
    table: Any, at_least: bool, value: float, verdict: str, failed: bool
) -> None:
    row = table.Row("key", "what", "over", {"sse2": 2.0, "best": 2.0}, at_least=at_least)
    line = table.Line(row, "", "sse2", value, 10.0, row.gate("sse2", "avx2"))
    assert (line.verdict, line.failed) == (verdict, failed)


@pytest.mark.parametrize(
    ("values", "tries", "failed"), [([1.0], 1, False), ([9.0, 1.0], 2, False), ([9.0] * 4, 3, True)]
)
def test_benchmarks_a_gate_that_is_missed_is_tried_three_times(
    table: Any, values: list[float], tries: int, failed: bool
) -> None:
    row = table.Row("key", "what", "over", {"best": 2.0})
    left = iter(values)
    main = importlib.import_module("benchmarks.__main__")
    (line,) = main.attempted(lambda _: [table.Line(row, "", "avx2", next(left), 1.0, 2.0)], main.Effort(), 3)
    assert line.failed == failed
    assert len(list(left)) == len(values) - tries


def test_benchmarks_gate_is_the_one_named_for_the_best_level(table: Any) -> None:
    row = table.Row("key", "what", "over", {"sse2": 4.5, "best": 4.0})
    assert row.gate("sse2", "sse2") == 4.5
    assert row.gate("avx2", "avx2") == 4.0
    assert row.gate("avx2", "avx512") is None


@pytest.mark.parametrize(
    ("gather", "ratio", "gate", "failed"),
    [(2.0, 4.3, 4.0, False), (2.0, 4.5, 4.0, True), (4.0, 6.5, 6.0, False), (4.0, 6.7, 6.0, True)],
)
def test_benchmarks_gate_on_memcpy_asks_for_no_less_than_the_gather_does(
    table: Any, gather: float, ratio: float, gate: float, failed: bool
) -> None:
    kernels = importlib.import_module("benchmarks.kernels")
    best = importlib.import_module("benchmarks.levels").best()
    line = table.Line(table.ROWS["ldmatrix_memcpy"], "", best, ratio, 1.0, 4.0)
    found = kernels._beside_gather(line, best, gather)
    assert (found.gate, found.failed, bool(found.note)) == (gate, failed, gather > 2)
