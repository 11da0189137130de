"""ThreadSanitizer over the core, the thread pool and the extension, and races that it must see.

`python3 -m tools.thread_sanitizer` takes some ten minutes: it builds the extension, and a
copy with a race in its pool, with -fsanitize=thread, and lets many Python threads share objects.
`--python` names another interpreter, such as a free-threaded one built --with-thread-sanitizer.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from tests.support import launches
from tests.support.paths import ROOT, TESTS
from tests.support.process import ended, run
from tools import records
from tools.consumers import need

HERE = TESTS / "threads"
REPORT = "WARNING: ThreadSanitizer:"

GO = "        PyThread_release_lock(worker->go);\n"

#: what is broken -> text of pool.h, and what replaces it
RACES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "two batches share the workers": (
        (" || !PyThread_acquire_lock(pool->busy, NOWAIT_LOCK)", ""),
        ("    PyThread_release_lock(pool->busy);\n", ""),
    ),
    "a worker starts before it knows its part": (
        (GO, ""),
        ("        worker->task = task;\n", f"{GO}        worker->task = task;\n"),
    ),
    "the caller does not wait for its workers": (
        ("    for (i = 1; i < parts; i++) ws_pool_wait(pool->worker[i - 1]->done);\n", ""),
        ("        PyThread_release_lock(worker->done);\n", ""),
    ),
}  # fmt: skip


#: a header of the core, text of it, and what replaces it: atomics of several threads hold no lock
UNLOCKED = ("run/output.h", "lock != NULL && __atomic_test_and_set(lock, __ATOMIC_ACQUIRE)", "lock != NULL && false")


def reports_in(done: subprocess.CompletedProcess[str]) -> int:
    """How many reports the program got; a program that failed otherwise is an error."""
    found = done.stderr.count(REPORT)
    assert found or done.returncode == 0, f"{done.args}\n{done.stdout}\n{done.stderr[-4000:]}"
    return found


def planted(name: str) -> str:
    """pool.h with a race in it."""
    text = (ROOT / "src" / "warpsim" / "_core" / "c" / "pool.h").read_text()
    for old, new in RACES[name]:
        assert text.count(old) == 1, f"{name}: pool.h has {old!r} {text.count(old)} times"
        text = text.replace(old, new)
    return text


def core_program(folder: Path, pool: Path, *flags: str, rounds: int = 4, tries: int = 1) -> int:
    """Reports of a C program in which threads share an op, a memory, layouts and a pool.

    Which threads meet is chance: a race that is known to be there may take several `tries`.
    """
    program = folder / f"{pool.name}_threads"
    includes = [f"-I{HERE}", f"-I{pool}", f"-I{ROOT / 'csrc' / 'include'}"]
    strict = ["-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-g", "-fsanitize=thread"]
    source = [HERE / "pool.c", "-o", program, "-lpthread"]
    run(need("gcc"), *strict, *flags, *includes, *source)
    found = 0
    while not found and tries:
        done = ended(program, str(rounds), TSAN_OPTIONS="halt_on_error=1")
        found, tries = reports_in(done), tries - 1
    return found


def core_races(folder: Path) -> int:
    """How many of the races that are planted in a copy of pool.h are reported: all of them."""
    for i, name in enumerate(RACES):
        copy = folder / f"race_{i}"
        copy.mkdir()
        (copy / "pool.h").write_text(planted(name))
        assert core_program(folder, copy, "-O0", "-DWS_NO_SIMD", tries=20), f"{name}: not seen"
    return len(RACES)


def asked(python: str, variable: str) -> str:
    """What the interpreter was built with."""
    code = f"import sysconfig; print(sysconfig.get_config_var({variable!r}))"
    return run(python, "-c", code).strip()


def extension(python: str, source: Path, where: Path) -> Path:
    """Builds the package with a ThreadSanitizer in its extension; gives the folder it is in."""
    defined = ["WARPSIM_SANITIZE=thread", f"CMAKE_C_COMPILER={asked(python, 'CC').split()[0]}"]
    options = ["cmake.build-type=Debug", "wheel.py-api=", f"build-dir={where}-build"]
    options += [f"cmake.define.{define}" for define in defined]
    command = [python, "-m", "pip", "install", "-q", "--no-deps", "--target", where]
    run(*command, *(f"-C{option}" for option in options), source)
    return where


def python_program(python: str, package: Path, script: str, *arguments: str) -> int:
    """Reports of a Python program that uses that build of the package."""
    environment = {
        "PYTHONPATH": f"{package}{os.pathsep}{ROOT}",
        "TSAN_OPTIONS": "halt_on_error=1",  # a broken pool may wait for ever
    }
    if "thread-sanitizer" not in asked(python, "CONFIG_ARGS"):
        runtime = run("gcc", "-print-file-name=libtsan.so").strip()
        environment["LD_PRELOAD"] = runtime
    done = ended(python, "-m", script, *arguments, **environment)
    if done.stderr:
        print(done.stderr)
    return reports_in(done)


def copy_with_a_race(folder: Path) -> Path:
    """The source tree, its pool broken, and the lock of atomics."""
    copy = folder / "source"
    ignored = shutil.ignore_patterns("build", "tests", "docs", ".*", "__pycache__")
    shutil.copytree(ROOT, copy, ignore=ignored)
    (copy / "src" / "warpsim" / "_core" / "c" / "pool.h").write_text(planted("two batches share the workers"))
    name, old, new = UNLOCKED
    header = copy / "csrc" / "include" / "warpsim" / name
    text = header.read_text()
    assert text.count(old) == 1, f"{name} has {old!r} {text.count(old)} times"
    header.write_text(text.replace(old, new))
    return copy


def all_of_it(python: str, rounds: int) -> dict[str, int | str]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        found = {"c_reports": core_program(folder, ROOT / "src" / "warpsim" / "_core" / "c", "-O1", rounds=20)}
        races = core_races(folder)
        package = extension(python, ROOT, folder / "package")
        found["first_use_reports"] = python_program(python, package, "tests.support.together")
        sharing = "tests.support.sharing"
        found["python_reports"] = python_program(python, package, sharing, str(rounds))
        found["launch_reports"] = python_program(python, package, "tests.support.launches", str(10 * rounds))
        broken = extension(python, copy_with_a_race(folder), folder / "broken")
        assert python_program(python, broken, sharing, "1"), "the race in the pool: not seen"
        assert python_program(python, broken, "tests.support.launches", "3"), "the race of atomics: not seen"
    planted = {"races_planted": races + 2, "races_seen": races + 2}
    kernels = len(launches.LAUNCHES)
    return {"python": run(python, "-VV").strip(), "rounds": rounds, "kernels": kernels, **planted, **found}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--python", default=sys.executable, help="the interpreter (this one)")
    parser.add_argument("--rounds", type=int, default=2, help="how often each part is done (2)")
    wanted = parser.parse_args()
    figures = all_of_it(wanted.python, wanted.rounds)
    records.tell(figures)
    return int(any(value for key, value in figures.items() if key.endswith("reports")))


if __name__ == "__main__":
    sys.exit(main())
