"""Out of memory, at every allocation of every entry point: MemoryError, and nothing lost."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest

from tests.support.evidence import compared
from tests.support.paths import TESTS

FAULTS = TESTS / "faults"
#: calls that allocate in the extension itself; the others make arrays and Python objects only
ALLOCATING = ("pool", "execute undefined", "findings", "mainloop", "search", "lint")

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="malloc is replaced by LD_PRELOAD, as glibc has it"
)


def points(*words: str, preload: Path | None = None) -> dict[str, Any]:
    """Call -> what faults/points.py found."""
    measured = "COVERAGE_PROCESS"  # what measures lines allocates, too
    environment = {k: v for k, v in os.environ.items() if not k.startswith(measured)}
    environment |= {"LD_PRELOAD": str(preload)} if preload is not None else {}
    done = subprocess.run(
        [sys.executable, str(FAULTS / "points.py"), *words],
        env=environment, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def library(folder: Path) -> Path:
    compiler = shutil.which("gcc") or shutil.which("cc")
    assert compiler is not None, "a C compiler is needed"
    made = folder / "failing_malloc.so"
    flags = ("-O1", "-shared", "-fPIC", "-std=gnu11", "-Wall", "-Wextra", "-Werror")
    subprocess.run(
        [compiler, *flags, "-o", str(made), str(FAULTS / "failing_malloc.c")], check=True
    )
    return made


def test_failing_malloc_gives_memory_errors_and_leaks_nothing(tmp_path: Path) -> None:
    made = library(tmp_path)
    found = points(str(made), preload=made)
    assert len(found) > 30
    assert {name: one["leaked"] for name, one in found.items() if one["leaked"]} == {}
    assert all(found[name]["points"] for name in ALLOCATING), found
    assert found["pool"]["refused"] == 0
    compared(
        "points where malloc failed", sum(one["points"] for one in found.values()), at_least=25
    )


@pytest.mark.skipif(
    bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
    reason="CPython 3.13t itself crashes: it frees a list without memory with what lay there",
)
def test_failing_python_objects_give_memory_errors_and_leak_nothing() -> None:
    found = points()
    if not found:
        pytest.skip("this interpreter has no _testcapi")
    assert {name: one["leaked"] for name, one in found.items() if one["leaked"]} == {}
    tried = sum(one["points"] for one in found.values())
    compared("points where a Python object failed", tried, at_least=100)
