/* What the constants of a kernel hold in a block: values, parameters, addresses, special registers. */
#ifndef WARPSIM_RUN_CONSTANTS_H
#define WARPSIM_RUN_CONSTANTS_H

#include "special.h"

static inline uint64_t ws_parameter_value(const ws_launch *launch, const ws_constant_rows *constant) {
    const uint8_t *bytes = launch->parameters + constant->value;
    uint64_t value = 0;
    int i;
    for (i = constant->nbytes - 1; i >= 0; i--) value = value << 8 | bytes[i];
    if (constant->is_signed && constant->nbytes < 8 && (value >> (8 * constant->nbytes - 1) & 1)) {
        value |= ~UINT64_C(0) << (8 * constant->nbytes);
    }
    return value;
}

static inline uint64_t ws_constant_value(const ws_block *block, const ws_constant_rows *constant) {
    switch (constant->kind) {
        case WS_CONSTANT_PARAMETER: return ws_parameter_value(block->launch, constant);
        case WS_CONSTANT_GLOBAL: return block->launch->variables[constant->variable] + constant->value;
        case WS_CONSTANT_SHARED:
            if (constant->variable == WS_NO_VARIABLE) return block->shared_at + constant->value;
            return block->shared_at + block->launch->variables[constant->variable] + constant->value;
        case WS_CONSTANT_SPECIAL: return ws_special_of_block(block, constant->variable);
        default: return constant->value;
    }
}

static inline void ws_block_fill_constant(ws_block *block, const ws_constant_rows *constant) {
    uint32_t *row = block->block_rows + (size_t)constant->row * WS_LANES;
    const uint64_t value = ws_constant_value(block, constant);
    uint32_t lane;
    for (lane = 0; lane < WS_LANES; lane++) {
        row[lane] = constant->kind == WS_CONSTANT_LANE ? ws_special_of_lane(constant->variable, lane) : (uint32_t)value;
        if (constant->rows == 2) row[lane + WS_LANES] = (uint32_t)(value >> 32);
    }
}

#endif
