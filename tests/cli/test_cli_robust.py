"""Whatever a user types: an exit status and a message, never a traceback."""

import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import warpsim as ws
from docs.make import cost_evidence
from tests.support.evidence import compared
from warpsim import cli
from warpsim.cli import commands, table
from warpsim.cli.argument import FORMS, Argument

X4 = "ldmatrix.sync.aligned.m8n8.x4.shared.b16"
HEAD = ".version 8.0\n.target sm_80\n"
COUNTED = {"argv": 0, "refused": 0}

#: values of each option and subject, right and wrong; sizes small, for speed
VALUES: dict[str, list[str]] = {
    name: [{"DIGITS": "9" * 5000, "BRACKETS": "(" * 300, "LONG": "x" * 100_000}.get(word, word) for word in words]
    for name, words in json.loads(Path(__file__).with_name("values.json").read_text()).items()
}
PTX, TILES = VALUES["ptx"], VALUES["tile"]
VALUES |= {"load": PTX, "store": PTX, "--tile": TILES}
VALUES["--cluster"] = ["1", "2", "2,1", "0", "32", "x"]
VALUES["--timeout"] = ["60", "99.5", "1e3", "600", "0", "-1", "x", "nan", "inf"]
VALUES["--sources"] = [".", "/", "nowhere", ""]
VALUES["size"] = [text.partition(":p")[0] for text in TILES]
NUMBERS = (
    "warps",
    "stride",
    "max_bytes",
    "top",
    "lane",
    "stages",
    "shared",
    "blocks",
    "threads",
    "max_steps",
    "num_warps",
    "num_stages",
    "launch",
    "skip",
    "count",
    "device",
)
VALUES |= dict.fromkeys(NUMBERS, VALUES["number"])
OPCODES = {text.partition(".")[0] for text in PTX if "." in text} - {""}
ANY = st.text(max_size=12)


def values(argument: Argument, *, option: bool) -> list[str]:
    """What is tried for an argument, right words first."""
    name = argument.name.strip("-").replace("-", "_")
    keys = (argument.metavar or "", f"--{name}" if option else name, name)
    return next(VALUES[key] for key in keys if key in VALUES)


def value(draw: Any, argument: Argument, option: bool) -> str:
    known = values(argument, option=option)
    kind = draw(st.integers(0, 19))  # mostly right, so that one wrong word shows what it does
    return str(draw(ANY if kind == 19 else st.sampled_from(known if kind > 15 else known[:4])))


@st.composite
def argvs(draw: Any) -> list[str]:
    counts = [1] * 18 + [2, 0]
    command = draw(st.sampled_from(list(table.COMMANDS.values())))
    words: list[str] = [command.name]
    for argument in command.arguments:
        option = argument.name[0] == "-"
        if not option:
            words += [value(draw, argument, False) for _ in range(draw(st.sampled_from(counts)))]
        elif draw(st.integers(0, 5)) == 0 or (argument.required and draw(st.integers(0, 19))):
            words += [argument.name]
            words += [] if argument.metavar is None else [value(draw, argument, True)]
    for _ in range(draw(st.sampled_from([0, 0, 0, 1, 1, 2]))):
        words.append(draw(st.sampled_from([*(f"--{form}" for form in FORMS), "--help", "--x"])))
    if draw(st.integers(0, 3)) == 0:
        words += ["-o", draw(st.sampled_from(VALUES["output"]))]
    if draw(st.integers(0, 19)) == 0:
        words.insert(draw(st.integers(0, len(words))), draw(ANY))
    return words


@contextmanager
def ended() -> Iterator[None]:
    """What explore begins when its link is there ends at once."""
    with mock.patch("warpsim.cli.explore.ExplorerServer.serve_forever"), mock.patch("webbrowser.open"):
        yield


