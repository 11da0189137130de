/* The tile of a state: its layout, which must be one, and where the lanes of an instruction point in it. */
#ifndef WARPSIM_WEB_TILE_H
#define WARPSIM_WEB_TILE_H

#include "json.h"
#include "state.h"

enum { MOST_SIDE = 4096, MOST_ELEMENTS = 1 << 16, MOST_PAD = 4096 };

typedef struct tile_state {
    ws_layout layout;
    int64_t row, col; /* where the instruction begins */
    bool by_row;
    bool is_layout;  /* else the error says what is wrong with it */
    char error[160]; /* empty: all of it is well */
} tile_state;

static inline void tile_wrong(tile_state *tile, const char *key, const char *expected, int64_t least, int64_t most) {
    ws_text text = ws_text_make(tile->error, sizeof tile->error);
    ws_text_add(&text, key);
    ws_text_add(&text, ": expected ");
    ws_text_add(&text, expected);
    if (most >= least) {
        ws_text_add_int(&text, least);
        ws_text_add(&text, " to ");
        ws_text_add_int(&text, most);
    }
}

static inline int64_t tile_number(const char *lines, size_t length, tile_state *tile, const char *key, int64_t fallback,
                                  int64_t least, int64_t most) {
    const state_value found = state_find(lines, length, key);
    int64_t number = fallback;
    const bool is_number = found.bytes == NULL || found.count == 0 || state_number(found.bytes, found.count, &number);
    if ((!is_number || number < least || number > most) && tile->error[0] == '\0')
        tile_wrong(tile, key, "", least, most);
    return is_number && number >= least && number <= most ? number : fallback;
}

static inline void tile_check(tile_state *tile) {
    const ws_layout *layout = &tile->layout;
    const ws_swizzle *swizzle = &layout->swizzle;
    const int64_t run = (layout->col_major ? layout->rows : layout->cols) + layout->pad;
    const int distance = swizzle->shift < 0 ? -swizzle->shift : swizzle->shift;
    if (tile->error[0] != '\0') return;
    if (layout->rows * layout->cols > MOST_ELEMENTS) tile_wrong(tile, "rows, cols", "at most 65,536 elements", 0, -1);
    else if (run % ws_layout_run_unit(layout) != 0)
        tile_wrong(tile, "pad", "whole bytes in a row, padding included (packed types: whole pieces of 16)", 0, -1);
    else if (distance < swizzle->bits) tile_wrong(tile, "S", "a distance of at least B", 0, -1);
    else if (swizzle->bits + swizzle->base + distance > 24)
        tile_wrong(tile, "B, M, S", "B + M + |S| of at most 24", 0, -1);
}

/* Size, type and order; with the least padding that they need. */
static inline void tile_read_size(const char *lines, size_t length, tile_state *tile) {
    ws_layout *layout = &tile->layout;
    int64_t run, unit;
    tile->error[0] = '\0';
    *layout = ws_layout_make(tile_number(lines, length, tile, "rows", 64, 1, MOST_SIDE),
                             tile_number(lines, length, tile, "cols", 64, 1, MOST_SIDE),
                             (int)tile_number(lines, length, tile, "bits", 16, 4, 64));
    layout->packed = state_is(lines, length, "packed", "1");
    layout->col_major = state_is(lines, length, "order", "col");
    run = layout->col_major ? layout->rows : layout->cols;
    unit = ws_layout_run_unit(layout);
    layout->pad = (unit - run % unit) % unit;
    tile_check(tile);
}

static inline void tile_read(const char *lines, size_t length, tile_state *tile) {
    ws_layout *layout = &tile->layout;
    tile_read_size(lines, length, tile);
    layout->pad = tile_number(lines, length, tile, "pad", 0, 0, MOST_PAD);
    layout->swizzle.bits = (int8_t)tile_number(lines, length, tile, "B", 0, 0, 8);
    layout->swizzle.base = (int8_t)tile_number(lines, length, tile, "M", 0, 0, 16);
    layout->swizzle.shift = (int8_t)tile_number(lines, length, tile, "S", 0, -16, 16);
    layout->swizzle.unit_is_byte = layout->packed || state_is(lines, length, "unit", "byte");
    tile->row = tile_number(lines, length, tile, "row", 0, 0, layout->rows - 1);
    tile->col = tile_number(lines, length, tile, "col", 0, 0, layout->cols - 1);
    tile->by_row = state_is(lines, length, "arrange", "row");
    tile_check(tile);
    tile->is_layout = tile->error[0] == '\0';
}

/* Where an op's addresses begin: generic ones at the window of shared memory. */
static inline uint64_t tile_origin(const ws_op *op) {
    return op->space == WS_SPACE_GENERIC && op->kind != WS_CP_ASYNC ? WS_SHARED_WINDOW : 0;
}

/* The stride of wmma in the tile, in elements; 0, with the error, if wmma cannot read the tile. */
static inline uint32_t tile_stride(tile_state *tile, const ws_op *op) {
    const ws_layout *layout = &tile->layout;
    const int bits = ws_type_bits(op->type);
    if (layout->swizzle.bits == 0 && !layout->packed && layout->col_major == (op->layout == WS_LAYOUT_COL) &&
        layout->element_bits == bits) {
        return (uint32_t)(ws_layout_pitch_bytes(layout) * 8 / bits);
    }
    if (tile->error[0] == '\0') {
        ws_text text = ws_text_make(tile->error, sizeof tile->error);
        ws_text_add(&text, "tile: wmma reads one without swizzle, of order ");
        ws_text_add(&text, ws_layout_word(op->layout));
        ws_text_add(&text, " and of elements of ");
        ws_text_add_int(&text, bits);
        ws_text_add(&text, " bits; or give a stride");
    }
    return 0;
}

/* The lane addresses of op in the tile; with wmma p in all of them. False, with the error, where it leaves the tile. */
static inline bool tile_addresses(tile_state *tile, const ws_op *op, uint64_t address[WS_LANES]) {
    int64_t row = tile->row, col = tile->col, offset[WS_LANES];
    int lane;
    if (tile->error[0] != '\0') return false;
    if (ws_op_is_wmma(op)) {
        for (lane = 0; lane < WS_LANES; lane++) offset[lane] = ws_layout_offset(&tile->layout, row, col);
    } else if (!ws_layout_addresses(&tile->layout, op, &row, &col, tile->by_row, offset)) {
        ws_text text = ws_text_make(tile->error, sizeof tile->error);
        ws_text_add(&text, "row, col: the instruction at (");
        ws_text_add_int(&text, tile->row);
        ws_text_add(&text, ", ");
        ws_text_add_int(&text, tile->col);
        ws_text_add(&text, ") needs the place (");
        ws_text_add_int(&text, row);
        ws_text_add(&text, ", ");
        ws_text_add_int(&text, col);
        ws_text_add(&text, "), outside of the tile");
        return false;
    }
    for (lane = 0; lane < WS_LANES; lane++) address[lane] = tile_origin(op) + (uint64_t)offset[lane];
    return true;
}

#endif
