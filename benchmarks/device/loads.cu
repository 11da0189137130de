// How an SM shares its data pipe among the ldmatrix.x4 of several warps: cycles of streams in which each warp has at most WINDOW loads under way.
// Rows are PITCH bytes apart: 16, no conflict, to 128, eightfold; that of every other warp can differ.
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdint>
#include <cstdio>
extern __shared__ __align__(1024) uint8_t smem[];
constexpr int SHARED = 48 * 1024, LOADS = 16, MOST = 16;

__device__ uint32_t now() {
  uint32_t cycles;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(cycles) :: "memory");
  return cycles;
}

template <int WINDOW> __global__ void loads(uint32_t running, int even, int odd, int passes, uint32_t *out) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, before = __popc(running & ((1u << warp) - 1));
  uint32_t r[4], from[WINDOW], begin, end, sum = 0;
#pragma unroll
  for (int i = 0; i < WINDOW; ++i) from[i] = (uint32_t)__cvta_generic_to_shared(smem) + lane * (before % 2 ? odd : even);
  for (int i = threadIdx.x; i < SHARED / 4; i += blockDim.x) ((uint32_t *)smem)[i] = 0;
  __syncthreads();
  if (!(running >> warp & 1)) return;
  begin = now();
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
#pragma unroll
    for (int i = 0; i < LOADS; ++i) {
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(from[i % WINDOW]) : "memory");
      from[i % WINDOW] += r[0]; // 0, as all of shared memory
    }
  }
#pragma unroll
  for (int i = 0; i < WINDOW; ++i) sum += from[i];
  asm volatile("add.u32 %0, %0, 1;" : "+r"(sum) :: "memory");
  end = now();
  if (lane == 0) { out[2 * warp] = begin; out[2 * warp + 1] = end + (sum == 0); }
}

uint32_t *out, host[2 * MOST];

template <int WINDOW> int cycles(uint32_t running, int warps, int even, int odd, int passes) {
  for (int launch = 0; launch < 3; ++launch) loads<WINDOW><<<1, 32 * warps, SHARED>>>(running, even, odd, passes, out);
  if (cudaDeviceSynchronize() != cudaSuccess) return -1;
  cudaMemcpy(host, out, 8 * warps, cudaMemcpyDeviceToHost);
  int first = 0, last = 0;
  for (int w = warps - 1; w >= 0; --w) if (running >> w & 1) first = w;
  const uint32_t any = host[2 * first];
  int begin = 0;
  for (int w = 0; w < warps; ++w) if (running >> w & 1) begin = std::min(begin, (int)(host[2 * w] - any));
  for (int w = 0; w < warps; ++w) if (running >> w & 1) last = std::max(last, (int)(host[2 * w + 1] - any) - begin);
  return last;
}

template <int WINDOW> void timed(uint32_t running, int even, int odd) {
  const int warps = 32 - __builtin_clz(running);
  printf("{\"running\":[");
  for (int w = 0, any = 0; w < warps; ++w) if (running >> w & 1) printf("%s%d", any++ ? "," : "", w);
  printf("],\"pitch\":[%d,%d],\"window\":%d,\"cycles\":[%d,%d]}\n", even, odd, WINDOW, cycles<WINDOW>(running, warps, even, odd, 40), cycles<WINDOW>(running, warps, even, odd, 120));
}

int main() {
  cudaMalloc(&out, sizeof host);
  for (uint32_t running : {0x1u, 0x3u, 0x7u, 0xfu, 0x1fu, 0x3fu, 0x7fu, 0xffu, 0xfffu, 0xffffu, 0x11u, 0x111u, 0x1111u, 0x33u})
    for (int even : {16, 32, 64, 128})
      for (int odd : {16, 32, 64, 128}) {
        if (odd != even && (running & (running - 1)) == 0) continue;
        timed<1>(running, even, odd);
        timed<2>(running, even, odd);
        timed<4>(running, even, odd);
        timed<8>(running, even, odd);
        timed<16>(running, even, odd);
      }
  return 0;
}
