/* The warps of a cluster take turns, block after block; a cluster ends when all its blocks have.
 *
 *     ws_cluster_start(&cluster, number)             for each cluster of the grid
 *     ws_cluster_go_on(&cluster, steps)              until it is true
 *
 *     b0 w0, b1 w0, b0 w1, b1 w1 ...        with a seed: any warp of any block
 *
 * If no warp of any block can run, the lanes wait for each other for ever. */
#ifndef WARPSIM_CLUSTER_TURNS_H
#define WARPSIM_CLUSTER_TURNS_H

#include "../meet/turns.h"
#include "spin.h"

/* For each cluster: its number in the grid of clusters. */
static inline void ws_cluster_start(ws_cluster *cluster, uint64_t number) {
    uint32_t rank, index[3];
    cluster->turn = 0;
    cluster->held = NULL;
    ws_spin_start(cluster);
    for (rank = 0; rank < cluster->count; rank++) {
        ws_cluster_index(cluster->launch, number, rank, index);
        ws_block_start(&cluster->blocks[rank], index[0], index[1], index[2]);
    }
}

/* The block that has stopped, or NULL. */
static inline ws_block *ws_cluster_stopped(const ws_cluster *cluster) {
    uint32_t rank;
    for (rank = 0; rank < cluster->count; rank++) {
        if (cluster->blocks[rank].stop.kind != WS_RUN_NONE) return &cluster->blocks[rank];
    }
    return NULL;
}

static inline bool ws_cluster_is_done(const ws_cluster *cluster) {
    uint32_t rank;
    for (rank = 0; rank < cluster->count; rank++) {
        if (!ws_block_is_done(&cluster->blocks[rank])) return false;
    }
    return true;
}

static inline bool ws_cluster_can_run(const ws_cluster *cluster) {
    uint32_t rank;
    for (rank = 0; rank < cluster->count; rank++) {
        if (ws_block_can_run(&cluster->blocks[rank])) return true;
    }
    return false;
}

/* The lanes wait for ever: told of the first that are not done. */
static inline void ws_cluster_never(ws_cluster *cluster) {
    uint32_t rank;
    for (rank = 0; rank < cluster->count && ws_block_is_done(&cluster->blocks[rank]); rank++) {
    }
    if (rank < cluster->count) ws_block_never(&cluster->blocks[rank]);
}

/* Nobody can run: waits that only fewer lanes can satisfy are satisfied, else it is a deadlock. */
static inline void ws_cluster_stuck(ws_cluster *cluster) {
    uint32_t rank;
    for (rank = 0; rank < cluster->count; rank++) {
        if (ws_barriers_settle(&cluster->blocks[rank])) return;
    }
    ws_cluster_never(cluster);
}

/* The warp that runs next. Where nothing seems to go on, turns are those of no seed. */
static inline ws_warp *ws_cluster_next_warp(ws_cluster *cluster, bool in_rounds) {
    ws_block *block = &cluster->blocks[cluster->turn];
    if (!in_rounds) {
        if (cluster->count > 1) block = &cluster->blocks[ws_block_draw(&cluster->blocks[0]) % cluster->count];
        return ws_block_next_warp(block);
    }
    cluster->turn = cluster->turn + 1 < cluster->count ? cluster->turn + 1 : 0;
    block->turn = block->turn + 1 < block->num_warps ? block->turn + 1 : 0;
    return &block->warps[block->turn];
}

/* Steps that all its blocks have executed. */
static inline uint64_t ws_cluster_steps(const ws_cluster *cluster) {
    uint64_t steps = 0;
    uint32_t rank;
    for (rank = 0; rank < cluster->count; rank++) steps += cluster->blocks[rank].steps;
    return steps;
}

/* How often its warps have jumped back after polls. */
static inline uint64_t ws_cluster_polls(const ws_cluster *cluster) {
    uint64_t polls = 0;
    uint32_t rank, i;
    for (rank = 0; rank < cluster->count; rank++) {
        for (i = 0; i < cluster->blocks[rank].num_warps; i++) polls += cluster->blocks[rank].warps[i].polls;
    }
    return polls;
}

/* Nobody has done anything for a round: true if the cluster is done, or stopped. */
static inline bool ws_cluster_rests(ws_cluster *cluster) {
    if (ws_cluster_is_done(cluster)) return true;
    cluster->idle = 0;
    if (!ws_cluster_can_run(cluster)) ws_cluster_stuck(cluster);
    return ws_cluster_stopped(cluster) != NULL;
}

enum { WS_MOVED_OF_TURN = 1 << 18 /* bytes that take as long as a turn */ };

/* Chooses the warp that runs next, and for how many steps. */
static inline ws_warp *ws_cluster_begin(ws_cluster *cluster, uint64_t steps) {
    const bool in_rounds = cluster->launch->order == 0 || (cluster->spins >= cluster->patience && !cluster->has_others);
    ws_warp *warp = ws_cluster_next_warp(cluster, in_rounds);
    uint32_t most;
    warp->block->steps_left = steps;
    most = in_rounds ? ws_turn_most(warp->block) : ws_turn_budget(warp->block);
    cluster->held_left = cluster->is_watched && most > WS_SPIN_WATCHED ? (uint32_t)WS_SPIN_WATCHED : most;
    cluster->held_done = 0;
    cluster->held_polls = warp->polls;
    return warp;
}

/* Runs up to `steps` steps of the cluster; true when it is done or stopped. Who goes on after a pause, with the steps
 * that are left, gets the turns that there would have been without it. */
static inline bool ws_cluster_go_on(ws_cluster *cluster, uint64_t steps) {
    uint64_t turns = cluster->turns != 0 ? cluster->turns : UINT64_MAX;
    const uint32_t warps = cluster->count * cluster->blocks[0].num_warps;
    const bool has_order = cluster->launch->order != 0;
    cluster->steps_left = 0;
    cluster->drew = cluster->pauses = false;
    while (steps > 0 && turns-- > 0) {
        ws_warp *warp = cluster->held != NULL ? cluster->held : ws_cluster_begin(cluster, steps);
        ws_block *block = warp->block;
        const uint32_t done = ws_warp_turn(warp, cluster->held_left < steps ? cluster->held_left : (uint32_t)steps);
        steps -= done;
        cluster->held_left -= done;
        cluster->held_done += done;
        cluster->held = warp->is_held ? warp : NULL;
        turns -= turns < warp->moved / WS_MOVED_OF_TURN ? turns : warp->moved / WS_MOVED_OF_TURN;
        if (block->stop.kind != WS_RUN_NONE) return true;
        if (cluster->held != NULL) continue;
        ws_spin_turn(cluster, warp, cluster->held_done, warp->polls != cluster->held_polls);
        if (cluster->idle >= warps * (has_order ? 16 : 1) && ws_cluster_rests(cluster)) return true;
        cluster->pauses = cluster->has_others && warp->pauses;
        if (cluster->pauses) break;
        if (cluster->has_others && cluster->suspects >= cluster->doubt && !cluster->is_watched) return false;
        cluster->drew = cluster->has_others && warp->drew && !cluster->is_watched;
        if (cluster->drew) break;
        if (cluster->has_others) continue;
        if (cluster->spins < cluster->patience || cluster->spins % warps != 0 || !ws_spin_is_endless(cluster)) continue;
        ws_cluster_never(cluster);
        return true;
    }
    cluster->steps_left = steps;
    return ws_cluster_is_done(cluster);
}

#endif
