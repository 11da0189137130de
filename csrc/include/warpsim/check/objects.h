/* mbarrier objects: they order who arrives before who sees that the phase has ended, and nothing but mbarrier
 * instructions may touch them from init to inval.
 *
 *     object, now      what was done before the arrivals of the phase that runs
 *     object, done     the same of phases that have ended: who waits acquires it */
#ifndef WARPSIM_CHECK_OBJECTS_H
#define WARPSIM_CHECK_OBJECTS_H

#include "bulk.h"
#include "cluster.h"

#if WS_BODIES

/* The object at an offset of shared memory, or NULL if there are too many. */
static inline ws_check_object *ws_objects_at(ws_check *check, uint32_t offset, uint32_t parity) {
    ws_check_object *object = check->objects;
    const ws_check_object *end = object + check->num_objects;
    while (object < end && object->offset != offset) object++;
    if (object < end) return object;
    if (check->num_objects == check->most_objects) {
        check->judge.clock.is_crowded = true;
        return NULL;
    }
    check->num_objects++;
    object->offset = offset;
    object->parity = parity;
    object->made.time = 0;
    return object;
}

static inline void ws_objects_report(ws_check *check, const ws_pass *pass, int lane, const ws_check_object *object) {
    ws_visit visit = ws_check_where(WS_AT_SHARED, pass->offset[lane], pass->nbytes);
    visit.stamp = ws_pass_stamp(&check->judge, pass, lane);
    visit.is_write = pass->is_write;
    ws_judge_report(&check->judge, WS_RUN_OBJECT, &visit, &object->made, true, check->judge.block);
}

/* What is no mbarrier instruction accesses shared memory: does it touch an object? */
static inline void ws_objects_touched(ws_check *check, const ws_pass *pass) {
    uint32_t i, left;
    for (i = 0; i < check->num_objects; i++) {
        const ws_check_object *object = &check->objects[i];
        for (left = object->made.time != 0 ? pass->mask : 0; left != 0; left &= left - 1) {
            const int lane = ws_first_lane(left);
            const uint32_t from = pass->offset[lane];
            if (from < object->offset + 8 && object->offset < from + pass->nbytes)
                ws_objects_report(check, pass, lane, object);
        }
    }
}

/* Bytes arrive: who waits for the object from now on knows of them. */
static inline void ws_objects_land(ws_check *check, uint32_t number, ws_awaited *awaited) {
    ws_clock *clock = &check->judge.clock;
    clock->released = ++clock->now;
    ws_shadow_land(&check->judge, &check->shared, awaited->offset, awaited->nbytes);
    ws_clock_open(clock, number, awaited->thread / WS_LANES)[awaited->thread % WS_LANES] = clock->now;
    awaited->object = WS_NO_INDEX;
}

/* All bytes that belong to the phase of an object that has ended; `now`: its row. */
static inline void ws_objects_land_all(ws_check *check, uint32_t offset, uint32_t parity, uint32_t now) {
    uint32_t i, at = check->first_awaited;
    for (i = 0; i < check->num_awaited; i++, at = at + 1 < check->most_awaited ? at + 1 : 0) {
        if (check->awaited[at].object == offset && check->awaited[at].parity == parity)
            ws_objects_land(check, now, &check->awaited[at]);
    }
    while (check->num_awaited > 0 && check->awaited[check->first_awaited].object == WS_NO_INDEX) {
        check->first_awaited = check->first_awaited + 1 < check->most_awaited ? check->first_awaited + 1 : 0;
        check->num_awaited--;
    }
}

/* Threads wait for their own copies, all or those of all but their `kept` latest groups: objects still count them. */
static inline void ws_objects_land_own(ws_check *check, const ws_warp *warp, uint32_t mask, uint32_t kept, bool open) {
    uint32_t i, at = check->first_awaited;
    for (i = 0; i < check->num_awaited; i++, at = at + 1 < check->most_awaited ? at + 1 : 0) {
        const ws_awaited *one = &check->awaited[at];
        const uint32_t lane = one->thread % WS_LANES;
        if (one->is_copy && one->object != WS_NO_INDEX && one->thread / WS_LANES == warp->place && (mask >> lane & 1) &&
            (open || warp->commits[lane] - one->group > kept))
            ws_shadow_land(&check->judge, &check->shared, one->offset, one->nbytes);
    }
}

