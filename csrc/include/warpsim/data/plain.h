/* ld, st and cp.async: every lane acts on its own.
 *
 * A narrow load fills its register with zeros, or with the sign for .s8 and .s16; a narrow store takes the low bits.
 * Lanes that write the same bytes (measured; PTX does not define it): the lane groups of the bank rule in order, within
 * a group the lowest lane wins; cp.async.ca: the highest lane of the warp; cp.async.cg: taken to be the lowest, which
 * no measurement supports in general (a warning). */
#ifndef WARPSIM_DATA_PLAIN_H
#define WARPSIM_DATA_PLAIN_H

#include "plan.h"

static inline uint64_t ws_plain_extend(int type, uint64_t bits) {
    const int width = ws_type_bits(type);
    const uint64_t sign = UINT64_C(1) << (width - 1);
    return ws_type_is_signed(type) ? (bits ^ sign) - sign : bits;
}

/* Register `index` of `registers`, which are 32 or 64 bits wide as the type says. */
static inline uint64_t ws_register_get(int type, const void *registers, size_t index) {
    return ws_type_bits(type) == 64 ? ((const uint64_t *)registers)[index] : ((const uint32_t *)registers)[index];
}

static inline void ws_register_set(int type, void *registers, size_t index, uint64_t value) {
    if (ws_type_bits(type) == 64) ((uint64_t *)registers)[index] = value;
    else ((uint32_t *)registers)[index] = (uint32_t)value;
}

/* `registers`: [32][vec]; lanes that do not run keep what they hold. */
static inline void ws_ld_warp(const ws_plan *plan, const ws_memory *memory, const ws_place place[WS_LANES],
                              uint32_t running, void *registers) {
    const ws_op *op = &plan->op;
    const int bytes = ws_type_bits(op->type) / 8;
    int lane, i, b;
    for (lane = 0; lane < WS_LANES; lane++) {
        uint8_t data[16];
        if (!(running >> lane & 1)) continue;
        ws_memory_read(memory, place[lane], plan->access_bytes, data);
        for (i = 0; i < op->vec; i++) {
            uint64_t value = 0;
            for (b = 0; b < bytes; b++) value |= (uint64_t)data[i * bytes + b] << (8 * b);
            ws_register_set(op->type, registers, (size_t)(lane * op->vec + i), ws_plain_extend(op->type, value));
        }
    }
}

static inline void ws_st_warp(const ws_plan *plan, const ws_memory *memory, const ws_place place[WS_LANES],
                              uint32_t running, const void *registers) {
    const ws_op *op = &plan->op;
    const int bytes = ws_type_bits(op->type) / 8, group = plan->group_lanes;
    int first, lane, i, b;
    for (first = 0; first < WS_LANES; first += group) {
        for (lane = first + group - 1; lane >= first; lane--) {
            uint8_t data[16];
            if (!(running >> lane & 1)) continue;
            for (i = 0; i < op->vec; i++) {
                const uint64_t value = ws_register_get(op->type, registers, (size_t)(lane * op->vec + i));
                for (b = 0; b < bytes; b++) data[i * bytes + b] = (uint8_t)(value >> (8 * b));
            }
            ws_memory_write(memory, place[lane], plan->access_bytes, data);
        }
    }
}

static inline void ws_cp_async_warp(const ws_plan *plan, const ws_memory *memory, const ws_place place[WS_LANES],
                                    const ws_place source[WS_LANES], uint32_t running) {
    const bool lowest_last = plan->op.cache == WS_CACHE_CG;
    int i;
    for (i = 0; i < WS_LANES; i++) {
        const int lane = lowest_last ? WS_LANES - 1 - i : i;
        uint8_t data[16];
        if (!(running >> lane & 1)) continue;
        ws_memory_read(memory, source[lane], plan->access_bytes, data);
        ws_memory_write(memory, place[lane], plan->access_bytes, data);
    }
}

#endif
