// run: --grid 4 --block 64 --arg x=f32[256]:arange --arg tmp=f32[256] --arg y=f32[256] --arg bar=u32[1]:zeros --max-steps 2000000
// run: --grid 4 --block 64 --threads 4 --arg x=f32[256]:arange --arg tmp=f32[256] --arg y=f32[256] --arg bar=u32[1]:zeros
//
//
//
//
__global__ void turn_round(const float *x, float *tmp, float *y, unsigned *bar) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    tmp[i] = x[i] * 2;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(bar, 1);
        while (atomicAdd(bar, 0) < gridDim.x);
        __threadfence();
    }
    __syncthreads();
    y[i] = tmp[n - 1 - i];
}
