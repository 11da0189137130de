/* How to order all races in shared memory: as few barriers as there can be.
 *
 * Each race wants a barrier between its statements; the first to end takes along all that have begun before. Where there is
 * a barrier already, it wants one after the later, before a loop comes to the earlier again. */
#ifndef WARPSIM_FINDING_REPAIRS_H
#define WARPSIM_FINDING_REPAIRS_H

#include "../place/polls.h"
#include "repair.h"

/* Statements that are looked at for one launch, a few seconds of work. Beyond the first a row that only flags and lost updates
 * would leave out or rename is told as it was found; beyond the second the rule's sentence is given. */
enum {
    WS_TOLD_EFFORT = 2000000000, /* for which rows are told */
    WS_REMEDY_EFFORT = 300000000 /* for what repairs them, and then again for their sentences */
};

/* The row of the same pair that comes first in the list; the pair wants what the widest of its rows wants. */
static inline uint32_t ws_repair_pair(const ws_told *told, uint32_t at) {
    uint32_t first = at, i;
    for (i = at; i-- > 0 && told->rows[i].step == told->rows[at].step && told->rows[i].other == told->rows[at].other;) {
        if (ws_repair_may(&told->rows[i])) first = i;
    }
    return first;
}

/* The pair that ends first of those that are left; `count`: none. */
static inline uint32_t ws_repair_next(const ws_repair_span *spans, uint32_t count) {
    uint32_t found = count, i;
    for (i = 0; i < count; i++) {
        if (!spans[i].is_done && (found == count || spans[i].high < spans[found].high)) found = i;
    }
    return found;
}

/* Does a barrier that repairs one pair do so for another, too? */
static inline bool ws_repair_joins(const ws_repair_span *one, const ws_repair_span *other) {
    return !other->is_done && other->low < one->high && other->in_loop == one->in_loop;
}

/* One barrier for all races that have begun before the first of them ends: after the latest that begins, before the earliest
 * that ends, in the source where that is known. */
static inline ws_repair ws_repair_common(const ws_told *told, const ws_repair_span *spans, uint32_t first) {
    const ws_module *module = told->module;
    ws_repair all;
    uint32_t i;
    all.pairs = 0;
    all.after = all.before = WS_NO_INDEX;
    all.kind = WS_REPAIR_KINDS;
    all.in_loop = spans[first].in_loop;
    for (i = 0; i < told->count; i++) {
        const ws_repair_span *span = &spans[i];
        const uint32_t after = all.in_loop ? span->high : span->low, before = all.in_loop ? span->low : span->high;
        if (!ws_repair_joins(&spans[first], span)) continue;
        if (all.after == WS_NO_INDEX || ws_source_is_later(module, after, all.after)) all.after = after;
        if (all.before == WS_NO_INDEX || ws_source_is_later(module, all.before, before)) all.before = before;
        all.kind = span->kind < all.kind ? span->kind : all.kind;
        all.pairs += told->first[i] == i;
    }
    return all;
}

/* Can the common barrier stand at one place of the source? */
static inline bool ws_repair_holds(const ws_told *told, const ws_paths *paths, const uint8_t *came, ws_repair *all) {
    all->place = ws_repair_place_of(paths, came, all->kind, all->after, all->before);
    return all->place != WS_PLACE_NOWHERE &&
           (all->in_loop || ws_source_compare(told->module, all->after, all->before) <= 0);
}

/* The repair of the pair that ends first, and of those that it serves, too. */
static inline void ws_repair_take(const ws_told *told, const ws_paths *paths, const uint8_t *came,
                                  ws_repair_span *spans, ws_repair *repairs, uint32_t first) {
    const ws_repair_span own = spans[first];
    ws_repair all = ws_repair_common(told, spans, first);
    const bool is_common = all.pairs > 1 && ws_repair_holds(told, paths, came, &all);
    uint32_t i;
    if (!is_common) {
        all.pairs = 1;
        all.after = own.in_loop ? own.high : own.low;
        all.before = own.in_loop ? own.low : own.high;
        all.kind = own.kind;
    }
    for (i = 0; i < told->count; i++) {
        if (i != first && (!is_common || !ws_repair_joins(&own, &spans[i]))) continue;
        spans[i].is_done = true;
        repairs[i].pairs = all.pairs;
        repairs[i].after = all.after;
        repairs[i].before = all.before;
        repairs[i].kind = all.kind;
        repairs[i].in_loop = all.in_loop;
        repairs[i].is_known = !ws_effort_is_spent(paths->effort);
        if (is_common) repairs[i].place = all.place;
    }
}

