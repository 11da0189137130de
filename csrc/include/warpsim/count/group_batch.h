/* The groups of lanes of many accesses, one after the other, as the kernels of simd/passes.h take them.
 *
 *     lanes        0 1 2 3 4 5 6 7 | 8 9 ...        an absent lane repeats one that is present, which costs nothing;
 *     in the batch 0 1 1 3 4 5 6 7                  an empty group is left out
 *
 * Loads that merge: pairs of lanes have equal addresses, so one lane of each pair makes a group of the usual size.
 *
 * This file knows nothing about instructions. */
#ifndef WARPSIM_COUNT_GROUP_BATCH_H
#define WARPSIM_COUNT_GROUP_BATCH_H

#include <stddef.h>
#include <stdint.h>

#include "../simd/passes.h"

enum { WS_BATCH_ACCESSES = 64 };

typedef struct ws_group_batch {
    uint32_t address[WS_BATCH_ACCESSES * 32];
    uint8_t passes[WS_BATCH_ACCESSES * 4]; /* of each group, after ws_group_batch_count */
    int lanes;                             /* of a group: 8, 16 or 32 */
    size_t groups;
} ws_group_batch;

static inline void ws_group_batch_clear(ws_group_batch *batch, int lanes) {
    batch->lanes = lanes;
    batch->groups = 0;
}

/* Adds the groups of the lanes in `mask`; returns their number. */
static inline int ws_group_batch_add(ws_group_batch *batch, const uint32_t address[32], uint32_t mask) {
    const size_t before = batch->groups;
    const uint32_t full = batch->lanes == 32 ? UINT32_MAX : (UINT32_C(1) << batch->lanes) - 1;
    int first, lane;
    for (first = 0; first < 32; first += batch->lanes) {
        const uint32_t group = mask >> first & full;
        uint32_t *to = batch->address + batch->groups * (size_t)batch->lanes;
        int there = first;
        if (group == 0) continue;
        batch->groups++;
        if (group == full) {
            for (lane = 0; lane < batch->lanes; lane++) to[lane] = address[first + lane];
            continue;
        }
        while (!(mask >> there & 1)) there++;
        for (lane = 0; lane < batch->lanes; lane++) to[lane] = address[group >> lane & 1 ? first + lane : there];
    }
    return (int)(batch->groups - before);
}

/* The same for a load whose groups may merge. */
static inline int ws_group_batch_add_merging(ws_group_batch *batch, const uint32_t address[32], uint32_t mask) {
    const uint32_t unit_bytes = 128 / (uint32_t)batch->lanes;
    uint64_t wide[32];
    uint32_t kept[32] = {0}, kept_mask = 0;
    int lane, d;
    for (lane = 0; lane < 32; lane++) wide[lane] = mask >> lane & 1 ? address[lane] / unit_bytes : 0;
    d = ws_bank_merge_distance(wide, mask);
    if (d == 0) return ws_group_batch_add(batch, address, mask);
    for (lane = 0; lane < 32; lane++) {
        const int place = d == 1 ? lane / 2 : lane / 4 * 2 + lane % 2;
        if (!(mask >> lane & 1)) continue;
        kept[place] = address[lane];
        kept_mask |= UINT32_C(1) << place;
    }
    return ws_group_batch_add(batch, kept, kept_mask);
}

static inline void ws_group_batch_count(ws_group_batch *batch, int level) {
    ws_passes(batch->address, batch->groups, batch->lanes, batch->passes, level);
}

#endif
