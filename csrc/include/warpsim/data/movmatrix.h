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

enum { WS_MOVMATRIX_WARPS = 16 /* at once */ };

/* `destination` and `source`: [n][32], which may be the same array. */
static inline void ws_movmatrix_warps(const uint32_t *source, size_t n, uint32_t *destination, int level) {
    ws_rows rows = {NULL, {0, 128 * WS_MOVMATRIX_WARPS - 16, 15}, 1, WS_ROWS_PLAIN, WS_ROWS_TURN_8X8, false};
    uint8_t bytes[128 * WS_MOVMATRIX_WARPS];
    uint32_t address[32 * WS_MOVMATRIX_WARPS];
    size_t some, i;
    for (i = 0; i < 8 * WS_MOVMATRIX_WARPS; i++) address[i / 8 * WS_LANES + i % 8] = (uint32_t)(16 * i);
    for (; n > 0; n -= some, source += some * WS_LANES, destination += some * WS_LANES) {
        some = n < WS_MOVMATRIX_WARPS ? n : (size_t)WS_MOVMATRIX_WARPS;
        rows.bytes = (uint8_t *)(uintptr_t)source; /* which a load only reads */
        if (!WS_LITTLE_ENDIAN || source == destination) {
            for (i = 0; i < some * WS_LANES; i++) ws_store_u32(bytes + 4 * i, source[i]);
            rows.bytes = bytes;
        }
        ws_rows_load(&rows, address, some, destination, level);
    }
}

#endif