static inline ws_repair ws_repair_none(void) {
    ws_repair none;
    none.pairs = none.after = none.before = 0;
    none.kind = 0;
    none.stands = none.copy = none.gap = none.early = none.object = none.barriers[0] = none.barriers[1] = WS_NO_INDEX;
    none.arrives = none.weak = none.strong = none.waits[0] = none.waits[1] = WS_NO_INDEX;
    none.in_loop = none.onward = none.again = none.back = none.overtakes = none.awaited = none.stores = none.parts =
        none.skips = none.alone = false;
    none.place = WS_PLACE_BETWEEN;
    none.lacks.kind = WS_LACKS_UNKNOWN;
    none.lacks.flag = none.lacks.read = WS_NO_INDEX;
    none.lacks.meets = none.lacks.known = none.lacks.of_some = false;
    none.via.all = true;
    none.via.fence = none.via.meets = none.gives = none.through = false;
    none.is_known = true;
    return none;
}

/* The statements of each race, and whom its barrier must order. */
static inline void ws_repairs_begin(const ws_told *told, ws_repair_span *spans, ws_repair *repairs) {
    uint32_t i, at;
    for (i = 0; i < told->count; i++) {
        const ws_found *row = &told->rows[i];
        ws_repair_span *span = &spans[i];
        repairs[i] = ws_repair_none();
        repairs[i].stores = ws_repair_stores(told, row);
        span->low = row->step < row->other ? row->step : row->other;
        span->high = row->step < row->other ? row->other : row->step;
        span->kind = (uint8_t)ws_repair_kind_of(row);
        span->in_loop = false;
        span->is_done = !ws_repair_may(row) || ws_repair_pair(told, i) != i;
        if (!ws_repair_may(row)) continue;
        at = ws_repair_pair(told, i);
        if (span->kind < spans[at].kind) spans[at].kind = span->kind;
    }
}

/* Are two barriers copies of one in the source, and do all threads execute all that the kernel has? */
static inline bool ws_repairs_are_one(const ws_told *told, const ws_kernel *program, const uint8_t *came,
                                      const ws_repair *repair) {
    uint32_t i;
    for (i = 0; i < program->num_steps; i++) {
        if (program->meant[i].event == WS_EVENT_BARRIER && !(came[i] & WS_CAME_BLOCK)) return false;
    }
    return ws_told_is_one_line(told->module, repair->barriers[0], repair->barriers[1]);
}

/* What is known of one row by itself. */
static inline void ws_repairs_look(const ws_told *told, const ws_paths *paths, const uint8_t *came, uint32_t at,
                                   ws_repair_span *span, ws_repair *repair) {
    const ws_found *row = &told->rows[at];
    const bool has_other = row->other != WS_FOUND_NO_STEP, is_pair = ws_told_is_race(row->rule) && has_other;
    const uint32_t lines[2] = {row->step, row->other};
    if (is_pair || ((row->rule == WS_RUN_READING || row->rule == WS_RUN_PROXY) && has_other))
        ws_repair_copy(paths, came, row, repair);
    span->is_done |= repair->gap != WS_NO_INDEX;
    if (repair->gap != WS_NO_INDEX) return;
    if (is_pair && row->rule == WS_RUN_RACE && row->block == row->other_block)
        repair->parts =
            ws_paths_part(paths, lines, repair->barriers) && !ws_repairs_are_one(told, paths->program, came, repair);
    if (repair->parts) span->is_done = true;
    if (!is_pair) return;
    if (!ws_repair_fits(paths, told->module, span, repair)) span->is_done = true;
    if (repair->stands != WS_NO_INDEX && !repair->again) {
        const uint32_t here = ws_alone_arrives(paths, repair->stands, row->step, row->other);
        repair->arrives = here != WS_NO_INDEX ? here : ws_alone_arrives(paths, repair->stands, row->other, row->step);
    }
    ws_repair_object(paths, came, row, span, repair);
    if (!repair->onward && !repair->again) {
        repair->waits[0] = ws_repair_wait(paths, row->step);
        repair->waits[1] = ws_repair_wait(paths, row->other);
    }
    ws_repair_put(paths, came, span, repair);
    repair->gives =
        ws_lacks_write_of(NULL, paths, came, row->is_write ? row->step : row->other, 0, false) != WS_NO_INDEX;
    repair->lacks = ws_lacks_of(told->module, paths, came, row);
    if (row->via != WS_FOUND_NO_STEP) repair->via = ws_lacks_after_via(paths, came, row);
}

