// Smooths a ring of numbers several times; each block of the cluster reads the halo out of its neighbours.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

extern "C" __global__ void smooth(const int *x, int *out, int rounds) {
    __shared__ int line[2][64];
    const auto cluster = cg::this_cluster();
    const int t = threadIdx.x, rank = cluster.block_rank(), blocks = cluster.num_blocks();
#if BUG == -2
    if (t >= 64) return;
#endif
#if BUG == 3
    if (t == 64) asm volatile("barrier.cluster.wait;" ::: "memory"); //@ lone wait
#endif
    if (t < 64) line[0][t] = x[64 * rank + t]; //@ fill
    cluster.sync();
    for (int i = 0; i < rounds; ++i) {
        const int from = i % 2;
        if (t < 64) {
            const int *left = cluster.map_shared_rank(line[from], (rank + blocks - 1) % blocks);
            const int *right = cluster.map_shared_rank(line[from], (rank + 1) % blocks);
            const int before = t ? line[from][t - 1] : left[63];     //@ left
            const int after = t < 63 ? line[from][t + 1] : right[0]; //@ right
#if BUG == 5
            line[from][t] = (before + 2 * line[from][t] + after) / 4; //@ in place
#else
            line[from ^ 1][t] = (before + 2 * line[from][t] + after) / 4; //@ store
#endif
        }
#if BUG == 4
        __syncthreads();
#elif BUG == -1
        asm volatile("barrier.cluster.arrive.release;" ::: "memory");
        if (i + 1 == rounds && t < 64) out[64 * rank + t] = line[from ^ 1][t];
        asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
#elif BUG == 1
        if (i + 1 < rounds) cluster.sync();
#else
        cluster.sync();
#endif
#if BUG == 2
        if (rank == 1 && i + 2 == rounds) return;
#endif
    }
#if BUG != -1
    if (t < 64) out[64 * rank + t] = line[rounds % 2][t];
#endif
}
