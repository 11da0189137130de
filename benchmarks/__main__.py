"""Speed as ratios, both sides measured side by side in one process.

    python -m benchmarks                 every row of rows.py, as a table
    python -m benchmarks --check         exit 1 where a gate is missed by more than 10 %, three times
    python -m benchmarks --readme        the worst ratios, as a Markdown table
    python -m benchmarks --json FILE     and everything as JSON
    python -m benchmarks --only NAME     one part, such as ldmatrix; may be given again

Times are CPU time of the thread, except for two threads, timed by the wall clock; cases take
turns, and figures are medians. Every comparison begins with equal answers.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from . import batches, kernels, levels, products, report, scaling, search, texts
from .engine import arithmetic, corpus, simulators, watched
from .native import Native
from .rows import Line
from .timing import Effort

Part = Callable[[Effort], Iterator[Line]]

OF_THE_CORE = {
    "ldmatrix": kernels.ldmatrix,
    "wavefronts": kernels.wavefronts,
    "unpack": kernels.unpack,
    "products": products.products,
    "arithmetic": arithmetic.arithmetic,
}
OF_PYTHON: Mapping[str, Part] = {
    "corpus": corpus.corpus,
    "watched": watched.watched,
    "simulators": simulators.simulators,
    "call": batches.one_call,
    "users": batches.against_users,
    "accel-sim": batches.against_accel_sim,
    "threads": scaling.threads,
    "growth": scaling.growth,
    "results": scaling.results,
    "memory": scaling.memory,
    "texts": texts.texts,
    "search": search.search,
}
PARTS = (*OF_THE_CORE, *OF_PYTHON)


def chosen(names: list[str]) -> Mapping[str, Part]:
    """The parts of these names; the C side is compiled only where it is needed."""
    found: dict[str, Part] = {}
    if any(name in OF_THE_CORE for name in names):
        native = Native()
        for name, part in OF_THE_CORE.items():
            found[name] = partial(part, native)
    found.update(OF_PYTHON)
    return {name: part for name, part in found.items() if name in names}


def attempted(part: Part, effort: Effort, tries: int) -> list[Line]:
    """The lines of a part; if one misses its gate, the best of some tries, since others use the machine, too."""
    lines = list(part(effort))
    for _ in range(tries - 1):
        if not any(line.failed for line in lines):
            break
        lines = [min(pair, key=lambda line: line.missed_by) for pair in zip(lines, part(effort), strict=True)]
    return lines


def measured(parts: Mapping[str, Part], effort: Effort, tries: int = 1) -> list[Line]:
    lines: list[Line] = []
    for name, part in parts.items():
        began = time.perf_counter()
        with levels.at_best():
            lines += attempted(part, effort, tries)
        print(f"{name}: {time.perf_counter() - began:.1f} s", file=sys.stderr)
    return report.in_order([*lines, *levels.missing(lines)])


def arguments() -> argparse.Namespace:
    head, _, rest = (__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=head, epilog=rest,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--check", action="store_true", help="exit 1 on a gate missed by 10 %%")
    parser.add_argument("--readme", action="store_true", help="print a short Markdown table")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything there")
    parser.add_argument("--only", action="append", choices=PARTS, help="measure this part alone")
    parser.add_argument("--repeats", type=int, default=Effort.repeats, help="timings of a case")
    parser.add_argument("--short", action="store_true", help="see that it runs: tiny, once")
    return parser.parse_args()


def main() -> int:
    args = arguments()
    effort = Effort(repeats=1, least_ns=0, short=True) if args.short else Effort(args.repeats)
    lines = measured(chosen(args.only or list(PARTS)), effort, tries=3 if args.check else 1)
    if args.json:
        args.json.write_text(json.dumps(report.document(lines), indent=1) + "\n")
    if args.readme:
        print(report.markdown(lines))
    else:
        print(f"{report.table(lines)}\n\n{report.summary(lines)}")
    return int(args.check and any(line.failed for line in lines))


if __name__ == "__main__":
    sys.exit(main())
