// Sums of columns of 32, mirrored: one warp stores rows into two stages, another adds them; named barriers between.
#define SYNC(id, count) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(count) : "memory")
#define ARRIVE(id, count) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(count) : "memory")
#define ARRIVE_APART(id, count) asm volatile("barrier.arrive %0, %1;" ::"r"(id), "r"(count) : "memory")
#if BUG == 1
#define STAGES 1
#else
#define STAGES 2
#endif
extern "C" __global__ void feed(const float *x, float *y, int rows) {
    __shared__ float stage[STAGES][32];
    const int lane = threadIdx.x % 32;
    float sum = 0;
    if (threadIdx.x < 32) {
        for (int i = 0; i < rows; i++) {
            const int s = i % STAGES;
#if BUG == -3
            if (i >= STAGES) __syncthreads();
#elif BUG != 1 && BUG != -1
            if (i >= STAGES) SYNC(4 + s, 64);
#endif
            stage[s][lane] = x[32 * i + lane]; //@ put
#if BUG == 2
            ARRIVE(1 + s, 96); //@ arrive 96
#elif BUG == 4
            if (lane == 0) ARRIVE(1 + s, 64); //@ arrive alone
#elif BUG == -4
            if (lane < 16) ARRIVE_APART(1 + s, 64);
            else ARRIVE_APART(1 + s, 64);
#elif BUG == -3
            __syncthreads();
#elif BUG == 1 || BUG == -1
            SYNC(1 + s, 64);
#else
            ARRIVE(1 + s, 64); //@ arrive
#endif
        }
    } else {
        for (int i = 0; i < rows; i++) {
            const int s = i % STAGES;
#if BUG == -3
            __syncthreads();
#elif BUG == 5
            SYNC(1 + i % 3, 64);              //@ third
#elif BUG != 6
            SYNC(1 + s, 64); //@ wait
#endif
#if BUG == 3
            if (i + STAGES < rows) ARRIVE(4 + s, 64);
#endif
            sum += stage[s][31 - lane]; //@ take
#if BUG == -3
            if (i + STAGES < rows) __syncthreads();
#elif BUG != 3 && BUG != 1 && BUG != -1
            if (i + STAGES < rows) ARRIVE(4 + s, 64);
#endif
        }
        y[lane] = sum;
    }
}
