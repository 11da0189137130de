/* What stands between two accesses and does not order them, in a sentence: barriers, flags, waits for mbarrier objects. */
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
    } else if (repair->arrives != WS_NO_INDEX) {
        ws_text_add(text, "threads that arrive there at ");
        ws_teller_add_line(teller, text, repair->arrives);
        ws_text_add(text, " do not wait. Put bar.sync in place of that bar.arrive.");
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
    ws_text_add(text, " waits for");
    ws_fix_add_phase(text);
    if (repair->skips) ws_text_add(text, ", and let all threads wait there that go on");
    ws_text_add(text, repair->back
                          ? "; where they are right, put a barrier of all threads before the next round begins."
                          : ".");
}

/* Is the scope of an atomic, or of a strong load or store, less than the GPU? */
static inline bool ws_fix_is_narrow(const ws_teller *teller, uint32_t statement) {
    const ws_meant *meant = ws_teller_meant(teller, statement);
    const bool accesses = ws_event_is_atomic(meant->event) || meant->event == WS_EVENT_LOAD ||
                          meant->event == WS_EVENT_STORE || meant->event == WS_EVENT_ASYNC_REDUCE;
    return accesses && meant->said.scope != WS_SCOPE_GPU;
}

/* Others of the warp go on when one lane has read a flag for them. */
static inline void ws_fix_add_peer(const ws_teller *teller, ws_text *text, const ws_found *found,
                                   const ws_repair *repair) {
    const bool meets = !repair->via.meets || repair->via.fence;
    ws_text_add(text, "Put ");
    if (!repair->via.fence) {
        ws_text_add(text, found->block == found->other_block ? teller->words->block_fence : teller->words->fence);
        ws_text_add(text, " after ");
        ws_teller_add_line(teller, text, found->via);
        ws_text_add(text,
                    ", in the lane that reads the flag, the lock or the counter there for the others of its warp");
    }
    if (meets) {
        ws_text_add(text, repair->via.fence ? "" : ", and then ");
        ws_text_add(text, ws_fix_barrier(teller, WS_REPAIR_WARP));
        ws_text_add(text, repair->via.fence && !repair->via.all ? " after the branch of " : " after ");
        if (repair->via.fence) ws_teller_add_line(teller, text, found->via);
        else ws_text_add(text, "it");
        ws_text_add(text, ", at a point that all lanes of the warp reach");
        ws_text_add(text, repair->via.fence
                              ? ": one lane reads the flag, the lock or the counter for the others, and its fence comes"
                                " before that"
                              : "");
    }
    ws_text_add(text, ".");
}

/* A fence is missing after a read that sees a flag. */
static inline void ws_fix_add_fence(const ws_teller *teller, ws_text *text, const ws_found *found,
                                    const ws_repair *repair) {
    if (found->via_peer) {
        ws_fix_add_peer(teller, text, found, repair);
        return;
    }
    ws_text_add(text, "Put ");
    ws_text_add(text, found->block == found->other_block ? teller->words->block_fence : teller->words->fence);
    ws_text_add(text, " after ");
    ws_teller_add_line(teller, text, found->via);
    ws_text_add(text, ", which reads the flag, the lock or the counter, in the thread that reads it; or ");
    ws_text_add(text, teller->words->acquire);
    ws_text_add(text, ".");
}

/* "line 9 (a.cu:4), which writes the flag, the lock or the counter" */
static inline void ws_fix_add_flag(const ws_teller *teller, ws_text *text, uint32_t flag, const char *does) {
    ws_teller_add_line(teller, text, flag);
    ws_text_add(text, ", which ");
    ws_text_add(text, does);
    ws_text_add(text, " the flag, the lock or the counter");
}

static inline void ws_fix_add_wider(const ws_teller *teller, ws_text *text) {
    ws_text_add(text, "Let the accesses reach the GPU: ");
    ws_text_add(text, teller->words->wider);
    ws_text_add(text, ".");
}

/* Threads wait for what a plain store writes, which passes nothing on. */
static inline void ws_fix_add_weak(const ws_teller *teller, ws_text *text, const ws_found *found,
                                   const ws_repair *repair) {
    ws_text_add(text, "Let the store at ");
    ws_teller_add_line(teller, text, repair->weak);
    ws_text_add(text, " be an atomic, or volatile, with ");
    ws_text_add(text, found->block == found->other_block ? teller->words->block_fence : teller->words->fence);
    ws_text_add(text, " before it: ");
    ws_teller_add_line(teller, text, repair->strong);
    ws_text_add(text, " waits for it, and a plain store passes nothing on.");
}

/* What is missing on the way by a flag. */
static inline void ws_fix_add_lacking(const ws_teller *teller, ws_text *text, const ws_found *found,
                                      const ws_lacks *lacks) {
    const bool crosses = found->block != found->other_block;
    const bool is_before = lacks->kind == WS_LACKS_FENCE || lacks->kind == WS_LACKS_BARRIER;
    const bool is_fence = lacks->kind == WS_LACKS_FENCE || lacks->kind == WS_LACKS_FENCE_AFTER;
    if (crosses && (ws_fix_is_narrow(teller, lacks->flag) ||
                    (lacks->read != WS_NO_INDEX && ws_fix_is_narrow(teller, lacks->read)))) {
        ws_fix_add_wider(teller, text);
        return;
    }
    ws_text_add(text, "Put ");
    if (!is_fence) ws_text_add(text, lacks->of_some ? teller->words->warp_barrier : teller->words->block_barrier);
    else ws_text_add(text, crosses || found->space == WS_AT_GLOBAL ? teller->words->fence : teller->words->block_fence);
    ws_text_add(text, is_before ? " before " : " after ");
    ws_fix_add_flag(teller, text, lacks->flag, is_before ? "writes" : "reads");
    if (!is_fence) {
        ws_text_add(text, lacks->of_some ? ", at a point that all lanes of the warp reach: the others "
                                         : ", at a point that all threads of the block reach: the others ");
        ws_text_add(text, is_before ? "may not have made the access yet" : "do not wait for it");
        ws_text_add(text, lacks->of_some
                              ? "; of several warps, bar.sync with a number of its own and the count of their"
                                " threads"
                              : "; where each warp has a turn of its own, ");
        ws_text_add(text, lacks->of_some ? "" : teller->words->warp_barrier);
        ws_text_add(text, ".");
        return;
    }
    ws_text_add(text, is_before ? ", in the thread that writes it" : ", in the thread that reads it");
    ws_text_add(text, !lacks->meets ? "" : is_before ? ", and after the barrier" : ", and before the barrier");
    if (is_before && lacks->read != WS_NO_INDEX) {
        ws_text_add(text, lacks->read == lacks->flag ? ", and another after it" : ", and another after ");
        if (lacks->read != lacks->flag) ws_teller_add_line(teller, text, lacks->read);
        if (lacks->read != lacks->flag) ws_text_add(text, ", in the thread that reads it");
    }
    ws_text_add(text, ".");
}

#endif
