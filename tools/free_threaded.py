"""The tests on a CPython without a GIL, and some of them in eight threads at once.

`python3 -m tools.free_threaded --python python3.13t` makes an environment of that
interpreter, installs the package there, and runs what needs no browser and no notebook.
"""

import argparse
import re
import sys
import tempfile
from pathlib import Path

from tests.support.paths import ROOT, TESTS
from tests.support.process import run
from tools import records

THREADS = 8
NEEDS = (
    "numpy", "pytest", "pytest-xdist", "hypothesis", "ml_dtypes", "rich", "loky", "cython",
    "jsonschema", "html5lib", "shtab>=1.13,<1.14", "nvidia-cuda-nvrtc>=13.0",
)  # fmt: skip

#: tests of other things than the package in this interpreter
LEFT_OUT = (
    "completion", "docs", "examples", "generated", "mutants", "pages", "structure", "trust",
)  # fmt: skip

#: tests that may run beside themselves: they change no setting of the process
IN_THREADS = ("contract", "execute_measured", "fragments", "layout", "tiles")


def environment(interpreter: str, folder: Path) -> Path:
    """The interpreter of a new environment that has the package."""
    run(interpreter, "-m", "venv", folder)
    python = folder / "bin" / "python"
    run(python, "-m", "pip", "install", "-q", "--prefer-binary", *NEEDS, ROOT)
    code = "import sys, warpsim; assert not sys._is_gil_enabled(), 'the GIL is on'"
    run(python, "-W", "error", "-c", code)
    return python


def passed(python: Path, names: list[str], *options: str) -> int:
    """How many tests of these files passed; all must."""
    files = [next(TESTS.rglob(f"test_{name}.py")) for name in names]
    printed = run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, *files)
    found = re.search(r"(\d+) passed", printed)
    assert found is not None, printed
    return int(found[1])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--python", required=True, help="an interpreter without a GIL")
    wanted = parser.parse_args()
    names = sorted(path.stem.removeprefix("test_") for path in TESTS.rglob("test_*.py"))
    with tempfile.TemporaryDirectory() as folder:
        python = environment(wanted.python, Path(folder))
        figures: dict[str, int | str] = {
            "python": run(python, "-VV").strip(),
            "tests_passed": passed(python, [name for name in names if name not in LEFT_OUT]),
            "threads": THREADS,
        }
        run(python, "-m", "pip", "install", "-q", "pytest-run-parallel")
        figures["tests_passed_in_threads"] = passed(python, list(IN_THREADS), "-n0", f"--parallel-threads={THREADS}")
    records.tell(figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
