"""Mutants of the engine, drawn by chance, in one build; each is asked of the tests that reach it.

    python3 -m tools.mutate --random 200 --seed 1 --folders run,lanes,decode

One run of what is whole says which C test and which test of Python reaches which place, and how long
that takes (build.py, schemata.py). Then those tests are asked, the quickest and likeliest first, until
one fails: the C tests, and those of Python in a fork of a process that has collected them (forks.py).
What cannot be held in the same build gets one of its own, and is asked of what reaches its neighbours.
"""

import tempfile
import time
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.support import c_tests
from tests.support.paths import TESTS
from tools import records
from tools.mutation.build import Build, Test, failed
from tools.mutation.campaign import LEFT, Kept, alike, known
from tools.mutation.copies import Copy
from tools.mutation.forks import Forks
from tools.mutation.mutants import EQUIVALENT
from tools.mutation.sites import Site, drawn

FOLDERS = ("run", "lanes", "decode", "check", "watch", "mma", "number", "clock", "cluster", "bulk", "tensor")
QUICK_SECONDS = 5
MOST_SECONDS_QUICK, MOST_SECONDS_LONG = 30, 60  # of one mutant, as they take when nothing is broken
BUDGET = 5  # so many times as long may one take, and 15 seconds more


@dataclass
class Verdict:
    """What became of a site."""

    kind: str
    """`does not compile`, `not reached`, `equivalent`, `C test`, `Python` or `survived`."""
    by: str = ""
    asked: Sequence[str] = field(default_factory=list)


class Judge:
    """Asks the tests of one mutant after the other."""

    def __init__(self, build: Build) -> None:
        self.build, self.tests = build, build.watched()
        self.forks: Forks | None = None

    def able(self, reached: Collection[int], folder: str) -> list[Test]:
        """The tests that reach one of these, the quickest and likeliest first."""
        return sorted((test for test in self.tests if test.reaches & set(reached)), key=lambda test: test.worth(folder))

    def judge(self, number: int) -> Verdict:
        """Of a mutant in the common build."""
        folder = self.build.sites[number].folder
        able = self.able({number}, folder)
        environment = self.build.environment(number)
        for sanitized in (False, True):
            for test in (test for test in able if test.is_c):
                if failed([self.build.programs(test.name)[sanitized]], environment, 15 + BUDGET * test.seconds)[0]:
                    test.kills[folder] += 1
                    return Verdict("C test", test.name)
        if self.forks is None:
            files = {str(test.file) for test in self.tests if test.reaches and not test.is_c}
            printed = self.build.folder / "forks.txt"
            self.forks = Forks(Copy.pytest(sorted(files)), self.build.environment(), printed)
            if by := self.forks.ask(-1, {}):
                raise RuntimeError(f"{by}, and nothing is broken yet: see {printed}")
        return asked_of_python(self.forks, number, able, folder)

    def judge_alone(self, number: int) -> Verdict:
        """Of one with its own build: whatever reaches a mutant of the same header, or else of the same folder."""
        build, site = self.build, self.build.sites[number]
        near = {n for n, other in enumerate(build.sites) if other.file == site.file and n not in build.alone}
        near = near or {n for n, other in enumerate(build.sites) if other.folder == site.folder}
        able = self.able(near, site.folder)
        with tempfile.TemporaryDirectory() as folder:
            copy = Copy(Path(folder) / "copy", build.copy.folder)
            try:
                copy.put(site)
            except RuntimeError:
                return Verdict("does not compile")
            for test in (test for test in able if test.is_c):
                target = Path(folder) / "program"
                flags = [*c_tests.flags(test.name), "-DCHECK_STOPS", f"-I{copy.include}"]
                Copy.compile(*flags, TESTS / test.name, "-o", target)
                if failed([target], copy.environment(), 15 + BUDGET * test.seconds)[0]:
                    return Verdict("C test", test.name)
            files = {str(test.file) for test in able if not test.is_c}
            forks = Forks(Copy.pytest(sorted(files)), copy.environment(), Path(folder) / "forks.txt")
            verdict = asked_of_python(forks, -1, able, site.folder)
            forks.close()
            return verdict

    def close(self) -> None:
        if self.forks is not None:
            self.forks.close()


