"""Launching a Triton function: in its one configuration, or in each that autotuning may choose."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import UnsupportedError
from ..kernel.arguments import Uninitialized
from ..kernel.report import KernelReport
from ..machine import cubin
from ..targets import capability_of
from ..time.architecture import resolve
from ..time.gpu import gpu_of
from ..time.occupancy import Occupancy
from .triton_arguments import arrays
from .triton_launch import Decorated, Driver, compiled_for, driven, launched, values_of
from .tuning import Tuned, Tuning

REASON_CHARACTERS = 300


@dataclass(frozen=True)
class Call:
    """A function of Triton, and what a caller gives it; `options`: of compiling, `launch`: of Kernel.__call__."""

    made: Decorated
    args: Sequence[Any]
    given: Mapping[str, Any]
    grid: Any
    options: Mapping[str, Any]
    target: str
    launch: Mapping[str, Any]

    @property
    def named(self) -> dict[str, Any]:
        """What was given, by name."""
        return {**dict(zip(self.made.fn.arg_names, self.args, strict=False)), **self.given}

    def compiled(self, config: Any) -> tuple[Any, dict[str, Any]]:
        """Triton's CompiledKernel of a configuration, and all arguments by name."""
        known, chosen = self.made.configured(self.args, self.given, config)
        values = values_of(self.made.fn, (), known)
        with driven(Driver(capability_of(self.target))):
            return compiled_for(self.made.fn, values, {**self.options, **chosen}), values

    def launched(self, config: Any, compiled: Any, values: Mapping[str, Any]) -> KernelReport:
        """One launch, after what the configuration wants to be called before it."""
        if getattr(config, "pre_hook", None) is not None:
            config.pre_hook(dict(values))
        return launched(compiled, values, self.grid, self.launch)


def run(call: Call) -> KernelReport:
    """The report of a function; of several configurations, that of the best."""
    tuner = call.made.tuner
    if tuner is not None and len(tuner.configs) > 1:
        tuning = tune(call)
        if tuning.best is None or tuning.best.report is None:
            raise UnsupportedError(f"{call.made.fn.__name__}: none of its configurations runs\n{tuning}")
        return tuning.best.report
    config = None if tuner is None else tuner.configs[0]
    return call.launched(config, *call.compiled(config))


class _Arrays:
    """The bytes of all arrays among the arguments: as they were, and as launches leave them."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        found = [part for name, value in values.items() for part in arrays(name, value)]
        self._arrays: dict[str, np.ndarray] = {name: array for name, array in found if array.flags.writeable}
        self._before = self.copies()
        self._unwritten = [
            array for array in self._arrays.values() if isinstance(array, Uninitialized) and not array.was_launched
        ]

    def copies(self) -> dict[str, np.ndarray]:
        return {name: np.array(array) for name, array in self._arrays.items()}

    def put(self, copies: Mapping[str, np.ndarray]) -> None:
        for name, copy in copies.items():
            self._arrays[name][...] = copy

    def keep(self, copies: Mapping[str, np.ndarray]) -> None:
        """As a launch left them."""
        self.put(copies)
        for array in self._unwritten:
            array.was_launched = True

    def reset(self, zero: Sequence[str]) -> None:
        """As they were; those that autotuning wants to be zero are."""
        self.put(self._before)
        for array in self._unwritten:
            array.was_launched = False
        self.put({name: np.zeros_like(self._arrays[name]) for name in zero if name in self._arrays})


def _pruned(call: Call) -> tuple[list[Any], list[str]]:
    """The configurations that autotuning would try, and a note where what should prune them fails."""
    tuner = call.made.tuner
    tuner.nargs = dict(zip(tuner.arg_names, call.args, strict=False))
    try:
        with driven(Driver(capability_of(call.target))):
            found = list(tuner.prune_configs(dict(call.given)))
    except Exception as error:  # it is the user's, and may ask for a GPU
        return list(tuner.configs), [f"prune_configs_by failed, so that all are tried: {type(error).__name__}: {error}"]
    finally:
        tuner.nargs = None
    left = len(tuner.configs) - len(found)
    return found, [f"prune_configs_by left out {left} of {len(tuner.configs)} configurations"] if left else []


def _name(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in values.items() if (name, value) != ("num_ctas", 1))


def held(fits: Occupancy | None) -> tuple[int, int, str]:
    """Blocks and warps of an SM, and their limit; nothing where the target's limits are not published."""
    return (0, 0, "unknown") if fits is None else (fits.blocks, fits.warps, fits.limit)


def _tuned(call: Call, config: Any) -> Tuned:
    """One configuration, launched."""
    architecture = resolve(call.target)
    compiled, values = call.compiled(config)
    shared, most = compiled.metadata.shared, int(architecture.constants["shared_bytes_per_block"].value)
    if shared > most:
        raise UnsupportedError(
            f"it needs {shared:,} bytes of shared memory; a block has at most {most:,} on {architecture.target}"
        )
    report = call.launched(config, compiled, values)
    registers = cubin.registers(compiled.asm.get("cubin", b""), compiled.metadata.name)
    found = report.bounds(architecture, registers=registers)
    return Tuned(
        _name(config.all_kwargs()), config.all_kwargs(), "", report, report.grid, shared, registers,
        *held(found.occupancy), found.estimate, found.estimate_by, {pipe.name: pipe.written for pipe in found},
        found.cycles,
    )  # fmt: skip


def _reason(error: Exception) -> str:
    return textwrap.shorten(f"{error}", REASON_CHARACTERS, placeholder=" ...") or type(error).__name__


def tune(call: Call) -> Tuning:
    """Every configuration, ranked; the arrays hold what the best one wrote."""
    made = call.made
    if made.tuner is None:
        raise UnsupportedError(f"{made.fn.__name__} has no configurations: it needs @triton.autotune")
    configs, notes = _pruned(call)
    arrays = _Arrays(call.named)
    found: list[Tuned] = []
    best: tuple[tuple[float, ...], dict[str, np.ndarray]] | None = None
    for config in configs:
        arrays.reset(getattr(made.tuner, "reset_to_zero", ()))
        try:
            tuned = _tuned(call, config)
        except MemoryError:
            raise
        except Exception as error:  # of this configuration: Triton's, its hook's, the launch's
            tuned = Tuned(_name(config.all_kwargs()), config.all_kwargs(), _reason(error))
        found.append(tuned)
        if tuned.report is not None and (best is None or tuned.rank() < best[0]):
            best = tuned.rank(), arrays.copies()
    if best is None:
        arrays.reset(())
    else:
        arrays.keep(best[1])
    architecture = resolve(call.target)
    gpu = gpu_of(architecture)
    ranked = tuple(sorted(found, key=lambda one: one.rank()))
    return Tuning(made.fn.__name__, architecture.target, gpu.name, gpu.sms, ranked, tuple(notes))
