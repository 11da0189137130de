"""The engine and the slow interpreter against what an H200 answered, one instruction in a kernel."""

from collections.abc import Iterator

import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.support.interpreter.forms import Measured, measured
from tests.support.interpreter.launch import run

GROUPS = sorted({form.group for form in measured()})


def forms_of(group: str) -> Iterator[Measured]:
    return (form for form in measured() if form.group == group)


@pytest.mark.parametrize("group", GROUPS)
def test_each_measured_instruction_gives_what_the_hardware_gave(group: str) -> None:
    wrong = [form.unlike(run(form.ptx(), "k", 1, form.cases, form.arrays()).arrays[0]) for form in forms_of(group)]
    assert [text for text in wrong if text] == []
    compared("measured instructions, interpreted", len(wrong), at_least=5)


@pytest.mark.parametrize("group", GROUPS)
def test_the_engine_runs_each_measured_instruction_as_the_hardware(group: str) -> None:
    wrong = []
    for form in forms_of(group):
        arrays = form.arrays()
        ws.Module(form.ptx())["k"](1, form.cases, arrays)
        wrong.append(form.unlike(arrays[0]))
    assert [text for text in wrong if text] == []
    compared("measured instructions, run", len(wrong), at_least=5)
