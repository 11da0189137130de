/* stmatrix: fragments in registers -> rows of shared memory.
 *
 * Rows that overlap: a later matrix wins over an earlier one, and inside a matrix the lowest row
 * wins (measured; PTX leaves it open). So matrices are written in order, their rows from the last to the first. */
#ifndef WARPSIM_DATA_STMATRIX_H
#define WARPSIM_DATA_STMATRIX_H

#include "../base/bytes.h"
#include "access.h"
#include "fragment.h"

static inline void ws_stmatrix_warp(const ws_op *op, const ws_memory *memory, const ws_place place[WS_LANES],
                                    const uint32_t *registers) {
    uint8_t rows[WS_LANES][16];
    const ws_form *form = ws_op_form(op);
    const int count = ws_op_num_registers(op), field_bits = form->field_bits;
    int lane, reg, field, matrix, row;
    for (lane = 0; lane < WS_LANES; lane++) {
        for (reg = 0; reg < count; reg++) {
            for (field = 0; field < 32 / field_bits; field++) {
                const ws_element e = ws_fragment_element(op, lane, reg, field);
                const uint32_t value = registers[lane * count + reg] >> (field_bits * field);
                uint8_t *to = rows[form->rows * e.matrix + e.row];
                if (field_bits == 16) ws_store_u16(to + 2 * e.column, value);
                else to[e.column] = (uint8_t)value;
            }
        }
    }
    for (matrix = 0; matrix < op->num; matrix++) {
        for (row = form->rows - 1; row >= 0; row--) {
            const int from = form->rows * matrix + row;
            ws_memory_write(memory, place[from], form->row_bytes, rows[from]);
        }
    }
}

#endif