def run(argv: list[str], stdin: str = "") -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    streams = mock.patch("sys.stdin", io.StringIO(stdin))
    with redirect_stdout(out), redirect_stderr(err), streams, ended():
        status = cli.main(argv)
    return status, out.getvalue(), err.getvalue()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("files")
    for name, version in (("good.ptx", "8.0"), ("bad.ptx", "6.4")):
        head = f".version {version}\n.target sm_75\n"
        path.joinpath(name).write_text(f"{head}{X4} {{a,b,c,d}}, [p];\n")
    shutil.copy(Path(__file__).with_name("kernel.ptx"), path)
    ws.Arch("sm_86", {"load_latency": 25}).to_file(path / "mine.toml")
    measured = cost_evidence.device("calibrate_h100")
    for name, kind in (("good.json", "calibrations"), ("compared.json", "comparisons")):
        path.joinpath(name).write_text(json.dumps({"measurements": measured[kind][0]}))
    return path


def names_an_argument(command: str, message: str) -> bool:
    """Does the message have an option, the name of a subject, the instruction, or the command?"""
    known = table.COMMANDS[command]
    words = {*known.options, *(one.metavar for one in known.arguments), *known.forms, *OPCODES}
    return any(word in message for word in (*words, command) if word)


@pytest.mark.slow
@settings(
    max_examples=800, deadline=None, derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)  # fmt: skip
@given(argv=argvs(), stdin=st.sampled_from([X4, HEAD, "", "frob", "\udc80\0"]))
def test_any_words_end_in_a_status_and_a_message(
    argv: list[str], stdin: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    judge(argv, *run(argv, stdin))


def judge(argv: list[str], status: int, out: str, err: str) -> None:
    """A status, and where it is 2 a message that names something of the command line."""
    assert status in (0, 1, 2)
    assert bool(err) <= (status != 0)
    assert bool(err) or status != 2
    if err:
        assert err.startswith(("warpsim", "usage:"))
        counted = status == 1 and argv[0] in ("conflicts", "cost") and "the counts are of the addresses" in err
        unwritten = argv[0] == "run" and ": cannot write " in err  # what else was asked for is there all the same
        assert counted or unwritten or not out
        assert all(c.isprintable() or c == "\n" for c in err)
        message = err[err.rindex("\nwarpsim") :] if err.startswith("usage") else err
        assert counted or argv[0] not in table.COMMANDS or names_an_argument(argv[0], message), err
    COUNTED["argv"] += 1
    COUNTED["refused"] += bool(err)


#: options without which a command has nothing to say
NEEDED = {
    **dict.fromkeys(("conflicts", "cost"), "--address lane*16"),
    **dict.fromkeys(("tile", "search"), f"--load {X4} --warps 1"),
    "run": "--grid 1 --block 32 --arg x=f32[64]:random(7) --arg y=f32[64]",
    "calibrate": "--from good.json",
}


def honest(command: str) -> list[str]:
    """A command line with all that the command needs."""
    words = [command]
    for one in table.COMMANDS[command].arguments:
        if one.name[0] != "-":
            words.append(values(one, option=False)[0])
        elif one.required:
            words += [one.name, values(one, option=True)[0]]
    return words + NEEDED.get(command, "").split()


@pytest.mark.slow
@pytest.mark.parametrize("command", table.COMMANDS)
def test_each_place_of_a_command_takes_each_hostile_word(
    command: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    right, tried = honest(command), 0
    assert command == "capture" or run(right)[0] in (0, 1), run(right)  # a GPU is needed for that
    options = [one.name for one in table.COMMANDS[command].arguments if one.name[0] == "-" and one.metavar is not None]
    for word in VALUES["hostile"]:
        lines = [[*right[:i], word, *right[i + 1 :]] for i in range(1, len(right))]
        for argv in (*lines, *([*right, option, word] for option in (*options, "-o"))):
            judge(argv, *run(argv))
            tried += 1
    compared("hostile words in each place of a command line", tried, at_least=40)


@pytest.mark.slow
def test_many_words_were_tried() -> None:
    compared("command lines of random words", COUNTED["argv"], at_least=600)
    accepted = COUNTED["argv"] - COUNTED["refused"]
    compared("of these, refused with a message", COUNTED["refused"], at_least=100)
    compared("of these, answered", accepted, at_least=100)


def test_no_words_are_help_and_usage() -> None:
    status, out, err = run([])
    assert (status, out) == (2, "") and err.startswith("usage: warpsim")
    assert all(name in err for name in table.COMMANDS)


@pytest.mark.parametrize("error", [MemoryError, RecursionError, OverflowError("too large: x")])
def test_errors_of_the_machine_are_messages(error: Any) -> None:
    with mock.patch.dict(commands.RUN, {"layout": mock.Mock(side_effect=error)}):
        status, out, err = run(["layout", X4])
    assert (status, out) == (2, "") and err.startswith("warpsim: ") and "too large" in err


def test_interrupt_is_130() -> None:
    with mock.patch.dict(commands.RUN, {"layout": mock.Mock(side_effect=KeyboardInterrupt)}):
        assert run(["layout", X4]) == (130, "", "")


def shell(line: str, **options: Any) -> tuple[int, str, str]:
    """A line of bash, where $warpsim is the command."""
    done = subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, "warpsim": f"{sys.executable} -m warpsim", **options},
    )  # fmt: skip
    assert "Traceback" not in done.stderr and "Exception ignored" not in done.stderr
    return done.returncode, done.stdout, done.stderr


