/* Which sectors of global memory a launch has read and written: what must move at least, whatever caches hold.
 *
 *     read: region 0 | region 1 | ...     written: region 0 | region 1 | ...     a bit for each 32 bytes
 *
 * What this thread of the caller saw written before it is read counts as written alone. Regions beyond WS_TOUCHED_MOST
 * bytes are left out, and those with which all are more than WS_TOUCHED_ALL, as is what wmma, bulk and tensor copies touch. */
#ifndef WARPSIM_WATCH_TOUCHED_H
#define WARPSIM_WATCH_TOUCHED_H

#include "../base/arena.h"
#include "../run/space.h"
#include "line.h"

#if WS_BODIES

#define WS_TOUCHED_MOST (UINT64_C(1) << 30) /* bytes of a region */
#define WS_TOUCHED_ALL (UINT64_C(1) << 33) /* and of all that are noted: 64 MiB of bits for each thread of the caller */

typedef struct ws_touched {
    const ws_space_map *map;
    uint64_t *words;
    size_t half;         /* words for what is read; as many for what is written */
    size_t *first;       /* of each region: the word where its sectors begin; SIZE_MAX: it is left out */
    uint64_t base, last; /* of the region that was looked up last; none while last is 0 */
    uint64_t *read, *written;
} ws_touched;

/* Words for the sectors of a region, beside those that have `noted` bytes. */
static inline size_t ws_touched_words_of(const ws_region *region, uint64_t *noted) {
    if (region->nbytes > WS_TOUCHED_MOST || region->nbytes > WS_TOUCHED_ALL - *noted) return 0;
    *noted += region->nbytes;
    return (size_t)(region->nbytes / WS_SECTOR_BYTES / 64 + 2);
}

/* Words for what is read of all regions, and what is written. */
static inline size_t ws_touched_words(const ws_space_map *map) {
    uint64_t noted = 0;
    size_t words = 0;
    uint32_t i;
    for (i = 0; i < map->count; i++) words += ws_touched_words_of(&map->regions[i], &noted);
    return 2 * words;
}

/* Takes everything from the arena; nothing is written if it is too small. */
static inline void ws_touched_make(ws_touched *touched, const ws_space_map *map, ws_arena *arena) {
    const size_t words = ws_touched_words(map);
    uint64_t noted = 0;
    size_t i, at = 0;
    touched->map = map;
    touched->last = 0;
    touched->half = words / 2;
    touched->words = (uint64_t *)ws_arena_take(arena, words, sizeof(uint64_t));
    touched->first = (size_t *)ws_arena_take(arena, map->count, sizeof(size_t));
    if (arena->wanted > arena->capacity) return;
    for (i = 0; i < words; i++) touched->words[i] = 0;
    for (i = 0; i < map->count; i++) {
        const size_t own = ws_touched_words_of(&map->regions[i], &noted);
        touched->first[i] = own != 0 ? at : SIZE_MAX;
        at += own;
    }
}

/* Finds the region of an address; false for none that is noted. */
static inline bool ws_touched_find(ws_touched *touched, uint64_t address) {
    const ws_region *region = ws_space_find(touched->map, address, 1);
    if (region == NULL || touched->first[region - touched->map->regions] == SIZE_MAX) return false;
    touched->base = region->base;
    touched->last = region->base + (region->nbytes - 1);
    touched->read = touched->words + touched->first[region - touched->map->regions];
    touched->written = touched->read + touched->half;
    return true;
}

static inline void ws_touched_one(ws_touched *touched, uint64_t address, bool is_write) {
    uint64_t sector, bit;
    if ((touched->last == 0 || address < touched->base || address > touched->last) &&
        !ws_touched_find(touched, address))
        return;
    sector = address / WS_SECTOR_BYTES - touched->base / WS_SECTOR_BYTES;
    bit = UINT64_C(1) << sector % 64;
    if (is_write) touched->written[sector / 64] |= bit;
    else touched->read[sector / 64] |= bit & ~touched->written[sector / 64];
}

/* Lanes that access aligned bytes, none more than a sector. */
static inline void ws_touched_see(ws_touched *touched, const uint64_t address[WS_LANES], uint32_t mask, bool is_write) {
    uint64_t before = UINT64_MAX;
    int lane;
    for (lane = 0; lane < WS_LANES; lane++) {
        const uint64_t sector = address[lane] / WS_SECTOR_BYTES;
        if (!(mask >> lane & 1) || sector == before) continue;
        ws_touched_one(touched, address[lane], is_write);
        before = sector;
    }
}

/* What two threads of the caller have seen. */
static inline void ws_touched_add(uint64_t *total, const ws_touched *one) {
    const size_t words = ws_touched_words(one->map);
    size_t i;
    for (i = 0; i < words; i++) total[i] |= one->words[i];
}

#endif /* WS_BODIES */
#endif
