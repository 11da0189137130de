"""Remedies applied to the sources of the programs with planted bugs, as their words say, by somebody who knows no more.

A remedy names lines and what to put there; where exactly between two lines it is put is tried, from the later one up.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product
from pathlib import Path
from typing import Any

import numpy as np

import warpsim as ws
from tests.support.findings.headers import read_once
from tests.support.findings.judged import found_in
from tests.support.findings.programs import Program, chosen, wanted

MOST_PLACES = 24  #: that are tried for one remedy
MOST_ROUNDS = 4  #: remedies of one program, one after another

#: what a remedy calls it -> how CUDA and PTX write it
BARRIER = ("__syncthreads();", "bar.sync 0;")
WARP_BARRIER = ("__syncwarp();", "bar.warp.sync -1;")
CLUSTER_BARRIER = (
    'asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");',
    "barrier.cluster.arrive; barrier.cluster.wait;",
)
FENCE = ("__threadfence();", "fence.acq_rel.gpu;")
PROXY = ('asm volatile("fence.proxy.async;" ::: "memory");', "fence.proxy.async;")
WAIT = (
    'asm volatile("cp.async.commit_group; cp.async.wait_group 0;" ::: "memory");',
    "cp.async.commit_group; cp.async.wait_group 0;",
)
COMMIT_BULK = ('asm volatile("cp.async.bulk.commit_group;" ::: "memory");', "cp.async.bulk.commit_group;")
COMMIT = ('asm volatile("cp.async.commit_group;" ::: "memory");', "cp.async.commit_group;")

Words = tuple[tuple[str, str], ...]
#: how a remedy begins -> what is put between the lines that it names
BETWEEN: tuple[tuple[str, Words], ...] = (
    (r"Put __syncthreads\(\) \(bar\.sync\), after fence\.proxy\.async .* (between|after) line ", (PROXY, BARRIER)),
    (r"Put __syncthreads\(\) \(bar\.sync\) (between|before|after) line ", (BARRIER,)),
    (r"Not all threads wait for the mbarrier object: put __syncthreads\(\)", (BARRIER,)),
    (r"Put __syncwarp\(\) \(bar\.warp\.sync\) (between|after|after the branch of) line ", (WARP_BARRIER,)),
    (r"Put cluster\.sync\(\) \([^)]*\) (between|after) line ", (CLUSTER_BARRIER,)),
    (r"Put the wait for the copy, and then __syncthreads\(\)", (WAIT, BARRIER)),
    (r"Put the wait for the copy, and then __syncwarp\(\)", (WAIT, WARP_BARRIER)),
    (r"Put __threadfence\(\) (before|after) line ", (FENCE,)),
    (r"Between the copy at line .*; then put __syncthreads\(\)", (WAIT, BARRIER)),
    (r"Between the copy at line .*; then put __syncwarp\(\)", (WAIT, WARP_BARRIER)),
    (r"Between the copy at line .* wait for the copy: cp\.async\.wait_group", (WAIT,)),
    (r"Commit the copy at line .*\(cp\.async\.bulk\.commit_group\)", (COMMIT_BULK,)),
    (r"Commit the copy at line ", (COMMIT,)),
)
ATOMIC = r"Use (atomicAdd)\(\) in place of what line "
WIDER = "Let the accesses reach the GPU: "


@dataclass(frozen=True)
class Remedy:
    """What a finding says to do about it, with the lines that it names in the source."""

    fix: str
    lines: tuple[int, ...]


def remedy(program: Program, finding: Any) -> Remedy:
    fix = getattr(finding, "fix", "")
    file = re.escape(program.path.name)
    pattern = r"\bline (\d+)" if program.door == "ptx" else rf"\bline \d+ \({file}:(\d+)"
    lines = [int(one) for one in re.findall(pattern, fix)]
    return Remedy(fix, tuple(lines))


def _with(lines: list[str], new: dict[int, str]) -> str:
    """The text with a line more before each that `new` numbers."""
    return "\n".join(
        part
        for number, line in enumerate([*lines, ""], 1)
        for part in ([new[number]] if number in new else []) + [line]
    )


def _around(real: list[int], line: int) -> tuple[list[int], list[int]]:
    """The lines before which something can stand before one, and after it: the nearest four."""
    return [number for number in real if number <= line][::-1][:4], [number for number in real if number > line][:4]


def _between(lines: list[str], one: Remedy, words: Words, door: str) -> Iterator[str]:
    """The words at places between the two lines, or beside the one that is named, and where it says so before the next
    round, too."""
    text = " ".join(word[door == "ptx"] for word in words)
    real = [number for number, line in enumerate(lines, 1) if line.strip()]
    beside = re.search(r" (before|after) line \d+(?: \(.*?\))?, which (?:writes|reads) the flag", one.fix)
    if beside is not None:
        before, after = _around(real, one.lines[0])
        here = after if beside[1] == "after" else before
        there = _around(real, one.lines[1])[1] if ", and another after line " in one.fix else here
        yield from (_with(lines, {at: text, other: text}) for at, other in zip(here, there, strict=False))
        return
    low, high = min((one.lines * 2)[:2]), max((one.lines * 2)[:2])
    here = [number for number in real if low < number <= high][::-1]
    later = [*[number for number in real if number > high][:5], low]
    loops = "in a loop" in one.fix or one.lines[0] >= one.lines[-1]
    if "in a loop" in one.fix:
        yield from (_with(lines, {at: text, again: text}) for at, again in product(here[:4] or [high], later))
    yield from (_with(lines, {at: text}) for at in (*here, *(later if loops else ())))


def _atomic(lines: list[str], one: Remedy, door: str) -> Iterator[str]:
    """An addition by an atomic in place of a load, an addition and a store."""
    load, store = (one.lines * 2)[:2]
    if door == "ptx":
        new = _red(lines[load - 1], lines[load : store - 1], lines[store - 1])
    else:
        place = r"([\w\]\[>.()-]+(?:\[[^=;]*\])?)"
        new = re.sub(rf"{place}\s*\+= (.+?);", r"atomicAdd(&\1, \2);", lines[store - 1])
        new = re.sub(rf"{place}\+\+;", r"atomicAdd(&\1, 1);", new)
    if new and new != lines[store - 1]:
        yield "\n".join([*lines[: store - 1], new, *lines[store:]]) + "\n"


def _red(load: str, between: list[str], store: str) -> str:
    """The `red` that does what a load, an addition and a store do."""
    loaded = re.search(r"ld\.(?:volatile\.)?(shared|global)\.(\w+)\s+(%\w+), (\[[^\]]*\])", load)
    stored = re.search(r"(@!?%\w+ )?st\..*\], (%\w+)", store)
    if loaded is None or stored is None:
        return ""
    space, type_, old, address = loaded.groups()
    for line in between:
        added = re.search(rf"add\.\w+ {stored.group(2)}, (%\w+), (%?\w+);", line)
        if added:
            value = added.group(2) if added.group(1) == old else added.group(1)
            return f"{stored.group(1) or ''}red.{space}.add.{type_} {address}, {value};"
    return ""


def _wider(lines: list[str]) -> Iterator[str]:
    """Every atomic and fence of a block or a cluster reaches the GPU."""
    text = "\n".join(lines) + "\n"
    for before, after in (
        (r"(atomic\w+)_block\(", r"\1("),
        (r"thread_scope_block", "thread_scope_device"),
        (r"\.(cta|cluster)\b(?=\.)", ".gpu"),
    ):
        text = re.sub(before, after, text)
    yield text


def candidates(lines: list[str], one: Remedy, door: str) -> Iterator[str]:
    """The text with the remedy applied; nothing where it is not of those that can be read so."""
    for pattern, words in BETWEEN:
        if one.lines and re.match(pattern, one.fix):
            return islice(_between(lines, one, words, door), MOST_PLACES)
    if one.lines and re.match(ATOMIC, one.fix):
        return _atomic(lines, one, door)
    if one.fix.startswith(WIDER):
        return _wider(lines)
    return iter(())


def _compiled(program: Program, text: str, folder: Path) -> Any:
    """The module of a changed text, or None: the words cannot stand there."""
    try:
        if program.door == "ptx":
            return ws.Module(text)
        path = folder / program.path.name
        path.write_text(text)
        options = [*program.given.get("options", []), *read_once(folder)]  # for all bugs and places
        return ws.compile(path, target=program.given.get("target", "sm_90"), options=options)
    except ws.WarpsimError:
        return None


def _told(found: tuple[Any, ...]) -> list[Any]:
    return [one for one in found if one.severity != "note"]


def _right(program: Program, given: dict[str, Any]) -> bool:
    return all(np.allclose(given[name], values, rtol=1e-5) for name, values in wanted(program).items())


@dataclass
class Applied:
    """How many remedies were applied one after another, what was still found then, and whether results are right."""

    remedies: int
    left: list[Any]
    right: bool


def _best(program: Program, bug: int, text: str, told: list[Any], folder: Path) -> tuple[str, list[Any], bool] | None:
    """The text that leaves least to find with one remedy applied, what it leaves, and whether its results are right."""
    best: tuple[str, list[Any], bool] | None = None
    for one in {remedy(program, finding).fix: remedy(program, finding) for finding in told}.values():
        for changed in candidates(text.splitlines(), one, program.door):
            module = _compiled(program, changed, folder)
            if module is None:
                continue
            found, given = found_in(program, bug, module=module)
            left = _told(found)
            if best is None or len(left) < len(best[1]):
                best = (changed, left, _right(program, given))
            if not left:
                return best
        if best is not None and len(best[1]) < len(told):
            return best
    return best


def applied(program: Program, bug: int, folder: Path) -> Applied | None:
    """The remedies of a bug, applied until nothing is found; None where none is of those that can be read so."""
    text = re.sub(r"\bBUG\b", str(bug), chosen(program.path.read_text(), bug))
    told = _told(found_in(program, bug)[0])
    count, right, fewer = 0, False, True
    while told and fewer and count < MOST_ROUNDS:
        best = _best(program, bug, text, told, folder)
        if best is None:
            break
        fewer, count = len(best[1]) < len(told), count + 1
        text, told, right = best
    return Applied(count, told, right) if count else None
