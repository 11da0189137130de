// run: --kernel mixed --grid 1 --block 32 --arg y=u32[32]
// run: --kernel skipped --grid 1 --block 32 --arg y=u32[32]
//
//
__global__ void mixed(unsigned *y) {
    if (threadIdx.x & 1) y[threadIdx.x] = __shfl_xor_sync(0xffffffff, threadIdx.x, 2);
    else                 y[threadIdx.x] = __ballot_sync(0xffffffff, threadIdx.x < 4);
}
__global__ void skipped(unsigned *y) {
    unsigned who = 0;
    if (threadIdx.x > 3) who = __ballot_sync(0xffffffff, 1);
    __syncwarp();
    y[threadIdx.x] = who;
}
