"""The C++ layer: values that agree with the C core, and static_assert on wavefronts."""

import random
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.support.paths import C_TESTS, DOCS, HEADERS, INCLUDE
from tools.consumers import STRICT, need, run
from warpsim import _core

LAYER, ASSERTED, ANSWERS = (C_TESTS / "cpp" / f"{name}.cpp" for name in ("layer", "asserted", "answers"))
FLAGS = (*STRICT, "-Wold-style-cast", f"-I{INCLUDE}")
DRIVERS = [
    ("g++", "c++17"), ("g++", "c++20"), ("g++", "c++2b"),
    ("clang++", "c++17"), ("clang++", "c++20"), ("clang++", "c++2b"),
]  # fmt: skip
COUNTERS = ("instructions", "requests", "wavefronts", "ideal_wavefronts", "bank_conflicts", "sectors")
STORES = [ws.Stmatrix(num=4), ws.Stmatrix(num=1), ws.St(), ws.St(vec=4), ws.St(type="f64"), ws.CpAsync(),
          ws.CpAsync(size=8, cache="ca"), ws.CpAsync(size=4, cache="ca")]  # fmt: skip
LOADS = [ws.Ldmatrix(num=4), ws.Ldmatrix(num=2, trans=True), ws.Ldmatrix(num=1), ws.Ld(), ws.Ld(vec=2), ws.Ld(vec=4),
         ws.Ld(type="u16"), ws.Ld(type="f64"), ws.parse("ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8"),
         ws.parse("ldmatrix.sync.aligned.m8n16.x4.shared.s8.s4")]  # fmt: skip


MANUAL = """{include}
void manual(int lane, const std::vector<std::uint8_t> &bytes, const std::vector<warpsim::layout> &candidates,
            const warpsim::instruction &fill) {{
{body}
}}
"""


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
        f"answers of the C++ layer, {driver} {standard}", int(run(tmp_path / "layer", cwd=tmp_path)), at_least=30_000
    )


@pytest.mark.slow
def test_sanitizers_see_nothing(unit: Path, tmp_path: Path) -> None:
    sanitizers = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    flags = ("-std=c++20", "-O1", "-g", "-DWARPSIM_COMPILED", *sanitizers, *FLAGS)
    run(need("clang++"), *flags, LAYER, unit, "-o", tmp_path / "layer", cwd=tmp_path)
    compared("answers of the C++ layer under sanitizers", int(run(tmp_path / "layer", cwd=tmp_path)), at_least=30_000)


def questions_of_a_tile(draw: random.Random) -> list[tuple[str, str]]:
    """A tile with a store and a load: what the C++ layer is asked, and what Python says."""
    bits = draw.choice([8, 16, 32])
    rows, cols, pad = 16 * draw.randint(1, 6), draw.choice([32, 64, 128]), draw.choice([0, 0, 4, 8, 16, 24])
    shift = draw.randint(0, 5)
    swizzle = ws.Swizzle(draw.randint(0, shift), draw.randint(0, 6), shift, draw.choice(["element", "byte"]))
    layout = ws.Layout(rows, cols, f"b{bits}", draw.choice(["row", "col"]), pad, swizzle)
    store, load = draw.choice(STORES), draw.choice(LOADS)
    try:
        report = ws.tile(layout, store=store, load=load, warps=1, target="sm_100a")
    except ValueError:
        return []
    told = (rows, cols, bits, pad, swizzle.B, swizzle.M, swizzle.S, swizzle.unit == "byte", layout.order == "col")
    asked = " ".join(str(int(number)) for number in told)
    return [
        (f"count {asked} {op.ptx}", " ".join(str(getattr(side.traffic.sum(), name)) for name in COUNTERS))
        for op, side in ((store, report.store), (load, report.load))
    ]


