/* mbarrier objects: they order who arrives before who sees that the phase has ended, and nothing but mbarrier
 * instructions may touch them from init to inval.
 *
 *     object, now      what was done before the arrivals of the phase that runs
 *     object, done     the same of phases that have ended: who waits acquires it */
#ifndef WARPSIM_CHECK_OBJECTS_H
#define WARPSIM_CHECK_OBJECTS_H

#include "state.h"

#if WS_BODIES

#define WS_KEY_OBJECT(offset, is_done) (UINT64_C(2) << 60 | (uint64_t)(offset) << 1 | (uint64_t)(is_done))

/* The object at an offset of shared memory, or NULL if there are too many. */
static inline ws_check_object *ws_objects_at(ws_check *check, uint32_t offset, uint32_t parity) {
    ws_check_object *object = check->objects;
    const ws_check_object *end = object + check->num_objects;
    while (object < end && object->offset != offset) object++;
    if (object < end) return object;
    if (check->num_objects == WS_CHECK_OBJECTS) return NULL;
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
    ws_judge_report(&check->judge, WS_FOUND_OBJECT, &visit, &object->made, true, check->judge.block);
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

/* The phase of an object may have ended since it was last seen. */
static inline void ws_objects_see(ws_check *check, ws_check_object *object, uint64_t word) {
    const uint32_t parity = ws_mbarrier_of(word).parity;
    ws_clock *clock = &check->judge.clock;
    uint32_t now;
    if (object->parity == parity || !ws_mbarrier_is_made(word)) return;
    now = ws_clock_object(clock, WS_KEY_OBJECT(object->offset, 0));
    ws_clock_join(clock, ws_clock_object(clock, WS_KEY_OBJECT(object->offset, 1)), now);
    clock->rows[now].warps = 0;
    object->parity = parity;
}

/* init, of memory that holds no object; or inval. */
static inline void ws_objects_make(ws_check *check, const ws_pass *pass, int lane, ws_check_object *object,
                                   bool begins) {
    const ws_stamp stamp = ws_pass_stamp(&check->judge, pass, lane);
    if (begins && object->made.time != 0 &&
        ws_clock_orders(&check->judge.clock, ws_stamp_thread(&stamp), ws_stamp_thread(&object->made),
                        object->made.time))
        ws_objects_report(check, pass, lane, object); /* in no order: a race, which the shadow tells */
    object->made = stamp;
    if (!begins) object->made.time = 0;
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
        const uint64_t word = ws_load_u64(warp->block->shared + offset);
        const uint32_t parity = ws_mbarrier_of(word).parity;
        ws_check_object *object = ws_objects_at(check, offset, parity);
        if (object == NULL) return;
        ws_objects_see(check, object, word);
        if (checked->is_init) {
            ws_objects_make(check, pass, lane, object, !checked->is_atomic);
        } else if (checked->is_wait) {
            const uint32_t *row = ws_row(lanes, step->s[1]);
            const uint32_t phase = checked->at == 0 ? row[lane + WS_LANES] >> 31 : row[lane] & 1;
            if (parity != phase)
                ws_clock_acquire(clock, ws_clock_object(clock, WS_KEY_OBJECT(offset, 1)), warp->number, bit);
        } else {
            ws_clock_release(clock, ws_clock_object(clock, WS_KEY_OBJECT(offset, 0)), warp->number, bit, clock->now);
        }
    }
}

#endif /* WS_BODIES */
#endif
