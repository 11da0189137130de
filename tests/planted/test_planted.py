"""Programs with planted bugs: each is found in its line, with a remedy that fits, and nothing in what is correct."""

import numpy as np
import pytest

from tests.support.evidence import compared
from tests.support.findings.judged import alarms, found_in, wrong
from tests.support.findings.programs import Program, programs, wanted

#: what an import of a door needs
DOORS = {"triton": "triton", "gluon": "triton", "numba": "numba.cuda"}
BUGS = {f"{program.name}/{bug.number}": (program, bug) for program in programs() for bug in program.bugs}
TWINS = {program.name: (program, 0, "") for program in programs()} | {
    f"{name}/near": (program, -bug.number, bug.open_near) for name, (program, bug) in BUGS.items() if bug.near
}
#: Triton and Numba warn of their own plans
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


def opened(request: pytest.FixtureRequest, program: Program, why: str) -> None:
    if program.door in DOORS:
        pytest.importorskip(DOORS[program.door], reason=f"{program.door} is not installed")
    if why:
        request.applymarker(pytest.mark.xfail(reason=why, strict=True))


@pytest.mark.parametrize("name", BUGS)
def test_the_bug_is_found_where_it_is(name: str, request: pytest.FixtureRequest) -> None:
    program, bug = BUGS[name]
    opened(request, program, bug.open)
    found, _ = found_in(program, bug.number)
    assert wrong(program, bug, found) == []
    compared("bugs of programs found in their lines", 1, at_least=1)


@pytest.mark.parametrize("name", TWINS)
def test_nothing_is_found_in_what_is_correct(name: str, request: pytest.FixtureRequest) -> None:
    program, bug, why = TWINS[name]
    opened(request, program, why)
    found, given = found_in(program, bug)
    assert alarms(found) == []
    for array, values in wanted(program).items():
        np.testing.assert_allclose(given[array], values, rtol=1e-5, err_msg=array)
    compared("correct programs without a word", 1, at_least=1)
