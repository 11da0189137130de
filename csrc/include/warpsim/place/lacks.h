/* What passes bytes from thread to thread: a flag, a lock or a counter, with a fence before it is written and after it is read.
 *
 *     data = 1;  fence;  flag = 1;          one thread; others wait at a barrier before it speaks for them
 *     while (flag == 0) ;  fence;  x = data;
 *
 * Of two accesses that race it is asked what of this the text lacks; not, whether the flag is the right one. */
#ifndef WARPSIM_PLACE_LACKS_H
#define WARPSIM_PLACE_LACKS_H

#include "../shadow/found.h"
#include "flags.h"
#include "polls.h"

typedef enum ws_lacks_kind {
    WS_LACKS_UNKNOWN,
    WS_LACKS_FLAG,          /* nothing that the first thread may write lets the second one go on */
    WS_LACKS_FENCE,         /* it may be written without a fence after the first access; `read`: and read so */
    WS_LACKS_FENCE_AFTER,   /* it may be read without one before the second */
    WS_LACKS_BARRIER,       /* some threads write it for others, and do not wait for them */
    WS_LACKS_BARRIER_AFTER, /* some threads read it for others, which do not wait for them */
    WS_LACKS_JOINT          /* all that is there: it is another flag, or threads that do not meet */
} ws_lacks_kind;

typedef struct ws_lacks {
    ws_lacks_kind kind;
    uint32_t flag; /* the statement that writes or reads it; WS_NO_INDEX: none */
    uint32_t read; /* beside one that writes it: the statement that reads it without a fence; WS_NO_INDEX: none */
    bool meets;    /* a barrier stands between it and the access */
    bool known;    /* what is written by a flag is read by another, in one place */
    bool of_some;  /* not all threads of the block come to the access that the barrier is for */
} ws_lacks;

/* The accesses of a row in the order in which they were made. */
static inline uint32_t ws_lacks_first(const ws_found *found) { return found->is_turned ? found->step : found->other; }
static inline uint32_t ws_lacks_second(const ws_found *found) { return found->is_turned ? found->other : found->step; }

/* Fences stand on all ways. Do threads speak for others of their block without having met them at a barrier? */
static inline ws_lacks ws_lacks_barrier(const ws_module *module, const ws_paths *paths, const uint8_t *came,
                                        uint32_t first, uint32_t second, bool crosses) {
    const uint64_t meets = WS_EVENT_BIT(WS_EVENT_BARRIER) | WS_EVENT_BIT(WS_EVENT_WARP_BARRIER);
    const ws_kernel *program = paths->program;
    const uint32_t ends[2] = {first, second};
    ws_lacks lacks = {WS_LACKS_JOINT, WS_NO_INDEX, WS_NO_INDEX, false, false, false};
    uint8_t bits[2];
    uint32_t side, i;
    for (side = 0; side < 2; side++) {
        bits[side] = ws_came_all(program, came, ends[side], WS_CAME_BLOCK)  ? WS_CAME_BLOCK
                     : ws_came_all(program, came, ends[side], WS_CAME_WARP) ? WS_CAME_WARP
                                                                            : 0;
    }
    if (bits[0] != 0) (void)ws_paths_lead_past(paths, first, UINT32_MAX, meets);
    if (bits[1] != 0) ws_paths_lead_to(paths, second, meets);
    for (i = 0; i < program->num_steps && lacks.flag == WS_NO_INDEX; i++) {
        const bool writes = bits[0] != 0 && !(came[i] & bits[0]) && ws_paths_is_marked(paths, i) &&
                            ws_lacks_writes(paths, i, crosses),
                   reads = bits[1] != 0 && !(came[i] & bits[1]) && ws_paths_leads(paths, i) &&
                           ws_lacks_reads(module, paths, i, crosses); /* else each thread speaks for itself */
        if (!writes && !reads) continue;
        lacks.kind = writes ? WS_LACKS_BARRIER : WS_LACKS_BARRIER_AFTER;
        lacks.flag = program->steps[i].statement;
        lacks.of_some = bits[writes ? 0 : 1] == WS_CAME_WARP;
    }
    return lacks;
}

