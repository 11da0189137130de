// run: --grid 1 --block 32 --arg b=f16[256]:random(1) --arg c=f32[256]
//
//
#include <mma.h>
#include <cuda_fp16.h>
using namespace nvcuda;
__global__ void from_registers(const half *b, float *c) {
    half mine[256];
    for (int i = 0; i < 256; i++) mine[i] = __float2half(i == threadIdx.x);
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.f);

    wmma::load_matrix_sync(fa, mine, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}
