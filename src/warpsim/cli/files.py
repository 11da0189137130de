"""Files of PTX, and their names."""

from __future__ import annotations

import os
import sys
from pathlib import Path, PurePath
from urllib.parse import quote

from ..files import path_shown

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
        reason = getattr(error, "strerror", None) or error
        raise ValueError(f"{argument}: cannot read {path_shown(name)}: {reason}") from error
    return _whole(found, name, argument)


def _whole(found: str | bytes, name: str, argument: str = "FILE") -> str:
    """The text of a file, which may be a device without an end."""
    if len(found) > MOST_BYTES:
        raise ValueError(f"{argument}: {path_shown(name)} has more than {MOST_BYTES >> 20} MiB")
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
