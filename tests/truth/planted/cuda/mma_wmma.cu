// A layer of 16 x 48 by 48 x 32 halves with a bias, two wmma tiles a row of blocks, one each warp.
#include <mma.h>

using namespace nvcuda;

extern "C" __global__ void layer(const half *x, const half *weight, const float *bias, float *out, int columns) {
#if BUG == 2
    constexpr int pitch = 52;
#else
    constexpr int pitch = 56;
#endif
    __shared__ alignas(32) half rows[16 * pitch];
    __shared__ alignas(32) float sums[16 * 36];
    const int t = threadIdx.x, warp = t / 32, lane = t % 32;
    for (int i = t; i < 16 * 48; i += 64) rows[i / 48 * pitch + i % 48] = x[i]; //@ fill
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
    wmma::fill_fragment(c, 0);
    for (int k = 0; k < 48; k += 16) {
#if BUG == 1
        wmma::load_matrix_sync(a, rows + k, 48); //@ packed
#elif BUG == -2
        wmma::load_matrix_sync(a, x + k, 48);
#else
        wmma::load_matrix_sync(a, rows + k, pitch); //@ load
#endif
#if BUG == 5
        if (16 * warp < columns) wmma::load_matrix_sync(b, weight + (k + 1) * columns + 16 * warp, columns); //@ shifted
#else
        if (16 * warp < columns) wmma::load_matrix_sync(b, weight + k * columns + 16 * warp, columns);
#endif
        wmma::mma_sync(c, a, b, c); //@ multiply
    }
#if BUG == 3
    wmma::store_matrix_sync(sums + 8 * warp, c, 36, wmma::mem_row_major); //@ overlapping
#else
    wmma::store_matrix_sync(sums + 16 * warp, c, 36, wmma::mem_row_major); //@ store
#endif
#if BUG == -4
    __syncwarp();
#elif BUG != 4 && BUG != 6
    __syncthreads();
#elif BUG == 6
    __syncwarp();
#endif
#if BUG == 4 || BUG == -4
    for (int i = lane; i < 256; i += 32) {
        const int row = i / 16, column = 16 * warp + i % 16;
#else
    for (int i = t; i < 512; i += 64) {
        const int row = i / 32, column = i % 32;
#endif
        out[row * columns + column] = sums[row * 36 + column] + bias[column]; //@ read
    }
}
