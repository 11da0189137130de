// run: --grid 1 --block 64 --arg x=s32[64]:arange --arg y=s32[1]
// run: --grid 1 --block 32 --arg x=s32[32]:arange --arg y=s32[1]
// run: -D REMEDY=__syncthreads() --grid 1 --block 64 --arg x=s32[64]:arange --arg y=s32[1]
// run: -D REMEDY=__syncwarp() --grid 1 --block 32 --arg x=s32[32]:arange --arg y=s32[1]
//
//
__global__ void count(const int *x, int *y) {
    __shared__ int n;
    if (threadIdx.x == 0) n = 0;
    __syncthreads();
#ifdef REMEDY
    int old = n;
    REMEDY;
    if (x[threadIdx.x] > 3) n = old + 1;
#else
    if (x[threadIdx.x] > 3) n += 1;
#endif
    __syncthreads();
    if (threadIdx.x == 0) *y = n;
}
