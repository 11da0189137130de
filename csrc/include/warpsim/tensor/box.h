/* The box of a tensor that one copy moves: row by row, where each lies in global and in shared memory.
 *
 *     tile      rows of box[0] elements, one for each step along the other dimensions
 *     im2col    rows of channels, one for each pixel: along W, then H, D and N, inside of the corners
 *     interleaved   rows of one slice of channels, 16 or 32 bytes: dimension 0 is W, the last but one the slices, of
 *                   which a box has one
 *
 * Rows lie behind each other in shared memory; with a swizzle each takes its whole span. Elements that lie outside of the
 * tensor are filled when it is loaded and left out when it is stored; a store takes whole chunks of 16 bytes at the inner
 * end. All of this was measured: tests/truth/run/tensor_maps. */
#ifndef WARPSIM_TENSOR_BOX_H
#define WARPSIM_TENSOR_BOX_H

#include "map.h"

/* Where a box begins. */
typedef struct ws_tensor_place {
    int32_t at[WS_TENSOR_RANK];         /* coordinates, innermost first */
    uint32_t offset[WS_TENSOR_SPATIAL]; /* im2col: of the filter */
} ws_tensor_place;

/* A walk over the rows of a box. */
typedef struct ws_tensor_walk {
    const ws_tensor_map *map;
    const ws_tensor_place *place;
    bool is_load;
    uint32_t row, rows, pitch; /* pitch: bytes of a row in shared memory */
    int64_t at[WS_TENSOR_RANK];
} ws_tensor_walk;

/* One row: elements `first` to `last` lie in the tensor, element `first` at `global`. */
typedef struct ws_tensor_row {
    uint64_t global;
    uint32_t first, last;
} ws_tensor_row;

/* The first dimension that is walked along row by row. */
static inline uint32_t ws_tensor_outer(const ws_tensor_map *map) { return map->interleave != 0 ? 0 : 1; }

/* The slices of channels of an interleaved tensor: a box has one of them. */
static inline bool ws_tensor_is_slice(const ws_tensor_map *map, uint32_t dimension) {
    return map->interleave != 0 && dimension + 2 == map->rank;
}

/* Rows along a dimension of a tile. */
static inline uint32_t ws_tensor_count(const ws_tensor_map *map, uint32_t dimension) {
    if (ws_tensor_is_slice(map, dimension)) return 1;
    return (map->box[dimension] + map->steps[dimension] - 1) / map->steps[dimension];
}

static inline uint64_t ws_tensor_rows(const ws_tensor_map *map) {
    uint64_t rows = map->pixels;
    uint32_t i;
    for (i = ws_tensor_outer(map); i < map->rank && !map->is_im2col; i++) rows *= ws_tensor_count(map, i);
    return rows;
}

/* Elements of a row. */
static inline uint32_t ws_tensor_width(const ws_tensor_map *map) {
    return map->interleave != 0 ? (uint32_t)map->strides[0] / map->nbytes : map->box[0];
}

static inline uint32_t ws_tensor_row_bytes(const ws_tensor_map *map) { return ws_tensor_width(map) * map->nbytes; }

/* Bytes from one row to the next in shared memory. */
static inline uint32_t ws_tensor_pitch(const ws_tensor_map *map) {
    const bool is_padded = map->swizzle != 0 && map->interleave == 0;
    return is_padded ? UINT32_C(16) << map->swizzle : ws_tensor_row_bytes(map);
}

/* Could a driver have made the map? A row is whole chunks; with a swizzle one that is not interleaved has its own span. */
static inline bool ws_tensor_is_encodable(const ws_tensor_map *map) {
    const uint32_t row = ws_tensor_row_bytes(map);
    return row % WS_TENSOR_CHUNK == 0 && row <= ws_tensor_pitch(map);
}

/* What a copy reports to its barrier: the whole box, wherever it lies, without what a swizzle leaves free. */
static inline uint32_t ws_tensor_bytes(const ws_tensor_map *map) {
    return (uint32_t)ws_tensor_rows(map) * ws_tensor_row_bytes(map);
}

/* What the box covers of shared memory, up to the end of a span of the swizzle, or the most that can be said. */
static inline uint32_t ws_tensor_shared_bytes(const ws_tensor_map *map) {
    const uint64_t span = UINT64_C(16) << map->swizzle;
    const uint64_t nbytes = (ws_tensor_rows(map) * ws_tensor_pitch(map) + span - 1) / span * span;
    return nbytes < UINT32_MAX ? (uint32_t)nbytes : UINT32_MAX;
}

/* Where a chunk of 16 bytes at a shared address lies after the swizzle. */
static inline uint32_t ws_tensor_swizzled(const ws_tensor_map *map, uint32_t address) {
    const uint32_t bits = (UINT32_C(1) << map->swizzle) - 1;
    return address ^ (address >> 7 & bits) << 4;
}

static inline ws_tensor_walk ws_tensor_walk_make(const ws_tensor_map *map, const ws_tensor_place *place, bool is_load) {
    ws_tensor_walk walk;
    uint32_t i;
    walk.map = map;
    walk.place = place;
    walk.is_load = is_load;
    walk.row = 0;
    walk.rows = (uint32_t)ws_tensor_rows(map);
    walk.pitch = ws_tensor_pitch(map);
    for (i = 0; i < WS_TENSOR_RANK; i++) walk.at[i] = i < map->rank ? place->at[i] : 0;
    return walk;
}

/* Is it a dimension that im2col walks along inside of the corners? */
static inline bool ws_tensor_is_spatial(const ws_tensor_map *map, uint32_t dimension) {
    const uint32_t first = ws_tensor_outer(map);
    return map->is_im2col && dimension >= first && dimension + 2 < map->rank + first;
}

