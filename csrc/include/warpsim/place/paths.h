/* Ways through a kernel: whether one statement leads to another, and so whether anything can stand between the two. */
#ifndef WARPSIM_PLACE_PATHS_H
#define WARPSIM_PLACE_PATHS_H

#include "../base/arena.h"
#include "../module/module.h"
#include "../run/kernel.h"

typedef struct ws_paths {
    const ws_kernel *program;
    uint8_t *marks, *others; /* of each step; NULL: nothing is known */
    const uint8_t *stops;    /* of each step, with one of these bits it ends a way; NULL: none does */
    uint8_t bits;
} ws_paths;

static inline ws_paths ws_paths_make(const ws_kernel *program, ws_arena *arena) {
    ws_paths paths;
    paths.program = program;
    paths.marks = (uint8_t *)ws_arena_take(arena, program->num_steps, 1);
    paths.others = (uint8_t *)ws_arena_take(arena, program->num_steps, 1);
    paths.stops = NULL;
    paths.bits = 0;
    return paths;
}

/* Ways that steps with one of the bits end. */
static inline ws_paths ws_paths_stopped(const ws_paths *paths, const uint8_t *stops, uint8_t bits) {
    ws_paths stopped = *paths;
    stopped.stops = stops;
    stopped.bits = bits;
    return stopped;
}

/* True: it had no mark. */
static inline bool ws_paths_mark(const ws_paths *paths, uint32_t step) {
    if (step >= paths->program->num_steps || paths->marks[step] != 0) return false;
    paths->marks[step] = 1;
    return true;
}

/* Marks the steps that may come next; how many had no mark. */
static inline uint32_t ws_paths_follow(const ws_paths *paths, uint32_t number) {
    const ws_kernel *program = paths->program;
    const ws_step *step = &program->steps[number];
    const ws_meant *meant = &program->meant[number];
    const bool leaves = meant->event == WS_EVENT_RETURN || meant->event == WS_EVENT_EXIT,
               jumps = meant->event == WS_EVENT_BRANCH, has_table = jumps && step->s[WS_S_TARGET] != WS_NONE;
    const uint32_t *table = has_table ? program->targets + step->immediate : NULL;
    uint32_t found = 0, i;
    if (jumps && !has_table) found += ws_paths_mark(paths, (uint32_t)step->immediate);
    for (i = 0; has_table && i < table[0]; i++) found += ws_paths_mark(paths, table[1 + i]);
    if (step->guard != 0 || (!leaves && !jumps)) found += ws_paths_mark(paths, number + 1);
    return found;
}

#define WS_EVENT_BIT(event) (UINT64_C(1) << (event))

/* Does a thread that has executed a statement come to another one, without an event of the set `past` on the way? */
static inline bool ws_paths_lead_past(const ws_paths *paths, uint32_t from, uint32_t to, uint64_t past) {
    const ws_kernel *program = paths->program;
    uint32_t i, found;
    for (i = 0; i < program->num_steps; i++) paths->marks[i] = 0;
    for (i = 0; i < program->num_steps; i++) {
        const bool is_last = i + 1 == program->num_steps || program->steps[i + 1].statement != from;
        if (program->steps[i].statement == from && is_last) (void)ws_paths_follow(paths, i);
    }
    do {
        found = 0;
        for (i = 0; i < program->num_steps; i++) {
            if (paths->marks[i] == 0) continue;
            if (program->steps[i].statement == to) return true;
            if (paths->stops != NULL && (paths->stops[i] & paths->bits) != 0) continue;
            if (!(past >> program->meant[i].event & 1)) found += ws_paths_follow(paths, i);
        }
    } while (found != 0);
    return false;
}

static inline bool ws_paths_lead(const ws_paths *paths, uint32_t from, uint32_t to) {
    return ws_paths_lead_past(paths, from, to, 0);
}

/* The first barrier that threads come to next after one statement, and after another: where they have none in common. */
static inline bool ws_paths_part(const ws_paths *paths, const uint32_t from[2], uint32_t barriers[2]) {
    const ws_kernel *program = paths->program;
    uint32_t side, i;
    bool is_one = false;
    for (side = 0; side < 2; side++) {
        (void)ws_paths_lead_past(paths, from[side], UINT32_MAX, WS_EVENT_BIT(WS_EVENT_BARRIER));
        barriers[side] = WS_NO_INDEX;
        for (i = 0; i < program->num_steps; i++) {
            const bool is_next = paths->marks[i] != 0 && program->meant[i].event == WS_EVENT_BARRIER;
            if (is_next && barriers[side] == WS_NO_INDEX) barriers[side] = i;
            is_one = is_one || (side == 1 && is_next && paths->others[i] != 0);
            if (side == 0) paths->others[i] = is_next;
        }
    }
    if (is_one || barriers[0] == WS_NO_INDEX || barriers[1] == WS_NO_INDEX) return false;
    is_one = program->steps[barriers[0]].s[WS_S_BARRIER] == program->steps[barriers[1]].s[WS_S_BARRIER];
    for (side = 0; side < 2; side++) barriers[side] = program->steps[barriers[side]].statement;
    return is_one; /* they have one number, and so meet */
}

/* A statement of a set of events that one leads to without one of `past`, and that leads to another; WS_NO_INDEX: none. */
static inline uint32_t ws_paths_meet(const ws_paths *paths, uint32_t from, uint32_t to, uint64_t events,
                                     uint64_t past) {
    const ws_kernel *program = paths->program;
    uint32_t i;
    for (i = 0; i < program->num_steps; i++) {
        const uint32_t statement = program->steps[i].statement;
        if ((events >> program->meant[i].event & 1) && ws_paths_lead_past(paths, from, statement, past) &&
            ws_paths_lead(paths, statement, to))
            return statement;
    }
    return WS_NO_INDEX;
}

#endif
