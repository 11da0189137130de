// run: --grid 4 --block 64 --arg "a=f32[960]:random(1)" --arg c=f32[192]:uninitialized --arg ws=f32[256]:uninitialized --arg flags=u32[4] --arg tiles=3 --arg iters=5
// run: -D B11 --grid 4 --block 64 --arg "a=f32[960]:random(1)" --arg c=f32[192]:uninitialized --arg ws=f32[256]:uninitialized --arg flags=u32[4] --arg tiles=3 --arg iters=5
// run: -D B12 --grid 4 --block 64 --arg "a=f32[960]:random(1)" --arg c=f32[192]:uninitialized --arg ws=f32[256]:uninitialized --arg flags=u32[4] --arg tiles=3 --arg iters=5
// stream-K fixup.  -D B12: no __syncthreads() before the flag is set; -D B14: reader: none after the flag was seen; -D B11: no fence by the writer
extern "C" __global__ void streamk(const float* a, float* c, float* ws, unsigned* flags, int tiles, int iters) {
  int total = tiles * iters, per = (total + gridDim.x - 1) / gridDim.x;
  int it = blockIdx.x * per, end = min(total, it + per);
  while (it < end) {
    int tile = it / iters, k0 = it % iters, k1 = min(iters, k0 + end - it);
    float acc = 0;
    for (int k = k0; k < k1; k++)
      acc += a[(tile * iters + k) * blockDim.x + threadIdx.x];
    if (k0 != 0) {
      ws[blockIdx.x * blockDim.x + threadIdx.x] = acc;
#ifndef B11
      __threadfence();
#endif
#ifndef B12
      __syncthreads();
#endif
      if (threadIdx.x == 0) atomicExch(&flags[blockIdx.x], 1u);
    } else {
      int done = k1, peer = blockIdx.x + 1;
      while (done < iters) {
        if (threadIdx.x == 0) {
          while (atomicAdd(&flags[peer], 0u) == 0)
            ;
          __threadfence();
        }
#ifndef B14
        __syncthreads();
#endif
        acc += ws[peer * blockDim.x + threadIdx.x];
        done += min(per, iters - done);
        peer++;
      }
      c[tile * blockDim.x + threadIdx.x] = acc;
    }
    it += k1 - k0;
  }
}
