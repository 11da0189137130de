"""C and C++ projects outside the tree find the header, build with it, and get Python's numbers."""

import itertools
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.support.paths import C_TESTS
from tests.support.process import ended
from tools import consumers
from tools.consumers import Case, Places

pytestmark = pytest.mark.slow

#: every way, place, compiler, program and standard; each pair of a way and a place once
CASES = [
    Case("warpsim_DIR", "wheel", "gcc", "tune", "c++17"),
    Case("warpsim_DIR", "prefix", "gcc", "conflicts", "c11"),
    Case("warpsim_ROOT", "prefix", "clang", "embed", "mixed"),
    Case("CMAKE_PREFIX_PATH", "wheel", "clang", "conflicts", "c17"),
    Case("add_subdirectory", "source", "gcc", "embed", "c++20"),
    Case("FetchContent", "source", "gcc", "conflicts", "c++11"),
    Case("pkg-config", "wheel", "gcc", "conflicts", "c11"),
    Case("pkg-config", "prefix", "clang", "embed", "c++11"),
    Case("--includes", "wheel", "gcc", "embed", "mixed"),
    Case("-I", "prefix", "clang", "conflicts", "c++11"),
    Case("-I", "wheel", "gcc", "embed", "c11"),
    Case("-I", "source", "clang", "tune", "c++20"),
    Case("warpsim_DIR", "wheel", "gcc", "tune", "c++17", "compiled"),
    Case("CMAKE_PREFIX_PATH", "prefix", "clang", "embed", "mixed", "compiled"),
    Case("add_subdirectory", "source", "clang", "tune", "c++17", "compiled"),
    Case("FetchContent", "source", "gcc", "embed", "mixed", "compiled"),
    Case("pkg-config", "prefix", "gcc", "embed", "mixed", "compiled"),
    Case("pkg-config", "prefix", "gcc", "tune", "c++2b", "compiled"),
    Case("--includes", "wheel", "clang", "tune", "c++20"),
    Case("--includes", "wheel", "gcc", "run", "c11"),
    Case("CMAKE_PREFIX_PATH", "prefix", "clang", "run", "c++11"),
    Case("-I", "source", "clang", "run", "c11"),
]
WRONG = {
    "128 64": "usage: tune [ROWS COLS BITS [WARPS [FILL [READ [TARGET]]]]]",
    "0 64 16": "ROWS: expected 1 to 4096, got '0'",
    "128 64x 16": "COLS: expected 1 to 4096, got '64x'",
    "128 64 17": "BITS: expected 4, 8, 16, 32 or 64, got '17'",
    "128 64 16 3": "warps: 32 instructions cover the tile;",
    "128 60 16": "cols: cp.async takes whole pieces; expected a multiple of 8,",
    "128 64 16 4 nonsense": "FILL: unknown instruction 'nonsense'",
    "128 64 16 4 st.global.b32": "FILL: expected st, stmatrix or cp.async on shared memory",
    "128 64 16 4 st.shared.b32 st.shared.b32": "READ: expected ld or ldmatrix",
    "128 64 16 4 st.shared.b32 ld.shared.b32 sm_91": "TARGET: expected a name such as sm_90",
}
NARROW = "ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8"
TILES = [
    (128, 64, 16, 4, ws.CpAsync(), ws.Ldmatrix(num=4), "sm_90"),
    (64, 64, 8, 4, ws.St(vec=4), ws.parse(NARROW), "sm_100a"),
    (32, 48, 32, 2, ws.CpAsync(size=4, cache="ca"), ws.Ld(), "sm_80"),
]  # fmt: skip


@pytest.fixture(scope="session")
def places(tmp_path_factory: pytest.TempPathFactory) -> Places:
    return consumers.make_places(tmp_path_factory.mktemp("places"))


