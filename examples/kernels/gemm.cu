// C = A x B for square matrices of n rows, n a multiple of TILE, in blocks of TILE x TILE threads.
//
// It has two mistakes, which `warpsim run` finds and -D FIXED leaves out: the threads of a warp store a row of A into a
// column of its tile, whose 32 words are all in one bank; and nothing keeps a fast warp from storing the next tiles
// while a slow one still reads these.

#ifndef TILE
#define TILE 32
#endif
#ifdef FIXED
#define PITCH (TILE + 1)
#else
#define PITCH TILE
#endif

__global__ void gemm(const float *a, const float *b, float *c, int n) {
    __shared__ float a_tile[TILE][PITCH], b_tile[TILE][PITCH];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float sum = 0;
    for (int k = 0; k < n; k += TILE) {
        a_tile[x][y] = a[row * n + k + x];
        b_tile[y][x] = b[(k + y) * n + column];
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            sum += a_tile[i][y] * b_tile[i][x];
#ifdef FIXED
        __syncthreads();
#endif
    }
    c[row * n + column] = sum;
}
