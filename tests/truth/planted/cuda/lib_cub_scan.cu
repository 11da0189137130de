// Prefix sums of rows, tile by tile, and the greatest number of each row, with CUB.
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

struct Greater {
    __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

using Scan = cub::BlockScan<int, 128, cub::BLOCK_SCAN_WARP_SCANS>;
using Reduce = cub::BlockReduce<int, 128, cub::BLOCK_REDUCE_WARP_REDUCTIONS>;

extern "C" __global__ void rows(const int *x, int *y, int *most, int tiles) {
    __shared__ union {
        typename Scan::TempStorage scan;
        typename Reduce::TempStorage reduce;
    } storage;
#if BUG == -1
    __shared__ typename Scan::TempStorage two[2];
#endif
#if BUG == -2
    __shared__ typename Reduce::TempStorage own;
#endif
    __shared__ int high;
    const int t = threadIdx.x;
    int before = 0, peak = 0;
    for (int k = 0; k < tiles; ++k) {
        const int i = (blockIdx.x * tiles + k) * 128 + t;
        const int value = x[i];
        int sum, all;
#if BUG == -1
        Scan(two[k % 2]).InclusiveSum(value, sum, all);
#else
        Scan(storage.scan).InclusiveSum(value, sum, all);  //@ scan
#endif
        y[i] = before + sum;
        before += all;
        peak = max(peak, value);
#if BUG != 1 && BUG != -1
        if (BUG != 2 || k + 1 < tiles) __syncthreads();
#endif
    }
#if BUG == -1 || BUG == 1
    __syncthreads();
#endif
#if BUG == -2
    peak = Reduce(own).Reduce(peak, Greater());
#else
    peak = Reduce(storage.reduce).Reduce(peak, Greater()); //@ reduce
#endif
    if (t == 0) high = peak; //@ high
#if BUG != 3
    __syncthreads();
#endif
    most[blockIdx.x * 128 + t] = high; //@ most
}
