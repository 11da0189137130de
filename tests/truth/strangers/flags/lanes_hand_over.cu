// run: -D V=0 --grid 1 --block 32 --arg f=s32[1] --arg d=s32[1] --arg o=s32[1]
// run: -D V=1 --grid 1 --block 32 --arg f=s32[1] --arg d=s32[1] --arg o=s32[1]
// Two lanes of one warp hand values over by a flag: no place is common to their branches.
#if V == 0
#define FENCE __threadfence_block()
#else
#define FENCE
#endif
extern "C" __global__ void hand(volatile int* f, volatile int* d, int* o) {
  if (threadIdx.x == 0) {
    for (int i = 0; i < 5; i++) {
      while (f[0] != 0);
      FENCE;
      d[0] = i + 1;
      FENCE;
      f[0] = 1;
    }
  } else if (threadIdx.x == 1) {
    int sum = 0;
    for (int i = 0; i < 5; i++) {
      while (f[0] != 1);
      FENCE;
      sum += d[0];
      FENCE;
      f[0] = 0;
    }
    o[0] = sum;
  }
}
