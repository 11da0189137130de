/* How a matrix is laid out in memory, and the lane addresses with which an instruction reads or writes a part of it.
 *
 *     row-major    offset(r, c) = swizzle(r * pitch + c * element)        pitch = (cols + pad) * element
 *     col-major    offset(r, c) = swizzle(c * pitch + r * element)        pitch = (rows + pad) * element
 *     tables       offset(r, c) = swizzle((row_at[r] + col_at[c]) * element)
 *
 * Tables hold what is not one block: tiles of several TMA boxes, CuTe's hierarchical layouts.
 *
 * The swizzle is CuTe's Swizzle<B, M, S>: bits [M + max(S,0), + B) of the offset are XORed onto bits [M - min(S,0), +
 * B), in units of an element or a byte. Sub-byte elements are counted in bits; packed formats are stored in pieces of
 * 16 elements, 16 bytes. */
#ifndef WARPSIM_TILE_LAYOUT_H
#define WARPSIM_TILE_LAYOUT_H

#include "../isa/form.h"

typedef struct ws_swizzle {
    int8_t bits;       /* B: how many bits are XORed; 0: no swizzle */
    int8_t base;       /* M: lowest bit that may change */
    int8_t shift;      /* S: distance of the two fields, |S| >= B */
    bool unit_is_byte; /* false: element */
} ws_swizzle;

typedef struct ws_layout {
    int64_t rows;
    int64_t cols;
    int64_t pad;      /* elements added to each row (col-major: column) */
    int element_bits; /* 4, 8, 16, 32, 64 */
    bool packed;      /* b6x16_p32, b4x16_p64: 16 elements in 16 bytes */
    bool col_major;
    ws_swizzle swizzle;
    const int64_t *row_at; /* [rows] and [cols], elements; both NULL: rows one pitch apart */
    const int64_t *col_at;
} ws_layout;

/* CuTe's Swizzle<B, M, S>, in elements. */
WS_CONSTANT ws_swizzle ws_swizzle_make(int bits, int base, int shift) {
    ws_swizzle swizzle;
    swizzle.bits = (int8_t)bits;
    swizzle.base = (int8_t)base;
    swizzle.shift = (int8_t)shift;
    swizzle.unit_is_byte = false;
    return swizzle;
}

/* Row-major, no padding, no swizzle: callers set the fields for anything else. */
WS_CONSTANT ws_layout ws_layout_make(int64_t rows, int64_t cols, int element_bits) {
    ws_layout layout;
    layout.rows = rows;
    layout.cols = cols;
    layout.pad = 0;
    layout.element_bits = element_bits;
    layout.packed = false;
    layout.col_major = false;
    layout.swizzle = ws_swizzle_make(0, 0, 0);
    layout.row_at = layout.col_at = NULL;
    return layout;
}

WS_CONSTANT uint64_t ws_swizzle_apply(const ws_swizzle *swizzle, uint64_t offset) {
    const int down = swizzle->shift >= 0 ? swizzle->shift : 0, up = swizzle->shift < 0 ? -swizzle->shift : 0;
    const uint64_t mask = (UINT64_C(1) << swizzle->bits) - 1;
    const uint64_t from = offset >> (swizzle->base + down) & mask;
    return offset ^ from << (swizzle->base + up);
}

/* Bits from the start of the image to an element along a contiguous run, `index` elements in. */
WS_CONSTANT int64_t ws_layout_run_bits(const ws_layout *layout, int64_t index) {
    if (!layout->packed) return index * layout->element_bits;
    return index / 16 * 128 + index % 16 * layout->element_bits;
}

/* Elements of a run, without padding. */
WS_CONSTANT int64_t ws_layout_run(const ws_layout *layout) { return layout->col_major ? layout->rows : layout->cols; }

WS_CONSTANT int64_t ws_layout_pitch_bytes(const ws_layout *layout) {
    return ws_layout_run_bits(layout, ws_layout_run(layout) + layout->pad) / 8;
}

/* Elements that a run with its padding must be a multiple of: whole bytes, and whole pieces of a packed format. */
WS_CONSTANT int64_t ws_layout_run_unit(const ws_layout *layout) {
    if (layout->packed) return 16;
    return layout->element_bits < 8 ? 8 / layout->element_bits : 1;
}

/* Runs, each one pitch after the other. */
WS_CONSTANT int64_t ws_layout_runs(const ws_layout *layout) { return layout->col_major ? layout->cols : layout->rows; }

