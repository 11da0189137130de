/* The warps of one SM in a loop, instruction by instruction.
 *
 * Each warp runs the schedule in order; the first warp that can issue does so. Loads take the data pipe at issue. The
 * addresses of copies queue for one stage of the SM, a cycle per wavefront; their data, once they have arrived, wait
 * until no load wants the data pipe. A load's data come back at one wavefront per two cycles and warp. A warp that has
 * come to a barrier computes on, and waits for the others where it next needs memory. This file knows nothing about
 * tiles: its caller says what the instructions are and how many wavefronts each takes.
 */
#ifndef WARPSIM_LOOP_PIPELINE_H
#define WARPSIM_LOOP_PIPELINE_H

#include "pipeline_work.h"

enum { WS_PIPELINE_SOONER = 4 /* cycles by which an addition can use a product before an mma can */ };

/* What a warp does not issue before the barrier lets it pass. */
static inline bool ws_pipeline_stops(int kind) {
    return kind == WS_SCHEDULE_LOAD || kind == WS_SCHEDULE_RELOAD || kind == WS_SCHEDULE_COPY ||
           kind == WS_SCHEDULE_BARRIER;
}

/* When a warp's next instruction can issue; negative: only after something else happens. */
static inline double ws_pipeline_when(const ws_pipeline *sm, int w) {
    const ws_pipeline_warp *warp = &sm->warp[w];
    const ws_schedule_instruction *one = &sm->work->schedule->instruction[warp->next];
    const int sp = w % sm->partitions;
    double when = ws_max(warp->ready, sm->issue_free[sp]);
    int i;
    if (ws_pipeline_stops(one->kind)) {
        if (warp->waiting) return -1;
        when = ws_max(when, warp->passed);
    }
    for (i = 0; i < WS_SCHEDULE_SCOREBOARDS && one->waits >> i != 0; i++)
        if (one->waits >> i & 1) when = ws_max(when, warp->arrived[i]);
    if (one->after > 0) when = ws_max(when, warp->released[(one->after - 1) % WS_PIPELINE_RELEASES]);
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
        case WS_SCHEDULE_COPY: return ws_max(when, sm->port_free[sp]);
        case WS_SCHEDULE_ADD:
            when = ws_max(when, warp->summed[one->index] - (double)WS_PIPELINE_SOONER);
            return ws_max(when, sm->alu_free[sp]);
        case WS_SCHEDULE_INTEGER:
        case WS_SCHEDULE_CONVERT: return ws_max(when, sm->alu_free[sp]);
        default: return when;
    }
}

/* The next copy arrives and writes its wavefronts. */
static inline void ws_pipeline_land(ws_pipeline *sm) {
    const int i = sm->copy_first;
    ws_pipeline_warp *warp = &sm->warp[sm->copy[i].warp];
    const int group = sm->copy[i].group;
    const double all = sm->copy[i].wavefronts, share = ws_pipeline_written(sm->copy[i].wavefronts);
    sm->pipe_free = ws_max(sm->pipe_free, sm->copy[i].time) + share;
    sm->write_free = ws_max(sm->write_free, sm->copy[i].time) + all;
    warp->group_done[group] = ws_max(warp->group_done[group], sm->write_free);
    warp->group_left[group]--;
    sm->copy_first = (i + 1) % WS_PIPELINE_COPIES;
    sm->copy_count--;
}

/* How many copies can queue. */
static inline int ws_pipeline_room(const ws_pipeline *sm) {
    const double room = ws_rate(sm, WS_COPY_QUEUE);
    return room < 1 ? 1 : room < (int)WS_PIPELINE_QUEUE ? (int)room : (int)WS_PIPELINE_QUEUE;
}

/* A copy is issued. It goes into the queue, and until then its sub-partition issues neither loads nor copies; returns
 * when it has read its registers. */
