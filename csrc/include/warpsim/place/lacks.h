/* What passes bytes from thread to thread: a flag, a lock or a counter, with a fence before it is written and after it is read.
 *
 *     data = 1;  fence;  flag = 1;          one thread; others wait at a barrier before it speaks for them
 *     while (flag == 0) ;  fence;  x = data;
 *
 * Of two accesses that race it is asked what of this the text lacks; not, whether the flag is the right one. */
#ifndef WARPSIM_PLACE_LACKS_H
#define WARPSIM_PLACE_LACKS_H

#include "../decode/said.h"
#include "../shadow/found.h"
#include "came.h"
#include "paths.h"

typedef enum ws_lacks_kind {
    WS_LACKS_UNKNOWN,
    WS_LACKS_FLAG,        /* nothing that the first thread may write lets the second one go on */
    WS_LACKS_FENCE,       /* it may be written without a fence after the first access */
    WS_LACKS_FENCE_AFTER, /* it may be read without one before the second */
    WS_LACKS_JOINT        /* fences are there: it is another flag, or threads that do not meet */
} ws_lacks_kind;

/* The accesses of a row in the order in which they were made. */
static inline uint32_t ws_lacks_first(const ws_found *found) { return found->is_turned ? found->step : found->other; }
static inline uint32_t ws_lacks_second(const ws_found *found) { return found->is_turned ? found->other : found->step; }

/* Is it memory that both threads see? */
static inline bool ws_lacks_reach(const ws_step *step, bool crosses) { return !crosses || step->space != WS_AT_SHARED; }

static inline bool ws_lacks_writes(const ws_paths *paths, uint32_t number, bool crosses) {
    const ws_meant *meant = &paths->program->meant[number];
    return ws_lacks_reach(&paths->program->steps[number], crosses) &&
           (ws_event_is_atomic(meant->event) || (meant->event == WS_EVENT_STORE && meant->said.is_strong));
}

static inline bool ws_lacks_reads(const ws_module *module, const ws_paths *paths, uint32_t number, bool crosses) {
    const ws_meant *meant = &paths->program->meant[number];
    const ws_statement *statement = &module->statements[paths->program->steps[number].statement];
    const ws_guess_kind kind = ws_said_guess(&module->opcodes[statement->opcode]);
    if (!ws_lacks_reach(&paths->program->steps[number], crosses)) return false;
    if (ws_event_is_atomic(meant->event)) return kind == WS_GUESS_ATOMIC || kind == WS_GUESS_SWAP;
    return meant->event == WS_EVENT_LOAD && meant->said.is_strong;
}

/* Does a thread that reads a flag go on to a statement? `stops`: steps with one of these bits end its way. */
static inline bool ws_lacks_are_read(const ws_module *module, const ws_paths *paths, const uint8_t *came, uint32_t to,
                                     uint8_t stops, bool crosses) {
    const ws_paths stopped = ws_paths_stopped(paths, came, stops);
    uint32_t i;
    for (i = 0; i < paths->program->num_steps; i++) {
        if ((came[i] & stops) == 0 && ws_lacks_reads(module, paths, i, crosses) &&
            ws_paths_lead(&stopped, paths->program->steps[i].statement, to))
            return true;
    }
    return false;
}

/* Does a thread go on from a statement to write a flag? `stops`: steps with one of these bits end its way. */
static inline bool ws_lacks_are_written(const ws_paths *paths, const uint8_t *came, uint32_t from, uint8_t stops,
                                        bool crosses) {
    const ws_paths stopped = ws_paths_stopped(paths, came, stops);
    uint32_t i;
    (void)ws_paths_lead(&stopped, from, UINT32_MAX);
    for (i = 0; i < paths->program->num_steps; i++) {
        if (paths->marks[i] != 0 && (came[i] & stops) == 0 && ws_lacks_writes(paths, i, crosses)) return true;
    }
    return false;
}

/* What a race lacks whose threads could pass each other the bytes by a flag. */
static inline ws_lacks_kind ws_lacks_of(const ws_module *module, const ws_paths *paths, const uint8_t *came,
                                        const ws_found *found) {
    const bool crosses = found->block != found->other_block;
    const uint8_t before = crosses ? WS_CAME_RELEASES_GPU : WS_CAME_RELEASES,
                  after = crosses ? WS_CAME_ACQUIRES_GPU : WS_CAME_ACQUIRES;
    const uint32_t first = ws_lacks_first(found), second = ws_lacks_second(found);
    if (found->rule != WS_RUN_RACE && found->rule != WS_RUN_ARRAY_RACE) return WS_LACKS_UNKNOWN;
    if (!ws_lacks_are_written(paths, came, first, 0, crosses) ||
        !ws_lacks_are_read(module, paths, came, second, 0, crosses))
        return WS_LACKS_FLAG;
    if (ws_lacks_are_written(paths, came, first, before, crosses)) return WS_LACKS_FENCE;
    return ws_lacks_are_read(module, paths, came, second, after, crosses) ? WS_LACKS_FENCE_AFTER : WS_LACKS_JOINT;
}

/* What follows where a lane has read a flag for others of its warp. */
typedef struct ws_lacks_after {
    bool all;   /* all lanes come to the read */
    bool fence; /* a fence follows */
    bool meets; /* and the lanes meet */
} ws_lacks_after;

static inline ws_lacks_after ws_lacks_after_via(const ws_paths *paths, const uint8_t *came, const ws_found *found) {
    const uint64_t meets = WS_EVENT_BIT(WS_EVENT_WARP_BARRIER) | WS_EVENT_BIT(WS_EVENT_BARRIER),
                   fences = WS_EVENT_BIT(WS_EVENT_FENCE);
    const uint32_t access = ws_lacks_second(found);
    ws_lacks_after after;
    after.all = ws_came_all(paths->program, came, found->via, WS_CAME_WARP);
    after.meets = !ws_paths_lead_past(paths, found->via, access, meets);
    after.fence = !ws_paths_lead_past(paths, found->via, access, fences) &&
                  ws_paths_meet(paths, found->via, access, meets, fences) == WS_NO_INDEX;
    return after;
}

#endif
