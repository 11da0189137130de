// A launch of examples/kernels/gemm.cu, for warpsim capture: nvcc -lineinfo -arch=sm_90 [-DFIXED] -I examples/kernels gemm_main.cu
#include "gemm.cu"
#include <cstdint>
#include <cstdio>
#include <vector>

int main() {
    const int n = 64;
    std::vector<float> a(n * n), b(n * n);
    for (int i = 0; i < n * n; i++) {
        a[i] = float((i * 2654435761u >> 20) % 17) / 4 - 2;
        b[i] = float((i * 2246822519u >> 20) % 17) / 4 - 2;
    }
    float *x, *y, *z;
    cudaMalloc(&x, 4 * n * n);
    cudaMalloc(&y, 4 * n * n);
    cudaMalloc(&z, 4 * n * n);
    cudaMemcpy(x, a.data(), 4 * n * n, cudaMemcpyHostToDevice);
    cudaMemcpy(y, b.data(), 4 * n * n, cudaMemcpyHostToDevice);
    cudaMemset(z, 0xFF, 4 * n * n);
    gemm<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(x, y, z, n);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
