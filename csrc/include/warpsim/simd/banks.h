/* Shared-memory banks: how many passes a group of lanes needs.
 *
 * 32 banks of 4 bytes; word x / 4 lies in bank (x / 4) % 32. In one pass every bank delivers one word, to all lanes
 * that want it. A group needs as many passes as the largest number of distinct words that it wants from one bank.
 * Measured on an H200 for every access width (6335 cases, no differences).
 *
 * This file knows nothing about instructions: it sees addresses and widths. */
#ifndef WARPSIM_SIMD_BANKS_H
#define WARPSIM_SIMD_BANKS_H

#include "../base/constant.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    WS_BANK_COUNT = 32,
    WS_BANK_MAX_WORDS = 160 /* 32 lanes, 16 bytes that start inside a word */,
    WS_BANK_NO_WORD = 255
};

/* The distinct words that a group wants, chained per bank in order of first appearance. */
typedef struct ws_bank_table {
    uint64_t word[WS_BANK_MAX_WORDS];
    uint8_t next[WS_BANK_MAX_WORDS];
    uint8_t first[WS_BANK_COUNT]; /* head of the bank's chain, or WS_BANK_NO_WORD */
    int words;
    int passes; /* length of the longest chain */
} ws_bank_table;

WS_CONSTANT void ws_bank_table_clear(ws_bank_table *table) {
    int bank;
    for (bank = 0; bank < WS_BANK_COUNT; bank++) table->first[bank] = WS_BANK_NO_WORD;
    table->words = 0;
    table->passes = 0;
}

/* Adds a word (address / 4); returns the pass, counted from 0, in which its bank delivers it. */
WS_CONSTANT int ws_bank_table_add(ws_bank_table *table, uint64_t word) {
    uint8_t *link = &table->first[word % WS_BANK_COUNT];
    int pass = 0;
    for (; *link != WS_BANK_NO_WORD; link = &table->next[*link], pass++) {
        if (table->word[*link] == word) return pass;
    }
    table->word[table->words] = word;
    table->next[table->words] = WS_BANK_NO_WORD;
    *link = (uint8_t)table->words++;
    if (pass + 1 > table->passes) table->passes = pass + 1;
    return pass;
}

/* Passes of the lanes in `mask`, each of which wants `width_bytes` (1 to 16) starting at its address. */
WS_CONSTANT int ws_bank_passes(const uint64_t address[32], uint32_t mask, int width_bytes) {
    ws_bank_table table;
    int lane;
    ws_bank_table_clear(&table);
    for (lane = 0; lane < 32; lane++) {
        uint64_t word;
        if (!(mask >> lane & 1)) continue;
        for (word = address[lane] / 4; word <= (address[lane] + (uint64_t)width_bytes - 1) / 4; word++) {
            ws_bank_table_add(&table, word);
        }
    }
    return table.passes;
}

/* Loads of 8 and 16 bytes per lane: neighbouring groups merge if, for d = 1 or d = 2, all pairs of active lanes (l, l
 * xor d) of the whole warp have equal addresses. Returns that d, or 0. */
WS_CONSTANT int ws_bank_merge_distance(const uint64_t address[32], uint32_t mask) {
    int d, lane;
    for (d = 1; d <= 2; d++) {
        bool equal = true;
        for (lane = 0; lane < 32 && equal; lane++) {
            const bool both = (mask >> lane & 1) && (mask >> (lane ^ d) & 1);
            equal = !both || address[lane] == address[lane ^ d];
        }
        if (equal) return d;
    }
    return 0;
}

#endif
