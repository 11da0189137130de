// Sums of tiles: two warps produce through a ring of three stages, two warps consume, by full and empty mbarriers.
#include <cstdint>

#define AT(p) ((unsigned)__cvta_generic_to_shared(p))
#define MAKE(bar, count) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(AT(bar)), "r"(count) : "memory")
#define ARRIVE(bar) asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(AT(bar)) : "memory")
#define WAIT(bar, parity)                                                                                              \
    asm volatile("{ .reg .pred p; W: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra W; }" ::"r"(AT(bar)),    \
                 "r"(parity)                                                                                           \
                 : "memory")

extern "C" __global__ void tile_sums(const int *x, int *out, int tiles) {
    __shared__ int stage[3][64];
    __shared__ uint64_t full[3], empty[3];
    const int t = threadIdx.x % 64, lane = threadIdx.x % 32;
#if BUG == 3
    const int consumers = 1;
#elif BUG == -2
    const int consumers = 64;
#else
    const int consumers = 2;
#endif
#if BUG == -3
    const int producers = 2;
#else
    const int producers = 64;
#endif
#if BUG == 4
    for (int s = 0; s < 3; ++s) {
#elif BUG == -4
    if (int s = threadIdx.x; s < 3) {
#else
    if (threadIdx.x == 0)
        for (int s = 0; s < 3; ++s) {
#endif
        MAKE(&full[s], producers);  //@ init
        MAKE(&empty[s], consumers); //@ init empty
    }
#if BUG == -5
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
#if BUG != 5 && BUG != -5
    __syncthreads();
#endif
    if (threadIdx.x < 64) {
        for (int i = 0; i < tiles; ++i) {
            const int s = i % 3, round = i / 3;
#if BUG == -1
            if (round) WAIT(&empty[s], (round - 1) & 1);
#elif BUG == 6
            WAIT(&empty[s], round & 1); //@ wait empty
#else
            WAIT(&empty[s], (round & 1) ^ 1); //@ wait
#endif
            stage[s][t] = x[64 * i + t]; //@ fill
#if BUG == -3
            __syncwarp();
            if (lane == 0) ARRIVE(&full[s]);
#else
            ARRIVE(&full[s]);           //@ filled
#endif
        }
    } else {
        int sum = 0;
        for (int i = 0; i < tiles; ++i) {
            const int s = i % 3;
#if BUG == 1
            WAIT(&full[s], i & 1); //@ wait full
#else
            WAIT(&full[s], (i / 3) & 1);
#endif
#if BUG == 7
            __syncwarp();
            if (lane == 0) ARRIVE(&empty[s]);
#endif
#if BUG == -7
            const int value = stage[s][63 - t];
            __syncwarp();
            if (lane == 0) ARRIVE(&empty[s]);
            sum += (i + 1) * value;
#else
            sum += (i + 1) * stage[s][63 - t]; //@ read
#endif
#if BUG != 2 && BUG != -2 && BUG != 7 && BUG != -7
            __syncwarp();
#endif
#if BUG == -2
            ARRIVE(&empty[s]);
#endif
#if BUG != -2 && BUG != 7 && BUG != -7
            if (lane == 0) ARRIVE(&empty[s]); //@ released
#endif
        }
        out[t] = sum;
    }
}
