"""Runs everything that could see a broken header until something does."""

import json
import os
import re
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from tests.support import c_tests
from tests.support.paths import C_TESTS, INCLUDE, ROOT, TESTS
from tests.support.process import ended, run
from tools import fuzz
from tools.mutation.copies import SANITIZERS
from tools.mutation.sites import Site

ENVIRONMENT = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0:hard_rss_limit_mb=3000:allocator_may_return_null=1"}
MOST_BYTES = 8 << 30  # of what Python runs
CORPORA = TESTS / "fuzz" / "corpus"
MEASURED = (
    "model/test_traffic_measured.py", "model/test_execute_measured.py", "model/test_undefined_measured.py",
    "model/test_counters_measured.py", "model/test_fragments.py", "model/test_wmma_measured.py",
)  # fmt: skip
TIME = ("time/test_architecture.py", "time/test_cost_measured.py", "time/test_mainloop.py", "time/test_cost.py")
TILE = ("tile/test_layout.py", "tile/test_tiles.py", "tile/test_search.py")
WORDS = ("robust/test_bad_arguments.py", "model/test_contract.py", "docs/test_generated.py", "reports/test_reports.py")
TEXT = ("lint/test_lint_corpus.py", "lint/test_lint.py", "cli/test_cli.py")
#: folder of the core -> the Python tests that see what it does, quickest first; all of them where none is named
PYTHON = {
    "lint": (*WORDS, *TEXT), "ptx": (*WORDS, *TEXT), "rules": (*WORDS, *TEXT), "report": (*WORDS, *TEXT),
    "time": (*WORDS, *TIME, *TILE), "loop": TIME, "isa": (*WORDS, *TEXT, "model/test_legality_measured.py"),
    "tile": (*TILE, *TIME), "simd": (*MEASURED, *TILE), "data": MEASURED, "execute": MEASURED,
    "count": (*MEASURED, *TIME),
    "undefined": (*MEASURED, *WORDS),
}  # fmt: skip
EVERY = (*WORDS, *MEASURED, *TIME, *TILE, *TEXT)


@dataclass(frozen=True)
class Verdict:
    """What became of a site."""

    kind: str
    """`does not compile`, `same code`, `C test`, `corpus`, `Python`, or `survived`."""
    by: str = ""
    seconds: float = 0


@dataclass
class Program:
    """A C test, or the replay of a corpus."""

    name: str
    source: Path
    arguments: tuple[Path, ...] = ()
    kernels: bool = False
    """Whether CTest builds it with those of simd/."""
    headers: frozenset[Path] = frozenset()
    functions: frozenset[str] = frozenset()
    """What it runs."""
    seconds: float = 0
    """To compile and to run it."""

    @property
    def is_test(self) -> bool:
        return not self.arguments


def programs() -> list[Program]:
    found = [
        Program(str(path.relative_to(TESTS)), path, kernels="-DWS_NO_SIMD" not in c_tests.flags(path.name))
        for path in sorted(C_TESTS.rglob("test_*.c"))
    ]
    for name in fuzz.NAMES:
        inputs = (CORPORA / f"{name}.corpus", *sorted((TESTS / "fuzz" / "found").glob(f"{name}_*")))
        found.append(Program(f"fuzz/{name}", TESTS / "fuzz" / f"fuzz_{name}.c", inputs, name in fuzz.KERNELS))
    return found


def limited() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))


