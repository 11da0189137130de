"""Runs the commands that the pages show; `python3 -m docs.make.pages` writes their outputs anew.

A command runs in the folder of its page, after the commands above it, and with what they wrote. Files that a command
writes with -o are compared as well. The lists of questions in docs/howto/index.md are made here from the titles.
"""

import difflib
import re
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from docs.make.console import FENCE, USAGE, Command, blocks, commands, cut, environment, execute, matches
from docs.make.markdown import replaced
from tests.support.paths import ROOT

DOCS = ROOT / "docs"
README = ROOT / "README.md"
OUTPUT = re.compile(r" -o (\S+)")
INDEX = DOCS / "howto" / "index.md"
END = "<!-- end of questions -->"


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


def pages() -> list[Path]:
    """Every page that shows a command, and README."""
    return [page for page in (README, *sorted(DOCS.rglob("*.md"))) if any(blocks(page.read_text("utf-8")))]


def questions() -> list[Path]:
    """The how-to pages, in order of their numbers."""
    return sorted((DOCS / "howto").glob("*/[0-9][0-9]_*.md"), key=lambda page: page.name)


def run_block(page: Path, shown: Sequence[Command], folder: Path, status: int) -> tuple[str, list[Stale], int]:
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
        if (examples := root.parent / "examples").is_dir():
            (copy.parent / "examples").symlink_to(examples)
        place = copy.parent / page.parent.relative_to(root.parent)
        names = [name for _, shown in blocks(text) for c in shown for name in OUTPUT.findall(c.text)]
        for name in names:
            (place / name).parent.mkdir(exist_ok=True)
        for block, shown in blocks(text):
            body, found, status = run_block(page, shown, place, status)
            pieces += [text[end : block.start(2)], body]
            stale += found
            count += len(shown)
            end = block.end(2)
        made = {name: (place / name).read_bytes() for name in names if (place / name).is_file()}
    for name, data in made.items():
        kept = page.parent / name
        if not kept.is_file() or kept.read_bytes() != data:
            stale.append(Stale(page, 1, name, "is not what its command writes"))
    return Run("".join([*pieces, text[end:]]), tuple(stale), count, made)


def diff(command: Command, printed: Sequence[str]) -> str:
    """What the page says against what the command prints."""
    cropped = cut(command.output, printed)
    return "\n".join(difflib.unified_diff(command.output, cropped, "page", "now", lineterm=""))


def answer(page: Path) -> tuple[str, str, str]:
    """The title of a page, its first paragraph, and what its first block has one type."""
    text = page.read_text("utf-8")
    head = re.match(r"# (.+)\n\n(.+)\n", text)
    block = FENCE.search(text)
    assert head and block, f"{page}: expected a title, a paragraph and a block"
    if block[1] == "console":
        rows = [command.shown.removeprefix("$ ") for command in commands(block[2], 1)]
    else:
        rows = [row[4:] for row in block[2].splitlines() if row.startswith((">>> ", "... "))]
    return head[1], re.sub(r"\[(.+?)\]\(.+?\)", r"\1", head[2]), "\n".join(rows)


def listed(folder: str) -> str:
    """The questions of a folder: each page's title as a link to it."""
    asked = [page for page in questions() if page.parent.name == folder]
    return "".join(f"- [{answer(page)[0]}]({page.relative_to(INDEX.parent).as_posix()})\n" for page in asked)


def index() -> str:
    """The index of the how-to pages with its lists made anew."""
    folders = {page.parent.name for page in questions()}
    return replaced(INDEX, {(f"<!-- {name}: generated -->\n", END): f"\n{listed(name)}\n" for name in folders})


def main() -> None:
    """Writes all pages, their pictures and the lists of questions."""
    for page in pages():
        done = run(page)
        page.write_text(done.text, "utf-8")
        for name, data in done.files.items():
            (page.parent / name).parent.mkdir(parents=True, exist_ok=True)
            (page.parent / name).write_bytes(data)
        for stale in done.stale:
            print(f"{stale}\n")
    INDEX.write_text(index(), "utf-8")


if __name__ == "__main__":
    main()
