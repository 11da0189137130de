// C = A x B for square matrices of n rows, n a multiple of 32, in blocks of 32 x 32 threads.

#define TILE 32

__global__ void gemm(const float *a, const float *b, float *c, int n) {
    __shared__ float a_tile[TILE][TILE + 1]; // + 1: a warp stores a column
    __shared__ float b_tile[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float sum = 0;
    for (int k = 0; k < n; k += TILE) {
        a_tile[x][y] = a[row * n + k + x];
        b_tile[y][x] = b[(k + y) * n + column];
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            sum += a_tile[i][y] * b_tile[i][x];
        __syncthreads(); // before the next round stores
    }
    c[row * n + column] = sum;
}
