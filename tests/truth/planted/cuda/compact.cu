// Moves the numbers above 50 of each warp to its front, in order; counts them.
extern "C" __global__ void compact(const int *x, int *y, int *counts) {
    __shared__ int kept[4][32];
    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    const int value = x[t], below = (1 << lane) - 1;
    const bool keep = value > 50;
    kept[warp][lane] = 0; //@ clear
    __syncwarp();
#if BUG == 1
    unsigned votes = 0;
    if (keep) votes = __ballot_sync(0xffffffff, 1); //@ ballot
    else votes = __any_sync(0xffffffff, 0);         //@ any
#elif BUG == -1
    unsigned votes = 0;
    if (keep) votes = __ballot_sync(0xffffffff, 1);
    else votes = __ballot_sync(0xffffffff, 0);
#elif BUG == 2
    unsigned votes = 0;
    if (keep) votes = __ballot_sync(0xffffffff, 1);           //@ inside
#elif BUG == -2
    __shared__ int number[4];
    if (lane == 0) number[warp] = 0;
    __syncwarp();
    int before = 0;
    if (keep) {
        const unsigned active = __activemask();
        const int leader = __ffs(active) - 1;
        if (lane == leader) before = atomicAdd(&number[warp], __popc(active));
        before = __shfl_sync(active, before, leader) + __popc(active & below);
    }
    __syncwarp();
#else
    const unsigned votes = __ballot_sync(0xffffffff, keep);
#endif
#if BUG == -2
    const int place = before;
#else
    int place = __popc(votes & below);
#endif
#if BUG == 3
    if (keep) place += __shfl_sync(votes, lane, 0); //@ lane 0
#elif BUG == -3
    if (keep) place += __shfl_sync(votes, lane, __ffs(votes) - 1) - (__ffs(votes) - 1);
#elif BUG == 6
    if (keep) place += __reduce_add_sync(0xffffffff, 1) - 32; //@ sum
    else place += __shfl_xor_sync(0xffffffff, 0, 1);          //@ shuffle
#elif BUG == -6
    if (keep) place += __reduce_add_sync(0xffffffff, 1) - 32;
    else place += __reduce_add_sync(0xffffffff, 1) - 32;
#endif
#if BUG == 5
    if (keep) kept[warp][0] = value; //@ one place
#else
    if (keep) kept[warp][place] = value; //@ store
#endif
#if BUG == 4
    const int total = __popc(__ballot_sync(0xffffffff, keep));
#elif BUG == -2
    const int total = number[warp];
    __syncwarp();
#elif BUG == -4
    const int total = __popc(votes);
    if (lane < 16) __syncwarp();
    else __syncwarp();
#else
    const int total = __popc(votes);
    __syncwarp();
#endif
    y[t] = kept[warp][lane]; //@ read
    if (lane == 0) counts[warp] = total;
}
