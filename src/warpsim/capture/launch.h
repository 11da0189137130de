/* One launch: its parameters, the allocations that they reach, and what they hold before and after it. */
#ifndef WARPSIM_CAPTURE_LAUNCH_H
#define WARPSIM_CAPTURE_LAUNCH_H

#include "record.h"

#include <regex.h>

#define FOLLOWED ((size_t)1 << 20) /* bytes of a buffer in which pointers are looked for */
#define MOST_BUFFERS 256
#define MOST_PARAMETER_BYTES 32768
#define CLUSTER_ATTRIBUTE 4

typedef struct launch_attribute {
    uint32_t id, pad;
    union {
        uint32_t cluster[3];
        uint64_t words[8];
    } value;
} launch_attribute;

typedef struct launch_config {
    uint32_t grid[3], block[3], shared_bytes;
    handle stream;
    const launch_attribute *attributes;
    uint32_t attribute_count;
} launch_config;

typedef struct buffer {
    uint64_t base;
    size_t nbytes;
} buffer;

/* One launch: what was asked for, and what its parameters reach. */
typedef struct launch {
    handle function;
    launch_config config;
    bool is_per_thread;
    uint8_t parameters[MOST_PARAMETER_BYTES];
    size_t parameter_bytes;
    char places[MOST_PARAMETER_BYTES]; /* [offset, size] of each, as JSON */
    buffer buffers[MOST_BUFFERS];
    size_t buffer_count, total;
    bool is_cut; /* some allocation was left out */
} launch;

static long skipped, recorded;

static const char *name_of(handle function) {
    const char *name = NULL;
    if (REAL("cuFuncGetName", (const char **, handle))(&name, function) != 0) {
        REAL("cuKernelGetName", (const char **, handle))(&name, function);
    }
    return name;
}

static bool is_wanted(const char *name) {
    static regex_t pattern;
    static int state; /* 1: there is one; 2: there is none */
    if (name == NULL) return false;
    if (state == 0) {
        const char *text = getenv("WARPSIM_CAPTURE_KERNEL");
        state = text == NULL || *text == 0 ? 2 : 1;
        if (state == 1 && regcomp(&pattern, text, REG_EXTENDED | REG_NOSUB) != 0) {
            fprintf(stderr, "warpsim capture: --kernel is not a regular expression: %s\n", text);
            _exit(2);
        }
    }
    return state == 2 || regexec(&pattern, name, 0, NULL, 0) == 0;
}

/* Fetches the parameters' bytes; false where the driver does not tell them. */
static bool fetch_parameters(launch *one, void **given, void **extra) {
    size_t i, offset, nbytes, written = 0;
    status (*info)(handle, size_t, size_t *, size_t *) = driver("cuFuncGetParamInfo");
    const char *name;
    if (REAL("cuFuncGetName", (const char **, handle))(&name, one->function) != 0)
        info = driver("cuKernelGetParamInfo");
    if (given == NULL && extra != NULL) { /* {1, buffer, 2, &bytes, 0} in any order */
        const void *packed = NULL;
        for (i = 0; extra[i] != NULL; i += 2) {
            if (extra[i] == (void *)1) packed = extra[i + 1];
            else one->parameter_bytes = *(size_t *)extra[i + 1];
        }
        if (packed == NULL || one->parameter_bytes > MOST_PARAMETER_BYTES) return false;
        memcpy(one->parameters, packed, one->parameter_bytes);
    }
    for (i = 0; info(one->function, i, &offset, &nbytes) == 0; i++) {
        if (offset + nbytes > MOST_PARAMETER_BYTES || written + 48 > sizeof one->places) return false;
        if (given != NULL) memcpy(one->parameters + offset, given[i], nbytes);
        if (offset + nbytes > one->parameter_bytes) one->parameter_bytes = offset + nbytes;
        written += (size_t)sprintf(one->places + written, "%s[%zu, %zu]", i ? ", " : "", offset, nbytes);
    }
    return true;
}

/* Notes the allocations that words of these bytes point into. */
static void reach(launch *one, const uint8_t *bytes, size_t nbytes) {
    const size_t most = (size_t)setting("WARPSIM_CAPTURE_BYTES", 1L << 30);
    size_t at, i;
    for (at = 0; at + 8 <= nbytes; at += 8) {
        uint64_t word, base;
        size_t size;
        memcpy(&word, bytes + at, 8);
        if (word < 0x10000 || word >> 48 != 0) continue;
        for (i = 0; i < one->buffer_count; i++) {
            if (word - one->buffers[i].base < one->buffers[i].nbytes) break;
        }
        if (i < one->buffer_count) continue;
        if (REAL("cuMemGetAddressRange_v2", (uint64_t *, size_t *, uint64_t))(&base, &size, word) != 0) continue;
        if (one->buffer_count == MOST_BUFFERS || one->total + size > most) {
            one->is_cut = true;
            continue;
        }
        one->buffers[one->buffer_count].base = base;
        one->buffers[one->buffer_count++].nbytes = size;
        one->total += size;
    }
}

