/* Loads and stores of lanes, whatever the space.
 *
 * Source: "Data Movement and Conversion Instructions: ld, st" of the PTX ISA. Orders and scopes change nothing here: warps
 * of a block take turns. */
#ifndef WARPSIM_RUN_MEMORY_H
#define WARPSIM_RUN_MEMORY_H

#include "../lanes/levels.h"
#include "pieces.h"

/* One element of `nbytes` bytes of each lane to a row, or to two, or four; narrow ones are extended. */
static inline void ws_load_rows(uint32_t *row, const ws_piece *piece, uint32_t at, uint32_t nbytes, uint32_t sign) {
    const uint8_t *const bytes = piece->bytes + at;
    uint32_t word;
    int lane;
    for (word = 0; word < nbytes; word += 4, row += WS_LANES) {
        if (nbytes >= 4 && piece->mask == WS_ALL_LANES) {
            for (lane = 0; lane < WS_LANES; lane++) row[lane] = ws_load_u32(bytes + piece->offset[lane] + word);
            continue;
        }
        for (lane = 0; lane < WS_LANES; lane++) {
            const uint8_t *const from = bytes + piece->offset[lane] + word;
            if (!(piece->mask >> lane & 1)) continue;
            if (nbytes >= 4) row[lane] = ws_load_u32(from);
            else row[lane] = ((nbytes == 1 ? from[0] : ws_load_u16(from)) ^ sign) - sign;
        }
    }
}

/* One element of each lane. Groups of lanes store one after the other; of lanes of a group with equal addresses, the lowest
 * stays (measured). `group`: lanes of a group, less 1. */
static inline void ws_store_rows(const uint32_t *row, const ws_piece *piece, uint32_t at, uint32_t nbytes, int group) {
    uint32_t byte;
    int i;
    if (nbytes == 4 && piece->mask == WS_ALL_LANES) {
        uint8_t *const bytes = piece->bytes + at;
        for (i = 0; i < WS_LANES; i++) ws_store_u32(bytes + piece->offset[i ^ group], row[i ^ group]);
        return;
    }
    for (i = 0; i < WS_LANES; i++) {
        const int lane = i ^ group;
        uint8_t *bytes = piece->bytes + piece->offset[lane] + at;
        if (!(piece->mask >> lane & 1)) continue;
        if (nbytes >= 4) {
            for (byte = 0; byte < nbytes; byte += 4)
                ws_store_u32(bytes + byte, row[byte * (WS_LANES / 4) + (uint32_t)lane]);
        } else {
            bytes[0] = (uint8_t)row[lane];
            if (nbytes == 2) bytes[1] = (uint8_t)(row[lane] >> 8);
        }
    }
}

static inline uint32_t ws_step_element_bytes(const ws_step *step) { return (uint32_t)ws_type_bits(step->type) / 8; }

static inline uint32_t ws_step_sign(const ws_step *step, uint32_t nbytes) {
    return ws_type_is_signed(step->type) && nbytes < 4 ? 1u << (8 * nbytes - 1) : 0;
}

static inline void ws_load_piece(ws_lanes *lanes, const ws_step *step, const ws_piece *piece, uint32_t nbytes) {
    const uint32_t sign = ws_step_sign(step, nbytes);
    uint32_t i;
    for (i = 0; i < step->count; i++) {
        const uint32_t reference = lanes->list[step->list + i];
        if (reference != WS_NONE) ws_load_rows(ws_row(lanes, reference), piece, i * nbytes, nbytes, sign);
    }
}

static inline void ws_store_piece(ws_lanes *lanes, const ws_step *step, const ws_piece *piece, uint32_t nbytes) {
    const uint32_t whole = nbytes * step->count;
    const int group = (whole <= 4 ? 32 : (int)(128 / whole)) - 1;
    uint32_t i;
    for (i = 0; i < step->count; i++) {
        ws_store_rows(ws_row(lanes, lanes->list[step->list + i]), piece, i * nbytes, nbytes, group);
    }
}

typedef bool ws_stretch_function(ws_lanes *lanes, const ws_step *step, const ws_range *range);
typedef bool ws_offsets_function(uint32_t *offset, const uint32_t *low, uint32_t mask, const ws_range *range);

/* A load or a store: as a stretch, from one range, or piece by piece. */
static inline void ws_access_memory(ws_lanes *lanes, const ws_step *step, uint32_t mask, ws_stretch_function *stretch,
                                    ws_offsets_function *offsets, bool is_write) {
    const uint32_t nbytes = ws_step_element_bytes(step);
    ws_range range;
    ws_reach reach;
    ws_piece piece;
    if (mask == 0) return;
    ws_warp_of(lanes)->has_worked = true;
    range.whole = nbytes * step->count;
    range.sign = ws_step_sign(step, nbytes);
    piece.mask = mask;
    if (ws_range_find(&range, lanes, step, mask, is_write)) {
        if (mask == WS_ALL_LANES && stretch(lanes, step, &range)) return;
        piece.bytes = range.bytes;
        if (offsets(piece.offset, ws_row(lanes, step->s[WS_S_ADDRESS]), mask, &range)) {
            (is_write ? ws_store_piece : ws_load_piece)(lanes, step, &piece, nbytes);
            return;
        }
    }
    ws_reach_make(&reach, lanes, step, WS_S_ADDRESS, mask);
    if (!ws_reach_begin(&reach, lanes, step, nbytes * step->count, is_write)) return;
    while (ws_next_piece(&piece, &reach, lanes, step)) {
        (is_write ? ws_store_piece : ws_load_piece)(lanes, step, &piece, nbytes);
        if (is_write) ws_piece_mark(&piece, range.whole, WS_MARK_PLAIN);
    }
}

