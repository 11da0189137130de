"""How much of the core and of the package the tests run, line by line.

    python3 -m tools.coverage_run [--jobs N] [--folder FOLDER]

The C tests and the extensions are compiled for gcov, the package is watched by coverage.py, and every test file runs,
of most without the slow tests. A line of the core counts wherever it is compiled, also where nothing calls it. With a
folder, a run goes on where another of the same csrc and src has ended: a test file that has passed runs again if it has
changed. Exit status 1 where less than LEAST_PERCENT of either is run, where a line of the core is not run and UNREACHED
does not say why, or where UNREACHED has a line that is run. Needs gcc, gcovr and coverage 7.10 or later.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from tests.support import c_tests
from tests.support.paths import C_TESTS, INCLUDE, PACKAGE, ROOT, TESTS
from tests.support.process import run
from tools import records
from tools.mutation.copies import DOORS

CC = os.environ.get("CC", "gcc")
LEAST_PERCENT = 98.0

#: tests that look at files, compilers or speed, and run nothing of the package that others do not
ELSEWHERE = {
    "test_benchmarks.py", "test_docs.py", "test_notebook.py", "test_structure.py", "test_trust.py",
}  # fmt: skip

#: folders of tests whose slow ones run here, too: those of others start programs of their own, which nobody counts
IN_PROCESS = {
    "capture", "cli", "compile", "kernels", "lint", "mma", "model", "planted", "sweep", "tile", "waiting", "wgmma",
}  # fmt: skip

MACHINE = "this machine has"
NO_X86 = "runs only on machines other than x86; tools/cross.py covers it"

#: (header, text of the line, why no test on this machine reaches it)
UNREACHED = [
    ("lint/refused.h", "ws_lint_end_at(lint, rule, statement->opcode, &text);",
     "every parser error has a column; kept because a position in the text is computed from it"),
    ("lint/refused.h", "return;", "the same"),
    ("simd/level.h", 'return __builtin_cpu_supports("avx2") ? WS_SIMD_AVX2 : WS_SIMD_SSE2;',
     f"{MACHINE} AVX-512"),
    ("simd/swizzle.h", "ws_bit_move_portable(move, offset, n, address);", NO_X86),
    ("decode/decoder.h",
     'ws_decode_refuse(decoder, decoder->statement->at, "this kernel has too many constants");',
     "ws_decode_room gives room for two constants of each operand, and no operand needs more; a guard"),
    ("decode/decoder.h",
     "return WS_ROW_REF(WS_BLOCK_ROWS, 0);",
     "the same"),
    ("decode/form.h",
     'else ws_decode_refuse(decoder, decoder->statement->at, "too many operands");',
     "no form has more than five sources, which is what a step takes; a guard against a new row"),
    ("decode/form.h",
     'else ws_decode_refuse(decoder, decoder->statement->at, "too many destinations");',
     "no form has more than two destinations, which is what a step takes; a guard against a new row"),
    ("decode/form.h",
     'default: ws_decode_refuse(decoder, item->at, "this operand is not understood");',
     "no form that is decoded here has an operand of another letter; a guard against a new row"),
    ("decode/matrix.h",
     'ws_decode_refuse(decoder, statement->at, "this kernel has too many matrix instructions");',
     "ws_decode_room gives room for one of each statement, and each adds at most one; a guard"),
    ("decode/matrix.h",
     "return true;",
     "the same"),
    ("number/bits.h",
     "static inline float ws_float_root(float x) { return x; }",
     "compiled where WS_HAS_ROOT is 0, and its callers then take the exact root"),
    ("number/bits.h",
     "static inline double ws_double_root(double x) { return x; }",
     "the same"),
    ("run/special.h",
     "default: return 0;",
     "asked only for registers of WS_KNOWN_BLOCK, and each of those has a case before it"),
    ("simd/passes_block.h",
     "return true;",
     "ws_v_is_conflict_free_sse2 always says no: there, sorting is as fast as to look first"),
    ("simd/rows_block.h",
     "WS_ON void WS_R(load4_trans)(const ws_rows *rows, const uint32_t *offset, uint32_t *to, size_t lane_words) {",
     "of the level avx2, which loads rows of 6 bits alone: no form of those has 8x8 matrices that turn"),
    ("simd/rows_block.h",
     "for (k = 0; k < 4; k++) {",
     "the same"),
    ("simd/rows_block.h",
     "for (i = 0; i < 4; i++) {",
     "the same"),
    ("simd/rows_block.h",
     "const __m128i even = WS_R(get)(rows->bytes + offset[8 * i + 2 * k]);",
     "the same"),
    ("simd/rows_block.h",
     "const __m128i odd = WS_R(get)(rows->bytes + offset[8 * i + 2 * k + 1]);",
     "the same"),
    ("simd/rows_block.h",
     "low[i] = _mm_unpacklo_epi16(even, odd);",
     "the same"),
    ("simd/rows_block.h",
     "high[i] = _mm_unpackhi_epi16(even, odd);",
     "the same"),
    ("simd/rows_block.h",
     "WS_R(turn4)(&low[0], &low[1], &low[2], &low[3]);",
     "the same"),
    ("simd/rows_block.h",
     "WS_R(turn4)(&high[0], &high[1], &high[2], &high[3]);",
     "the same"),
    ("simd/rows_block.h",
     "WS_R(put)(to + (size_t)(4 * i + k) * lane_words, low[i]);",
     "the same"),
    ("simd/rows_block.h",
     "WS_R(put)(to + (size_t)(4 * i + 16 + k) * lane_words, high[i]);",
     "the same"),
    ("simd/rows_block.h",
     "}",
     "the same"),
    ("simd/rows_block.h",
     "WS_R(load4_trans)(rows, offset, to, kernel->words);",
     "the same"),
    ("simd/rows_block.h",
     "return;",
     "the same"),
    ("simd/rows_block.h",
     "for (r = 0; r < 8; r++) row[i][r] = WS_R(row)(rows->bytes + offset[8 * i + r], kernel->packing);",
     "the same"),
    ("simd/rows_block.h",
     "WS_R(turn8)(row[i]);",
     "the same"),
    ("simd/turns_block.h",
     "WS_ON void WS_R(turn8_bytes)(__m128i *x) {",
     "of the level avx2, which has no stores: rows are stored at sse2, and only stores turn so"),
    ("simd/turns_block.h",
     "const __m128i low = _mm_set1_epi16(0xff);",
     "the same"),
    ("simd/turns_block.h",
     "WS_R(turn8)(x);",
     "the same"),
    ("simd/turns_block.h",
     "for (t = 0; t < 8; t += 2) {",
     "the same"),
    ("simd/turns_block.h",
     "const __m128i left = x[t], right = x[t + 1];",
     "the same"),
    ("simd/turns_block.h",
     "x[t] = _mm_packus_epi16(_mm_and_si128(left, low), _mm_and_si128(right, low));",
     "the same"),
    ("simd/turns_block.h",
     "x[t + 1] = _mm_packus_epi16(_mm_srli_epi16(left, 8), _mm_srli_epi16(right, 8));",
     "the same"),
    ("simd/turns_block.h",
     "}",
     "the same"),
    ("place/came.h",
     "return true;",
     "asked only for statements that are steps of the program; a guard"),
]  # fmt: skip


def is_in_process(target: str) -> bool:
    """Do the slow tests of this file run, too?"""
    return bool(IN_PROCESS & set(Path(target).parts[:2]))


@dataclass(frozen=True)
class Place:
    """Where all is built and counted."""

    folder: Path

    @property
    def site(self) -> Path:
        return self.folder / "site"

    def compile(self, name: str, *arguments: str | Path) -> Path:
        """An object or program of its own folder, where gcov writes beside it."""
        folder = self.folder / "gcov" / name
        folder.mkdir(parents=True, exist_ok=True)
        flags = ["-O0", "-w", "--coverage", f"-I{INCLUDE}"]  # threads may lose a count, and never the first of a line
        run(CC, *flags, *arguments, "-o", folder / name, cwd=folder)
        return folder / name

    def all_of_the_core(self, level: str) -> None:
        """Every function of the headers, also those that nobody calls: they count as not run."""
        unit = self.folder / f"all_{level}.c"
        unit.write_text("#include <warpsim/warpsim.h>\n#include <warpsim/run.h>\n")
        flags = ["-DWS_NO_SIMD"] if level == "portable" else []
        self.compile(f"all_{level}.o", "-fkeep-inline-functions", *flags, "-c", unit)

    def c_test(self, source: Path) -> None:
        run(self.compile(source.stem, *c_tests.flags(source.name), source))

    def package(self) -> None:
        """A copy of the installed package without its extensions."""
        skip = shutil.ignore_patterns("__pycache__", *(f"{door}*.so" for door in DOORS))
        shutil.copytree(str(files("warpsim")), self.site / "warpsim", ignore=skip)

    def door(self, name: str) -> None:
        """One of its extensions, compiled to count its lines."""
        source, made = PACKAGE / f"_{name}" / f"{name}.pyx", self.folder / f"{name}.c"
        command = [sys.executable, "-m", "cython", "-3", "-I", ".", "--module-name", f"warpsim._{name}.{name}"]
        run(*command, source, "-o", made, cwd=PACKAGE.parent)
        folders = (sysconfig.get_path("include"), np.get_include(), source.parent, PACKAGE / "_core" / "c")
        flags = ["-fPIC", *(f"-I{folder}" for folder in folders)]
        unit = self.compile(f"{name}.o", *flags, "-c", made)
        suffix = sysconfig.get_config_var("EXT_SUFFIX")
        run(CC, "-shared", "--coverage", unit, "-o", self.site / "warpsim" / f"_{name}" / f"{name}{suffix}")

    def settings(self) -> Path:
        """coverage.py's, for every process that a test starts."""
        path = self.folder / "coveragerc"
        path.write_text(
            f"[run]\nsource_pkgs = warpsim\nbranch = true\nparallel = true\npatch = subprocess\n"
            f"data_file = {self.folder / 'data'}\n[paths]\nsource =\n    {PACKAGE}\n    */warpsim\n"
            "[report]\nexclude_also =\n    if TYPE_CHECKING:\n"
        )
        return path

    def pytest(self, target: str) -> bool:
        """Runs a test file under coverage.py; whether it is green."""
        command = [sys.executable, "-m", "coverage", "run", f"--rcfile={self.settings()}"]
        environment = {**os.environ, "PYTHONPATH": str(self.site)}
        which = "" if is_in_process(target) else "not slow"
        options = ["-q", "-n0", "-m", which, "-p", "no:cacheprovider", "-o", "faulthandler_timeout=1800", target]
        done = subprocess.run(
            [*command, "-m", "pytest", *options], cwd=ROOT, env=environment, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        green = done.returncode in (0, 5)  # 5: a page without examples
        print(f"ok  {target}" if green else f"RED {target}\n{done.stdout[-3000:]}", flush=True)
        return green

    def core_lines(self) -> dict[str, Any]:
        """gcovr's report: for each header the lines, and how often each ran."""
        report = self.folder / "gcovr.json"
        gcovr = [sys.executable, "-m", "gcovr", "-j", str(os.cpu_count()), "--root", ROOT, "--filter", f"{INCLUDE}/"]
        merge = ["--merge-mode-functions=separate", "--merge-lines", "--exclude-throw-branches"]
        merge += ["--gcov-suspicious-hits-threshold", "0"]  # what zeroes memory runs 10^10 times, and that is no bug
        merge += ["--gcov-ignore-parse-errors", "negative_hits.warn_once_per_file"]  # threads lose counts
        summary = self.folder / "summary.json"
        reports = ["--json", report, "--json-summary", summary]
        run(*gcovr, *merge, *reports, self.folder / "gcov")
        whole: dict[str, Any] = json.loads(summary.read_text())
        found = json.loads(report.read_text())["files"]
        for part, kernels in (("branches", False), ("kernel_branches", True)):
            files = [file for file in found if ("warpsim/simd/" in file["file"]) == kernels]
            taken = [branch["count"] > 0 for file in files for line in file["lines"] for branch in line["branches"]]
            whole[f"c_{part}"], whole[f"c_{part}_percent"] = len(taken), round(100 * sum(taken) / len(taken), 1)
        whole["missed"] = {
            file["file"].removeprefix("csrc/include/warpsim/"): [
                line["line_number"] for line in file["lines"] if line["count"] == 0 and not line.get("gcovr/excluded")
            ]
            for file in found
        }
        return whole

    def python_lines(self) -> dict[str, Any]:
        rcfile = f"--rcfile={self.settings()}"
        if [*self.folder.glob("data.*")]:  # else an earlier run has combined all
            run(sys.executable, "-m", "coverage", "combine", "-q", "--append", rcfile)
        report = self.folder / "coverage.json"
        run(sys.executable, "-m", "coverage", "json", "-q", rcfile, "-o", report)
        found: dict[str, Any] = json.loads(report.read_text())
        return found


def targets() -> list[str]:
    """What pytest runs, file by file, the slowest kind first."""
    tests = [path for path in TESTS.rglob("test_*.py") if path.name not in ELSEWHERE]
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), ROOT / "examples"]
    found = [*sorted(tests, key=lambda path: -path.stat().st_size), *pages]
    return [str(path.relative_to(ROOT)) for path in found]


