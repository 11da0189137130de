"""Files that commands read and write, and their names."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from pathlib import Path, PurePath
from urllib.parse import quote

from ..errors import why
from ..files import path_shown, refuse_unwritable
from .argument import Argument, Command

MOST_BYTES = 2**28


def read_file(name: str, argument: str = "FILE") -> str:
    """A text; bytes that are not UTF-8 (in comments, in names of source files) are replaced."""
    if name == "-":
        if sys.stdin is None:
            raise ValueError("-: standard input is closed")
        return _whole(getattr(sys.stdin, "buffer", sys.stdin).read(MOST_BYTES + 1), name)
    try:
        with open(name, "rb") as file:
            found = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise ValueError(f"{argument}: cannot read {path_shown(name)}: {why(error)}") from error
    return _whole(found, name, argument)


def _whole(found: str | bytes, name: str, argument: str = "FILE") -> str:
    """The text of a file, which may be a device without an end."""
    if len(found) > MOST_BYTES:
        raise ValueError(f"{argument}: {path_shown(name)} has more than {MOST_BYTES >> 20} MiB")
    return found if isinstance(found, str) else str(found, "utf-8", "replace")


def _place(name: str) -> str | None:
    """The file that a name leads to; None for a device or a pipe."""
    if name == "-" or (os.path.exists(name) and not os.path.isfile(name)):
        return None
    try:
        return os.path.realpath(name)
    except (OSError, ValueError):
        return None


def _given(args: Namespace, argument: Argument) -> list[str]:
    """The values of an argument."""
    given = getattr(args, argument.name.strip("-").replace("-", "_"), None)
    return given if isinstance(given, list) else [] if given is None else [given]


def refuse_lost(command: Command, args: Namespace) -> None:
    """ValueError where a file would be written twice or over one that is read, or cannot be written.

    A budget may be written anew.
    """
    files = [one for one in command.arguments if one.metavar == "FILE"]
    names = [(one.name if one.name[0] == "-" else "FILE", name) for one in files for name in _given(args, one)]
    written = {"--save-budget", "FILE"} if command.name == "capture" else {"--save-budget"}
    writes = [pair for pair in names if pair[0] in written] + [
        ("--output", name) for name in [args.output] if name is not None
    ]
    writes += [(f"--save {spec}", spec.partition("=")[2]) for spec in getattr(args, "save", None) or [] if "=" in spec]
    known = {_place(name): (option, "read") for option, name in names if option not in written}
    for option, name in writes:
        place = _place(name)
        other, does = known.get(place, ("", ""))
        if place is not None and does and (option, other) != ("--save-budget", "--budget"):
            raise ValueError(f"{option}: {path_shown(name)} is {does} by {other}, too; name another file")
        known[place] = option, "written"
        if name == "-":
            continue
        try:
            refuse_unwritable(name)
        except (OSError, ValueError) as error:
            raise ValueError(f"{option}: cannot write {path_shown(name)}: {why(error)}") from error


def uri(name: str) -> str:
    """Of a file below the working directory a relative one, as code hosts want it."""
    path = PurePath(os.path.normpath(name))
    if path.is_absolute():
        here = Path.cwd()
        if not path.is_relative_to(here):
            return path.as_uri()
        path = path.relative_to(here)
    return quote(os.fsencode(path.as_posix()))
