"""ws.triton: Triton functions of the usual kinds against NumPy. Needs Triton: pip install 'warpsim[triton]'."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.support.paths import EXAMPLES
from warpsim import cli

pytest.importorskip("triton", reason="Triton is not installed: pip install 'warpsim[triton]'")
pytestmark = pytest.mark.filterwarnings("ignore:TRITON_DEFAULT_FP_FUSION")

from tests.compile import triton_kernels as kernels  # noqa: E402 - it imports Triton

RANDOM = np.random.default_rng(22)
Case = tuple[Any, list[Any], dict[str, Any], Callable[[list[Any]], tuple[Any, Any, float]]]


def rows_of(x: np.ndarray) -> np.ndarray:
    powers = np.exp(x - x.max(1, keepdims=True))
    return np.asarray(powers / powers.sum(1, keepdims=True))


def product(kind: Any, into: Any, m: int, n: int, k: int, stage: int, low: int = -4, high: int = 5) -> Case:
    a, b = (RANDOM.integers(low, high, shape).astype(kind) for shape in ((m, k), (k, n)))
    wanted = a.astype(np.float64) @ b.astype(np.float64)  # whole numbers: sums are exact in any order
    constants = {"stage": stage, "rows": 32, "columns": 64, "step": 32}
    grid = (-(-m // 32), -(-n // 64))
    return kernels.matmul, [a, b, ws.uninitialized((m, n), into), m, n, k], {"grid": grid, **constants}, lambda args: (
        args[2], wanted.astype(into), 0)  # fmt: skip


def cases() -> dict[str, Case]:
    """Function, arguments, options, and what it computed, what NumPy says, and how far these may be apart."""
    x = RANDOM.standard_normal((6, 500), np.float32)
    weight, bias = RANDOM.standard_normal((2, 500), np.float32)
    kept = RANDOM.integers(0, 2, x.size).astype(np.int8)
    number = RANDOM.integers(0, 50, 1000).astype(np.int32)
    q, k, v = (RANDOM.standard_normal((128, 32)).astype(np.float16) for _ in range(3))
    wide = x.astype(np.float64)
    normal = (wide - wide.mean(1, keepdims=True)) / np.sqrt(wide.var(1, keepdims=True) + 1e-5) * weight + bias
    attended = rows_of(q.astype(np.float64) @ k.T.astype(np.float64) / 8) @ v.astype(np.float64)

    def new(like: np.ndarray) -> np.ndarray:
        return ws.uninitialized(like.shape, like.dtype)

    half = x.astype(ml_dtypes.bfloat16)
    return {
        "softmax": (kernels.softmax, [x, new(x), 500], {"grid": 6, "width": 512}, lambda a: (
            a[1], rows_of(wide), 1e-6)),
        "softmax bf16": (kernels.softmax, [half, new(half), 500], {"grid": 6, "width": 512}, lambda a: (
            a[1].astype(np.float64), rows_of(half.astype(np.float64)), 1e-2)),
        "softmax of 8 warps": (kernels.softmax, [x, new(x), 500], {"grid": 6, "width": 512, "num_warps": 8}, lambda a: (
            a[1], rows_of(wide), 1e-6)),
        "matmul f16": product(np.float16, np.float32, 70, 130, 100, 3),
        "matmul bf16": product(ml_dtypes.bfloat16, np.float32, 64, 64, 96, 2),
        "matmul int8": product(np.int8, np.int32, 64, 128, 64, 3, -128, 128),
        "matmul of one stage": product(np.float16, np.float32, 32, 64, 64, 1),
        "layer norm": (kernels.layer_norm, [x, new(x), weight, bias, 500, 1e-5], {"grid": 6, "width": 512},
            lambda a: (a[1], normal, 2e-5)),
        "dropout": (kernels.dropout, [x.reshape(-1), kept, new(x), x.size, 0.5], {"grid": 3, "width": 1024},
            lambda a: (a[2].reshape(-1), np.where(kept, x.reshape(-1) * 2, 0), 0)),
        "running sum": (kernels.running, [number, new(number), 1000], {"grid": 1, "width": 1024}, lambda a: (
            a[1], number.cumsum(), 0)),
        "attention": (kernels.attention, [q, k, v, new(q), 0.125, 128],
            {"grid": 4, "rows": 32, "columns": 32, "width": 32}, lambda a: (a[3].astype(np.float64), attended, 2e-3)),
        "histogram": (kernels.histogram, [number, np.zeros(50, np.int32), 1000], {"grid": 4, "width": 256}, lambda a: (
            a[1], np.bincount(number, minlength=50), 0)),
        "sort": (kernels.sort, [number[:512].copy(), new(number[:512])], {"grid": 1, "width": 512}, lambda a: (
            a[1], np.sort(number[:512]), 0)),
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", list(cases()))
def test_triton_function_equals_numpy(name: str) -> None:
    function, arguments, options, expected = cases()[name]
    report = ws.triton(function, *arguments, **options)
    assert report.ok and report.kernel == function.__name__, report
    got, wanted, bound = expected(arguments)
    np.testing.assert_allclose(np.asarray(got, np.float64), wanted, rtol=bound, atol=bound)
    assert any(Path(source).name == "triton_kernels.py" for source in report.sources)
    compared("elements that Triton's functions computed", np.size(wanted), at_least=50)


def test_lines_are_those_of_python() -> None:
    function, arguments, options, _ = cases()["matmul bf16"]
    report = ws.triton(function, *arguments, **options)
    lines = Path(kernels.__file__).read_text().splitlines()
    by = report.by_source()
    source = next(i for i, name in enumerate(report.sources) if name.endswith("triton_kernels.py"))
    used = {lines[row["source_line"] - 1].strip() for row in by if row["source"] == source and row["executed"]}
    assert "total = tl.dot(x, y, total, out_dtype=c.dtype.element_ty)" in used
    assert report.shared["store from global"]["instructions"] > 0  # a pipeline of two stages


def test_what_triton_refuses_is_a_compile_error() -> None:
    with pytest.raises(ws.CompileError, match="missing is not defined"):
        ws.triton(kernels.refused, np.zeros(16, np.float32), grid=1, width=16)
    a, c = np.ones((32, 32), np.int8), np.zeros((32, 32), np.int32)
    with pytest.raises(ws.CompileError, match="Triton fails to compile matmul for this target"):
        ws.triton(kernels.matmul, a, a, c, 32, 32, 32, 1, 32, 32, 32, grid=(1, 1), target="sm_75")
    with pytest.raises(TypeError, match=r"softmax: missing a required argument: 'columns'"):
        ws.triton(kernels.softmax, None, None, grid=1, width=16)
    with pytest.raises(TypeError, match=r"^fn: expected a function with @triton.jit"):
        ws.triton(print, grid=1)


def test_finding_is_told_with_its_line_and_parameter() -> None:
    x = np.zeros((2, 100), np.float32)
    report = ws.triton(kernels.softmax, x, x[0].copy(), 100, grid=2, width=128, launch={"on_finding": "record"})
    assert report.findings[0].rule == "WS-RUN-001" and report.findings[0].array == "y"
    assert "triton_kernels.py" in str(report)


def test_what_triton_stores_twice_in_shared_memory_is_no_finding() -> None:
    """Threads that hold one element all store it, and sums may differ in the last bit; one's own stores are told."""
    x, y = (RANDOM.random(128, np.float32) for _ in range(2))
    silent = [
        ws.triton(kernels.dot, x, y, np.zeros(1, np.float32), 100, grid=1, width=128),
        ws.triton(kernels.turned, x, np.zeros(128, np.float32), grid=1, n=128),
    ]
    told = ws.triton(
        kernels.clash, x, np.zeros(64, np.float32), 128, grid=1, width=128, launch={"on_finding": "record"}
    )
    assert all(one.rule not in ("WS-RUN-022", "WS-RUN-023") for report in silent for one in report.findings)
    assert "WS-RUN-022" in {one.rule for one in told.findings}
    compared("what Triton stores twice", 3, at_least=3)


