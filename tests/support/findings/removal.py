"""Correct kernels made wrong, one statement at a time: barriers left out, indices shifted, checks left out."""

import json
import lzma
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from tests.support.findings.planted import BUGS
from tests.support.interpreter import order
from tests.support.interpreter.order import Verdict
from tests.support.measured_kernels import GROUPS, arguments, launches, measured

GUARD = r"(?P<guard>@!?[%\w$]+\s+)?"
ORDERS = re.compile(
    rf"{GUARD}(?<![\w.])(bar|barrier)(\.warp|\.cta)?\.(sync|arrive)\b[^;]*;"
    r"|(?<![\w.])cp\.async\.(wait_group|wait_all|commit_group)[^;]*;"
)
SHARED = re.compile(
    rf"{GUARD}(ld|st)(\.volatile)?\.shared(::cta)?(\.v\d)?\.[a-z](?P<bits>\d+)"
    r"\s[^;\[]*\[(?P<address>[^\]]*)\]"
)
BRANCH = re.compile(r"@!?[%\w]+\s+bra(\.uni)?\s+(?P<label>[$\w]+);")
GUARDED = re.compile(r"(?P<guard>@!?[%\w]+\s+)(ld|st|cp\.async|atom|red)\b")
WAYS = ("orders", "indices", "checks")
#: turns of the slow interpreter and warp instructions of the engine, before a launch counts as one that does not end
MOST_TURNS, MOST_STEPS = 20_000, 200_000


REASONS = (
    "between the barriers that are left, no thread touches what another writes",
    "between the barriers that are left, {} pairs of accesses meet, and all are ordered",
)


@dataclass(frozen=True)
class Edit:
    way: str
    ptx: str
    kernel: str
    line: int
    statement: str
    text: str = field(compare=False, repr=False)

    @property
    def id(self) -> str:
        return f"{self.way} {Path(self.ptx).stem}/{self.kernel}:{self.line} {self.statement}"


@cache
def bodies(ptx: str) -> dict[str, tuple[int, int]]:
    """Kernel -> its first and last line, from 1."""
    found, name, lines = {}, "", measured()["ptx"][ptx].splitlines()
    for number, line in enumerate(lines, 1):
        if entry := re.search(r"\.(entry|func)\s*(?:\([^)]*\)\s*)?([\w$]+)", line):
            name, found[name] = entry[2], (number, number)
        elif name:
            found[name] = (found[name][0], number)
    return found


def edited(way: str, line: str, later: list[str]) -> str | None:
    """The line made wrong, if there is something on it to make wrong."""
    if way == "orders":
        return ORDERS.sub("", line) if ORDERS.search(line) else None
    if way == "indices":
        if not (access := SHARED.search(line)):
            return None
        base, _, offset = access["address"].partition("+")
        moved = f"{base}+{int(offset or 0) + int(access['bits']) // 8}"
        return line[: access.start("address")] + moved + line[access.end("address") :]
    if branch := BRANCH.search(line):
        forward = any(x.startswith(branch["label"] + ":") for x in later)
        return BRANCH.sub("", line) if forward else None
    guarded = GUARDED.search(line)
    return line[: guarded.start("guard")] + line[guarded.end("guard") :] if guarded else None


def edits(way: str, ptx: str, kernel: str) -> Iterator[Edit]:
    lines = measured()["ptx"][ptx].splitlines()
    first, last = bodies(ptx)[kernel]
    for at in range(first - 1, last):
        changed = edited(way, lines[at], lines[at + 1 : last])
        if changed is not None:
            text = "\n".join([*lines[:at], changed, *lines[at + 1 :]])
            yield Edit(way, ptx, kernel, at + 1, " ".join(lines[at].split()), text)


@cache
def kernels() -> dict[tuple[str, str], list[dict[str, Any]]]:
    """The kernels of correct launches that touch shared memory, smallest launch first; without products of warpgroups,
    which the slow judge does not know."""
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for group in GROUPS:
        for launch in launches(group):
            first, last = bodies(launch["ptx"])[launch["kernel"]]
            lines = measured()["ptx"][launch["ptx"]].splitlines()[first - 1 : last]
            own = ("cp.async.bulk", "wgmma.")  # what the slow judge does not know
            if any(".shared" in line for line in lines) and not any(word in line for line in lines for word in own):
                found.setdefault((launch["ptx"], launch["kernel"]), []).append(launch)
    return found


def by_oracle(edit: Edit | None, launch: dict[str, Any]) -> Verdict:
    values, _, _ = arguments(launch)
    text = edit.text if edit else measured()["ptx"][launch["ptx"]]
    grid, block = tuple(launch["grid"]), tuple(launch["block"])
    return order.judged(text, launch["kernel"], grid, block, values, launch["shared"], MOST_TURNS)


def verdict(edit: Edit) -> tuple[str, str, str]:
    """What the slow judge says of an edit, and the launch that shows it; "harmless" is of all launches.

    "as before": the kernel stores to one place from several lanes on purpose, and does so with the edit.
    """
    answers, ordered = [], 0
    for launch in kernels()[edit.ptx, edit.kernel]:
        plain, found = sound(launch["id"]), by_oracle(edit, launch)
        if plain.failed or "cannot be run here" in found.failed:
            return "not judged", launch["id"], plain.failed or found.failed
        for what, new in (
            ("race", found.pairs - plain.pairs),
            ("uninitialised", found.unwritten - plain.unwritten),
            ("outside", found.outside),
            ("stops", found.failed),
        ):
            if new:
                return what, launch["id"], str(sorted(new)[:4] if isinstance(new, set) else new)
        if plain.races:
            return "as before", launch["id"], ""
        answers.append(launch["id"])
        ordered += found.ordered
    return "harmless", ", ".join(answers), REASONS[ordered > 0].format(ordered)


@cache
def sound(name: str) -> Verdict:
    """What the slow judge says of a launch as it is."""
    return by_oracle(None, next(one for some in kernels().values() for one in some if one["id"] == name))


@cache
def recorded() -> dict[str, list[str]]:
    """Edit -> what the slow judge says, the launches that it says it of, and why."""
    answers: dict[str, list[str]] = json.loads(lzma.decompress((BUGS / "edits.json.xz").read_bytes()))["edits"]
    return answers
