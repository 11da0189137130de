"""`warpsim run`: a kernel of a PTX file, with arguments from the command line."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

import numpy as np

from .. import __version__
from ..errors import PtxSyntaxError, UnsupportedError
from ..kernel.launch import refuse
from ..kernel.module import Kernel, Module
from ..kernel.report import KernelReport
from ..kernel.specs import arguments, position
from ..render import sarif
from .files import read_file, uri
from .gates import budgets, failures
from .output import Answer, form_of, of_report, to_json
from .rules import rules_of_all
from .table import BAD, COMMANDS, FINE


def _extent(text: str, option: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in re.split("[,x]", text))
    except ValueError:
        raise ValueError(f"{option}: expected up to three numbers such as 4,4, got {text!r}") from None


def _kernel(module: Module, name: str | None) -> Kernel:
    if name is None:
        if len(module.kernels) == 1:
            return next(iter(module.kernels.values()))
        raise ValueError(f"--kernel: the file has {', '.join(module.kernels) or 'no kernel'}; name one")
    try:
        return module[name]
    except KeyError as error:
        raise ValueError(f"--kernel: {error.args[0]}") from None


def _save(kernel: Kernel, values: list[Any], specs: list[str]) -> None:
    for spec in specs:
        name, equals, path = spec.partition("=")
        if not equals:
            raise ValueError(f"--save: expected NAME=FILE.npy, got {spec!r}")
        value = values[position(kernel.params, name, spec)]
        if not isinstance(value, np.ndarray):
            raise ValueError(f"--save: {name} is not an array")
        if not path.endswith((".npy", ".bin")):
            raise ValueError(f"--save: {spec}: expected a file that ends in .npy or .bin")
        try:
            if path.endswith(".npy"):
                np.save(path, value)
            else:
                Path(path).write_bytes(value.tobytes())
        except OSError as error:
            raise ValueError(f"--save: cannot write {path!r}: {error.strerror or error}") from error


SOURCES = {
    ".cu": "CUDA C++: compile it first, with nvcc -ptx",
    ".py": "Python: save the PTX of its kernel first (Triton: kernel.asm['ptx'])",
}


def _sarif(file: str, report: KernelReport) -> str:
    rules = [rule for rule in rules_of_all() if rule["about"] == "kernels"]
    name = uri("<stdin>" if file == "-" else file)
    return to_json(sarif.of_launch(name, uri, report.to_dict(), rules, __version__))


def run(args: argparse.Namespace) -> Answer:
    """Loads, launches, saves."""
    source = SOURCES.get(Path(args.file).suffix)
    if source is not None:
        raise ValueError(f"FILE: {args.file!r} is {source}")
    limits = budgets(args)
    prints = args.output in (None, "-") and form_of(COMMANDS["run"], args.form, args.output) == "text"
    try:
        module = Module(read_file(args.file).encode("utf-8", "surrogateescape"))
        module._folder = Path(args.file).parent  # where its sources may be
        kernel = _kernel(module, args.kernel)
        refuse(kernel, kernel._program(args.target))
        values = arguments(kernel.params, args.arg or [])
        for spec in args.save or []:
            position(kernel.params, spec.partition("=")[0], spec)
        report = kernel(
            _extent(args.grid, "--grid"), _extent(args.block, "--block"), values,
            shared_bytes=args.shared, blocks=args.blocks,
            target=args.target, check=not args.no_check, threads=args.threads, max_steps=args.max_steps,
            print_output=prints,
        )  # fmt: skip
    except (PtxSyntaxError, UnsupportedError) as error:
        raise ValueError(f"FILE {args.file!r}: {error}") from error
    _save(kernel, values, args.save or [])
    text = ("" if prints else report.output) + str(report)
    failed = failures(args, limits, report)
    status = FINE if report.ok and not failed else BAD
    forms = {**of_report(report).forms, "csv": report.csv, "sarif": lambda: _sarif(args.file, report)}
    return Answer(status, lambda colour: text, forms, failed)
