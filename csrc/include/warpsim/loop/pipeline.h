/* The warps of one SM in a loop, issue by issue: copies, loads from shared memory, mma.sync and barriers.
 *
 * Each warp runs its instructions in order; the first warp that can issue does so. An instruction occupies what it
 * needs:
 *
 *     sub-partition   one issue per cycle; a port to the memory pipe; a tensor pipe; an ALU for addresses
 *     SM              the shared data pipe, a wavefront per cycle: loads take it at issue; data of copies that have
 *                     arrived wait until no load wants it
 *     L2              one stream of bytes to the SM; a copy arrives a latency after its turn
 *
 * A load's data come back at one wavefront per two cycles and warp. An mma waits for the load it needs and for its
 * accumulator. This file knows nothing about tiles: its caller says how many instructions there are and what each
 * costs. */
#ifndef WARPSIM_LOOP_PIPELINE_H
#define WARPSIM_LOOP_PIPELINE_H

#include "pipeline_work.h"

/* When a warp's next instruction can issue; negative: only after something else happens. */
static inline double ws_pipeline_when(const ws_pipeline *sm, int w, const int *need) {
    const ws_pipeline_work *work = sm->work;
    const ws_pipeline_warp *warp = &sm->warp[w];
    const int sp = w % sm->partitions, per_step = work->loads_a + work->loads_b, mmas = work->rows * work->cols;
    double when = ws_max(warp->ready, sm->issue_free[sp]);
    if (warp->waiting) return -1;
    switch (warp->place) {
        case WS_AT_WAIT: {
            const int needed =
                work->stages > 1 ? warp->slab : warp->slab + 1; /* one stage: waits for what it has just requested */
            const int group = needed % WS_PIPELINE_GROUPS;
            if (warp->group_left[group] > 0) return -1;
            return ws_max(when, warp->group_done[group]);
        }
        case WS_AT_COPY: return ws_max(when, sm->port_free[sp]);
        case WS_AT_COMPUTE: {
            const int step = mmas > 0 ? warp->mma / mmas : work->steps, m = mmas > 0 ? warp->mma % mmas : 0;
            const int allowed = ws_pipeline_allowed(work, warp->mma, need);
            if (warp->next < allowed) { /* not before the last load of its register has arrived */
                when = ws_max(ws_max(when, sm->port_free[sp]), warp->arrived[warp->next % WS_PIPELINE_LOADS]);
                return work->load_slots > 0 ? ws_max(when, sm->alu_free[sp]) : when;
            }
            if (step < work->steps && mmas > 0) {
                when = ws_max(when, sm->tensor_free[sp]);
                if (per_step > 0) when = ws_max(when, warp->arrived[(step * per_step + need[m]) % WS_PIPELINE_LOADS]);
                return ws_max(when, warp->summed[m % WS_PIPELINE_SUMS]);
            }
            return when;
        }
        case WS_AT_OVERHEAD: return ws_max(when, sm->alu_free[sp]);
        default: return when;
    }
}

/* The next copy arrives and writes its wavefronts. */
static inline void ws_pipeline_land(ws_pipeline *sm) {
    const int i = sm->copy_first;
    ws_pipeline_warp *warp = &sm->warp[sm->copy[i].warp];
    const int group = sm->copy[i].group;
    const double all = sm->copy[i].wavefronts, conflicts = ws_pipeline_conflicts(sm->copy[i].wavefronts);
    const double share = all - conflicts + conflicts * ws_rate(sm, WS_COPY_CONFLICT_ARRIVAL);
    sm->pipe_free = ws_max(sm->pipe_free, sm->copy[i].time) + share;
    sm->write_free = ws_max(sm->write_free, sm->copy[i].time) + all;
    warp->group_done[group] = ws_max(warp->group_done[group], sm->write_free);
    warp->group_left[group]--;
    sm->copy_first = (i + 1) % WS_PIPELINE_COPIES;
    sm->copy_count--;
}

