"""A plugin of pytest: which of the places in one build (schemata.py) each test reaches, and how long it takes.

WS_REACHED names the file; a test that passes gets a line, `{"name": ..., "seconds": ..., "reaches": [...]}`.
"""

import ctypes
import json
import os
from pathlib import Path
from typing import Any

import pytest

from warpsim._core import core
from warpsim._engine import engine


def places() -> list[Any]:
    """The bytes in which both extensions keep what was asked."""
    found = []
    for door in (core, engine):
        library = ctypes.CDLL(door.__file__)
        count = ctypes.c_int.in_dll(library, "ws_sites").value
        found.append((ctypes.c_ubyte * count).in_dll(library, "ws_reached"))
    return found


SEEN = places()


def pytest_runtest_setup() -> None:
    for bytes_of in SEEN:
        ctypes.memset(bytes_of, 0, len(bytes_of))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when != "call" or not report.passed:
        return
    reaches = sorted({number for bytes_of in SEEN for number, byte in enumerate(bytes_of) if byte})
    row = {"name": report.nodeid, "seconds": round(report.duration, 3), "reaches": reaches}
    with Path(os.environ["WS_REACHED"]).open("a") as file:
        file.write(json.dumps(row) + "\n")
