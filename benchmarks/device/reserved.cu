// What the special registers of reserved shared memory hold, and what its bytes hold when a block begins:
// nvcc -arch=native reserved.cu && ./a.out > reserved.txt
#include <cstdio>
#include <cuda_runtime.h>

#define R(n, name) asm volatile("mov.u32 %0, %%" name ";" : "=r"(out[n]))

__global__ void look(unsigned *out) {
    __shared__ int s[100];
    extern __shared__ int d[];
    s[threadIdx.x] = 1;
    R(0, "reserved_smem_offset_begin");
    R(1, "reserved_smem_offset_end");
    R(2, "reserved_smem_offset_cap");
    R(3, "reserved_smem_offset_0");
    R(4, "reserved_smem_offset_1");
    R(5, "total_smem_size");
    R(6, "dynamic_smem_size");
    R(7, "aggr_smem_size");
    out[8] = (unsigned)__cvta_generic_to_shared(&s[0]);
    out[9] = (unsigned)__cvta_generic_to_shared(&d[0]);
    out[10] = 0;
    for (unsigned i = 0; i < 256; i++) {
        unsigned v;
        asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v) : "r"(out[0] + 4 * i));
        out[10] += v != 0;
    }
}

int main() {
    const int sizes[] = {0, 16, 100, 1024, 40000};
    unsigned *out;
    cudaMallocManaged(&out, 4096);
    for (int dynamic : sizes) {
        look<<<1, 32, dynamic>>>(out);
        printf("static 400 dynamic %d: %s", dynamic, cudaGetErrorString(cudaDeviceSynchronize()));
        printf(" begin %u end %u cap %u 0 %u 1 %u total %u dynamic %u aggr %u static at %u dynamic at %u not zero %u\n",
               out[0], out[1], out[2], out[3], out[4], out[5], out[6], out[7], out[8], out[9], out[10]);
    }
}
