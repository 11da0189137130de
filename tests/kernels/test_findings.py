"""Planted bugs are found with the right lines; nothing is found in repaired twins and in correct kernels."""

from typing import Any

import pytest

from tests.support.evidence import compared
from tests.support.findings.planted import findings, missed, planted, short, unexpected
from tests.support.measured_kernels import GROUPS, launches, measured

BUGS = {bug.id: bug for bug in planted() if not bug.not_run}
#: bugs that end a launch in some orders: an object that is not initialised yet
ENDED_EARLY = {"mbarrier_init_race"}
#: launches whose warps or blocks store different bytes to one place on purpose
RACY = {"global_patterns/shifted", "global_patterns/random"}


def errors(found: tuple[Any, ...]) -> list[str]:
    return [short(one) for one in found if one.severity == "error"]


@pytest.mark.parametrize("name", BUGS)
def test_the_bug_is_found_where_it_is(name: str) -> None:
    bug = BUGS[name]
    found = findings(*bug.bug)
    assert missed(bug, found) == [], [short(one) for one in found]
    assert unexpected(bug, found) == []
    compared("planted bugs found with their lines", 1, at_least=1)


@pytest.mark.parametrize("name", BUGS)
def test_nothing_is_wrong_with_the_repaired_twin(name: str) -> None:
    assert [short(one) for one in findings(*BUGS[name].twin) if one.severity != "note"] == []


@pytest.mark.parametrize("group", GROUPS)
def test_no_error_is_found_in_a_correct_kernel(group: str) -> None:
    correct = [one for one in launches(group) if one["id"] not in RACY]
    texts = measured()["ptx"]
    wrong = {one["id"]: errors(findings(texts[one["ptx"]], one)) for one in correct}
    assert {name: found for name, found in wrong.items() if found} == {}
    compared("correct launches without an error finding", len(correct), at_least=10)


def test_an_order_of_warps_changes_nothing_that_is_found() -> None:
    """Except reads that race with the only write: they come before it in some orders."""
    for bug in BUGS.values():
        if bug.id in ENDED_EARLY:
            continue
        ways = [findings(*bug.bug, order=order) for order in (0, 3, 4)]
        first, *others = [{short(one) for one in found if one.rule != "WS-RUN-021"} for found in ways]
        assert others == [first, first], bug.id
