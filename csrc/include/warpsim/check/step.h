/* What each step means to the checks: who looks at it while a block runs. */
#ifndef WARPSIM_CHECK_STEP_H
#define WARPSIM_CHECK_STEP_H

#include "../base/apart.h"
#include "async.h"
#include "copy.h"
#include "matrix.h"
#include "named.h"
#include "visitors.h"

#if WS_BODIES

enum { WS_FEW_ORDERS = 8, WS_ORDER_TAKES = 2048 /* of WS_TURN_BYTES, for each lane */ };

/* What lanes order that access strongly at once. Few of them are those that signal, or look, for others. */
static inline uint32_t ws_check_orders(uint32_t mask) {
    const uint32_t lanes = (uint32_t)ws_lane_count(mask);
    return lanes > (uint32_t)WS_FEW_ORDERS ? lanes * WS_ORDER_TAKES : 0;
}

/* Lanes execute exit, or return from the kernel. */
static inline void ws_check_exit(ws_check *check, const ws_warp *warp, uint32_t number, uint32_t mask) {
    const bool returns = check->steps[number].event == WS_EVENT_RETURN;
    ws_bounds_return(check, warp, number, mask);
    ws_visitors_exit(check, warp, mask);
    if (!returns || warp->group[warp->current].frame.depth == 0) ws_bulk_exits(check, warp, mask);
}

WS_APART void ws_check_step(ws_check *check, ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    const ws_warp *warp = ws_warp_of(lanes);
    const uint32_t number = ws_step_pc(warp->block, step);
    const ws_checked *checked = &check->steps[number];
    const bool goes_on = warp->group[warp->current].state == WS_GROUP_GO_ON;
    if (checked->is_begin && ws_order_waits(check, lanes, step, number, mask))
        ws_use_waits(check, lanes, step, number, mask);
    else if (checked->is_begin && (check->uses.marked[warp->place] != 0 || checked->use >= WS_USE_SHUFFLE) &&
             goes_on == (goes_on && checked->kind == WS_CHECKED_MEMBERS))
        ws_use_sees(check, lanes, step, number, mask, goes_on ? warp->group[warp->current].members : 0);
    if (checked->is_begin && check->ahead.marked[warp->place] != 0)
        ws_ahead_sees(&check->judge.idle, &check->ahead, lanes, step, mask);
    if (check->judge.idle.num_sunk != 0 && checked->is_begin)
        ws_idle_sinks_in(&check->judge.idle, number, warp->place, lanes->active, mask);
    if (check->products.groups != NULL && mask != 0 && !goes_on && check->products.touches[number])
        ws_products_touch(check, warp, step, number);
    if (checked->kind == WS_CHECKED_NONE || mask == 0) return;
    if (goes_on && checked->kind != WS_CHECKED_MEMBERS && checked->kind != WS_CHECKED_CLUSTER_WAIT) return;
    if (checked->kind >= WS_CHECKED_PRODUCT && check->products.groups == NULL) return;
    check->version += !checked->is_quiet;
    if ((check->judge.pendings.fresh | check->judge.sights.fresh) != 0) ws_order_seen(check);
    switch (checked->kind) {
        case WS_CHECKED_ACCESS: ws_check_access(check, lanes, step, number, mask); break;
        case WS_CHECKED_COPY: ws_check_copy(check, lanes, step, number, mask); break;
        case WS_CHECKED_MATRIX: ws_check_matrix(check, lanes, step, number, mask); break;
        case WS_CHECKED_BARRIER:
        case WS_CHECKED_ARRIVE: ws_order_barrier(check, lanes, step, number, mask); break;
        case WS_CHECKED_CLUSTER_ARRIVE: ws_meeting_arrive(check, warp, number, mask); break;
        case WS_CHECKED_CLUSTER_WAIT: ws_meeting_wait(check, warp, number, mask, goes_on); break;
        case WS_CHECKED_EXIT: ws_check_exit(check, warp, number, mask); break;
        case WS_CHECKED_MEMBERS: ws_order_members(check, lanes, step, number, mask); break;
        case WS_CHECKED_FENCE: ws_order_fence(check, warp, checked, mask); break;
        case WS_CHECKED_FENCE_INIT: ws_meeting_made(check, warp, mask); break;
        case WS_CHECKED_OBJECT: ws_check_object_step(check, lanes, step, number, mask); break;
        case WS_CHECKED_ASYNC: ws_check_async(check, lanes, step, number, mask); break;
        case WS_CHECKED_LAND:
            if (checked->event == WS_EVENT_COPY_WAIT_ALL) ws_check_land(check, warp, mask, 0, true);
            else ws_check_land(check, warp, mask, (uint32_t)step->immediate, false);
            break;
        case WS_CHECKED_BULK: ws_check_bulk(check, lanes, step, number, mask); break;
        case WS_CHECKED_BULK_WAIT: ws_bulk_waits(check, warp, number, mask, (uint32_t)step->immediate); break;
        case WS_CHECKED_PRODUCT:
            if (ws_products_issue(check, warp, step, number)) ws_tiles_product(check, lanes, step, number);
            break;
        case WS_CHECKED_PRODUCT_FENCE: ws_products_fence(check, warp); break;
        case WS_CHECKED_PRODUCT_COMMIT: ws_products_commit(check, warp); break;
        case WS_CHECKED_PRODUCT_WAIT: ws_products_wait(check, warp, (uint64_t)step->immediate); break;
        case WS_CHECKED_PROXY:
            ws_proxy_fence(check, warp, mask);
            if (check->products.groups != NULL) ws_products_pass(check, warp, mask);
            break;
        case WS_CHECKED_DISCARD: ws_check_discard(check, lanes, step, number, mask); break;
        case WS_CHECKED_PASS: ws_bounds_pass(check, warp, step, mask); break;
        case WS_CHECKED_CALL: ws_bounds_call(check, lanes, step, number, mask); break;
        default: ws_check_divide(check, lanes, step, number, mask);
    }
    if (checked->kind == WS_CHECKED_FENCE || (checked->kind == WS_CHECKED_ACCESS && checked->is_atomic))
        check->spent += ws_check_orders(mask);
    check->spent += check->locals.spent;
    check->locals.spent = 0;
    if (check->spent == 0) return;
    ws_warp_spends(ws_warp_of(lanes), check->spent);
    check->spent = 0;
}

