/* Blocks of a cluster before their first steps: each has its own memory, warps and barriers; they run together.
 *
 *     ws_cluster_make(launch, arena, &cluster)       once for each thread of the caller
 *
 *     rank      x fastest, then y, z                 shared memory of rank r: at address r << 24
 *
 * A launch without clusters has clusters of one block. Source: "Cluster of Cooperative Thread Arrays" of the PTX ISA;
 * addresses and ranks as on the H200. */
#ifndef WARPSIM_CLUSTER_SETUP_H
#define WARPSIM_CLUSTER_SETUP_H

#include "../base/apart.h"
#include "../run/setup.h"

enum { WS_CLUSTER_ALIGN = 128 /* of the shared memory of each block */ };

static inline uint32_t ws_launch_ranks(const ws_launch *launch) {
    return launch->cluster[0] * launch->cluster[1] * launch->cluster[2];
}

/* Bytes from the shared memory of one block of a cluster to that of the next. */
static inline uint32_t ws_launch_stride(const ws_launch *launch) {
    return (launch->shared_bytes / WS_CLUSTER_ALIGN + 1) * WS_CLUSTER_ALIGN;
}

/* Clusters of the grid along an axis. */
static inline uint32_t ws_launch_clusters(const ws_launch *launch, int axis) {
    return launch->grid[axis] / launch->cluster[axis];
}

/* Clusters that an H200 holds at once: 132 multiprocessors, each with 32 blocks of 2,048 threads and 228 KiB of shared
 * memory in all. Registers are not known here. */
static inline uint32_t ws_launch_resident(const ws_launch *launch) {
    const uint32_t warps = ws_launch_warps(launch), shared = launch->shared_bytes + 1024;
    uint32_t blocks = 32;
    if (blocks > 64 / warps) blocks = 64 / warps;
    if (blocks > 228 * 1024 / shared) blocks = 228 * 1024 / shared;
    blocks = 132 * (blocks != 0 ? blocks : 1) / ws_launch_ranks(launch);
    return blocks != 0 ? blocks : 1;
}

/* The block of a rank in a cluster: its place in the grid. */
static inline void ws_cluster_index(const ws_launch *launch, uint64_t number, uint32_t rank, uint32_t index[3]) {
    const uint32_t width = ws_launch_clusters(launch, 0), height = ws_launch_clusters(launch, 1);
    const uint32_t *const each = launch->cluster;
    index[0] = (uint32_t)(number % width) * each[0] + rank % each[0];
    index[1] = (uint32_t)(number / width % height) * each[1] + rank / each[0] % each[1];
    index[2] = (uint32_t)(number / width / height) * each[2] + rank / each[0] / each[1];
}

/* The same as a linear number. */
static inline uint64_t ws_cluster_block(const ws_launch *launch, uint64_t number, uint32_t rank) {
    uint32_t index[3];
    ws_cluster_index(launch, number, rank, index);
    return ws_linear(index, launch->grid);
}

/* Takes everything from the arena; false if it is too small (or none: then arena->wanted says how much it takes). */
WS_ONCE bool ws_cluster_make(const ws_launch *launch, ws_arena *arena, ws_cluster *cluster) {
    const uint32_t count = ws_launch_ranks(launch);
    uint32_t rank, i;
    cluster->launch = launch;
    cluster->count = count;
    cluster->stride = ws_launch_stride(launch);
    cluster->turn = 0;
    cluster->has_others = cluster->is_watched = cluster->drew = cluster->pauses = false;
    cluster->turns = cluster->steps_left = 0;
    cluster->held = NULL;
    cluster->blocks = (ws_block *)ws_arena_take(arena, count, sizeof(ws_block));
    cluster->shared = (uint8_t *)ws_arena_take(arena, count, cluster->stride);
    for (rank = 0; rank < count; rank++) {
        ws_block measured, *block = cluster->shared != NULL ? &cluster->blocks[rank] : &measured;
        ws_block_make(launch, arena, block);
        if (cluster->shared == NULL || arena->wanted > arena->capacity) continue;
        block->cluster = cluster;
        block->rank = rank;
        block->shared_at = rank << WS_RANK_SHIFT;
        block->shared = cluster->shared + (size_t)rank * cluster->stride;
        block->inexact = cluster->blocks[0].inexact;
        for (i = 0; i < block->num_warps; i++) block->warps[i].place = rank * block->num_warps + i;
    }
    return arena->wanted <= arena->capacity;
}

/* The bytes of the arena that ws_cluster_make takes. */
static inline size_t ws_cluster_bytes(const ws_launch *launch) {
    ws_arena arena = ws_arena_make(NULL, 0);
    ws_cluster cluster;
    ws_cluster_make(launch, &arena, &cluster);
    return arena.wanted;
}

/* From here on all blocks are seen. */
static inline void ws_cluster_observe(ws_cluster *cluster, ws_observer *observer) {
    uint32_t rank;
    for (rank = 0; rank < cluster->count; rank++) ws_block_observe(&cluster->blocks[rank], observer);
}

#endif
