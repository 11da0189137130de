"""Kernels that nobody here wrote: tools/peers runs them; here those whose packages are installed."""

from typing import Any

import numpy as np
import pytest

from tests.support.evidence import compared
from tests.support.paths import DOCS
from tools.peers import cub
from tools.peers.case import Case, ran
from warpsim.compile import toolkit

CUB = {case.kernel: case for case in cub.cases()}
FAST = ("cub::WarpReduce",)


@pytest.mark.parametrize("name", [pytest.param(name, marks=() if name in FAST else pytest.mark.slow) for name in CUB])
def test_cubs_collectives_equal_numpy(name: str) -> None:
    if toolkit.nvrtc() is None:
        pytest.skip("NVRTC is not installed: pip install 'warpsim[cuda]'")
    row = ran(CUB[name])
    assert row.ok, row.why
    assert row.blocks == cub.BLOCKS and row.instructions > 0
    compared("elements that CUB's collectives computed", row.compared, at_least=cub.TILE)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_kernels_of_torch_compile_equal_pytorch() -> None:
    pytest.importorskip("triton")
    pytest.importorskip("torch")
    from tools.peers import inductor

    rows = [ran(case) for case in inductor.cases()]
    assert [row.why for row in rows] == [""] * len(rows)
    assert sum(row.errors for row in rows) == 0
    compared("elements that kernels of torch.compile computed", sum(row.compared for row in rows), at_least=20_000)


def test_wrong_values_and_exceptions_become_rows() -> None:
    def fails() -> Any:
        raise OSError("no such place")

    good = ran(Case("a", "b", "c", lambda: ([], np.ones(3), np.ones(3))))
    bad = ran(Case("a", "b", "c", lambda: ([], np.ones(3), np.zeros(3))))
    assert good.ok and good.compared == 3 and not bad.ok and "Mismatched" in bad.why
    assert ran(Case("a", "b", "c", fails)).why == "OSError: no such place"


def test_page_has_at_least_thirty_kernels_of_each_case() -> None:
    page = (DOCS / "explain" / "foreign_kernels.md").read_text()
    rows = [line for line in page.splitlines() if line.startswith("| ") and " of " in line]
    assert len(rows) >= 30 and all(f"`{name}`" in page for name in CUB)
