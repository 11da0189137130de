"""A copy of all that a mutant needs, to be broken: headers, sources of the extension, the package."""

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Protocol

import numpy as np

from tests.support import c_tests
from tests.support.paths import ROOT, TESTS
from tests.support.process import run

SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-DWS_ARENA_GAPS")
FOLDERS = ("csrc/include", "src/warpsim")
DOORS = ("core", "engine")  # of the packages _core and _engine
MOST_SECONDS = 600  # a break that makes the core run for ever is seen, too


class Broken(Protocol):
    """What can be put into a copy."""

    def broken(self) -> tuple[Path, str]: ...


class Copy:
    """All that a mutant needs, in a folder: headers, sources of the extension, the package."""

    def __init__(self, folder: Path, model: Path | None = None, *, build: bool = True) -> None:
        """Of the checkout and the installed package, or of an earlier copy; what is there is taken as it is.

        Without `build` there is no extension: for C tests.
        """
        self.folder, self.site = folder, folder / "site"
        self.include, self.sources = (folder / place for place in FOLDERS)
        if self.site.exists():
            return
        if model is not None:
            shutil.copytree(model, folder, dirs_exist_ok=True)
            return
        for place in FOLDERS:
            shutil.copytree(ROOT / place, folder / place)
        skip = shutil.ignore_patterns("__pycache__", "core*.so", "engine*.so")
        shutil.copytree(str(files("warpsim")), self.site / "warpsim", ignore=skip)
        if build:
            self.transpile()
            self.build()

    def transpile(self, doors: Sequence[str] = DOORS) -> None:
        for door in doors:
            command = [sys.executable, "-m", "cython", "-3", "--module-name", f"warpsim._{door}.{door}"]
            run(*command, self.sources / f"_{door}" / f"{door}.pyx", "-o", self.folder / f"{door}.c")

    def build(self, doors: Sequence[str] = DOORS) -> None:
        folders = (sysconfig.get_path("include"), np.get_include(), self.include, self.sources / "_core" / "c")
        flags = ["-shared", "-fPIC", *(f"-I{folder}" for folder in folders)]
        for door in doors:
            target = self.site / "warpsim" / f"_{door}" / f"{door}{sysconfig.get_config_var('EXT_SUFFIX')}"
            self.compile(*flags, "-MMD", "-MF", self.folder / f"{door}.d", self.folder / f"{door}.c", "-o", target)

    def doors_of(self, header: Path) -> list[str]:
        """The doors that include this header of the copy, or may: what they included when they were built is kept."""

        def may_include(door: str) -> bool:
            kept = self.folder / f"{door}.d"
            names = kept.read_text().split() if kept.exists() else [f"/{header}"]
            return any(os.path.normpath(name).endswith(f"/{header}") for name in names)

        return [door for door in DOORS if may_include(door)]

    @staticmethod
    def compile(*arguments: str | Path) -> None:
        run(os.environ.get("CC", "cc"), "-O0", "-w", *arguments)

    def put(self, mutant: Broken, *, build: bool = True) -> None:
        """Breaks the copy; without `build` the extension stays whole."""
        relative, text = mutant.broken()
        path = self.folder / relative
        path.write_text(text)
        if path.suffix == ".py":
            shutil.copy(path, self.site / path.relative_to(self.folder / "src"))
            return
        if path.suffix in (".pyx", ".pxi"):
            self.transpile()
        if build:
            self.build((path.suffix == ".h" and self.doors_of(relative)) or DOORS)

    def fails(self, tests: Sequence[str]) -> bool:
        """Whether one of the tests sees something; C tests with sanitizers only if it takes these."""
        programs = [test for test in tests if test.startswith("c/")]
        others = [test for test in tests if test not in programs]
        commands = [partial(self.program, test, *flags) for flags in ((), SANITIZERS) for test in programs]
        if others:
            commands.append(partial(self.pytest, others))
        return any(self.is_red(command()) for command in commands)

    def program(self, test: str, *more: str) -> list[str]:
        program = self.folder / Path(test).stem
        source = TESTS / test
        flags = [*c_tests.flags(test), "-DCHECK_STOPS", f"-I{self.include}", *more]
        libraries = ["-lstdc++"] if source.suffix == ".cpp" else []
        self.compile(*flags, source, "-o", program, *libraries)
        return [str(program)]

    @staticmethod
    def pytest(tests: Sequence[str]) -> list[str]:
        options = ["-x", "-q", "-n0", "-m", "", "-p", "no:cacheprovider"]
        options += ["--hypothesis-seed=1"]  # nothing is left to chance
        return [sys.executable, "-m", "pytest", *options, *(str(TESTS / test) for test in tests)]

    def environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "ASAN_OPTIONS": "detect_leaks=0",
            "PYTHONPATH": str(self.site),
            "PYTHONDONTWRITEBYTECODE": "1",
            "HYPOTHESIS_STORAGE_DIRECTORY": str(self.folder / "hypothesis"),
        }

    def is_red(self, command: list[str]) -> bool:
        try:
            done = subprocess.run(
                command, cwd=ROOT, env=self.environment(), capture_output=True, check=False,
                timeout=MOST_SECONDS,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return True
        if done.returncode in (3, 4, 5):  # pytest could not do what it was asked to
            raise RuntimeError(done.stdout.decode()[-2000:] + done.stderr.decode()[-2000:])
        return done.returncode != 0
