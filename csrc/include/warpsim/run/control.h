/* Branches, calls and ends.
 *
 *     a frame of a call:   rows | predicates | bytes: [parameters, results, .local variables ... 16 bytes]
 *
 * What a call must find again, the step to return to and where the caller's frame began, is kept for each lane, where no
 * access reaches it. So lanes that were called from different places return to theirs. In local memory, 16 bytes before the
 * frame of the callee are nobody's. */
#ifndef WARPSIM_RUN_CONTROL_H
#define WARPSIM_RUN_CONTROL_H

#include "../base/apart.h"
#include "pieces.h"

static inline void ws_do_nothing_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    (void)lanes;
    (void)step;
    (void)mask;
}

static inline void ws_do_nanosleep_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    ws_warp *warp = ws_warp_of(lanes);
    if (mask != 0) ws_warp_yield(warp, ws_step_pc(warp->block, step) + 1);
}

/* immediate: the step to go to. */
static inline void ws_do_bra_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    ws_warp *warp = ws_warp_of(lanes);
    ws_warp_branch(warp, (uint32_t)step->immediate, ws_step_pc(warp->block, step) + 1, mask);
}

/* Lanes with the value of the lowest one. */
static inline uint32_t ws_lanes_like_first(const uint32_t *row, uint32_t mask) {
    const uint32_t value = row[ws_first_lane(mask)], *const bits = ws_lane_bits();
    uint32_t same = 0;
    int lane;
    for (lane = 0; lane < WS_LANES; lane++) same |= (0u - (uint32_t)(row[lane] == value)) & bits[lane];
    return same & mask;
}

/* Sends lanes of the current group elsewhere, all of them by the calls of this function; then the others go on. */
typedef struct ws_departure {
    ws_frame frame; /* as it was */
    uint32_t left, next;
} ws_departure;

static inline ws_departure ws_departure_make(ws_warp *warp, const ws_step *step, uint32_t mask) {
    ws_group *group = ws_warp_group(warp);
    ws_departure departure;
    departure.frame = group->frame;
    departure.left = mask;
    departure.next = ws_step_pc(warp->block, step) + 1;
    group->mask &= ~mask;
    group->pc = departure.next;
    if (group->mask == 0) ws_warp_remove(warp, warp->current);
    warp->lanes.event = WS_ASKS_SPLIT;
    return departure;
}

/* immediate: the table: its length, then its steps. */
static inline void ws_do_brx_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    ws_warp *warp = ws_warp_of(lanes);
    const uint32_t *table = warp->block->program->targets + step->immediate, *row = ws_row(lanes, step->s[WS_S_TARGET]);
    ws_departure departure;
    uint32_t lanes_left = mask;
    while (lanes_left != 0) {
        const uint32_t same = ws_lanes_like_first(row, lanes_left);
        if (row[ws_first_lane(same)] >= table[0]) {
            ws_stop_at(lanes, step, WS_RUN_TARGET, same);
            return;
        }
        lanes_left &= ~same;
    }
    if (mask == 0) return;
    departure = ws_departure_make(warp, step, mask);
    while (departure.left != 0) {
        const uint32_t same = ws_lanes_like_first(row, departure.left);
        ws_warp_add(warp, table[1 + row[ws_first_lane(same)]], same, &departure.frame);
        departure.left &= ~same;
    }
}

static inline uint8_t *ws_local_at(const ws_warp *warp, int lane, uint32_t at) {
    return warp->local + (size_t)lane * warp->local_bytes + at;
}

/* Of a lane's call at a depth, from 1 on. */
static inline ws_return *ws_return_of(const ws_warp *warp, int lane, uint32_t depth) {
    return &warp->returns[(size_t)(depth - 1) * WS_LANES + (uint32_t)lane];
}

static inline bool ws_return_equal(const ws_return *a, const ws_return *b) {
    return a->pc == b->pc && a->rows == b->rows && a->predicates == b->predicates && a->locals == b->locals;
}

