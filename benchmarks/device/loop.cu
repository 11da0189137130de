// Times the main loop of src/warpsim/loop/mainloop.cu, one thread block on one SM: prints cycles per iteration.
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include "mainloop.cu"

int main() {
  constexpr int shared = BUFFERS * bytes(WORDS), LAUNCHES = 7;
  uint8_t *a, *b; float *out; long long *clk, h[64]; double cycles[LAUNCHES];
  cudaMalloc(&a, SLABS * bytes(M * K)); cudaMalloc(&b, SLABS * bytes(N * K)); cudaMalloc(&out, 4 * THREADS); cudaMalloc(&clk, sizeof h);
  cudaMemset(a, 0, SLABS * bytes(M * K)); cudaMemset(b, 0, SLABS * bytes(N * K));
  cudaFuncSetAttribute(loop, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
  cudaFuncAttributes found; cudaFuncGetAttributes(&found, loop);
  for (int launch = 0; launch < LAUNCHES; ++launch) {
    loop<<<1, THREADS, shared>>>(a, b, out, clk, 0);
    if (cudaDeviceSynchronize() != cudaSuccess) { printf("{\"error\":\"%s\"}\n", cudaGetErrorString(cudaGetLastError())); return 1; }
    cudaMemcpy(h, clk, 16 * WM * WN, cudaMemcpyDeviceToHost);
    long long first = h[0], last = h[1];
    for (int w = 1; w < WM * WN; ++w) { first = std::min(first, h[2 * w]); last = std::max(last, h[2 * w + 1]); }
    cycles[launch] = (double)(last - first) / PASSES;
  }
  std::sort(cycles + 1, cycles + LAUNCHES);
  printf("{\"cycles\":%.3f,\"cycles_min\":%.3f,\"cycles_max\":%.3f,\"registers\":%d,\"spill_bytes\":%d}\n", cycles[LAUNCHES / 2], cycles[1], cycles[LAUNCHES - 1], found.numRegs, (int)found.localSizeBytes);
  return 0;
}
