/* What to do about a copy that is under way, in a sentence. */
#ifndef WARPSIM_FINDING_COPIES_H
#define WARPSIM_FINDING_COPIES_H

#include "../rules/rules.h"
#include "order_fix.h"

/* A copy out of shared memory that its thread does not wait for before it exits. */
static inline void ws_fix_add_last(const ws_teller *teller, ws_text *text, const ws_found *found) {
    ws_text_add(text, "Let the thread that issues the copy at ");
    ws_teller_add_line(teller, text, found->step);
    ws_text_add(text, " wait for it before it exits: ");
    ws_text_add(text, teller->words->wait_store);
    ws_text_add(text, ".");
}

/* A wait for groups comes before the copy is in one. */
static inline void ws_fix_add_commit(const ws_teller *teller, ws_text *text, const ws_repair *repair) {
    ws_text_add(text, "Commit the copy at ");
    ws_teller_add_line(teller, text, repair->copy);
    ws_text_add(text, " (");
    ws_text_add(text,
                ws_teller_is(teller, repair->copy, WS_EVENT_COPY) ? teller->words->commit : teller->words->commit_bulk);
    ws_text_add(text, ") before ");
    ws_teller_add_line(teller, text, repair->early);
    ws_text_add(text, ", which waits for groups that are committed, and for no other copies.");
}

/* What others still read is overwritten: the wait is there. */
static inline void ws_fix_add_overtaken(const ws_teller *teller, ws_text *text, const ws_found *found,
                                        const ws_repair *repair) {
    const uint32_t access = repair->copy == found->step ? found->other : found->step;
    ws_text_add(text, "Put ");
    ws_text_add(text, teller->words->block_barrier);
    ws_text_add(text, " after ");
    ws_teller_add_line(teller, text, access);
    ws_text_add(text, ", before the copy at ");
    ws_teller_add_line(teller, text, repair->copy);
    ws_text_add(text, " begins that goes to the same bytes: other threads may still access them.");
}

/* A copy goes to where another still does. No place is known at which waiting for the first helps: others may have to read
 * what it brings. */
static inline void ws_fix_add_both(const ws_teller *teller, ws_text *text, const ws_found *found) {
    ws_text_add(text, "Two copies are under way to the same bytes, of ");
    ws_fix_add_ends(teller, text, found->step, found->other);
    ws_text_add(text, ": begin the later one when the earlier has been waited for and what it brought has been read, or"
                      " take more buffers, one for each copy that is under way.");
}

/* Does the kernel have a statement of these events? */
static inline bool ws_fix_has(const ws_teller *teller, uint64_t events) {
    uint32_t i;
    for (i = 0; i < teller->program->num_steps; i++) {
        if (events >> teller->program->meant[i].event & 1) return true;
    }
    return false;
}

/* Where no thread waits for groups of copies: the object at which they arrive is to be waited for, or they are to arrive at
 * the object that is; false: neither. */
static inline bool ws_fix_add_arrival(const ws_teller *teller, ws_text *text) {
    const uint64_t groups =
        WS_EVENT_BIT(WS_EVENT_COPY_COMMIT) | WS_EVENT_BIT(WS_EVENT_COPY_WAIT) | WS_EVENT_BIT(WS_EVENT_COPY_WAIT_ALL);
    if (ws_fix_has(teller, groups)) return false;
    if (ws_fix_has(teller, WS_EVENT_BIT(WS_EVENT_OBJECT_COPIES))) {
        ws_text_add(text, ", wait for the phase of the mbarrier object in which it arrives: ");
        ws_text_add(text, teller->words->wait_object);
        ws_text_add(text, ".");
        return true;
    }
    if (teller->language != WS_CUDA || !ws_fix_has(teller, WS_REPAIR_OBJECTS)) return false;
    ws_text_add(text, ", wait for an mbarrier object at which the copy arrives itself, when it has come:"
                      " cp.async.mbarrier.arrive.noinc by each thread that copies, in place of its mbarrier.arrive.");
    return true;
}

