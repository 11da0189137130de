// Sums of rows, with tiles of cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

extern "C" __global__ void sums(const int *x, int *y, int *pairs) {
    extern __shared__ int part[];
    const cg::thread_block block = cg::this_thread_block();
    const cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    const int t = block.thread_rank(), value = x[blockIdx.x * 128 + t];

    part[t] = value; //@ own
#if BUG != 4
    tile.sync();
#endif
    pairs[blockIdx.x * 128 + t] = part[t ^ 1]; //@ other
    block.sync();
#if BUG == -1
    __shared__ cg::block_tile_memory<128> memory;
    const auto pair = cg::tiled_partition<64>(cg::this_thread_block(memory));
    part[t] = value;
    block.sync();
    const int half = cg::reduce(pair, part[t], cg::plus<int>());
    block.sync();
    if (pair.thread_rank() == 0) part[t / 64] = half;
    if (t == 64) part[2] = part[3] = 0;
    block.sync();
    if (t == 0) y[blockIdx.x] = part[0] + part[1];
#else
#if BUG == 3
    int sum = 0;
    if (tile.thread_rank() < 24) sum = cg::reduce(tile, value, cg::plus<int>()); //@ some
#elif BUG == -3
    int sum = 0;
    if (value % 2) {
        const cg::coalesced_group odd = cg::coalesced_threads();
        const int all = cg::reduce(odd, value, cg::plus<int>());
        if (odd.thread_rank() == 0) sum = all;
    } else {
        const cg::coalesced_group even = cg::coalesced_threads();
        const int all = cg::reduce(even, value, cg::plus<int>());
        if (even.thread_rank() == 0) sum = all;
    }
    sum = cg::reduce(tile, sum, cg::plus<int>());
#elif BUG == -4
    int sum = value;
    for (int step = tile.size() / 2; step; step /= 2) sum += tile.shfl_xor(sum, step);
#else
    const int sum = cg::reduce(tile, value, cg::plus<int>());
#endif
    if (tile.thread_rank() == 0) part[tile.meta_group_rank()] = sum;             //@ leave
#if BUG == 2
    tile.sync();
#elif BUG == -2
    auto token = block.barrier_arrive();
    block.barrier_wait(static_cast<cg::thread_block::arrival_token &&>(token));
#elif BUG != 1
    block.sync();
#endif
    if (tile.meta_group_rank() == 0) {
        const int all = cg::reduce(tile, t < 4 ? part[t] : 0, cg::plus<int>()); //@ gather
        if (t == 0) y[blockIdx.x] = all;
    }
#endif
}
