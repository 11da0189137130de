// run: --grid 4 --block 64 --arg x=f32[256]:arange --arg tmp=f32[256] --arg y=f32[256]
//
//
#include <cooperative_groups.h>
__global__ void turn_round(const float *x, float *tmp, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    tmp[i] = x[i] * 2;
    cooperative_groups::this_grid().sync();
    y[i] = tmp[n - 1 - i];
}
