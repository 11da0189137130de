/* Tensor maps: the 128 bytes that cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col write, as numbers.
 *
 *     word 0, 1    address                       word 8-12   dimensions less 1
 *     word 2       bit 0 im2col, 4-6 rank less 1, 7-10 type, 11-12 interleave, 13-14 swizzle, 15 fill by NaN,
 *                  16 tf32, 17-18 L2 promotion
 *     word 3-6     strides of 16 bytes           word 7      their bits 32-35, 4 bits each
 *     word 13      element strides less 1, 3 bits each; bits 24-31 box or channels less 1
 *     word 14      box of dimensions 1 to 4 less 1, 8 bits each; im2col: corners, lower ones and then upper ones
 *     word 15      im2col: pixels less 1
 *
 * Source: the driver 580.159 wrote 10,000 maps, one field changed at a time and at random. */
#ifndef WARPSIM_TENSOR_MAP_H
#define WARPSIM_TENSOR_MAP_H

#include "../base/bytes.h"
#include "../isa/op.h"

enum { WS_TENSOR_MAP_BYTES = 128, WS_TENSOR_RANK = 5, WS_TENSOR_SPATIAL = 3, WS_TENSOR_CHUNK = 16 };

/* Types of the elements, as bits 7-10 say them. X(name, type of a reduction, bytes) */
#define WS_TENSOR_TYPES(X)                                                                                             \
    X(U8, U8, 1)                                                                                                       \
    X(U16, U16, 2)                                                                                                     \
    X(U32, U32, 4)                                                                                                     \
    X(S32, S32, 4)                                                                                                     \
    X(U64, U64, 8)                                                                                                     \
    X(S64, S64, 8)                                                                                                     \
    X(F16, F16, 2) X(F32, F32, 4) X(F32_FTZ, F32, 4) X(F64, F64, 8) X(BF16, BF16, 2)

#define WS_ENUM(name, type, nbytes) WS_TENSOR_##name,
typedef enum ws_tensor_type { WS_TENSOR_TYPES(WS_ENUM) WS_TENSOR_TYPE_COUNT } ws_tensor_type;
#undef WS_ENUM

typedef struct ws_tensor_map {
    uint64_t address;
    uint64_t dims[WS_TENSOR_RANK];    /* elements, innermost first */
    uint64_t strides[WS_TENSOR_RANK]; /* bytes; of dimension 0 those of an element or a slice */
    uint32_t box[WS_TENSOR_RANK];     /* elements that a tile covers; im2col: channels in the first */
    uint32_t steps[WS_TENSOR_RANK];   /* element strides */
    int32_t lower[WS_TENSOR_SPATIAL], upper[WS_TENSOR_SPATIAL]; /* im2col: corners of the pixels */
    uint32_t pixels;                                            /* im2col */
    uint8_t rank, type;                                         /* ws_tensor_type */
    uint8_t nbytes;                                             /* of an element */
    uint8_t interleave;                                         /* 0, 1: 16 bytes, 2: 32 bytes */
    uint8_t swizzle;                                            /* 0 to 3: none, 32, 64, 128 bytes */
    bool is_im2col, fills_nan, is_tf32;
} ws_tensor_map;

static inline uint32_t ws_tensor_type_bytes(int type) {
    static const uint8_t rows[] = {
#define WS_ROW(name, type, nbytes) nbytes,
        WS_TENSOR_TYPES(WS_ROW)
#undef WS_ROW
    };
    return rows[type];
}

static inline int ws_tensor_type_of(int type) {
    static const uint8_t rows[] = {
#define WS_ROW(name, type, nbytes) WS_TYPE_##type,
        WS_TENSOR_TYPES(WS_ROW)
#undef WS_ROW
    };
    return rows[type];
}

/* `bits` bits of a word from `at` on, as a signed number. */
static inline int32_t ws_tensor_signed(uint32_t word, uint32_t at, uint32_t bits) {
    const uint32_t half = UINT32_C(1) << (bits - 1), value = word >> at & (2 * half - 1);
    return (int32_t)(value ^ half) - (int32_t)half;
}

/* The bits of one corner in word 14, by rank: 16, 8 or 5. */
static inline uint32_t ws_tensor_corner_bits(uint32_t rank) { return rank == 3 ? 16 : rank == 4 ? 8 : 5; }

static inline void ws_tensor_map_im2col(ws_tensor_map *map, const uint8_t *bytes) {
    const uint32_t corners = ws_load_u32(bytes + 56), bits = ws_tensor_corner_bits(map->rank);
    uint32_t i;
    for (i = 0; i + 2 < map->rank; i++) {
        map->lower[i] = ws_tensor_signed(corners, bits * i, bits);
        map->upper[i] = ws_tensor_signed(corners, 16 + bits * i, bits);
    }
    map->pixels = (ws_load_u32(bytes + 60) & 0xffff) + 1;
}

/* False: no map of a known form. */
static inline bool ws_tensor_map_read(const uint8_t *bytes, ws_tensor_map *map) {
    const uint32_t how = ws_load_u32(bytes + 8), high = ws_load_u32(bytes + 28), steps = ws_load_u32(bytes + 52);
    const uint32_t box = ws_load_u32(bytes + 56);
    uint32_t i;
    map->address = ws_load_u64(bytes);
    map->rank = (uint8_t)((how >> 4 & 7) + 1);
    map->type = (uint8_t)(how >> 7 & 15);
    map->interleave = (uint8_t)(how >> 11 & 3);
    map->swizzle = (uint8_t)(how >> 13 & 3);
    map->is_im2col = (how & 1) != 0;
    map->fills_nan = (how >> 15 & 1) != 0;
    map->is_tf32 = (how >> 16 & 1) != 0;
    if (map->rank > WS_TENSOR_RANK || map->type >= WS_TENSOR_TYPE_COUNT || map->interleave > 2 || (how >> 19) != 0 ||
        (map->is_im2col && map->rank < 3))
        return false;
    map->nbytes = (uint8_t)ws_tensor_type_bytes(map->type);
    for (i = 0; i < WS_TENSOR_RANK; i++) {
        const bool is_there = i < map->rank;
        map->dims[i] = is_there ? (uint64_t)ws_load_u32(bytes + 32 + 4 * i) + 1 : 1;
        map->strides[i] = map->interleave != 0 ? UINT64_C(16) * map->interleave : map->nbytes;
        if (i > 0 && is_there)
            map->strides[i] = (ws_load_u32(bytes + 8 + 4 * i) | (uint64_t)(high >> (4 * (i - 1)) & 15) << 32) * 16;
        map->steps[i] = is_there ? (steps >> (3 * i) & 7) + 1 : 1;
        map->box[i] = i == 0 ? (steps >> 24) + 1 : is_there && !map->is_im2col ? (box >> (8 * (i - 1)) & 255) + 1 : 1;
    }
    map->pixels = 1;
    for (i = 0; i < WS_TENSOR_SPATIAL; i++) map->lower[i] = map->upper[i] = 0;
    if (map->is_im2col) ws_tensor_map_im2col(map, bytes);
    return true;
}

#endif
