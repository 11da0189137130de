// Turns each block's part of an array around, and counts what it turned.
#include <cassert>

static __device__ __forceinline__ int checked(const int *x, int i, int n) {
#if BUG == 2
    assert(i < n); //@ helper_assert
#elif BUG == -2
    assert(i >= 0 && n > 0);
#elif BUG == 3
    if (i >= n) __trap(); //@ helper_trap
#elif BUG == -3
    if (i < 0) __trap();
#endif
    return i < n ? x[i] : 0;
}

extern "C" __global__ void turn(const int *x, int *y, int *shares, int n, int pieces) {
#if BUG == 1
    extern __shared__ int tile[];
#else
    __shared__ int tile[64];
#endif
#if BUG == -1
    extern __shared__ int more[];
    if (pieces > 64) more[threadIdx.x] = 0;
#endif
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    tile[t] = checked(x, i, n); //@ fill
    __syncthreads();
    if (i < n) y[i] = tile[63 - t]; //@ turn
#if BUG == 4
    if (t < 8) shares[blockIdx.x * 8 + t] = n / (pieces - t); //@ share
#elif BUG == -4
    if (t < 8) shares[blockIdx.x * 8 + t] = pieces == t ? 0 : n / (pieces - t);
#endif
}
