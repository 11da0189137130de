// run: --kernel same_thread --grid 1 --block 32 --arg x=f32[128]:arange --arg y=f32[128]
// run: --kernel other_warp --grid 1 --block 64 --arg x=f32[256]:arange --arg y=f32[256]
//
//
#include <cuda_pipeline.h>
__global__ void same_thread(float4 *x, float4 *y) {
    __shared__ float4 s[32];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &x[t], 16);
    __pipeline_commit();
    x[t] = make_float4(5, 5, 5, 5);
    __pipeline_wait_prior(0);
    y[t] = s[t];
}
__global__ void other_warp(float4 *x, float4 *y) {
    __shared__ float4 s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &x[t], 16);
    __pipeline_commit();
    __syncthreads();
    x[63 - t] = make_float4(5, 5, 5, 5);
    __pipeline_wait_prior(0);
    y[t] = s[t];
}
