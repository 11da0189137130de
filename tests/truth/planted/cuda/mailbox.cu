// One warp fills a box in shared memory and raises a flag, for which a lane of the other warp waits.
extern "C" __global__ void mailbox(const int *x, int *y, int *turns) {
    __shared__ int box[32], flag;
    const int t = threadIdx.x, lane = t % 32;
#if BUG == 5
    if (t == 0) flag = 0; //@ reset
#elif BUG != 3
    if (t == 0) flag = 0;
    __syncthreads();
#endif
    if (t >= 32) {
        box[lane] = x[lane]; //@ put
        __syncwarp();
#if BUG == 1
        if (lane == 0) *(volatile int *)&flag = 1; //@ raise early
#elif BUG == -1
        if (lane == 0)
            asm volatile("st.release.cta.shared.s32 [%0], 1;" ::"l"(__cvta_generic_to_shared(&flag)) : "memory");
#elif BUG == 6
        if (lane == 31) flag = 1; //@ plain
#elif BUG == -6
        __threadfence_block();
        if (lane == 31) *(volatile int *)&flag = 1;
#else
        if (lane == 0) {
            __threadfence_block();
            atomicExch(&flag, 1); //@ raise
        }
#endif
#if BUG == -2
        __syncthreads();
    } else {
        if (lane == 0)
            while (atomicAdd(&flag, 0) == 0) {
            }
        __syncthreads();
        y[lane] = box[31 - lane];
    }
#elif BUG == -3
        __syncthreads();
        y[lane] = box[31 - lane];
    } else {
        if (lane == 0)
            for (int i = 0; i < 1000; i++) atomicAdd(turns, 1);
        if (lane == 0) atomicSub(turns, 1000);
        __syncthreads();
    }
#else
    } else {
#if BUG == -1
        if (lane == 0) {
            int up;
            do
                asm volatile("ld.acquire.cta.shared.s32 %0, [%1];"
                             : "=r"(up)
                             : "l"(__cvta_generic_to_shared(&flag))
                             : "memory");
            while (up == 0);
        }
        __syncwarp();
#elif BUG == 2
        if (lane == 0) {
            while (atomicAdd(&flag, 0) == 0) {
            }
            __threadfence_block();
        }
#elif BUG == 4
        if (lane == 0)
            while (*(volatile int *)&flag == 0) {
            }
        __syncwarp();
#elif BUG == -4
        while (atomicAdd(&flag, 0) == 0) {
        }
        __threadfence_block();
#else
        if (lane == 0) {
            int up;
            do up = *(volatile int *)&flag; //@ wait
            while (up == 0);
            __threadfence_block();
        }
        __syncwarp();
#endif
        y[lane] = box[31 - lane]; //@ take
    }
#endif
}
