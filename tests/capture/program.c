/* Launches `add` on numbers of its own: argv is the folder of the PTX, the way to the driver, and the number of launches. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 1000

typedef int (*function)();

static void *library;

static function find(const char *name) {
    function found;
    *(void **)&found = dlsym(library, name);
    return found;
}

int main(int argc, char **argv) {
    static char ptx[1 << 16];
    static uint32_t numbers[N];
    uint64_t buffers[3], packed[4];
    uint32_t n = N, i, turn;
    void *module, *add, *given[] = {&buffers[0], packed, &n};
    FILE *file = argc == 4 ? fopen(argv[1], "rb") : NULL;
    library = dlopen("libcuda.so.1", RTLD_NOW);
    if (file == NULL || library == NULL || fread(ptx, 1, sizeof ptx - 1, file) == 0) return 1;
    find("cuModuleLoadData")(&module, ptx);
    memset(ptx, 0, sizeof ptx); /* as programs free what they loaded from */
    find("cuModuleGetFunction")(&add, module, "add");
    for (i = 0; i < 3; i++) {
        uint32_t k;
        for (k = 0; k < N; k++) numbers[k] = k * (i + 1);
        find("cuMemAlloc_v2")(&buffers[i], sizeof numbers);
        find("cuMemcpyHtoD_v2")(buffers[i], numbers, sizeof numbers);
    }
    for (turn = 0; turn < (uint32_t)atoi(argv[3]); turn++) {
        packed[0] = buffers[turn % 2];
        packed[1] = buffers[2];
        if (strcmp(argv[2], "kernel") == 0) {
            find("cuLaunchKernel")(add, 8, 1, 1, 128, 1, 1, 0, NULL, given, NULL);
        } else {
            struct {
                uint32_t grid[3], block[3], shared_bytes;
                void *stream, *attributes;
                uint32_t count;
            } config = {{8, 1, 1}, {128, 1, 1}, 0, NULL, NULL, 0};
            find("cuLaunchKernelEx")(&config, add, given, NULL);
        }
    }
    printf("%d launches\n", atoi(argv[3]));
    return 0;
}
