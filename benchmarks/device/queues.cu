// What an SM does with cp.async and ldmatrix that are issued at once: each of W warps, behind a barrier, COPIES copies of 16 bytes per lane, rows of ROW
// bytes PAD bytes apart, then LOADS loads of rows 16 bytes wide LOAD_PITCH bytes apart. The clock when each had been issued, and when the first load's
// data were there. Nothing else is on its way; of four rounds the last.
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
extern __shared__ __align__(1024) uint8_t smem[];
constexpr int SHARED = 200 * 1024, FILLED = 64 * 1024, ROUNDS = 4, MOST = 32;

__device__ uint32_t now() {
  uint32_t cycles;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(cycles) :: "memory");
  return cycles;
}

template <int COPIES, int LOADS> __global__ void __launch_bounds__(512) queues(const uint8_t *from, uint32_t *out, int row, int pad, int load_pitch) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const uint32_t base = (uint32_t)__cvta_generic_to_shared(smem), loaded = base + lane % 8 * load_pitch + lane / 8 * 8 * load_pitch;
  uint32_t to[COPIES + 1], at[COPIES + LOADS + 2], r[LOADS][4], sum = 0;
#pragma unroll
  for (int i = 0; i < COPIES; ++i) {
    const int piece = (i * warps + warp) * 32 + lane, in_row = row / 16;
    to[i] = base + FILLED + piece / in_row * (row + pad) + piece % in_row * 16;
  }
  for (int round = 0; round < ROUNDS; ++round) {
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    at[0] = now();
#pragma unroll
    for (int i = 0; i < COPIES; ++i) {
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(to[i]), "l"(from + ((i * warps + warp) * 32 + lane) * 16) : "memory");
      at[1 + i] = now();
    }
#pragma unroll
    for (int i = 0; i < LOADS; ++i) {
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                   : "=r"(r[i][0]), "=r"(r[i][1]), "=r"(r[i][2]), "=r"(r[i][3]) : "r"(loaded + i * 4096) : "memory");
      at[1 + COPIES + i] = now();
    }
    asm volatile("{.reg .pred p; setp.eq.u32 p, %0, 12345; @p trap;}" :: "r"(r[0][0] ^ r[0][1] ^ r[0][2] ^ r[0][3]) : "memory");
    at[1 + COPIES + LOADS] = now();
#pragma unroll
    for (int i = 0; i < LOADS; ++i) sum += r[i][0] ^ r[i][1] ^ r[i][2] ^ r[i][3];
    __syncthreads();
  }
  if (lane == 0)
    for (int i = 0; i < COPIES + LOADS + 2; ++i) out[warp * MOST + i] = at[i];
  if (sum == 12345) out[0] = sum;
}

template <int COPIES, int LOADS> void time_all(const uint8_t *from, uint32_t *out, int row, int pad, int load_pitch) {
  for (int warps = 1; warps <= 8; warps += warps < 4 ? 1 : 2) {
    cudaFuncSetAttribute(queues<COPIES, LOADS>, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED);
    queues<COPIES, LOADS><<<1, 32 * warps, SHARED>>>(from, out, row, pad, load_pitch);
    uint32_t at[MOST * 8], first = ~0u;
    if (cudaMemcpy(at, out, sizeof at, cudaMemcpyDeviceToHost) != cudaSuccess) { printf("{\"error\":1}\n"); return; }
    for (int w = 0; w < warps; ++w) first = at[w * MOST] < first ? at[w * MOST] : first;
    printf("{\"warps\":%d,\"copies\":%d,\"loads\":%d,\"row\":%d,\"pad\":%d,\"load_pitch\":%d,\"at\":[", warps, COPIES, LOADS, row, pad, load_pitch);
    for (int w = 0; w < warps; ++w) {
      printf(w ? ",[" : "[");
      for (int i = 0; i < COPIES + LOADS + 2; ++i) printf(i ? ",%u" : "%u", at[w * MOST + i] - first);
      printf("]");
    }
    printf("]}\n");
  }
}

int main() {
  uint8_t *from; uint32_t *out;
  cudaMalloc(&from, 1 << 20); cudaMalloc(&out, sizeof(uint32_t) * MOST * 16); cudaMemset(from, 0, 1 << 20);
  for (int load_pitch = 16; load_pitch <= 128; load_pitch *= 2) {
    time_all<0, 1>(from, out, 128, 0, load_pitch);
    time_all<0, 2>(from, out, 128, 0, load_pitch);
  }
  const int rows[][2] = {{128, 0}, {128, 16}, {96, 16}, {64, 16}};
  for (auto &row : rows) {
    time_all<1, 1>(from, out, row[0], row[1], 16);
    time_all<4, 1>(from, out, row[0], row[1], 16);
    time_all<6, 1>(from, out, row[0], row[1], 16);
    time_all<8, 1>(from, out, row[0], row[1], 16);
    time_all<12, 1>(from, out, row[0], row[1], 16);
    time_all<8, 8>(from, out, row[0], row[1], 16);
  }
  return 0;
}