/* What two accesses lack, the second of which is to come after the first. */
static inline ws_lacks ws_lacks_between(const ws_module *module, const ws_paths *paths, const uint8_t *came,
                                        uint32_t first, uint32_t second, bool crosses) {
    const uint8_t before = crosses ? WS_CAME_RELEASES_GPU : WS_CAME_RELEASES,
                  after = crosses ? WS_CAME_ACQUIRES_GPU : WS_CAME_ACQUIRES;
    const uint64_t barriers = WS_EVENT_BIT(WS_EVENT_BARRIER);
    const ws_module *known = NULL; /* flags that the second waits for are known: others are of no use */
    ws_lacks lacks = {WS_LACKS_FLAG, WS_NO_INDEX, WS_NO_INDEX, false, false, false};
    if (ws_lacks_write_of(NULL, paths, came, first, 0, crosses) == WS_NO_INDEX ||
        ws_lacks_read_of(module, paths, came, second, 0, crosses) == WS_NO_INDEX)
        return lacks;
    lacks.kind = WS_LACKS_FENCE;
    ws_paths_lead_to(paths, second, 0);
    if (ws_lacks_write_of(module, paths, came, first, 0, crosses) != WS_NO_INDEX) known = module;
    lacks.known = known != NULL;
    lacks.flag = ws_lacks_write_of(known, paths, came, first, before, crosses);
    lacks.meets = lacks.flag != WS_NO_INDEX && !ws_paths_lead_past(paths, first, lacks.flag, barriers);
    lacks.read = ws_lacks_read_of(module, paths, came, second, after, crosses);
    if (lacks.flag != WS_NO_INDEX &&
        (lacks.flag == first || lacks.flag == second || lacks.read == first || lacks.read == second))
        lacks.kind = WS_LACKS_JOINT; /* no access is ordered by itself */
    if (lacks.flag != WS_NO_INDEX) return lacks;
    lacks.kind = WS_LACKS_FENCE_AFTER;
    lacks.flag = lacks.read;
    lacks.meets = lacks.flag != WS_NO_INDEX && !ws_paths_lead_past(paths, lacks.flag, second, barriers);
    if (lacks.flag != WS_NO_INDEX) return lacks;
    lacks = ws_lacks_barrier(module, paths, came, first, second, crosses);
    lacks.known = known != NULL;
    return lacks;
}

/* Does a flag that may be written after the first come only after a release, and one that is read before the second only
 * before an acquire? */
static inline bool ws_lacks_nothing_of_one(const ws_module *module, const ws_paths *paths, const uint8_t *came,
                                           uint32_t first, uint32_t second) {
    const ws_paths written = ws_paths_stopped(paths, came, WS_CAME_RELEASES_GPU),
                   read = ws_paths_stopped(paths, came, WS_CAME_ACQUIRES_GPU);
    uint32_t i, writes = 0, reads = 0;
    (void)ws_paths_lead(paths, first, UINT32_MAX);
    for (i = 0; i < paths->program->num_steps; i++) writes += paths->marks[i] != 0 && ws_lacks_writes(paths, i, true);
    (void)ws_paths_lead(&written, first, UINT32_MAX);
    for (i = 0; i < paths->program->num_steps; i++)
        writes -= paths->marks[i] != 0 && !(came[i] & WS_CAME_RELEASES_GPU) && ws_lacks_writes(paths, i, true);
    ws_paths_lead_to(paths, second, 0);
    for (i = 0; i < paths->program->num_steps; i++)
        reads += ws_paths_leads(paths, i) && ws_lacks_reads(module, paths, i, true);
    ws_paths_lead_to(&read, second, 0);
    for (i = 0; i < paths->program->num_steps; i++)
        reads -=
            ws_paths_leads(paths, i) && !(came[i] & WS_CAME_ACQUIRES_GPU) && ws_lacks_reads(module, paths, i, true);
    return writes != 0 && reads != 0;
}

