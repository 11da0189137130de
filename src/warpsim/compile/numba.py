"""`ws.numba`: functions with @cuda.jit, compiled by the installed numba-cuda for a GPU that need not be there."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from ..arguments import describe
from ..arrays import array_of_tensor
from ..errors import CompileError, bad_type
from ..kernel.module import Module, name_as_source
from ..kernel.report import KernelReport
from ..targets import USUAL_TARGET, capability_of

MISSING = "ws.numba needs numba-cuda: pip install 'warpsim[numba]'"


def _installed() -> tuple[Any, Any, Any]:
    """numba.cuda, numba.types and the errors of Numba; an ImportError says how to install them."""
    try:
        return import_module("numba.cuda"), import_module("numba.types"), import_module("numba.core.errors")
    except ImportError as error:
        raise ImportError(MISSING) from error


def _value(value: Any) -> Any:
    """The argument as an array or a number."""
    if isinstance(value, np.ndarray | np.generic | bool | int | float | complex):
        return value
    if hasattr(value, "__dlpack__"):
        return array_of_tensor(value)
    raise bad_type("args", f"expected arrays and numbers, got {describe(value)}")


def _fields(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The parameters of the kernel that an argument becomes, by name: Numba passes what it knows of an array."""
    if not isinstance(value, np.ndarray):
        bits = value.view(np.uint16) if isinstance(value, np.float16) else value  # Numba has no type for its numbers
        parts = [value.real, value.imag] if isinstance(value, complex | np.complexfloating) else [bits]
        yield from (
            (name if len(parts) == 1 else f"{name}.{part}", one) for part, one in zip("ri", parts, strict=False)
        )
        return
    yield from ((f"{name}.meminfo", None), (f"{name}.parent", None))
    yield from ((f"{name}.size", value.size), (f"{name}.itemsize", value.itemsize), (name, value))
    for what in ("shape", "strides"):
        yield from ((f"{name}.{what}[{axis}]", one) for axis, one in enumerate(getattr(value, what)))


def _compiled(function: Any, values: Sequence[Any], target: str) -> str:
    """The PTX of the function for arguments of these types."""
    cuda, types, errors = _installed()
    capability = divmod(capability_of(target), 10)
    try:
        signature = types.void(*map(import_module("numba").typeof, values))
        ptx, _ = cuda.compile(
            function, signature, cc=capability, device=False, output="ptx", abi="numba", lineinfo=True
        )
    except errors.NumbaError as error:
        raise CompileError(str(error), f"Numba refuses {function.__name__}") from error
    return str(ptx)


def numba(fn: Any, *args: Any, grid: Any, block: Any, target: str = USUAL_TARGET, **options: Any) -> KernelReport:
    """The report of a function with @cuda.jit on arrays and numbers, in place; the table names its Python lines.

    The installed numba-cuda compiles `fn` for `target` and the types of `args`: NumPy arrays, CPU tensors, numbers.
    `grid`, `block`, `options`: those of Kernel.__call__, such as shared_bytes for cuda.shared.array(0, ...).
    CompileError has what Numba refuses, an ImportError how to install it.

    >>> import warpsim as ws
    >>> ws.numba.__name__
    'numba'
    """
    function = getattr(fn, "py_func", fn)
    if not inspect.isfunction(function):
        raise bad_type("fn", f"expected a function with @cuda.jit, got {describe(fn)}")
    values = [_value(value) for value in args]
    try:
        named = inspect.signature(function).bind(*values)
    except TypeError as error:
        raise TypeError(f"{function.__name__}: {error}") from None
    (kernel,) = Module.of_python(_compiled(function, values, target)).kernels.values()
    fields = [field for name, value in named.arguments.items() for field in _fields(name, value)]
    name_as_source(kernel, function.__name__, [name for name, _ in fields])
    return kernel(grid, block, [value for _, value in fields], **options)
