"""Files of PTX, and their names."""

from __future__ import annotations

import os
import sys
from pathlib import Path, PurePath
from typing import IO, Any
from urllib.parse import quote

MOST_BYTES = 2**28


def read_file(name: str) -> str:
    """A PTX text; what is not UTF-8 in it (comments, names of source files) is no PTX."""
    if name == "-":
        if sys.stdin is None:
            raise ValueError("-: standard input is closed")
        return _bounded(getattr(sys.stdin, "buffer", sys.stdin), name)
    try:
        with open(name, "rb") as file:
            return _bounded(file, name)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ValueError(f"FILE: cannot read {name!r}: {reason}") from error


def _bounded(file: IO[Any], name: str) -> str:
    """All of a file, which may be a device without an end."""
    found = file.read(MOST_BYTES + 1)
    if len(found) > MOST_BYTES:
        raise ValueError(f"FILE: {name!r} has more than {MOST_BYTES >> 20} MiB")
    return found if isinstance(found, str) else str(found, "utf-8", "replace")


def uri(name: str) -> str:
    """Of a file below the working directory a relative one, as code hosts want it."""
    path = PurePath(os.path.normpath(name))
    if path.is_absolute():
        here = Path.cwd()
        if not path.is_relative_to(here):
            return path.as_uri()
        path = path.relative_to(here)
    return quote(os.fsencode(path.as_posix()))
