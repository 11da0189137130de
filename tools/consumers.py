"""Programs outside the tree that use the header: how they find it, and who compiles them.

`python3 -m tools.consumers` builds and runs every way, place, compiler and program; tests/ship/test_consumers.py tries
some. Nothing of the shell's environment is seen: a build has an empty home and a PATH of /usr/local/bin:/usr/bin:/bin.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import warpsim as ws
from tests.support.paths import C_TESTS, ROOT
from tools import records

PAGE = ROOT / "docs" / "howto" / "embedding.md"
PROGRAMS = {
    "conflicts": (ROOT / "examples" / "embed_c" / "conflicts.c",),
    "embed": (C_TESTS / "embed" / "embed_a.c", C_TESTS / "embed" / "embed_b.c"),
    "tune": (ROOT / "examples" / "embed_cpp" / "main.cpp",),
    "run": (ROOT / "examples" / "embed_c" / "run.c",),
}
TRANSPOSE = ROOT / "examples" / "kernels" / "transpose.ptx"
#: what run.c is to run: its status is 1, since the kernel leaves an array
LAUNCH = (TRANSPOSE, "transpose_square_f32", "1", "32,8", "0", "4092B", "4096B", "32", "32")
DRIVERS = {"gcc": ("gcc", "g++"), "clang": ("clang", "clang++")}
STRICT = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror")
#: what a C project has of a copy of the sources
SOURCES = ("CMakeLists.txt", "csrc")
PATH = "/usr/local/bin:/usr/bin:/bin"
FIND = "find_package(warpsim 0.1 REQUIRED)"
#: what tells a program where the header is -> where it may be
WAYS = {
    "warpsim_DIR": ("wheel", "prefix"), "warpsim_ROOT": ("wheel", "prefix"), "CMAKE_PREFIX_PATH": ("wheel", "prefix"),
    "add_subdirectory": ("source",), "FetchContent": ("source",), "pkg-config": ("wheel", "prefix"),
    "--includes": ("wheel",), "-I": ("wheel", "prefix", "source"),
}  # fmt: skip
STANDARDS = {
    "conflicts": ("c11", "c17", "c++11"),
    "embed": ("c11", "c++11", "c++17", "c++20", "mixed"),
    "tune": ("c++17", "c++20", "c++2b"),
    "run": ("c11", "c++11", "c++20"),
}
FLAG_WAYS = ("pkg-config", "--includes", "-I")


def need(name: str) -> str:
    """The path of a program. Outside of CI a test of what is not there is skipped."""
    found = shutil.which(name)
    if found is None and "CI" not in os.environ:
        pytest.skip(f"{name} is not installed")
    assert found is not None, f"{name} is needed"
    return found


def run(*command: str | Path, cwd: Path, status: int = 0, **more: str) -> str:
    """What a command prints in an empty environment; it must end with this status."""
    environment = {"PATH": PATH, "HOME": str(cwd), "LANG": "C.UTF-8", **more}
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == status, f"{' '.join(words)}\n{done.stdout}{done.stderr}"
    return done.stdout


def cmake(oldest: bool = False) -> str:
    """The path of CMake: the system's, of which we state the oldest, or the first in PATH."""
    system = shutil.which("cmake", path=PATH)
    return system if oldest and system is not None else need("cmake")


@dataclass(frozen=True)
class Case:
    """One build."""

    way: str
    place: str
    compiler: str
    program: str
    standard: str
    target: str = "warpsim"  # or "compiled": declarations, and one unit that has the core

    def __str__(self) -> str:
        told = f"{self.program}, {self.standard}, {self.compiler}, {self.way}, {self.place}"
        return told if self.target == "warpsim" else f"{told}, {self.target}"

    @property
    def languages(self) -> list[str]:
        """C or CXX for each unit of the program."""
        units = PROGRAMS[self.program]
        if self.standard == "mixed":
            return ["C", *["CXX"] * (len(units) - 1)]
        return ["CXX" if "++" in self.standard else "C"] * len(units)

    def flag_of(self, language: str) -> str:
        """-std= of a unit."""
        mixed = {"C": "c11", "CXX": "c++17"}
        return f"-std={mixed[language] if self.standard == 'mixed' else self.standard}"


def product() -> Iterator[Case]:
    """Every way, place and compiler; every standard where only flags are asked for."""
    for way, places in WAYS.items():
        for place in places:
            for compiler in DRIVERS:
                for program, standards in STANDARDS.items():
                    several = standards if way in FLAG_WAYS else standards[-1:]
                    for standard in several:
                        yield Case(way, place, compiler, program, standard)
                yield Case(way, place, compiler, "embed", "mixed", "compiled")


@dataclass(frozen=True)
class Places:
    """Where the header is: in a fresh environment of Python, under a prefix, among its sources."""

    python: Path
    wheel: Path
    prefix: Path
    source: Path

    def of(self, place: str) -> Path:
        """The folder under which include/, lib/cmake/ and lib/pkgconfig/ are."""
        return {"wheel": self.wheel, "prefix": self.prefix, "source": self.source / "csrc"}[place]