@dataclass
class Judge:
    """Everything that is compiled once, and the order in which tests are asked."""

    work: Path
    python: Callable[[Site, Path, Sequence[str]], str]
    """Which of the Python tests sees it, or nothing."""
    programs: list[Program] = field(default_factory=programs)
    counted: set[str] = field(default_factory=set)
    """Functions that gcov knows."""
    code: list[bytes] = field(default_factory=list)
    """The whole core, compiled: without kernels, with them."""

    def prepare(self, jobs: ThreadPoolExecutor) -> None:
        """What each program includes and runs, and how long that takes."""
        fuzz.tables(self.work)
        list(jobs.map(self.watch, self.programs))
        self.code = [self.whole(INCLUDE, kernels=kernels) for kernels in (False, True)]
        self.programs.sort(key=lambda program: (not program.is_test, program.seconds))

    def flags(self, program: Program, include: Path, *, kernels: bool) -> list[str]:
        flags = ["-std=c11", "-O0", "-w", "-DCHECK_STOPS", f"-I{include}", f"-I{self.work}", f"-I{TESTS / 'fuzz'}"]
        sources = [str(program.source)]
        if not program.is_test:
            sources.append(str(TESTS / "fuzz" / "replay.c"))
        return [*flags, *([] if kernels else ["-DWS_NO_SIMD"]), *sources]

    def watch(self, program: Program) -> None:
        folder = self.work / "watched" / program.source.stem
        folder.mkdir(parents=True)
        flags = self.flags(program, INCLUDE, kernels=program.kernels)
        needed = run("gcc", "-MM", *(flag for flag in flags if not flag.endswith("replay.c")))
        program.headers = frozenset(Path(name).resolve() for name in re.findall(r"\S+\.h\b", needed))
        run("gcc", "--coverage", *flags, "-o", folder / "watched", cwd=folder)
        run(folder / "watched", *program.arguments, cwd=folder)
        notes = run("gcov", "-t", "--json-format", *folder.glob("*.gcda"), cwd=folder).splitlines()
        files = [file for note in notes for file in json.loads(note)["files"]]
        there = [function for file in files for function in file["functions"]]
        program.functions = frozenset(one["name"] for one in there if one["execution_count"])
        self.counted |= {one["name"] for one in there}
        began = time.monotonic()
        red = self.is_red(program, INCLUDE, folder / "timed", kernels=program.kernels, most=600, sanitize=True)
        assert red is False, f"{program.name} fails on the unbroken core"
        program.seconds = time.monotonic() - began

    def whole(self, include: Path, *, kernels: bool) -> bytes:
        """Every function of the core, compiled."""
        told = ["-O2", "-w", "-c", "-fkeep-inline-functions", f"-I{include}", *([] if kernels else ["-DWS_NO_SIMD"])]
        with tempfile.NamedTemporaryFile(suffix=".o") as file:
            run("gcc", *told, "-x", "c", "-", "-o", file.name, input="#include <warpsim/warpsim.h>\n")
            return Path(file.name).read_bytes()

    def is_red(
        self, program: Program, include: Path, target: Path, *, kernels: bool, most: float, sanitize: bool
    ) -> bool | None:
        """Whether it fails; None: it does not compile."""
        flags = self.flags(program, include, kernels=kernels)
        sanitizers = SANITIZERS if sanitize else ()
        if ended("clang", *sanitizers, *flags, "-o", target).returncode:
            return None
        try:
            done = subprocess.run(
                [target, *program.arguments], cwd=ROOT, env=ENVIRONMENT, check=False, timeout=most,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return True
        return done.returncode != 0

    def asked(self, site: Site, hint: str) -> list[Program]:
        """The programs that run the function, the likeliest first."""
        names = {name for name in self.counted if re.fullmatch(rf"(ws_\w_)?{site.function}(_\w+)?", name)}
        room = site.file.split("/")[0]

        def concerns(program: Program) -> bool:
            return INCLUDE / "warpsim" / site.file in program.headers and (not names or bool(names & program.functions))

        def rank(program: Program) -> tuple[bool, bool, bool]:
            return program.name != hint, not program.is_test, f"/{room}/" not in program.name

        return sorted(filter(concerns, self.programs), key=rank)

    def judge(self, site: Site, hint: str = "") -> Verdict:
        """Asks one after another; `hint` is what saw it last time."""
        began = time.monotonic()
        with tempfile.TemporaryDirectory(dir=self.work) as folder:
            kind, by = self.seen(site, Path(folder), hint)
        return Verdict(kind, by, time.monotonic() - began)

    def seen(self, site: Site, folder: Path, hint: str) -> tuple[str, str]:
        include = folder / "include"
        shutil.copytree(INCLUDE, include)
        path, text = site.broken()
        (include / path.relative_to(INCLUDE.relative_to(ROOT))).write_text(text)
        kernels = "simd" in f"{site.file}{text}".lower()
        if hint in ("same code", "does not compile") and (verdict := self.compared(include, kernels=kernels)):
            return verdict
        if hint in EVERY and (by := self.python(site, folder, (hint,))):
            return "Python", by
        asked = self.asked(site, hint)
        tests = [program for program in asked if program.is_test or program.name == hint]
        corpora = [program for program in asked if program not in tests]
        fast = {program.name for program in asked if program.kernels and (kernels or program.is_test)}
        rounds = [[(program, False) for program in some] for some in (tests, corpora)]
        rounds[1] += [(program, True) for program in asked if program.name in fast]
        for some in rounds:
            for program, again in some:
                is_fast = program.name in fast
                sanitize = again or not is_fast  # with kernels that takes ten times as long to compile
                most = 20 + 6 * program.seconds
                target = folder / "program"
                red = self.is_red(program, include, target, kernels=is_fast, most=most, sanitize=sanitize)
                if red is None:
                    return "does not compile", ""
                if red:
                    return "C test" if program.is_test else "corpus", program.name
            if some is rounds[0] and (verdict := self.compared(include, kernels=kernels)):
                return verdict
        by = self.python(site, folder, PYTHON.get(site.file.split("/")[0], EVERY))
        return ("Python", by) if by else ("survived", "")

    def compared(self, include: Path, *, kernels: bool) -> tuple[str, str] | None:
        """Without kernels first: code that differs there is not the same."""
        try:
            same = all(self.whole(include, kernels=which) == self.code[which] for which in (False, True)[: 1 + kernels])
        except RuntimeError:
            return "does not compile", ""
        return ("same code", "") if same else None


def of_pytest(command: Sequence[str], environment: dict[str, str]) -> str:
    """The first file with a test that fails, or nothing."""
    try:
        done = subprocess.run(
            command, cwd=ROOT, env=environment, check=False, timeout=900, capture_output=True, text=True,
            preexec_fn=limited,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return "does not end"
    if done.returncode in (3, 4, 5):
        raise RuntimeError(done.stdout[-2000:] + done.stderr[-2000:])
    found = re.search(r"^(?:FAILED|ERROR) tests/([^:\s]+)", done.stdout, re.MULTILINE)
    return "" if done.returncode == 0 else found[1] if found else f"status {done.returncode}"
