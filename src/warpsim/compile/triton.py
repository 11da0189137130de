"""`ws.triton`: Triton functions, compiled by the installed Triton for a GPU that need not be there."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from ..kernel.report import KernelReport
from ..targets import USUAL_TARGET, capability_of
from .autotune import Call, run, tune
from .triton_launch import ORIGINAL, Driver, compiled_for, function_of, installed, launched, values_of
from .tuning import Tuning


class Patch:
    """That Triton's launches run here until undo(), or the end of a with block; `reports` has what they reported."""

    def __init__(self, target: str, options: Mapping[str, Any]) -> None:
        self.reports: list[KernelReport] = []
        self._driver = Driver(capability_of(target), lambda: self._score(target))
        self._options = dict(options)
        installed()
        self._jit = import_module("triton.runtime.jit").JITFunction
        self._config = import_module("triton.runtime.driver").driver
        if ORIGINAL:
            raise RuntimeError("patch() is in force: call undo() of what it returned first")
        self._before = self._config._active
        ORIGINAL["run"] = self._jit.run
        self._is_in_force = True
        self._config.set_active(self._driver)
        self._jit.run = lambda fn, *args, grid, warmup, **given: self._run(fn, args, grid, warmup, given)

    def _score(self, target: str) -> float:
        """Cycles of the last launch's busiest pipe: what autotuning goes by."""
        return self.reports[-1].bounds(target).estimate if self.reports else math.nan

    def _run(self, fn: Any, args: Sequence[Any], grid: Any, warmup: bool, given: dict[str, Any]) -> Any:
        names = set(fn.arg_names)
        values = values_of(fn, args, {name: value for name, value in given.items() if name in names})
        compiled = compiled_for(fn, values, {name: value for name, value in given.items() if name not in names})
        if not warmup:
            self.reports.append(launched(compiled, values, grid, self._options))
        return compiled

    def undo(self) -> None:
        """Triton launches as before."""
        if self._is_in_force:
            self._is_in_force = False
            self._jit.run = ORIGINAL.pop("run")
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
        target: str = USUAL_TARGET,
        launch: Mapping[str, Any] | None = None,
        **constexpr: Any,
    ) -> KernelReport:
        """The report of a Triton function on NumPy arrays and CPU tensors, in place; the table names its Python lines.

        The installed Triton compiles `fn` for `target`, as it would there for these arguments: an int that is 1 is a
        constant, pointers and ints that are multiples of 16 are known to be so. `grid`: an int, a tuple, or a function
        of the arguments as Triton's launches have it. `constexpr`: arguments by name. `launch`: options of
        Kernel.__call__, such as {"blocks": 8}. Of several configurations of @triton.autotune each is launched, and
        the report and the arrays are those of the best; tune() has the table. CompileError has what Triton refuses.
        """
        installed()
        options = {"num_warps": num_warps, "num_stages": num_stages}
        return run(Call(function_of(fn), args, constexpr, grid, options, target, dict(launch or {})))

    def tune(
        self,
        fn: Any,
        *args: Any,
        grid: Any,
        num_warps: int = 4,
        num_stages: int = 3,
        target: str = USUAL_TARGET,
        launch: Mapping[str, Any] | None = None,
        **constexpr: Any,
    ) -> Tuning:
        """The configurations of a function with @triton.autotune, each launched once on the same arrays, ranked.

        Arguments as those of __call__; `num_warps` and `num_stages` where a configuration has none. The arrays hold
        what the best configuration wrote. One that cannot run, since it does not compile or needs more shared memory
        than the target has, has its `reason` and no report. prune_configs_by, reset_to_zero and the hooks of
        configurations are obeyed; heuristics are computed for each.
        """
        installed()
        options = {"num_warps": num_warps, "num_stages": num_stages}
        return tune(Call(function_of(fn), args, constexpr, grid, options, target, dict(launch or {})))

    def patch(self, target: str = USUAL_TARGET, **launch: Any) -> Patch:
        """From now on fn[grid](...) runs here on CPU tensors and arrays, as with TRITON_INTERPRET.

        `launch`: options of Kernel.__call__ for every launch. The result has `reports`, one a launch, and undo(); it
        is a context manager, too. Autotuning takes the configuration that takes the fewest cycles at least (see tune).
        """
        return Patch(target, launch)


#: Runs Triton functions; see Door.
triton = Door()
