// Sums of 256 numbers each; the last steps of the tree are those of one warp.
extern "C" __global__ void warp_tail(const int *x, int *out) {
#if BUG == 1
    __shared__ volatile int s[128];
#else
    __shared__ int s[128];
#endif
    const int t = threadIdx.x, *mine = x + 256 * blockIdx.x;
    s[t] = mine[t] + mine[t + 128];
    __syncthreads();
    if (t < 64) s[t] += s[t + 64]; //@ half
#if BUG == 3
    if (t < 64) __syncthreads(); //@ inside
#else
    __syncthreads();
#endif
#if BUG == -1
    if (t < 32) {
        int sum = s[t] + s[t + 32];
        for (int step = 16; step; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
        if (t == 0) out[blockIdx.x] = sum;
    }
    return;
#endif
    if (t < 32) {
#if BUG == 1
        s[t] = s[t] + s[t + 32]; //@ 32
        s[t] = s[t] + s[t + 16]; //@ 16
        s[t] = s[t] + s[t + 8];  //@ 8
        s[t] = s[t] + s[t + 4];  //@ 4
        s[t] = s[t] + s[t + 2];  //@ 2
        s[t] = s[t] + s[t + 1];  //@ 1
#elif BUG == 2
        for (int step = 32; step; step /= 2) {
            s[t] += s[t + step]; //@ both
            __syncwarp();
        }
#elif BUG == -2
        for (int step = 32; step; step /= 2) {
            if (t < step) s[t] += s[t + step];
            __syncwarp();
        }
#elif BUG == 4
        for (int step = 32; step; step /= 2) {
            if (t < step) s[t] += s[t + step];
            __syncwarp(0xffff); //@ 16 lanes
        }
#elif BUG == -4
        if (t < 32) s[t] += s[t + 32];
        __syncwarp();
        if (t < 16)
            for (int step = 16; step; step /= 2) {
                if (t < step) s[t] += s[t + step];
                __syncwarp(0xffff);
            }
#elif BUG == 5
        for (int step = 32; step; step /= 2) {
            if (t < step) {
                s[t] += s[t + step]; //@ one step
                __syncwarp();        //@ of fewer
            }
        }
#elif BUG == -5
        for (int step = 32; step; step /= 2) {
            if (t < step) {
                const unsigned lower = step < 32 ? (1u << step) - 1 : 0xffffffff;
                s[t] += s[t + step];
                __syncwarp(lower);
            }
        }
#else
        int sum = s[t];
        for (int step = 32; step; step /= 2) {
            sum += s[t + step];
            __syncwarp();
            s[t] = sum;
            __syncwarp();
        }
#endif
        if (t == 0) out[blockIdx.x] = s[0];
    }
}
