"""What `warpsim run` runs: a kernel of a PTX file, of CUDA C++ that is compiled first, or a function of Triton."""

from __future__ import annotations

import argparse
import importlib.util
import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..compile.cuda import compile as compiled
from ..compile.triton import Pointer, triton
from ..kernel.arguments import Param
from ..kernel.launch import refuse
from ..kernel.module import Kernel, Module
from ..kernel.report import KernelReport
from ..kernel.specs import arguments, given
from .files import read_file

CUDA = (".cu", ".cuh", ".cpp", ".cc", ".cxx")
#: options of one kind of file, and its endings
OWN = {"D": CUDA, "I": CUDA, "num_warps": (".py",), "num_stages": (".py",)}


@dataclass(frozen=True)
class Job:
    """A kernel with its arguments: `arrays` by parameter, and what launches it on a grid with options."""

    params: tuple[Param, ...]
    values: list[Any]
    launch: Callable[[tuple[int, ...], Mapping[str, Any]], KernelReport]


def _kernel(module: Module, name: str | None) -> Kernel:
    if name is None:
        if len(module.kernels) == 1:
            return next(iter(module.kernels.values()))
        raise ValueError(f"--kernel: the file has {', '.join(module.kernels) or 'no kernel'}; name one")
    try:
        return module[name]
    except KeyError as error:
        raise ValueError(f"--kernel: {error.args[0]}") from None


def _module(args: argparse.Namespace) -> Module:
    if Path(args.file).suffix not in CUDA:
        module = Module(read_file(args.file).encode("utf-8", "surrogateescape"))
        module._folder = Path(args.file).parent  # where its sources may be
        return module
    options = [*(f"-D{one}" for one in args.D or []), *(f"-I{one}" for one in args.I or [])]
    read_file(args.file)  # says what is wrong with the file itself
    template = args.kernel if args.kernel is not None and "<" in args.kernel else None
    return compiled(Path(args.file), name=template, target=args.target or "sm_90", options=options)


def _of_module(args: argparse.Namespace, block: tuple[int, ...]) -> Job:
    kernel = _kernel(_module(args), args.kernel)
    refuse(kernel, kernel._program(args.target))
    values = arguments(kernel.params, args.arg or [])
    return Job(kernel.params, values, lambda grid, options: kernel(grid, block, values, target=args.target, **options))


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
    params = tuple(Param(name, "", 0, 0) for name in function.arg_names)
    found = given(params, args.arg or [])
    signature = inspect.signature(getattr(function, "fn", function)).parameters
    missing = [
        param.name for number, param in enumerate(params)
        if number not in found and param.name in signature and signature[param.name].default is inspect.Parameter.empty
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
    return Job(
        params, [found.get(number) for number in range(len(params))],
        lambda grid, options: triton(function, grid=grid, launch=options, **chosen, **named),
    )  # fmt: skip


def job(args: argparse.Namespace, block: tuple[int, ...] | None) -> Job:
    """The kernel that the arguments name; a ValueError says what is missing."""
    suffix = Path(args.file).suffix
    for option, suffixes in OWN.items():
        if getattr(args, option) is not None and suffix not in suffixes:
            name = f"-{option}" if len(option) == 1 else f"--{option.replace('_', '-')}"
            raise ValueError(f"{name}: only for {', '.join(suffixes)} files")
    if suffix == ".py":
        if block is not None:
            raise ValueError("--block: Triton has --num-warps instead")
        return _of_triton(args)
    if block is None:
        raise ValueError("--block: give the threads of a block, such as 128 or 32,8")
    return _of_module(args, block)
