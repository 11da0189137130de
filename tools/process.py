"""Programs that the campaigns run."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

from tests.support.paths import ROOT

#: where the programs of this environment are: pip's, pytest's, twine's
BIN = Path(sys.executable).parent


def run(*command: str | Path, cwd: Path = ROOT, **environment: str) -> str:
    """What the program prints; it must succeed, and what it said is in the error if it does not."""
    path = os.pathsep.join((str(BIN), os.environ["PATH"]))
    done = subprocess.run(
        command, cwd=cwd, env={**os.environ, "PATH": path, **environment}, check=False,
        capture_output=True, text=True,
    )  # fmt: skip
    if done.returncode:
        words = shlex.join(map(str, command))
        raise RuntimeError(f"{words}\n{done.stdout[-6000:]}{done.stderr[-6000:]}")
    return done.stdout
