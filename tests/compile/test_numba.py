"""Functions with @cuda.jit: what they compute, under the names of their source."""

from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared

cuda = pytest.importorskip("numba.cuda", reason="numba-cuda is not installed: pip install 'warpsim[numba]'")
pytestmark = pytest.mark.filterwarnings("ignore")


@cuda.jit
def axpy(a: Any, x: Any, y: Any) -> None:
    i = cuda.grid(1)
    if i < x.size:
        y[i] += a * x[i]


@cuda.jit
def histogram(x: Any, counts: Any) -> None:
    tile = cuda.shared.array(32, "int32")
    lane = cuda.threadIdx.x
    tile[lane] = 0
    cuda.syncthreads()
    cuda.atomic.add(tile, x[cuda.grid(1)] % 32, 1)
    cuda.syncthreads()
    cuda.atomic.add(counts, lane, tile[lane])


@cuda.jit
def transposed(x: Any, y: Any) -> None:
    tile = cuda.shared.array((32, 32), "float32")
    row, col = cuda.threadIdx.y, cuda.threadIdx.x
    tile[row, col] = x[row, col]
    y[col, row] = tile[row, col]
    y[row, col] = tile[col, row]


@pytest.mark.slow
def test_arrays_and_numbers_are_taken_as_numba_takes_them() -> None:
    x, y = np.arange(100, dtype=np.float32), np.ones(100, np.float32)
    report = ws.numba(axpy, np.float32(2), x, y, grid=4, block=32)
    assert report.ok and report.kernel == "axpy"
    np.testing.assert_array_equal(y, 2 * np.arange(100) + 1)
    compared("elements that functions of Numba computed", y.size, at_least=100)


def test_atomics_in_shared_and_global_memory() -> None:
    x, counts = np.arange(128, dtype=np.int32) ** 2, np.zeros(32, np.int32)
    assert ws.numba(histogram, x, counts, grid=4, block=32).ok
    np.testing.assert_array_equal(counts, np.bincount(x % 32, minlength=32))


def test_a_race_is_at_its_line_of_python() -> None:
    x, y = np.ones((32, 32), np.float32), np.zeros((32, 32), np.float32)
    report = ws.numba(transposed, x, y, grid=1, block=(32, 32))
    races = [finding for finding in report.findings if finding.rule == "WS-RUN-017"]
    assert races and "test_numba.py:" in str(races[0])


def test_tensors_on_the_cpu_are_arrays() -> None:
    torch = pytest.importorskip("torch")
    x, y = torch.arange(64, dtype=torch.float32), torch.zeros(64)
    assert ws.numba(axpy, 3.0, x, y, grid=2, block=32).ok
    assert torch.equal(y, 3 * x)


def test_what_does_not_fit_is_an_error_in_words() -> None:
    x = np.zeros(4, np.float32)
    with pytest.raises(TypeError, match="args: expected arrays and numbers, got str"):
        ws.numba(axpy, "a", x, x, grid=1, block=32)
    with pytest.raises(TypeError, match="axpy: missing a required argument: 'y'"):
        ws.numba(axpy, 1.0, x, grid=1, block=32)
    with pytest.raises(TypeError, match=r"fn: expected a function with @cuda\.jit"):
        ws.numba(3, x, grid=1, block=32)
    with pytest.raises(ws.CompileError):
        ws.numba(lambda y: y.nothing(), x, grid=1, block=32)


@cuda.jit
def filled(y: Any, value: Any) -> None:
    y[cuda.grid(1)] = value


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, np.int8, np.bool_])
def test_numbers_are_those_of_numpy(kind: Any) -> None:
    y = np.zeros(32, np.float64)
    assert ws.numba(filled, y, kind(1.5), grid=1, block=32).ok
    assert (y == float(kind(1.5))).all()
