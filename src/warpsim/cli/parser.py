"""The argparse parser, made from the table of commands."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from functools import cache, partial
from typing import Any, NoReturn

from .. import __version__
from ..words import meant
from .argument import FORMS, Argument, Command
from .table import COMMANDS

WIDTH = 78


class MisuseError(Exception):
    """The arguments are none: what is wrong with them, and the usage."""

    def __init__(self, usage: str, message: str) -> None:
        super().__init__(message)
        self.usage = usage


class Asked(Exception):  # noqa: N818 - no error
    """Help or the version was asked for: the text."""


class _Show(argparse.Action):
    """Stops with a text: that of `const`, or the help."""

    def __init__(self, option_strings: Sequence[str], dest: str, **options: Any) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, **options)

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        raise Asked(self.const or parser.format_help())


class _Once(argparse.Action):
    """Stores a value, or True for a switch; an option that is given twice is an error."""

    def __init__(self, option_strings: Sequence[str], dest: str, **options: Any) -> None:
        super().__init__(option_strings, dest, **options)
        self._given: object = None  # the answer that already has a value

    def __call__(self, parser: argparse.ArgumentParser, into: argparse.Namespace, value: Any, *_: Any) -> None:
        if self._given is into:
            parser.error(f"{self.option_strings[-1]}: given twice; give it once")
        self._given = into
        setattr(into, self.dest, True if self.nargs == 0 else value)


class _Parser(argparse.ArgumentParser):
    """Help of one width in every terminal; errors are a MisuseError."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            formatter_class=partial(argparse.RawDescriptionHelpFormatter, max_help_position=20, width=WIDTH),
            allow_abbrev=False,
            add_help=False,
            **options,
        )
        self.add_argument("-h", "--help", action=_Show, help="show this help and exit")

    def error(self, message: str) -> NoReturn:
        raise MisuseError(self.format_usage(), f"{self.prog}: {message}")


def _add(parser: argparse.ArgumentParser, argument: Argument) -> None:
    options: dict[str, Any] = {"help": argument.text.replace("%", "%%")}
    if argument.name[0] == "-" and argument.metavar is None:
        options |= {"action": _Once, "nargs": 0, "default": False}
    else:
        options |= {"metavar": argument.metavar, "type": argument.type}
        options["default"] = argument.default
        if argument.nargs:
            options["nargs"] = argument.nargs
        if argument.name[0] == "-":
            options["action"] = "append" if argument.repeats else _Once
        if argument.required:
            options["required"] = True
        if argument.choices:
            options["choices"] = argument.choices
    parser.add_argument(argument.name, **options)


def _add_forms(parser: argparse.ArgumentParser, command: Command) -> None:
    """Options of the forms; those that the command lacks are taken, too, and refused in words."""
    # a group of which nothing is shown breaks the usage of Python 3.11 where that takes two lines
    group = parser.add_mutually_exclusive_group() if command.forms else parser
    for name, form in FORMS.items():
        help_ = form.help if name in command.forms else argparse.SUPPRESS
        group.add_argument(f"--{name}", action="store_const", dest="form", const=name, help=help_)
    words = "write to this file; its extension (.json ...) sets the format unless an option does"
    parser.add_argument("-o", "--output", action=_Once, metavar="FILE", help=words)


def build() -> argparse.ArgumentParser:
    """The parser of all commands."""
    parser = _Parser(
        prog="warpsim",
        description="Finds bank conflicts, races and bad accesses in CUDA kernels, without a GPU.",
        epilog="warpsim COMMAND --help shows an example",
    )
    version = f"warpsim {__version__}"
    parser.add_argument("--version", action=_Show, const=version, help="show the version and exit")
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


_parser = cache(build)  # one takes any number of command lines


def _asking(words: Sequence[str]) -> list[str]:
    """The words that decide the answer, without those about its form and file."""
    kept, skip = [], False
    for word in words:
        if not skip and word not in ("-o", "--output", *(f"--{form}" for form in FORMS)):
            kept += [] if word.startswith(("--output=", "-o")) else [word]
        skip = not skip and word in ("-o", "--output")
    return kept


def parse(argv: list[str] | None) -> argparse.Namespace:
    """The arguments; MisuseError where they make no sense, Asked where they ask for help."""
    parser = _parser()
    words = sys.argv[1:] if argv is None else argv
    if not words:
        raise MisuseError(parser.format_help(), "warpsim: no command given")
    if words[0] == "help":
        words = [*words[1:2], "--help"]
    first = words[0]
    if not first.startswith("-") and first not in COMMANDS:
        hint = meant(first, COMMANDS) or f"; expected one of {', '.join(COMMANDS)}"
        parser.error(f"unknown command {first!r}{hint}")
    args, rest = parser.parse_known_args(words)
    if args.command is None:
        parser.error(f"no command given; expected one of {', '.join(COMMANDS)}")
    if rest:
        command = COMMANDS[args.command]
        hint = meant(rest[0], command.options)
        parser.error(f"{command.name} does not take {' '.join(rest)!r}{hint}")
    args.typed = shlex.join(["warpsim", *_asking(words)])
    return args
