"""The header inside C and C++ programs: the same registers and counts as Python gets."""

from __future__ import annotations

import os
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest

from tests.support import evidence
from tests.support.paths import C_TESTS
from tools import consumers

pytestmark = pytest.mark.slow

SOURCES = C_TESTS / "embed"
STRICT = ("-Wall", "-Wextra", "-Wpedantic", "-Werror")

CPP = ("-x", "c++")
COMPILERS = {
    "c11": ("gcc", "-std=c11"),
    "c11 without vectors": ("gcc", "-std=c11", "-DWS_NO_SIMD"),
    "cpp11": ("g++", *CPP, "-std=c++11"),
    "cpp20": ("g++", *CPP, "-std=c++20"),
}


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    assert done.stderr == ""
    return done.stdout


#: The header is inlined whole, so what the compiler can prove depends on how hard it looks.
LEVELS = ["-O0", "-O2"]


def program_of(name: str) -> str:
    """The compiler's path. A machine without C++ can test the rest; the full run must have it."""
    program = shutil.which(name)
    if program is None and name == "g++" and "CI" not in os.environ:
        pytest.skip("no C++ compiler on this machine")
    assert program is not None, f"{name} is needed to test the header"
    return program


def build(compiler: tuple[str, ...], level: str, folder: Path) -> list[Path]:
    """The objects of the two translation units."""
    program = program_of(compiler[0])
    include = Path(str(files("warpsim") / "include"))
    objects = []
    for unit in ("embed_a", "embed_b"):
        objects.append(folder / f"{unit}.o")
        flags = (*compiler[1:], level, *STRICT, f"-I{include}")
        run(program, *flags, "-c", SOURCES / f"{unit}.c", "-o", objects[-1], cwd=folder)
    return objects


@pytest.mark.parametrize(
    ("standard", "level"), [(name, LEVELS[i % 2]) for i, name in enumerate(COMPILERS)]
)
def test_snippet_two_translation_units_equal_python(
    standard: str, level: str, tmp_path: Path
) -> None:
    program = program_of(COMPILERS[standard][0])
    objects = build(COMPILERS[standard], level, tmp_path)
    run(program, *objects, "-o", tmp_path / "embed", cwd=tmp_path)
    printed = run(tmp_path / "embed", cwd=tmp_path)
    assert printed == consumers.expected("embed")
    evidence.compared(f"embedded {standard}: words printed", len(printed.split()), at_least=780)
