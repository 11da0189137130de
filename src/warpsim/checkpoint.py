"""What a sweep has finished, in a file: JSON texts in SQLite, one transaction a chunk.

A killed process loses what it had not committed and nothing else. A file holds the results of one
function, told by its qualified name, and of one version of this package, since results of two
versions need not agree; any other file is refused and left as it is.
"""

from __future__ import annotations

import json
import math
import os
import sqlite3
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any

import numpy as np

from . import _core, arguments
from .instruction import Instruction
from .layout import Layout, Swizzle

SCHEMA = "warpsim.sweep/1"
SCALARS = (bool, int, float, str, type(None))
MAGIC = b"SQLite format 3\0"
SMALLEST_PAGE_BYTES = 512
#: seconds to wait for another process that writes to the same file
PATIENCE_SECONDS = 60.0

Scalar = bool | int | float | str | None
Row = dict[str, Scalar]

#: a forked worker must never close its copy of a connection: that would take our journal away
_OPEN: set[sqlite3.Connection] = set()


def plain(value: Any) -> Any:
    """NumPy's scalars and 0-d arrays as Python's; everything else as it is."""
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        held = value.item() if value.dtype.kind in "biufU" else value
        return held if type(held) in SCALARS else value
    return value


def _encoded(value: Any, name: str) -> Any:
    value = plain(value)
    if type(value) is float and not math.isfinite(value):
        return {"float": repr(value)}
    if type(value) in SCALARS:
        return value
    if type(value) is list:
        return [_encoded(item, name) for item in value]
    if type(value) is tuple:
        return {"tuple": [_encoded(item, name) for item in value]}
    if isinstance(value, Instruction | Layout | Swizzle):
        return {"repr": repr(value)}
    raise ValueError(
        f"{name}: with a checkpoint, expected bool, int, float, str, None, a list or tuple of"
        f" these, a Layout, Swizzle or instruction; got {arguments.shown(value)}"
    )


def _text(value: Any, *, sort_keys: bool = False) -> str:
    return json.dumps(value, sort_keys=sort_keys, separators=(",", ":"), allow_nan=False)


def key_of(point: Mapping[str, Any]) -> str:
    """Canonical JSON of a point: equal for equal points, whatever the order of the names.

    >>> key_of({"stages": 3, "pad": 8})
    '{"pad":8,"stages":3}'
    """
    return _text(
        {name: _encoded(value, f"grid: {name}") for name, value in point.items()}, sort_keys=True
    )


def _row_text(row: Row) -> str:
    return _text({name: _encoded(value, name) for name, value in row.items()})


def _row(text: str) -> Row:
    return {
        name: float(value["float"]) if isinstance(value, dict) else value
        for name, value in json.loads(text).items()
    }


def name_of(function: Callable[..., Any]) -> str:
    """Module and qualified name; of a functools.partial, with what it binds."""
    if isinstance(function, partial):
        bound = [
            [_encoded(value, "function: a bound argument") for value in function.args],
            {k: _encoded(v, f"function: bound {k}") for k, v in function.keywords.items()},
        ]
        return f"{name_of(function.func)} with {_text(bound, sort_keys=True)}"
    module = getattr(function, "__module__", None)
    qualified = getattr(function, "__qualname__", None)
    owner = getattr(function, "__self__", None)
    nameless = not qualified or qualified.endswith("<lambda>")
    if nameless or not (owner is None or isinstance(owner, ModuleType | type)):
        raise ValueError(
            "function: with a checkpoint, expected a function with a name of its own (or a"
            " functools.partial of one), since the file tells functions by it;"
            f" got {arguments.shown(function)}"
        )
    return f"{module}.{qualified}"


class Checkpoint:
    """The results that a file holds, for one function. Used as a context manager."""

    def __init__(self, path: Any, function: str) -> None:
        if not isinstance(path, str | os.PathLike):
            raise TypeError(f"checkpoint: expected a path, got {type(path).__name__}")
        self._path = Path(path).absolute()
        self._function = function
        self._refuse_other_files()
        with self._explained():
            self._db = sqlite3.connect(
                f"{self._path.as_uri()}?mode=rwc", uri=True, timeout=PATIENCE_SECONDS
            )
        _OPEN.add(self._db)
        try:
            with self._explained():
                self._identify()
                self._hasten()
        except BaseException:
            self.close()
            raise

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            primary = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
            if primary in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR):
                raise self._refused(f"one that is not or is damaged: {error}") from error
            raise OSError(
                f"checkpoint: expected a file to read and write, got {self._path}: {error}"
            ) from error

    def _refused(self, given: str) -> ValueError:
        return ValueError(
            f"checkpoint: expected a new file or a sweep's own, got {given} ({self._path})"
        )

    def _refuse_other_files(self) -> None:
        """SQLite itself takes a file of a few bytes for an empty one, and writes over it."""
        if not self._path.is_file() or not self._path.stat().st_size:
            return
        with self._path.open("rb") as file:
            begin = file.read(SMALLEST_PAGE_BYTES)
        if len(begin) < SMALLEST_PAGE_BYTES or not begin.startswith(MAGIC):
            raise self._refused("one that is not: file is not a database")

    def _identify(self) -> None:
        """Takes a new file into use, or makes sure whose the file is."""
        mine = (SCHEMA, _core.VERSION, self._function)
        if not self._tables():
            with self._db:
                self._db.execute("BEGIN IMMEDIATE")
                if not self._tables():
                    self._db.execute("CREATE TABLE sweep (schema, version, function)")
                    self._db.execute("CREATE TABLE points (point TEXT PRIMARY KEY, result TEXT)")
                    self._db.execute("INSERT INTO sweep VALUES (?, ?, ?)", mine)
        if not {"sweep", "points"} <= self._tables():
            raise self._refused("a database of something else")
        for row in self._db.execute("SELECT schema, version, function FROM sweep"):
            for what, given, expected in zip(
                ("schema", "warpsim version", "function"), row, mine, strict=True
            ):
                if given != expected:
                    raise self._refused(f"one of {what} {given}, not {expected}")

    def _hasten(self) -> None:
        """A write-ahead log needs no wait for the disk at each commit; without one, all is well."""
        with suppress(sqlite3.OperationalError):  # another process is at work on the file
            self._db.execute("PRAGMA journal_mode=WAL")
        (mode,) = self._db.execute("PRAGMA journal_mode").fetchone()
        self._db.execute(f"PRAGMA synchronous={'NORMAL' if mode == 'wal' else 'FULL'}")

    def _tables(self) -> set[str]:
        return {name for (name,) in self._db.execute("SELECT name FROM sqlite_master")}

    def load(self, wanted: Container[str]) -> dict[str, Row]:
        """The finished ones among the wanted keys."""
        with self._explained():
            found = self._db.execute("SELECT point, result FROM points")
            try:
                return {key: _row(text) for key, text in found if key in wanted}
            except (TypeError, KeyError, AttributeError, json.JSONDecodeError) as error:
                raise self._refused(f"one with a damaged result: {error}") from error

    def put(self, rows: Iterable[tuple[str, Row]]) -> None:
        """Adds finished points, all or none; those that the file has stay as they are."""
        texts = [(key, _row_text(row)) for key, row in rows]
        with self._explained(), self._db:
            self._db.executemany("INSERT OR IGNORE INTO points VALUES (?, ?)", texts)

    def close(self) -> None:
        """Leaves the file."""
        _OPEN.discard(self._db)
        self._db.close()

    def __enter__(self) -> Checkpoint:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
