"""Runs the commands that the pages show; `python tests/pages.py` writes their outputs anew.

A command is a line that begins with `$ ` in a ```console block; a backslash continues it. Below it
stands what it prints. It runs in the folder of its page, after the commands above it, and with
what they wrote; `$?` is the exit status of the one before. A line `...` in an output stands for any
number of lines. Files that a command writes with -o are compared as well.

README's list of questions is made here, too: of the titles of docs/howto and their first blocks.
"""

from __future__ import annotations

import contextlib
import difflib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from unittest import mock

from warpsim import cli

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
README = ROOT / "README.md"
QUESTIONS = ("<!-- questions: generated -->\n", "<!-- end of questions -->")
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


@dataclass(frozen=True)
class Stale:
    """A command that prints something else than its page says, or a file that is not as it is."""

    page: Path
    line: int
    what: str
    difference: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}: {self.what}\n{self.difference}"


@dataclass(frozen=True)
class Run:
    """A page after its commands have run."""

    text: str  # with the outputs of now
    stale: tuple[Stale, ...]
    commands: int
    files: dict[str, bytes]  # what the commands wrote, by name relative to the page's folder


def pages(root: Path = DOCS) -> list[Path]:
    """Every page that shows a command."""
    return [page for page in sorted(root.rglob("*.md")) if any(blocks(page.read_text("utf-8")))]


def questions(root: Path = DOCS) -> list[Path]:
    """The how-to pages, in order of their numbers."""
    return sorted((root / "howto").glob("[0-9][0-9]_*.md"))


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
    if words[0] == "warpsim" and not SHELL.search(
        re.sub(r'"[^"$`]*"|\'[^\']*\'', "", command.text)
    ):
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
    pattern = r"(?:.*\n)*".join(
        "".join(re.escape(line) + "\n" for line in segment) for segment in segments(expected)
    )
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


def written(folder: Path) -> dict[str, bytes]:
    """Everything below a folder, by relative name."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".md")
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def run_block(
    page: Path, shown: Sequence[Command], folder: Path, status: int
) -> tuple[str, list[Stale], int]:
    """A block with the outputs of now, what of it was stale, and the last exit status."""
    lines: list[str] = []
    stale: list[Stale] = []
    for command, after in zip_longest(shown, shown[1:]):
        printed, status = execute(command, folder, status)
        same = matches(command.output, printed)
        lines += [command.shown, *(command.output if same else cut(command.output, printed))]
        told = [] if same else [diff(command, printed)]
        if status == USAGE and not (after and after.text == "echo $?"):
            told.append(f"exit status {USAGE}, and no `echo $?` below shows it")
        stale += [Stale(page, command.line, command.text, why) for why in told]
    return "".join(line + "\n" for line in lines), stale, status


def run(page: Path, root: Path = DOCS) -> Run:
    """Runs the commands of a page in a copy of its tree without pictures."""
    text = page.read_text("utf-8")
    stale: list[Stale] = []
    pieces, end, count, status = [], 0, 0, 0
    with tempfile.TemporaryDirectory() as folder, environment():
        copy = Path(folder) / root.name
        shutil.copytree(root, copy, ignore=shutil.ignore_patterns("*.svg"))
        place = copy / page.parent.relative_to(root)
        for name in re.findall(r"-o (\S+)", text):
            (place / name).parent.mkdir(exist_ok=True)
        before = written(place)
        for block, shown in blocks(text):
            body, found, status = run_block(page, shown, place, status)
            pieces += [text[end : block.start(2)], body]
            stale += found
            count += len(shown)
            end = block.end(2)
        made = {name: data for name, data in written(place).items() if before.get(name) != data}
    for name, data in made.items():
        kept = page.parent / name
        if not kept.is_file() or kept.read_bytes() != data:
            stale.append(Stale(page, 1, name, "is not what its command writes"))
    return Run("".join([*pieces, text[end:]]), tuple(stale), count, made)


def diff(command: Command, printed: Sequence[str]) -> str:
    """What the page says against what the command prints."""
    cropped = cut(command.output, printed)
    return "\n".join(difflib.unified_diff(command.output, cropped, "page", "now", lineterm=""))


def answer(page: Path) -> tuple[str, str]:
    """The title of a page, and the commands or the Python that answer it: its first block."""
    text = page.read_text("utf-8")
    title = re.match(r"# (.+)\n", text)
    block = FENCE.search(text)
    assert title and block, f"{page}: expected a title and a block"
    if block[1] == "console":
        return title[1], "\n".join(
            command.shown.removeprefix("$ ") for command in commands(block[2], 1)
        )
    rows = (row for row in block[2].splitlines() if row.startswith((">>> ", "... ")))
    return title[1], "\n".join(row[4:] for row in rows)


def listed() -> str:
    """README's list of the questions: title, link, and what answers it."""
    lines = []
    for number, page in enumerate(questions(), 1):
        title, text = answer(page)
        item, language = f"{number}. ", "sh" if text.startswith("warpsim ") else "python"
        block = textwrap.indent(f"```{language}\n{text}\n```\n", " " * len(item))
        lines.append(f"{item}[{title}]({page.relative_to(ROOT).as_posix()})\n\n{block}")
    return "\n".join(lines)


def readme() -> str:
    """README with its list made anew."""
    text = README.read_text("utf-8")
    begin, end = QUESTIONS
    assert text.count(begin) == text.count(end) == 1, f"README must have {begin!r} and {end!r} once"
    head, rest = text.split(begin)
    return f"{head}{begin}\n{listed()}\n{end}{rest.split(end)[1]}"


def main() -> None:
    """Writes all pages, their pictures and README's list."""
    for page in pages():
        done = run(page)
        page.write_text(done.text, "utf-8")
        for name, data in done.files.items():
            (page.parent / name).parent.mkdir(parents=True, exist_ok=True)
            (page.parent / name).write_bytes(data)
        for stale in done.stale:
            print(f"{stale}\n")
    README.write_text(readme(), "utf-8")


if __name__ == "__main__":
    main()
