"""The command line: what it prints, how it exits; nothing a user does ends in a traceback."""

import io
import json
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from docs.make import cost_evidence
from docs.make.reference import json_page
from tests.support import process
from tests.support.evidence import compared
from tests.support.golden import assert_golden
from tests.support.paths import ROOT
from warpsim import cli
from warpsim.cli.argument import FORMS
from warpsim.cli.table import COMMANDS
from warpsim.instruction.explanation import Spot, explain

TOUR = ROOT / "docs" / "tour.md"
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
        ("explain_x4", ["explain", X4, "--tile", "16x16:f16", "--all"]),
        ("explain_short", ["explain", X4, "--tile", "16x64:f16"]),
        (
            "explain_m16n16_illegal",
            ["explain", "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8", "--target", "sm_100",
             "--ptx-version", "8.6", "--all"],
        ),
        ("explain_misaligned", ["explain", "stmatrix.sync.aligned.m8n8.x1.shared.b16",
                                "--address", "lane * 72"]),
        ("layout_m16n8", ["layout", "stmatrix.sync.aligned.m16n8.x2.trans.shared.b8"]),
        ("conflicts_x1", ["conflicts", "ldmatrix.sync.aligned.m8n8.x1.shared.b16",
                          "--address", CONFLICT]),
        ("explain_wmma", ["explain", "wmma.load.a.sync.aligned.col.m8n32k16.shared.f16",
                          "--tile", "8x16:f16:col", "--all"]),
        ("explain_wmma_stride", ["explain", "wmma.load.c.sync.aligned.row.m16n16k16.shared.f32",
                                 "--address", "0x104", "--stride", "18"]),
        ("conflicts_cp_async", ["conflicts", "cp.async.cg.shared.global [d], [s], 16;",
                                "--tile", "8x64:f16:pad=8"]),
    ],
)  # fmt: skip
def test_texts_equal_goldens(name: str, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(*words, capsys=capsys)
    assert_golden(f"{name}.txt", out)
    assert max(map(len, out.splitlines())) <= 80


def test_dash_reads_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"  {X4} {{a,b,c,d}}, [p];\n"))
    status, out, _ = run("layout", "-", capsys=capsys)
    assert status == 0 and out.startswith(X4)


@pytest.mark.slow
def test_module_prints_the_build_paths() -> None:
    def module(*words: str) -> str:
        command = [sys.executable, "-m", "warpsim", *words]
        return process.run(*command).strip()

    assert Path(module("--includes")[2:], "warpsim", "warpsim.h").is_file()
    assert Path(module("--cmake-dir"), "warpsimConfig.cmake").is_file()
    assert Path(module("--pkgconfig-dir"), "warpsim.pc").is_file()
    assert module("layout", X4).startswith(X4)


@pytest.fixture
def ptx_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """good.ptx, bad.ptx (one illegal instruction) and kernel.ptx (which runs), in the working directory."""
    monkeypatch.chdir(tmp_path)
    head = ".version 8.0\n.target sm_80\n// caf\u00e9\n"
    for name, opcode in (("good.ptx", "ldmatrix"), ("bad.ptx", "stmatrix")):
        text = X4.replace("ldmatrix", opcode) + " {a,b,c,d}, [p];\n"
        if opcode == "stmatrix":
            text = text.replace("{a,b,c,d}, [p]", "[p], {a,b,c,d}")
        Path(name).write_bytes((head + text).encode("latin-1"))
    shutil.copy(Path(__file__).with_name("kernel.ptx"), tmp_path)
    measured = cost_evidence.device("calibrate_h100")
    for name, kind in (("measured.json", "calibrations"), ("compared.json", "comparisons")):
        Path(name).write_text(json.dumps({"measurements": measured[kind][0]}))
    Path("old.ptx").write_text(".version 8.0\n")
    Path("short.bin").write_bytes(bytes(127))
    np.save("objects.npy", np.array([{}] * 32), allow_pickle=True)


FILL, TILE = "st.shared.v4.b32", "64x64:f16"
SIDES = ["--store", FILL, "--load", X4]


def statuses() -> list[tuple[int, list[str], str]]:
    lines = (Path(__file__).parent / "statuses.txt").read_text("utf-8").splitlines()
    short, found = {"X4": X4, "WMMA": WMMA}, []
    for line in (line for line in lines if line and line[0] != "#"):
        command, _, said = line.partition(" -> ")
        status, *words = shlex.split(command)
        found.append((int(status), [short.get(word, word) for word in words], said))
    deep, long = "(" * 300 + "1" + ")" * 300, "+".join(["1"] * 5000)
    return found + [(2, ["conflicts", X4, "--address", text], "--address") for text in (deep, long)]


