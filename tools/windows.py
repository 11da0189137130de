"""The C tests compiled for Windows by mingw-w64, and run there by wine.

    python3 -m tools.windows

takes Debian's packages g++-mingw-w64-x86-64-posix and wine64.
"""

import argparse
import os
import re
import shutil
import tempfile
from pathlib import Path

from tests.support.paths import ROOT
from tests.support.process import run
from tools import records

COMPILER = "x86_64-w64-mingw32"


def program(*names: str) -> str:
    """The first of these that is there."""
    found = [path for name in names if (path := shutil.which(name))]
    assert found, f"one of these is needed: {', '.join(names)}"
    return found[0]


def measure(folder: Path) -> dict[str, int]:
    """How many programs ran, and what they checked."""
    options = {
        "CMAKE_SYSTEM_NAME": "Windows",
        "CMAKE_C_COMPILER": program(f"{COMPILER}-gcc"),
        "CMAKE_CXX_COMPILER": program(f"{COMPILER}-g++"),
        "CMAKE_EXE_LINKER_FLAGS": "-static",
        "CMAKE_CROSSCOMPILING_EMULATOR": program("wine64", "wine", "/usr/lib/wine/wine64"),
        "WARPSIM_TESTS": "ON",
    }
    os.environ |= {"WINEPREFIX": str(folder / "wine"), "WINEDEBUG": "-all"}
    defined = [f"-D{name}={value}" for name, value in options.items()]
    run("cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", *defined)
    run("cmake", "--build", folder)
    printed = run("ctest", "--test-dir", folder, "--verbose", "--no-tests=error")
    counts = re.findall(r"(\d+) checks, (\d+) failed", printed)
    passed = re.findall(r"Test +#\d+: \S+ \.+ +Passed", printed)
    assert counts and passed, printed
    return {
        "programs": len(passed),
        "checks": sum(int(checks) for checks, _ in counts),
        "failed_checks": sum(int(failed) for _, failed in counts),
    }


def main() -> None:
    """Builds, runs and keeps the figures."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        records.tell(measure(Path(folder)))


if __name__ == "__main__":
    main()
