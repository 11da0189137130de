// run: --grid 2 --block 64 --arg lock=s32[1] --arg data=s32[1]
// run: -D BUG --grid 2 --block 64 --arg lock=s32[1] --arg data=s32[1]
// A spin lock of device scope, taken by single threads of two blocks.  -D BUG: no fence before the unlock.
extern "C" __global__ void spin(int* lock, int* data) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      data[0] += threadIdx.x;
#ifdef FIX_AS_TOLD
      __threadfence_block();
#elif !defined(BUG)
      __threadfence();
#endif
      atomicExch(lock, 0);
      done = true;
    }
  }
}
