/* The warps of one SM in a loop, instruction by instruction.
 *
 * Each warp runs the schedule in order; the first warp that can issue does so. Loads and copies go to memory by the
 * queue of their sub-partition. A warp that has come to a barrier computes on, and waits for the others where it next
 * needs memory. This file knows nothing about tiles: its caller says what the instructions are and how many wavefronts
 * each takes.
 */
#ifndef WARPSIM_LOOP_PIPELINE_H
#define WARPSIM_LOOP_PIPELINE_H

#include "pipeline_memory.h"

enum { WS_PIPELINE_SOONER = 4 /* cycles by which an addition can use a product before an mma can */ };

/* What a warp does not issue before the barrier lets it pass. */
static inline bool ws_pipeline_stops(int kind) { return ws_pipeline_is_memory(kind) || kind == WS_SCHEDULE_BARRIER; }

/* When all that an instruction waits for has come; negative: something is still in the queue to memory. */
static inline double ws_pipeline_waited(const ws_pipeline_warp *warp, const ws_schedule_instruction *one, double when) {
    int i;
    for (i = 0; i < WS_SCHEDULE_SCOREBOARDS && one->waits >> i != 0; i++) {
        if ((one->waits >> i & 1) == 0) continue;
        if (warp->expected[i] > 0) return -1;
        when = ws_max(when, warp->arrived[i]);
    }
    if (one->after > 0) {
        const double released = warp->released[(one->after - 1) % WS_PIPELINE_RELEASES];
        return released < 0 ? -1 : ws_max(when, released);
    }
    return when;
}

/* When a warp's next instruction can issue; negative: only after something else happens. */
static inline double ws_pipeline_when(const ws_pipeline *sm, int w) {
    const ws_pipeline_warp *warp = &sm->warp[w];
    const ws_schedule_instruction *one = &sm->work->schedule->instruction[warp->next];
    const int sp = w % sm->partitions;
    double when = ws_pipeline_waited(warp, one, ws_max(warp->ready, sm->issue_free[sp]));
    if (when < 0) return -1;
    if (ws_pipeline_stops(one->kind)) {
        if (warp->waiting) return -1;
        when = ws_max(when, warp->passed);
    }
    switch (one->kind) {
        case WS_SCHEDULE_WAIT: { /* one stage: for what it has just requested */
            const int group = (sm->work->stages > 1 ? warp->slab : warp->slab + 1) % WS_PIPELINE_GROUPS;
            return warp->group_left[group] > 0 ? -1 : ws_max(when, warp->group_done[group]);
        }
        case WS_SCHEDULE_MMA:
            when = ws_max(when, sm->tensor_free[sp]);
            return one->fresh ? when : ws_max(when, warp->summed[one->index]);
        case WS_SCHEDULE_LOAD:
        case WS_SCHEDULE_RELOAD:
        case WS_SCHEDULE_COPY:
            if (!ws_pipeline_holds(sm, sp, one->kind)) return -1;
            return ws_max(ws_max(when, sm->queue[sp].left), sm->port_free[sp]);
        case WS_SCHEDULE_ADD:
            when = ws_max(when, warp->summed[one->index] - (double)WS_PIPELINE_SOONER);
            return ws_max(when, sm->alu_free[sp]);
        case WS_SCHEDULE_INTEGER:
        case WS_SCHEDULE_CONVERT: return ws_max(when, sm->alu_free[sp]);
        default: return when;
    }
}

/* A warp arrives at a barrier; the last one lets all pass, one after another. */
static inline void ws_pipeline_barrier(ws_pipeline *sm, int w, double when) {
    int i;
    sm->warp[w].waiting = true;
    sm->barrier_last = ws_max(sm->barrier_last, when);
    if (++sm->at_barrier < sm->work->warps) return;
    for (i = 0; i < sm->work->warps; i++) {
        const double left = sm->barrier_last + ws_rate(sm, WS_BARRIER_LATENCY) + i * ws_rate(sm, WS_BARRIER_INTERVAL);
        sm->warp[i].waiting = false;
        sm->warp[i].passed = left;
    }
    sm->at_barrier = 0;
    sm->barrier_last = 0;
}

