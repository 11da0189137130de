/* The rows of a matrix instruction as the kernels of simd/rows.h take them.
 *
 * Memory that those kernels cannot access directly (a base that is not a multiple of 16, generic and hardware
 * addresses) goes through a buffer: one 16-byte slot per row, in the order of the lanes that name them. */
#ifndef WARPSIM_DATA_MATRIX_ROWS_H
#define WARPSIM_DATA_MATRIX_ROWS_H

#include "../isa/form.h"
#include "../simd/rows.h"

enum { WS_ROW_SLOT_BYTES = 16, WS_ROW_BUFFER_BYTES = WS_LANES * WS_ROW_SLOT_BYTES };

/* The columns of the table that decide how data moves. */
static inline void ws_rows_describe(const ws_op *op, ws_rows *rows) {
    rows->matrices = op->num;
    rows->packing = ws_op_form(op)->packing;
    rows->turn = (uint8_t)ws_op_turn(op);
    rows->in_eights = false;
}

static inline ws_rows ws_rows_of_buffer(const ws_op *op, uint8_t bytes[WS_ROW_BUFFER_BYTES]) {
    ws_rows rows;
    rows.bytes = bytes;
    rows.bounds.base = 0;
    rows.bounds.limit = WS_ROW_BUFFER_BYTES - WS_ROW_SLOT_BYTES;
    rows.bounds.align = WS_ROW_SLOT_BYTES - 1;
    ws_rows_describe(op, &rows);
    return rows;
}

/* The slots of the buffer, as addresses. */
static inline const uint32_t *ws_row_slots(void) {
    static const uint32_t slots[WS_LANES] = {0,   16,  32,  48,  64,  80,  96,  112, 128, 144, 160,
                                             176, 192, 208, 224, 240, 256, 272, 288, 304, 320, 336,
                                             352, 368, 384, 400, 416, 432, 448, 464, 480, 496};
    return slots;
}

#endif
