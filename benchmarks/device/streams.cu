// One thread block on one SM repeats a short sequence of warp-level memory and matrix instructions.
//
// Prints one JSON line for each case on the command line, "warps,rows16,rows8,rows4": the distance in bytes between neighbouring
// rows of 16, 8 and 4 bytes, which sets the bank conflicts. Cycles are per pass of SEQ and SM in the steady state.
//
// Macros: SEQ, the sequence, made of the words below; NAME; PASSES; BURST (1: a barrier before each pass, every result used after it).
#include <cuda_runtime.h>
#include <mma.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#ifndef PASSES
#define PASSES 128
#endif
#ifndef BURST
#define BURST 0
#endif
constexpr int WARM = 16, SLOTS = 16, LAUNCHES = 7;

// Slot i of a lane: its own registers, and addresses 1 KiB further on (the same banks). Row pieces of 16, 8 and 4 bytes.
#define P16(i) (p16 + (i) * 1024)
#define P8(i) (p8 + (i) * 1024)
#define P4(i) (p4 + (i) * 1024)
#define LM4(i) asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3},[%4];" : "=r"(r[i][0]), "=r"(r[i][1]), "=r"(r[i][2]), "=r"(r[i][3]) : "r"(P16(i)));
#define LM4T(i) asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3},[%4];" : "=r"(r[i][0]), "=r"(r[i][1]), "=r"(r[i][2]), "=r"(r[i][3]) : "r"(P16(i)));
#define LM2(i) asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1},[%2];" : "=r"(r[i][0]), "=r"(r[i][1]) : "r"(P16(i)));
#define LM1(i) asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0},[%1];" : "=r"(r[i][0]) : "r"(P16(i)));
#define LD4(i) asm volatile("ld.volatile.shared.v4.u32 {%0,%1,%2,%3},[%4];" : "=r"(r[i][0]), "=r"(r[i][1]), "=r"(r[i][2]), "=r"(r[i][3]) : "r"(P16(i)));
#define LD2(i) asm volatile("ld.volatile.shared.v2.u32 {%0,%1},[%2];" : "=r"(r[i][0]), "=r"(r[i][1]) : "r"(P8(i)));
#define LD1(i) asm volatile("ld.volatile.shared.u32 %0,[%1];" : "=r"(r[i][0]) : "r"(P4(i)));
#define SM4(i) asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%4],{%0,%1,%2,%3};" :: "r"(k[0]), "r"(k[1]), "r"(k[2]), "r"(k[3]), "r"(P16(i)) : "memory");
#define SM2(i) asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%2],{%0,%1};" :: "r"(k[0]), "r"(k[1]), "r"(P16(i)) : "memory");
#define SM1(i) asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%1],{%0};" :: "r"(k[0]), "r"(P16(i)) : "memory");
#define ST4(i) asm volatile("st.volatile.shared.v4.u32 [%4],{%0,%1,%2,%3};" :: "r"(k[0]), "r"(k[1]), "r"(k[2]), "r"(k[3]), "r"(P16(i)) : "memory");
#define ST2(i) asm volatile("st.volatile.shared.v2.u32 [%2],{%0,%1};" :: "r"(k[0]), "r"(k[1]), "r"(P8(i)) : "memory");
#define ST1(i) asm volatile("st.volatile.shared.u32 [%1],%0;" :: "r"(k[0]), "r"(P4(i)) : "memory");
#define MV(i) asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0,%1;" : "=r"(r[i][0]) : "r"(k[i & 3]));
// A fill through registers: 16 bytes a lane from global memory (L2 hits), stored to shared memory a slot later.
#define LG4(i) asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3},[%4];" : "=r"(r[i][0]), "=r"(r[i][1]), "=r"(r[i][2]), "=r"(r[i][3]) : "l"(g + (i) * 4096 + pass % 8 * 65536));
#define SR4(i) asm volatile("st.volatile.shared.v4.u32 [%4],{%0,%1,%2,%3};" :: "r"(r[i][0]), "r"(r[i][1]), "r"(r[i][2]), "r"(r[i][3]), "r"(P16(i)) : "memory");
#define MMA(i) asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};" \
    : "+f"(d[i][0]), "+f"(d[i][1]), "+f"(d[i][2]), "+f"(d[i][3]) : "r"(k[0]), "r"(k[1]), "r"(k[2]), "r"(k[3]), "r"(k[4]), "r"(k[5]));
// A dependent mma: its A operand is what slot j loaded.
#define MMAL(i, j) asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};" \
    : "+f"(d[i][0]), "+f"(d[i][1]), "+f"(d[i][2]), "+f"(d[i][3]) : "r"(r[j][0]), "r"(r[j][1]), "r"(r[j][2]), "r"(r[j][3]), "r"(k[4]), "r"(k[5]));
#define BAR __syncthreads();
#define WMMA8(i, text) asm volatile(text " {%0,%1,%2,%3,%4,%5,%6,%7},[%8],%9;" : "=r"(r[i][0]), "=r"(r[i][1]), "=r"(r[i][2]), "=r"(r[i][3]), "=r"(e[i][0]), "=r"(e[i][1]), "=r"(e[i][2]), "=r"(e[i][3]) : "r"(pw + (i) * 1024), "r"(stride));
#define WA(i) WMMA8(i, "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16")
#define WB(i) WMMA8(i, "wmma.load.b.sync.aligned.row.m16n16k16.shared.f16")

