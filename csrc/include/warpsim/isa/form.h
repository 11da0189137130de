/* What follows from an instruction and its row of the table: registers, lanes, bytes, groups.
 *
 * This file knows nothing about addresses, targets and what a form does with its data. */
#ifndef WARPSIM_ISA_FORM_H
#define WARPSIM_ISA_FORM_H

#include "isa.h"

enum { WS_MAX_REGISTERS = 8, WS_MAX_FIELDS = 32 };

WS_CONSTANT int ws_op_register_bits(const ws_op *op) { return ws_type_bits(op->type) == 64 ? 64 : 32; }

/* Rows and columns of the matrix that a wmma instruction moves: a is M x K, b K x N, c and d M x N. */
WS_CONSTANT int ws_wmma_rows(const ws_op *op) {
    const ws_shape_row *shape = ws_shape_at(op->shape);
    return op->operand == WS_OPERAND_B ? shape->k : shape->m;
}

WS_CONSTANT int ws_wmma_cols(const ws_op *op) {
    const ws_shape_row *shape = ws_shape_at(op->shape);
    return op->operand == WS_OPERAND_A ? shape->k : shape->n;
}

/* Registers that hold different elements; those of f16 a and b are repeated until there are 8. */
WS_CONSTANT int ws_wmma_distinct_registers(const ws_op *op) {
    const int bits = ws_wmma_rows(op) * ws_wmma_cols(op) * ws_type_bits(op->type) / WS_LANES;
    return bits / ws_op_register_bits(op);
}

WS_CONSTANT int ws_op_num_registers(const ws_op *op) {
    if (ws_op_is_wmma(op)) {
        return op->type == WS_TYPE_F16 && op->operand <= WS_OPERAND_B ? 8 : ws_wmma_distinct_registers(op);
    }
    return ws_op_form(op)->registers != 0 ? ws_op_form(op)->registers * op->num : op->vec;
}

/* How many lanes, starting at lane 0, supply an address; wmma: 1, since all pass the same. */
WS_CONSTANT int ws_op_row_lanes(const ws_op *op) {
    if (ws_op_is_wmma(op)) return 1;
    return ws_op_is_collective(op) ? ws_op_form(op)->rows * op->num : WS_LANES;
}

/* Bytes of memory at one address, which is also its alignment; wmma: the bytes of a lane's fragment. */
WS_CONSTANT int ws_op_access_bytes(const ws_op *op) {
    if (ws_op_is_wmma(op)) return ws_op_num_registers(op) * ws_op_register_bits(op) / 8;
    if (ws_op_is_collective(op)) return ws_op_form(op)->row_bytes;
    return op->type == WS_TYPE_NONE ? op->size_bytes : op->vec * ws_type_bits(op->type) / 8;
}

/* Bytes that one address is checked for: a row of the matrix for wmma, else ws_op_access_bytes. */
static inline int ws_op_span_bytes(const ws_op *op) {
    const int elements = op->layout == WS_LAYOUT_ROW ? ws_wmma_cols(op) : ws_wmma_rows(op);
    return ws_op_is_wmma(op) ? elements * ws_type_bits(op->type) / 8 : ws_op_access_bytes(op);
}

/* How rows and columns are swapped between memory and registers: ws_row_turn. */
static inline int ws_op_turn(const ws_op *op) { return op->trans ? ws_op_form(op)->turn : (int)WS_ROWS_NO_TURN; }

/* Fields of a register that hold one matrix element each; 0 for plain accesses. */
static inline int ws_op_fields(const ws_op *op) {
    if (!ws_op_is_collective(op)) return 0;
    return ws_op_register_bits(op) / ws_op_form(op)->field_bits;
}

/* The first `lanes` lanes. */
WS_CONSTANT uint32_t ws_lane_mask(int lanes) { return lanes >= 32 ? UINT32_MAX : (UINT32_C(1) << lanes) - 1; }

/* Lanes whose addresses go to the banks at once: "Shared memory: wavefronts" in the measurements. */
WS_CONSTANT int ws_group_lanes_of_width(int bytes) { return bytes <= 4 ? 32 : bytes == 8 ? 16 : 8; }

WS_CONSTANT int ws_op_group_lanes(const ws_op *op) {
    if (ws_op_is_collective(op)) return ws_op_form(op)->group_lanes;
    return ws_group_lanes_of_width(ws_op_access_bytes(op));
}

/* Can neighbouring groups of the lanes of a plain load merge? */
WS_CONSTANT bool ws_op_merges_groups(const ws_op *op) { return op->kind == WS_LD && ws_op_access_bytes(op) >= 8; }

#endif
