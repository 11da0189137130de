// Kernels that take what CUDA's headers have; tests/compile/test_cuda.py runs each and compares with NumPy.
#include <cassert>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdint>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_scan.cuh>
#include <cuda/barrier>
#include <cuda/std/array>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <math.h>
#include <mma.h>
#include <stdio.h>
#include <type_traits>

namespace cg = cooperative_groups;

__global__ void halves(const __half2 *x, __half2 *y, __half by) {
    y[threadIdx.x] = __hfma2(x[threadIdx.x], __half2half2(by), x[threadIdx.x]);
}

__global__ void rounded(const float *x, __nv_bfloat16 *b, __nv_fp8_e4m3 *f) {
    b[threadIdx.x] = __float2bfloat16(x[threadIdx.x]);
    f[threadIdx.x] = __nv_fp8_e4m3(x[threadIdx.x]);
}

__global__ void product(const __half *a, const __half *b, float *c) {
    using namespace nvcuda::wmma;
    fragment<matrix_a, 16, 16, 16, __half, row_major> left;
    fragment<matrix_b, 16, 16, 16, __half, row_major> right;
    fragment<accumulator, 16, 16, 16, float> sum;
    fill_fragment(sum, 0.f);
    load_matrix_sync(left, a, 16);
    load_matrix_sync(right, b, 16);
    mma_sync(sum, left, right, sum);
    store_matrix_sync(c, sum, 16, mem_row_major);
}

__global__ void turned(const int4 *x, int4 *y) {
    __shared__ int4 tile[64];
    __pipeline_memcpy_async(tile + threadIdx.x, x + threadIdx.x, sizeof(int4));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    y[threadIdx.x] = tile[63 - threadIdx.x];
}

__global__ void tiles(const int *x, int *y) {
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    y[threadIdx.x] = cg::reduce(tile, x[threadIdx.x], cg::plus<int>());
}

__global__ void arrived(const int *x, int *y) {
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ int tile[96];
    if (threadIdx.x == 0)
        init(&barrier, blockDim.x);
    __syncthreads();
    tile[threadIdx.x] = x[threadIdx.x];
    barrier.arrive_and_wait();
    y[threadIdx.x] = tile[(threadIdx.x + 40) % 96];
}

template <typename T, int N> __global__ void sums(const T *x, T *total, T *running) {
    using Reduce = cub::BlockReduce<T, N>;
    using Scan = cub::BlockScan<T, N>;
    __shared__ union {
        typename Reduce::TempStorage reduce;
        typename Scan::TempStorage scan;
    } shared;
    T sum = Reduce(shared.reduce).Sum(x[threadIdx.x]);
    if (threadIdx.x == 0)
        *total = sum;
    __syncthreads();
    Scan(shared.scan).InclusiveSum(x[threadIdx.x], running[threadIdx.x]);
}

namespace sorting {
__global__ void __launch_bounds__(64, 2) sorted(const uint32_t *x, uint32_t *y) {
    using Sort = cub::BlockRadixSort<uint32_t, 64, 4>;
    __shared__ typename Sort::TempStorage shared;
    uint32_t keys[4];
    for (int i = 0; i < 4; i++)
        keys[i] = x[threadIdx.x * 4 + i];
    Sort(shared).Sort(keys);
    for (int i = 0; i < 4; i++)
        y[threadIdx.x * 4 + i] = keys[i];
}
} // namespace sorting

struct Line {
    float slope;
    double offset;
};

__global__ void lines(const Line line, double *y) { y[threadIdx.x] = line.slope * threadIdx.x + line.offset; }

int halved(int n) { return n / 2; } // no __device__: NVRTC takes it as one

extern "C" __global__ void told(const int n, std::conditional_t<sizeof(n) == 4, int *, void *> __restrict__ out) {
    assert(n > 0);
    printf("%d of %s\n", halved(n), "ten");
    *out = (int)sqrtf(n);
}
