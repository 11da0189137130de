"""The file of a capture: a ZIP file that may come from anybody, read within bounds.

A member is read if the bytes that it declares can be in it: deflate makes at most 1,032 of one. What a launch says is
checked field by field, so that whoever reads it later finds numbers where numbers are.
"""

from __future__ import annotations

import json
import math
import re
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from .. import _core, targets
from ..characters import printable
from ..errors import OutOfMemoryError, bad_value, why
from ..files import path_shown
from ..memory import memory_limit
from .record import VERSION

INDEX = "capture.json"
MOST_INDEX, LITTLE = 64 << 20, 4 << 20  # bytes; so many without being weighed against the file
MOST_VALUES = 2_000_000  # of the index: lists, tables and what is in them take up to a hundred times their text
MOST_RATIO = 1032  # of deflate
MOST_LAUNCHES, MOST_BUFFERS = 100_000, 100_000
MOST_NAME = 256  # characters
#: what a launch may unpack to without being weighed against the file, and then at most how often the file's bytes
LARGE, MOST_TIMES = 64 << 20, 100
FAULTS = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)  # of a ZIP file
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # which zipfile unpacks no further than it is asked
DIGEST = re.compile("[0-9a-f]{64}")


def _whole(low: int, high: int) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _extent(most: Sequence[int], product: int) -> Callable[[Any], bool]:
    """Three numbers from 1 up to these, with a product of at most so much."""

    def fits(value: Any) -> bool:
        if not isinstance(value, list) or len(value) != len(most):
            return False
        return all(_whole(1, n)(one) for one, n in zip(value, most, strict=True)) and math.prod(value) <= product

    return fits


def _is_digest(value: Any) -> bool:
    return isinstance(value, str) and DIGEST.fullmatch(value) is not None


def _is_hex(value: Any) -> bool:
    return isinstance(value, str) and len(value) % 2 == 0 and re.fullmatch("[0-9a-fA-F]*", value) is not None


def _are_params(value: Any) -> bool:
    number = _whole(0, 1 << 16)
    return isinstance(value, list) and all(isinstance(p, list) and len(p) == 2 and all(map(number, p)) for p in value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


#: what a launch says: whether a value fits, and in words what is expected
LAUNCH: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "kernel": (_is_text, "a name"),
    "grid": (_extent(_core.GRID_MOST, 2**63), "numbers of thread blocks along three axes"),
    "block": (_extent(_core.BLOCK_MOST, _core.BLOCK_THREADS), "numbers of threads along three axes"),
    "cluster": (_extent((16, 16, 16), 16), "numbers of thread blocks along three axes"),
    "shared_bytes": (_whole(0, targets.MOST.block_shared_bytes), "a number of bytes that a thread block can have"),
    "parameters": (_is_hex, "bytes in hexadecimal digits"),
    "params": (_are_params, "pairs of an offset and a size"),
    "is_cut": (lambda value: isinstance(value, bool | int), "true or false"),
    "ptx": (lambda value: value is None or _is_digest(value), "the name of a member, or null"),
    "note": (_is_text, "a text"),
    "buffers": (lambda value: isinstance(value, list) and len(value) <= MOST_BUFFERS, "a list of buffers"),
}  # fmt: skip
BUFFER: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "base": (_whole(0, 2**64 - 1), "an address"),
    "before": (_is_digest, "the name of a member"),
}


class DamagedError(ValueError):
    """What is wrong with the file, without its name."""


def _checked(what: Any, where: str, fields: Mapping[str, tuple[Callable[[Any], bool], str]]) -> None:
    if not isinstance(what, dict):
        raise DamagedError(f"{where}: expected a table")
    for key, (fits, expected) in fields.items():
        if key not in what:
            raise DamagedError(f"{where}: {key} is missing")
        if not fits(what[key]):
            raise DamagedError(f"{where}: {key}: expected {expected}")


def _checked_launch(launch: Any, where: str) -> None:
    _checked(launch, where, LAUNCH)
    for number, buffer in enumerate(launch["buffers"]):
        _checked(buffer, f"{where}: buffer {number}", BUFFER)
        if "after" in buffer and not _is_digest(buffer["after"]):
            raise DamagedError(f"{where}: buffer {number}: after: expected the name of a member")
    if any(n % each for n, each in zip(launch["grid"], launch["cluster"], strict=True)):
        raise DamagedError(f"{where}: grid: expected whole clusters")
    held = len(launch["parameters"]) // 2
    if any(at + size > held for at, size in launch["params"]):
        raise DamagedError(f"{where}: params: expected them within the {held:,} bytes of parameters")


