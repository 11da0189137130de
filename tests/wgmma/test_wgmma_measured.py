"""Products of warpgroups against what an H200 computed: every case by the digest of its results."""

import json
from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import warpsim as ws
from tests.support.evidence import compared, load
from tests.support.paths import TRUTH
from tests.truth.mma.cases import case_inputs, digest
from tests.truth.wgmma import cases

FORMS = [form for form in load("forms")["forms"] if form["kind"] == "wgmma"]
SMALL = 4096  # bytes of an image: A of 2,048, then B


@cache
def module() -> Any:
    return ws.Module(cases.text(cases.KERNELS))


def run(
    kernel: cases.Kernel, found: Any, pool: NDArray[np.uint8], records: NDArray[np.uint64], image: int
) -> NDArray[np.uint64]:
    """The digest of each case."""
    out = np.zeros((len(records), 128, kernel.registers), np.uint32)
    report = found(len(records), 128, (pool, records, out), shared_bytes=image, check=False, count=False)
    assert report.ok
    digests: NDArray[np.uint64] = digest(out)
    return digests


def compare(most: int) -> int:
    """Compares up to `most` cases of each kernel; how many results."""
    measured = np.load(TRUTH / "wgmma" / "digests.npy")
    assert len(measured) == sum(kernel.cases for kernel in cases.KERNELS)
    at = count = 0
    for kernel in cases.KERNELS:
        records = cases.records(kernel)[:most]
        low = run(kernel, module()[kernel.name], cases.pool(), records, cases.IMAGE) & 0xFFFF_FFFF
        wrong = np.flatnonzero(low != measured[at : at + len(records)])
        assert not len(wrong), (kernel, wrong)
        at += kernel.cases
        count += 64 * kernel.n * len(records)
    return count


@pytest.mark.slow
def test_a_sample_of_every_kernel_is_equal_to_the_hardware() -> None:
    compared("results of products of warpgroups", compare(2), at_least=4_000_000)


def test_every_type_has_every_number_of_columns() -> None:
    """Dense and sparse, at least 10^5 results each."""
    results: Counter[tuple[object, ...]] = Counter()
    for kernel in cases.KERNELS:
        results[kernel.d, kernel.a, kernel.b, kernel.is_sparse, kernel.n] += 64 * kernel.n * kernel.cases
    assert min(results.values()) >= 100_000
    # 12 types of floating point with 32 numbers of columns and 4 of integers with 18, dense and sparse; b1 dense
    assert len(results) == 2 * (12 * 32 + 4 * 18) + 18
    compared("types, sparsities and numbers of columns of measured products", len(results), at_least=930)


@pytest.mark.slow
def test_every_case_is_equal_to_the_hardware() -> None:
    compared("results of products of warpgroups, all cases", compare(1000), at_least=100_000_000)


def kernel_of(form: dict[str, Any]) -> cases.Kernel:
    return cases.Kernel(
        0, form["td"], form["ta"], form["tb"], form["K"], form["N"], form["src"] == "ss", (False, False), False,
        "satfinite" in form["op"], (form["sa"], form["sb"]),
    )  # fmt: skip


def inputs(form: dict[str, Any], first: int, last: int) -> tuple[NDArray[np.uint8], NDArray[np.uint64]]:
    """The pool of some cases of a form, and their records."""
    a, b, c, _ = case_inputs(form, first, last)
    count = len(a)
    image = np.zeros((count, SMALL), np.uint8)
    a_bytes = a.reshape(count, -1).view(np.uint8)
    if form["src"] == "ss":
        image[:, :2048] = a_bytes
    image[:, 2048 : 2048 + 32 * form["N"]] = b.reshape(count, -1).view(np.uint8)
    parts = [image, c.reshape(count, -1).view(np.uint8), a_bytes, np.zeros((1, 512), np.uint8)]
    begins = np.cumsum([0] + [part.size for part in parts])
    at = np.arange(count, dtype=np.uint64)
    records = np.zeros((count, 8), np.uint64)
    records[:, 0] = at * SMALL
    records[:, 1] = cases.descriptor(0, 128, 256, 0, 0)
    records[:, 2] = cases.descriptor(2048, 128, 256, 0, 0)
    records[:, 3] = begins[1] + at * parts[1].shape[1]
    records[:, 4] = begins[2] + at * parts[2].shape[1]
    records[:, 5] = begins[3]
    records[:, 6] = form["sd"]
    return np.concatenate([part.ravel() for part in parts]), records


