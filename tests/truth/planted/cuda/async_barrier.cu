// Moving differences of blocks of a signal that cuda::memcpy_async brings, one cuda::barrier for all of them.
#include <cuda/barrier>
#include <utility>

using barrier = cuda::barrier<cuda::thread_scope_block>;

extern "C" __global__ void differences(const float *x, float *out, int blocks) {
    __shared__ alignas(16) float tile[512];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ barrier ready;
    __shared__ barrier done;
    const int t = threadIdx.x;
    if (t == 0) {
#if BUG == 4
        init(&ready, blockDim.x + 1); //@ init
#else
        init(&ready, blockDim.x); //@ made
#endif
        init(&done, blockDim.x);
    }
#if BUG != 1
    __syncthreads();
#endif
    for (int i = 0; i < blocks; ++i) {
        const float *from = x + 512 * i + 4 * t;
        cuda::memcpy_async(&tile[4 * t], from, cuda::aligned_size_t<16>(16), ready); //@ copy
#if BUG == 2
        (void)ready.arrive();
        __syncthreads();
#endif
#if BUG == 5
        barrier::arrival_token token = ready.arrive();
        const float last = tile[(4 * t + 4) % 512]; //@ early
        ready.wait(std::move(token));
#endif
#if BUG == -5
        barrier::arrival_token token = ready.arrive();
        const float scale = 1 + (i & 1);
        ready.wait(std::move(token));
#endif
#if BUG != 2 && BUG != 5 && BUG != -5
        ready.arrive_and_wait(); //@ wait
#endif
#if BUG != -5
        const float scale = 1 + (i & 1);
#endif
#if BUG != 5
        const float last = tile[(4 * t + 4) % 512]; //@ neighbour
#endif
        float4 v = *(float4 *)&tile[4 * t]; //@ read
        v = make_float4(v.y - v.x, v.z - v.y, v.w - v.z, last - v.w);
        *(float4 *)&out[512 * i + 4 * t] = make_float4(scale * v.x, scale * v.y, scale * v.z, scale * v.w);
#if BUG == -3
        done.arrive_and_wait();
#endif
#if BUG != 3 && BUG != -3
        __syncthreads();
#endif
    }
}
