"""A PTX module and its kernels."""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from .. import _engine as engine
from .. import targets
from ..arguments import describe
from ..errors import bad_type
from .arguments import Param
from .launch import Plan, launch
from .report import KernelReport


def _text(ptx: str | bytes | os.PathLike[str]) -> bytes:
    if isinstance(ptx, bytes):
        return ptx
    if isinstance(ptx, os.PathLike):
        with open(ptx, "rb") as file:
            return file.read()
    if isinstance(ptx, str):
        return ptx.encode()
    raise bad_type("ptx", f"expected PTX text or a path, got {describe(ptx)}")


class Module:
    """A whole PTX text, or the file at a path (os.PathLike).

    Raises PtxSyntaxError with the place for what is not PTX. `globals` are the bytes of the module's .global and .const
    variables: kernels read and write them, and so may you.
    """

    def __init__(self, ptx: str | bytes | os.PathLike[str]) -> None:
        self._core = engine.Module(_text(ptx))
        self._variables = self._core.variables()
        self._storage: dict[int, np.ndarray] = {}
        self._is_relocated = False
        self.version = f"{self._core.version // 10}.{self._core.version % 10}"
        self.targets: tuple[str, ...] = self._core.targets
        self.kernels: Mapping[str, Kernel] = {entry[0]: Kernel(self, entry) for entry in self._core.entries()}

    @cached_property
    def globals(self) -> dict[str, np.ndarray]:
        """The bytes of each module variable (uint8), with its initial values."""
        found = {}
        for number, (name, space, _, _, _, _, inner, _) in enumerate(self._variables):
            if not inner and space in ("global", "const"):
                found[name] = self._bytes_of(number)
        return found

    def _bytes_of(self, number: int) -> np.ndarray:
        """The bytes of a .global or .const variable."""
        if number not in self._storage:
            array = np.zeros(self._variables[number][3], np.uint8)
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

    def __getitem__(self, name: str) -> Kernel:
        if name in self.kernels:
            return self.kernels[name]
        near = difflib.get_close_matches(str(name), self.kernels, 1, 0.4)
        hint = f"; did you mean {near[0]!r}?" if near else f"; it has {', '.join(self.kernels) or 'none'}"
        raise KeyError(f"the module has no kernel {name!r}{hint}")

    def __repr__(self) -> str:
        return f"Module(PTX {self.version}, {', '.join(self.targets)}, kernels: {', '.join(self.kernels)})"


class Kernel:
    """A kernel of a module: its parameters, and calls that run it."""

    def __init__(self, module: Module, entry: tuple[Any, ...]) -> None:
        self._module = module
        self.name: str = entry[0]
        self._number, first, count, self.num_statements = entry[1:5]
        self._first_parameter = first
        self.params = tuple(
            Param(name, type_, nbytes, align, is_array)
            for name, _, type_, nbytes, align, is_array, _, _ in module._variables[first : first + count]
        )
        self.launch_bounds: tuple[int, int, int] | None = entry[5] if entry[5][0] else None
        self.required_block: tuple[int, int, int] | None = entry[6] if entry[6][0] else None
        self.required_cluster: tuple[int, int, int] | None = entry[7] if entry[7][0] else None
        self._programs: dict[tuple[int, int, bool], engine.Program] = {}

    def _program(self, target: str | None = None, simd: int = 0, contract: bool = True) -> engine.Program:
        name = target if target is not None else self._module.targets[0] if self._module.targets else None
        number = targets.target_row(name)
        key = (number, simd, contract)
        if key not in self._programs:
            self._programs[key] = engine.Program(self._module._core, self._number, *key)
        return self._programs[key]

    @property
    def shared_bytes(self) -> int:
        """Static shared memory of a block."""
        return int(self._program().shared_bytes)

    @property
    def local_bytes(self) -> int:
        """Local memory of a thread, without what its calls need."""
        return int(self._program().local_bytes)

    @property
    def max_threads(self) -> int:
        """The most threads that a block may have."""
        x, y, z = self.required_block or self.launch_bounds or (1024, 1, 1)
        return min(x * y * z, 1024)

    @property
    def unsupported(self) -> tuple[tuple[int, str], ...]:
        """(line, opcode) of each statement that the kernel reaches and that is not modelled."""
        places = [self._module._core.place(number) for number in self._program().refused]
        return tuple((line, opcode) for line, _, opcode in places)

    def __call__(self, grid: Any, block: Any, args: Any, **options: Any) -> KernelReport:
        """Runs the kernel on the arrays in `args`, in place; see Plan for the options."""
        return launch(self, Plan(grid, block, args, **options))

    def __repr__(self) -> str:
        return f"Kernel({self.name}({', '.join(param.type for param in self.params)}))"
