"""The C++ layer: values that agree with the C core, and static_assert on wavefronts."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.evidence import compared
from tests.support.paths import C_TESTS, HEADERS, INCLUDE
from tools.consumers import STRICT, need, run

LAYER, ASSERTED = C_TESTS / "cpp" / "layer.cpp", C_TESTS / "cpp" / "asserted.cpp"
FLAGS = (*STRICT, "-Wold-style-cast", f"-I{INCLUDE}")
DRIVERS = [("g++", "c++17"), ("g++", "c++20"), ("clang++", "c++17"), ("clang++", "c++20")]


@pytest.fixture(scope="session")
def unit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("unit") / "warpsim.o"
    run(need("gcc"), "-O1", f"-I{INCLUDE}", "-c", HEADERS / "warpsim.c", "-o", made, cwd=made.parent)
    return made


@pytest.mark.slow
@pytest.mark.parametrize(("driver", "standard"), DRIVERS)
def test_values_agree_with_the_core(driver: str, standard: str, unit: Path, tmp_path: Path) -> None:
    flags = (f"-std={standard}", "-O1", "-DWARPSIM_COMPILED", *FLAGS)
    run(need(driver), *flags, LAYER, unit, "-o", tmp_path / "layer", cwd=tmp_path)
    compared(
        f"answers of the C++ layer, {driver} {standard}", int(run(tmp_path / "layer", cwd=tmp_path)), at_least=2000
    )


@pytest.mark.slow
def test_sanitizers_see_nothing(unit: Path, tmp_path: Path) -> None:
    sanitizers = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    flags = ("-std=c++20", "-O1", "-g", "-DWARPSIM_COMPILED", *sanitizers, *FLAGS)
    run(need("clang++"), *flags, LAYER, unit, "-o", tmp_path / "layer", cwd=tmp_path)
    compared("answers of the C++ layer under sanitizers", int(run(tmp_path / "layer", cwd=tmp_path)), at_least=2000)


@pytest.mark.parametrize("driver", ["g++", "clang++"])
def test_assertions_on_wavefronts_compile(driver: str, tmp_path: Path) -> None:
    command = [need(driver), "-std=c++20", *FLAGS, "-fsyntax-only", str(ASSERTED)]
    run(*command, cwd=tmp_path)
    for macro, words in (("WRONG", "bank conflicts"), ("MISSPELT", "operator")):
        done = subprocess.run([*command, f"-D{macro}"], capture_output=True, text=True, check=False)
        assert done.returncode != 0 and words in done.stderr
    compared(f"assertions, {driver}", ASSERTED.read_text().count("static_assert(") - 1, at_least=9)


@pytest.mark.slow
@pytest.mark.parametrize("standard", ["c++17", "c++20"])
def test_every_header_compiles_alone(standard: str, tmp_path: Path) -> None:
    headers = sorted(HEADERS.rglob("*.hpp"))
    assert len(headers) > 5
    for header in headers:
        unit = tmp_path / "unit.cpp"
        unit.write_text(f"#include <warpsim/{header.relative_to(HEADERS).as_posix()}>\n")
        run(need("g++"), f"-std={standard}", *FLAGS, "-fsyntax-only", unit, cwd=tmp_path)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not installed")
@pytest.mark.parametrize(("source", "standard"), [(LAYER, "c++17"), (LAYER, "c++20"), (ASSERTED, "c++20")])
def test_nvcc_compiles_it_without_a_warning(source: Path, standard: str, tmp_path: Path) -> None:
    flags = ("-x", "cu", f"-std={standard}", "-DWARPSIM_COMPILED", f"-I{INCLUDE}", "-Xcompiler", "-Wall,-Wextra")
    command = ["nvcc", *flags, "-c", source, "-o", tmp_path / "made.o"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
