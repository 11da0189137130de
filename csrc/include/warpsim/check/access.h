/* What steps access, as the shadows want it; and what asynchronous copies have under way. */
#ifndef WARPSIM_CHECK_ACCESS_H
#define WARPSIM_CHECK_ACCESS_H

#include "../watch/watch.h"
#include "objects.h"
#include "order.h"
#include "use.h"

#if WS_BODIES

static inline ws_pass ws_check_pass(ws_check *check, ws_lanes *lanes, const ws_step *step, uint32_t number,
                                    uint32_t mask) {
    const ws_checked *checked = &check->steps[number];
    ws_pass pass;
    check->judge.clock.now++;
    pass.offset = NULL;
    pass.memory = ws_block_of(lanes)->shared;
    pass.values.lanes = lanes;
    pass.values.step = checked->kind == WS_CHECKED_ACCESS && checked->is_write && !checked->is_atomic ? step : NULL;
    pass.values.element = (uint32_t)ws_type_bits(step->type) / 8;
    pass.mask = mask;
    pass.nbytes = checked->nbytes;
    pass.who = number << WS_WHO_STEP | (checked->is_atomic ? (uint32_t)WS_WHO_ATOMIC : 0) |
               (checked->is_volatile ? (uint32_t)WS_WHO_VOLATILE : 0) |
               (checked->is_write ? (uint32_t)WS_WHO_WRITES : 0);
    pass.warp = ws_warp_of(lanes)->number;
    pass.space = WS_AT_SHARED;
    pass.is_write = checked->is_write;
    pass.reads = checked->reads;
    pass.unwritten = 0;
    return pass;
}

/* A pass that writes, or one that reads. */
static inline void ws_check_pass_writes(ws_pass *pass, bool is_write) {
    pass->is_write = is_write;
    pass->reads = !is_write;
    pass->who = is_write ? pass->who | WS_WHO_WRITES : pass->who & ~(uint32_t)WS_WHO_WRITES;
}

/* The lanes that lie inside of shared memory and are aligned: the others end the launch. */
static inline uint32_t ws_check_inside(const ws_block *block, const uint32_t offset[WS_LANES], uint32_t mask,
                                       uint32_t nbytes) {
    const uint32_t whole = nbytes & (0u - nbytes), alignment = whole < 16 ? whole : 16;
    uint32_t left;
    for (left = mask; left != 0; left &= left - 1) {
        const int lane = ws_first_lane(left);
        const bool is_inside = nbytes <= block->launch->shared_bytes &&
                               offset[lane] <= block->launch->shared_bytes - nbytes && offset[lane] % alignment == 0;
        if (!is_inside) mask &= ~(UINT32_C(1) << lane);
    }
    return mask;
}

static inline uint32_t ws_check_shared(ws_check *check, const ws_block *block, ws_pass *pass,
                                       const uint32_t offset[WS_LANES], uint32_t mask) {
    pass->offset = offset;
    pass->mask = ws_check_inside(block, offset, mask, pass->nbytes);
    if (check->num_objects != 0 && check->steps[pass->who >> WS_WHO_STEP].kind != WS_CHECKED_OBJECT)
        ws_objects_touched(check, pass);
    if (pass->mask != 0) ws_shadow_pass(&check->judge, &check->shared, pass);
    return pass->unwritten;
}

static inline void ws_check_access(ws_check *check, ws_lanes *lanes, const ws_step *step, uint32_t number,
                                   uint32_t mask) {
    const ws_checked *checked = &check->steps[number];
    const ws_block *block = ws_block_of(lanes);
    ws_again *const again = checked->again != WS_NO_INDEX ? &check->again[checked->again] : NULL;
    const uint32_t warp = ws_warp_of(lanes)->number;
    uint32_t offset[WS_LANES], left, unwritten;
    ws_reach reach;
    const uint32_t shared = ws_watch_reach(&reach, lanes, step, mask, offset);
    ws_pass pass;
    if (again != NULL && ws_check_is_again(check, again, warp, offset, mask)) return;
    pass = ws_check_pass(check, lanes, step, number, mask);
    unwritten = shared != 0 ? ws_check_shared(check, block, &pass, offset, shared) : 0;
    if (again != NULL) {
        ws_repeat_begin(&again->access, offset, mask);
        again->warp = warp;
        again->version = unwritten == 0 && shared == mask ? check->version : 0;
    }
    mask = ws_watch_global(step, &reach, mask & ~shared);
    if (checked->is_atomic) {
        for (left = shared | mask; left != 0; left &= left - 1) {
            const int lane = ws_first_lane(left);
            const bool is_global = mask >> lane & 1;
            const uint64_t address = is_global ? reach.address[lane] : offset[lane];
            ws_order_place(check, checked, ws_warp_of(lanes), lane, WS_KEY_PLACE(is_global, address), is_global);
        }
    }
    pass.mask = mask;
    pass.space = WS_AT_GLOBAL;
    unwritten |= ws_arrays_pass(&check->judge, &check->arrays, &block->launch->memory, reach.address, &pass);
    if (unwritten != 0) {
        const int lane = ws_first_lane(unwritten);
        const bool is_shared = shared >> lane & 1;
        const ws_visit read = ws_check_where(is_shared ? WS_AT_SHARED : WS_AT_GLOBAL,
                                             is_shared ? offset[lane] : reach.address[lane], pass.nbytes);
        ws_use_begin(check, ws_warp_of(lanes), step, number, unwritten, &read);
        if (checked->is_write) ws_use_report(check, ws_warp_of(lanes), number, number, unwritten);
    }
}

