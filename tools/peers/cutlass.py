"""CUTLASS's GEMMs of sm_75 and sm_80, instantiated by a few lines around the kernel: WARPSIM_CUTLASS is its folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import numpy as np

import warpsim as ws

from .case import Case

SOURCE = """
#include <cutlass/cutlass.h>
#include <cutlass/gemm/device/gemm.h>
using namespace cutlass;
using Gemm = gemm::device::Gemm<%s>;
using Chosen = Gemm::GemmKernel;
extern "C" __global__ void product(int m, int n, int k, Gemm::ElementA *a, int lda, Gemm::ElementB *b, int ldb,
                                   Gemm::ElementC *c, int ldc) {
    extern __shared__ int4 storage[];
    using Tile = Gemm::ThreadblockShape;
    gemm::GemmCoord problem(m, n, k);
    gemm::GemmCoord grid = Gemm::ThreadblockSwizzle{}.get_tiled_shape(problem, {Tile::kM, Tile::kN, Tile::kK}, 1);
    using One = typename Gemm::EpilogueOutputOp::ElementCompute;
    typename Chosen::Params params(problem, grid, {a, lda}, {b, ldb}, {c, ldc}, {c, ldc}, {One(1), One(0)}, nullptr);
    Chosen{}(params, *reinterpret_cast<typename Chosen::SharedStorage *>(storage));
}
extern "C" __global__ void sizes(int *out) {
    out[0] = sizeof(typename Chosen::SharedStorage), out[1] = Chosen::kThreadCount;
    out[2] = Gemm::ThreadblockShape::kM, out[3] = Gemm::ThreadblockShape::kN;
}
"""
ROW, COLUMN = "layout::RowMajor", "layout::ColumnMajor"
TENSOR = "arch::OpClassTensorOp, arch::Sm80"
TF32 = "gemm::GemmShape<128, 128, 16>, gemm::GemmShape<64, 64, 16>, gemm::GemmShape<16, 8, 8>"
#: name, element types in C++ and NumPy, layouts of A and B, and the rest
GEMMS = {
    "sgemm, SIMT, row x column": ("float", "float", "f4", "f4", ROW, COLUMN, ""),
    "sgemm, SIMT, column x row": ("float", "float", "f4", "f4", COLUMN, ROW, ""),
    "dgemm, SIMT": ("double", "double", "f8", "f8", ROW, ROW, ""),
    "f16 to f32, mma.sync": ("half_t", "float", "f2", "f4", ROW, COLUMN, f", float, {TENSOR}"),
    "f16 to f32, mma.sync, column x row": ("half_t", "float", "f2", "f4", COLUMN, ROW, f", float, {TENSOR}"),
    "f16 to f16, mma.sync": ("half_t", "half_t", "f2", "f2", ROW, ROW, f", half_t, {TENSOR}"),
    "s8 to s32, mma.sync": ("int8_t", "int", "i1", "i4", ROW, COLUMN, f", int, {TENSOR}"),
    "tf32, mma.sync": ("tfloat32_t", "float", "f4", "f4", ROW, COLUMN, f", float, {TENSOR}, {TF32}"),
}
M, N, K = 136, 200, 96


def cases() -> Iterator[Case]:
    """Each with NumPy's product of small whole numbers, which is exact."""
    folder = os.environ.get("WARPSIM_CUTLASS", "")
    for name, (cpp, out, dtype, out_dtype, of_a, of_b, rest) in GEMMS.items():

        def run(
            cpp: str = cpp, out: str = out, dtype: str = dtype, out_dtype: str = out_dtype, of_a: str = of_a,
            of_b: str = of_b, rest: str = rest,
        ) -> Any:  # fmt: skip
            if not folder:
                raise FileNotFoundError("WARPSIM_CUTLASS does not name the folder of CUTLASS")
            text = SOURCE % f"{cpp}, {of_a}, {cpp}, {of_b}, {out}, {ROW}{rest}"
            options = [f"-I{folder}/include", "--std=c++17"]
            module = ws.compile(text, options=options, target="sm_80")
            sizes = np.zeros(4, np.int32)
            module["sizes"](1, 1, [sizes])
            shared, threads, rows, columns = sizes.tolist()
            random = np.random.default_rng(22)
            a, b = (random.integers(-3, 4, shape).astype(dtype) for shape in ((M, K), (K, N)))
            given = [one if order == ROW else np.asfortranarray(one).T.copy() for one, order in ((a, of_a), (b, of_b))]
            c = ws.uninitialized((M, N), out_dtype)
            strides = given[0].shape[1], given[1].shape[1]
            report = module["product"](
                (-(-M // rows), -(-N // columns)), threads, [M, N, K, given[0], strides[0], given[1], strides[1], c, N],
                shared_bytes=shared,
            )  # fmt: skip
            return [report], c, a.astype(np.float64) @ b.astype(np.float64)

        yield Case("CUTLASS", name, "NumPy", run)
