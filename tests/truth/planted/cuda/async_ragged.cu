// Sums of rows that are no multiple of four long, padded by the zero fill of cp.async.
#define COPY(to, from, bytes)                                                                                          \
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"((unsigned)__cvta_generic_to_shared(to)),        \
                 "l"(from), "r"(bytes)                                                                                 \
                 : "memory")
#define COPY4(to, from, bytes)                                                                                         \
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"((unsigned)__cvta_generic_to_shared(to)),         \
                 "l"(from), "r"(bytes)                                                                                 \
                 : "memory")

extern "C" __global__ void row_sums(const float *x, const float *weight, float *out, int width, int pitch) {
#if BUG == 3
    __shared__ alignas(16) float row[104], scale[104];
#else
    __shared__ alignas(16) float row[128], scale[128];
#endif
    const int t = threadIdx.x, at = 4 * t;
#if BUG == 2 || BUG == -2
    const float *mine = x + pitch * blockIdx.x + 1;
    const int here = width - 1;
#else
    const float *mine = x + pitch * blockIdx.x;
    const int here = width;
#endif
    for (int i = t; i < width; i += 32) scale[i] = weight[i]; //@ scale
    __syncthreads();
    const int left = min(max(here - at, 0), 4);
#if BUG == 1
    COPY(row + at, mine + at, 16); //@ whole
#endif
#if BUG == -1
    COPY(row + at, mine + at, 4 * left);
#endif
#if BUG == -2
    for (int i = t; i < 128; i += 32) COPY4(row + i, mine + min(i, here - 1), i < here ? 4 : 0);
#endif
#if BUG == 5 || BUG == -5
    if (left == 4) COPY(row + at, mine + at, 16); //@ inside
#endif
#if BUG == -5
    else
        for (int i = 0; i < 4; ++i) row[at + i] = i < left ? mine[at + i] : 0;
#endif
#if BUG != 1 && BUG != -1 && BUG != -2 && BUG != 5 && BUG != -5
    COPY(row + at, left ? mine + at : mine, 4 * left); //@ copy
#endif
#if BUG == 4
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
#if BUG == -4
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
#if BUG != 4 && BUG != -4
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.wait_group 0;" ::: "memory");
#endif
    __syncthreads();
    float sum = 0;
#if BUG == 5
    for (int i = t; i < width; i += 32) sum += scale[i] * row[i]; //@ tail
#endif
#if BUG == 2 || BUG == -2
    for (int i = t; i < here; i += 32) sum += scale[i + 1] * row[i]; //@ later
    if (t == 0) sum += scale[0] * mine[-1];
#endif
#if BUG != 2 && BUG != -2 && BUG != 5
    for (int i = t; i < width; i += 32) sum += scale[i] * row[i]; //@ add
#endif
    for (int step = 16; step; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
    if (t == 0) out[blockIdx.x] = sum;
}
