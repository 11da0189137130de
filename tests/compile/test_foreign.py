"""Kernels that nobody here wrote, unchanged from where they are installed: those of PyTorch's tests, and CuPy's."""

import ast
import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from warpsim.compile import toolkit


def place(package: str, *inside: str) -> Path:
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        pytest.skip(f"{package} is not installed")
    return Path(spec.origin).parent.joinpath(*inside)


def pytorchs(monkeypatch: pytest.MonkeyPatch) -> Any:
    """torch.testing._internal.triton_utils, which defines its kernels where there is a GPU."""
    place("triton")
    place("expecttest")  # which it imports
    place("torch")
    import torch.utils._triton

    monkeypatch.setattr(torch.utils._triton, "has_triton", lambda: True)
    from torch.testing._internal import triton_utils

    return triton_utils


@pytest.mark.filterwarnings("ignore")
def test_pytorchs_triton_kernels_equal_pytorch(monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = pytorchs(monkeypatch)
    import torch

    n = 1000
    x, y, out = torch.randn(n), torch.randn(n), torch.zeros(n)
    keep = torch.rand(n) > 0.5
    first = torch.arange(n) < 128
    size = {"BLOCK_SIZE": 128}
    cases: dict[str, tuple[tuple[Any, ...], torch.Tensor, dict[str, Any]]] = {
        **dict.fromkeys(("add_kernel", "add_kernel_with_import", "add_4_times_kernel", "atomic_add_kernel"),
                        ((x, y, out, n), x + y, size)),
        "sub_kernel": ((x, y, out, n), x - y, size),
        "add_kernel_autotuned": ((x, y, out, n), x + y, {}),
        "sub_kernel_autotuned": ((x, y, out, n), x - y, {}),
        "add_kernel_with_optional_param": ((x, None, out, n), x, {**size, "ARGS_PASSED": "one"}),
        "add_kernel_with_none_param_and_equal_to_1_arg": ((x, y, out, n, 1), x + y, {**size, "ARGS_PASSED": "two"}),
        "add_kernel_with_scaling": ((x, y, out, n, 2.5), (x + y) * 2.5, size),
        "mul2_kernel": ((x, out, n), 2 * x, size),
        "indirection_kernel": ((x, out, n), x, {**size, "ACTIVATION": "add_kernel"}),
        "cond_op_kernel": ((x, y, out, n), torch.where(first, x + y, x * y), size),
        "add_kernel_out_of_order_fn2": ((x, y, n, out), x + y, size),
        "add_kernel_with_boolean_param": ((x, y, out, n), x + y, {**size, "add_xy": True}),
        "masked_add_kernel_with_bool_tensor": ((x, y, keep, out, n), torch.where(keep, x + y, x), size),
    }  # fmt: skip
    with ws.triton.patch() as patch:
        for name, (arguments, wanted, constants) in cases.items():
            out.zero_()
            getattr(theirs, name)[lambda meta: (-(-n // meta["BLOCK_SIZE"]),)](*arguments, **constants)
            assert torch.equal(out, wanted), name
            assert patch.reports[-1].ok and not patch.reports[-1].findings, name
    compared("elements that PyTorch's Triton kernels computed", n * len(cases), at_least=16_000)


def cupys(file: str) -> Any:
    """The module of the first text of CUDA C++ in a file of CuPy, which is not imported."""
    if toolkit.nvrtc() is None:
        pytest.skip("NVRTC is not installed: pip install 'warpsim[cuda]'")
    headers = place("cupy", "_core", "include")
    tree = ast.parse(place("cupyx", "scipy", "signal", file).read_text())
    texts = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    text = next(text for text in texts if isinstance(text, str) and "__global__" in text)
    return ws.compile(text, options=["--std=c++17", f"-I{headers}"], target="sm_80")


def test_cupys_upfirdn_equals_numpy() -> None:
    random = np.random.default_rng(22)
    x, taps = random.standard_normal(100, np.float32), random.standard_normal(7, np.float32)
    up, down = 3, 2
    padded = np.concatenate([taps, np.zeros(-len(taps) % up, np.float32)]).reshape(-1, up)
    wide = np.zeros((len(x) - 1) * up + 1)
    wide[::up] = x
    wanted = np.convolve(wide, taps.astype(np.float64))[::down]
    out = ws.uninitialized(len(wanted), np.float32)
    phases = padded.T[:, ::-1].copy()
    shape = [up, down, 0, len(x), len(padded), len(x) + len(padded) - 1]
    assert cupys("_upfirdn.py")["_cupy_upfirdn1D_float32"](1, 512, [x, 1, phases, *shape, out, len(out)]).ok
    np.testing.assert_allclose(out, wanted, atol=1e-6)
    compared("elements that CuPy's upfirdn computed", len(out), at_least=150)


def test_cupys_max_len_seq_has_its_period() -> None:
    bits, length = 5, 31
    sequence = np.zeros(2 * length, np.int8)
    taps, state = np.array([2], np.int64), np.ones(bits, np.int8)
    assert cupys("_max_len_seq.py")["max_len_seq"](1, bits, [len(sequence), 1, bits, taps, state, sequence]).ok
    assert np.array_equal(sequence[:length], sequence[length:]) and sequence[:length].sum() == 16
    windows = {tuple(np.roll(sequence[:length], -i)[:bits]) for i in range(length)}
    assert len(windows) == length
