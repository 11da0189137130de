"""The engine and the slow interpreter against what an H200 answered, one instruction in a kernel."""

from collections.abc import Iterator

import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.support.interpreter.forms import Measured, measured, whole
from tests.support.interpreter.launch import run

GROUPS = sorted({form.group for form in measured()})


def forms_of(group: str) -> Iterator[Measured]:
    return (form for form in measured() if form.group == group)


@pytest.mark.parametrize("group", [GROUPS[0], *(pytest.param(group, marks=pytest.mark.slow) for group in GROUPS[1:])])
def test_each_measured_instruction_gives_what_the_hardware_gave(group: str) -> None:
    wrong = [form.unlike(run(form.ptx(), "k", 1, form.cases, form.arrays()).arrays[0]) for form in forms_of(group)]
    assert [text for text in wrong if text] == []
    compared("measured instructions, interpreted", len(wrong), at_least=5)


LEVELS = (1, 3, 4)  # those that compile statements of their own


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
def test_the_engine_runs_each_measured_instruction_as_the_hardware(group: str) -> None:
    wrong = []
    for form in forms_of(group):
        kernel = ws.Module(form.ptx())["k"]
        for level in LEVELS:
            arrays = form.arrays()
            kernel(1, form.cases, arrays, simd=level)
            wrong.append(form.unlike(arrays[0]))
    assert [text for text in wrong if text] == []
    compared("measured instructions, run", len(wrong), at_least=5)


#: what the assembler takes by mistake and then miscompiles: PTX does not have it
NOT_PTX = {f"fma.rz{words}.bf16{pair}" for words in ("", ".relu", ".oob", ".oob.relu") for pair in ("", "x2")}


def replay(level: int) -> tuple[list[str], int]:
    """Every form over all its cases: those that differ from the hardware, and how many cases agree."""
    wrong, cases = [], 0
    for form in whole():
        kernel = ws.Module(form.ptx())["k"]
        if form.name in NOT_PTX:
            assert [opcode for _, opcode in kernel.unsupported] == [form.name]
            continue
        arrays = form.arrays()
        kernel(form.cases // 128, 128, arrays, check=False, count=False, simd=level, target="sm_90a")
        if form.is_as_measured(arrays[0]):
            cases += form.cases
        else:
            wrong.append(form.name)
    return wrong, cases


@pytest.mark.slow
def test_every_case_of_every_measured_instruction() -> None:
    wrong, cases = replay(0)
    assert wrong == []
    compared("cases of measured instructions, run", cases, at_least=28_852_864)


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_every_case_at_each_level(level: int) -> None:
    wrong, cases = replay(level)
    assert wrong == []
    compared("cases of measured instructions, at each level", cases, at_least=28_852_864)
