"""What is found never depends on threads, turns or luck: `python3 -m tools.launching.same_findings --times 20`.

Each kernel of the corpus that an H200 ran, each planted bug and its twin, is launched so many times with 1, 2, 4 and 8
threads of the CPU. All launches have the same findings, in the same words. Exit status 1 where one has not.
"""

import argparse
import sys
import warnings
from collections.abc import Iterator
from typing import Any

from tests.support.findings.planted import findings, planted
from tests.support.measured_kernels import GROUPS, launches, measured
from tools import records

THREADS = (1, 2, 4, 8)


def corpus() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """A name, the PTX, and the launch."""
    texts = measured()["ptx"]
    for group in GROUPS:
        for launch in launches(group):
            yield launch["id"], texts[launch["ptx"]], launch
    for one in planted():
        if not one.not_run:
            yield f"{one.id}, bug", *one.bug
            yield f"{one.id}, twin", *one.twin


def said(text: str, launch: dict[str, Any], threads: int) -> tuple[str, ...]:
    """The findings of one launch, in their words; a deadlock ends it as soon as it is one."""
    return tuple(map(str, findings(text, launch, threads=threads)))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=20, help="launches with each number of threads (20)")
    parser.add_argument("--every", type=int, default=1, help="of every so many kernels one (1)")
    wanted = parser.parse_args()
    warnings.filterwarnings("ignore")
    kernels = list(corpus())[:: wanted.every]
    found, differ = 0, []
    for name, text, launch in kernels:
        expected = said(text, launch, 1)
        found += len(expected)
        for threads in THREADS:
            if any(said(text, launch, threads) != expected for _ in range(wanted.times)):
                differ.append(f"{name}, threads={threads}")
    print("\n".join(differ), file=sys.stderr)
    if differ or not kernels or not found:
        return 1
    records.tell({
        "kernels": len(kernels), "findings": found, "launches": len(kernels) * len(THREADS) * wanted.times,
    })  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
