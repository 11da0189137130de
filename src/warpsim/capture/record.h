/* The driver's own functions, the file of records, and the images that kernels come from. */
#ifndef WARPSIM_CAPTURE_RECORD_H
#define WARPSIM_CAPTURE_RECORD_H

#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void *handle;
typedef int status; /* CUresult: 0 is success */

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static FILE *out;
static struct {
    handle key;
    uint64_t image;
} * owners; /* modules, libraries and their functions -> the image that they came from */
static size_t owner_count, owner_room;
static uint64_t image_count;

static void *real_dlsym(void *where, const char *name) {
    static void *(*found)(void *, const char *);
    static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"};
    size_t i;
    for (i = 0; found == NULL && i < sizeof versions / sizeof *versions; i++) {
        *(void **)&found = dlvsym(RTLD_NEXT, "dlsym", versions[i]);
    }
    return found(where, name);
}

static void *driver(const char *name) {
    static void *library;
    void *found;
    if (library == NULL) library = dlopen("libcuda.so.1", RTLD_LAZY);
    found = library == NULL ? NULL : real_dlsym(library, name);
    if (found == NULL) {
        fprintf(stderr, "warpsim capture: the driver has no %s; it needs CUDA 12.4 or newer\n", name);
        _exit(2);
    }
    return found;
}

/* A function of the driver, called with these types. */
#define REAL(name, types) ((status(*) types)driver(name))

static long setting(const char *name, long without) {
    const char *text = getenv(name);
    return text == NULL || *text == 0 ? without : atol(text);
}

static bool is_on(void) { return getenv("WARPSIM_CAPTURE_FILE") != NULL; }

static void write_record(const char *tag, const void *first, size_t first_bytes, const void *second, size_t bytes) {
    char name[8] = {0};
    const uint64_t size = first_bytes + bytes;
    memcpy(name, tag, strlen(tag));
    if (out == NULL) {
        char path[4096];
        snprintf(path, sizeof path, "%s.%ld", getenv("WARPSIM_CAPTURE_FILE"), (long)getpid());
        out = fopen(path, "wb");
        if (out == NULL) {
            perror(path);
            _exit(2);
        }
    }
    fwrite(name, 1, sizeof name, out);
    fwrite(&size, 1, sizeof size, out);
    fwrite(first, 1, first_bytes, out);
    fwrite(second, 1, bytes, out);
    fflush(out);
}

static size_t elf_bytes(const uint8_t *image) {
    uint64_t at, size, end = 0;
    uint16_t each, count, i;
    memcpy(&at, image + 40, 8); /* e_shoff */
    memcpy(&each, image + 58, 2);
    memcpy(&count, image + 60, 2);
    end = at + (uint64_t)each * count;
    for (i = 0; i < count; i++) {
        const uint8_t *section = image + at + (uint64_t)each * i;
        uint32_t type;
        uint64_t offset;
        memcpy(&type, section + 4, 4);
        memcpy(&offset, section + 24, 8);
        memcpy(&size, section + 32, 8);
        if (type != 8 && offset + size > end) end = offset + size; /* SHT_NOBITS takes no bytes */
    }
    return end;
}

static size_t image_bytes(const uint8_t **image) {
    uint32_t magic;
    memcpy(&magic, *image, 4);
    if (magic == 0x466243b1) { /* a wrapper: magic, version, pointer */
        memcpy(image, *image + 8, sizeof *image);
        memcpy(&magic, *image, 4);
    }
    if (magic == 0xba55ed50) { /* a fat binary: magic, version, bytes of its header, bytes after it */
        uint16_t header;
        uint64_t rest;
        memcpy(&header, *image + 6, 2);
        memcpy(&rest, *image + 8, 8);
        return header + rest;
    }
    return magic == 0x464c457f ? elf_bytes(*image) : strlen((const char *)*image);
}

static uint64_t image_of(handle key) {
    size_t i = owner_count;
    while (i-- > 0) {
        if (owners[i].key == key) return owners[i].image;
    }
    return 0;
}

static void owns(handle key, uint64_t image) {
    if (image == 0) return;
    if (owner_count == owner_room) {
        owner_room = owner_room * 2 + 64;
        owners = realloc(owners, owner_room * sizeof *owners);
        if (owners == NULL) _exit(2);
    }
    owners[owner_count].key = key;
    owners[owner_count++].image = image;
}

static void loaded(handle key, const void *code) {
    const uint8_t *image = code;
    size_t nbytes;
    if (!is_on()) return;
    pthread_mutex_lock(&lock);
    nbytes = image_bytes(&image);
    image_count++;
    write_record("IMAGE", &image_count, sizeof image_count, image, nbytes);
    owns(key, image_count);
    pthread_mutex_unlock(&lock);
}

static void loaded_file(handle key, const char *path) {
    if (!is_on()) return;
    pthread_mutex_lock(&lock);
    image_count++;
    write_record("IMAGEAT", &image_count, sizeof image_count, path, strlen(path));
    owns(key, image_count);
    pthread_mutex_unlock(&lock);
}

static void got(handle key, handle of) {
    pthread_mutex_lock(&lock);
    owns(key, image_of(of));
    pthread_mutex_unlock(&lock);
}

#endif
