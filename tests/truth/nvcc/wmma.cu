// wmma.load and wmma.store: every type, shape and operand; shared, global and generic pointers; default and padded strides.
#include <mma.h>
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
using namespace nvcuda;

template <class Fragment, class Element>
__device__ void turn_over(Element *p, const Element *q, int stride) {
    Fragment f;
    wmma::load_matrix_sync(f, q, stride);
    for (int i = 0; i < f.num_elements; i++) p[i] = static_cast<Element>(f.x[i]);
}

template <int M, int N, int K, class Type, class Element, class Sum, class Row, class Column>
__device__ void product(const Element *a, const Element *b, Sum *c, int stride) {
    extern __shared__ __align__(128) unsigned char raw[];
    Element *tile = reinterpret_cast<Element *>(raw);
    Sum *sums = reinterpret_cast<Sum *>(raw + 16384);
    tile[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    wmma::fragment<wmma::matrix_a, M, N, K, Type, Row> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, Type, Column> fb;
    wmma::fragment<wmma::accumulator, M, N, K, Sum> fc;
    wmma::load_matrix_sync(fa, tile, 128);
    wmma::load_matrix_sync(fb, b, stride);
    wmma::load_matrix_sync(fc, sums, 64, wmma::mem_row_major);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::load_matrix_sync(fa, tile + 4096, 136);
    wmma::load_matrix_sync(fb, tile + 8192, 256);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(sums, fc, 72, wmma::mem_row_major);
    wmma::store_matrix_sync(c, fc, stride, wmma::mem_col_major);
    wmma::load_matrix_sync(fc, c + 4096, stride, wmma::mem_col_major);
    wmma::store_matrix_sync(threadIdx.y ? sums : c, fc, 64, wmma::mem_row_major);
}

#define KERNEL(M, N, K, NAME, TYPE, ELEMENT, SUM)                                                           \
    __global__ void wmma_m##M##n##N##k##K##_##NAME(const ELEMENT *a, const ELEMENT *b, SUM *c, int stride) { \
        product<M, N, K, TYPE, ELEMENT, SUM, wmma::row_major, wmma::col_major>(a, b, c, stride);            \
        product<M, N, K, TYPE, ELEMENT, SUM, wmma::col_major, wmma::row_major>(a, b, c + 8192, 128);        \
    }
#define SHAPES(NAME, TYPE, ELEMENT, SUM)       \
    KERNEL(16, 16, 16, NAME, TYPE, ELEMENT, SUM) \
    KERNEL(32, 8, 16, NAME, TYPE, ELEMENT, SUM)  \
    KERNEL(8, 32, 16, NAME, TYPE, ELEMENT, SUM)

SHAPES(f16_f32, __half, __half, float)
SHAPES(f16_f16, __half, __half, __half)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 720
SHAPES(s8, signed char, signed char, int)
SHAPES(u8, unsigned char, unsigned char, int)
#endif
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
SHAPES(bf16, __nv_bfloat16, __nv_bfloat16, float)
KERNEL(16, 16, 8, tf32, wmma::precision::tf32, float, float)
KERNEL(8, 8, 4, f64, double, double, double)
#endif

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 750
template <int K, class Type>
__device__ void narrow_product(const void *a, const void *b, int *c, int stride) {
    __shared__ __align__(128) unsigned tile[4096];
    __shared__ int sums[1024];
    tile[threadIdx.x] = static_cast<const unsigned *>(a)[threadIdx.x];
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 8, 8, K, Type, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 8, 8, K, Type, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 8, 8, K, int> fc;
    wmma::load_matrix_sync(fa, tile, 256);
    wmma::load_matrix_sync(fb, b, stride);
    wmma::load_matrix_sync(fc, c, 8, wmma::mem_row_major);
    wmma::load_matrix_sync(fa, a, 1024);
    wmma::load_matrix_sync(fb, tile + 64, 512);
    wmma::store_matrix_sync(sums, fc, 12, wmma::mem_col_major);
    for (int i = 0; i < fa.num_elements; i++) c[i] = fa.x[i] + fb.x[i] + sums[threadIdx.x];
    wmma::store_matrix_sync(c, fc, stride, wmma::mem_row_major);
}
__global__ void wmma_s4(const void *a, const void *b, int *c, int stride) {
    narrow_product<32, wmma::experimental::precision::s4>(a, b, c, stride);
}
__global__ void wmma_u4(const void *a, const void *b, int *c, int stride) {
    narrow_product<32, wmma::experimental::precision::u4>(a, b, c, stride);
}
__global__ void wmma_b1(const void *a, const void *b, int *c, int stride) {
    narrow_product<128, wmma::experimental::precision::b1>(a, b, c, stride);
}
#endif

__global__ void wmma_generic(__half *p, const __half *q, float *x, int stride) {
    __shared__ __half local_tile[2048];
    local_tile[threadIdx.x] = q[threadIdx.x];
    const __half *either = stride & 1 ? local_tile : q;
    turn_over<wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major>>(p, either, stride);
    turn_over<wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major>>(p, either, 16);
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> f;
    wmma::fill_fragment(f, 0.0f);
    wmma::store_matrix_sync(x, f, 20, wmma::mem_row_major);
}
#endif
