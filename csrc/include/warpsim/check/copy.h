/* cp.async: its destination is in flight until someone waits for it, for its group or for the object that counts it. */
#ifndef WARPSIM_CHECK_COPY_H
#define WARPSIM_CHECK_COPY_H

#include "access.h"

#if WS_BODIES

/* cp.async: reads global memory now, writes shared memory at some time until it is waited for. */
static inline void ws_check_copy(ws_check *check, ws_lanes *lanes, const ws_step *step, uint32_t number,
                                 uint32_t mask) {
    const ws_warp *warp = ws_warp_of(lanes);
    ws_step to = *step, from = *step;
    uint32_t offset[WS_LANES], reading = 0, inside = 0, room = warp->flight_capacity - warp->flight_count, i;
    ws_reach destination, source;
    ws_pass pass;
    ws_copy copy;
    int lane;
    to.space = WS_AT_SHARED;
    to.immediate = step->list;
    from.space = WS_AT_GLOBAL;
    ws_copy_sizes(&copy, lanes, step);
    ws_reach_make(&destination, lanes, &to, WS_S_ADDRESS, mask);
    ws_reach_make(&source, lanes, &from, 1, mask);
    for (lane = 0; lane < WS_LANES; lane++) {
        offset[lane] = (uint32_t)destination.address[lane] - warp->block->shared_at;
        inside |= (uint32_t)(offset[lane] < check->judge.stride) << lane;
        offset[lane] += ws_check_own(check, warp->block);
        if (copy.taken[lane] == copy.nbytes) reading |= UINT32_C(1) << lane;
    }
    for (i = 0; i + room < (uint32_t)ws_lane_count(mask); i++) { /* the ring is full: the oldest arrive */
        const ws_flight *flight = ws_flight_at(warp, i);
        ws_shadow_land(&check->judge, &check->shared, ws_check_own(check, warp->block) + flight->to, flight->nbytes);
    }
    pass = ws_check_pass(check, lanes, step, number, mask);
    pass.nbytes = pass.alignment = copy.nbytes;
    ws_check_pass_writes(&pass, true);
    pass.who |= WS_WHO_COPY;
    ws_check_shared(check, warp->block, &pass, offset, mask & inside);
    ws_check_pass_writes(&pass, false);
    pass.who &= ~(uint32_t)WS_WHO_COPY;
    pass.space = WS_AT_GLOBAL;
    pass.mask = mask & reading;
    if (ws_arrays_pass(&check->judge, &check->arrays, &warp->block->launch->memory, source.address, &pass) != 0) {
        const ws_visit read = ws_check_where(WS_AT_GLOBAL, source.address[ws_first_lane(pass.unwritten)], copy.nbytes);
        ws_use_begin(check, warp, step, number, pass.unwritten, NULL, &read);
        ws_use_report(check, warp, number, number, pass.unwritten);
    }
}

/* What lanes of the mask have under way arrives: all, or all but their `kept` latest groups. */
static inline void ws_check_land(ws_check *check, const ws_warp *warp, uint32_t mask, uint32_t kept, bool open) {
    uint32_t i;
    check->judge.clock.now++;
    for (i = 0; i < warp->flight_count; i++) {
        const ws_flight *flight = ws_flight_at(warp, i);
        if (flight->nbytes != 0 && ws_flight_is_due(warp, flight, mask, kept, open))
            ws_shadow_land(&check->judge, &check->shared, ws_check_own(check, warp->block) + flight->to,
                           flight->nbytes);
    }
    ws_objects_land_own(check, warp, mask, kept, open);
}

/* cp.async.mbarrier.arrive: what lanes have under way arrives when the phases of their objects end. */
static inline void ws_check_track(ws_check *check, const ws_warp *warp, const ws_pass *pass,
                                  const uint32_t object[WS_LANES], uint32_t mask) {
    uint32_t i;
    for (i = 0; i < warp->flight_count; i++) {
        const ws_flight *flight = ws_flight_at(warp, i);
        const uint32_t thread = warp->place * WS_LANES + flight->lane,
                       to = ws_check_own(check, warp->block) + flight->to;
        const uint64_t word = mask >> flight->lane & 1 ? ws_load_u64(pass->memory + object[flight->lane]) : 0;
        const uint32_t parity = ws_mbarrier_of(word).parity;
        const ws_awaited one = {object[flight->lane], to, flight->nbytes, thread, parity, flight->group, true};
        if (flight->nbytes == 0 || !ws_flight_is_due(warp, flight, mask, 0, true)) continue;
        ws_objects_see(check, ws_objects_at(check, one.object, one.parity), word);
        ws_objects_await(check, &one);
    }
}

static inline void ws_check_object_step(ws_check *check, ws_lanes *lanes, const ws_step *step, uint32_t number,
                                        uint32_t mask) {
    const ws_warp *warp = ws_warp_of(lanes);
    ws_pass pass = ws_check_pass(check, lanes, step, number, mask);
    uint32_t offset[WS_LANES], own;
    ws_reach reach;
    ws_reach_make(&reach, lanes, step, WS_S_ADDRESS, mask);
    own = ws_watch_split(warp->block, step, &reach, mask, offset);
    mask &= ws_check_cluster(check, warp->block, step, &reach, mask, own, offset);
    mask = ws_check_inside(check, warp->block, offset, mask, pass.nbytes, pass.alignment);
    if (mask == 0) return;
    if (check->steps[number].meets) ws_check_track(check, warp, &pass, offset, mask);
    ws_check_shared(check, warp->block, &pass, offset, mask);
    ws_objects_step(check, lanes, step, number, &pass);
}

#endif /* WS_BODIES */
#endif
