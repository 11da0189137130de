"""docs/explain/sanitizer.md: planted bugs, what a launch finds, and what compute-sanitizer says of them."""

import json
import lzma
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from docs.make.markdown import table
from tests.support.findings.judged import alarms, found_in
from tests.support.findings.planted import Planted, findings, lines, meets, planted
from tests.support.findings.programs import PLANTED, programs
from tests.support.findings.removal import recorded
from tests.support.paths import DOCS
from warpsim import RULES
from warpsim import _engine as engine

BY_NAME = {program.name: program for program in programs()}
TOOLS = ("memcheck", "racecheck", "synccheck")
PAGE = DOCS / "explain" / "sanitizer.md"

HEAD = """# What a launch detects

A checked launch judges a kernel by what orders its accesses, not by what happened: barriers, lanes that meet, fences with atomics, mbarrier objects, waits for copies, as PTX's memory model has them. A race is found
whatever order the warps ran in, on one CPU thread or on many, and none is found where something orders the two.

| found | as |
| --- | --- |
| races in shared and global memory: between lanes, warps, blocks and clusters; with atomics, plain and volatile accesses; a fence or a scope that is missing; updates that are lost | error (between lanes of one warp: warning, unless an update is lost) |
| copies: read before they have come, overwritten while they read, a block that ends while they read, a proxy fence that is missing; products of warpgroups and what they read | error |
| accesses beyond an array, a variable, a frame, a piece of the heap, or after free; misaligned ones | error |
| uninitialised memory whose value is used: by a branch, an address, an atomic, global memory | error |
| barriers, shuffles, votes that lanes or warps miss, or meet with other counts or masks; what waits for ever | error |
| threads at a named barrier that may count for its phase before | warning |
| what instructions and copies refuse: descriptors, tensor maps, phases of mbarrier objects | error |
| bank conflicts, memory that leaks, values read uninitialised or too early that nobody uses | note |

**Values decide.** A load from memory that nobody has written is not an error, and neither is a prefetch that races after the last round: they are when the value reaches a branch, an address, an atomic or global memory. Moves, arithmetic, shuffles,
products, shared and local memory carry it on, bit by bit as far as constants and known operands tell (in local memory byte by byte): false and anything is false.
The padding of a struct may be copied to global memory; where it might be a field, that is a note.

**Where.** A finding names the line of the source: that of your own function which calls what was inlined, then the callee's. One bug is one finding, however often it was unrolled. Its remedy stands in the words of CUDA, PTX, Triton, Gluon or Numba.

**Not found:** wrong results of right order (compare with NumPy), races between launches, and what other inputs, grids and branches would do: a launch judges the accesses that it makes. Before a thread signals again
where it has signalled, all other blocks have a turn, twice before it has to wait itself, so that who waits goes on with the first signal: that is how a second `grid.sync()` that is missing, or the wait for a reader's answer, is found (where signals are stores, from the third on in every other block), in the first {pauses} such turns of a block and {looks:,} looks of others; blocks that see how far others have come (by an atomic that gives what is there, a strong load, `malloc`) are checked on one CPU thread, others run again on one where two of them race. Global memory counts as written unless it is passed as
`ws.uninitialized`. Not judged, and noted where it happens: arrays larger than {most:,} bytes or than the machine has memory to check, and order between blocks after {releases:,} releases or strong stores. Weak stores that threads of a warp make of one value to one place are a note.
Volatile and relaxed data is judged where a flag has been seen that was set later: without fences, the data may be older than the flag. Blocks that take work from a counter in a loop take turns, up to eight at once: several have some of it.
**Proxy fences** (`fence.proxy.async`) stand between ordinary accesses and those of bulk copies and `wgmma`. Where PTX asks for one and libraries go without, a strict launch alone warns (`strict=True`, `--strict`):

| first | then | a fence | without it |
| --- | --- | --- | --- |
| stores to shared memory | a bulk copy or a product reads them | is needed | error (WS-RUN-039, 035) |
| accesses to shared memory | a bulk copy writes there | by PTX; CUTLASS has none after reads | strict: warning (WS-RUN-053) |
| `mbarrier.init` | a bulk copy completes on the object | by PTX, in NVIDIA's guide and in CUTLASS; Triton has none | strict: warning (WS-RUN-054) |
| a bulk copy or a product | accesses after the wait for it | is not needed | |
| stores to global memory | a bulk copy reads them | by PTX | not judged |

With a race in it, a kernel's results depend on the order: `order=1` and other seeds show what it does to yours.

## Beside compute-sanitizer

{programs} CUDA programs, with {bugs} bugs that were planted in them and {correct} correct forms of them, ran on an H200 under memcheck, racecheck and synccheck of compute-sanitizer, and are launched here by the tests:

{table}

compute-sanitizer sees what the machine code did in one run, on any GPU and at its speed; it needs no list of what orders what, and finds what an assembler got wrong. warpsim needs no GPU, and tells bugs that this run got away with.

## {count} small kernels

Each with one bug and a repaired twin. Every bug is found, at the lines that the table names, and nothing is found in any twin. {silent} of them no tool of compute-sanitizer sees, and racecheck reports the race in the repaired twin of one:
it does not know that `__syncwarp` before an elected thread's `mbarrier.arrive` orders the stores of the whole warp. The last column is what compute-sanitizer 2025.3.1 said on an H200, and on an H100 for the last twelve.
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


def counted(run: Mapping[str, Any]) -> int:
    """What the tools of compute-sanitizer counted; a run that never ended counts nothing."""
    said = " ".join(line for tool in TOOLS for line in run[tool].get("said", ()))
    return sum(map(int, re.findall(r"(?<=ERROR SUMMARY: )\d+|\d+(?= hazards? displayed)", said)))


def beside() -> tuple[int, list[tuple[str, int, int, int]]]:
    """How many programs ran on the GPU; of bugs and of correct forms: how many, found here, found there."""
    measured = json.loads(lzma.decompress((PLANTED / "h200.json.xz").read_bytes()))
    rows = []
    for what, wanted in (("with a bug", True), ("correct", False)):
        runs = [(program, int(number), run) for program, some in measured.items() for number, run in some.items()]
        runs = [one for one in runs if (one[1] > 0) == wanted]
        here = sum(bool(alarms(found_in(BY_NAME[program], number)[0])) for program, number, _ in runs)
        rows.append((what, len(runs), here, sum(counted(run) > 0 for _, _, run in runs)))
    return len(measured), rows


def page() -> str:
    return "\n".join(parts())


def parts() -> Iterator[str]:
    bugs = [bug for bug in planted() if not bug.not_run]
    silent = sum(bug.tools == "-" for bug in bugs)
    programs, rows = beside()
    yield HEAD.format(
        count=len(bugs), silent=silent, programs=programs, bugs=rows[0][1], correct=rows[1][1],
        table="\n".join(table("programs | launched | warpsim finds something | compute-sanitizer finds something", rows)),
        most=engine.MOST_JUDGED, releases=engine.MOST_RELEASES, pauses=engine.MOST_PAUSES, looks=engine.MOST_LOOKS,
    )  # fmt: skip
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
