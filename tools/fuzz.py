"""Fuzzes the C entry points against the reference, with libFuzzer and sanitizers.

    python3 -m tools.fuzz [--only NAME] [--executions N] [--seconds N] [--merge]
    python3 -m tools.fuzz --mutants | --corpora

Builds each fuzzer with clang, runs it from its corpus, and says how many inputs it executed, how fast, and what it
covered. --merge puts what covers more into tests/fuzz/corpus. A finding ends the run with exit status 1 and leaves the
input in the folder --work. --mutants breaks the core on purpose: every break must be found. --corpora says what the
inputs cover that every change replays. "wrong" and "mutated" launch kernels: tests/fuzz/launch/driven.py.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from tests.fuzz import make_tables
from tests.fuzz.launch import driven as drive
from tests.support import process
from tests.support.paths import INCLUDE, ROOT, TESTS
from tools import fuzz_seeds as seeds
from tools import records
from tools.consumers import need
from tools.mutation.mutants import MUTANTS

FOLDER = TESTS / "fuzz"


NAMES = ("parse", "execute", "count", "search", "lint", "legality", "cost", "module", "run")
KERNELS = ("execute", "count", "search", "run")
MOST_BYTES = {"parse": 400, "lint": 240, "run": 400}
SANITIZERS = "quarantine_size_mb=4:malloc_context_size=0:detect_leaks=0"  # the replay looks for leaks

#: fuzzer -> what is wrong with the mutants of tools/mutation/mutants.txt that it must find
PLANTED = {
    "parse": ("cp.async.global.shared parses",),
    "execute": (
        "matrices are never transposed",
        "s8.s4: no sign extension",
        "overlapping rows: the highest wins",
        "the last row may hang over the end",
        "wmma: padding by 8 halves is an error",
    ),
    "count": (
        "64-bit accesses in one group",
        "no merging at distance 2",
        ".cg: written halves do not matter",
        "simd: a comparator of the merge of 32 is missing",
        "wmma: s8 by LDSM.x4",
    ),
    "search": (
        "tile: the last unit runs beyond the tile",
        "search: copies by .cg depend on banks alone",
        "search: beaten layouts are in the Pareto set",
        "tile: swizzles with source bits inside an access are legal",
    ),
    "lint": ("lint: columns count from 0", "::cta is legal in PTX 7.7", "plain sm_100 takes m16n16"),
    "legality": ("plain sm_100 takes m16n16", "sm_120f exists one version too early", "::cta is legal in PTX 7.7"),
    "cost": ("cost: B as K x N is read as N x K", "cost: the last copies are whole"),
    "module": ("module: vector registers need no more room",),
    "run": ("global sectors: the ideal is what is asked for",),
}


@dataclass(frozen=True)
class Outcome:
    """What one run of a fuzzer said."""

    executions: int
    seconds: float
    edges: int
    found: str


def tables(work: Path) -> str:
    """The flag that finds reference_tables.h, which is written where it is not yet."""
    path = work / "reference_tables.h"
    if not path.exists():
        with tempfile.NamedTemporaryFile("w", dir=work, delete=False) as file:
            file.write(make_tables.tables())
        os.replace(file.name, path)  # another thread sees all of it or nothing
    return f"-I{work}"


def build(name: str, work: Path, include: Path, *, kernels: bool = True, optimize: str = "-O1") -> Path:
    """The fuzzer as a program; `kernels`: with those of simd/."""
    program = work / f"fuzz_{name}"
    with_kernels = kernels and name in KERNELS
    # GVN of clang 14, fixed in 15, breaks reference/count.h at -O2
    flags = ["-std=c11", optimize, "-gline-tables-only"]
    flags += ["-fsanitize=fuzzer,address,undefined", "-fno-sanitize-recover=all", "-DWS_ARENA_GAPS"]
    flags += ["-Wno-unused-function"] + ([] if with_kernels else ["-DWS_NO_SIMD"])
    if name != "parse":  # comparisons tell what words there are; elsewhere they only cost time
        flags.append("-fno-sanitize-coverage=trace-cmp")
    sources = [str(FOLDER / f"fuzz_{name}.c"), str(FOLDER / "print_off.c")]
    told = (f"-I{include}", f"-I{FOLDER}", tables(work))
    process.run(need("clang"), *flags, *told, *sources, "-o", program)
    return program


def run(program: Path, name: str, corpus: Path, *, executions: int, seconds: int, seed: int = 0) -> Outcome:
    """Fuzzes until a finding, or a number of executions or seconds (0: no limit)."""
    most = MOST_BYTES.get(name, 200)
    options = [f"-max_len={most}", f"-runs={executions}", f"-max_total_time={seconds}"]
    options += ["-timeout=25", "-print_final_stats=1", f"-seed={seed}"]
    options += ["-rss_limit_mb=0", "-malloc_limit_mb=2048"]  # Linux counts the peak of the process that starts it
    options += ["-entropic=0", "-reload=0"]
    prefix = f"-artifact_prefix={program.parent}/found_{name}_"
    began = time.monotonic()
    done = process.ended(program, *options, prefix, corpus, ASAN_OPTIONS=SANITIZERS)
    spent = time.monotonic() - began
    executed = re.search(r"number_of_executed_units: (\d+)", done.stderr)
    edges = re.findall(r" cov: (\d+)", done.stderr)
    found = "" if done.returncode == 0 else done.stderr[-3000:]
    return Outcome(int(executed[1]) if executed else 0, spent, int(edges[-1]) if edges else 0, found)


def merge(program: Path, name: str, corpus: Path) -> None:
    """Keeps of the corpus the inputs that cover something."""
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder)
        command = [str(program), "-merge=1", f"-max_len={MOST_BYTES.get(name, 200)}"]
        process.run(*command, kept, corpus)
        inputs = [path.read_bytes() for path in kept.iterdir()]
    inputs += seeds.systematic(name)
    seeds.pack(name, inputs)


def fuzz(name: str, work: Path, args: argparse.Namespace) -> bool:
    """One fuzzer from its corpus; whether it found nothing."""
    if name in drive.NAMES:
        figures = drive.fuzz(name, work, args.executions, args.seed)
        if figures is not None:
            records.tell(figures)
        return figures is not None
    corpus = work / f"corpus_{name}"
    began_with = seeds.write_inputs(name, corpus)
    program = build(name, work, INCLUDE)
    outcome = run(program, name, corpus, executions=args.executions, seconds=args.seconds, seed=args.seed)
    rate = outcome.executions / max(outcome.seconds, 1e-9)
    print(
        f"{name:<9} {outcome.executions:>11,} executions, {rate:>8,.0f}/s, {outcome.edges} edges, "
        f"from {began_with} inputs{': FOUND' if outcome.found else ''}",
        flush=True,
    )
    if outcome.found:
        print(outcome.found)
        return False
    if args.merge:
        merge(program, name, corpus)
    records.tell({"executions": outcome.executions, "seconds": round(outcome.seconds), "edges": outcome.edges})
    return True


def corpora(work: Path) -> bool:
    """What the kept inputs of each fuzzer cover; whether they found nothing."""
    found, inputs, edges = "", 0, {}
    for name in NAMES:
        corpus = work / f"corpus_{name}"
        kept = seeds.write(corpus, seeds.kept(name))
        outcome = run(build(name, work, INCLUDE), name, corpus, executions=0, seconds=0)
        print(f"{name:<9} {kept} inputs, {outcome.edges} edges {outcome.found}", flush=True)
        found, inputs, edges[f"{name}_edges"] = found + outcome.found, inputs + kept, outcome.edges
    records.tell({"inputs": inputs, **edges})
    return not found


def plant(wrong: str, include: Path) -> None:
    """A copy of the headers with one break in it."""
    shutil.rmtree(include, ignore_errors=True)
    shutil.copytree(INCLUDE, include)
    path, text = next(one for one in MUTANTS if one.wrong == wrong).broken()
    (include / path.relative_to(INCLUDE.relative_to(ROOT))).write_text(text)


def build_replay(name: str, work: Path, include: Path, *, kernels: bool = False) -> Path:
    """The program that replays inputs, quickly built: CTest has the one with sanitizers."""
    program = work / f"replay_{name}"
    sources = [str(FOLDER / f"fuzz_{name}.c"), str(FOLDER / "replay.c")]
    flags = ["-std=c11", "-O0", "-w", f"-I{include}", f"-I{FOLDER}"]
    flags += [tables(work)] if kernels else [tables(work), "-DWS_NO_SIMD"]
    compiler = os.environ.get("CC", "cc")
    process.run(compiler, *flags, *sources, "-o", program)
    return program


def replayed(name: str, work: Path, include: Path) -> subprocess.CompletedProcess[str]:
    """The corpus, replayed."""
    command = [str(build_replay(name, work, include, kernels=True))]
    command.append(str(FOLDER / "corpus" / f"{name}.corpus"))
    return process.ended(*command)


def seen_after(name: str, work: Path, args: argparse.Namespace) -> int | None:
    """Inputs until the break in work/include is seen: the corpus, then the fuzzer; None: never."""
    done = replayed(name, work, work / "include")
    place = re.search(r"in input (\d+),", done.stderr)
    if done.returncode != 0:
        return int(place[1]) + 1 if place else len(seeds.unpacked(name))
    corpus = work / f"corpus_{name}"
    seeds.write_inputs(name, corpus)
    program = build(name, work, work / "include")
    outcome = run(program, name, corpus, executions=args.executions, seconds=args.seconds)
    shutil.rmtree(corpus)
    return outcome.executions if outcome.found else None


def note(name: str, wrong: str, executions: int | None, counts: list[int]) -> None:
    """What became of a break: how many inputs it took, or None."""
    counts += [] if executions is None else [executions]
    print(f"{name:<9} {wrong}: {'MISSED' if executions is None else f'after {executions:,} executions'}", flush=True)


def mutants(work: Path, args: argparse.Namespace) -> bool:
    """Whether every planted break was found."""
    planted, counts = 0, list[int]()
    for name in args.only or (*NAMES, *drive.NAMES):
        for one in drive.PLANTED.get(name, ()):
            drive.plant(one, work / "include")
            note(name, one.wrong, drive.seen_after(name, work, args.executions), counts)
            planted += 1
        if name in drive.NAMES:
            continue
        unbroken = replayed(name, work, INCLUDE)
        assert unbroken.returncode == 0, f"{name}: fails on the unbroken core\n{unbroken.stderr}"
        for wrong in PLANTED[name]:
            plant(wrong, work / "include")
            note(name, wrong, seen_after(name, work, args), counts)
            planted += 1
    worst = max(counts, default=0)
    print(f"{planted} breaks planted, {len(counts)} found, after at most {worst:,} executions")
    records.tell({"planted": planted, "found": len(counts), "worst_executions": worst})
    return planted == len(counts)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", choices=(*NAMES, *drive.NAMES), help="this fuzzer; again for more")
    parser.add_argument("--executions", type=int, default=10_000_000, help="inputs of each")
    parser.add_argument("--seconds", type=int, default=0, help="for each fuzzer at most; 0: no limit")
    parser.add_argument("--seed", type=int, default=0, help="of the mutations; 0: another each time")
    parser.add_argument("--merge", action="store_true", help="put new coverage into the corpus")
    parser.add_argument("--mutants", action="store_true", help="break the core on purpose")
    parser.add_argument("--corpora", action="store_true", help="run the kept inputs only")
    parser.add_argument("--work", type=Path, help="build folder; else a temporary one")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = args.work or Path(folder)
        work.mkdir(parents=True, exist_ok=True)
        if args.mutants:
            return 0 if mutants(work, args) else 1
        if args.corpora:
            return 0 if corpora(work) else 1
        results = [fuzz(name, work, args) for name in args.only or (*NAMES, *drive.NAMES)]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
