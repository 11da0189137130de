// run: --grid 1 --block 64 --arg x=f32[256]:arange --arg y=f32[256] --arg n=4
// run: -D REMEDY --grid 1 --block 64 --arg x=f32[256]:arange --arg y=f32[256] --arg n=4
//
//
//
__global__ void doubled(const float *x, float *y, int n) {
    __shared__ float s[2][64];
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        s[i & 1][t] = x[i * 64 + t];
        __syncthreads();

        if (t < 32) { s[i & 1][t] *= 2; __syncthreads(); }
        y[i * 64 + t] = s[i & 1][63 - t];
#ifdef REMEDY
        __syncthreads();
#endif
    }
    if (t >= 32) for (int i = 0; i < n; i++) __syncthreads();
}
