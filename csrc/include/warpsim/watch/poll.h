/* What the warps of a cluster do while they are looked at: do they only poll, memory that others may change?
 *
 *     ws_poll_begin(&poll, cluster) ... turns ... ws_poll_end(&poll, cluster)      what they did: ws_poll_found
 *
 * Nobody has polled alone who has stored or added what was not there, or has run without a poll and without coming to a
 * barrier. Accesses that may change memory are compared with what was there, and strong reads of global memory with one
 * before: who finds the same again and again may wait for it, whatever else it does. */
#ifndef WARPSIM_WATCH_POLL_H
#define WARPSIM_WATCH_POLL_H

#include "../base/arena.h"
#include "../cluster/spin.h"
#include "kinds.h"

#if WS_BODIES

enum {
    WS_POLL_BYTES = 32 /* of a lane's access that is compared */,
    WS_POLL_AGAIN = 2 /* reads of what was read before */
};

/* What a look has seen. */
typedef enum ws_poll_found {
    WS_POLL_RUNS = 0,
    WS_POLL_LOOKS, /* somebody reads what other clusters may change */
    WS_POLL_WAITS, /* finds the same again and again, and nobody runs who does not poll or come to barriers */
    WS_POLL_ONLY   /* and nobody changes anything */
} ws_poll_found;

typedef enum ws_poll_kind {
    WS_POLL_NOTHING = 0, /* registers alone */
    WS_POLL_READS,
    WS_POLL_COMPARES, /* an atomic: does it change what is there? */
    WS_POLL_STORES,   /* likewise, but it reads nothing */
    WS_POLL_CHANGES,
    WS_POLL_MEETS /* a barrier */
} ws_poll_kind;

/* What a warp has read: where. */
typedef struct ws_polled {
    uint64_t address;
    uint32_t statement, lanes; /* lanes 0: nothing */
    uint8_t space;
} ws_polled;

/* A strong read of a warp, with which later ones are compared; a later one takes its place after twice as many each time. */
typedef struct ws_reread {
    ws_polled one;
    uint64_t value;
    uint32_t reads, again;
    bool met; /* the warp has come to a barrier */
} ws_reread;

typedef struct ws_poll {
    ws_observer observer;                 /* first: the block sees it as ws_observer */
    uint8_t *kinds;                       /* of each step: ws_poll_kind */
    ws_polled *polled;                    /* of each warp of the cluster: what it read last, or again */
    ws_reread *reread;                    /* likewise */
    uint32_t *polls, warps;               /* jumps back after polls, of each warp, at the begin; warps: of a block */
    uint32_t least;                       /* of those, without which a warp does not poll */
    bool changed, whole;                  /* whole: it counts who has not run, but could */
    uint8_t found;                        /* ws_poll_found */
    uint32_t living;                      /* lanes of the cluster at the begin */
    uint32_t held, nbytes;                /* lanes whose access is to be compared, bytes of each */
    const uint8_t *at[WS_LANES];          /* where they are, */
    uint8_t old[WS_LANES][WS_POLL_BYTES]; /* and were */
} ws_poll;

static inline ws_poll_kind ws_poll_kind_of(const ws_step *step, const ws_meant *meant) {
    if (meant->event == WS_EVENT_LOAD) return WS_POLL_READS;
    if (meant->event == WS_EVENT_STORE || ws_event_is_atomic(meant->event))
        return step->space == WS_AT_LOCAL       ? WS_POLL_NOTHING
               : meant->event == WS_EVENT_STORE ? WS_POLL_STORES
                                                : WS_POLL_COMPARES;
    if (meant->event == WS_EVENT_BARRIER || meant->event == WS_EVENT_CLUSTER_WAIT) return WS_POLL_MEETS;
    return meant->said.stores ? WS_POLL_CHANGES : WS_POLL_NOTHING;
}

