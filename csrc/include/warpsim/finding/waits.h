/* Where the warps of blocks stand that do not go on: what each waits for, and who is missing there. */
#ifndef WARPSIM_FINDING_WAITS_H
#define WARPSIM_FINDING_WAITS_H

#include "../base/apart.h"
#include "../cluster/spin.h"
#include "../meet/turns.h"
#include "message.h"

#if WS_BODIES

enum { WS_WAITS_MOST = 8 /* places that a message names */ };

/* The blocks of a cluster, or one block alone. */
typedef struct ws_waits {
    ws_block *blocks;
    uint32_t count;
} ws_waits;

static inline void ws_waits_add_block(ws_text *text, const ws_block *block) {
    ws_text_add(text, "block ");
    ws_message_add_triple(text, block->index);
}

/* Has a warp lanes at the barrier? */
static inline bool ws_waits_are_at(const ws_warp *warp, uint32_t barrier) {
    int i;
    for (i = 0; i < warp->groups; i++) {
        if (ws_group_is_at(&warp->group[i], barrier)) return true;
    }
    return false;
}

/* "barrier 1", and of which block if there are several */
static inline void ws_waits_add_barrier(ws_text *text, uint32_t barrier, const ws_block *block) {
    if (barrier == WS_CLUSTER_BARRIER) {
        ws_text_add(text, "the barrier of the cluster");
        return;
    }
    ws_text_add(text, "barrier ");
    ws_text_add_uint(text, barrier);
    if (block == NULL) return;
    ws_text_add(text, " of ");
    ws_waits_add_block(text, block);
}

static inline void ws_waits_add_arrived(ws_text *text, const ws_waits *waits, const ws_block *block,
                                        const ws_group *group) {
    const uint32_t number = group->barrier;
    const ws_barrier *barrier = &block->barrier[number % WS_BARRIERS];
    uint32_t arrived = 0, expected = 0, rank, i;
    for (rank = 0; number == WS_CLUSTER_BARRIER && rank < waits->count; rank++) {
        for (i = 0; i < waits->blocks[rank].num_warps; i++) {
            const ws_warp *warp = &waits->blocks[rank].warps[i];
            arrived += (uint32_t)ws_lane_count(warp->living & warp->at_cluster);
            expected += (uint32_t)ws_lane_count(warp->living);
        }
    }
    if (number != WS_CLUSTER_BARRIER) {
        arrived = barrier->arrived;
        expected = barrier->arrived == 0 ? group->members : barrier->is_whole ? 0 : barrier->expected;
        if (expected == 0) expected = WS_LANES * block->living_warps;
    }
    ws_text_add(text, ", waits at ");
    ws_waits_add_barrier(text, number, NULL);
    ws_text_add(text, ": ");
    ws_text_add_uint(text, arrived);
    ws_text_add(text, " of ");
    ws_text_add_uint(text, expected);
    ws_text_add(text, " threads have arrived");
}

/* What an mbarrier object lacks for its phase to end. */
static inline void ws_waits_add_object(ws_text *text, const ws_awaiting *awaiting) {
    const int64_t missing = awaiting->bytes;
    ws_text_add(text, ", waits for the end of the phase of parity ");
    ws_text_add_uint(text, awaiting->parity);
    ws_text_add(text, " of the mbarrier object at shared address ");
    ws_text_add_hex(text, awaiting->address);
    ws_text_add(text, ": ");
    ws_text_add_uint(text, awaiting->expected - awaiting->pending);
    ws_text_add(text, " of ");
    ws_text_add_uint(text, awaiting->expected);
    ws_text_add(text, " arrivals have come");
    if (missing == 0) return;
    ws_text_add(text, "; ");
    ws_text_add_grouped(text, (uint64_t)(missing < 0 ? -missing : missing));
    ws_where_add_unit(text, (uint64_t)(missing < 0 ? -missing : missing));
    ws_text_add(text, missing < 0    ? " more than expected came"
                      : missing == 1 ? " is still to come"
                                     : " are still to come");
    ws_text_add(text, ": compare expect_tx with what the copies bring");
}

/* "\n  warp 1, lane 5, line 12: bar.sync, waits at barrier 0: 32 of 64 threads have arrived" */
static inline void ws_waits_add_group(const ws_teller *teller, ws_text *text, const ws_waits *waits, ws_block *block,
                                      const ws_warp *warp, const ws_group *group, bool names_block) {
    uint32_t statement = teller->program->steps[group->pc].statement;
    ws_awaiting awaiting = {0, 0, 0, 0, 0};
    const bool has_object = group->state == WS_GROUP_RUNS && ws_spin_awaiting(block, warp, &awaiting);
    if (has_object) statement = warp->waits_at;
    ws_text_add(text, "\n  ");
    if (names_block) ws_waits_add_block(text, block);
    ws_text_add(text, names_block ? ", warp " : "warp ");
    ws_text_add_uint(text, warp->place % block->num_warps);
    ws_text_add(text, ", ");
    ws_message_add_lanes(text, group->mask);
    ws_text_add(text, ", ");
    ws_message_add_place(teller, text, statement);
    if (has_object) {
        ws_waits_add_object(text, &awaiting);
    } else if (group->state == WS_GROUP_AT_MEMBERS) {
        ws_text_add(text, ", waits for ");
        ws_message_add_lanes(text, group->members & ~group->mask);
        ws_text_add(text, " to come to this instruction");
    } else if (group->state == WS_GROUP_AT_BARRIER) {
        ws_waits_add_arrived(text, waits, block, group);
    }
}