/* The first pixel along a spatial dimension, and the one after the last. */
static inline int64_t ws_tensor_lower(const ws_tensor_map *map, uint32_t dimension) {
    return map->lower[dimension - ws_tensor_outer(map)];
}

static inline int64_t ws_tensor_upper(const ws_tensor_map *map, uint32_t dimension) {
    return (int64_t)map->dims[dimension] + map->upper[dimension - ws_tensor_outer(map)];
}

/* To the next row: along the tile, or along the pixels of im2col. */
static inline void ws_tensor_walk_on(ws_tensor_walk *walk) {
    const ws_tensor_map *map = walk->map;
    uint32_t i;
    walk->row++;
    for (i = ws_tensor_outer(map); i < map->rank; i++) {
        const bool is_spatial = ws_tensor_is_spatial(map, i);
        const int64_t begin = is_spatial ? ws_tensor_lower(map, i) : walk->place->at[i];
        const int64_t end = is_spatial ? ws_tensor_upper(map, i) : begin + (int64_t)map->box[i];
        if (ws_tensor_is_slice(map, i)) continue;
        walk->at[i] += map->steps[i];
        if ((map->is_im2col && !is_spatial) || walk->at[i] < end) return;
        walk->at[i] = begin;
    }
}

/* The coordinate of a row along a dimension. */
static inline int64_t ws_tensor_at(const ws_tensor_walk *walk, uint32_t i) {
    const bool moves = walk->is_load && ws_tensor_is_spatial(walk->map, i);
    return walk->at[i] + (moves ? (int64_t)walk->place->offset[i - ws_tensor_outer(walk->map)] : 0);
}

/* The row that the walk is at. */
static inline ws_tensor_row ws_tensor_row_at(const ws_tensor_walk *walk) {
    const ws_tensor_map *map = walk->map;
    const int64_t count = (int64_t)ws_tensor_width(map), chunk = WS_TENSOR_CHUNK / map->nbytes;
    const int64_t begin = map->interleave != 0 ? 0 : walk->at[0];
    int64_t end = map->interleave != 0 ? count : (int64_t)map->dims[0], first, last;
    ws_tensor_row row = {0, 0, 0};
    uint32_t i;
    row.global = map->address;
    for (i = ws_tensor_outer(map); i < map->rank; i++) {
        const int64_t at = ws_tensor_at(walk, i);
        if (at < 0 || at >= (int64_t)map->dims[i]) return row;
        row.global += (uint64_t)at * map->strides[i];
    }
    if (!walk->is_load) end = (end + chunk - 1) / chunk * chunk;
    first = begin < 0 ? -begin : 0;
    last = end - begin;
    if (first > count) first = count;
    if (last > count) last = count;
    if (last <= first) return row;
    row.first = (uint32_t)first;
    row.last = (uint32_t)last;
    row.global += (uint64_t)(begin + first) * map->nbytes;
    return row;
}

/* Does the hardware combine elements of the map's type so? `op`: 0 add, 1 min, 2 max, 3 inc, 4 dec, else and, or, xor. */
static inline bool ws_tensor_reduces(const ws_tensor_map *map, int op) {
    const int type = ws_tensor_type_of(map->type);
    const bool is_short_float = type == WS_TYPE_F16 || type == WS_TYPE_BF16;
    const bool is_whole = type == WS_TYPE_U32 || type == WS_TYPE_S32 || type == WS_TYPE_U64;
    switch (op) {
        case 0: return is_whole || is_short_float || type == WS_TYPE_F32 || type == WS_TYPE_F64;
        case 1:
        case 2: return is_whole || is_short_float || type == WS_TYPE_S64;
        case 3:
        case 4: return type == WS_TYPE_U32;
        default: return is_whole;
    }
}

/* Why the hardware refuses a bulk copy. */
typedef enum ws_tensor_refusal {
    WS_REFUSED_NOT = 0,
    WS_REFUSED_SIZE,     /* no multiple of 16 bytes */
    WS_REFUSED_MAP,      /* the bytes are no tensor map */
    WS_REFUSED_RANK,     /* of the map and of the instruction */
    WS_REFUSED_MODE,     /* im2col, and the instruction is not; or the other way round */
    WS_REFUSED_TYPE,     /* that the reduction does not take */
    WS_REFUSED_BEGIN,    /* a row begins at no multiple of 16 bytes of the tensor's */
    WS_REFUSED_NEGATIVE, /* a coordinate of a store */
    WS_REFUSED_CORNER /* the first pixel of im2col lies not between the corners, or those of a store not in the tensor */
} ws_tensor_refusal;

/* Of a place; *dimension: of which. */
static inline ws_tensor_refusal ws_tensor_place_refusal(const ws_tensor_map *map, const ws_tensor_place *place,
                                                        bool is_load, uint32_t *dimension) {
    uint32_t i;
    *dimension = 0;
    if (map->interleave == 0 && (int64_t)place->at[0] * map->nbytes % WS_TENSOR_CHUNK != 0) return WS_REFUSED_BEGIN;
    for (i = 0; i < map->rank; i++) {
        const bool is_spatial = ws_tensor_is_spatial(map, i);
        *dimension = i;
        if (!is_load && place->at[i] < 0) return WS_REFUSED_NEGATIVE;
        if (is_spatial && (place->at[i] < ws_tensor_lower(map, i) || place->at[i] >= ws_tensor_upper(map, i)))
            return WS_REFUSED_CORNER;
        if (is_spatial && !is_load && (ws_tensor_lower(map, i) < 0 || ws_tensor_upper(map, i) > (int64_t)map->dims[i]))
            return WS_REFUSED_CORNER;
    }
    return WS_REFUSED_NOT;
}

#endif
