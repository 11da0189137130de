// The main loop of a tensor-core kernel: what ws.mainloop is about, and what benchmarks/device times.
//
// Tile M x N x K of elements of BITS bits (16), WM x WN warps, STAGES buffers (0: nothing is filled). Rows of A and B (B: N x K, or K x N where TRANSB)
// are padded by PAD elements (B: PADB) or swizzled by Swizzle<SBA, SMA, SSA> and <SBB, SMB, SSB> on elements (SBx = 0: not at all).
// MMA_NAME: the mma.sync, a step of 32 bytes along K, with float accumulators; or SUMS16: f16; or SUMS32: s32.
// LDM, MMA, FILL, BAR: 0 leaves out the ldmatrix, the mma.sync, the cp.async, wait and barrier.
// WMMA: wmma.load and wmma.mma of WMMA_TYPE in their place (rows not swizzled), so many registers of a fragment (8: f16, 4: bf16).
#include <cstdint>
#ifndef LDM
#define LDM 1
#endif
#ifndef MMA
#define MMA 1
#endif
#ifndef FILL
#define FILL 1
#endif
#ifndef BAR
#define BAR 1
#endif
#ifndef WMMA
#define WMMA 0
#endif
#ifndef BITS
#define BITS 16
#define MMA_NAME "m16n8k16.row.col.f32.f16.f16.f32"
#endif
#ifndef PADB
#define PADB PAD
#endif
constexpr int PIECE = 128 / BITS, PIECE_LOG = PIECE == 16 ? 4 : PIECE == 8 ? 3 : 2, STEP = 2 * PIECE;
__host__ __device__ constexpr int bytes(int elements) { return elements * BITS / 8; }
#if SUMS16
using Sum = uint32_t;
constexpr int SUMS = 2;
#elif SUMS32
using Sum = int;
constexpr int SUMS = 4;
#else
using Sum = float;
constexpr int SUMS = 4;
#endif
constexpr int WARM = 32, PASSES = 256, SLABS = 8, BUFFERS = STAGES > 1 ? STAGES : 1;
constexpr int THREADS = WM * WN * 32, ROWS_A = M / WM / 16, COLS_B = N / WN / 8, STEPS = K / STEP;
#ifndef SMA
#define SMA PIECE_LOG
#define SMB PIECE_LOG
#endif
constexpr int PITCH_A = K + PAD, B_ROWS = TRANSB ? K : N, B_COLS = TRANSB ? N : K, PITCH_B = B_COLS + PADB;
constexpr int WORDS_A = M * PITCH_A, WORDS = WORDS_A + B_ROWS * PITCH_B;

template <int B, int BASE, int S> __device__ int swizzled(int x) {
  constexpr int FIELD = ((1 << B) - 1) << BASE, DOWN = S > 0 ? S : 0, UP = S < 0 ? -S : 0;
  return B == 0 ? x : x ^ (((x >> DOWN) & FIELD) << UP);
}
__device__ int place_a(int row, int col) { return bytes(swizzled<SBA, SMA, SSA>(row * PITCH_A + col)); }
__device__ int place_b(int row, int col) { return bytes(swizzled<SBB, SMB, SSB>(row * PITCH_B + col)); }

extern __shared__ __align__(1024) uint8_t smem[];

template <int ROWS, int COLS, bool IS_A> __device__ void copy_matrix(uint32_t to, const uint8_t *from, int thread) {
  constexpr int PIECES = ROWS * COLS / PIECE;
#pragma unroll
  for (int first = 0; first < PIECES; first += THREADS) {
    const int piece = first + thread, row = piece / (COLS / PIECE), col = piece % (COLS / PIECE) * PIECE;
    if (PIECES % THREADS == 0 || piece < PIECES)
      asm volatile("cp.async.cg.shared.global [%0],[%1],16;" :: "r"(to + (IS_A ? place_a(row, col) : place_b(row, col))), "l"(from + bytes(row * COLS + col)));
  }
}
__device__ void fill(uint32_t to, const uint8_t *a, const uint8_t *b, int slab, int thread) {
#if FILL
  copy_matrix<M, K, true>(to, a + slab % SLABS * bytes(M * K), thread);
  copy_matrix<B_ROWS, B_COLS, false>(to + bytes(WORDS_A), b + slab % SLABS * bytes(N * K), thread);
#endif
}
#define COMMIT asm volatile("cp.async.commit_group;")