static inline bool ws_call_fits(const ws_warp *warp, const ws_frame *frame, const ws_callee *callee) {
    return (uint64_t)frame->rows + callee->rows <= warp->most_rows &&
           (uint64_t)frame->predicates + callee->predicates <= warp->most_predicates &&
           frame->depth <= warp->most_depth &&
           (uint64_t)frame->locals + callee->locals + WS_RETURN_BYTES <= warp->local_bytes;
}

/* The lanes of the mask call; their frame begins after the one of the current function. */
static inline void ws_call_lanes(ws_warp *warp, const ws_step *step, const ws_callee *callee, ws_departure *departure,
                                 uint32_t mask) {
    const ws_callee *caller = &warp->block->program->callees[step->s[WS_S_CALLER]];
    const ws_frame old = departure->frame;
    const ws_return back = {departure->next, old.rows, old.predicates, old.locals};
    ws_frame frame;
    int lane;
    frame.rows = old.rows + caller->rows;
    frame.predicates = old.predicates + caller->predicates;
    frame.locals = old.locals + caller->locals + WS_RETURN_BYTES;
    frame.depth = old.depth + 1;
    if (!ws_call_fits(warp, &frame, callee)) {
        ws_stop_at(&warp->lanes, step, WS_RUN_STACK, mask);
        return;
    }
    for (lane = 0; lane < WS_LANES; lane++) {
        if (mask >> lane & 1) *ws_return_of(warp, lane, frame.depth) = back;
    }
    warp->predicates[frame.predicates] = WS_ALL_LANES;
    ws_warp_add(warp, callee->entry, mask, &frame);
    departure->left &= ~mask;
}

/* immediate: the callee. */
static inline void ws_do_call_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    ws_warp *warp = ws_warp_of(lanes);
    const ws_callee *callee = &warp->block->program->callees[step->immediate];
    ws_departure departure;
    if (mask == 0) return;
    departure = ws_departure_make(warp, step, mask);
    ws_call_lanes(warp, step, callee, &departure, mask);
}

static inline const ws_callee *ws_callee_of(const ws_kernel *program, uint64_t address) {
    uint32_t i;
    for (i = 0; i < program->num_callees; i++) {
        if (program->callees[i].address == address && address != 0) return &program->callees[i];
    }
    return NULL;
}

WS_ONCE void ws_do_call_indirect_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    ws_warp *warp = ws_warp_of(lanes);
    const uint32_t *low = ws_row(lanes, step->s[WS_S_TARGET]), *high = low + WS_LANES;
    ws_departure departure;
    uint32_t left;
    for (left = mask; left != 0;) {
        const int lane = ws_first_lane(left);
        if (ws_callee_of(warp->block->program, (uint64_t)low[lane] | (uint64_t)high[lane] << 32) == NULL) {
            ws_stop_at(lanes, step, WS_RUN_TARGET, 1u << lane);
            return;
        }
        left &= ~ws_lanes_like_first(high, ws_lanes_like_first(low, left));
    }
    if (mask == 0) return;
    departure = ws_departure_make(warp, step, mask);
    while (departure.left != 0 && lanes->event != WS_ASKS_STOP) {
        const int lane = ws_first_lane(departure.left);
        const uint32_t same = ws_lanes_like_first(high, ws_lanes_like_first(low, departure.left));
        ws_call_lanes(warp, step, ws_callee_of(warp->block->program, (uint64_t)low[lane] | (uint64_t)high[lane] << 32),
                      &departure, same);
    }
}

/* ret: to where each lane came from; the kernel's own ends the lane. */
static inline void ws_do_ret_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    ws_warp *warp = ws_warp_of(lanes);
    const ws_frame frame = ws_warp_group(warp)->frame;
    ws_departure departure;
    if (mask == 0) return;
    if (frame.depth == 0) {
        ws_warp_exit(warp, ws_step_pc(warp->block, step) + 1, mask);
        return;
    }
    departure = ws_departure_make(warp, step, mask);
    while (departure.left != 0) {
        const ws_return one = *ws_return_of(warp, ws_first_lane(departure.left), frame.depth);
        const ws_frame back = {one.rows, one.predicates, one.locals, frame.depth - 1};
        uint32_t same = 0;
        int lane;
        for (lane = 0; lane < WS_LANES; lane++) {
            same |= (uint32_t)ws_return_equal(&one, ws_return_of(warp, lane, frame.depth)) << lane;
        }
        same &= departure.left;
        ws_warp_add(warp, one.pc, same, &back);
        departure.left &= ~same;
    }
}

