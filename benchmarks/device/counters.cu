// Accesses without a bank conflict (and one with), repeated by many warps of many blocks, for a profiler to count.
//
// Each argument "pattern,blocks,warps,repeats,shared_bytes" is one launch. The counters of an SM's shared memory see what is in flight at the same
// time; this shows whether they stay those of the pattern.
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern __shared__ __align__(1024) uint8_t smem[];

enum Pattern { LD4, LD16, LDM, ST16, STM, LD4_TWOFOLD, LD16_AND_ST16, LDM_AND_GLOBAL, LDM_AND_COPY, LDM_AND_BARRIER, PATTERNS };

#define LOAD4(a) asm volatile("ld.volatile.shared.u32 %0,[%1];" : "=r"(x) : "r"(a)); sum += x;
#define LOAD16(a) asm volatile("ld.volatile.shared.v4.u32 {%0,%1,%2,%3},[%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "r"(a)); sum += x ^ y ^ z ^ w;
#define MATRIX(a) asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3},[%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "r"(a)); sum += x ^ y ^ z ^ w;
#define STORE16(a) asm volatile("st.volatile.shared.v4.u32 [%0],{%1,%1,%1,%1};" :: "r"(a), "r"(sum));
#define GLOBAL(p) asm volatile("ld.global.ca.v4.u32 {%0,%1,%2,%3},[%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "l"(p)); sum += x ^ y ^ z ^ w;
#define COPY(a, p) asm volatile("cp.async.cg.shared.global [%0],[%1],16;" :: "r"(a), "l"(p));

// `step` is 0, which the compiler does not know: it may not take two repeats for one.
template <int P> __global__ void counted(int repeats, uint32_t step, const uint8_t *global, uint32_t *out, uint32_t never) {
  const uint32_t lane = threadIdx.x % 32, base = (uint32_t)__cvta_generic_to_shared(smem);
  uint32_t p4 = base + lane * 4, p16 = base + lane * 16, p8 = base + lane * 8;
  const uint8_t *g = global + threadIdx.x * 16;
  uint32_t x, y, z, w, sum = 0;
  const bool even = threadIdx.x / 32 % 2 == 0;
  for (int i = 0; i < repeats; ++i, p4 += step, p8 += step, p16 += step, g += step) {
    if (P == LD4) { LOAD4(p4) }
    if (P == LD16) { LOAD16(p16) }
    if (P == LDM || P == LDM_AND_BARRIER) { MATRIX(p16) }
    if (P == ST16) { STORE16(p16) }
    if (P == STM) asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0],{%1,%1,%1,%1};" :: "r"(p16), "r"(sum));
    if (P == LD4_TWOFOLD) { LOAD4(p8) }
    if (P == LD16_AND_ST16) { if (even) { LOAD16(p16) } else { STORE16(p16) } }
    if (P == LDM_AND_GLOBAL) { if (even) { MATRIX(p16) } else { GLOBAL(g) } }
    if (P == LDM_AND_COPY) { if (even) { MATRIX(p16) } else { COPY(p16 + 1024, g) } }
    if (P == LDM_AND_BARRIER) __syncthreads();
  }
  if (P == LDM_AND_COPY) asm volatile("cp.async.wait_all;");
  if (sum == never) out[0] = sum;
}

typedef void (*Kernel)(int, uint32_t, const uint8_t *, uint32_t *, uint32_t);
static const Kernel kernels[PATTERNS] = {counted<LD4>, counted<LD16>, counted<LDM>, counted<ST16>, counted<STM>, counted<LD4_TWOFOLD>,
  counted<LD16_AND_ST16>, counted<LDM_AND_GLOBAL>, counted<LDM_AND_COPY>, counted<LDM_AND_BARRIER>};

int main(int argc, char **argv) {
  uint8_t *global; uint32_t *out;
  cudaMalloc(&global, 1 << 20); cudaMemset(global, 1, 1 << 20); cudaMalloc(&out, 4);
  for (int i = 1; i < argc; ++i) {
    int pattern, blocks, warps, repeats, bytes;
    if (sscanf(argv[i], "%d,%d,%d,%d,%d", &pattern, &blocks, &warps, &repeats, &bytes) != 5 || pattern < 0 || pattern >= PATTERNS) return 2;
    cudaFuncSetAttribute((const void *)kernels[pattern], cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    kernels[pattern]<<<blocks, warps * 32, bytes>>>(repeats, 0, global, out, 0x12345678u);
    if (cudaDeviceSynchronize() != cudaSuccess) { printf("%s\n", cudaGetErrorString(cudaGetLastError())); return 1; }
  }
}