def chosen_of(able: Sequence[Test]) -> dict[str, Test]:
    """As many as the time allows: quick ones, and then long ones, which compare most."""
    chosen: dict[str, Test] = {}
    for is_quick, most in ((True, MOST_SECONDS_QUICK), (False, MOST_SECONDS_LONG)):
        seconds = 0.0
        for test in able:
            if not test.is_c and (test.seconds < QUICK_SECONDS) == is_quick and seconds + test.seconds < most:
                chosen[test.name] = test
                seconds += test.seconds
    return chosen


def asked_of_python(forks: Forks, number: int, able: Sequence[Test], folder: str) -> Verdict:
    chosen = chosen_of(able)
    names = [test.name for test in able if test.is_c] + [*chosen]
    if not names:
        return Verdict("not reached")
    by = forks.ask(number, {name: 15 + BUDGET * test.seconds for name, test in chosen.items()}) if chosen else ""
    if not by:
        return Verdict("survived", asked=names)
    for name, test in chosen.items():
        test.kills[folder] += by.startswith(name)
    return Verdict("Python", by)


def judged(sites: Sequence[Site], folder: Path) -> list[Verdict]:
    argued, verdicts = known(EQUIVALENT, {site.path for site in sites}), []
    build = Build(folder, sites)
    print(f"{len(sites) - len(build.alone)} mutants in one build, {len(build.alone)} alone", flush=True)
    judge, kept = Judge(build), Kept(folder / "verdicts.jsonl")
    print(f"{len(judge.tests)} tests, {sum(test.seconds for test in judge.tests):.0f} s", flush=True)
    for number, site in enumerate(sites):
        began = time.monotonic()
        if (mutant := argued.get(alike(site.broken()))) is not None:
            verdict = Verdict("equivalent", mutant.wrong)
        elif (found := kept.find(site)) is not None:
            verdict = found
        else:
            verdict = (judge.judge_alone if number in build.alone else judge.judge)(number)
            kept.keep(site, verdict)
        verdicts.append(verdict)
        show(number, site, verdict, time.monotonic() - began)
    judge.close()
    return verdicts


def show(number: int, site: Site, verdict: Verdict, seconds: float) -> None:
    begin, end, after = site.found
    line = site.text.count("\n", 0, begin) + 1
    print(f"{number:4} {seconds:4.0f} s  {verdict.kind}\t{site.file}:{line} {verdict.by}", flush=True)
    if verdict.kind in LEFT:
        text = site.text.splitlines()[line - 1].strip()
        print(f"     {site.function}: {text}\n     {site.text[begin:end]!r} -> {after!r}", flush=True)
        print(f"     asked: {', '.join(verdict.asked[:6])}{' ...' * (len(verdict.asked) > 6)}", flush=True)


def run(count: int, seed: str, folders: Collection[str], folder: Path | None) -> int:
    """Judges so many; exit status 1 if one is left. What a folder of an earlier run keeps is not done again."""
    sites, began = drawn(count, seed, folders), time.monotonic()
    with tempfile.TemporaryDirectory() as temporary:
        verdicts = judged(sites, folder or Path(temporary) / "build")
    by_folder: dict[str, Counter[str]] = {}
    for site, verdict in zip(sites, verdicts, strict=True):
        by_folder.setdefault(site.folder, Counter())[verdict.kind] += 1
    for name, some in sorted(by_folder.items()):
        print(f"{name:<8}", "; ".join(f"{kind}: {n}" for kind, n in some.most_common()))
    kinds = sum(by_folder.values(), Counter[str]())
    print("all     ", "; ".join(f"{kind}: {n}" for kind, n in kinds.most_common()))
    left = sum(kinds[kind] for kind in LEFT)
    killed = {  # of those that could be seen
        name: f"{some['C test'] + some['Python']}/{some.total() - some['equivalent'] - some['does not compile']}"
        for name, some in sorted(by_folder.items())
    }
    records.tell({
        "drawn": len(sites), "seed": seed, "folders": len(killed), "not_compiled": kinds["does not compile"],
        "by_c_tests": kinds["C test"], "by_python": kinds["Python"], "equivalent": kinds["equivalent"],
        "killed_by_folder": " ".join(f"{name} {rate}" for name, rate in killed.items()), "survived": left,
        "seconds": round(time.monotonic() - began),
    })  # fmt: skip
    return 1 if left else 0
