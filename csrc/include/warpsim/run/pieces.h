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
    const bool is_narrow = step->space == WS_AT_SHARED || step->space == WS_AT_LOCAL;
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

static inline void ws_reach_fault(ws_reach *reach, ws_lanes *lanes, const ws_step *step, ws_stop_kind kind,
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

static inline bool ws_piece_shared(ws_piece *piece, const ws_reach *reach, const ws_block *block, uint64_t base) {
    piece->bytes = block->shared;
    piece->region = NULL;
    piece->space = WS_AT_SHARED;
    return ws_piece_of(piece, reach, base, block->launch->shared_bytes);
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
    const ws_block *block = ws_block_of(lanes);
    uint64_t first;
    if (reach->space == WS_AT_SHARED) return ws_piece_shared(piece, reach, block, 0);
    if (reach->space == WS_AT_LOCAL) return ws_piece_local(piece, reach, ws_warp_of(lanes), 0);
    first = reach->address[ws_first_lane(reach->left)];
    if (reach->space == WS_AT_GENERIC && first - WS_SHARED_WINDOW < WS_SHARED_WINDOW_BYTES) {
        return ws_piece_shared(piece, reach, block, WS_SHARED_WINDOW);
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
        ws_reach_fault(reach, lanes, step, WS_STOP_BOUNDS, ws_reach_outside(reach, lanes));
        return false;
    }
    if (reach->is_write && piece->region != NULL && piece->region->is_read_only) {
        ws_reach_fault(reach, lanes, step, WS_STOP_READ_ONLY, piece->mask);
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
    ws_reach_fault(reach, lanes, step, WS_STOP_ALIGNMENT, wrong);
    return false;
}

/* Where the address of the first lane points, for accesses that lie in one memory as a whole; NULL: piece by piece. */
static inline uint8_t *ws_whole_memory(ws_lanes *lanes, const ws_step *step, uint64_t first, bool is_write,
                                       uint64_t *base, uint64_t *nbytes) {
    const ws_block *block = ws_block_of(lanes);
    const ws_region *region;
    const bool in_window = step->space == WS_AT_GENERIC && first - WS_SHARED_WINDOW < WS_SHARED_WINDOW_BYTES;
    *base = in_window ? WS_SHARED_WINDOW : 0;
    *nbytes = block->launch->shared_bytes;
    if (in_window || step->space == WS_AT_SHARED) return block->shared;
    if (step->space == WS_AT_LOCAL) return NULL;
    region = ws_space_find(&block->launch->memory, first, 1);
    if (region == NULL || (is_write && (region->is_read_only || region->marks != NULL))) return NULL;
    *base = region->base;
    *nbytes = region->nbytes;
    return region->bytes;
}

/* The offsets of the lanes as one piece, if all of them lie in one memory of less than 2^31 bytes, aligned. Sums are of 32
 * bits: where high words are equal and low words lie on one side of 2^31, they cannot be off by 2^32. */
static inline bool ws_piece_whole(ws_piece *piece, ws_lanes *lanes, const ws_step *step, uint32_t whole,
                                  bool is_write) {
    const uint32_t *const low = ws_row(lanes, step->s[0]), *const high = low + WS_LANES, *const bits = ws_lane_bits();
    const bool is_narrow = step->space == WS_AT_SHARED;
    const uint32_t mask = piece->mask, lane_0 = (uint32_t)ws_first_lane(mask), first = low[lane_0];
    const uint32_t side = is_narrow ? 0 : UINT32_C(0x80000000);
    uint64_t base, nbytes, address = is_narrow ? first + (uint32_t)step->immediate : first + (uint64_t)step->immediate;
    uint32_t room, plus, out = 0, odd = 0, other = 0;
    int lane;
    if (!is_narrow) address += (uint64_t)high[lane_0] << 32;
    piece->bytes = ws_whole_memory(lanes, step, address, is_write, &base, &nbytes);
    if (piece->bytes == NULL || nbytes >= UINT32_C(0x80000000) || nbytes < whole || base & 15) return false;
    room = (uint32_t)nbytes - whole;
    plus = (uint32_t)(address - base) - first;
    for (lane = 0; lane < WS_LANES; lane++) {
        const uint32_t word = mask & bits[lane] ? low[lane] : first, at = word + plus;
        piece->offset[lane] = at;
        out |= at | (room - at) | ((word ^ first) & side);
        odd |= at;
    }
    for (lane = 0; lane < WS_LANES && !is_narrow; lane++) other |= mask & bits[lane] ? high[lane] ^ high[lane_0] : 0;
    return !(out >> 31) && (odd & (whole - 1)) == 0 && other == 0;
}

#endif
