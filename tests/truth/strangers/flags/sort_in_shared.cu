// run: -D V=0 --grid 1 --block 128 --arg "x=s32[256]:random(2)"
// run: -D V=1 --grid 1 --block 128 --arg "x=s32[256]:random(2)"
// Bitonic sort; without the barrier of each round two threads compare and exchange what others still write.
extern "C" __global__ void sort(int* x) {
  __shared__ int s[256];
  const int t = threadIdx.x;
  s[t] = x[t];
  s[t + 128] = x[t + 128];
  for (int k = 2; k <= 256; k <<= 1)
    for (int j = k >> 1; j > 0; j >>= 1) {
#if V == 0
      __syncthreads();
#endif
      const int i = 2 * t - (t & (j - 1)), p = i + j;
      const int a = s[i], c = s[p];
      if ((a > c) == ((i & k) == 0)) {
        s[i] = c;
        s[p] = a;
      }
    }
  __syncthreads();
  x[t] = s[t];
  x[t + 128] = s[t + 128];
}
