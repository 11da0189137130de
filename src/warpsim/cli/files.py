"""Files of PTX, and their names."""

from __future__ import annotations

import os
import sys
from pathlib import Path, PurePath
from urllib.parse import quote


def read_file(name: str) -> str:
    """A PTX text; what is not UTF-8 in it (comments, names of source files) is no PTX."""
    if name == "-":
        if sys.stdin is None:
            raise ValueError("-: standard input is closed")
        binary = getattr(sys.stdin, "buffer", None)
        return sys.stdin.read() if binary is None else str(binary.read(), "utf-8", "replace")
    try:
        with open(name, encoding="utf-8", errors="replace", newline="") as file:
            return file.read()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ValueError(f"FILE: cannot read {name!r}: {reason}") from error


def uri(name: str) -> str:
    """Of a file below the working directory a relative one, as code hosts want it."""
    path = PurePath(os.path.normpath(name))
    if path.is_absolute():
        here = Path.cwd()
        if not path.is_relative_to(here):
            return path.as_uri()
        path = path.relative_to(here)
    return quote(os.fsencode(path.as_posix()))
