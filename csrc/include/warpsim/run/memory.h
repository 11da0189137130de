/* Loads and stores of lanes, whatever the space.
 *
 * Source: "Data Movement and Conversion Instructions: ld, st" of the PTX ISA. Orders and scopes change nothing here: warps
 * of a block take turns. */
#ifndef WARPSIM_RUN_MEMORY_H
#define WARPSIM_RUN_MEMORY_H

#include "pieces.h"

/* One element of `bits` bits to a row, or two, or four; narrow ones are extended. */
static inline void ws_load_rows(uint32_t *row, const ws_piece *piece, uint32_t at, uint32_t nbytes, uint32_t sign) {
    uint32_t left = piece->mask, word;
    int lane;
    if (left == WS_ALL_LANES && nbytes == 4) {
        for (lane = 0; lane < WS_LANES; lane++) row[lane] = ws_load_u32(piece->bytes + piece->offset[lane] + at);
        return;
    }
    for (lane = 0; left != 0; lane++, left >>= 1) {
        const uint8_t *bytes = piece->bytes + piece->offset[lane] + at;
        if (!(left & 1)) continue;
        if (nbytes >= 4) {
            for (word = 0; word < nbytes / 4; word++)
                row[word * WS_LANES + (uint32_t)lane] = ws_load_u32(bytes + 4 * word);
        } else {
            const uint32_t value = nbytes == 1 ? bytes[0] : ws_load_u16(bytes);
            row[lane] = (value ^ sign) - sign;
        }
    }
}

/* One element of each lane. Groups of lanes store one after the other; of lanes of a group with equal addresses, the lowest
 * stays (measured). `group`: lanes of a group, less 1. */
static inline void ws_store_rows(const uint32_t *row, const ws_piece *piece, uint32_t at, uint32_t nbytes, int group) {
    uint32_t byte;
    int i;
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

/* Do all lanes name one stretch of words, one after the other? Then a row of them is a copy. */
static inline bool ws_piece_is_row(const ws_piece *piece, uint32_t whole) {
    uint32_t different = 0, at = piece->offset[0];
    int lane;
    if (piece->mask != WS_ALL_LANES || whole != 4) return false;
    for (lane = 0; lane < WS_LANES; lane++) different |= piece->offset[lane] ^ (at + 4 * (uint32_t)lane);
    return different == 0;
}

static inline uint32_t ws_step_element_bytes(const ws_step *step) { return (uint32_t)ws_type_bits(step->type) / 8; }

static inline void ws_load_piece(ws_lanes *lanes, const ws_step *step, const ws_piece *piece, uint32_t nbytes,
                                 uint32_t sign) {
    const uint8_t *const bytes = piece->bytes + piece->offset[0];
    uint32_t i;
    int lane;
    for (i = 0; i < step->count; i++) {
        const uint32_t reference = lanes->list[step->list + i];
        if (reference == WS_NONE) continue;
        if (nbytes == 4 && ws_piece_is_row(piece, nbytes * step->count)) {
            uint32_t *const row = ws_row(lanes, reference);
            for (lane = 0; lane < WS_LANES; lane++) row[lane] = ws_load_u32(bytes + 4 * lane);
        } else {
            ws_load_rows(ws_row(lanes, reference), piece, i * nbytes, nbytes, sign);
        }
    }
}

static inline void ws_store_piece(ws_lanes *lanes, const ws_step *step, const ws_piece *piece, uint32_t nbytes) {
    const uint32_t whole = nbytes * step->count;
    const int group = (whole <= 4 ? 32 : (int)(128 / whole)) - 1;
    uint8_t *const bytes = piece->bytes + piece->offset[0];
    uint32_t i;
    int lane;
    for (i = 0; i < step->count; i++) {
        const uint32_t *const row = ws_row(lanes, lanes->list[step->list + i]);
        if (nbytes == 4 && ws_piece_is_row(piece, whole)) {
            for (lane = 0; lane < WS_LANES; lane++) ws_store_u32(bytes + 4 * lane, row[lane]);
        } else {
            ws_store_rows(row, piece, i * nbytes, nbytes, group);
        }
    }
}

/* Destinations: the vector's list; address: source 0. Volatile and ordered loads wait for others. */
static inline void ws_do_ld_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    const uint32_t nbytes = ws_step_element_bytes(step);
    const uint32_t sign = ws_type_is_signed(step->type) && nbytes < 4 ? 1u << (8 * nbytes - 1) : 0;
    ws_reach reach;
    ws_piece piece;
    if (step->how & WS_HOW_POLLS) ws_warp_of(lanes)->has_polled = true;
    if (mask == 0) return;
    piece.mask = mask;
    if (ws_piece_whole(&piece, lanes, step, nbytes * step->count, false)) {
        ws_load_piece(lanes, step, &piece, nbytes, sign);
        return;
    }
    ws_reach_make(&reach, lanes, step, 0, mask);
    if (!ws_reach_begin(&reach, lanes, step, nbytes * step->count, false)) return;
    while (ws_next_piece(&piece, &reach, lanes, step)) {
        ws_load_piece(lanes, step, &piece, nbytes, sign);
    }
}

