"""Triton kernels of PyTorch's own tests (torch.testing._internal.triton_utils)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import warpsim as ws

from .case import Case

N = 1000


def theirs() -> Any:
    """The module, which defines its kernels where there is a GPU."""
    import torch.utils._triton as found

    before, found.has_triton = found.has_triton, lambda: True
    try:
        from torch.testing._internal import triton_utils
    finally:
        found.has_triton = before
    return triton_utils


def cases() -> Iterator[Case]:
    """Each with what PyTorch computes."""
    import torch

    random = torch.Generator().manual_seed(22)
    x, y = (torch.randn(N, generator=random) for _ in range(2))
    out, keep, first = torch.zeros(N), torch.rand(N, generator=random) > 0.5, torch.arange(N) < 128
    size = {"BLOCK_SIZE": 128}
    found: dict[str, tuple[tuple[Any, ...], Any, dict[str, Any]]] = {
        **dict.fromkeys(("add_kernel", "add_kernel_with_import", "add_4_times_kernel", "atomic_add_kernel"),
                        ((x, y, out, N), x + y, size)),
        "sub_kernel": ((x, y, out, N), x - y, size),
        "add_kernel_autotuned": ((x, y, out, N), x + y, {}),
        "sub_kernel_autotuned": ((x, y, out, N), x - y, {}),
        "add_kernel_with_optional_param": ((x, None, out, N), x, {**size, "ARGS_PASSED": "one"}),
        "add_kernel_with_scaling": ((x, y, out, N, 2.5), (x + y) * 2.5, size),
        "mul2_kernel": ((x, out, N), 2 * x, size),
        "cond_op_kernel": ((x, y, out, N), torch.where(first, x + y, x * y), size),
        "add_kernel_out_of_order_fn2": ((x, y, N, out), x + y, size),
        "masked_add_kernel_with_bool_tensor": ((x, y, keep, out, N), torch.where(keep, x + y, x), size),
    }  # fmt: skip
    for name, (arguments, wanted, constants) in found.items():

        def run(name: str = name, arguments: Any = arguments, wanted: Any = wanted, constants: Any = constants) -> Any:
            out.zero_()
            function = getattr(theirs(), name)
            report = ws.triton(function, *arguments, grid=lambda meta: (-(-N // meta["BLOCK_SIZE"]),), **constants)
            return [report], out.numpy().copy(), np.asarray(wanted)

        yield Case("torch.testing", name, "PyTorch", run)
