"""Texts and pictures against golden files."""

from pathlib import Path

import pytest

from tests.support.paths import TESTS

GOLDENS = TESTS / "goldens"


def assert_golden(name: str, contents: str, folder: Path = GOLDENS) -> None:
    """Compares with goldens/<name>; a differing result is left beside it for review."""
    golden = folder / name
    if golden.exists() and golden.read_bytes() == contents.encode():
        return
    new = golden.with_suffix(f".new{golden.suffix}")
    new.write_bytes(contents.encode())
    pytest.fail(f"this is not the golden one: compare {new} with {golden}")
