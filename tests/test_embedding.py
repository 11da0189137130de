"""The header inside C and C++ programs: the same registers and counts as Python gets."""

from __future__ import annotations

import os
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import evidence
import numpy as np
import pytest
from numpy.typing import NDArray

import warpsim as ws

SOURCES = Path(__file__).parent / "c"
STRICT = ("-Wall", "-Wextra", "-Wpedantic", "-Werror")
WARPS, NBYTES = 3, 2048

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


def images() -> tuple[NDArray[np.uint8], NDArray[np.uint32]]:
    """The bytes and addresses that embed_a.c makes for itself."""
    i = np.arange(NBYTES)
    warp, lane = np.arange(WARPS)[:, None], np.arange(32)
    image = (i * 37 + i // 256 * 11 + 5).astype(np.uint8)
    return image, ((lane * (4 + warp) + 7 * warp) % 128 * 16).astype(np.uint32)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("standard", COMPILERS)
def test_snippet_two_translation_units_equal_python(
    standard: str, level: str, tmp_path: Path
) -> None:
    program = program_of(COMPILERS[standard][0])
    objects = build(COMPILERS[standard], level, tmp_path)
    run(program, *objects, "-o", tmp_path / "embed", cwd=tmp_path)
    lines = [line.split() for line in run(tmp_path / "embed", cwd=tmp_path).splitlines()]
    assert [line[:2] for line in lines] == [
        ["a", "registers"],
        ["a", "counts"],
        ["b", "registers"],
        ["b", "counts"],
    ]

    image, address = images()
    op = ws.parse("ldmatrix.sync.aligned.m8n8.x4.shared.b16")
    result = op.execute(ws.SharedMemory(image), address)
    assert result.registers is not None
    assert result.traffic is not None
    total = result.traffic.sum()
    counts = [
        total.instructions,
        total.requests,
        total.wavefronts,
        total.ideal_wavefronts,
        total.bank_conflicts,
        total.sectors,
    ]
    for unit in (0, 2):
        words = np.array([int(word, 16) for word in lines[unit][2:]], np.uint32)
        np.testing.assert_array_equal(words.reshape(WARPS, 32, 4), result.registers)
        assert [int(word) for word in lines[unit + 1][2:]] == [int(count) for count in counts]
        evidence.compared(f"embedded {standard}: registers", words.size, at_least=WARPS * 32 * 4)
    assert int(total.bank_conflicts) > 0
