"""Products against what an H200 computed: every case by the digest of its results."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import warpsim as ws
from tests.support.evidence import compared, found, load
from tests.truth.mma.cases import case_inputs, digest
from warpsim import _core

FORMS = load("forms")["forms"]
KINDS = ("mma", "mma.sp", "wmma")
SAMPLE = 32  # cases of each form by default: every class twice
PIECE = 1024


@cache
def digests() -> dict[str, NDArray[Any]]:
    return dict(np.load(found("digests.npz")))


def multiplied(form: dict[str, Any], inputs: tuple[NDArray[Any], ...], **options: Any) -> NDArray[np.uint64]:
    """The digests of the results."""
    op = ws.parse(form["op"])
    a, b, c, e = inputs
    d = op.multiply(a, b, c, metadata=e if op.is_sparse else None, selector=form.get("sel", 0), **options)
    found: NDArray[np.uint64] = digest(d)
    return found


def computed(form: dict[str, Any], first: int, last: int) -> NDArray[np.uint64]:
    """Those of some cases."""
    return multiplied(form, case_inputs(form, first, last))


def compare_groups(form: dict[str, Any], first: int, expected: NDArray[np.uint64]) -> int:
    """Compares digests of 64 consecutive cases each, of which the file has those that are not 0; how many cases."""
    groups = int((expected != 0).sum())
    assert groups > 0 and not expected[groups:].any()
    last = first + 64 * groups
    pieces = [computed(form, at, min(at + PIECE, last)) for at in range(first, last, PIECE)]
    wrong = np.flatnonzero(np.bitwise_xor.reduce(np.concatenate(pieces).reshape(-1, 64), axis=1) != expected[:groups])
    assert not len(wrong), (form["name"], first, wrong)
    return 64 * groups


@pytest.mark.parametrize("kind", KINDS)
def test_a_sample_of_each_form_is_equal_to_the_hardware(kind: str) -> None:
    count = 0
    for i, form in enumerate(FORMS):
        if form["kind"] == kind:
            low = (computed(form, 0, SAMPLE) & 0xFFFF_FFFF).astype(np.uint32)
            wrong = np.flatnonzero(low != digests()["first"][i, :SAMPLE])
            assert not len(wrong), (form["name"], wrong)
            count += SAMPLE
    compared(f"products of {kind}, by digest", count, at_least=2000)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_every_case_is_equal_to_the_hardware(kind: str) -> None:
    count, at = 0, 0
    for form in FORMS:
        groups = form["cases"] // 64
        if form["kind"] == kind:
            count += compare_groups(form, 0, digests()["groups"][at : at + groups])
        at += groups
    compared(f"products of {kind}, all cases", count, at_least=60_000)


@pytest.mark.slow
def test_every_probe_is_equal_to_the_hardware() -> None:
    count = 0
    probed = [form for form in FORMS if form.get("probes")]
    for i, form in enumerate(probed):
        for half, first in enumerate((1 << 20, 1 << 21)):
            if form["kind"] in KINDS:
                count += compare_groups(form, first, digests()["probe_groups"][half, i])
    compared("products of probes", count, at_least=100_000)


def test_levels_threads_and_parts_of_a_batch_agree() -> None:
    level, count = _core.get_simd(), 0
    try:
        for form in (form for form in FORMS[::9] if form["kind"] in KINDS):
            inputs = case_inputs(form, 0, 96)  # more than a call keeps to itself
            expected = multiplied(form, inputs)
            assert np.array_equal(multiplied(form, tuple(one[7:8] for one in inputs)), expected[7:8]), form["name"]
            for one in _core.simd_levels():
                _core.set_simd(one)
                for threads in (1, 3):
                    assert np.array_equal(multiplied(form, inputs, threads=threads), expected), (form["name"], one)
                    count += 96
            _core.set_simd(level)
    finally:
        _core.set_simd(level)
    compared("products at each SIMD level, by one thread and by three", count, at_least=7000)


def test_other_targets_differ_only_where_published_models_do() -> None:
    """Integers, bits and f64 are exact everywhere; sums in f32 differ on sm_80, whose steps are shorter."""
    count = {True: 0, False: 0}
    for form in (form for form in FORMS[::3] if form["kind"] in KINDS):
        is_exact = form["ta"] in ("s8", "u8", "s4", "u4", "b1", "f64")
        if "m8n8k4.r" in form["name"] or not (is_exact or form["td"] == "f32"):
            continue
        if ws.parse(form["op"]).legality("sm_80", "9.0").ok:
            inputs = case_inputs(form, 0, SAMPLE)
            agree = np.array_equal(multiplied(form, inputs, target="sm_80"), multiplied(form, inputs))
            assert agree == is_exact, form["name"]
            count[is_exact] += SAMPLE
    compared("exact products on sm_80", count[True], at_least=1000)
    compared("rounded products on sm_80", count[False], at_least=800)
