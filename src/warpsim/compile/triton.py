"""`ws.triton`: Triton functions, compiled by the installed Triton for a GPU that need not be there."""

from __future__ import annotations

import ctypes
import inspect
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import numpy as np

from ..arguments import describe
from ..errors import CompileError, UnsupportedError, bad_type, bad_value
from ..kernel.module import Kernel, Module
from ..kernel.report import KernelReport
from ..targets import known_target

MISSING = "ws.triton needs Triton: pip install 'warpsim[triton]'"
WARP = 32


class Pointer:
    """An array as Triton's functions take it: the type of its elements and an address."""

    def __init__(self, array: np.ndarray, dtype: str | None = None) -> None:
        self.array = array
        self.dtype = dtype or array.dtype.name

    def data_ptr(self) -> int:
        return self.array.ctypes.data


class _Driver:
    """What Triton asks of a driver while it compiles: the GPU. There is one device for each target."""

    def __init__(self, capability: int, score: Callable[[], float] = lambda: math.nan) -> None:
        self._capability = capability
        self._score = score

    def get_current_device(self) -> int:
        return self._capability

    def get_current_stream(self, device: int) -> int:
        return 0

    def get_current_target(self) -> Any:
        return import_module("triton.backends.compiler").GPUTarget("cuda", self._capability, WARP)

    def get_benchmarker(self) -> Callable[..., Any]:
        """For autotuning: what a launch costs here instead of its time."""

        def bench(call: Callable[[], Any], quantiles: Sequence[float] | None = None, **_: Any) -> Any:
            call()
            return [self._score()] * len(quantiles) if quantiles else self._score()

        return bench


def _triton() -> Any:
    try:
        return import_module("triton")
    except ImportError as error:
        raise ImportError(MISSING) from error


@contextmanager
def _driven(driver: _Driver) -> Iterator[None]:
    """Triton asks this driver meanwhile."""
    config = import_module("triton.runtime.driver").driver
    before = config._active
    config.set_active(driver)
    try:
        yield
    finally:
        config._active = before


def _capability(target: str) -> int:
    return int(re.sub(r"\D", "", known_target(target)))


def _function(fn: Any) -> tuple[Any, dict[str, Any]]:
    """The function below decorators, and the values that an only configuration of autotuning gives."""
    given: dict[str, Any] = {}
    while not hasattr(fn, "arg_names") or hasattr(fn, "configs") or hasattr(fn, "values"):
        if hasattr(fn, "configs"):
            if len(fn.configs) != 1:
                choices = "; ".join(map(str, fn.configs))
                raise bad_value("fn", f"it has {len(fn.configs)} configurations: pass fn.fn and the values of one: {choices}")  # fmt: skip  # noqa: E501
            given |= fn.configs[0].all_kwargs()
        elif hasattr(fn, "values"):
            raise bad_value("fn", "it has heuristics: pass fn.fn and the values that they would compute")
        if not hasattr(fn, "fn"):
            raise bad_type("fn", f"expected a function with @triton.jit, got {describe(fn)}")
        fn = fn.fn
    if not hasattr(fn, "device_caches"):
        raise bad_type("fn", "expected a function that Triton compiles; it is interpreted: unset TRITON_INTERPRET")
    return fn, given


def _bytes(value: Any) -> Any:
    """What the engine takes for an argument: of a tensor the bytes from its first element, whatever its type."""
    if isinstance(value, Pointer):
        return value.array
    if isinstance(value, np.ndarray | np.generic) or not hasattr(value, "data_ptr"):
        return value
    if getattr(getattr(value, "device", None), "type", "cpu") != "cpu":
        raise bad_type("args", f"expected tensors on the CPU, got one on {value.device}")
    if 0 in value.shape:
        return np.empty(0, np.uint8)
    storage = value.untyped_storage()  # of a view as well: kernels reach beyond those, as CUDA lets them
    nbytes = storage.data_ptr() + storage.nbytes() - value.data_ptr()
    held = (ctypes.c_uint8 * nbytes).from_address(value.data_ptr())
    return np.frombuffer(held, np.uint8)


def _compiled(fn: Any, values: Mapping[str, Any], options: Mapping[str, Any]) -> Any:
    """Triton's CompiledKernel for these arguments, specialized as it does for a launch."""
    shown = {name: Pointer(one) if isinstance(one, np.ndarray) else one for name, one in values.items()}
    errors = import_module("triton.compiler.errors")
    try:
        return _ORIGINAL.get("run", type(fn).run)(fn, grid=(1,), warmup=True, **shown, **options)
    except errors.CompilationError as error:
        raise CompileError(str(error), f"Triton refuses {fn.__name__}") from error