/* Strong writes that may tell other clusters something. A compare-and-swap takes rather than tells. */
static inline bool ws_check_is_signal(const ws_checked *checked, const ws_step *step) {
    return checked->kind == WS_CHECKED_ACCESS && checked->is_write && checked->is_atomic &&
           checked->scope == WS_SCOPE_GPU && checked->event != WS_EVENT_SWAP &&
           (step->space == WS_AT_GLOBAL || step->space == WS_AT_GENERIC);
}

/* Does the cluster pause before a step? What counts is the first of the lanes that write to global memory. */
static inline bool ws_check_pauses(ws_check *check, ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    const ws_checked *checked = &check->steps[ws_step_pc(ws_block_of(lanes), step)];
    uint32_t offset[WS_LANES];
    ws_signal signal;
    ws_reach reach;
    int lane;
    if (!checked->signals) return false;
    mask &= ~ws_watch_reach(&reach, lanes, step, mask, offset);
    mask = ws_watch_global(step, &reach, mask);
    if (mask == 0) return false;
    lane = ws_first_lane(mask);
    signal.address = reach.address[lane];
    signal.thread = ws_warp_of(lanes)->place * WS_LANES + (uint32_t)lane;
    signal.adds = checked->event == WS_EVENT_ATOMIC;
    signal.releases = checked->releases || check->fences[signal.thread].at[WS_SCOPE_GPU].time != 0;
    return ws_pause_asks(&check->pause, &signal);
}

static inline void ws_check_sees(ws_observer *observer, ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    ws_check *check = (ws_check *)(void *)observer;
    const ws_warp *warp = ws_warp_of(lanes);
    const bool has_marks = (check->uses.marked[warp->place] | check->ahead.marked[warp->place]) != 0;
    if (!has_marks && !check->judge.found.stops && !check->steps[ws_step_pc(warp->block, step)].always) return;
    if (check->pause.left != 0 && ws_check_pauses(check, lanes, step, mask)) {
        lanes->event = WS_ASKS_PAUSE;
        return;
    }
    ws_check_step(check, lanes, step, mask);
    if (check->judge.found.stops) ws_stop_at(lanes, step, WS_STOP_FOUND, mask);
}

static inline void ws_check_completes(ws_observer *observer, ws_block *block, uint32_t barrier) {
    ws_check *check = (ws_check *)(void *)observer;
    check->version++;
    if (barrier == WS_CLUSTER_BARRIER) ws_meeting_completes(check);
    else ws_order_completes(check, block, barrier);
}

static inline void ws_check_counts(ws_observer *observer, ws_warp *warp) {
    ws_order_counts((ws_check *)(void *)observer, warp);
}

#endif /* WS_BODIES */
#endif
