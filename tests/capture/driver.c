/* A driver of one kernel on the CPU, for tests of `warpsim capture`: host memory is its device memory, and a launch of
 * `add` runs add.ptx by hand. It has what the library in front of a driver asks for, and nothing else. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int status;
typedef struct allocation {
    uint64_t base;
    size_t nbytes;
} allocation;
typedef struct config {
    uint32_t grid[3], block[3], shared_bytes;
    void *stream;
    const void *attributes;
    uint32_t count;
} config;

static allocation all[16];
static int used;
static const size_t sizes[] = {8, 24, 4}; /* of out, of the struct {x, y, pad}, and of n */
static const size_t offsets[] = {0, 8, 32};

status cuMemAlloc_v2(uint64_t *made, size_t nbytes) {
    void *found = aligned_alloc(512, (nbytes + 511) / 512 * 512);
    if (found == NULL || used == 16) return 2;
    all[used].base = *made = (uint64_t)(uintptr_t)found;
    all[used++].nbytes = nbytes;
    return 0;
}

status cuMemGetAddressRange_v2(uint64_t *base, size_t *nbytes, uint64_t at) {
    for (int i = 0; i < used; i++) {
        if (at - all[i].base >= all[i].nbytes) continue;
        *base = all[i].base;
        *nbytes = all[i].nbytes;
        return 0;
    }
    return 1;
}

status cuMemcpyDtoH_v2(void *to, uint64_t from, size_t nbytes) {
    memcpy(to, (const void *)(uintptr_t)from, nbytes);
    return 0;
}

status cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t nbytes) {
    memcpy((void *)(uintptr_t)to, from, nbytes);
    return 0;
}

status cuModuleLoadData(void **module, const void *image) {
    (void)image;
    *module = (void *)1;
    return 0;
}

status cuModuleGetFunction(void **function, void *module, const char *name) {
    (void)module;
    if (strcmp(name, "add") != 0) return 500;
    *function = (void *)2;
    return 0;
}

status cuFuncGetName(const char **name, void *function) {
    *name = "add";
    return function == (void *)2 ? 0 : 1;
}

status cuKernelGetName(const char **name, void *kernel) { return cuFuncGetName(name, kernel); }

status cuFuncGetParamInfo(void *function, size_t number, size_t *offset, size_t *nbytes) {
    if (function != (void *)2 || number >= 3) return 1;
    *offset = offsets[number];
    *nbytes = sizes[number];
    return 0;
}

status cuLaunchKernelEx(const config *asked, void *function, void **given, void **extra) {
    const uint32_t *x, *y;
    uint32_t *out, n, i;
    uint64_t words[2];
    (void)extra;
    if (function != (void *)2) return 1;
    memcpy(words, given[0], 8);
    out = (uint32_t *)(uintptr_t)words[0];
    memcpy(words, given[1], 16);
    x = (const uint32_t *)(uintptr_t)words[0];
    y = (const uint32_t *)(uintptr_t)words[1];
    memcpy(&n, given[2], 4);
    for (i = 0; i < asked->grid[0] * asked->block[0] && i < n; i++) out[i] = x[i] + y[i];
    return 0;
}

status cuLaunchKernel(void *f, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t bx, uint32_t by, uint32_t bz,
                      uint32_t shared, void *stream, void **given, void **extra) {
    const config asked = {{gx, gy, gz}, {bx, by, bz}, shared, stream, NULL, 0};
    return cuLaunchKernelEx(&asked, f, given, extra);
}

status cuCtxSynchronize(void) { return 0; }

status cuStreamIsCapturing(void *stream, int *is_capturing) {
    (void)stream;
    *is_capturing = 0;
    return 0;
}

status cuCtxGetDevice(int *device) {
    *device = 0;
    return 0;
}

status cuDeviceGetName(char *name, int nbytes, int device) {
    (void)device;
    strncpy(name, "a GPU of the tests", (size_t)nbytes);
    return 0;
}

status cuDeviceGetAttribute(int *value, int attribute, int device) {
    (void)device;
    *value = attribute == 75 ? 9 : 0; /* compute capability, major and minor */
    return 0;
}

status cuDriverGetVersion(int *version) {
    *version = 13000;
    return 0;
}
