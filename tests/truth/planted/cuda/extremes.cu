// The largest of a block's numbers, the bits they have, whether one is 51, and those above 90.
extern "C" __global__ void extremes(const int *x, int *out, int *above) {
    __shared__ int most, bits, found, count, kept[128];
    __shared__ unsigned pairs[64];
    const int t = threadIdx.x, value = x[t];
    if (t == 0) most = bits = found = count = 0;
    if (t < 64) pairs[t] = 0;
    __syncthreads();
#if BUG == 1
    if (value > most) most = value; //@ most
#elif BUG == -1
    if (value > *(volatile int *)&most) atomicMax(&most, value);
#else
    atomicMax(&most, value);
#endif
#if BUG == 2
    bits |= value; //@ bits
#elif BUG == -2
    const int some = __reduce_or_sync(0xffffffff, value);
    if (t % 32 == 0) atomicOr(&bits, some);
#else
    atomicOr(&bits, value);
#endif
#if BUG == 3
    found = value == 51; //@ found
#else
    if (value == 51) found = 1;
#endif
#if BUG == 4
    if (value > 90) kept[count++] = value; //@ push
#elif BUG == -4
    if (t == 77)
        for (int i = 0; i < 128; i++)
            if (x[i] > 90) kept[count++] = x[i];
#else
    if (value > 90) kept[atomicAdd(&count, 1)] = value;
#endif
#if BUG == 5
    pairs[t / 2] += 1 << 16 * (t % 2); //@ half
#elif BUG == -5
    ((unsigned short *)pairs)[t] += 1;
#else
    atomicAdd(&pairs[t / 2], 1 << 16 * (t % 2));
#endif
    __syncthreads();
    if (t < count) atomicAdd(above, kept[t]);
    if (t < 64) atomicAdd(&out[3], pairs[t]);
    if (t == 0) out[0] = most, out[1] = bits, out[2] = found;
}
