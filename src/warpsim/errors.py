"""What can go wrong, as a tree of exceptions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from .characters import printable

KEPT = "\n\t"  # of what a compiler said


class WarpsimError(Exception):
    """Everything that this package raises of its own.

    `.report` is the KernelReport of what ran, of an error that ends a launch; else None.
    """

    report: Any = None


class _PtxTextError(WarpsimError, ValueError):
    """About a PTX text: a message and, below it, the line with a caret at `.column`.

    `later`: a function that makes the whole message of this error, `message` and further arguments when somebody reads
    it, since that takes longer than all else; and these arguments.
    """

    __slots__ = ("_said",)  # not pickled: str() has it

    def __init__(self, message: str, column: int = -1, *later: Any) -> None:
        self.column = column
        self._said = message, later

    def __str__(self) -> str:
        message, later = self._said
        if later:
            tell, *given = later
            message = tell(self, message, *given)
            self._said = message, ()
        return message

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self),), vars(self)

    @property
    def args(self) -> tuple[Any, ...]:  # type: ignore[override]  # of BaseException, to be written
        return (str(self),)


class PtxSyntaxError(_PtxTextError):
    """Malformed PTX text, or a word that PTX does not have.

    `.column` is the 0-based character where the trouble is; the message ends with a caret line.
    """


class UnsupportedError(_PtxTextError):
    """Legal nowhere, not legal at this target or PTX version, or legal but not modelled.

    `.column` is the 0-based character in the text where there is one, else -1.
    """


MOST_LINES, MOST_WIDTH = 100, 1000  # of what a compiler said, in a message


class CompileError(WarpsimError, ValueError):
    """CUDA C++, or a function of Triton or Numba, that its compiler refuses, in its words, with carets.

    `.log` is all that it said, and `.errors` has (file, line, message) of each error that it places. What steers a
    terminal in a line that the compiler quotes is U+FFFD in both.
    """

    def __init__(self, log: str, message: str = "") -> None:
        log, message = printable(log.replace("\r\n", "\n"), KEPT), printable(message, KEPT)
        super().__init__(log, message)
        self.log = log

    def __str__(self) -> str:
        lines = "\n".join(part for part in (self.args[1], self.log.rstrip()) if part).split("\n")
        more = len(lines) - MOST_LINES
        told = [line if len(line) <= MOST_WIDTH else f"{line[:MOST_WIDTH]} ..." for line in lines[:MOST_LINES]]
        return "\n".join(told + [f"and {more:,} more lines, which .log has"] * (more > 0))

    @property
    def errors(self) -> tuple[tuple[str, int, str], ...]:
        """The errors that have a place."""
        found = re.finditer(r"^(.+?)[(:](\d+)\)?:? (?:catastrophic |fatal )?error: (.*)$", self.log, re.MULTILINE)
        return tuple((one[1], int(one[2]), one[3]) for one in found)


class OutOfMemoryError(MemoryError, WarpsimError):
    """A call needs more memory than there is; the message says how much, and what to do."""


class UndefinedBehaviorError(WarpsimError):
    """PTX leaves the behaviour undefined; `.findings` has every case, the first names the class."""

    def __init__(self, message: str, findings: Sequence[Any] = ()) -> None:
        super().__init__(message)
        self.findings = findings


class MisalignedAddressError(UndefinedBehaviorError):
    """An address is not a multiple of the bytes that are accessed there."""


class OutOfBoundsError(UndefinedBehaviorError):
    """An access is outside the memory, or its generic address is in no memory at all."""


class NonSharedAddressError(UndefinedBehaviorError):
    """A generic address of ldmatrix or stmatrix lies outside shared memory."""


class StrideError(UndefinedBehaviorError):
    """A wmma stride breaks PTX's alignment rule or is below the default."""


class DivergentQualifiersError(UndefinedBehaviorError):
    """The lanes of a warp do not execute the same instruction."""


class DivergentOperandsError(UndefinedBehaviorError):
    """Lanes hold different values where the instruction needs one."""


class ExitedThreadError(UndefinedBehaviorError):
    """A thread of the warp has exited."""


class InactiveLaneError(UndefinedBehaviorError):
    """A lane does not take part in an .aligned instruction."""


class InvalidLaneAddressError(UndefinedBehaviorError):
    """On sm_75, a lane that supplies no row holds an invalid address."""


class DeadlockError(UndefinedBehaviorError):
    """Every warp of a block waits; the message says where."""


class RaceError(UndefinedBehaviorError):
    """Two threads of a kernel access one byte, one of them writes it, and nothing orders them."""


class UninitializedError(UndefinedBehaviorError):
    """A kernel uses uninitialised memory."""


class StepLimitError(WarpsimError):
    """A launch took more warp instructions than max_steps."""


class ConflictingWritesError(WarpsimError):
    """Two pieces of a launch wrote different values to one byte, and not by atomics that commute."""


class TrapError(UndefinedBehaviorError):
    """A kernel executed trap or brkpt."""


class KernelAssertionError(UndefinedBehaviorError):
    """An assert of a kernel failed."""


class HardwareTrap(WarpsimError):  # noqa: N818 - the contract's name
    """The hardware stops here. `.code` is the CUDA error's name, or "HANG"."""

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> tuple[type[HardwareTrap], tuple[str, str]]:
        return type(self), (str(self), self.code)


class UnknownHardwareBehaviorError(WarpsimError):
    """What this hardware does here has not been measured."""


def bad_value(argument: str, message: str) -> ValueError:
    """A ValueError about an argument: its name begins the text, and is in `.argument`."""
    error = ValueError(f"{argument}: {message}")
    vars(error)["argument"] = argument
    return error


def bad_type(argument: str, message: str) -> TypeError:
    """The same as a TypeError."""
    error = TypeError(f"{argument}: {message}")
    vars(error)["argument"] = argument
    return error


def why(error: BaseException) -> str:
    """What the system said, without the number and the name of the file."""
    return str(getattr(error, "strerror", None) or error)


def called(error: Exception, name: str) -> str:
    """The text of an error about an argument, which the reader calls `name`."""
    return name + str(error).removeprefix(vars(error)["argument"])
