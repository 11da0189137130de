"""The header for Windows: clang, in the place of MSVC, takes it without a warning."""

import pytest

from tests.support.paths import INCLUDE
from tests.support.process import run
from tools.consumers import STRICT, need

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("language, standard", [("c", "c11"), ("c++", "c++14"), ("c++", "c++20")])
@pytest.mark.parametrize("machine", ["x86_64", "aarch64", "i686"])
def test_header_is_clean_with_the_types_of_windows(machine: str, language: str, standard: str) -> None:
    target = (f"--target={machine}-pc-windows-msvc", "-fms-compatibility-version=19.40")
    # freestanding: the headers that the core includes are the compiler's own
    flags = (*target, "-ffreestanding", "-fsyntax-only", f"-std={standard}", *STRICT)
    unit = "#include <warpsim/warpsim.h>\n"
    run(need("clang"), *flags, f"-I{INCLUDE}", "-x", language, "-", input=unit)