/* The row of the phase that runs. Of an object that is one too many all phases are one. */
static inline uint32_t ws_objects_row(ws_check *check, const ws_check_object *object, uint32_t offset) {
    return ws_clock_object(&check->judge.clock, WS_KEY_OBJECT(offset, object == NULL));
}

/* Bytes are under way; where there is no room for them they have arrived. */
static inline void ws_objects_await(ws_check *check, const ws_awaited *one) {
    const ws_check_object *object = ws_objects_at(check, one->object, one->parity);
    ws_awaited landed = *one;
    if (object == NULL || check->num_awaited == check->most_awaited) {
        ws_objects_land(check, ws_objects_row(check, object, one->object), &landed);
        return;
    }
    check->awaited[(check->first_awaited + check->num_awaited++) % check->most_awaited] = *one;
}

/* The phase of an object may have ended since it was last seen. */
static inline void ws_objects_see(ws_check *check, ws_check_object *object, uint64_t word) {
    const uint32_t parity = ws_mbarrier_of(word).parity;
    ws_clock *clock = &check->judge.clock;
    uint32_t now;
    if (object == NULL || object->parity == parity || !ws_mbarrier_is_made(word)) return;
    now = ws_objects_row(check, object, object->offset);
    ws_objects_land_all(check, object->offset, object->parity, now);
    ws_clock_join(clock, ws_clock_object(clock, WS_KEY_OBJECT(object->offset, 1)), now);
    ws_clock_forget(clock, now);
    object->parity = parity;
}

/* Is what a thread asked ordered before a visit, as far as some lane of its warp is? One that has left speaks for all. */
static inline bool ws_objects_is_over(const ws_check *check, const ws_visit *visit, uint32_t thread, uint32_t time) {
    const uint32_t first = thread / WS_LANES * WS_LANES, by = ws_stamp_thread(&check->judge, &visit->stamp);
    uint32_t i;
    for (i = first; i < first + WS_LANES; i++) {
        if (ws_clock_orders(&check->judge.clock, by, i, time)) return true;
    }
    return false;
}

/* inval: what threads that are not ordered before it have asked the object races with it. */
static inline void ws_objects_end(ws_check *check, const ws_pass *pass, int lane, uint32_t offset) {
    ws_judge *judge = &check->judge;
    ws_visit visit = ws_check_where(WS_AT_SHARED, offset, pass->nbytes);
    uint32_t i;
    visit.stamp = ws_pass_stamp(judge, pass, lane);
    visit.is_write = true;
    for (i = 0; i < judge->clock.threads; i++) {
        const ws_tested *tested = &check->tested[i];
        if (tested->stamp.time == 0 || tested->offset != offset ||
            ws_objects_is_over(check, &visit, i, tested->stamp.time))
            continue;
        ws_judge_report(judge, WS_RUN_RACE, &visit, &tested->stamp, false, judge->block);
        return;
    }
}

/* init, of memory that holds no object; or inval. */
static inline void ws_objects_make(ws_check *check, const ws_pass *pass, int lane, ws_check_object *object,
                                   bool begins) {
    const ws_stamp stamp = ws_pass_stamp(&check->judge, pass, lane);
    if (object == NULL) return;
    if (begins && object->made.time != 0 &&
        ws_clock_orders(&check->judge.clock, ws_stamp_thread(&check->judge, &stamp),
                        ws_stamp_thread(&check->judge, &object->made), object->made.time))
        ws_objects_report(check, pass, lane, object); /* in no order: a race, which the shadow tells */
    object->made = stamp;
    if (!begins) object->made.time = 0;
}

/* The parity of the phase that a lane waits for. */
static inline uint32_t ws_objects_phase(const ws_checked *checked, const ws_lanes *lanes, const ws_step *step,
                                        int lane) {
    const uint32_t *row = ws_row(lanes, step->s[WS_S_PHASE]);
    return checked->event == WS_EVENT_OBJECT_TEST ? row[lane + WS_LANES] >> 31 : row[lane] & 1;
}

