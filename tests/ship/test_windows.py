"""The header for Windows: clang, in the place of MSVC, takes it without a warning."""

import os
import shutil

import pytest

from tests.support.paths import INCLUDE
from tests.support.process import run

pytestmark = pytest.mark.slow

STRICT = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror")


@pytest.mark.parametrize("language, standard", [("c", "c11"), ("c++", "c++14"), ("c++", "c++20")])
@pytest.mark.parametrize("machine", ["x86_64", "aarch64", "i686"])
def test_header_is_clean_with_the_types_of_windows(machine: str, language: str, standard: str) -> None:
    clang = shutil.which("clang")
    if clang is None and "CI" not in os.environ:
        pytest.skip("no clang on this machine")
    assert clang is not None, "clang is needed to look at the header as MSVC does"
    target = (f"--target={machine}-pc-windows-msvc", "-fms-compatibility-version=19.40")
    # freestanding: the headers that the core includes are the compiler's own
    flags = (*target, "-ffreestanding", "-fsyntax-only", f"-std={standard}", *STRICT)
    unit = "#include <warpsim/warpsim.h>\n"
    run(clang, *flags, f"-I{INCLUDE}", "-x", language, "-", input=unit)
