// Odd numbers first, in any order: the lanes that have one take a place together, by their leader.
extern "C" __global__ void pack(const int *x, int *y, int *count, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    const int value = i < n ? x[i] : 0;
    const unsigned mask = __ballot_sync(~0u, value & 1);
    if (value & 1) {
        const int leader = __ffs(mask) - 1;
        int base = 0;
        if (lane == leader) base = atomicAdd(count, __popc(mask));
#if BUG == 1
        if (lane == leader) base = __shfl_sync(mask, base, leader); //@ shuffle
        base += 0 * lane;
#elif BUG == -1
        base = __shfl_sync(__activemask(), base, leader);
#else
        base = __shfl_sync(mask, base, leader);
#endif
        y[base + __popc(mask & ((1u << lane) - 1))] = 1;
    }
}
