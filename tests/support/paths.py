"""Where things lie in the checkout, and what its Python says."""

import ast
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
