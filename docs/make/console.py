"""The commands of ```console blocks: what they are, what they print, is it what was expected.

A command is a line that begins with `$ `; a backslash continues it. What it prints follows.
A line `...` there matches any number of lines. `$?` is the exit status of the command before.
"""

import contextlib
import difflib
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from warpsim import cli

FENCE = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHELL = re.compile(r"[|<>;&$`*]")
CUT = "..."
USAGE = 2


@dataclass(frozen=True)
class Command:
    """A command as a page shows it, and the lines that stand below it."""

    shown: str  # with `$ ` and its continued lines
    line: int  # of the page, from 1
    output: tuple[str, ...]

    @property
    def text(self) -> str:
        return self.shown.removeprefix("$ ").replace("\\\n", " ")


def blocks(text: str) -> Iterator[tuple[re.Match[str], list[Command]]]:
    """The console blocks of a page and the commands in each."""
    for block in FENCE.finditer(text):
        if block[1] == "console":
            yield block, list(commands(block[2], text.count("\n", 0, block.start(2)) + 1))


def commands(body: str, line: int) -> Iterator[Command]:
    """The commands of a block whose first line is that line of its page."""
    shown: list[str] = []
    output: list[str] = []
    start = line
    for number, row in enumerate(body.splitlines(), line):
        if shown and not output and shown[-1].endswith("\\"):
            shown.append(row)
        elif row.startswith("$ "):
            if shown:
                yield Command("\n".join(shown), start, tuple(output))
            shown, output, start = [row], [], number
        elif not shown:
            raise ValueError(f"line {number}: a console block begins with a command: {row!r}")
        else:
            output.append(row)
    if shown:
        yield Command("\n".join(shown), start, tuple(output))


def warpsim(argv: Sequence[str], folder: Path) -> tuple[str, int]:
    """What the installed command line prints and gives back, without a new process."""
    out = io.StringIO()
    streams = contextlib.redirect_stdout(out), contextlib.redirect_stderr(out)
    with contextlib.chdir(folder), streams[0], streams[1], mock.patch("sys.stdin", io.StringIO()):
        try:
            status = cli.main(list(argv))
        except SystemExit as stop:
            status = stop.code if isinstance(stop.code, int) else USAGE
    return out.getvalue(), status


def shell(text: str, folder: Path, status: int) -> tuple[str, int]:
    """The same of a line for bash, where $? is `status` at first."""
    line = f"set -o pipefail; (exit {status}); {text}"
    done = subprocess.run(
        ["bash", "-c", line], cwd=folder, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False,
    )  # fmt: skip
    return done.stdout, done.returncode


def execute(command: Command, folder: Path, status: int) -> tuple[tuple[str, ...], int]:
    """The lines that a command prints, and its exit status."""
    words = shlex.split(command.text)
    if words[0] == "warpsim" and not SHELL.search(re.sub(r'"[^"$`]*"|\'[^\']*\'', "", command.text)):
        printed, status = warpsim(words[1:], folder)
    else:
        printed, status = shell(command.text, folder, status)
    return tuple(line.rstrip() for line in printed.rstrip().splitlines()), status


def segments(lines: Sequence[str]) -> list[list[str]]:
    """The lines between the cuts."""
    found: list[list[str]] = [[]]
    for line in lines:
        if line == CUT:
            found.append([])
        else:
            found[-1].append(line)
    return found


def matches(expected: Sequence[str], printed: Sequence[str]) -> bool:
    """Is this what was expected, where a cut is any number of lines?"""
    pattern = r"(?:.*\n)*".join("".join(re.escape(line) + "\n" for line in segment) for segment in segments(expected))
    return re.fullmatch(pattern, "".join(line + "\n" for line in printed)) is not None


def place_of(segment: Sequence[str], printed: Sequence[str], start: int) -> int:
    """Where as many lines are most like these."""
    text, size = "\n".join(segment), len(segment)

    def likeness(first: int) -> float:
        lines = "\n".join(printed[first : first + size])
        return difflib.SequenceMatcher(None, text, lines).ratio()

    return max(range(start, max(start, len(printed) - size) + 1), key=likeness)


def cut(expected: Sequence[str], printed: Sequence[str]) -> tuple[str, ...]:
    """What was printed, with the cuts of the author: pieces as long, the last one at the end."""
    first, *others = segments(expected)
    if not others:
        return tuple(printed)
    kept, end = list(printed[: len(first)]), len(first)
    for segment in others[:-1]:
        start = place_of(segment, printed, end)
        end = start + len(segment)
        kept += [CUT, *printed[start:end]]
    return (*kept, CUT, *printed[max(end, len(printed) - len(others[-1])) :])


def environment() -> contextlib.AbstractContextManager[object]:
    """80 columns, no colour, the commands of this Python first."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return mock.patch.dict(os.environ, {"COLUMNS": "80", "NO_COLOR": "1", "PATH": path})
