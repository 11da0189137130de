/* Ways through a kernel: whether one statement leads to another, and so whether anything can stand between the two. */
#ifndef WARPSIM_PLACE_PATHS_H
#define WARPSIM_PLACE_PATHS_H

#include "../base/arena.h"
#include "../module/module.h"
#include "../run/kernel.h"

typedef struct ws_paths {
    const ws_kernel *program;
    uint8_t *marks, *others; /* of each step; NULL: nothing is known */
    uint32_t *waiting;       /* steps with a mark that nobody has followed */
    ws_effort *effort;       /* NULL: without bound. When it is spent, the answers mean nothing */
    const uint8_t *stops;    /* of each step, with one of these bits it ends a way; NULL: none does */
    uint8_t bits;
} ws_paths;

static inline ws_paths ws_paths_make(const ws_kernel *program, ws_effort *effort, ws_arena *arena) {
    ws_paths paths;
    paths.program = program;
    paths.marks = (uint8_t *)ws_arena_take(arena, program->num_steps, 1);
    paths.others = (uint8_t *)ws_arena_take(arena, program->num_steps, 1);
    paths.waiting = (uint32_t *)ws_arena_take(arena, program->num_steps, sizeof(uint32_t));
    paths.effort = effort;
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

/* The step after the k-th call of the function that a step is in; WS_NO_INDEX: there are no more. */
static inline uint32_t ws_paths_return(const ws_kernel *program, uint32_t number, uint32_t k) {
    uint32_t callee = program->num_callees, i;
    while (callee > 1 && program->callees[callee - 1].entry > number) callee--;
    for (i = 0; i < program->num_steps && callee > 1; i++) {
        if (program->meant[i].event != WS_EVENT_CALL || program->steps[i].immediate != callee - 1) continue;
        if (k-- == 0) return i + 1;
    }
    return WS_NO_INDEX;
}

/* The k-th of the steps that may come after one; WS_NO_INDEX: it has no more. */
static inline uint32_t ws_paths_next(const ws_kernel *program, uint32_t number, uint32_t k) {
    const ws_step *step = &program->steps[number];
    const int event = program->meant[number].event;
    const bool leaves = event == WS_EVENT_RETURN || event == WS_EVENT_EXIT, jumps = event == WS_EVENT_BRANCH,
               calls = event == WS_EVENT_CALL, has_table = jumps && step->s[WS_S_TARGET] != WS_NONE;
    const uint32_t *table = has_table ? program->targets + step->immediate : NULL;
    const uint32_t targets = has_table ? table[0] : jumps || calls ? 1 : 0;
    if (k < targets && calls) return program->callees[step->immediate].entry;
    if (k < targets) return has_table ? table[1 + k] : (uint32_t)step->immediate;
    if (k == targets && (step->guard != 0 || !(leaves || jumps || calls))) return number + 1;
    return event == WS_EVENT_RETURN ? ws_paths_return(program, number, step->guard != 0 ? k - 1 : k) : WS_NO_INDEX;
}

/* Steps that have a mark and wait to be followed. */
typedef struct ws_paths_front {
    const ws_paths *paths;
    uint32_t count;
} ws_paths_front;

/* Marks the steps that may come next. */
static inline void ws_paths_follow(ws_paths_front *front, uint32_t number) {
    const ws_paths *paths = front->paths;
    uint32_t k, next;
    for (k = 0; (next = ws_paths_next(paths->program, number, k)) != WS_NO_INDEX; k++) {
        if (next >= paths->program->num_steps || paths->marks[next] != 0) continue;
        paths->marks[next] = 1;
        paths->waiting[front->count++] = next;
    }
    (void)ws_effort_take(paths->effort, k);
}

#define WS_EVENT_BIT(event) (UINT64_C(1) << (event))

/* Does a way end at a step? */
static inline bool ws_paths_ends(const ws_paths *paths, uint32_t step, uint64_t past) {
    const bool stops = paths->stops != NULL && (paths->stops[step] & paths->bits) != 0;
    return stops || (past >> paths->program->meant[step].event & 1) != 0;
}

/* Does a thread that has executed a statement come to another one, without an event of the set `past` on the way? If not, all
 * that it leads to is marked. */
static inline bool ws_paths_lead_past(const ws_paths *paths, uint32_t from, uint32_t to, uint64_t past) {
    const ws_kernel *program = paths->program;
    ws_paths_front front = {paths, 0};
    uint32_t i;
    if (!ws_effort_take(paths->effort, program->num_steps)) return false;
    for (i = 0; i < program->num_steps; i++) paths->marks[i] = 0;
    for (i = 0; i < program->num_steps; i++) {
        const bool is_last = i + 1 == program->num_steps || program->steps[i + 1].statement != from;
        if (program->steps[i].statement == from && is_last) ws_paths_follow(&front, i);
    }
    while (front.count != 0 && !ws_effort_is_spent(paths->effort)) {
        const uint32_t at = paths->waiting[--front.count];
        if (program->steps[at].statement == to) return true;
        if (!ws_paths_ends(paths, at, past)) ws_paths_follow(&front, at);
    }
    return false;
}

static inline bool ws_paths_lead(const ws_paths *paths, uint32_t from, uint32_t to) {
    return ws_paths_lead_past(paths, from, to, 0);
}

/* Of the statement of a step: is one of its steps marked? Then what was followed last leads to it. */
static inline bool ws_paths_is_marked(const ws_paths *paths, uint32_t step) {
    const ws_step *steps = paths->program->steps;
    uint32_t i = step;
    while (i > 0 && steps[i - 1].statement == steps[step].statement) i--;
    for (; i < paths->program->num_steps && steps[i].statement == steps[step].statement; i++) {
        if (paths->marks[i] != 0) return true;
    }
    return false;
}

/* Finds in `others` the steps that lead to a statement, for ws_paths_leads. From the end of the text each pass takes along all
 * but what only jumps back lead to. */
static inline void ws_paths_lead_to(const ws_paths *paths, uint32_t to, uint64_t past) {
    const ws_kernel *program = paths->program;
    uint32_t i, k, next, found = 1;
    for (i = 0; i < program->num_steps; i++) paths->others[i] = 0;
    while (found != 0 && ws_effort_take(paths->effort, program->num_steps)) {
        found = 0;
        for (i = program->num_steps; i-- > 0;) {
            for (k = 0; paths->others[i] == 0 && (next = ws_paths_next(program, i, k)) != WS_NO_INDEX; k++) {
                paths->others[i] =
                    next < program->num_steps && (program->steps[next].statement == to ||
                                                  (paths->others[next] != 0 && !ws_paths_ends(paths, next, past)));
                found += paths->others[i];
            }
        }
    }
}

/* Does the statement of a step lead to the one of ws_paths_lead_to? */
static inline bool ws_paths_leads(const ws_paths *paths, uint32_t step) {
    const ws_step *steps = paths->program->steps;
    while (step + 1 < paths->program->num_steps && steps[step + 1].statement == steps[step].statement) step++;
    return paths->others[step] != 0;
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
    (void)ws_paths_lead_past(paths, from, UINT32_MAX, past);
    ws_paths_lead_to(paths, to, 0);
    for (i = 0; i < program->num_steps; i++) {
        if ((events >> program->meant[i].event & 1) && ws_paths_is_marked(paths, i) && ws_paths_leads(paths, i))
            return program->steps[i].statement;
    }
    return WS_NO_INDEX;
}

#endif
