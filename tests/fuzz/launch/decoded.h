/* Kernels of a text, decoded for each level of instructions, in heap blocks of exactly the size that was asked for. */
#ifndef FUZZ_DECODED_H
#define FUZZ_DECODED_H

#include <warpsim/run.h>

#include "../fuzz.h"

enum { FUZZ_LEVELS = 4 };

/* A heap block that is kept for the next launch of the same size. */
typedef struct fuzz_room {
    void *bytes;
    size_t count;
} fuzz_room;

static inline void *fuzz_room_zeros(fuzz_room *room, size_t count) {
    if (room->bytes == NULL || room->count != count) {
        free(room->bytes);
        room->bytes = fuzz_block(count);
        room->count = count;
    }
    ASAN_UNPOISON_MEMORY_REGION(room->bytes, count);
    memset(room->bytes, 0, count);
    return room->bytes;
}

/* A kernel, decoded for each level that this processor has: number 0 is portable. */
typedef struct fuzz_kernel {
    unsigned long number; /* of kernels decoded until then */
    char *text;
    void *memory, *programs_memory[FUZZ_LEVELS];
    ws_module module;
    ws_kernel programs[FUZZ_LEVELS];
    int levels;
} fuzz_kernel;

static inline void fuzz_kernel_free(fuzz_kernel *kernel) {
    int i;
    for (i = 0; i < FUZZ_LEVELS; i++) free(kernel->programs_memory[i]);
    free(kernel->memory);
    free(kernel->text);
    memset(kernel, 0, sizeof *kernel);
}

static inline ws_status fuzz_decode(const ws_module *module, const ws_chosen *chosen, void **memory,
                                    ws_kernel *program) {
    ws_arena arena = ws_arena_make(NULL, 0);
    ws_refused refused;
    ws_error error;
    (void)ws_kernel_make(module, chosen, &arena, program, &refused, &error);
    *memory = fuzz_block(arena.wanted);
    arena = ws_arena_make(*memory, arena.wanted);
    return ws_kernel_make(module, chosen, &arena, program, &refused, &error);
}

/* Reads a text; false if it is no module. */
static inline bool fuzz_kernel_read(fuzz_kernel *kernel, const char *text, size_t length, ws_error *error) {
    memset(kernel, 0, sizeof *kernel);
    kernel->text = (char *)fuzz_copy(text, length);
    kernel->memory = fuzz_block(ws_module_bytes(kernel->text, length));
    kernel->levels = ws_simd_best() - WS_SIMD_PORTABLE + 1;
    return ws_module_parse(kernel->text, length, kernel->memory, &kernel->module, error) == WS_OK &&
           ws_module_check(&kernel->module, error) == WS_OK;
}

/* Decodes function `number` for all levels; WS_OK, or why not, which is the same for each. */
static inline ws_status fuzz_kernel_decode(fuzz_kernel *kernel, uint32_t number, const char *target) {
    static unsigned long decoded;
    ws_status status = WS_OK, first = WS_OK;
    int i;
    kernel->number = ++decoded;
    for (i = 0; i < kernel->levels; i++) {
        const ws_chosen chosen = {number, ws_target_find(target), WS_SIMD_PORTABLE + i, true};
        free(kernel->programs_memory[i]);
        status = fuzz_decode(&kernel->module, &chosen, &kernel->programs_memory[i], &kernel->programs[i]);
        if (i == 0) first = status;
        FUZZ_CHECK_EQUAL(status, first);
    }
    return status;
}

#endif
