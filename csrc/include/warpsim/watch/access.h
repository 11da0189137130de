/* What the accesses of a step count. */
#ifndef WARPSIM_WATCH_ACCESS_H
#define WARPSIM_WATCH_ACCESS_H

#include "made.h"
#include "waiting.h"

#if WS_BODIES

/* The lanes that access shared memory, with their offsets there; of others the addresses. */
static inline uint32_t ws_watch_reach(ws_reach *reach, ws_lanes *lanes, const ws_step *step, uint32_t mask,
                                      uint32_t offset[WS_LANES]) {
    if (step->space == WS_AT_SHARED) {
        const uint32_t *row = ws_row(lanes, step->s[WS_S_ADDRESS]);
        const uint32_t at = (uint32_t)step->immediate - ws_block_of(lanes)->shared_at;
        uint32_t all = 0;
        int lane;
        for (lane = 0; lane < WS_LANES; lane++) {
            offset[lane] = row[lane] + at;
            all |= offset[lane];
        }
        if (all < WS_SHARED_WINDOW_BYTES) return mask;
    }
    ws_reach_make(reach, lanes, step, WS_S_ADDRESS, mask);
    return ws_watch_split(ws_block_of(lanes), step, reach, mask, offset);
}

/* ld, st, atom, red. */
static inline void ws_watch_plain(ws_watch *watch, ws_lanes *lanes, const ws_step *step, uint32_t number,
                                  uint32_t mask) {
    const ws_watched watched = watch->watched[number];
    ws_line *line = &watch->lines[number];
    uint32_t offset[WS_LANES];
    ws_reach reach;
    const uint32_t shared = ws_watch_reach(&reach, lanes, step, mask, offset);
    if (shared != 0 && watched.kind == WS_WATCHED_ATOMIC) {
        line->requests++;
        if (watched.is_loop) line->inexact |= WS_LINE_BANKS_INEXACT;
        if (watched.made & WS_MADE_LOOP) ws_line_add_loop(line, offset, shared, watched.nbytes);
        else ws_line_add_atomic(line, offset, shared, watched.nbytes, (ws_line_turns)watched.turns);
    } else if (shared != 0) {
        ws_watch_shared(watch, number, offset, shared);
    }
    mask = ws_watch_global(step, &reach, mask & ~shared);
    if (mask == 0) return;
    ws_line_add_global(line, reach.address, mask, watched.nbytes);
    ws_touched_see(&watch->touched, reach.address, mask, watched.kind != WS_WATCHED_LOAD);
}

/* What the core counts for an instruction of its own; `nbytes`: that its lanes ask of global memory, all together. */
static inline void ws_watch_counts(ws_watch *watch, uint32_t number, const ws_plan *plan, const ws_access *access,
                                   uint64_t nbytes) {
    const ws_counts counts = ws_count_warp(plan, access, 0);
    const uint64_t ideal = (nbytes + WS_SECTOR_BYTES - 1) / WS_SECTOR_BYTES;
    ws_line *line = &watch->lines[number];
    line->requests += counts.requests;
    line->wavefronts += counts.wavefronts;
    line->ideal_wavefronts += counts.ideal_wavefronts;
    line->bank_conflicts += counts.bank_conflicts;
    line->sectors += counts.sectors;
    line->ideal_sectors += counts.sectors < ideal ? counts.sectors : ideal;
}