extern __shared__ __align__(1024) uint8_t smem[];
__global__ void __launch_bounds__(512, 1) stream(int rows16, int rows8, int rows4, int stride, const uint8_t *global, long long *clk, uint32_t *out, int never) {
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  uint32_t base = (uint32_t)__cvta_generic_to_shared(smem);
  uint32_t p16 = base + lane % 8 * rows16 + lane / 8 * 8192, p8 = base + lane * rows8, p4 = base + lane * rows4, pw = base;
  const uint8_t *g = global + threadIdx.x * 16;
  uint32_t r[SLOTS][4] = {}, e[SLOTS][4] = {}, k[6];
  for (int i = 0; i < 6; ++i) k[i] = never * i;
  float d[SLOTS][4] = {};
  long long t0 = 0, t1 = 0;
  (void)e; (void)k; (void)g; (void)p16; (void)p8; (void)p4; (void)pw;
  for (int i = threadIdx.x; i < 16384; i += blockDim.x) ((uint32_t *)smem)[i] = 0;
  __syncthreads();
#pragma unroll 1
  for (int pass = 0; pass < PASSES + WARM; ++pass) {
#if BURST
    __syncthreads();
    t0 = clock64();
#else
    if (pass == WARM) t0 = clock64();
#endif
    SEQ
#if BURST
    uint32_t x = 0;
#pragma unroll
    for (int i = 0; i < SLOTS; ++i) x |= r[i][0];
    if (x == 12345) out[1] = x;
    t1 = clock64();
    if (pass >= WARM && lane == 0) { clk[2 * (pass * 16 + warp)] = t0; clk[2 * (pass * 16 + warp) + 1] = t1; }
#else
    if (never == 1) {
#pragma unroll
      for (int i = 0; i < SLOTS; ++i) for (int j = 0; j < 4; ++j) out[threadIdx.x] += r[i][j] ^ e[i][j];
    }
#endif
  }
#if !BURST
  t1 = clock64();
  if (lane == 0) { clk[2 * warp] = t0; clk[2 * warp + 1] = t1; }
#endif
  float s = 0;
#pragma unroll
  for (int i = 0; i < SLOTS; ++i) s += d[i][0] + d[i][1] + d[i][2] + d[i][3] + (float)r[i][0];
  out[threadIdx.x] = (uint32_t)s;
}

static int by_value(const void *a, const void *b) { return (*(double *)a > *(double *)b) - (*(double *)a < *(double *)b); }

int main(int argc, char **argv) {
  constexpr int bytes = 64 * 1024, n = 2 * 16 * (PASSES + WARM);
  uint8_t *global; long long *clk; uint32_t *out; static long long h[n];
  cudaMalloc(&global, 1 << 20); cudaMalloc(&clk, sizeof h); cudaMalloc(&out, 4096); cudaMemset(global, 0, 1 << 20);
  cudaFuncSetAttribute(stream, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  for (int c = 1; c < argc; ++c) {
    int warps, rows16, rows8, rows4; double median[LAUNCHES];
    if (sscanf(argv[c], "%d,%d,%d,%d", &warps, &rows16, &rows8, &rows4) != 4) return 2;
    for (int l = 0; l < LAUNCHES; ++l) {
      stream<<<1, 32 * warps, bytes>>>(rows16, rows8, rows4, rows16 / 2, global, clk, out, 0);
      if (cudaDeviceSynchronize() != cudaSuccess) { printf("{\"name\":\"%s\",\"case\":\"%s\",\"error\":\"%s\"}\n", NAME, argv[c], cudaGetErrorString(cudaGetLastError())); return 1; }
      cudaMemcpy(h, clk, sizeof h, cudaMemcpyDeviceToHost);
#if BURST
      double sum = 0;
      for (int p = WARM; p < WARM + PASSES; ++p) {
        long long a = h[2 * p * 16], b = h[2 * p * 16 + 1];
        for (int w = 1; w < warps; ++w) { if (h[2 * (p * 16 + w)] < a) a = h[2 * (p * 16 + w)]; if (h[2 * (p * 16 + w) + 1] > b) b = h[2 * (p * 16 + w) + 1]; }
        sum += (double)(b - a);
      }
      median[l] = sum / PASSES;
#else
      long long a = h[0], b = h[1];
      for (int w = 1; w < warps; ++w) { if (h[2 * w] < a) a = h[2 * w]; if (h[2 * w + 1] > b) b = h[2 * w + 1]; }
      median[l] = (double)(b - a) / PASSES;
#endif
    }
    qsort(median + 1, LAUNCHES - 1, sizeof(double), by_value);
    printf("{\"name\":\"%s\",\"warps\":%d,\"rows16\":%d,\"rows8\":%d,\"rows4\":%d,\"cycles\":%.3f,\"cycles_min\":%.3f,\"cycles_max\":%.3f}\n", NAME, warps, rows16, rows8, rows4,
           median[LAUNCHES / 2], median[1], median[LAUNCHES - 1]);
  }
  return 0;
}
