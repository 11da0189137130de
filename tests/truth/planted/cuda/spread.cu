// Spreads the largest number of each run to its neighbours until nothing changes; zeros are walls.
extern "C" __global__ void spread(const int *x, int *y, int *rounds) {
    __shared__ int s[130];
    const int t = threadIdx.x;
    s[t + 1] = x[t] > 30 ? x[t] : 0;
    if (t < 2) s[129 * t] = 0;
    bool changed = true;
    int turns = 0;
    __syncthreads();
#if BUG == 1
    while (changed) {
#elif BUG == -1
    __shared__ int again;
    for (;;) {
        if (t == 0) again = 0;
        __syncthreads();
        if (changed) again = 1;
        __syncthreads();
        if (!again) break;
#else
    while (__syncthreads_or(changed)) {
#endif
        const int old = s[t + 1];                          //@ old
        const int largest = max(old, max(s[t], s[t + 2])); //@ neighbours
#if BUG == 2
        if (old == 0) {
            changed = false;
            continue;
        }
#endif
#if BUG == 1 || BUG == 2
        __syncthreads(); //@ inside
#elif BUG == -2
        __syncthreads();
        if (old == 0) {
            changed = false;
            continue;
        }
#elif BUG != 3
        __syncthreads();
#endif
        changed = old != 0 && largest != old;
        if (changed) s[t + 1] = largest; //@ change
#if BUG == 1
        __syncthreads();
#endif
        turns++;
    }
    int digits = 0;
#if BUG == 4
    for (int left = s[t + 1]; left > 0; left /= 2) digits += __shfl_sync(0xffffffff, 1, 0); //@ lanes left
    digits = __shfl_xor_sync(0xffffffff, digits, 1);
#elif BUG == -4
    for (int left = 64 * s[t + 1]; left > 0; left -= 1) digits += atomicAdd(rounds, 0) == 0;
    digits = __shfl_xor_sync(0xffffffff, digits, 1);
#endif
    y[t] = s[t + 1];
    if (turns + digits < 0) *rounds = turns;
}
