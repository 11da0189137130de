/* tensormap.replace and tensormap.cp_fenceproxy: fields of a tensor map in memory, and the map to where copies use it.
 *
 * Dimensions, boxes and element strides are given as they are and stored less 1; the rank is given less 1; strides in
 * bytes. Source: "tensormap.replace", "tensormap.cp_fenceproxy" of the PTX ISA; the places: tensor/map.h. */
#ifndef WARPSIM_BULK_REPLACE_H
#define WARPSIM_BULK_REPLACE_H

#include "../base/apart.h"
#include "../meet/mbarrier.h"
#include "../tensor/map.h"

typedef enum ws_map_field {
    WS_MAP_ADDRESS,
    WS_MAP_RANK,
    WS_MAP_BOX,
    WS_MAP_DIM,
    WS_MAP_STRIDE,
    WS_MAP_STEP,
    WS_MAP_TYPE,
    WS_MAP_INTERLEAVE,
    WS_MAP_SWIZZLE,
    WS_MAP_FILL
} ws_map_field;

/* `bits` bits of word `word` from bit `at` on. */
static inline void ws_map_put(uint8_t *map, uint32_t word, uint32_t at, uint32_t bits, uint32_t value) {
    const uint32_t mask = (bits < 32 ? (UINT32_C(1) << bits) - 1 : UINT32_MAX) << at;
    ws_store_u32(map + 4 * word, (ws_load_u32(map + 4 * word) & ~mask) | (value << at & mask));
}

/* The numbers that PTX gives to types, as tensor/map.h has them: tf32 is a float with a bit of its own. */
static inline void ws_map_put_type(uint8_t *map, uint32_t value) {
    const bool is_tf32 = value > (uint32_t)WS_TENSOR_BF16;
    ws_map_put(map, 2, 7, 4, is_tf32 ? value - 11 + (uint32_t)WS_TENSOR_F32 : value);
    ws_map_put(map, 2, 16, 1, is_tf32);
}

static inline void ws_map_replace(uint8_t *map, ws_map_field field, uint32_t ord, uint64_t value) {
    const uint32_t low = (uint32_t)value;
    if (ord >= WS_TENSOR_RANK) return;
    switch (field) {
        case WS_MAP_ADDRESS: ws_store_u64(map, value); break;
        case WS_MAP_RANK: ws_map_put(map, 2, 4, 3, low); break;
        case WS_MAP_BOX: ws_map_put(map, ord == 0 ? 13 : 14, ord == 0 ? 24 : 8 * (ord - 1), 8, low - 1); break;
        case WS_MAP_DIM: ws_map_put(map, 8 + ord, 0, 32, low - 1); break;
        case WS_MAP_STRIDE:
            if (ord + 1 == WS_TENSOR_RANK) return;
            ws_map_put(map, 3 + ord, 0, 32, (uint32_t)(value >> 4));
            ws_map_put(map, 7, 4 * ord, 4, (uint32_t)(value >> 36));
            break;
        case WS_MAP_STEP: ws_map_put(map, 13, 3 * ord, 3, low - 1); break;
        case WS_MAP_TYPE: ws_map_put_type(map, low); break;
        case WS_MAP_INTERLEAVE: ws_map_put(map, 2, 11, 2, low); break;
        case WS_MAP_SWIZZLE: ws_map_put(map, 2, 13, 2, low); break;
        default: ws_map_put(map, 2, 15, 1, low);
    }
}

