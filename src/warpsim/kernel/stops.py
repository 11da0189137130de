"""What is wrong with a launch, as findings: what, who, where, and what to do about it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .. import _engine as engine
from .. import errors
from ..characters import printable
from ..instruction.findings import RULES, Finding
from ..pickling import Kept
from .entry import Frame, Place


def numbers(names: str) -> tuple[int, ...]:
    """The core's numbers of rules of kernels, by its names for them, between blanks: the n-th is WS-RUN-n."""
    return tuple(engine.KERNEL_RULES[name] for name in names.split())


def id_of(number: int) -> str:
    """The identifier of a rule of kernels: WS-RUN-017."""
    return f"WS-RUN-{number:03}"


def ids(names: str) -> tuple[str, ...]:
    """The identifiers of rules of kernels, by the core's names for them, between blanks."""
    return tuple(map(id_of, numbers(names)))


(STEPS,) = numbers("STEPS")
SHARED = 1  # the core's number of a state space
MOST_LINES = 8  # that a note names

Thread = tuple[int, int, int]


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
    frames: tuple[Frame, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        frames = [list(frame) for frame in self.frames]
        return {**self.__dict__, "block": list(self.block), "thread": list(self.thread), "frames": frames}


@dataclass(frozen=True)
class KernelFinding(Finding):
    """One thing that is wrong with a launch.

    `rule` is a key of ws.RULES; so is `instruction_rule`, where a matrix instruction has one of its own. `block` and
    the threads in `lanes` are (x, y, z). `line` and `column` are of the PTX, `frames` are (file, line, function):
    the line of the source where the user's code calls what was inlined, the outermost first, to the statement's own;
    `source` and `source_line` are the first (None, -1 where .loc says nothing). `address` is that of the lowest
    thread; `array` is the nearest array or variable, `offset` where the address is in it, `array_bytes` its size.
    `other` is the other side of a race; `count` says how often the same was found at the same lines, `also` names the
    other lines of the PTX that the same note is about.
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
    frames: tuple[Frame, ...] = ()
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
    def where(self) -> str:
        """The line of the PTX, and of the source where that is known."""
        return str(Place(self.line, self.column, self.opcode, self.source, self.source_line, self.frames))

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
            "frames": [list(frame) for frame in self.frames],
            "other": self.other.to_dict() if self.other is not None else None,
        }

    def __str__(self) -> str:
        return f"{self.severity} {self.rule}: {self.message}\n  fix: {self.fix}"


class Sought:
    """What has `findings`, and other fields that are sequences: parts of them are sought when they are read."""

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            held = vars(self)
            if (sought := held.get("_sought", {}).get(name)) is not None:
                known, search = sought
                held.setdefault(name, (*known, *search()))
                held["_sought"] = {other: one for other, one in held["_sought"].items() if other != name}
            if name not in held:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            return held[name]

    @property
    def judged(self) -> tuple[KernelFinding, ...]:
        """The findings without those that are sought when they are read: notes on bank conflicts."""
        held = vars(self)
        sought: tuple[tuple[KernelFinding, ...], Any] | None = held.get("_sought", {}).get("findings")
        return held["findings"] if sought is None else sought[0]

    @property
    def ok(self) -> bool:
        """No finding is an error."""
        return not any(finding.severity == "error" for finding in self.judged)


def seek(one: Sought, **searches: Callable[[], Sequence[Any]]) -> None:
    """What the search of a name gives is part of the field of that name, too."""
    held = vars(one)
    held["_sought"] = {name: (held.pop(name), search) for name, search in searches.items()}


def lanes_of(mask: int) -> tuple[int, ...]:
    """The lanes whose bits are set."""
    return tuple(lane for lane in range(32) if mask >> lane & 1)


def thread_of(number: int, block: Thread) -> Thread:
    """The thread of that number in a block of these threads."""
    return number % block[0], number // block[0] % block[1], number // (block[0] * block[1])


def threads_of(warp: int, lanes: int, block: Thread) -> tuple[Thread, ...]:
    """The threads of a warp in a mask of lanes; the last warp may have lanes that are no thread of the block."""
    numbers = (32 * warp + lane for lane in lanes_of(lanes))
    return tuple(thread_of(number, block) for number in numbers if number < math.prod(block))


def and_lines(lines: Iterable[int]) -> str:
    """; and lines 4, 7: the other lines that a note is about; empty for none."""
    others = sorted(lines)
    named = ", ".join(map(str, others[:MOST_LINES])) + (" ..." if len(others) > MOST_LINES else "")
    return f"; and line{'s' if len(others) > 1 else ''} {named}" if others else ""


#: rules about one access and one object, which tell no other party
MISSED = numbers("BOUNDS FREED")
