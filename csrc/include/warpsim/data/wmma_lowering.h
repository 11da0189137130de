/* What the assembler lowers wmma.load and wmma.store to: ordinary accesses, for sm_75 and later.
 *
 * An access moves one or more units; a unit is a register, a pair, or one value of every lane:
 *
 *     rows        8 rows of 16 bytes in shared memory, one address lane each (LDSM): a and b of up to 16 bits whose values
 *                 run along a line (.M88), or of 16 bits across the lines (.MT88)
 *     lanes       every lane moves its own values (LDS, LDG, LD, STS ...), as many as are adjacent in a line
 *     transposed  every lane moves two 16-bit values of a line, and MOVM turns the register
 *
 * Addresses are those of the elements; ws_wmma_line_bits drops the stride bits that the code drops. Sources: SASS of
 * ptxas 12.9, 13.0 and 13.5, all forms, evaluated lane by lane. */
#ifndef WARPSIM_DATA_WMMA_LOWERING_H
#define WARPSIM_DATA_WMMA_LOWERING_H

#include "access.h"
#include "wmma_map.h"

typedef enum ws_wmma_mode { WS_WMMA_ROWS, WS_WMMA_LANES, WS_WMMA_TRANSPOSED } ws_wmma_mode;

typedef struct ws_wmma_code {
    ws_wmma_mode mode;
    int units;            /* in all */
    int units_per_access; /* 1, or the matrices of one LDSM */
    int unit_values;      /* values of a lane that one unit moves */
    int width_bytes;      /* of a lane's, or a row's, access */
    bool along;           /* neighbouring values of a lane are adjacent in a line */
    bool sm_75;
} ws_wmma_code;

static inline ws_wmma_code ws_wmma_code_of(const ws_op *op, int target) {
    const int bits = ws_type_bits(op->type), per_register = ws_op_register_bits(op) / bits;
    const bool accumulator = ws_wmma_is_accumulator(op);
    const int values = accumulator ? ws_wmma_values(op) : ws_wmma_distinct_registers(op) * per_register;
    ws_wmma_code code;
    ws_place_in_matrix first, second;
    code.sm_75 = ws_is_before_sm_80(target);
    first = ws_wmma_element(op, 0, 0, code.sm_75);
    second = ws_wmma_element(op, 0, values > 1 ? 1 : 0, code.sm_75);
    code.along = ws_wmma_line_of(op, first) == ws_wmma_line_of(op, second);
    code.mode = WS_WMMA_LANES;
    code.units_per_access = 1;
    code.unit_values = per_register;
    if (accumulator && bits >= 32) code.unit_values = code.along ? 2 : 1;
    else if (bits == 8 && !code.along) code.unit_values = 1;
    else if (bits == 16 && !code.along) code.mode = WS_WMMA_TRANSPOSED;
    if (!accumulator && ws_op_is_shared(op) && (bits == 16 || (bits < 16 && code.along))) {
        code.mode = WS_WMMA_ROWS;
        code.unit_values = per_register;
        code.units_per_access = bits == 16 && !code.sm_75 ? 4 : 2;
    }
    code.units = values / code.unit_values;
    if (code.units_per_access > code.units) code.units_per_access = code.units;
    code.width_bytes = code.mode == WS_WMMA_ROWS ? 16 : code.unit_values * bits / 8;
    return code;
}

/* The lane whose address and stride move a value. */
static inline int ws_wmma_address_lane(const ws_wmma_code *code, int lane, int value) {
    const int unit = value / code->unit_values % code->units, field = value % code->unit_values;
    const int across = 2 * (lane % 4) + field; /* line in the block, where values run across the lines */
    switch (code->mode) {
        case WS_WMMA_ROWS: return 8 * (unit % code->units_per_access) + (code->along ? lane / 4 : across);
        case WS_WMMA_TRANSPOSED: return 4 * across + lane / 4 / 2;
        default: return lane;
    }
}

/* Line and index at which an address lane's access of a unit starts. */
static inline void ws_wmma_unit_place(const ws_op *op, const ws_wmma_code *code, int unit, int lane, int *line,
                                      int *index) {
    const int own = code->mode == WS_WMMA_LANES ? lane : 0;
    const ws_place_in_matrix place = ws_wmma_element(op, own, unit * code->unit_values, code->sm_75);
    *line = ws_wmma_line_of(op, place);
    *index = ws_wmma_index_of(op, place);
    if (code->mode == WS_WMMA_ROWS) *line += lane % 8;
    if (code->mode == WS_WMMA_TRANSPOSED) {
        *line += lane / 4;
        *index += 2 * (lane % 4);
    }
}

