"""What each statement of a kernel did to memory, as Nsight Compute's source page counts it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import _engine as engine
from .._core import Traffic
from ..arguments import describe, shown
from ..errors import bad_type, bad_value
from ..machine.assembled import Machine, by_assembler, by_rule
from ..machine.merged import Merged
from ..words import are
from .entry import Entry

SECTOR_BYTES = 32  # of global memory
WIDTHS = (2, 4, 8, 16, 32)  # bytes of an access that the assembler makes of several

#: of a step, as the core has them; and how many of a statement's steps count for it
COUNTERS = (
    "executed", "threads", "divergent", "requests", "wavefronts", "ideal_wavefronts", "bank_conflicts", "sectors",
    "ideal_sectors",
)  # fmt: skip
STEP_COUNTERS = 3  # the first ones: those of its first step; the others are sums over all its steps

#: kinds of Nsight Compute's table of shared memory, by what a statement is
KINDS = {
    "load": "load", "store": "store", "atomic": "atomic", "exchange": "atomic", "swap": "atomic",
    "copy": "store from global", "product": "warpgroup product",
}  # fmt: skip


def dtype(opcode_bytes: int) -> np.dtype[Any]:
    """Of the rows of `report.lines`."""
    places = [("line", np.int32), ("column", np.int32), ("source", np.int32), ("source_line", np.int32)]
    counters = [(name, np.int64) for name in COUNTERS]
    return np.dtype([*places, ("opcode", f"S{opcode_bytes}"), *counters, ("inexact", np.uint32)])


def together(counted: Sequence[bytes | None]) -> bytes | None:
    """The counters of several runs of one program as those of one; None if nothing was counted."""
    found = [np.frombuffer(one, np.uint64).reshape(-1, len(COUNTERS) + 1) for one in counted if one is not None]
    if not found:
        return None
    total = np.stack(found).sum(axis=0)
    total[:, -1] = np.bitwise_or.reduce([one[:, -1] for one in found])
    return bytes(total.tobytes())


_ONES = np.array([number.bit_count() for number in range(256)], np.uint8)


def touched_bytes(touched: Sequence[bytes | None]) -> tuple[int, int]:
    """Bytes of the sectors that several runs of one program read, and wrote, together; 0 if nothing was counted."""
    found = [np.frombuffer(one, np.uint8) for one in touched if one is not None]
    if not found:
        return 0, 0
    ones = _ONES[np.bitwise_or.reduce(found)].reshape(2, -1).sum(axis=1, dtype=np.int64)
    return int(ones[0]) * SECTOR_BYTES, int(ones[1]) * SECTOR_BYTES


def _statements(program: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Where the steps of each statement begin; their order in the text; their numbers; what the text says of each."""
    of_step = np.array(program.statements())
    begins = np.flatnonzero(np.diff(of_step, prepend=-1))
    order = np.argsort(of_step[begins], kind="stable")
    module = program.module
    places = [module.place(number) + module.source(number) for number in of_step[begins[order]].tolist()]
    opcodes = [place[2].encode() for place in places]
    rows = np.zeros(len(places), dtype(max(map(len, opcodes), default=1)))
    for field, column in (("line", 0), ("column", 1), ("source", 3), ("source_line", 4)):
        rows[field] = [place[column] for place in places]
    rows["opcode"] = opcodes
    return begins, order, of_step[begins[order]], rows


def _as_assembled(totals: np.ndarray, numbers: np.ndarray, machine: Machine) -> None:
    """Accesses that the machine code does not have count nothing; a thread that acts for its warp is one."""
    totals[np.isin(numbers, list(machine.nowhere))] = 0
    requests = COUNTERS.index("requests")
    elected = np.isin(numbers, list(machine.elected)) & (totals[:, requests] > 0)
    for name in ("threads", "wavefronts", "ideal_wavefronts"):
        totals[elected, COUNTERS.index(name)] = totals[elected, requests]
    totals[elected, COUNTERS.index("bank_conflicts")] = 0


