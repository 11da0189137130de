"""Random kernels on the engine and on the slow interpreter: equal registers, equal memory."""

from collections import Counter

import pytest

from tests.support.interpreter.launch import run
from tests.support.random_kernels.agreement import compare
from tests.support.random_kernels.opcodes import FAMILIES
from tests.support.random_kernels.programs import generate

#: together more than 10^6 statements of threads
SEEDS, BATCHES = range(64), 8


def test_random_kernels_hold_every_family_of_statements() -> None:
    kinds: Counter[str] = Counter()
    for seed in SEEDS:
        kinds += generate(seed).kinds
    control = {"branch", "loop", "switch", "call", "recursion", "exit", "barrier", "arrive", "warp barrier"}
    memory = {"global", "shared", "local", "const", "generic", "atomic", "copy"}
    lanes = {"shuffle", "vote", "match, redux, elect", "matrix", "mma", "carry", "pack", "special register"}
    assert set(FAMILIES) | control | memory | lanes <= set(kinds)


def test_a_seed_is_one_kernel_for_ever() -> None:
    assert generate(7).ptx == generate(7).ptx
    assert generate(7).ptx != generate(8).ptx


def test_the_first_random_kernels_execute_a_million_statements() -> None:
    total = 0
    for seed in SEEDS:
        program = generate(seed)
        total += run(program.ptx, "k", program.grid, program.block, program.arrays()).thread_statements
    assert total >= 10**6


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_kernels_end_as_the_interpreter_ends_them(batch: int) -> None:
    found = [compare(seed)[0] for seed in SEEDS[batch::BATCHES]]
    assert [str(difference) for difference in found if difference] == []
