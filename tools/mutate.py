"""Breaks the core and the package on purpose, one place at a time: each break must be seen.

    python3 -m tools.mutate [--jobs N] [--only TEXT] [--sample N]
    python3 -m tools.mutate --random N --seed S [--jobs N] [--keep]
    python3 -m tools.mutate --random N --seed S --folders run,check

tools/mutation/mutants.txt is the table: code that is once in a function, what replaces it, and the test that
must see that. A C test is compiled with the broken header; for a Python test the extension is
rebuilt from it into a copy of the package. A mutant whose test passes has survived: exit status 1.
--random draws places and breaks from the whole core (tools/mutation/sites.py); every C test, every
corpus and the Python tests that see the core are asked until one sees it, first what saw it when the
verdicts were kept (tools/mutation/drawn.txt). What nothing saw once is in
tools/mutation/survivors.txt, with its test or with the reason why none can see it. With --folders all
of them are in one build, and the tests that reach each are asked (tools/mutation/engine.py): that is
for the engine, whose folders are `--folders engine`.
"""

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.support.paths import ROOT, TESTS
from tests.support.process import run
from tools import places, records
from tools.mutation import campaign, engine
from tools.mutation.copies import Copy
from tools.mutation.mutants import EQUIVALENT, MUTANTS, Mutant


def is_killed(mutant: Mutant, whole: Path) -> bool:
    """Whether the test that the table names sees the mutant."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(Path(folder), whole)
        copy.put(mutant, build=not mutant.test.startswith("c/"))
        killed = copy.fails([mutant.test])
    verdict = "killed  " if killed else "SURVIVED"
    seconds = time.monotonic() - began
    print(f"{verdict} {mutant.file:<20} {mutant.wrong} ({mutant.test}, {seconds:.0f} s)", flush=True)
    return killed


def misplaced() -> list[str]:
    """Mutants whose code is not in their function once, or whose test is not there."""
    wrong = []
    for mutant in (*MUTANTS, *EQUIVALENT):
        count = len(places.find(mutant.function, mutant.before))
        if count != 1:
            wrong.append(f"{mutant.function}: {mutant.before!r} is there {count} times, not once")
    for mutant in MUTANTS:
        if not (TESTS / mutant.test.partition("::")[0]).exists():
            wrong.append(f"{mutant.wrong}: there is no {mutant.test}")
    return wrong


def of_this_commit() -> str:
    """What a sample is drawn from: the commit, so that in time all mutants have their turn."""
    return run("git", "rev-parse", "HEAD").strip()[:12] if (ROOT / ".git").exists() else "no commit"


def tell(killed: Sequence[Mutant], seconds: float) -> None:
    files = {mutant.place.path for mutant in killed}
    in_core = {path for path in files if path.suffix == ".h"}
    records.tell({
        "mutants": len(killed), "killed": len(killed), "equivalent": len(EQUIVALENT), "headers": len(in_core),
        "files_of_the_package": len(files - in_core), "seconds": round(seconds),
    })  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many at a time")
    parser.add_argument("--only", default="", help="mutants whose file or description has this")
    parser.add_argument("--sample", type=int, help="how many to try: other ones for each commit")
    parser.add_argument("--seed", default=of_this_commit(), help="repeats a sample")
    parser.add_argument("--random", type=int, metavar="N", help="draw N from all of the core instead, by --seed")
    parser.add_argument("--keep", action="store_true", help="of --random: keep the verdicts for the next run")
    parser.add_argument("--folders", help="of --random: draw from these; engine: its folders")
    parser.add_argument(
        "--kept",
        type=Path,
        metavar="FOLDER",
        help="of --random: where a run of these sources keeps its verdicts, to go on",
    )
    args = parser.parse_args()
    if args.random is not None and args.folders:
        folders = engine.FOLDERS if args.folders == "engine" else tuple(args.folders.split(","))
        return engine.run(args.random, args.seed, folders, args.kept)
    if args.random is not None:
        return campaign.run(args.random, args.seed, args.jobs, args.kept, keep=args.keep)
    wrong = misplaced()
    if wrong:
        print("\n".join(wrong))
        return 1
    chosen = [mutant for mutant in MUTANTS if args.only in f"{mutant.file} {mutant.wrong}"]
    if args.sample is not None:
        print(f"a sample, --seed {args.seed}")
        chosen = random.Random(args.seed).sample(chosen, min(args.sample, len(chosen)))
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        whole = Copy(Path(folder), build=not all(mutant.test.startswith("c/") for mutant in chosen))
        if whole.fails(sorted({mutant.test for mutant in chosen})):
            print("the tests fail on what is not broken")
            return 1
        with ThreadPoolExecutor(args.jobs) as jobs:
            killed = list(jobs.map(lambda mutant: is_killed(mutant, whole.folder), chosen))
    survived = killed.count(False)
    print(f"{len(chosen)} mutants, {sum(killed)} killed, {survived} survived")
    if not survived and not args.only:
        tell(chosen, time.monotonic() - began)
    return 1 if survived or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
