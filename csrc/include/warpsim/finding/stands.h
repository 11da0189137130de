/* What stands between two accesses and does not order them, in a sentence: barriers, and waits for mbarrier objects. */
#ifndef WARPSIM_FINDING_STANDS_H
#define WARPSIM_FINDING_STANDS_H

#include "order_fix.h"

/* Does a barrier of the cluster release nothing, since threads arrive at it with .relaxed and no fence? */
static inline bool ws_fix_is_relaxed(const ws_teller *teller, uint32_t stands) {
    bool is_relaxed = false, is_fenced = false;
    uint32_t i;
    for (i = 0; i < teller->program->num_steps && teller->program->steps[i].statement < stands; i++) {
        const ws_meant *meant = &teller->program->meant[i];
        is_fenced = (is_fenced && meant->event != WS_EVENT_CLUSTER_WAIT) || meant->event == WS_EVENT_FENCE;
        if (meant->event == WS_EVENT_CLUSTER_ARRIVE) is_relaxed = meant->said.is_relaxed && !is_fenced;
    }
    return is_relaxed && ws_teller_is(teller, stands, WS_EVENT_CLUSTER_WAIT);
}

/* A barrier stands between the two, and does not order them. */
static inline void ws_fix_add_stands(const ws_teller *teller, ws_text *text, const ws_found *found,
                                     const ws_repair *repair) {
    const int event = ws_teller_meant(teller, repair->stands)->event;
    ws_text_add(text, "The barrier at ");
    ws_teller_add_line(teller, text, repair->stands);
    ws_text_add(text, " does not order them: ");
    if (repair->copy != WS_NO_INDEX && repair->awaited && ws_teller_is(teller, repair->copy, WS_EVENT_COPY)) {
        ws_text_add(text, "a thread waits for its own copies alone. Put ");
        ws_text_add(text, teller->words->block_barrier);
        ws_text_add(text, " between that wait and ");
        ws_teller_add_line(teller, text, repair->copy == found->step ? found->other : found->step);
        ws_text_add(text, ".");
    } else if (event == WS_EVENT_CLUSTER_ARRIVE || event == WS_EVENT_CLUSTER_WAIT) {
        ws_text_add(text,
                    "let barrier.cluster.arrive release and barrier.cluster.wait acquire, without .relaxed, or put"
                    " fence.acq_rel.cluster before the one and after the other.");
    } else {
        ws_text_add(text, "let the threads of both lines wait at one and the same.");
    }
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

/* Threads wait for an mbarrier object between the two, and go on too early, or not all wait that come to the later one. */
static inline void ws_fix_add_object(const ws_teller *teller, ws_text *text, const ws_found *found,
                                     const ws_repair *repair) {
    if (repair->alone) {
        ws_text_add(text, "Not all threads wait for the mbarrier object: put ");
        ws_text_add(text, teller->words->block_barrier);
        ws_text_add(text, " between ");
        ws_fix_add_ends(teller, text, repair->object, found->step > found->other ? found->step : found->other);
        ws_text_add(text, ", at a point that all threads of the block reach");
        ws_fix_end(text, repair->back);
        return;
    }
    ws_text_add(text, "The mbarrier object that ");
    ws_teller_add_line(teller, text, repair->object);
    ws_text_add(text, " waits for lets threads go on before all have come: compare the count of mbarrier.init with the"
                      " arrivals of one phase, and the phase of the wait with the round; who arrives has done its part"
                      " before, and does not arrive with .relaxed");
    if (repair->skips) ws_text_add(text, ", and let all threads wait there that go on");
    ws_text_add(text, repair->back
                          ? "; where they are right, put a barrier of all threads before the next round begins."
                          : ".");
}

#endif
