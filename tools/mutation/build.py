"""One build of the extensions and of the C tests that holds many mutants, and what each test reaches in it.

All of it is in one folder: a build of the same headers and the same mutants is taken as it is, and only the
tests that have changed are watched again.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sysconfig
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tests.support import c_tests
from tests.support.paths import C_TESTS, HEADERS, ROOT, TESTS
from tests.support.process import ended
from tools.mutation import schemata
from tools.mutation.copies import DOORS, SANITIZERS, Copy
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
    kills: Counter[str] = field(default_factory=Counter)
    """How many mutants it has seen, by their folder."""

    @property
    def is_c(self) -> bool:
        return self.name.startswith("c/")

    @property
    def file(self) -> Path:
        return TESTS / self.name if self.is_c else ROOT / self.name.partition("::")[0]

    def worth(self, folder: str) -> float:
        """The lower the sooner it is asked of a mutant in this folder."""
        return (0.05 + self.seconds) / (1 + self.kills[folder])


class Build:
    """A copy of the package in which all sites are that can be held so."""

    def __init__(self, folder: Path, sites: Sequence[Site]) -> None:
        self.folder, self.sites = folder, sites
        self.made = folder / "made.json"
        headers = "".join(path.read_text() for path in sorted(HEADERS.rglob("*.h")))
        digest = hashlib.sha256((headers + "".join(map(repr, (one.found for one in sites)))).encode()).hexdigest()
        made: dict[str, Any] = json.loads(self.made.read_text()) if self.made.exists() else {"digest": ""}
        if made["digest"] != digest and folder.exists():
            shutil.rmtree(folder)
        self.copy = Copy(folder / "whole")
        self.held = Copy(folder / "held", self.copy.folder)
        self.prelude = self.held.folder / "prelude.h"
        self.alone: list[int] = made.get("alone", [])
        if made["digest"] != digest:
            self.make()
            self.made.write_text(json.dumps({"digest": digest, "alone": self.alone}))

    def make(self) -> None:
        self.prelude.write_text(schemata.PRELUDE % {"count": max(1, len(self.sites))})
        self.alone = self.hold()
        for door in DOORS:
            target = self.held.site / "warpsim" / f"_{door}" / f"{door}{sysconfig.get_config_var('EXT_SUFFIX')}"
            done = self.gcc("-O1", "-shared", "-fPIC", self.held.folder / f"{door}.c", "-o", target)
            assert done.returncode == 0, done.stderr[-3000:]

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

    def programs(self, name: str) -> tuple[Path, Path]:
        """Of a C test: one without sanitizers, which is quick, and one with them."""
        stem = Path(name).stem
        return self.held.folder / stem, self.held.folder / f"{stem}_sanitized"

    def watched(self) -> list[Test]:
        """All tests that pass, with what they reach."""
        kept = self.folder / "reached.jsonl"
        rows = [json.loads(line) for line in kept.read_text().splitlines()] if kept.exists() else []
        now = {path: digest_of(path) for path in (*sorted(C_TESTS.rglob("test_*.c")), *python_files())}
        rows = [row for row in rows if now.get(Path(row["file"])) == row["digest"]]
        for path in now.keys() - {Path(row["file"]) for row in rows}:
            some = self.watched_c(path) if path.suffix == ".c" else self.watched_python(path)
            rows += [{**row, "file": str(path), "digest": now[path]} for row in some]
            kept.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return [Test(row["name"], row["seconds"], frozenset(row["reaches"])) for row in rows]

    def watched_c(self, path: Path) -> list[dict[str, Any]]:
        name = str(path.relative_to(TESTS))
        reaches, seconds = [], 0.0
        for target, flags in zip(self.programs(name), ((), SANITIZERS), strict=True):
            done = self.gcc(*c_tests.flags(name), "-O0", "-DCHECK_STOPS", *flags, path, "-o", target)
            assert done.returncode == 0, done.stderr[-3000:]
            seen, began = target.with_suffix(".seen"), time.monotonic()
            red, printed = failed([target], self.environment(WS_SEEN=str(seen)), 600)
            assert not red, f"{name} fails on what is not broken: {printed}"
            seconds = max(seconds, time.monotonic() - began)
            reaches = [number for number, byte in enumerate(seen.read_bytes()) if byte]
            if not reaches:
                break
        return [{"name": name, "seconds": round(seconds, 3), "reaches": reaches}]

    def watched_python(self, path: Path) -> list[dict[str, Any]]:
        """One file at a time, so that nothing is kept from the tests of another."""
        record = self.folder / "reached.new"
        record.unlink(missing_ok=True)
        is_slow = any(path.is_relative_to(TESTS / name) for name in SLOW)
        command = [*Copy.pytest([str(path)]), "-m", "" if is_slow else "not slow", "-p", "tools.mutation.reach"]
        command.remove("-x")
        red, printed = failed(command, self.environment(WS_REACHED=str(record)), 3600)
        if red:
            left_out = re.findall(r"^(?:FAILED|ERROR) \S+.*", printed, re.MULTILINE)
            print(
                "left out, since they fail on what is not broken:", *left_out or [printed[-300:]], sep="\n", flush=True
            )
        rows = [json.loads(line) for line in record.read_text().splitlines()] if record.exists() else []
        return rows or [{"name": str(path), "seconds": 0, "reaches": []}]


def python_files() -> list[Path]:
    paths = [TESTS / name for name in PYTHON]
    return sorted(file for path in paths for file in ([path] if path.suffix else path.rglob("test_*.py")))


def digest_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


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
