/* What to do about a finding, in a sentence: what to put where, with the lines of the text and of its source. */
#ifndef WARPSIM_FINDING_FIX_H
#define WARPSIM_FINDING_FIX_H

#include "copies.h"
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

/* `again`: the two lie in a loop, and the next round is after the later one. */
static inline void ws_fix_end(ws_text *text, bool again) {
    ws_text_add(text, again ? "; in a loop, also between the later and the next round." : ".");
}

/* Different threads come to the two lines, and none to both. */
static inline void ws_fix_add_apart(const ws_teller *teller, ws_text *text, const ws_found *found) {
    const uint32_t depth = ws_teller_common(teller, found->step, found->other);
    const bool is_warp = found->rule == WS_RUN_WARP_RACE;
    ws_text_add(text, "No thread comes to both ");
    ws_teller_add_line_in(teller, text, found->step, depth);
    ws_text_add(text, " and ");
    ws_teller_add_line_in(teller, text, found->other, depth);
    if (is_warp) {
        ws_text_add(text, ": put ");
        ws_text_add(text, teller->words->warp_barrier);
        ws_text_add(text, " into both branches, after the one and before the other.");
        return;
    }
    ws_text_add(text,
                ": let those of the one branch wait for those of the other, at a named barrier with the count of both"
                " (bar.arrive, bar.sync), at an mbarrier object, or at a flag with ");
    ws_text_add(text, teller->words->block_fence);
    ws_text_add(text, " before it is written and after it is read. A lane that speaks for its warp does so after ");
    ws_text_add(text, teller->words->warp_barrier);
    ws_text_add(text, ".");
}

/* A barrier stands between the two, and does not order them. */
static inline void ws_fix_add_stands(const ws_teller *teller, ws_text *text, const ws_repair *repair) {
    const ws_meant *meant = ws_teller_meant(teller, repair->stands);
    if (meant->event == WS_EVENT_CLUSTER_ARRIVE || meant->event == WS_EVENT_CLUSTER_WAIT) {
        ws_text_add(text, "The barrier at ");
        ws_teller_add_line(teller, text, repair->stands);
        ws_text_add(text,
                    " does not order them: let barrier.cluster.arrive release and barrier.cluster.wait acquire, without"
                    " .relaxed, or put fence.acq_rel.cluster before the one and after the other.");
        return;
    }
    ws_text_add(text, "The barrier at ");
    ws_teller_add_line(teller, text, repair->stands);
    ws_text_add(text, " does not order them: let the threads of both lines wait at one and the same.");
}

/* The block takes two barriers of the source for one. */
static inline void ws_fix_add_parted(const ws_teller *teller, ws_text *text, const ws_repair *repair) {
    ws_text_add(text, "After the one line threads wait next at the barrier of ");
    ws_teller_add_line(teller, text, repair->barriers[0]);
    ws_text_add(text, ", after the other at that of ");
    ws_teller_add_line(teller, text, repair->barriers[1]);
    ws_text_add(text,
                ": the two let each other's threads go on. Let all threads of the block execute both, in one order.");
}

/* Threads wait for an mbarrier object between the two, and go on too early. */
static inline void ws_fix_add_object(const ws_teller *teller, ws_text *text, uint32_t wait) {
    ws_text_add(text, "The mbarrier object that ");
    ws_teller_add_line(teller, text, wait);
    ws_text_add(text, " waits for lets threads go on before all have come: compare the count of mbarrier.init with the"
                      " arrivals of one phase, and the phase of the wait with the round.");
}

