// Adds up the rows of a matrix from right to left, with rows fetched ahead by cp.async.
#include <cuda_pipeline.h>

extern "C" __global__ void add_rows(const float4 *x, float4 *out, int rows) {
    __shared__ float4 stage[3][64];
    const int t = threadIdx.x;
#if BUG == 3 || BUG == -3
    const int stages = 2;
#else
    const int stages = 3;
#endif
    float4 sum = {};
    for (int i = 0; i < 2; ++i) {
        __pipeline_memcpy_async(&stage[i][t], &x[64 * i + t], 16); //@ first
        __pipeline_commit();
    }
    for (int i = 0; i < rows; ++i) {
#if BUG == 1
        __pipeline_wait_prior(2);
#endif
#if BUG == -1
        if (i + 1 < rows) __pipeline_wait_prior(1);
        else __pipeline_wait_prior(0);
#endif
#if BUG != 1 && BUG != -1 && BUG != 5
        __pipeline_wait_prior(1);
#endif
#if BUG == 4
        __pipeline_commit();
#endif
#if BUG != 2 && BUG != -2
        __syncthreads();
#endif
#if BUG == 5
        __pipeline_wait_prior(1);
#endif
#if BUG == -2
        const float4 value = stage[i % stages][t];
#else
        const float4 value = stage[i % stages][63 - t]; //@ read
#endif
        sum.x += value.x, sum.y += value.y, sum.z += value.z, sum.w += value.w;
#if BUG == -3
        __syncthreads();
#endif
        if (i + 2 < rows) {
            __pipeline_memcpy_async(&stage[(i + 2) % stages][t], &x[64 * (i + 2) + t], 16); //@ ahead
#if BUG == -1
            __pipeline_commit();
#endif
        }
#if BUG != -1 && BUG != 4
        __pipeline_commit();
#endif
    }
#if BUG == -2
    out[63 - t] = sum;
#else
    out[t] = sum;
#endif
}
