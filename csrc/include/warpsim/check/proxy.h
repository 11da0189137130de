/* Fences between ordinary accesses and those of the async proxy, which bulk copies make.
 *
 *     store, fence, barrier, copy that reads        always judged
 *     access, fence, barrier, copy that writes      judged if the launch is strict
 *     mbarrier.init, fence, copy that completes     judged if the launch is strict
 *
 * Any thread may execute the fence between the two: the one before, the one after, or one that comes between them. */
#ifndef WARPSIM_CHECK_PROXY_H
#define WARPSIM_CHECK_PROXY_H

#include "products.h"
#include "../shadow/shadow.h"

#if WS_BODIES

/* fence.proxy.async. */
static inline void ws_proxy_fence(ws_check *check, const ws_warp *warp, uint32_t mask) {
    for (; mask != 0; mask &= mask - 1) {
        ws_fence *fence = &check->proxies[warp->place * WS_LANES + (uint32_t)ws_first_lane(mask)];
        fence->floor = check->judge.clock.floor;
        fence->time = check->judge.clock.now;
    }
}

/* Is an ordinary access fenced off from the copy that a thread issues after it? Where not all threads have met since, what
 * the issuer knows now it may have known when it fenced. */
static inline bool ws_proxy_is_fenced(const ws_check *check, const ws_stamp *access, uint32_t issuer) {
    const ws_clock *clock = &check->judge.clock;
    const uint32_t own = ws_stamp_thread(&check->judge, access);
    uint32_t i;
    if (check->proxies[own].time >= access->time) return true;
    if (check->proxies[issuer].time >= access->time && (own == issuer || clock->is_fine)) return true;
    for (i = 0; i < clock->threads; i++) {
        const ws_fence *fence = &check->proxies[i];
        if (fence->time >= access->time && access->time < fence->floor &&
            ws_clock_orders(clock, issuer, i, fence->time))
            return true;
    }
    return false;
}

/* A copy that a thread issues writes a cell: has an ordinary access to it been ordered before, and not fenced off? */
static inline void ws_proxy_reuses(ws_check *check, const ws_visit *visit, const ws_cell *cell) {
    const ws_judge *judge = &check->judge;
    const uint32_t issuer = ws_stamp_thread(judge, &visit->stamp);
    int k;
    for (k = -1; k < WS_CELL_KEPT; k++) {
        const ws_stamp *access = k < 0 ? &cell->write : &cell->kept[k];
        if (access->time < judge->clock.start || access->time == WS_TIME_IN_FLIGHT || (access->who & WS_WHO_COPY) ||
            !ws_clock_orders(&judge->clock, issuer, ws_stamp_thread(judge, access), access->time) ||
            ws_proxy_is_fenced(check, access, issuer))
            continue;
        ws_judge_report(&check->judge, WS_RUN_PROXY_REUSE, visit, access, k < 0, judge->block);
        return;
    }
}

/* A copy completes on an object: is its init fenced off? */
static inline void ws_proxy_completes(ws_check *check, const ws_visit *visit) {
    const ws_judge *judge = &check->judge;
    uint32_t i;
    for (i = 0; i < check->num_objects; i++) {
        const ws_stamp *made = &check->objects[i].made;
        if (check->objects[i].offset != visit->address || made->time == 0 ||
            check->fences[ws_stamp_thread(judge, made)].init >= made->time ||
            ws_proxy_is_fenced(check, made, ws_stamp_thread(judge, &visit->stamp)))
            continue;
        ws_judge_report(&check->judge, WS_RUN_PROXY_OBJECT, visit, made, true, judge->block);
    }
}

#endif /* WS_BODIES */
#endif
