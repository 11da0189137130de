// How fast an SM takes cp.async of 16 bytes per lane: cycles until a load behind COPIES copies of each of W warps has returned, all begun behind a
// barrier while nothing is on its way. Rows of ROW bytes are written PAD bytes apart, OFFSET bytes from a multiple of 1024, or swizzled by <3, 4, 3>.
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdint>
#include <cstdio>
extern __shared__ __align__(1024) uint8_t smem[];
constexpr int SHARED = 200 * 1024, FILLED = 152 * 1024, ROUNDS = 8, PAUSE = 3000;

__device__ uint32_t now() {
  uint32_t cycles;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(cycles) :: "memory");
  return cycles;
}

template <int COPIES> __global__ void copies(const uint8_t *from, uint32_t *out, int row, int pad, int offset, int swizzle) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const uint32_t base = (uint32_t)__cvta_generic_to_shared(smem), loaded = base + FILLED + 8 * 1024 + lane * 16;
  uint32_t to[COPIES], begin = 0, end = 0, r[4], sum = 0;
  const uint8_t *source[COPIES];
#pragma unroll
  for (int i = 0; i < COPIES; ++i) {
    const int piece = (i * warps + warp) * 32 + lane, in_row = row / 16;
    int place = (piece / in_row * (row + pad) + piece % in_row * 16) % FILLED;
    if (swizzle) place ^= (place >> 7 & 7) << 4;
    to[i] = base + place + offset;
    source[i] = from + piece * 16;
  }
  for (int round = 0; round < ROUNDS; ++round) {
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    for (const uint32_t start = now(); now() - start < PAUSE;) {}
    __syncthreads();
    for (const uint32_t start = now(); now() - start < 100;) {}
    begin = now();
#pragma unroll
    for (int i = 0; i < COPIES; ++i) asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(to[i]), "l"(source[i]) : "memory");
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(loaded) : "memory");
    asm volatile("add.u32 %0, %0, %1;" : "+r"(sum) : "r"(r[0] + r[1] + r[2] + r[3]) : "memory");
    end = now();
    asm volatile("cp.async.commit_group;");
  }
  if (lane == 0) { out[3 * warp] = begin; out[3 * warp + 1] = end; out[3 * warp + 2] = sum; }
}

uint8_t *from;
uint32_t *out, host[3 * 32];

template <int COPIES> int cycles(int warps, int row, int pad, int offset, int swizzle) {
  cudaFuncSetAttribute(copies<COPIES>, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED);
  for (int launch = 0; launch < 3; ++launch) copies<COPIES><<<1, 32 * warps, SHARED>>>(from, out, row, pad, offset, swizzle);
  if (cudaDeviceSynchronize() != cudaSuccess) return -1;
  cudaMemcpy(host, out, 12 * warps, cudaMemcpyDeviceToHost);
  uint32_t first = host[0];
  int last = 0;
  for (int w = 1; w < warps; ++w) if ((int)(host[3 * w] - first) < 0) first = host[3 * w];
  for (int w = 0; w < warps; ++w) last = std::max(last, (int)(host[3 * w + 1] - first));
  return last;
}

int main() {
  cudaMalloc(&from, 1 << 22);
  cudaMalloc(&out, sizeof host);
  cudaMemset(from, 0, 1 << 22);
  for (int warps : {8, 16})
    for (int row : {32, 64, 96, 128, 192, 256, 384, 512})
      for (int pad : {0, 16, 32, 48, 64, 80, 96, 112, 128})
        for (int offset : {0, 16, 32, 64})
          for (int swizzle : {0, 1}) {
            if ((swizzle && pad) || (offset && pad > 32)) continue;
            printf("{\"warps\":%d,\"row\":%d,\"pad\":%d,\"offset\":%d,\"swizzled\":%s,\"cycles\":[%d,%d]}\n", warps, row, pad, offset, swizzle ? "true" : "false",
                   cycles<4>(warps, row, pad, offset, swizzle), cycles<12>(warps, row, pad, offset, swizzle));
          }
  return 0;
}
