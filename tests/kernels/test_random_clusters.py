"""Random programs of clusters against a slow oracle; and the faults planted in them."""

import random
from collections import Counter

import numpy as np
import pytest

import warpsim as ws
from tests.support.clusters.programs import FAULTS, Program, draw
from tests.support.evidence import compared


def found(program: Program, clusters: int, order: int) -> tuple[list[int], set[str]]:
    """What each thread left, and the rules of errors; 'deadlock' if it hangs."""
    out = np.zeros(clusters * program.ranks * program.threads, np.uint32)
    kernel = ws.Module(program.text)["kernel"]
    try:
        report = kernel(clusters * program.ranks, program.threads, [out], cluster=program.ranks, order=order)
    except ws.DeadlockError:
        return out.tolist(), {"deadlock"}
    return out.tolist(), {finding.rule for finding in report.findings if finding.severity != "note"}


@pytest.mark.parametrize("seed", range(4))
def test_random_programs_leave_what_the_oracle_says_without_an_alarm(seed: int) -> None:
    source, words = random.Random(seed), 0
    for _ in range(25):
        program, order = draw(source, False), source.choice((0, 0, 1, 2))
        out, rules = found(program, 2, order)
        assert rules == set(), program.text
        assert out == program.expected(2), program.text
        words += len(out)
    compared("words of random programs of clusters", words, at_least=2000)


@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, 4))])
def test_every_planted_fault_is_found(seed: int) -> None:
    source, kinds = random.Random(100 + seed), Counter[str]()
    for _ in range(30):
        program, order = draw(source, True), source.choice((0, 0, 1, 2))
        if program.fault is None:
            continue
        _, rules = found(program, 1, order)
        assert rules & set(FAULTS[program.fault[1]][1]), (program.fault, rules, program.text)
        kinds[program.fault[1]] += 1
    compared("faults planted in programs of clusters, all found", sum(kinds.values()), at_least=25)
