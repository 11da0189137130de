// run: --grid 2,3 --block 64 --arg "a=f32[1024]:random(1)" --arg c=f32[128]:uninitialized --arg sem=s32[2] --arg k=8
// run: -D FIXED --grid 2,3 --block 64 --arg "a=f32[1024]:random(1)" --arg c=f32[128]:uninitialized --arg sem=s32[2] --arg k=8
// split-K, serial semaphore: thread 0 waits with ld.acquire, but no __syncthreads() follows (the bug),
// so the other 63 threads add to the partial sum without waiting.
extern "C" __global__ void splitk(const float* a, float* c, int* sem, int k) {
  int tile = blockIdx.x, split = blockIdx.y, splits = gridDim.y;
  float acc = 0;
  for (int j = split; j < k; j += splits)
    acc += a[(tile * k + j) * blockDim.x + threadIdx.x];
  int state = -1;
  if (threadIdx.x == 0)
    while (state != split)
      asm volatile("ld.global.acquire.gpu.b32 %0,[%1];" : "=r"(state) : "l"(sem + tile) : "memory");
#ifdef FIXED
  __syncthreads();
#endif
  float* p = c + tile * blockDim.x + threadIdx.x;
  if (split) acc += *p;
  *p = acc;
  __syncthreads();
  if (threadIdx.x == 0)
    asm volatile("st.global.release.gpu.b32 [%0],%1;" ::"l"(sem + tile), "r"(split + 1) : "memory");
}