def misnamed(missed: dict[str, list[int]]) -> list[str]:
    """Rows of UNREACHED that are reached or stand nowhere, and missed lines without a row."""
    wrong = []
    known = {(header, text) for header, text, _ in UNREACHED}
    there = set()
    for header, numbers in missed.items():
        lines = (INCLUDE / "warpsim" / header).read_text().splitlines()
        for number in numbers:
            row = (header, lines[number - 1].strip())
            there.add(row)
            if row not in known:
                wrong.append(f"not run, and UNREACHED has no reason: {header}:{number}: {row[1]}")
    held = {(header, text) for header, text, why in UNREACHED if not why.startswith(MACHINE)}
    wrong += [f"in UNREACHED, but run: {header}: {text}" for header, text in held - there]
    return wrong


def figures(core: dict[str, Any], python: dict[str, Any]) -> dict[str, int | float | str]:
    missed = [f"{path}:{line}" for path, file in sorted(python["files"].items()) for line in file["missing_lines"]]
    return {
        "c_lines": core["line_total"],
        "c_lines_percent": core["line_percent"],
        **{name: core[name] for name in core if name.startswith("c_")},
        "c_not_run": "; ".join(f"{header}: {text}: {why}" for header, text, why in UNREACHED),
        "python_lines": python["totals"]["num_statements"],
        "python_lines_percent": round(python["totals"]["percent_statements_covered"], 1),
        "python_branches": python["totals"]["num_branches"],
        "python_branches_percent": round(python["totals"]["percent_branches_covered"], 1),
        "python_not_run": " ".join(missed),
    }


