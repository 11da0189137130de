"""Random kernels on the engine and on the slow interpreter: equal registers, equal memory."""

from collections import Counter
from typing import Any

import pytest

from tests.support.evidence import compared
from tests.support.interpreter.launch import run
from tests.support.random_kernels.agreement import compare, shortest
from tests.support.random_kernels.opcodes import FAMILIES
from tests.support.random_kernels.programs import Program, generate

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


@pytest.mark.parametrize("batch", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, BATCHES))])
def test_random_kernels_end_as_the_interpreter_ends_them(batch: int) -> None:
    found = [compare(seed) for seed in SEEDS[batch::BATCHES]]
    assert [str(difference) for difference, _ in found if difference] == []
    statements = sum(outcome.thread_statements for _, outcome in found)
    compared("statements of random kernels, one for each thread", statements, at_least=10**6 // BATCHES)


@pytest.mark.slow
def test_a_planted_difference_is_found_and_shortened() -> None:
    """An engine that reads popc as clz: the register, the thread, the statement, and a text of a few lines."""

    def broken(program: Program, ptx: str) -> list[Any]:
        return run(ptx.replace("popc.b32", "clz.b32"), "k", program.grid, program.block, program.arrays()).arrays

    seed = next(seed for seed in range(999) if "popc.b32" in generate(seed).ptx and compare(seed, other=broken)[0])
    text = shortest(seed, broken)
    assert "popc.b32" in text
    assert len(text.splitlines()) < len(generate(seed).ptx.splitlines()) / 4
