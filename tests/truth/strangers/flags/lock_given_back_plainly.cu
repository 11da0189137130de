// run: -D V=0 --grid 4 --block 32 --arg c=s32[1] --arg lock=s32[1]
// run: -D V=1 --grid 4 --block 32 --arg c=s32[1] --arg lock=s32[1]
// A lock that is given back by an atomic, and by a plain store.
extern "C" __global__ void add(int* c, int* lock) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0);
    __threadfence();
    c[0] = c[0] + 1;
    __threadfence();
#if V == 0
    atomicExch(lock, 0);
#else
    *lock = 0;
#endif
  }
}
