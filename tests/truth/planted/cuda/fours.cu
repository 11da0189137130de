// Mirrors eight rows of 32 numbers in shared memory, four numbers at a time, and rounds them in double.
#if BUG == 1 || BUG == -1
#define PITCH 33
#else
#define PITCH 36
#endif
extern "C" __global__ void fours(const float *x, float *y, int ints) {
    __shared__ __align__(16) float rows[8][PITCH];
    __shared__ __align__(16) char bytes[1104];
    extern __shared__ int pool[];
    const int t = threadIdx.x, row = t / 8, column = t % 8 * 4;
#if BUG == 2
    const float4 four = *(const float4 *)(x + 4 * t + row % 2); //@ global
#elif BUG == -2
    const float2 low = *(const float2 *)(x + 4 * t), high = *(const float2 *)(x + 4 * t + 2);
    const float4 four = make_float4(low.x, low.y, high.x, high.y);
#else
    const float4 four = *(const float4 *)(x + 4 * t);
#endif
#if BUG == -1
    rows[row][column] = four.x, rows[row][column + 1] = four.y;
    rows[row][column + 2] = four.z, rows[row][column + 3] = four.w;
    __syncthreads();
    const float *last = rows[7 - row] + 28 - column;
    const float4 other = make_float4(last[0], last[1], last[2], last[3]);
#elif BUG == 3 || BUG == -3
#if BUG == 3
    float4 *const place = (float4 *)(bytes + ints);
#else
    float4 *const place = (float4 *)(bytes + (ints + 15) / 16 * 16);
#endif
    place[t] = four; //@ bytes
    __syncthreads();
    const float4 other = place[63 - t];
#else
    *(float4 *)&rows[row][column] = four; //@ store
    __syncthreads();
    const float4 other = *(const float4 *)&rows[7 - row][28 - column]; //@ load
#endif
    pool[t] = t;
#if BUG == 5
    double *const doubles = (double *)(pool + ints);
#else
    double *const doubles = (double *)(pool + (ints + 1) / 2 * 2);
#endif
    doubles[t] = other.x; //@ double
    __syncthreads();
    const float4 result = make_float4(doubles[pool[t]], other.y, other.z, other.w);
#if BUG == 4
    __stcs((float4 *)(y + 4 * t - row % 2), result); //@ downwards
#else
    *(float4 *)(y + 4 * t) = result;
#endif
}
