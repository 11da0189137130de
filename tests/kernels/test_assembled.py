"""Counters of the machine code: every line with an access, against Nsight Compute's source page on an H200."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from tests.kernels.test_measured_counters import BIT, NAMES, by_line
from tests.support.evidence import compared
from tests.support.measured_kernels import GROUPS, assembled, copies_by_p0, launches, machine_code, module, run
from warpsim.machine import assembled as mapping
from warpsim.machine import sass
from warpsim.machine.text import PLAIN

#: kernel -> lines whose machine code runs for other lanes or in other rounds than PTX says
LANES = {
    "recursion": {928}, "gcd_and_primes": {1325}, "shared_spin_lock": {1250}, "global_patterns": {757},
    "transpose": {273},
}  # fmt: skip
#: of wmma: `executed` and `threads` are those of the one PTX instruction
MEMORY = NAMES[2:]


@pytest.fixture
def recorded(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """The assembler's answers for the launch whose name is put here, as they were recorded."""
    asked: dict[str, Any] = {}

    def answer(text: bytes, places: Any, target: str, contracts: bool) -> tuple[Any, dict[int, int]]:
        assert (target, contracts) == ("sm_90a", True)
        code = [sass.Instruction(*row) for row in machine_code(asked["launch"])]
        statement_of: dict[int, int] = {}
        for number, (line, _, opcode) in enumerate(places):
            if line not in statement_of or PLAIN.match(opcode):
                statement_of[line] = number
        return {asked["launch"]["kernel"]: code}, statement_of

    monkeypatch.setattr(mapping, "_assembled", answer)
    monkeypatch.setattr(sass, "version", lambda: "13.0.88")
    yield asked


@pytest.mark.parametrize("group", GROUPS)
def test_each_line_counts_what_its_machine_code_did(group: str, recorded: dict[str, Any]) -> None:
    equal, wrong = Counter[str](), []
    sums = 0
    for launch in launches(group):
        others = assembled()["lines"].get(launch["id"], [])
        if not launch["lines"]:
            continue
        recorded["launch"] = launch
        without_conflicts = copies_by_p0(launch)
        report, _, _ = run(launch, as_assembled=True)
        found = by_line(report.lines)
        for line, made, *wanted in launch["lines"] + others:
            here = found.get(line, {**dict.fromkeys(NAMES, 0), "inexact": 0})
            for name, value in zip(NAMES, wanted, strict=True):
                if value is None or (made == "lowered" and name not in MEMORY) or here["inexact"] & BIT[name]:
                    continue
                if line in LANES.get(launch["kernel"], ()):
                    continue
                count = here["ideal_" * (name == "wavefronts" and line in without_conflicts) + name]
                equal[made] += count == value
                if count != value:
                    wrong.append(f"{launch['id']} line {line}, {made}: {name} {count}, measured {value}")
        if launch["kernel"] in LANES or any(row["inexact"] for row in found.values()):
            continue
        for name, value in zip(MEMORY, assembled()["totals"][launch["id"]], strict=True):
            ideal = without_conflicts if name == "wavefronts" else ()
            here = sum(row["ideal_" * (line in ideal) + name] for line, row in found.items())
            sums += here == value
            if here != value:
                wrong.append(f"{launch['id']}: {name} {here}, measured {value}")
    assert wrong == []
    compared("counters of whole launches of machine code", sums, at_least=4)
    for made, count in equal.items():
        compared(f"counters of the machine code: {made}", count, at_least=1)


def test_loops_of_compare_and_swap_without_other_warps_count_their_rounds(recorded: dict[str, Any]) -> None:
    wanted = {"distinct": 6, "halves": 12, "stride8": 104}
    for launch in launches("pattern"):
        kernel, _, case = launch["id"].partition("/")
        if kernel == "atomic_patterns" and case in wanted:
            recorded["launch"] = launch
            report, _, _ = run(launch, as_assembled=True)
            assert by_line(report.lines)[474]["wavefronts"] == wanted.pop(case)
            assert any("lines 458, 474" in note for note in report.notes)
    assert not wanted


def test_merged_names_what_the_assembler_joined() -> None:
    right, missed, named = 0, set(), set()
    kernels = {(one["ptx"], one["kernel"]): one for group in GROUPS for one in launches(group) if one["lines"]}
    for launch in kernels.values():
        name = launch["kernel"]
        kernel = module(launch["ptx"])[name]
        code: dict[int, list[str]] = {}
        for _, line, _, opcode, _ in machine_code(launch):
            code.setdefault(line, []).append(opcode)
        for one in kernel.merged:
            assert [one.opcode] == code[one.line], (name, one)
            assert not any(line in code for line in one.lines if line != one.line), (name, one)
            named |= {(name, one.line)}
            right += len(one.lines)
        for access in kernel._module._texts.accesses:
            wide = [opcode for opcode in code.get(access.line, ()) if mapping.width(opcode) > access.nbytes]
            if access.space == "shared" and access.family in ("load", "store") and wide:
                missed |= {(name, access.line)}
    assert missed - named == {("top_k", 1855)}  # across branches
    compared("accesses that kernel.merged joins as the assembler did", right, at_least=60)


def test_merged_lines_count_what_the_machine_code_did(recorded: dict[str, Any]) -> None:
    for launch in launches("classic"):
        kernel = module(launch["ptx"])[launch["kernel"]]
        if kernel.merged and launch["kernel"] != "top_k":
            recorded["launch"] = launch
            real, _, _ = run(launch, as_assembled=True)
            told, _, _ = run(launch, as_assembled=kernel.merged)
            assert told.merged == kernel.merged
            joined = {line for one in kernel.merged for line in one.lines}
            rows = [by_line(report.lines) for report in (real, told)]
            assert {line: rows[0][line] for line in joined} == {line: rows[1][line] for line in joined}