/* The tables of the runs, and of the elements of a run; NULL where there are none. */
WS_CONSTANT const int64_t *ws_layout_outer_at(const ws_layout *layout) {
    return layout->col_major ? layout->col_at : layout->row_at;
}

WS_CONSTANT const int64_t *ws_layout_inner_at(const ws_layout *layout) {
    return layout->col_major ? layout->row_at : layout->col_at;
}

/* Bits from the start of the image, before the swizzle, to element `inner` of run `outer`. */
WS_CONSTANT int64_t ws_layout_plain_bits(const ws_layout *layout, int64_t outer, int64_t inner) {
    if (layout->row_at != NULL) {
        return (ws_layout_outer_at(layout)[outer] + ws_layout_inner_at(layout)[inner]) * layout->element_bits;
    }
    return outer * ws_layout_pitch_bytes(layout) * 8 + ws_layout_run_bits(layout, inner);
}

/* Bytes of the image before the swizzle. */
WS_CONSTANT int64_t ws_layout_plain_bytes(const ws_layout *layout) {
    int64_t most[2] = {0, 0}, i;
    if (layout->row_at == NULL) return ws_layout_pitch_bytes(layout) * ws_layout_runs(layout);
    for (i = 0; i < layout->rows; i++) most[0] = layout->row_at[i] > most[0] ? layout->row_at[i] : most[0];
    for (i = 0; i < layout->cols; i++) most[1] = layout->col_at[i] > most[1] ? layout->col_at[i] : most[1];
    return ((most[0] + most[1] + 1) * layout->element_bits + 7) / 8;
}

/* Bits of the swizzle's unit. */
WS_CONSTANT int ws_layout_unit_bits(const ws_layout *layout) {
    return layout->swizzle.unit_is_byte || layout->packed ? 8 : layout->element_bits;
}

/* One past the highest position to which the swizzle moves the first `count` units. It moves them within aligned
 * blocks: an image that is not a whole number of blocks may grow. */
WS_CONSTANT uint64_t ws_swizzle_end(const ws_swizzle *swizzle, uint64_t count) {
    const int distance = swizzle->shift < 0 ? -swizzle->shift : 0;
    const uint64_t field = (UINT64_C(1) << swizzle->bits) - 1, source = field << swizzle->base;
    const uint64_t block = ((source + (UINT64_C(1) << swizzle->base)) << distance) - 1, last = count - 1,
                   rest = last & block;
    const uint64_t flip = last ^ ws_swizzle_apply(swizzle, last);
    uint64_t full;
    int shift;
    if (swizzle->bits == 0 || count == 0) return count;
    if (distance == 0) { /* of the last block; below a bit that its last position would lose, some position has all */
        for (full = rest & flip, shift = 1; shift < 64; shift *= 2) full |= full >> shift;
        return last - rest + ((rest ^ flip) | full) + 1;
    }
    if (rest >> (swizzle->base + distance) != 0) return (last | block) + 1;
    if (rest >= source) { /* some position has the whole source field; the highest of them */
        const uint64_t low = source | ((UINT64_C(1) << swizzle->base) - 1);
        const uint64_t place = (rest & source) == source ? rest : (rest & ~low) - 1;
        return last - rest + (field << (swizzle->base + distance) | place) + 1;
    }
    return last - rest + ((rest & source) << distance | rest) + 1;
}

/* From the first byte to the last that holds an element or its padding. */
WS_CONSTANT int64_t ws_layout_nbytes(const ws_layout *layout) {
    const int64_t dense = ws_layout_plain_bytes(layout);
    const uint64_t unit = (uint64_t)ws_layout_unit_bits(layout);
    if (layout->swizzle.bits == 0) return dense;
    return (int64_t)((ws_swizzle_end(&layout->swizzle, (uint64_t)dense * 8 / unit) * unit + 7) / 8);
}

/* Bytes that the elements themselves take. */
WS_CONSTANT int64_t ws_layout_element_bytes(const ws_layout *layout) {
    return (layout->rows * layout->cols * layout->element_bits + 7) / 8;
}

/* The bit, and the byte, to which the swizzle moves these bits from the start of the image. */
WS_CONSTANT uint64_t ws_layout_swizzled_bit(const ws_layout *layout, uint64_t bits) {
    const uint64_t unit = (uint64_t)ws_layout_unit_bits(layout);
    return layout->swizzle.bits == 0 ? bits : ws_swizzle_apply(&layout->swizzle, bits / unit) * unit + bits % unit;
}

