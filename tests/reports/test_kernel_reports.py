"""What a launch says about its lines: text, source page, CSV, SARIF, picture, before and after."""

import csv
import gzip
import io
import json
import os
import pickle
import re
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jsonschema
import numpy as np
import pytest

import warpsim as ws
from docs.make.report_pages import COLUMN, COLUMN_CU, column
from tests.support import browser, measured_kernels
from tests.support.evidence import TRUTH, compared
from warpsim import cli
from warpsim.kernel.counters import COUNTERS
from warpsim.render.launch.text import findings

SCHEMA = json.loads(gzip.decompress((TRUTH / "sarif-2.1.0-rtm.5.json.gz").read_bytes()))
#: a column of the CSV -> the counter whose sum it has
SUMS = {
    "inst_executed": "executed",
    "thread_inst_executed_true": "threads",
    "memory_l1_wavefronts_shared": "wavefronts",
    "memory_l1_wavefronts_shared_ideal": "ideal_wavefronts",
    "memory_l2_theoretical_sectors_global": "sectors",
    "memory_l2_theoretical_sectors_global_ideal": "ideal_sectors",
}
BIG = 10_000  # lines


@pytest.fixture(scope="module")
def reports() -> list[ws.KernelReport]:
    """Launches of every kind of kernel."""
    groups = ("classic", "pattern", "tensor", "triton")
    chosen = [one for group in groups for one in measured_kernels.launches(group)[::6]]
    return [measured_kernels.run(one, check=False)[0] for one in chosen]


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_text_fits_80_columns_and_has_the_totals(reports: list[ws.KernelReport]) -> None:
    lines = 0
    for report in reports:
        text = str(report)
        assert max(map(len, text.splitlines())) <= 80, text
        totals = report.to_dict()["totals"]
        joined = " ".join(text.split())
        for what in ("wavefronts", "sectors"):
            excess = totals[what] - totals[f"ideal_{what}"]
            if excess > 0:
                assert f"{excess:,} excessive {what} (" in joined
                assert f"of the total {totals[what]:,} {what})" in joined
        for kind, row in report.shared.items():
            assert re.search(rf"{kind} +{row['instructions']:,} +{row['requests']:,} +{row['wavefronts']:,} ", text)
        lines += len(text.splitlines())
    compared("lines of reports of launches, in 80 columns", lines, at_least=500)


def test_text_shows_the_costliest_lines_with_their_texts() -> None:
    told = str(column()).split("lines that cost most:\n")[1].split("\n\n")[0].splitlines()
    assert [" ".join(line.split()) for line in told] == [
        "line executed wavefronts ideal sectors ideal PTX",
        "20 1 32 1 0 0 st.shared.u32 [%r1], %r2;",
        "column.cu:5 tile[i * 32] = x[i * 32];",
        "23 1 32 1 0 0 ld.shared.u32 %r3, [%r1];",
        "column.cu:6 y[i] = tile[i * 32];",
        "19 1 0 0 32 4 ld.global.u32 %r2, [%d2]...",
        "column.cu:5 tile[i * 32] = x[i * 32];",
        "24 1 0 0 4 4 st.global.u32 [%d3], %r3;",
        "column.cu:6 y[i] = tile[i * 32];",
    ]
    report = big()
    shown = re.findall(r"^ +(\d+) +1  add", str(report), re.MULTILINE)
    assert shown == [str(line) for line in report.lines["line"][:10]]


def test_csv_has_the_sums_under_the_names_of_nsight_compute(reports: list[ws.KernelReport]) -> None:
    cells = 0
    for report in reports:
        totals = report.to_dict()["totals"]
        rows = rows_of(report.csv())
        assert [int(row["#"]) for row in rows] == sorted(set(report.lines["line"].tolist()))
        for name, counter in SUMS.items():
            assert sum(int(row[name]) for row in rows) == totals[counter]
        for what in ("l1_wavefronts_shared", "l2_theoretical_sectors_global"):
            for row in rows:
                excess = int(row[f"memory_{what}"]) - int(row[f"memory_{what}_ideal"])
                assert int(row[f"derived__memory_{what}_excessive"]) == max(0, excess)
        by_source = report.by_source()
        found = rows_of(report.csv("source"))
        assert [int(row["inst_executed"]) for row in found] == by_source["executed"].tolist()
        assert all(row["File"] in report.sources for row in found)
        cells += len(rows) * len(rows[0])
    compared("cells of the CSV of launches", cells, at_least=20_000)
    row = next(row for row in rows_of(column().csv()) if row["Source"].startswith("st.shared"))
    assert (row["derived__memory_l1_conflicts_shared_nway"], row["#"]) == ("32", "20")
    with pytest.raises(ValueError, match="expected 'ptx' or 'source', got 'sass'"):
        column().csv("sass")


