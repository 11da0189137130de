// Adds doubles and finds the greatest float and its place by compare-and-swap; the last block computes the mean.
static __device__ __forceinline__ void add(double *sum, double value) {
#if BUG == 2
    *sum += value; //@ add
#else
    unsigned long long *word = (unsigned long long *)sum;
#if BUG == -1
    unsigned long long old = *word, seen;
#elif BUG == -2
    unsigned long long old = 0, seen;
#else
    unsigned long long old = *(volatile unsigned long long *)word, seen;
#endif
    do {
        seen = old;
        old = atomicCAS(word, seen, __double_as_longlong(value + __longlong_as_double(seen))); //@ swap
    } while (old != seen);
#endif
}

static __device__ __forceinline__ float raise(float *peak, float value) {
#if BUG == 1
    const float before = *peak;        //@ peak_read
    if (value > before) *peak = value; //@ peak_write
    return before;
#else
    int *word = (int *)peak;
    int old = *(volatile int *)word;
    while (value > __int_as_float(old)) {
        const int seen = old;
        old = atomicCAS(word, seen, __float_as_int(value));
        if (old == seen) break;
    }
    return __int_as_float(old);
#endif
}

extern "C" __global__ void statistics(const float *x, double *sum, float *peak, unsigned long long *best, int *where,
                                      double *mean, int *ticket, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        add(sum, x[i]); //@ call_add
#if BUG == 3
        if (raise(peak, x[i]) < x[i]) *where = i; //@ place
#else
        raise(peak, x[i]); //@ call_raise
#endif
        atomicMax(best, (unsigned long long)__float_as_int(x[i]) << 32 | (unsigned int)(n - i));
    }
#if BUG == 4
    __syncthreads();
    if (i == 0) *mean = *sum / n; //@ mean
#else
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0 && atomicAdd(ticket, 1) == gridDim.x - 1) {
        __threadfence();
#if BUG == -4
        *mean = __ldcg(sum) / n;
#else
        *mean = *sum / n;
#endif
    }
#endif
}
