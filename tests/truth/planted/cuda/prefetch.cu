// Sums of mirrored rows of 64: each round reads what the next one adds.
#if BUG == 2 || BUG == -2
#define STAGES 8
#elif BUG == 1
#define STAGES 1
#else
#define STAGES 2
#endif
extern "C" __global__ void prefetch(const int *x, int *y, int rounds) {
    __shared__ int tile[STAGES][64], turned[64];
    const int t = threadIdx.x;
    int sum = 0;
    tile[0][t] = x[t]; //@ first
    __syncthreads();
    int now = tile[0][63 - t]; //@ first read
#if BUG == 1
    __syncthreads();
#endif
    for (int i = 0; i < rounds; i++) { //@ round
        const int s = (i + 1) % STAGES;
#if BUG == 2
        if (i + 2 < rounds) tile[s][t] = x[64 * (i + 1) + t];
#else
        if (i + 1 < rounds) tile[s][t] = x[64 * (i + 1) + t]; //@ fill
#endif
        __syncthreads();
#if BUG == -1 || BUG == -2
        int next;
        asm volatile("ld.shared.s32 %0, [%1];"
                     : "=r"(next)
                     : "l"(__cvta_generic_to_shared(&tile[s][63 - t]))
                     : "memory");
#else
        const int next = tile[s][63 - t];                     //@ ahead
#endif
        sum += now;
        now = next;
    }
#if BUG == -1
    int *last = tile[rounds % STAGES];
    last[t] = sum;
    __syncthreads();
    y[t] = last[t];
#elif BUG == 3 || BUG == -3
    __shared__ int some[32];
    if (t < 4) some[t] = sum;
    __syncthreads();
    const int one = some[t % 32]; //@ some
    turned[t] = one + __shfl_xor_sync(0xffffffff, one, 1);
    __syncthreads();
#if BUG == 3
    y[t] = t > 4 ? sum : turned[t + 1]; //@ of five
#else
    y[t] = t > 3 || turned[t] < 0 ? sum : some[t];
#endif
#elif BUG == 4
    if (t < 32) turned[t] = sum;
    __syncthreads();
    y[t] = turned[t] > 1000 ? 0 : sum; //@ compare
#elif BUG == -4
    if (t < 32) turned[t] = sum;
    __syncthreads();
    const int copy = *(volatile int *)&turned[t];
    y[t] = t < 32 ? copy : sum;
#else
    y[t] = sum;
#endif
}
