"""Where things lie in the checkout, what its Python says, and whether the package that the tests import is older."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
TRUTH = TESTS / "truth"
C_TESTS = TESTS / "c"
INCLUDE = ROOT / "csrc" / "include"
HEADERS = INCLUDE / "warpsim"
PACKAGE = ROOT / "src" / "warpsim"
DOCS = ROOT / "docs"
EXAMPLES = ROOT / "examples"


@cache
def syntax(text: str) -> ast.Module:
    """The tree of a Python text; many guards walk the same ones, and none changes them."""
    return ast.parse(text)


SOURCES = (".h", ".inc", ".hpp", ".c", ".py", ".pyx", ".pxi", ".pxd")


def times(folder: Path) -> Iterator[float]:
    """When each source in the folder was changed."""
    return (path.stat().st_mtime for path in folder.rglob("*") if path.suffix in SOURCES)


def older_package(root: Path, package: Path) -> str | None:
    """A line for those who have built build/door, and whose shell imports an older package than the checkout's."""
    door = root / "build" / "door"
    site = door / "site"
    if not site.is_dir():
        return None
    if package.resolve().is_relative_to(site.resolve()):
        marks = list(door.glob("*.digest"))  # an extension stays where its sources are what they were
    else:
        marks = [path for path in (package / "_engine").glob("engine.*") if path.suffix in (".so", ".pyd")]
    built = min((path.stat().st_mtime for path in marks), default=float("inf"))
    for folder in ("csrc", "src"):
        if max(times(root / folder), default=0.0) > built:
            return f'warpsim is imported from {package}, which is older than {folder}: eval "$(python3 -m tools.door)"'
    return None
