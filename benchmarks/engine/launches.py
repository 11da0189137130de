"""What a launch costs before its first block does anything: an empty kernel, with and without counters and checks.

    python3 -m benchmarks.engine.launches [--write]

--write puts the sentence into docs/explain/speed.md.
"""

from __future__ import annotations

import argparse
import time
from functools import partial

import numpy as np

import warpsim as ws
from docs.make.markdown import replaced
from tests.support.paths import DOCS

TEXT = ".version 8.6\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 o) { ret; }\n"
TIMES = 3000
PAGE = DOCS / "explain" / "speed.md"
MARKS = ("<!-- python3 -m benchmarks.engine.launches --write -->\n", "<!-- end of launches -->")


def least(check: bool, count: bool) -> float:
    """Microseconds of the fastest of many launches of one block."""
    launch = partial(ws.Module(TEXT)["k"], 1, 32, (np.zeros(32, np.int32),), check=check, count=count)
    found = float("inf")
    for _ in range(TIMES):
        begin = time.perf_counter()
        launch()
        found = min(found, time.perf_counter() - begin)
    return found * 1e6


def sentence(whole: float, bare: float) -> str:
    """What the page says."""
    return (
        f"A launch of an empty kernel takes {whole:.0f} microseconds, with `check=False, count=False` {bare:.0f}: the"
        f" least of {TIMES:,}, on the machine that wrote this page .\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="what a launch costs")
    parser.add_argument("--write", action="store_true", help="put the sentence into docs/explain/speed.md")
    asked = parser.parse_args()
    text = sentence(least(True, True), least(False, False))
    print(text, end="")
    if asked.write:
        PAGE.write_text(replaced(PAGE, {MARKS: text}), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
