// Layer norm of rows of 128: the same sum of the block for the mean and for the variance.
template <int THREADS, int USE> static __device__ float block_sum(float value) {
    __shared__ float part[THREADS / 32];
    const int t = threadIdx.x, warp = t / 32;
    for (int step = 16; step; step /= 2) value += __shfl_xor_sync(0xffffffff, value, step);
    if (t % 32 == 0) part[warp] = value; //@ part put
    __syncthreads();                     //@ part barrier
    float sum = 0;
    for (int i = 0; i < 4; i++) sum += part[i]; //@ part take
#if BUG != 1 && BUG != -1
    __syncthreads();
#endif
    return sum;
}
template <typename T> static __device__ T *scratch() {
    __shared__ T values[2];
    return values;
}
extern "C" __global__ void layer_norm(const float *x, float *y) {
    const int t = threadIdx.x;
    const float value = x[128 * blockIdx.x + t];
#if BUG == 1
    const float mean = block_sum<128, 0>(value) / 128;                               //@ mean
    const float variance = block_sum<128, 0>((value - mean) * (value - mean)) / 128; //@ variance
#elif BUG == -1
    const float mean = block_sum<128, 0>(value) / 128;
    const float variance = block_sum<128, 1>((value - mean) * (value - mean)) / 128;
#elif BUG == 3
    const float mean = block_sum<64, 0>(value) / 128; //@ of 64
    const float variance = block_sum<128, 1>((value - mean) * (value - mean)) / 128;
#elif BUG == -3
    const float mean = block_sum<256, 0>(value) / 128;
    const float variance = block_sum<1024, 1>((value - mean) * (value - mean)) / 128;
#elif BUG == 4
    float mean = 0;
    if (t < 112) mean = block_sum<128, 0>(value) / 128; //@ of some
    const float variance = block_sum<128, 1>((value - mean) * (value - mean)) / 128;
#elif BUG == -4
    const float mean = gridDim.x > 1 ? block_sum<128, 0>(value) / 128 : block_sum<128, 1>(value) / 128;
    const float variance = block_sum<128, 0>((value - mean) * (value - mean)) / 128;
#else
    const float mean = block_sum<128, 0>(value) / 128;
    const float variance = block_sum<128, 0>((value - mean) * (value - mean)) / 128;
#endif
#if BUG == 2 || BUG == -2
    if (t == 0) scratch<float>()[0] = rsqrtf(variance + 1e-5f); //@ one
#if BUG == -2
    if (t == 0) scratch<int>()[0] = 1;
    __syncthreads();
    if (t == 64) scratch<int>()[0] = 2;
#endif
    y[128 * blockIdx.x + t] = (value - mean) * scratch<float>()[0]; //@ all
#else
    y[128 * blockIdx.x + t] = (value - mean) * rsqrtf(variance + 1e-5f);
#endif
}