def _launch(compiled: Any, values: Mapping[str, Any], grid: Any, options: Mapping[str, Any]) -> KernelReport:
    module = Module(compiled.asm["ptx"])
    kernel: Kernel = module[compiled.metadata.name]
    names = [name for name, kind in compiled.src.signature.items() if kind != "constexpr"]
    nested = [name for name in names if isinstance(values[name], tuple | list) or hasattr(values[name], "block_shape")]
    if nested or len(names) > len(kernel.params):
        raise UnsupportedError(f"{kernel.name}: arguments that are tuples or descriptors are not modelled: {nested}")
    kernel.name_parameters([*names, *[""] * (len(kernel.params) - len(names))])
    if callable(grid):
        grid = grid(dict(values))
    extent = tuple(grid) if isinstance(grid, Sequence) else (grid,)
    scratch = getattr(compiled.metadata, "global_scratch_size", 0) * math.prod(extent)
    args = [_bytes(values[name]) for name in names]
    extra: list[Any] = [np.zeros(scratch, np.uint8) if scratch else None, None]
    block = kernel.required_block or compiled.metadata.num_warps * WARP
    args += extra[: len(kernel.params) - len(names)]
    shared = compiled.metadata.shared + options.get("shared_bytes", 0)
    return kernel(extent, block, args, **{**options, "shared_bytes": shared})


def _values(fn: Any, args: Sequence[Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments by name, defaults among them."""
    try:
        bound = inspect.signature(fn.fn).bind(*args, **given)
    except TypeError as error:
        raise TypeError(f"{fn.__name__}: {error}") from None
    bound.apply_defaults()
    return dict(bound.arguments)


_ORIGINAL: dict[str, Any] = {}  # what patch() has replaced


class Patch:
    """That Triton's launches run here until undo(), or the end of a with block; `reports` has what they reported."""

    def __init__(self, target: str, options: Mapping[str, Any]) -> None:
        self.reports: list[KernelReport] = []
        self._driver = _Driver(_capability(target), lambda: self.reports[-1].steps if self.reports else math.nan)
        self._options = dict(options)
        _triton()
        self._jit = import_module("triton.runtime.jit").JITFunction
        self._config = import_module("triton.runtime.driver").driver
        if _ORIGINAL:
            raise RuntimeError("patch() is in force: call undo() of what it returned first")
        self._before = self._config._active
        _ORIGINAL["run"] = self._jit.run
        self._config.set_active(self._driver)
        self._jit.run = lambda fn, *args, grid, warmup, **given: self._run(fn, args, grid, warmup, given)

    def _run(self, fn: Any, args: Sequence[Any], grid: Any, warmup: bool, given: dict[str, Any]) -> Any:
        names = set(fn.arg_names)
        values = _values(fn, args, {name: value for name, value in given.items() if name in names})
        compiled = _compiled(fn, values, {name: value for name, value in given.items() if name not in names})
        if not warmup:
            self.reports.append(_launch(compiled, values, grid, self._options))
        return compiled

    def undo(self) -> None:
        """Triton launches as before."""
        if _ORIGINAL:
            self._jit.run = _ORIGINAL.pop("run")
            self._config._active = self._before

    def __enter__(self) -> Patch:
        return self

    def __exit__(self, *_: object) -> None:
        self.undo()


class Door:
    """Runs Triton functions: see __call__ and patch."""

    def __call__(
        self,
        fn: Any,
        *args: Any,
        grid: Any,
        num_warps: int = 4,
        num_stages: int = 3,
        target: str = "sm_80",
        launch: Mapping[str, Any] | None = None,
        **constexpr: Any,
    ) -> KernelReport:
        """The report of a Triton function on NumPy arrays and CPU tensors, in place; the table names its Python lines.

        The installed Triton compiles `fn` for `target`, as it would there for these arguments: an int that is 1 is a
        constant, pointers and ints that are multiples of 16 are known to be so. `grid`: an int, a tuple, or a function
        of the arguments as Triton's launches have it. `constexpr`: arguments by name. `launch`: options of
        Kernel.__call__, such as {"blocks": 8}. CompileError has what Triton refuses.
        """
        _triton()
        fn, chosen = _function(fn)
        options = {"num_warps": num_warps, "num_stages": num_stages}
        options |= {name: chosen.pop(name) for name in [*chosen] if name not in fn.arg_names}
        values = _values(fn, args, {**chosen, **constexpr})
        with _driven(_Driver(_capability(target))):
            compiled = _compiled(fn, values, options)
        return _launch(compiled, values, grid, dict(launch or {}))

    def patch(self, target: str = "sm_80", **launch: Any) -> Patch:
        """From now on fn[grid](...) runs here on CPU tensors and arrays, as with TRITON_INTERPRET.

        `launch`: options of Kernel.__call__ for every launch. The result has `reports`, one a launch, and undo(); it
        is a context manager, too. Autotuning takes the configuration that needs the fewest warp instructions.
        """
        return Patch(target, launch)


#: Runs Triton functions; see Door.
triton = Door()
