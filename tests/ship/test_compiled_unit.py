"""Doors, the compiled unit, and what declarations alone compile to."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from benchmarks import compile_time
from tests.support.c_tests import EVERY, MOST_FRAME, few_intrinsics, frames_in
from tests.support.evidence import compared
from tests.support.paths import C_TESTS, HEADERS, INCLUDE
from tools.consumers import STRICT, need, run

pytestmark = pytest.mark.slow

DOORS = sorted(path.name for path in HEADERS.glob("*.h"))
CPP = ("-x", "c++", "-std=c++11")
#: of gcc and clang beyond STRICT. Not -Wswitch-enum: where a switch has a default, it means the rest
WARNINGS = (
    "-Wsign-conversion", "-Wfloat-equal", "-Wcast-qual", "-Wcast-align", "-Wdouble-promotion", "-Wformat=2", "-Wundef",
    "-Wredundant-decls", "-Wnull-dereference", "-Wvla",
)  # fmt: skip
CLANG = ("-Wcomma", "-Wshorten-64-to-32", "-Wextra-semi", "-Wunreachable-code", "-Wconditional-uninitialized")


@pytest.mark.parametrize("macro", ["-UWARPSIM_COMPILED", "-DWARPSIM_COMPILED"])
def test_every_door_compiles_alone_as_cpp(macro: str, tmp_path: Path) -> None:
    assert len(DOORS) > 10
    flags = (*CPP, *STRICT, "-Wold-style-cast", macro, f"-I{INCLUDE}", few_intrinsics(tmp_path, need("gcc")))
    for door in DOORS:
        unit = tmp_path / door.replace(".h", ".cpp")
        unit.write_text(f"#include <warpsim/{door}>\n")
        run(need("g++"), *flags, "-fsyntax-only", unit, cwd=tmp_path)


def symbols(path: Path) -> list[tuple[str, str]]:
    """Kind and name of each symbol of an object."""
    lines = run(need("nm"), path, cwd=path.parent).splitlines()
    return [(line.split()[-2], line.split()[-1]) for line in lines]


def public_calls() -> set[str]:
    """Names that the headers declare as WS_PUBLIC."""
    declared = re.compile(r"^WS_PUBLIC [\w ]+?\**(ws_\w+)\(", re.M)
    return {name for path in HEADERS.rglob("*.h") for name in declared.findall(path.read_text())}


@pytest.mark.parametrize("driver", ["gcc", "g++"])
def test_compiled_unit_defines_the_public_calls_and_nothing_else(driver: str, tmp_path: Path) -> None:
    flags = CPP if driver == "g++" else ("-std=c11", "-Wmissing-prototypes")
    made = tmp_path / "unit.o"
    unit = HEADERS / "warpsim.c"
    run(need(driver), *flags, *STRICT, f"-I{INCLUDE}", "-c", unit, "-o", made, cwd=tmp_path)
    found = symbols(made)
    assert {name for kind, name in found if kind == "T"} == public_calls()
    assert not {name for kind, name in found if kind in "BCDW"}
    compared(f"public calls of the unit, {driver}", len(public_calls()), at_least=20)


@pytest.mark.parametrize("driver", ["gcc", "g++", "clang", "clang++"])
def test_compiled_unit_compiles_without_warnings_and_into_small_frames(driver: str, tmp_path: Path) -> None:
    language = CPP if "++" in driver else ("-std=c11", "-Wbad-function-cast", "-Wstrict-prototypes")
    flags = (*language, *STRICT, *WARNINGS, *(CLANG if "clang" in driver else ()), *(EVERY if driver == "gcc" else ()))
    told = (*flags, "-O2", "-fstack-usage", f"-I{INCLUDE}", "-c", HEADERS / "warpsim.c", "-o", tmp_path / "unit.o")
    run(need(driver), *told, cwd=tmp_path)
    frames = frames_in(tmp_path / "unit.su")
    assert max(frames) < MOST_FRAME
    compared(f"frames of functions, {driver} -O2", len(frames), at_least=80)


@pytest.mark.parametrize("driver", ["g++", "clang++"])
def test_declarations_compile_to_calls_in_little_memory(driver: str, tmp_path: Path) -> None:
    need(driver)
    _, gigabytes = compile_time.compiled(driver, "declarations", tmp_path / "user.o")
    assert gigabytes < 0.2
    found = symbols(tmp_path / "user.o")
    assert {"ws_parse", "ws_execute", "ws_count"} <= {name for kind, name in found if kind == "U"}
    functions = {name for kind, name in found if kind in "tT"}
    internal = re.compile("ws_(v|r|lex|bulk|passes|rows|check|count|parse|operand)_")
    assert not {name for name in functions if internal.search(name)}


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not installed")
@pytest.mark.parametrize("macro", ["-UWARPSIM_COMPILED", "-DWARPSIM_COMPILED"])
def test_nvcc_compiles_the_header_without_a_warning(macro: str, tmp_path: Path) -> None:
    flags = ("-x", "cu", "-std=c++17", macro, f"-I{INCLUDE}", "-Xcompiler", "-Wall,-Wextra")
    source, made = C_TESTS / "embed" / "embed_b.c", tmp_path / "user.o"
    done = subprocess.run(["nvcc", *flags, "-c", source, "-o", made], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
