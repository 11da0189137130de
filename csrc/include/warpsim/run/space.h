/* The memory of a launch: where each byte that a kernel may touch lies, and nothing else can be touched.
 *
 *     global     arrays, module variables, the heap: regions at addresses of their own with gaps between them
 *     constants  lie with them, and parameters in a region of their own: both begin a window of 2^32 bytes, so that
 *                registers of 32 bits hold their addresses, too
 *     shared     the block's bytes, from its rank in the cluster << 24: of rank 0, and alone, from 0; so do those of the
 *                other blocks of the cluster; generic addresses of them lie in the shared window
 *     local      each thread's bytes, from address 0; generic: the local window
 *
 * An access is cut into pieces: lanes whose bytes lie in one region. A lane that reaches outside of every region, or
 * lies misaligned, is a fault: it is reported, and nothing is touched. */
#ifndef WARPSIM_RUN_SPACE_H
#define WARPSIM_RUN_SPACE_H

#include "../base/bytes.h"
#include "../data/memory.h"

/* The system takes some of each block's shared memory, zeros at first (benchmarks/device/edges.txt, reserved.txt). Here it lies
 * beyond all that a block can have: cooperative groups of several warps meet there. */
enum { WS_RESERVED_AT = 0x40000, WS_RESERVED_BYTES = 1024, WS_RESERVED_USED = 288 };
#define WS_LOCAL_WINDOW UINT64_C(0x7ffe00000000)
#define WS_LOCAL_WINDOW_BYTES UINT64_C(0x1000000)
#define WS_CLUSTER_WINDOW_BYTES (16 * WS_SHARED_WINDOW_BYTES) /* of 16 blocks: from WS_SHARED_WINDOW on */
/* Of the kernel's parameters; of the module's variables, constants among them, and then arrays. */
#define WS_FIRST_PARAMETER UINT64_C(0x6fff00000000)
#define WS_FIRST_GLOBAL UINT64_C(0x700000000000)

/* State spaces of addresses beyond those of ws_space. */
enum {
    WS_AT_GENERIC = 0,
    WS_AT_SHARED,
    WS_AT_GLOBAL,
    WS_AT_LOCAL,
    WS_AT_CONST,
    WS_AT_PARAM,
    WS_AT_CLUSTER,
    WS_AT_REGISTER
};

/* Bytes that global, constant and generic addresses reach. Sorted by base; no region crosses 2^32 unless it is larger. */
typedef struct ws_region {
    uint64_t base, nbytes;
    uint8_t *bytes;
    uint32_t owner; /* what it is, for messages: number of the parameter or variable */
    uint8_t kind;   /* ws_region_kind */
    bool is_read_only;
    uint8_t *marks; /* of each byte, what has written it: WS_MARK_...; NULL: nobody asks */
} ws_region;

/* Atomics on integers that commute: WS_MARK_ATOMIC + 4 * (0 add, 1 min, 2 max, 3 and, 4 or, 5 xor) + 2 * (64 bits) +
 * (signed). Whatever else writes, and bytes that two kinds of writes share, are plain. */
enum { WS_MARK_NONE = 0, WS_MARK_PLAIN = 1, WS_MARK_ATOMIC = 4 };

typedef enum ws_region_kind {
    WS_REGION_ARGUMENT,
    WS_REGION_VARIABLE,
    WS_REGION_CONSTANT,
    WS_REGION_PARAMETERS,
    WS_REGION_HEAP
} ws_region_kind;

typedef struct ws_space_map {
    const ws_region *regions;
    uint32_t count;
} ws_space_map;

/* The region that has `nbytes` bytes at the address, or NULL. */
static inline const ws_region *ws_space_find(const ws_space_map *map, uint64_t address, uint64_t nbytes) {
    uint32_t low = 0, high = map->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (map->regions[middle].base <= address) low = middle + 1;
        else high = middle;
    }
    if (low == 0) return NULL;
    {
        const ws_region *region = &map->regions[low - 1];
        const uint64_t at = address - region->base;
        return at < region->nbytes && nbytes <= region->nbytes - at ? region : NULL;
    }
}

/* Lanes of one access whose bytes lie in one piece of memory: lane i has bytes + offset[i]. */
typedef struct ws_piece {
    uint32_t mask;
    uint32_t offset[WS_LANES]; /* 0 in other lanes */
    uint8_t *bytes;
    const ws_region *region; /* NULL: shared or local */
    uint8_t space;           /* WS_AT_SHARED, WS_AT_GLOBAL or WS_AT_LOCAL */
} ws_piece;

/* Notes that the lanes have written `nbytes` bytes each. */
static inline void ws_piece_mark(const ws_piece *piece, uint32_t nbytes, uint8_t mark) {
    uint32_t i;
    int lane;
    if (piece->region == NULL || piece->region->marks == NULL) return;
    for (lane = 0; lane < WS_LANES; lane++) {
        uint8_t *marks = piece->region->marks + (piece->bytes - piece->region->bytes) + piece->offset[lane];
        for (i = 0; i < nbytes && (piece->mask >> lane & 1); i++) {
            marks[i] = marks[i] == WS_MARK_NONE || marks[i] == mark ? mark : (uint8_t)WS_MARK_PLAIN;
        }
    }
}

#endif
