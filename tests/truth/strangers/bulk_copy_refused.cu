// run: --kernel size --target sm_90a --grid 1 --block 32 --arg y=f32[64]
//
//
//
__global__ void size(float *y) {
    __shared__ alignas(16) float s[64];
    s[threadIdx.x] = threadIdx.x;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0)
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;"
            :: "l"(y), "r"((unsigned)__cvta_generic_to_shared(s)), "r"(24) : "memory");
}
