"""`warpsim run`: a kernel with arguments from the command line."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from .. import __version__
from ..arguments import shown
from ..characters import printable
from ..compile.grid import grid_of
from ..errors import CompileError, PtxSyntaxError, UnsupportedError, WarpsimError, called, why
from ..files import path_shown, put
from ..kernel.budget import write
from ..kernel.report import KernelReport
from ..kernel.specs import position
from ..kernel.watch import KEPT
from ..render import sarif
from .files import uri
from .gates import budgets, failures
from .jobs import Grid, Job, job
from .output import Answer, form_of, of_report, to_json
from .rules import rules_of_all
from .table import BAD, COMMANDS, FINE, USAGE


def _extent(text: str, option: str) -> tuple[int, ...]:
    parts = re.split("[,x]", text)
    try:
        found = tuple(map(int, parts)) if text.isascii() else ()
    except ValueError:
        found = ()
    if not 1 <= len(found) <= 3:
        raise ValueError(f"{option}: expected up to three numbers such as 4,4, got {shown(text)}")
    return found


def _grid(args: argparse.Namespace) -> Grid:
    """Numbers; for a Python file also expressions of the arguments, since configurations may change those."""
    text = "1" if args.grid is None else args.grid
    if Path(args.file).suffix != ".py" or re.fullmatch("[0-9,x]*", text):
        return _extent(text, "--grid")
    try:
        return grid_of(text)
    except ValueError as error:
        raise ValueError(f"--grid: {error}") from None


def _saved(made: Job, specs: list[str]) -> list[tuple[int, str]]:
    """Which arrays are to be written, and where."""
    found = []
    for spec in specs:
        name, equals, path = spec.partition("=")
        if not equals:
            raise ValueError(f"--save: expected NAME=FILE.npy, got {spec!r}")
        number = position(made.params, name, spec, "--save")
        if not isinstance(made.values[number], np.ndarray):
            raise ValueError(f"--save: {name} is not an array")
        if not path.endswith((".npy", ".bin")):
            raise ValueError(f"--save: {spec}: expected a file that ends in .npy or .bin")
        found.append((number, path))
    return found


def _save(value: np.ndarray, path: str) -> None:
    saved: Callable[[BinaryIO], object] = partial(np.save, arr=value) if path.endswith(".npy") else value.tofile
    try:
        put(path, saved)
    except (OSError, ValueError) as error:
        raise ValueError(f"--save: cannot write {path_shown(path)}: {why(error)}") from error


def _written(args: argparse.Namespace, made: Job, arrays: list[tuple[int, str]], report: KernelReport) -> list[str]:
    """Writes what was asked for besides the report; why some of it was not."""
    tasks: list[Callable[[], None]] = [partial(_save, made.values[number], path) for number, path in arrays]
    if args.save_budget is not None:
        tasks.append(partial(write, args.save_budget, report))
    failed = []
    for task in tasks:
        try:
            task()
        except ValueError as error:
            failed.append(called(error, "--save-budget") if hasattr(error, "argument") else str(error))
    return failed


def _sarif(file: str, report: KernelReport) -> str:
    rules = [rule for rule in rules_of_all() if rule["about"] == "kernels"]
    name = uri("<stdin>" if file == "-" else file)
    return to_json(sarif.of_launch(name, uri, report.to_dict(), rules, __version__))


def _launched(made: Job, grid: Grid, options: dict[str, Any]) -> KernelReport:
    """The report, which a launch that an error ends has as well: the error is its first finding."""
    try:
        return made.launch(grid, options)
    except WarpsimError as error:
        if error.report is None:
            raise
        report: KernelReport = error.report
        return report


def run(args: argparse.Namespace) -> Answer:
    """Loads, launches, saves."""
    limits = budgets(args)
    prints = args.output in (None, "-") and form_of(COMMANDS["run"], args.form, args.output) == "text"
    grid = _grid(args)
    try:
        made = job(args, None if args.block is None else _extent(args.block, "--block"))
        arrays = _saved(made, args.save or [])
        options = {
            "shared_bytes": args.shared,
            "cluster": None if args.cluster is None else _extent(args.cluster, "--cluster"),
            "cooperative": args.cooperative, "blocks": args.blocks, "check": not args.no_check, "strict": args.strict,
            "threads": args.threads, "max_steps": args.max_steps, "timeout": args.timeout, "print_output": prints,
        }  # fmt: skip
        report = _launched(made, grid, options)
    except (CompileError, PtxSyntaxError, UnsupportedError, ImportError) as error:
        raise ValueError(f"FILE {path_shown(args.file)}: {error}") from error
    unwritten = _written(args, made, arrays, report)
    table = "".join(f"{tuning}\n\n" for tuning in made.tunings)
    tiles = report.tile_search() if args.tile_search else None
    printed = "" if prints else printable(report.output, KEPT)
    text = printed + table + str(report) + ("" if tiles is None else f"\n\n{tiles}")
    failed = "\n".join(filter(None, [failures(args, limits, report), *made.wrong()]))
    status = USAGE if unwritten else FINE if report.ok and not failed else BAD
    contents = report.to_dict() | ({"tuning": made.tunings[0].to_dict()} if made.tunings else {})
    contents |= {} if tiles is None else {"tile_search": tiles.to_dict()}
    forms = {
        **of_report(report, contents=contents).forms,
        "csv": report.csv,
        "sarif": lambda: _sarif(args.file, report),
    }
    return Answer(status, lambda colour: text, forms, "\n".join(filter(None, [failed, *unwritten])))
