"""Assertions for the test suites of kernel authors: layouts without conflicts, PTX that is legal.

Each raises AssertionError with a message that explains; whole PTX files become test items of their
own with `pytest -p warpsim.pytest_plugin`.
"""

from .asserts import assert_conflict_free, assert_legal

__all__ = ["assert_conflict_free", "assert_legal"]
