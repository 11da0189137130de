// Histogram of 64 bins of a block's numbers, added to that of all.
extern "C" __global__ void histogram(const int *x, int *total, int n) {
    const int t = threadIdx.x, lane = t % 32, warp = t / 32, *mine = x + n * blockIdx.x;
    int count = 0;
#if BUG == -1
    __shared__ unsigned char column[64][128];
    for (int bin = 0; bin < 64; bin++) column[bin][t] = 0;
    for (int i = t; i < n; i += 128) column[mine[i] & 63][t]++;
    __syncthreads();
    if (t < 64)
        for (int i = 0; i < 128; i++) count += column[t][(i + t) & 127];
#elif BUG == -2
    __shared__ int part[4][64];
    part[warp][lane] = part[warp][lane + 32] = 0;
    __syncwarp();
    for (int i = t; i < n; i += 128) atomicAdd(&part[warp][mine[i] & 63], 1);
    __syncthreads();
    if (t < 64) count = part[0][t] + part[1][t] + part[2][t] + part[3][t];
#else
    __shared__ __align__(16) int bins[64];
#if BUG == -3
    if (t < 16) ((int4 *)bins)[t] = make_int4(0, 0, 0, 0);
#elif BUG == 6
    if (t <= 64) bins[t] = 0; //@ clear 65
#elif BUG != 3
    if (t < 64) bins[t] = 0;      //@ clear
#endif
#if BUG != 2
    __syncthreads();
#endif
    for (int i = t; i < n; i += 128) {
        const int bin = mine[i] & 63;
#if BUG == 1
        bins[bin]++; //@ change
#elif BUG == 5 || BUG == -5
        const unsigned same = __match_any_sync(0xffffffff, bin);
        if (lane == __ffs(same) - 1) {
#if BUG == 5
            bins[bin] += __popc(same); //@ leader
#else
            atomicAdd(&bins[bin], __popc(same));
#endif
        }
#else
        atomicAdd(&bins[bin], 1); //@ count
#endif
    }
#if BUG == -4
    if (__syncthreads_count(lane == 0) != 4) return;
#elif BUG != 4
    __syncthreads();
#endif
    if (t < 64) count = bins[t]; //@ read
#endif
    if (t < 64) atomicAdd(&total[t], count);
}
