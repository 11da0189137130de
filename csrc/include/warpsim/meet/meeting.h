/* The barrier of a cluster, which all living lanes of its blocks come to. */
#ifndef WARPSIM_MEET_MEETING_H
#define WARPSIM_MEET_MEETING_H

#include "../run/control.h"

enum { WS_CLUSTER_BARRIER = WS_BARRIERS };

static inline bool ws_group_is_at(const ws_group *group, uint32_t number) {
    return group->state == WS_GROUP_AT_BARRIER && group->barrier == number;
}

/* Have all living lanes of the block arrived at the barrier of the cluster? */
static inline bool ws_cluster_has_come(const ws_block *block) {
    uint32_t i;
    for (i = 0; i < block->num_warps; i++) {
        if (block->warps[i].living & ~block->warps[i].at_cluster) return false;
    }
    return true;
}

static inline void ws_cluster_release(ws_block *block) {
    uint32_t i;
    int k;
    for (i = 0; i < block->num_warps; i++) {
        ws_warp *warp = &block->warps[i];
        warp->at_cluster = 0;
        for (k = 0; k < warp->groups; k++) {
            if (ws_group_is_at(&warp->group[k], WS_CLUSTER_BARRIER)) warp->group[k].state = WS_GROUP_GO_ON;
        }
    }
}

/* All living lanes of the cluster have arrived: those that wait go on. */
static inline bool ws_cluster_complete(ws_block *block) {
    const uint32_t count = ws_block_peers(block);
    uint32_t rank;
    for (rank = 0; rank < count; rank++) {
        if (!ws_cluster_has_come(ws_block_peer(block, rank))) return false;
    }
    ws_block_tell_completed(block, WS_CLUSTER_BARRIER);
    for (rank = 0; rank < count; rank++) ws_cluster_release(ws_block_peer(block, rank));
    return true;
}

#endif
