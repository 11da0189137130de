"""Launches side by side with Numba's CUDA simulator and with Triton's interpreter.

Each has a process of its own, since the environment chooses it before the import; there both sides are measured and
their answers compared. Neither checks nor counts anything, so that here nothing does.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterator

from .. import levels
from ..rows import Line
from ..timing import Effort

PEERS = {
    "numba": ("numba_simulator", {"NUMBA_ENABLE_CUDASIM": "1"}, ("numba",)),
    "triton": ("triton_interpreter", {"TRITON_INTERPRET": "1"}, ("triton", "torch")),
}


def simulators(effort: Effort) -> Iterator[Line]:
    for peer, (key, environment, needs) in PEERS.items():
        missing = [name for name in needs if importlib.util.find_spec(name) is None]
        if missing:
            yield levels.not_run(key, f"{' and '.join(missing)} not installed")
            continue
        command = [sys.executable, "-m", f"benchmarks.engine.with_{peer}", *(["--short"] if effort.short else [])]
        done = subprocess.run(command, env=os.environ | environment, stdout=subprocess.PIPE, check=True)
        for case, ours, theirs in json.loads(done.stdout):
            line = levels.line(key, case, levels.best(), ours, theirs)
            yield levels.without_gate(line) if effort.short else line
