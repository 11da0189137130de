"""Figures of the long runs: each run writes its own with `write`, docs/explain/trust.md shows them.

A run that is too long for every change (fuzzing, mutation, coverage, ...) has a command of its own.
What it counted stands in tools/records/NAME.json, with the date and the commit that it ran on.
"""

from __future__ import annotations

import datetime
import json
import subprocess
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.support.paths import ROOT

FOLDER = Path(__file__).parent / "records"


@dataclass(frozen=True)
class Record:
    """What one long run found."""

    command: str
    """What reproduces it, from the root of the checkout."""
    date: str
    commit: str
    figures: Mapping[str, int | float | str]
    """What was counted -> how many; the units stand in the keys ("executions", "seconds")."""


def _git(*arguments: str) -> str:
    root = ROOT
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def write(name: str, command: str, figures: Mapping[str, int | float | str]) -> Path:
    """Keeps the figures of a run that has just ended; gives the file."""
    assert figures, f"{name}: a record of nothing"
    changed = _git("status", "--porcelain", "--untracked-files=no", ":!tools/records")
    commit = _git("rev-parse", "--short=10", "HEAD") + ("-dirty" if changed else "")
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    record = Record(command, today, commit, dict(figures))
    path = FOLDER / f"{name}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(asdict(record), indent=1) + "\n")
    return path


def read(name: str) -> Record:
    """The record of tools/records/NAME.json."""
    return Record(**json.loads((FOLDER / f"{name}.json").read_text()))
