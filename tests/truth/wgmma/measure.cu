// What an H200 computes for the products of cases.py: measure CUBIN POOL PLAN OUT.
// PLAN: for each kernel its name (16 bytes), cases, registers of D, whether the words themselves are wanted (uint32 each),
// then the records. OUT: for each kernel the digests of its cases (uint64), then the words if wanted.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <vector>

#define CHECK(call) do { CUresult r = (call); if (r != CUDA_SUCCESS) { const char *s; cuGetErrorString(r, &s); fprintf(stderr, "%s: %s\n", #call, s); exit(1); } } while (0)

static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

static std::vector<char> content(const char *name) {
    FILE *f = fopen(name, "rb");
    if (!f) { perror(name); exit(1); }
    std::vector<char> bytes;
    char piece[65536];
    for (size_t n; (n = fread(piece, 1, sizeof piece, f)) > 0;) bytes.insert(bytes.end(), piece, piece + n);
    fclose(f);
    return bytes;
}

int main(int count, char **argv) {
    const std::vector<char> cubin = content(argv[1]), pool = content(argv[2]), plan = content(argv[3]);
    FILE *out = fopen(argv[4], "wb");
    CUdevice device; CUcontext context; CUmodule module; CUdeviceptr on_pool, on_records, on_out;
    CHECK(cuInit(0)); CHECK(cuDeviceGet(&device, 0)); CHECK(cuDevicePrimaryCtxRetain(&context, device)); CHECK(cuCtxSetCurrent(context));
    CHECK(cuModuleLoadData(&module, cubin.data()));
    CHECK(cuMemAlloc(&on_pool, pool.size())); CHECK(cuMemcpyHtoD(on_pool, pool.data(), pool.size()));
    CHECK(cuMemAlloc(&on_records, 1 << 20)); CHECK(cuMemAlloc(&on_out, 64 << 20));
    for (size_t at = 0; at < plan.size();) {
        const char *name = &plan[at];
        const uint32_t *head = (const uint32_t *)&plan[at + 16];
        const uint32_t cases = head[0], registers = head[1], wanted = head[2];
        const size_t words = 128 * (size_t)registers;
        at += 16 + 12;
        CUfunction function;
        CHECK(cuModuleGetFunction(&function, module, name));
        CHECK(cuMemcpyHtoD(on_records, &plan[at], cases * 64)); at += cases * 64;
        void *arguments[] = {&on_pool, &on_records, &on_out};
        std::vector<uint32_t> found(cases * words), again(cases * words);
        for (int round = 0; round < (count > 5 ? 1 : 2); round++) { // a fifth argument: once, for a profiler
            CHECK(cuMemsetD8(on_out, 0xCD, found.size() * 4));
            CHECK(cuLaunchKernel(function, cases, 1, 1, 128, 1, 1, 49152, 0, arguments, 0));
            CHECK(cuMemcpyDtoH(round ? again.data() : found.data(), on_out, found.size() * 4));
        }
        if (count <= 5 && found != again) printf("%s: two runs differ\n", name);
        for (uint32_t i = 0; i < cases; i++) {
            uint64_t digest = 0;
            for (size_t k = 0; k < words; k++) digest ^= mix(found[i * words + k] + (k + 1) * 0x9E3779B97F4A7C15ull);
            fwrite(&digest, 8, 1, out);
        }
        if (wanted) fwrite(found.data(), 4, found.size(), out);
    }
    fclose(out);
    printf("done\n");
}
