"""The commands and their arguments, as data, and the argparse parser that is made of them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import Any, NoReturn

from .. import __version__

FINE, BAD, USAGE = 0, 1, 2
WIDTH = 78


@dataclass(frozen=True, slots=True)
class Form:
    """A form of an answer other than text: what it is called, and the help of its option."""

    what: str
    help: str


FORMS = {
    "json": Form("JSON", "the values as JSON, with a schema name and version"),
    "html": Form("page", "a self-contained HTML page"),
    "svg": Form("picture", "the picture alone"),
    "sarif": Form("SARIF log", "a SARIF 2.1.0 log, for continuous integration"),
}
TABLE, PICTURE = ("json", "html"), ("json", "html", "svg")


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument, an option if it begins with a dash; without `metavar` an option is a switch."""

    name: str
    help: str
    metavar: str | None = None
    default: Any = None
    type: Callable[[str], Any] = str
    nargs: str | None = None
    required: bool = False
    choices: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The help, with the default behind it."""
        return self.help if self.default is None else f"{self.help} ({self.default})"


@dataclass(frozen=True, slots=True)
class Command:
    """One command; its `example` is what follows its name."""

    name: str
    help: str
    arguments: tuple[Argument, ...]
    example: str
    forms: tuple[str, ...]
    schemas: tuple[str, ...] = ()

    @property
    def options(self) -> tuple[str, ...]:
        """Names of all options."""
        own = tuple(argument.name for argument in self.arguments if argument.name[0] == "-")
        return (*own, *(f"--{form}" for form in self.forms), "--output", "--help")


TILE = "ROWSxCOLS:TYPE[:row|col][:pad=N][:swizzle=B,M,S[,byte]]"
PTX = Argument("ptx", "an instruction; - reads standard input", "PTX")
WHERE = (
    Argument("--address", "addresses, or an expression in lane", "A0,A1,...|EXPR"),
    Argument("--tile", TILE, "TILE"),
    Argument("--at", "place in the tile", "ROW,COL", "0,0"),
    Argument("--stride", "wmma with --address: elements between rows", "S", type=int),
)
TARGET = Argument("--target", "such as sm_90a", "T", "sm_90")
SIDES = (
    Argument("--load", "ld or ldmatrix: reads it", "PTX", required=True),
    Argument("--store", "st, stmatrix or cp.async: fills it", "PTX", required=True),
    Argument("--warps", "that do it together", "N", 4, int),
    TARGET,
)
X4 = "ldmatrix.sync.aligned.m8n8.x4.shared.b16"

COMMANDS = {
    command.name: command
    for command in (
        Command(
            "explain",
            "legality, addresses, undefined behaviour, registers and banks of one instruction",
            (
                PTX,
                *WHERE,
                Argument("--target", "judge for this target, such as sm_90a", "T"),
                Argument("--ptx-version", "and this PTX version, such as 8.6", "V"),
            ),
            f'"{X4}" --tile 16x16:f16',
            PICTURE,
            ("explain",),
        ),
        Command(
            "layout",
            "which matrix element each register of each lane holds",
            (PTX,),
            '"ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8"',
            PICTURE,
            ("fragment",),
        ),
        Command(
            "conflicts",
            "wavefronts and bank conflicts: which lanes meet in which bank",
            (PTX, *WHERE, Argument("--fail-on-conflict", "exit 1 if there is a conflict")),
            f'"{X4}" --address "lane % 8 * 256 + lane // 8 * 16"',
            PICTURE,
            ("bank_report",),
        ),
        Command(
            "cost",
            "latency of one instruction, cycles of an endless stream of it, and what bounds that",
            (PTX, *WHERE, Argument("--warps", "that repeat it", "N", 1, int), TARGET),
            f'"{X4}" --tile 16x64:f16:pad=8 --warps 8',
            PICTURE,
            ("cost",),
        ),
        Command(
            "tile",
            "both sides of a tile: wavefronts, cycles, bytes, legality and alignment",
            (Argument("tile", TILE, "TILE"), *SIDES),
            f"64x64:f16:pad=8 --store cp.async.cg.shared.global --load {X4}",
            PICTURE,
            ("tile",),
        ),
        Command(
            "search",
            "the best layouts of a tile: every padding, swizzle and order counted",
            (
                Argument("size", "ROWSxCOLS:TYPE", "SIZE"),
                *SIDES,
                Argument("--pads", "elements added to each row (0-64)", "A-B|A,B,..."),
                Argument("--orders", "row, col or both", "row,col", "row"),
                Argument("--max-bytes", "no larger layouts", "N", type=int),
                Argument("--top", "how many are shown", "N", 10, int),
            ),
            f"128x64:f16 --store st.shared.v4.b32 --load {X4}",
            PICTURE,
            ("search",),
        ),
        Command(
            "lint",
            "check every matrix memory instruction, ld, st and cp.async of PTX files",
            (
                Argument("files", "PTX files; - reads standard input", "FILE", nargs="+"),
                Argument("--target", "instead of the file's, such as sm_90a", "T"),
                Argument("--ptx-version", "instead of the file's, such as 8.6", "V"),
            ),
            "kernel.ptx --target sm_90a",
            TABLE,
            ("lint",),
        ),
    )
}


def example(command: Command, width: int = WIDTH) -> str:
    """The example as a shell takes it, long ones continued before each option."""
    line = f"warpsim {command.name} {command.example}"
    return line if len(line) <= width else line.replace(" --", " \\\n    --")


class MisuseError(Exception):
    """The arguments are none: what is wrong with them, and the usage."""

    def __init__(self, usage: str, message: str) -> None:
        super().__init__(message)
        self.usage = usage


class _Parser(argparse.ArgumentParser):
    """Of one width, whatever the terminal's; raises MisuseError."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            formatter_class=lambda prog: argparse.RawDescriptionHelpFormatter(prog, width=WIDTH),
            allow_abbrev=False,
            **options,
        )

    def error(self, message: str) -> NoReturn:
        raise MisuseError(self.format_usage(), f"{self.prog}: {message}")


