"""valgrind over some of the C tests, and what it must see; tools/memcheck.py has the long run."""

import sys
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


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="later ones write the digit")
def test_what_cpython_reads_and_multiplies_by_zero_is_no_error() -> None:
    """Of an int that is 0, without the extension. Whatever calls such a function from afar is an error still."""
    need("valgrind")
    zero = "[int('12345678901') - 12345678901 & 2**33 - 1]"
    assert memcheck.watched([sys.executable, "-S", "-c", zero], "long_bitwise", PYTHONMALLOC="malloc") == []
    frame = "maybe_small_long (longobject.c:71) in libpython3.11.so.1.0"
    assert memcheck.is_harmless(memcheck.Error("UninitCondition", "", 0, (frame,)))
    assert not memcheck.is_harmless(memcheck.Error("UninitCondition", "", 0, ("f (a.c:1) in core.so",) * 3 + (frame,)))
