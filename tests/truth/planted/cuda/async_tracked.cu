// The elements of a tile in reverse: threads copy it asynchronously, and an mbarrier object counts their copies.
#include <cstdint>

__device__ __forceinline__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

extern "C" __global__ void reverse(const float *x, float *y) {
    __shared__ alignas(16) float tile[256];
    __shared__ uint64_t full;
    const int t = threadIdx.x;
    if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(at(&full)) : "memory");
    __syncthreads();
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at(tile + 4 * t)), "l"(x + 4 * t) : "memory"); //@ copy
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at(&full)) : "memory");
#if BUG == 1
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
#elif BUG == 2
    __syncthreads();
#elif BUG == -1
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
#elif BUG == -2
    if (t < 32) asm volatile("{ .reg .pred p; W: mbarrier.test_wait.parity.shared.b64 p, [%0], 0; @!p bra W; }" ::"r"(at(&full)) : "memory");
    __syncthreads();
#else
    asm volatile("{ .reg .pred p; W: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra W; }" ::"r"(at(&full)) : "memory");
#endif
    for (int i = 0; i < 4; ++i) y[64 * i + t] = tile[255 - (64 * i + t)]; //@ read
}
