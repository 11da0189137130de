/* If every warp only polls and nothing changes, the cluster is deadlocked.
 *
 *     turns without progress ... a digest of all that the cluster holds, now and then: the same twice is a deadlock
 *
 * A turn without progress ends where a wait has failed (mbarrier.try_wait, nanosleep), or has no steps. The digest has
 * registers, places in the program and in its calls, shared and local memory; global memory is the same, since no other block runs
 * meanwhile, or has not changed for a long time. */
#ifndef WARPSIM_CLUSTER_SPIN_H
#define WARPSIM_CLUSTER_SPIN_H

#include "../meet/mbarrier.h"
#include "setup.h"

enum { WS_SPIN_POLLS = 64 /* of a warp, before it is suspected */, WS_SPIN_WATCHED = 256 /* steps of a turn */ };
enum { WS_SPIN_STEPS = 1024, WS_SPIN_TURNS = 1 << 14, WS_SPIN_TURNS_OF_MANY = 1 << 22, WS_SPIN_LOOKS = 32 };

/* Before a cluster starts. */
static inline void ws_spin_start(ws_cluster *cluster) {
    cluster->idle = cluster->spins = cluster->looks = cluster->suspects = 0;
    cluster->doubt = 2 * cluster->count * cluster->blocks[0].num_warps;
    cluster->patience = cluster->launch->lock != NULL ? (uint32_t)WS_SPIN_TURNS_OF_MANY : (uint32_t)WS_SPIN_TURNS;
}

static inline uint64_t ws_digest_bytes(uint64_t digest, const void *bytes, size_t count) {
    const uint8_t *at = (const uint8_t *)bytes;
    size_t i;
    for (i = 0; i + 8 <= count; i += 8) {
        const uint64_t word = (uint64_t)ws_load_u32(at + i) | (uint64_t)ws_load_u32(at + i + 4) << 32;
        digest = (digest ^ word) * UINT64_C(0x9E3779B97F4A7C15);
        digest ^= digest >> 29;
    }
    for (; i < count; i++) digest = (digest ^ at[i]) * UINT64_C(0x100000001B3);
    return digest;
}

static inline uint64_t ws_digest_warp(uint64_t digest, const ws_warp *warp) {
    uint32_t lanes, depth;
    int i;
    for (i = 0; i < warp->groups; i++) {
        const ws_group *group = &warp->group[i];
        const uint32_t words[8] = {group->pc,    group->mask,    group->frame.rows, group->frame.locals,
                                   group->state, group->barrier, group->members,    warp->at_cluster};
        digest = ws_digest_bytes(digest, words, sizeof words);
        for (lanes = group->frame.depth != 0 ? group->mask : 0; lanes != 0; lanes &= lanes - 1) {
            for (depth = 1; depth <= group->frame.depth; depth++) {
                const ws_return *one = ws_return_of(warp, ws_first_lane(lanes), depth);
                digest = ws_digest_bytes(digest, one, sizeof *one);
            }
        }
    }
    digest = ws_digest_bytes(digest, warp->predicates, warp->most_predicates * sizeof(uint32_t));
    digest = ws_digest_bytes(digest, warp->rows, (size_t)warp->most_rows * WS_LANES * sizeof(uint32_t));
    return ws_digest_bytes(digest, warp->local, (size_t)warp->local_bytes * WS_LANES);
}

static inline uint64_t ws_digest_cluster(const ws_cluster *cluster) {
    uint64_t digest = UINT64_C(0x243F6A8885A308D3);
    uint32_t rank, i;
    for (rank = 0; rank < cluster->count; rank++) {
        const ws_block *block = &cluster->blocks[rank];
        for (i = 0; i < block->num_warps; i++) digest = ws_digest_warp(digest, &block->warps[i]);
        digest = ws_digest_bytes(digest, block->shared, block->launch->shared_bytes);
        for (i = 0; i < WS_BARRIERS; i++)
            digest = ws_digest_bytes(digest, &block->barrier[i].arrived, sizeof(uint32_t));
    }
    return digest;
}

/* A turn is over. */
static inline void ws_spin_turn(ws_cluster *cluster, ws_warp *warp, uint32_t done, bool polled) {
    warp->ran = warp->ran || done != 0;
    if (done != 0 && (polled || ws_warp_can_run(warp))) /* what others wait for at a barrier, they poll */
        cluster->suspects = polled && warp->polls >= WS_SPIN_POLLS ? cluster->suspects + 1 : 0;
    cluster->idle = done != 0 ? 0 : cluster->idle + 1;
    warp->busy += done;
    if (warp->busy > WS_SPIN_STEPS) cluster->spins = cluster->looks = 0;
    else cluster->spins++;
    if (done == 0 || warp->yields) warp->busy = 0;
}

/* At the end of a round of turns: has all this been before? */
static inline bool ws_spin_is_endless(ws_cluster *cluster) {
    const uint64_t state = ws_digest_cluster(cluster);
    if (cluster->looks != 0 && state == cluster->state) return true;
    if ((cluster->looks & (cluster->looks - 1)) == 0) cluster->state = state;
    if (++cluster->looks == WS_SPIN_LOOKS) { /* look again some time later */
        cluster->spins = cluster->looks = 0;
        cluster->patience += cluster->patience < UINT32_MAX / 2 ? cluster->patience : 0;
    }
    return false;
}

/* What an mbarrier object still waits for. */
typedef struct ws_awaiting {
    uint32_t address, pending, expected;
    int32_t bytes;
    uint32_t parity; /* of the phase that has not ended */
} ws_awaiting;

/* That of the object that a warp waits for; false: for none. */
static inline bool ws_spin_awaiting(ws_block *block, const ws_warp *warp, ws_awaiting *awaiting) {
    uint32_t offset;
    const ws_block *owner = warp->waits_for != WS_NONE ? ws_shared_place(block, warp->waits_for, &offset) : NULL;
    ws_mbarrier barrier;
    if (owner == NULL || (uint64_t)offset + 8 > block->launch->shared_bytes) return false;
    barrier = ws_mbarrier_of(ws_load_u64(owner->shared + offset));
    awaiting->address = warp->waits_for;
    awaiting->pending = barrier.pending;
    awaiting->expected = barrier.expected;
    awaiting->bytes = (int32_t)(barrier.bytes << 11) / (1 << 11);
    awaiting->parity = barrier.parity;
    return true;
}

#endif
