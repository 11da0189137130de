// cp.async in all its forms, pipelines, bulk copies, tensor maps and barriers.
typedef unsigned u32;
typedef unsigned long long u64;
#ifndef __CUDACC_RTC__
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>
#endif

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
__global__ void copies(const float4 *in, float4 *out, int bytes, u64 policy) {
    __shared__ __align__(128) float4 tile[512];
    const u32 to = static_cast<u32>(__cvta_generic_to_shared(tile + threadIdx.x));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in));
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(in), "n"(8));
    asm volatile("cp.async.cg.shared.global [%0 + 4096], [%1 + 64], 16;" ::"r"(to), "l"(in));
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(to), "l"(in));
    asm volatile("cp.async.ca.shared.global.L2::64B [%0], [%1], 16, %2;" ::"r"(to), "l"(in), "r"(bytes));
    asm volatile("cp.async.cg.shared.global.L2::256B [%0], [%1], 16, 12;" ::"r"(to), "l"(in));
    asm volatile("cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %2;" ::"r"(to), "l"(in), "l"(policy));
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %2, 0; @p cp.async.cg.shared.global [%0], [%1], 16;\n"
                 "  @!p st.shared.v4.u32 [%0], {0, 0, 0, 0}; }" ::"r"(to), "l"(in), "r"(bytes));
    asm volatile("cp.async.commit_group;\ncp.async.wait_group 1;\ncp.async.wait_all;" ::: "memory");
#ifndef __CUDACC_RTC__
    __pipeline_memcpy_async(tile + threadIdx.x, in + threadIdx.x, 16);
    __pipeline_memcpy_async(tile + threadIdx.x + 128, in + threadIdx.x, 16, 4);
    __pipeline_memcpy_async(reinterpret_cast<float *>(tile) + threadIdx.x, reinterpret_cast<const float *>(in) + threadIdx.x, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    auto block = cooperative_groups::this_thread_block();
    cooperative_groups::memcpy_async(block, tile, in, sizeof(float4) * 256);
    cooperative_groups::wait(block);
#endif
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x];
}

__global__ void barriers(const float4 *in, float4 *out) {
    __shared__ __align__(8) u64 barrier;
    __shared__ float4 tile[256];
    const u32 b = static_cast<u32>(__cvta_generic_to_shared(&barrier));
    const u32 to = static_cast<u32>(__cvta_generic_to_shared(tile + threadIdx.x));
    u64 state;
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(b), "r"(blockDim.x));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;\ncp.async.mbarrier.arrive.noinc.shared.b64 [%2];" ::"r"(to), "l"(in), "r"(b));
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(b));
    asm volatile("{\n.reg .pred done;\nAGAIN:\nmbarrier.test_wait.shared.b64 done, [%0], %1;\n@done bra DONE;\nbra AGAIN;\nDONE:\n}" ::"r"(b), "l"(state));
    out[threadIdx.x] = tile[threadIdx.x];
}
#endif

#if __CUDA_ARCH__ >= 900
__global__ void bulk(const void *in, void *out, const void *map, int x, int y) {
    extern __shared__ __align__(1024) unsigned char room[];
    __shared__ __align__(8) u64 barrier;
    const u32 b = static_cast<u32>(__cvta_generic_to_shared(&barrier)), to = static_cast<u32>(__cvta_generic_to_shared(room));
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b));
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 4096;" ::"r"(b));
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 4096, [%2];" ::"r"(to), "l"(in), "r"(b));
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
                 ::"r"(to), "l"(map), "r"(b), "r"(x), "r"(y));
    asm volatile("{ .reg .pred P1; LAB_WAIT: mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], 0; @P1 bra DONE; bra LAB_WAIT; DONE: }" ::"r"(b));
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 1024;" ::"l"(out), "r"(to));
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], 1024;" ::"l"(out), "r"(to));
    asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; cp.async.bulk.wait_group.read 0;");
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(to), "r"(x), "r"(b));
}
#endif
