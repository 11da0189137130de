"""CUDA sources whose blocks signal each other: counters, rings, locks, scans, queues.

Capitals are to be replaced: what is missing, how many rounds, who writes.
"""

COUNTER = """
__device__ unsigned counter;
__device__ void all_meet(unsigned goal) {
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        ARRIVE
        while (*(volatile unsigned *)&counter < goal) { }
        __threadfence();
    }
    __syncthreads();
}
"""
GRID = """
#include <cooperative_groups.h>
__device__ void all_meet(unsigned) { cooperative_groups::this_grid().sync(); }
"""
#: what a block reads of its neighbour, it has to read before the neighbour writes again
NEIGHBOURS = """
extern "C" __global__ void k(int *x, int *y) {
    const unsigned b = blockIdx.x, n = gridDim.x, t = threadIdx.x;
    for (unsigned round = 0; round < ROUNDS; round++) {
        x[b * blockDim.x + t] = b + round;
        all_meet((WAITS * round + 1) * n);
        y[b * blockDim.x + t] += x[(b + 1) % n * blockDim.x + t];
        SECOND
    }
}
"""
RING = """
__device__ volatile unsigned full, answer;
extern "C" __global__ void k(int *x, int *y) {
    const unsigned t = threadIdx.x;
    for (unsigned i = 1; i <= ROUNDS; i++) {
        if (blockIdx.x == WRITER) {
            SECOND
            x[t] = i * 100 + t;
            __syncthreads();
            if (t == 0) { __threadfence(); full = i; }
        } else {
            if (t == 0) { while (full < i) { } __threadfence(); }
            __syncthreads();
            y[t] += x[t];
            __syncthreads();
            if (t == 0) { __threadfence(); answer = i; }
        }
    }
}
"""
STARTED = (
    RING.replace("WRITER", "1")
    .replace("full, answer;", "full, answer, start;")
    .replace("for (unsigned i", "if (blockIdx.x == 2) { start = 1; return; }\n    for (unsigned i")
    .replace("SECOND", "while (start == 0) { }\n            SECOND")
)
ANSWER = "if (t == 0) { while (answer < i - 1) { } __threadfence(); } __syncthreads();"
AGAIN = "all_meet((2 * round + 2) * n);"
ADD = COUNTER.replace("ARRIVE", "atomicAdd(&counter, 1);") + NEIGHBOURS
RED = COUNTER.replace("ARRIVE", 'asm volatile("red.release.gpu.global.add.u32 [%0], 1;" :: "l"(&counter) : "memory");')
SOURCES = {
    "a counter": (ADD, AGAIN),
    "a counter, by red.release": (RED + NEIGHBOURS, AGAIN),
    "cooperative groups": (GRID + NEIGHBOURS, AGAIN),
    "a ring whose writer runs first": (RING.replace("WRITER", "0"), ANSWER),
    "a ring whose reader runs first": (RING.replace("WRITER", "1"), ANSWER),
    "a ring that a third block starts": (STARTED, ANSWER),
}
#: the last block adds up what all have written; the fence after its atomic is missing
LAST = """
__device__ unsigned arrived;
extern "C" __global__ void k(int *x, int *y) {
    if (threadIdx.x == 0) {
        y[blockIdx.x] = x[blockIdx.x];
        __threadfence();
        if (atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1) {
            int sum = 0;
            for (int i = 0; i < gridDim.x; i++) sum += y[i];
            y[0] = sum;
        }
    }
}
"""
LOCK = """
__device__ unsigned lock;
extern "C" __global__ void k(int *x, int *y) {
    for (int round = 0; round < 20; round++) {
        if (threadIdx.x == 0) {
            while (TAKE != 0) { }
            __threadfence();
            x[0] += 1;
            __threadfence();
            atomicExch(&lock, 0);
        }
        __syncthreads();
    }
    y[blockIdx.x] = blockIdx.x;
}
"""
SCAN = """
__device__ volatile int state[64], partial[64], whole[64];
extern "C" __global__ void k(const int *x, int *y) {
    const int b = blockIdx.x, t = threadIdx.x;
    __shared__ int before;
    if (t == 0) {
        int sum = 0, at = b - 1;
        partial[b] = x[b];
        __threadfence();
        state[b] = 1;
        while (at >= 0) {
            int seen;
            while ((seen = state[at]) == 0) { }
            __threadfence();
            sum += seen == 2 ? whole[at] : partial[at];
            if (seen == 2) break;
            at--;
        }
        whole[b] = sum + x[b];
        __threadfence();
        state[b] = 2;
        before = sum;
    }
    __syncthreads();
    y[b * 32 + t] = before + t;
}
"""
SLOTS = """
__device__ volatile int head, tail;
extern "C" __global__ void k(int *x, int *y) {
    const int t = threadIdx.x;
    for (int i = 0; i < 3 * SLOTS; i++) {
        if (blockIdx.x == WRITER) {
            if (t == 0) { while (i - tail >= ROOM) { __nanosleep(20); } __threadfence(); }
            __syncthreads();
            x[i % SLOTS * 64 + t] = i * 1000 + t;
            __syncthreads();
            if (t == 0) { __threadfence(); head = i + 1; }
        } else {
            if (t == 0) { while (head <= i) { __nanosleep(20); } __threadfence(); }
            __syncthreads();
            y[t] += x[i % SLOTS * 64 + t];
            MEET
            if (t == 0) { __threadfence(); tail = i + 1; }
        }
    }
}
"""
LEADERS = """
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ unsigned counter;
__device__ void all_meet(unsigned goal) {
    cg::this_cluster().sync();
    if (cg::this_cluster().block_rank() == LEADER) {
        __threadfence();
        atomicAdd(&counter, 1);
        while (atomicAdd(&counter, 0) < goal) { }
        __threadfence();
    }
    AFTER
}
extern "C" __global__ void __cluster_dims__(2, 1, 1) k(int *x, int *y) {
    const int b = blockIdx.x, n = gridDim.x;
    for (int round = 0; round < 3; round++) {
        y[b] = x[(b + 2) % n] + 1;
        all_meet((2 * round + 1) * n / 2);
        x[b] = y[(b + n - 2) % n] + 1;
        all_meet((2 * round + 2) * n / 2);
    }
}
"""
QUEUE = """
#include <cuda/atomic>
using Number = cuda::atomic_ref<int, cuda::thread_scope_device>;
__device__ int sequence[2], next_in, next_out;
extern "C" __global__ void k(int *x, int *y) {
    if (threadIdx.x != 0) return;
    const bool writes = blockIdx.x < 3;
    for (int i = 0; i < 4; i++) {
        const int at = atomicAdd(writes ? &next_in : &next_out, 1), s = at % 2, wanted = at / 2 * 2 + !writes;
        POLL
        if (writes) x[s] = at;
        else y[at] = x[s];
        asm volatile("st.ORDER.gpu.global.u32 [%0], %1;" :: "l"(&sequence[s]), "r"(wanted + 1) : "memory");
    }
}
"""
