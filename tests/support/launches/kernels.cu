// Kernels without a race, one for each part of the engine: what they write does not depend on the order of threads or blocks.
#include <cooperative_groups.h>
#include <cuda_fp16.h>
#include <mma.h>
namespace cg = cooperative_groups;

extern "C" __global__ void atomics(unsigned *u, unsigned long long *wide, float *f, __half2 *h, unsigned short *s, uint4 *quad) {
    __shared__ unsigned mine[4];
    const int t = threadIdx.x;
    if (t < 4) mine[t] = 0;
    __syncthreads();
    atomicAdd(&mine[t & 3], 1u);
    atomicMax(&u[1], blockIdx.x * blockDim.x + t);
    atomicOr(&u[2], 1u << (t & 31));
    atomicInc(&u[3], 0xffffffffu);
    atomicAdd(wide, 3ull);
    atomicAdd(f, 1.0f);
    atomicAdd(h, __floats2half2_rn(1.0f, 1.0f));
    unsigned short seen = 0, wanted;
    do { wanted = seen; seen = atomicCAS(s, wanted, (unsigned short)(wanted + 1)); } while (seen != wanted);
    __syncthreads();
    if (t < 4) atomicAdd(&u[0], mine[t]);
    asm volatile("{ .reg .b128 a, b, c; .reg .b64 z; mov.u64 z, 0; mov.b128 a, {z, z}; mov.b128 b, {z, z};"
                 " atom.global.cas.b128 c, [%0], a, b; }" ::"l"(quad) : "memory");
}

__device__ __noinline__ int deep(int n) {
    volatile int own[8];
    own[n & 7] = n;
    return n == 0 ? 0 : own[n & 7] + deep(n - 1);
}

extern "C" __global__ void exchanges(const int *x, int *o, unsigned *votes) {
    extern __shared__ int tile[];
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    tile[t] = x[i];
    __syncthreads();
    int v = tile[blockDim.x - 1 - t];
    for (int d = 16; d; d /= 2) v += __shfl_xor_sync(~0u, v, d);
    if (t & 1) v += deep(t & 15);
    else v ^= __popc(__activemask());
    v += __reduce_add_sync(~0u, t) + __match_any_sync(~0u, t & 3);
    if (t % 32 == 0) votes[i / 32] = __ballot_sync(1u, v > 0);
    o[i] = v;
}

extern "C" __global__ void heap(int *o) {
    const int t = threadIdx.x;
    int *own = (int *)malloc(64);
    for (int i = 0; i < 16; i++) own[i] = t * i;
    o[blockIdx.x * blockDim.x + t] = own[t & 15];
    free(own);
    if (t == 0) printf("block %d of %d\n", blockIdx.x, gridDim.x);
}

extern "C" __global__ void __cluster_dims__(2, 1, 1) cluster(int *o) {
    __shared__ int mine[64];
    cg::cluster_group group = cg::this_cluster();
    mine[threadIdx.x] = group.block_rank() * 1000 + threadIdx.x;
    group.sync();
    o[blockIdx.x * blockDim.x + threadIdx.x] = group.map_shared_rank(mine, group.block_rank() ^ 1)[threadIdx.x];
    group.sync();
}

extern "C" __global__ void products(const __half *a, const __half *b, float *o) {
    using namespace nvcuda::wmma;
    fragment<matrix_a, 16, 16, 16, __half, row_major> fa;
    fragment<matrix_b, 16, 16, 16, __half, col_major> fb;
    fragment<accumulator, 16, 16, 16, float> fc;
    fill_fragment(fc, 0.0f);
    load_matrix_sync(fa, a, 16);
    load_matrix_sync(fb, b, 16);
    mma_sync(fc, fa, fb, fc);
    store_matrix_sync(o + blockIdx.x * 256, fc, 16, mem_row_major);
}

extern "C" __global__ void copies(const int4 *x, int4 *o) {
    __shared__ alignas(128) int4 tile[64];
    __shared__ alignas(8) unsigned long long bar;
    const unsigned place = (unsigned)__cvta_generic_to_shared(tile), object = (unsigned)__cvta_generic_to_shared(&bar);
    const int t = threadIdx.x;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(place + 16 * t), "l"(x + blockIdx.x * 64 + t));
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    int4 v = tile[t ^ 1];
    if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1; fence.mbarrier_init.release.cluster;" ::"r"(object) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 1024;" ::"r"(object) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];" ::"r"(place),
                     "l"(x + blockIdx.x * 64), "r"(object) : "memory");
    }
    asm volatile("{ .reg .pred p; L: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra L; }" ::"r"(object) : "memory");
    v.x += tile[t].x;
    o[blockIdx.x * 64 + t] = v;
}

extern "C" __global__ void spins(int n, int *o) {
    int v = threadIdx.x;
    for (int i = 0; i < n; i++) v = v * 1664525 + 1013904223;
    o[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

extern "C" __global__ void waits(unsigned *ticket, int *o) {
    if (threadIdx.x == 0) {
        atomicAdd(ticket, 1u);
        while (atomicAdd(ticket, 0u) < gridDim.x) {}
        __threadfence();
    }
    __syncthreads();
    o[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
