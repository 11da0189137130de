// Dot products of two vectors, fetched in pieces through a cuda::pipeline of two stages.
#include <cooperative_groups.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;
constexpr int stages = 2, piece = 128;

extern "C" __global__ void dots(const float *x, const float *y, float *out, int pieces) {
    __shared__ alignas(16) float a[stages][piece], b[stages][piece];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    const auto block = cg::this_thread_block();
#if BUG == 4 || BUG == -4
    auto pipe = cuda::make_pipeline();
#else
    auto pipe = cuda::make_pipeline(block, &state);
#endif
    const int t = threadIdx.x;
    float sum = 0;
    int next = 0;
    for (int i = 0; i < pieces; ++i) {
#if BUG == 3
        for (; next < pieces && next <= i + stages; ++next) {
#else
        for (; next < pieces && next < i + stages; ++next) {
#endif
            const int to = next % stages, from = piece * next;
            pipe.producer_acquire();                                          //@ acquire
            cuda::memcpy_async(&a[to][t], &x[from + t], sizeof(float), pipe); //@ copy
            cuda::memcpy_async(&b[to][t], &y[from + t], sizeof(float), pipe); //@ second
            pipe.producer_commit();
        }
        const int s = i % stages;
#if BUG == 1
        sum += a[s][t] * b[s][piece - 1 - t]; //@ early
        pipe.consumer_wait();
#else
#if BUG == -4
        if (i + 1 < pieces) cuda::pipeline_consumer_wait_prior<1>(pipe);
        else cuda::pipeline_consumer_wait_prior<0>(pipe);
        block.sync();
#else
        pipe.consumer_wait(); //@ wait
#endif
#endif
#if BUG == 2
        pipe.consumer_release();
        sum += a[s][t] * b[s][piece - 1 - t]; //@ late
#endif
#if BUG == -2
        const float mine = a[s][t], other = b[s][piece - 1 - t];
        pipe.consumer_release();
        sum += mine * other;
#endif
#if BUG != 1 && BUG != 2 && BUG != -2
        sum += a[s][t] * b[s][piece - 1 - t]; //@ use
#endif
#if BUG == 4 || BUG == -4
        block.sync();
#endif
#if BUG != 2 && BUG != -2 && BUG != 5
        pipe.consumer_release();
#endif
    }
    for (int step = 16; step; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
    if (t % 32 == 0) atomicAdd(out, sum);
}
