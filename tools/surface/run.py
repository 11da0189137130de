"""Calls the public surface with hostile arguments for long, in processes of its own.

    python3 -m tools.surface.run --calls 10000000 --seed 1 --workers 2
    python3 -m tools.surface.run --calls 1000000 --sanitize

A process that dies or stands still is reported with the seed and step that did it, and the run
goes on. --sanitize builds the package with AddressSanitizer and UndefinedBehaviorSanitizer into a
folder of its own and runs there. Exit status 1: something was found.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from tests.support.paths import ROOT
from tools import records

BATCH = 10  # seeds of one process
STANDSTILL_SECONDS = 60.0  # of one step; an honest one takes milliseconds
SANITIZED_STANDSTILL_SECONDS = 300.0
ADDRESS_BYTES = 12 << 30  # a process may ask for no more: an absurd size is a MemoryError


def worker(first: int, count: int, steps: int, limit: bool) -> None:
    """Runs seeds and writes lines of JSON: where it is, what broke, what it counted."""
    import faulthandler  # noqa: PLC0415 - in a process of its own, after the environment is set

    from tools.surface import rules, session, walking  # noqa: PLC0415

    faulthandler.enable()
    if limit:
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_BYTES, ADDRESS_BYTES))
    walking.names()
    gc.collect()
    gc.freeze()
    place = [0, 0, ""]
    out = os.fdopen(os.dup(1), "w", buffering=1)
    where = open(os.environ["SURFACE_PLACE"], "w")

    def tell(step: int, rule: str) -> None:
        place[1], place[2] = step, rule
        where.seek(0)
        where.write(f"{place[0]} {step} {rule}          ")
        where.flush()

    tally = session.Tally()
    for seed in range(first, first + count):
        place[0] = seed
        try:
            rules.steps(seed, tally, steps, tell)
        except KeyboardInterrupt:
            return
        except BaseException as error:
            cause = f" <- {error.__cause__!r:.300}" if error.__cause__ else ""
            said = f"{type(error).__name__}: {error}{cause}"
            out.write(
                json.dumps(
                    {"broken": said[:1500], "seed": seed, "step": place[1], "rule": place[2]}
                )
                + "\n"
            )
    out.write(json.dumps({"tally": tally.plain()}) + "\n")


class Worker:
    """A process at work on some seeds, watched."""

    def __init__(
        self, first: int, count: int, options: argparse.Namespace, environment: dict[str, str]
    ) -> None:
        self.first, self.count = first, count
        handle, path = tempfile.mkstemp(prefix="surface-place-")
        os.close(handle)
        self.place, self.output = Path(path), tempfile.TemporaryFile("w+")
        command = [
            options.python,
            "-W",
            "ignore",
            "-m",
            "tools.surface.run",
            "--worker",
            str(first),
            str(count),
            str(options.steps),
        ]
        command += ["--no-limit"] if options.sanitize else []
        self.process = subprocess.Popen(
            command, stdout=self.output, stderr=subprocess.STDOUT, cwd=ROOT,
            env={**environment, "SURFACE_PLACE": path, "PYTHONHASHSEED": "0"},
        )  # fmt: skip
        self.patience = SANITIZED_STANDSTILL_SECONDS if options.sanitize else STANDSTILL_SECONDS
        self.seen, self.since = "", time.monotonic()

    def is_done(self) -> bool:
        if self.process.poll() is not None:
            return True
        now = self.place.read_text()
        if now != self.seen:
            self.seen, self.since = now, time.monotonic()
        if time.monotonic() - self.since > self.patience:
            self.process.kill()
            self.process.wait()
            self.seen = "stood still: " + self.seen
            return True
        return False

    def results(self) -> tuple[list[dict[str, Any]], dict[str, Any] | None, int]:
        """(what broke, what was counted, the first seed that was not run)."""
        self.output.seek(0)
        broken, tally, noise = [], None, []
        for line in self.output:
            try:
                found = json.loads(line)
            except ValueError:
                noise.append(line)
                continue
            if "tally" in found:
                tally = found["tally"]
            elif "broken" in found:
                broken.append(found)
        place = self.seen if self.seen.startswith("stood") else self.place.read_text()
        self.place.unlink()
        following = self.first + self.count
        if tally is None:
            words = place.removeprefix("stood still: ").split()
            seed = int(words[0]) if words else self.first
            rule = words[2] if len(words) > 2 else "start"
            said = (
                "stood still"
                if place.startswith("stood")
                else f"died with {self.process.returncode}"
            )
            said += ": " + "".join(noise)[-4000:]
            broken.append(
                {"broken": said, "seed": seed, "step": int(words[1]) if words else 0, "rule": rule}
            )
            following = seed + 1
        return broken, tally, following


def signature(broken: str) -> str:
    """What two findings have in common that are one."""
    return "".join("0" if c.isdigit() else c for c in broken)[:90]


def sanitized(folder: Path) -> tuple[str, dict[str, str]]:
    """Builds the package with sanitizers into a folder, unless it is there; the environment that runs it."""
    build = ["-Ccmake.define.WARPSIM_SANITIZE=ON", "-Ccmake.build-type=Debug", "-Cwheel.py-api="]
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-build-isolation", "--no-deps"]
    if not (folder / "warpsim").exists():
        subprocess.run([*pip, "--target", str(folder), *build, str(ROOT)], check=True)
    libraries = [
        subprocess.run(
            ["gcc", f"-print-file-name={name}"], capture_output=True, text=True, check=True
        ).stdout.strip()
        for name in ("libasan.so", "libubsan.so")
    ]
    return sys.executable, {
        **os.environ, "PYTHONPATH": str(folder), "LD_PRELOAD": " ".join(libraries), "PYTHONMALLOC": "malloc",
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=4096",
        "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
    }  # fmt: skip


def drive(options: argparse.Namespace) -> tuple[Any, list[dict[str, Any]], float]:
    """Processes until enough calls were made: the tally, what broke, seconds."""
    from tools.surface.session import Tally  # noqa: PLC0415

    environment = dict(os.environ)
    options.python = sys.executable
    if options.sanitize:
        folder = Path(options.folder or tempfile.mkdtemp(prefix="surface-sanitized-"))
        options.python, environment = sanitized(folder)
    tally, broken, begin, said = Tally(), [], time.monotonic(), 0.0
    seeds: list[tuple[int, int]] = []
    following = options.seed
    workers: list[Worker] = []
    while True:
        done = [one for one in workers if one.is_done()]
        for one in done:
            workers.remove(one)
            found, counted, rest = one.results()
            for each in found:
                if signature(each["broken"]) not in {signature(b["broken"]) for b in broken}:
                    print(
                        f"FOUND seed {each['seed']} step {each['step']} {each['rule']}: {each['broken']}",
                        flush=True,
                    )
                broken.append(each)
            if counted is not None:
                tally.add(counted)
            if rest < one.first + one.count:
                seeds.append((rest, one.first + one.count - rest))
        calls = sum(tally.calls.values())
        enough = calls >= options.calls or time.monotonic() - begin > options.seconds
        if enough and not workers:
            return tally, broken, time.monotonic() - begin
        while not enough and len(workers) < options.workers:
            first, count = seeds.pop() if seeds else (following, BATCH)
            following = max(following, first + count)
            workers.append(Worker(first, count, options, environment))
        if time.monotonic() - said > 60:
            said = time.monotonic()
            print(f"{calls:,} calls, {said - begin:.0f} s, {len(broken)} broken", flush=True)
        time.sleep(0.2)


def report(tally: Any, broken: list[dict[str, Any]], seconds: float) -> dict[str, int]:
    """Prints what was called and found; the figures of the record."""
    from tools.surface import walking  # noqa: PLC0415

    calls = sum(tally.calls.values())
    refused = sum(tally.errors.values())
    print(f"\n{calls:,} calls in {seconds:.0f} s, {refused:,} refused, {len(broken)} broken")
    print("errors:", ", ".join(f"{kind} {count:,}" for kind, count in tally.errors.most_common()))
    print("checks:", ", ".join(f"{what} {count:,}" for what, count in tally.checks.most_common()))
    print("kinds per argument:", ", ".join(f"{n} {len(k)}" for n, k in sorted(tally.kinds.items())))
    print("calls per public name:")
    for name, count in tally.calls.most_common():
        print(f"  {count:>10,}  {name}")
    missing = [name for name in walking.names() if name not in tally.calls]
    print("never called:", ", ".join(missing) or "none")
    for what, count in Counter(signature(each["broken"]) for each in broken).most_common():
        print(f"  BROKEN {count}x {what}")
    kinds = {kind for found in tally.kinds.values() for kind in found}
    return {
        "calls": calls, "seconds": round(seconds), "public_names": len(tally.calls),
        "fewest_calls_of_a_name": min(tally.calls.values()), "hostile_kinds": len(kinds),
        "refused": refused, "answers_checked": sum(tally.checks.values()), "broken": len(broken),
    }  # fmt: skip


def replay(path: Path) -> int:
    """Runs the seeds of a file, a line each: seed, then steps; 1 if one breaks."""
    from tools.surface import rules, session  # noqa: PLC0415

    broken = 0
    for line in path.read_text().splitlines():
        words = line.split("#")[0].split()
        if not words:
            continue
        seed, steps = int(words[0]), int(words[1]) if len(words) > 1 else rules.STEPS
        try:
            rules.steps(seed, session.Tally(), steps)
        except Exception as error:
            broken += 1
            print(f"seed {seed}: {error}"[:1000])
    return int(broken > 0)


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--calls", type=int, default=1_000_000, help="at least so many calls")
    parser.add_argument("--seconds", type=float, default=1e9, help="begin nothing after so long")
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--steps", type=int, default=100, help="rules of one seed")
    parser.add_argument("--workers", type=int, default=1, help="processes at a time")
    parser.add_argument("--sanitize", action="store_true", help="with a sanitized build")
    parser.add_argument(
        "--folder",
        help="where the sanitized build goes, or is already (default: a temporary folder)",
    )
    parser.add_argument("--replay", type=Path, help="run the seeds of a file instead")
    parser.add_argument("--worker", type=int, nargs=3, help=argparse.SUPPRESS)
    parser.add_argument("--no-limit", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        worker(*options.worker, not options.no_limit)
        return 0
    if options.replay:
        return replay(options.replay)
    tally, broken, seconds = drive(options)
    figures = report(tally, broken, seconds)
    records.tell(figures)
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())
