"""A Triton function compiled by the installed Triton for a GPU that need not be there, and one launch of it."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from ..arguments import describe
from ..errors import CompileError, UnsupportedError, bad_type, bad_value
from ..kernel.module import Kernel, Module, name_as_source
from ..kernel.report import KernelReport
from .triton_arguments import parts, pointers

MISSING = "ws.triton needs Triton: pip install 'warpsim[triton]'"
WARP = 32
ORIGINAL: dict[str, Any] = {}  # what patch() has replaced


class Driver:
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


def installed() -> Any:
    """Triton; an ImportError says how to install it."""
    try:
        return import_module("triton")
    except ImportError as error:
        raise ImportError(MISSING) from error


@contextmanager
def driven(driver: Driver) -> Iterator[None]:
    """Triton asks this driver meanwhile."""
    config = import_module("triton.runtime.driver").driver
    before = config._active
    config.set_active(driver)
    try:
        yield
    finally:
        config._active = before


@dataclass(frozen=True)
class Decorated:
    """A function of Triton, and the decorators around it: what autotunes it, what computes values of heuristics."""

    fn: Any
    around: tuple[Any, ...]  # the outermost first

    @property
    def tuner(self) -> Any:
        """The autotuner, or None."""
        return next((one for one in self.around if hasattr(one, "configs")), None)

    def configured(
        self, args: Sequence[Any], given: Mapping[str, Any], config: Any
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Arguments by name, and options such as num_warps, that a configuration and heuristics make of those given."""
        known = {**dict(zip(self.fn.arg_names, args, strict=False)), **given}
        for one in self.around:
            if hasattr(one, "values"):
                for name, value in one.values.items():
                    known[name] = value(dict(known))
            elif config is not None:
                chosen = config.all_kwargs()
                if twice := sorted(known.keys() & config.kwargs.keys()):
                    raise bad_value("constexpr", f"{', '.join(twice)}: the configurations of autotuning give it")
                known |= chosen
        options = {name: known.pop(name) for name in [*known] if name not in self.fn.arg_names}
        return known, options


def function_of(fn: Any) -> Decorated:
    """The function below its decorators."""
    around = []
    while not hasattr(fn, "arg_names") or hasattr(fn, "configs") or hasattr(fn, "values"):
        if not hasattr(fn, "fn"):
            raise bad_type("fn", f"expected a function with @triton.jit, got {describe(fn)}")
        around.append(fn)
        fn = fn.fn
    if not hasattr(fn, "device_caches"):
        raise bad_type("fn", "expected a function that Triton compiles; it is interpreted: unset TRITON_INTERPRET")
    return Decorated(fn, tuple(one for one in around if hasattr(one, "configs") or hasattr(one, "values")))


def given_by_decorators(fn: Any) -> set[str]:
    """The arguments that configurations and heuristics give, so that callers do not."""
    found = set()
    for one in function_of(fn).around:
        found |= set(getattr(one, "values", {}))
        found |= {name for config in getattr(one, "configs", ()) for name in config.kwargs}
    return found


def is_tuned(fn: Any) -> bool:
    """Autotuning has a choice of configurations."""
    tuner = function_of(fn).tuner
    return tuner is not None and len(tuner.configs) > 1


def compiled_for(fn: Any, values: Mapping[str, Any], options: Mapping[str, Any]) -> Any:
    """Triton's CompiledKernel for these arguments, specialized as it does for a launch."""
    shown = {name: pointers(one) for name, one in values.items()}
    errors = import_module("triton.compiler.errors")
    assembling = import_module("triton.runtime.errors").PTXASError
    try:
        return ORIGINAL.get("run", type(fn).run)(fn, grid=(1,), warmup=True, **shown, **options)
    except (errors.CompilationError, assembling) as error:
        raise CompileError(str(error), f"Triton refuses {fn.__name__}") from error
    except RuntimeError as error:  # of a pass, which has said more on standard error
        if "PassManager" not in str(error):
            raise
        raise CompileError(str(error), f"Triton fails to compile {fn.__name__} for this target") from error


def launched(compiled: Any, values: Mapping[str, Any], grid: Any, options: Mapping[str, Any]) -> KernelReport:
    """A compiled function on these arguments."""
    is_gluon = "gluon" in type(compiled.src).__module__
    module = Module.of_python(compiled.asm["ptx"], is_gluon)
    kernel: Kernel = module[compiled.metadata.name]
    given = parts(compiled.src.signature, values, getattr(compiled.metadata, "tensordesc_meta", None) or ())
    missing = len(kernel.params) - len(given)
    if missing < 0:
        raise UnsupportedError(f"{kernel.name}: Triton gives it {len(given)} arguments, it takes {len(kernel.params)}")
    name_as_source(kernel, kernel.name, [*(name for name, _ in given), *[""] * missing])
    if callable(grid):
        grid = grid(dict(values))
    extent = tuple(grid) if isinstance(grid, Sequence) else (grid,)
    scratch = getattr(compiled.metadata, "global_scratch_size", 0) * math.prod(extent)
    extra: list[Any] = [np.zeros(scratch, np.uint8) if scratch else None, None]
    block = kernel.required_block or compiled.metadata.num_warps * WARP
    args = [*(value for _, value in given), *extra[:missing]]
    shared = compiled.metadata.shared + options.get("shared_bytes", 0)
    return kernel(extent, block, args, **{**options, "shared_bytes": shared})


def values_of(fn: Any, args: Sequence[Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments by name, defaults among them."""
    try:
        bound = inspect.signature(fn.fn).bind(*args, **given)
    except TypeError as error:
        raise TypeError(f"{fn.__name__}: {error}") from None
    bound.apply_defaults()
    return dict(bound.arguments)
