// run: --grid 1 --block 64 --arg x=f32[128]:arange --arg y=f32[64]
//
//
//
// two helpers, each used more than once
__device__ __forceinline__ float take(const float *s, int i) { return s[i]; }
__device__ __forceinline__ void put(float *s, int i, float v) { s[i] = v; }
__global__ void swap(const float *x, float *y) {
    __shared__ float a[64], b[64];
    int t = threadIdx.x;
    put(a, t, x[t]);
    put(b, t, x[t + 64]);
    __syncthreads();

    float u = take(a, 63 - t);
    float w = take(b, 63 - t);
    put(a, t, u + w);
    __syncthreads();
    y[t] = take(a, t ^ 32) + u;
}
