"""Why a launch ended early: a finding with its rule, its place and its remedy, or the error that it raises."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .. import _core, errors
from ..pickling import Kept


@dataclass(frozen=True)
class KernelRule:
    """One rule that a launch can break; `error` is what on_finding="raise" raises."""

    id: str
    title: str
    error: type[errors.WarpsimError]
    fix: str


#: in the order of ws_stop_kind, from 1
RULES: tuple[KernelRule, ...] = (
    KernelRule(
        "WS-RUN-001",
        "access out of bounds",
        errors.OutOfBoundsError,
        "check the index against the size of the array before the access",
    ),
    KernelRule(
        "WS-RUN-002",
        "write to read-only memory",
        errors.OutOfBoundsError,
        "write to an array of the global space instead",
    ),
    KernelRule(
        "WS-RUN-003",
        "misaligned access",
        errors.MisalignedAddressError,
        "align the address to the bytes of the access, or use a narrower one",
    ),
    KernelRule(
        "WS-RUN-004",
        "a lane outside its own member mask",
        errors.InactiveLaneError,
        "name every lane that executes the instruction in its mask",
    ),
    KernelRule(
        "WS-RUN-005",
        "lanes with different member masks",
        errors.DivergentOperandsError,
        "give all lanes of the instruction the same mask",
    ),
    KernelRule("WS-RUN-006", "deadlock", errors.DeadlockError, "let every thread that the barrier expects reach it"),
    KernelRule(
        "WS-RUN-007",
        "step limit",
        errors.StepLimitError,
        "raise max_steps if the kernel is only long; else look for a loop that does not end",
    ),
    KernelRule("WS-RUN-008", "stack overflow", errors.OutOfBoundsError, "bound the recursion, or raise stack_bytes"),
    KernelRule("WS-RUN-009", "trap", errors.TrapError, "find out why the kernel executes trap"),
    KernelRule("WS-RUN-010", "assertion failed", errors.KernelAssertionError, "make the asserted condition hold"),
    KernelRule(
        "WS-RUN-011",
        "free of what malloc did not give",
        errors.UndefinedBehaviorError,
        "free each pointer that malloc returned, once",
    ),
    KernelRule(
        "WS-RUN-012",
        "jump or call to nowhere",
        errors.UndefinedBehaviorError,
        "keep the index inside the table, and call only addresses of functions",
    ),
    KernelRule(
        "WS-RUN-013",
        "wrong barrier",
        errors.UndefinedBehaviorError,
        "use barriers 0 to 15, and counts that are multiples of 32",
    ),
    KernelRule(
        "WS-RUN-014",
        "an instruction of a whole warp, executed by part of it",
        errors.InactiveLaneError,
        "let all lanes of the warp arrive together: put __syncwarp() before it, and no branch around it",
    ),
    KernelRule(
        "WS-RUN-015", "undefined matrix instruction", errors.UndefinedBehaviorError, "see the rule of the instruction"
    ),
)

SPACES = ("generic", "shared", "global", "local", "const", "param")


@dataclass(frozen=True)
class KernelFinding(Kept):
    """One thing that is wrong with a launch: what, who, where, and what to do about it."""

    rule: str
    severity: str
    message: str
    fix: str
    block: tuple[int, int, int]
    warp: int
    lanes: tuple[int, ...]
    line: int
    column: int
    opcode: str
    address: int | None

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {**self.__dict__, "block": list(self.block), "lanes": list(self.lanes)}

    def __str__(self) -> str:
        return f"{self.severity} {self.rule}: {self.message}\n  fix: {self.fix}"


def instruction_rule(row: int) -> str:
    """A rule of undefined behaviour of matrix instructions, by its row of the core's table."""
    id_, _, title, *_ = _core.RULES[row]
    return f"{id_}, {title}"


def lanes_of(mask: int) -> tuple[int, ...]:
    """The lanes whose bits are set."""
    return tuple(lane for lane in range(32) if mask >> lane & 1)


def spelled(lanes: Sequence[int]) -> str:
    """Lanes in words: "lane 5", "lanes 0-15, 31"."""
    runs: list[list[int]] = []
    for lane in lanes:
        if runs and runs[-1][1] == lane - 1:
            runs[-1][1] = lane
        else:
            runs.append([lane, lane])
    text = ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)
    return f"lane {text}" if len(lanes) == 1 else f"lanes {text}"
