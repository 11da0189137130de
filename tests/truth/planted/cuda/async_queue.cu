// Takes the entries of a queue in place: fetches a batch by cp.async, marks its slots as free, hands out the values.
#include <cuda_pipeline.h>

extern "C" __global__ void take(int *queue, const int *fresh, int *out, int batches) {
    __shared__ int batch[2][128];
    const int t = threadIdx.x;
#if BUG == 4 || BUG == -4
    batch[0][127 - t] = -1; //@ clear
#if BUG == -4
    __syncthreads();
#endif
#endif
#if BUG == 3 || BUG == -3
    queue[127 - t] = fresh[127 - t]; //@ put
#if BUG == -3
    __syncthreads();
#endif
#else
    queue[t] = fresh[t];
#endif
    __pipeline_memcpy_async(&batch[0][t], &queue[t], 4); //@ first
    __pipeline_commit();
    for (int i = 0; i < batches; ++i) {
        if (i + 1 < batches) __pipeline_memcpy_async(&batch[(i + 1) % 2][t], &queue[128 * (i + 1) + t], 4); //@ next
        __pipeline_commit();
#if BUG == 1
        if (i + 1 < batches) queue[128 * (i + 1) + t] = -1; //@ free
        if (i == 0) queue[t] = -1;
#endif
#if BUG == 2
        __syncthreads();
        queue[128 * i + 127 - t] = -1; //@ other
#endif
        __pipeline_wait_prior(1);
#if BUG == -1
        queue[128 * i + t] = -1;
#endif
        __syncthreads();
        out[128 * i + t] = batch[i % 2][127 - t]; //@ read
#if BUG != 1 && BUG != 2 && BUG != -1
        queue[128 * i + 127 - t] = -1;
#endif
#if BUG != 5
        __syncthreads();
#endif
    }
}
