"""The kernel computes the product, without races and bank conflicts. No GPU is needed."""

from pathlib import Path

import numpy as np
import pytest

import warpsim as ws
from warpsim.testing import assert_conflict_free, assert_no_findings, assert_no_races

GEMM = Path(__file__).parents[1] / "kernels" / "gemm.cu"


@pytest.mark.parametrize("n", [32, 64, 96])
def test_gemm_equals_numpy(n: int) -> None:
    random = np.random.default_rng(n)
    a, b = (random.standard_normal((n, n)).astype(np.float32) for _ in range(2))
    c = ws.uninitialized((n, n), np.float32)
    report = ws.compile(GEMM, target="sm_90")["gemm"]((n // 32, n // 32), (32, 32), [a, b, c, n])
    np.testing.assert_allclose(c, a @ b, rtol=1e-4, atol=1e-4)
    assert_no_races(report)
    assert_conflict_free(report)
    assert_no_findings(report)