/* The latest statement of an event between two; WS_NO_INDEX: none. */
static inline uint32_t ws_fix_between(const ws_teller *teller, uint32_t a, uint32_t b, ws_event first, ws_event last) {
    const uint32_t low = a < b ? a : b, high = a < b ? b : a;
    uint32_t found = WS_NO_INDEX, i;
    for (i = 0; i < teller->program->num_steps; i++) {
        const uint32_t statement = teller->program->steps[i].statement;
        const uint8_t event = teller->program->meant[i].event;
        if (statement > low && statement < high && event >= first && event <= last) found = statement;
    }
    return found;
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
    ws_fix_end(text, repair->again && !repair->in_loop);
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

/* A barrier between two lines, or in the loop around one. */
static inline void ws_fix_add_order(const ws_teller *teller, ws_text *text, const ws_found *found,
                                    const ws_repair *repair) {
    const bool is_shared = found->rule == WS_RUN_RACE && found->block != found->other_block;
    const char *barrier = ws_fix_barrier(teller, found->rule == WS_RUN_WARP_RACE ? WS_REPAIR_WARP
                                                 : is_shared                     ? WS_REPAIR_CLUSTER
                                                                                 : WS_REPAIR_BLOCK);
    const bool is_bulk =
        ws_teller_is(teller, found->step, WS_EVENT_BULK) || ws_teller_is(teller, found->other, WS_EVENT_BULK);
    const uint32_t depth = ws_teller_common(teller, found->step, found->other);
    if (ws_teller_line(teller, found->step) == ws_teller_line(teller, found->other)) {
        const bool again = repair->again && !ws_teller_is(teller, found->step, WS_EVENT_OBJECT_INIT);
        ws_text_add(text, again ? "Put " : "Let one thread alone execute ");
        if (again) ws_text_add(text, barrier);
        if (again) ws_text_add(text, " into the loop around ");
        ws_teller_add_line(teller, text, found->step);
        ws_text_add(text, ", or give each thread bytes of its own.");
        return;
    }
    ws_text_add(text, "Put ");
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
    ws_fix_end(text, repair->again);
}

/* Are both accesses atomics, one of too narrow a scope for the other's block? */
static inline bool ws_fix_is_narrow_pair(const ws_teller *teller, const ws_found *found) {
    return found->block != found->other_block && ws_event_is_atomic(ws_teller_meant(teller, found->step)->event) &&
           ws_event_is_atomic(ws_teller_meant(teller, found->other)->event);
}

/* Of a race of two statements that threads of one block or cluster execute. */
static inline void ws_fix_add_race(const ws_teller *teller, ws_text *text, const ws_found *found,
                                   const ws_repair *repair) {
    const uint32_t object =
        found->rule == WS_RUN_WARP_RACE
            ? WS_NO_INDEX
            : ws_fix_between(teller, found->step, found->other, WS_EVENT_OBJECT_TEST, WS_EVENT_OBJECT_TEST_PARITY);
    if (ws_fix_is_narrow_pair(teller, found)) {
        ws_text_add(text, "Let both atomics reach the cluster: .cluster or .gpu instead of .cta.");
    } else if (repair->parts) {
        ws_fix_add_parted(teller, text, repair);
    } else if (!repair->onward && !repair->again && found->step != found->other) {
        ws_fix_add_apart(teller, text, found);
    } else if (object != WS_NO_INDEX) {
        ws_fix_add_object(teller, text, object);
    } else if (repair->pairs != 0) {
        ws_fix_add_repair(teller, text, repair);
    } else if (repair->stands != WS_NO_INDEX && !repair->again) {
        ws_fix_add_stands(teller, text, repair);
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

/* What to do about a row of what is told. */
static inline void ws_fix_add(const ws_teller *teller, ws_text *text, const ws_found *found, const ws_repair *repair) {
    const char *own = ws_words_fix(teller->language, (int)found->rule),
               *rule = own != NULL ? own : ws_rule_at((int)WS_RULES_KERNEL + (int)found->rule - 1)->fix;
    const bool has_other = found->other != WS_FOUND_NO_STEP && !ws_told_is_missed(found->rule);
    const bool orders =
        found->rule == WS_RUN_RACE || found->rule == WS_RUN_WARP_RACE || found->rule == WS_RUN_ARRAY_RACE;
    const bool crosses = found->rule == WS_RUN_ARRAY_RACE && found->block != found->other_block;
    ws_update update;
    if (found->rule == WS_RUN_READING && !has_other) {
        ws_fix_add_last(teller, text, found);
    } else if (has_other && ws_update_is_lost(teller, found, repair->stores, &update)) {
        ws_fix_add_update(teller, text, &update);
    } else if (has_other && ws_fix_add_copy(teller, text, found, repair)) {
        return;
    } else if (has_other && found->rule == WS_RUN_UNACQUIRED && found->via != WS_FOUND_NO_STEP) {
        ws_fix_add_fence(teller, text, found);
    } else if (has_other && crosses &&
               (ws_fix_is_narrow(teller, found->step) || ws_fix_is_narrow(teller, found->other))) {
        ws_text_add(text, "Let the accesses reach the GPU: ");
        ws_text_add(text, teller->words->wider);
        ws_text_add(text, ".");
    } else if (has_other && orders && ws_fix_unlocks(teller, found)) {
        ws_text_add(text, "Give the lock back by an atomic: ");
        ws_text_add(text, teller->words->unlock);
        ws_text_add(text, ".");
    } else if (found->space == WS_AT_REGISTER) {
        ws_text_add(text, "Set the register on every way that leads here, or do not use it.");
    } else if (has_other && found->rule == WS_RUN_UNWRITTEN && ws_teller_is(teller, found->step, WS_EVENT_MEMBERS_S3)) {
        ws_text_add(text, "Let the lane that is read from take part, or use the value only where it does.");
    } else if (has_other && orders && !crosses) {
        ws_fix_add_race(teller, text, found, repair);
    } else {
        ws_text_add(text, rule);
    }
}

#endif
