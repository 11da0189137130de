"""The table of docs/explain/evidence.md: how many measured cases the tests compare, as they print it.

python3 -m docs.make.counted, with the package of this checkout installed, runs them and writes the table anew.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping

from docs.make.markdown import replaced, table
from tests.support.paths import DOCS, ROOT

PAGE = DOCS / "explain" / "evidence.md"
MARKS = ("<!-- what the tests print: python3 -m docs.make.counted -->\n", "<!-- end of what the tests print -->")
FOLDER = "tests/model"
TESTS = [
    f"{FOLDER}/test_{name}.py"
    for name in ("execute_measured", "traffic_measured", "wmma_measured", "undefined_measured", "fragments")
]
DIFFER = re.compile(r" \((\d+) (?:stores )?differ\)")

#: a row: what, and the beginnings of what the tests print of it
ROWS = {
    "registers and memory after ldmatrix, stmatrix, movmatrix, ld.shared and st.shared": (
        "loads on silicon, one call each", "stores on silicon, one call each", "movmatrix on silicon",
    ),
    "registers and memory after wmma.load and wmma.store, odd strides included": (
        "wmma loads on silicon, one call each", "wmma stores on silicon",
    ),
    "wavefronts and bank conflicts of shared-memory accesses": (
        "shared counters on silicon, one call each", "shared counters of wmma", "movmatrix counters",
    ),
    "counters of cp.async.ca, contiguous sources": ("cp.async.ca counters on silicon, contiguous",),
    "counters of cp.async.ca, other sources": ("cp.async.ca counters on silicon, scattered",),
    "counters of cp.async.cg": ("cp.async.cg counters",),
    "sectors and requests of ld.global and st.global": ("sectors and requests of ld.global",),
    "wavefronts of ld.global, inside 32 MiB": ("wavefronts of ld.global",),
    "wavefronts of st.global": ("wavefronts of st.global",),
    "global counters of wmma": ("global counters of wmma",),
    "fields of 116 fragment maps": ("fields of 27 ", "fields of 88 ", "fields of the movmatrix map"),
    'undefined behaviour on silicon (`on_ub="hardware"`)': ("undefined behaviour of .* on silicon",),
}  # fmt: skip


def printed() -> dict[str, int]:
    """What the tests compare, and how often: their summary."""
    words = [sys.executable, "-m", "pytest", "-q", "-n", "1", "-m", "", *TESTS]
    told = subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return {what: int(count.replace(",", "")) for count, what in re.findall(r"^ +([\d,]+)  (.+)$", told, re.MULTILINE)}


def rows(found: Mapping[str, int]) -> Iterator[tuple[str, str, str]]:
    for row, labels in ROWS.items():
        own = {what: count for what, count in found.items() if any(re.match(label, what) for label in labels)}
        assert len(own) >= len(labels), f"{row}: the tests print nothing of it"
        differ = sum(int(match[1]) for what in own if (match := DIFFER.search(what)))
        total = sum(own.values())
        yield row, f"{total:,}", f"{total - differ:,}" if differ else "all"


def made(found: Mapping[str, int]) -> str:
    return "\n".join(table("what | cases | equal", rows(found))) + "\n"


def page(found: Mapping[str, int]) -> str:
    return replaced(PAGE, {MARKS: made(found)})


if __name__ == "__main__":
    PAGE.write_text(page(printed()), encoding="utf-8", newline="\n")
