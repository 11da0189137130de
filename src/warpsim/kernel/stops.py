"""What is wrong with a launch, as findings: what, who, where, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from .. import _engine as engine
from .. import errors
from ..characters import printable
from ..instruction.findings import RULES
from ..pickling import Kept


def numbers(names: str) -> tuple[int, ...]:
    """The core's numbers of rules of kernels, by its names for them, between blanks: the n-th is WS-RUN-n."""
    return tuple(engine.KERNEL_RULES[name] for name in names.split())


def id_of(number: int) -> str:
    """The identifier of a rule of kernels: WS-RUN-017."""
    return f"WS-RUN-{number:03}"


def ids(names: str) -> tuple[str, ...]:
    """The identifiers of rules of kernels, by the core's names for them, between blanks."""
    return tuple(map(id_of, numbers(names)))


#: kinds of stops of the core: the rule of number n is WS-RUN-n; a matrix instruction breaks one of its own
STEPS, ASSERT, FREE, MATRIX = numbers("STEPS ASSERT FREE INSTRUCTION")
#: state spaces of the core, by number
SPACES = ("generic", "shared", "global", "local", "const", "param", "shared::cluster")
SHARED, LOCAL, CLUSTER = 1, 3, 6
MOST_LINES = 8  # that a note names
(SAME_VALUE,) = ids("SAME_VALUE")

Thread = tuple[int, int, int]


class Stop(NamedTuple):
    """Why a block stopped, as the core tells it. `places`: where its warps are, if that matters."""

    kind: int
    space: int
    rule: int
    is_write: bool
    statement: int
    warp: int
    lanes: int
    address: int
    nbytes: int
    block: Thread
    places: list[tuple[int, int, int, Any, Thread]]
    polled: list[tuple[Thread, int, int, int, int, int]] = []  # noqa: RUF012
    residents: int = 1
    unstarted: int = 0


class Found(NamedTuple):
    """What a check has found, as the core tells it: two parties, or `other` is -1.

    Of an access outside of an object: its number among the variables (-1 without one), where in it, and its bytes.
    """

    rule: int
    times: int
    statement: int
    other: int
    block: int
    other_block: int
    thread: int
    other_thread: int
    lanes: int
    address: int
    nbytes: int
    space: int
    is_write: bool
    other_is_write: bool
    is_copy: bool
    other_is_copy: bool
    via: int  # the statement that read a flag, a lock or a counter without a fence; -1: none, or not known
    variable: int = -1
    inside: int = 0
    object_bytes: int = 0
    is_ended: bool = False


@dataclass(frozen=True)
class Party(Kept):
    """The other side of a race: the thread that made the earlier access, and where."""

    block: Thread
    warp: int
    thread: Thread
    is_write: bool
    line: int
    column: int
    opcode: str
    source: str | None = None
    source_line: int = -1

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {**self.__dict__, "block": list(self.block), "thread": list(self.thread)}


@dataclass(frozen=True)
class KernelFinding(Kept):
    """One thing that is wrong with a launch.

    `rule` is a key of ws.RULES; so is `instruction_rule`, where a matrix instruction has one of its own. `block` and
    the threads in `lanes` are (x, y, z). `line` and `column` are of the PTX, `source` and `source_line` what .loc says
    (None, -1 without). `address` is that of the lowest thread; `array` is the nearest array or variable, `offset` where
    the address is in it, `array_bytes` its size. `other` is the other side of a race; `count` says how often the same
    was found at the same lines, `also` names the other lines of the PTX that the same note is about.
    """

    rule: str
    severity: str
    message: str
    fix: str
    block: Thread
    warp: int
    lanes: tuple[Thread, ...]
    line: int
    column: int
    opcode: str
    source: str | None = None
    source_line: int = -1
    address: int | None = None
    array: str | None = None
    offset: int | None = None
    array_bytes: int | None = None
    instruction_rule: str | None = None
    other: Party | None = None
    count: int = 1
    also: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """What a kernel or a file says steers no terminal."""
        object.__setattr__(self, "message", printable(self.message))

    @property
    def error(self) -> type[errors.WarpsimError]:
        """The exception class of the rule."""
        error = RULES[self.instruction_rule or self.rule].error
        assert error is not None
        return error

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            **self.__dict__,
            "block": list(self.block),
            "lanes": [list(thread) for thread in self.lanes],
            "other": self.other.to_dict() if self.other is not None else None,
        }

    def __str__(self) -> str:
        return f"{self.severity} {self.rule}: {self.message}\n  fix: {self.fix}"


def lanes_of(mask: int) -> tuple[int, ...]:
    """The lanes whose bits are set."""
    return tuple(lane for lane in range(32) if mask >> lane & 1)


def thread_of(number: int, block: Thread) -> Thread:
    """The thread of that number in a block of these threads."""
    return number % block[0], number // block[0] % block[1], number // (block[0] * block[1])


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


def and_lines(lines: Iterable[int]) -> str:
    """; and lines 4, 7: the other lines that a note is about; empty for none."""
    others = sorted(lines)
    named = ", ".join(map(str, others[:MOST_LINES])) + (" ..." if len(others) > MOST_LINES else "")
    return f"; and line{'s' if len(others) > 1 else ''} {named}" if others else ""


def folded(findings: Iterable[KernelFinding]) -> tuple[KernelFinding, ...]:
    """The findings, with one note for all stores of a source line that write the same value twice."""
    groups: dict[object, list[KernelFinding]] = {}
    for number, one in enumerate(findings):
        is_own = one.rule == SAME_VALUE and one.other is not None and one.other.line == one.line
        key = (one.source, one.source_line) if is_own and one.source_line >= 0 else number
        groups.setdefault(key, []).append(one)
    return tuple(_together(group) for group in groups.values())


def _together(group: list[KernelFinding]) -> KernelFinding:
    first, also = group[0], tuple(one.line for one in group[1:])
    if not also:
        return first
    count = sum(one.count for one in group)
    alone = first.message.removesuffix(f"\n  {first.count:,} times")
    return replace(first, message=f"{alone}{and_lines(also)}\n  {count:,} times", count=count, also=also)


#: what an access misses though it lies in memory of the kernel: a variable, a parameter, a piece of the heap
#: rules about one access and one object, which tell no other party
MISSED = numbers("BOUNDS FREED")


def beside(name: str, offset: int, size: int, nbytes: int) -> str:
    """Where the bytes of an access are in an object, or how far from it."""
    if offset < 0:
        return f"{-offset:,} bytes before {name} ({size:,} bytes)"
    if offset >= size:
        return f"{offset - size:,} bytes after the end of {name} ({size:,} bytes)"
    beyond = f", {offset + nbytes - size:,} of them beyond its end" if offset + nbytes > size else ""
    return f"{offset:,} bytes into {name} ({size:,} bytes){beyond}"
