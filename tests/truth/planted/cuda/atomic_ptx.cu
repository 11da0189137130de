// Running totals along a chain of blocks, each of which waits for the flag of the one before it.
extern "C" __global__ void chain(const int *x, int *total, int *flags, int *y) {
    __shared__ int part[32];
    const int t = threadIdx.x, b = blockIdx.x;
    part[t] = x[b * 32 + t];
    __syncthreads();
    if (t == 0) {
        int sum = 0;
        for (int k = 0; k < 32; ++k) sum += part[k];
        if (b > 0) {
            const int *before = flags + b - 1;
            int seen;
            do {
#if BUG == 2 || BUG == -2
                asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(before) : "memory");
#elif BUG == 4
                asm volatile("ld.acquire.cta.global.s32 %0, [%1];" : "=r"(seen) : "l"(before) : "memory");
#elif BUG == -3
                asm volatile("ld.acquire.sys.global.s32 %0, [%1];" : "=r"(seen) : "l"(before) : "memory");
#elif BUG == -4
                asm volatile("ld.volatile.global.s32 %0, [%1];" : "=r"(seen) : "l"(before) : "memory");
#elif BUG == -5
                asm volatile("atom.acquire.gpu.global.add.s32 %0, [%1], 0;" : "=r"(seen) : "l"(before) : "memory");
#else
                asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(before) : "memory");
#endif
            } while (seen == 0);
#if BUG == -2
            asm volatile("fence.acq_rel.gpu;" ::: "memory");
#elif BUG == -4
            asm volatile("membar.gl;" ::: "memory");
#endif
            sum += total[b - 1]; //@ read
        }
        total[b] = sum; //@ write
#if BUG == 1
        asm volatile("st.relaxed.gpu.global.s32 [%0], 1;" ::"l"(flags + b) : "memory");
#elif BUG == -1
        asm volatile("fence.acq_rel.gpu;\n\tst.relaxed.gpu.global.s32 [%0], 1;" ::"l"(flags + b) : "memory");
#elif BUG == 3
        asm volatile("st.release.cta.global.s32 [%0], 1;" ::"l"(flags + b) : "memory");
#elif BUG == -3
        asm volatile("st.release.sys.global.s32 [%0], 1;" ::"l"(flags + b) : "memory");
#elif BUG == -4
        asm volatile("membar.gl;\n\tst.volatile.global.s32 [%0], 1;" ::"l"(flags + b) : "memory");
#elif BUG == 5
        asm volatile("red.relaxed.gpu.global.add.s32 [%0], 1;\n\tfence.acq_rel.gpu;" ::"l"(flags + b) : "memory");
#elif BUG == -5
        asm volatile("red.release.gpu.global.add.s32 [%0], 1;" ::"l"(flags + b) : "memory");
#else
        asm volatile("st.release.gpu.global.s32 [%0], 1;" ::"l"(flags + b) : "memory");
#endif
        part[0] = sum;
    }
    __syncthreads();
#if BUG == 6
    y[b * 32 + t] = total[min(b + 1, 5)] ? part[0] + t : t; //@ after
#elif BUG == -6
    y[b * 32 + t] = total[max(b - 1, 0)] ? part[0] + t : t;
#else
    y[b * 32 + t] = part[0] + t;
#endif
}
