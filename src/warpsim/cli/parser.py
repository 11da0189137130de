"""The argparse parser that is made of the table of commands."""

from __future__ import annotations

import argparse
import sys
from difflib import get_close_matches
from functools import cache, partial
from typing import Any, NoReturn

from .. import __version__
from .table import COMMANDS, FORMS, Argument, Command

WIDTH = 78


class MisuseError(Exception):
    """The arguments are none: what is wrong with them, and the usage."""

    def __init__(self, usage: str, message: str) -> None:
        super().__init__(message)
        self.usage = usage


class _Parser(argparse.ArgumentParser):
    """Of one width, whatever the terminal's; raises MisuseError."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            formatter_class=partial(
                argparse.RawDescriptionHelpFormatter, max_help_position=20, width=WIDTH
            ),
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
            epilog=f"example:\n  {command.written(WIDTH)}",
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
