/* movmatrix: an 8x8 matrix of 16-bit elements, transposed across the registers of a warp.
 *
 *     destination half j of lane 4g + t  <-  source element (row 2t + j, column g),
 *     which the source fragment holds in half g % 2 of lane 4(2t + j) + g / 2
 *
 * The source registers are the rows, moved as by ldmatrix.trans. */
#ifndef WARPSIM_DATA_MOVMATRIX_H
#define WARPSIM_DATA_MOVMATRIX_H

#include "../base/bytes.h"
#include "matrix_rows.h"

/* `destination` and `source`: [32], which may be the same array. */
static inline void ws_movmatrix_warp(const uint32_t *source, uint32_t *destination, int level) {
    ws_rows rows = {NULL, {0, 112, 15}, 1, WS_ROWS_PLAIN, WS_ROWS_TURN_8X8, false};
    uint8_t bytes[4 * WS_LANES];
    int lane;
    rows.bytes = (uint8_t *)(uintptr_t)source; /* which a load only reads */
    if (!WS_LITTLE_ENDIAN || source == destination) {
        for (lane = 0; lane < WS_LANES; lane++) ws_store_u32(bytes + 4 * lane, source[lane]);
        rows.bytes = bytes;
    }
    ws_rows_load(&rows, ws_row_slots(), 1, destination, false, level);
}

#endif