/* The default stride: the elements of a line. */
static inline uint32_t ws_wmma_default_stride(const ws_op *op) { return (uint32_t)ws_wmma_line_elements(op); }

/* The stride is effectively rounded down to a multiple of this, in elements: code generation of ptxas 13.0 for
 * sm_90a. */
static inline uint32_t ws_wmma_stride_unit(const ws_op *op, const ws_wmma_code *code) {
    const int bits = ws_type_bits(op->type), blocks = ws_wmma_lines(op) / 8;
    if (bits < 8) return (uint32_t)(32 / bits);
    if (bits > 32 || code->mode == WS_WMMA_ROWS) return 1;
    if (!ws_wmma_is_accumulator(op)) return bits == 16 && code->along && blocks == 1 ? 2 : 1;
    return (code->along || bits == 16) && blocks <= 2 ? 2 : 1;
}

/* Bits from p to the start of a line, in 64 bits that wrap. 16-bit a and b of m16n16k16 in global memory round the
 * stride down only within a block of 8 lines. */
static inline uint64_t ws_wmma_line_bits(const ws_op *op, const ws_wmma_code *code, uint32_t stride, int line) {
    const uint64_t bits = (uint64_t)ws_type_bits(op->type), unit = ws_wmma_stride_unit(op, code);
    const uint64_t even = stride - stride % 2;
    if (!ws_wmma_is_accumulator(op) && bits == 16 && op->shape == WS_SHAPE_M16N16K16 && code->mode != WS_WMMA_ROWS) {
        return ((uint64_t)(line / 8 * 8) * stride + (uint64_t)(line % 8) * even) * bits;
    }
    return (uint64_t)line * (stride - stride % unit) * bits;
}

/* The address of an element. Shared addresses wrap at 32 bits. */
static inline uint64_t ws_wmma_address(const ws_op *op, const ws_wmma_code *code, uint64_t p, uint32_t stride, int line,
                                       int index) {
    const uint64_t bits = ws_wmma_line_bits(op, code, stride, line) + (uint64_t)(index * ws_type_bits(op->type));
    const uint64_t address = p + bits / 8;
    return ws_op_is_shared(op) ? address & UINT32_MAX : address;
}

/* Lanes that supply addresses for a unit of mode "rows": 8, chosen by the unit's number in its access. */
static inline int ws_wmma_first_lane(const ws_wmma_code *code, int unit) {
    return code->mode == WS_WMMA_ROWS ? 8 * (unit % code->units_per_access) : 0;
}

/* The addresses that lanes use to move a unit, and the mask of those lanes. */
static inline uint32_t ws_wmma_unit_addresses(const ws_op *op, const ws_wmma_code *code, const ws_access *access,
                                              size_t warp, int unit, uint64_t address[WS_LANES]) {
    const uint32_t fallback = ws_wmma_default_stride(op);
    const int first = ws_wmma_first_lane(code, unit), lanes = code->mode == WS_WMMA_ROWS ? 8 : WS_LANES;
    int lane;
    for (lane = first; lane < first + lanes; lane++) {
        int line, index;
        ws_wmma_unit_place(op, code, unit, lane, &line, &index);
        address[lane] = ws_wmma_address(op, code, ws_access_address(access, warp, lane),
                                        ws_access_stride(access, warp, lane, fallback), line, index);
    }
    return ws_lane_mask(lanes) << first;
}

/* Do all lanes of a warp pass the same p and stride? */
static inline bool ws_wmma_is_uniform(const ws_access *access, size_t warp) {
    int lane;
    for (lane = 1; lane < WS_LANES && access->address_lanes > 1; lane++) {
        if (ws_access_address(access, warp, lane) != ws_access_address(access, warp, 0)) return false;
    }
    for (lane = 1; lane < WS_LANES && access->stride != NULL && access->stride_lanes > 1; lane++) {
        if (ws_access_stride(access, warp, lane, 0) != ws_access_stride(access, warp, 0, 0)) return false;
    }
    return true;
}

#endif
