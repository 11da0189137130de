"""One build of the extensions and of the C tests that holds many mutants, and what each test reaches in it."""

import json
import os
import re
import subprocess
import sysconfig
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tests.support import c_tests
from tests.support.paths import C_TESTS, ROOT, TESTS
from tests.support.process import ended
from tools.mutation import schemata
from tools.mutation.copies import DOORS, Copy
from tools.mutation.sites import Site

#: what launches kernels and executes statements: quick tests, and the slow ones that see most
PYTHON = (
    "kernels", "mma", "wgmma", "tensors", "waiting", "scopes", "sizes", "bounds", "objects",
    "robust/test_met_by_users.py", "model/test_execute_measured.py", "model/test_wmma_measured.py",
)  # fmt: skip
SLOW = ("kernels/test_measured_instructions.py", "mma", "wgmma", "tensors")
FAULT = re.compile(r"include/warpsim/(\S+\.h):(\d+):\d+: (?:error|note)")
FAULTS = 20  # so many count: others follow from them


@dataclass
class Test:
    """What can see a mutant: a C test, by its file, or a test of Python."""

    name: str
    seconds: float
    reaches: frozenset[int]
    kills: int = 0

    @property
    def is_c(self) -> bool:
        return self.name.startswith("c/")

    @property
    def worth(self) -> float:
        """The lower the sooner it is asked."""
        return (0.05 + self.seconds) / (1 + self.kills)


class Build:
    """A copy of the package in which all sites are that can be held so."""

    def __init__(self, folder: Path, sites: Sequence[Site]) -> None:
        self.copy, self.sites = Copy(folder / "whole"), sites
        self.held = Copy(folder / "held", self.copy.folder)
        self.prelude = self.held.folder / "prelude.h"
        self.prelude.write_text(schemata.PRELUDE % {"count": max(1, len(sites))})
        self.alone = self.hold()
        for door in DOORS:
            target = self.held.site / "warpsim" / f"_{door}" / f"{door}{sysconfig.get_config_var('EXT_SUFFIX')}"
            done = self.gcc("-O1", "-shared", "-fPIC", self.held.folder / f"{door}.c", "-o", target)
            assert done.returncode == 0, done.stderr[-3000:]
        self.programs: dict[str, Path] = {}

    def gcc(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """Compiles with the headers that hold the mutants."""
        folders = (
            sysconfig.get_path("include"),
            np.get_include(),
            self.held.include,
            self.held.sources / "_core" / "c",
        )
        return ended("gcc", "-w", "-include", self.prelude, *(f"-I{folder}" for folder in folders), *arguments)

    def hold(self) -> list[int]:
        """Writes the headers, less what the compiler does not take; the numbers of what is in none."""
        leave: set[int] = set()
        while True:
            texts, alone = schemata.texts(self.sites, leave)
            for path in {site.path for site in self.sites}:
                (self.held.folder / path).write_text(texts.get(path) or (ROOT / path).read_text())
            done = self.gcc("-fsyntax-only", "-fmax-errors=0", self.held.folder / "engine.c")
            if done.returncode == 0:
                return alone
            wrong = self.at_fault(done.stderr) - leave
            assert wrong, done.stderr[-3000:]
            leave |= wrong

    def at_fault(self, said: str) -> set[int]:
        """The sites in the lines that the compiler names; if there are none, all sites of those files."""
        lines = {(os.path.normpath(name), int(line)) for name, line in FAULT.findall(said)[:FAULTS]}
        files = {name for name, _ in lines}
        numbered = [(number, site) for number, site in enumerate(self.sites) if site.file in files]
        found = {number for number, site in numbered if lines & schemata.lines_of(number, site)}
        return found or {number for number, _ in numbered}

    def environment(self, mutant: int | None = None, **more: str) -> dict[str, str]:
        return {**self.held.environment(), **({} if mutant is None else {"WS_MUTANT": str(mutant)}), **more}

    def watched(self) -> list[Test]:
        """All tests, with what they reach."""
        return [*self.watched_c(sorted(C_TESTS.rglob("test_*.c"))), *self.watched_python()]

    def watched_c(self, paths: Iterable[Path]) -> list[Test]:
        found = []
        for path in paths:
            name, target = str(path.relative_to(TESTS)), self.held.folder / path.stem
            done = self.gcc(*c_tests.flags(name), "-O0", "-DCHECK_STOPS", path, "-o", target)
            assert done.returncode == 0, done.stderr[-3000:]
            seen, began = target.with_suffix(".seen"), time.monotonic()
            red, printed = failed([target], self.environment(WS_SEEN=str(seen)), 600)
            assert not red, f"{name} fails on what is not broken: {printed}"
            self.programs[name] = target
            reaches = frozenset(number for number, byte in enumerate(seen.read_bytes()) if byte)
            found.append(Test(name, time.monotonic() - began, reaches))
        return found

    def watched_python(self) -> list[Test]:
        record = self.held.folder / "reached.jsonl"
        for names, mark in ((PYTHON, "not slow"), (SLOW, "slow")):
            there = [name for name in names if (TESTS / name).exists()]
            command = [*Copy.pytest(there), "-m", mark, "-p", "tools.mutation.reach"]
            command.remove("-x")
            red, printed = failed(command, self.environment(WS_REACHED=str(record)), 3600)
            if red:
                print("of what is not broken:", printed[-2000:], flush=True)
        rows = [json.loads(line) for line in record.read_text().splitlines()]
        return [Test(row["name"], row["seconds"], frozenset(row["reaches"])) for row in rows]


def failed(command: Sequence[str | Path], environment: dict[str, str], most: float) -> tuple[bool, str]:
    """Whether it fails or does not end, and what it printed."""
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        errors="replace", start_new_session=True,
    ) as process:  # fmt: skip
        try:
            printed, _ = process.communicate(timeout=most)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.communicate()
            return True, "does not end"
    return process.returncode != 0, printed