#: lines of the shell, the exit status, what the message has; each is a process, so that all but the first are slow
STREAMS = [
    (f"$warpsim layout {X4} > /dev/full", 2, "warpsim: standard output: No space left"),
    ("$warpsim --help > /dev/full", 2, "warpsim: standard output: No space left"),
    (f"$warpsim layout {X4} -o /dev/full", 2, "warpsim: --output: cannot write '/dev/full'"),
    (f"$warpsim layout {X4} >&-", 2, "warpsim: standard output is closed"),
    (f"set -o pipefail; $warpsim search 64x64:f16 --store st.shared.v4.b32 --load {X4} --json"
     " | head -c 1", 0, ""),
    ("$warpsim layout frob 2>&-", 1, ""),
    ("$warpsim layout frob 2>/dev/full", 1, ""),
    ("$warpsim 2>&-", 2, ""),
    ("$warpsim layout - <&-", 2, "warpsim: -: standard input is closed"),
    ("$warpsim lint - </dev/null", 2, "warpsim: FILE: '-' is not PTX"),
    ("head -c 20000 /dev/urandom | $warpsim lint -", 2, "warpsim: FILE: '-' is not PTX"),
    ("head -c 200 /dev/urandom | $warpsim explain -", 1, "warpsim: PTX: "),
    ("$warpsim lint $'\\xff.ptx'", 2, "warpsim: FILE: cannot read "),
    (f"PYTHONIOENCODING=ascii $warpsim layout {X4} --html", 0, ""),
    (f"PYTHONIOENCODING=latin-1 $warpsim layout {X4} --svg", 0, ""),
]  # fmt: skip


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize(
    ("line", "status", "message"),
    [pytest.param(*case, marks=[pytest.mark.slow] * (i > 0)) for i, case in enumerate(STREAMS)],
)
def test_streams_that_fail_are_told(line: str, status: int, message: str) -> None:
    found, _, err = shell(line)
    assert found == status, err
    assert err.startswith(message) and (message or not err)


#: a command that is interrupted while it runs
INTERRUPTED = """
import os, signal
from warpsim import cli
from warpsim.cli import commands
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it
commands.RUN["layout"] = lambda args: (os.kill(os.getpid(), signal.SIGINT), signal.pause())
exit(cli.main())
"""


def test_interrupted_process_says_nothing() -> None:
    command = [sys.executable, "-c", INTERRUPTED, "layout", X4]
    done = subprocess.run(command, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


@pytest.mark.parametrize(
    ("variables", "coloured"),
    [
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": ""}, True),
        ({}, False),
    ],
)
def test_colour_is_asked_for_and_forbidden(
    variables: dict[str, str], coloured: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    for name, word in variables.items():
        monkeypatch.setenv(name, word)
    words = ["conflicts", X4, "--address", "lane * 128"]
    assert ("\x1b[" in run(words)[1]) == coloured
    run([*words, "-o", str(tmp_path / "a.txt")])
    assert "\x1b[" not in tmp_path.joinpath("a.txt").read_text()
