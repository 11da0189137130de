// A histogram whose bins are spread over the shared memory of the two blocks of a cluster.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

extern "C" __global__ void histogram(const int *x, int *bins, int n) {
    __shared__ int mine[64];
    const auto cluster = cg::this_cluster();
    const int t = threadIdx.x, rank = cluster.block_rank();
    const int first = blockIdx.x * blockDim.x + t, all = gridDim.x * blockDim.x;
    if (t < 64) mine[t] = 0; //@ clear
#if BUG == 1
    __syncthreads();
#elif BUG == 4
    cluster.barrier_arrive();
#elif BUG == -4
    auto token = cluster.barrier_arrive();
    const int early = x[first];
    cluster.barrier_wait(std::move(token));
#elif BUG == 5
    (void)cluster.barrier_arrive(); //@ arrive
    cluster.sync();                 //@ sync
#elif BUG == -1
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
#else
    cluster.sync();
#endif
    for (int i = first; i < n; i += all) {
#if BUG == -4
        const int bin = i == first ? early : x[i];
#else
        const int bin = x[i];
#endif
        int *there = cluster.map_shared_rank(mine, bin / 64);
#if BUG == 3
        there[bin % 64] += 1; //@ plain
#elif BUG == 6
        if (bin / 64 == rank) ++mine[bin % 64]; //@ own
        else atomicAdd(&there[bin % 64], 1);    //@ other
#else
        atomicAdd(&there[bin % 64], 1); //@ add
#endif
    }
#if BUG == 4
    asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
#endif
#if BUG == 2
    __syncthreads();
#else
    cluster.sync();
#endif
    if (t < 64) atomicAdd(&bins[64 * rank + t], mine[t]); //@ read
}