def _add(parser: argparse.ArgumentParser, argument: Argument) -> None:
    options: dict[str, Any] = {"help": argument.text.replace("%", "%%")}
    if argument.name[0] == "-" and argument.metavar is None:
        options["action"] = "store_true"
    else:
        options |= {"metavar": argument.metavar, "type": argument.type}
        options["default"] = argument.default
        if argument.nargs:
            options["nargs"] = argument.nargs
        if argument.required:
            options["required"] = True
        if argument.choices:
            options["choices"] = argument.choices
    parser.add_argument(argument.name, **options)


def _add_forms(parser: argparse.ArgumentParser, command: Command) -> None:
    """Options of the forms; those that the command lacks are taken, too, and refused in words."""
    group = parser.add_mutually_exclusive_group()
    for name, form in FORMS.items():
        help_ = form.help if name in command.forms else argparse.SUPPRESS
        group.add_argument(f"--{name}", action="store_const", dest="form", const=name, help=help_)
    words = "write to this file; its ending (.json ...) names the form where no option does"
    parser.add_argument("-o", "--output", metavar="FILE", help=words)


@cache
def build() -> argparse.ArgumentParser:
    """The parser of all commands."""
    parser = _Parser(
        prog="warpsim",
        description="NVIDIA's warp-level matrix memory instructions, without a GPU.",
        epilog="warpsim COMMAND --help has an example of each",
    )
    parser.add_argument("--version", action="version", version=f"warpsim {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for command in COMMANDS.values():
        sub = commands.add_parser(
            command.name,
            prog=f"warpsim {command.name}",
            help=command.help,
            description=command.help,
            epilog=f"example:\n  {example(command)}",
        )
        for argument in command.arguments:
            _add(sub, argument)
        _add_forms(sub, command)
    return parser


def meant(word: str, known: tuple[str, ...]) -> str:
    """The nearest of the known words as a question; nothing where none is near."""
    close = get_close_matches(word, known, 1)
    return f"; did you mean {close[0]}?" if close else ""


def parse(argv: list[str] | None) -> argparse.Namespace:
    """The arguments; MisuseError where they are none, SystemExit where help is all they ask for."""
    parser = build()
    words = sys.argv[1:] if argv is None else argv
    if not words:
        raise MisuseError(parser.format_help(), "warpsim: COMMAND: expected one")
    first = words[0]
    if not first.startswith("-") and first not in COMMANDS:
        known = tuple(COMMANDS)
        parser.error(f"COMMAND: {first!r} is none: {', '.join(known)}{meant(first, known)}")
    args, rest = parser.parse_known_args(words)
    if args.command is None:
        parser.error(f"COMMAND: expected one of {', '.join(COMMANDS)}")
    if rest:
        command = COMMANDS[args.command]
        hint = meant(rest[0], command.options)
        parser.error(f"{command.name} does not take {' '.join(rest)!r}{hint}")
    return args
