// Mirrors records of a tag and a value in shared memory, and adds the two.
struct __align__(8) Record {
    unsigned char tag;
    int value;
};
extern "C" __global__ void records(const int *x, int *y, int n) {
    __shared__ Record records[64], mirrored[64];
    const int t = threadIdx.x;
#if BUG == 1
    if (x[t] > 50) records[t].tag = x[t] % 7; //@ some tags
#else
    records[t].tag = x[t] % 7;              //@ tag
#endif
#if BUG == 2
    if (t < n - 16) records[t].value = x[t];
#elif BUG == 3
    if (t < n) records[t + 1].value = x[t]; //@ one later
    if (t == 0) records[0].value = 0;
#else
    records[t].value = x[t];       //@ value
#endif
#if BUG == 4
    __syncwarp();
#else
    __syncthreads();
#endif
#if BUG == -1
    ((int2 *)mirrored)[t] = ((const int2 *)records)[63 - t];
#elif BUG == -2
    if (t < 32) ((int4 *)mirrored)[t] = ((const int4 *)records)[t];
    __syncthreads();
    const long long other = ((const long long *)mirrored)[63 - t];
    __syncthreads();
    ((long long *)mirrored)[t] = __shfl_sync(0xffffffff, other, t);
#else
    mirrored[t] = records[63 - t]; //@ mirror
#endif
    y[t] = mirrored[t].value + mirrored[t].tag; //@ add
}
