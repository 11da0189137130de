"""The command line: what it prints, how it exits; nothing a user does ends in a traceback."""

from __future__ import annotations

import io
import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import warpsim as ws
from docs.make import json_page
from tests.support.evidence import compared
from tests.support.golden import assert_golden
from tests.support.paths import ROOT
from warpsim import cli
from warpsim.cli.table import COMMANDS
from warpsim.render import text

README = ROOT / "README.md"
X4 = "ldmatrix.sync.aligned.m8n8.x4.shared.b16"
WMMA = "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16"
CONFLICT = "lane % 8 * 256 + lane // 8 * 16"


def run(*words: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    try:
        status = cli.main(list(words))
    except SystemExit as stop:  # argparse
        status = int(stop.code or 0)
    done = capsys.readouterr()
    return status, done.out, done.err


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("explain_x4", ["explain", X4, "--tile", "16x16:f16"]),
        (
            "explain_m16n16_illegal",
            ["explain", "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8", "--target", "sm_100",
             "--ptx-version", "8.6"],
        ),
        ("explain_misaligned", ["explain", "stmatrix.sync.aligned.m8n8.x1.shared.b16",
                                "--address", "lane * 72"]),
        ("layout_m16n8", ["layout", "stmatrix.sync.aligned.m16n8.x2.trans.shared.b8"]),
        ("conflicts_x1", ["conflicts", "ldmatrix.sync.aligned.m8n8.x1.shared.b16",
                          "--address", CONFLICT]),
        ("explain_wmma", ["explain", "wmma.load.a.sync.aligned.col.m8n32k16.shared.f16",
                          "--tile", "8x16:f16:col"]),
        ("explain_wmma_stride", ["explain", "wmma.load.c.sync.aligned.row.m16n16k16.shared.f32",
                                 "--address", "0x104", "--stride", "18"]),
        ("conflicts_cp_async", ["conflicts", "cp.async.cg.shared.global [d], [s], 16;",
                                "--tile", "8x64:f16:pad=8"]),
    ],
)  # fmt: skip
def test_texts_equal_goldens(
    name: str, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = run(*words, capsys=capsys)
    assert_golden(f"{name}.txt", out)
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["explain", X4], 0),
        (["explain", X4, "--tile", "16x16:f16"], 0),
        (["explain", X4, "--target", "sm_75", "--ptx-version", "6.5"], 0),
        (["explain", X4, "--target", "sm_75", "--ptx-version", "6.4"], 1),
        (["explain", X4, "--target", "sm_70"], 1),
        (["explain", X4, "--address", "lane * 17"], 1),
        (["explain", X4, "--address", "lane * 16 + 2**3"], 2),
        (["explain", X4, "--address", "0x38c00"], 1),
        (["explain", "ldmatrix.bogus"], 1),
        (["explain", "ldmatrix.sync.aligned.m8n8.x4.shared.b8"], 1),
        (["explain", "cp.async.cg.shared.global", "--tile", "8x64:f16"], 0),
        (["explain", "cp.async.ca.shared.global [d], [s], 4;", "--tile", "8x64:f16"], 0),
        (["explain", "ldmatrix.sync.aligned.m8n8.x1.b16", "--address", "lane * 16"], 1),
        (["explain", "ld.global.b32", "--address", "lane * 4"], 0),
        (["explain", "st.shared.v2.b64", "--address", "lane * 16"], 0),
        (["explain", "movmatrix.sync.aligned.m8n8.trans.b16"], 0),
        (["explain", "movmatrix.sync.aligned.m8n8.trans.b16", "--address", "0"], 2),
        (["explain", X4, "--ptx-version", "8.0"], 2),
        (["explain", X4, "--target", "sm_1"], 2),
        (["explain", X4, "--target", "sm_90", "--ptx-version", "eight"], 2),
        (["layout", "ld.shared.b32"], 2),
        (["layout", "wmma.store.d.sync.aligned.row.m8n8k128.s32"], 0),
        (["explain", "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16", "--stride", "8"], 2),
        (["explain", WMMA, "--address", "0", "--stride", "8"], 1),
        (["explain", WMMA, "--address", "0", "--stride", "24"], 0),
        (["explain", WMMA, "--address", "lane"], 1),
        (["explain", WMMA, "--tile", "64x64:f16:pad=8", "--at", "16,32"], 0),
        (["conflicts", WMMA, "--tile", "64x64:f16:col"], 2),
        (["conflicts", WMMA, "--tile", "64x64:s8"], 2),
        (["explain", X4, "--address", "0", "--stride", "16"], 2),
        (["conflicts", X4], 2),
        (["conflicts", X4, "--address", CONFLICT], 0),
        (["conflicts", X4, "--address", CONFLICT, "--fail-on-conflict"], 1),
        (["conflicts", X4, "--address", "lane * 16", "--fail-on-conflict"], 0),
        (["conflicts", X4, "--address", "lane * 16", "--tile", "16x16:f16"], 2),
        (["conflicts", X4, "--tile", "16x8:f16"], 2),
        (["conflicts", X4, "--tile", "16x16:f17"], 2),
        (["conflicts", X4, "--tile", "16:f16"], 2),
        (["conflicts", X4, "--tile", "16x16:f16:swizzle=3,4"], 2),
        (["conflicts", X4, "--tile", "16x16:f16:pad=x"], 2),
        (["conflicts", X4, "--tile", "16x16:f16:frob"], 2),
        (["conflicts", X4, "--tile", "32x64:f16:swizzle=3,3,3", "--at", "16,32"], 0),
        (["conflicts", X4, "--tile", "32x64:f16", "--at", "17,32"], 2),
        (["conflicts", X4, "--tile", "32x64:f16:col", "--at", "x"], 2),
        (["conflicts", X4, "--address", "__import__('os')"], 2),
        (["conflicts", X4, "--address", "lane / 2"], 2),
        (["conflicts", X4, "--address", "lane // 0"], 2),
        (["conflicts", X4, "--address", "1 << lane << 900"], 2),
        (["conflicts", X4, "--address", "-lane"], 2),
        (["conflicts", X4, "--address", "(" * 300 + "1" + ")" * 300], 2),
        (["conflicts", X4, "--address", "+".join(["1"] * 5000)], 2),
        (["conflicts", X4, "--address", ",".join(["0"] * 33)], 2),
        (["conflicts", X4, "--address", ""], 2),
        (["--version"], 0),
        ([], 2),
        (["frobnicate"], 2),
    ],
)
def test_exit_status_tells_what_happened(
    words: list[str], status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    found, out, err = run(*words, capsys=capsys)
    assert found == status, err
    if status == 2:
        assert err and not out
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("words", "schema"),
    [
        (["explain", X4, "--tile", "16x16:f16", "--json"], "warpsim.explain/1"),
        (["layout", X4, "--json"], "warpsim.fragment/1"),
        (["conflicts", X4, "--address", CONFLICT, "--json"], "warpsim.bank_report/1"),
    ],
)
def test_json_is_the_same_as_values(
    words: list[str], schema: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = run(*words, capsys=capsys)
    contents: dict[str, Any] = json.loads(out)
    assert status == 0 and contents["schema"] == schema and contents["ptx"] == X4
    if schema == "warpsim.bank_report/1":
        assert contents["traffic"]["bank_conflicts"] == 28
        cells = [cell for group in contents["groups"] for cell in group["cells"]]
        assert len(cells) == 128
        report = ws.parse(X4).explain([lane % 8 * 256 + lane // 8 * 16 for lane in range(32)])
        assert report.to_dict() == contents
    if schema == "warpsim.explain/1":
        assert [row["address"] for row in contents["addresses"]][:3] == [0, 32, 64]
        assert contents["legality"]["min_ptx_version"] == "6.5"


def test_dash_reads_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"  {X4} {{a,b,c,d}}, [p];\n"))
    status, out, _ = run("layout", "-", capsys=capsys)
    assert status == 0 and out.startswith(X4)


def test_module_prints_the_build_paths() -> None:
    def module(*words: str) -> str:
        command = [sys.executable, "-m", "warpsim", *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    assert Path(module("--includes")[2:], "warpsim", "warpsim.h").is_file()
    assert Path(module("--cmake-dir"), "warpsimConfig.cmake").is_file()
    assert Path(module("--pkgconfig-dir"), "warpsim.pc").is_file()
    assert module("layout", X4).startswith(X4)


def test_colour_only_on_a_terminal() -> None:
    report = ws.parse(X4).explain([lane % 8 * 256 + lane // 8 * 16 for lane in range(32)])
    assert "\x1b" not in str(report)
    coloured = text.bank_report(report.to_dict(), colour=True)
    assert "\x1b[31m" in coloured and coloured.count("\x1b[0m") == 28


def test_reports_have_a_picture() -> None:
    report = ws.parse(X4).explain([lane % 8 * 256 + lane // 8 * 16 for lane in range(32)])
    assert report.svg().startswith("<svg") and report.svg() in report._repr_html_()
    assert (report.wavefronts, report.bank_conflicts, len(report.groups)) == (32, 28, 4)
    assert report.groups[0]["name"] == "matrix 0" and len(list(report)) == 4


@pytest.fixture
def ptx_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """good.ptx and bad.ptx (one illegal instruction), in the working directory."""
    monkeypatch.chdir(tmp_path)
    head = ".version 8.0\n.target sm_80\n// caf\u00e9\n"
    for name, opcode in (("good.ptx", "ldmatrix"), ("bad.ptx", "stmatrix")):
        text = X4.replace("ldmatrix", opcode) + " {a,b,c,d}, [p];\n"
        if opcode == "stmatrix":
            text = text.replace("{a,b,c,d}, [p]", "[p], {a,b,c,d}")
        Path(name).write_bytes((head + text).encode("latin-1"))


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["good.ptx"], 0),
        (["bad.ptx"], 1),
        (["good.ptx", "bad.ptx"], 1),
        (["bad.ptx", "--target", "sm_90"], 0),
        (["good.ptx", "--target", "sm_75", "--ptx-version", "6.4"], 1),
        (["good.ptx", "--target", "sm_1"], 2),
        (["good.ptx", "--ptx-version", "eight"], 2),
        (["good.ptx", "missing.ptx"], 2),
        (["."], 2),
        ([], 2),
    ],
)
@pytest.mark.usefixtures("ptx_files")
def test_lint_exit_status_tells_what_happened(
    words: list[str], status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    found, out, err = run("lint", *words, capsys=capsys)
    assert found == status, err
    assert bool(err) == (status == 2) and bool(out) == (status != 2)


@pytest.mark.usefixtures("ptx_files")
def test_lint_prints_file_line_column_and_caret(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run("lint", "good.ptx", "bad.ptx", capsys=capsys)
    lines = out.splitlines()
    assert lines[0] == "good.ptx: sm_80, PTX 8.0: 1 instruction, no finding"
    assert lines[2].startswith("bad.ptx:4:1: error WS-LINT-003: stmatrix needs sm_90")
    assert lines[4] == "    " + "^" * len(X4)
    assert lines[-2:] == [
        f"  1  {X4.replace('ldm', 'stm')}",
        "2 files: 2 instructions, 1 error",
    ]


@pytest.mark.usefixtures("ptx_files")
def test_lint_json_is_one_object_per_file(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run("lint", "good.ptx", "bad.ptx", "--json", capsys=capsys)
    good, bad = map(json.loads, out.splitlines())
    assert status == 1 and good["schema"] == bad["schema"] == "warpsim.lint/1"
    assert (good["file"], good["ok"], bad["file"], bad["ok"]) == (
        "good.ptx",
        True,
        "bad.ptx",
        False,
    )
    report = ws.lint(Path("bad.ptx").read_text("utf-8", "replace"))
    assert {"file": "bad.ptx", **report.to_dict()} == bad


def test_lint_dash_reads_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f".version 6.4\n.target sm_75\n{X4} {{a,b,c,d}}, [p];\n"
    for stream in (io.StringIO(text), io.TextIOWrapper(io.BytesIO(text.encode() + b"// \xff"))):
        monkeypatch.setattr(sys, "stdin", stream)
        status, out, _ = run("lint", "-", capsys=capsys)
        assert status == 1 and out.startswith("<stdin>:3:1: error WS-LINT-003: ldmatrix needs PTX")


FILL, TILE = "st.shared.v4.b32", "64x64:f16"
SIDES = ["--store", FILL, "--load", X4]


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (0, ["tile", TILE, *SIDES]),
        (0, ["tile", "64x64:f16:col:swizzle=3,4,3,byte", *SIDES, "--warps", "2", "--json"]),
        (1, ["tile", "64x64:f16:pad=2", *SIDES]),
        (1, ["tile", TILE, *SIDES, "--target", "sm_70"]),
        (1, ["tile", TILE, "--store", FILL, "--load", "ldmatrix.nonsense"]),
        (2, ["tile", TILE, "--store", FILL]),
        (2, ["tile", TILE, *SIDES, "--warps", "3"]),
        (2, ["tile", TILE, *SIDES, "--target", "sm_91"]),
        (2, ["tile", "64:f16", *SIDES]),
        (2, ["tile", "60x64:f16", *SIDES]),
        (2, ["tile", TILE, "--store", FILL, "--load", WMMA]),
        (0, ["search", TILE, *SIDES]),
        (0, ["search", TILE, *SIDES, "--pads", "0-8,16", "--orders", "row,col", "--top", "2"]),
        (0, ["search", TILE, *SIDES, "--max-bytes", "8192", "--json"]),
        (1, ["search", TILE, *SIDES, "--max-bytes", "8191"]),
        (1, ["search", TILE, *SIDES, "--target", "sm_70"]),
        (2, ["search", "64x64", *SIDES]),
        (2, ["search", TILE, *SIDES, "--pads", "8-0"]),
        (2, ["search", TILE, *SIDES, "--pads", "a"]),
        (2, ["search", TILE, *SIDES, "--orders", "diagonal"]),
    ],
)
def test_tiles_exit_status_tells_what_happened(
    status: int, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    found, out, err = run(*words, capsys=capsys)
    assert found == status, err
    assert "Traceback" not in err
    assert status == 2 or "ldmatrix.nonsense" in words or out or err
    if "--json" not in words:
        assert all(len(line) <= 80 for line in out.splitlines())


def test_tiles_json_is_the_same_as_values(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run("tile", "64x64:f16:pad=8", *SIDES, "--warps", "2", "--json", capsys=capsys)
    layout = ws.Layout(64, 64, "f16", pad=8)
    assert json.loads(out) == ws.tile(layout, store=FILL, load=X4, warps=2).to_dict()
    words = ["search", TILE, *SIDES, "--pads", "0,8", "--json"]
    _, out, _ = run(*words, capsys=capsys)
    expected = ws.search(64, 64, "f16", store=FILL, load=X4, pads=[0, 8]).to_dict()
    assert json.loads(out) == expected


ROWS = "lane % 8 * 256 + lane // 8 * 16"


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (0, [X4, "--tile", "16x64:f16:pad=8"]),
        (0, [X4, "--tile", "32x64:f16", "--at", "16,32", "--warps", "64", "--json"]),
        (0, [X4, "--address", ROWS, "--target", "sm_75"]),
        (0, ["movmatrix.sync.aligned.m8n8.trans.b16", "--warps", "8"]),
        (0, ["cp.async.cg.shared.global", "--tile", "8x64:f16:pad=8"]),
        (0, ["st.shared.v4.b32", "--address", "lane * 16", "--target", "sm_121a"]),
        (0, ["ld.global.b32", "--address", "lane * 4"]),
        (0, [WMMA, "--address", "0", "--stride", "24"]),
        (1, ["ldmatrix.nonsense", "--address", "0"]),
        (1, [X4, "--address", ROWS, "--target", "sm_70"]),
        (1, ["ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8", "--address", "lane * 16"]),
        (2, [X4]),
        (2, [WMMA]),
        (2, ["movmatrix.sync.aligned.m8n8.trans.b16", "--address", "0"]),
        (2, [X4, "--address", ROWS, "--tile", "16x64:f16"]),
        (2, [X4, "--address", ROWS, "--stride", "8"]),
        (2, [X4, "--address", "1 << 40"]),
        (2, [X4, "--tile", "16x64:f17"]),
        (2, [X4, "--tile", "16x64:f16", "--at", "8,0"]),
        (2, [X4, "--address", ROWS, "--target", "sm_91"]),
        (2, [X4, "--address", ROWS, "--target", ""]),
        (2, [X4, "--address", ROWS, "--warps", "0"]),
        (2, [X4, "--address", ROWS, "--warps", "65"]),
        (2, [X4, "--address", ROWS, "--warps", "-1"]),
        (2, [X4, "--address", ROWS, "--warps", "many"]),
        (2, []),
    ],
)
def test_cost_exit_status_tells_what_happened(
    status: int, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    found, out, err = run("cost", *words, capsys=capsys)
    assert found == status, err
    assert bool(out) == (status == 0) and bool(err) == (status != 0) and "Traceback" not in err
    if "--json" not in words:
        assert all(len(line) <= 80 for line in out.splitlines())


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ([X4], "--address or --tile"),
        ([X4, "--address", ROWS, "--warps", "65"], "warps: expected 1 to 64"),
        ([X4, "--address", ROWS, "--target", "sm_91"], "sm_91"),
        ([X4, "--address", "1 << 40"], "address"),
    ],
)
def test_cost_says_what_is_wrong(
    words: list[str], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert named in run("cost", *words, capsys=capsys)[2]


def test_cost_prints_the_laws_by_hand(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run("cost", X4, "--address", ROWS, "--warps", "8", capsys=capsys)
    assert out.splitlines()[:3] == [
        X4,
        "  latency   85 cycles",  # 21 + 2 * 32
        "  interval  32 cycles per instruction and SM, 8 warps; bound by the data pipe",
    ]


def test_cost_json_is_the_same_as_values(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--address", ROWS, "--warps", "2", "--target", "sm_80", "--json"]
    _, out, _ = run("cost", X4, *words, capsys=capsys)
    address = [lane % 8 * 256 + lane // 8 * 16 for lane in range(32)]
    contents = json.loads(out)
    assert contents == ws.parse(X4).cost(address, warps=2, target="sm_80").to_dict()
    assert contents["schema"] == "warpsim.cost/1"


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.usefixtures("ptx_files")
def test_help_has_an_example_that_runs(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(name, "--help", capsys=capsys)
    example = out.split("example:\n")[1].replace("\\\n", "")
    command, *words = shlex.split(example)
    assert (status, command, words[0]) == (0, "warpsim", name)
    assert shlex.split(COMMANDS[name].example) == words[1:]
    Path("kernel.ptx").write_bytes(Path("good.ptx").read_bytes())
    assert run(*words, capsys=capsys)[0] == 0


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (0, ["128x128x64", "--warps", "2x2"]),
        (0, ["128x128x64", "--warps", "2x2", "--a", "pad=8", "--b", "swizzle=3,3,3"]),
        (0, ["128x128x64", "--warps", "2x2", "--a", "128x64:f16:swizzle=3,4,3,byte"]),
        (0, ["128x64x64", "--warps", "2x2", "--trans-b", "--b", "64x64:bf16", "--type", "bf16"]),
        (0, ["64x64x16", "--warps", "1x1", "--stages", "0", "--target", "sm_80"]),
        (1, ["256x256x64", "--warps", "2x2", "--stages", "8"]),
        (2, ["128x128x64"]),
        (2, ["128x128", "--warps", "2x2"]),
        (2, ["128x128x64", "--warps", "4"]),
        (2, ["128x128x64", "--warps", "0x1"]),
        (2, ["128x100x64", "--warps", "2x2"]),
        (2, ["128x128x64", "--warps", "2x2", "--a", ""]),
        (2, ["128x128x64", "--warps", "2x2", "--a", "pad=-8"]),
        (2, ["128x128x64", "--warps", "2x2", "--a", "col"]),
        (2, ["128x128x64", "--warps", "2x2", "--a", "64x64:f16"]),
        (2, ["128x128x64", "--warps", "2x2", "--b", "frob=8"]),
        (2, ["128x128x64", "--warps", "2x2", "--type", "s8"]),
        (2, ["128x128x64", "--warps", "2x2", "--stages", "-1"]),
        (2, ["128x128x64", "--warps", "2x2", "--target", "sm_91"]),
    ],
)
def test_mainloop_exit_status_tells_what_happened(
    status: int, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    found, out, err = run("mainloop", *words, capsys=capsys)
    assert (found, bool(out), bool(err)) == (status, status != 2, status == 2), err


def test_mainloop_is_the_same_as_values(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["128x64x32", "--warps", "2x1", "--a", "pad=8", "--b", "swizzle=2,3,3", "--trans-b"]
    _, out, _ = run("mainloop", *words, "--json", capsys=capsys)
    a = ws.Layout(128, 32, "f16", pad=8)
    b = ws.Layout(32, 64, "f16", swizzle=ws.Swizzle(2, 3, 3))
    assert json.loads(out) == ws.mainloop((128, 64, 32), (2, 1), a=a, b=b, trans_b=True).to_dict()


def test_rules_are_all_in_the_overview(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run("rules", capsys=capsys)
    assert status == 0 and all(len(line) <= 80 for line in out.splitlines())
    listed = [line.split()[0] for line in out.splitlines() if line.startswith("  WS-")]
    assert listed == [*ws.RULES] and len(listed) >= 70
    assert [
        rule["id"] for rule in json.loads(run("rules", "--json", capsys=capsys)[1])["rules"]
    ] == listed


@pytest.mark.parametrize("word", ["WS-LDM-003", "ws-ldm-003", "LDM-003"])
def test_rules_tell_all_about_one(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run("rules", word, capsys=capsys)
    assert status == 0 and out.startswith("WS-LDM-003 (error, undefined behaviour)\n")
    rule, words = ws.RULES["WS-LDM-003"], " ".join(out.split())
    assert rule.ptx and rule.hardware
    assert rule.ptx in words and rule.hardware in words and rule.fix in words


def test_rules_of_one_instruction_and_of_none(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run("rules", "LDM", "--json", capsys=capsys)
    assert [rule["id"] for rule in json.loads(out)["rules"]] == [
        id_ for id_ in ws.RULES if id_.startswith("WS-LDM-")
    ]
    for word in ("WS-LDM-3", "frob", "", "\x1b[2J"):
        status, out, err = run("rules", word, capsys=capsys)
        assert (status, out) == (2, "") and err.startswith("warpsim: ID: no rule is called ")
    assert "did you mean WS-LDM-003?" in run("rules", "WS-LDM-03", capsys=capsys)[2]


@pytest.mark.parametrize(
    ("words", "rows"),
    [
        ([X4, "--element", "2,3,5"], [[14, 2, 1, 2, 3, 5]]),
        ([X4, "--element", "3,5"], [[14, 0, 1, 0, 3, 5]]),
        ([X4, "--element", "3,5", "--lane", "0"], []),
        (["ldmatrix.sync.aligned.m8n8.x1.shared.b16", "--lane", "5"],
         [[5, 0, 0, 0, 1, 2], [5, 0, 1, 0, 1, 3]]),
        (["wmma.load.c.sync.aligned.row.m16n16k16.shared.f32", "--element", "15,15"],
         [[31, 7, 0, 0, 15, 15]]),
        (["ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b6x16_p32", "--element", "7,15"],
         [[31, 0, 3, 0, 7, 15]]),
    ],
)  # fmt: skip
def test_layout_of_an_element_and_of_a_lane(
    words: list[str], rows: list[list[int]], capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run("layout", *words, "--json", capsys=capsys)
    assert status == 0, err
    assert [list(row.values()) for row in json.loads(out)["holders"]] == rows
    text = run("layout", *words, capsys=capsys)[1].splitlines()
    assert [list(map(int, line.split())) for line in text[3:]] == rows
    assert run("layout", *words, "--html", capsys=capsys)[1].count("<tr>") == len(rows) + 1
    assert "no picture" in run("layout", *words, "--svg", capsys=capsys)[2]


@pytest.mark.parametrize(
    ("options", "status", "words"),
    [
        (["--element", "4,0,0"], 2, "--element: expected matrix 0 to 3, got 4"),
        (["--element", "8,0"], 2, "--element: expected row 0 to 7, got 8"),
        (["--element", "0,0,0,0"], 2, "--element [MATRIX,]ROW,COL: expected"),
        (["--element", "1"], 2, "--element [MATRIX,]ROW,COL: expected"),
        (["--lane", "32"], 2, "--lane: expected 0 to 31, got 32"),
        (["--lane", "-1"], 2, "--lane: expected 0 to 31, got -1"),
        (["--target", "sm_91"], 2, "--target: expected one of"),
        (["--target", "sm_70"], 1, "ldmatrix needs sm_75 or higher"),
    ],
)
def test_layout_says_what_is_wrong(
    options: list[str], status: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found, out, err = run("layout", X4, *options, capsys=capsys)
    assert (found, out) == (status, "") and words in err


def test_layout_is_that_of_the_target(capsys: pytest.CaptureFixture[str]) -> None:
    ptx = "wmma.load.c.sync.aligned.row.m8n32k16.shared.s32"
    maps = {
        target: run("layout", ptx, "--target", target, capsys=capsys)
        for target in ("sm_75", "sm_80", "sm_72")
    }
    assert maps["sm_75"][0] == maps["sm_80"][0] == 0 and maps["sm_75"] != maps["sm_80"]
    assert maps["sm_72"][0] == 1 and "not known" in maps["sm_72"][2]


GENERIC = "ldmatrix.sync.aligned.m8n8.x1.b16"
GARBAGE = ["--address", "lane * 16 + lane // 8 * 3"]  # rows in lanes 0-7, nonsense above


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ([GENERIC.replace(".b16", ".shared.b16"), *GARBAGE], 0, "ignored on sm_80 and later"),
        ([GENERIC.replace(".b16", ".shared.b16"), *GARBAGE, "--target", "sm_80"], 0, "sm_80"),
        ([GENERIC.replace(".b16", ".shared.b16"), *GARBAGE, "--target", "sm_75"], 1,
         "error WS-LDM-007: warp 0, lane 8: invalid address in a lane that supplies no row: 0x83"),
        ([X4, "--address", "0x10000 + lane * 16"], 0, X4),
        ([X4, "--address", "0x10000 + lane * 16", "--target", "sm_75"], 1, "WS-LDM-002"),
        ([GENERIC, "--address", "0x7fff00000400 + lane * 16"], 0, "0x7fff00000000-0x7fff00ffffff"),
        ([GENERIC, "--address", "0x7f0000000000 + lane * 16"], 1,
         "error WS-LDM-003: warp 0, lane 0 (matrix 0, row 0): generic address outside shared"),
        (["ld.b32", "--address", "0x7f0000000000 + lane * 4"], 0, "one of global memory"),
        (["ld.b32", "--address", "0x7f0000000001 + lane * 4"], 1, "WS-LD-001"),
        (["st.b32", "--address", "0x7fff00fffffc + lane * 0"], 1, "WS-ST-002"),
        ([X4, "--tile", "16x64:f16:pad=1"], 1,
         "fix: the pitch of 130 bytes is no multiple of the 16 bytes that an address of ldmatrix"
         " stands for; the nearest that is: 128 bytes (pad 0), then 144 bytes (pad 8)"),
        ([X4, "--tile", "16x128:s8:swizzle=3,3,3", "--at", "0,64"], 1, "smallest M that does: 4"),
        ([X4, "--tile", "16x64:f16", "--at", "0,1"], 1, "fix: Make base, pitch and column"),
        (["ldmatrix.sync.aligned.m8n8.x4.trans.shared.b8"], 1,
         "ldmatrix .m8n8 has no such type: expected .b16; .b8 goes with .m16n16"),
    ],
)  # fmt: skip
def test_explain_answers(
    words: list[str], status: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found, out, err = run("explain", *words, capsys=capsys)
    assert found == status, err
    assert said in " ".join((out + err).split())
    assert all(len(line) <= 80 for line in out.splitlines())


FORMATS = {
    "explain": [X4, "--tile", "16x16:f16"],
    "layout": [X4],
    "conflicts": [X4, "--address", CONFLICT],
    "cost": [X4, "--tile", "16x16:f16"],
    "tile": ["64x64:f16", *SIDES],
    "search": ["64x64:f16", *SIDES, "--pads", "0-8"],
    "mainloop": ["128x128x64", "--warps", "2x2"],
    "rules": ["LDM"],
    "lint": ["bad.ptx", "good.ptx"],
}


@pytest.mark.parametrize("form", ["json", "html", "svg"])
@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.usefixtures("ptx_files")
def test_forms_go_to_a_file_as_to_standard_output(
    name: str, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [name, *FORMATS[name]]
    status, out, err = run(*words, f"--{form}", capsys=capsys)
    if form not in COMMANDS[name].forms:
        assert (status, out, err) == (2, "", f"warpsim: --{form}: {name} has no picture\n")
        return
    expected = run(*words, capsys=capsys)[0]
    assert status == expected, err
    assert out.startswith({"json": '{"', "html": "<!DOCTYPE html>", "svg": "<svg"}[form])
    for options in (["-o", f"a.{form}"], [f"--{form}", "--output", "a.txt"]):
        assert run(*words, *options, capsys=capsys) == (expected, "", "")
        assert Path(options[-1]).read_text() == out
    assert run(*words, f"--{form}", "-o", "-", capsys=capsys) == (expected, out, "")


#: what gives the second schema of a command
OTHER = {"warpsim.holders/1": ["--lane", "0"]}


@pytest.mark.usefixtures("ptx_files")
def test_json_has_the_schemas_of_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    found = {}
    for name, words in FORMATS.items():
        for schema in COMMANDS[name].schemas:
            out = run(name, *words, *OTHER.get(schema, []), "--json", capsys=capsys)[1]
            for line in out.splitlines():
                contents = json.loads(line)
                assert contents["schema"] == schema
                assert json.dumps(contents) == line and line.isascii()
            found[schema] = name
    assert set(FORMATS) == {command.name for command in COMMANDS.values() if command.forms}
    assert set(found) <= set(json_page.shown())
    compared("schemas of commands, there and back", len(found), at_least=10)


@pytest.mark.usefixtures("ptx_files")
def test_readme_commands_run(capsys: pytest.CaptureFixture[str]) -> None:
    section = README.read_text("utf-8").split("## Command line")[1].split("```")[1]
    Path("kernel.ptx").write_bytes(Path("good.ptx").read_bytes())
    lines = [line for line in section.splitlines() if line.startswith("warpsim ")]
    for line in lines:
        status, out, err = run(*shlex.split(line)[1:], capsys=capsys)
        assert status == (1 if "sm_100 --ptx-version 8.6" in line or "--fail-on" in line else 0)
        assert out and not err, line
    compared("commands of README", len(lines), at_least=10)


def test_output_forms_exclude_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run("layout", X4, "--json", "--html", capsys=capsys)
    assert (status, out) == (2, "") and "--html: not allowed with argument --json" in err


@pytest.mark.parametrize("name", ["missing/a.json", ".", "", "\0", "/dev/full", "a" * 5000])
def test_output_that_cannot_be_written_is_named(
    name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, err = run("layout", X4, "-o", name, capsys=capsys)
    assert (status, out) == (2, "") and err.startswith("warpsim: --output: cannot write")
