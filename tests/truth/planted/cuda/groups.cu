// Sums of rows by cooperative groups: tiles of 32 add their numbers, then one thread adds the sums.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
extern "C" __global__ void groups(const int *x, int *y, int n) {
    extern __shared__ int sums[];
#if BUG == -1
    __shared__ cg::block_tile_memory<128> scratch;
    auto block = cg::this_thread_block(scratch);
    auto tile = cg::tiled_partition<64>(block);
#else
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);
#endif
    const int t = block.thread_rank(), rank = tile.meta_group_rank();
    const int value = t < n ? x[n * blockIdx.x + t] : 0;
    if (t < 4) sums[t] = 0; //@ zero
    block.sync();
#if BUG == 2
    int sum = 0;
    if (t < n) sum = cg::reduce(tile, value, cg::plus<int>()); //@ some
    if (tile.thread_rank() == 0) sums[rank] = sum;
#elif BUG == -2
    if (t < n) {
        auto some = cg::coalesced_threads();
        const int sum = cg::reduce(some, value, cg::plus<int>());
        if (some.thread_rank() == 0) atomicAdd(&sums[rank], sum);
    }
#else
    const int sum = cg::reduce(tile, value, cg::plus<int>());
#if BUG == 3
    if (tile.thread_rank() == 0) sums[0] += sum; //@ one sum
#elif BUG == -3
    if (tile.thread_rank() == 0) atomicAdd(&sums[0], sum);
#else
    if (tile.thread_rank() == 0) sums[rank] = sum; //@ put
#endif
#endif
#if BUG == 1
    tile.sync();
#elif BUG == 4
    if (t < n) block.sync(); //@ inside
#else
    block.sync();
#endif
    if (t == 0) y[blockIdx.x] = sums[0] + sums[1] + sums[2] + sums[3]; //@ take
}