class Archive:
    """The members of a capture, and what its index says; every fault is a ValueError that names the file."""

    def __init__(self, path: Path, max_bytes: int | None) -> None:
        self.path = path
        try:
            about = path.stat()
            if not stat.S_ISREG(about.st_mode):
                raise DamagedError("expected a file, not a device, a pipe or a folder")
            self._most = max_bytes if max_bytes is not None else max(LARGE, MOST_TIMES * about.st_size)
            self.said = self._index()
        except DamagedError as error:
            raise self._refusal(error) from None
        except OSError as error:
            raise bad_value("path", f"cannot read {path_shown(path)}: {why(error)}") from error

    def _refusal(self, error: object) -> ValueError:
        return bad_value("path", f"{path_shown(self.path)} is not a capture, or is damaged: {error}")

    def _index(self) -> dict[str, Any]:
        try:
            with self._opened() as file:
                text = self._member(file, INDEX, min(MOST_INDEX, max(LITTLE, MOST_TIMES * self.path.stat().st_size)))
            if sum(map(text.count, (b"[", b"{", b","))) > MOST_VALUES:
                raise DamagedError(f"{INDEX}: expected at most {MOST_VALUES:,} values")
            said = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise DamagedError(error if isinstance(error, DamagedError) else f"{INDEX}: not JSON: {error}") from None
        if not isinstance(said, dict) or "warpsim_capture" not in said:
            raise DamagedError(f"{INDEX}: warpsim_capture is missing")
        if said["warpsim_capture"] != VERSION:
            raise DamagedError(f"it has version {str(said['warpsim_capture'])[:40]}; expected {VERSION}")
        _checked(said, INDEX, {
            "device": (lambda value: isinstance(value, dict), "a table"),
            "launches": (lambda value: isinstance(value, list) and len(value) <= MOST_LAUNCHES, "a list of launches"),
        })  # fmt: skip
        for key in ("name", "target"):
            value = said["device"].get(key, "")
            if not isinstance(value, str) or len(value) > MOST_NAME:
                raise DamagedError(f"{INDEX}: device: {key}: expected a text of at most {MOST_NAME} characters")
        said["device"] = {key: printable(str(value), "") for key, value in said["device"].items()}
        for number, launch in enumerate(said["launches"]):
            _checked_launch(launch, f"launch {number}")
            launch |= {key: printable(launch[key], "") for key in ("kernel", "note")}
        return said

    @contextmanager
    def _opened(self) -> Iterator[zipfile.ZipFile]:
        """The ZIP file, whose directory is read once for whatever is asked of it."""
        try:
            file = zipfile.ZipFile(self.path)
        except FAULTS as error:
            raise DamagedError(str(error)) from None
        with file:
            yield file

    def _member(self, file: zipfile.ZipFile, name: str, most: int | None = None) -> bytes:
        """The bytes of a member; DamagedError for what is not there, or declares more than can be in it."""
        try:
            about = file.getinfo(name)
            if about.compress_type not in METHODS:
                raise DamagedError(f"{name}: expected a member that is stored or deflated")
            if most is not None and about.file_size > most:
                raise DamagedError(f"{name}: expected at most {most:,} bytes, it declares {about.file_size:,}")
            if about.file_size > MOST_RATIO * max(about.compress_size, 1):
                raise DamagedError(f"{name}: {about.compress_size:,} bytes cannot hold {about.file_size:,}")
            return file.read(about)
        except KeyError:
            raise DamagedError(f"{name} is missing") from None
        except FAULTS as error:
            raise error if isinstance(error, DamagedError) else DamagedError(f"{name}: {error}") from None

    @staticmethod
    def _declared(file: zipfile.ZipFile, names: Iterable[str]) -> int:
        """The bytes that these members say they have."""
        try:
            return sum(file.getinfo(name).file_size for name in names)
        except KeyError as error:
            raise DamagedError(error.args[0]) from None

    def refuse_large(self, nbytes: int) -> None:
        """An error for a launch whose memory has more bytes than the file is trusted with, or this machine has."""
        if nbytes > self._most:
            raise self._refusal(
                f"a launch unpacks to {nbytes:,} bytes, more than {self._most:,}; if you trust the file,"
                f" pass max_bytes={nbytes} to ws.Capture"
            )
        if (limit := memory_limit.most()) is not None and 2 * nbytes > limit:
            raise OutOfMemoryError(f"{path_shown(self.path)}: a launch needs {2 * nbytes:,} bytes, there are {limit:,}")

    def _members(self, wanted: set[str]) -> dict[str, bytes]:
        with self._opened() as file:
            self.refuse_large(self._declared(file, wanted))
            return {name: self._member(file, name) for name in wanted}

    def read(self, names: Iterable[str]) -> dict[str, np.ndarray]:
        """Members by their names."""
        try:
            found = self._members(set(names))
        except DamagedError as error:
            raise self._refusal(error) from None
        except OSError as error:
            raise bad_value("path", f"cannot read {path_shown(self.path)}: {why(error)}") from error
        return {name: np.frombuffer(held, np.uint8) for name, held in found.items()}

    def damaged(self, why: str) -> ValueError:
        """The error for what only a launch can see."""
        return self._refusal(why)