/* The bytes of a copy that nobody has waited for. */
static inline void ws_fix_add_wait(const ws_teller *teller, ws_text *text, const ws_found *found,
                                   const ws_repair *repair) {
    const uint32_t copy = repair->copy, access = copy == found->step ? found->other : found->step;
    const uint32_t depth = ws_teller_common(teller, copy, access);
    const int event = ws_teller_meant(teller, copy)->event;
    const bool has_object = event != WS_EVENT_COPY,
               is_own = found->block == found->other_block && found->thread == found->other_thread;
    if (has_object && repair->awaited) {
        ws_text_add(text,
                    "Compare the bytes that expect_tx tells the mbarrier object with those that all copies of its phase"
                    " bring, and the phase of the wait with the round: the wait between the copy at ");
        ws_teller_add_line_in(teller, text, copy, depth);
        ws_text_add(text, " and ");
        ws_teller_add_line_in(teller, text, access, depth);
        ws_text_add(text, " ends before they have come.");
        return;
    }
    ws_text_add(text, "Between the copy at ");
    ws_teller_add_line_in(teller, text, copy, depth);
    ws_text_add(text, " and the access at ");
    ws_teller_add_line_in(teller, text, access, depth);
    if (event == WS_EVENT_BULK) {
        ws_text_add(text, ", wait for the phase of its mbarrier object: ");
        ws_text_add(text, teller->words->wait_bulk);
        ws_text_add(text, ".");
    } else if (has_object) {
        ws_text_add(text, ", wait for the mbarrier object that counts its bytes: ");
        ws_text_add(text, teller->words->wait_object);
        ws_text_add(text, ".");
    } else if (!ws_fix_add_arrival(teller, text)) {
        ws_text_add(text, is_own ? ", wait for the copy: " : ", wait for the copy in its own thread: ");
        ws_text_add(text, teller->words->wait_copy);
        ws_text_add(text, is_own ? "" : "; then put ");
        ws_text_add(text, is_own ? "" : teller->words->block_barrier);
        if (!is_own) ws_fix_add_place(text, repair, WS_REPAIR_BLOCK);
        ws_text_add(text, ".");
    }
}

/* What a bulk copy writes to global memory is accessed when its thread has waited for its source alone, or not at all. */
static inline void ws_fix_add_stored(const ws_teller *teller, ws_text *text, const ws_found *found,
                                     const ws_repair *repair) {
    ws_text_add(text, "Let the thread of the copy at ");
    ws_teller_add_line(teller, text, repair->copy);
    ws_text_add(text, " wait for all of it, by cp.async.bulk.wait_group 0 without .read, before ");
    ws_teller_add_line(teller, text, repair->copy == found->step ? found->other : found->step);
    ws_text_add(text, "; other threads go on after that.");
}

/* A thread has waited for its bulk copy, and others write what it reads. */
static inline void ws_fix_add_gap(const ws_teller *teller, ws_text *text, const ws_found *found,
                                  const ws_repair *repair) {
    const uint32_t access = ws_repair_is_copy(teller->program, found->step) ? found->other : found->step;
    if (repair->place == WS_PLACE_NOWHERE) {
        ws_fix_add_nowhere(teller, text, repair->gap, access, WS_REPAIR_BLOCK);
        return;
    }
    ws_text_add(text, "Put ");
    ws_text_add(text, teller->words->block_barrier);
    ws_text_add(text, " between ");
    ws_fix_add_ends(teller, text, repair->gap, access);
    ws_fix_add_place(text, repair, WS_REPAIR_BLOCK);
    ws_text_add(text, ": who waits there waits for its own copies, and the others do not wait for it.");
}

/* Of a copy that is under way, and an access. */
static inline bool ws_fix_add_copy(const ws_teller *teller, ws_text *text, const ws_found *found,
                                   const ws_repair *repair) {
    if (repair->copy == WS_NO_INDEX || (found->rule != WS_RUN_IN_FLIGHT && found->rule != WS_RUN_READING)) return false;
    if (found->is_copy && found->other_is_copy && found->space != WS_AT_GLOBAL &&
        (!repair->awaited || ws_teller_is(teller, repair->copy, WS_EVENT_COPY)))
        ws_fix_add_both(teller, text, found);
    else if (found->space == WS_AT_GLOBAL && found->rule == WS_RUN_IN_FLIGHT)
        ws_fix_add_stored(teller, text, found, repair);
    else if (repair->early != WS_NO_INDEX) ws_fix_add_commit(teller, text, repair);
    else if (found->rule == WS_RUN_IN_FLIGHT && repair->overtakes) ws_fix_add_overtaken(teller, text, found, repair);
    else if (found->rule == WS_RUN_IN_FLIGHT) ws_fix_add_wait(teller, text, found, repair);
    else if (ws_teller_is(teller, repair->copy, WS_EVENT_COPY)) ws_fix_add_wait(teller, text, found, repair);
    else return false;
    return true;
}

#endif
