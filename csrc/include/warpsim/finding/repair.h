/* How to order races in shared memory between two statements: as few barriers as there can be.
 *
 * Each race wants a barrier between its statements; the first to end takes along all that have begun before. Where there is
 * a barrier already, it wants one after the later, before a loop comes to the earlier again. */
#ifndef WARPSIM_FINDING_REPAIR_H
#define WARPSIM_FINDING_REPAIR_H

#include "paths.h"
#include "told.h"

/* Whom a barrier must order. */
typedef enum ws_repair_kind { WS_REPAIR_CLUSTER, WS_REPAIR_BLOCK, WS_REPAIR_WARP, WS_REPAIR_KINDS } ws_repair_kind;

/* One barrier that orders several pairs of accesses: after a statement and before another, or the next round's. */
typedef struct ws_repair {
    uint32_t pairs; /* 0: no barrier repairs it */
    uint32_t after, before;
    uint32_t stands; /* a statement that orders something, between the two in the text; WS_NO_INDEX: none */
    uint8_t kind;    /* ws_repair_kind */
    bool in_loop;    /* what is missing is one between two rounds */
    bool onward;     /* the statement that comes first in the text leads to the other */
    bool again;      /* and that one back: both lie in a loop */
    uint32_t copy;   /* of the two, the one that is under way; WS_NO_INDEX: none */
    uint32_t early;  /* a wait that a copy comes to before its group is committed; WS_NO_INDEX: none */
    bool overtakes;  /* the copy comes after the access with no barrier on the way, and not before it without a wait */
    bool awaited;    /* a wait stands on each way from the copy to the access */
    bool stores;     /* several threads make the store of the two */
    bool parts;      /* threads of the two lines come to different barriers next, which meet: */
    uint32_t barriers[2];
} ws_repair;

#define WS_REPAIR_COMMITS (WS_EVENT_BIT(WS_EVENT_COPY_COMMIT) | WS_EVENT_BIT(WS_EVENT_BULK_COMMIT))
#define WS_REPAIR_GROUPS                                                                                               \
    (WS_EVENT_BIT(WS_EVENT_COPY_WAIT) | WS_EVENT_BIT(WS_EVENT_COPY_WAIT_ALL) | WS_EVENT_BIT(WS_EVENT_BULK_WAIT))
#define WS_REPAIR_OBJECTS (WS_EVENT_BIT(WS_EVENT_OBJECT_TEST) | WS_EVENT_BIT(WS_EVENT_OBJECT_TEST_PARITY))
#define WS_REPAIR_BARRIERS (WS_EVENT_BIT(WS_EVENT_BARRIER) | WS_EVENT_BIT(WS_EVENT_CLUSTER_WAIT) | WS_REPAIR_OBJECTS)

/* The statements of a race, and what it wants. */
typedef struct ws_repair_span {
    uint32_t low, high;
    uint8_t kind;
    bool in_loop, is_done;
} ws_repair_span;

static inline ws_repair_kind ws_repair_kind_of(const ws_found *found) {
    if (found->rule == WS_RUN_WARP_RACE) return WS_REPAIR_WARP;
    return found->block != found->other_block ? WS_REPAIR_CLUSTER : WS_REPAIR_BLOCK;
}

/* A race in shared memory, of two statements, that a barrier alone may repair. */
static inline bool ws_repair_may(const ws_found *found) {
    return (found->rule == WS_RUN_RACE || found->rule == WS_RUN_WARP_RACE) && !found->is_copy &&
           !found->other_is_copy && found->step != found->other;
}

static inline bool ws_repair_is_barrier(int event, int kind) {
    if (event == WS_EVENT_CLUSTER_WAIT) return true;
    if (kind == WS_REPAIR_CLUSTER) return false;
    return event == WS_EVENT_BARRIER || event == WS_EVENT_BARRIER_ARRIVE || event == WS_EVENT_CLUSTER_ARRIVE ||
           (event == WS_EVENT_WARP_BARRIER && kind == WS_REPAIR_WARP);
}

/* The latest such barrier after one statement and before the other; WS_NO_INDEX: none. */
static inline uint32_t ws_repair_stands(const ws_kernel *program, const ws_repair_span *span) {
    uint32_t found = WS_NO_INDEX, i;
    for (i = 0; i < program->num_steps; i++) {
        const uint32_t statement = program->steps[i].statement;
        if (statement > span->low && statement < span->high &&
            ws_repair_is_barrier(program->meant[i].event, span->kind))
            found = statement;
    }
    return found;
}