def test_patched_triton_runs_here_and_undoes_it() -> None:
    torch = pytest.importorskip("torch")
    import triton

    x = torch.randn(6, 500).to(torch.bfloat16)
    y = torch.zeros_like(x)
    run = triton.runtime.jit.JITFunction.run
    with ws.triton.patch(check=False) as patch:
        kernels.softmax[(6,)](x, y, 500, width=512)
        out = torch.zeros(1000, dtype=torch.int32)
        kernels.tuned[lambda meta: (triton.cdiv(meta["n"], meta["width"]),)](out, 1000)
        with pytest.raises(RuntimeError, match="undo"):
            ws.triton.patch()
    assert triton.runtime.jit.JITFunction.run is run
    torch.testing.assert_close(y.float(), torch.softmax(x.float(), 1), atol=1e-2, rtol=1e-2)
    assert torch.equal(out, torch.arange(1000, dtype=torch.int32))
    assert len(patch.reports) == 4 and not patch.reports[0].is_checked  # two of them by autotuning
    assert patch.reports[-1] in patch.reports[1:3]  # the one with the lower bound


def test_a_patch_that_was_undone_undoes_no_other() -> None:
    import triton

    run = triton.runtime.jit.JITFunction.run
    first = ws.triton.patch()
    first.undo()
    with ws.triton.patch() as second:
        first.undo()
        with pytest.raises(RuntimeError, match="undo"):
            ws.triton.patch()
        second.undo()
        assert triton.runtime.jit.JITFunction.run is run


