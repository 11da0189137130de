"""What a sweep has finished, in a file: JSON texts in SQLite, one transaction a chunk.

A killed process loses what it had not committed and nothing else. A file holds the results of one
function, told by its qualified name, and of one version of this package, since results of two
versions need not agree; any other file is refused and left as it is.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Container, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from .. import _core, arguments
from ..characters import printable
from ..errors import bad_type, bad_value, why
from ..files import path_shown
from .rows import MOST_TEXT_BYTES, Row, fitting, read, written

SCHEMA = "warpsim.sweep/2"
MAGIC = b"SQLite format 3\0"
SMALLEST_PAGE_BYTES = 512
MOST_TOLD = 200  # characters that messages have of what a file says
DIGEST_BYTES = 16
#: all that a file has; views and triggers of another would run when it is read
TABLES = {
    "sweep": "CREATE TABLE sweep (schema, version, function)",
    "points": "CREATE TABLE points (point TEXT PRIMARY KEY, result TEXT, digest BLOB)",
}
#: seconds to wait for another process that writes to the same file
PATIENCE_SECONDS = 60.0


#: a forked worker must never close its copy of a connection: that would take our journal away
_OPEN: set[sqlite3.Connection] = set()


def _told(value: object) -> str:
    """What a file says, for a message."""
    return printable(str(value)[:MOST_TOLD], "")


class Checkpoint:
    """The results that a file holds, for one function. Used as a context manager."""

    def __init__(self, path: Any, function: str) -> None:
        if not isinstance(path, str | os.PathLike):
            raise bad_type("checkpoint", f"expected a path, got {type(path).__name__}")
        if "\0" in os.fsdecode(path):
            raise bad_value("checkpoint", "expected a path, got one with a zero byte")
        self._path = Path(path).absolute()
        self._shown = path_shown(self._path)
        self._function = function
        self._is_fast = False
        with self._explained():
            self._refuse_other_files()
            self._db = sqlite3.connect(f"{self._path.as_uri()}?mode=rwc", uri=True, timeout=PATIENCE_SECONDS)
        _OPEN.add(self._db)
        try:
            with self._explained():
                self._db.execute("PRAGMA trusted_schema=OFF")
                self._db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_TEXT_BYTES)
                self._identify()
        except BaseException:
            self.close()
            raise

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except UnicodeDecodeError as error:
            raise self._refused(f"one that is not or is damaged: {error}") from error
        except sqlite3.Error as error:
            primary = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
            if primary in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR):
                raise self._refused(f"one that is not or is damaged: {_told(error)}") from error
            raise self._unusable(_told(error)) from error
        except OSError as error:
            raise self._unusable(why(error)) from error

    def _unusable(self, reason: str) -> OSError:
        return OSError(f"checkpoint: expected a file to read and write, got {self._shown}: {reason}")

    def _refused(self, given: str) -> ValueError:
        return ValueError(f"checkpoint: expected a new file or a sweep's own, got {given} ({self._shown})")

    def _refuse_other_files(self) -> None:
        """SQLite itself takes a file of a few bytes for an empty one, and writes over it."""
        if self._path.exists() and not self._path.is_file():
            raise OSError("not a file")
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
                    for statement in TABLES.values():
                        self._db.execute(statement)
                    self._db.execute("INSERT INTO sweep VALUES (?, ?, ?)", mine)
        tables = self._tables()
        if not TABLES.keys() <= tables.keys():
            raise self._refused("a database of something else")
        if tables["sweep"] == TABLES["sweep"]:  # other formats have it too: they are told by their names
            for row in self._db.execute("SELECT schema, version, function FROM sweep LIMIT 2").fetchall():
                for what, given, expected in zip(("schema", "warpsim version", "function"), row, mine, strict=True):
                    if given != expected:
                        raise self._refused(f"one of {what} {_told(given)}, not {expected}")
        if tables != TABLES:
            raise self._refused("one that is not or is damaged: its tables are others")
        if self._db.execute("SELECT count(*) FROM sweep").fetchone() != (1,):
            raise self._refused("one that is damaged: it does not tell its function once")

    def _hasten(self) -> None:
        """A write-ahead log needs no wait for the disk at each commit; without one, all is well.

        Not before there is something to write: it changes the file, which may turn out damaged.
        """
        if self._is_fast:
            return
        self._is_fast = True
        with suppress(sqlite3.OperationalError):  # another process is at work on the file
            self._db.execute("PRAGMA journal_mode=WAL")
        (mode,) = self._db.execute("PRAGMA journal_mode").fetchone()
        self._db.execute(f"PRAGMA synchronous={'NORMAL' if mode == 'wal' else 'FULL'}")

    def _tables(self) -> dict[str, str]:
        """What there is, with the statement that made it; an index of a key has none."""
        found = self._db.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
        return dict(found.fetchall())

    def _digest(self, key: str, text: str) -> bytes:
        """Of a row and of what it belongs to: a damaged row is not taken for another's."""
        parts = "\0".join((SCHEMA, _core.VERSION, self._function, key, text))
        return hashlib.blake2b(parts.encode("utf-8", "surrogatepass"), digest_size=DIGEST_BYTES).digest()

    def _checked(self, key: Any, text: Any, digest: Any) -> Row:
        if not isinstance(key, str) or not isinstance(text, str) or digest != self._digest(key, text):
            raise ValueError(f"the digest of a row does not match, at {arguments.shown(key)}")
        return read(text)

    @contextmanager
    def _rows_refused(self) -> Iterator[None]:
        try:
            yield
        except (ValueError, RecursionError) as error:
            raise self._refused(f"one with a damaged result: {error}") from error

    def load(self, wanted: Container[str]) -> dict[str, Row]:
        """The finished ones among the wanted keys. Every row is checked, wanted or not."""
        select = "SELECT point, result, digest FROM points"
        with self._explained(), closing(self._db.execute(select)) as found, self._rows_refused():
            rows = ((row[0], self._checked(*row)) for row in found)
            return {key: row for key, row in rows if key in wanted}

    def put(self, keys: Sequence[str], rows: Sequence[Row]) -> list[Row]:
        """Adds finished points, all or none; gives what the file has then: the first that came."""
        texts = [fitting(key, written(row)) for key, row in zip(keys, rows, strict=True)]
        with self._explained():
            self._hasten()
        with self._explained(), self._db:
            added = self._db.executemany(
                "INSERT OR IGNORE INTO points VALUES (?, ?, ?)", [(*row, self._digest(*row)) for row in texts]
            ).rowcount
            if added == len(texts):
                return list(rows)
            with self._rows_refused():
                return [self._checked(*self._kept(key)) for key in keys]

    def _kept(self, key: str) -> tuple[Any, ...]:
        found = self._db.execute("SELECT point, result, digest FROM points WHERE point = ?", (key,)).fetchone()
        return found or (key, None, None)

    def close(self) -> None:
        """Leaves the file."""
        _OPEN.discard(self._db)
        self._db.close()

    def __enter__(self) -> Checkpoint:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
