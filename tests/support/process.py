"""Programs that tests and campaigns run."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

from tests.support.paths import ROOT

#: where the programs of this environment are: pip's, pytest's, twine's
BIN = Path(sys.executable).parent
MOST_SECONDS = 3000  # what hangs is an error


def ended(
    *command: str | Path, cwd: Path = ROOT, input: str | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """A program that has ended, with its status and what it printed."""
    path = os.pathsep.join((str(BIN), os.environ["PATH"]))
    return subprocess.run(
        command, cwd=cwd, env={**os.environ, "PATH": path, **environment}, check=False, input=input,
        capture_output=True, text=True, errors="replace", timeout=MOST_SECONDS,
    )  # fmt: skip


def run(*command: str | Path, cwd: Path = ROOT, input: str | None = None, **environment: str) -> str:
    """What the program prints; it must succeed, and what it said is in the error if it does not."""
    done = ended(*command, cwd=cwd, input=input, **environment)
    if done.returncode:
        words = shlex.join(map(str, command))
        raise RuntimeError(f"{words}\n{done.stdout[-6000:]}{done.stderr[-6000:]}")
    return done.stdout
