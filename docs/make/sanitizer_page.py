"""docs/explain/sanitizer.md: planted bugs, what a launch finds, and what compute-sanitizer says of them."""

from collections import Counter
from collections.abc import Iterator

from docs.make.markdown import table
from tests.support.findings.planted import Planted, findings, lines, meets, planted
from tests.support.findings.removal import recorded
from tests.support.paths import DOCS
from warpsim import RULES

PAGE = DOCS / "explain" / "sanitizer.md"

HEAD = """# What a launch detects

{count} small kernels, each with one bug and with a repaired twin. Every bug is found, at the lines that the table names, and nothing is found in any twin; the tests check both.

The last column is what the four tools of compute-sanitizer 2025.3.1 (memcheck, racecheck, initcheck, synccheck) said of the same kernels on a GPU: an H200, and an H100 for the last twelve. They see what the
machine code did in one run; warpsim judges by what orders the accesses. {silent} of the bugs they do not see at all: races in global memory and between atomics and plain accesses, shared and local memory that
nobody has written, accesses that end in the array next door, threads that exit before a barrier or a shuffle. And racecheck reports the same race in the repaired twin of one kernel: it does not know that `__syncwarp`
before an elected thread's `mbarrier.arrive` orders the stores of the whole warp.
"""

TAIL = """## Kernels with one statement left out

In the kernels of the measured corpus that use shared memory, each barrier, wait and commit is left out in turn, each access to shared memory is shifted by one element, and each check of a bound is left out.
A slow judge, which knows nothing of the engine and compares every pair of accesses, says whether that does harm. Where it does, a launch finds it; where it does not, a launch says nothing: the two agree on every edit.

"""


WAYS = {
    "orders": "a barrier, a wait or a commit left out",
    "indices": "an index of a shared access shifted by one",
    "checks": "a check left out",
}


def verdicts(way: str) -> Counter[str]:
    return Counter(answer[0] for name, answer in recorded().items() if name.startswith(way))


def title(bug: Planted) -> str:
    return bug.id.replace("oob_", "out of bounds: ").replace("_", " ") if " " not in bug.id else bug.id


def found(bug: Planted) -> str:
    """The findings that are about the bug itself, a line for each rule."""
    seen: dict[str, list[str]] = {}
    for one in findings(*bug.bug):
        if any(meets(one, must) for must in bug.must):
            seen.setdefault(one.rule, []).append("–".join(str(line) for line in dict.fromkeys(lines(one))))
    return "<br>".join(
        f"[{rule}](../reference/rules.md#{rule.lower()}), {RULES[rule].severity}: {', '.join(dict.fromkeys(places))}"
        for rule, places in sorted(seen.items())
    )


def page() -> str:
    return "\n".join(parts())


def parts() -> Iterator[str]:
    bugs = [bug for bug in planted() if not bug.not_run]
    silent = sum(bug.tools == "-" for bug in bugs)
    yield HEAD.format(count=len(bugs), silent=silent)
    rows = [(title(bug), found(bug), bug.tools) for bug in bugs]
    yield from table("bug | warpsim: rule, severity, lines of the PTX | compute-sanitizer", rows)
    yield ""
    if missing := [f"{title(bug)} ({bug.not_run})" for bug in planted() if bug.not_run]:
        yield from (f"Not run: {', '.join(missing)}.", "")
    yield TAIL.rstrip("\n")
    yield ""
    rows = [(words, counts.total(), counts["harmless"]) for way, words in WAYS.items() if (counts := verdicts(way))]
    yield from table("made wrong | statements | of these harmless", rows)
    yield ""
