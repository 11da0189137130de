/* wmma.load and wmma.store: a matrix in memory <-> fragments in registers.
 *
 * Every value is moved with the address and stride of the lane whose access moves it; where all lanes pass the same,
 * that is p + line * stride + index, however it is lowered. Overlapping stores: accesses in order, in each the groups
 * of lanes in order, within a group the lowest lane wins. */
#ifndef WARPSIM_DATA_WMMA_H
#define WARPSIM_DATA_WMMA_H

#include "plain.h"

/* Where an element of a line is, for the address and stride of `lane`. */
static inline ws_place ws_wmma_place(const ws_plan *plan, const ws_memory *memory, const ws_access *access, size_t warp,
                                     int lane, int line, int index) {
    const ws_op *op = &plan->op;
    const uint64_t p = ws_access_address(access, warp, lane);
    const uint32_t stride = ws_access_stride(access, warp, lane, ws_wmma_default_stride(op));
    return ws_memory_place(memory, op->space, ws_wmma_address(op, &plan->code, p, stride, line, index));
}

static inline uint64_t ws_wmma_read(const ws_op *op, const ws_memory *memory, ws_place place, int index) {
    const int bits = ws_type_bits(op->type);
    uint8_t bytes[8];
    uint64_t value = 0;
    int i;
    ws_memory_read(memory, place, bits < 8 ? 1 : bits / 8, bytes);
    if (bits < 8) return (uint64_t)bytes[0] >> (index * bits % 8) & ((UINT64_C(1) << bits) - 1);
    for (i = 0; i < bits / 8; i++) value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

/* `registers`: [32][num_registers] of 32 or 64 bits. */
static inline void ws_wmma_load_warp(const ws_plan *plan, const ws_memory *memory, const ws_access *access, size_t warp,
                                     void *registers) {
    const ws_op *op = &plan->op;
    const int bits = ws_type_bits(op->type), per_register = ws_op_register_bits(op) / bits,
              count = ws_op_num_registers(op);
    int lane, reg, field;
    for (lane = 0; lane < WS_LANES; lane++) {
        for (reg = 0; reg < count; reg++) {
            uint64_t word = 0;
            for (field = 0; field < per_register; field++) {
                const int value = reg * per_register + field;
                const ws_place_in_matrix element = ws_wmma_element(op, lane, value, plan->code.sm_75);
                const int line = ws_wmma_line_of(op, element), index = ws_wmma_index_of(op, element);
                const int from = ws_wmma_address_lane(&plan->code, lane, value);
                const ws_place place = ws_wmma_place(plan, memory, access, warp, from, line, index);
                word |= ws_wmma_read(op, memory, place, index) << (field * bits);
            }
            ws_register_set(op->type, registers, (size_t)(lane * count + reg), word);
        }
    }
}

/* Value `value` of a lane's fragment. */
static inline uint64_t ws_wmma_value(const ws_op *op, const void *registers, int lane, int value) {
    const int bits = ws_type_bits(op->type), per_register = ws_op_register_bits(op) / bits;
    const size_t index = (size_t)(lane * ws_op_num_registers(op) + value / per_register);
    return ws_register_get(op->type, registers, index) >> (value % per_register * bits);
}

/* Writes what one lane's access of a unit moves. */
static inline void ws_wmma_store_lane(const ws_plan *plan, const ws_memory *memory, const ws_access *access,
                                      size_t warp, int unit, int lane, const void *registers) {
    const ws_op *op = &plan->op;
    const ws_wmma_code *code = &plan->code;
    const int bytes = ws_type_bits(op->type) / 8;
    uint8_t data[16];
    int line, index, i, b;
    for (i = 0; i < code->unit_values; i++) {
        const bool turned = code->mode == WS_WMMA_TRANSPOSED;
        const int holder = turned ? 4 * (2 * (lane % 4) + i) + lane / 8 : lane;
        const int value = unit * code->unit_values + (turned ? lane / 4 % 2 : i);
        const uint64_t bits = ws_wmma_value(op, registers, holder, value);
        for (b = 0; b < bytes; b++) data[i * bytes + b] = (uint8_t)(bits >> (8 * b));
    }
    ws_wmma_unit_place(op, code, unit, lane, &line, &index);
    ws_memory_write(memory, ws_wmma_place(plan, memory, access, warp, lane, line, index), code->width_bytes, data);
}

static inline void ws_wmma_store_warp(const ws_plan *plan, const ws_memory *memory, const ws_access *access,
                                      size_t warp, const void *registers) {
    const int group = plan->group_lanes;
    int unit, first, lane;
    for (unit = 0; unit < plan->code.units; unit++) {
        for (first = 0; first < WS_LANES; first += group) {
            for (lane = first + group - 1; lane >= first; lane--) {
                ws_wmma_store_lane(plan, memory, access, warp, unit, lane, registers);
            }
        }
    }
}

#endif