/* "warp 0-3, 5": those of a block that have no lane at the barrier; false: none. */
static inline bool ws_waits_add_warps(ws_text *text, const ws_block *block, uint32_t barrier, const char *before) {
    uint32_t first, last;
    bool found = false;
    for (first = 0; first < block->num_warps; first = last + 1) {
        const ws_warp *warps = block->warps;
        last = first;
        if (warps[first].groups == 0 || ws_waits_are_at(&warps[first], barrier)) continue;
        while (last + 1 < block->num_warps && warps[last + 1].groups != 0 &&
               !ws_waits_are_at(&warps[last + 1], barrier))
            last++;
        ws_text_add(text, found ? ", " : before);
        ws_text_add_uint(text, first);
        if (last > first) ws_text_add(text, "-");
        if (last > first) ws_text_add_uint(text, last);
        found = true;
    }
    return found;
}

/* Where warps that have exited came to a barrier last. */
static inline void ws_waits_add_exited(const ws_teller *teller, ws_text *text, const ws_block *block) {
    uint32_t named = 0, first, last;
    for (first = 0; first < block->num_warps && named < WS_WAITS_MOST; first = last + 1) {
        const ws_warp *warp = &block->warps[first];
        last = first;
        if (warp->groups != 0 || warp->came[0] == 0) continue;
        while (last + 1 < block->num_warps && block->warps[last + 1].groups == 0 &&
               block->warps[last + 1].came[0] == warp->came[0])
            last++;
        ws_text_add(text, named++ != 0 ? ", warp " : "; the last barrier of warp ");
        ws_text_add_uint(text, first);
        if (last > first) ws_text_add(text, "-");
        if (last > first) ws_text_add_uint(text, last);
        ws_text_add(text, " was that of ");
        ws_message_add_place(teller, text, teller->program->steps[warp->came[0] - 1].statement);
        if (warp->came[1] == 0) continue;
        ws_text_add(text, ", and before that of ");
        ws_message_add_place(teller, text, teller->program->steps[warp->came[1] - 1].statement);
    }
}

/* Lanes elsewhere, of warps that have others at the barrier. */
static inline void ws_waits_add_apart(const ws_teller *teller, ws_text *text, const ws_waits *waits, uint32_t barrier) {
    uint32_t named = 0, rank, i;
    int k;
    for (rank = 0; rank < waits->count; rank++) {
        for (i = 0; i < waits->blocks[rank].num_warps; i++) {
            const ws_warp *warp = &waits->blocks[rank].warps[i];
            for (k = 0; ws_waits_are_at(warp, barrier) && k < warp->groups && named < WS_WAITS_MOST; k++) {
                if (ws_group_is_at(&warp->group[k], barrier)) continue;
                if (named++ != 0) ws_text_add(text, ", ");
                ws_message_add_lanes(text, warp->group[k].mask);
                ws_text_add(text, " of warp ");
                ws_text_add_uint(text, i);
            }
        }
    }
    if (named == 0) ws_text_add(text, "threads that have exited, or that the block does not have");
    if (named == 0 && waits->count == 1) ws_waits_add_exited(teller, text, waits->blocks);
}

/* Who is missing at a barrier of a block, or at that of all of them. */
WS_ONCE void ws_waits_add_missing(const ws_teller *teller, ws_text *text, const ws_waits *waits, uint32_t barrier,
                                  bool names_block) {
    const bool is_cluster = barrier == WS_CLUSTER_BARRIER;
    bool found = false, is_there = false;
    uint32_t rank, i;
    for (rank = 0; rank < waits->count; rank++) {
        for (i = 0; i < waits->blocks[rank].num_warps; i++)
            is_there |= ws_waits_are_at(&waits->blocks[rank].warps[i], barrier);
    }
    if (!is_there) return;
    ws_text_add(text, "\n  missing at ");
    ws_waits_add_barrier(text, barrier, names_block ? waits->blocks : NULL);
    ws_text_add(text, ": ");
    for (rank = 0; rank < waits->count; rank++) {
        if (!ws_waits_add_warps(text, &waits->blocks[rank], barrier, found ? "; warp " : "warp ")) continue;
        found = true;
        if (!is_cluster) continue;
        ws_text_add(text, " of ");
        ws_waits_add_block(text, &waits->blocks[rank]);
    }
    if (!found) ws_waits_add_apart(teller, text, waits, barrier);
}

/* Where each warp stands, and what it waits for. */
WS_ONCE void ws_waits_add(const ws_teller *teller, ws_text *text, const ws_waits *waits) {
    uint32_t living = 0, places = 0, rank, i, k;
    for (rank = 0; rank < waits->count; rank++) living += !ws_block_is_done(&waits->blocks[rank]);
    for (rank = 0; rank < waits->count; rank++) {
        ws_block *block = &waits->blocks[rank];
        for (i = 0; i < block->num_warps; i++) {
            for (k = 0; k < (uint32_t)block->warps[i].groups; k++) {
                if (places++ < WS_WAITS_MOST)
                    ws_waits_add_group(teller, text, waits, block, &block->warps[i], &block->warps[i].group[k],
                                       living > 1);
            }
        }
    }
    if (places > WS_WAITS_MOST) {
        ws_text_add(text, "\n  and ");
        ws_text_add_uint(text, places - WS_WAITS_MOST);
        ws_text_add(text, " more places");
    }
    for (rank = 0; rank < waits->count; rank++) {
        const ws_waits one = {&waits->blocks[rank], 1};
        for (i = 0; i < WS_BARRIERS; i++) ws_waits_add_missing(teller, text, &one, i, living > 1);
    }
    ws_waits_add_missing(teller, text, waits, WS_CLUSTER_BARRIER, false);
}

#endif /* WS_BODIES */

#endif