class Ledger:
    """What has passed in a folder, by the digest of its file: a run that was ended goes on after it."""

    def __init__(self, folder: Path) -> None:
        self.file, self.lock = folder / "passed.json", Lock()
        sources = records.sources_of("HEAD", "coverage")
        self.passed = json.loads(self.file.read_text()) if self.file.exists() else {"csrc and src": sources}
        if self.passed["csrc and src"] != sources:
            sys.exit(f"--folder: {folder} is of other sources; name an empty folder")

    def once(self, work: Callable[..., object], name: str, *sources: Path) -> bool:
        """Does `work`, unless it was done with these sources; whether it passed."""
        digest = hashlib.sha256(b"".join(path.read_bytes() for path in sources if path.is_file())).hexdigest()
        if self.passed.get(name) == digest:
            return True
        if work() is False:
            return False
        with self.lock:
            self.passed[name] = digest
            self.file.write_text(json.dumps(self.passed))
        return True


def count(folder: Path, most: int) -> int:
    """Builds, runs and counts all in a folder, `most` at a time; the exit status."""
    place, ledger = Place(folder), Ledger(folder)
    with ThreadPoolExecutor(most) as jobs:
        ledger.once(place.package, "package")
        made = [jobs.submit(ledger.once, partial(place.door, name), name) for name in DOORS]
        made += [jobs.submit(ledger.once, partial(place.all_of_the_core, one), one) for one in ("vectors", "portable")]
        sources = sorted(C_TESTS.rglob("test_*.c"))
        made += [jobs.submit(ledger.once, partial(place.c_test, source), source.name, source) for source in sources]
        for one in made:
            one.result()
        names = {one: f"{one}, slow ones too" if is_in_process(one) else one for one in targets()}
        green = list(jobs.map(lambda one: ledger.once(partial(place.pytest, one), names[one], ROOT / one), names))
    core, python = place.core_lines(), place.python_lines()
    wrong = misnamed(core["missed"])
    print(*wrong, sep="\n")
    least = min(core["line_percent"], python["totals"]["percent_statements_covered"])
    if wrong or not all(green) or least < LEAST_PERCENT:
        return 1
    records.tell(figures(core, python))
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many at a time")
    parser.add_argument("--folder", type=Path, help="where to count, kept for the next run; default: a new one")
    args = parser.parse_args()
    if args.folder:
        args.folder.mkdir(parents=True, exist_ok=True)
        return count(args.folder.absolute(), args.jobs)
    with tempfile.TemporaryDirectory() as temporary:
        return count(Path(temporary).absolute(), args.jobs)


if __name__ == "__main__":
    sys.exit(main())
