/* The bytes that the lanes of one access name, piece by piece.
 *
 *     ws_access_lanes lanes = ...;                    address of each lane, bytes of each, where they point
 *     while (ws_next_piece(...)) ... piece.bytes + piece.offset[lane] ...
 *
 * A fault ends the launch before anything of the piece is touched. */
#ifndef WARPSIM_RUN_PIECES_H
#define WARPSIM_RUN_PIECES_H

#include "../lanes/rows.h"
#include "block.h"

/* One access of a warp. */
typedef struct ws_reach {
    uint64_t address[WS_LANES];
    uint32_t left; /* lanes that no piece has had yet */
    uint32_t nbytes, alignment;
    uint8_t space;
    bool is_write;
} ws_reach;

/* Addresses of a step: source `at` plus its number; 32 bits wide in shared memory, 64 else. */
static inline void ws_reach_make(ws_reach *reach, ws_lanes *lanes, const ws_step *step, int at, uint32_t mask) {
    const uint32_t *low = ws_row(lanes, step->s[at]), *high = low + WS_LANES;
    const uint64_t offset = (uint64_t)step->immediate;
    const bool is_narrow = step->space == WS_AT_SHARED || step->space == WS_AT_LOCAL || step->space == WS_AT_CLUSTER;
    int lane;
    reach->left = mask;
    reach->space = step->space;
    reach->is_write = false;
    if (is_narrow) {
        for (lane = 0; lane < WS_LANES; lane++) reach->address[lane] = (uint32_t)(low[lane] + (uint32_t)offset);
    } else {
        for (lane = 0; lane < WS_LANES; lane++) {
            reach->address[lane] = ((uint64_t)low[lane] | (uint64_t)high[lane] << 32) + offset;
        }
    }
}

static inline void ws_reach_fault(ws_reach *reach, ws_lanes *lanes, const ws_step *step, ws_kernel_rule kind,
                                  uint32_t mask) {
    ws_stop *stop = &ws_block_of(lanes)->stop;
    ws_stop_at(lanes, step, kind, mask);
    stop->space = reach->space;
    stop->is_write = reach->is_write;
    stop->nbytes = reach->nbytes;
    stop->address = reach->address[ws_first_lane(mask)];
    reach->left = 0;
}

/* The lanes of `left` that are not aligned. */
static inline uint32_t ws_reach_misaligned(const ws_reach *reach) {
    uint32_t found = 0;
    int lane;
    for (lane = 0; lane < WS_LANES; lane++) {
        found |= (uint32_t)((reach->address[lane] & (reach->alignment - 1)) != 0) << lane;
    }
    return found & reach->left;
}

/* The lanes of `left` whose bytes lie in [base, base + nbytes), nbytes at most 2^32; their offsets. */
static inline void ws_piece_fill(ws_piece *piece, const ws_reach *reach, uint64_t base, uint64_t nbytes) {
    const uint64_t room = nbytes - reach->nbytes;
    int lane;
    piece->mask = 0;
    for (lane = 0; lane < WS_LANES; lane++) {
        const uint64_t at = reach->address[lane] - base;
        const uint32_t inside = at <= room ? reach->left >> lane & 1 : 0;
        piece->offset[lane] = (uint32_t)at & (0u - inside);
        piece->mask |= inside << lane;
    }
}

/* Bytes of a memory that all lanes share: [base, base + nbytes). */
static inline bool ws_piece_of(ws_piece *piece, const ws_reach *reach, uint64_t base, uint64_t nbytes) {
    if (nbytes < reach->nbytes) return false;
    ws_piece_fill(piece, reach, base, nbytes);
    return piece->mask != 0;
}

static inline bool ws_piece_shared(ws_piece *piece, const ws_reach *reach, const ws_block *block, uint64_t window) {
    piece->bytes = block->shared;
    piece->region = NULL;
    piece->space = WS_AT_SHARED;
    if (ws_piece_of(piece, reach, window + block->shared_at, block->launch->shared_bytes)) return true;
    piece->bytes = block->reserved;
    return ws_piece_of(piece, reach, window + block->shared_at + WS_RESERVED_AT, WS_RESERVED_BYTES);
}

/* Shared memory of any block of the cluster: of the one that the first lane points to. */
static inline bool ws_piece_cluster(ws_piece *piece, const ws_reach *reach, ws_block *block, uint64_t window) {
    uint32_t offset;
    const ws_block *owner = ws_shared_place(block, reach->address[ws_first_lane(reach->left)] - window, &offset);
    return owner != NULL && ws_piece_shared(piece, reach, owner, window);
}

/* Each thread's own bytes, up to the end of the frame that runs. */
static inline bool ws_piece_local(ws_piece *piece, const ws_reach *reach, const ws_warp *warp, uint64_t base) {
    int lane;
    piece->bytes = warp->local;
    piece->region = NULL;
    piece->space = WS_AT_LOCAL;
    if (!ws_piece_of(piece, reach, base, warp->local_bytes)) return false;
    for (lane = 0; lane < WS_LANES; lane++) {
        if (piece->mask >> lane & 1) piece->offset[lane] += (uint32_t)lane * warp->local_bytes;
    }
    return true;
}