/* Sources: the vector's list; address: source 0. */
static inline void ws_do_st_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    const uint32_t nbytes = ws_step_element_bytes(step), whole = nbytes * step->count;
    ws_reach reach;
    ws_piece piece;
    if (mask == 0) return;
    piece.mask = mask;
    if (ws_piece_whole(&piece, lanes, step, whole, true)) {
        ws_store_piece(lanes, step, &piece, nbytes);
        return;
    }
    ws_reach_make(&reach, lanes, step, 0, mask);
    if (!ws_reach_begin(&reach, lanes, step, whole, true)) return;
    while (ws_next_piece(&piece, &reach, lanes, step)) {
        ws_store_piece(lanes, step, &piece, nbytes);
        ws_piece_mark(&piece, whole, WS_MARK_PLAIN);
    }
}

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

/* d = address of a local variable of this frame: its offset plus where the frame begins. */
static inline void ws_do_frame_address_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    const uint32_t base = ws_warp_group(ws_warp_of(lanes))->frame.locals;
    const uint64_t address = (uint64_t)step->immediate + base;
    uint32_t *row = ws_row(lanes, step->d[0]);
    int lane;
    for (lane = 0; lane < WS_LANES; lane++) {
        if (!(mask >> lane & 1)) continue;
        row[lane] = (uint32_t)address;
        row[lane + WS_LANES] = (uint32_t)(address >> 32);
    }
}

/* Is the generic address in the window of a space? d: predicate; type2: WS_AT_... */
static inline void ws_do_isspacep_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    const uint32_t *low = ws_row(lanes, step->s[0]);
    uint32_t truth = 0;
    int lane;
    for (lane = 0; lane < WS_LANES; lane++) {
        const uint64_t address = (uint64_t)low[lane] | (uint64_t)low[lane + WS_LANES] << 32;
        const bool shared = address - WS_SHARED_WINDOW < WS_SHARED_WINDOW_BYTES;
        const bool local = address - WS_LOCAL_WINDOW < WS_LOCAL_WINDOW_BYTES;
        const ws_region *region = ws_space_find(&ws_block_of(lanes)->launch->memory, address, 1);
        const int kind = region == NULL ? (int)WS_REGION_ARGUMENT : (int)region->kind;
        bool found = step->space == WS_AT_SHARED ? shared : local;
        if (step->space == WS_AT_GLOBAL) found = !shared && !local;
        if (step->space == WS_AT_CONST) found = region != NULL && kind == WS_REGION_CONSTANT;
        if (step->space == WS_AT_PARAM) found = region != NULL && kind == WS_REGION_PARAMETERS;
        truth |= (uint32_t)found << lane;
    }
    ws_predicate_set(lanes, step->d[0], truth, mask);
}

/* clang-format off */
#define WS_MEANINGS_MEMORY(X) X(LD, ld, SCALAR) X(ST, st, SCALAR) X(FRAME_ADDRESS, frame_address, SCALAR)              \
    X(ISSPACEP, isspacep, SCALAR)
/* clang-format on */

#endif
