// run: -D COUNT=128 --target sm_90 --grid 1 --block 160 --arg x=s32[1024]:arange --arg y=s32[1024] --arg n=4
// run: -D COUNT=127 --target sm_90 --grid 1 --block 160 --arg x=s32[1024]:arange --arg y=s32[1024] --arg n=4
// A producer and its consumers with a ring of two stages; 128 threads say that a stage is empty.
#include <cuda/ptx>
namespace ptx = cuda::ptx;
extern "C" __global__ void ring(const int* x, int* y, int n) {
  __shared__ __align__(128) int s[2][256];
  __shared__ unsigned long long full[2], empty[2];
  int t = threadIdx.x;
  if (t == 0) {
    for (int i = 0; i < 2; i++) {
      ptx::mbarrier_init(&full[i], 1);
      ptx::mbarrier_init(&empty[i], COUNT);
    }
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  __syncthreads();
  if (t < 32) {
    for (int i = 0; t == 0 && i < n; i++) {
      const int b = i & 1;
      while (!ptx::mbarrier_try_wait_parity(&empty[b], ((i >> 1) & 1) ^ 1));
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[b], 1024);
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s[b], x + i * 256, 1024, &full[b]);
    }
    return;
  }
  t -= 32;
  for (int i = 0; i < n; i++) {
    const int b = i & 1;
    while (!ptx::mbarrier_try_wait_parity(&full[b], (i >> 1) & 1));
    y[i * 256 + t] = s[b][255 - t] * 2;
    y[i * 256 + t + 128] = s[b][127 - t] * 2;
    ptx::mbarrier_arrive(&empty[b]);
  }
}
