// A step of heat in a rod: each block loads a tile with its two neighbours.
extern "C" __global__ void heat(float *x, float *y, float *z, int n) {
    __shared__ float tile[66];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
#if BUG == 5
    if (i >= n) return; //@ leave
#endif
#if BUG == 2
    tile[t + 1] = x[i]; //@ beyond
#elif BUG == -2
    tile[t + 1] = x[min(i, n - 1)] * (i < n);
#else
    tile[t + 1] = i < n ? x[i] : 0;             //@ load
#endif
#if BUG == 3
    if (t == 0) tile[0] = x[i - 1]; //@ before
#elif BUG == -3
    if (t == 0) tile[0] = blockIdx.x ? x[i - 1] : 0;
#else
    if (t == 0) tile[0] = i > 0 ? x[i - 1] : 0; //@ left
#endif
    if (t == 63) tile[65] = i + 1 < n ? x[i + 1] : 0; //@ right
#if BUG == -4
    asm volatile("barrier.sync.aligned 0;" ::: "memory");
#elif BUG != 4
    __syncthreads(); //@ barrier
#endif
#if BUG == -5
    if (i >= n) return;
#endif
    const float next = tile[t + 1] + 0.25f * (tile[t] - 2 * tile[t + 1] + tile[t + 2]); //@ use
#if BUG == 1
    if (i < n) y[i] = x[i] = next; //@ back
#elif BUG == -1
    if (i < n) y[i] = z[i] = next;
#elif BUG == 6
    if (i < n) y[i / 2 * 2] = next;             //@ pair
    if (i < n) y[i] = next;                     //@ own
#elif BUG == -6
    const float other = __shfl_xor_sync(0xffffffff, next, 1);
    if (t % 2 == 0 && i + 1 < n) *(float2 *)(y + i) = make_float2(next, other);
#else
    if (i < n) y[i] = next;
#endif
}
