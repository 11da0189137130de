"""The engine and the interpreter on one random kernel: where they first differ, and the shortest text that still does."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import warpsim as ws
from tests.support.interpreter.flow import Item
from tests.support.interpreter.launch import Outcome, run
from tests.support.random_kernels.programs import OUT_BYTES, POOLS, Program, generate
from warpsim._core.core import simd_levels

Arrays = list[Any]


@dataclass
class Difference:
    seed: int
    what: str
    thread: int
    expected: int
    found: int
    statement: str

    def __str__(self) -> str:
        return (
            f"seed {self.seed}: {self.what} of thread {self.thread} is {self.found:#x}, {self.expected:#x} expected; "
            f"last written by {self.statement}"
        )


#: what drawn kernels do that is undefined, and does not matter to the engine: shuffles from lanes that are elsewhere, masks
#: with lanes that have exited, divisors of 0
DRAWN = ("WS-RUN-021", "WS-RUN-025", "WS-RUN-026")


def engine(program: Program, ptx: str) -> Arrays:
    """Each seed in an order of warps, with a number of threads and at a level of its own; its threads never race."""
    arrays, seed = program.arrays(), program.seed
    level = seed % (len(simd_levels()) + 1)
    report = ws.Module(ptx)["k"](
        program.grid, program.block, arrays, contract=False, order=seed % 7, threads=1 + seed % 2, simd=level,
        check=seed % 3 != 0,
    )  # fmt: skip
    serious = [finding for finding in report.findings if finding.severity != "note"]
    wrong = [str(finding) for finding in serious if finding.rule not in DRAWN]
    assert not wrong, f"seed {seed}: {wrong[0]}"
    return arrays


def registers() -> list[tuple[str, int, int]]:
    """Name, offset and bytes of each register in a thread's part of the output."""
    found, at = [], 0
    for n in (64, 32, 16):
        prefix, count = POOLS[n]
        for k in range(count):
            found.append((f"%{prefix}{k}", at, n // 8))
            at += n // 8
    return [*found, *((f"%p{k}", at + k, 1) for k in range(POOLS[1][1]))]


def last_writer(program: Program, ptx: str, name: str, thread: int) -> str:
    """The statement that wrote a register of a thread last, as the interpreter saw it."""
    seen = ["nothing"]
    per_block = int(np.prod(program.block))
    lane = thread // per_block * (-(-per_block // 32) * 32) + thread % per_block
    lines = ptx.splitlines()

    def trace(item: Item, on: Any) -> None:
        into = item.statement.operands[:1]
        if into and lane in on and f"'{name}'" in str(into):
            seen[0] = f"line {item.statement.line}: {lines[item.statement.line - 1].strip()}"

    run(ptx, "k", program.grid, program.block, program.arrays(), trace=trace)
    return seen[0]


def first_difference(program: Program, ptx: str, expected: Arrays, found: Arrays) -> Difference | None:
    cells = np.flatnonzero(expected[2] != found[2])
    unlike = np.flatnonzero(expected[0] != found[0])
    if unlike.size:
        thread, byte = divmod(int(unlike[0]), OUT_BYTES)
        name, at, size = next((r for r in registers() if r[1] <= byte < r[1] + r[2]), ("memory", byte & ~7, 8))
        where = slice(thread * OUT_BYTES + at, thread * OUT_BYTES + at + size)
        values = [int.from_bytes(x[0][where].tobytes(), "little") for x in (expected, found)]
        return Difference(program.seed, name, thread, values[0], values[1], last_writer(program, ptx, name, thread))
    if cells.size:
        byte = int(cells[0])
        return Difference(
            program.seed, f"cell byte {byte}", 0, int(expected[2][byte]), int(found[2][byte]), "an atomic"
        )
    return None


def compare(
    seed: int, scale: int = 1, other: Callable[[Program, str], Arrays] = engine
) -> tuple[Difference | None, Outcome]:
    """Statements are counted as warps execute them, times the threads whose guard holds."""
    program = generate(seed, scale)
    outcome = run(program.ptx, "k", program.grid, program.block, program.arrays())
    return first_difference(program, program.ptx, outcome.arrays, other(program, program.ptx)), outcome


def found_in(program: Program, ptx: str, other: Callable[[Program, str], Arrays]) -> tuple[str, str] | None:
    """What differs, and the opcode that wrote it last; nothing where either side cannot run the text."""
    try:
        expected = run(ptx, "k", program.grid, program.block, program.arrays()).arrays
        difference = first_difference(program, ptx, expected, other(program, ptx))
    except Exception:
        return None
    return (difference.what, difference.statement.partition(": ")[2]) if difference else None


def shortest(seed: int, other: Callable[[Program, str], Arrays] = engine, scale: int = 1) -> str:
    """A text with as many lines taken out as the difference of the same statement survives."""
    program = generate(seed, scale)
    wanted = found_in(program, program.ptx, other)
    lines = program.ptx.splitlines()
    size = len(lines) // 2 if wanted else 0
    while size:
        at = 0
        while at < len(lines):
            fewer = lines[:at] + lines[at + size :]
            if found_in(program, "\n".join(fewer), other) == wanted:
                lines = fewer
            else:
                at += size
        size //= 2
    return "\n".join(lines)
