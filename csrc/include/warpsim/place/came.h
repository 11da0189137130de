/* Where all threads come, as the counters of a launch tell: no barrier can stand elsewhere.
 *
 *     if (t == 0) s[0] = 1;      not all lanes
 *     y[t] = s[0];               all threads of the block: a barrier can stand before it
 *
 * One step tells for all that run with it, from the target of a branch to the next branch. Where threads have not come, or
 * nobody has counted, nothing speaks against a barrier. */
#ifndef WARPSIM_PLACE_CAME_H
#define WARPSIM_PLACE_CAME_H

#include "../base/arena.h"
#include "../module/module.h"
#include "../run/kernel.h"
#include "../watch/line.h"
#include "paths.h"

/* Bits of each step. */
enum {
    WS_CAME_WARP = 1,     /* all lanes of the warps that come */
    WS_CAME_BLOCK = 2,    /* and all warps of the block */
    WS_CAME_LEADS = 4,    /* a jump leads to it */
    WS_CAME_RELEASES = 8, /* it releases what came before */
    WS_CAME_RELEASES_GPU = 16,
    WS_CAME_ACQUIRES = 32,
    WS_CAME_ACQUIRES_GPU = 64,
    WS_CAME_ENDS = 128 /* for a while: ways end here */
};

/* What a launch has counted. */
typedef struct ws_ran {
    const ws_line *lines; /* of each step; NULL: nobody has counted */
    uint32_t threads;     /* of a block */
    bool is_whole;        /* all blocks came to their ends */
} ws_ran;

static inline ws_ran ws_ran_unknown(void) {
    const ws_ran none = {NULL, 0, false};
    return none;
}

static inline void ws_came_mark_targets(const ws_kernel *program, uint8_t *came) {
    uint32_t i, k;
    for (i = 0; i < program->num_callees; i++) came[program->callees[i].entry] |= WS_CAME_LEADS;
    for (i = 0; i < program->num_steps; i++) {
        const ws_step *step = &program->steps[i];
        const uint32_t *table = program->targets + step->immediate;
        if (program->meant[i].event != WS_EVENT_BRANCH) continue;
        if (step->s[WS_S_TARGET] == WS_NONE) came[step->immediate] |= WS_CAME_LEADS;
        for (k = 0; step->s[WS_S_TARGET] != WS_NONE && k < table[0]; k++) came[table[1 + k]] |= WS_CAME_LEADS;
    }
}

static inline bool ws_came_ends(const ws_meant *meant) {
    return meant->event == WS_EVENT_BRANCH || meant->event == WS_EVENT_RETURN || meant->event == WS_EVENT_EXIT;
}

/* Who came to a step that has no guard. */
static inline uint8_t ws_came_of(const ws_ran *ran, const ws_line *line) {
    const uint64_t warps = (ran->threads + WS_LANES - 1) / WS_LANES;
    const bool is_even = ran->threads % WS_LANES == 0;
    if (line->executed == 0) return WS_CAME_WARP | WS_CAME_BLOCK;
    if (line->divergent != 0 || (is_even && line->threads != line->executed * WS_LANES)) return 0;
    if (!ran->is_whole) return WS_CAME_WARP | WS_CAME_BLOCK;
    if (line->executed % warps != 0 || line->threads * warps != line->executed * ran->threads) return WS_CAME_WARP;
    return WS_CAME_WARP | WS_CAME_BLOCK;
}

/* The bits of each step; NULL if the arena is too small. */
static inline uint8_t *ws_came_make(const ws_kernel *program, const ws_ran *ran, ws_arena *arena) {
    uint8_t *came = (uint8_t *)ws_arena_take(arena, program->num_steps, 1);
    uint32_t first = 0, tells, end, i;
    if (arena->wanted > arena->capacity) return NULL;
    for (i = 0; i < program->num_steps; i++) {
        const ws_said *said = &program->meant[i].said;
        const bool is_wide = said->scope == WS_SCOPE_GPU;
        came[i] = (uint8_t)(!said->releases ? 0 : is_wide ? WS_CAME_RELEASES | WS_CAME_RELEASES_GPU : WS_CAME_RELEASES);
        came[i] |= (uint8_t)(!said->acquires ? 0
                             : is_wide       ? WS_CAME_ACQUIRES | WS_CAME_ACQUIRES_GPU
                                             : WS_CAME_ACQUIRES);
    }
    ws_came_mark_targets(program, came);
    for (; first < program->num_steps; first = end) {
        tells = program->steps[first].guard == 0 ? first : WS_NO_INDEX;
        for (end = first + 1; end < program->num_steps && !(came[end] & WS_CAME_LEADS); end++) {
            if (ws_came_ends(&program->meant[end - 1])) break;
            if (tells == WS_NO_INDEX && program->steps[end].guard == 0) tells = end;
        }
        for (i = first; i < end; i++) {
            const bool is_known = ran->lines != NULL && tells != WS_NO_INDEX;
            const unsigned by = is_known ? ws_came_of(ran, &ran->lines[tells]) : WS_CAME_WARP | WS_CAME_BLOCK;
            came[i] = (uint8_t)(came[i] | by);
        }
    }
    return came;
}

/* What some warps never come to, they do not pass: where all ways lead through it, not all threads come, though rounds of a loop
 * may add up to as many. */
static inline void ws_came_settle(const ws_paths *paths, const ws_ran *ran, uint8_t *came) {
    const ws_kernel *program = paths->program;
    const ws_paths stopped = ws_paths_stopped(paths, came, WS_CAME_ENDS);
    const uint64_t warps = (ran->threads + WS_LANES - 1) / WS_LANES;
    uint32_t i, k;
    if (ran->lines == NULL || !ran->is_whole) return;
    (void)ws_paths_lead(&stopped, program->steps[0].statement, UINT32_MAX);
    for (i = 0; i < program->num_steps; i++)
        paths->others[i] = paths->marks[i]; /* that can be reached, and is not settled */
    for (i = 1; i < program->num_steps; i++) {
        const ws_line *line = &ran->lines[i];
        if (program->steps[i].guard != 0 || line->divergent != 0 || line->executed % warps == 0 ||
            line->executed >= ran->lines[0].executed || !paths->others[i])
            continue;
        came[i] |= WS_CAME_ENDS;
        (void)ws_paths_lead(&stopped, program->steps[0].statement, UINT32_MAX);
        came[i] &= (uint8_t)~WS_CAME_ENDS;
        for (k = 0; k < program->num_steps && !ws_effort_is_spent(paths->effort); k++) {
            if (!paths->others[k] || (paths->marks[k] && k != i)) continue;
            came[k] &= (uint8_t)~WS_CAME_BLOCK;
            paths->others[k] = 0;
        }
    }
}

/* Do all threads of a warp or of a block come to a statement? */
static inline bool ws_came_all(const ws_kernel *program, const uint8_t *came, uint32_t statement, uint8_t bit) {
    uint32_t i;
    for (i = 0; i < program->num_steps; i++) {
        if (program->steps[i].statement == statement) return (came[i] & bit) != 0;
    }
    return true;
}

#endif