def test_values_are_those_of_the_lines_and_survive_a_pickle() -> None:
    report = column()
    again = pickle.loads(pickle.dumps(report))
    assert again == report and again.html() == report.html() and str(again) == str(report)
    lines = report.to_dict()["lines"]
    for name in ("line", "source", *COUNTERS):
        assert lines[name] == report.lines[name].tolist()
    assert lines["text"] == [COLUMN.split("\n")[line - 1].strip().replace("STRIDE", "128") for line in lines["line"]]


def test_dataframe_has_a_row_for_each_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=dict))
    frame = column().dataframe()
    assert set(frame["source"]) == {"kernels/column.cu"} and frame["opcode"][0] == "ld.param.u64"
    assert {len(values) for values in frame.values()} == {len(column().lines)}
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        column().dataframe()


def test_source_texts_are_those_of_readable_source_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "column.ptx").write_text(COLUMN.replace("STRIDE", "4"))
    x = np.zeros(1024, np.uint32)

    def texts(name: str) -> tuple[str | None, ...]:
        text = COLUMN.replace("STRIDE", "4").replace("kernels/column.cu", name)
        (tmp_path / "column.ptx").write_text(text)
        report: ws.KernelReport = ws.Module(tmp_path / "column.ptx")["column"](1, 32, (x, x[:32].copy()))
        assert report.sources == (name,)
        return report.source_texts

    assert texts("kernels/column.cu") == (None,)
    (tmp_path / "column.cu").write_text(COLUMN_CU)
    assert texts("kernels/column.cu") == texts("/nowhere/column.cu") == texts("column.cu") == (COLUMN_CU,)
    (tmp_path / "secret").write_text("secret")
    os.mkfifo(tmp_path / "pipe.cu")
    for name in ("secret", "pipe.cu", "/dev/zero", "/etc/passwd", "."):
        assert texts(name) == (None,), name
    monkeypatch.chdir(tmp_path)
    words = ["--grid", "1", "--block", "32", "--arg", "x=u32[1024]", "--arg", "y=u32[32]"]
    texts("column.cu")
    assert cli.main(["run", "column.ptx", *words, "-o", "page.html"]) == 0
    assert "y[i] = tile[i * 32];" in Path("page.html").read_text()


def test_sarif_puts_findings_at_the_source_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "column.ptx"
    file.write_text(COLUMN.replace("STRIDE", "128"))
    words = ["run", str(file), "--grid", "1", "--block", "32", "--arg", "x=u32[900]", "--arg", "y=u32[32]"]
    assert cli.main([*words, "--sarif"]) == 1
    log = json.loads(capsys.readouterr().out)
    jsonschema.Draft4Validator(SCHEMA).validate(log)
    (run,) = log["runs"]
    result = next(one for one in run["results"] if one["level"] == "error")
    (place,) = result["locations"]
    assert place["physicalLocation"]["artifactLocation"]["uri"] == "kernels/column.cu"
    assert place["physicalLocation"]["region"]["startLine"] == 5
    assert result["relatedLocations"][0]["physicalLocation"]["region"]["startLine"] == 19
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "WS-RUN-001"
    assert cli.main([*words, "--csv"]) == 1
    assert capsys.readouterr().out.startswith("#,Source,inst_executed,")


def test_both_sides_of_a_race_are_marked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "race.ptx"
    file.write_text(COLUMN.replace("STRIDE", "4").replace("bar.sync 0;", "").replace("%r3, [%r1]", "%r3, [tile]"))
    words = ["run", str(file), "--grid", "1", "--block", "32", "--arg", "x=u32[1024]", "--arg", "y=u32[32]"]
    cli.main([*words, "--sarif"])
    log = json.loads(capsys.readouterr().out)
    jsonschema.Draft4Validator(SCHEMA).validate(log)
    (result,) = log["runs"][0]["results"]
    places = [*result["locations"], *result["relatedLocations"]]
    found = [place["physicalLocation"]["region"]["startLine"] for place in places]
    assert sorted(found) == [5, 6, 20, 23] and result["ruleId"] == "WS-RUN-018"
    cli.main([*words, "--html"])
    page = capsys.readouterr().out
    for line in (20, 23):
        row = page.index(f'id="p{line}"')
        assert "WS-RUN-018" in page[row : page.index(f'id="p{line + 1}"', row)]


def test_picture_has_a_bar_for_each_costly_line() -> None:
    picture = column().svg()
    assert re.findall(r">(\d+)</text>", picture) == ["20", "32", "23", "32"], picture
    assert "excessive wavefronts" in picture and "ld.param" not in picture


