/* ldmatrix: rows of shared memory -> fragments in registers.
 *
 *     lane 8m + k (m16n16: 16m + k) names row k of matrix m      rows -> (decompress) -> fragment.h -> registers */
#ifndef WARPSIM_DATA_LDMATRIX_H
#define WARPSIM_DATA_LDMATRIX_H

#include "../base/bytes.h"
#include "access.h"
#include "../simd/decompress.h"
#include "fragment.h"

/* A row of 16 bytes as its type has it in registers; other types stay as they are. */
static inline void ws_decompress_row(int type, uint8_t row[WS_ROW_ELEMENTS]) {
    uint8_t packed[WS_ROW_ELEMENTS];
    int i;
    for (i = 0; i < WS_ROW_ELEMENTS; i++) packed[i] = row[i];
    if (type == WS_TYPE_B8X16_B6X16_P32) ws_decompress_b6(packed, row);
    if (type == WS_TYPE_B8X16_B4X16_P64) ws_decompress_b4(packed, row);
    if (type == WS_TYPE_S8_S4) ws_decompress_s4(packed, row);
}

/* One register of one lane out of the rows, decompressed, of all matrices. */
static inline uint32_t ws_ldmatrix_register(const ws_op *op, uint8_t rows[WS_LANES][16], int lane, int reg) {
    const int field_bits = ws_op_form(op)->field_bits, rows_per_matrix = ws_op_form(op)->rows;
    uint32_t value = 0;
    int field;
    for (field = 0; field < 32 / field_bits; field++) {
        const ws_element e = ws_fragment_element(op, lane, reg, field);
        const uint8_t *row = rows[rows_per_matrix * e.matrix + e.row];
        const uint32_t element = field_bits == 16 ? ws_load_u16(row + 2 * e.column) : row[e.column];
        value |= element << (field_bits * field);
    }
    return value;
}

/* `registers`: [32][num_registers]. */
static inline void ws_ldmatrix_warp(const ws_op *op, const ws_memory *memory, const ws_place place[WS_LANES],
                                    uint32_t *registers) {
    uint8_t rows[WS_LANES][16];
    const int row_lanes = ws_op_row_lanes(op), count = ws_op_num_registers(op);
    int lane, reg;
    for (lane = 0; lane < row_lanes; lane++) {
        ws_memory_read(memory, place[lane], ws_op_access_bytes(op), rows[lane]);
        ws_decompress_row(op->type, rows[lane]);
    }
    for (lane = 0; lane < WS_LANES; lane++) {
        for (reg = 0; reg < count; reg++) registers[lane * count + reg] = ws_ldmatrix_register(op, rows, lane, reg);
    }
}

#endif
