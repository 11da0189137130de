"""Compares the engine of the installed package with that of another build, side by side in one process.

    python3 -m benchmarks.versions FOLDER [--rounds N]

FOLDER: the site-packages of the other build. Prints for each kernel the ratio of the medians: new over old.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import ModuleType

import numpy as np

import warpsim
from tests.support.paths import EXAMPLES

from .engine import arithmetic, watched
from .timing import Effort, looped, medians

#: name -> PTX, kernel, grid, block, arguments, options
Launch = tuple[str | Path, str, object, object, list[object], dict[str, bool]]
BARE = {"check": False, "count": False}


def launches() -> dict[str, Launch]:
    def text(body: str, before: str = "") -> str:
        lines = (body.format(d=10 + i % 8, a=20 + i % 4, b=24 + i % 4) for i in range(arithmetic.REPEATED))
        return arithmetic.HEAD.replace("AGAIN:", f"{before}\nAGAIN:") + "\n".join(lines) + arithmetic.TAIL

    def loop(times: int) -> list[object]:
        return [np.zeros(32, np.uint32), times]

    a, b = np.ones((2, 256, 512), np.float16)
    gemm = EXAMPLES / "kernels" / "gemm.ptx"
    product = [a, b, np.zeros((256, 256), np.float32), 256, a[0].nbytes]
    found: dict[str, Launch] = {
        name: (text(body), "bench", 1, 32, loop(4000), BARE) for name, body in arithmetic.BODIES.items()
    }
    found["mix"] = text(arithmetic.MIX), "bench", 1, 32, loop(4000), BARE
    for way, (count, check) in watched.WAYS.items():
        told = {"count": count, "check": check}
        found[f"mix, {way}"] = text(arithmetic.MIX, watched.FILLED), "bench", 1, 32, loop(1000), told
        found[f"gemm, {way}"] = gemm, "mma_f16_plain", (4, 4), 128, product, told
    return found


def own() -> dict[str, ModuleType]:
    """The modules of the package that are imported."""
    return {name: one for name, one in sys.modules.items() if name == "warpsim" or name.startswith("warpsim.")}


def loaded(folder: str) -> ModuleType:
    """The package from a folder, whole; the installed one stays as it is, and is what others import."""
    kept = own()
    for name in kept:
        del sys.modules[name]
    sys.path.insert(0, folder)
    try:
        package = importlib.import_module("warpsim")
        for one in pkgutil.walk_packages(package.__path__, "warpsim."):
            with suppress(ImportError):  # of an extra
                importlib.import_module(one.name)
    finally:
        sys.path.remove(folder)
        for name in own():
            del sys.modules[name]
        sys.modules.update(kept)
    return package


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", help="site-packages of the other build")
    parser.add_argument("--rounds", type=int, default=15)
    args = parser.parse_args()
    builds = [loaded(args.folder), warpsim]
    assert builds[0].__file__ != builds[1].__file__, "the folder has the build that is installed"
    for name, (text, entry, grid, block, arguments, told) in launches().items():
        kernels = [build.Module(text)[entry] for build in builds]
        cases = {which: looped(partial(kernel, grid, block, arguments, **told)) for which, kernel in enumerate(kernels)}
        old, new = medians(cases, Effort(repeats=args.rounds, least_ns=20_000_000)).values()
        print(f"{name:<20} {new / old:6.3f}   ({old / 1e6:.2f} ms)", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