def test_difference_names_what_changed() -> None:
    before, after = column(), column(stride=4)
    difference = before.diff(after)
    found = difference.to_dict()
    assert found["totals"]["bank_conflicts"] == [62, 0]
    assert [(one["file"], one["line"], one["before"]["wavefronts"], one["after"]["wavefronts"])
            for one in found["lines"]] == [("column.cu", [5, 5], 32, 1), ("column.cu", [6, 6], 32, 1)]  # fmt: skip
    assert max(map(len, str(difference).splitlines())) <= 80
    assert "bank conflicts" in str(difference) and "-100 %" in str(difference)
    assert "no line changed" in str(before.diff(before)) and "y[i] = tile" in difference.html()
    assert pickle.loads(pickle.dumps(difference)).to_dict() == found
    moved = replace(after, source_texts=("// one more\n" + COLUMN_CU,))
    moved.lines["source_line"] += 1
    assert [one["line"] for one in before.diff(moved).to_dict()["lines"]] == [[5, 6], [6, 7]]
    wrong = column(elements=900)
    assert [one["rule"] for one in wrong.diff(before).to_dict()["gone"]] == ["WS-RUN-001"]
    assert "new: error WS-RUN-001" in str(before.diff(wrong))
    with pytest.raises(TypeError, match="expected a KernelReport, got str"):
        before.diff("x")  # type: ignore[arg-type]


def test_difference_without_sources_is_by_the_text_of_the_ptx() -> None:
    text = "\n".join(line for line in COLUMN.split("\n") if ".loc" not in line)
    x, y = np.zeros(1024, np.uint32), np.zeros(32, np.uint32)
    before = ws.Module(text.replace("STRIDE", "128"))["column"](1, 32, (x, y))
    after = ws.Module(text.replace("STRIDE", "4, %r1;\n    mov.u32 %r4, 7;//"))["column"](1, 32, (x, y))
    changed = before.diff(after).to_dict()["lines"]
    assert [one["line"] for one in changed] == [[18, 19], [20, 21], [16, None], [None, 16], [None, 17]]
    assert changed[0]["text"] == ["st.shared.u32 [%r1], %r2;"] * 2


def big() -> ws.KernelReport:
    body = "\n".join(f".loc 1 {1 + i // 10} 1\nadd.u32 %r{i % 50}, %r{(i + 1) % 50}, {i};" for i in range(BIG // 2))
    head = '.version 8.0\n.target sm_80\n.address_size 64\n.file 1 "big.cu"\n'
    report: ws.KernelReport = ws.Module(f"{head}.visible .entry big() {{\n.reg .b32 %r<64>;\n{body}\nret;\n}}")["big"](
        1, 32, ()
    )
    return replace(report, source_texts=("\n".join(f"x[{i}] += 1;" for i in range(BIG // 20)),))


SETTLED = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))"
MARKED = (
    "() => [...document.querySelectorAll('.pane :target')].map((one) => one.innerText.split(/\\s+/).filter(Boolean))"
)
IN_SIGHT = """() => { const a = document.querySelector(':target').getBoundingClientRect();
  const b = document.querySelector(':target').closest('.pane').getBoundingClientRect();
  return b.top <= a.top && a.top < b.bottom && 0 <= a.top && a.top < innerHeight; }"""


@pytest.mark.slow
def test_page_leads_from_source_to_ptx_and_back(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(column(elements=900).html())
    (tmp_path / "big.html").write_text(big().html())
    with browser.chromium() as opened:
        page = opened.new_page(viewport={"width": 1280, "height": 800})
        page.goto((tmp_path / "page.html").as_uri())
        page.locator("#s0-5 a").first.press("Enter")
        marked: Any = page.evaluate(MARKED)
        assert marked[0][:5] == ["19", "1", "32", "28", "ld.global.u32"]
        assert page.evaluate(IN_SIGHT)
        page.locator("#p19 a").first.click()
        assert page.url.endswith("#s0-5") and page.evaluate(IN_SIGHT)
        assert "WS-RUN-001" in page.locator("#p19 + .f").inner_text()
        assert "WS-RUN-001" in page.locator(".pane").first.inner_text()
        width = "() => getComputedStyle(document.querySelector('#p11 .b'), '::before').width"
        cold = page.evaluate(width)
        page.locator("label", has_text="warp instructions").click()
        assert float(page.evaluate(width)[:-2]) > float(cold[:-2]) == 0
        begin = time.monotonic()
        page.goto((tmp_path / "big.html").as_uri())
        page.evaluate(SETTLED)
        assert time.monotonic() - begin < 2
        page.locator("#s0-400 a").first.click()
        assert page.evaluate(IN_SIGHT) and page.evaluate(MARKED)[0][0] == "7988"
        page.close()
    compared("lines of PTX in a page that opens in two seconds", BIG, at_least=10_000)


def test_findings_with_one_remedy_and_one_or_two_sides_are_told() -> None:
    """Two races with a remedy in common, then one access with the same: it has no second line."""
    side = {"line": 4, "source": None, "source_line": 0}
    one = {**side, "severity": "error", "rule": "WS-RUN-035", "message": "m", "fix": "f", "array": None}
    race = {**one, "line": 9, "other": side}
    told = list(findings([race, {**race, "line": 7}, {**one, "other": None}]))
    assert len(told) == 2
    assert "the same at lines 4 and 7" in told[0] and told[1] == "error WS-RUN-035: m\n  fix: f"
