"""What `warpsim run` runs: a kernel of a PTX file, of CUDA C++ that is compiled first, or a function of Triton."""

from __future__ import annotations

import argparse
import importlib.util
import inspect
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..capture.replay import Capture
from ..compile.cuda import compile as compiled
from ..compile.triton import triton
from ..compile.triton_arguments import Pointer
from ..compile.triton_launch import function_of, given_by_decorators, is_tuned
from ..compile.tuning import Tuning
from ..errors import UnsupportedError
from ..files import path_shown
from ..kernel.arguments import Param
from ..kernel.module import Kernel, Module, only, refuse
from ..kernel.report import KernelReport
from ..kernel.specs import arguments, given
from ..targets import USUAL_TARGET
from ..words import plural
from .files import read_file

CAPTURE = ".capture"
CUDA = (".cu", ".cuh", ".cpp", ".cc", ".cxx")
#: options of one kind of file, and its endings
OWN = {
    "D": CUDA, "I": CUDA, "num_warps": (".py",), "num_stages": (".py",), "launch": (CAPTURE,), "ptx": (CAPTURE,),
    "sources": (CAPTURE, ".ptx"),
}  # fmt: skip


#: numbers, or what computes them from the arguments
Grid = tuple[int, ...] | Callable[[Mapping[str, Any]], tuple[int, ...]]


@dataclass(frozen=True)
class Job:
    """A kernel with its arguments: `arrays` by parameter, and what launches it on a grid with options."""

    params: tuple[Param, ...]
    values: list[Any]
    launch: Callable[[Grid, Mapping[str, Any]], KernelReport]
    wrong: Callable[[], Sequence[str]] = tuple  # after it: what fails besides the findings
    tunings: list[Tuning] = field(default_factory=list)  # after it: of an autotuned function, how it was chosen


def _folders(args: argparse.Namespace) -> list[str]:
    """Where sources may be read; ValueError for one that is not there."""
    for name in args.sources or []:
        if not os.path.isdir(name):
            raise ValueError(f"--sources: expected a folder, got {path_shown(name)}")
    return args.sources or []


def _kernel(module: Module, name: str | None) -> Kernel:
    try:
        return only(module) if name is None else module[name]
    except LookupError as error:
        has = "the file has " if name is None else ""
        raise ValueError(f"--kernel: {has}{error.args[0]}") from None


def _module(args: argparse.Namespace) -> Module:
    if Path(args.file).suffix not in CUDA:
        own = [] if args.file == "-" else [Path(args.file).parent]
        text = read_file(args.file).encode("utf-8", "surrogateescape")
        return Module(text, sources=[*own, *_folders(args)])
    options = [*(f"-D{one}" for one in args.D or []), *(f"-I{one}" for one in args.I or [])]
    read_file(args.file)  # says what is wrong with the file itself
    template = args.kernel if args.kernel is not None and "<" in args.kernel else None
    return compiled(Path(args.file), name=template, target=args.target or USUAL_TARGET, options=options)


def _of_module(args: argparse.Namespace, block: tuple[int, ...]) -> Job:
    kernel = _kernel(_module(args), args.kernel)
    refuse(kernel, args.target)
    values = arguments(kernel.params, args.arg or [])

    def launch(grid: Grid, options: Mapping[str, Any]) -> KernelReport:
        extent = grid({}) if callable(grid) else grid
        return kernel(extent, block, values, target=args.target, **options)

    return Job(kernel.params, values, launch)


def _function(file: str, kernel: str | None) -> Any:
    """The function of a Python file that --kernel names, alone or after its module."""
    read_file(file)
    path = Path(file).resolve()
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(path.stem, module)
    sys.path.insert(0, str(path.parent))  # as if Python ran it
    try:
        spec.loader.exec_module(module)
    except SyntaxError as error:
        raise ValueError(f"FILE {path_shown(file)}: line {error.lineno}: {error.msg}") from None
    finally:
        sys.path.remove(str(path.parent))
    functions = {name: value for name, value in vars(module).items() if hasattr(value, "arg_names")}
    if kernel is None and len(functions) == 1:
        return next(iter(functions.values()))
    name = "" if kernel is None else kernel.rpartition(":")[2]
    if name not in functions:
        what = "name one" if kernel is None else f"none is {name!r}"
        raise ValueError(f"--kernel: the file has {', '.join(functions) or 'no function of Triton'}; {what}")
    return functions[name]


