/* What repairs a race between two statements: where a barrier can stand that orders them, and what stands there already. */
#ifndef WARPSIM_FINDING_REPAIR_H
#define WARPSIM_FINDING_REPAIR_H

#include "../place/alone.h"
#include "../place/lacks.h"
#include "../place/paths.h"
#include "../place/source.h"
#include "told.h"

/* Whom a barrier must order. */
typedef enum ws_repair_kind { WS_REPAIR_CLUSTER, WS_REPAIR_BLOCK, WS_REPAIR_WARP, WS_REPAIR_KINDS } ws_repair_kind;

/* Where a barrier can stand. */
typedef enum ws_repair_place {
    WS_PLACE_BETWEEN, /* between the two, anywhere */
    WS_PLACE_OUTSIDE, /* between them, but not in the branch or the loop of one of them */
    WS_PLACE_NOWHERE  /* all threads come to no place between them */
} ws_repair_place;

/* One barrier that orders several pairs of accesses: after a statement and before another, or the next round's. */
typedef struct ws_repair {
    uint32_t pairs; /* 0: no barrier repairs it */
    uint32_t after, before;
    uint32_t stands; /* a statement that orders something, between the two in the text; WS_NO_INDEX: none */
    uint8_t kind;    /* ws_repair_kind */
    bool in_loop;    /* what is missing is one between two rounds */
    bool onward;     /* the statement that comes first in the text leads to the other */
    bool again;      /* and that one back: both lie in a loop */
    bool back;       /* no barrier stands on a way back */
    uint32_t copy;   /* of the two, the one that is under way; WS_NO_INDEX: none */
    uint32_t gap;    /* a wait for it after which a barrier is missing; WS_NO_INDEX: none */
    uint32_t early;  /* a wait that a copy comes to before its group is committed; WS_NO_INDEX: none */
    bool overtakes;  /* the copy comes after the access with no barrier on the way, and not before it without a wait */
    bool awaited;    /* a wait stands on each way from the copy to the access */
    bool stores;     /* several threads make the store of the two */
    bool parts;      /* threads of the two lines come to different barriers next, which meet: */
    uint32_t barriers[2];
    uint8_t place; /* ws_repair_place */
    ws_lacks lacks;
    bool gives;         /* a flag may be written after the store of the two */
    bool through;       /* a way with no barrier leads from the one that comes first in the text to the other */
    ws_lacks_after via; /* where a flag is read */
    uint32_t weak,
        strong; /* a plain store by which its threads meet, and what waits for what it writes; WS_NO_INDEX: none */
    uint32_t waits[2]; /* of two lines that no thread comes to both of: the wait for an object before each */
    uint32_t object;   /* the latest wait for an mbarrier object between the two in the text; WS_NO_INDEX: none */
    bool skips;        /* a way leads past it to the later of the two, and no barrier stands between it and that */
    uint32_t arrives;  /* a bar.arrive at the barrier that stands, after which a thread goes on to one of the two */
    bool alone;        /* and not all come to it that come to the later one */
    bool is_known;     /* the search for all this was not too long */
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

/* Does a thread come from one statement to another, or to others of its line, without an event of the set `past`? Who has
 * stored a value need not load it, and compilers make copies of branches; what comes after both may have that line, too. */
static inline bool ws_repair_leads(const ws_paths *paths, const ws_module *module, uint32_t from, uint32_t to,
                                   uint64_t past) {
    const bool accesses = to < from || ws_told_is_one_line(module, from, to);
    const uint32_t opcode = module->statements[to].opcode;
    uint32_t i;
    if (ws_paths_lead_past(paths, from, to, past)) return true;
    (void)ws_effort_take(paths->effort, paths->program->num_steps);
    for (i = 0; i < paths->program->num_steps; i++) { /* all that it leads to is marked */
        const uint32_t statement = paths->program->steps[i].statement;
        if (paths->marks[i] != 0 && (!accesses || module->statements[statement].opcode == opcode) &&
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
    const uint64_t of_warp = WS_EVENT_BIT(WS_EVENT_WARP_BARRIER), of_cluster = WS_EVENT_BIT(WS_EVENT_CLUSTER_WAIT);
    const uint64_t barriers = span->kind == WS_REPAIR_WARP    ? WS_REPAIR_BARRIERS | of_warp
                              : span->kind == WS_REPAIR_BLOCK ? WS_REPAIR_BARRIERS
                                                              : of_cluster;
    repair->again = ws_repair_leads(paths, module, span->high, span->low, 0);
    repair->back = repair->again && ws_repair_leads(paths, module, span->high, span->low, barriers);
    repair->onward = ws_repair_leads(paths, module, span->low, span->high, 0) ||
                     (!repair->again && (ws_repair_forwards(module, span->low, span->high) ||
                                         ws_repair_forwards(module, span->high, span->low)));
    repair->through = ws_paths_lead_past(paths, span->low, span->high, barriers);
    repair->stands = ws_repair_stands(paths->program, span);
    if (repair->stands != WS_NO_INDEX && span->kind == WS_REPAIR_BLOCK &&
        ws_paths_lead_past(paths, span->low, span->high, WS_REPAIR_BARRIERS))
        repair->stands = WS_NO_INDEX; /* a way leads past it */
    span->in_loop = repair->in_loop = repair->again && (repair->stands != WS_NO_INDEX || !repair->onward);
    return repair->again || (repair->onward && repair->stands == WS_NO_INDEX);
}

/* Is a statement a copy that goes on while its threads do? */
static inline bool ws_repair_is_copy(const ws_kernel *program, uint32_t statement) {
    const uint64_t copies = WS_EVENT_BIT(WS_EVENT_COPY) | WS_EVENT_BIT(WS_EVENT_BULK) |
                            WS_EVENT_BIT(WS_EVENT_ASYNC_STORE) | WS_EVENT_BIT(WS_EVENT_ASYNC_REDUCE) |
                            WS_EVENT_BIT(WS_EVENT_ASYNC_CANCEL);
    return (copies >> ws_kernel_meant(program, statement)->event & 1) != 0;
}

/* Where a barrier of a kind can stand on the ways from one statement to another. */
static inline uint8_t ws_repair_place_of(const ws_paths *paths, const uint8_t *came, int kind, uint32_t from,
                                         uint32_t to) {
    const uint8_t bit = kind == WS_REPAIR_WARP ? WS_CAME_WARP : WS_CAME_BLOCK;
    const ws_paths stopped = ws_paths_stopped(paths, came, bit);
    const bool here = ws_came_all(paths->program, came, from, bit), there = ws_came_all(paths->program, came, to, bit);
    if (here && there) return WS_PLACE_BETWEEN;
    return here || there || !ws_paths_lead(&stopped, from, to) ? WS_PLACE_OUTSIDE : WS_PLACE_NOWHERE;
}

/* Of a copy and an access that meets it. */
static inline void ws_repair_copy(const ws_paths *paths, const uint8_t *came, const ws_found *found,
                                  ws_repair *repair) {
    const bool is_first = ws_repair_is_copy(paths->program, found->step);
    const uint32_t copy = is_first ? found->step : found->other, access = is_first ? found->other : found->step;
    if (!is_first && !ws_repair_is_copy(paths->program, found->other)) return;
    if (found->thread != found->other_thread && (is_first ? found->other_is_write : found->is_write))
        repair->gap = ws_alone_copied(paths, copy, access, found->rule == WS_RUN_PROXY);
    if (repair->gap != WS_NO_INDEX)
        repair->place = ws_repair_place_of(paths, came, WS_REPAIR_BLOCK, repair->gap, access);
    if (found->rule == WS_RUN_PROXY) return;
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

/* The latest wait for an mbarrier object between two statements of the text; of two blocks, before the access that came second. Where it orders them, and a copy brings what the
 * later one reads, what is missing is a barrier before the next round. */
static inline void ws_repair_object(const ws_paths *paths, const uint8_t *came, const ws_found *found,
                                    ws_repair_span *span, ws_repair *repair) {
    const bool crosses = found->block != found->other_block, is_copy = found->is_copy || found->other_is_copy;
    const ws_kernel *program = paths->program;
    uint32_t own = WS_NO_INDEX, i;
    uint8_t all = 0;
    for (i = 0; i < program->num_steps; i++) {
        const uint32_t statement = program->steps[i].statement;
        if (statement == span->high) all |= came[i];
        if ((WS_REPAIR_OBJECTS >> program->meant[i].event & 1) == 0) continue;
        if (statement > span->low && statement < span->high) repair->object = statement;
        if (crosses && statement < ws_lacks_second(found)) own = statement;
    }
    if (own != WS_NO_INDEX) repair->object = own;
    if (repair->object == WS_NO_INDEX) return;
    repair->skips = ws_paths_lead_past(paths, program->steps[0].statement, span->high, WS_REPAIR_OBJECTS) &&
                    ws_paths_lead_past(paths, repair->object, span->high, WS_REPAIR_BARRIERS & ~WS_REPAIR_OBJECTS);
    repair->alone =
        repair->skips && ((all & WS_CAME_BLOCK && !ws_came_all(program, came, repair->object, WS_CAME_BLOCK)) ||
                          (all & WS_CAME_WARP && !ws_came_all(program, came, repair->object, WS_CAME_WARP)));
    if (repair->skips || !repair->back || !is_copy) return;
    repair->object = WS_NO_INDEX;
    span->in_loop = repair->in_loop = true;
}

/* The latest wait for an mbarrier object before a statement in the text that all ways to it have; WS_NO_INDEX: none. */
static inline uint32_t ws_repair_wait(const ws_paths *paths, uint32_t to) {
    const ws_kernel *program = paths->program;
    uint32_t found = WS_NO_INDEX, i;
    if (ws_paths_lead_past(paths, program->steps[0].statement, to, WS_REPAIR_OBJECTS)) return WS_NO_INDEX;
    for (i = 0; i < program->num_steps && program->steps[i].statement < to; i++) {
        if (WS_REPAIR_OBJECTS >> program->meant[i].event & 1) found = program->steps[i].statement;
    }
    return found;
}

/* The same on all ways that want one. */
static inline void ws_repair_put(const ws_paths *paths, const uint8_t *came, const ws_repair_span *span,
                                 ws_repair *repair) {
    const uint8_t on = ws_repair_place_of(paths, came, span->kind, span->low, span->high),
                  back = ws_repair_place_of(paths, came, span->kind, span->high, span->low);
    if (span->low == span->high || span->in_loop) repair->place = back;
    else if (repair->back) repair->place = on > back ? on : back;
    else repair->place = on;
}

#endif