def test_tensor_that_is_a_view_ends_where_its_storage_does() -> None:
    torch = pytest.importorskip("torch")
    x = torch.randn(4, 500)
    y = torch.zeros(3, 500)
    report = ws.triton(kernels.softmax, x[1:2], y, 500, grid=3, width=512)  # two rows beyond the view
    assert report.ok
    torch.testing.assert_close(y, torch.softmax(x[1:], 1))
    assert not ws.triton(kernels.softmax, x[1:2], torch.zeros(4, 500), 500, grid=4, width=512).ok


@pytest.mark.parametrize("target", ["sm_80", "sm_90"])
@pytest.mark.parametrize("padding", ["zero", "nan"])
def test_tensor_descriptors_are_those_of_the_target(target: str, padding: str) -> None:
    """sm_90 copies by tensor maps and multiplies by wgmma; tiles reach beyond the matrices."""
    torch = pytest.importorskip("torch")
    from triton.tools.tensor_descriptor import TensorDescriptor

    torch.manual_seed(23)
    a, b, c = torch.randn(200, 160).half(), torch.randn(136, 160).half(), torch.zeros(200, 136).half()
    read = [TensorDescriptor.from_tensor(one, [64, 32], padding=padding) for one in (a, b)]
    report = ws.triton(
        kernels.by_descriptors, *read, TensorDescriptor.from_tensor(c, [64, 64]), 160, grid=(4, 3), target=target,
        rows=64, columns=64, step=32,
    )  # fmt: skip
    assert report.ok, report.findings
    used = " ".join(report.instructions)
    assert ("wgmma" in used and "cp.async.bulk.tensor" in used) == (target == "sm_90")
    torch.testing.assert_close(c.float(), a.float() @ b.float().T, atol=0.05, rtol=1e-2)
    compared("elements that Triton's functions computed", c.numel(), at_least=27_000)


E2M1 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6], np.float32)
FLOATS = {"e4m3": "float8_e4m3fn", "e5m2": "float8_e5m2"}