def _of_triton(args: argparse.Namespace) -> Job:
    function = _function(args.file, args.kernel)
    jitted = function_of(function).fn
    params = tuple(Param(name, "", 0, 0) for name in jitted.arg_names)
    found = given(params, args.arg or [])
    signature, chosen_already = inspect.signature(jitted.fn).parameters, given_by_decorators(function)
    missing = [
        param.name for number, param in enumerate(params)
        if number not in found and param.name not in chosen_already
        and signature[param.name].default is inspect.Parameter.empty
    ]  # fmt: skip
    if missing:
        raise ValueError(f"--arg: give a value for {', '.join(missing)}, as NAME=f32[64,64]:zeros or NAME=128")
    types = {spec.partition("=")[0].strip(): spec.partition("=")[2].strip() for spec in args.arg or []}
    named = {params[number].name: value for number, value in found.items()}
    for number, value in found.items():
        if any(types.get(key, "").startswith("bf16[") for key in (params[number].name, str(number))):
            named[params[number].name] = Pointer(value, "bfloat16")
    warps = {"num_warps": args.num_warps, "num_stages": args.num_stages, "target": args.target}
    chosen = {name: value for name, value in warps.items() if value is not None}
    tunings: list[Tuning] = []

    def launch(grid: Grid, options: Mapping[str, Any]) -> KernelReport:
        """Of several configurations, that which is the best."""
        if not is_tuned(function):
            return triton(function, grid=grid, launch=options, **chosen, **named)
        tunings.append(triton.tune(function, grid=grid, launch=options, **chosen, **named))
        if tunings[0].best is None or tunings[0].best.report is None:
            raise UnsupportedError(f"none of its configurations runs\n{tunings[0]}")
        return tunings[0].best.report

    return Job(params, [found.get(number) for number in range(len(params))], launch, tunings=tunings)


def _of_capture(args: argparse.Namespace) -> Job:
    capture = Capture(args.file, ptx=None if args.ptx is None else read_file(args.ptx), sources=_folders(args))
    of_name = [one for one in capture if args.kernel in (None, one.name)]
    number = 0 if args.launch is None else args.launch
    if number >= len(of_name):
        names = ", ".join(dict.fromkeys(one.name for one in capture))
        what = "--launch" if of_name else "--kernel"
        raise ValueError(f"{what}: the file has {plural(len(capture), 'launch')}, of {names or 'nothing'}")
    launch = of_name[number]

    def run(_: Grid, options: Mapping[str, Any]) -> KernelReport:
        own = {name: value for name, value in options.items() if name != "shared_bytes"}
        return launch.run(**own, **({} if args.target is None else {"target": args.target}))

    return Job((), [], run, lambda: [str(one) for one in launch.differences])


def job(args: argparse.Namespace, block: tuple[int, ...] | None) -> Job:
    """The kernel that the arguments name; a ValueError says what is missing."""
    suffix = Path(args.file).suffix
    for option, suffixes in OWN.items():
        if getattr(args, option) is not None and suffix not in suffixes:
            name = f"-{option}" if len(option) == 1 else f"--{option.replace('_', '-')}"
            raise ValueError(f"{name}: only for {', '.join(suffixes)} files")
    if suffix == CAPTURE:
        for option in ("grid", "block", "shared", "cluster", "arg", "save"):
            if getattr(args, option):
                raise ValueError(f"--{option}: a capture has its own")
        return _of_capture(args)
    if args.grid is None:
        if args.file != "-" and not os.path.exists(args.file):
            read_file(args.file)  # says so: a wrong name comes first
        raise ValueError("--grid: give the thread blocks, such as 4 or 4,4")
    if suffix == ".py":
        if block is not None:
            raise ValueError("--block: Triton has --num-warps instead")
        return _of_triton(args)
    if block is None:
        raise ValueError("--block: give the threads of a block, such as 128 or 32,8")
    return _of_module(args, block)