/* Does a thread come from one statement to another, or to others of its line? Who has stored a value need not load it, and
 * compilers make copies of branches. */
static inline bool ws_repair_leads(const ws_paths *paths, const ws_module *module, uint32_t from, uint32_t to) {
    const bool is_one = ws_told_is_one_line(module, from, to);
    uint32_t i;
    if (ws_paths_lead(paths, from, to)) return true;
    for (i = 0; i < paths->program->num_steps; i++) { /* all that it leads to is marked */
        const uint32_t statement = paths->program->steps[i].statement;
        if (paths->marks[i] != 0 && (!is_one || paths->program->meant[i].event != WS_EVENT_NONE) &&
            ws_told_is_one_line(module, statement, to))
            return true;
    }
    return false;
}

/* Does a store write the register that a load of others fills? Then its thread comes to the load, too, and has its value. */
static inline bool ws_repair_forwards(const ws_module *module, uint32_t store, uint32_t load) {
    const ws_item *from = ws_guess_item(module, &module->statements[store], 1),
                  *to = ws_guess_item(module, &module->statements[load], 0);
    return from != NULL && to != NULL && from->kind == WS_ITEM_REGISTER && to->kind == WS_ITEM_REGISTER &&
           from->index == to->index;
}

/* Where a barrier can stand; false: nowhere between the two, or one stands there and does not order them. */
static inline bool ws_repair_fits(const ws_paths *paths, const ws_module *module, ws_repair_span *span,
                                  ws_repair *repair) {
    repair->onward = ws_repair_leads(paths, module, span->low, span->high) ||
                     ws_repair_forwards(module, span->low, span->high) ||
                     ws_repair_forwards(module, span->high, span->low);
    repair->again = ws_repair_leads(paths, module, span->high, span->low);
    repair->stands = ws_repair_stands(paths->program, span);
    if (repair->stands != WS_NO_INDEX && span->kind == WS_REPAIR_BLOCK &&
        ws_paths_lead_past(paths, span->low, span->high, WS_REPAIR_BARRIERS))
        repair->stands = WS_NO_INDEX; /* a way leads past it */
    span->in_loop = repair->again && (repair->stands != WS_NO_INDEX || !repair->onward);
    return repair->again || (repair->onward && repair->stands == WS_NO_INDEX);
}

/* Is a statement a copy that goes on while its threads do? */
static inline bool ws_repair_is_copy(const ws_kernel *program, uint32_t statement) {
    const uint64_t copies = WS_EVENT_BIT(WS_EVENT_COPY) | WS_EVENT_BIT(WS_EVENT_BULK) |
                            WS_EVENT_BIT(WS_EVENT_ASYNC_STORE) | WS_EVENT_BIT(WS_EVENT_ASYNC_REDUCE) |
                            WS_EVENT_BIT(WS_EVENT_ASYNC_CANCEL);
    uint32_t i;
    for (i = 0; i < program->num_steps; i++) {
        if (program->steps[i].statement == statement && (copies >> program->meant[i].event & 1)) return true;
    }
    return false;
}

/* Of a copy and an access that meets it. */
static inline void ws_repair_copy(const ws_paths *paths, const ws_found *found, ws_repair *repair) {
    const bool is_first = ws_repair_is_copy(paths->program, found->step);
    const uint32_t copy = is_first ? found->step : found->other, access = is_first ? found->other : found->step;
    if (!is_first && !ws_repair_is_copy(paths->program, found->other)) return;
    repair->copy = copy;
    repair->early =
        ws_paths_meet(paths, copy, access, WS_REPAIR_GROUPS & ~WS_EVENT_BIT(WS_EVENT_COPY_WAIT_ALL), WS_REPAIR_COMMITS);
    repair->awaited = !ws_paths_lead_past(paths, copy, access, WS_REPAIR_GROUPS | WS_REPAIR_OBJECTS);
    repair->overtakes = repair->awaited && ws_paths_lead_past(paths, access, copy, WS_REPAIR_BARRIERS);
}

/* Do several threads make the store of a row? Then it has met itself. */
static inline bool ws_repair_stores(const ws_told *told, const ws_found *row) {
    const uint32_t store = row->is_write ? row->step : row->other;
    uint32_t i;
    for (i = 0; i < told->count; i++) {
        const ws_found *one = &told->rows[i];
        const bool meets = one->is_write && one->other_is_write && one->other != WS_FOUND_NO_STEP;
        if (meets && store != WS_FOUND_NO_STEP && ws_told_is_one_line(told->module, one->step, store) &&
            ws_told_is_one_line(told->module, one->other, store))
            return true;
    }
    return false;
}

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

