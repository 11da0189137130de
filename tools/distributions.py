"""The sdist and the wheel as they would be released, built from clean copies of what git tracks.

    python3 -m tools.distributions

builds both twice, makes a manylinux wheel of the wheel, installs it in fresh environments with the
oldest and the newest NumPy that it takes, and runs there what cibuildwheel runs.
"""

import argparse
import re
import shlex
import shutil
import sys
import tarfile
import tempfile
import tomllib
import venv
import zipfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from tests.support.paths import ROOT
from tests.support.process import BIN, run
from tools import records

EXTENSIONS = ("warpsim/_core/core.abi3.so", "warpsim/_engine/engine.abi3.so")


@dataclass(frozen=True)
class Built:
    """Two sdists and two wheels, of which all bytes should be equal."""

    sdists: tuple[Path, Path]
    wheels: tuple[Path, Path]
    """From the tree, and from the first sdist unpacked elsewhere."""
    folders: tuple[Path, ...]
    """Where they were built: nothing in them may name these."""


def configuration() -> dict[str, Any]:
    """pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


def tracked() -> list[str]:
    """The files that git tracks, as they are in the tree."""
    names = run("git", "ls-files", "-z").rstrip("\0").split("\0")
    return [name for name in names if (ROOT / name).exists()]


def copy_tree(folder: Path, names: Sequence[str]) -> Path:
    """A folder with these files of the tree and nothing else."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
    return folder


def build(kind: str, source: Path, out: Path, *settings: str) -> Path:
    """The "sdist" or "wheel" of the tree in `source`, made with the tools of this environment."""
    run(sys.executable, "-m", "build", "--no-isolation", f"--{kind}", *settings, "--outdir", out, source)
    (made,) = out.iterdir()
    return made


def unpack(sdist: Path, folder: Path) -> Path:
    """The tree inside an sdist."""
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    (tree,) = folder.iterdir()
    return tree


def are_installed(wheel: Path) -> bool:
    """Whether the installed package has the extensions of the wheel, byte for byte."""
    with zipfile.ZipFile(wheel) as archive:
        paths = {name: Path(str(metadata.distribution("warpsim").locate_file(name))) for name in EXTENSIONS}
        return all(path.exists() and path.read_bytes() == archive.read(name) for name, path in paths.items())


def build_twice(folder: Path, *, with_installed: bool = False) -> Built:
    """Both kinds, from two copies of the tree whose names differ.

    `with_installed`: the installed package counts as a build of the extensions, if it has the same bytes.
    """
    names = tracked()
    trees = [copy_tree(folder / name, names) for name in ("tree", "another tree")]
    first, second = (build("sdist", tree, folder / f"sdist of {tree.name}") for tree in trees)
    trees[1] = unpack(first, folder / "unpacked")

    def wheel(tree: Path, *settings: str) -> Path:
        return build("wheel", tree, folder / f"wheel of {tree.name}", *settings)

    if with_installed:
        of_sdist, settings = wheel(trees[1]), []
        if are_installed(of_sdist):
            package = metadata.distribution("warpsim").locate_file("warpsim")
            settings = [f"-Ccmake.define.WARPSIM_EXTENSIONS={package}"]
        return Built((first, second), (wheel(trees[0], *settings), of_sdist), (folder, *trees))
    with ThreadPoolExecutor() as pool:
        of_tree, of_sdist = pool.map(wheel, trees)
    return Built((first, second), (of_tree, of_sdist), (folder, *trees))


def repair(wheel: Path, out: Path) -> Path:
    """The wheel with the manylinux tag that its extension reaches."""
    run(BIN / "auditwheel", "repair", "--wheel-dir", out, wheel)
    (made,) = out.glob("*.whl")
    return made


def fresh_environment(folder: Path, *requirements: str | Path) -> Path:
    """The interpreter of a new virtual environment that has these, and what they need."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", *requirements)
    return python


def test_installed(wheel: Path, numpy: str, folder: Path) -> tuple[str, int]:
    """Runs cibuildwheel's tests of this wheel with this NumPy; its version, and how many passed."""
    settings = configuration()
    group = settings["dependency-groups"]["wheel"]
    python = fresh_environment(folder / "venv", wheel, numpy, *group)
    options = settings["tool"]["cibuildwheel"]
    names = [name for name in tracked() if name.split("/")[0] in options["test-sources"]]
    sources = copy_tree(folder / "sources", names)
    command = shlex.split(options["test-command"])
    assert command[0] == "python"
    printed = run(python, *command[1:], "-q", cwd=sources)
    summary = re.search(r"(\d+) passed", printed)
    assert summary, printed
    asked = "import numpy, warpsim; print(warpsim.__file__, numpy.__version__)"
    where, version = run(python, "-c", asked, cwd=sources).split()
    assert Path(where).is_relative_to(folder / "venv"), where
    return version, int(summary[1])


def measure(folder: Path) -> dict[str, int | float | str]:
    """The figures of the record."""
    built = build_twice(folder)
    repaired = repair(built.wheels[0], folder / "repaired")
    with zipfile.ZipFile(repaired) as archive:
        extension_bytes = sum(archive.getinfo(name).file_size for name in EXTENSIONS)
    figures: dict[str, int | float | str] = {
        "identical_sdists": len(built.sdists),
        "identical_wheels": len(built.wheels),
        "wheel_bytes": built.wheels[0].stat().st_size,
        "extension_bytes": extension_bytes,
        "sdist_bytes": built.sdists[0].stat().st_size,
        "manylinux_wheel": repaired.name,
    }
    for pair in (built.sdists, built.wheels):
        assert pair[0].read_bytes() == pair[1].read_bytes(), pair
    for name, numpy in (("oldest", "numpy==2.0.*"), ("newest", "numpy")):
        version, passed = test_installed(repaired, numpy, folder / name)
        figures |= {f"{name}_numpy": version, f"tests_passed_with_{name}_numpy": passed}
    return figures


def main() -> None:
    """Builds, tests and keeps the figures."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        records.tell(measure(Path(folder)))


if __name__ == "__main__":
    main()
