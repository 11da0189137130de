"""Assertions for the test suites of kernel authors: layouts without conflicts, legal PTX, launches without findings.

Each raises AssertionError with a message that explains; whole PTX files become test items of their
own with `pytest -p warpsim.pytest_plugin`.
"""

from .asserts import assert_conflict_free, assert_legal
from .launches import assert_initialized, assert_no_findings, assert_no_races

__all__ = ["assert_conflict_free", "assert_initialized", "assert_legal", "assert_no_findings", "assert_no_races"]
