// Scales the rows of a matrix; each scaled row leaves shared memory by a bulk copy.
#include <cstdint>

#define STORE(to, from, bytes)                                                                                         \
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),                              \
                 "r"((unsigned)__cvta_generic_to_shared(from)), "r"(bytes)                                             \
                 : "memory")
#define COMMIT() asm volatile("cp.async.bulk.commit_group;" ::: "memory")
#define READ_WAIT(n) asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(n) : "memory")

extern "C" __global__ void scale_rows(const float *x, float *out, int rows, float factor) {
    __shared__ alignas(128) float row[2][128];
    const int t = threadIdx.x;
    for (int i = 0; i < rows; ++i) {
#if BUG == 3 || BUG == 6
        const int s = 0;
#else
        const int s = i & 1;
#endif
        row[s][127 - t] = factor * x[128 * i + 127 - t]; //@ fill
#if BUG == -1
        asm volatile("fence.proxy.async;" ::: "memory");
#elif BUG != 1
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
#if BUG == 2
        __syncwarp();
#else
        __syncthreads();
#endif
        if (t == 0) {
            STORE(out + 128 * i, row[s], 512); //@ store
#if BUG != 6
            COMMIT();
#endif
#if BUG != 3 && BUG != 5 && BUG != -5 && BUG != 6
            READ_WAIT(1);
#endif
#if BUG == 3
            READ_WAIT(1); //@ one pending
#endif
#if BUG == 6
            READ_WAIT(0);
#endif
        }
#if BUG == 5
        if (t == 32) READ_WAIT(1); //@ stranger
#endif
#if BUG == -5
        READ_WAIT(1);
#endif
        __syncthreads();
    }
#if BUG == 6
    if (t == 0) {
        COMMIT();
        READ_WAIT(0);
    }
#endif
#if BUG == -4
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
#elif BUG != 4 && BUG != 6
    if (t == 0) READ_WAIT(0);
#endif
}