def lines_of(kernel: Entry, program: Any, counted: bytes | None, machine: Machine | None = None) -> np.ndarray:
    """One row for each statement that ran, in the file's order; none if nothing was counted.

    Bit i of `inexact`: the i-th of COUNTERS is approximate.
    """
    if counted is None:
        return np.zeros(0, dtype(1))
    if program not in kernel.statements:
        kernel.statements[program] = _statements(program)
    begins, order, numbers, texts = kernel.statements[program]
    steps = np.frombuffer(counted, np.int64).reshape(-1, len(COUNTERS) + 1)
    totals = np.add.reduceat(steps, begins)
    totals[:, :STEP_COUNTERS] = steps[begins, :STEP_COUNTERS]
    totals[:, -1] = np.bitwise_or.reduceat(steps[:, -1], begins)
    totals = totals[order]
    ran = np.flatnonzero(totals[:, 0])
    if machine is not None:
        _as_assembled(totals, numbers, machine)
    rows: np.ndarray = texts[ran]
    for number, name in enumerate((*COUNTERS, "inexact")):
        rows[name] = totals[ran, number]
    return rows


def traffic_of(lines: np.ndarray) -> Traffic:
    """The sum over all lines."""
    is_access = (lines["requests"] > 0) | (lines["sectors"] > 0)
    names = ("requests", "wavefronts", "ideal_wavefronts", "bank_conflicts", "sectors")
    sums = [lines["executed"][is_access].sum(), *(lines[name].sum() for name in names)]
    return Traffic(np.array(sums, np.int64))


def kind_of(opcode: bytes) -> str | None:
    """The row of the table of shared memory that an instruction belongs to."""
    row = engine.row(opcode.decode())
    if row.event == "matrix":
        return "load matrix" if row.writes else "store matrix"
    return KINDS.get(row.event)


def shared_of(lines: np.ndarray) -> dict[str, dict[str, int]]:
    """The table of shared memory by kind of instruction."""
    table: dict[str, dict[str, int]] = {}
    for row in lines[lines["requests"] > 0]:
        kind = kind_of(row["opcode"])
        if kind is None:
            continue
        into = table.setdefault(kind, dict.fromkeys(("instructions", *COUNTERS[3:7]), 0))
        into["instructions"] += int(row["executed"])
        for name in COUNTERS[3:7]:
            into[name] += int(row[name])
    return table


def by_source(lines: np.ndarray) -> np.ndarray:
    """The lines summed by source file and line; statements without a source are left out."""
    said = lines[lines["source"] >= 0]
    keys, of_row = np.unique(said[["source", "source_line"]], return_inverse=True)
    sums = np.zeros(len(keys), [("source", np.int32), ("source_line", np.int32), *((n, np.int64) for n in COUNTERS)])
    sums["source"], sums["source_line"] = keys["source"], keys["source_line"]
    for name in COUNTERS:
        np.add.at(sums[name], of_row, said[name])
    return sums


def _joined(kernel: Entry, program: Any) -> Machine | None:
    """The joins that the text tells; None: there are none."""
    merged = kernel.merged(program)
    if not merged:
        return None
    machine = by_rule(merged, kernel.source.texts.accesses)
    parts = sum(len(one.lines) - 1 for one in merged)
    machine.notes = (
        f"{are(parts, 'access', 'to shared memory')} counted in others, as"
        " the assembler joins them (report.merged); as_assembled='text' counts them as they stand",
    )
    return machine


def machine_of(
    kernel: Entry, program: Any, asked: Any, counts: bool, target: str | None, contract: bool
) -> Machine | None:
    """What the machine code does otherwise than the text; None if the text counts."""
    if asked is False or (isinstance(asked, str) and asked == "text") or (asked is None and not counts):
        return None
    if not counts:
        raise bad_value("as_assembled", "it says what is counted, but count is False")
    text = kernel.source.texts
    if asked is None:
        return _joined(kernel, program)
    if asked is True:
        if target is None and not kernel.source.targets:
            raise bad_value("as_assembled", "the module names no target; give one: target='sm_90a'")
        return by_assembler(text, kernel.name, program.statements(), target or kernel.source.targets[0], contract)
    if not isinstance(asked, tuple | list) or not all(isinstance(one, Merged) for one in asked):
        raise bad_type(
            "as_assembled", f"expected None, 'text', a bool or what kernel.merged gives, got {describe(asked)}"
        )
    known = {access.line for access in text.accesses}
    for one in asked:
        if one.nbytes not in WIDTHS or not all(line in known for line in (one.line, *one.lines)):
            raise bad_value("as_assembled", f"not accesses of the module: {shown(one)}")
    return by_rule(asked, text.accesses)
