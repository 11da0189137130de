"""What a launch needs of a module and of a kernel: the text that was read, the bytes of variables, decoded programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any, NamedTuple

import numpy as np

from .. import _core, errors, targets
from .. import _engine as engine
from ..instruction.refusals import refusals
from ..machine.names import plain_variable
from ..machine.text import Text, read
from ..sources import Sources
from ..threads.once import cached_property
from ..threads.patience import interruptible
from .arguments import Param

MOST_REFUSALS = 8  # notes of a launch

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


class Source:
    """A PTX text that was read, and the bytes of its variables."""

    def __init__(self, text: bytes, sources: Sources | None = None) -> None:
        self._text = text
        self._sources = Sources() if sources is None else sources  # as the first launch finds them
        self._core = _patiently(len(text) > LARGE_TEXT, engine.Module, text)
        self._variables = self._core.variables()
        self._storage: dict[int, np.ndarray] = {}
        self._is_relocated = False
        self.targets: tuple[str, ...] = self._core.targets

    @cached_property
    def _names(self) -> list[str]:
        """The variables in plain words."""
        return [plain_variable(row[0]) for row in self._variables]

    @cached_property
    def _texts(self) -> Text:
        return read(self._core, self._text)

    @cached_property
    def _decoded(self) -> str:
        return self._text.decode("utf-8", "replace")

    def _bytes_of(self, number: int) -> np.ndarray:
        """The bytes of a .global or .const variable."""
        if number not in self._storage:
            array = _zeros(*self._variables[number][:4:3])
            for at, piece in self._core.initial(number)[0]:
                array[at : at + len(piece)] = np.frombuffer(piece, np.uint8)
            self._storage[number] = array
        return self._storage[number]

    def _relocate(self, addresses: list[int]) -> None:
        """Writes the addresses that initial values name, once: addresses of variables are the same in every launch."""
        if self._is_relocated:
            return
        self._is_relocated = True
        for number, (_, space, *_) in enumerate(self._variables):
            if space not in ("global", "const"):
                continue
            for at, nbytes, symbol, is_function, addend, shift in self._core.initial(number)[1]:
                base = self._core.function_address(symbol) if is_function else addresses[symbol]
                value = ((base + addend) & (2**64 - 1)) >> shift & ((1 << 8 * nbytes) - 1)
                self._bytes_of(number)[at : at + nbytes] = np.frombuffer(value.to_bytes(nbytes, "little"), np.uint8)


class Entry:
    """A kernel of a text, and its programs: one for each target and level."""

    def __init__(self, module: Source, entry: tuple[Any, ...]) -> None:
        self._module = module
        self.name: str = entry[0]
        self.label = self.name  # its name in the source, where that is known
        self._number, first, count, self.num_statements = entry[1:5]
        self._first_parameter = first
        self.params = tuple(
            Param(name, type_, nbytes, align, is_array)
            for name, _, type_, nbytes, align, is_array, _, _ in module._variables[first : first + count]
        )
        self.launch_bounds: tuple[int, int, int] | None = entry[5] if entry[5][0] else None
        self.required_block: tuple[int, int, int] | None = entry[6] if entry[6][0] else None
        self.required_cluster: tuple[int, int, int] | None = entry[7] if entry[7][0] else None
        self.most_ranks: int = entry[9]  # .maxclusterrank; 0: it says nothing
        self.is_explicit_cluster: bool = entry[10]
        self._programs: dict[tuple[int, int, bool], engine.Program] = {}
        self._refusals: dict[engine.Program, tuple[str, ...]] = {}
        self._statements: dict[engine.Program, Any] = {}  # what counters need to know of each program

    def name_parameters(self, names: Sequence[str]) -> None:
        """Gives the parameters the names that the source has for them."""
        self.params = tuple(replace(param, source_name=name) for param, name in zip(self.params, names, strict=True))

    def _key(self, target: str | None = None, simd: int = 0, contract: bool = True) -> tuple[int, int, bool]:
        """What a program is made for: row of the target, level of vector instructions, contraction."""
        name = target if target is not None else self._module.targets[0] if self._module.targets else None
        levels = ("auto", *_core.simd_levels())
        return targets.target_row(name), simd or levels.index(_core.get_simd()), contract

    def _program_of(self, key: tuple[int, int, bool]) -> engine.Program:
        if key not in self._programs:
            self._programs[key] = _patiently(
                self.num_statements > LARGE_KERNEL, engine.Program, self._module._core, self._number, *key
            )
        return self._programs[key]

    def _program(self, target: str | None = None) -> engine.Program:
        return self._program_of(self._key(target))

    def refusals(self, program: engine.Program) -> tuple[str, ...]:
        """What the assembler refuses for the text's own .target and .version, as notes of a launch; each kind once."""
        if program not in self._refusals:
            target = self._module.targets[0] if self._module.targets else None
            found = refusals(engine.opcodes(program), target, self._module._core.version)
            told = [(what, None if at is None else self._module._core.place(at)[0]) for what, at in found]
            self._refusals[program] = tuple(
                f"the assembler refuses this text ({'the file' if line is None else f'line {line}'}): {what}"
                for what, line in told[:MOST_REFUSALS]
            )
        return self._refusals[program]

    @property
    def max_threads(self) -> int:
        """The most threads that a block may have."""
        x, y, z = self.required_block or self.launch_bounds or (1024, 1, 1)
        return min(x * y * z, 1024)

    @property
    def unsupported(self) -> tuple[tuple[int, str], ...]:
        """(line, opcode) of each statement that the kernel reaches and that is not modelled."""
        return self._refused(self._program())

    def _refused(self, program: engine.Program) -> tuple[tuple[int, str], ...]:
        places = [self._module._core.place(number) for number in program.refused]
        return tuple((line, opcode) for line, _, opcode in places)


class Place(NamedTuple):
    """Where a statement is, in the PTX text and in the source."""

    line: int
    column: int
    opcode: str
    source: str | None
    source_line: int

    def __str__(self) -> str:
        return f"line {self.line}: {self.opcode}{self._in_source}"

    @property
    def _in_source(self) -> str:
        return f" ({PurePosixPath(self.source).name}:{self.source_line})" if self.source else ""

    @property
    def short(self) -> str:
        return f"line {self.line}{self._in_source}"


def place(kernel: Entry, statement: int) -> Place:
    """The place of a statement."""
    file, source_line = kernel._module._core.source(statement)
    source = kernel._module._core.files()[file] if file >= 0 else None
    line, column, opcode = kernel._module._core.place(statement)
    return Place(line, column, opcode, source, source_line if source else -1)