/* A warp issues its next instruction at time `when`. */
static inline void ws_pipeline_issue(ws_pipeline *sm, int w, double when) {
    ws_pipeline_warp *warp = &sm->warp[w];
    const ws_schedule_instruction *one = &sm->work->schedule->instruction[warp->next];
    const int sp = w % sm->partitions;
    warp->issued = when;
    warp->ready = when + one->stall;
    sm->issue_free[sp] = when + one->slots;
    switch (one->kind) {
        case WS_SCHEDULE_INTEGER: sm->alu_free[sp] = when + one->slots * ws_rate(sm, WS_SLOT_INTERVAL); break;
        case WS_SCHEDULE_ADD:
        case WS_SCHEDULE_CONVERT: sm->alu_free[sp] = when + one->slots * ws_rate(sm, WS_CONVERT_INTERVAL); break;
        case WS_SCHEDULE_LOAD:
        case WS_SCHEDULE_RELOAD:
        case WS_SCHEDULE_COPY: ws_pipeline_hold(sm, w, one, when); break;
        case WS_SCHEDULE_CONSTANT: ws_pipeline_arrive(warp, one->sets, when + ws_rate(sm, WS_GLOBAL_LATENCY)); break;
        case WS_SCHEDULE_MMA:
            sm->tensor_free[sp] = when + ws_rate(sm, WS_MMA_INTERVAL);
            warp->summed[one->index] = when + ws_rate(sm, WS_MMA_LATENCY);
            break;
        case WS_SCHEDULE_BARRIER: ws_pipeline_barrier(sm, w, when); break;
        case WS_SCHEDULE_BRANCH: warp->ready += ws_rate(sm, WS_BRANCH_LATENCY); break;
        default: break;
    }
    if (!ws_pipeline_is_memory(one->kind)) ws_pipeline_arrive(warp, one->frees, when);
    if (++warp->next == sm->work->schedule->count) {
        warp->next = 0;
        warp->slab++;
    }
}

static inline void ws_pipeline_reset(ws_pipeline *sm) {
    int w, i;
    for (i = 0; i < WS_MOST_PARTITIONS; i++) {
        sm->issue_free[i] = sm->port_free[i] = sm->tensor_free[i] = sm->alu_free[i] = 0;
        sm->queue[i].left = sm->queue[i].ready = 0;
        sm->queue[i].first = sm->queue[i].count = sm->queue[i].slots = 0;
    }
    sm->pipe_free[0] = sm->pipe_free[1] = sm->copy_free = sm->path_free = sm->write_free = sm->entered =
        sm->barrier_last = 0;
    sm->copy_first = sm->copy_count = sm->queued = sm->at_barrier = 0;
    for (w = 0; w < sm->work->warps; w++) {
        ws_pipeline_warp *warp = &sm->warp[w];
        warp->ready = warp->returns = warp->issued = warp->passed = 0;
        warp->slab = warp->next = 0;
        warp->waiting = false;
        for (i = 0; i < WS_SCHEDULE_SCOREBOARDS; i++) warp->arrived[i] = warp->expected[i] = 0;
        for (i = 0; i < WS_SCHEDULE_SUMS; i++) warp->summed[i] = 0;
        for (i = 0; i < WS_PIPELINE_RELEASES; i++) warp->released[i] = 0;
        for (i = 0; i < WS_PIPELINE_GROUPS; i++) warp->group_done[i] = warp->group_left[i] = 0;
    }
}

/* The warp that issues first, of those that have slabs left, and when; -1: none can. */
static inline int ws_pipeline_first(const ws_pipeline *sm, double *first) {
    int i, chosen = -1;
    for (i = 0; i < sm->work->warps; i++) {
        const double when = sm->warp[i].slab < sm->slabs ? ws_pipeline_when(sm, i) : -1;
        if (when >= 0 &&
            (chosen < 0 || when < *first || (when <= *first && sm->warp[i].issued < sm->warp[chosen].issued))) {
            *first = when;
            chosen = i;
        }
    }
    return chosen;
}

/* When the last warp has issued all of its `slabs` slabs. One that has leaves the SM to the others. */
static inline double ws_pipeline_end(ws_pipeline *sm, int slabs) {
    double end = 0;
    int ended = 0;
    ws_pipeline_reset(sm);
    sm->slabs = slabs;
    while (ended < sm->work->warps) {
        double first = 0, next = 0;
        const int w = ws_pipeline_first(sm, &first), sp = ws_pipeline_next(sm, &next);
        const bool serves = sp >= 0 && (w < 0 || next <= first);
        if (ws_pipeline_lands(sm, w >= 0 || sp >= 0, serves ? next : first)) {
            ws_pipeline_land(sm);
            continue;
        }
        if (serves) {
            ws_pipeline_serve(sm, sp, next);
            continue;
        }
        if (w < 0) break; /* no slabs; else a barrier releases, a copy arrives */
        ws_pipeline_issue(sm, w, first);
        if (sm->warp[w].slab < slabs) continue;
        ended++;
        end = first;
    }
    return end;
}

/* Cycles per slab: how much later it all ends with `measured` slabs more than `warm`. Warps that no barrier holds drift
 * apart, and a fast one is done long before the others. `sm` is the caller's; its content does not matter. */
static inline double ws_pipeline_run(ws_pipeline *sm, const ws_pipeline_work *work, const ws_profile *profile, int warm,
                                     int measured) {
    double begin;
    sm->work = work;
    sm->partitions = ws_profile_partitions(profile);
    sm->profile = profile;
    begin = ws_pipeline_end(sm, warm);
    return (ws_pipeline_end(sm, warm + measured) - begin) / measured;
}

#endif
