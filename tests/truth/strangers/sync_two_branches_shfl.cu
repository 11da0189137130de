// run: --grid 1 --block 32 --arg y=u32[32]
//
//
// Both branches execute shfl.sync with the same qualifiers and mask: PTX lets such lanes meet, wherever they are.
__global__ void exchange(unsigned *y) {
    unsigned v;
    if (threadIdx.x & 1) v = __shfl_xor_sync(0xffffffff, threadIdx.x, 1);
    else                 v = __shfl_xor_sync(0xffffffff, threadIdx.x, 1) + 100;
    y[threadIdx.x] = v;
}
