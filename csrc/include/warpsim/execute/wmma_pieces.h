/* One wmma instruction with one stride, seen from p: where the values of every lane are when all lanes pass the same.
 *
 *     piece i of a lane = `width_bytes` bytes, in its registers from byte i * width_bytes, in memory from p + offset
 *
 * With a stride that PTX defines, no two values share a byte, so the order of a store's pieces does not matter. */
#ifndef WARPSIM_EXECUTE_WMMA_PIECES_H
#define WARPSIM_EXECUTE_WMMA_PIECES_H

#include "../data/plan.h"

enum { WS_WMMA_MAX_PIECES = 16 };

typedef struct ws_wmma_pieces {
    uint32_t stride;                          /* elements; 0: not made yet */
    int width_bytes;                          /* 1 to 16 */
    int pieces;                               /* of a lane */
    uint64_t span_bytes;                      /* from p to the end of the last line, by PTX's formula */
    uint64_t offset[32 * WS_WMMA_MAX_PIECES]; /* [lane][piece] */
    uint32_t row[WS_MAX_REGISTERS * 8];       /* of code that reads rows: row k of register r at 8 r + k */
} ws_wmma_pieces;

static inline void ws_wmma_pieces_make(const ws_plan *plan, uint32_t stride, ws_wmma_pieces *made) {
    const ws_op *op = &plan->op;
    const ws_wmma_code *code = &plan->code;
    const int bits = ws_type_bits(op->type), per_register = ws_op_register_bits(op) / bits;
    const int values = ws_op_num_registers(op) * per_register, lines = ws_wmma_lines(op);
    int together = code->along ? per_register : 1, lane, i;
    if (code->mode == WS_WMMA_LANES) together = code->unit_values;
    if (code->mode == WS_WMMA_TRANSPOSED) together = 1;
    made->stride = stride;
    made->width_bytes = together * bits / 8;
    made->pieces = values / together;
    made->span_bytes = (uint64_t)(lines - 1) * stride * (uint64_t)bits / 8 + (uint64_t)ws_op_span_bytes(op);
    for (lane = 0; lane < WS_LANES; lane++) {
        for (i = 0; i < made->pieces; i++) {
            const ws_place_in_matrix place = ws_wmma_element(op, lane, i * together, code->sm_75);
            const uint64_t line = ws_wmma_line_bits(op, code, stride, ws_wmma_line_of(op, place)) / 8;
            made->offset[lane * made->pieces + i] = line + (uint64_t)(ws_wmma_index_of(op, place) * bits / 8);
        }
    }
    for (i = 0; i < 8 * ws_op_num_registers(op) && code->mode == WS_WMMA_ROWS; i++) {
        int line, index;
        ws_wmma_unit_place(op, code, i / 8 % code->units, i % 8, &line, &index);
        made->row[i] = (uint32_t)ws_wmma_address(op, code, 0, stride, line, index);
    }
}

#endif
