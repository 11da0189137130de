/* Uninitialised values in shared memory: what stores have put into its cells, bit by bit. */
#ifndef WARPSIM_SHADOW_CARRIED_H
#define WARPSIM_SHADOW_CARRIED_H

#include "pass.h"

/* What a store has put into a cell uninitialised. */
typedef struct ws_carried {
    uint64_t bits;   /* 0: nothing; of a cell of more than 8 bytes: all or none */
    uint32_t origin; /* the step that read it */
    uint8_t padding; /* ws_padding */
} ws_carried;

/* The uninitialised bits that a lane stores to the `size` bytes from byte `at` of its access on. */
static inline uint64_t ws_carried_given(const ws_pass *pass, int lane, uint32_t at, uint32_t size) {
    const uint32_t element = ws_pass_element(pass);
    uint64_t given = 0;
    uint32_t i;
    for (i = at / element; i * element < at + size && i < WS_PASS_ELEMENTS; i++) {
        if (!(pass->carries[i] >> lane & 1)) continue;
        if (size > 8 || element > 8) return WS_BITS_EVERY;
        given |= ws_bits_down(pass->bits->carried[i][lane], 8 * ((int64_t)at - (int64_t)i * element));
    }
    return given & ws_bits_low(8 * (uint64_t)size);
}

/* The other way. */
static inline void ws_carried_gives(ws_pass *pass, const ws_carried *cell, int lane, uint32_t at, uint32_t size) {
    const uint32_t element = ws_pass_element(pass);
    const bool is_whole = size > 8 || element > 8;
    uint32_t i;
    for (i = at / element; i * element < at + size && i < WS_PASS_ELEMENTS; i++) {
        const uint64_t moved = ws_bits_down(cell->bits, 8 * ((int64_t)i * element - (int64_t)at)),
                       bits = is_whole ? WS_BITS_EVERY : moved & ws_bits_low(8 * (uint64_t)element);
        const uint64_t used = bits & ws_bits_of_bytes(ws_pass_used(pass, i, element));
        if (used != 0) ws_pass_carry(pass, lane, i, used);
    }
    pass->origin = cell->origin;
    pass->padding = ws_padding_least(pass->padding, cell->padding);
}

#endif
