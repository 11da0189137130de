// run: --grid 1 --block 64 --arg x=s32[64]:arange --arg y=s32[64]
// run: -D DATA --grid 1 --block 64 --arg x=s32[64]:arange --arg y=s32[64]
// run: -D VALUE --grid 1 --block 64 --arg x=s32[64]:arange --arg y=s32[64]
extern "C" __global__ void flags(const int *x, int *y) {
    __shared__ volatile int ready[2], found[2], turn[2], last[2];
    __shared__ int data[2];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    if (lane == 0) ready[warp] = found[warp] = turn[warp] = 0;
    __syncwarp();
    if (lane == 5) { // passes a value to another lane
        data[warp] = 42;
#ifndef DATA
        __threadfence_block();
#endif
        ready[warp] = 1;
    } else if (lane == 7) {
        while (ready[warp] == 0) {}
#ifndef DATA
        __threadfence_block();
#endif
        y[t] = data[warp];
    }
    __syncwarp();
    for (int i = 0; i < 8 && !found[warp]; i++) // ends early, as soon as anybody has found it
        if (x[t] == 9 * i + warp) found[warp] = 1;
    bool waits = true;
    while (waits) { // one lane after the other
        if (turn[warp] == lane) {
            __threadfence_block();
            turn[warp] = lane + 1;
            waits = false;
        }
    }
    __syncwarp();
    if (lane == 31) last[warp] = x[t];
#ifndef VALUE
    __syncwarp();
#endif
    if (lane == 3) y[t] = last[warp];
}
