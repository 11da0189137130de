/* Flags, locks and counters: the statements that may write one after a statement, and read one before another. */
#ifndef WARPSIM_PLACE_FLAGS_H
#define WARPSIM_PLACE_FLAGS_H

#include "../decode/said.h"
#include "came.h"
#include "paths.h"
#include "polls.h"
#include "same.h"

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

/* Is what a statement writes read on a way to the one of ws_paths_lead_to? `polls`: by another one, until it is as wanted. */
static inline bool ws_lacks_is_read(const ws_module *module, const ws_paths *paths, uint32_t write, bool crosses,
                                    bool polls) {
    uint32_t i;
    for (i = 0; i < paths->program->num_steps; i++) {
        const uint32_t read = paths->program->steps[i].statement;
        if (!ws_lacks_reads(module, paths, i, crosses) || !ws_paths_leads(paths, i)) continue;
        if (polls && (read == write || !ws_polls(module, read))) continue;
        if (ws_trail_is_one_place(module, read, 1, write, 0) || ws_trail_is_one_place(module, read, 1, write, 1))
            return true;
    }
    return false;
}

/* The statement that writes a flag on a way from `from`: one that not all threads come to, or one other than `from`; of these
 * the first one after it in the text, else any; WS_NO_INDEX if none does. Ways end at steps that have one of the bits
 * `stops`. `module`: it is polled on a way to the one of ws_paths_lead_to; NULL: any. */
static inline uint32_t ws_lacks_write_of(const ws_module *module, const ws_paths *paths, const uint8_t *came,
                                         uint32_t from, uint8_t stops, bool crosses) {
    const ws_paths stopped = ws_paths_stopped(paths, came, stops);
    const uint32_t count = paths->program->num_steps;
    uint32_t found = WS_NO_INDEX, at;
    (void)ws_paths_lead(&stopped, from, UINT32_MAX);
    for (at = 0; at < 3 * count && (found == WS_NO_INDEX || at % count != 0); at++) {
        const uint32_t i = at % count, statement = paths->program->steps[i].statement;
        const bool is_chosen = at / count == 0 ? !(came[i] & WS_CAME_BLOCK) : at / count == 2 || statement != from;
        if (is_chosen && (found == WS_NO_INDEX || (found < from && statement > from)) && paths->marks[i] != 0 &&
            (came[i] & stops) == 0 && ws_lacks_writes(paths, i, crosses) &&
            (module == NULL || ws_lacks_is_read(module, paths, statement, crosses, true)))
            found = statement;
    }
    return found;
}

#endif
