"""The slow interpreter against what an H200 answered."""

from collections.abc import Iterator

import pytest

from tests.support.interpreter.forms import Measured, measured
from tests.support.interpreter.launch import run

GROUPS = sorted({form.group for form in measured()})


def forms_of(group: str) -> Iterator[Measured]:
    return (form for form in measured() if form.group == group)


@pytest.mark.parametrize("group", GROUPS)
def test_each_measured_instruction_gives_what_the_hardware_gave(group: str) -> None:
    wrong = [form.unlike(run(form.ptx(), "k", 1, form.cases, form.arrays()).arrays[0]) for form in forms_of(group)]
    assert [text for text in wrong if text] == []
