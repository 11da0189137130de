"""Breaks the core and the package on purpose, one place at a time: each break must be seen.

    python3 -m tools.mutate [--jobs N] [--only TEXT] [--sample N]

tools/mutants.txt is the table: code that is once in a function, what replaces it, and the test that
must see that. A C test is compiled with the broken header; for a Python test the extension is
rebuilt from it into a copy of the package. A mutant whose test passes has survived: exit status 1.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from pathlib import Path

import numpy as np

from tests.support import c_tests
from tests.support.paths import ROOT, TESTS
from tests.support.process import run
from tools import places, records
from tools.mutants import EQUIVALENT, MUTANTS, Mutant

FOLDERS = ("csrc/include", "src/warpsim")
MOST_SECONDS = 600  # a break that makes the core run for ever is seen, too


class Copy:
    """All that a mutant needs, in a folder: headers, sources of the extension, the package."""

    def __init__(self, folder: Path, model: Path | None = None) -> None:
        """Of the checkout and the installed package, or of an earlier copy."""
        self.folder, self.site = folder, folder / "site"
        self.include, self.sources = (folder / place for place in FOLDERS)
        if model is not None:
            shutil.copytree(model, folder, dirs_exist_ok=True)
            return
        for place in FOLDERS:
            shutil.copytree(ROOT / place, folder / place)
        skip = shutil.ignore_patterns("__pycache__", "core*.so")
        shutil.copytree(str(files("warpsim")), self.site / "warpsim", ignore=skip)
        self.transpile()
        self.build()

    def transpile(self) -> None:
        command = [sys.executable, "-m", "cython", "-3", "--module-name", "warpsim._core.core"]
        run(*command, self.sources / "_core" / "core.pyx", "-o", self.folder / "core.c")

    def build(self) -> None:
        target = self.site / "warpsim" / "_core" / f"core{sysconfig.get_config_var('EXT_SUFFIX')}"
        folders = (sysconfig.get_path("include"), np.get_include(), self.include)
        folders = (*folders, self.sources / "_core")
        flags = ["-shared", "-fPIC", *(f"-I{folder}" for folder in folders)]
        self.compile(*flags, self.folder / "core.c", "-o", target)

    @staticmethod
    def compile(*arguments: str | Path) -> None:
        run(os.environ.get("CC", "cc"), "-O0", "-w", *arguments)

    def put(self, mutant: Mutant) -> None:
        """Breaks the copy."""
        relative, text = mutant.broken()
        path = self.folder / relative
        path.write_text(text)
        if path.suffix == ".py":
            shutil.copy(path, self.site / path.relative_to(self.folder / "src"))
            return
        if path.suffix in (".pyx", ".pxi"):
            self.transpile()
        if not mutant.test.startswith("c/"):
            self.build()

    def fails(self, tests: Sequence[str]) -> bool:
        """Whether one of the tests sees something."""
        programs = [test for test in tests if test.startswith("c/")]
        others = [str(TESTS / test) for test in tests if test not in programs]
        commands = [self.program(test) for test in programs]
        if others:
            options = ["-x", "-q", "-n0", "-m", "", "-p", "no:cacheprovider"]
            options += ["--hypothesis-seed=1"]  # nothing is left to chance
            commands.append([sys.executable, "-m", "pytest", *options, *others])
        return any(self.is_red(command) for command in commands)

    def program(self, test: str) -> list[str]:
        program = self.folder / Path(test).stem
        source = TESTS / test
        flags = [*c_tests.flags(test), "-DCHECK_STOPS", f"-I{self.include}"]
        self.compile(*flags, source, "-o", program)
        return [str(program)]

    def is_red(self, command: list[str]) -> bool:
        environment = {
            **os.environ,
            "PYTHONPATH": str(self.site),
            "PYTHONDONTWRITEBYTECODE": "1",
            "HYPOTHESIS_STORAGE_DIRECTORY": str(self.folder / "hypothesis"),
        }
        try:
            done = subprocess.run(
                command, cwd=ROOT, env=environment, capture_output=True, check=False,
                timeout=MOST_SECONDS,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return True
        if done.returncode in (3, 4, 5):  # pytest could not do what it was asked to
            raise RuntimeError(done.stdout.decode()[-2000:] + done.stderr.decode()[-2000:])
        return done.returncode != 0


def is_killed(mutant: Mutant, whole: Path) -> bool:
    """Whether the test that the table names sees the mutant."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(Path(folder), whole)
        copy.put(mutant)
        killed = copy.fails([mutant.test])
    verdict = "killed  " if killed else "SURVIVED"
    seconds = time.monotonic() - began
    print(f"{verdict} {mutant.file:<20} {mutant.wrong} ({mutant.test}, {seconds:.0f} s)", flush=True)
    return killed


def misplaced() -> list[str]:
    """Mutants whose code is not in their function once, or whose test is not there."""
    wrong = []
    for mutant in (*MUTANTS, *EQUIVALENT):
        count = len(places.find(mutant.function, mutant.before))
        if count != 1:
            wrong.append(f"{mutant.function}: {mutant.before!r} is there {count} times, not once")
    for mutant in MUTANTS:
        if not (TESTS / mutant.test.partition("::")[0]).exists():
            wrong.append(f"{mutant.wrong}: there is no {mutant.test}")
    return wrong


def of_this_commit() -> str:
    """What a sample is drawn from: the commit, so that in time all mutants have their turn."""
    return run("git", "rev-parse", "HEAD").strip()[:12] if (ROOT / ".git").exists() else "no commit"


def tell(seconds: float) -> None:
    files = {mutant.place.path for mutant in MUTANTS}
    in_core = {path for path in files if path.suffix == ".h"}
    records.tell({
        "mutants": len(MUTANTS), "killed": len(MUTANTS), "equivalent": len(EQUIVALENT), "headers": len(in_core),
        "files_of_the_package": len(files - in_core), "seconds": round(seconds),
    })  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many at a time")
    parser.add_argument("--only", default="", help="mutants whose file or description has this")
    parser.add_argument("--sample", type=int, help="how many to try: other ones for each commit")
    parser.add_argument("--seed", default=of_this_commit(), help="repeats a sample")
    args = parser.parse_args()
    wrong = misplaced()
    if wrong:
        print("\n".join(wrong))
        return 1
    chosen = [mutant for mutant in MUTANTS if args.only in f"{mutant.file} {mutant.wrong}"]
    if args.sample is not None:
        print(f"a sample, --seed {args.seed}")
        chosen = random.Random(args.seed).sample(chosen, min(args.sample, len(chosen)))
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        whole = Copy(Path(folder))
        if whole.fails(sorted({mutant.test for mutant in chosen})):
            print("the tests fail on what is not broken")
            return 1
        with ThreadPoolExecutor(args.jobs) as jobs:
            killed = list(jobs.map(lambda mutant: is_killed(mutant, whole.folder), chosen))
    survived = killed.count(False)
    print(f"{len(chosen)} mutants, {sum(killed)} killed, {survived} survived")
    if not survived and len(chosen) == len(MUTANTS):
        tell(time.monotonic() - began)
    return 1 if survived or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
