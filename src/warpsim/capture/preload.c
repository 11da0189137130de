/* Writes launches of a CUDA program to a file: preloaded, it stands between the program and the driver.
 *
 *     WARPSIM_CAPTURE_FILE     where the records go; `.PID` is appended
 *     WARPSIM_CAPTURE_KERNEL   an extended regular expression of kernel names; all without it
 *     WARPSIM_CAPTURE_SKIP     so many launches of such kernels go by first
 *     WARPSIM_CAPTURE_COUNT    and so many are recorded then
 *     WARPSIM_CAPTURE_BYTES    memory of one launch that is recorded at most
 *
 * A record is a tag of 8 characters, its size in 8 bytes, and its bytes: record.py reads them. A launch is recorded
 * with its parameters and with each allocation that a word of these, or of an allocation of up to FOLLOWED bytes that
 * was found so, points into; before the launch and after it. Programs find the driver's functions in three ways: by
 * linking, by dlsym, and by cuGetProcAddress, so that all three are answered here. */
#include "launch.h"

#define EXPORT __attribute__((visibility("default")))
#define PER_THREAD_STREAM 2

/* Each launch in two kinds: of the default stream, and of each thread's own (`_ptsz`). */
#define LAUNCHES(suffix, own)                                                                                          \
    EXPORT status cuLaunchKernel##suffix(handle f, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t bx, uint32_t by,    \
                                         uint32_t bz, uint32_t shared, handle stream, void **given, void **extra) {    \
        const launch_config config = {{gx, gy, gz}, {bx, by, bz}, shared, stream, NULL, 0};                            \
        return launch_with(&config, f, own, 0, given, extra);                                                          \
    }                                                                                                                  \
    EXPORT status cuLaunchCooperativeKernel##suffix(handle f, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t bx,      \
                                                    uint32_t by, uint32_t bz, uint32_t shared, handle stream,          \
                                                    void **given) {                                                    \
        const launch_config config = {{gx, gy, gz}, {bx, by, bz}, shared, stream, NULL, 0};                            \
        return launch_with(&config, f, own, 1, given, NULL);                                                           \
    }                                                                                                                  \
    EXPORT status cuLaunchKernelEx##suffix(const launch_config *config, handle f, void **given, void **extra) {        \
        return launch_with(config, f, own, 0, given, extra);                                                           \
    }

LAUNCHES(, false)
LAUNCHES(_ptsz, true)

EXPORT status cuModuleLoadData(handle *module, const void *image) {
    const status result = REAL("cuModuleLoadData", (handle *, const void *))(module, image);
    if (result == 0) loaded(*module, image);
    return result;
}

EXPORT status cuModuleLoadDataEx(handle *module, const void *image, uint32_t count, void *options, void *values) {
    const status result = REAL("cuModuleLoadDataEx", (handle *, const void *, uint32_t, void *, void *))(
        module, image, count, options, values);
    if (result == 0) loaded(*module, image);
    return result;
}

EXPORT status cuModuleLoadFatBinary(handle *module, const void *image) {
    const status result = REAL("cuModuleLoadFatBinary", (handle *, const void *))(module, image);
    if (result == 0) loaded(*module, image);
    return result;
}

EXPORT status cuModuleLoad(handle *module, const char *path) {
    const status result = REAL("cuModuleLoad", (handle *, const char *))(module, path);
    if (result == 0) loaded_file(*module, path);
    return result;
}

EXPORT status cuLibraryLoadData(handle *library, const void *image, void *a, void *b, uint32_t c, void *d, void *e,
                                uint32_t f) {
    const status result = REAL("cuLibraryLoadData", (handle *, const void *, void *, void *, uint32_t, void *, void *,
                                                     uint32_t))(library, image, a, b, c, d, e, f);
    if (result == 0) loaded(*library, image);
    return result;
}

