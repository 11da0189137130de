"""Mutants of the engine, drawn by chance, in one build; each is asked of the tests that reach it.

    python3 -m tools.mutate --random 200 --seed 1 --folders run,lanes,decode

One run of what is whole says which C test and which test of Python reaches which place, and how long
that takes (build.py, schemata.py). Then those tests are asked, the likeliest first, until one fails.
What cannot be held in the same build gets one of its own, and is asked of what reaches its neighbours.
"""

import re
import tempfile
import time
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.support import c_tests
from tests.support.paths import TESTS
from tools import records
from tools.mutants import EQUIVALENT
from tools.mutation.build import Build, Test, failed
from tools.mutation.campaign import alike, known
from tools.mutation.copies import Copy
from tools.mutation.sites import Site, drawn

FOLDERS = ("run", "lanes", "decode", "check", "watch", "mma", "number", "clock", "cluster", "bulk", "tensor")
MOST_SECONDS = 40  # of tests of Python for one mutant, as they take when nothing is broken
BUDGET = 4  # so many times as long may they take, and 20 seconds more


@dataclass
class Verdict:
    """What became of a site."""

    kind: str
    """`does not compile`, `not reached`, `equivalent`, `C test`, `Python` or `survived`."""
    by: str = ""
    asked: Sequence[str] = field(default_factory=list)


def asked_of_c(able: Sequence[Test], build: Build, number: int) -> Verdict | None:
    for test in (test for test in able if test.is_c):
        red, _ = failed([build.programs[test.name]], build.environment(number), 10 + BUDGET * test.seconds)
        if red:
            test.kills += 1
            return Verdict("C test", test.name)
    return None


def asked_of_python(able: Sequence[Test], environment: dict[str, str]) -> Verdict:
    """The likeliest tests, as many as the time allows, in one run of pytest."""
    chosen: dict[str, Test] = {}
    seconds = 0.0
    for test in able:
        if not test.is_c and (not chosen or seconds + test.seconds < MOST_SECONDS):
            chosen[test.name] = test
            seconds += test.seconds
    names = [test.name for test in able if test.is_c] + [*chosen]
    if not chosen:
        return Verdict("survived", asked=names)
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(chosen))
        file.flush()
        red, printed = failed([*Copy.pytest([]), f"@{file.name}"], environment, 20 + BUDGET * seconds)
    if not red:
        return Verdict("survived", asked=names)
    found = re.search(r"^(?:FAILED|ERROR) (tests/\S+)", printed, re.MULTILINE)
    if found and found[1] in chosen:
        chosen[found[1]].kills += 1
    return Verdict("Python", found[1] if found else "it crashes, or does not end")


def judge(number: int, build: Build, tests: Sequence[Test]) -> Verdict:
    """Of a mutant in the common build."""
    able = sorted((test for test in tests if number in test.reaches), key=lambda test: test.worth)
    if not able:
        return Verdict("not reached")
    return asked_of_c(able, build, number) or asked_of_python(able, build.environment(number))


def judge_alone(number: int, build: Build, tests: Sequence[Test]) -> Verdict:
    """Of one with its own build: whatever reaches a mutant of the same header, or else of the same folder."""
    site = build.sites[number]
    room = Path(site.file).parts[0]
    near = {n for n, other in enumerate(build.sites) if other.file == site.file and n not in build.alone}
    near = near or {n for n, other in enumerate(build.sites) if other.file.startswith(f"{room}/")}
    able = sorted((test for test in tests if near & test.reaches), key=lambda test: test.worth)
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(Path(folder) / "copy", build.copy.folder)
        try:
            copy.put(site)
        except RuntimeError:
            return Verdict("does not compile")
        for test in [test for test in able if test.is_c][:3]:
            target = Path(folder) / "program"
            flags = [*c_tests.flags(test.name), "-DCHECK_STOPS", f"-I{copy.include}"]
            Copy.compile(*flags, TESTS / test.name, "-o", target)
            if failed([target], copy.environment(), 10 + BUDGET * test.seconds)[0]:
                return Verdict("C test", test.name)
        return asked_of_python(able, copy.environment())


def judged(sites: Sequence[Site]) -> list[Verdict]:
    argued, verdicts = known(EQUIVALENT, {site.path for site in sites}), []
    with tempfile.TemporaryDirectory() as folder:
        build = Build(Path(folder), sites)
        print(f"{len(sites) - len(build.alone)} mutants in one build, {len(build.alone)} alone", flush=True)
        tests = build.watched()
        print(f"{len(tests)} tests, {sum(test.seconds for test in tests):.0f} s", flush=True)
        for number, site in enumerate(sites):
            began = time.monotonic()
            if (mutant := argued.get(alike(site.broken()))) is not None:
                verdict = Verdict("equivalent", mutant.wrong)
            else:
                verdict = (judge_alone if number in build.alone else judge)(number, build, tests)
            verdicts.append(verdict)
            show(number, site, verdict, time.monotonic() - began)
    return verdicts


def show(number: int, site: Site, verdict: Verdict, seconds: float) -> None:
    begin, end, after = site.found
    line = site.text.count("\n", 0, begin) + 1
    print(f"{number:4} {seconds:4.0f} s  {verdict.kind}\t{site.file}:{line} {verdict.by}", flush=True)
    if verdict.kind in ("survived", "not reached"):
        text = site.text.splitlines()[line - 1].strip()
        print(f"     {site.function}: {text}\n     {site.text[begin:end]!r} -> {after!r}", flush=True)
        print(f"     asked: {', '.join(verdict.asked[:6])}{' ...' * (len(verdict.asked) > 6)}", flush=True)


def run(count: int, seed: str, folders: Collection[str]) -> int:
    """Judges so many; exit status 1 if one is left."""
    sites, began = drawn(count, seed, folders), time.monotonic()
    verdicts = judged(sites)
    by_folder: dict[str, Counter[str]] = {}
    for site, verdict in zip(sites, verdicts, strict=True):
        by_folder.setdefault(site.file.split("/")[0], Counter())[verdict.kind] += 1
    for folder, kinds in sorted(by_folder.items()):
        print(f"{folder:<8}", "; ".join(f"{kind}: {n}" for kind, n in kinds.most_common()))
    kinds = sum(by_folder.values(), Counter[str]())
    print("all     ", "; ".join(f"{kind}: {n}" for kind, n in kinds.most_common()))
    killed = {folder: some["C test"] + some["Python"] for folder, some in by_folder.items()}
    left = kinds["survived"] + kinds["not reached"]
    records.tell({
        "drawn": len(sites), "seed": seed, "folders": " ".join(folders), "not_compiled": kinds["does not compile"],
        "by_c_tests": kinds["C test"], "by_python": kinds["Python"], "equivalent": kinds["equivalent"],
        "killed_by_folder": " ".join(f"{folder} {n}" for folder, n in sorted(killed.items())), "survived": left,
        "seconds": round(time.monotonic() - began),
    })  # fmt: skip
    return 1 if left else 0