static inline double ws_pipeline_copy(ws_pipeline *sm, int w, int index, double when) {
    const ws_pipeline_work *work = sm->work;
    ws_pipeline_warp *warp = &sm->warp[w];
    const int group = (warp->slab + (work->stages > 1 ? work->stages - 1 : 1)) % WS_PIPELINE_GROUPS;
    const int room = ws_pipeline_room(sm);
    const uint16_t wavefronts = work->copy_wavefronts[index * work->warps + w];
    int slot;
    if (sm->copy_count == WS_PIPELINE_COPIES) ws_pipeline_land(sm);
    if (index == 0) {
        warp->group_left[group] = work->copies;
        warp->group_done[group] = 0;
    }
    sm->entered = ws_max(when + ws_rate(sm, WS_LOAD_PORT), sm->entered + ws_rate(sm, WS_COPY_ISSUE));
    if (wavefronts > 0) { /* of some thread */
        if (sm->queued >= room) sm->entered = ws_max(sm->entered, sm->left[(sm->queued - room) % WS_PIPELINE_QUEUE]);
        sm->copy_free = ws_max(sm->entered, sm->copy_free) + wavefronts;
        sm->left[sm->queued++ % WS_PIPELINE_QUEUE] = sm->copy_free;
    }
    sm->port_free[w % sm->partitions] = sm->entered;
    warp->released[index % WS_PIPELINE_RELEASES] = sm->entered + ws_rate(sm, WS_COPY_RELEASE);
    sm->path_free = ws_max(sm->path_free, sm->entered) + 4 * ws_rate(sm, WS_COPY_PATH);
    slot = (sm->copy_first + sm->copy_count++) % WS_PIPELINE_COPIES;
    sm->copy[slot].time = sm->path_free + ws_rate(sm, WS_COPY_LATENCY);
    sm->copy[slot].warp = (uint16_t)w;
    sm->copy[slot].group = (uint16_t)group;
    sm->copy[slot].wavefronts = wavefronts;
    return sm->entered + ws_rate(sm, WS_COPY_RELEASE);
}

/* Data that come at `when` release the scoreboard that the instruction sets. */
static inline void ws_pipeline_arrive(ws_pipeline_warp *warp, int scoreboard, double when) {
    if (scoreboard < WS_SCHEDULE_SCOREBOARDS) warp->arrived[scoreboard] = ws_max(warp->arrived[scoreboard], when);
}

/* A load, or a spilled register, of one wavefront, that goes or comes back; returns when it has read its registers. */
static inline double ws_pipeline_load(ws_pipeline *sm, int w, const ws_schedule_instruction *one, double when) {
    ws_pipeline_warp *warp = &sm->warp[w];
    const bool is_load = one->kind == WS_SCHEDULE_LOAD;
    const double wavefronts = is_load ? sm->work->load_wavefronts[w * sm->work->loads + one->index] : 1;
    const double start = ws_max(when, sm->pipe_free);
    sm->port_free[w % sm->partitions] = when + ws_rate(sm, WS_LOAD_PORT);
    sm->pipe_free = start + wavefronts;
    if (is_load) {
        warp->returns = ws_max(start, warp->returns) + ws_rate(sm, WS_WAVEFRONT_LATENCY) * wavefronts;
        ws_pipeline_arrive(warp, one->sets, warp->returns + ws_rate(sm, WS_LOAD_LATENCY));
    } else {
        ws_pipeline_arrive(warp, one->sets, start + ws_rate(sm, WS_GLOBAL_LATENCY));
    }
    return start + ws_rate(sm, WS_COPY_RELEASE);
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
    double freed = when;
    warp->issued = when;
    warp->ready = when + one->stall;
    sm->issue_free[sp] = when + one->slots;
    switch (one->kind) {
        case WS_SCHEDULE_INTEGER: sm->alu_free[sp] = when + one->slots * ws_rate(sm, WS_SLOT_INTERVAL); break;
        case WS_SCHEDULE_ADD:
        case WS_SCHEDULE_CONVERT: sm->alu_free[sp] = when + one->slots * ws_rate(sm, WS_CONVERT_INTERVAL); break;
        case WS_SCHEDULE_LOAD:
        case WS_SCHEDULE_RELOAD: freed = ws_pipeline_load(sm, w, one, when); break;
        case WS_SCHEDULE_CONSTANT: ws_pipeline_arrive(warp, one->sets, when + ws_rate(sm, WS_GLOBAL_LATENCY)); break;
        case WS_SCHEDULE_MMA:
            sm->tensor_free[sp] = when + ws_rate(sm, WS_MMA_INTERVAL);
            warp->summed[one->index] = when + ws_rate(sm, WS_MMA_LATENCY);
            break;
        case WS_SCHEDULE_COPY: freed = ws_pipeline_copy(sm, w, one->index, when); break;
        case WS_SCHEDULE_BARRIER: ws_pipeline_barrier(sm, w, when); break;
        case WS_SCHEDULE_BRANCH: warp->ready += ws_rate(sm, WS_BRANCH_LATENCY); break;
        default: break;
    }
    ws_pipeline_arrive(warp, one->frees, freed);
    if (++warp->next == sm->work->schedule->count) {
        warp->next = 0;
        warp->slab++;
    }
}

