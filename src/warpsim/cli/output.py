"""What a command answers, in the form that was asked for, to standard output or to a file."""

from __future__ import annotations

import json
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, Protocol, TextIO

from ..characters import is_terminal, printable
from ..errors import called, why
from ..files import put_text
from ..render import html, svg
from .argument import FORMS, Command
from .parser import MisuseError
from .table import COMMANDS, FINE, USAGE

MARKUP = ("html", "svg")
TEXTS = ("txt", "md", "log")  # endings of texts
MOST_SHOWN = 1000  # characters of a line of a message


class AnyReport(Protocol):
    """What every report has; most have html() and svg(), too."""

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An exit status, and what to print: `text` (with or without colour) or another form.

    `text` None: everything is printed already. `warning`: what is said besides on standard error,
    in every form; `aside`: in every form except text, which has it.
    """

    status: int
    text: Callable[[bool], str] | None
    forms: Mapping[str, Callable[[], str]] = field(default_factory=dict)
    warning: str = ""
    aside: str = ""

    def render(self, form: str, output: str | None, command: str = "") -> str:
        """The answer in one form, a newline at its end; `command`: what asked for it, for files that outlive it."""
        if form == "text" and self.text is not None:
            found = self.text(_colour(output))
        elif form in self.forms:
            found = self.forms[form]()
        else:
            raise ValueError(f"--{form}: this report has no {FORMS[form].what}")
        if command and form in NAMED:
            found = NAMED[form](found, command)
        return found if found.endswith("\n") else found + "\n"


def of_report(
    report: AnyReport,
    status: int = FINE,
    text: Callable[[bool], str] | None = None,
    contents: Mapping[str, Any] | None = None,
) -> Answer:
    """An answer with all forms that a report has; `text`, `contents` if its str() and to_dict() are not the ones."""
    forms: dict[str, Callable[[], str]] = {"json": lambda: to_json(contents or report.to_dict())}
    forms |= {form: getattr(report, form) for form in MARKUP if hasattr(report, form)}
    return Answer(status, text or (lambda colour: str(report)), forms)


#: how a form says which command made it
NAMED: Mapping[str, Callable[[str, str], str]] = {
    "json": lambda found, command: "\n".join(
        f'{{"command": {json.dumps(command)}, {line[1:]}' for line in found.split("\n")
    ),
    "html": html.with_command,
    "svg": svg.with_command,
}


def to_json(contents: Mapping[str, Any]) -> str:
    """One line of ASCII."""
    return json.dumps(contents, allow_nan=False)


def form_of(command: Command, form: str | None, output: str | None) -> str:
    """The form that was asked for, else the one that the ending of the file names, else text."""
    if form is None and output is not None:
        form = PurePath(output).suffix[1:].lower()
        if command.forms and form not in ("", *TEXTS, *FORMS):
            raise ValueError(f"--output: {output!r}: expected .{', .'.join((*command.forms, *TEXTS))}; got .{form}")
        form = form if form in FORMS else None
    if form is not None and form not in command.forms:
        raise ValueError(f"--{form}: {command.name} has no {FORMS[form].what}")
    return form or "text"


def _colour(output: str | None) -> bool:
    """Colour for a terminal only; NO_COLOR and FORCE_COLOR as everywhere."""
    if output not in (None, "-") or os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return os.environ.get("TERM") != "dumb" and is_terminal(sys.stdout)


def write(text: str, form: str, output: str | None) -> None:
    """To a file, or to standard output; what cannot be written is a ValueError."""
    errors = "xmlcharrefreplace" if form in MARKUP else "backslashreplace"
    if output in (None, "-"):
        _print(text, form, errors)
        return
    try:
        put_text(str(output), text, errors)
    except (OSError, ValueError) as error:
        raise ValueError(f"--output: cannot write {output!r}: {why(error)}") from error


def _print(text: str, form: str, errors: str) -> None:
    stream = sys.stdout
    if stream is None:
        raise ValueError("standard output is closed")
    encoding = stream.encoding or "utf-8"
    if form in MARKUP and "utf" not in encoding.lower():
        encoding = "ascii"  # a page says that it is UTF-8
    try:
        stream.write(text.encode(encoding, errors).decode(encoding))
        stream.flush()
    except BrokenPipeError:
        _abandon(stream)
    except OSError as error:
        _abandon(stream)
        raise ValueError(f"standard output: {why(error)}") from error


def _abandon(stream: TextIO) -> None:
    """Nothing that is left in the stream fails again when Python ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def say(message: str) -> None:
    """A message on standard error."""
    lines = (line[:MOST_SHOWN] for line in printable(message).split("\n"))
    if sys.stderr is None:
        return
    try:
        print("\n".join(lines), file=sys.stderr, flush=True)
    except (OSError, ValueError):
        _abandon(sys.stderr)


#: what the package calls an argument that the command line names otherwise
POSITIONAL = {"tile": ("layout", "rows", "cols"), "search": ("rows", "cols", "type")}


def _option(args: Namespace, command: Command, name: str) -> str:
    """The option that gives an argument of the package."""
    option = f"--{name.replace('_', '-')}"
    if option == "--address" and getattr(args, "tile", None) is not None:
        return "--tile"  # its addresses
    others = (option.removesuffix("-bytes"), option.removesuffix("s"))  # --shared; --load, which may repeat
    return next((one for one in (option, *others) if one in command.options), option)


def _in_their_words(args: Namespace, error: object) -> str:
    """The message, its argument named as the user wrote it."""
    argument = getattr(error, "argument", None)
    if not isinstance(error, Exception) or argument is None:
        return str(error)
    command = COMMANDS[args.command]
    name = argument.partition("[")[0].partition(":")[0]
    rest = argument[len(name) :]  # of it: an index, a file, a key
    options = [_option(args, command, one) for one in name.split(", ")]
    if all(option in command.options for option in options):
        return called(error, ", ".join(options) + rest)
    subject = command.arguments[0]
    if name in (subject.name, *POSITIONAL.get(command.name, ())):
        return f"{subject.metavar}: {error}"
    return str(error)


def complain(args: Namespace, error: object, status: int) -> int:
    """The error on standard error; the status."""
    say(f"warpsim: {_in_their_words(args, error)}")
    return status


def show(text: str) -> int:
    """Prints what was asked for instead of an answer; the exit status."""
    try:
        write(text if text.endswith("\n") else f"{text}\n", "text", None)
    except ValueError as error:
        say(f"warpsim: {error}")
        return USAGE
    return FINE


def misused(error: MisuseError) -> int:
    """Says what is wrong with the arguments; the exit status."""
    say(f"{error.usage}{error}")
    return USAGE