def make_places(folder: Path) -> Places:
    """A fresh environment of Python with what the installed wheel brought, an installed prefix."""
    run(sys.executable, "-m", "venv", "--without-pip", "--symlinks", "venv", cwd=folder)
    (site,) = (folder / "venv" / "lib").glob("python*/site-packages")
    for name in ("warpsim", "numpy"):
        for path in metadata.files(name) or []:
            if ".." in path.parts or "__pycache__" in path.parts:
                continue
            target = site / path
            target.parent.mkdir(parents=True, exist_ok=True)
            if name == "numpy":
                target.symlink_to(Path(str(path.locate())))
            else:
                shutil.copy(str(path.locate()), target)
    source, prefix = folder / "source", folder / "prefix"
    source.mkdir()
    for name in SOURCES:
        whole = ROOT / name
        shutil.copytree(whole, source / name) if whole.is_dir() else shutil.copy(whole, source)
    run(cmake(), "-S", source, "-B", folder / "build", f"-DCMAKE_INSTALL_PREFIX={prefix}", cwd=folder)
    run(cmake(), "--install", folder / "build", cwd=folder)
    return Places(folder / "venv" / "bin" / "python", site / "warpsim", prefix, source)


def pkg_config(case: Case, places: Places, folder: Path, *asked: str) -> list[str]:
    """What pkg-config answers."""
    where = str(places.of(case.place) / "lib" / "pkgconfig")
    if case.place == "wheel":
        where = run(places.python, "-m", "warpsim", "--pkgconfig-dir", cwd=folder).strip()
    return run(need("pkg-config"), *asked, cwd=folder, PKG_CONFIG_PATH=where).split()


def flags(case: Case, places: Places, folder: Path) -> list[str]:
    """What tells the compiler where the header is."""
    if case.way == "pkg-config":
        return pkg_config(case, places, folder, "--cflags", "--libs", "warpsim >= 0.1")
    if case.way == "--includes":
        return run(places.python, "-m", "warpsim", "--includes", cwd=folder).split()
    return [f"-I{places.of(case.place) / 'include'}"]


def core_unit(case: Case, places: Places, folder: Path) -> Path:
    """The file that has the core."""
    if case.way == "pkg-config":
        return Path(*pkg_config(case, places, folder, "--variable=unit", "warpsim"))
    return places.of(case.place) / "include" / "warpsim" / "warpsim.c"


def compiled(case: Case, places: Places, folder: Path, *options: str) -> list[Path]:
    """The objects; the header is not a system header here, so that its warnings are errors."""
    told = flags(case, places, folder)
    drivers = dict(zip(("C", "CXX"), DRIVERS[case.compiler], strict=True))
    units = list(zip(PROGRAMS[case.program], case.languages, strict=True))
    if case.target == "compiled":
        told.append("-DWARPSIM_COMPILED")
        units.append((core_unit(case, places, folder), case.languages[0]))
    objects = []
    for unit, language in units:
        more = ["-x", "c++"] if language == "CXX" else ["-x", "c"]
        if unit.suffix == ".cpp":
            more.append("-Wold-style-cast")  # the other units are C
        objects.append(folder / f"{unit.stem}.o")
        command = (need(drivers[language]), case.flag_of(language), *STRICT, *more, *told, *options)
        run(*command, "-c", unit, "-o", objects[-1], cwd=folder)
    return objects


def build_by_flags(case: Case, places: Places, folder: Path) -> Path:
    """The program, compiled and linked by hand."""
    objects = compiled(case, places, folder)
    linker = DRIVERS[case.compiler][case.languages[-1] == "CXX"]
    run(need(linker), *objects, "-o", folder / case.program, cwd=folder)
    return folder / case.program


