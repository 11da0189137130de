/* stmatrix: fragments in registers -> rows of shared memory.
 *
 * Rows that overlap: a later matrix wins over an earlier one, and within a matrix the lowest row wins (measured; PTX
 * does not define it). So matrices are written in order, their rows from the last to the first. */
#ifndef WARPSIM_DATA_STMATRIX_H
#define WARPSIM_DATA_STMATRIX_H

#include "matrix_rows.h"
#include "plan.h"

/* `registers`: [32][num_registers]. */
static inline void ws_stmatrix_warp(const ws_plan *plan, const ws_memory *memory, const ws_place place[WS_LANES],
                                    const uint32_t *registers) {
    uint8_t bytes[WS_ROW_BUFFER_BYTES];
    const ws_rows buffer = ws_rows_of_buffer(&plan->op, bytes);
    const int rows = plan->form->rows;
    int matrix, row;
    ws_rows_store(&buffer, ws_row_slots(), 1, registers, WS_SIMD_PORTABLE);
    for (matrix = 0; matrix < plan->op.num; matrix++) {
        for (row = rows - 1; row >= 0; row--) {
            const int lane = rows * matrix + row;
            ws_memory_write(memory, place[lane], plan->access_bytes, bytes + WS_ROW_SLOT_BYTES * lane);
        }
    }
}

#endif
