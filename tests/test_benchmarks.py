"""The benchmarks run, and both sides of each give the same answer; nothing is timed here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_benchmarks_run_in_short_form() -> None:
    command = [sys.executable, "-m", "benchmarks", "--warps", "64", "--repeats", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) >= 5