/* What the latest store or atomic has changed. */
static inline void ws_poll_compare(ws_poll *poll) {
    uint32_t left, i;
    for (left = poll->held; left != 0; left &= left - 1) {
        const int lane = ws_first_lane(left);
        for (i = 0; i < poll->nbytes; i++) poll->changed |= poll->at[lane][i] != poll->old[lane][i];
    }
    poll->held = 0;
}

/* Keeps what the lanes are about to write over; what lies outside of all memory ends the launch when it runs. */
static inline void ws_poll_keep(ws_poll *poll, ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    ws_reach reach;
    ws_piece piece;
    uint32_t i;
    int lane;
    ws_reach_make(&reach, lanes, step, WS_S_ADDRESS, mask);
    reach.nbytes = ws_step_element_bytes(step) * (step->count != 0 ? step->count : 1);
    poll->changed = poll->changed || reach.nbytes > WS_POLL_BYTES;
    poll->nbytes = reach.nbytes;
    while (!poll->changed && reach.left != 0 && ws_piece_find(&piece, &reach, lanes)) {
        for (lane = 0; lane < WS_LANES; lane++) {
            if (!(piece.mask >> lane & 1)) continue;
            poll->at[lane] = piece.bytes + piece.offset[lane];
            for (i = 0; i < reach.nbytes; i++) poll->old[lane][i] = poll->at[lane][i];
        }
        poll->held |= piece.space != WS_AT_LOCAL ? piece.mask : 0;
        reach.left &= ~piece.mask;
    }
}

/* Has the warp read this before, and found the same? Only of global memory, which other clusters may change. */
static inline void ws_poll_again(ws_reread *row, const ws_polled *polled, ws_reach *reach, ws_lanes *lanes,
                                 uint32_t nbytes) {
    ws_piece piece;
    uint64_t value;
    reach->nbytes = nbytes;
    if (!ws_piece_find(&piece, reach, lanes) || piece.space != WS_AT_GLOBAL) return;
    value = ws_digest_bytes(0, piece.bytes + piece.offset[ws_first_lane(polled->lanes)], nbytes);
    row->reads++;
    if (row->reads > 1 && row->one.statement == polled->statement && row->one.address == polled->address &&
        row->value == value) {
        row->again++;
    } else if ((row->reads & (row->reads - 1)) == 0) {
        row->one = *polled;
        row->value = value;
    }
}

static inline void ws_poll_sees(ws_observer *observer, ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    ws_poll *poll = (ws_poll *)(void *)observer;
    const ws_warp *warp = ws_warp_of(lanes);
    const uint8_t kind = poll->kinds[ws_step_pc(warp->block, step)];
    if (poll->held != 0) ws_poll_compare(poll);
    if (mask == 0 || kind == WS_POLL_NOTHING) return;
    if (kind == WS_POLL_CHANGES) poll->changed = true;
    if (kind == WS_POLL_MEETS) poll->reread[warp->place].met = true;
    if (kind == WS_POLL_READS || kind == WS_POLL_COMPARES) {
        ws_polled *polled = &poll->polled[warp->place];
        ws_reach reach;
        ws_reach_make(&reach, lanes, step, WS_S_ADDRESS, mask);
        polled->address = reach.address[ws_first_lane(mask)];
        polled->statement = step->statement;
        polled->lanes = mask;
        polled->space = step->space;
        if (kind == WS_POLL_COMPARES || (step->how & WS_HOW_POLLS))
            ws_poll_again(&poll->reread[warp->place], polled, &reach, lanes, ws_step_element_bytes(step));
    }
    if (kind == WS_POLL_COMPARES || kind == WS_POLL_STORES) ws_poll_keep(poll, lanes, step, mask);
}

