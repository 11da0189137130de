/* What to do about a finding, in a sentence: what to put where, with the lines of the text and of its source. */
#ifndef WARPSIM_FINDING_FIX_H
#define WARPSIM_FINDING_FIX_H

#include "../base/apart.h"
#include "../run/special.h"
#include "copies.h"
#include "order_fix.h"
#include "repairs.h"
#include "teller.h"
#include "update.h"
#include "stands.h"

/* Do the blocks of the grid meet, and does nobody but the library poll a flag? */
static inline bool ws_fix_is_of_grid(const ws_teller *teller, const ws_found *found) {
    const ws_module *module = teller->module;
    const ws_kernel *program = teller->program;
    uint32_t i;
    if (found->block == found->other_block || found->step == found->other || !ws_kernel_meets(program)) return false;
    for (i = 0; i < program->num_steps; i++) {
        const uint32_t statement = program->steps[i].statement, at = ws_source_location(module, statement);
        const bool is_library =
            at != WS_NO_INDEX && ws_location_is_known(module, at) && ws_location_is_system(module, at);
        const bool is_strong = ws_event_is_atomic(program->meant[i].event) || program->meant[i].said.is_strong;
        if (!is_library && is_strong && ws_polls(module, statement)) return false;
    }
    return true;
}

/* Two accesses of threads that could pass each other the bytes by a flag; false: nothing is known of that. */
static inline bool ws_fix_add_passed(const ws_teller *teller, ws_text *text, const ws_found *found,
                                     const ws_repair *repair) {
    const ws_lacks_kind kind = repair->lacks.kind;
    if (kind == WS_LACKS_UNKNOWN || (kind == WS_LACKS_FLAG && found->block == found->other_block)) return false;
    if (teller->language != WS_CUDA) return false;
    if (ws_fix_is_of_grid(teller, found)) {
        ws_text_add(text, "Put grid.sync() between ");
        ws_teller_add_line(teller, text, found->step);
        ws_text_add(text, " and ");
        ws_teller_add_line(teller, text, found->other);
        ws_text_add(text, ", at a point that all threads of the grid reach.");
    } else if (kind == WS_LACKS_FLAG) {
        ws_text_add(text,
                    "Use atomics, or let each thread write bytes of its own: no flag, lock or counter passes these"
                    " on, and a barrier, ");
        ws_text_add(text, teller->words->block_fence);
        ws_text_add(text,
                    " and .cta reach one block alone. Where all blocks are to have done the one before any does the"
                    " other, let the grid meet (grid.sync() in a cooperative launch), or launch twice.");
    } else if (kind == WS_LACKS_JOINT) {
        ws_text_add(text,
                    "No flag, lock or counter joins these two accesses, though there are some: let one and the same be"
                    " written after the access that is to come first, and be waited for before the other. Where one"
                    " thread does so for others, these meet it at a barrier before it writes and after it has waited."
                    " Or use atomics.");
    } else {
        ws_fix_add_lacking(teller, text, found, &repair->lacks);
    }
    return true;
}

/* Are both accesses atomics, one of too narrow a scope for the other's block? */
static inline bool ws_fix_is_narrow_pair(const ws_teller *teller, const ws_found *found) {
    return found->block != found->other_block && ws_event_is_atomic(ws_teller_meant(teller, found->step)->event) &&
           ws_event_is_atomic(ws_teller_meant(teller, found->other)->event);
}

/* Do threads that take parts of their own pass the bytes by a flag, of which it is known what it lacks? */
static inline bool ws_fix_is_flagged(const ws_teller *teller, const ws_repair *repair) {
    const ws_lacks *lacks = &repair->lacks;
    return lacks->known && lacks->kind > WS_LACKS_FLAG && lacks->kind < WS_LACKS_JOINT && teller->language == WS_CUDA &&
           (repair->waits[0] == WS_NO_INDEX || repair->waits[1] == WS_NO_INDEX);
}

/* Of a race of two statements that threads of one block or cluster execute. */
static inline void ws_fix_add_race(const ws_teller *teller, ws_text *text, const ws_found *found,
                                   const ws_repair *repair) {
    const bool makes = ws_teller_is(teller, found->step, WS_EVENT_OBJECT_INIT) ||
                       ws_teller_is(teller, found->other, WS_EVENT_OBJECT_INIT);
    const bool waits = repair->object != WS_NO_INDEX && !makes && found->rule != WS_RUN_WARP_RACE;
    if (ws_fix_is_narrow_pair(teller, found)) {
        ws_text_add(text, "Let both atomics reach the cluster: .cluster or .gpu instead of .cta.");
    } else if (repair->parts) {
        ws_fix_add_parted(teller, text, repair);
    } else if (found->rule == WS_RUN_WARP_RACE && repair->place == WS_PLACE_OUTSIDE && teller->language == WS_CUDA &&
               (repair->lacks.kind == WS_LACKS_FENCE || repair->lacks.kind == WS_LACKS_FENCE_AFTER)) {
        ws_fix_add_lacking(teller, text, found, &repair->lacks);
    } else if ((!repair->onward && !repair->again && found->step != found->other)) {
        if (found->rule == WS_RUN_RACE && ws_fix_is_flagged(teller, repair))
            ws_fix_add_lacking(teller, text, found, &repair->lacks);
        else ws_fix_add_apart(teller, text, found, repair);
    } else if (waits) {
        ws_fix_add_object(teller, text, found, repair);
    } else if (repair->stands != WS_NO_INDEX &&
               (ws_fix_is_relaxed(teller, repair->stands) || (repair->pairs == 0 && !repair->again))) {
        ws_fix_add_stands(teller, text, found, repair);
    } else if (repair->pairs != 0) {
        ws_fix_add_repair(teller, text, repair);
    } else {
        ws_fix_add_order(teller, text, found, repair);
    }
}

