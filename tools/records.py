"""Runs long campaigns and keeps what they counted: `python3 -m tools.records NAME ...`.

A campaign prints its figures with `tell`, and pytest prints how much it compared. What was printed
is kept in tools/records.json with the date, the commit, the command and a digest of the folders that it
speaks of (OF), which a squash or a rebase leaves as it is; docs/explain/trust.md shows it. A long run
may be followed by shorter ones of newer code (SHORT, --renew): the record keeps both. --stale lists the
records whose newest run is of other sources than those checked out, and --check fails if there is one.
"""

import argparse
import datetime
import hashlib
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from tests.support.paths import ROOT

FILE = ROOT / "tools" / "records.json"
MARK = "figures: "
#: test files whose comparisons docs/explain/trust.md shows
TESTS = (
    "robust/test_faults_memory.py", "robust/test_room.py", "robust/test_fork.py",
    "robust/test_pickles.py", "robust/test_security.py", "reports/test_escaping.py",
    "ship/test_workflows.py", "explorer/test_explorer.py", "explorer/test_explorer_use.py",
    "robust/test_surface.py", "cli/test_cli_robust.py", "testing/test_launches.py", "bounds/test_operands.py",
)  # fmt: skip
#: name -> the command that counts
RUNS = {
    "clean_image": "python3 -m tools.clean_image build/clean_image",
    "consumers": "python3 -m tools.consumers",
    "coverage": "python3 -m tools.coverage_run --folder build/coverage",
    "cross": "python3 -m tools.cross",
    "distributions": "python3 -m tools.distributions",
    "files": "python3 -m tools.hostile_files",
    "free_threaded": "python3 -m tools.free_threaded --python python3.13t",
    **{
        f"fuzz_{name}": f"python3 -m tools.fuzz --only {name}"
        for name in ("cost", "count", "execute", "legality", "lint", "module", "parse", "search")
    },
    "fuzz_run": "python3 -m tools.fuzz --only run --executions 300000",
    "fuzz_wrong": "python3 -m tools.fuzz --only wrong --executions 10000000",
    "fuzz_mutated": "python3 -m tools.fuzz --only mutated --executions 20000",
    "fuzz_corpora": "python3 -m tools.fuzz --corpora",
    "fuzz_planted": "python3 -m tools.fuzz --mutants",
    "forks": "python3 -m tools.launching.forks",
    "interrupt": "python3 -m tools.interrupts --count 11",
    "mutants": "python3 -m tools.mutate",
    "random_kernels": "python3 -m tools.random_kernels --statements 1e9",
    "random_mutants": "python3 -m tools.mutate --random 400 --seed 18",
    "random_mutants_of_the_engine": "python3 -m tools.mutate --random 200 --seed 38 --folders engine",
    "same_findings": "python3 -m tools.launching.same_findings",
    "surface": "python3 -m tools.surface.run --calls 10200000",
    "surface_sanitized": "python3 -m tools.surface.run --calls 1010000 --sanitize",
    "tests": f"python3 -m pytest -m '' {' '.join(f'tests/{name}' for name in TESTS)}",
    "thread_sanitizer": "python3 -m tools.thread_sanitizer",
    "valgrind": "python3 -m tools.memcheck",
    "windows": "python3 -m tools.windows",
}

#: the same with fewer inputs, at least one for a hundred
SHORT = {
    "files": "python3 -m tools.hostile_files --count 2000",
    **{
        f"fuzz_{name}": f"python3 -m tools.fuzz --only {name} --executions 200000"
        for name in ("cost", "count", "execute", "legality", "lint", "module", "parse", "search", "wrong")
    },
    "fuzz_mutated": "python3 -m tools.fuzz --only mutated --executions 2000",
    "fuzz_run": "python3 -m tools.fuzz --only run --executions 10000",
    "forks": "python3 -m tools.launching.forks --count 200",
    "interrupt": "python3 -m tools.interrupts --count 2",
    "mutants": "python3 -m tools.mutate --sample 24",
    "random_kernels": "python3 -m tools.random_kernels --statements 2e7",
    "random_mutants": "python3 -m tools.mutate --random 24 --seed 19",
    "random_mutants_of_the_engine": "python3 -m tools.mutate --random 24 --seed 39 --folders engine",
    "same_findings": "python3 -m tools.launching.same_findings --times 1",
    "surface": "python3 -m tools.surface.run --calls 200000",
    "surface_sanitized": "python3 -m tools.surface.run --calls 20000 --sanitize",
}
HEADERS = "csrc/include/warpsim"
#: the folders of headers that a program of the instructions alone includes, without kernels
INSTRUCTIONS = tuple(
    f"{HEADERS}/{folder}"
    for folder in (
        "base", "count", "data", "execute", "isa", "lint", "loop", "ptx", "report", "rules", "simd", "tile", "time",
        "undefined",
    )
)  # fmt: skip
#: name -> the folders that a record speaks of; of others, EVERYTHING
OF = {
    **{f"fuzz_{name}": INSTRUCTIONS for name in ("cost", "count", "execute", "legality", "lint", "parse", "search")},
    "fuzz_module": (*INSTRUCTIONS, f"{HEADERS}/module", f"{HEADERS}/number"),
    **{name: ("csrc",) for name in ("cross", "fuzz_corpora", "fuzz_mutated", "fuzz_planted", "fuzz_run")},
    **{name: ("csrc",) for name in ("fuzz_wrong", "random_mutants", "random_mutants_of_the_engine", "windows")},
}
EVERYTHING = ("csrc", "src")
#: the tree without files
NOTHING = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

Figures = Mapping[str, int | float | str]


