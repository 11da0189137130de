"""Measured cases, and how many of them the tests compared."""

import csv
import gzip
import json
import lzma
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.support.paths import TRUTH

#: what was compared -> how many values; conftest prints it at the end of the run
COMPARED: Counter[str] = Counter()


def compared(what: str, count: int, *, at_least: int) -> None:
    """Notes a count for the summary; a check over nothing has failed."""
    assert count >= at_least, f"{what}: compared {count}, expected at least {at_least}"
    COMPARED[what] += int(count)  # of NumPy, too: workers send plain numbers


#: what was measured, with its unit: printed, never judged (the machines are shared)
FIGURES: dict[str, str] = {}


def figure(what: str, value: float, unit: str) -> None:
    """Notes a figure for the summary."""
    FIGURES[what] = f"{value:,.1f} {unit}"


def found(name: str) -> Path:
    """The file of this name in a folder of tests/truth."""
    (path,) = TRUTH.rglob(name)
    return path


@cache
def load(name: str) -> dict[str, Any]:
    """A JSON file of tests/truth."""
    contents: dict[str, Any] = json.loads(gzip.decompress(found(f"{name}.json.gz").read_bytes()))
    return contents


@cache
def cases(name: str, prefix: str = "") -> list[dict[str, Any]]:
    """The cases of a JSON file of tests/truth whose instruction begins with `prefix`."""
    return [case for case in load(name)["cases"] if case["ptx"].startswith(prefix)]


def rows(name: str) -> list[dict[str, str]]:
    """The rows of a CSV file of tests/truth."""
    with lzma.open(found(f"{name}.csv.xz"), "rt", newline="") as file:
        return list(csv.DictReader(file))


@cache
def _stream(seed: int, nbytes: int) -> bytes:
    with np.errstate(over="ignore"):
        step = np.uint64(0x9E3779B97F4A7C15)
        z = np.uint64(seed) + np.arange(1, nbytes // 8 + 1, dtype=np.uint64) * step
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return (z ^ (z >> np.uint64(31))).tobytes()


def image(seed: int, nbytes: int) -> NDArray[np.uint8]:
    """The random memory image of a seed (see truth/README.md)."""
    return np.frombuffer(_stream(seed, nbytes), np.uint8).copy()


def register_image(seed: int, count: int) -> NDArray[np.uint32]:
    """The first `count` registers of each lane of the register image of a seed."""
    return np.frombuffer(_stream(seed, 1024), np.uint32).reshape(32, 8)[:, :count].copy()


def words(text: str) -> NDArray[np.uint32]:
    """Registers written as hex of little-endian uint32."""
    return np.frombuffer(bytes.fromhex(text), np.uint32)
