"""What a command, an argument and a form of an answer are."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


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
    "csv": Form("table", "a table of lines with Nsight Compute's names of counters"),
    "toml": Form("profile", "the constants as TOML, for --arch"),
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
    repeats: bool = False
    choices: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The help, followed by the default."""
        return self.help if self.default is None else f"{self.help} ({self.default})"


def seconds(text: str) -> float:
    """The number of "30" or "0.5"; ArgumentTypeError for anything else and for none at all."""
    try:
        found = float(text)
    except ValueError:
        found = 0
    if not 0 < found < 2**31:
        raise ArgumentTypeError(f"expected seconds, more than 0, got {text!r}")
    return found


@dataclass(frozen=True, slots=True)
class Command:
    """One command; its `example` is what follows its name, and gives `status`."""

    name: str
    help: str
    arguments: tuple[Argument, ...]
    example: str
    forms: tuple[str, ...] = ()
    schemas: tuple[str, ...] = ()
    status: int = 0

    @property
    def options(self) -> tuple[str, ...]:
        """Names of all options."""
        own = tuple(argument.name for argument in self.arguments if argument.name[0] == "-")
        return (*own, *(f"--{form}" for form in self.forms), "--output", "--help")

    def written(self, width: int) -> str:
        """The example as a shell takes it; a long one is broken before each option."""
        line = f"warpsim {self.name} {self.example}"
        return line if len(line) <= width else line.replace(" --", " \\\n    --")