@dataclass(frozen=True)
class Run:
    """What one run counted; the units are in the names ("executions", "seconds")."""

    date: str
    commit: str
    sources: str
    """What `sources_of` says of the commit."""
    figures: Figures
    command: str


@dataclass(frozen=True)
class Record(Run):
    """A long run, and the latest shorter one after it."""

    again: Run | None = None

    @property
    def newest(self) -> Run:
        """The run that tells whether the code is as it was."""
        return self.again or self


def tell(figures: Figures) -> None:
    """Prints the figures of a campaign that has succeeded."""
    print(MARK + json.dumps(figures), flush=True)


def figures_in(printed: str) -> Figures:
    """The figures that a campaign told, or what pytest counted."""
    told = [line.removeprefix(MARK) for line in printed.splitlines() if line.startswith(MARK)]
    if told:
        found: Figures = json.loads(told[-1])
        return found
    compared = printed.partition("= compared =")[2].partition("\n=")[0]
    counts = {
        what: int(count.replace(",", "")) for count, what in re.findall(r"^ *([\d,]+)  (.+)$", compared, re.MULTILINE)
    }
    passed = re.search(r"(\d+) passed", printed)
    assert counts and passed, "the run told no figures"
    return {"passed": int(passed[1]), **counts}


def read() -> dict[str, Record]:
    """All records by name."""
    kept = {name: Record(**record) for name, record in json.loads(FILE.read_text()).items()}
    return {name: replace(one, again=Run(**one.again)) if one.again else one for name, one in kept.items()}


def git(*arguments: str) -> str:
    return subprocess.check_output(["git", *arguments], cwd=ROOT, text=True).strip()


def sources_of(commit: str, name: str) -> str:
    """A digest of what a record speaks of, as it is in a commit."""
    trees = git("rev-parse", *(f"{commit}:{folder}" for folder in OF.get(name, EVERYTHING)))
    return hashlib.sha256(trees.encode()).hexdigest()[:12]


def _lines(*between: str, folders: Sequence[str]) -> int:
    """Lines that are in the later of two commits and not in the earlier one."""
    rows = git("diff", "--numstat", "--no-renames", *between, "--", *folders).splitlines()
    return sum(int(added) for added, *_ in (row.split("\t") for row in rows) if added != "-")


def share_of(name: str, run: Run, at: str = "HEAD") -> float:
    """Of the lines of a commit that a record speaks of, how many were there when it was made."""
    folders = OF.get(name, EVERYTHING)
    return 1 - _lines(run.commit, at, folders=folders) / _lines(NOTHING, at, folders=folders)


def commit_to_record() -> str:
    """The commit that is checked out; the work tree must be as it says, except the records."""
    changed = git("status", "--porcelain", "--untracked-files=no", f":!{FILE.relative_to(ROOT)}")
    if changed:
        sys.exit(f"commit before you record; changed since the last commit:\n{changed}")
    return git("rev-parse", "--short=10", "HEAD")


def write(name: str, commit: str, figures: Figures, command: str) -> None:
    """Keeps the figures of a run of this commit: a short one beside the long one."""
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    now, there = Run(today, commit, sources_of(commit, name), figures, command), read()
    if command == RUNS.get(name, command):
        there[name] = Record(**vars(now))
    elif name in there:
        there[name] = replace(there[name], again=now)
    else:
        sys.exit(f"{name}: there is no long run that a short one could follow: {RUNS[name]}")
    kept = {name: asdict(record) for name, record in sorted(there.items())}
    FILE.write_text(json.dumps(kept, indent=1) + "\n")


def is_stale(name: str, record: Record) -> bool:
    """Is its newest run of other sources than those of HEAD?"""
    return record.newest.sources != sources_of("HEAD", name)


def stale() -> list[str]:
    """The records of other sources than those of HEAD."""
    there = read().items()
    return [f"{name}: {one.newest.commit}, {one.newest.date}" for name, one in there if is_stale(name, one)]


def missing() -> list[str]:
    """Campaigns that were never run to their end."""
    there = read()
    return [f"{name}: no record" for name in RUNS if name not in there]


def check() -> None:
    """Exits if a record is older than its code, or missing."""
    if old := stale() + missing():
        sys.exit("\n".join(["records older than their code: python3 -m tools.records --renew", *old]))


def renew(names: Sequence[str]) -> None:
    """Runs short forms of these, or of all that are stale."""
    there = read()
    for name in names or [name for name, one in there.items() if is_stale(name, one)]:
        print(f"== {name}", flush=True)
        run(name, SHORT.get(name, RUNS[name]))


def run(name: str, words: str) -> None:
    """Runs a campaign, shows what it prints, keeps its figures."""
    commit = commit_to_record()
    command = [sys.executable, *shlex.split(words)[1:]]
    lines = []
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            lines.append(line)
    if process.returncode:
        sys.exit(f"{name} failed: nothing is recorded")
    if commit_to_record() != commit:
        sys.exit(f"another commit was checked out while {name} ran: nothing is recorded")
    write(name, commit, figures_in("".join(lines)), words)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(RUNS))
    parser.add_argument("--stale", action="store_true", help="list the records of other sources than HEAD's")
    parser.add_argument("--check", action="store_true", help="fail if there is one, or if one is missing")
    parser.add_argument("--renew", action="store_true", help="run short forms of these, or else of all stale ones")
    args = parser.parse_args()
    if unknown := set(args.names) - set(RUNS):
        parser.error(f"no campaign is called {', '.join(unknown)}")
    if args.renew:
        renew(args.names)
    for name in args.names if not args.renew else ():
        run(name, RUNS[name])
    if args.stale:
        print(*stale(), sep="\n")
    if args.check:
        check()