def computed(form: dict[str, Any], first: int, last: int) -> NDArray[np.uint64]:
    kernel = kernel_of(form)
    pool, records = inputs(form, first, last)
    return run(kernel, ws.Module(cases.text([kernel], SMALL))[kernel.name], pool, records, SMALL)


def test_a_sample_of_each_form_is_equal_to_the_hardware() -> None:
    """The forms that were measured one by one, without swizzle."""
    digests, count = dict(np.load(TRUTH / "mma" / "digests.npz")), 0
    everything = load("forms")["forms"]
    for form in FORMS:
        low = (computed(form, 0, 32) & 0xFFFF_FFFF).astype(np.uint32)
        wrong = np.flatnonzero(low != digests["first"][everything.index(form), :32])
        assert not len(wrong), (form["name"], wrong)
        count += 32
    compared("products of warpgroups of 58 forms", count, at_least=1_800)


@pytest.mark.slow
def test_every_case_and_probe_of_each_form_is_equal_to_the_hardware() -> None:
    digests, count, at = dict(np.load(TRUTH / "mma" / "digests.npz")), 0, 0
    everything = load("forms")["forms"]
    probed = [form for form in everything if form.get("probes")]
    for form in everything:
        groups = form["cases"] // 64
        if form["kind"] == "wgmma":
            pieces = [(0, digests["groups"][at : at + groups])]
            if form in probed:
                pieces += [(1 << 20 + i, digests["probe_groups"][i, probed.index(form)]) for i in (0, 1)]
            for first, expected in pieces:
                number = int((expected != 0).sum())
                found = computed(form, first, first + 64 * number).reshape(-1, 64)
                assert np.array_equal(np.bitwise_xor.reduce(found, axis=1), expected[:number]), form["name"]
                count += 64 * number
        at += groups
    compared("products of warpgroups, all cases", count, at_least=96_000)


def test_counters_are_equal_to_the_hardware() -> None:
    """Wavefronts: the bytes of the tiles, whatever their layout."""
    measured = json.loads((TRUTH / "wgmma" / "counters.json").read_text())
    count = 0
    for opcode, shares_a, lines, swizzle, _, _, wavefronts, ideal in measured["rows"]:
        shape, *types = opcode.split(".and")[0].split(".aligned.")[1].split(".")
        n, k = map(int, shape.removeprefix("m64n").split("k"))
        kernel = cases.Kernel(
            0, types[0], types[1], types[2], k, n, shares_a, tuple(lines), ".sp." in opcode, False, (1, 1)
        )
        assert kernel.opcode == opcode
        records = np.zeros((1, 8), np.uint64)
        records[0, 1:3] = cases.descriptor(0, 128, 256, 0, swizzle), cases.descriptor(8192, 128, 512, 0, swizzle)
        out = np.zeros((1, 128, kernel.registers), np.uint32)
        found = ws.Module(cases.text([kernel]))[kernel.name]
        report = found(1, 128, (cases.pool(), records, out), shared_bytes=cases.IMAGE, check=False)
        row = report.lines[report.lines["opcode"] == opcode.encode()][0]
        assert (row["wavefronts"], row["ideal_wavefronts"], row["bank_conflicts"]) == (wavefronts, ideal, 0), opcode
        assert report.shared["warpgroup product"]["wavefronts"] == wavefronts
        count += 1
    compared("counts of wavefronts of products of warpgroups", count, at_least=120)


@pytest.mark.slow
def test_levels_agree() -> None:
    """Each level of vector instructions computes the same."""
    from warpsim import _core

    level, count = _core.get_simd(), 0
    try:
        for kernel in cases.KERNELS[::7]:
            records = cases.records(kernel)[:3]
            expected = run(kernel, module()[kernel.name], cases.pool(), records, cases.IMAGE)
            for one in _core.simd_levels():
                _core.set_simd(one)
                again = ws.Module(cases.text([kernel]))[kernel.name]
                assert np.array_equal(run(kernel, again, cases.pool(), records, cases.IMAGE), expected), (kernel, one)
                count += len(records)
            _core.set_simd(level)
    finally:
        _core.set_simd(level)
    compared("products of warpgroups at each SIMD level", count, at_least=300)
