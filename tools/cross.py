"""The C core of the other byte order and of 32 bits, by cross compilers and qemu-user.

`python3 -m tools.cross` compiles the C tests and the examples for every target and runs them;
tests/ship/test_cross.py does a little of it. Debian's packages are in `apt()`.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import warpsim as ws
from docs.make.reference.instructions_page import SPACES, made
from tests.support import c_tests
from tests.support.paths import C_TESTS, ROOT, TESTS
from tests.support.process import run
from tools import consumers, records
from tools.consumers import STRICT
from warpsim import _core

HEADER = ROOT / "csrc" / "include"
PROGRAMS = sorted(C_TESTS.rglob("test_*.c"))
#: of what is moved in bulk, which machines of the other byte order never do (execute/bulk.h)
IN_BULK = [unit for unit in PROGRAMS if unit.stem == "test_rows"]
DIGEST = TESTS / "cross" / "digest.c"
EXAMPLES = [unit for name in ("conflicts", "tune") for unit in consumers.PROGRAMS[name]]


@dataclass(frozen=True)
class Target:
    """A machine that qemu-user runs; `prefix` None: this one."""

    prefix: str | None
    qemu: str
    what: str

    def compiler(self, language: str) -> str:
        """gcc or g++ of the target."""
        name = {"c": "gcc", "c++": "g++"}[language]
        return consumers.need(name if self.prefix is None else f"{self.prefix}-{name}")

    def command(self, program: Path) -> list[str]:
        """What runs a program of the target."""
        return [str(program)] if self.prefix is None else [consumers.need(self.qemu), str(program)]


HERE = Target(None, "", "this machine")
TARGETS = {
    "s390x": Target("s390x-linux-gnu", "qemu-s390x", "big-endian, 64 bits"),
    "powerpc": Target("powerpc-linux-gnu", "qemu-ppc", "big-endian, 32 bits"),
    "arm": Target("arm-linux-gnueabihf", "qemu-arm", "little-endian, 32 bits"),
    "i686": Target("i686-linux-gnu", "qemu-i386", "little-endian, 32 bits"),
    "aarch64": Target("aarch64-linux-gnu", "qemu-aarch64", "little-endian, 64 bits"),
}


def apt() -> list[str]:
    """The Debian packages that all targets need."""
    compilers = [f"g++-{target.prefix}" for target in TARGETS.values()]
    return ["qemu-user", *compilers]


def compiled(target: Target, unit: Path, folder: Path) -> Path:
    """The program of one unit, with every warning an error; static, so that it runs anywhere."""
    language, standard = ("c++", "c++17") if unit.suffix == ".cpp" else ("c", "c11")
    program = folder / unit.stem
    flags = c_tests.flags(unit.name) if unit in PROGRAMS else [f"-std={standard}"]
    command = (target.compiler(language), *flags, "-O1", *STRICT, f"-I{HEADER}")
    consumers.run(*command, unit, "-static", "-o", program, cwd=folder)
    return program


def printed(target: Target, program: Path, given: str = "") -> str:
    """What a program of the target prints; it must succeed."""
    command = target.command(program)
    return run(*command, input=given)


def passes(target: Target, units: Iterable[Path], folder: Path) -> int:
    """Runs C tests; how many checks they made."""
    checks = 0
    for unit in units:
        last = printed(target, compiled(target, unit, folder)).splitlines()[-1]
        made, _, failed = last.partition(" checks, ")
        assert failed == "0 failed", f"{unit.name}: {last}"
        checks += int(made)
    return checks


def agrees(target: Target, unit: Path, folders: Sequence[Path], given: str = "") -> int:
    """Does a program print there what it prints here? How many lines."""
    there, here = folders
    native = here / unit.stem
    if not native.exists():
        compiled(HERE, unit, here)
    lines = printed(target, compiled(target, unit, there), given)
    assert lines == printed(HERE, native, given), f"{unit.name} differs"
    assert lines.count("\n") > 0
    return lines.count("\n")


@cache
def instructions() -> str:
    """Every instruction that there is, one a line."""
    matrices = {"shape": _core.SHAPES, "type": _core.TYPES, "space": tuple(SPACES)}
    fragments = matrices | {"layout": ("row", "col")}
    plain = {"type": _core.TYPES, "vec": (1, 2, 4), "space": tuple(SPACES)}
    numbers = {"num": (1, 2, 4), "trans": (False, True)}
    ops = [
        *made(ws.Ldmatrix, **matrices, **numbers),
        *made(ws.Stmatrix, **matrices, **numbers),
        *made(ws.WmmaLoad, operand=("a", "b", "c"), **fragments),
        *made(ws.WmmaStore, **fragments),
        *made(ws.Ld, **plain),
        *made(ws.St, **plain),
        *made(ws.CpAsync, cache=("ca", "cg"), size=(4, 8, 16)),
        ws.Movmatrix(),
    ]
    return "".join(f"{op.ptx}\n" for op in ops)


def main() -> None:
    """Every target."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", choices=[[], *TARGETS], help="all of them by default")
    wanted = parser.parse_args().targets or list(TARGETS)
    checks = lines = 0
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as there, tempfile.TemporaryDirectory() as here:
        for name in wanted:
            folders = (Path(there), Path(here))
            left_out = IN_BULK if "big-endian" in TARGETS[name].what else []
            checks += passes(TARGETS[name], [unit for unit in PROGRAMS if unit not in left_out], folders[0])
            for unit in EXAMPLES:
                lines += agrees(TARGETS[name], unit, folders)
            lines += agrees(TARGETS[name], DIGEST, folders, instructions())
            print(f"{name} ({TARGETS[name].what}): {checks} checks, {lines} lines so far", flush=True)
    if len(wanted) == len(TARGETS):
        records.tell({
            "targets": len(wanted), "c_tests": len(PROGRAMS), "checks": checks,
            "lines_equal": lines, "seconds": round(time.monotonic() - begin),
        })  # fmt: skip


if __name__ == "__main__":
    os.environ["CI"] = "true"  # a tool that is missing is a failure
    main()
