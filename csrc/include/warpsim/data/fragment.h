/* Which matrix element each field of each register holds.
 *
 * Pure maps (lane, register, field) -> (matrix, row, column). With g = lane / 4 and t = lane % 4:
 *
 *     m8n8        register m      field j   row g          column 2t + j      (.trans: row and column are swapped)
 *     m16n16      register 2m+h   field j   row 4t + j     column g + 8h      (always .trans)
 *     m8n16       register m      field j   row g          column 4t + j
 *     m16n8       register m      field j   row 2t + j%2   column g + 8(j/2)  (always .trans)
 *
 * Row = which row address, column = position in that row. movmatrix: row and column of the source
 * matrix, as held by the destination. Sources: the fragment figures of the PTX ISA; CuTe copy traits. */
#ifndef WARPSIM_DATA_FRAGMENT_H
#define WARPSIM_DATA_FRAGMENT_H

#include "wmma_map.h"

typedef struct ws_element {
    int matrix; /* 0 .. num - 1 */
    int row;    /* 0 .. rows - 1: which row address */
    int column; /* 0 .. row_elements - 1 */
} ws_element;

/* `op` is a matrix instruction, `reg` below ws_op_num_registers, `field` below ws_op_fields. wmma: one matrix, PTX's i
 * and j, as on sm_80 and later. */
static inline ws_element ws_fragment_element(const ws_op *op, int lane, int reg, int field) {
    const int g = lane / 4, t = lane % 4;
    ws_element element = {reg, g, 0};
    if (ws_op_is_wmma(op)) {
        const ws_place_in_matrix place = ws_wmma_element(op, lane, reg * ws_op_fields(op) + field, false);
        element.matrix = 0;
        element.row = place.row;
        element.column = place.col;
        return element;
    }
    switch (ws_op_turn(op)) {
        case WS_ROWS_TURN_8X8:
            element.row = 2 * t + field;
            element.column = g;
            break;
        case WS_ROWS_TURN_16X16:
            element.matrix = reg / 2;
            element.row = 4 * t + field;
            element.column = g + 8 * (reg % 2);
            break;
        case WS_ROWS_TURN_BYTES:
            element.row = 2 * t + field % 2;
            element.column = g + 8 * (field / 2);
            break;
        default: element.column = ws_op_fields(op) * t + field;
    }
    return element;
}

#endif
