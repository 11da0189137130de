/* Strong reads that may be stale: no race, but no order either, and something that was written later has been seen. */
#ifndef WARPSIM_SHADOW_SIGHTS_H
#define WARPSIM_SHADOW_SIGHTS_H

#include "judge.h"

/* Can any flag that the cluster has seen say something of that? Each lane of a load asks, and most flags say nothing of it. */
static inline bool ws_sights_may(ws_judge *judge, const ws_stamp *before, uint32_t block, bool is_own) {
    ws_sights *sights = &judge->sights;
    const uint32_t thread = ws_stamp_thread(judge, before), step = is_own ? 0 : ws_stamp_step(judge, before);
    const uint32_t warp = thread / WS_LANES;
    ws_seen *seen = &sights->seen[(warp * 2 + is_own + block) % WS_SEEN_KEPT];
    uint32_t at, left, i;
    if (seen->version == sights->version && seen->block == block && seen->warp == warp && seen->step == step &&
        seen->is_own == is_own)
        return ws_until_covers(&seen->until, before->time, thread);
    seen->version = sights->version;
    seen->block = block;
    seen->warp = warp;
    seen->step = step;
    seen->is_own = is_own;
    seen->until = ws_until_none();
    sights->walk++;
    for (at = 0; at < judge->clock.threads / WS_LANES; at++) {
        for (left = sights->lanes[at]; left != 0; left &= left - 1) {
            const uint32_t reader = at * WS_LANES + (uint32_t)ws_first_lane(left);
            const ws_sight *rows = &sights->rows[(size_t)reader * WS_SIGHTS_KEPT];
            for (i = 0; i < WS_SIGHTS_KEPT; i++) {
                if (rows[i].flag != 0) ws_sights_walk(sights, &judge->journal->flags, rows[i].flag, seen);
            }
        }
    }
    return ws_until_covers(&seen->until, before->time, thread);
}

/* The flag that the thread of a visit knows to have been set, and that was set after what `before` did; NULL: none. `is_own`:
 * what `before` itself wrote to the place of the visit. */
static inline const ws_flag *ws_sights_after(ws_judge *judge, const ws_visit *visit, const ws_stamp *before,
                                             uint32_t block, bool is_own) {
    const uint32_t thread = ws_stamp_thread(judge, &visit->stamp), other = ws_stamp_thread(judge, before);
    uint32_t warp, left, i;
    if (!ws_sights_may(judge, before, block, is_own)) return NULL;
    for (warp = 0; warp < judge->clock.threads / WS_LANES; warp++) {
        for (left = judge->sights.lanes[warp]; left != 0; left &= left - 1) {
            const uint32_t reader = warp * WS_LANES + (uint32_t)ws_first_lane(left);
            const ws_sight *rows = &judge->sights.rows[(size_t)reader * WS_SIGHTS_KEPT];
            for (i = 0; i < WS_SIGHTS_KEPT; i++) {
                const ws_flag *flag;
                if (rows[i].flag == 0 || (visit->address - rows[i].address < rows[i].nbytes) != is_own ||
                    !ws_clock_orders(&judge->clock, thread, reader, rows[i].time))
                    continue;
                flag = ws_flags_after(&judge->journal->flags, rows[i].flag, block, before->time, other, is_own);
                if (flag != NULL && (is_own || flag->step != ws_stamp_step(judge, before))) return flag;
            }
        }
    }
    return NULL;
}

/* Has a strong load that comes before a visit read there what `before` wrote? What is seen has happened, whatever fences are
 * missing for all else. */
static inline bool ws_sights_show(ws_judge *judge, const ws_visit *visit, const ws_stamp *before, uint32_t block) {
    bool shows;
    if (visit->space != WS_AT_GLOBAL || judge->journal == NULL || !(before->who & WS_WHO_WRITES)) return false;
    ws_lock(&judge->journal->lock);
    shows = ws_sights_after(judge, visit, before, block, true) != NULL;
    ws_unlock(&judge->journal->lock);
    return shows;
}

/* A strong load of what another warp has stored: which fence is missing? An atomic that reads the flag counts as one behind
 * it: reductions whose last block adds up rely on that, those of the CUDA guide, too. */
static inline void ws_sights_tell(ws_judge *judge, const ws_visit *visit, const ws_stamp *before, uint32_t block,
                                  uint32_t flag) {
    ws_kernel_rule rule = WS_RUN_ARRAY_RACE;
    if (ws_judge_misses_fence(judge, visit, before, block)) {
        rule = WS_RUN_UNACQUIRED;
        if (!(judge->orders[judge->via] & WS_ORDER_LOAD)) {
            judge->via = WS_FOUND_NO_STEP;
            judge->via_peer = false;
            return;
        }
    } else {
        judge->via = flag;
    }
    judge->is_seen = true;
    ws_judge_report(judge, rule, visit, before, true, block);
}

static inline void ws_sights_load(ws_judge *judge, const ws_visit *visit, const ws_stamp *before, uint32_t block) {
    const uint32_t other = ws_stamp_thread(judge, before), step = ws_stamp_step(judge, before);
    const ws_flag *flag;
    uint32_t seen = WS_FOUND_NO_STEP;
    if (visit->space != WS_AT_GLOBAL || !(judge->orders[ws_stamp_step(judge, &visit->stamp)] & WS_ORDER_LOAD) ||
        !(judge->orders[step] & WS_ORDER_STORE))
        return;
    if (block == judge->block && other / WS_LANES == ws_stamp_thread(judge, &visit->stamp) / WS_LANES) return;
    if (ws_judge_orders(judge, visit, before, block)) return;
    ws_lock(&judge->journal->lock);
    flag = ws_sights_after(judge, visit, before, block, false);
    if (flag != NULL) seen = flag->step;
    ws_unlock(&judge->journal->lock);
    if (seen != WS_FOUND_NO_STEP) ws_sights_tell(judge, visit, before, block, seen);
}

#endif
