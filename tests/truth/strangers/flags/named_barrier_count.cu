// run: --grid 1 --block 96 --arg out=f32[64]
// 96 threads; warps 0-1 meet at barrier 1, whose count is wrong (96, should be 64). An mbarrier object is used elsewhere, rightly.
typedef unsigned long long u64;
extern "C" __global__ void k(float* out) {
  __shared__ u64 mb;
  unsigned m = (unsigned)__cvta_generic_to_shared(&mb), ok;
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0],96;" ::"r"(m) : "memory");
  __syncthreads();
  asm volatile("mbarrier.arrive.shared::cta.b64 _,[%0];" ::"r"(m) : "memory");
  do
    asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p,[%1],0; selp.u32 %0,1,0,p;}" : "=r"(ok) : "r"(m) : "memory");
  while (!ok);
  if (threadIdx.x < 64) {
    asm volatile("bar.sync 1, 96;" ::: "memory");
    out[threadIdx.x] = 1;
  }
}
