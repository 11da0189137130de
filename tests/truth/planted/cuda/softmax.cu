// Softmax of rows: one block of 128 threads a row.
#if BUG == -2
static __device__ float largest(float value) {
    const unsigned half = threadIdx.x % 32 < 16 ? 0xffff : 0xffff0000;
    for (int step = 8; step; step /= 2) value = fmaxf(value, __shfl_xor_sync(half, value, step));
    return fmaxf(value, __shfl_xor_sync(0xffffffff, value, 16));
}
#else
static __device__ float largest(float value) {
    for (int step = 16; step; step /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffff, value, step));
    return value;
}
#endif
extern "C" __global__ void softmax(const float *x, float *y, int columns) {
    __shared__ float part[4];
#if BUG == -1
    __shared__ float sums[4];
#else
    float *sums = part;
#endif
    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    const float value = t < columns ? x[columns * blockIdx.x + t] : -1e30f;
    float most = value;
#if BUG == 2
    for (int step = 16; step; step /= 2) most = fmaxf(most, __shfl_xor_sync(0xffff, most, step)); //@ half
#elif BUG == 7
    const unsigned mask = lane < 16 ? 0xffffffff : 0xffff0000;
    for (int step = 16; step; step /= 2) most = fmaxf(most, __shfl_xor_sync(mask, most, step)); //@ two masks
#elif BUG == -7
    const unsigned mask = __match_any_sync(0xffffffff, lane / 16);
    for (int step = 8; step; step /= 2) most = fmaxf(most, __shfl_xor_sync(mask, most, step));
    most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, 16));
#elif BUG == 4
    if (t < columns)
        for (int step = 16; step; step /= 2) most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, step)); //@ inside
#elif BUG == -4
    if (t < columns) {
        const int count = min(columns - 32 * warp, 32);
        const unsigned mask = count < 32 ? (1u << count) - 1 : 0xffffffff;
        for (int step = 16; step; step /= 2) {
            const float other = __shfl_down_sync(mask, most, step);
            if (lane + step < count) most = fmaxf(most, other);
        }
    }
#else
    most = largest(most);
#endif
    if (lane == 0) part[warp] = most; //@ put most
#if BUG != 5
    __syncthreads();
#endif
#if BUG == 3
    most = largest(part[lane]); //@ by all lanes
#elif BUG == -3
    most = largest(lane < 4 ? part[lane] : -1e30f);
#else
    most = fmaxf(fmaxf(part[0], part[1]), fmaxf(part[2], part[3])); //@ take most
#endif
#if BUG != 1 && BUG != -1
    __syncthreads();
#endif
    const float power = t < columns ? expf(value - most) : 0;
    float sum = power;
    for (int step = 16; step; step /= 2) sum += __shfl_xor_sync(0xffffffff, sum, step);
#if BUG == 6
    if (lane == 0) sums[0] += sum; //@ one sum
    __syncthreads();
    sum = sums[0];
#else
    if (lane == 0) sums[warp] = sum; //@ put sum
    __syncthreads();
    sum = sums[0] + sums[1] + sums[2] + sums[3];
#endif
    if (t < columns) y[columns * blockIdx.x + t] = power / sum;
}