/* cp.async: reads global memory now, writes shared memory at some time until it is waited for. */
static inline void ws_check_copy(ws_check *check, ws_lanes *lanes, const ws_step *step, uint32_t number,
                                 uint32_t mask) {
    const ws_warp *warp = ws_warp_of(lanes);
    ws_step to = *step, from = *step;
    uint32_t offset[WS_LANES], reading = 0, room = warp->flight_capacity - warp->flight_count, i, unwritten;
    ws_reach destination, source;
    ws_pass pass;
    ws_copy copy;
    int lane;
    to.space = WS_AT_SHARED;
    to.immediate = step->list;
    from.space = WS_AT_GLOBAL;
    ws_copy_sizes(&copy, lanes, step);
    ws_reach_make(&destination, lanes, &to, 0, mask);
    ws_reach_make(&source, lanes, &from, 1, mask);
    for (lane = 0; lane < WS_LANES; lane++) {
        offset[lane] = (uint32_t)destination.address[lane];
        if (copy.taken[lane] == copy.nbytes) reading |= UINT32_C(1) << lane;
    }
    for (i = 0; i + room < (uint32_t)ws_lane_count(mask); i++) { /* the ring is full: the oldest arrive */
        const ws_flight *flight = ws_flight_at(warp, i);
        ws_shadow_land(&check->judge, &check->shared, flight->to, flight->nbytes);
    }
    pass = ws_check_pass(check, lanes, step, number, mask);
    pass.nbytes = copy.nbytes;
    ws_check_pass_writes(&pass, true);
    pass.who |= WS_WHO_COPY;
    ws_check_shared(check, warp->block, &pass, offset, mask);
    ws_check_pass_writes(&pass, false);
    pass.who &= ~(uint32_t)WS_WHO_COPY;
    pass.space = WS_AT_GLOBAL;
    pass.mask = mask & reading;
    unwritten = ws_arrays_pass(&check->judge, &check->arrays, &warp->block->launch->memory, source.address, &pass);
    if (unwritten != 0) {
        const ws_visit read = ws_check_where(WS_AT_GLOBAL, source.address[ws_first_lane(unwritten)], copy.nbytes);
        ws_use_begin(check, warp, step, number, unwritten, &read);
        ws_use_report(check, warp, number, number, unwritten);
    }
}

/* What lanes of the mask have under way arrives: all, or all but their `kept` latest groups. */
static inline void ws_check_land(ws_check *check, const ws_warp *warp, uint32_t mask, uint32_t kept, bool open) {
    uint32_t i;
    check->judge.clock.now++;
    for (i = 0; i < warp->flight_count; i++) {
        const ws_flight *flight = ws_flight_at(warp, i);
        if (flight->nbytes != 0 && ws_flight_is_due(warp, flight, mask, kept, open))
            ws_shadow_land(&check->judge, &check->shared, flight->to, flight->nbytes);
    }
}

