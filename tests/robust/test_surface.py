"""The public Python surface under hostile arguments, in short; tools/surface does it for long."""

import gc
import resource
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

import warpsim as ws
from tests.support.evidence import compared
from tools.surface import hostile, public, rules, running
from tools.surface.run import ADDRESS_BYTES, signature
from tools.surface.samples import instances
from tools.surface.session import Session, Tally

SEEDS = range(1, 20)


def test_every_public_name_is_called() -> None:
    called = set(rules.names())
    for name, value in public.top().items():
        if isinstance(value, type) or not callable(value):
            assert name in called or name in instances() or name in ("__version__", "Finding"), name
        else:
            assert name in called | {f.__name__ for f in running.MNEMONICS.values()}, name
    for samples in instances().values():
        for sample in samples:
            for name, _ in public.members(sample):
                assert name in called | {"DataMovement.execute", "DataMovement.traffic"}, name
    compared("public names that the rules call", len(called), at_least=300)


def test_classes_that_calls_give_are_all_walked() -> None:
    missing = set(public.classes().values()) - set(instances())
    assert missing == {"Instruction", "DataMovement", "Finding"}  # their subclasses are


@pytest.fixture
def limited(request: pytest.FixtureRequest) -> Iterator[None]:
    """An absurd size is a MemoryError, however much memory the machine has."""
    most = getattr(request, "param", ADDRESS_BYTES)
    before = resource.getrlimit(resource.RLIMIT_AS)
    with open("/proc/self/statm") as file:
        taken = int(file.read().split()[0]) * 4096
    resource.setrlimit(resource.RLIMIT_AS, (taken + most, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.usefixtures("limited")
def test_seeds_hold_what_is_promised() -> None:
    tally = Tally()
    for seed in SEEDS:
        try:
            rules.steps(seed, tally)
        except Exception as error:
            error.add_note(f"seed {seed}: python3 -m tools.surface.run --seed {seed} --calls 1")
            raise
    compared("hostile calls", sum(tally.calls.values()), at_least=20_000)
    compared("hostile calls: answers checked", sum(tally.checks.values()), at_least=2_000)
    compared("hostile calls: refused", sum(tally.errors.values()), at_least=3_000)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.usefixtures("limited")
@pytest.mark.parametrize("limited", [2 << 30], indirect=True)
def test_every_argument_meets_every_hostile_value() -> None:
    tally = Tally()
    for name in rules.RECIPES:
        for argument in rules.arguments_of(name):
            for kind in hostile.KINDS:
                rules.give(Session(Random(f"{name} {argument} {kind}"), tally), name, argument, kind)
    compared("arguments with each hostile value", sum(tally.calls.values()), at_least=15_000)
    compared("arguments with each hostile value: refused", sum(tally.errors.values()), at_least=10_000)


class Surface(RuleBasedStateMachine):
    """The same rules, so that what breaks shrinks to a few steps."""

    tally = Tally()

    @initialize(random=st.randoms(use_true_random=False))
    def begin(self, random: Random) -> None:
        self.session = Session(Random(random.getrandbits(16)), self.tally)

    @rule(random=st.randoms(use_true_random=False), which=st.sampled_from(rules.RULES))
    def step(self, random: Random, which: Callable[[Session], None]) -> None:
        self.session.random = random
        which(self.session)

    @rule(random=st.randoms(use_true_random=False), name=st.sampled_from(rules.names()))
    def visit(self, random: Random, name: str) -> None:
        self.session.random = random
        rules.visit(self.session, name)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_machine_of_rules() -> None:
    chosen = settings(
        max_examples=24, stateful_step_count=12, deadline=None, database=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    run_state_machine_as_test(Surface, settings=chosen)
    compared("hostile calls of the machine", sum(Surface.tally.calls.values()), at_least=300)


def _resident_bytes() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


#: hostile calls that end in the middle of something
LEAKY: dict[str, Callable[[Any], object]] = {
    "address": lambda v: ws.Ldmatrix(num=4).execute(ws.SharedMemory(512), v),
    "registers": lambda v: ws.St().execute(ws.SharedMemory(512), np.arange(32) * 4, v),
    "active": lambda v: ws.Ld().execute(ws.SharedMemory(512), np.arange(32) * 4, active=v),
    "out": lambda v: ws.Ld().execute(ws.SharedMemory(512), np.arange(32) * 4, out=v),
    "findings": lambda v: ws.Ld().execute(ws.SharedMemory(8), np.arange(32) * 3),
    "parse": lambda v: ws.parse("ldmatrix.sync.aligned.m8n8.x9.shared.b16"),
    "lint": lambda v: ws.lint("ldmatrix.sync.aligned.m8n8.x3.shared.b16 {%r1}, [%r2];" * 3),
    "layout": lambda v: ws.Layout(16, 16, "f16").addresses(ws.Ldmatrix(), v),
    "tile": lambda v: ws.tile(ws.Layout(24, 24, "f16"), store="st.shared.v4.b32", load=v),
}
CALLS = 10_000


@pytest.mark.slow
@pytest.mark.parametrize("name", LEAKY)
def test_hostile_call_leaks_nothing(name: str) -> None:
    call, evil = LEAKY[name], hostile.EvilArray(Random(0), "raises")
    held = sys.getrefcount(evil)

    def many(count: int) -> None:
        for _ in range(count):
            try:
                call(evil)
            except Exception:
                continue

    many(CALLS // 2)  # caches fill, the heap takes its size
    gc.collect()
    resident, blocks = _resident_bytes(), sys.getallocatedblocks()
    many(CALLS // 2)
    gc.collect()
    assert sys.getrefcount(evil) == held
    assert sys.getallocatedblocks() - blocks < 200
    assert _resident_bytes() - resident < 4 << 20
    tracemalloc.start()
    try:
        many(50)
        before, _ = tracemalloc.get_traced_memory()
        many(200)
        assert tracemalloc.get_traced_memory()[0] - before < 20_000
    finally:
        tracemalloc.stop()
    compared("hostile calls that leak nothing", CALLS, at_least=CALLS)


def test_signature_of_a_finding_has_no_numbers() -> None:
    assert signature("at 12 of 7") == "at 00 of 0"
