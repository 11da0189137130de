"""Launches in test suites: assertions, files of launches, budgets and exit statuses."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.support.paths import EXAMPLES
from warpsim import cli, testing
from warpsim.kernel.budget import Budget
from warpsim.testing import files

pytest_plugins = ["pytester"]

PTX = EXAMPLES / "kernels" / "transpose.ptx"
SQUARE, PADDED = "transpose_square_f32", "transpose_padded_f32"
ARGS = ["f32[64,64]:random(1)", "f32[64,64]", "64", "64"]
HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p) {\n"
HEAD += ".reg .b32 %r<9>;\n.reg .b64 %a<9>;\n.shared .align 4 .b8 s[512];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, s;\n"
HEAD += "shl.b32 %r3, %r1, 2;\nadd.u32 %r3, %r3, %r2;\nxor.b32 %r4, %r3, 128;\nld.param.u64 %a1, [p];\n"
END = "st.global.u32 [%a1], %r5;\nret;\n}\n"
RACE = HEAD + "st.shared.u32 [%r3], %r1;\nld.shared.u32 %r5, [%r4];\n" + END
UNWRITTEN = HEAD + "ld.shared.u32 %r5, [%r3];\n" + END


def launched(kernel: str, **options: Any) -> ws.KernelReport:
    x, y = np.ones((2, 64, 64), np.float32)
    return ws.Module(PTX)[kernel]((2, 2), (32, 8), [x, y, 64, 64], **options)


def small(ptx: str, **options: Any) -> ws.KernelReport:
    return ws.Module(ptx)["k"](1, 64, [np.zeros(1, np.uint32)], **options)


def said(assertion: Any, *values: Any, **options: Any) -> str:
    with pytest.raises(AssertionError) as caught:
        assertion(*values, **options)
    return str(caught.value)


def test_conflicts_of_a_launch_name_line_and_wavefronts() -> None:
    report = launched(SQUARE)
    conflicting = report.lines[report.lines["bank_conflicts"] > 0]
    row = conflicting[0]
    text = said(testing.assert_conflict_free, report)
    assert f"line {row['line']}: {row['opcode'].decode()}" in text
    assert f"{row['wavefronts']:,} wavefronts, {row['ideal_wavefronts']:,} are enough" in text
    assert said(testing.assert_conflict_free, report, lines=int(row["line"])) == text.split("\n  line")[0] + (
        "\n  line" + text.split("\n  line")[1]
    )
    testing.assert_conflict_free(
        report, lines=sorted({*report.lines["line"].tolist()} - {*conflicting["line"].tolist()})
    )
    testing.assert_conflict_free(launched(PADDED))


def test_lines_that_did_not_run_and_reports_without_counts_are_refused() -> None:
    for places, words in ((1, "no statement at 1"), ("a:b", "expected a line"), (":3", "expected a line")):
        with pytest.raises(ValueError, match=words):
            testing.assert_conflict_free(launched(SQUARE), lines=places)
    with pytest.raises(ValueError, match="count=True"):
        testing.assert_conflict_free(launched(SQUARE, count=False))
    for assertion in (testing.assert_no_races, testing.assert_initialized, testing.assert_no_findings):
        with pytest.raises(ValueError, match="check=True"):
            assertion(launched(SQUARE, check=False))
        with pytest.raises(TypeError, match="KernelReport"):
            assertion(3)
    with pytest.raises(TypeError, match="layout"):
        testing.assert_conflict_free("ld.shared.b32")


def test_races_and_unwritten_bytes_are_told_apart() -> None:
    race, unwritten = small(RACE), small(UNWRITTEN)
    assert "WS-RUN-017" in said(testing.assert_no_races, race)
    testing.assert_initialized(launched(PADDED))
    assert "WS-RUN-021" in said(testing.assert_initialized, unwritten)
    testing.assert_no_races(launched(PADDED))
    assert "WS-RUN-017" in said(testing.assert_no_findings, race)
    testing.assert_no_findings(launched(PADDED), severity="note")
    with pytest.raises(ValueError, match="severity"):
        testing.assert_no_findings(race, severity="bad")


def run(*words: str, kernel: str = SQUARE) -> int:
    args = [f"{number}={value}" for number, value in enumerate(ARGS)]
    spelled = [word for arg in args for word in ("--arg", arg)]
    return cli.main(["run", str(PTX), "--kernel", kernel, "--grid", "2,2", "--block", "32,8", *spelled, *words])


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ("", 0, ""),
        ("--fail-on conflicts", 1, "bank conflicts (--fail-on conflicts): 4"),
        ("--fail-on races --fail-on uninitialized --fail-on warnings", 0, ""),
        ("--max-wavefronts 10", 1, "in total: "),
        ("--max-wavefronts 1000000", 0, ""),
        ("--max-wavefronts @=32", 1, "line @: 1,024 wavefronts, the budget is 32, 32 times as many"),
        ("--max-wavefronts @=1024", 0, ""),
        ("--max-wavefronts 1=3", 2, "no statement at 1 ran"),
        ("--max-wavefronts x", 2, "expected LINE=N, FILE:LINE=N or N, got 'x'"),
        ("--budget none.toml", 2, "cannot read 'none.toml'"),
        ("--fail-on frob", 2, "--fail-on"),
    ],
)
def test_exit_statuses(words: str, status: int, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    report = launched(SQUARE)
    line = str(report.lines["line"][report.lines["bank_conflicts"] > 0][0])
    assert run(*words.replace("@", line).split()) == status
    assert said.replace("@", line) in capsys.readouterr().err


def test_budget_of_a_launch_fails_when_a_line_gets_dearer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "budget.toml"
    assert run("--save-budget", str(file)) == 0
    assert run("--budget", str(file)) == 0
    capsys.readouterr()
    wavefronts = re.findall(r"wavefronts = (\d+)", file.read_text())
    for number, count in enumerate(wavefronts[:8]):  # of the total, then of each line
        text = file.read_text().split("wavefronts = ")
        text[number + 1] = text[number + 1].replace(count, str(int(count) - 1), 1)
        file.with_name("less.toml").write_text("wavefronts = ".join(text))
        assert run("--budget", str(file.with_name("less.toml"))) == 1
        assert f"{int(count):,} wavefronts, the budget is {int(count) - 1:,}" in capsys.readouterr().err
    compared("limits of wavefronts that a launch exceeded by one", min(8, len(wavefronts)), at_least=3)
    assert run("--budget", str(file), kernel=PADDED) == 2
    assert "save a new budget" in capsys.readouterr().err


def test_budget_is_its_file() -> None:
    budget = Budget.of(launched(SQUARE))
    assert Budget.from_toml(budget.to_toml()) == budget
    assert budget.limits["total"]["wavefronts"] == launched(SQUARE).traffic.wavefronts
    assert not budget.exceeded(launched(SQUARE))


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("a = ", "not TOML"),
        ("a = 1", "budget: a"),
        ("total = 3", "budget: total"),
        ("lines = 3", "budget: lines"),
        ("[lines]\n37 = 3", 'budget: lines."37"'),
        ("[total]\nwaves = 3", "budget: total.waves"),
        ('[lines."a.cu:3"]\nsectors = -1', 'budget: lines."a.cu:3".sectors'),
    ],
)
def test_wrong_budgets_name_the_key(text: str, key: str) -> None:
    with pytest.raises(ValueError, match=re.escape(key)):
        Budget.from_toml(text)


GOOD = {"ptx": f"'{PTX.as_posix()}'", "grid": "[2, 2]", "block": "[32, 8]", "args": str([*ARGS[:2], 64, 64])}


def launch(kernel: str = SQUARE, **keys: str) -> str:
    lines = {**GOOD, "kernel": f"'{kernel}'", **keys}
    return "[[launch]]\n" + "".join(f"{key} = {value}\n" for key, value in lines.items() if value)


def test_plugin_launches_what_a_file_says(pytester: pytest.Pytester) -> None:
    launches = {
        "good": launch(PADDED, fail_on="['conflicts', 'races', 'uninitialized', 'notes']"),
        "also": launch(max_wavefronts="1000000", args="{input = 'f32[64,64]', 1 = 'f32[64,64]', 2 = 64, 3 = 64}"),
        "conflicts": launch(fail_on="['conflicts']"),
        "dear": launch(max_wavefronts="{total = 7}"),
    }
    parameters = [param.name for param in ws.Module(PTX)[SQUARE].params]
    text = "".join(f"{one}name = '{name}'\n" for name, one in launches.items()).replace(
        "{input =", f"{{{parameters[0]} ="
    )
    (pytester.path / "a.warpsim.toml").write_text(text)
    found = pytester.runpytest("-p", "warpsim.pytest_plugin")
    found.assert_outcomes(passed=2, failed=2)
    found.stdout.fnmatch_lines(["*conflicts: *wavefronts, *are enough*", "*over budget: in total: *the budget is 7*"])


def test_the_name_of_a_launch_steers_no_terminal(pytester: pytest.Pytester) -> None:
    (pytester.path / "a.warpsim.toml").write_text(launch(name='"a\\u001b[31m\\u202eb"', max_wavefronts="1"))
    found = pytester.runpytest("-p", "warpsim.pytest_plugin", "-v", "-rA")
    found.assert_outcomes(failed=1)
    assert "a\ufffd[31m\ufffdb" in found.stdout.str()
    assert not any(sign in found.stdout.str() for sign in ("\x1b", "\u202e"))


@pytest.mark.parametrize("key", ["name", '"\\n::error::x"'])
def test_a_launch_file_gives_a_build_log_no_command(pytester: pytest.Pytester, key: str) -> None:
    name = '"x\\n::error file=a.c,line=1::said\\n##[error]hi"'
    (pytester.path / "a.warpsim.toml").write_text(launch(**{key: name, "max_wavefronts": "1"}))
    lines = pytester.runpytest("-p", "warpsim.pytest_plugin", "-rA").stdout.lines
    assert not [line for line in lines if line.lstrip().startswith(("::", "##["))]


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"name": f"0x{'f' * 5000}"}, "launch[0].name: expected a text, got an int of 20000 bits"),
        ({"grid": "'2'"}, "launch[0].grid: expected a number or up to three"),
        ({"frob": "1"}, "launch[0].frob: expected one of"),
        ({"ptx": ""}, "launch[0].ptx: missing"),
        ({"options": "['-DX']"}, "launch[0].options: expected cuda beside them"),
        ({"max_wavefronts": "{total = -1}"}, "launch[0].max_wavefronts: expected a number"),
        ({"fail_on": "['bugs']"}, "launch[0].fail_on: expected a list of conflicts"),
        ({"fail_on": "[[]]"}, "launch[0].fail_on: expected a list of conflicts"),
        ({"max_wavefronts": "[3]"}, "launch[0].max_wavefronts"),
        ({"args": "3"}, "launch[0].args"),
        ({"ptx": "'none.ptx'"}, "ptx: cannot read 'none.ptx'"),
        ({"kernel": "frob"}, "kernel: transpose.ptx has"),
        ({"kernel": "zz"}, "none is 'zz'"),
        ({"args": "['f99[3]']"}, "args: 0=f99[3]: expected one of u8"),
        ({"block": "[2000]"}, "block: expected"),
        ({"budget": "'none.toml'"}, "budget: cannot read"),
    ],
)
def test_wrong_files_name_the_key(pytester: pytest.Pytester, keys: dict[str, str], said: str) -> None:
    (pytester.path / "a.warpsim.toml").write_text(launch(**keys))
    found = pytester.runpytest("-p", "warpsim.pytest_plugin")
    assert found.ret != 0 and said in found.stdout.str()


#: in the words of TOML
WRONG = (
    "''", "'x'", "'/'", "'..'", "'\\u0000'", '"\\u0000"', '"\\u001b[2J"', f"'{'x' * 5000}'", "true", "0", "-1", "1.5",
    "nan", "9223372036854775807", "[]", "[[]]", "[[[]]]", "{}", "[0]", "[-1]", "[1, 2, 3, 4]", "['x']", "[true]",
    "[{}]", "{x = 1}", "{x = []}", "{x = {}}", "{'' = 1}", "{0 = 'f32[1]:none.npy'}", '["\\u0000"]', "{1 = -1}",
    "1979-05-27", "['f32[9999999999999]']",
)  # fmt: skip


@pytest.mark.slow
def test_each_key_of_a_launch_takes_each_wrong_value(tmp_path: Path) -> None:
    path, tried = tmp_path / "a.warpsim.toml", 0
    for key in files.KEYS:
        for value in WRONG:
            keys = {**GOOD, "kernel": f"'{SQUARE}'", "max_steps": "1000", key: value}
            path.write_text("[[launch]]\n" + "".join(f"{name} = {text}\n" for name, text in keys.items()))
            try:
                for one in files.read(path):
                    one.failures()
            except (ValueError, TypeError, OverflowError, ws.WarpsimError) as error:
                assert key in str(error) or isinstance(error, ws.WarpsimError), (key, value, error)
            tried += 1
    compared("wrong values of keys of a launch file", tried, at_least=400)


@pytest.mark.parametrize("lines", ["\u00b2", "9" * 5000, "9" * 19, "k.cu:\u0663", "-1"])
def test_a_line_is_a_number_of_ascii_digits(lines: str) -> None:
    with pytest.raises(ValueError, match="lines: expected a line of the PTX or FILE:LINE of the source"):
        testing.assert_conflict_free(small(UNWRITTEN), lines=lines)
    with pytest.raises(ValueError, match="max_wavefronts: expected LINE=N, FILE:LINE=N or N"):
        Budget.from_words([lines])
    assert Budget.from_words(["9" * 18]).limits == {"total": {"wavefronts": 10**18 - 1}}


def test_places_are_several_values() -> None:
    with pytest.raises(TypeError, match="lines: expected several values, got float"):
        testing.assert_conflict_free(small(UNWRITTEN), lines=3.5)  # type: ignore[arg-type]


def test_a_budget_names_the_key_of_a_number_of_any_size() -> None:
    huge = f"0x{'f' * 5000}"
    with pytest.raises(ValueError, match=r"budget: grid: it is about .*; save a new budget"):
        Budget.from_toml(f"grid = [{huge}]").exceeded(small(UNWRITTEN))
    with pytest.raises(ValueError, match=r"budget: total\.executed: expected a number that is not negative, got '0x"):
        Budget.from_toml(f"total = {{executed = '{huge}'}}")
