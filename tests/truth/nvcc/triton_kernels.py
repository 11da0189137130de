"""Writes PTX of a few Triton kernels, no GPU needed. Usage: python triton_kernels.py FOLDER"""

import sys
from pathlib import Path

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def matmul(a, b, c, k, stride, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    rows = tl.arange(0, M)[:, None]
    columns = tl.arange(0, N)[None, :]
    inner = tl.arange(0, K)
    total = tl.zeros((M, N), dtype=tl.float32)
    for step in range(0, k, K):
        x = tl.load(a + rows * stride + inner[None, :] + step, mask=inner[None, :] + step < k)
        y = tl.load(b + (inner[:, None] + step) * stride + columns)
        total = tl.dot(x, y, total)
    tl.store(c + rows * stride + columns, total.to(c.dtype.element_ty))


@triton.jit
def softmax(x, y, n, N: tl.constexpr):
    at = tl.arange(0, N)
    row = tl.load(x + tl.program_id(0) * n + at, mask=at < n, other=-float("inf"))
    top = tl.exp(row - tl.max(row, 0))
    tl.store(y + tl.program_id(0) * n + at, top / tl.sum(top, 0), mask=at < n)


@triton.jit
def turned(x, y, n, N: tl.constexpr):
    at = tl.arange(0, N)
    tile = tl.load(x + at[:, None] * n + at[None, :], eviction_policy="evict_last")
    tl.store(y + at[:, None] * n + at[None, :], tl.trans(tile), cache_modifier=".cs")


def main():
    for capability in (75, 80, 89, 90, 100, 120):
        for kind in ("fp16", "bf16", "fp8e4nv", "fp32", "i8"):
            kernels = {
                "softmax": (softmax, ["x", "y"], {"N": 1024}),
                "turned": (turned, ["x", "y"], {"N": 64}),
                "matmul": (matmul, ["a", "b"], {"M": 128, "N": 64, "K": 64}),
            }
            for name, (kernel, pointers, constants) in kernels.items():
                if name == "softmax" and kind not in ("fp16", "fp32"):
                    continue
                signature = dict.fromkeys(kernel.arg_names, "i32")
                signature |= dict.fromkeys(pointers, f"*{kind}")
                if name == "matmul":
                    signature["c"] = "*fp32"
                signature |= dict.fromkeys(constants, "constexpr")
                places = [
                    (kernel.arg_names.index(p),) for p in [*pointers, "n", "k", "stride", "c"] if p in kernel.arg_names
                ]
                try:
                    made = triton.compile(
                        ASTSource(kernel, signature, constants, {place: [["tt.divisibility", 16]] for place in places}),
                        target=GPUTarget("cuda", capability, 32),
                        options={"num_warps": 4, "num_stages": 3},
                    )
                except Exception as error:  # a type that the target or Triton does not have
                    print(name, kind, capability, str(error).splitlines()[:1])
                    continue
                Path(sys.argv[1], f"triton_{name}_{kind}.sm_{capability}.ptx").write_text(made.asm["ptx"])


if __name__ == "__main__":
    main()
