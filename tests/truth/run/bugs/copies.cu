// Bugs in pipelines of cp.async and in what mbarriers release.  Compiled twice: with -DREPAIRED the missing statement is there.
#include <cstdint>

__device__ __forceinline__ uint32_t shared_address(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ __forceinline__ void copy_16(void *to, const void *from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from) : "memory");
}
__device__ __forceinline__ void copy_4(void *to, const void *from) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared_address(to)), "l"(from) : "memory");
}
__device__ __forceinline__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int N> __device__ __forceinline__ void wait_group() { asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory"); }

__device__ __forceinline__ void init(uint64_t *barrier, unsigned count) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(count) : "memory");
}
__device__ __forceinline__ void arrive(uint64_t *barrier) {
    asm volatile("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"(shared_address(barrier)) : "memory");
}
__device__ __forceinline__ bool is_over(uint64_t *barrier, unsigned parity) {
    unsigned done;
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(shared_address(barrier)), "r"(parity)
                 : "memory");
    return done;
}
__device__ __forceinline__ void wait(uint64_t *barrier, unsigned parity) {
    while (!is_over(barrier, parity));
}

// Three stages, two copies ahead: only one group may still be in flight when a stage is read.
extern "C" __global__ void wait_off_by_one(const float4 *in, float *out, int tiles) {
    __shared__ float4 stage[3][64];
    int me = threadIdx.x;
    float sum = 0;
    for (int t = 0; t < 2; t++) {
        copy_16(&stage[t][me], in + t * 64 + me);  //@ first
        commit();
    }
#pragma unroll 1
    for (int t = 0; t < tiles; t++) {
#ifdef REPAIRED
        wait_group<1>();
#else
        wait_group<2>();
#endif
        __syncthreads();
        const float *tile = (const float *)stage[t % 3];
        sum += tile[(me * 4 + 132) % 256];  //@ read
        if (t + 2 < tiles) copy_16(&stage[(t + 2) % 3][me], in + (t + 2) * 64 + me);  //@ next
        commit();
    }
    out[me] = sum;
}

// The next copy goes into the stage that other warps may still read.
extern "C" __global__ void copy_into_read_stage(const float *in, float *out, int tiles) {
    __shared__ float stage[2][128];
    int me = threadIdx.x;
    float sum = 0;
    copy_4(&stage[0][me], in + me);  //@ first
    commit();
#pragma unroll 1
    for (int t = 0; t < tiles; t++) {
        if (t + 1 < tiles) copy_4(&stage[(t + 1) & 1][me], in + (t + 1) * 128 + me);  //@ next
        commit();
        wait_group<1>();
        __syncthreads();
        sum += stage[t & 1][127 - me];  //@ read
#ifdef REPAIRED
        __syncthreads();
#endif
    }
    out[me] = sum;
}

// A wait covers the copies of the thread that waits, not those of others.
extern "C" __global__ void no_barrier_after_wait(const float *in, float *out) {
    __shared__ float tile[128];
    int me = threadIdx.x;
    copy_4(&tile[me], in + me);  //@ copy
    commit();
    wait_group<0>();
#ifdef REPAIRED
    __syncthreads();
#endif
    out[me] = tile[127 - me];  //@ read
}

// The barrier of this iteration covers the half that was written, not the other one.
extern "C" __global__ void wrong_parity(const float *in, float *out, int tiles) {
    __shared__ float half[2][128];
    int me = threadIdx.x;
    float sum = 0;
    half[1][me] = 0;  //@ zero
#pragma unroll 1
    for (int t = 0; t < tiles; t++) {
        half[t & 1][me] = in[t * 128 + me];  //@ write
        __syncthreads();
#ifdef REPAIRED
        sum += half[t & 1][127 - me];
#else
        sum += half[(t + 1) & 1][127 - me];  //@ read
#endif
    }
    out[me] = sum;
}

// One elected lane arrives for its warp: without __syncwarp it releases its own stores only.
extern "C" __global__ void elected_releases(const float *in, float *out) {
    __shared__ float tile[32];
    __shared__ uint64_t full;
    int me = threadIdx.x;
    if (me == 0) init(&full, 1);
    __syncthreads();
    if (me < 32) {
        tile[me] = in[me];  //@ write
#ifdef REPAIRED
        __syncwarp();
#endif
        if (me == 0) arrive(&full);
    } else {
        wait(&full, 0);
        out[me - 32] = tile[63 - me];  //@ read
    }
}

// Warp 0 fills the tile, warp 1 reads it: a wait for the wrong phase returns at once, or never (hence the limit).
extern "C" __global__ void wrong_phase(const float *in, float *out, int tiles) {
    __shared__ float tile[32];
    __shared__ uint64_t full, empty;
    int me = threadIdx.x;
    if (me == 0) {
        init(&full, 32);
        init(&empty, 32);
    }
    __syncthreads();
    float sum = 0;
#pragma unroll 1
    for (int t = 0; t < tiles; t++) {
        if (me < 32) {
#ifdef REPAIRED
            wait(&empty, (t + 1) & 1);
#else
            for (int k = 0; k < 99 && !is_over(&empty, (t + 1) & 1); k++);
#endif
            tile[me] = in[t * 32 + me];  //@ write
            arrive(&full);
        } else {
#ifdef REPAIRED
            wait(&full, t & 1);
#else
            for (int k = 0; k < 99 && !is_over(&full, (t + 1) & 1); k++);
#endif
            sum += tile[63 - me];  //@ read
            arrive(&empty);
        }
    }
    if (me >= 32) out[me - 32] = sum;
}
