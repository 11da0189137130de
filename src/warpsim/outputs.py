"""Files that the package writes: whole, or as they were.

The contents are written to a file beside, which then takes the place of the old one, its permissions kept; a symbolic
link is followed. Devices, pipes, and files in folders that cannot be written to are written as they are.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO


def _in_place(path: str) -> bool:
    """A device or a pipe, or what the system calls by a name of its own, as /dev/stdout."""
    return path.startswith(("/dev/", "/proc/")) or (os.path.exists(path) and not os.path.isfile(path))


def put(path: str | os.PathLike[str], write: Callable[[BinaryIO], object]) -> None:
    """What `write` gives to a file becomes the contents of the file at `path`; an OSError leaves the old ones there."""
    name = os.fspath(path)
    target = os.path.realpath(name)
    is_old = os.path.isfile(target)
    if is_old and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), name)
    if _in_place(name) or (is_old and not os.access(os.path.dirname(target), os.W_OK)):
        with open(name, "wb") as file:
            write(file)
        return
    beside = f"{target}.{os.getpid()}.part"
    try:
        with open(beside, "wb") as file:
            if is_old:
                os.chmod(beside, stat.S_IMODE(os.stat(target).st_mode))
            write(file)
        os.replace(beside, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside)
        raise


def put_bytes(path: str | os.PathLike[str], contents: bytes) -> None:
    """The same for bytes that are there."""
    put(path, lambda file: file.write(contents))


def put_text(path: str | Path, text: str, errors: str = "strict") -> None:
    """The same for a text, as UTF-8 with newlines as they are."""
    put_bytes(path, text.encode("utf-8", errors))