static inline void ws_do_exit_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    ws_warp *warp = ws_warp_of(lanes);
    if (mask != 0) ws_warp_exit(warp, ws_step_pc(warp->block, step) + 1, mask);
}

static inline void ws_do_trap_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    if (mask != 0) ws_stop_at(lanes, step, WS_RUN_TRAP, mask);
}

/* Copies `count` bytes of each lane's frame: from offset list, to offset immediate (of the frame that is called next: the
 * decoder adds where it begins). */
static inline void ws_do_pass_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    const ws_warp *warp = ws_warp_of(lanes);
    const uint32_t base = ws_warp_group(ws_warp_of(lanes))->frame.locals;
    const uint64_t to = (uint64_t)step->immediate + base, from = (uint64_t)step->list + base;
    const uint32_t nbytes = step->s[WS_S_PASSED];
    uint32_t i;
    int lane;
    if (to + nbytes > warp->local_bytes || from + nbytes > warp->local_bytes) {
        if (mask != 0) ws_stop_at(lanes, step, WS_RUN_STACK, mask);
        return;
    }
    for (lane = 0; lane < WS_LANES; lane++) {
        if (!(mask >> lane & 1)) continue;
        for (i = 0; i < nbytes; i++) {
            *ws_local_at(warp, lane, (uint32_t)to + i) = *ws_local_at(warp, lane, (uint32_t)from + i);
        }
    }
    ws_warp_moves_many(lanes, step, (uint64_t)nbytes * (uint32_t)ws_lane_count(mask));
}

/* d = warp instructions so far: %clock, %clock64, %globaltimer. */
static inline void ws_do_clock_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    const uint64_t now = ws_warp_of(lanes)->origin + ws_step_pc(ws_block_of(lanes), step);
    uint32_t *row = ws_row(lanes, step->d[0]);
    int lane;
    for (lane = 0; lane < WS_LANES; lane++) {
        if (!(mask >> lane & 1)) continue;
        row[lane] = (uint32_t)(step->how != 0 ? now >> 32 : now);
        if (step->count == 2) row[lane + WS_LANES] = (uint32_t)(now >> 32);
    }
}

/* setmaxnreg: all threads of the warp execute it together; how many registers there are changes nothing here. */
static inline void ws_do_whole_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    if (mask != 0 && mask != ws_warp_of(lanes)->living) ws_stop_at(lanes, step, WS_RUN_PART_OF_WARP, mask);
}

/* clang-format off */
#define WS_MEANINGS_CONTROL(X) X(NOTHING, nothing, SCALAR, NONE) X(WHOLE, whole, SCALAR, NONE) X(DISCARD, nothing, SCALAR, DISCARD) X(FENCE, nothing, SCALAR, FENCE) \
    X(FENCE_INIT, nothing, SCALAR, FENCE_INIT) X(FENCE_PROXY, nothing, SCALAR, FENCE_PROXY)                            \
    X(NANOSLEEP, nanosleep, SCALAR, NONE) X(BRA, bra, SCALAR, BRANCH) X(BRX, brx, SCALAR, BRANCH)                      \
    X(CALL, call, SCALAR, CALL) X(CALL_INDIRECT, call_indirect, SCALAR, CALL_INDIRECT) X(RET, ret, SCALAR, RETURN)     \
    X(EXIT, exit, SCALAR, EXIT) X(TRAP, trap, SCALAR, NONE) X(PASS, pass, SCALAR, PASS) X(CLOCK, clock, SCALAR, NONE)
/* clang-format on */

#endif
