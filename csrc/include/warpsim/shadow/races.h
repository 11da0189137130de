/* Do two accesses of a place race, and what is said of them? */
#ifndef WARPSIM_SHADOW_RACES_H
#define WARPSIM_SHADOW_RACES_H

#include "sights.h"

/* Do the scopes of two strong accesses include each other's threads? */
static inline bool ws_judge_reach(const ws_judge *judge, const ws_visit *visit, const ws_stamp *before,
                                  uint32_t block) {
    const uint32_t a = judge->orders[ws_stamp_step(judge, &visit->stamp)] & WS_ORDER_SCOPE,
                   b = judge->orders[ws_stamp_step(judge, before)] & WS_ORDER_SCOPE, least = a < b ? a : b;
    if (block != judge->block) return least == WS_SCOPE_GPU;
    return least > WS_SCOPE_CTA || ws_stamp_rank(judge, &visit->stamp) == ws_stamp_rank(judge, before);
}

/* A plain load and an atomic access, and the load is only a guess. */
static inline bool ws_judge_is_guess(const ws_judge *judge, const ws_stamp *read, const ws_stamp *other) {
    return !(read->who & (WS_WHO_WRITES | WS_WHO_ATOMIC)) && (other->who & WS_WHO_ATOMIC) &&
           (judge->orders[ws_stamp_step(judge, read)] & WS_ORDER_GUESS);
}

/* Two reads need no order, nor do two atomics whose scopes include each other; but volatile accesses do: code of old relies on
 * lanes in step, and on reductions that no barrier ends. */
static inline bool ws_judge_is_race(ws_judge *judge, const ws_visit *visit, const ws_stamp *before, uint32_t block) {
    const uint32_t both = before->who & visit->stamp.who, warp = ws_stamp_thread(judge, before) / WS_LANES;
    if (!((before->who | visit->stamp.who) & WS_WHO_WRITES)) return false;
    if ((both & WS_WHO_ATOMIC) && ws_judge_reach(judge, visit, before, block) &&
        (!(both & WS_WHO_VOLATILE) || block != judge->block ||
         (visit->space != WS_AT_SHARED && warp != ws_stamp_thread(judge, &visit->stamp) / WS_LANES)))
        return false;
    return !ws_judge_orders(judge, visit, before, block) && !ws_sights_show(judge, visit, before, block);
}

static inline void ws_judge_race(ws_judge *judge, const ws_visit *visit, const ws_stamp *other, uint32_t block) {
    const uint32_t warp = ws_stamp_thread(judge, &visit->stamp) / WS_LANES,
                   other_warp = ws_stamp_thread(judge, other) / WS_LANES;
    const bool writes = (other->who & WS_WHO_WRITES) != 0;
    const uint32_t orders =
        judge->orders[ws_stamp_step(judge, &visit->stamp)] | judge->orders[ws_stamp_step(judge, other)];
    const bool is_bulk = (orders & WS_ORDER_BULK) != 0; /* whose lanes are in step with nobody */
    ws_kernel_rule rule = visit->space == WS_AT_SHARED ? WS_RUN_RACE : WS_RUN_ARRAY_RACE;
    if (warp == other_warp && judge->block == block && !is_bulk) rule = WS_RUN_WARP_RACE;
    else if (visit->stamp.who & other->who & WS_WHO_VOLATILE) rule = WS_RUN_VOLATILE;
    if (ws_judge_misses_fence(judge, visit, other, block)) rule = WS_RUN_UNACQUIRED;
    if (ws_judge_is_guess(judge, &visit->stamp, other) || ws_judge_is_guess(judge, other, &visit->stamp))
        rule = WS_RUN_GUESS;
    if (visit->is_write && writes && visit->changes_nothing) rule = WS_RUN_SAME_VALUE;
    if (other->time == WS_TIME_IN_FLIGHT) rule = WS_RUN_READING;
    if (block == judge->block && ws_judge_is_stored(visit, other)) rule = WS_RUN_IN_FLIGHT;
    ws_judge_report(judge, rule, visit, other, writes, block);
}

#endif
