/* What to do about a finding, in a sentence: what to put where, with the lines of the text and of its source. */
#ifndef WARPSIM_FINDING_FIX_H
#define WARPSIM_FINDING_FIX_H

#include "../rules/rules.h"
#include "repair.h"
#include "teller.h"
#include "update.h"

static inline const char *ws_fix_barrier(const ws_teller *teller, int kind) {
    return kind == WS_REPAIR_CLUSTER ? teller->words->cluster_barrier
           : kind == WS_REPAIR_BLOCK ? teller->words->block_barrier
                                     : teller->words->warp_barrier;
}

/* "Use atomicAdd() in place of what line 12 loads and line 14 stores" */
static inline void ws_fix_add_update(const ws_teller *teller, ws_text *text, const ws_update *update) {
    ws_text_add(text, "Use ");
    ws_text_add(text, teller->words->change[update->change]);
    ws_text_add(text, " in place of what ");
    ws_teller_add_line(teller, text, update->load);
    ws_text_add(text, " loads and ");
    ws_teller_add_line(teller, text, update->store);
    ws_text_add(text, " stores: between the two another thread does the same, and its update is lost.");
}

/* One barrier for one pair of lines or for several. */
static inline void ws_fix_add_repair(const ws_teller *teller, ws_text *text, const ws_repair *repair) {
    const uint32_t depth = ws_teller_common(teller, repair->after, repair->before);
    ws_text_add(text, "Put ");
    ws_text_add(text, ws_fix_barrier(teller, repair->kind));
    ws_text_add(text, repair->in_loop ? " after " : " between ");
    ws_teller_add_line_in(teller, text, repair->after, depth);
    ws_text_add(text, repair->in_loop ? ", before the next round of the loop comes to " : " and ");
    ws_teller_add_line_in(teller, text, repair->before, depth);
    if (repair->pairs > 1) {
        ws_text_add(text, ", which orders these ");
        ws_text_add_uint(text, repair->pairs);
        ws_text_add(text, " pairs of lines");
    }
    ws_text_add(text, repair->in_loop ? "." : "; in a loop, also between the later and the next round.");
}

/* Is the scope of an atomic, or of a strong load or store, less than the GPU? */
static inline bool ws_fix_is_narrow(const ws_teller *teller, uint32_t statement) {
    const ws_meant *meant = ws_teller_meant(teller, statement);
    const bool accesses = ws_event_is_atomic(meant->event) || meant->event == WS_EVENT_LOAD ||
                          meant->event == WS_EVENT_STORE || meant->event == WS_EVENT_ASYNC_REDUCE;
    return accesses && meant->said.scope != WS_SCOPE_GPU;
}

/* A fence is missing after a read that sees a flag. */
static inline void ws_fix_add_fence(const ws_teller *teller, ws_text *text, const ws_found *found) {
    ws_text_add(text, "Put ");
    ws_text_add(text, found->block == found->other_block ? teller->words->block_fence : teller->words->fence);
    ws_text_add(text, " after ");
    ws_teller_add_line(teller, text, found->via);
    ws_text_add(text, ", which reads the flag, the lock or the counter, in the thread that reads it; or ");
    ws_text_add(text, teller->words->acquire);
    ws_text_add(text, ".");
}

/* The bytes of a copy that nobody has waited for. */
static inline void ws_fix_add_wait(const ws_teller *teller, ws_text *text, const ws_found *found) {
    const uint32_t copy = found->is_copy ? found->step : found->other,
                   access = found->is_copy ? found->other : found->step;
    const int event = ws_teller_meant(teller, copy)->event;
    const uint32_t depth = ws_teller_common(teller, copy, access);
    ws_text_add(text, "Between the copy at ");
    ws_teller_add_line_in(teller, text, copy, depth);
    ws_text_add(text, " and the access at ");
    ws_teller_add_line_in(teller, text, access, depth);
    if (event == WS_EVENT_BULK) {
        ws_text_add(text, ", wait for the phase of its mbarrier object: ");
        ws_text_add(text, teller->words->wait_bulk);
        ws_text_add(text, ".");
    } else if (event == WS_EVENT_ASYNC_STORE || event == WS_EVENT_ASYNC_CANCEL) {
        ws_text_add(text, ", wait for the mbarrier object that counts its bytes (");
        ws_text_add(text, teller->words->wait_object);
        ws_text_add(text, ").");
    } else {
        ws_text_add(text, ", wait for the copy: ");
        ws_text_add(text, teller->words->wait_copy);
        ws_text_add(text, ", then a barrier.");
    }
}