/* One barrier for all races that have begun before the first of them ends. */
static inline void ws_repair_take(const ws_told *told, ws_repair_span *spans, ws_repair *repairs, uint32_t first) {
    const uint32_t high = spans[first].high;
    const bool in_loop = spans[first].in_loop;
    const uint32_t count = told->count;
    uint32_t highs[2] = {UINT32_MAX, 0}, lows[2] = {UINT32_MAX, 0}, pairs = 0, i; /* least and most */
    uint8_t kind = WS_REPAIR_KINDS;
    for (i = 0; i < count; i++) {
        const ws_repair_span *span = &spans[i];
        if (span->is_done || span->low >= high || span->in_loop != in_loop) continue;
        highs[0] = span->high < highs[0] ? span->high : highs[0];
        highs[1] = span->high > highs[1] ? span->high : highs[1];
        lows[0] = span->low < lows[0] ? span->low : lows[0];
        lows[1] = span->low > lows[1] ? span->low : lows[1];
        kind = span->kind < kind ? span->kind : kind;
        pairs += told->first[i] == i;
    }
    for (i = 0; i < count; i++) {
        if (spans[i].is_done || spans[i].low >= high || spans[i].in_loop != in_loop) continue;
        spans[i].is_done = true;
        repairs[i].pairs = pairs;
        repairs[i].after = in_loop ? highs[1] : lows[1];
        repairs[i].before = in_loop ? lows[0] : highs[0];
        repairs[i].kind = kind;
        repairs[i].in_loop = in_loop;
    }
}

/* A repair for each row of what is told; NULL if the arena is too small. */
static inline ws_repair *ws_repairs_make(const ws_told *told, const ws_kernel *program, ws_arena *arena) {
    ws_repair *repairs = (ws_repair *)ws_arena_take(arena, told->count, sizeof(ws_repair));
    ws_repair_span *spans = (ws_repair_span *)ws_arena_take(arena, told->count, sizeof(ws_repair_span));
    const ws_paths paths = ws_paths_make(program, arena);
    uint32_t i, at;
    if (arena->wanted > arena->capacity) return NULL;
    for (i = 0; i < told->count; i++) {
        const ws_found *row = &told->rows[i];
        ws_repair_span *span = &spans[i];
        repairs[i].pairs = repairs[i].after = repairs[i].before = 0;
        repairs[i].kind = 0;
        repairs[i].stands = WS_NO_INDEX;
        repairs[i].in_loop = repairs[i].onward = repairs[i].again = false;
        repairs[i].copy = repairs[i].early = WS_NO_INDEX;
        repairs[i].overtakes = repairs[i].awaited = repairs[i].parts = false;
        repairs[i].stores = ws_repair_stores(told, row);
        repairs[i].barriers[0] = repairs[i].barriers[1] = WS_NO_INDEX;
        span->low = row->step < row->other ? row->step : row->other;
        span->high = row->step < row->other ? row->other : row->step;
        span->kind = (uint8_t)ws_repair_kind_of(row);
        span->in_loop = false;
        span->is_done = !ws_repair_may(row) || ws_repair_pair(told, i) != i;
        if (!ws_repair_may(row)) continue;
        at = ws_repair_pair(told, i);
        if (span->kind < spans[at].kind) spans[at].kind = span->kind;
    }
    for (i = 0; i < told->count; i++) {
        const bool is_pair = ws_told_is_race(told->rows[i].rule) && told->rows[i].other != WS_FOUND_NO_STEP;
        const uint32_t lines[2] = {told->rows[i].step, told->rows[i].other};
        if (is_pair || (told->rows[i].rule == WS_RUN_READING && told->rows[i].other != WS_FOUND_NO_STEP))
            ws_repair_copy(&paths, &told->rows[i], &repairs[i]);
        if (is_pair && told->rows[i].rule == WS_RUN_RACE && told->rows[i].block == told->rows[i].other_block)
            repairs[i].parts = ws_paths_part(&paths, lines, repairs[i].barriers);
        if (repairs[i].parts) spans[i].is_done = true;
        if (is_pair && !ws_repair_fits(&paths, told->module, &spans[i], &repairs[i])) spans[i].is_done = true;
    }
    while ((at = ws_repair_next(spans, told->count)) < told->count) ws_repair_take(told, spans, repairs, at);
    for (i = 0; i < told->count; i++) {
        if (ws_repair_may(&told->rows[i]) && !repairs[i].parts)
            repairs[i] = repairs[ws_repair_pair(told, i)]; /* the pair's own */
    }
    return repairs;
}

#endif