/* Does a plain store meet what takes a lock? */
static inline bool ws_fix_unlocks(const ws_teller *teller, const ws_found *found) {
    const int here = ws_teller_meant(teller, found->step)->event, there = ws_teller_meant(teller, found->other)->event;
    const bool is_first = here == WS_EVENT_STORE;
    const int other = is_first ? there : here;
    const bool is_later = is_first ? found->step > found->other : found->other > found->step;
    return (is_first || there == WS_EVENT_STORE) && is_later && (other == WS_EVENT_SWAP || other == WS_EVENT_EXCHANGE);
}

/* What a rule says, whatever the text does. */
static inline const char *ws_fix_of_rule(const ws_teller *teller, const ws_found *found) {
    const char *own = ws_words_fix(teller->language, (int)found->rule);
    return own != NULL ? own : ws_rule_at((int)WS_RULES_KERNEL + (int)found->rule - 1)->fix;
}

/* What to do about a row of what is told, however long the search for it takes. */
static inline void ws_fix_add_found(const ws_teller *teller, ws_text *text, const ws_found *found,
                                    const ws_repair *repair) {
    const bool has_other = found->other != WS_FOUND_NO_STEP && !ws_told_is_missed(found->rule);
    const bool orders =
        found->rule == WS_RUN_RACE || found->rule == WS_RUN_WARP_RACE || found->rule == WS_RUN_ARRAY_RACE;
    const bool crosses = found->rule == WS_RUN_ARRAY_RACE && found->block != found->other_block;
    ws_update update;
    const bool is_passed = found->rule == WS_RUN_UNACQUIRED && found->via != WS_FOUND_NO_STEP; /* by a flag */
    const bool is_update = has_other && !is_passed && ws_update_is_lost(teller, found, repair->stores, &update),
               is_locked = is_update && ws_update_is_locked(teller->module, teller->program, update.load, repair->gives,
                                                            found->block != found->other_block);
    if (found->rule == WS_RUN_READING && !has_other) {
        ws_fix_add_last(teller, text, found);
    } else if (orders && repair->weak != WS_NO_INDEX && teller->language == WS_CUDA &&
               !(has_other && ws_fix_unlocks(teller, found))) {
        ws_fix_add_weak(teller, text, found, repair);
    } else if (is_update && !is_locked) {
        ws_fix_add_update(teller, text, &update);
    } else if (repair->gap != WS_NO_INDEX) {
        ws_fix_add_gap(teller, text, found, repair);
    } else if (has_other && ws_fix_add_copy(teller, text, found, repair)) {
        return;
    } else if (has_other && orders && ws_update_peeks(teller, found)) {
        ws_fix_add_peek(teller, text, found);
    } else if (has_other && is_passed) {
        ws_fix_add_fence(teller, text, found, repair);
    } else if (has_other && found->rule == WS_RUN_ARRAY_RACE && found->is_seen) {
        ws_fix_add_release(teller, text, found);
    } else if (has_other && crosses &&
               (ws_fix_is_narrow(teller, found->step) || ws_fix_is_narrow(teller, found->other))) {
        ws_fix_add_wider(teller, text);
    } else if (has_other && orders && ws_fix_unlocks(teller, found)) {
        ws_text_add(text, "Give the lock back by an atomic: ");
        ws_text_add(text, teller->words->unlock);
        ws_text_add(text, ".");
    } else if (has_other && found->rule == WS_RUN_UNUSED_READ) {
        ws_text_add(text,
                    "Nothing to do if they are the padding of a struct. If not, write them before they are read.");
    } else if (found->space == WS_AT_REGISTER) {
        ws_text_add(text, "Set the register on every way that leads here, or do not use it.");
    } else if (has_other && found->rule == WS_RUN_UNWRITTEN && ws_teller_is(teller, found->step, WS_EVENT_MEMBERS_S3)) {
        ws_text_add(text, "Let the lane that is read from take part, or use the value only where it does.");
    } else if (has_other && orders && (crosses || is_locked) && ws_fix_add_passed(teller, text, found, repair)) {
        return;
    } else if (has_other && orders && !crosses) {
        ws_fix_add_race(teller, text, found, repair);
    } else {
        ws_text_add(text, ws_fix_of_rule(teller, found));
    }
}

/* The same within bounds. */
WS_ONCE void ws_fix_add(const ws_teller *teller, ws_text *text, const ws_found *found, const ws_repair *repair) {
    const ws_effort *effort = teller->module->effort;
    const ws_text before = *text;
    if (repair->is_known && !ws_effort_is_spent(effort)) ws_fix_add_found(teller, text, found, repair);
    if (repair->is_known && !ws_effort_is_spent(effort)) return;
    *text = before;
    ws_text_add(text, ws_fix_of_rule(teller, found));
}

#endif
