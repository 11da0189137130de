"""Correct kernels without one barrier, wait, commit, offset or check: found, or harmless by the slow judge."""

from functools import cache
from typing import Any

import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.support.findings.planted import judged, short
from tests.support.findings.removal import MOST_STEPS, WAYS, Edit, edits, kernels, recorded, verdict
from tests.support.measured_kernels import measured

#: statements that the default tests make wrong: one in so many
EVERY = {"orders": 2, "indices": 8, "checks": 6}
#: and those that the slow judge is asked about again: it takes seconds for each
JUDGED_AGAIN = 100

#: what the slow judge does not look at: notes, and which lane's value stays
NOT_JUDGED = ("note", "warning WS-RUN-022")
#: wrong, though the judge cannot see it: its lanes wait together, so that no first test of a wait is in vain
FOUND_ALONE = tuple(
    f"checks pipeline_cpp/cpp_{where} " for where in ("barrier:120", "barrier:242", "pipeline:664", "pipeline:812")
)


@cache
def as_it_is(name: str, ptx: str) -> frozenset[str]:
    launch = next(one for some in kernels().values() for one in some if one["id"] == name)
    return frozenset(short(one) for one in judged(measured()["ptx"][ptx], launch))


def new(edit: Edit, launch: dict[str, Any]) -> list[ws.KernelFinding]:
    """What is found in the launch with the edit, and not in the launch as it is."""
    before = as_it_is(launch["id"], launch["ptx"])
    return [one for one in judged(edit.text, launch, max_steps=MOST_STEPS) if short(one) not in before]


def leaves_its_variable(one: ws.KernelFinding) -> bool:
    """An index that was made wrong is in the next variable: the judge knows the bytes of memory, not whose they are."""
    if one.rule != "WS-RUN-001" or one.offset is None or one.array_bytes is None or "shared" not in one.message:
        return False
    return not 0 <= one.offset < one.array_bytes


@cache
def differing(edit: Edit) -> str:
    what, where, _ = recorded()[edit.id]
    if what == "as before":
        return ""
    if edit.id.startswith(FOUND_ALONE):
        what = "not judged"
    for launch in kernels()[edit.ptx, edit.kernel]:
        if what == "harmless":
            found = [short(one) for one in new(edit, launch) if not leaves_its_variable(one)]
            if serious := [text for text in found if not text.startswith(NOT_JUDGED)]:
                return f"{edit.id}: harmless, but found {serious[:3]}"
        elif (what == "not judged" or launch["id"] == where) and new(edit, launch):
            return ""
    return "" if what == "harmless" else f"{edit.id}: {what} in {where}, but nothing is found"


def all_edits(way: str) -> list[Edit]:
    return [edit for ptx, kernel in kernels() for edit in edits(way, ptx, kernel)]


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_what_is_left_out_is_found_or_harmless(way: str) -> None:
    some = all_edits(way)[:: EVERY[way]]
    assert [text for edit in some if (text := differing(edit))] == []
    compared(f"statements made wrong, {way}", len(some), at_least=80)


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_everything_that_is_left_out_is_found_or_harmless(way: str) -> None:
    """All statements, and the slow judge asked again of some."""
    answers, every = recorded(), all_edits(way)
    again = every[::JUDGED_AGAIN]
    assert {edit.id: list(verdict(edit)) for edit in again} == {edit.id: answers[edit.id] for edit in again}
    compared(f"statements made wrong and judged again, {way}", len(again), at_least=4)
    assert [text for edit in every if (text := differing(edit))] == []
    compared(f"all statements made wrong, {way}", len(every), at_least=400)
