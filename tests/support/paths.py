"""Where things lie in the checkout."""

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