/* What a step does to its object, as ws_mbarrier_after has it. */
static inline uint32_t ws_objects_does(const ws_block *block, uint32_t number) {
    switch (block->program->meant[number].meaning) {
        case WS_DO_MBARRIER_ARRIVE:
        case WS_DO_CP_ARRIVE_NOINC: return WS_MBARRIER_ARRIVES;
        case WS_DO_MBARRIER_ARRIVE_TX: return WS_MBARRIER_ARRIVES | WS_MBARRIER_EXPECTS;
        case WS_DO_MBARRIER_DROP: return WS_MBARRIER_ARRIVES | WS_MBARRIER_DROPS;
        case WS_DO_MBARRIER_DROP_TX: return WS_MBARRIER_ARRIVES | WS_MBARRIER_DROPS | WS_MBARRIER_EXPECTS;
        case WS_DO_MBARRIER_EXPECT_TX: return WS_MBARRIER_EXPECTS;
        case WS_DO_MBARRIER_COMPLETE_TX: return WS_MBARRIER_RECEIVES;
        default: return 0;
    }
}

/* The word of a lane's object when the lane comes to it. Lanes arrive one after the other: an earlier one of the same
 * instruction may have ended the phase, and the later ones arrive in the next. */
static inline uint64_t ws_objects_word(ws_lanes *lanes, const ws_step *step, uint32_t number, const ws_pass *pass,
                                       int lane) {
    const uint32_t does = ws_objects_does(ws_block_of(lanes), number), offset = pass->offset[lane];
    const uint32_t *counts = step->s[WS_S_COUNT] == WS_NONE ? NULL : ws_row(lanes, step->s[WS_S_COUNT]);
    uint64_t word = ws_load_u64(pass->memory + offset);
    uint32_t before = pass->mask & ((UINT32_C(1) << lane) - 1);
    if (does == 0 || (counts == NULL && ws_mbarrier_of(word).pending >= (uint32_t)ws_lane_count(pass->mask)))
        return word;
    for (; before != 0; before &= before - 1) {
        const int one = ws_first_lane(before);
        if (pass->offset[one] == offset) word = ws_mbarrier_after(word, does, counts != NULL ? counts[one] : 1);
    }
    return word;
}

/* mbarrier instructions: lanes of the pass. */
static inline void ws_objects_step(ws_check *check, ws_lanes *lanes, const ws_step *step, uint32_t number,
                                   const ws_pass *pass) {
    const ws_warp *warp = ws_warp_of(lanes);
    const ws_checked *checked = &check->steps[number];
    ws_clock *clock = &check->judge.clock;
    uint32_t left;
    for (left = pass->mask; left != 0; left &= left - 1) {
        const int lane = ws_first_lane(left);
        const uint32_t bit = UINT32_C(1) << lane, offset = pass->offset[lane];
        uint64_t word = ws_objects_word(lanes, step, number, pass, lane);
        uint32_t parity = ws_mbarrier_of(word).parity;
        ws_check_object *object = ws_objects_at(check, offset, parity);
        const uint32_t now = ws_objects_row(check, object, offset);
        if (checked->is_wait && warp->block->bulks.count != 0 &&
            offset - ws_check_own(check, warp->block) < warp->block->launch->shared_bytes) {
            ws_objects_see(check, object, word);
            word = ws_bulk_word(check, warp, offset, ws_objects_phase(checked, lanes, step, lane), now);
            parity = ws_mbarrier_of(word).parity;
        }
        ws_objects_see(check, object, word);
        if (checked->is_init) {
            ws_objects_make(check, pass, lane, object, !checked->is_atomic);
            if (checked->is_atomic) ws_objects_end(check, pass, lane, offset);
            check->fences[pass->place * WS_LANES + (uint32_t)lane].made = clock->now;
        } else if (checked->is_wait) {
            ws_tested *tested = &check->tested[warp->place * WS_LANES + (uint32_t)lane];
            tested->stamp = ws_pass_stamp(&check->judge, pass, lane);
            tested->offset = offset;
            if (parity != ws_objects_phase(checked, lanes, step, lane))
                ws_clock_acquire(clock, ws_clock_object(clock, WS_KEY_OBJECT(offset, 1)), warp->place, bit);
        } else {
            ws_meeting_release(check, now, warp->place, bit, !checked->releases);
        }
    }
}

#endif /* WS_BODIES */
#endif