EXPORT status cuLibraryLoadFromFile(handle *library, const char *path, void *a, void *b, uint32_t c, void *d, void *e,
                                    uint32_t f) {
    const status result = REAL("cuLibraryLoadFromFile", (handle *, const char *, void *, void *, uint32_t, void *,
                                                         void *, uint32_t))(library, path, a, b, c, d, e, f);
    if (result == 0) loaded_file(*library, path);
    return result;
}

/* What one handle is made of another: a function of a module, a kernel of a library. */
#define MADE_BY_NAME(function)                                                                                         \
    EXPORT status function(handle *made, handle of, const char *name) {                                                \
        const status result = REAL(#function, (handle *, handle, const char *))(made, of, name);                       \
        if (result == 0) got(*made, of);                                                                               \
        return result;                                                                                                 \
    }
#define MADE(function)                                                                                                 \
    EXPORT status function(handle *made, handle of) {                                                                  \
        const status result = REAL(#function, (handle *, handle))(made, of);                                           \
        if (result == 0) got(*made, of);                                                                               \
        return result;                                                                                                 \
    }

MADE_BY_NAME(cuModuleGetFunction)
MADE_BY_NAME(cuLibraryGetKernel)
MADE(cuLibraryGetModule)
MADE(cuKernelGetFunction)

EXPORT status cuGetProcAddress_v2(const char *name, void **found, int version, uint64_t flags, int *why);
EXPORT status cuGetProcAddress(const char *name, void **found, int version, uint64_t flags);

#define OWN(function)                                                                                                  \
    { #function, (void *)function, (void *)function }
#define OWN_TWICE(function)                                                                                            \
    { #function, (void *)function, (void *)function##_ptsz }

/* Our own function of a name, or NULL. */
static void *own(const char *name, bool is_per_thread) {
    static const struct {
        const char *name;
        void *function, *per_thread;
    } all[] = {OWN_TWICE(cuLaunchKernel),  OWN_TWICE(cuLaunchKernelEx), OWN_TWICE(cuLaunchCooperativeKernel),
               OWN(cuLaunchKernel_ptsz),   OWN(cuLaunchKernelEx_ptsz),  OWN(cuLaunchCooperativeKernel_ptsz),
               OWN(cuModuleLoad),          OWN(cuModuleLoadData),       OWN(cuModuleLoadDataEx),
               OWN(cuModuleLoadFatBinary), OWN(cuLibraryLoadData),      OWN(cuLibraryLoadFromFile),
               OWN(cuModuleGetFunction),   OWN(cuLibraryGetKernel),     OWN(cuLibraryGetModule),
               OWN(cuKernelGetFunction),   OWN(cuGetProcAddress),       OWN(cuGetProcAddress_v2)};
    size_t i;
    for (i = 0; i < sizeof all / sizeof *all; i++) {
        if (strcmp(all[i].name, name) == 0) return is_per_thread ? all[i].per_thread : all[i].function;
    }
    return NULL;
}

EXPORT status cuGetProcAddress_v2(const char *name, void **found, int version, uint64_t flags, int *why) {
    const status result =
        REAL("cuGetProcAddress_v2", (const char *, void **, int, uint64_t, int *))(name, found, version, flags, why);
    const bool is_itself = strcmp(name, "cuGetProcAddress") == 0 && version >= 12000;
    void *ours = is_itself ? (void *)cuGetProcAddress_v2 : own(name, (flags & PER_THREAD_STREAM) != 0);
    if (result == 0 && found != NULL && *found != NULL && ours != NULL) *found = ours;
    return result;
}

/* Before CUDA 12 without the last parameter. */
EXPORT status cuGetProcAddress(const char *name, void **found, int version, uint64_t flags) {
    int why;
    return cuGetProcAddress_v2(name, found, version, flags, &why);
}

EXPORT void *dlsym(void *where, const char *name) {
    void *ours = name[0] == 'c' && name[1] == 'u' && where != RTLD_NEXT ? own(name, false) : NULL;
    return ours != NULL ? ours : real_dlsym(where, name);
}
