"""Targets and PTX versions by name."""

from __future__ import annotations

import re
from typing import NamedTuple

from . import _core, arguments, errors, gpus
from .errors import bad_type, bad_value
from .words import meant

NO_TARGET = -1
USUAL_TARGET = "sm_90"  # of whatever names none and has no file to ask
MOST_LETTERS = 100  # of a name
SUB_PARTITIONS, REGISTER_UNIT = 4, 256  # of an SM; registers that are given to a warp at once

_ROWS = {name: row for row, name in enumerate(_core.TARGETS)}
#: "8.6" -> 86, ascending
VERSIONS = {
    f"{number // 10}.{number % 10}": number
    for number in range(_core.NEWEST_PTX + 1)
    if _core.ptx_index(f"{number // 10}.{number % 10}")
}
KNOWN_VERSIONS = "6.0 to 6.5, 7.0 to 7.8, 8.0 to 8.8 or 9.0 to 9.5"


class Limits(NamedTuple):
    """What a GPU can hold: of an SM, of a thread block, of a cluster. 0: not published."""

    sm_shared_bytes: int
    block_shared_bytes: int
    sm_blocks: int
    sm_warps: int
    cluster_blocks: int


_LIMITS = tuple(None if row is None else Limits(*row) for row in _core.LIMITS)
#: of whichever target has most
MOST = Limits(*map(max, zip(*filter(None, _LIMITS), strict=True)))


def limits_of(row: int) -> Limits:
    """The limits of a row of the core; for NO_TARGET, or where they are not published, the highest of any."""
    return MOST if row == NO_TARGET else _LIMITS[row] or MOST


def parameter_bytes(row: int, version: int) -> int:
    """What the parameters of a kernel may take on a target, in a text of a PTX version.

    Source: "Kernel Function Parameters" of the PTX ISA, and what ptxas 13.5 refuses.
    """
    is_early = version < 81 or (row != NO_TARGET and int(re.sub(r"\D", "", _core.TARGETS[row])) < 70)
    return _core.EARLY_PARAMETER_BYTES if is_early else _core.PARAMETER_BYTES


def warp_registers(registers: int) -> int:
    """Registers that a warp takes whose threads have so many each."""
    return -(-registers * 32 // REGISTER_UNIT) * REGISTER_UNIT


def block_registers(threads: int, registers: int) -> int:
    """Registers that a thread block takes: each sub-partition of the SM has room for as many of its warps."""
    warps = -(-threads // 32)
    return warp_registers(registers) * -(-warps // SUB_PARTITIONS) * SUB_PARTITIONS


def target_row(target: str | None) -> int:
    """The core's row of a target such as "sm_90a", or of a GPU such as "h100"; NO_TARGET for None.

    ValueError if it is unknown.
    """
    if target is None:
        return NO_TARGET
    if not isinstance(target, str):
        raise bad_type("target", f"expected a str such as 'sm_90', got {type(target).__name__}")
    row = _ROWS.get(str.__str__(target))
    return _row_by_other_names(str.__str__(target)) if row is None else row


def _row_by_other_names(name: str) -> int:
    """The row of a GPU's name, or of a target written in another way; else ValueError."""
    gpu = gpus.gpu_of(name[:MOST_LETTERS])
    known = gpus.number_of(name[:MOST_LETTERS]) if gpu is None else gpu[0]
    if known in _ROWS:
        return _ROWS[known]
    several = gpus.ARCHITECTURES.get(name.lower(), ())
    if len(several) == 1:
        return _ROWS[several[0]]
    listed = ", ".join(name for name in _ROWS if not name.endswith(("a", "f")))
    given = arguments.shown(name)
    is_older = re.fullmatch(r"sm_\d+", name) is not None  # or newer: not the next one by its letters
    hint = "" if is_older else meant(name, (*_ROWS, *gpus.GPUS))
    if several:
        hint = f"; {name.lower()} is {' or '.join(several)}"
    raise bad_value(
        "target", f"expected one of {listed} (some with a or f), or a GPU such as h100 or rtx4090; got {given}{hint}"
    )


def known_target(target: str) -> str:
    """The target that a name means: "sm_90" for "h100"."""
    return _core.TARGETS[named_row(target)]


def capability_of(target: str) -> int:
    """80 for sm_80 and sm_80a."""
    return int(re.sub(r"\D", "", known_target(target)))


def target_of(name: str) -> str:
    """The target of a GPU or an architecture by the name that people use; ValueError if it is unknown.

    Source: NVIDIA, "CUDA GPU Compute Capability".

    >>> import warpsim as ws
    >>> ws.target_of("h100"), ws.target_of("RTX 4090"), ws.target_of("hopper")
    ('sm_90', 'sm_89', 'sm_90')
    """
    return known_target(name)


#: its older name, in which a product was a GPU and not a multiplication
product = target_of


def named_row(target: str) -> int:
    """The core's row of a target that must be given."""
    if target is None:
        raise bad_type("target", "expected a str such as 'sm_90', got NoneType")
    return target_row(target)


def ptx_number(ptx_version: str) -> int:
    """86 for "8.6". Versions that do not exist: ValueError."""
    if not isinstance(ptx_version, str):
        raise bad_type("ptx_version", f"expected a str such as '8.6', got {type(ptx_version).__name__}")
    number = VERSIONS.get(str.__str__(ptx_version))
    if number is None:
        raise bad_value("ptx_version", f"expected {KNOWN_VERSIONS}; got {arguments.shown(ptx_version)}")
    return number


def ptx_number_or_newest(ptx_version: str | None) -> int:
    """ptx_number; that of the newest version for None."""
    return _core.NEWEST_PTX if ptx_version is None else ptx_number(ptx_version)


def row_that_takes(op: _core.Op, target: str | None) -> int:
    """target_row, or an UnsupportedError with the reason where no PTX version has `op` there."""
    row = target_row(target)
    if row != NO_TARGET and _core.min_ptx_at(op, row) == 0:
        reasons = _core.legality(op, row, _core.NEWEST_PTX)[1]
        raise errors.UnsupportedError(f"{op.ptx}: {'; '.join(reasons)}")
    return row
