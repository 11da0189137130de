// C = A B by tiles of 16 x 16; A has m rows of k, B has k rows of 32.
extern "C" __global__ void tile_gemm(const float *a, const float *b, float *c, int m, int k) {
#if BUG == -1
    __shared__ float tiles[2][2][16][16];
#else
    __shared__ float as[16][16], bs[16][16];
#endif
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = 16 * blockIdx.y + ty, column = 16 * blockIdx.x + tx;
    float sum = 0;
#if BUG == 3
    if (row < m)
#endif
        for (int k0 = 0; k0 < k; k0 += 16) {
#if BUG == -1
            float(*as)[16] = tiles[k0 / 16 & 1][0], (*bs)[16] = tiles[k0 / 16 & 1][1];
#endif
            as[ty][tx] = row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0.0f; //@ fill a
#if BUG == 4
            bs[ty][tx] = b[(k0 + ty) * 32 + column]; //@ no guard
#elif BUG == -4
        bs[ty][tx] = b[min(k0 + ty, k - 1) * 32 + column];
#elif BUG == 5
        if (k0 + ty < 12) bs[ty][tx] = b[(k0 + ty) * 32 + column]; //@ few rows
#elif BUG == -5
        if (k0 + ty < k) bs[ty][tx] = b[(k0 + ty) * 32 + column];
#else
        bs[ty][tx] = k0 + ty < k ? b[(k0 + ty) * 32 + column] : 0.0f; //@ fill b
#endif
#if BUG == -2
            if (k0 + 16 < k) __syncthreads();
            else __syncthreads();
#elif BUG != 2
        __syncthreads();                                           //@ inside
#endif
#if BUG == 6
            for (int i = 0; i < 16; i++) sum += as[ty][i] * bs[i + tx / 15][tx]; //@ beyond
#else
        for (int i = 0; i < 16; i++) sum += as[ty][i] * bs[i][tx]; //@ product
#endif
#if BUG != 1 && BUG != -1
            __syncthreads();
#endif
        }
    if (row < m) c[row * 32 + column] = sum;
}