__device__ void load(uint32_t (&r)[4], uint32_t p, bool trans) {
  if (trans) asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3},[%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(p));
  else asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3},[%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(p));
}

#if WMMA
#if WMMA == 8
#define FRAGMENT(r) "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7])
#define FRAGMENT_OF(r) "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(r[4]), "r"(r[5]), "r"(r[6]), "r"(r[7])
#define LOADED "{%0,%1,%2,%3,%4,%5,%6,%7},[%8],%9;"
#else
#define FRAGMENT(r) "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
#define FRAGMENT_OF(r) "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3])
#define LOADED "{%0,%1,%2,%3},[%4],%5;"
#endif
#if TRANSB
#define ORDER_B "row"
#else
#define ORDER_B "col"
#endif
__device__ void load_a(uint32_t (&r)[WMMA], uint32_t p) { asm volatile("wmma.load.a.sync.aligned.row.m16n16k16.shared." WMMA_TYPE LOADED : FRAGMENT(r) : "r"(p), "n"(PITCH_A)); }
__device__ void load_b(uint32_t (&r)[WMMA], uint32_t p) { asm volatile("wmma.load.b.sync.aligned." ORDER_B ".m16n16k16.shared." WMMA_TYPE LOADED : FRAGMENT(r) : "r"(p), "n"(PITCH_B)); }
// The product of both, added to two sums of 16 x 8.
__device__ void multiply(Sum (&c)[SUMS], Sum (&d)[SUMS], const uint32_t (&a)[WMMA], const uint32_t (&b)[WMMA]) {
#if SUMS16
  asm volatile("wmma.mma.sync.aligned.row." ORDER_B ".m16n16k16.f16.f16 {%0,%1,%2,%3},{%4,%5,%6,%7,%8,%9,%10,%11},{%12,%13,%14,%15,%16,%17,%18,%19},{%0,%1,%2,%3};"
               : "+r"(c[0]), "+r"(c[1]), "+r"(d[0]), "+r"(d[1]) : FRAGMENT_OF(a), FRAGMENT_OF(b));
#elif WMMA == 8
  asm volatile("wmma.mma.sync.aligned.row." ORDER_B ".m16n16k16.f32.f32 {%0,%1,%2,%3,%4,%5,%6,%7},{%8,%9,%10,%11,%12,%13,%14,%15},{%16,%17,%18,%19,%20,%21,%22,%23},{%0,%1,%2,%3,%4,%5,%6,%7};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : FRAGMENT_OF(a), FRAGMENT_OF(b));
#else
  asm volatile("wmma.mma.sync.aligned.row." ORDER_B ".m16n16k16.f32.bf16.bf16.f32 {%0,%1,%2,%3,%4,%5,%6,%7},{%8,%9,%10,%11},{%12,%13,%14,%15},{%0,%1,%2,%3,%4,%5,%6,%7};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : FRAGMENT_OF(a), FRAGMENT_OF(b));
#endif
}
#endif

extern "C" __global__ void __launch_bounds__(THREADS, 1) loop(const uint8_t *a, const uint8_t *b, float *out, long long *clk, int never) {
  const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32, row0 = warp / WN * (M / WM), col0 = warp % WN * (N / WN);
  const uint32_t base = (uint32_t)__cvta_generic_to_shared(smem);
  Sum sum[ROWS_A][COLS_B][SUMS] = {};
  uint32_t ra[ROWS_A][4], rb[COLS_B / 2][4];
  for (int i = 0; i < ROWS_A; ++i) for (int x = 0; x < 4; ++x) ra[i][x] = never * i;
  for (int j = 0; j < COLS_B / 2; ++j) for (int x = 0; x < 4; ++x) rb[j][x] = never * j;
  for (int s = 0; s < BUFFERS; ++s) { fill(base + s * bytes(WORDS), a, b, s, thread); COMMIT; }
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  long long begin = 0;
  int stage = 0;
#pragma unroll 1
  for (int pass = 0; pass < WARM + PASSES; ++pass) {
    if (pass == WARM) begin = clock64();
    if (STAGES == 1) {
      if (BAR) __syncthreads();
      fill(base, a, b, pass, thread); COMMIT;
      if (BAR) { asm volatile("cp.async.wait_group 0;" ::: "memory"); __syncthreads(); }
    } else if (STAGES > 1) {
      if (BAR) { asm volatile("cp.async.wait_group %0;" :: "n"(STAGES > 1 ? STAGES - 2 : 0) : "memory"); __syncthreads(); }
      int next = stage + STAGES - 1;
      if (next >= STAGES) next -= STAGES;
      fill(base + next * bytes(WORDS), a, b, pass + STAGES - 1, thread); COMMIT;
    }
    const uint32_t sa = base + stage * bytes(WORDS), sb = sa + bytes(WORDS_A);
#pragma unroll
    for (int step = 0; step < STEPS; ++step) {
#if WMMA
      uint32_t fa[ROWS_A][WMMA], fb[COLS_B / 2][WMMA];
#pragma unroll
      for (int i = 0; i < ROWS_A; ++i) load_a(fa[i], sa + place_a(row0 + i * 16, step * STEP));
#pragma unroll
      for (int j = 0; j < COLS_B / 2; ++j) load_b(fb[j], sb + (TRANSB ? place_b(step * STEP, col0 + j * 16) : place_b(col0 + j * 16, step * STEP)));
#pragma unroll
      for (int i = 0; i < ROWS_A; ++i)
#pragma unroll
        for (int j = 0; j < COLS_B / 2; ++j) multiply(sum[i][2 * j], sum[i][2 * j + 1], fa[i], fb[j]);
#elif LDM
#pragma unroll
      for (int i = 0; i < ROWS_A; ++i) load(ra[i], sa + place_a(row0 + i * 16 + lane % 16, step * STEP + lane / 16 * PIECE), false);
#pragma unroll
      for (int j = 0; j < COLS_B / 2; ++j)
        load(rb[j], sb + (TRANSB ? place_b(step * STEP + lane % 16, col0 + j * 16 + lane / 16 * PIECE) : place_b(col0 + j * 16 + lane % 8 + lane / 16 * 8, step * STEP + lane / 8 % 2 * PIECE)), TRANSB);
#endif
#if MMA && !WMMA
#pragma unroll
      for (int i = 0; i < ROWS_A; ++i)
#pragma unroll
        for (int j = 0; j < COLS_B; ++j)
#if SUMS16
          asm volatile("mma.sync.aligned." MMA_NAME " {%0,%1},{%2,%3,%4,%5},{%6,%7},{%0,%1};"
                       : "+r"(sum[i][j][0]), "+r"(sum[i][j][1])
#elif SUMS32
          asm volatile("mma.sync.aligned." MMA_NAME " {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
                       : "+r"(sum[i][j][0]), "+r"(sum[i][j][1]), "+r"(sum[i][j][2]), "+r"(sum[i][j][3])
#else
          asm volatile("mma.sync.aligned." MMA_NAME " {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
                       : "+f"(sum[i][j][0]), "+f"(sum[i][j][1]), "+f"(sum[i][j][2]), "+f"(sum[i][j][3])
#endif
                       : "r"(ra[i][0]), "r"(ra[i][1]), "r"(ra[i][2]), "r"(ra[i][3]), "r"(rb[j / 2][j % 2 * 2]), "r"(rb[j / 2][j % 2 * 2 + 1]));
#elif LDM && !WMMA
      if (never == 1) {
        for (int i = 0; i < ROWS_A; ++i) for (int x = 0; x < 4; ++x) out[thread] += (float)ra[i][x];
        for (int j = 0; j < COLS_B / 2; ++j) for (int x = 0; x < 4; ++x) out[thread] += (float)rb[j][x];
      }
#endif
    }
    if (BUFFERS > 1 && ++stage == BUFFERS) stage = 0;
  }
  float total = 0;
  for (int i = 0; i < ROWS_A; ++i) for (int j = 0; j < COLS_B; ++j) for (int x = 0; x < SUMS; ++x) total += (float)sum[i][j][x];
  const long long end = clock64();
  out[thread] = total;
  if (lane == 0) { clk[2 * warp] = begin; clk[2 * warp + 1] = end; }
}
