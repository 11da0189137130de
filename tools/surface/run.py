"""Calls the public surface with hostile arguments for long, in processes of its own.

    python3 -m tools.surface.run --calls 10000000 --seed 1 --workers 2
    python3 -m tools.surface.run --calls 1000000 --sanitize

A process that dies or hangs is reported with the seed and step that did it, and the run
goes on. --sanitize builds the package with AddressSanitizer and UndefinedBehaviorSanitizer into a
folder of its own and runs there. Exit status 1: something was found.
"""

import argparse
import faulthandler
import gc
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.support.paths import ROOT
from tools import records

BATCH = 10  # seeds of one process
STANDSTILL_SECONDS = 60.0  # of one step; an honest one takes milliseconds, 5 times as long under sanitizers
ADDRESS_BYTES = 12 << 30  # a process may ask for no more: an absurd size is a MemoryError


def worker(first: int, count: int, limit: bool) -> None:
    """Runs seeds and writes lines of JSON: each step before it begins, what broke, what it counted."""
    from tools.surface import rules, session  # noqa: PLC0415 - needs the package under test

    faulthandler.enable()
    if limit:
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_BYTES, ADDRESS_BYTES))
    rules.names()
    gc.collect()
    gc.freeze()
    where = open(os.environ["SURFACE_PLACE"], "w")
    tally = session.Tally()
    for seed in range(first, first + count):

        def tell(step: int, rule: str, seed: int = seed) -> None:
            where.seek(0)
            where.write(f"{seed} {step} {rule}          ")
            where.flush()

        try:
            rules.steps(seed, tally, tell=tell)
        except Exception as error:
            cause = f" <- {error.__cause__!r:.300}" if error.__cause__ else ""
            place = Path(where.name).read_text().split()
            print(json.dumps({"broken": f"{place} {type(error).__name__}: {error}{cause}"[:1500]}), flush=True)
    print(json.dumps({"tally": vars(tally)}), flush=True)


class Worker:
    """A process at work on some seeds, watched."""

    def __init__(self, first: int, count: int, options: argparse.Namespace, environment: dict[str, str]) -> None:
        self.first, self.count, self.patience = (first, count, STANDSTILL_SECONDS * (5 if options.sanitize else 1))
        handle, path = tempfile.mkstemp(prefix="surface-place-")
        os.close(handle)
        self.place, self.output = Path(path), tempfile.TemporaryFile("w+")
        command = [sys.executable, "-W", "ignore", "-m", "tools.surface.run", "--worker", str(first), str(count)]
        self.process = subprocess.Popen(
            [*command, *(["--sanitize"] if options.sanitize else [])], stdout=self.output, stderr=subprocess.STDOUT, cwd=ROOT,
            env={**environment, "SURFACE_PLACE": path, "PYTHONHASHSEED": "0"},
        )  # fmt: skip
        self.seen, self.since, self.fate = "", time.monotonic(), ""

    def is_done(self) -> bool:
        if self.process.poll() is not None:
            self.fate = f"died with {self.process.returncode}"
            return True
        now = self.place.read_text()
        if now != self.seen:
            self.seen, self.since = now, time.monotonic()
        if time.monotonic() - self.since > self.patience:
            self.process.kill()
            self.process.wait()
            self.fate = "stood still"
        return bool(self.fate)

    def results(self) -> tuple[list[str], dict[str, Any], int]:
        """(what broke, what was counted, the first seed that was not run)."""
        self.output.seek(0)
        broken, tally, noise = [], None, ""
        for line in self.output:
            try:
                found = json.loads(line)
                tally = found.get("tally", tally)
                broken += [found["broken"]] if "broken" in found else []
            except (ValueError, AttributeError):
                noise += line
        place = self.place.read_text().split() or [str(self.first), "0", "start"]
        self.place.unlink()
        if tally is not None:
            return broken, tally, self.first + self.count
        return [*broken, f"{place} {self.fate}: {noise[-4000:]}"], {}, int(place[0]) + 1


