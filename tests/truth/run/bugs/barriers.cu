// Bugs in what orders plain accesses, and in tiles.  Compiled twice: with -DREPAIRED the missing statement is there.
#include <cstdint>

// The first pass leaves a sum for each warp, the second reads them all.
extern "C" __global__ void second_pass(const float *in, float *out) {
    __shared__ float sums[4];
    int me = threadIdx.x, lane = me % 32;
    float x = in[me];
    for (int o = 16; o; o /= 2) x += __shfl_down_sync(~0u, x, o);
    if (lane == 0) sums[me / 32] = x;  //@ write
#ifdef REPAIRED
    __syncthreads();
#endif
    if (me < 32) {
        x = lane < 4 ? sums[lane] : 0;  //@ read
        for (int o = 2; o; o /= 2) x += __shfl_down_sync(~0u, x, o);
        if (me == 0) out[0] = x;
    }
}

// Lanes past the end have returned, but the shuffles name them.
extern "C" __global__ void shuffle_after_return(const float *in, float *out, int n) {
    int me = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef REPAIRED
    float x = me < n ? in[me] : 0;
#else
    if (me >= n) return;
    float x = in[me];
#endif
    for (int o = 16; o; o /= 2) x += __shfl_down_sync(~0u, x, o);  //@ shuffle
    if (threadIdx.x % 32 == 0) out[me / 32] = x;
}

// The last round of the loop has fewer threads than the block.
extern "C" __global__ void conditional_barrier(const float *in, float *out, int n) {
    __shared__ float tile[64];
    int me = threadIdx.x;
    float sum = 0;
#ifdef REPAIRED
#pragma unroll 1
    for (int first = 0; first < n; first += 64) {
        tile[me] = first + me < n ? in[first + me] : 0;
        __syncthreads();
        if (first + me < n) sum += tile[63 - me];
        __syncthreads();
    }
#else
#pragma unroll 1
    for (int i = me; i < n; i += 64) {
        tile[me] = in[i];  //@ write
        __syncthreads();   //@ barrier
        sum += tile[63 - me];  //@ read
        __syncthreads();   //@ barrier
    }
#endif
    out[me] = sum;
}

// Rows of 32 halves and 8 of padding; a reader of bytes that pads by 8 bytes falls into the padding.
extern "C" __global__ void padded_for_halves(const unsigned short *in, unsigned char *out) {
    __shared__ __align__(16) unsigned short tile[16][32 + 8];
    int me = threadIdx.x;
    for (int row = 0; row < 16; row++) tile[row][me] = in[row * 32 + me];  //@ write
    __syncthreads();
    const unsigned char *bytes = (const unsigned char *)tile;
#ifdef REPAIRED
    int pitch = (32 + 8) * 2;
#else
    int pitch = 64 + 8;
#endif
#pragma unroll 1
    for (int row = 0; row < 16; row++) out[row * 32 + me] = bytes[row * pitch + 2 * me + 1];  //@ read
}

// The same with ldmatrix: rows of bytes padded by 8 are not aligned to 16.
extern "C" __global__ void padded_rows_of_bytes(const uint2 *in, uint32_t *out) {
#ifdef REPAIRED
    __shared__ __align__(16) unsigned char tile[8][32 + 16];
#else
    __shared__ __align__(16) unsigned char tile[8][32 + 8];
#endif
    int me = threadIdx.x;
    *(uint2 *)&tile[me / 4][me % 4 * 8] = in[me];
    __syncthreads();
    uint32_t x, row = (uint32_t)__cvta_generic_to_shared(&tile[me % 8][0]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(x) : "r"(row) : "memory");  //@ matrix
    out[me] = x;
}

// Lanes of a warp are not in lock step on Volta and later.
extern "C" __global__ void warp_scan(const int *in, int *out) {
    __shared__ int sums[64];
    int *s = sums + threadIdx.x / 32 * 32;
    int me = threadIdx.x, lane = me % 32;
    s[lane] = in[me];  //@ start
#ifdef REPAIRED
    __syncwarp();
#endif
#pragma unroll 1
    for (int o = 1; o < 32; o *= 2) {
        int y = lane >= o ? s[lane - o] : 0;  //@ read
#ifdef REPAIRED
        __syncwarp();
#endif
        s[lane] = s[lane] + y;  //@ write
#ifdef REPAIRED
        __syncwarp();
#endif
    }
    out[me] = s[lane];
}