/* Takes everything from the arena; false if it is too small (or none: then arena->wanted says how much it takes). */
static inline bool ws_poll_make(const ws_cluster *cluster, ws_arena *arena, ws_poll *poll) {
    const ws_kernel *program = cluster->launch->program;
    const uint32_t all = cluster->count * cluster->blocks[0].num_warps;
    uint32_t i;
    poll->observer.sees = ws_poll_sees;
    poll->observer.completes = NULL;
    poll->observer.counts = NULL;
    poll->warps = cluster->blocks[0].num_warps;
    poll->held = 0;
    poll->polls = (uint32_t *)ws_arena_take(arena, all, sizeof(uint32_t));
    poll->polled = (ws_polled *)ws_arena_take(arena, all, sizeof(ws_polled));
    poll->reread = (ws_reread *)ws_arena_take(arena, all, sizeof(ws_reread));
    poll->kinds = (uint8_t *)ws_arena_take(arena, program->num_steps, 1);
    for (i = 0; i < program->num_steps && poll->kinds != NULL; i++)
        poll->kinds[i] = (uint8_t)ws_poll_kind_of(&program->steps[i], &program->meant[i]);
    return arena->wanted <= arena->capacity;
}

static inline uint32_t ws_poll_living(const ws_cluster *cluster) {
    uint32_t living = 0, rank, i;
    for (rank = 0; rank < cluster->count; rank++) {
        for (i = 0; i < cluster->blocks[rank].num_warps; i++)
            living += (uint32_t)ws_lane_count(cluster->blocks[rank].warps[i].living);
    }
    return living;
}

/* From here on it looks at the warps, whose turns are short. */
static inline void ws_poll_begin(ws_poll *poll, ws_cluster *cluster) {
    uint32_t rank, i;
    poll->changed = false;
    poll->whole = cluster->suspects < cluster->doubt;
    poll->least = poll->whole ? 2 : 1;
    poll->living = ws_poll_living(cluster);
    for (rank = 0; rank < cluster->count; rank++) {
        ws_block *block = &cluster->blocks[rank];
        for (i = 0; i < block->num_warps; i++) {
            poll->polled[rank * poll->warps + i].lanes = 0;
            poll->reread[rank * poll->warps + i].reads = poll->reread[rank * poll->warps + i].again = 0;
            poll->reread[rank * poll->warps + i].met = false;
            poll->polls[rank * poll->warps + i] = block->warps[i].polls;
            block->warps[i].ran = false;
        }
        ws_block_observe(block, &poll->observer);
    }
}

/* Here it ends. If they do not wait, what they read was no poll; else it is what was read again, if anything was. */
static inline ws_poll_found ws_poll_end(ws_poll *poll, ws_cluster *cluster) {
    bool polls = false, runs = poll->living != ws_poll_living(cluster), looks = false, again = false;
    uint32_t i;
    ws_poll_compare(poll);
    for (i = 0; i < cluster->count; i++) cluster->blocks[i].observer = poll->observer.next;
    for (i = 0; i < cluster->count * poll->warps; i++) {
        const ws_warp *warp = &cluster->blocks[i / poll->warps].warps[i % poll->warps];
        const ws_reread *row = &poll->reread[i];
        const bool polled = warp->polls - poll->polls[i] >= poll->least;
        polls = polls || polled;
        runs = runs || (warp->ran ? !polled && !row->met : poll->whole && ws_warp_can_run(warp));
        looks = looks || row->reads != 0;
        again = again || row->again >= WS_POLL_AGAIN;
    }
    polls = polls && !runs;
    poll->found = (uint8_t)(polls && !poll->changed ? WS_POLL_ONLY
                            : polls && again        ? WS_POLL_WAITS
                            : looks                 ? WS_POLL_LOOKS
                                                    : WS_POLL_RUNS);
    for (i = 0; i < cluster->count * poll->warps && (again || poll->found != WS_POLL_ONLY); i++) {
        poll->polled[i] = poll->reread[i].one;
        if (poll->found < WS_POLL_WAITS || poll->reread[i].again < WS_POLL_AGAIN) poll->polled[i].lanes = 0;
    }
    return (ws_poll_found)poll->found;
}

#endif /* WS_BODIES */
#endif
