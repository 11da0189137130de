// What a GPU does with counts of mbarrier objects that are out of their range, and with ld.global.nc of what the kernel wrote.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

__device__ uint32_t address_of(const void *shared) { return (uint32_t)__cvta_generic_to_shared(shared); }

// init with a count, arrivals with counts, bytes that are expected; then whether the first phase has ended
__global__ void object(uint32_t count, uint32_t arrivals, uint32_t times, uint32_t expected, uint32_t *out) {
    __shared__ uint64_t barrier;
    const uint32_t at = address_of(&barrier);
    uint64_t state = 0;
    uint32_t ended = 0;
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(count) : "memory");
    if (expected != 0) asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(at), "r"(expected) : "memory");
    for (uint32_t i = 0; i < times; i++)
        asm volatile("mbarrier.arrive.shared.b64 %0, [%1], %2;" : "=l"(state) : "r"(at), "r"(arrivals) : "memory");
    for (int i = 0; i < 1000 && ended == 0; i++)
        asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}" : "=r"(ended) : "r"(at) : "memory");
    out[0] = ended, out[1] = (uint32_t)state;
}

// a value is read, overwritten by its thread, and read again, without coherence
__global__ void same_thread(uint32_t *a, uint32_t *out) {
    uint32_t before, after;
    asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(before) : "l"(a) : "memory");
    asm volatile("st.global.u32 [%0], %1;" ::"l"(a), "r"(before + 1) : "memory");
    __threadfence();
    asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(after) : "l"(a) : "memory");
    out[0] = before, out[1] = after;
}

// block 1 writes behind a flag; block 0 has read the value before
__global__ void other_block(uint32_t *a, volatile uint32_t *flag, uint32_t *out) {
    if (blockIdx.x == 0) {
        uint32_t before, after, polls = 0;
        asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(before) : "l"(a) : "memory");
        flag[0] = 1;
        while (flag[1] == 0 && polls < 10000000) polls++;
        __threadfence();
        asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(after) : "l"(a) : "memory");
        out[0] = before, out[1] = after;
    } else {
        while (flag[0] == 0) {}
        *a = 8;
        __threadfence();
        flag[1] = 1;
    }
}

// a round of a stencil with a barrier between: is what the barrier orders seen?
__global__ void after_barrier(uint32_t *a, uint32_t *out) {
    uint32_t before, after;
    asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(before) : "l"(a + threadIdx.x) : "memory");
    a[threadIdx.x ^ 1] = 100 + threadIdx.x;
    __syncthreads();
    asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(after) : "l"(a + threadIdx.x) : "memory");
    if (threadIdx.x == 0) out[0] = before, out[1] = after;
}

// counts N: one case in a process, since an error ends the device's context
int main(int count, char **words) {
    static const uint32_t cases[][4] = {
        {1, 1, 1, 0}, {0, 1, 1, 0}, {0, 1, 0, 0}, {0xfffff, 0xfffff, 1, 0}, {0x100000, 1, 0, 0}, {0x100001, 1, 1, 0},
        {0xffffffff, 1, 0, 0}, {2, 3, 1, 0}, {2, 1, 3, 0}, {1, 0, 1, 0}, {1, 2, 1, 0}, {3, 2, 2, 0}, {1, 1, 1, 0xfffff},
        {1, 1, 1, 0x100000}, {1, 1, 1, 0x1fffff}, {1, 1, 1, 0x200000}, {1, 1, 2, 16}, {1, 1, 0, 0xfffff}, {1, 1, 0, 0x100000},
    };
    const int number = count > 1 ? atoi(words[1]) : 0, objects = sizeof cases / sizeof *cases;
    uint32_t *out, *a, host[2] = {0};
    cudaDeviceProp device;
    cudaGetDeviceProperties(&device, 0);
    if (number == 0) printf("%s, sm_%d%d\n", device.name, device.major, device.minor);
    cudaMalloc(&out, 64);
    cudaMalloc(&a, 4096);
    cudaMemset(a, 0, 4096);
    cudaMemset(out, 0, 64);
    if (number < objects) {
        const uint32_t *one = cases[number];
        object<<<1, 1>>>(one[0], one[1], one[2], one[3], out);
        printf("init %u, arrive %u x %u, expect %u: ", one[0], one[1], one[2], one[3]);
    }
    if (number == objects) same_thread<<<1, 1>>>(a, out), printf("same_thread: ");
    if (number == objects + 1) other_block<<<2, 1>>>(a, a + 512, out), printf("other_block: ");
    if (number == objects + 2) after_barrier<<<1, 64>>>(a, out), printf("after_barrier: ");
    if (number > objects + 2) return 1;
    printf("%s", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    if (number < objects) printf(", ended %u\n", host[0]);
    else printf(", %u then %u\n", host[0], host[1]);
    return 0;
}
