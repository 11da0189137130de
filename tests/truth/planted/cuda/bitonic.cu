// Bitonic sort of 256 numbers a block in shared memory.
extern "C" __global__ void bitonic(const int *x, int *y) {
    __shared__ int s[256];
    const int t = threadIdx.x;
    s[t] = x[256 * blockIdx.x + t]; //@ fill
    __syncthreads();
    for (int size = 2; size <= 256; size *= 2) {
        for (int step = size / 2; step > 0; step /= 2) {
            const int other = t ^ step;
            const bool up = (t & size) == 0;
#if BUG == -3
            const int mine = s[t], theirs = s[other];
            __syncthreads();
            s[t] = ((t < other) == up) ? min(mine, theirs) : max(mine, theirs);
#elif BUG == 3
            const int mine = s[t], theirs = s[other];                           //@ read both
            s[t] = ((t < other) == up) ? min(mine, theirs) : max(mine, theirs); //@ store mine
#elif BUG == 4
            if (step < 32) {
                int mine = s[t];
                if ((t < other) == up) mine = min(mine, __shfl_xor_sync(0xffffffff, mine, step)); //@ up
                s[t] = mine;
            } else if (other > t && (s[t] > s[other]) == up) {
                const int kept = s[t];
                s[t] = s[other];
                s[other] = kept;
            }
#elif BUG == -4
            if (step < 32) {
                int mine = s[t];
                if ((t < other) == up) mine = min(mine, __shfl_xor_sync(0xffffffff, mine, step));
                else mine = max(mine, __shfl_xor_sync(0xffffffff, mine, step));
                s[t] = mine;
            } else if (other > t && (s[t] > s[other]) == up) {
                const int kept = s[t];
                s[t] = s[other];
                s[other] = kept;
            }
#else
            if (other > t) {
                const int mine = s[t], theirs = s[other]; //@ read
                if ((mine > theirs) == up) {
                    s[t] = theirs;   //@ swap low
                    s[other] = mine; //@ swap high
                }
#if BUG == 1
                __syncthreads(); //@ inside
#endif
            }
#endif
#if BUG == 2
            __syncwarp();
#elif BUG == -2
            if (step >= 32 || step == 1) __syncthreads();
            else __syncwarp();
#elif BUG == 5
            if (step >= 32) __syncthreads();
            else __syncwarp();
#elif BUG != 1
            __syncthreads();
#endif
        }
    }
    y[256 * blockIdx.x + t] = s[t]; //@ out
}
