// What a GPU does at edges: sizes of shared memory, and lanes of one warp that wait for each other.
#include <cstdio>
#include <cstdint>
#define SR(name)                                                                                                       \
    ({                                                                                                                 \
        uint32_t v;                                                                                                    \
        asm volatile("mov.u32 %0, %%" name ";" : "=r"(v));                                                             \
        v;                                                                                                             \
    })
template <int N> __global__ void sizes(uint32_t *o) {
    __shared__ uint8_t s[N];
    s[threadIdx.x % N] = 1;
    if (threadIdx.x == 0) {
        o[0] = SR("total_smem_size");
        o[1] = SR("dynamic_smem_size");
        o[2] = SR("aggr_smem_size");
        o[3] = SR("reserved_smem_offset_begin");
        o[4] = SR("reserved_smem_offset_end");
        o[5] = SR("reserved_smem_offset_cap");
        o[6] = s[0];
    }
}
__global__ void none(uint32_t *o) {
    o[0] = SR("total_smem_size");
    o[1] = SR("dynamic_smem_size");
    o[2] = SR("aggr_smem_size");
    o[3] = SR("reserved_smem_offset_begin");
    o[4] = SR("reserved_smem_offset_end");
    o[5] = SR("reserved_smem_offset_cap");
    o[6] = 0;
}
#define MOST 20000000
// lane 0 polls; lane 1 sets the flag behind the place where both meet
__global__ void join_volatile(int *f, int *o) {
    int n = 0;
    if (threadIdx.x == 0)
        while (*(volatile int *)f == 0 && n < MOST) n++;
    if (threadIdx.x == 1) *(volatile int *)f = 1;
    o[threadIdx.x] = n;
}
__global__ void join_atomic(int *f, int *o) {
    int n = 0;
    if (threadIdx.x == 0)
        while (atomicAdd(f, 0) == 0 && n < MOST) n++;
    if (threadIdx.x == 1) atomicExch(f, 1);
    o[threadIdx.x] = n;
}
__global__ void join_late(int *f, int *o) {
    int n = 0;
    if (threadIdx.x == 0)
        while (*(volatile int *)f == 0 && n < MOST) n++;
    if (threadIdx.x == 1) {
        for (int i = 0; i < 1000; i++) __nanosleep(100);
        *(volatile int *)f = 1;
    }
    o[threadIdx.x] = n;
}
// the same with an exchange or a barrier of the block between
__global__ void join_syncwarp(int *f, int *o) {
    int n = 0;
    if (threadIdx.x == 0)
        while (atomicAdd(f, 0) == 0 && n < MOST) n++;
    __syncwarp();
    if (threadIdx.x == 1) atomicExch(f, 1);
    o[threadIdx.x] = n;
}
__global__ void join_block(int *f, int *o) {
    int n = 0;
    if (threadIdx.x == 0)
        while (atomicAdd(f, 0) == 0 && n < MOST) n++;
    __syncthreads();
    if (threadIdx.x == 1) atomicExch(f, 1);
    o[threadIdx.x] = n;
}
// another warp sets it before the barrier; after it
__global__ void other_before(int *f, int *o) {
    int n = 0;
    if (threadIdx.x == 0)
        while (atomicAdd(f, 0) == 0 && n < MOST) n++;
    if (threadIdx.x == 32) {
        for (int i = 0; i < 1000; i++) __nanosleep(100);
        atomicExch(f, 1);
    }
    __syncthreads();
    o[threadIdx.x] = n;
}
__global__ void other_after(int *f, int *o) {
    int n = 0;
    if (threadIdx.x == 0)
        while (atomicAdd(f, 0) == 0 && n < MOST) n++;
    __syncthreads();
    if (threadIdx.x == 32) atomicExch(f, 1);
    o[threadIdx.x] = n;
}
// lock between lanes; both ways round in a branch
__global__ void in_branch(int *f, int *o) {
    int n = 0;
    if (threadIdx.x == 0) {
        while (atomicAdd(f, 0) == 0 && n < MOST) n++;
    } else {
        if (threadIdx.x == 1) atomicExch(f, 1);
    }
    o[threadIdx.x] = n;
}
__global__ void in_loop(int *f, int *o) {
    int n = 0;
    for (int r = 0; r < 4; r++) {
        if (threadIdx.x == 0)
            while (atomicAdd(f, 0) <= r && n < MOST) n++;
        if (threadIdx.x == 1) atomicAdd(f, 1);
    }
    o[threadIdx.x] = n;
}
__global__ void lane_lock(int *f, int *o) {
    int n = 0;
    bool done = false;
    while (!done && n < MOST) {
        n++;
        if (atomicCAS(f, 0, 1) == 0) {
            o[32]++;
            __threadfence();
            atomicExch(f, 0);
            done = true;
        }
    }
    o[threadIdx.x] = n;
}
__global__ void lane_lock_inner(int *f, int *o) {
    int n = 0;
    while (atomicCAS(f, 0, 1) != 0 && n < MOST) n++;
    o[32]++;
    __threadfence();
    atomicExch(f, 0);
    o[threadIdx.x] = n;
}
// bar.sync by part of a warp, the others arrive later from another place
__global__ void two_places(int *f, int *o) {
    if (threadIdx.x & 1) {
        asm volatile("barrier.sync 0;" ::: "memory");
        o[threadIdx.x] = 1;
    } else {
        __nanosleep(1000);
        asm volatile("barrier.sync 0;" ::: "memory");
        o[threadIdx.x] = 2;
    }
}
static void tell(const char *name, int *o) {
    cudaError_t e = cudaDeviceSynchronize();
    printf("%s: %s; polls of lane 0: %d%s\n", name, cudaGetErrorName(e), e == cudaSuccess ? o[0] : -1,
           e == cudaSuccess && o[0] >= MOST ? " (never saw it)" : "");
    fflush(stdout);
}
int main() {
    uint32_t *u;
    int *f, *o;
    cudaMallocManaged(&u, 4096);
    cudaMallocManaged(&f, 4096);
    cudaMallocManaged(&o, 4096);
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    printf("%s, sm_%d%d\n", p.name, p.major, p.minor);
#define S(N, D)                                                                                                        \
    {                                                                                                                  \
        cudaFuncSetAttribute(sizes<N>, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000);                           \
        sizes<N><<<1, 32, D>>>(u);                                                                                     \
        cudaError_t e = cudaDeviceSynchronize();                                                                       \
        printf("static %d dynamic %d: %s total %u dynamic %u aggr %u reserved %u..%u cap %u\n", N, D,                  \
               cudaGetErrorName(e), u[0], u[1], u[2], u[3], u[4], u[5]);                                               \
    }
    S(64, 0)
    S(128, 0) S(129, 0) S(176, 0) S(64, 1) S(64, 64) S(64, 65) S(100, 100) S(1000, 30000) S(1024, 0) S(1024, 128)
        S(40000, 5000) for (int d : {0, 1, 100, 128, 200}) {
        none<<<1, 1, d>>>(u);
        cudaDeviceSynchronize();
        printf("static 0 dynamic %d: total %u dynamic %u aggr %u reserved %u..%u cap %u\n", d, u[0], u[1], u[2], u[3],
               u[4], u[5]);
    }
#define K(name, threads)                                                                                               \
    {                                                                                                                  \
        memset(f, 0, 4096);                                                                                            \
        memset(o, 0, 4096);                                                                                            \
        name<<<1, threads>>>(f, o);                                                                                    \
        tell(#name, o);                                                                                                \
        if (cudaGetLastError() != cudaSuccess) return 1;                                                               \
    }
    K(join_volatile, 32)
    K(join_atomic, 32) K(join_late, 32) K(join_syncwarp, 32) K(join_block, 32) K(join_block, 64) K(other_before, 64)
        K(other_after, 64) K(in_branch, 32) K(in_loop, 32) K(lane_lock, 32) printf("  %d increments\n", o[32]);
    K(lane_lock_inner, 32)
    printf("  %d increments\n", o[32]);
    K(two_places, 32)
    return 0;
}
