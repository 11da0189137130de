"""`ws.RawKernel`: a kernel of CUDA C++ that is called as CuPy's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..arguments import describe
from ..errors import bad_type
from ..kernel.module import Kernel
from ..kernel.report import KernelReport
from ..targets import USUAL_TARGET, known_target
from ..threads.once import cached_property
from .cuda import compile, strings


class RawKernel:
    """A kernel of a text of CUDA C++, compiled at its first call, and called as CuPy's RawKernel."""

    def __init__(self, code: str, name: str, options: Sequence[str] = (), *, target: str = USUAL_TARGET) -> None:
        for argument, value in (("code", code), ("name", name)):
            if not isinstance(value, str):
                raise bad_type(argument, f"expected a str, got {describe(value)}")
        self.code, self.name, self.options = code, name, tuple(strings("options", options))
        self._target = known_target(target)

    @cached_property
    def kernel(self) -> Kernel:
        """The kernel as ws.compile makes it."""
        name = self.name if "<" in self.name else None
        return compile(self.code, name=name, target=self._target, options=self.options)[self.name]

    def compile(self) -> None:
        """Compiles now instead of at the first call."""
        _ = self.kernel

    def __call__(
        self,
        grid: Sequence[int],
        block: Sequence[int],
        args: Sequence[Any],
        *,
        shared_mem: int = 0,
        stream: Any = None,
        **options: Any,
    ) -> KernelReport:
        """Runs the kernel on the arrays in `args`, in place; `options` are those of Kernel.__call__."""
        return self.kernel(grid, block, args, shared_bytes=shared_mem, **options)