/* All that is there for the two: who reads one flag may write the one that the second waits for, which passes on nothing without
 * a fence between them. */
static inline ws_lacks ws_lacks_onward(const ws_module *module, const ws_paths *paths, const uint8_t *came,
                                       uint32_t second, ws_lacks lacks) {
    const ws_paths stopped = ws_paths_stopped(paths, came, WS_CAME_RELEASES_GPU);
    const ws_kernel *program = paths->program;
    uint32_t i, k;
    ws_paths_lead_to(paths, second, 0);
    for (i = 0; i < program->num_steps; i++) {
        if (!ws_lacks_reads(module, paths, i, true) ||
            (program->meant[i].event == WS_EVENT_LOAD && !ws_polls(module, program->steps[i].statement)))
            continue;
        (void)ws_paths_lead(&stopped, program->steps[i].statement, UINT32_MAX);
        for (k = 0; k < program->num_steps; k++) {
            const uint32_t flag = program->steps[k].statement;
            if (paths->marks[k] == 0 || (came[k] & WS_CAME_RELEASES_GPU) || flag == program->steps[i].statement ||
                !ws_lacks_writes(paths, k, true) || !ws_lacks_is_read(module, paths, flag, true, false))
                continue;
            lacks.kind = WS_LACKS_FENCE;
            lacks.flag = flag;
            return lacks;
        }
    }
    return lacks;
}

/* Is what two accesses lack a fence before a flag that is read before the second of them? */
static inline bool ws_lacks_release(const ws_module *module, const ws_paths *paths, const ws_lacks *lacks,
                                    uint32_t second) {
    if (lacks->kind != WS_LACKS_FENCE) return false;
    ws_paths_lead_to(paths, second, 0);
    return ws_lacks_is_read(module, paths, lacks->flag, true, false);
}

/* What a race lacks whose threads could pass each other the bytes by a flag. Of two blocks it is not known who comes first:
 * a read is to come after the write, unless nothing can tell it that. */
static inline ws_lacks ws_lacks_of(const ws_module *module, const ws_paths *paths, const uint8_t *came,
                                   const ws_found *found) {
    const bool crosses = found->block != found->other_block, reads = found->is_write != found->other_is_write;
    const uint32_t write = found->is_write ? found->step : found->other,
                   read = found->is_write ? found->other : found->step;
    ws_lacks lacks = {WS_LACKS_UNKNOWN, WS_NO_INDEX, WS_NO_INDEX, false, false, false};
    if (found->rule != WS_RUN_RACE && found->rule != WS_RUN_ARRAY_RACE && found->rule != WS_RUN_WARP_RACE) return lacks;
    if (crosses && reads) {
        const ws_lacks back = ws_lacks_between(module, paths, came, read, write, crosses);
        lacks = ws_lacks_between(module, paths, came, write, read, crosses);
        if (ws_lacks_release(module, paths, &back, write) &&
            (lacks.kind == WS_LACKS_JOINT || (ws_lacks_nothing_of_one(module, paths, came, write, read) &&
                                              !ws_lacks_nothing_of_one(module, paths, came, read, write))))
            return back;
        if (lacks.kind == WS_LACKS_JOINT) return ws_lacks_onward(module, paths, came, read, lacks);
        if (lacks.kind != WS_LACKS_FLAG) return lacks;
    }
    lacks = ws_lacks_between(module, paths, came, ws_lacks_first(found), ws_lacks_second(found), crosses);
    return crosses && lacks.kind == WS_LACKS_JOINT ? ws_lacks_onward(module, paths, came, ws_lacks_second(found), lacks)
                                                   : lacks;
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
