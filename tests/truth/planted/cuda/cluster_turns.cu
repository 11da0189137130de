// Two blocks of a cluster exchange their rows in rounds, by two buffers in turn.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

#if BUG == 1
#define ARRIVE asm volatile("barrier.cluster.arrive.relaxed.aligned;")
#elif BUG == -1
#define ARRIVE asm volatile("fence.acq_rel.cluster; barrier.cluster.arrive.relaxed.aligned;" ::: "memory")
#else
#define ARRIVE asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory")
#endif
#define WAIT asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory")

extern "C" __global__ void exchange(const int *x, int *y, int rounds) {
    __shared__ int row[2][64];
    const auto cluster = cg::this_cluster();
    const int t = threadIdx.x;
    int value = x[blockIdx.x * 64 + t], sum = 0;
#pragma unroll 1
    for (int i = 0; i < rounds; ++i) {
        row[i & 1][t] = value; //@ write
        ARRIVE;
        value = 3 * value + 1;
        WAIT;
        sum += cluster.map_shared_rank(&row[i & 1][0], cluster.block_rank() ^ 1)[63 - t]; //@ read
    }
    ARRIVE;
    y[blockIdx.x * 64 + t] = sum;
    WAIT;
}
