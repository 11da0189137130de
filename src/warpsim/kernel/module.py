"""A PTX module and its kernels."""

from __future__ import annotations

import difflib
import operator
import os
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from ..arguments import describe
from ..errors import bad_type
from .entry import Entry, Source
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


class Module(Source):
    """A whole PTX text, or the file at a path (os.PathLike).

    Raises PtxSyntaxError with the place for what is not PTX. `globals` are the bytes of the module's .global and .const
    variables: kernels read and write them, and so may you. `kernels` has the kernels by name, and so has module[name].
    A pickle has the text and what the variables hold.
    """

    def __init__(self, ptx: str | bytes | os.PathLike[str]) -> None:
        self._text = _text(ptx)
        super().__init__(self._text)
        self.version = f"{self._core.version // 10}.{self._core.version % 10}"
        self.kernels: Mapping[str, Kernel] = {entry[0]: Kernel(self, entry) for entry in self._core.entries()}

    @cached_property
    def globals(self) -> dict[str, np.ndarray]:
        """The bytes of each module variable (uint8), with its initial values."""
        found = {}
        for number, (name, space, _, _, _, _, inner, _) in enumerate(self._variables):
            if not inner and space in ("global", "const"):
                found[name] = self._bytes_of(number)
        return found

    def __getitem__(self, name: str) -> Kernel:
        """The kernel of that name; a KeyError names the nearest one."""
        if not isinstance(name, str):
            raise bad_type("name", f"expected a str, got {describe(name)}")
        if name in self.kernels:
            return self.kernels[name]
        near = difflib.get_close_matches(name[:200], self.kernels, 1, 0.4)
        hint = f"; did you mean {near[0]!r}?" if near else f"; it has {', '.join(self.kernels) or 'none'}"
        raise KeyError(f"the module has no kernel {name[:200]!r}{hint}")

    def __reduce__(self) -> tuple[Any, ...]:
        return Module, (self._text,), (self._storage, self._is_relocated)

    def __setstate__(self, state: tuple[dict[int, np.ndarray], bool]) -> None:
        self._storage, self._is_relocated = state

    def __repr__(self) -> str:
        return f"Module(PTX {self.version}, {', '.join(self.targets)}, kernels: {', '.join(self.kernels)})"


class Kernel(Entry):
    """A kernel of a module: its parameters, and calls that run it."""

    @property
    def shared_bytes(self) -> int:
        """Static shared memory of a block."""
        return self._program().shared_bytes

    @property
    def local_bytes(self) -> int:
        """Local memory of a thread, without what its calls need."""
        return self._program().local_bytes

    def __call__(self, grid: Any, block: Any, args: Any, **options: Any) -> KernelReport:
        """Runs the kernel on the arrays in `args`, in place; see Plan for the options."""
        return launch(self, Plan(grid, block, args, **options))

    def __reduce__(self) -> tuple[Any, ...]:
        return operator.getitem, (self._module, self.name)

    def __repr__(self) -> str:
        return f"Kernel({self.name}({', '.join(param.type for param in self.params)}))"
