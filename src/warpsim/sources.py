"""The source files that .loc names, as far as a report may show them.

A PTX text can name any file of the machine. What is read lies below a folder that the caller vouches for: that of the
PTX file, and those that were named; of Triton's and Numba's kernels it is a file that Python has loaded itself.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePath
from typing import Any

import numpy as np

from .arguments import describe
from .errors import bad_type
from .files import MOST_NAME

#: what looks like source code
SUFFIXES = (".c", ".cc", ".cpp", ".cu", ".cuh", ".cxx", ".h", ".hpp", ".hxx", ".inl", ".ptx", ".py")
MOST_BYTES, MOST_OF_ALL = 4 << 20, 64 << 20  # of a file; of all files of a module


def folders(sources: Any) -> tuple[Path, ...]:
    """The folders that the caller names, one or several."""
    several = [sources] if isinstance(sources, str | os.PathLike) else sources
    if not isinstance(several, Sequence) or not all(isinstance(one, str | os.PathLike) for one in several):
        raise bad_type("sources", f"expected a folder or a sequence of them, got {describe(sources)}")
    return tuple(Path(os.fsdecode(one)) for one in several)


def _real(path: Path) -> Path | None:
    """The path with links followed; None if no file system can hold it."""
    try:
        return Path(os.path.realpath(path)) if len(os.fspath(path)) < MOST_NAME else None
    except (OSError, ValueError):
        return None


def _read(path: Path, most: int) -> str | None:
    try:
        about = os.stat(path)
        if not stat.S_ISREG(about.st_mode) or about.st_size > most:
            return None
        return path.read_bytes().decode("utf-8", "replace")
    except (OSError, ValueError):
        return None


class Sources:
    """Where the files of one module may lie; `python`: also what Python has loaded."""

    def __init__(self, roots: Iterable[Path] = (), *, python: bool = False) -> None:
        self._roots = tuple(roots)
        self._python = python
        self._known: dict[str, str | None] = {}
        self._texts: dict[Path, str | None] = {}  # of each file once, however many names it has
        self._left = MOST_OF_ALL

    def know(self, name: str, text: str) -> None:
        """The text of a file, which need not exist."""
        self._known[name] = text

    def _places(self, name: str) -> Iterator[Path]:
        """Files of that name below the roots: as written, from each root, and there without folders."""
        pure = PurePath(name)
        inside = {_real(root) for root in self._roots} - {None}
        written = [Path(name)] if pure.is_absolute() else []
        near = [root / place for root in self._roots for place in (pure, PurePath(pure.name))]
        for place in (*written, *near):
            real = _real(place)
            if real is not None and any(root is not None and real.is_relative_to(root) for root in inside):
                yield real

    def _loaded(self, name: str) -> Iterator[Path]:
        """The file of that name that Python runs."""
        modules = [*sys.modules.values()] if self._python else []
        real = _real(Path(name))
        for file in {getattr(module, "__file__", None) for module in modules}:
            if isinstance(file, str) and real is not None and _real(Path(file)) == real:
                yield real

    def _contents(self, path: Path) -> str | None:
        if path not in self._texts:
            self._texts[path] = found = _read(path, min(MOST_BYTES, self._left))
            self._left -= len(found or "")
        return self._texts[path]

    def text(self, name: str) -> str | None:
        """The text of a source file; None where it may not be read, or cannot."""
        if name not in self._known and PurePath(name).suffix.lower() not in SUFFIXES:
            return None
        if name not in self._known:
            places = (*self._places(name), *self._loaded(name))
            found = (text for place in places if (text := self._contents(place)) is not None)
            self._known[name] = next(found, None)
        return self._known[name]

    def texts(self, files: Sequence[str], lines: np.ndarray, findings: Iterable[Any]) -> tuple[str | None, ...]:
        """For each source file of the module its text, if a line that ran or a side of a finding names it."""
        used = {files[number] for number in np.unique(lines["source"]).tolist() if number >= 0}
        used |= {side.source for one in findings for side in (one, one.other) if side is not None}
        return tuple(self.text(name) if name in used else None for name in files)
