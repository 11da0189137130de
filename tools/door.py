"""The package of this checkout, its doors built without optimization: from an edit to its test in seconds.

    python3 -m tools.door                          build what has changed; then, in the shell that it tells:
    python3 -m pytest tests/kernels/test_forms.py
    python3 -m tools.door c/isa/test_isa.c         compile one C test with sanitizers, and run it

The package is in build/door. What is installed stays as it is.
"""

import hashlib
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

from tests.support.paths import ROOT, TESTS
from tools.mutation.copies import DOORS, FOLDERS, SANITIZERS, Copy

FOLDER = ROOT / "build" / "door"
C = (".h", ".inc", ".hpp", ".c")
CYTHON = (".pyx", ".pxi", ".pxd")


def digest(paths: Iterable[Path]) -> str:
    """Of these files: their names and what is in them."""
    found = hashlib.sha256()
    for path in sorted(paths):
        found.update(str(path).encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


def sources(door: str) -> list[Path]:
    """What an extension is built from."""
    headers = [path for path in (ROOT / FOLDERS[0]).rglob("*") if path.suffix in C]
    own = [path for path in (ROOT / FOLDERS[1] / f"_{door}").rglob("*") if path.suffix in (*C, *CYTHON)]
    shared = (ROOT / FOLDERS[1] / "_core" / "c").glob("*.h")
    return [*headers, *own, *shared]


def build() -> Path:
    """Brings the copy up to date; where its package is."""
    is_new = not FOLDER.exists()
    now = {door: digest(sources(door)) for door in DOORS}  # before the copy: what is edited meanwhile is built next
    copy = Copy(FOLDER)
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, FOLDER / folder, dirs_exist_ok=True)
    ignored = shutil.ignore_patterns("__pycache__", "*.so")
    shutil.copytree(ROOT / FOLDERS[1], copy.site / "warpsim", dirs_exist_ok=True, ignore=ignored)
    for door in DOORS:
        kept = FOLDER / f"{door}.digest"
        if not is_new and (not kept.exists() or kept.read_text() != now[door]):
            copy.transpile((door,))
            copy.build((door,))
        kept.write_text(now[door])
    return copy.site


def run(test: str) -> int:
    """Compiles a C test of this checkout, and runs it; its path may begin at the root or at tests."""
    path = test.removeprefix("tests/")
    if not (TESTS / path).is_file():
        sys.exit(f"{test}: there is no such file below {TESTS}; expected a C test, such as c/isa/test_isa.c")
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(Path(folder), build=False)
        return subprocess.run(copy.program(path, "-g", *SANITIZERS, "-UCHECK_STOPS"), check=False).returncode


def main() -> int:
    if sys.argv[1:]:
        return max(run(test) for test in sys.argv[1:])
    if find_spec("cython") is None and find_spec("Cython") is None:
        sys.exit("the doors are built by Cython: python3 -m pip install cython")
    print(f"export PYTHONPATH={shlex.quote(str(build()))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