WS_CONSTANT int64_t ws_layout_swizzled(const ws_layout *layout, uint64_t bits) {
    return (int64_t)(ws_layout_swizzled_bit(layout, bits) / 8);
}

/* The bit at which element (row, col) begins, and its byte offset: of a sub-byte element the byte that it begins in. */
WS_CONSTANT uint64_t ws_layout_bit(const ws_layout *layout, int64_t row, int64_t col) {
    const int64_t outer = layout->col_major ? col : row, inner = layout->col_major ? row : col;
    return ws_layout_swizzled_bit(layout, (uint64_t)ws_layout_plain_bits(layout, outer, inner));
}

WS_CONSTANT int64_t ws_layout_offset(const ws_layout *layout, int64_t row, int64_t col) {
    return (int64_t)(ws_layout_bit(layout, row, col) / 8);
}

/* Elements along the contiguous axis that one address of the op covers; for a packed format, the bytes. */
WS_CONSTANT int64_t ws_layout_piece_elements(const ws_layout *layout, const ws_op *op) {
    return layout->packed ? ws_op_access_bytes(op) : (int64_t)ws_op_access_bytes(op) * 8 / layout->element_bits;
}

/* Where lane `lane` of a matrix instruction points: matrix 0 at (row, col), the next ones below it and then to the
 * right (by_row: first to the right, then below). */
WS_CONSTANT void ws_layout_matrix_lane(const ws_layout *layout, const ws_op *op, bool by_row, int lane, int64_t *row,
                                       int64_t *col) {
    const int rows = ws_op_form(op)->rows, matrix = lane / rows, line = lane % rows;
    const int64_t piece = ws_layout_piece_elements(layout, op);
    const int64_t high = layout->col_major ? piece : rows, wide = layout->col_major ? rows : piece;
    const int down = by_row ? matrix / 2 : matrix % 2, right = by_row ? matrix % 2 : matrix / 2;
    *row += down * high + (layout->col_major ? 0 : line);
    *col += right * wide + (layout->col_major ? line : 0);
}

/* Lane addresses (byte offsets) of `op` at (row, col); false if an address would be outside the matrix, at *row, *col.
 * Matrix instructions: lanes without a row repeat the lane below by the number of row lanes. Plain accesses: lane l
 * takes the l-th piece along the contiguous axis, row after row. */
WS_CONSTANT bool ws_layout_addresses(const ws_layout *layout, const ws_op *op, int64_t *row, int64_t *col, bool by_row,
                                     int64_t address[WS_LANES]) {
    const int64_t row0 = *row, col0 = *col, piece = ws_layout_piece_elements(layout, op);
    const int64_t run = ws_layout_run(layout);
    const int64_t along0 = layout->col_major ? row0 : col0;
    const int64_t piece_rows = layout->col_major ? piece : 1, piece_cols = layout->col_major ? 1 : piece;
    int lane;
    if (ws_op_is_collective(op) && ws_op_form(op)->rows == 0) return false; /* movmatrix, wmma */
    if (piece < 1 || row0 < 0 || col0 < 0 || row0 >= layout->rows || col0 >= layout->cols) return false;
    for (lane = 0; lane < WS_LANES; lane++) {
        *row = row0;
        *col = col0;
        if (ws_op_is_collective(op)) {
            ws_layout_matrix_lane(layout, op, by_row, lane % ws_op_row_lanes(op), row, col);
        } else {
            const int64_t per_run = (run - along0) / piece;
            const int64_t outer = per_run > 0 ? lane / per_run : 0, inner = per_run > 0 ? lane % per_run : lane;
            *row += layout->col_major ? inner * piece : outer;
            *col += layout->col_major ? outer : inner * piece;
        }
        if (*row < 0 || *col < 0 || *row + piece_rows > layout->rows || *col + piece_cols > layout->cols) return false;
        address[lane] = ws_layout_offset(layout, *row, *col);
        if (layout->packed && piece < 16) { /* part of a piece: bytes, not elements */
            const int64_t along = (layout->col_major ? *row : *col) - along0, outer = layout->col_major ? *col : *row;
            const int64_t begin = outer * ws_layout_pitch_bytes(layout) + ws_layout_run_bits(layout, along0) / 8;
            address[lane] = ws_layout_swizzled(layout, (uint64_t)(begin + along) * 8);
        }
    }
    return true;
}

#endif
