"""What a file costs to compile that parses, executes, counts and asks for a cost, and one that uses warpsim.hpp.

    python3 -m benchmarks.compile_time

prints CPU seconds and peak memory of each compiler at -O2: the best of five.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.support.paths import C_TESTS, EXAMPLES, HEADERS, INCLUDE

USER = C_TESTS / "embed" / "embed_b.c"
UNIT = HEADERS / "warpsim.c"
CPP = EXAMPLES / "embed_cpp" / "conflicts.cpp"
ASSERTED = C_TESTS / "cpp" / "asserted.cpp"
COMPILERS = {"gcc": (), "g++": ("-x", "c++"), "clang": (), "clang++": ("-x", "c++"), "nvcc": ("-x", "cu")}
#: what is compiled: its name, its file, its macro
KINDS = {
    "headers alone": (USER, ()),
    "portable headers": (USER, ("-DWS_NO_SIMD",)),
    "declarations": (USER, ("-DWARPSIM_COMPILED",)),
    "the compiled unit": (UNIT, ()),
    "warpsim.hpp": (CPP, ()),
    "warpsim.hpp, declarations": (CPP, ("-DWARPSIM_COMPILED",)),
    "static_assert": (ASSERTED, ("-DWARPSIM_COMPILED",)),
}
#: a process of its own: one that starts a compiler lends it the peak of its own memory
MEASURE = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1e6)
"""


def measured(*command: str | Path) -> tuple[float, float]:
    """CPU seconds and peak gigabytes of a command."""
    told = [sys.executable, "-S", "-c", MEASURE, *map(str, command)]
    done = subprocess.run(told, capture_output=True, text=True, check=True)
    seconds, gigabytes = map(float, done.stdout.split())
    return seconds, gigabytes


def is_for(compiler: str, kind: str) -> bool:
    """Whether the compiler takes the language of the kind."""
    return COMPILERS[compiler] != () or KINDS[kind][0].suffix == ".c"


def compiled(compiler: str, kind: str, to: Path) -> tuple[float, float]:
    """CPU seconds and peak gigabytes of compiling one kind."""
    source, macros = KINDS[kind]
    standard = "c11" if COMPILERS[compiler] == () else "c++20" if source == ASSERTED else "c++17"
    flags = (*COMPILERS[compiler], f"-std={standard}", "-O2", f"-I{INCLUDE}", *macros)
    return measured(compiler, *flags, "-c", source, "-o", to)


def main() -> None:
    """Prints a table."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    print(f"{'':10}" + "".join(f"{kind:>27}" for kind in KINDS))
    with tempfile.TemporaryDirectory() as folder:
        for compiler in filter(shutil.which, COMPILERS):
            cells = []
            for kind in KINDS:
                if not is_for(compiler, kind):
                    cells.append("-")
                    continue
                runs = [compiled(compiler, kind, Path(folder) / "out.o") for _ in range(5)]
                seconds, gigabytes = (min(column) for column in zip(*runs, strict=True))
                cells.append(f"{seconds:.2f} s, {gigabytes:.2f} GB")
            print(f"{compiler:10}" + "".join(f"{cell:>27}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
