"""The process of Triton's interpreter: prints [name, our ns, its ns] of each kernel as JSON.

Both sides run the same kernels: the interpreter runs their Python, we run the PTX that Triton compiles from it for
sm_80, in a process of its own: who interprets cannot compile.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import Any

import numpy as np
import torch
import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

import warpsim as ws

from ..peers import same
from ..timing import Effort, looped, medians

WARPS = 4
SIZE = 256  #: of the matrices


@triton.jit
def saxpy(x, y, a, n, block: tl.constexpr):  # type: ignore[no-untyped-def]
    at = tl.program_id(0) * block + tl.arange(0, block)
    inside = at < n
    tl.store(y + at, a * tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside), mask=inside)


@triton.jit
def softmax(x, y, columns: tl.constexpr):  # type: ignore[no-untyped-def]
    at = tl.program_id(0) * columns + tl.arange(0, columns)
    row = tl.load(x + at)
    powers = tl.exp(row - tl.max(row, axis=0))
    tl.store(y + at, powers / tl.sum(powers, axis=0))


@triton.jit
def matmul(a, b, c, size: tl.constexpr, block: tl.constexpr, step: tl.constexpr):  # type: ignore[no-untyped-def]
    i = tl.program_id(0) * block + tl.arange(0, block)[:, None]
    j = tl.program_id(1) * block + tl.arange(0, block)[None, :]
    k = tl.arange(0, step)
    total = tl.zeros((block, block), dtype=tl.float32)
    for begin in range(0, size, step):
        left = tl.load(a + i * size + (begin + k)[None, :])
        right = tl.load(b + (begin + k)[:, None] * size + j)
        total = tl.dot(left, right, total)
    tl.store(c + i * size + j, total)


#: kernel, signature of its arguments, constants
KERNELS: dict[str, tuple[Any, dict[str, str], dict[str, int]]] = {
    "saxpy": (saxpy, {"x": "*fp32", "y": "*fp32", "a": "fp32", "n": "i32"}, {"block": 1024}),
    "softmax": (softmax, {"x": "*fp32", "y": "*fp32"}, {"columns": 1024}),
    "matmul": (matmul, {"a": "*fp16", "b": "*fp16", "c": "*fp32"}, {"size": SIZE, "block": 64, "step": 32}),
}


def compiled() -> None:
    """The PTX of all kernels, printed."""
    found = {}
    for name, (kernel, signature, constants) in KERNELS.items():
        everything = signature | dict.fromkeys(constants, "constexpr")
        places = {key: (number,) for number, key in enumerate(kernel.arg_names)}
        aligned = [place for key, place in places.items() if signature.get(key, "")[:1] == "*" or key == "n"]
        source = ASTSource(
            kernel, everything, {places[key]: value for key, value in constants.items()},
            {place: [["tt.divisibility", 16]] for place in aligned},
        )  # fmt: skip
        target = GPUTarget("cuda", 80, 32)
        built = triton.compile(source, target=target, options={"num_warps": WARPS})
        found[name] = (built.asm["ptx"], built.metadata.shared)
    print(json.dumps(found))


def texts() -> dict[str, tuple[str, int]]:
    command = [sys.executable, "-m", "benchmarks.engine.with_triton", "--compile"]
    environment = {key: value for key, value in os.environ.items() if key != "TRITON_INTERPRET"}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
    found: dict[str, tuple[str, int]] = json.loads(done.stdout)
    return found


def main() -> None:
    effort = Effort(3, short="--short" in sys.argv)
    random = np.random.default_rng(19)
    blocks = effort.size(64, 1)
    lines = random.standard_normal(1024 * blocks, np.float32)
    square = random.integers(-4, 5, (SIZE, SIZE)).astype(np.float16)  # whole numbers: sums are exact in any order
    arguments: dict[str, tuple[Any, list[Any]]] = {
        "saxpy": ((blocks, 1), [lines, np.ones_like(lines), 2.0, lines.size]),
        "softmax": ((blocks, 1), [lines, np.zeros_like(lines)]),
        "matmul": ((SIZE // 64, SIZE // 64), [square, square.T.copy(), np.zeros((SIZE, SIZE), np.float32)]),
    }
    found = []
    for name, (text, shared) in texts().items():
        grid, ours = arguments[name]
        kernel, (interpreted, _, constants) = ws.Module(text)[name], KERNELS[name]
        theirs = [torch.from_numpy(one.copy()) if isinstance(one, np.ndarray) else one for one in ours]
        out = max(i for i, one in enumerate(ours) if isinstance(one, np.ndarray))

        def run(kernel: Any = kernel, grid: Any = grid, ours: Any = ours, shared: int = shared) -> None:
            kernel(grid, WARPS * 32, [*ours, 0, 0], shared_bytes=shared, check=False, count=False)

        def interpret(
            one: Any = interpreted, grid: Any = grid, theirs: Any = theirs, constants: Any = constants
        ) -> None:
            one[grid](*theirs, **constants)

        run()
        interpret()
        if name == "softmax":
            np.testing.assert_allclose(ours[out], theirs[out].numpy(), rtol=1e-5)
        else:
            same(name, ours[out], theirs[out].numpy())
        cases = {"ours": looped(run), "theirs": looped(interpret)}
        ns = medians(cases, effort, clock=time.perf_counter_ns)
        found.append((f"{name}, {grid[0] * grid[1]} blocks", ns["ours"], ns["theirs"]))
    print(json.dumps(found))


if __name__ == "__main__":
    compiled() if "--compile" in sys.argv else main()
