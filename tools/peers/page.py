"""docs/explain/foreign_kernels.md: what ran, what it computed, and what could not run."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np

import warpsim as ws
from tests.support.paths import DOCS

from . import cub, cutlass, inductor, numba_cuda, torch_tests
from .case import Case, Row, ran

PAGE = DOCS / "explain" / "foreign_kernels.md"
SOURCES = (numba_cuda, torch_tests, inductor, cub, cutlass)
DISTRIBUTIONS = {"torch.testing": "torch", "torch.compile": "torch"}
HEAD = """# Kernels that nobody here wrote

These kernels ran unchanged from where they are installed; nothing of them is part of this project. `python3 -m tools.peers` runs them all and writes this page; it needs PyTorch, Triton, numba-cuda and NVIDIA's compiler as wheels, and `WARPSIM_CUTLASS=FOLDER` for CUTLASS.

"""  # noqa: E501


def every() -> Iterator[Case]:
    """All cases of all packages that are installed."""
    for source in SOURCES:
        try:
            yield from source.cases()
        except ImportError as error:
            print(f"{source.__name__}: {error}")


def named(package: str) -> str:
    """A package with its version."""
    if package == "CUTLASS":
        text = Path(os.environ.get("WARPSIM_CUTLASS", "."), "include", "cutlass", "version.h")
        words = text.read_text().split() if text.is_file() else []
        numbers = [words[words.index(f"CUTLASS_{part}") + 1] for part in ("MAJOR", "MINOR", "PATCH") if words]
        return f"CUTLASS {'.'.join(numbers)}"
    try:
        return f"{package} {version(DISTRIBUTIONS.get(package, package)).partition('+')[0]}"
    except PackageNotFoundError:
        return package


def table(rows: Sequence[Row]) -> Iterator[str]:
    """Markdown, a row for each kernel."""
    yield "| package | kernel | blocks | warp instructions | excessive wavefronts | errors | values equal to |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for row in rows:
        equal = f"{row.compared:,} of {row.case.reference}" + (f", within {row.case.bound:g}" if row.case.bound else "")
        yield (
            f"| {named(row.case.package)} | `{row.case.kernel}` | {row.blocks:,} | {row.instructions:,} |"
            f" {row.excess:,} | {row.errors:,} | {equal} |"
        )


def interpreted() -> Iterator[str]:
    """The ten functions of tests/compile/triton_ten.py: seconds here and in Triton's interpreter."""
    import subprocess
    import sys
    import tempfile

    from tests.compile import triton_ten

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "ten.npz")
        command = [sys.executable, "-m", triton_ten.__name__, str(file)]
        subprocess.run(command, env={**os.environ, "TRITON_INTERPRET": "1"}, check=True, timeout=300)
        found = dict(np.load(file))
    yield "| function | values | differ by at most | here, s | without checks, s | interpreter, s |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for name, make in triton_ten.cases().items():
        seconds = {}
        for check in (True, False):
            for _ in range(2):  # the first time Triton compiles
                case = make()
                begin = time.perf_counter()
                launch = {"check": check}
                ws.triton(case.function, *case.arguments, target=case.target, launch=launch, **case.options)
                seconds[check] = time.perf_counter() - begin
        results = triton_ten.results(case)
        apart = max(float(np.abs(one - found[f"{name}|{i}"]).max()) for i, one in enumerate(results))
        values = sum(one.size for one in results)
        told = "0" if apart == 0 else f"{apart:.1e}"
        yield (
            f"| {name} | {values:,} | {told} | {seconds[True]:.3f} | {seconds[False]:.3f} |"
            f" {float(found[f'{name}|seconds']):.3f} |"
        )


def page(rows: Sequence[Row]) -> str:
    """The whole page."""
    good, bad = [row for row in rows if row.ok], [row for row in rows if not row.ok]
    counts = ", ".join(f"{count} of {named(name)}" for name, count in Counter(r.case.package for r in good).items())
    lines = [f"{HEAD}{len(good)} kernels or groups of kernels gave the right values: {counts}.", "", ERRORS, ""]
    lines += [*table(good), "", "## What did not run", ""]
    lines += [f"- {named(row.case.package)}, `{row.case.kernel}`: {row.why}" for row in bad]
    lines += [] if bad else ["Of these, all ran."]
    lines += ["", NOT_TRIED, "", "## Triton's interpreter", "", INTERPRETER, "", *interpreted()]
    return "\n".join(lines).rstrip() + "\n"


ERRORS = """`errors` counts findings. They are of one kind: a kernel uses uninitialised bytes of shared memory, and later leaves the result out. CUB's merge sorts read one key beyond the end of a run and decide afterwards whether it counts; CUTLASS's product with `tf32` copies no rows beyond the edge of the matrix, multiplies what lies there, and does not store those rows."""  # fmt: skip  # noqa: E501
NOT_TRIED = """Not tried, since they need what is not modelled: kernels of CUTLASS for `sm_90a` and later that use tensor maps built by the driver, `tcgen05`, and Triton functions with tensor descriptors. CuPy's own kernels are compiled by its tests with a GPU; two of them, `upfirdn` and `max_len_seq`, run in `tests/compile/test_foreign.py`."""  # fmt: skip  # noqa: E501
INTERPRETER = """Ten functions of the usual kinds (`tests/compile/triton_ten.py`) against `TRITON_INTERPRET=1`. Where only whole numbers are added, all values are equal; elsewhere the interpreter adds in another order, and in `exp` it is NumPy's. Seconds are of a launch that Triton had compiled before, on two cores that did other work, too."""  # fmt: skip  # noqa: E501


def main() -> None:
    """Runs everything, writes the page."""
    rows = []
    for case in every():
        rows.append(ran(case))
        print(case.package, case.kernel, "ok" if rows[-1].ok else rows[-1].why, flush=True)
    PAGE.write_text(page(rows))