static uint8_t *copy_of(const buffer *from) {
    uint8_t *bytes = malloc(from->nbytes);
    if (bytes == NULL || REAL("cuMemcpyDtoH_v2", (void *, uint64_t, size_t))(bytes, from->base, from->nbytes) != 0) {
        fprintf(stderr, "warpsim capture: cannot copy %zu bytes\n", from->nbytes);
        _exit(2);
    }
    return bytes;
}

static void write_buffers(launch *one, bool is_before) {
    size_t i;
    for (i = 0; i < one->buffer_count; i++) {
        uint8_t *bytes = copy_of(&one->buffers[i]);
        write_record(is_before ? "BEFORE" : "AFTER", &one->buffers[i].base, 8, bytes, one->buffers[i].nbytes);
        if (is_before && one->buffers[i].nbytes <= FOLLOWED) reach(one, bytes, one->buffers[i].nbytes);
        free(bytes);
    }
}

static void write_launch(const launch *one, const char *name) {
    const launch_config *c = &one->config;
    uint32_t cluster[3] = {1, 1, 1}, i;
    char *text = malloc(sizeof one->places + strlen(name) + 512);
    int length;
    if (text == NULL) _exit(2);
    for (i = 0; i < c->attribute_count; i++) {
        if (c->attributes[i].id == CLUSTER_ATTRIBUTE) memcpy(cluster, c->attributes[i].value.cluster, sizeof cluster);
    }
    length = sprintf(text,
                     "{\"kernel\": \"%s\", \"image\": %llu, \"grid\": [%u, %u, %u], \"block\": [%u, %u, %u],"
                     " \"cluster\": [%u, %u, %u], \"shared_bytes\": %u, \"params\": [%s], \"is_cut\": %s}",
                     name, (unsigned long long)image_of(one->function), c->grid[0], c->grid[1], c->grid[2], c->block[0],
                     c->block[1], c->block[2], cluster[0], cluster[1], cluster[2], c->shared_bytes, one->places,
                     one->is_cut ? "true" : "false");
    write_record("LAUNCH", text, (size_t)length, NULL, 0);
    write_record("PARAMS", one->parameters, one->parameter_bytes, NULL, 0);
    free(text);
}

static void write_device(void) {
    char name[256] = "", text[512];
    int device = 0, major = 0, minor = 0, driver_version = 0;
    REAL("cuCtxGetDevice", (int *))(&device);
    REAL("cuDeviceGetName", (char *, int, int))(name, sizeof name, device);
    REAL("cuDeviceGetAttribute", (int *, int, int))(&major, 75, device);
    REAL("cuDeviceGetAttribute", (int *, int, int))(&minor, 76, device);
    REAL("cuDriverGetVersion", (int *))(&driver_version);
    write_record("DEVICE", text,
                 (size_t)sprintf(text, "{\"name\": \"%s\", \"target\": \"sm_%d%d\", \"driver\": %d}", name, major,
                                 minor, driver_version),
                 NULL, 0);
}

static bool is_due(const launch *one, const char *name) {
    int capturing = 0;
    if (!is_on() || recorded >= setting("WARPSIM_CAPTURE_COUNT", 1)) return false;
    if (!is_wanted(name)) return false;
    REAL(one->is_per_thread ? "cuStreamIsCapturing_ptsz" : "cuStreamIsCapturing", (handle, int *))
    (one->config.stream, &capturing);
    if (capturing != 0) return false; /* a graph is made, nothing runs */
    return skipped++ >= setting("WARPSIM_CAPTURE_SKIP", 0);
}

static status send(const launch *one, int cooperative, void **given, void **extra) {
    const launch_config *c = &one->config;
    const bool own = one->is_per_thread;
    if (cooperative) {
        return REAL(own ? "cuLaunchCooperativeKernel_ptsz" : "cuLaunchCooperativeKernel",
                    (handle, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, handle, void **))(
            one->function, c->grid[0], c->grid[1], c->grid[2], c->block[0], c->block[1], c->block[2], c->shared_bytes,
            c->stream, given);
    }
    return REAL(own ? "cuLaunchKernelEx_ptsz" : "cuLaunchKernelEx",
                (const launch_config *, handle, void **, void **))(c, one->function, given, extra);
}

static status launched(launch *one, int cooperative, void **given, void **extra) {
    const char *name = name_of(one->function);
    status result;
    pthread_mutex_lock(&lock);
    if (is_due(one, name) && fetch_parameters(one, given, extra)) {
        if (recorded++ == 0) write_device();
        REAL("cuCtxSynchronize", (void))();
        reach(one, one->parameters, one->parameter_bytes);
        write_buffers(one, true);
        write_launch(one, name);
        result = send(one, cooperative, given, extra);
        if (result == 0) result = REAL("cuCtxSynchronize", (void))();
        if (result == 0) write_buffers(one, false);
        write_record("RESULT", &result, sizeof result, NULL, 0);
        pthread_mutex_unlock(&lock);
        return result;
    }
    pthread_mutex_unlock(&lock);
    return send(one, cooperative, given, extra);
}

static status launch_with(const launch_config *config, handle function, bool own, int cooperative, void **given,
                          void **extra) {
    launch *one = calloc(1, sizeof *one);
    status result;
    if (one == NULL) _exit(2);
    one->function = function;
    one->config = *config;
    one->is_per_thread = own;
    result = launched(one, cooperative, given, extra);
    free(one);
    return result;
}
#endif
