// run: --kernel atomics --grid 1 --block 64 --arg n=s32[1]:zeros --arg y=s32[64] --arg m=1000
// run: --kernel polls --grid 1 --block 64 --arg n=s32[1]:zeros --arg y=s32[64] --arg m=1
// run: --kernel reads --grid 1 --block 64 --arg n=s32[4]:zeros --arg y=s32[64] --arg m=1000
//
//
__global__ void atomics(int *n, int *y, int m) {
    if (threadIdx.x == 0) for (int i = 0; i < m; i++) atomicAdd(n, 1);
    __syncthreads();
    y[threadIdx.x] = 1;
}
__global__ void polls(int *n, int *y, int m) {
    if (threadIdx.x == 63) atomicAdd(n, m);
    if (threadIdx.x == 0) while (atomicAdd(n, 0) < m);
    __syncthreads();
    y[threadIdx.x] = 1;
}
__global__ void reads(volatile int *n, int *y, int m) {
    if (threadIdx.x == 0) for (int i = 0; i < m; i++) n[i % 4] += i;
    __syncthreads();
    y[threadIdx.x] = 1;
}
