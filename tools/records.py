"""Runs long campaigns and keeps what they counted: `python3 -m tools.records NAME ...`.

A campaign prints its figures with `tell`, and pytest prints how much it compared. What was printed
is kept in tools/records.json with the date, the commit and a digest of its sources, which a squash
or a rebase leaves as it is; docs/explain/trust.md shows it. --stale lists the records of sources that
differ from those checked out.
"""

import argparse
import datetime
import hashlib
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from tests.support.paths import ROOT

FILE = ROOT / "tools" / "records.json"
MARK = "figures: "
#: test files whose comparisons docs/explain/trust.md shows
TESTS = (
    "robust/test_faults_memory.py", "robust/test_room.py", "robust/test_fork.py",
    "robust/test_pickles.py", "robust/test_security.py", "reports/test_escaping.py",
    "ship/test_workflows.py", "explorer/test_explorer.py", "explorer/test_explorer_use.py",
)  # fmt: skip
#: name -> the command that counts
RUNS = {
    "clean_image": "python3 -m tools.clean_image build/clean_image",
    "consumers": "python3 -m tools.consumers",
    "coverage": "python3 -m tools.coverage_run",
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
    "interrupt": "python3 -m tools.interrupts",
    "mutants": "python3 -m tools.mutate",
    "random_kernels": "python3 -m tools.random_kernels --statements 1e9",
    "random_mutants": "python3 -m tools.mutate --random 400 --seed 18",
    "surface": "python3 -m tools.surface.run --calls 10200000",
    "surface_sanitized": "python3 -m tools.surface.run --calls 1010000 --sanitize",
    "tests": f"python3 -m pytest -m '' {' '.join(f'tests/{name}' for name in TESTS)}",
    "thread_sanitizer": "python3 -m tools.thread_sanitizer",
    "valgrind": "python3 -m tools.memcheck",
    "windows": "python3 -m tools.windows",
}

Figures = Mapping[str, int | float | str]


@dataclass(frozen=True)
class Record:
    """What one run counted; the units are in the names ("executions", "seconds")."""

    date: str
    commit: str
    sources: str
    """What `sources_of` says of the commit."""
    figures: Figures


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
    return {name: Record(**record) for name, record in json.loads(FILE.read_text()).items()}


def git(*arguments: str) -> str:
    return subprocess.check_output(["git", *arguments], cwd=ROOT, text=True).strip()


def sources_of(commit: str) -> str:
    """A digest of csrc and src as they are in a commit."""
    return hashlib.sha256(git("rev-parse", f"{commit}:csrc", f"{commit}:src").encode()).hexdigest()[:12]


def commit_to_record() -> str:
    """The commit that is checked out; the work tree must be as it says, except the records."""
    changed = git("status", "--porcelain", "--untracked-files=no", f":!{FILE.relative_to(ROOT)}")
    if changed:
        sys.exit(f"commit before you record; changed since the last commit:\n{changed}")
    return git("rev-parse", "--short=10", "HEAD")


def write(name: str, commit: str, figures: Figures) -> None:
    """Keeps the figures of a run of this commit."""
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    records = {**read(), name: Record(today, commit, sources_of(commit), figures)}
    kept = {name: asdict(record) for name, record in sorted(records.items())}
    FILE.write_text(json.dumps(kept, indent=1) + "\n")


def stale() -> list[str]:
    """Records of other sources than those of HEAD."""
    now = sources_of("HEAD")
    return [f"{name}: {one.commit}, {one.date}" for name, one in read().items() if one.sources != now]


def run(name: str) -> None:
    """Runs a campaign, shows what it prints, keeps its figures."""
    commit = commit_to_record()
    command = [sys.executable, *shlex.split(RUNS[name])[1:]]
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
    write(name, commit, figures_in("".join(lines)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(RUNS))
    parser.add_argument("--stale", action="store_true", help="list the records of other sources than HEAD's")
    args = parser.parse_args()
    if unknown := set(args.names) - set(RUNS):
        parser.error(f"no campaign is called {', '.join(unknown)}")
    for name in args.names:
        run(name)
    if args.stale:
        print(*stale(), sep="\n")