static inline void ws_pipeline_reset(ws_pipeline *sm) {
    int w, i;
    for (i = 0; i < WS_MOST_PARTITIONS; i++)
        sm->issue_free[i] = sm->port_free[i] = sm->tensor_free[i] = sm->alu_free[i] = 0;
    sm->pipe_free = sm->copy_free = sm->path_free = sm->write_free = sm->entered = sm->barrier_last = 0;
    sm->copy_first = sm->copy_count = sm->queued = sm->at_barrier = 0;
    for (w = 0; w < sm->work->warps; w++) {
        ws_pipeline_warp *warp = &sm->warp[w];
        warp->ready = warp->returns = warp->issued = warp->passed = 0;
        warp->slab = warp->next = 0;
        warp->waiting = false;
        for (i = 0; i < WS_SCHEDULE_SCOREBOARDS; i++) warp->arrived[i] = 0;
        for (i = 0; i < WS_SCHEDULE_SUMS; i++) warp->summed[i] = 0;
        for (i = 0; i < WS_PIPELINE_RELEASES; i++) warp->released[i] = 0;
        for (i = 0; i < WS_PIPELINE_GROUPS; i++) warp->group_done[i] = warp->group_left[i] = 0;
    }
}

/* The warp that issues first, and when; -1: none can. */
static inline int ws_pipeline_first(const ws_pipeline *sm, double *first) {
    int i, chosen = -1;
    for (i = 0; i < sm->work->warps; i++) {
        const double when = ws_pipeline_when(sm, i);
        if (when >= 0 &&
            (chosen < 0 || when < *first || (when <= *first && sm->warp[i].issued < sm->warp[chosen].issued))) {
            *first = when;
            chosen = i;
        }
    }
    return chosen;
}

/* Cycles per slab over `measured` slabs after `warm` warm-up ones. `sm` is the caller's; its content does not
 * matter. */
static inline double ws_pipeline_run(ws_pipeline *sm, const ws_pipeline_work *work, const ws_profile *profile, int warm,
                                     int measured) {
    double begin = 0, end = 0;
    int begun = 0, ended = 0;
    sm->work = work;
    sm->partitions = ws_profile_partitions(profile);
    sm->profile = profile;
    ws_pipeline_reset(sm);
    while (ended < work->warps) {
        double first = 0;
        const int w = ws_pipeline_first(sm, &first);
        /* data that have arrived are written where no load wants the data pipe */
        if (sm->copy_count > 0 && (w < 0 || ws_max(sm->copy[sm->copy_first].time, sm->pipe_free) <= first)) {
            ws_pipeline_land(sm);
            continue;
        }
        if (w < 0) break; /* cannot happen: a barrier releases, a copy arrives */
        ws_pipeline_issue(sm, w, first);
        if (sm->warp[w].next != 0) continue;
        if (sm->warp[w].slab == warm && ++begun == work->warps) begin = first;
        if (sm->warp[w].slab == warm + measured && ++ended == work->warps) end = first;
    }
    return (end - begin) / measured;
}

#endif