def lines_of(way: str) -> str:
    """What a CMakeLists.txt says; the page has it for projects that bring the sources."""
    if way not in ("add_subdirectory", "FetchContent"):
        return FIND
    blocks = re.findall(r"^```cmake\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S)
    (block,) = [block for block in blocks if way in block]
    return str(block)


def project(case: Case, folder: Path) -> None:
    """A project of CMake outside the tree; the example brings its own file."""
    units = PROGRAMS[case.program]
    for unit in (*units, *units[0].parent.glob("embed.*")):
        shutil.copy(unit, folder)
    if case.program == "tune" and lines_of(case.way) == FIND:
        text = units[0].with_name("CMakeLists.txt").read_text()
        assert text.count("warpsim::warpsim") == 1
        text = text.replace("warpsim::warpsim", f"warpsim::{case.target}")
        (folder / "CMakeLists.txt").write_text(text)
        return
    of_language = [f"set_source_files_properties({unit.name} PROPERTIES LANGUAGE {language})"
                   for unit, language in zip(units, case.languages, strict=True)]  # fmt: skip
    lines = [
        "cmake_minimum_required(VERSION 3.25)",
        f"project(consumer LANGUAGES {' '.join(sorted(set(case.languages)))})",
        lines_of(case.way),
        *of_language,
        f"add_executable({case.program} {' '.join(unit.name for unit in units)})",
        f"target_link_libraries({case.program} PRIVATE warpsim::{case.target})",
    ]
    (folder / "CMakeLists.txt").write_text("\n".join(lines) + "\n")


def build_by_cmake(case: Case, places: Places, folder: Path) -> Path:
    """The program, made by a project of CMake that finds or brings the header."""
    project(case, folder)
    where = places.of(case.place)
    if case.way == "warpsim_DIR":
        directory = where / "lib" / "cmake" / "warpsim"
        if case.place == "wheel":
            directory = Path(run(places.python, "-m", "warpsim", "--cmake-dir", cwd=folder).strip())
        told = f"-Dwarpsim_DIR={directory}"
    elif case.way == "FetchContent":
        told = f"-DFETCHCONTENT_SOURCE_DIR_WARPSIM={places.source}"
    elif case.way == "add_subdirectory":
        (folder / "warpsim").symlink_to(places.source)
        told = "-DCMAKE_BUILD_TYPE=Debug"
    else:
        told = f"-D{case.way}={where}"
    program = cmake(oldest=case.place == "source")
    compilers = []
    for language, name in zip(("C", "CXX"), DRIVERS[case.compiler], strict=True):
        if language in case.languages:
            options = " ".join((case.flag_of(language), *STRICT))
            compilers += [f"-DCMAKE_{language}_COMPILER={need(name)}", f"-DCMAKE_{language}_FLAGS={options}"]
    ninja = shutil.which("ninja")
    maker = ["-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={ninja}"] if ninja else []
    run(program, "-S", folder, "-B", folder / "build", *maker, *compilers, told, cwd=folder)
    run(program, "--build", folder / "build", cwd=folder)
    return folder / "build" / case.program


def build(case: Case, places: Places, folder: Path) -> Path:
    """The program of a case."""
    if case.way in FLAG_WAYS:
        return build_by_flags(case, places, folder)
    return build_by_cmake(case, places, folder)


def embedded() -> tuple[NDArray[np.uint8], NDArray[np.uint32]]:
    """The bytes and addresses that embed_a.c makes for itself."""
    i = np.arange(2048)
    warp, lane = np.arange(3)[:, None], np.arange(32)
    image = (i * 37 + i // 256 * 11 + 5).astype(np.uint8)
    return image, ((lane * (4 + warp) + 7 * warp) % 128 * 16).astype(np.uint32)


def found() -> str:
    """What is wrong with the launch that run.c makes: an array is four bytes too short."""
    x, y = np.zeros(1023, np.float32), np.zeros(1024, np.float32)
    report = ws.Module(TRANSPOSE)["transpose_square_f32"](1, (32, 8), (x, y, 32, 32), on_finding="record")
    (one,) = report.findings
    return f"{one}\n"


@cache
def expected(program: str) -> str:
    """What Python says that a program prints; of `tune` see test_tune.py."""
    if program == "run":
        return found()
    image, address = embedded()
    op = ws.Ldmatrix(num=4)
    if program == "conflicts":
        total = op.traffic(np.arange(32) * 128)
        counts = f"{total.wavefronts} wavefronts, {total.bank_conflicts} bank conflicts"
        return f"{op.ptx}, rows of 128 bytes: {counts}\n"
    result = op.execute(ws.SharedMemory(image), address)
    registers = " ".join(f"{word:08x}" for word in result.registers.ravel())
    total = result.traffic.sum()
    names = ("instructions", "requests", "wavefronts", "ideal_wavefronts", "bank_conflicts", "sectors")
    counts = " ".join(str(getattr(total, name)) for name in names)
    return "".join(f"{unit} registers {registers}\n{unit} counts {counts}\n" for unit in "ab")


def check(case: Case, places: Places, folder: Path) -> Path:
    """Builds and runs a case; the program."""
    program = build(case, places, folder)
    status, words = (1, LAUNCH) if case.program == "run" else (0, ())
    printed = run(program, *words, cwd=folder, status=status)
    if case.program == "tune":
        assert "215 of 2805 layouts counted" in printed
    else:
        assert printed == expected(case.program)
    return program


def main() -> None:
    """The whole product."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    cases, begin = list(product()), time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        places = make_places(Path(folder))
        for number, case in enumerate(cases, 1):
            work = Path(folder) / str(number)
            work.mkdir()
            check(case, places, work)
            shutil.rmtree(work)
            print(f"{number}/{len(cases)}  {case}", flush=True)
    seconds = round(time.monotonic() - begin)
    records.tell({"builds": len(cases), "runs": len(cases), "ways": len(WAYS), "seconds": seconds})


if __name__ == "__main__":
    os.environ["CI"] = "true"  # a tool that is missing is a failure
    main()
