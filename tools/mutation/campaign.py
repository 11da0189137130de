"""Mutants drawn by chance from all of the core: who sees each, and which are left."""

import hashlib
import json
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tools import records
from tools.mutation.copies import Copy
from tools.mutation.mutants import EQUIVALENT, SURVIVORS, Mutant
from tools.mutation.sites import Site, drawn
from tools.mutation.verdicts import EVERY, Judge, Verdict, of_pytest

#: the verdicts of an earlier run: they say what to try first
TABLE = Path(__file__).with_name("drawn.txt")
#: verdicts of mutants that nothing saw
LEFT = ("survived", "not reached")
Known = dict[tuple[Path, tuple[str, ...]], Mutant]


def alike(broken: tuple[Path, str]) -> tuple[Path, tuple[str, ...]]:
    """The file and its tokens: the same for one break, however it is written."""
    path, text = broken
    return path, tuple(re.findall(r"\w+|[^\w\s]", text))


def known(mutants: Sequence[Mutant], files: set[Path]) -> Known:
    return {alike(mutant.broken()): mutant for mutant in mutants if mutant.place.path in files}


def row(site: Site, verdict: Verdict) -> str:
    mutant = site.as_mutant()
    what = f"{site.file} {mutant.function}: {mutant.before}  ->  {mutant.after}"
    return f"{verdict.kind}\t{verdict.by}\t{what}"


def hints() -> dict[str, str]:
    """What saw each mutant when the table was kept, or why nothing could."""
    rows = [line.split("\t") for line in TABLE.read_text().splitlines()]
    return {what: by.partition("::")[0] or kind for kind, by, what in rows}


class Kept:
    """The verdicts on those that something saw, in a file: a run that was interrupted goes on."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = path.read_text().splitlines() if path.exists() else []
        self.known = {row["site"]: Verdict(row["kind"], row["by"]) for row in map(json.loads, lines)}

    @staticmethod
    def name(site: Site) -> str:
        return hashlib.sha256(repr(alike(site.broken())).encode()).hexdigest()[:20]

    def find(self, site: Site) -> Verdict | None:
        found = self.known.get(self.name(site))
        return None if found is None or found.kind in LEFT else found

    def keep(self, site: Site, verdict: Verdict) -> None:
        row = {"site": self.name(site), "kind": verdict.kind, "by": verdict.by}
        with self.path.open("a") as file:
            file.write(json.dumps(row) + "\n")


def judged(sites: Sequence[Site], jobs: int, kept: Kept | None) -> list[Verdict]:
    """The verdict on each; those argued to be equivalent are not run."""
    argued, seen_before = known(EQUIVALENT, {site.path for site in sites}), hints()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        whole = Copy(Path(folder) / "whole")

        def python(site: Site, where: Path, tests: Sequence[str]) -> str:
            copy = Copy(where / "copy", whole.folder)
            copy.put(site)
            return of_pytest(copy.pytest(tests), copy.environment())

        if red := of_pytest(whole.pytest(EVERY), whole.environment()):
            sys.exit(f"{red} fails on what is not broken")
        judge = Judge(Path(folder), python)
        judge.prepare(pool)

        def one(site: Site) -> Verdict:
            began = time.monotonic()
            if (mutant := argued.get(alike(site.broken()))) is not None:
                verdict = Verdict("equivalent", mutant.wrong)
            elif kept is not None and (found := kept.find(site)) is not None:
                verdict = found
            else:
                verdict = judge.judge(site, seen_before.get(row(site, Verdict("")).split("\t")[2], ""))
                if kept is not None:
                    kept.keep(site, verdict)
            print(f"{time.monotonic() - began:5.0f} s  {row(site, verdict)}", flush=True)
            return verdict

        return list(pool.map(one, sites))


def run(count: int, seed: str, jobs: int, folder: Path | None, *, keep: bool) -> int:
    """Judges so many; exit status 1 if one is left. What a folder of an earlier run of these sources keeps stands."""
    sites, began = drawn(count, seed), time.monotonic()
    verdicts = judged(sites, jobs, None if folder is None else Kept(folder / "verdicts.jsonl"))
    rows = sorted(row(*both) for both in zip(sites, verdicts, strict=True))
    if keep:
        TABLE.write_text("\n".join(rows) + "\n")
    kinds = Counter(verdict.kind for verdict in verdicts)
    for site, verdict in zip(sites, verdicts, strict=True):
        if verdict.kind == "survived":
            mutant = site.as_mutant()
            print(f"\nSURVIVED {site.file}\n{mutant.function}\n- {mutant.before}\n+ {mutant.after}")
    print("; ".join(f"{kind}: {n}" for kind, n in kinds.most_common()))
    seen_now = known([mutant for mutant in SURVIVORS if mutant.test != "equivalent"], {site.path for site in sites})
    if kinds["survived"]:
        return 1
    records.tell({
        "drawn": len(sites), "seed": seed, "not_compiled": kinds["does not compile"], "same_code": kinds["same code"],
        "by_c_tests": kinds["C test"], "by_corpora": kinds["corpus"], "by_python": kinds["Python"],
        "by_tests_written_for_them": sum(alike(site.broken()) in seen_now for site in sites),
        "equivalent": kinds["equivalent"], "survived": kinds["survived"], "seconds": round(time.monotonic() - began),
    })  # fmt: skip
    return 0
