/* Global memory: sectors, and the passes of the L1 tag stage.
 *
 * A sector is 32 bytes, an L1 line 128. Four tag banks serve one line each per pass (stores: up to eight), in the order
 * of the first lane that asks. Measured on an H200; tag banks are known for address bits 7 to 24; counts of store
 * passes are approximate.
 *
 * This file knows nothing about instructions. */
#ifndef WARPSIM_COUNT_SECTORS_H
#define WARPSIM_COUNT_SECTORS_H

#include "../base/constant.h"

#include <stdbool.h>
#include <stdint.h>

enum { WS_SECTOR_BYTES = 32, WS_LINE_BYTES = 128, WS_TAG_BANKS = 4, WS_STORE_LINES = 8 };

static inline int ws_parity(uint64_t value) {
    int parity = 0;
    for (; value != 0; value &= value - 1) parity ^= 1;
    return parity;
}

static inline int ws_tag_bank(uint64_t address) {
    const uint64_t line = address / WS_LINE_BYTES;
    return 2 * ws_parity(line & 0x37AB5) + ws_parity(line & 0x2D5DA);
}

/* Distinct values of address / unit among the lanes of the mask. */
WS_CONSTANT int ws_distinct_units(const uint64_t address[32], uint32_t mask, int unit_bytes) {
    int lane, lower, count = 0;
    for (lane = 0; lane < 32; lane++) {
        bool seen = !(mask >> lane & 1);
        for (lower = 0; lower < lane && !seen; lower++) {
            seen = (mask >> lower & 1) && address[lower] / (uint64_t)unit_bytes == address[lane] / (uint64_t)unit_bytes;
        }
        count += !seen;
    }
    return count;
}

/* L1 lines that the sources of cp.async touch. */
static inline int ws_copy_lines(const uint64_t source[32], uint32_t active) {
    return ws_distinct_units(source, active, WS_LINE_BYTES);
}

/* Tag banks are known only among lines of one aligned window of 32 MiB. */
static inline bool ws_tag_banks_are_known(const uint64_t address[32], uint32_t mask) {
    int lane, first = -1;
    for (lane = 0; lane < 32; lane++) {
        if (!(mask >> lane & 1)) continue;
        if (first < 0) first = lane;
        if (address[lane] >> 25 != address[first] >> 25) return false;
    }
    return true;
}

/* The tag pass, counted from 0, in which each lane's line is served; returns the number of passes. */
static inline int ws_tag_passes(const uint64_t address[32], uint32_t mask, int lines_per_pass, uint8_t pass_of[32]) {
    int lines[WS_TAG_BANKS] = {0, 0, 0, 0};
    int lane, lower, passes = 0;
    for (lane = 0; lane < 32; lane++) {
        pass_of[lane] = 0;
        if (!(mask >> lane & 1)) continue;
        for (lower = 0; lower < lane; lower++) {
            if ((mask >> lower & 1) && address[lower] / WS_LINE_BYTES == address[lane] / WS_LINE_BYTES) break;
        }
        if (lower < lane) pass_of[lane] = pass_of[lower];
        else pass_of[lane] = (uint8_t)(lines[ws_tag_bank(address[lane])]++ / lines_per_pass);
        if (pass_of[lane] + 1 > passes) passes = pass_of[lane] + 1;
    }
    return passes;
}

#endif
