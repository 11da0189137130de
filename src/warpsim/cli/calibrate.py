"""`warpsim calibrate`: the constants of this machine's GPU, or the model against it."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from ..calibrate import driver, measure
from ..calibrate.calibration import calibration, target_of
from ..calibrate.compare import cases, comparison
from ..characters import is_terminal
from ..time.architecture import arch
from . import profiles
from .files import read_file
from .output import Answer, form_of, of_report, say
from .table import COMMANDS, FINE, USAGE


def _tell(words: str) -> None:
    """Progress, for who looks at it."""
    if is_terminal(sys.stderr):
        say(f"warpsim: {words}")


def _measured(args: argparse.Namespace) -> dict[str, Any]:
    """The times, fresh from the GPU; NoGpuError where it cannot be measured."""
    bench = measure.bench(driver.library(driver.CUDA), driver.library(driver.NVML), args.device)
    if args.compare:
        return measure.Session(bench, _tell).times([held.probe for held in cases(bench.gpu.sm, bench.most_shared)])
    return measure.constants_of(bench, _tell)


def _read(name: str) -> dict[str, Any]:
    """The times of an earlier run, from its JSON."""
    text = read_file(name, "--from")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"--from: {name!r} is not JSON: {error}") from error
    measurements = found.get("measurements") if isinstance(found, dict) else None
    if not isinstance(measurements, dict):
        raise ValueError(f"--from: expected the JSON of warpsim calibrate, and {name!r} has no measurements")
    return measurements


def run(args: argparse.Namespace) -> Answer:
    """Measures, or reads what was measured, and says what follows."""
    if args.arch is not None and not args.compare:
        raise ValueError("--arch: goes with --compare")
    profile = None if args.arch is None else profiles.read(args.arch)
    try:
        found = _read(getattr(args, "from")) if getattr(args, "from") is not None else _measured(args)
    except driver.NoGpuError as error:
        return Answer(USAGE, None, warning=f"calibrate: {error}")
    try:
        if args.compare:
            compared = comparison(found, profile or arch(target_of(found["device"])))
            return of_report(compared, FINE)
        made = calibration(found)
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise ValueError(f"--from: expected the JSON of warpsim calibrate, of this version ({error!r})") from error
    answer = of_report(made, FINE)
    filed = args.output not in (None, "-") and form_of(COMMANDS["calibrate"], args.form, args.output) == "toml"
    return Answer(FINE, answer.text, {**answer.forms, "toml": made.toml}, aside=str(made) if filed else "")
