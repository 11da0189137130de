"""The header inside C and C++ programs: the same registers and counts as Python gets."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest

from tests.support import evidence
from tests.support.paths import C_TESTS, HEADERS, INCLUDE
from tools import compile_cost, consumers

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


DOORS = sorted(path.name for path in HEADERS.glob("*.h"))


@pytest.mark.parametrize("macro", ["-UWARPSIM_COMPILED", "-DWARPSIM_COMPILED"])
def test_every_door_compiles_alone_as_cpp(macro: str, tmp_path: Path) -> None:
    assert len(DOORS) > 10
    flags = (*CPP, "-std=c++11", *STRICT, "-Wold-style-cast", macro, f"-I{INCLUDE}")
    for door in DOORS:
        unit = tmp_path / door.replace(".h", ".cpp")
        unit.write_text(f"#include <warpsim/{door}>\n")
        run(program_of("g++"), *flags, "-fsyntax-only", unit, cwd=tmp_path)


def symbols(path: Path, cwd: Path) -> list[tuple[str, str]]:
    """Kind and name of each symbol of an object."""
    lines = run(program_of("nm"), path, cwd=cwd).splitlines()
    return [(line.split()[-2], line.split()[-1]) for line in lines]


def public_calls() -> set[str]:
    """Names that the headers declare as WS_PUBLIC."""
    declared = re.compile(r"^WS_PUBLIC [\w ]+?\**(ws_\w+)\(", re.M)
    return {name for path in HEADERS.rglob("*.h") for name in declared.findall(path.read_text())}


@pytest.mark.parametrize("driver", ["gcc", "g++"])
def test_compiled_unit_defines_the_public_calls_and_nothing_else(
    driver: str, tmp_path: Path
) -> None:
    flags = CPP if driver == "g++" else ("-std=c11", "-Wmissing-prototypes")
    unit = HEADERS / "warpsim.c"
    run(
        program_of(driver), *flags, "-O0", *STRICT, f"-I{INCLUDE}", "-c", unit, "-o", "unit.o",
        cwd=tmp_path,
    )  # fmt: skip
    found = symbols(tmp_path / "unit.o", tmp_path)
    assert {name for kind, name in found if kind == "T"} == public_calls()
    assert not {name for kind, name in found if kind in "BCDW"}
    evidence.compared(f"public calls of the unit, {driver}", len(public_calls()), at_least=20)


@pytest.mark.parametrize("driver", ["g++", "clang++"])
def test_declarations_compile_to_calls_in_little_memory(driver: str, tmp_path: Path) -> None:
    _, gigabytes = compile_cost.compiled(driver, "declarations", tmp_path / "user.o")
    assert gigabytes < 0.2
    found = symbols(tmp_path / "user.o", tmp_path)
    assert {"ws_parse", "ws_execute", "ws_count"} <= {name for kind, name in found if kind == "U"}
    functions = {name for kind, name in found if kind in "tT"}
    internal = re.compile("ws_(v|r|lex|bulk|passes|rows|check|count|parse|operand)_")
    assert not {name for name in functions if internal.search(name)}


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not installed")
@pytest.mark.parametrize("macro", ["-UWARPSIM_COMPILED", "-DWARPSIM_COMPILED"])
def test_nvcc_compiles_the_header_without_a_warning(macro: str, tmp_path: Path) -> None:
    flags = ("-x", "cu", "-std=c++17", macro, f"-I{INCLUDE}", "-Xcompiler", "-Wall,-Wextra")
    run("nvcc", *flags, "-c", SOURCES / "embed_b.c", "-o", tmp_path / "user.o", cwd=tmp_path)