static inline bool ws_piece_global(ws_piece *piece, const ws_reach *reach, const ws_block *block) {
    const uint64_t first = reach->address[ws_first_lane(reach->left)];
    const ws_region *region = ws_space_find(&block->launch->memory, first, reach->nbytes);
    uint64_t base, nbytes, skipped = 0;
    if (region == NULL) return false;
    base = region->base;
    nbytes = region->nbytes;
    if (nbytes > UINT32_MAX) { /* a window of it around the lane */
        skipped = first - base > UINT32_MAX / 2 ? first - base - UINT32_MAX / 2 : 0;
        nbytes = nbytes - skipped > UINT32_MAX ? UINT32_MAX : nbytes - skipped;
    }
    piece->bytes = region->bytes + skipped;
    piece->region = region;
    piece->space = WS_AT_GLOBAL;
    return ws_piece_of(piece, reach, base + skipped, nbytes);
}

static inline bool ws_piece_find(ws_piece *piece, const ws_reach *reach, ws_lanes *lanes) {
    ws_block *block = ws_block_of(lanes);
    uint64_t first;
    if (reach->space == WS_AT_SHARED) return ws_piece_shared(piece, reach, block, 0);
    if (reach->space == WS_AT_LOCAL) return ws_piece_local(piece, reach, ws_warp_of(lanes), 0);
    if (reach->space == WS_AT_CLUSTER) return ws_piece_cluster(piece, reach, block, 0);
    first = reach->address[ws_first_lane(reach->left)];
    if (reach->space == WS_AT_GENERIC && first - WS_SHARED_WINDOW < WS_CLUSTER_WINDOW_BYTES) {
        return ws_piece_cluster(piece, reach, block, WS_SHARED_WINDOW);
    }
    if (reach->space == WS_AT_GENERIC && first - WS_LOCAL_WINDOW < WS_LOCAL_WINDOW_BYTES) {
        return ws_piece_local(piece, reach, ws_warp_of(lanes), WS_LOCAL_WINDOW);
    }
    return ws_piece_global(piece, reach, block);
}

/* The lanes of `left` that lie in no memory. */
static inline uint32_t ws_reach_outside(const ws_reach *reach, ws_lanes *lanes) {
    ws_reach one = *reach;
    uint32_t outside = 0, left;
    ws_piece piece;
    for (left = reach->left; left != 0; left &= left - 1) {
        one.left = left & (0u - left);
        if (!ws_piece_find(&piece, &one, lanes)) outside |= one.left;
    }
    return outside;
}

/* The next piece of an access; false at its end, and after a fault. */
static inline bool ws_next_piece(ws_piece *piece, ws_reach *reach, ws_lanes *lanes, const ws_step *step) {
    if (reach->left == 0) return false;
    if (!ws_piece_find(piece, reach, lanes)) {
        ws_reach_fault(reach, lanes, step, WS_RUN_BOUNDS, ws_reach_outside(reach, lanes));
        return false;
    }
    if (reach->is_write && piece->region != NULL && piece->region->is_read_only) {
        ws_reach_fault(reach, lanes, step, WS_RUN_READ_ONLY, piece->mask);
        return false;
    }
    reach->left &= ~piece->mask;
    return true;
}

/* Begins an access of `nbytes` bytes at every lane: checks alignment. */
static inline bool ws_reach_begin(ws_reach *reach, ws_lanes *lanes, const ws_step *step, uint32_t nbytes,
                                  bool is_write) {
    uint32_t wrong;
    reach->nbytes = reach->alignment = nbytes;
    reach->is_write = is_write;
    wrong = ws_reach_misaligned(reach);
    if (wrong == 0) return true;
    ws_reach_fault(reach, lanes, step, WS_RUN_ALIGNMENT, wrong);
    return false;
}

/* The memory that the first lane of an access points into, if the access may be served from it alone: it has less than
 * 2^31 bytes, room for one lane's, and begins at a multiple of all that is loaded at once. */
static inline bool ws_range_find(ws_range *range, ws_lanes *lanes, const ws_step *step, uint32_t mask, bool is_write) {
    const uint32_t *const low = ws_row(lanes, step->s[WS_S_ADDRESS]) + ws_first_lane(mask);
    const ws_block *block = ws_block_of(lanes);
    uint64_t base = 0, nbytes = block->launch->shared_bytes, at = low[0] + (uint64_t)step->immediate;
    range->is_narrow = step->space == WS_AT_SHARED;
    range->bytes = block->shared;
    if (range->is_narrow) {
        base = block->shared_at;
        at = (uint32_t)at;
    } else if (step->space == WS_AT_CLUSTER) {
        return false;
    } else {
        at += (uint64_t)low[WS_LANES] << 32;
        if (step->space == WS_AT_GENERIC && at - WS_SHARED_WINDOW - block->shared_at < WS_SHARED_WINDOW_BYTES) {
            base = WS_SHARED_WINDOW + block->shared_at;
        } else {
            const ws_region *region = ws_space_find(&block->launch->memory, at, 1);
            if (step->space == WS_AT_LOCAL || region == NULL) return false;
            if (is_write && (region->is_read_only || region->marks != NULL)) return false;
            base = region->base;
            nbytes = region->nbytes;
            range->bytes = region->bytes;
        }
    }
    if (nbytes >= UINT32_C(0x80000000) || (base & 31) != 0 || at - base >= nbytes) return false;
    range->nbytes = (uint32_t)nbytes;
    range->at = (uint32_t)(at - base);
    return nbytes >= range->whole;
}

#endif
