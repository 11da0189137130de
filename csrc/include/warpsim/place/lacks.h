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
#include "trail.h"

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
} ws_lacks;

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

/* Does its function use what a statement gives? */
static inline bool ws_lacks_is_used(const ws_module *module, uint32_t number) {
    const ws_function *function = &module->functions[module->statements[number].function];
    const ws_item *to = ws_guess_item(module, &module->statements[number], 0);
    uint32_t i, k;
    if (to == NULL || to->kind != WS_ITEM_REGISTER) return false;
    if (!ws_effort_take(module->effort, function->statement_count)) return false;
    for (i = function->first_statement; i < function->first_statement + function->statement_count; i++) {
        const ws_statement *statement = &module->statements[i];
        if (statement->guard == to->index) return true;
        for (k = i == number ? 1 : 0; k < statement->item_count; k++) {
            const ws_item *item = ws_guess_item(module, statement, k);
            const bool is_address = item->kind == WS_ITEM_ADDRESS && item->base_kind == WS_ITEM_REGISTER;
            if (ws_trail_names(module, item, to->index) || (is_address && item->index == to->index)) return true;
        }
    }
    return false;
}

static inline bool ws_lacks_reads(const ws_module *module, const ws_paths *paths, uint32_t number, bool crosses) {
    const ws_meant *meant = &paths->program->meant[number];
    const ws_statement *statement = &module->statements[paths->program->steps[number].statement];
    const ws_guess_kind kind = ws_said_guess(&module->opcodes[statement->opcode]);
    if (!ws_lacks_reach(&paths->program->steps[number], crosses)) return false;
    if (ws_event_is_atomic(meant->event))
        return (kind == WS_GUESS_ATOMIC || kind == WS_GUESS_SWAP) &&
               ws_lacks_is_used(module, paths->program->steps[number].statement);
    return meant->event == WS_EVENT_LOAD && meant->said.is_strong;
}

/* The statement that reads a flag on a way to `to`: the last one before it in the text, else any; WS_NO_INDEX if none does.
 * Ways end at steps that have one of the bits `stops`. */
static inline uint32_t ws_lacks_read_of(const ws_module *module, const ws_paths *paths, const uint8_t *came,
                                        uint32_t to, uint8_t stops, bool crosses) {
    const ws_paths stopped = ws_paths_stopped(paths, came, stops);
    uint32_t found = WS_NO_INDEX, i;
    ws_paths_lead_to(&stopped, to, 0);
    for (i = 0; i < paths->program->num_steps; i++) {
        const uint32_t statement = paths->program->steps[i].statement;
        if ((found == WS_NO_INDEX || statement <= to) && (came[i] & stops) == 0 && ws_paths_leads(paths, i) &&
            ws_lacks_reads(module, paths, i, crosses))
            found = statement;
    }
    return found;
}

/* The statement that writes a flag on a way from `from`: one that not all threads come to, or one other than `from`; of these
 * the first one after it in the text, else any; WS_NO_INDEX if none does. Ways end at steps that have one of the bits
 * `stops`. */
static inline uint32_t ws_lacks_write_of(const ws_paths *paths, const uint8_t *came, uint32_t from, uint8_t stops,
                                         bool crosses) {
    const ws_paths stopped = ws_paths_stopped(paths, came, stops);
    const uint32_t count = paths->program->num_steps;
    uint32_t found = WS_NO_INDEX, at;
    (void)ws_paths_lead(&stopped, from, UINT32_MAX);
    for (at = 0; at < 3 * count && (found == WS_NO_INDEX || at % count != 0); at++) {
        const uint32_t i = at % count, statement = paths->program->steps[i].statement;
        const bool is_chosen = at / count == 0 ? !(came[i] & WS_CAME_BLOCK) : at / count == 2 || statement != from;
        if (is_chosen && (found == WS_NO_INDEX || (found < from && statement > from)) && paths->marks[i] != 0 &&
            (came[i] & stops) == 0 && ws_lacks_writes(paths, i, crosses))
            found = statement;
    }
    return found;
}