/* cp.async. Lanes that read nothing store zeros, as a store does: approximate. */
static inline void ws_watch_copy(ws_watch *watch, ws_lanes *lanes, const ws_step *step, uint32_t number,
                                 uint32_t mask) {
    ws_step to = *step, from = *step;
    ws_reach destination, source;
    ws_access access;
    ws_copy copy;
    uint32_t offset[WS_LANES], reading = 0;
    int lane, of;
    to.space = WS_AT_SHARED;
    to.immediate = step->list;
    from.space = WS_AT_GLOBAL;
    ws_reach_make(&destination, lanes, &to, WS_S_ADDRESS, mask);
    ws_reach_make(&source, lanes, &from, 1, mask);
    ws_copy_sizes(&copy, lanes, step);
    for (lane = 0; lane < WS_LANES; lane++) {
        reading |= (uint32_t)(copy.taken[lane] != 0) << lane;
        destination.address[lane] -= ws_block_of(lanes)->shared_at;
        offset[lane] = (uint32_t)destination.address[lane];
    }
    reading &= mask;
    if (reading != 0) ws_samples_see(&watch->samples, number, offset, reading, (uint32_t)copy.nbytes);
    ws_touched_see(&watch->touched, source.address, reading, false);
    of = ws_watched_copy_of(watch->watched[number].is_cg, copy.nbytes);
    access = ws_access_make_64(destination.address, 1);
    access.source = source.address;
    access.active = &reading;
    if (reading != 0) {
        ws_watch_counts(watch, number, &watch->plans[of], &access, (uint64_t)ws_lane_count(reading) * copy.nbytes);
    }
    if (!watch->watched[number].is_cg && reading != 0 && !ws_source_is_contiguous(&watch->plans[of].op, &access, 0))
        watch->lines[number].inexact |= WS_LINE_BANKS_INEXACT;
    if (reading != mask) {
        const ws_watched zeros = {WS_WATCHED_STORE,
                                  255,
                                  (uint8_t)ws_watched_batch(ws_group_lanes_of_width((int)copy.nbytes)),
                                  false,
                                  false,
                                  0,
                                  false,
                                  0};
        ws_repeat once;
        ws_repeat_begin(&once, offset, mask & ~reading);
        ws_watch_wait(watch, number, &zeros, &once);
        if (reading != 0) watch->lines[number].requests--;
        watch->lines[number].inexact |= WS_LINE_BANKS_INEXACT;
    }
}

static inline void ws_watch_matrix(ws_watch *watch, ws_lanes *lanes, const ws_step *step, uint32_t number,
                                   uint32_t mask) {
    const ws_plan *plan = &watch->plans[WS_WATCHED_COPIES + step->s[WS_S_INSTRUCTION]];
    const ws_line before = watch->lines[number];
    uint32_t offset[WS_LANES], shared;
    ws_access access;
    ws_reach reach;
    if (!plan->is_wmma) {
        ws_watch_reach(&reach, lanes, step, mask, offset);
        ws_watch_shared(watch, number, offset,
                        plan->row_lanes == WS_LANES ? WS_ALL_LANES : (UINT32_C(1) << plan->row_lanes) - 1);
        return;
    }
    ws_reach_make(&reach, lanes, step, WS_S_ADDRESS, mask);
    shared = ws_watch_split(ws_block_of(lanes), step, &reach, mask, offset);
    access = ws_access_make_64(reach.address, 1);
    access.active = &mask;
    if (step->s[WS_S_STRIDE] != WS_NONE) {
        access.stride = ws_row(lanes, step->s[WS_S_STRIDE]);
        access.stride_lanes = WS_LANES;
    }
    ws_watch_counts(watch, number, plan, &access, (uint64_t)ws_wmma_bytes(&plan->op));
    if (shared == 0) ws_line_leave_shared(&watch->lines[number], &before);
}

/* A product of a warpgroup: its tiles, once for the four warps, without conflicts whatever their layout. Measured on an
 * H200: 123 of 123 counts. */
static inline void ws_watch_product(ws_line *line, const ws_warp *warp, const ws_step *step) {
    const ws_mma_plan *plan = &warp->block->program->plans[step->s[WS_S_PLAN]];
    const uint64_t a = step->how & WS_WGMMA_SHARES_A ? (uint64_t)WS_WGMMA_ROWS * plan->a_words : 0;
    const uint64_t wavefronts = (a + (uint64_t)step->immediate * plan->b_words) * 4 / WS_LINE_BYTES;
    line->requests++;
    if (warp->number % WS_WGMMA_WARPS == 0) {
        line->wavefronts += wavefronts;
        line->ideal_wavefronts += wavefronts;
    }
}

#endif /* WS_BODIES */
#endif