/* Sources: address; then the dimension, where the field has one for each (`has_ord`); the value, `is_wide`: of 64 bits. */
static inline void ws_map_do(ws_lanes *lanes, const ws_step *step, uint32_t mask, ws_map_field field, bool has_ord) {
    const uint32_t *ord = has_ord ? ws_row(lanes, step->s[1]) : NULL, *value = ws_row(lanes, step->s[has_ord ? 2 : 1]);
    const bool is_wide = field == WS_MAP_ADDRESS || field == WS_MAP_STRIDE;
    ws_reach reach;
    ws_piece piece;
    int lane;
    ws_reach_make(&reach, lanes, step, WS_S_ADDRESS, mask);
    if (!ws_reach_begin(&reach, lanes, step, WS_TENSOR_MAP_BYTES, true)) return;
    while (ws_next_piece(&piece, &reach, lanes, step)) {
        for (lane = 0; lane < WS_LANES; lane++) {
            if (!(piece.mask >> lane & 1)) continue;
            ws_map_replace(piece.bytes + piece.offset[lane], field, ord != NULL ? ord[lane] : 0,
                           value[lane] | (is_wide ? (uint64_t)value[lane + WS_LANES] << 32 : 0));
        }
        ws_piece_mark(&piece, WS_TENSOR_MAP_BYTES, WS_MARK_PLAIN);
    }
}

/* Into global memory; `list`: the offset of the destination. */
WS_ONCE void ws_do_map_copy_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    ws_step to = *step, from = *step;
    ws_reach reach[2];
    ws_piece there, here;
    uint32_t i;
    int lane;
    to.space = WS_AT_GLOBAL;
    to.immediate = (int32_t)step->list;
    from.space = WS_AT_SHARED;
    for (; mask != 0; mask &= mask - 1) {
        lane = ws_first_lane(mask);
        ws_reach_make(&reach[0], lanes, &to, WS_S_ADDRESS, UINT32_C(1) << lane);
        ws_reach_make(&reach[1], lanes, &from, WS_S_SOURCE, UINT32_C(1) << lane);
        if (!ws_reach_begin(&reach[0], lanes, step, WS_TENSOR_MAP_BYTES, true) ||
            !ws_next_piece(&there, &reach[0], lanes, step) ||
            !ws_reach_begin(&reach[1], lanes, step, WS_TENSOR_MAP_BYTES, false) ||
            !ws_next_piece(&here, &reach[1], lanes, step))
            return;
        for (i = 0; i < WS_TENSOR_MAP_BYTES; i++)
            there.bytes[there.offset[lane] + i] = here.bytes[here.offset[lane] + i];
        ws_piece_mark(&there, WS_TENSOR_MAP_BYTES, WS_MARK_PLAIN);
    }
}

#define WS_MAP(name, FIELD, has_ord)                                                                                   \
    static inline void ws_do_map_##name##_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {                  \
        ws_map_do(lanes, step, mask, WS_MAP_##FIELD, has_ord);                                                         \
    }
WS_MAP(address, ADDRESS, false)
WS_MAP(rank, RANK, false)
WS_MAP(box, BOX, true)
WS_MAP(dim, DIM, true)
WS_MAP(stride, STRIDE, true)
WS_MAP(step, STEP, true)
WS_MAP(type, TYPE, false)
WS_MAP(interleave, INTERLEAVE, false)
WS_MAP(swizzle, SWIZZLE, false)
WS_MAP(fill, FILL, false)
#undef WS_MAP

/* clang-format off */
#define WS_MEANINGS_MAP(X) X(MAP_ADDRESS, map_address, SCALAR, NONE) X(MAP_RANK, map_rank, SCALAR, NONE)               \
    X(MAP_BOX, map_box, SCALAR, NONE) X(MAP_DIM, map_dim, SCALAR, NONE) X(MAP_STRIDE, map_stride, SCALAR, NONE)        \
    X(MAP_STEP, map_step, SCALAR, NONE) X(MAP_TYPE, map_type, SCALAR, NONE)                                            \
    X(MAP_INTERLEAVE, map_interleave, SCALAR, NONE) X(MAP_SWIZZLE, map_swizzle, SCALAR, NONE)                          \
    X(MAP_FILL, map_fill, SCALAR, NONE) X(MAP_COPY, map_copy, SCALAR, NONE)
/* clang-format on */

#endif