def narrow(kind: str, shape: tuple[int, int], axis: int, rng: np.random.Generator) -> tuple[Any, np.ndarray]:
    """Random bytes of a type as dot_scaled takes them (of e2m1 two in each, along `axis`), and their values."""
    ml_dtypes = pytest.importorskip("ml_dtypes")
    if kind != "e2m1":
        values = rng.standard_normal(shape).astype(getattr(ml_dtypes, FLOATS[kind]))
        return values.view(np.uint8), values.astype(np.float32)
    pairs = rng.integers(0, 256, [extent // (1 + (i == axis)) for i, extent in enumerate(shape)]).astype(np.uint8)
    halves = np.stack((pairs & 15, pairs >> 4), axis + 1).reshape(shape)
    return pairs, E2M1[halves & 7] * np.where(halves & 8, -1, 1).astype(np.float32)


@pytest.mark.parametrize("target", ["sm_90", "sm_120"])
@pytest.mark.parametrize("kinds", [("e4m3", "e4m3"), ("e5m2", "e4m3"), ("e2m1", "e2m1")])
def test_scaled_products_are_those_of_the_scaled_numbers(target: str, kinds: tuple[str, str]) -> None:
    """sm_120 has mma with block scaling; Triton, not this package, says which lane has which element and factor."""
    rng, (m, n, k), packed = np.random.default_rng(120), (64, 32, 128), 2 if kinds[0] == "e2m1" else 1
    (a, x), (b, y) = narrow(kinds[0], (m, k), 1, rng), narrow(kinds[1], (k, n), 0, rng)
    scales = [rng.integers(120, 131, (extent, k // 32)).astype(np.uint8) for extent in (m, n)]
    factors = [np.exp2(one.astype(np.float32) - 127).repeat(32, 1) for one in scales]
    c = np.zeros((m, n), np.float32)
    report = ws.triton(
        kernels.scaled, a, scales[0], b, scales[1], c, grid=1, target=target, m=m, n=n, k=k,
        kind_a=kinds[0], kind_b=kinds[1], packed=packed,
    )  # fmt: skip
    expected = (x * factors[0]) @ (y * factors[1].T)
    assert report.ok and ("block_scale" in " ".join(report.instructions)) == (target == "sm_120")
    np.testing.assert_allclose(c, expected, rtol=1e-5, atol=1e-5 * np.abs(expected).max())
    compared("elements of scaled products that Triton lays out", c.size, at_least=2048)


def test_tuples_are_their_parts() -> None:
    x, y, out = (np.full(100, value, np.float32) for value in (1, 2, 0))
    report = ws.triton(kernels.of_tuples, (x, y, out), (3.0, 5.0), 100, grid=2, width=64)
    assert report.ok and (out == 13).all()


def test_command_line_runs_the_example(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--grid", "6", "--arg", "x=f32[6,500]:random(1)", "--arg", "y=f32[6,500]", "--arg", "columns=500"]
    file = str(EXAMPLES / "kernels" / "softmax.py")
    saved = tmp_path / "y.npy"
    assert cli.main(["run", file, *words, "--arg", "width=512", "--num-warps", "8", "--save", f"y={saved}"]) == 0
    text = capsys.readouterr().out
    assert "block 256x1x1" in text and "softmax.py:11" in text and "no findings" in text
    x = np.random.default_rng(1).standard_normal((6, 500)).astype(np.float32)
    np.testing.assert_allclose(np.load(saved), rows_of(x), rtol=1e-5, atol=1e-7)
    assert cli.main(["run", file, "--kernel", "softmax:softmax", *words]) == 2
    assert "--arg: give a value for width" in capsys.readouterr().err
    assert cli.main(["run", file, "--kernel", "softmax:max", *words]) == 2
    assert cli.main(["run", file, "--block", "32", *words]) == 2
    assert "--block: Triton has --num-warps instead" in capsys.readouterr().err
