// run: --grid 2 --block 128 --arg x=f64[256]:random(1) --arg pairs=u8[32]:uninitialized --arg keys=u8[2048]:uninitialized --arg points=u8[4096]:uninitialized
// run: -D KEY --grid 2 --block 128 --arg x=f64[256]:random(1) --arg pairs=u8[32]:uninitialized --arg keys=u8[2048]:uninitialized --arg points=u8[4096]:uninitialized
// run: -D INDEX --grid 2 --block 128 --arg x=f64[256]:random(1) --arg pairs=u8[32]:uninitialized --arg keys=u8[2048]:uninitialized --arg points=u8[4096]:uninitialized
// run: -D LAST --grid 2 --block 128 --arg x=f64[256]:random(1) --arg pairs=u8[32]:uninitialized --arg keys=u8[2048]:uninitialized --arg points=u8[4096]:uninitialized
struct Pair { double value; int index; };         // 4 bytes of padding behind
struct Key { char key; int value; };              // 3 bytes in between
struct alignas(16) Point { float x, y, z; };      // 4 bytes behind, copied with the rest
extern "C" __global__ void copies(const double *x, Pair *pairs, Key *keys, Point *points) {
    __shared__ Pair best[128];
    __shared__ Key key[128];
    __shared__ Point point[128];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    best[t].value = x[i];
#ifndef INDEX
    best[t].index = i;
#endif
#ifndef KEY
    key[t].key = t;
#endif
    key[t].value = i;
    point[t].x = point[t].y = t;
#ifdef LAST
    if (t < 127)
#endif
        point[t].z = i;
    __syncthreads();
    for (int o = 64; o > 0; o >>= 1) {
        if (t < o && best[t + o].value > best[t].value) best[t] = best[t + o];
        __syncthreads();
    }
    if (t == 0) pairs[blockIdx.x] = best[0];
    keys[i] = key[127 - t];
    points[i] = point[127 - t];
}
