/* Memory that the caller gives and that is handed out piece by piece; nothing is ever given back.
 *
 * Where it is too small, asking goes on and only counts: `wanted` then says how much would have been enough. */
#ifndef WARPSIM_BASE_ARENA_H
#define WARPSIM_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Tests under AddressSanitizer define this: the bytes behind each piece are then poisoned, as they are behind one of malloc. */
#ifdef WS_ARENA_GAPS
#include <sanitizer/asan_interface.h>
enum { WS_ARENA_GAP = 64 };
#else
enum { WS_ARENA_GAP = 0 };
#define ASAN_POISON_MEMORY_REGION(bytes, size) ((void)0)
#define ASAN_UNPOISON_MEMORY_REGION(bytes, size) ((void)0)
#endif

enum { WS_ARENA_ALIGN = 64 };

typedef struct ws_arena {
    uint8_t *bytes;
    size_t capacity, used, wanted;
} ws_arena;

static inline ws_arena ws_arena_make(void *bytes, size_t capacity) {
    ws_arena arena;
    arena.bytes = (uint8_t *)bytes;
    arena.capacity = capacity;
    arena.used = arena.wanted = 0;
    return arena;
}

/* `count` pieces of `nbytes` bytes, aligned to 64 bytes if the arena is; NULL if there is no room. */
static inline void *ws_arena_take(ws_arena *arena, size_t count, size_t nbytes) {
    const size_t most = SIZE_MAX / 4;
    size_t size;
    void *taken = NULL;
    if (nbytes != 0 && count > most / nbytes) {
        arena->wanted = most;
        return NULL;
    }
    size = (count * nbytes + WS_ARENA_GAP + WS_ARENA_ALIGN - 1) / WS_ARENA_ALIGN * WS_ARENA_ALIGN;
    arena->wanted = arena->wanted > most - size ? most : arena->wanted + size;
    if (arena->wanted > arena->capacity) return NULL;
    taken = arena->bytes + arena->used;
    arena->used += size;
    ASAN_UNPOISON_MEMORY_REGION(taken, count * nbytes);
    ASAN_POISON_MEMORY_REGION((uint8_t *)taken + count * nbytes, size - count * nbytes);
    return taken;
}

#endif
