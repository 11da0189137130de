// run: -D B7 --grid 2,3 --block 64 --arg "a=f32[1024]:random(1)" --arg c=f32[128]:uninitialized --arg sem=s32[2] --arg k=8
// run: -D B9 --grid 2,3 --block 64 --arg "a=f32[1024]:random(1)" --arg c=f32[128]:uninitialized --arg sem=s32[2] --arg k=8
// run: -D B10 --grid 2,3 --block 64 --arg "a=f32[1024]:random(1)" --arg c=f32[128]:uninitialized --arg sem=s32[2] --arg k=8
// split-K, serial semaphore. -D B7: the wait is relaxed; -D B10: the release is relaxed; -D B9: no barrier before the release
extern "C" __global__ void splitk(const float* a, float* c, int* sem, int k) {
  int tile = blockIdx.x, split = blockIdx.y, splits = gridDim.y;
  float acc = 0;
  for (int j = split; j < k; j += splits)
    acc += a[(tile * k + j) * blockDim.x + threadIdx.x];
  int state = -1;
  if (threadIdx.x == 0)
    while (state != split)
#ifdef B7
      asm volatile("ld.global.relaxed.gpu.b32 %0,[%1];" : "=r"(state) : "l"(sem + tile) : "memory");
#else
      asm volatile("ld.global.acquire.gpu.b32 %0,[%1];" : "=r"(state) : "l"(sem + tile) : "memory");
#endif
  __syncthreads();
  float* p = c + tile * blockDim.x + threadIdx.x;
#ifdef FIX_AS_TOLD
  atomicAdd(p, acc);
#else
  if (split) acc += *p;
  *p = acc;
#endif
#ifndef B9
  __syncthreads();
#endif
  if (threadIdx.x == 0)
#ifdef B10
    asm volatile("st.global.relaxed.gpu.b32 [%0],%1;" ::"l"(sem + tile), "r"(split + 1) : "memory");
#else
    asm volatile("st.global.release.gpu.b32 [%0],%1;" ::"l"(sem + tile), "r"(split + 1) : "memory");
#endif
}
