"""Files that the package reads: within bounds; and those that it writes: whole, or as they were.

New contents are written to a file beside, which then takes the place of the old one, its permissions kept; a symbolic
link is followed. Devices, pipes, and files in folders that cannot be written to are written as they are.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import tomllib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import Any, BinaryIO

MIB = 1 << 20
MOST_PROGRAM = 256 * MIB  # of PTX or CUDA C++
PATH_END = 200  # characters that a message has of each end of a long path
MOST_NAME = 4096  # characters
SUFFIXES = (".ptx", ".cu", ".cuh")
MOST_PARTS = 256  # of a key in TOML, for which tomllib takes time by the square of their number

_PART = r"""(?:[A-Za-z0-9_-]++|"(?:\\.|[^"\\\n])*+"?|'[^'\n]*+'?)"""
_KEY = rf"{_PART}(?:[ \t]*+\.[ \t]*+{_PART})*+"
#: TOML: each piece once, from left to right; what does not end reaches to the end of the text
_PIECES = re.compile(
    r'"""(?:\\.|[^\\])*?(?:"""|\\?\Z)' r"|'''.*?(?:'''|\Z)" rf"|#[^\n]*+|(?P<key>{_KEY})|[^A-Za-z0-9_\"'#-]++",
    re.DOTALL,
)
_PARTS = re.compile(_PART)


def path_shown(path: str | os.PathLike[str]) -> str:
    """A path in quotation marks for a message, as it is: of a long one its beginning and its end, where the name is."""
    text = os.fspath(path)
    text = text if len(text) <= 2 * PATH_END else f"{text[:PATH_END]}...{text[-PATH_END:]}"
    quote = '"' if "'" in text else "'"
    return f"{quote}{text}{quote}" if text.isprintable() and quote not in text else repr(text)


def is_name(text: str) -> bool:
    """Is a text the name of a program's file, and no program?"""
    return len(text) < MOST_NAME and not set("\n;{") & set(text) and text.lower().endswith(SUFFIXES)


def refuse_others(path: str | os.PathLike[str]) -> None:
    """ValueError for what is neither a file nor a folder: pipes may wait for ever, and devices have no end."""
    if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
        raise ValueError("expected a regular file")


def contents(path: str | os.PathLike[str], most: int) -> bytes:
    """The bytes of a file, a pipe or a device; ValueError for more than so many, a multiple of a MiB."""
    with open(path, "rb") as file:
        found = file.read(most + 1)
    if len(found) > most:
        raise ValueError(f"expected at most {most // MIB} MiB")
    return found


def text(path: str | os.PathLike[str], most: int) -> str:
    """The text of a regular file."""
    refuse_others(path)
    return str(contents(path, most), "utf-8").replace("\r\n", "\n")


def toml(text: str) -> dict[str, Any]:
    """What TOML says; ValueError names the line of what is wrong, RecursionError: values lie too deep in each other."""
    for piece in _PIECES.finditer(text):
        key = piece["key"] or ""
        if len(key) > MOST_PARTS and len(parts := _PARTS.findall(key)) > MOST_PARTS:
            line = text.count("\n", 0, piece.start()) + 1
            raise ValueError(
                f"line {line}: expected a key of at most {MOST_PARTS} parts, got {len(parts):,}: write fewer dots"
            )
    return tomllib.loads(text)


def _in_place(path: str) -> bool:
    """A device or a pipe, or what the system calls by a name of its own, as /dev/stdout."""
    return path.startswith(("/dev/", "/proc/")) or (os.path.exists(path) and not os.path.isfile(path))


def _refused(number: int, name: str) -> OSError:
    return OSError(number, os.strerror(number), name)


def _target(name: str) -> str:
    """The file that a name leads to; OSError if it cannot be one that is written."""
    if not os.path.basename(name):  # realpath would make a file of "a/", and a folder of ""
        raise _refused(errno.EISDIR if name else errno.ENOENT, name)
    with suppress(FileNotFoundError):
        os.stat(name)  # realpath goes around a loop of links, which a file would replace
    target = os.path.realpath(name)
    if os.path.isfile(target) and not os.access(target, os.W_OK):
        raise _refused(errno.EACCES, name)
    return target


def refuse_unwritable(path: str | os.PathLike[str]) -> None:
    """OSError where put() would have one, as far as can be seen before there is anything to write."""
    name = os.fspath(path)
    target = _target(name)
    if os.path.isdir(target):
        raise _refused(errno.EISDIR, name)
    folder = os.path.dirname(target)
    os.stat(folder)
    if not os.path.isdir(folder):
        raise _refused(errno.ENOTDIR, name)
    if not os.path.exists(target) and not os.access(folder, os.W_OK):
        raise _refused(errno.EACCES, name)


def put(path: str | os.PathLike[str], write: Callable[[BinaryIO], object]) -> None:
    """Replaces the contents of the file at `path` with what `write` writes; after an OSError the old ones are there."""
    name = os.fspath(path)
    target = _target(name)
    is_old = os.path.isfile(target)
    if _in_place(name) or (is_old and not os.access(os.path.dirname(target), os.W_OK)):
        with open(name, "wb") as file:
            write(file)
        return
    beside = os.path.join(os.path.dirname(target), f".warpsim-{os.getpid()}-{token_hex(8)}.part")
    try:
        with open(beside, "xb") as file:  # which follows no link
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
