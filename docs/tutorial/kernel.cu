// One block multiplies a slab of 64: A is 128 x 64 and B 128 x 64 (N x K) halves, both row-major in global memory.
// 256 threads, 8 warps of 64 x 32; nvcc -arch=sm_80 -ptx kernel.cu
#include <cstdint>
#include <cuda_fp16.h>

constexpr int ROWS = 128, COLS = 64;

// The byte of element (row, col): the 16-byte piece of a row is XORed with the row's lowest three bits.
__device__ uint32_t place(int row, int col) {
  return row * COLS * 2 + ((col / 8) ^ (row % 8)) * 16 + col % 8 * 2;
}

__device__ void fill(uint32_t tile, const half *global, int pitch) {
  for (int piece = threadIdx.x; piece < ROWS * COLS / 8; piece += blockDim.x) {
    const int row = piece / (COLS / 8), col = piece % (COLS / 8) * 8;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(tile + place(row, col)), "l"(global + row * pitch + col));
  }
}

// Four 8x8 matrices: two below each other, two beside them.
__device__ void load(uint32_t (&r)[4], uint32_t tile, int row, int col) {
  const int lane = threadIdx.x % 32;
  const uint32_t address = tile + place(row + lane % 16, col + lane / 16 * 8);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(address));
}

__device__ void multiply(float (&d)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

extern "C" __global__ void slab(const half *a, const half *b, float *c, int pitch) {
  __shared__ __align__(128) half shared[2][ROWS * COLS];
  const uint32_t tile_a = (uint32_t)__cvta_generic_to_shared(shared[0]), tile_b = (uint32_t)__cvta_generic_to_shared(shared[1]);
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, m = warp % 2 * 64, n = warp / 2 * 32;
  fill(tile_a, a, pitch);
  fill(tile_b, b, pitch);
  asm volatile("cp.async.wait_all;");
  __syncthreads();
  float d[4][4][4] = {};
  for (int k = 0; k < COLS; k += 16) {
    uint32_t x[4][4], y[2][4];
    for (int i = 0; i < 4; ++i) load(x[i], tile_a, m + 16 * i, k);
    for (int j = 0; j < 2; ++j) load(y[j], tile_b, n + 16 * j, k);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) multiply(d[i][j], x[i], y[j / 2][j % 2], y[j / 2][j % 2 + 2]);
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      for (int v = 0; v < 4; ++v)
        c[(m + 16 * i + lane / 4 + v / 2 * 8) * ROWS + n + 8 * j + lane % 4 * 2 + v % 2] = d[i][j][v];
}
