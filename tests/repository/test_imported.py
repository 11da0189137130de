"""The line that pytest's header has where the tests run on an older package than the checkout's."""

import os
from pathlib import Path

import pytest

from tests.support.paths import older_package

SOURCES = ("csrc/include/warpsim/run.h", "src/warpsim/report.py")
ENGINE = "_engine/engine.abi3.so"


def touch(path: Path, when: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    os.utime(path, (when, when))


def asked(root: Path, package: str, newer: str | None, door: bool = True) -> str | None:
    """Of a checkout whose sources are older than its packages, but for one."""
    for source in SOURCES:
        touch(root / source, 3 if source == newer else 1)
    for place in ("installed/warpsim", "build/door/site/warpsim") if door else ("installed/warpsim",):
        touch(root / place / ENGINE, 2)
    if door:
        touch(root / "build" / "door" / "engine.digest", 2)
    return older_package(root, root / package)


@pytest.mark.parametrize("package", ["installed/warpsim", "build/door/site/warpsim"])
@pytest.mark.parametrize("newer", SOURCES)
def test_an_older_package_is_told_with_what_to_do(tmp_path: Path, newer: str, package: str) -> None:
    text = asked(tmp_path, package, newer)
    older = f"which is older than {Path(newer).parts[0]}"
    assert text == f'warpsim is imported from {tmp_path}/{package}, {older}: eval "$(python3 -m tools.door)"'


def test_nothing_is_said_of_a_newer_package_or_without_build_door(tmp_path: Path) -> None:
    assert asked(tmp_path / "newer", "installed/warpsim", None) is None
    assert asked(tmp_path / "door", "build/door/site/warpsim", None) is None
    assert asked(tmp_path / "without", "installed/warpsim", SOURCES[0], door=False) is None
