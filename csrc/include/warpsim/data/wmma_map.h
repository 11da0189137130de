/* Which matrix element each value of a wmma fragment is, on sm_75 and later.
 *
 * PTX does not define the order; observed bit by bit on an H200 and in the code that the assembler generates for sm_75
 * to sm_121a. With g = lane / 4, t = lane % 4 and w values per register, the registers are blocks of 8 lines (g) by 4 w
 * values (t), as in mma.sync:
 *
 *     a, b       the values of a register run along k. The side that mma takes in tiles of 16 (a; b of m8n32k16, which is executed
 *                transposed) has its blocks in the order: second 8 lines, next k, next 16 lines; the other side: next k, next 8 lines
 *     c, d       pairs run along n (m8n32k16: along m), blocks in the order: next 8 lines, next 8 columns
 *
 * f16 a and b repeat their registers. sm_75 does not transpose the s32 accumulator of m8n32k16. Volta's map is
 * unknown. */
#ifndef WARPSIM_DATA_WMMA_MAP_H
#define WARPSIM_DATA_WMMA_MAP_H

#include "../isa/form.h"

typedef struct ws_place_in_matrix {
    int row; /* PTX's i */
    int col; /* PTX's j */
} ws_place_in_matrix;

static inline bool ws_wmma_is_accumulator(const ws_op *op) { return op->operand >= WS_OPERAND_C; }

/* Pairs of the accumulator run along the rows (m), since the product is executed transposed. */
static inline bool ws_wmma_is_transposed(const ws_op *op, bool sm_75) {
    return op->shape == WS_SHAPE_M8N32K16 && !(sm_75 && op->type == WS_TYPE_S32);
}

static inline ws_place_in_matrix ws_wmma_accumulator_element(const ws_op *op, int lane, int value, bool sm_75) {
    const int g = lane / 4, t = lane % 4;
    const bool transposed = ws_wmma_is_transposed(op, sm_75);
    const int lines = transposed ? ws_wmma_cols(op) : ws_wmma_rows(op);
    const int blocks = lines / 8, block = value / 2;
    ws_place_in_matrix place;
    place.row = g + 8 * (block % blocks);
    place.col = 2 * t + value % 2 + 8 * (block / blocks);
    if (transposed) {
        const int row = place.row;
        place.row = place.col;
        place.col = row;
    }
    return place;
}

static inline ws_place_in_matrix ws_wmma_factor_element(const ws_op *op, int lane, int value) {
    const int bits = ws_type_bits(op->type), per_register = ws_op_register_bits(op) / bits;
    const int reg = value / per_register % ws_wmma_distinct_registers(op), field = value % per_register;
    const bool is_a = op->operand == WS_OPERAND_A;
    const int lines = is_a ? ws_wmma_rows(op) : ws_wmma_cols(op), depth = is_a ? ws_wmma_cols(op) : ws_wmma_rows(op);
    const int k_blocks = depth / (4 * per_register);
    const bool in_16s = (is_a ? lines >= 16 : op->shape == WS_SHAPE_M8N32K16) && lines >= 16;
    const int line_block = in_16s ? reg % 2 + 2 * (reg / (2 * k_blocks)) : reg / k_blocks;
    const int k_block = in_16s ? reg / 2 % k_blocks : reg % k_blocks;
    const int line = lane / 4 + 8 * line_block, k = per_register * (lane % 4) + field + 4 * per_register * k_block;
    const ws_place_in_matrix place = {is_a ? line : k, is_a ? k : line};
    return place;
}

/* Value number `value` of a lane, counted through its registers from the low bits. */
static inline ws_place_in_matrix ws_wmma_element(const ws_op *op, int lane, int value, bool sm_75) {
    return ws_wmma_is_accumulator(op) ? ws_wmma_accumulator_element(op, lane, value, sm_75)
                                      : ws_wmma_factor_element(op, lane, value);
}

/* Values of a lane's fragment. */
static inline int ws_wmma_values(const ws_op *op) {
    return ws_op_num_registers(op) * ws_op_register_bits(op) / ws_type_bits(op->type);
}

/* Lines (rows of .row, columns of .col) that lie `stride` elements apart in memory, and elements in each. */
static inline int ws_wmma_lines(const ws_op *op) {
    return op->layout == WS_LAYOUT_ROW ? ws_wmma_rows(op) : ws_wmma_cols(op);
}

static inline int ws_wmma_line_elements(const ws_op *op) {
    return op->layout == WS_LAYOUT_ROW ? ws_wmma_cols(op) : ws_wmma_rows(op);
}

/* Of the tile in memory. */
static inline int ws_wmma_bytes(const ws_op *op) {
    return ws_wmma_lines(op) * ws_wmma_line_elements(op) * ws_type_bits(op->type) / 8;
}

/* The line of an element, and its index in that line. */
static inline int ws_wmma_line_of(const ws_op *op, ws_place_in_matrix place) {
    return op->layout == WS_LAYOUT_ROW ? place.row : place.col;
}

static inline int ws_wmma_index_of(const ws_op *op, ws_place_in_matrix place) {
    return op->layout == WS_LAYOUT_ROW ? place.col : place.row;
}

#endif