@pytest.fixture(scope="session")
def tune(places: Places, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first case: the tuner by its own CMakeLists.txt."""
    return consumers.check(CASES[0], places, tmp_path_factory.mktemp("tune"))


def test_cases_have_every_way_and_compiler() -> None:
    assert {case.way for case in CASES} == set(consumers.WAYS)
    assert {(case.program, case.compiler) for case in CASES} == set(
        itertools.product(consumers.PROGRAMS, consumers.DRIVERS)
    )
    compared("consumers of the whole product", len(list(consumers.product())), at_least=100)


@pytest.mark.parametrize("case", CASES[1:], ids=str)
def test_consumer_builds_and_agrees(case: Case, places: Places, tmp_path: Path) -> None:
    consumers.check(case, places, tmp_path)
    compared("programs built outside the tree", 1, at_least=1)


def numbers(printed: str) -> list[list[str]]:
    """The cells of the table."""
    lines = [line.split() for line in printed.splitlines()]
    begin = next(i for i, line in enumerate(lines) if line[:1] == ["pitch"]) + 1
    return lines[begin : lines.index([], begin)]


@pytest.mark.parametrize("tile", TILES, ids=str)
def test_tuner_equals_search_and_tile(tile: tuple[object, ...], tune: Path, tmp_path: Path) -> None:
    rows, cols, bits, warps, store, load, target = tile
    type_ = {8: "b8", 16: "b16", 32: "b32"}[bits]
    printed = consumers.run(tune, *(getattr(part, "ptx", str(part)) for part in tile), cwd=tmp_path)
    swizzles = [ws.Swizzle(b, m, s) for b in range(1, 5) for m in range(6) for s in range(b, 6)]
    found = ws.search(
        rows, cols, type_, store=store, load=load, warps=warps, target=target,
        pads=range(33), swizzles=[None, *swizzles],
    )  # fmt: skip
    for place, cells in enumerate(numbers(printed)):
        layout = found.layout(place)
        report = ws.tile(layout, store=store, load=load, warps=warps, target=target)
        swizzle = layout.swizzle
        sides = [side.traffic.sum() for side in (report.store, report.load)]
        costs = [int(n) for side in sides for n in (side.wavefronts, side.bank_conflicts)]
        shown = "-" if swizzle is None else f"{swizzle.B},{swizzle.M},{swizzle.S}"
        assert cells == [str(v) for v in (layout.pitch, layout.pad, shown, *costs, layout.nbytes)]
        compared("layouts that the tuner in C++ ranks as ws.search does", 1, at_least=1)
    assert f"\n{len(found)} of {33 * (1 + len(swizzles))} layouts counted\n" in printed
    for why, count in found.rejected.items():
        assert f"{count} rejected: {why}\n" in printed


def test_page_shows_what_the_tuner_prints(tune: Path, tmp_path: Path) -> None:
    printed = consumers.run(tune, "128", "64", "16", cwd=tmp_path)
    (shown,) = re.findall(r"^```text\n(.*?)^```$", consumers.PAGE.read_text("utf-8"), re.M | re.S)
    assert printed.splitlines()[: shown.count("\n")] == shown.splitlines()


def test_tuner_says_what_is_illegal(tune: Path) -> None:
    read = NARROW
    done = ended(tune, "64", "64", "8", "4", "st.shared.v4.b32", read)
    report = ws.tile(ws.Layout(64, 64, "b8"), store=ws.St(vec=4), load=read)
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1].strip() == str(report.findings[0])


@pytest.mark.parametrize("words", WRONG)
def test_tuner_names_the_wrong_argument(words: str, tune: Path) -> None:
    done = ended(tune, *words.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"tune: {WRONG[words]}")


@pytest.mark.parametrize("words", ["a b c", "ld.shared.b32 0", "ld.shared.b32 12x", "nonsense"])
def test_small_program_names_the_wrong_argument(
    words: str, places: Places, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.getbasetemp() / "conflicts"
    if not folder.exists():
        folder.mkdir()
        consumers.build(Case("-I", "source", "gcc", "conflicts", "c11"), places, folder)
    done = ended(folder / "conflicts", *words.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr


PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(parent LANGUAGES NONE)
{lines}
"""
WATCH = """
set(CMAKE_CXX_STANDARD 14)
set(BUILD_TESTING ON)
set(SKBUILD 2) # as inside of scikit-build-core, for which the parent is the project
get_cmake_property(before VARIABLES)
add_subdirectory(warpsim)
get_cmake_property(after VARIABLES)
list(REMOVE_ITEM after ${before} before)
message(STATUS "new: ${after}")
get_property(tests DIRECTORY warpsim PROPERTY TESTS)
get_property(targets DIRECTORY warpsim PROPERTY BUILDSYSTEM_TARGETS)
message(STATUS "made: ${tests};${targets}")
"""


def configure(lines: str, folder: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    (folder / "CMakeLists.txt").write_text(PROJECT.format(lines=lines))
    command = [consumers.cmake(oldest=True), "-S", folder, "-B", folder / "build", *flags]
    return ended(*command, cwd=folder)


@pytest.mark.parametrize(("asked", "found"), [("0.1", True), ("0.1...<1", True), ("9.0", False), ("0.1 EXACT", False)])
def test_find_package_takes_the_version_that_fits(asked: str, found: bool, places: Places, tmp_path: Path) -> None:
    where = f"-DCMAKE_PREFIX_PATH={places.prefix}"
    done = configure(f"find_package(warpsim {asked} REQUIRED)", tmp_path, where)
    assert (done.returncode == 0) is found, done.stderr
    assert found or "0.1.0" in done.stderr


def test_find_package_has_no_components(places: Places, tmp_path: Path) -> None:
    where = f"-DCMAKE_PREFIX_PATH={places.prefix}"
    done = configure("find_package(warpsim REQUIRED COMPONENTS gpu)", tmp_path, where)
    assert done.returncode != 0
    assert "set warpsim_FOUND to FALSE" in done.stderr


def test_subproject_adds_its_target_and_nothing_else(places: Places, tmp_path: Path) -> None:
    (tmp_path / "warpsim").symlink_to(places.source)
    done = configure(WATCH, tmp_path)
    assert done.returncode == 0, done.stderr
    said = dict(line[3:].split(": ") for line in done.stdout.splitlines() if ": " in line)
    theirs = re.compile("warpsim_|CMAKE_PROJECT_VERSION")  # set by project()
    assert {name for name in said["new"].split(";") if not theirs.match(name)} == {"WARPSIM_INSTALL"}
    assert said["made"] == ";warpsim_header"
    installed = tmp_path / "installed"
    install = [consumers.cmake(oldest=True), "--install", tmp_path / "build", "--prefix", installed]
    consumers.run(*install, cwd=tmp_path)
    assert not list(installed.rglob("*.h")) and not list(installed.rglob("*.cmake"))
    assert configure(WATCH, tmp_path, "-DWARPSIM_INSTALL=ON").returncode == 0
    consumers.run(*install, cwd=tmp_path)
    assert (installed / "include" / "warpsim" / "warpsim.h").is_file()


@pytest.mark.parametrize(("compiler", "standard"), [("clang", "c11"), ("clang", "c++17"), ("gcc", "mixed")])
def test_objects_define_ws_names_and_no_variable(compiler: str, standard: str, places: Places, tmp_path: Path) -> None:
    case = Case("-I", "source", compiler, "embed", standard)
    objects = ";".join(map(str, consumers.compiled(case, places, tmp_path, "-fno-pie")))
    script = C_TESTS / "embed" / "symbols.cmake"
    nm = f"-DNM={consumers.need('nm')}"
    consumers.run(consumers.cmake(), nm, f"-DOBJECTS={objects}", "-P", script, cwd=tmp_path)


MANUAL = """{include}
#include <stdio.h>
#include <string.h>
int main(void) {{
    static uint8_t bytes[2048];
    static uint32_t address[2][32], registers[2][32][4];
    const size_t n = 2, nbytes = sizeof bytes;
    uint32_t lane;
    for (lane = 0; lane < 32; lane++) address[0][lane] = address[1][lane] = lane * 64;
    address[1][5] += 4;
{body}
    printf("%d %d ", (int)counts.wavefronts, legality.ok);
    printf("%d %d\\n", (int)sink.count, cost.latency > 20);
    return 0;
}}
"""


@pytest.mark.parametrize(("driver", "flag"), [("gcc", "-std=c11"), ("clang++", "-std=c++17")])
def test_examples_of_the_manual_compile_and_run(driver: str, flag: str, places: Places, tmp_path: Path) -> None:
    header = places.source / "csrc" / "include" / "warpsim" / "warpsim.h"
    manual = header.read_text().split("*/")[0].splitlines()
    body = [line.removeprefix(" *") for line in manual if line.startswith(" *     ")]
    assert len(body) >= 14
    unit = tmp_path / "manual.c"
    unit.write_text(MANUAL.format(include="#include <warpsim/warpsim.h>", body="\n".join(body)))
    language = ("-x", "c++") if "++" in driver else ("-x", "c")
    told = (*consumers.STRICT, *language, f"-I{header.parents[1]}")
    consumers.run(consumers.need(driver), flag, *told, unit, "-o", tmp_path / "manual", cwd=tmp_path)
    printed = consumers.run(tmp_path / "manual", cwd=tmp_path)
    op = ws.Ldmatrix(num=4)
    wavefronts = int(op.traffic(np.arange(32) * 64).wavefronts)
    title = ws.RULES["WS-LDM-001"].title
    assert printed.splitlines() == [title, f"{2 * wavefronts} 1 1 1"]
