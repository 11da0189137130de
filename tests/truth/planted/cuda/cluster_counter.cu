// Blocks of a cluster count themselves in the shared memory of the first, which waits for all and tells how many there are.
#include <cooperative_groups.h>
#include <cuda/atomic>

namespace cg = cooperative_groups;
using Count = cuda::atomic_ref<int, cuda::thread_scope_device>;

extern "C" __global__ void count(int *out) {
    __shared__ int arrived;
    const auto cluster = cg::this_cluster();
    const int t = threadIdx.x;
    if (t == 0) arrived = 0;
    cluster.sync();
    if (cluster.block_rank() != 0) {
        if (t == 0) {
            int *first = cluster.map_shared_rank(&arrived, 0);
#if BUG == -1
            __threadfence();
            Count(*first).fetch_add(1, cuda::memory_order_relaxed);
#else
            Count(*first).fetch_add(1, cuda::memory_order_release); //@ add
#endif
        }
        return;
    }
    int seen = 0;
#if BUG == 1
    if (t == 0) seen = Count(arrived).load(cuda::memory_order_acquire);
    if (seen > 3) out[1] = seen;
    seen = 3;
#elif BUG == -1
    while (t == 0 && (seen = Count(arrived).load(cuda::memory_order_relaxed)) < 3);
    __threadfence();
#else
    while (t == 0 && (seen = Count(arrived).load(cuda::memory_order_acquire)) < 3);
#endif
    __syncthreads();
    if (t == 0) out[0] = seen + 1;
}