/* A barrier between two lines, or in the loop around one. */
static inline void ws_fix_add_order(const ws_teller *teller, ws_text *text, const ws_found *found) {
    const bool is_shared = found->rule == WS_RUN_RACE && found->block != found->other_block;
    const char *barrier = ws_fix_barrier(teller, found->rule == WS_RUN_WARP_RACE ? WS_REPAIR_WARP
                                                 : is_shared                     ? WS_REPAIR_CLUSTER
                                                                                 : WS_REPAIR_BLOCK);
    const bool is_bulk =
        ws_teller_is(teller, found->step, WS_EVENT_BULK) || ws_teller_is(teller, found->other, WS_EVENT_BULK);
    const uint32_t depth = ws_teller_common(teller, found->step, found->other);
    ws_text_add(text, "Put ");
    if (ws_teller_line(teller, found->step) == ws_teller_line(teller, found->other)) {
        ws_text_add(text, barrier);
        ws_text_add(text, " into the loop around ");
        ws_teller_add_line(teller, text, found->step);
        ws_text_add(text, ", or give each thread bytes of its own.");
        return;
    }
    if (is_bulk) {
        ws_text_add(text, teller->words->block_barrier);
        ws_text_add(text, ", after fence.proxy.async where a bulk copy reads what was stored,");
    } else if (found->is_copy || found->other_is_copy) {
        ws_text_add(text, "the wait for the copy, and then ");
        ws_text_add(text, barrier);
        ws_text_add(text, ",");
    } else {
        ws_text_add(text, barrier);
    }
    ws_text_add(text, " between ");
    ws_teller_add_line_in(teller, text, found->step, depth);
    ws_text_add(text, " and ");
    ws_teller_add_line_in(teller, text, found->other, depth);
    ws_text_add(text, "; in a loop, also between the later and the next round.");
}

/* What to do about a row of what is told. */
static inline void ws_fix_add(const ws_teller *teller, ws_text *text, const ws_found *found, const ws_repair *repair) {
    const char *own = ws_words_fix(teller->language, (int)found->rule),
               *rule = own != NULL ? own : ws_rule_at((int)WS_RULES_KERNEL + (int)found->rule - 1)->fix;
    const bool has_other = found->other != WS_FOUND_NO_STEP && !ws_told_is_missed(found->rule);
    const bool orders =
        found->rule == WS_RUN_RACE || found->rule == WS_RUN_WARP_RACE || found->rule == WS_RUN_ARRAY_RACE;
    const bool crosses = found->rule == WS_RUN_ARRAY_RACE && found->block != found->other_block;
    ws_update update;
    if (has_other && ws_update_is_lost(teller, found, &update)) {
        ws_fix_add_update(teller, text, &update);
    } else if (has_other && found->rule == WS_RUN_UNACQUIRED && found->via != WS_FOUND_NO_STEP) {
        ws_fix_add_fence(teller, text, found);
    } else if (has_other && repair->pairs != 0) {
        ws_fix_add_repair(teller, text, repair);
    } else if (has_other && crosses &&
               (ws_fix_is_narrow(teller, found->step) || ws_fix_is_narrow(teller, found->other))) {
        ws_text_add(text, "Let the accesses reach the GPU: ");
        ws_text_add(text, teller->words->wider);
        ws_text_add(text, ".");
    } else if (has_other && found->rule == WS_RUN_UNWRITTEN && ws_teller_is(teller, found->step, WS_EVENT_MEMBERS_S3)) {
        ws_text_add(text, "Let the lane that is read from take part, or use the value only where it does.");
    } else if (has_other && found->rule == WS_RUN_IN_FLIGHT) {
        ws_fix_add_wait(teller, text, found);
    } else if (has_other && orders && !crosses) {
        ws_fix_add_order(teller, text, found);
    } else {
        ws_text_add(text, rule);
    }
}

#endif