def questions() -> list[tuple[str, str]]:
    draw = random.Random(1)
    asked: list[tuple[str, str]] = []
    while len(asked) < 3000:
        asked += questions_of_a_tile(draw)
    i = np.arange(4096 + 16)
    memory = ws.SharedMemory((i * 37 + i // 256).astype(np.uint8))
    for op in LOADS:
        for pitch in range(op.access_bytes, 512, op.access_bytes):
            loaded = op.execute(memory, (np.arange(32) * pitch % 4096).astype(np.uint32), target="sm_100a")
            words = np.ascontiguousarray(loaded.registers).view(np.uint32)
            asked.append((f"load {pitch} {op.ptx}", " ".join(map(str, words.ravel())) + " "))
    for op in (*STORES, *LOADS):
        for target in _core.TARGETS:
            for ptx in ("6.5", "7.0", "7.8", "8.6", "9.0"):
                found = op.legality(target, ptx)
                reasons = "".join(f"|{reason}" for reason in found.reasons)
                asked.append(
                    (f"legal {target} {ptx} {op.ptx}", f"{int(found.ok)} {found.min_ptx_version or ''}{reasons}")
                )
    return asked


@pytest.mark.slow
@pytest.mark.parametrize(("driver", "standard"), [("g++", "c++20"), ("clang++", "c++17")])
def test_answers_are_those_of_python(driver: str, standard: str, unit: Path, tmp_path: Path) -> None:
    flags = (f"-std={standard}", "-O1", "-DWARPSIM_COMPILED", *FLAGS)
    run(need(driver), *flags, ANSWERS, unit, "-o", tmp_path / "answers", cwd=tmp_path)
    asked = questions()
    done = subprocess.run(
        [tmp_path / "answers"], input="\n".join(question for question, _ in asked), capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    for (question, expected), answer in zip(asked, done.stdout.splitlines(), strict=True):
        assert answer == expected, question
    compared(f"answers of the C++ layer and of Python, {driver} {standard}", len(asked), at_least=5000)


@pytest.mark.slow
@pytest.mark.parametrize("driver", ["g++", "clang++"])
@pytest.mark.parametrize("standard", ["c++20", "c++2b"])
def test_assertions_on_wavefronts_compile(driver: str, standard: str, tmp_path: Path) -> None:
    command = [need(driver), f"-std={standard}", *FLAGS, "-fsyntax-only", str(ASSERTED)]
    run(*command, cwd=tmp_path)
    wrong = {"WRONG": "bank conflicts", "OUTSIDE": "refuse", "UNCOVERED": "refuse", "MISSPELT": "operator"}
    for macro, words in wrong.items() if standard == "c++20" else ():
        done = subprocess.run([*command, f"-D{macro}"], capture_output=True, text=True, check=False)
        assert done.returncode != 0 and words in done.stderr
    compared(f"assertions, {driver} {standard}", ASSERTED.read_text().count("static_assert("), at_least=15)


@pytest.mark.slow
def test_examples_of_the_page_and_of_the_manual_compile(tmp_path: Path) -> None:
    page = (DOCS / "howto" / "embedding.md").read_text("utf-8")
    programs = re.findall(r"^```cpp\n(.*?)^```$", page, re.M | re.S)
    manual = (HEADERS / "warpsim.hpp").read_text("utf-8").split("*/")[0]
    lines = [line.removeprefix(" *     ") for line in manual.splitlines() if line.startswith(" *     ")]
    programs.append(MANUAL.format(include=lines[0], body="\n".join(lines[1:])))
    for number, program in enumerate(programs):
        unit = tmp_path / f"example{number}.cpp"
        unit.write_text(program)
        flags = (*FLAGS, "-Wno-unused", "-DWARPSIM_COMPILED", "-std=c++20")
        run(need("g++"), *flags, "-fsyntax-only", unit, cwd=tmp_path)
    compared("examples of C++", len(programs), at_least=3)


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
@pytest.mark.parametrize("driver", ["g++", "clang++"])
@pytest.mark.parametrize("standard", ["c++11", "c++2b"])
def test_engine_compiles_as_cpp_without_a_warning(driver: str, standard: str, tmp_path: Path) -> None:
    unit = tmp_path / "unit.cpp"
    unit.write_text("#include <warpsim/run.h>\n")
    run(need(driver), f"-std={standard}", *STRICT, f"-I{INCLUDE}", "-fsyntax-only", unit, cwd=tmp_path)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not installed")
@pytest.mark.parametrize(
    ("source", "flags"),
    [
        (LAYER, ("-std=c++17",)),
        (LAYER, ("-std=c++20",)),
        (ASSERTED, ("-std=c++20",)),
        (ASSERTED, ("-std=c++20", "--expt-relaxed-constexpr")),
    ],
)
def test_nvcc_compiles_it_without_a_warning(source: Path, flags: tuple[str, ...], tmp_path: Path) -> None:
    told = ("-x", "cu", *flags, "-DWARPSIM_COMPILED", f"-I{INCLUDE}", "-Xcompiler", "-Wall,-Wextra")
    command = ["nvcc", *told, "-c", str(source), "-o", str(tmp_path / "made.o")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
