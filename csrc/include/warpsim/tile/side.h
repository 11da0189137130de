/* The two sides of a tile: the instructions that fill it, and those that read it. */
#ifndef WARPSIM_TILE_SIDE_H
#define WARPSIM_TILE_SIDE_H

#include "../isa/isa.h"

typedef enum ws_tile_side { WS_TILE_STORE = 0, WS_TILE_LOAD, WS_TILE_BOTH, WS_TILE_SIDE_COUNT } ws_tile_side;

static inline const char *ws_tile_side_word(int side) {
    static const char *const words[] = {"store", "load", "tile"};
    return side >= 0 && side < WS_TILE_SIDE_COUNT ? words[side] : "?";
}

/* Bit set of ws_kind: what fills a tile, and what reads it. */
static inline uint32_t ws_tile_kinds(int side) {
    const uint32_t stores = WS_BIT(WS_ST) | WS_BIT(WS_STMATRIX) | WS_BIT(WS_CP_ASYNC);
    const uint32_t loads = WS_BIT(WS_LD) | WS_BIT(WS_LDMATRIX);
    return (side != WS_TILE_LOAD ? stores : 0) | (side != WS_TILE_STORE ? loads : 0);
}

/* An instruction of that side, on shared memory. */
static inline bool ws_tile_side_takes(int side, const ws_op *op) {
    if (op->kind != WS_CP_ASYNC && op->space == WS_SPACE_GLOBAL) return false;
    return ws_in(ws_tile_kinds(side), op->kind);
}

/* "st, stmatrix or cp.async". */
static inline void ws_text_add_tile_kinds(ws_text *text, int side) {
    const uint32_t kinds = ws_tile_kinds(side);
    int kind, left = 0;
    for (kind = 0; kind < WS_KIND_COUNT; kind++) left += ws_in(kinds, kind);
    for (kind = 0; kind < WS_KIND_COUNT; kind++) {
        if (!ws_in(kinds, kind)) continue;
        ws_text_add(text, ws_kind_word(kind));
        left--;
        if (left > 0) ws_text_add(text, left == 1 ? " or " : ", ");
    }
}

#endif
