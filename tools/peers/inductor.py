"""Triton kernels that torch.compile generates: PyTorch compiles for the CPU by Triton, and the launches come here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import warpsim as ws
from warpsim.compile.triton_launch import Driver, driven

from .case import Case

ROWS, COLUMNS = 64, 100


def functions(torch: Any) -> dict[str, Any]:
    """Functions of two matrices."""
    f = torch.nn.functional
    return {
        "softmax": lambda x, y: torch.softmax(x * 2 + y, 1),
        "sum of columns": lambda x, y: (x * y).sum(0),
        "layer norm": lambda x, y: f.layer_norm(x, (COLUMNS,), y[0], y[1]),
        "gelu": lambda x, y: f.gelu(x) + y,
        "argmax": lambda x, y: (x + y).argmax(1),
        "cumsum": lambda x, y: (x + y).cumsum(1),
        "transpose": lambda x, y: x.t().contiguous() + 1,
        "variance": lambda x, y: torch.var(x - y, 1),
        "cross entropy": lambda x, y: f.cross_entropy(x, y.argmax(1)),
        "gather": lambda x, y: x[y[:, 0].abs().long() % ROWS],
        "where, maximum": lambda x, y: torch.where(x > y, x, y.exp()).amax(0),
        "rms norm": lambda x, y: x * torch.rsqrt((x * x).mean(1, keepdim=True) + 1e-6) * y[0],
    }


def launched(torch: Any, function: Any, x: Any, y: Any) -> tuple[list[ws.KernelReport], Any]:
    """What a compiled function gives, and the reports of its kernels."""
    from torch._inductor import config
    from torch._inductor.runtime import triton_heuristics as heuristics

    reports: list[ws.KernelReport] = []

    def run(self: Any, *args: Any, stream: Any = None, **_: Any) -> None:
        chosen = self.configs[0]
        known = {**dict(zip(self.fn.arg_names, args, strict=False)), **chosen.kwargs}
        whole = {name: value for name, value in known.items() if isinstance(value, int)}
        grid = heuristics.GridExpr.from_meta(self.inductor_meta, chosen).eval_slow(whole)
        warps = {"num_warps": chosen.num_warps, "num_stages": chosen.num_stages}
        reports.append(ws.triton(self.fn, *args, grid=grid, **warps, **chosen.kwargs))

    tuner = heuristics.CachingAutotuner
    before = tuner.run, tuner.precompile
    tuner.run, tuner.precompile = run, lambda *_, **__: None
    torch._dynamo.reset()
    try:
        with config.patch(cpu_backend="triton", compile_threads=1, fx_graph_cache=False), driven(Driver(80)):
            return reports, torch.compile(function)(x, y)
    finally:
        tuner.run, tuner.precompile = before


def cases() -> Iterator[Case]:
    """Each with what PyTorch computes without compiling."""
    import torch

    for name, function in functions(torch).items():

        def run(function: Any = function) -> Any:
            random = torch.Generator().manual_seed(22)
            x, y = (torch.randn((ROWS, COLUMNS), generator=random) for _ in range(2))
            reports, found = launched(torch, function, x, y)
            assert reports, "no kernel was launched"
            return reports, np.asarray(found), np.asarray(function(x, y))

        yield Case("torch.compile", name, "PyTorch", run, 1e-5)
