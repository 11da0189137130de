/* What to do about two accesses that nothing orders, in a sentence: barriers and fences, and where they stand. */
#ifndef WARPSIM_FINDING_ORDER_FIX_H
#define WARPSIM_FINDING_ORDER_FIX_H

#include "repair.h"
#include "teller.h"

static inline const char *ws_fix_barrier(const ws_teller *teller, int kind) {
    return kind == WS_REPAIR_CLUSTER ? teller->words->cluster_barrier
           : kind == WS_REPAIR_BLOCK ? teller->words->block_barrier
                                     : teller->words->warp_barrier;
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
    if (found->via_peer) {
        ws_text_add(text, ws_fix_barrier(teller, WS_REPAIR_WARP));
        ws_text_add(text, " after ");
        ws_teller_add_line(teller, text, found->via);
        ws_text_add(text, ", where one lane reads the flag, the lock or the counter for the others of its warp; its "
                          "fence comes before that.");
        return;
    }
    ws_text_add(text, found->block == found->other_block ? teller->words->block_fence : teller->words->fence);
    ws_text_add(text, " after ");
    ws_teller_add_line(teller, text, found->via);
    ws_text_add(text, ", which reads the flag, the lock or the counter, in the thread that reads it; or ");
    ws_text_add(text, teller->words->acquire);
    ws_text_add(text, ".");
}

/* A fence is missing before a flag is written. */
static inline void ws_fix_add_release(const ws_teller *teller, ws_text *text, const ws_found *found) {
    const uint32_t write = found->is_write ? found->step : found->other;
    ws_text_add(text, "Put ");
    ws_text_add(text, found->block == found->other_block ? teller->words->block_fence : teller->words->fence);
    ws_text_add(text, " between ");
    ws_teller_add_line(teller, text, write);
    ws_text_add(text, " and ");
    ws_teller_add_line(teller, text, found->via);
    ws_text_add(text,
                ", which writes the flag, the lock or the counter, in the thread that writes it: volatile and relaxed "
                "accesses order nothing else.");
}

/* Is one of them a bulk copy that reads global memory? */
static inline bool ws_fix_reads_bulk(const ws_teller *teller, const ws_found *found) {
    return found->space == WS_AT_GLOBAL &&
           ((ws_teller_is(teller, found->step, WS_EVENT_BULK) && !found->is_write) ||
            (ws_teller_is(teller, found->other, WS_EVENT_BULK) && !found->other_is_write));
}

/* Does a copy come first, so that somebody has to wait for it? */
static inline bool ws_fix_is_after_copy(const ws_found *found, const ws_repair *repair) {
    if (!found->is_copy && !found->other_is_copy) return false;
    return repair->again || (found->is_copy ? found->step <= found->other : found->other <= found->step);
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
    if (is_bulk && ws_fix_reads_bulk(teller, found)) {
        ws_text_add(text, "the wait for the copy, ");
        ws_text_add(text, teller->words->wait_bulk);
        ws_text_add(text, ", and then ");
        ws_text_add(text, barrier);
        ws_text_add(text, ",");
    } else if (is_bulk) {
        ws_text_add(text, teller->words->block_barrier);
        ws_text_add(text, ", after fence.proxy.async where a bulk copy reads what was stored,");
    } else if (ws_fix_is_after_copy(found, repair)) {
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

#endif
