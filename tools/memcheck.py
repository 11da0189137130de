"""valgrind over the C tests and over every form and entry point of the extension.

`python3 -m tools.memcheck` takes some half hour. What CPython and NumPy do by themselves is not counted: of Python
runs, those errors and leaks are whose stack goes through the extension. valgrind knows no AVX-512, and shows the
programs a CPU without it: the highest level is avx2.
"""

import argparse
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.support import launches
from tests.support.paths import C_TESTS, INCLUDE, ROOT
from tests.support.process import run
from tools import records
from tools.consumers import need

LEVELS = ("portable", "sse2", "avx2")
LEAK = "Leak_DefinitelyLost"
PARTS = ("fn", "file", "line", "obj")

#: functions whose answer does not depend on what was never written
HARMLESS = (
    "maybe_small_long",  # CPython 3.11's: the first digit of an int of none, as `0 & 2**33` is, times zero
    "ws_return_equal",  # asked of all lanes; the answer of those that do not return is masked
)
INNERMOST = 3  # frames: what such a function calls is inlined, and shown

#: C programs that compare the levels; the others are of one
OF_ALL_LEVELS = ("passes", "rows", "search")


@dataclass(frozen=True)
class Error:
    """One error or leak, and where."""

    kind: str
    text: str
    bytes: int
    frames: tuple[str, ...]

    def __str__(self) -> str:
        return "\n    ".join([f"{self.kind}: {self.text}", *self.frames[:12]])


def errors_of(report: Path) -> Iterator[Error]:
    """What an XML report of valgrind has."""
    for found in ET.parse(report).getroot().iter("error"):
        frames = tuple(
            "{} ({}:{}) in {}".format(*(frame.findtext(part) for part in PARTS)) for frame in found.iter("frame")
        )
        text = found.findtext("what") or found.findtext("xwhat/text") or ""
        lost = int(found.findtext("xwhat/leakedbytes") or 0)
        yield Error(found.findtext("kind") or "?", text, lost, frames)


def watched(program: Sequence[str | Path], within: str = "", **environment: str) -> list[Error]:
    """Errors of a program under valgrind, of those whose stack has `within`; it must succeed."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        valgrind = ["valgrind", "--xml=yes", f"--xml-file={report}", "--leak-check=full"]
        valgrind += ["--errors-for-leak-kinds=definite", "--show-leak-kinds=definite"]
        valgrind += ["--num-callers=40", "--error-limit=no", "-q"]
        run(*valgrind, *program, **environment)
        return [error for error in errors_of(report) if within in "".join(error.frames) and not is_harmless(error)]


def is_harmless(error: Error) -> bool:
    return any(frame.startswith(f"{name} ") for frame in error.frames[:INNERMOST] for name in HARMLESS)


def compiled(folder: Path, source: Path, *flags: str) -> Path:
    program = folder / source.stem
    run(need("gcc"), "-std=c11", "-O1", "-g", *flags, f"-I{INCLUDE}", f"-I{C_TESTS}", source, "-o", program)
    return program


def c_test(folder: Path, concept: str) -> list[Error]:
    """Errors of one program of tests/c, built without sanitizers."""
    flags = () if concept in OF_ALL_LEVELS else ("-DWS_NO_SIMD",)
    return watched([compiled(folder, next(C_TESTS.rglob(f"test_{concept}.c")), *flags)])


def concepts() -> list[str]:
    return sorted(path.stem.removeprefix("test_") for path in C_TESTS.rglob("test_*.c"))


PLANTED = """#include <stdlib.h>
#include <warpsim/warpsim.h>
int main(void) {
    const ws_op op = ws_op_none();
    uint32_t *address = (uint32_t *)malloc(WS_LANES * sizeof *address);
    ws_access access = ws_access_make(address, 1);
    ws_counts counts = {0, 0, 0, 0, 0, 0};
    ws_op load = op;
    ws_parse("ld.shared.b32", &load, NULL);
    ws_count(&load, &access, &counts, NULL);
    address = NULL;
    return counts.wavefronts == 99;
}
"""


def planted(folder: Path) -> tuple[bool, bool]:
    """Are a read of what was never written, and a block that is lost, seen?"""
    source = folder / "planted.c"
    source.write_text(PLANTED)
    kinds = {error.kind for error in watched([compiled(folder, source, "-DWS_NO_SIMD")])}
    return "UninitCondition" in kinds, LEAK in kinds


def every_call(level: str) -> list[Error]:
    """Errors of the extension while every question of every_call.py is asked."""
    ask = "from tests.support import every_call\nfor ask in every_call.questions().values():\n    ask()"
    return of_extension(f"import gc\n{ask}\ngc.collect()", level)


def every_launch(level: str) -> list[Error]:
    """Errors of the extensions while kernels of every part of the engine run, on one thread and on two."""
    ask = "from tests.support import launches\nfor ask in launches.LAUNCHES.values():\n    ask()\n    ask(threads=2)"
    return of_extension(f"import gc\n{ask}\ngc.collect()", level, "engine.")


def unwritten_in_a_launch(level: str) -> bool:
    """Is it seen that a loop of a kernel depends on memory that nobody wrote?"""
    code = (
        "import numpy\nfrom tests.support import launches\n"
        "grid, block, arrays, _ = launches.KERNELS['atomics']\nwords = [*arrays()]\n"
        "words[4] = numpy.empty(1 << 20, 'u2')\nlaunches.module()['atomics'](grid, block, words)"
    )
    return any(error.kind == "UninitCondition" for error in of_extension(code, level, "engine."))


def unwritten(level: str) -> bool:
    """Is it seen that addresses were never written?"""
    code = "import numpy, warpsim; warpsim.Ldmatrix(num=4).traffic(numpy.empty((3333, 32), 'u4'))"
    return any(error.kind == "UninitCondition" for error in of_extension(code, level))


def of_extension(code: str, level: str, within: str = "core.") -> list[Error]:
    return watched(
        [sys.executable, "-c", code], within=within, PYTHONMALLOC="malloc", PYTHONPATH=str(ROOT), WARPSIM_SIMD=level
    )


def told(part: tuple[str, Callable[[], list[Error]]]) -> list[Error]:
    """What a part found; said at once, since all of them take long."""
    name, look = part
    begin = time.monotonic()
    found = look()
    print(f"{name}: {len(found)} in {time.monotonic() - begin:.0f} s", *found, sep="\n", flush=True)
    return found


def all_of_it() -> tuple[dict[str, int | str], list[Error]]:
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(2) as pool:
        folder = Path(name)
        assert planted(folder) == (True, True), "what was planted was not seen"
        assert all(pool.map(unwritten, LEVELS)), "addresses that nobody wrote were not seen"
        assert unwritten_in_a_launch(LEVELS[-1]), "an argument that nobody wrote was not seen"
        parts = [(concept, partial(c_test, folder, concept)) for concept in concepts()]
        parts += [(f"calls, {level}", partial(every_call, level)) for level in LEVELS]
        parts += [(f"launches, {level}", partial(every_launch, level)) for level in LEVELS]
        runs = list(pool.map(told, parts))
    found = [error for run in runs for error in run]
    figures: dict[str, int | str] = {
        "programs": len(runs),
        "kernels": len(launches.LAUNCHES),
        "levels": ", ".join(LEVELS),
        "errors": sum(error.kind != LEAK for error in found),
        "definitely_lost_bytes": sum(error.bytes for error in found),
        "planted": 3 + len(LEVELS),
        "planted_seen": 3 + len(LEVELS),
    }
    return figures, found


def main() -> int:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter).parse_args()
    figures, found = all_of_it()
    records.tell(figures)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
