// run: -D V=0 --grid 4 --block 64 --arg a=s32[256]:arange --arg b=s32[256] --arg n=256
// run: -D V=1 --grid 4 --block 64 --arg a=s32[256]:arange --arg b=s32[256] --arg n=256
// run: -D V=2 --grid 4 --block 64 --arg a=s32[256]:arange --arg b=s32[256] --arg n=256
// A barrier of the grid made of a counter and a generation: right, given on by a plain store, without the fence between.
__device__ unsigned count, generation;
__device__ void meet() {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    const unsigned now = *(volatile unsigned*)&generation;
    if (atomicAdd(&count, 1) == gridDim.x - 1) {
      *(volatile unsigned*)&count = 0;
#if V != 2
      __threadfence();
#endif
#if V == 1
      generation = now + 1;
#else
      atomicAdd(&generation, 1);
#endif
    } else {
      while (*(volatile unsigned*)&generation == now);
    }
    __threadfence();
  }
  __syncthreads();
}
extern "C" __global__ void turn(int* a, int* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int step = 0; step < 4; step++) {
    int *from = step & 1 ? b : a, *to = step & 1 ? a : b;
    to[i] = from[(i + 64) % n] + 1;
    meet();
  }
}
