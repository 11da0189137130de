"""What a launch needs of a module and of a kernel: the text that was read, the bytes of variables, decoded programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any, NamedTuple

import numpy as np

from .. import _core, errors, targets
from .. import _engine as engine
from ..characters import printable
from ..instruction.refusals import refusals
from ..machine.merged import Merged, by_text
from ..machine.text import Text, read
from ..memory import memory_limit
from ..sources import Sources
from ..threads.once import cached_property
from ..threads.patience import interruptible
from .arguments import Param

MOST_REFUSALS = 8  # notes of a launch
MOST_REFUSED = 20  # lines of an error
MOST_OPCODE = 200  # letters of an opcode in a message

LARGE_TEXT, LARGE_KERNEL = 200_000, 5_000  # bytes, statements: what takes longer than some milliseconds


def _patiently(is_long: bool, make: Any, *arguments: Any) -> Any:
    """What `make` makes; if that is long, Ctrl-C ends it."""
    return interruptible(lambda: make(*arguments)) if is_long else make(*arguments)


def _zeros(name: str, nbytes: int) -> np.ndarray:
    try:
        return np.zeros(nbytes, np.uint8)
    except MemoryError:
        raise errors.OutOfMemoryError(
            f"{name}: no memory for a variable of {nbytes:,} bytes; make it smaller"
        ) from None


def _opcode_shown(opcode: str) -> str:
    return opcode if len(opcode) <= MOST_OPCODE else f"{opcode[:MOST_OPCODE]}..."


class Frame(NamedTuple):
    """A line of the source, and the function that it is of."""

    file: str
    line: int
    function: str

    def __str__(self) -> str:
        return f"{PurePosixPath(self.file).name}:{self.line}"


class Place(NamedTuple):
    """Where a statement is, in the PTX text and in the source.

    `frames`: where it is called, the user's outermost line first, to its own; `source` and `source_line` are the first.
    """

    line: int
    column: int
    opcode: str
    source: str | None
    source_line: int
    frames: tuple[Frame, ...]

    def __str__(self) -> str:
        return f"{self.in_ptx}{self._in_source}"

    @property
    def in_ptx(self) -> str:
        """The line and the opcode."""
        return f"line {self.line}: {_opcode_shown(self.opcode)}"

    @property
    def _in_source(self) -> str:
        if not self.frames:
            return ""
        outer, own = self.frames[0], self.frames[-1]
        called = f", in {own.function} ({own})" if len(self.frames) > 1 else ""
        return f" ({outer}{called})"


class Source:
    """A PTX text that was read, and the bytes of its variables."""

    def __init__(self, text: bytes, sources: Sources | None = None) -> None:
        self.text = text
        self.sources = Sources() if sources is None else sources  # as the first launch finds them
        self.core: engine.Module = _patiently(len(text) > LARGE_TEXT, engine.Module, text)
        self.variables = self.core.variables()
        self.storage: dict[int, np.ndarray] = {}  # bytes of variables, by number
        self.relocated: dict[tuple[int, int], bytes] = {}  # addresses that relocate() wrote, by variable and offset
        self.targets: tuple[str, ...] = self.core.targets

    @cached_property
    def names(self) -> list[str]:
        """The variables in plain words."""
        return [engine.plain_variable(row[0]) for row in self.variables]

    @cached_property
    def const_bytes(self) -> int:
        """What its .const variables take, one after another."""
        sizes: dict[str | int, tuple[int, int]] = {}
        for number, (name, space, _, nbytes, align, _, is_inner, _) in enumerate(self.variables):
            if space == "const":  # a name of the module may be declared again, and is one variable
                key = number if is_inner else name
                sizes[key] = max(sizes.get(key, (0, 1)), (nbytes, align))
        end = 0
        for nbytes, align in sizes.values():
            end = -(-end // align) * align + nbytes
        return end

    @cached_property
    def files(self) -> tuple[str, ...]:
        """The names of the source files."""
        return tuple(printable(name, "") for name in self.core.files())

    @cached_property
    def texts(self) -> Text:
        """Its accesses to memory."""
        return read(self.core, self.text)

    @cached_property
    def decoded(self) -> str:
        """The text as characters: "?" for each byte that is not UTF-8, as in comments, so that columns stay."""
        return self.text.decode("utf-8", "surrogateescape").encode("utf-8", "replace").decode()

    def place(self, statement: int) -> Place:
        """The place of a statement."""
        frames = tuple(Frame(self.files[file], line, name) for file, line, name in self.core.frames(statement))
        source, source_line = frames[0][:2] if frames else (None, -1)
        line, column, opcode = self.core.place(statement)
        return Place(line, column, opcode, source, source_line, frames)

    def bytes_of(self, number: int) -> np.ndarray:
        """The bytes of a .global or .const variable."""
        if number not in self.storage:
            array = _zeros(*self.variables[number][:4:3])
            _ = self._fits
            for at, piece in self.core.initial(number)[0]:
                array[at : at + len(piece)] = np.frombuffer(piece, np.uint8)
            self.storage.setdefault(number, array)  # that of the first, where two threads are here
        return self.storage[number]

    @cached_property
    def _fits(self) -> bool:
        """True; an error if the variables take more than the machine can give, even where each alone would fit."""
        sizes = [nbytes for _, space, _, nbytes, *_ in self.variables if space in ("global", "const")]
        most = memory_limit.most() if sum(sizes) > memory_limit.LARGE else None
        if most is not None and sum(sizes) > most:
            there = f"this machine has {memory_limit.written(most)} of RAM and swap"
            raise errors.OutOfMemoryError(
                f"{len(sizes):,} variables of the module's global memory take {sum(sizes):,} bytes together; {there}:"
                " make them smaller, or pass arrays for those that are needed"
            )
        return True

    @cached_property
    def _addresses(self) -> list[tuple[Any, ...]]:
        """What initial values name: variable, offset, bytes, symbol, whether it is a function, addend, shift."""
        return [
            (number, *one)
            for number, (_, space, *_) in enumerate(self.variables)
            if space in ("global", "const")
            for one in self.core.initial(number)[1]
        ]

    def relocate(self, addresses: list[int]) -> None:
        """Writes the addresses that initial values name, as they are in this launch.

        What the caller or a kernel has put into their place stays.
        """
        for number, at, nbytes, symbol, is_function, addend, shift in self._addresses:
            base = self.core.function_address(symbol) if is_function else addresses[symbol]
            value = ((base + addend) & (2**64 - 1)) >> shift & ((1 << 8 * nbytes) - 1)
            place, written = self.bytes_of(number)[at : at + nbytes], value.to_bytes(nbytes, "little")
            if place.tobytes() == self.relocated.get((number, at), bytes(nbytes)):
                place[:] = np.frombuffer(written, np.uint8)
                self.relocated[number, at] = written


class Key(NamedTuple):
    """What a program is made for: row of the target, level of vector instructions, contraction."""

    target: int
    simd: int
    contract: bool


class Entry:
    """A kernel of a text, and its programs: one for each target and level."""

    def __init__(self, source: Source, entry: tuple[Any, ...]) -> None:
        self.source = source
        self.name: str = entry[0]
        self.label: str = self.name  # its name in the source, where that is known
        self._number, first, count, self.num_statements = entry[1:5]
        self.first_parameter = first
        self.params = tuple(
            Param(name, type_, nbytes, align, is_array)
            for name, _, type_, nbytes, align, is_array, _, _ in source.variables[first : first + count]
        )
        self.launch_bounds: tuple[int, int, int] | None = entry[5] if entry[5][0] else None
        self.required_block: tuple[int, int, int] | None = entry[6] if entry[6][0] else None
        self.required_cluster: tuple[int, int, int] | None = entry[7] if entry[7][0] else None
        self.most_ranks: int = entry[9]  # .maxclusterrank; 0: it says nothing
        self.is_explicit_cluster: bool = entry[10]
        self._programs: dict[Key, engine.Program] = {}
        self._refusals: dict[engine.Program, tuple[str, ...]] = {}
        self.statements: dict[engine.Program, Any] = {}  # what counters need to know of each program
        self._merged: dict[engine.Program, tuple[Merged, ...]] = {}

    def name_parameters(self, names: Sequence[str], elements: Sequence[str] = ()) -> None:
        """Gives the parameters the names that the source has for them, and what they point to, where that is known."""
        known = zip(self.params, names, elements or [""] * len(names), strict=True)
        self.params = tuple(replace(param, source_name=name, element=element) for param, name, element in known)

    def key(self, target: str | None = None, simd: int = 0, contract: bool = True) -> Key:
        """What a program is made for: row of the target, level of vector instructions, contraction."""
        name = target if target is not None else self.source.targets[0] if self.source.targets else None
        levels = ("auto", *_core.simd_levels())
        return Key(targets.target_row(name), simd or levels.index(_core.get_simd()), contract)

    def program(self, key: Key | None = None) -> engine.Program:
        """The kernel, decoded; for None as the module says."""
        key = self.key() if key is None else key
        if key not in self._programs:
            self._programs[key] = _patiently(
                self.num_statements > LARGE_KERNEL, engine.Program, self.source.core, self._number, *key
            )
        return self._programs[key]

    def refusals(self, program: engine.Program) -> tuple[str, ...]:
        """What the assembler refuses for the text's own .target and .version, as notes of a launch; each kind once."""
        if program not in self._refusals:
            target = self.source.targets[0] if self.source.targets else None
            found = refusals(engine.opcodes(program), target, self.source.core.version)
            told = [(what, None if at is None else self.source.core.place(at)[0]) for what, at in found]
            self._refusals[program] = tuple(
                f"the assembler refuses this text ({'the file' if line is None else f'line {line}'}): {what}"
                for what, line in told[:MOST_REFUSALS]
            )
        return self._refusals[program]

    def merged(self, program: engine.Program) -> tuple[Merged, ...]:
        """Neighbouring accesses to shared memory that the assembler would join, told from the text alone."""
        if program not in self._merged:
            self._merged[program] = by_text(self.source.texts, program.statements())
        return self._merged[program]

    @property
    def max_threads(self) -> int:
        """The most threads that a block may have."""
        x, y, z = self.required_block or self.launch_bounds or (1024, 1, 1)
        return min(x * y * z, 1024)

    @property
    def unsupported(self) -> tuple[tuple[int, str], ...]:
        """(line, opcode) of each statement that the kernel reaches and that is not modelled."""
        return self.refused(self.program())

    def refused(self, program: engine.Program) -> tuple[tuple[int, str], ...]:
        """The same for one of its programs."""
        places = [self.source.core.place(number) for number in program.refused]
        return tuple((line, opcode) for line, _, opcode in places)

    def bodiless(self, program: engine.Program) -> list[str | None]:
        """Of each refused statement the function without a body that it calls; None: it calls none."""
        core, found = self.source.core, list[str | None]()
        for number in program.refused:
            statement = engine.statement(core, number)
            called = [
                one.number for one in statement.operands if one.kind == "function" and statement.row.event == "call"
            ]
            found.append(core.function(called[0]) if called else None)
        return found

    def refuse(self, program: engine.Program) -> None:
        """Raises for statements that are not modelled: all of them, with their lines."""
        found = self.refused(program)
        if not found:
            return
        called = self.bodiless(program)
        rows = [
            f"  line {line}: {_opcode_shown(opcode)}{'' if name is None else f' of {name}, which has no body'}"
            for (line, opcode), name in zip(found, called, strict=True)
        ]
        more = f"\n  and {len(found) - MOST_REFUSED} more" if len(found) > MOST_REFUSED else ""
        count = f"{len(found)} statement{'s' if len(found) > 1 else ''}"
        what = "cannot run" if all(called) else "does not model"
        link = "\n  fix: Pass the text with the body, too: ws.Module([text, other]) links them." if any(called) else ""
        lines = "\n".join(rows[:MOST_REFUSED])
        raise errors.UnsupportedError(f"{self.name} has {count} that warpsim {what}:\n{lines}{more}{link}")
