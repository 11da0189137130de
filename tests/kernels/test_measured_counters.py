"""Counters of whole kernels by PTX line, against Nsight Compute's source page on an H200."""

from collections import Counter

import numpy as np
import pytest

from tests.support.evidence import compared
from tests.support.measured_kernels import GROUPS, copies_by_p0, launches, run
from warpsim.kernel.counters import COUNTERS, kind_of

NAMES = ("executed", "threads", "wavefronts", "ideal_wavefronts", "sectors", "ideal_sectors")
#: kernel -> lines that the machine code executes otherwise than PTX says, with the reason
ELSEWHERE = {
    "recursion": ({928}, "lanes that return from calls of different depth meet again elsewhere"),
    "gcd_and_primes": ({1325}, "lanes that leave a loop in different rounds meet again elsewhere"),
    "shared_spin_lock": ({1250}, "lanes that wait for a lock take turns otherwise"),
    "atomics_shared": ({1875, 1879, 1883, 1887, 1893}, "one lane does it for all lanes of one address"),
    "global_patterns": ({757}, "a load is left out for lanes that do not use its result"),
    "transpose": ({273}, "a load is left out for lanes that do not use its result"),
}
#: the counters of each bit of `inexact`
BIT = {name: 1 << COUNTERS.index(name) for name in NAMES}


def by_line(lines: np.ndarray) -> dict[int, dict[str, int]]:
    """The accesses of each line of the text."""
    sums: dict[int, dict[str, int]] = {}
    for row in lines:
        if kind_of(row["opcode"]) is None:
            continue
        into = sums.setdefault(int(row["line"]), {**dict.fromkeys(NAMES, 0), "inexact": 0})
        for name in NAMES:
            into[name] += int(row[name])
        into["inexact"] |= int(row["inexact"])
    return sums


@pytest.mark.parametrize("group", GROUPS)
def test_each_line_counts_what_the_source_page_showed(group: str) -> None:
    equal, wrong = Counter[str](), []
    inexact: dict[str, list[int]] = {"measured": [], "found": []}
    for launch in launches(group):
        report, _, _ = run(launch)
        found = by_line(report.lines)
        without_conflicts = copies_by_p0(launch)
        nothing = {**dict.fromkeys(NAMES, 0), "inexact": 0}
        for line, _, *wanted in launch["lines"]:
            here = found.get(line, nothing)
            for name, value in zip(NAMES, wanted, strict=True):
                if value is None or line in ELSEWHERE.get(launch["kernel"], ((), ""))[0]:
                    continue
                count = here["ideal_" * (name == "wavefronts" and line in without_conflicts) + name]
                if here["inexact"] & BIT[name]:
                    inexact["measured"].append(value)
                    inexact["found"].append(here[name])
                elif count == value:
                    equal[name] += 1
                else:
                    wrong.append(f"{launch['id']} line {line}: {name} {count}, measured {value}")
    assert wrong == []
    for name in NAMES:
        compared(
            f"counters of lines of kernels: {name}", equal[name], at_least=1 if group in ("hopper", "bug") else 100
        )
    if inexact["measured"]:
        assert sum(inexact["found"]) == pytest.approx(sum(inexact["measured"]), rel=0.4)
        same = sum(a == b for a, b in zip(*inexact.values(), strict=True))
        compared("approximate counters of lines of kernels, equal", same, at_least=1)
        compared("approximate counters of lines of kernels", len(inexact["found"]), at_least=1)


def test_counting_can_be_left_out_and_changes_no_result() -> None:
    launch = launches("tensor")[0]
    counted, arrays, _ = run(launch)
    bare, others, _ = run(launch, count=False)
    assert len(counted.lines) > 0 and len(bare.lines) == 0
    assert counted.steps == bare.steps
    assert all(np.array_equal(arrays[name], others[name]) for name in arrays)


def test_threads_and_turns_change_no_counter_of_a_kernel_without_races() -> None:
    launch = next(one for one in launches("tensor") if one["grid"][0] * one["grid"][1] > 1)
    lines = [run(launch, **way)[0].lines for way in ({}, {"threads": 3}, {"order": 5}, {"simd": 1})]
    assert all(np.array_equal(lines[0], other) for other in lines[1:])


@pytest.mark.slow
def test_a_report_says_which_counters_are_approximate() -> None:
    told = 0
    for group in GROUPS:
        for launch in launches(group):
            report, _, _ = run(launch)
            rough = report.lines["line"][report.lines["inexact"] != 0]
            text = " ".join(str(report).split())
            assert ("approximate: " in text) == bool(len(rough)), launch["id"]
            if len(rough):
                assert f"wavefronts, ideal wavefronts, bank conflicts of line{'s'[: len(rough) > 1]} {rough[0]}" in text
                told += 1
    compared("reports with approximate counters", told, at_least=5)
