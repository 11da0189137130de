/* What one statement has done to memory, in the counters of Nsight Compute's source page.
 *
 *     executed, threads    warp instructions; threads in them that are active and whose predicate is true
 *     divergent            executions by some but not all lanes of the warp that still run
 *     requests ... bank_conflicts    shared memory
 *     sectors, ideal_sectors         global memory: sectors of 32 bytes; those that the bytes asked for would fill
 *
 * This file knows nothing about steps. */
#ifndef WARPSIM_WATCH_LINE_H
#define WARPSIM_WATCH_LINE_H

#include "../base/mask.h"
#include "../count/count.h"

typedef struct ws_line {
    uint64_t executed, threads, divergent;
    uint64_t requests, wavefronts, ideal_wavefronts, bank_conflicts;
    uint64_t sectors, ideal_sectors;
    uint64_t inexact; /* bit i: the i-th of these is approximate */
} ws_line;

#if WS_BODIES

/* What is approximate where the banks of shared memory follow no known rule. */
enum { WS_LINE_BANKS_INEXACT = 1 << 4 | 1 << 5 | 1 << 6 };

/* And in a loop of compare and swap, whose rounds depend on what other warps do. */
enum { WS_LINE_LOOP_INEXACT = WS_LINE_BANKS_INEXACT | 1 << 0 | 1 << 1 | 1 << 3 };

static inline ws_line ws_line_none(void) {
    const ws_line none = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    return none;
}

static inline void ws_line_add(ws_line *total, const ws_line *one) {
    total->executed += one->executed;
    total->threads += one->threads;
    total->divergent += one->divergent;
    total->requests += one->requests;
    total->wavefronts += one->wavefronts;
    total->ideal_wavefronts += one->ideal_wavefronts;
    total->bank_conflicts += one->bank_conflicts;
    total->sectors += one->sectors;
    total->ideal_sectors += one->ideal_sectors;
    total->inexact |= one->inexact;
}

/* An access, so many times; `groups`: wavefronts without conflicts; `nbytes`: that the lanes access, all together. */
static inline void ws_line_add_shared(ws_line *line, uint64_t times, uint64_t wavefronts, uint64_t groups,
                                      uint64_t nbytes) {
    const uint64_t ideal = (nbytes + WS_LINE_BYTES - 1) / WS_LINE_BYTES;
    line->wavefronts += times * wavefronts;
    line->ideal_wavefronts += times * (ideal < groups ? ideal : groups);
    line->bank_conflicts += times * (wavefronts - groups);
}

/* What lay in global memory counts nothing of shared memory. */
static inline void ws_line_leave_shared(ws_line *line, const ws_line *before) {
    line->requests = before->requests;
    line->wavefronts = before->wavefronts;
    line->ideal_wavefronts = before->ideal_wavefronts;
    line->bank_conflicts = before->bank_conflicts;
}

/* Distinct sectors of the lanes; lanes in ascending order, as most are, take one look each. */
static inline uint32_t ws_line_sectors(const uint64_t address[WS_LANES], uint32_t mask) {
    uint64_t before = 0;
    uint32_t count = 0;
    int lane;
    for (lane = 0; lane < WS_LANES; lane++) {
        const uint64_t sector = address[lane] / WS_SECTOR_BYTES + 1;
        if (!(mask >> lane & 1) || sector == before) continue;
        if (sector < before) return (uint32_t)ws_distinct_units(address, mask, WS_SECTOR_BYTES);
        before = sector;
        count++;
    }
    return count;
}

static inline void ws_line_add_global(ws_line *line, const uint64_t address[WS_LANES], uint32_t mask, uint32_t nbytes) {
    const uint32_t sectors = ws_line_sectors(address, mask);
    const uint32_t asked = ((uint32_t)ws_lane_count(mask) * nbytes + WS_SECTOR_BYTES - 1) / WS_SECTOR_BYTES;
    line->sectors += sectors;
    line->ideal_sectors += asked < sectors ? asked : sectors;
}

/* How lanes of an atom or red meet in a bank of shared memory. */
typedef enum ws_line_turns {
    WS_TURNS_LANES, /* each lane takes a turn, whether or not their words are equal */
    WS_TURNS_TWICE, /* compare and swap: each takes two */
    WS_TURNS_WORDS  /* adds of 1 whose result nobody reads: each word takes one */
} ws_line_turns;

/* Measured on an H200. */
static inline void ws_line_add_atomic(ws_line *line, const uint32_t offset[WS_LANES], uint32_t mask, uint32_t nbytes,
                                      ws_line_turns turns) {
    const int lanes = nbytes > 4 ? 16 : 32;
    const uint32_t unit = nbytes > 4 ? 8 : 4;
    uint64_t wavefronts = 0, groups = 0;
    int first, lane, lower;
    for (first = 0; first < WS_LANES; first += lanes) {
        uint8_t turn[32] = {0}, most = 0;
        for (lane = first; lane < first + lanes; lane++) {
            const uint32_t word = offset[lane] / unit;
            bool waits = (mask >> lane & 1) != 0;
            for (lower = first; lower < lane && turns == WS_TURNS_WORDS && waits; lower++) {
                waits = !((mask >> lower & 1) && offset[lower] / unit == word);
            }
            if (waits && ++turn[word % (uint32_t)lanes] > most) most = turn[word % (uint32_t)lanes];
        }
        wavefronts += most;
        groups += most != 0;
    }
    ws_line_add_shared(line, turns == WS_TURNS_TWICE ? 2 : 1, wavefronts, groups, UINT64_MAX / 2);
}

#endif /* WS_BODIES */
#endif