/* Volatile and ordered loads wait for others. */
#define WS_MEMORY_AT(level)                                                                                            \
    static inline void ws_do_ld_##level(ws_lanes *lanes, const ws_step *step, uint32_t mask) {                         \
        if (step->how & WS_HOW_POLLS) ws_warp_of(lanes)->has_polled = true;                                            \
        ws_access_memory(lanes, step, mask, ws_stretch_load_##level, ws_offsets_##level, false);                       \
    }                                                                                                                  \
    static inline void ws_do_st_##level(ws_lanes *lanes, const ws_step *step, uint32_t mask) {                         \
        ws_access_memory(lanes, step, mask, ws_stretch_store_##level, ws_offsets_##level, true);                       \
    }
WS_MEMORY_AT(portable)
#if WS_HAS_X86
WS_MEMORY_AT(avx2)
WS_MEMORY_AT(avx512)
#endif
#undef WS_MEMORY_AT

static inline uint64_t ws_atomic_read(const uint8_t *bytes, uint32_t nbytes) {
    if (nbytes == 2) return ws_load_u16(bytes);
    return ws_load_u32(bytes) | (nbytes == 8 ? (uint64_t)ws_load_u32(bytes + 4) << 32 : 0);
}

static inline void ws_atomic_write(uint8_t *bytes, uint32_t nbytes, uint64_t value) {
    bytes[0] = (uint8_t)value;
    bytes[1] = (uint8_t)(value >> 8);
    if (nbytes >= 4) ws_store_u32(bytes, (uint32_t)value);
    if (nbytes == 8) ws_store_u32(bytes + 4, (uint32_t)(value >> 32));
}

/* d = address of a local variable of this frame: its offset plus where the frame begins. list: where what is passed at
 * that address ends in the frame; there may be no room in the stack. */
static inline void ws_do_frame_address_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    const ws_warp *warp = ws_warp_of(lanes);
    const uint32_t base = ws_warp_group(ws_warp_of(lanes))->frame.locals;
    const uint64_t address = (uint64_t)step->immediate + base;
    uint32_t *row = ws_row(lanes, step->d[0]);
    int lane;
    if (step->list != 0 && (uint64_t)step->list + base > warp->local_bytes) {
        if (mask != 0) ws_stop_at(lanes, step, WS_RUN_STACK, mask);
        return;
    }
    for (lane = 0; lane < WS_LANES; lane++) {
        if (!(mask >> lane & 1)) continue;
        row[lane] = (uint32_t)address;
        row[lane + WS_LANES] = (uint32_t)(address >> 32);
    }
}

/* Is the generic address in the window of a space? d: predicate; type2: WS_AT_... */
static inline void ws_do_isspacep_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    const ws_block *block = ws_block_of(lanes);
    const uint32_t *low = ws_row(lanes, step->s[WS_S_ADDRESS]);
    uint32_t truth = 0;
    int lane;
    for (lane = 0; lane < WS_LANES; lane++) {
        const uint64_t address = (uint64_t)low[lane] | (uint64_t)low[lane + WS_LANES] << 32;
        const uint64_t at = address - WS_SHARED_WINDOW;
        const bool cluster = at < (uint64_t)ws_block_peers(block) << WS_RANK_SHIFT;
        const bool shared = at - block->shared_at < WS_SHARED_WINDOW_BYTES;
        const bool local = address - WS_LOCAL_WINDOW < WS_LOCAL_WINDOW_BYTES;
        const ws_region *region = ws_space_find(&block->launch->memory, address, 1);
        const int kind = region == NULL ? (int)WS_REGION_ARGUMENT : (int)region->kind;
        bool found = step->space == WS_AT_SHARED ? shared : local;
        if (step->space == WS_AT_GLOBAL) found = !cluster && !local;
        if (step->space == WS_AT_CLUSTER) found = cluster;
        if (step->space == WS_AT_CONST) found = region != NULL && kind == WS_REGION_CONSTANT;
        if (step->space == WS_AT_PARAM) found = region != NULL && kind == WS_REGION_PARAMETERS;
        truth |= (uint32_t)found << lane;
    }
    ws_predicate_set(lanes, step->d[0], truth, mask);
}

/* clang-format off */
#define WS_MEANINGS_MEMORY(X) X(LD, ld, VECTOR, LOAD) X(ST, st, VECTOR, STORE)                                         \
    X(FRAME_ADDRESS, frame_address, SCALAR, NONE) X(ISSPACEP, isspacep, SCALAR, NONE)
/* clang-format on */

#endif
