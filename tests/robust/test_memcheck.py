"""valgrind over some of the C tests, and what it must see; tools/memcheck.py has the long run."""

from pathlib import Path

import pytest

from tests.support import launches
from tests.support.evidence import compared
from tools import memcheck
from tools.consumers import need

pytestmark = pytest.mark.slow


def test_planted_errors_are_seen(tmp_path: Path) -> None:
    need("valgrind")
    assert memcheck.planted(tmp_path) == (True, True)


def test_launches_are_clean_and_what_nobody_wrote_is_seen() -> None:
    need("valgrind")
    assert memcheck.unwritten_in_a_launch("avx2")
    assert not memcheck.every_launch("portable")
    compared("kernels under valgrind", len(launches.LAUNCHES), at_least=9)


def test_programs_are_clean(tmp_path: Path) -> None:
    need("valgrind")
    programs = ("banks", "memory", "findings")
    for concept in programs:
        assert not memcheck.c_test(tmp_path, concept), concept
    compared("C programs under valgrind", len(programs), at_least=3)
