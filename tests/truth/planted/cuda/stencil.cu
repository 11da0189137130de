// Weighted sums of seven neighbours, by a tile of 128 with a halo of three at each side.
extern "C" __global__ void stencil(const float *x, const float *w, float *y, int n) {
#if BUG == 3 || BUG == 6 || BUG == 8 || BUG == -1
    extern __shared__ float pool[];
#if BUG == 3
    float *tile = pool, *weights = pool + 128;
#elif BUG == 8
    float *tile = pool, *weights = pool + 136;
#else
    float *tile = pool, *weights = pool + 128 + 2 * 3;
#endif
#else
    __shared__ float tile[134], weights[7];
#endif
    const int t = threadIdx.x, at = 128 * blockIdx.x + t;
#if BUG == 7
    if (t < 5) weights[t] = w[t];
#elif BUG == 8
    if (t < 7) weights[t] = w[t]; //@ last weights
#else
    if (t < 7) weights[t] = w[t]; //@ weights
#endif
    tile[t + 3] = x[at]; //@ middle
#if BUG == 1
    if (t <= 3) {
        tile[t] = at >= 3 ? x[at - 3] : 0;
        tile[t + 131] = at + 128 < n ? x[at + 128] : 0; //@ right
    }
#elif BUG == 6
    if (t <= 3) {
        tile[t] = at >= 3 ? x[at - 3] : 0;
        tile[t + 131] = at + 128 < n ? x[at + 128] : 0; //@ dynamic right
    }
#elif BUG == 2
    if (t < 3) tile[t] = at >= 3 ? x[at - 3] : 0;
#elif BUG == -2
    if (t < 3 && at >= 3) tile[t] = x[at - 3];
    if (t < 3 && at + 128 < n) tile[t + 131] = x[at + 128];
#else
    if (t < 3) {
        tile[t] = at >= 3 ? x[at - 3] : 0;
        tile[t + 131] = at + 128 < n ? x[at + 128] : 0; //@ halo
    }
#endif
#if BUG == -4
    __syncthreads_count(1);
#elif BUG != 4
    __syncthreads();
#endif
    float sum = 0;
#if BUG == -2
    for (int i = 0; i < 7; i++) {
        const float value = *(volatile float *)&tile[t + i];
        const bool inside = at + i >= 3 && at + i - 3 < n;
        sum += inside ? weights[i] * value : 0;
    }
#elif BUG == 5
    for (int i = 0; i < 7; i++) sum += weights[i] * tile[t + i + 1]; //@ after
#else
    for (int i = 0; i < 7; i++) sum += weights[i] * tile[t + i]; //@ read
#endif
    y[at] = sum;
}