/* A copy is issued: some of its conflicts count now, others when its data arrive. */
static inline void ws_pipeline_copy(ws_pipeline *sm, int w, double when) {
    const ws_pipeline_work *work = sm->work;
    ws_pipeline_warp *warp = &sm->warp[w];
    const int group = (warp->slab + (work->stages > 1 ? work->stages - 1 : 1)) % WS_PIPELINE_GROUPS;
    const uint16_t wavefronts = work->copy_wavefronts[warp->next * work->warps + w];
    const double conflicts = ws_pipeline_conflicts(wavefronts) * ws_rate(sm, WS_COPY_CONFLICT_ISSUE);
    int slot;
    if (sm->copy_count == WS_PIPELINE_COPIES) ws_pipeline_land(sm);
    if (warp->next == 0) {
        warp->group_left[group] = work->copies;
        warp->group_done[group] = 0;
    }
    sm->pipe_free = ws_max(sm->pipe_free, when) + conflicts;
    sm->port_free[w % sm->partitions] = when + ws_rate(sm, WS_COPY_ISSUE);
    sm->path_free = ws_max(sm->path_free, when) + 4 * ws_rate(sm, WS_COPY_PATH);
    slot = (sm->copy_first + sm->copy_count++) % WS_PIPELINE_COPIES;
    sm->copy[slot].time = sm->path_free + ws_rate(sm, WS_COPY_LATENCY);
    sm->copy[slot].warp = (uint16_t)w;
    sm->copy[slot].group = (uint16_t)group;
    sm->copy[slot].wavefronts = wavefronts;
    warp->ready = when + ws_rate(sm, WS_COPY_ISSUE);
    warp->next++;
}

static inline void ws_pipeline_load(ws_pipeline *sm, int w, double when) {
    const ws_pipeline_work *work = sm->work;
    ws_pipeline_warp *warp = &sm->warp[w];
    const int sp = w % sm->partitions, per_slab = work->steps * (work->loads_a + work->loads_b);
    const double wavefronts = work->load_wavefronts[w * per_slab + warp->next];
    const double start = ws_max(when, sm->pipe_free);
    sm->port_free[sp] = when + ws_rate(sm, WS_LOAD_PORT);
    sm->pipe_free = start + wavefronts;
    warp->returns = ws_max(start, warp->returns) + ws_rate(sm, WS_WAVEFRONT_LATENCY) * wavefronts;
    warp->arrived[warp->next % WS_PIPELINE_LOADS] = warp->returns + ws_rate(sm, WS_LOAD_LATENCY);
    warp->ready = when + 1 + work->load_slots;
    ws_pipeline_integers(sm, sp, when, work->load_slots);
    warp->next++;
}

static inline void ws_pipeline_mma(ws_pipeline *sm, int w, double when) {
    ws_pipeline_warp *warp = &sm->warp[w];
    const int sp = w % sm->partitions, mmas = sm->work->rows * sm->work->cols;
    sm->tensor_free[sp] = when + ws_pipeline_mma_interval(sm->work, sm->profile);
    warp->summed[warp->mma % mmas % WS_PIPELINE_SUMS] = when + ws_rate(sm, WS_MMA_LATENCY);
    warp->ready = sm->work->mma_slots > 0 ? sm->tensor_free[sp] : when + 1;
    warp->mma++;
}

/* What a warp does at time `when`. */
static inline void ws_pipeline_issue(ws_pipeline *sm, int w, double when, const int *need) {
    const ws_pipeline_work *work = sm->work;
    ws_pipeline_warp *warp = &sm->warp[w];
    const int sp = w % sm->partitions, mmas = work->rows * work->cols;
    double slots = 1;
    switch (warp->place) {
        case WS_AT_WAIT:
            warp->place = WS_AT_BARRIER;
            warp->ready = when + 1;
            break;
        case WS_AT_BARRIER:
            warp->barriers++;
            warp->place = work->stages == 1 && warp->barriers == 2 ? WS_AT_COMPUTE : WS_AT_OVERHEAD;
            warp->next = 0;
            ws_pipeline_barrier(sm, w, when);
            break;
        case WS_AT_OVERHEAD: {
            const double all = ws_pipeline_overhead(work, sm->profile);
            const double turn = ws_max((double)WS_PIPELINE_SLOTS, all / (double)WS_PIPELINE_TURNS),
                         left = all - warp->next * turn;
            const bool last = left <= turn || warp->next == WS_PIPELINE_TURNS;
            slots = last ? ws_max(left, 0) : turn;
            ws_pipeline_integers(sm, sp, when, slots);
            warp->ready = sm->alu_free[sp];
            warp->next = last ? 0 : warp->next + 1;
            if (last) warp->place = work->stages > 0 ? WS_AT_COPY : WS_AT_COMPUTE;
            break;
        }
        case WS_AT_COPY:
            if (warp->next < work->copies) {
                ws_pipeline_copy(sm, w, when);
                slots = ws_rate(sm, WS_COPY_SLOTS);
                ws_pipeline_integers(sm, sp, when, slots);
            }
            if (warp->next >= work->copies) {
                warp->next = 0;
                warp->place = work->stages == 1 && work->barrier ? WS_AT_WAIT : WS_AT_COMPUTE;
            }
            break;
        case WS_AT_COMPUTE: {
            const int step = mmas > 0 ? warp->mma / mmas : work->steps,
                      allowed = ws_pipeline_allowed(work, warp->mma, need);
            if (warp->next < allowed) ws_pipeline_load(sm, w, when);
            else if (step < work->steps && mmas > 0) ws_pipeline_mma(sm, w, when);
            else warp->place = WS_AT_END;
            break;
        }
        default:
            warp->slab++;
            warp->next = warp->mma = warp->barriers = 0;
            warp->place = work->stages == 0 || !work->barrier ? WS_AT_OVERHEAD
                          : work->stages == 1                 ? WS_AT_BARRIER
                                                              : WS_AT_WAIT;
            break;
    }
    sm->issue_free[sp] = ws_max(sm->issue_free[sp], when) + slots;
}

