/* ldmatrix: rows of shared memory -> fragments in registers.
 *
 *     lane 8m + k (m16n16: 16m + k) names row k of matrix m      rows -> simd/rows.h -> registers, as fragment.h maps them */
#ifndef WARPSIM_DATA_LDMATRIX_H
#define WARPSIM_DATA_LDMATRIX_H

#include "matrix_rows.h"
#include "plan.h"

/* `registers`: [32][num_registers]. */
static inline void ws_ldmatrix_warp(const ws_plan *plan, const ws_memory *memory, const ws_place place[WS_LANES],
                                    uint32_t *registers) {
    uint8_t bytes[WS_ROW_BUFFER_BYTES];
    const ws_rows rows = ws_rows_of_buffer(&plan->op, bytes);
    int lane;
    for (lane = 0; lane < plan->row_lanes; lane++) {
        ws_memory_read(memory, place[lane], plan->access_bytes, bytes + WS_ROW_SLOT_BYTES * lane);
    }
    ws_rows_load(&rows, ws_row_slots(), 1, registers, WS_SIMD_PORTABLE);
}

#endif
