// run: -D V=1 --grid 3 --block 64 --arg in=s32[192]:arange --arg part=s32[192]:uninitialized --arg cnt=u32[1] --arg out=s32[32]:uninitialized
// run: -D V=2 --grid 3 --block 64 --arg in=s32[192]:arange --arg part=s32[192]:uninitialized --arg cnt=u32[1] --arg out=s32[32]:uninitialized
// run: -D V=3 --grid 3 --block 64 --arg in=s32[192]:arange --arg part=s32[192]:uninitialized --arg cnt=u32[1] --arg out=s32[32]:uninitialized
// Each warp writes 32 partial values; the warp that comes last adds up all (threadFenceReduction, by warps).
extern "C" __global__ void lastwarp(const int* in, int* part, unsigned* cnt, int* out) {
  int t = threadIdx.x, l = t % 32, w = blockIdx.x * (blockDim.x / 32) + t / 32;
  int nw = gridDim.x * blockDim.x / 32;
  part[w * 32 + l] = in[w * 32 + l];
#if V == 0 || V == 3
  __threadfence();
#endif
  __syncwarp();
  unsigned old = 0;
  if (l == 0) {
#if V >= 1 && V != 3
    __threadfence();
#endif
    old = atomicAdd(cnt, 1u);
#if V >= 1 && V != 3
    __threadfence();
#endif
  }
#if V == 2
  __syncwarp();
#endif
  old = __shfl_sync(~0u, old, 0);
#if V == 3
  __syncwarp();
#endif
#if V == 1
  __syncwarp();
#endif
  if (old == nw - 1) {
#if V == 0 || V == 3
    __threadfence();
#endif
    int s = 0;
    for (int i = 0; i < nw; i++)
      s += part[i * 32 + l];
    out[l] = s;
  }
}
