"""Remedies applied to the programs with planted bugs, as their words say: each ends its finding without a new one."""

from pathlib import Path

import pytest

from tests.support.evidence import compared
from tests.support.findings.applied import Applied, applied
from tests.support.findings.programs import Program, programs

pytestmark = pytest.mark.slow

#: what a line more cannot do
APART = {"cuda/cluster_halo/5": "reads and stores are in one branch, which has to be parted for the barrier"}
#: programs that are wrong otherwise, too: what is found is in order afterwards, the results are not
WRONG = {
    "cuda/softmax/6": "adds to what the maxima have left",
    "cuda/stencil/3": "two arrays overlap",
    "cuda/stencil/6": "two arrays overlap",
}

#: how many remedies of a program's bugs can be applied so (not warp_tail's: it loads and stores in one line)
CUDA = {
    "async_barrier": 1, "async_pipeline": 1, "async_queue": 5, "async_ragged": 1, "async_stages": 5,
    "atomic_histogram": 5, "atomic_lock": 1, "atomic_ptx": 3, "atomic_scopes": 2, "bitonic": 3, "block_sum": 2,
    "cluster_halo": 1, "cluster_histogram": 4, "compact": 1, "extremes": 1, "grid_barrier": 1, "grid_last_block": 2,
    "grid_lookback": 2, "grid_queue": 1, "grid_stencil": 1, "groups": 2, "helper_norm": 2, "histogram": 4,
    "layer_norm": 2, "lib_cg_tiles": 3, "lib_cub_scan": 3, "mailbox": 2, "mbar_bulk": 2, "mbar_ring": 1,
    "mbar_rounds": 5,
    "mbar_store": 2, "mma_tile": 1, "mma_transpose": 2, "mma_wmma": 2, "prefetch": 1, "records": 1, "scan": 2,
    "softmax": 3, "spread": 1, "stencil": 3, "tile_gemm": 2, "transpose": 1,
}  # fmt: skip


def ended(program: Program, folder: Path) -> dict[str, Applied]:
    """What became of each bug whose remedies can be applied."""
    done = {f"{program.name}/{bug.number}": applied(program, bug.number, folder) for bug in program.bugs}
    return {name: one for name, one in done.items() if one is not None}


def check(done: dict[str, Applied]) -> int:
    """How many remedies were applied."""
    left = {name: [str(finding) for finding in one.left] for name, one in done.items() if one.left}
    assert {name: found for name, found in left.items() if name not in APART} == {}
    assert left.keys() == APART.keys() & done.keys(), "a remedy does now: take it out of APART"
    assert {name for name, one in done.items() if not one.left and not one.right} == WRONG.keys() & done.keys()
    return sum(one.remedies for name, one in done.items() if name not in APART)


def test_remedies_end_what_they_are_for_in_ptx(tmp_path: Path) -> None:
    given = [one for one in programs() if one.door == "ptx"]
    count = sum(check(ended(program, tmp_path)) for program in given)
    compared("remedies applied to PTX", count, at_least=25)


@pytest.mark.parametrize("name", CUDA)
def test_remedies_end_what_they_are_for_in_cuda(name: str, tmp_path: Path) -> None:
    (given,) = (one for one in programs() if one.name == f"cuda/{name}")
    compared("remedies applied to CUDA", check(ended(given, tmp_path)), at_least=CUDA[name])


def test_enough_remedies_are_applied() -> None:
    assert sum(CUDA.values()) >= 86
    others = {one.path.stem for one in programs() if one.door == "cuda"} - CUDA.keys()
    assert len(others) <= 20
