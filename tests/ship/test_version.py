"""The version is written once, in version.h: everything that states one says the same."""

import re
import shutil
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import warpsim as ws
from tests.support.paths import ROOT
from tests.support.process import run
from warpsim import paths

PARTS = ("MAJOR", "MINOR", "PATCH")
RELEASE = re.compile(r"\d+\.\d+\.\d+")

PROGRAM = """
#include <stdio.h>
#include <warpsim/base/version.h>
int main(void) {
    printf("%s %d.%d.%d", ws_version(), WS_VERSION_MAJOR, WS_VERSION_MINOR, WS_VERSION_PATCH);
    return 0;
}
"""


def from_c(folder: Path) -> list[str]:
    """What ws_version() and the three numbers say in a program of the installed header."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    assert compiler is not None, "a C compiler is needed"
    program = folder / "version"
    command = [compiler, f"-I{paths.includes()}", "-x", "c", "-", "-o", str(program)]
    run(*command, input=PROGRAM)
    return run(program).split()


def from_command_line() -> str:
    command = [sys.executable, "-m", "warpsim", "--version"]
    return run(*command)


def only(pattern: str, path: Path) -> str:
    """The one place of the file that has this form."""
    found = re.findall(pattern, path.read_text(), re.MULTILINE)
    assert len(found) == 1, f"{path.name}: {found}"
    return str(found[0])


def test_version_is_the_same_everywhere(tmp_path: Path) -> None:
    stated = {
        "__version__": ws.__version__,
        "metadata": version("warpsim"),
        "CMake": only(r'set\(PACKAGE_VERSION "(\d[^"]*)"\)', paths.cmake_dir() / "warpsimConfigVersion.cmake"),
        "pkg-config": only(r"^Version: (.+)$", paths.pkgconfig_dir() / "warpsim.pc"),
        "command line": from_command_line().split()[-1],
        "changelog": headings()[0][0],
    }
    stated["C"], stated["C numbers"] = from_c(tmp_path)
    assert set(stated.values()) == {ws.__version__}, stated
    assert RELEASE.fullmatch(ws.__version__)


def test_version_is_written_only_in_its_header() -> None:
    header = ROOT / "csrc" / "include" / "warpsim" / "base" / "version.h"
    numbers = [only(rf"^#define WS_VERSION_{part} (\d+)$", header) for part in PARTS]
    assert ".".join(numbers) == ws.__version__
    for path in (header, ROOT / "CMakeLists.txt", ROOT / "src" / "warpsim" / "__init__.py"):
        assert ws.__version__ not in path.read_text(), path
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["dynamic"] == ["version"]


def headings() -> list[tuple[str, list[str]]]:
    """The releases of the changelog, newest first, each with the headings inside."""
    releases: list[tuple[str, list[str]]] = []
    for line in (ROOT / "CHANGELOG.md").read_text().splitlines():
        if line.startswith("## "):
            releases.append((line.removeprefix("## "), []))
        elif line.startswith("### "):
            releases[-1][1].append(line.removeprefix("### "))
    return releases


def test_changelog_says_what_changed_in_the_model() -> None:
    releases = headings()
    assert releases
    for release, inside in releases:
        assert RELEASE.fullmatch(release), release
        assert inside.count("Model changes") == 1, release
    numbers = [tuple(map(int, release.split("."))) for release, _ in releases]
    assert numbers == sorted(set(numbers), reverse=True), "the newest release comes first"
