/* Loads and copies on their way to memory.
 *
 * What a warp issues joins the queue of its sub-partition, which keeps its order: a load waits for the copies before
 * it, of whatever warp. Two loads of different warps are in the data pipe at once, a wavefront each in two cycles;
 * others follow in the order of their issue. Copies of the sub-partitions take turns to enter one queue of the SM,
 * before a stage that takes a cycle for each wavefront of their addresses; their data, once they have arrived, wait
 * until no load wants the data pipe.
 *
 * Seen with the clock of an H100 in lists of cp.async and ldmatrix, and in streams of ldmatrix (benchmarks/device/
 * queues.cu, loads.cu). */
#ifndef WARPSIM_LOOP_PIPELINE_MEMORY_H
#define WARPSIM_LOOP_PIPELINE_MEMORY_H

#include "pipeline_work.h"

enum {
    WS_PIPELINE_COPY_SLOTS = 3, /* of the queue, two for the address in global memory; a load takes one */
    WS_PIPELINE_COPY_TURNS = 2  /* intervals of the SM's copies until what follows a copy in a queue can go on */
};

static inline bool ws_pipeline_is_memory(int kind) {
    return kind == WS_SCHEDULE_LOAD || kind == WS_SCHEDULE_RELOAD || kind == WS_SCHEDULE_COPY;
}

static inline int ws_pipeline_slots(int kind) { return kind == WS_SCHEDULE_COPY ? (int)WS_PIPELINE_COPY_SLOTS : 1; }

/* Whether the queue of a sub-partition has room for one more. */
static inline bool ws_pipeline_holds(const ws_pipeline *sm, int sp, int kind) {
    const int room = ws_profile_count(sm->profile, WS_MEMORY_QUEUE, WS_PIPELINE_HELD);
    return sm->queue[sp].count == 0 || sm->queue[sp].slots + ws_pipeline_slots(kind) <= room;
}

/* Which stage's slab the copies of a warp fill. */
static inline int ws_pipeline_group(const ws_pipeline *sm, int slab) {
    return (slab + (sm->work->stages > 1 ? sm->work->stages - 1 : 1)) % WS_PIPELINE_GROUPS;
}

/* An instruction joins the queue. */
static inline void ws_pipeline_hold(ws_pipeline *sm, int w, const ws_schedule_instruction *one, double when) {
    ws_pipeline_warp *warp = &sm->warp[w];
    ws_pipeline_queue *queue = &sm->queue[w % sm->partitions];
    ws_pipeline_held *held = &queue->held[(queue->first + queue->count++) % WS_PIPELINE_HELD];
    held->one = one;
    held->issued = when;
    held->warp = w;
    held->slab = warp->slab;
    queue->slots += ws_pipeline_slots(one->kind);
    sm->port_free[w % sm->partitions] = when + ws_rate(sm, WS_LOAD_PORT);
    if (one->sets < WS_SCHEDULE_SCOREBOARDS) warp->expected[one->sets]++;
    if (one->frees < WS_SCHEDULE_SCOREBOARDS) warp->expected[one->frees]++;
    if (one->kind == WS_SCHEDULE_COPY) {
        const int group = ws_pipeline_group(sm, warp->slab);
        warp->released[one->index % WS_PIPELINE_RELEASES] = -1;
        if (one->index > 0) return;
        warp->group_left[group] = sm->work->copies;
        warp->group_done[group] = 0;
    }
}

/* Data that come at `when` release the scoreboard that the instruction sets. */
static inline void ws_pipeline_arrive(ws_pipeline_warp *warp, int scoreboard, double when) {
    if (scoreboard < WS_SCHEDULE_SCOREBOARDS) warp->arrived[scoreboard] = ws_max(warp->arrived[scoreboard], when);
}

/* The half of the data pipe that is free first. */
static inline int ws_pipeline_half(const ws_pipeline *sm) { return sm->pipe_free[1] < sm->pipe_free[0] ? 1 : 0; }

static inline double ws_pipeline_free(const ws_pipeline *sm) { return sm->pipe_free[ws_pipeline_half(sm)]; }

/* It takes wavefronts, from `when` on. */
static inline void ws_pipeline_take(ws_pipeline *sm, double when, double wavefronts) {
    sm->pipe_free[ws_pipeline_half(sm)] = when + (double)WS_PIPELINE_HALVES * wavefronts;
}

/* The next copy arrives and writes its wavefronts. */
static inline void ws_pipeline_land(ws_pipeline *sm) {
    const int i = sm->copy_first;
    ws_pipeline_warp *warp = &sm->warp[sm->copy[i].warp];
    const int group = sm->copy[i].group;
    const double all = sm->copy[i].wavefronts, share = ws_pipeline_written(sm->copy[i].wavefronts);
    ws_pipeline_take(sm, ws_max(ws_pipeline_free(sm), sm->copy[i].time), share);
    sm->write_free = ws_max(sm->write_free, sm->copy[i].time) + all;
    warp->group_done[group] = ws_max(warp->group_done[group], sm->write_free);
    warp->group_left[group]--;
    sm->copy_first = (i + 1) % WS_PIPELINE_COPIES;
    sm->copy_count--;
}

/* Whether it does so before anything else happens, at `soonest` where anything else can. */
static inline bool ws_pipeline_lands(const ws_pipeline *sm, bool other, double soonest) {
    if (sm->copy_count == 0) return false;
    return !other || ws_max(sm->copy[sm->copy_first].time, ws_pipeline_free(sm)) < soonest;
}

static inline uint16_t ws_pipeline_copied(const ws_pipeline *sm, const ws_pipeline_held *held) {
    return sm->work->copy_wavefronts[held->one->index * sm->work->warps + held->warp];
}

