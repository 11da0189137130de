// Transposes an n x n matrix by tiles of 32 x 32 in shared memory.
extern "C" __global__ void transpose(const float *in, float *out, int n) {
    __shared__ float tile[32][33];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int column = 32 * blockIdx.x + tx, row = 32 * blockIdx.y + ty;
#if BUG == 2
    if (column >= n) return; //@ leave
#endif
#if BUG == 3
    for (int i = 0; i <= 32; i += 8)
        if (column < n && row + i < n) tile[ty + i][tx] = in[(row + i) * n + column]; //@ one more
#elif BUG == 4
    for (int i = 0; i < 32; i += 8) tile[ty + i][tx] = in[(row + i) * n + column]; //@ no guard
#elif BUG == -4
    for (int i = 0; i < 32; i += 8) tile[ty + i][tx] = in[min(row + i, n - 1) * n + min(column, n - 1)];
#elif BUG == 5
    for (int i = 0; i < 32; i += 8)
        if (column < n - 1 && row + i < n) tile[ty + i][tx] = in[(row + i) * n + column]; //@ too few
#else
    for (int i = 0; i < 32; i += 8)
        if (column < n && row + i < n) tile[ty + i][tx] = in[(row + i) * n + column]; //@ fill
#endif
#if BUG == 1
    __syncwarp();
#elif BUG == -1
    if (gridDim.x > 1) __syncthreads();
#else
    __syncthreads(); //@ barrier
#endif
    const int x = 32 * blockIdx.y + tx, y = 32 * blockIdx.x + ty;
#if BUG == -2
    if (x >= n) return;
#endif
#if BUG == -5
    for (int i = 0; i < 32; i += 8) {
        const float value = *(volatile float *)&tile[tx][ty + i];
        if (x < n && y + i < n) out[(y + i) * n + x] = value;
    }
#else
    for (int i = 0; i < 32; i += 8)
        if (x < n && y + i < n) out[(y + i) * n + x] = tile[tx][ty + i]; //@ read
#endif
}