/* An access of the whole warp: `rows` lanes name the bytes, and what is unwritten reaches all. */
static inline void ws_check_rows(ws_check *check, ws_lanes *lanes, const ws_step *step, uint32_t number, ws_pass *pass,
                                 const ws_reach *reach, uint32_t rows) {
    const ws_block *block = ws_block_of(lanes);
    uint32_t offset[WS_LANES], shared = ws_watch_split(step, reach, rows, offset), global, unwritten = 0;
    int lane;
    if (shared != 0) unwritten = ws_check_shared(check, block, pass, offset, shared);
    global = ws_watch_global(step, reach, rows & ~shared);
    pass->mask = global;
    pass->space = WS_AT_GLOBAL;
    unwritten |= ws_arrays_pass(&check->judge, &check->arrays, &block->launch->memory, reach->address, pass);
    if (unwritten == 0 || pass->is_write) return;
    lane = ws_first_lane(unwritten);
    {
        const bool is_shared = shared >> lane & 1;
        const ws_visit read = ws_check_where(is_shared ? WS_AT_SHARED : WS_AT_GLOBAL,
                                             is_shared ? offset[lane] : reach->address[lane], pass->nbytes);
        ws_use_begin(check, ws_warp_of(lanes), step, number, WS_ALL_LANES, &read);
    }
}

/* wmma: line after line of the tile, as if each lane named one. */
static inline void ws_check_lines(ws_check *check, ws_lanes *lanes, const ws_step *step, uint32_t number, ws_pass *pass,
                                  ws_reach *reach) {
    const ws_op *op = &ws_block_of(lanes)->program->ops[step->s[4]];
    const uint32_t count = (uint32_t)ws_wmma_lines(op), bits = (uint32_t)ws_type_bits(op->type);
    const uint64_t first = reach->address[0];
    const uint32_t stride = step->s[1] == WS_NONE ? (uint32_t)ws_wmma_default_stride(op) : ws_row(lanes, step->s[1])[0];
    uint32_t i;
    for (i = 0; i < count && i < WS_LANES; i++) reach->address[i] = first + (uint64_t)i * stride * bits / 8;
    pass->nbytes = (uint32_t)ws_wmma_line_elements(op) * bits / 8;
    ws_check_rows(check, lanes, step, number, pass, reach,
                  count >= WS_LANES ? WS_ALL_LANES : (UINT32_C(1) << count) - 1);
}

/* ldmatrix, stmatrix: each lane that names a row accesses it. */
static inline void ws_check_matrix(ws_check *check, ws_lanes *lanes, const ws_step *step, uint32_t number,
                                   uint32_t mask) {
    const ws_op *op = &ws_block_of(lanes)->program->ops[step->s[4]];
    const uint32_t rows = (uint32_t)ws_op_row_lanes(op);
    ws_pass pass = ws_check_pass(check, lanes, step, number, mask);
    ws_reach reach;
    ws_reach_make(&reach, lanes, step, 0, mask);
    ws_check_pass_writes(&pass, !ws_op_is_load(op));
    if (ws_op_is_wmma(op)) {
        ws_check_lines(check, lanes, step, number, &pass, &reach);
        return;
    }
    pass.nbytes = (uint32_t)ws_op_access_bytes(op);
    ws_check_rows(check, lanes, step, number, &pass, &reach,
                  rows >= WS_LANES ? mask : mask & ((UINT32_C(1) << rows) - 1));
}

static inline void ws_check_object_step(ws_check *check, ws_lanes *lanes, const ws_step *step, uint32_t number,
                                        uint32_t mask) {
    const ws_warp *warp = ws_warp_of(lanes);
    ws_pass pass = ws_check_pass(check, lanes, step, number, mask);
    uint32_t offset[WS_LANES];
    ws_reach reach;
    ws_reach_make(&reach, lanes, step, 0, mask);
    mask &= ws_watch_split(step, &reach, mask, offset);
    mask = ws_check_inside(warp->block, offset, mask, pass.nbytes);
    if (mask == 0) return;
    if (check->steps[number].meets) ws_check_land(check, warp, mask, 0, true);
    ws_check_shared(check, warp->block, &pass, offset, mask);
    ws_objects_step(check, lanes, step, number, &pass);
}

/* Divisors: source 1; `is_wide`: of 64 bits. */
static inline void ws_check_divide(ws_check *check, ws_lanes *lanes, const ws_step *step, uint32_t number,
                                   uint32_t mask) {
    const uint32_t *low = ws_row(lanes, step->s[1]);
    const bool is_wide = check->steps[number].at != 0, is_short = ws_type_bits(step->type) == 16;
    uint32_t zeros = 0;
    int lane;
    for (lane = 0; lane < WS_LANES; lane++) {
        const uint32_t value = is_short ? low[lane] & 0xffff : low[lane] | (is_wide ? low[lane + WS_LANES] : 0);
        zeros |= (uint32_t)(value == 0) << lane;
    }
    if (zeros & mask) ws_check_lanes(check, WS_FOUND_ZERO, number, ws_warp_of(lanes)->number, zeros & mask);
}

#endif /* WS_BODIES */
#endif
