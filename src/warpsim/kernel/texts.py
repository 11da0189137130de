"""The texts beside counters: lines of the PTX, and of the files that .loc names."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePath
from typing import Any

import numpy as np

from ..characters import printable

#: a PTX text may name any file of the machine: only what looks like source code is read
SUFFIXES = (".c", ".cc", ".cpp", ".cu", ".cuh", ".cxx", ".h", ".hpp", ".hxx", ".inl", ".ptx", ".py")
MOST_BYTES = 4 << 20


def _places(name: str, folder: Path | None) -> Iterator[Path]:
    """Where a file may be: as written, then near the PTX file."""
    yield Path(name)
    if folder is not None:
        yield from (folder / name, folder.parent / name, folder / PurePath(name).name)


def _read(path: Path) -> str | None:
    try:
        about = os.stat(path)
        if not stat.S_ISREG(about.st_mode) or about.st_size > MOST_BYTES:
            return None
        return path.read_bytes().decode("utf-8", "replace")
    except (OSError, ValueError):
        return None


def source_text(name: str, folder: Path | None) -> str | None:
    """The text of a source file; None if it cannot be read."""
    if PurePath(name).suffix.lower() not in SUFFIXES:
        return None
    return next((text for place in _places(name, folder) if (text := _read(place)) is not None), None)


def named(findings: Iterable[Any]) -> set[str]:
    """The source files that findings and their other sides name."""
    sides = [side for one in findings for side in (one, one.other) if side is not None]
    return {side.source for side in sides if side.source is not None}


def source_texts(module: Any, lines: np.ndarray, also: Iterable[str]) -> tuple[str | None, ...]:
    """For each source file of a module its text, if a line that ran or a finding names it."""
    files = module._core.files()
    used = {files[number] for number in np.unique(lines["source"]).tolist() if number >= 0} | set(also)
    known = module._source_texts
    for name in used.difference(known):
        known[name] = source_text(name, module._folder)
    return tuple(known[name] if name in used else None for name in files)


def split(text: str | None) -> list[str]:
    """The lines of a text, tabs as four spaces."""
    return [line.rstrip("\r").expandtabs(4) for line in text.split("\n")] if text else []


def line_of(lines: Sequence[str], number: int) -> str:
    """A line by its number, which counts from 1, with single spaces; empty where the text has none."""
    return printable(" ".join(lines[number - 1].split())) if 0 < number <= len(lines) else ""