@pytest.mark.parametrize(("status", "words", "said"), statuses())
@pytest.mark.usefixtures("ptx_files")
def test_exit_status_tells_what_happened(
    status: int, words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found, out, err = run(*words, capsys=capsys)
    assert found == status, err
    assert out or err
    assert not (err if status == 0 else out if status == 2 else None)
    assert "Traceback" not in err and said in " ".join((out + err).split())
    if words[:1] not in (["lint"], ["explore"]) and "--json" not in words:
        assert all(len(line) <= 80 for line in out.splitlines())


def loop() -> ws.LoopReport:
    a = ws.Layout(128, 32, "f16", pad=8)
    b = ws.Layout(32, 64, "f16", swizzle=ws.Swizzle(2, 3, 3))
    return ws.mainloop((128, 64, 32), (2, 1), a=a, b=b, trans_b=True)


ROWS = [lane % 8 * 256 + lane // 8 * 16 for lane in range(32)]


@pytest.mark.parametrize(
    ("words", "report"),
    [
        (["explain", X4, "--address", "0"],
         lambda: explain(ws.parse(X4), np.zeros(32, np.int64), spot=Spot("--address 0"))),
        (["layout", X4], lambda: ws.parse(X4).fragment),
        (["conflicts", X4, "--address", CONFLICT], lambda: ws.parse(X4).explain(ROWS)),
        (["tile", "64x64:f16:pad=8", *SIDES, "--warps", "2"],
         lambda: ws.tile(ws.Layout(64, 64, "f16", pad=8), store=FILL, load=X4, warps=2)),
        (["search", TILE, *SIDES, "--pads", "0,8"],
         lambda: ws.search(64, 64, "f16", store=FILL, load=X4, pads=[0, 8])),
        (["cost", X4, "--address", CONFLICT, "--warps", "2", "--target", "sm_80"],
         lambda: ws.parse(X4).cost(ROWS, warps=2, target="sm_80")),
        (["mainloop", "128x64x32", "--warps", "2x1", "--a", "pad=8", "--b", "swizzle=2,3,3",
          "--trans-b"], loop),
    ],
)  # fmt: skip
def test_json_is_the_same_as_values(words: list[str], report: Any, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(*words, "--json", capsys=capsys)
    found = json.loads(out)
    assert found.pop("command") == shlex.join(["warpsim", *words])
    values = report().to_dict()
    assert (found.pop("fix", None) is None) == (words[0] != "conflicts")
    remedy = found.pop("remedy", None)
    assert (found.pop("notations", None) is None) == (words[0] != "search")
    if words[0] in ("tile", "mainloop"):
        values["remedy"] = None if report().remedy is None else report().remedy.to_dict()
    assert remedy == (values.pop("remedy", None) or (remedy if words[0] not in ("tile", "mainloop") else None))
    values.pop("fix", None)
    assert found.pop("where", "") in (values.pop("where", ""), f"--address {CONFLICT}", "--address 0")
    if found.get("banks"):
        assert found["banks"].pop("where") and values["banks"].pop("where")
    assert (status, found) == (0, values)


@pytest.mark.usefixtures("ptx_files")
def test_lint_prints_file_line_column_and_caret(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run("lint", "good.ptx", "bad.ptx", capsys=capsys)
    lines = out.splitlines()
    assert lines[0] == "good.ptx: sm_80, PTX 8.0: 1 instruction, no finding"
    assert lines[2].startswith("bad.ptx:4:1: error WS-LINT-003: stmatrix needs sm_90")
    assert lines[4] == "    " + "^" * len(X4)
    assert lines[-2:] == [f"  1  {X4.replace('ldm', 'stm')}", "2 files: 2 instructions, 1 error"]


@pytest.mark.usefixtures("ptx_files")
def test_lint_json_is_one_object_per_file(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run("lint", "good.ptx", "bad.ptx", "--json", capsys=capsys)
    good, bad = map(json.loads, out.splitlines())
    assert status == 1 and good["schema"] == bad["schema"] == "warpsim.lint/1"
    assert (good["file"], good["ok"], bad["file"], bad["ok"]) == ("good.ptx", True, "bad.ptx", False)
    report = ws.lint(Path("bad.ptx").read_text("utf-8", "replace"))
    assert {"command": "warpsim lint good.ptx bad.ptx", "file": "bad.ptx", **report.to_dict()} == bad


def test_lint_dash_reads_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    text = f".version 6.4\n.target sm_75\n{X4} {{a,b,c,d}}, [p];\n"
    for stream in (io.StringIO(text), io.TextIOWrapper(io.BytesIO(text.encode() + b"// \xff"))):
        monkeypatch.setattr(sys, "stdin", stream)
        status, out, _ = run("lint", "-", capsys=capsys)
        assert status == 1 and out.startswith("<stdin>:3:1: error WS-LINT-003: ldmatrix needs PTX")


def test_cost_prints_the_laws_by_hand(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run("cost", X4, "--address", CONFLICT, "--warps", "8", capsys=capsys)
    assert out.splitlines()[:6] == [
        "85 cycles; in a stream one every 32, bound by the data pipe. 28 bank conflicts,",
        "  8 times the wavefronts. Padding each row of 256 bytes by 16 bytes has none.",
        X4,
        f"  --address {CONFLICT}, sm_90",
        "  latency   85 cycles",  # 21 + 2 * 32
        "  interval  32 cycles per instruction and SM, 8 warps; bound by the data pipe",
    ]


@pytest.mark.parametrize("words", [["conflicts", X4, "--tile", TILE], ["cost", X4, "--tile", "16x64:f16:pad=8"]])
def test_files_say_what_they_are_of(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    command = shlex.join(["warpsim", *words])
    for form in ("--json", "--html", "--svg"):
        _, out, _ = run(*words, "--target", "sm_90", form, capsys=capsys)
        assert f"{command} --target sm_90" in out and form not in out.replace(command, "")
        assert f"tile {words[-1]} at 0,0" in out or (form, words[0]) == ("--svg", "cost")
    _, out, _ = run(*words, capsys=capsys)
    assert f"  tile {words[-1]} at 0,0" in out


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.usefixtures("ptx_files")
def test_help_has_an_example_that_runs(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(name, "--help", capsys=capsys)
    example = out.split("example:\n")[1].replace("\\\n", "")
    command, *words = shlex.split(example)
    assert (status, command, words[0]) == (0, "warpsim", name)
    assert shlex.split(COMMANDS[name].example) == words[1:]
    assert run(*words, capsys=capsys)[0] == COMMANDS[name].status


def test_rules_are_all_in_the_overview(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run("rules", capsys=capsys)
    assert status == 0 and all(len(line) <= 80 for line in out.splitlines())
    listed = [line.split()[0] for line in out.splitlines() if line.startswith("  WS-")]
    assert listed == [*ws.RULES] and len(listed) >= 70
    assert [rule["id"] for rule in json.loads(run("rules", "--json", capsys=capsys)[1])["rules"]] == listed


@pytest.mark.parametrize("word", ["WS-LDM-003", "ws-ldm-003", "LDM-003"])
def test_rules_tell_all_about_one(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run("rules", word, capsys=capsys)
    assert status == 0 and out.startswith("WS-LDM-003 (error, undefined behaviour)\n")
    rule, words = ws.RULES["WS-LDM-003"], " ".join(out.split())
    assert rule.ptx and rule.hardware
    assert rule.ptx in words and rule.hardware in words and rule.fix in words


def test_rules_of_one_instruction_and_of_none(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run("rules", "LDM", "--json", capsys=capsys)
    assert [rule["id"] for rule in json.loads(out)["rules"]] == [id_ for id_ in ws.RULES if id_.startswith("WS-LDM-")]
    for word in ("WS-LDM-3", "frob", "", "\x1b[2J"):
        status, out, err = run("rules", word, capsys=capsys)
        assert (status, out) == (2, "") and err.startswith("warpsim: ID: unknown rule ")
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


def test_layout_is_that_of_the_target(capsys: pytest.CaptureFixture[str]) -> None:
    ptx = "wmma.load.c.sync.aligned.row.m8n32k16.shared.s32"
    maps = {target: run("layout", ptx, "--target", target, capsys=capsys) for target in ("sm_75", "sm_80", "sm_72")}
    assert maps["sm_75"][0] == maps["sm_80"][0] == 0 and maps["sm_75"] != maps["sm_80"]
    assert maps["sm_72"][0] == 1 and "not known" in maps["sm_72"][2]


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
    "run": ["kernel.ptx", "--grid", "1", "--block", "32", "--arg", "x=f32[32]", "--arg", "y=f32[31]"],
    "calibrate": ["--from", "measured.json"],
}


@pytest.mark.parametrize("form", ["json", "html", "svg"])
@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.usefixtures("ptx_files")
def test_forms_go_to_a_file_as_to_standard_output(name: str, form: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = [name, *FORMATS[name]]
    status, out, err = run(*words, f"--{form}", capsys=capsys)
    if form not in COMMANDS[name].forms:
        assert (status, out, err) == (2, "", f"warpsim: --{form}: {name} has no {FORMS[form].what}\n")
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

INSTEAD = {"warpsim.product/1": ["mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32", "--target", "sm_80"]}
INSTEAD["warpsim.comparison/1"] = ["--compare", "--from", "compared.json"]


@pytest.mark.usefixtures("ptx_files")
def test_json_has_the_schemas_of_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    found = {}
    for name, words in FORMATS.items():
        for schema in COMMANDS[name].schemas:
            out = run(name, *INSTEAD.get(schema, words), *OTHER.get(schema, []), "--json", capsys=capsys)[1]
            for line in out.splitlines():
                contents = json.loads(line)
                assert contents["schema"] == schema
                assert json.dumps(contents) == line and line.isascii()
            found[schema] = name
    assert set(FORMATS) == {command.name for command in COMMANDS.values() if command.forms}
    assert set(found) <= set(json_page.shown())
    compared("schemas of commands, there and back", len(found), at_least=10)


@pytest.mark.usefixtures("ptx_files")
def test_commands_of_the_tour_run(capsys: pytest.CaptureFixture[str]) -> None:
    section = TOUR.read_text("utf-8").split("## Command line")[1].split("```")[1]
    lines = [line for line in section.splitlines() if line.startswith("warpsim ")]
    for line in lines:
        status, out, err = run(*shlex.split(line)[1:], capsys=capsys)
        assert status == (1 if "sm_100 --ptx-version 8.6" in line or "--fail-on" in line else 0)
        assert out and not err, line
    compared("commands of the tour", len(lines), at_least=10)


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