/* When a copy can enter the queue of the SM. */
static inline double ws_pipeline_entry(const ws_pipeline *sm, const ws_pipeline_held *held) {
    const int room = ws_profile_count(sm->profile, WS_COPY_QUEUE, WS_PIPELINE_QUEUE);
    const double when = ws_max(held->issued, sm->entered + ws_rate(sm, WS_COPY_ISSUE));
    if (ws_pipeline_copied(sm, held) == 0 || sm->queued < room) return when;
    return ws_max(when, sm->left[(sm->queued - room) % WS_PIPELINE_QUEUE]);
}

/* A copy enters it; returns when it has read its registers. */
static inline double ws_pipeline_copy(ws_pipeline *sm, const ws_pipeline_held *held, double when) {
    const uint16_t wavefronts = ws_pipeline_copied(sm, held);
    const double released = when + ws_rate(sm, WS_COPY_RELEASE);
    int slot;
    if (sm->copy_count == WS_PIPELINE_COPIES) ws_pipeline_land(sm);
    sm->entered = when;
    if (wavefronts > 0) { /* of some thread */
        sm->copy_free = ws_max(when, sm->copy_free) + wavefronts;
        sm->left[sm->queued++ % WS_PIPELINE_QUEUE] = sm->copy_free;
    }
    sm->warp[held->warp].released[held->one->index % WS_PIPELINE_RELEASES] = released;
    sm->path_free = ws_max(sm->path_free, when) + 4 * ws_rate(sm, WS_COPY_PATH);
    slot = (sm->copy_first + sm->copy_count++) % WS_PIPELINE_COPIES;
    sm->copy[slot].time = sm->path_free + ws_rate(sm, WS_COPY_LATENCY);
    sm->copy[slot].warp = (uint16_t)held->warp;
    sm->copy[slot].group = (uint16_t)ws_pipeline_group(sm, held->slab);
    sm->copy[slot].wavefronts = wavefronts;
    return released;
}

/* A load, or a spilled register, of one wavefront, that goes or comes back; returns when it has read its registers. */
static inline double ws_pipeline_load(ws_pipeline *sm, const ws_pipeline_held *held, double when) {
    ws_pipeline_warp *warp = &sm->warp[held->warp];
    const ws_schedule_instruction *one = held->one;
    const bool is_load = one->kind == WS_SCHEDULE_LOAD;
    const double wavefronts = is_load ? sm->work->load_wavefronts[held->warp * sm->work->loads + one->index] : 1;
    ws_pipeline_take(sm, when, wavefronts);
    if (is_load) {
        warp->returns = ws_max(when, warp->returns) + ws_rate(sm, WS_WAVEFRONT_LATENCY) * wavefronts;
        ws_pipeline_arrive(warp, one->sets, warp->returns + ws_rate(sm, WS_LOAD_LATENCY));
    } else {
        ws_pipeline_arrive(warp, one->sets, when + ws_rate(sm, WS_GLOBAL_LATENCY));
    }
    return when + ws_rate(sm, WS_COPY_RELEASE);
}

/* When a load, or a spilled register, can go on: a warp's data come back in order. */
static inline double ws_pipeline_start(const ws_pipeline *sm, const ws_pipeline_held *held) {
    const double when = ws_max(held->issued, ws_pipeline_free(sm));
    return held->one->kind == WS_SCHEDULE_LOAD ? ws_max(when, sm->warp[held->warp].returns) : when;
}

/* The sub-partition whose queue goes on first, and when; -1: all are empty. */
static inline int ws_pipeline_next(const ws_pipeline *sm, double *next) {
    double turn = 0;
    int sp, chosen = -1;
    for (sp = 0; sp < sm->partitions; sp++) {
        const ws_pipeline_queue *queue = &sm->queue[sp];
        const ws_pipeline_held *held = &queue->held[queue->first];
        if (queue->count > 0) {
            const bool is_copy = held->one->kind == WS_SCHEDULE_COPY;
            const double since = is_copy ? queue->left : held->issued;
            const double goes = is_copy ? ws_pipeline_entry(sm, held) : ws_pipeline_start(sm, held);
            const double when = ws_max(queue->ready, goes);
            if (chosen < 0 || when < *next || (when <= *next && since < turn)) {
                *next = when;
                turn = since;
                chosen = sp;
            }
        }
    }
    return chosen;
}

/* The first of a sub-partition's queue goes on. */
static inline void ws_pipeline_serve(ws_pipeline *sm, int sp, double when) {
    ws_pipeline_queue *queue = &sm->queue[sp];
    const ws_pipeline_held *held = &queue->held[queue->first];
    const ws_schedule_instruction *one = held->one;
    ws_pipeline_warp *warp = &sm->warp[held->warp];
    const double freed =
        one->kind == WS_SCHEDULE_COPY ? ws_pipeline_copy(sm, held, when) : ws_pipeline_load(sm, held, when);
    if (one->sets < WS_SCHEDULE_SCOREBOARDS) warp->expected[one->sets]--;
    if (one->frees < WS_SCHEDULE_SCOREBOARDS) warp->expected[one->frees]--;
    ws_pipeline_arrive(warp, one->frees, freed);
    queue->first = (queue->first + 1) % WS_PIPELINE_HELD;
    queue->count--;
    queue->slots -= ws_pipeline_slots(one->kind);
    queue->left = when;
    queue->ready =
        when + (one->kind == WS_SCHEDULE_COPY ? (double)WS_PIPELINE_COPY_TURNS * ws_rate(sm, WS_COPY_ISSUE) : 0);
}

#endif
