/* ldmatrix: rows of shared memory -> fragments in registers.
 *
 *     lane 8m + k (m16n16: 16m + k) names row k of matrix m      rows -> simd/rows.h -> registers, as fragment.h maps them */
#ifndef WARPSIM_DATA_LDMATRIX_H
#define WARPSIM_DATA_LDMATRIX_H

#include "access.h"
#include "matrix_rows.h"

/* `registers`: [32][num_registers]. */
static inline void ws_ldmatrix_warp(const ws_op *op, const ws_memory *memory, const ws_place place[WS_LANES],
                                    uint32_t *registers) {
    uint8_t bytes[WS_ROW_BUFFER_BYTES];
    const ws_rows rows = ws_rows_of_buffer(op, bytes);
    int lane;
    for (lane = 0; lane < ws_op_row_lanes(op); lane++) {
        ws_memory_read(memory, place[lane], ws_op_access_bytes(op), bytes + WS_ROW_SLOT_BYTES * lane);
    }
    ws_rows_load(&rows, ws_row_slots(), 1, registers, false, WS_SIMD_PORTABLE);
}

#endif