/* Cycles per slab over `measured` slabs after `warm` warm-up ones. `sm` is the caller's; its content does not
 * matter. */
static inline double ws_pipeline_run(ws_pipeline *sm, const ws_pipeline_work *work, const ws_profile *profile, int warm,
                                     int measured) {
    int need[WS_PIPELINE_SUMS], w, i;
    double begin = 0, end = 0;
    int begun = 0, ended = 0;
    sm->work = work;
    sm->partitions = ws_profile_partitions(profile);
    sm->profile = profile;
    for (i = 0; i < WS_PIPELINE_SUMS; i++) {
        const int last = work->loads_a + work->loads_b - 1, g = ws_profile_scoreboard_loads(profile);
        need[i] = (ws_pipeline_need(work, i) / g + 1) * g - 1;
        if (need[i] > last) need[i] = last;
        if (need[i] < 0) need[i] = 0;
    }
    for (i = 0; i < WS_MOST_PARTITIONS; i++)
        sm->issue_free[i] = sm->port_free[i] = sm->tensor_free[i] = sm->alu_free[i] = 0;
    sm->pipe_free = sm->path_free = sm->write_free = sm->barrier_last = 0;
    sm->copy_first = sm->copy_count = sm->at_barrier = 0;
    for (w = 0; w < work->warps; w++) {
        ws_pipeline_warp *warp = &sm->warp[w];
        warp->ready = warp->returns = warp->issued = 0;
        warp->slab = -1;
        warp->next = warp->mma = warp->barriers = 0;
        warp->place = WS_AT_END;
        warp->waiting = false;
        for (i = 0; i < WS_PIPELINE_LOADS; i++) warp->arrived[i] = 0;
        for (i = 0; i < WS_PIPELINE_SUMS; i++) warp->summed[i] = 0;
        for (i = 0; i < WS_PIPELINE_GROUPS; i++) warp->group_done[i] = warp->group_left[i] = 0;
    }
    for (;;) {
        double first = -1;
        int chosen = -1;
        for (i = 0; i < work->warps; i++) {
            const double when = ws_pipeline_when(sm, i, need);
            if (when >= 0 &&
                (chosen < 0 || when < first || (when <= first && sm->warp[i].issued < sm->warp[chosen].issued))) {
                first = when;
                chosen = i;
            }
        }
        /* data that have arrived are written where no load wants the data pipe */
        if (sm->copy_count > 0 && (chosen < 0 || ws_max(sm->copy[sm->copy_first].time, sm->pipe_free) <= first)) {
            ws_pipeline_land(sm);
            continue;
        }
        if (chosen < 0) break; /* cannot happen: a barrier releases, a copy arrives */
        if (sm->warp[chosen].place == WS_AT_END) {
            if (sm->warp[chosen].slab == warm - 1 && ++begun == work->warps) {
                begin = first;
            }
            if (sm->warp[chosen].slab == warm + measured - 1 && ++ended == work->warps) {
                end = first;
                break;
            }
        }
        sm->warp[chosen].issued = first;
        ws_pipeline_issue(sm, chosen, first, need);
    }
    return (end - begin) / measured;
}

#endif