def signature(broken: str) -> str:
    """What two findings have in common that are one."""
    said = broken.partition("] ")[2] or broken
    return "".join("0" if c.isdigit() else c for c in said)[:90]


def sanitized(folder: Path) -> dict[str, str]:
    """Builds the package with sanitizers into a folder; the environment that runs it."""
    build = ["-Ccmake.define.WARPSIM_SANITIZE=ON", "-Ccmake.build-type=Debug", "-Cwheel.py-api="]
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-build-isolation", "--no-deps"]
    subprocess.run([*pip, "--target", str(folder), *build, str(ROOT)], check=True)
    libraries = [
        subprocess.run(["gcc", f"-print-file-name={name}"], capture_output=True, text=True, check=True).stdout.strip()
        for name in ("libasan.so", "libubsan.so")
    ]
    return {
        **os.environ, "PYTHONPATH": str(folder), "LD_PRELOAD": " ".join(libraries), "PYTHONMALLOC": "malloc",
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=4096",
        "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
    }  # fmt: skip


def drive(options: argparse.Namespace) -> tuple[Any, dict[str, int]]:
    """Processes until enough calls were made: the tally, and what broke how often."""
    from tools.surface.session import Tally  # noqa: PLC0415

    environment = dict(os.environ)
    if options.sanitize:
        environment = sanitized(Path(tempfile.mkdtemp(prefix="surface-sanitized-")))
    tally, broken, begin, said = Tally(), dict[str, int](), time.monotonic(), 0.0
    left: list[tuple[int, int]] = []
    following, workers = options.seed, list[Worker]()
    while True:
        for one in [one for one in workers if one.is_done()]:
            workers.remove(one)
            found, counted, rest = one.results()
            for each in found:
                if signature(each) not in broken:
                    print("FOUND [seed, step, rule]", each, flush=True)
                broken[signature(each)] = broken.get(signature(each), 0) + 1
            tally.add(counted)
            if rest < one.first + one.count:
                left.append((rest, one.first + one.count - rest))
        calls = sum(tally.calls.values())
        enough = calls >= options.calls
        if enough and not workers:
            return tally, broken
        while not enough and len(workers) < options.workers:
            first, count = left.pop() if left else (following, BATCH)
            following = max(following, first + count)
            workers.append(Worker(first, count, options, environment))
        if time.monotonic() - said > 60:
            said = time.monotonic()
            print(f"{calls:,} calls, {said - begin:.0f} s, {sum(broken.values())} broken", flush=True)
        time.sleep(0.2)


def report(tally: Any, broken: dict[str, int], seconds: float) -> dict[str, int]:
    """Prints what was called and found; the figures of the record."""
    from tools.surface import rules  # noqa: PLC0415

    for what, counts in vars(tally).items():
        print(f"{what}:", ", ".join(f"{name} {count:,}" for name, count in counts.most_common()))
    print("never called:", ", ".join(name for name in rules.names() if name not in tally.calls) or "none")
    for what, count in broken.items():
        print(f"  BROKEN {count}x {what}")
    figures = {
        "calls": sum(tally.calls.values()), "seconds": round(seconds), "public_names": len(tally.calls),
        "fewest_calls_of_a_name": min(tally.calls.values()), "hostile_kinds": len(tally.kinds),
        "refused": sum(tally.errors.values()), "answers_checked": sum(tally.checks.values()), "broken": sum(broken.values()),
    }  # fmt: skip
    records.tell(figures)
    return figures


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=1_000_000, help="at least this many calls")
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--workers", type=int, default=1, help="processes at a time")
    parser.add_argument("--sanitize", action="store_true", help="with a sanitized build")
    parser.add_argument("--worker", type=int, nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        worker(*options.worker, limit=not options.sanitize)
        return 0
    begin = time.monotonic()
    tally, broken = drive(options)
    report(tally, broken, time.monotonic() - begin)
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())
