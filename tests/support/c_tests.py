"""C outside of CMake: how a test is compiled, for runs that compile many; the frames of functions."""

import re
from pathlib import Path

from tests.support.paths import C_TESTS, HEADERS
from tests.support.process import run

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


def few_intrinsics(folder: Path, compiler: str) -> str:
    """The flag for an immintrin.h that only declares what the compiler's own defines, and of what has a mask less.

    To read the bodies is most of what gcc takes for a header. What is left out is an error where it is called.
    """
    text = run(compiler, "-E", "-P", "-dD", "-x", "c", "-", input="#include <immintrin.h>\n")
    named = set(re.findall(r"\b_mm\w+", "".join(path.read_text() for path in HEADERS.rglob("*.h"))))
    kept = re.findall(r"^typedef [^;{}]*__(?:v\d|m\d|mmask|bf)[^;{}]*;", text, re.M)
    call = r"^(extern) __inline ([\w *]+?)\s*__attribute__ ?\(\(.*?\)\)\s+(_mm\w+) ?(\([^{;]*?\))\s*\{"
    macro = r"^(#define) ()(_(?:mm|MM|CMP)\w+)(.*)$"
    for what, kind, name, rest in (*re.findall(call, text, re.M), *re.findall(macro, text, re.M)):
        if "_mask" not in name or name in named:
            kept.append(f"{what} {kind} {name}{rest}{';' * (what == 'extern')}")
    (folder / "immintrin.h").write_text("\n".join(["#pragma GCC system_header", *kept, ""]))
    return f"-isystem{folder}"