/* Does a row tell of a plain store of what threads of the kernel wait for: poll it, or take a lock with it before? */
static inline bool ws_repair_is_weak(const ws_told *told, const ws_kernel *program, const ws_found *row,
                                     ws_repair *repair) {
    uint32_t side;
    if (!ws_told_is_race(row->rule) || row->other == WS_FOUND_NO_STEP || row->is_copy || row->other_is_copy)
        return false;
    for (side = 0; side < 2; side++) {
        const uint32_t store = side == 0 ? row->step : row->other, strong = side == 0 ? row->other : row->step;
        const ws_meant *one = ws_kernel_meant(program, store), *other = ws_kernel_meant(program, strong);
        const bool locks = (other->event == WS_EVENT_SWAP || other->event == WS_EVENT_EXCHANGE) && strong < store;
        if (one->event != WS_EVENT_STORE || one->said.is_strong || store == strong) continue;
        if (!locks && (other->event != WS_EVENT_LOAD || !other->said.is_strong || !ws_polls(told->module, strong)))
            continue;
        repair->weak = store;
        repair->strong = strong;
        return true;
    }
    return false;
}

/* Does a thread come from an access to a plain store, and one that has waited for that to another access? */
static inline bool ws_repair_passes(const ws_paths *paths, uint32_t from, const ws_repair *by, uint32_t to) {
    return (from == by->weak || ws_paths_lead(paths, from, by->weak)) &&
           (to == by->strong || ws_paths_lead(paths, by->strong, to));
}

/* The plain store, if any, that each race hangs on. */
static inline void ws_repairs_look_for_weak(const ws_told *told, const ws_paths *paths, ws_repair *repairs) {
    uint32_t i, k, first = told->count;
    for (i = 0; i < told->count && !ws_effort_is_spent(paths->effort); i++) {
        if (ws_repair_is_weak(told, paths->program, &told->rows[i], &repairs[i]) && first == told->count) first = i;
    }
    for (i = 0; i < told->count; i++) {
        const ws_found *row = &told->rows[i];
        uint32_t last = WS_NO_INDEX;
        if (!ws_told_is_race(row->rule) || row->other == WS_FOUND_NO_STEP) continue;
        for (k = first; k < told->count && repairs[i].weak == WS_NO_INDEX && !ws_effort_is_spent(paths->effort); k++) {
            if (repairs[k].weak == WS_NO_INDEX || repairs[k].weak == last) continue;
            last = repairs[k].weak;
            if (!ws_repair_passes(paths, row->step, &repairs[k], row->other) &&
                !ws_repair_passes(paths, row->other, &repairs[k], row->step))
                continue;
            repairs[i].weak = repairs[k].weak;
            repairs[i].strong = repairs[k].strong;
        }
    }
}

/* A repair for each row of what is told; NULL if the arena is too small. */
WS_ONCE ws_repair *ws_repairs_make(const ws_told *told, const ws_kernel *program, const ws_ran *ran, ws_arena *arena) {
    ws_repair *repairs = (ws_repair *)ws_arena_take(arena, told->count, sizeof(ws_repair));
    ws_repair_span *spans = (ws_repair_span *)ws_arena_take(arena, told->count, sizeof(ws_repair_span));
    const ws_paths paths = ws_paths_make(program, told->module->effort, arena);
    uint8_t *came = ws_came_make(program, ran, arena);
    uint32_t i, at;
    if (came == NULL) return NULL;
    ws_came_settle(&paths, ran, came);
    ws_repairs_begin(told, spans, repairs);
    for (i = 0; i < told->count; i++) {
        if (!ws_effort_is_spent(paths.effort)) ws_repairs_look(told, &paths, came, i, &spans[i], &repairs[i]);
        if (!ws_effort_is_spent(paths.effort)) continue;
        repairs[i].is_known = false;
        spans[i].is_done = true;
    }
    while ((at = ws_repair_next(spans, told->count)) < told->count)
        ws_repair_take(told, &paths, came, spans, repairs, at);
    for (i = 0; i < told->count; i++) {
        if (ws_repair_may(&told->rows[i]) && !repairs[i].parts)
            repairs[i] = repairs[ws_repair_pair(told, i)]; /* the pair's own */
    }
    ws_repairs_look_for_weak(told, &paths, repairs);
    return repairs;
}

#endif
