"""All consumers in a clean machine image: a minimal Debian with a compiler, CMake and Python.

`python3 -m tools.clean_image FOLDER` makes the image with debootstrap where FOLDER has none (as
root), installs the wheel of this checkout there without a network, and runs the consumers' tests.
"""

import argparse
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.support.paths import ROOT
from tests.support.process import run
from tools import records

SUITE, PYTHON = "bookworm", "3.11"
#: what the image has beyond a minimal Debian
PACKAGES = [
    "gcc", "g++", "libc6-dev", "make", "cmake", "pkgconf", "python3", "python3-dev", "python3-pip", "python3-venv",
]  # fmt: skip
#: what the tests take beyond warpsim
WHEELS = ["numpy", "pytest", "pytest-xdist", "setuptools", "cython", "cython-cmake", "scikit-build-core", "ninja"]
#: where all of it lies in the image
PLACE = "/opt/checked"
TESTS = ("tests/ship/test_consumers.py", "tests/ship/test_cython_consumers.py")


def fill(image: Path) -> None:
    """A copy of the commit's files, the wheel and what the tests take, in the image."""
    work = image / PLACE.lstrip("/")
    (work / "warpsim").mkdir(parents=True, exist_ok=True)
    tree = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, capture_output=True)
    subprocess.run(["tar", "-x", "-C", work / "warpsim"], input=tree.stdout, check=True)
    pip = (sys.executable, "-m", "pip")
    run(*pip, "wheel", "-q", "--no-deps", "-w", work / "wheels", str(ROOT))
    only = ("--only-binary=:all:", "--python-version", PYTHON)
    run(*pip, "download", "-q", *only, "-d", work / "wheels", *WHEELS)


def test(image: Path, more: Sequence[str]) -> int:
    """Runs the tests in the image, in an empty environment; how many passed."""
    wheels = " ".join(WHEELS)
    pip = f"{PLACE}/venv/bin/pip install -q -U --no-index -f {PLACE}/wheels warpsim"
    install = f"python3 -m venv {PLACE}/venv && {pip} {wheels}"
    path = f"PATH={PLACE}/venv/bin:/usr/bin:/bin"
    command = ["chroot", str(image), "/usr/bin/env", "-i", path, "HOME=/root", "LANG=C.UTF-8"]
    run(*command, "sh", "-c", install)
    pytest = ("python", "-m", "pytest", "-q", "-m", "''", "-p", "no:cacheprovider", *TESTS, *more)
    command += ["sh", "-c", f"cd {PLACE}/warpsim && {' '.join(pytest)}"]
    printed = run(*command)
    print(printed)
    found = re.search(r"(\d+) passed", printed)
    assert found, "no test has run"
    return int(found[1])


def main() -> None:
    """Makes the image, fills it, tests in it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("image", type=Path, help="folder of the image; kept for the next run")
    parser.add_argument("--mirror", action="append", default=[], help="of Debian's packages")
    given, more = parser.parse_known_args()
    begin = time.monotonic()
    if not (given.image / "usr" / "bin" / "cmake").exists():
        wanted = f"--include={','.join(PACKAGES)}"
        run("debootstrap", "--variant=minbase", wanted, SUITE, given.image, *given.mirror)
    fill(given.image)
    passed = test(given.image, more)
    if not more:
        records.tell({"tests_passed": passed, "seconds": round(time.monotonic() - begin)})


if __name__ == "__main__":
    main()
