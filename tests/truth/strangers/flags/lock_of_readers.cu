// run: -D V=0 --grid 6 --block 32 --arg l=s32[1] --arg d=s32[2] --arg bad=s32[1]
// run: -D V=1 --grid 6 --block 32 --arg l=s32[1] --arg d=s32[2] --arg bad=s32[1]
// A lock of readers and writers; without the fence before a reader leaves.
extern "C" __global__ void share(int* l, int* d, int* bad) {
  if (threadIdx.x) return;
  if (blockIdx.x % 3 == 0) {
    while (atomicCAS(l, 0, -1) != 0);
    __threadfence();
    d[0]++;
    d[1]++;
    __threadfence();
    atomicExch(l, 0);
    return;
  }
  for (;;) {
    const int seen = atomicAdd(l, 0);
    if (seen >= 0 && atomicCAS(l, seen, seen + 1) == seen) break;
  }
  __threadfence();
  if (d[0] != d[1]) atomicAdd(bad, 1);
#if V == 0
  __threadfence();
#endif
  atomicSub(l, 1);
}
