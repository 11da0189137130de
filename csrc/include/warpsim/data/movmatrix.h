/* movmatrix: an 8x8 matrix of 16-bit elements, transposed across the registers of a warp.
 *
 *     destination half j of lane 4g + t  <-  source element (row 2t + j, column g),
 *     which the source fragment holds in half g % 2 of lane 4(2t + j) + g / 2 */
#ifndef WARPSIM_DATA_MOVMATRIX_H
#define WARPSIM_DATA_MOVMATRIX_H

#include "fragment.h"

/* `destination` and `source`: [32], not the same array. */
static inline void ws_movmatrix_warp(const ws_op *op, const uint32_t *source, uint32_t *destination) {
    int lane, field;
    for (lane = 0; lane < WS_LANES; lane++) {
        uint32_t value = 0;
        for (field = 0; field < 2; field++) {
            const ws_element e = ws_fragment_element(op, lane, 0, field);
            const uint32_t half = source[4 * e.row + e.column / 2] >> (16 * (e.column % 2)) & 0xffff;
            value |= half << (16 * field);
        }
        destination[lane] = value;
    }
}

#endif