/* Fences stand on all ways. Do threads speak for others of their block without having met them at a barrier? */
static inline ws_lacks ws_lacks_barrier(const ws_module *module, const ws_paths *paths, const uint8_t *came,
                                        uint32_t first, uint32_t second, bool crosses) {
    const uint64_t meets = WS_EVENT_BIT(WS_EVENT_BARRIER) | WS_EVENT_BIT(WS_EVENT_WARP_BARRIER);
    const ws_kernel *program = paths->program;
    const bool all_first = ws_came_all(program, came, first, WS_CAME_BLOCK),
               all_second = ws_came_all(program, came, second, WS_CAME_BLOCK);
    ws_lacks lacks = {WS_LACKS_JOINT, WS_NO_INDEX, WS_NO_INDEX, false};
    uint32_t i;
    if (all_first) (void)ws_paths_lead_past(paths, first, UINT32_MAX, meets);
    if (all_second) ws_paths_lead_to(paths, second, meets);
    for (i = 0; i < program->num_steps && lacks.flag == WS_NO_INDEX; i++) {
        const uint32_t statement = program->steps[i].statement;
        if (came[i] & WS_CAME_BLOCK) continue; /* each thread speaks for itself */
        if (all_first && ws_lacks_writes(paths, i, crosses) && ws_paths_is_marked(paths, i)) {
            lacks.kind = WS_LACKS_BARRIER;
            lacks.flag = statement;
        } else if (all_second && ws_paths_leads(paths, i) && ws_lacks_reads(module, paths, i, crosses)) {
            lacks.kind = WS_LACKS_BARRIER_AFTER;
            lacks.flag = statement;
        }
    }
    return lacks;
}

/* What two accesses lack, the second of which is to come after the first. */
static inline ws_lacks ws_lacks_between(const ws_module *module, const ws_paths *paths, const uint8_t *came,
                                        uint32_t first, uint32_t second, bool crosses) {
    const uint8_t before = crosses ? WS_CAME_RELEASES_GPU : WS_CAME_RELEASES,
                  after = crosses ? WS_CAME_ACQUIRES_GPU : WS_CAME_ACQUIRES;
    const uint64_t barriers = WS_EVENT_BIT(WS_EVENT_BARRIER);
    ws_lacks lacks = {WS_LACKS_FLAG, WS_NO_INDEX, WS_NO_INDEX, false};
    if (ws_lacks_write_of(paths, came, first, 0, crosses) == WS_NO_INDEX ||
        ws_lacks_read_of(module, paths, came, second, 0, crosses) == WS_NO_INDEX)
        return lacks;
    lacks.kind = WS_LACKS_FENCE;
    lacks.flag = ws_lacks_write_of(paths, came, first, before, crosses);
    lacks.meets = lacks.flag != WS_NO_INDEX && !ws_paths_lead_past(paths, first, lacks.flag, barriers);
    lacks.read = ws_lacks_read_of(module, paths, came, second, after, crosses);
    if (lacks.flag != WS_NO_INDEX) return lacks;
    lacks.kind = WS_LACKS_FENCE_AFTER;
    lacks.flag = lacks.read;
    lacks.meets = lacks.flag != WS_NO_INDEX && !ws_paths_lead_past(paths, lacks.flag, second, barriers);
    return lacks.flag != WS_NO_INDEX ? lacks : ws_lacks_barrier(module, paths, came, first, second, crosses);
}

/* What a race lacks whose threads could pass each other the bytes by a flag. Of two blocks it is not known who comes first:
 * a read is to come after the write, unless nothing can tell it that. */
static inline ws_lacks ws_lacks_of(const ws_module *module, const ws_paths *paths, const uint8_t *came,
                                   const ws_found *found) {
    const bool crosses = found->block != found->other_block, reads = found->is_write != found->other_is_write;
    const uint32_t write = found->is_write ? found->step : found->other,
                   read = found->is_write ? found->other : found->step;
    ws_lacks lacks = {WS_LACKS_UNKNOWN, WS_NO_INDEX, WS_NO_INDEX, false};
    if (found->rule != WS_RUN_RACE && found->rule != WS_RUN_ARRAY_RACE && found->rule != WS_RUN_WARP_RACE) return lacks;
    if (crosses && reads) {
        lacks = ws_lacks_between(module, paths, came, write, read, crosses);
        if (lacks.kind != WS_LACKS_FLAG) return lacks;
    }
    return ws_lacks_between(module, paths, came, ws_lacks_first(found), ws_lacks_second(found), crosses);
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
