"""Fuzzers of whole launches: tests/fuzz/fuzz_wrong.c and fuzz_mutated.c, driven without libFuzzer on every core.

    python3 -m tools.fuzz --only wrong --only mutated [--executions N] [--seed FIRST]
    python3 -m tools.fuzz --only wrong --mutants

Any compiler with sanitizers will do. An input that ends the process is left in the folder --work.
"""

import json
import lzma
import os
import re
import shutil
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from tests.support import process
from tests.support.paths import HEADERS, INCLUDE, ROOT, TESTS

FOLDER = TESTS / "fuzz"
NAMES = ("wrong", "mutated")
#: of an input of "wrong": its bytes, those that choose the kernel, inputs with one kernel
SHAPE = ("400", "64", "50")
SANITIZERS = ("-O1", "-g1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-DWS_ARENA_GAPS")
QUICK = ("-O0",)
ADDRESSES = ("-O0", "-g1", "-fsanitize=address")
REAL_PTX = ("tests/truth/real_ptx/*.ptx", "tests/truth/run/captures/*.ptx", "examples/kernels/*.ptx")


class Break(NamedTuple):
    """What is wrong, and what replaces what in which headers."""

    wrong: str
    edits: tuple[tuple[str, str, str], ...]


MISALIGNED = ("shadow/arrays.h", "if ((address[lane] & (pass->alignment - 1)) != 0) continue;", "")
PLANTED = {
    "wrong": (
        Break("the check compares by adding, and judges misaligned lanes", (
            MISALIGNED,
            ("shadow/shadow.h", "if (visit->nbytes > pass->nbytes || ats[1] > pass->nbytes - visit->nbytes) return;",
             "if (ats[1] + visit->nbytes > pass->nbytes) return;"),
        )),
        Break("the check judges misaligned lanes of arrays", (MISALIGNED,)),
        Break("the check judges lanes that hang over the end of an array", (
            ("shadow/arrays.h", "at > region->nbytes - pass->nbytes", "at > region->nbytes + 64"),)),
        Break("the check judges lanes beyond shared memory", (
            ("check/access.h", "at <= block->launch->shared_bytes - nbytes",
             "at <= block->launch->shared_bytes + 999"),)),
        Break("beyond a block's memory lies that of the next", (
            ("check/cluster.h", "if (offset[lane] >= check->judge.stride) shared &= ~(UINT32_C(1) << lane);", ""),)),
        Break("cells do not know how small accesses of a cluster are", (
            ("use/state.h", "of = at == WS_AT_CLUSTER ? (int)WS_AT_SHARED : at;", "of = at;"),)),
        Break("lanes that meet with different values are not told", (
            ("shadow/shadow.h", "if (ws_values_differ(", "if (!ws_values_differ("),)),
        Break("half of the alignment will do", (
            ("run/pieces.h", "(reach->alignment - 1)) != 0)", "((reach->alignment + 1) / 2 - 1)) != 0)"),)),
        Break("pieces are longer than their memory", (
            ("run/pieces.h", "const uint64_t room = nbytes - reach->nbytes;", "const uint64_t room = nbytes;"),)),
    ),
    "mutated": (
        Break("pieces are longer than their memory", (
            ("run/pieces.h", "const uint64_t room = nbytes - reach->nbytes;", "const uint64_t room = nbytes;"),)),
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Driven:
    """What a run of a fuzzer said. `number`: of the input that ended it."""

    inputs: int
    launches: int
    seconds: float
    found: str
    number: int = -1


def texts(work: Path) -> list[str]:
    """Real PTX texts, as files: those of the repository, and those that are packed in it."""
    folder = work / "texts"
    folder.mkdir(exist_ok=True)
    packed = json.loads(lzma.decompress((TESTS / "truth" / "run" / "kernels.json.xz").read_bytes()))["ptx"]
    for name, text in packed.items():
        (folder / name.replace("/", "_")).write_text(text)
    plain = [str(path) for pattern in REAL_PTX for path in ROOT.glob(pattern)]
    return sorted(plain + [str(path) for path in folder.iterdir()])


def shape(name: str, work: Path) -> Sequence[str]:
    """What the inputs are made from."""
    return SHAPE if name == "wrong" else texts(work)


def build(name: str, work: Path, include: Path, flags: Sequence[str]) -> Path:
    """The fuzzer as a program that draws its own inputs, at every level of instructions."""
    program = work / f"drive_{name}"
    sources = [str(FOLDER / f"fuzz_{name}.c"), str(FOLDER / "drive.c")]
    told = ["-std=c11", "-w", f"-I{include}", f"-I{FOLDER}"]
    process.run(os.environ.get("CC", "cc"), *told, *flags, *sources, "-o", program)
    return program


def drive(program: Path, first: int, count: int, how: Sequence[str]) -> Driven:
    """`count` inputs from number `first` on, in one process."""
    prefix = f"{program.parent}/found_{program.name.removeprefix('drive_')}_"
    began = time.monotonic()
    done = process.ended(program, str(first), str(count), prefix, *how)
    seconds = time.monotonic() - began
    said = re.search(r"(\d+) inputs, (\d+) launches", done.stdout)
    if done.returncode == 0 and said:
        return Driven(int(said[1]), int(said[2]), seconds, "")
    place = re.search(r"in input (\d+),", done.stderr)
    return Driven(
        0, 0, seconds, done.stderr[-3000:] or f"exit status {done.returncode}", int(place[1]) if place else first
    )


def fuzz(name: str, work: Path, executions: int, seed: int) -> dict[str, int] | None:
    """On every core; the figures, or None after a finding."""
    cores = os.cpu_count() or 1
    program, how = build(name, work, INCLUDE, SANITIZERS), shape(name, work)
    each = max(1, min(50_000, executions // cores))
    pieces = [(seed + at, min(each, executions - at)) for at in range(0, executions, each)]
    began = time.monotonic()
    with ThreadPoolExecutor(cores) as pool:
        outcomes = list(pool.map(lambda piece: drive(program, *piece, how), pieces))
    seconds = time.monotonic() - began
    inputs, launches = sum(one.inputs for one in outcomes), sum(one.launches for one in outcomes)
    found = [one for one in outcomes if one.found]
    print(
        f"{name:<9} {inputs:>11,} inputs, {launches:,} launches, {launches / seconds:,.0f}/s on {cores} cores"
        f"{''.join(f'{chr(10)}FOUND by input {one.number}: {one.found}' for one in found)}",
        flush=True,
    )
    return None if found else {"executions": inputs, "launches": launches, "seconds": round(seconds)}


def plant(broken: Break, include: Path) -> None:
    """A copy of the headers with the break in it."""
    shutil.rmtree(include, ignore_errors=True)
    shutil.copytree(INCLUDE, include)
    for path, before, after in broken.edits:
        file = include / HEADERS.relative_to(INCLUDE) / path
        text = file.read_text()
        assert text.count(before) == 1, f"{path} has {text.count(before)} times: {before}"
        file.write_text(text.replace(before, after))


def seen_after(name: str, work: Path, executions: int) -> int | None:
    """Inputs until the break in work/include is seen, without sanitizers or by that of addresses; None: never."""
    how = shape(name, work)
    for flags in (QUICK, ADDRESSES):
        program = build(name, work, work / "include", flags)
        outcome = drive(program, 0, min(executions, 10_000 if name == "wrong" else 2_000), how)
        if outcome.found:
            return outcome.number + 1
    return None
