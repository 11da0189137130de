// run: -D V=0 --grid 2,4 --block 64 --arg "a=f32[2048]:random(1)" --arg c=f32[128]:uninitialized --arg turn=s32[2] --arg k=16
// run: -D V=1 --grid 2,4 --block 64 --arg "a=f32[2048]:random(1)" --arg c=f32[128]:uninitialized --arg turn=s32[2] --arg k=16
// Split K in turns: all threads ask together whether it is theirs. Without the barrier before it is given on.
extern "C" __global__ void turns(const float* a, float* c, int* turn, int k) {
  const int tile = blockIdx.x, split = blockIdx.y;
  float sum = 0;
  for (int j = split; j < k; j += gridDim.y) sum += a[(tile * k + j) * blockDim.x + threadIdx.x];
  int now = 0;
  while (__syncthreads_and(now != split)) {
    if (threadIdx.x == 0) asm volatile("ld.global.acquire.gpu.b32 %0,[%1];" : "=r"(now) : "l"(turn + tile));
  }
  __syncthreads();
  float* out = c + tile * blockDim.x + threadIdx.x;
  if (split) sum += *out;
  *out = sum;
#if V == 0
  __syncthreads();
#endif
  if (threadIdx.x == 0)
    asm volatile("st.global.release.gpu.b32 [%0],%1;" ::"l"(turn + tile), "r"(split + 1));
}
