"""C outside of CMake: how a test is compiled, for runs that compile many; the frames of functions."""

import re
from pathlib import Path

from tests.support.paths import C_TESTS

#: gcc also compiles functions that no public call reaches
EVERY = ("-fkeep-static-functions", "-fkeep-inline-functions")
MOST_FRAME = 64 * 1024  # bytes


def flags(test: str) -> list[str]:
    """What CMakeLists.txt gives to test_X.c: all but those that compare the levels are portable."""
    if test.endswith(".cpp"):
        return ["-std=c++20", "-DWS_NO_SIMD"]
    rule = re.search(r'concept MATCHES "(\S+)"', (C_TESTS / "CMakeLists.txt").read_text())
    assert rule is not None, "tests/c/CMakeLists.txt no longer says which tests compare the levels"
    concept = Path(test).stem.removeprefix("test_")
    return ["-std=c11", *([] if re.search(rule[1], concept) else ["-DWS_NO_SIMD"])]


def frames_in(usage: Path) -> list[int]:
    """The bytes of each function's frame, of a file of -fstack-usage."""
    return [int(line.split("\t")[1]) for line in usage.read_text().splitlines()]
