// Two blocks put numbers into a queue, two others take them out and count their remainders.
extern "C" __global__ void queue(const int *x, int *slots, int *ready, int *ends, int *counts) {
    volatile int *full = ready;
    const int t = threadIdx.x, n = 64;
    if (blockIdx.x < 2) {
        const int value = x[blockIdx.x * 32 + t];
#if BUG == -2
        int first = 0;
        if (t == 0) first = atomicAdd(&ends[0], 32);
        const int slot = __shfl_sync(0xffffffff, first, 0) + t;
#else
        const int slot = atomicAdd(&ends[0], 1);
#endif
#if BUG == 3
        full[slot] = 1;
        __threadfence();
        slots[slot] = value; //@ late
#else
        slots[slot] = value; //@ put
#if BUG == -1
        asm volatile("st.release.gpu.global.s32 [%0], 1;" ::"l"(ready + slot) : "memory");
#else
#if BUG == 4
        __threadfence_block();
#elif BUG != 1
        __threadfence();
#endif
#if BUG == -3
        atomicExch(&ready[slot], 1);
#else
        full[slot] = 1;
#endif
#endif
#endif
        return;
    }
#if BUG == 2
    const int slot = ends[1]; //@ end_read
    ends[1] = slot + 1;       //@ end_write
#elif BUG == -4
    const int slot = (blockIdx.x - 2) * 32 + t;
#else
    const int slot = atomicAdd(&ends[1], 1);
#endif
    if (slot >= n) return;
#if BUG == 5
    while (*(volatile int *)&ends[0] <= slot) {
    }
#else
    while (full[slot] == 0) {
    }
#endif
    __threadfence();
    const int value = slots[slot]; //@ take
#if BUG == 6
    counts[value % 8] += 1; //@ count
#elif BUG == -6
    const unsigned int same = __match_any_sync(__activemask(), value % 8);
    if (t == __ffs(same) - 1) atomicAdd(&counts[value % 8], __popc(same));
#else
    atomicAdd(&counts[value % 8], 1);
#endif
}
