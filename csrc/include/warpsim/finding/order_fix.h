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
    ws_text_add(text, again ? "; in a loop, also before the next round begins." : ".");
}

static inline const char *ws_fix_all(int kind) {
    return kind == WS_REPAIR_WARP ? "all lanes of the warp" : "all threads of the block";
}

/* Where between two lines a barrier is to stand, if not anywhere. */
static inline void ws_fix_add_place(ws_text *text, const ws_repair *repair, int kind) {
    if (repair->place == WS_PLACE_BETWEEN) return;
    ws_text_add(text, ", at a point that ");
    ws_text_add(text, ws_fix_all(kind));
    ws_text_add(text, " reach: outside of the branch or the loop that only some of them execute");
}

/* "line 9 (a.cu:4) and line 5 (a.cu:8)" */
static inline void ws_fix_add_ends(const ws_teller *teller, ws_text *text, uint32_t one, uint32_t other) {
    const uint32_t depth = ws_teller_common(teller, one, other);
    ws_teller_add_line_in(teller, text, one, depth);
    ws_text_add(text, " and ");
    ws_teller_add_line_in(teller, text, other, depth);
}

/* All threads come to no place between the two. */
static inline void ws_fix_add_nowhere(const ws_teller *teller, ws_text *text, uint32_t one, uint32_t other, int kind) {
    ws_text_add(text, "No barrier of ");
    ws_text_add(text, ws_fix_all(kind));
    ws_text_add(text, " can stand between ");
    ws_fix_add_ends(teller, text, one, other);
    ws_text_add(text, teller->language == WS_CUDA
                          ? ": as compiled, not all reach such a point; if all do in the source, put it there. "
                          : ": not all reach such a point. ");
    if (teller->language == WS_CUDA && kind != WS_REPAIR_CLUSTER)
        ws_text_add(text,
                    kind == WS_REPAIR_WARP
                        ? "If the same lanes execute both, let them meet there: __syncwarp() with their mask. Else let"
                        : "If the same warps execute both, let them meet there: bar.sync with a number of its own and"
                          " the count of their threads, a multiple of 32. Else let");
    else ws_text_add(text, "Let");
    ws_text_add(text, " the one be done in a pass of its own before the other begins, with ");
    ws_text_add(text, ws_fix_barrier(teller, kind));
    ws_text_add(text, " at a point that ");
    ws_text_add(text, ws_fix_all(kind));
    ws_text_add(text, " reach, or use atomics.");
}

/* One barrier orders more than the pair of lines that the finding names first. */
static inline void ws_fix_add_pairs(ws_text *text, uint32_t pairs) {
    if (pairs < 2) return;
    ws_text_add(text, " It orders ");
    if (pairs > 2) {
        ws_text_add(text, "all ");
        ws_text_add_uint(text, pairs);
    } else {
        ws_text_add(text, "both");
    }
    ws_text_add(text, " pairs of lines.");
}

/* Does one line of the source load, and then store, with nothing but arithmetic between? */
static inline bool ws_fix_is_within(const ws_module *module, uint32_t load, uint32_t store) {
    uint32_t i = load;
    if (ws_trail_kind(module, &module->statements[load]) != WS_GUESS_LOAD) return false;
    for (; i < store; i++) {
        const ws_guess_kind kind = ws_trail_kind(module, &module->statements[i]);
        if (kind == WS_GUESS_USES || kind == WS_GUESS_BRANCH || !ws_told_is_one_line(module, i, store)) return false;
    }
    return load < store;
}

/* Where a barrier is to stand: between two lines, or before the next round of the loop around them comes to the other. What is
 * before the other in the text may come after it in the source: then a loop lies around both. */
static inline void ws_fix_add_between(const ws_teller *teller, ws_text *text, const ws_repair *repair, uint32_t one,
                                      uint32_t other, int kind) {
    const int order = ws_source_compare(teller->module, one, other);
    const bool both = repair->back && !repair->in_loop, is_once = !repair->through && !repair->back;
    const bool turns =
                   order > 0 && !repair->in_loop &&
                   (is_once || ((repair->place == WS_PLACE_BETWEEN || !repair->again) && (both || !repair->through))),
               in_loop = !turns && repair->onward && (order > 0 || (!both && order == 0 && repair->in_loop));
    const uint32_t depth = ws_teller_common(teller, one, other);
    ws_text_add(text, in_loop ? " after " : " between ");
    ws_teller_add_line_in(teller, text, turns ? other : one, depth);
    ws_text_add(text, in_loop ? ", before the next round of the loop comes to " : " and ");
    ws_teller_add_line_in(teller, text, turns ? one : other, depth);
    ws_fix_add_place(text, repair, kind);
    ws_fix_end(text, both && !in_loop);
    if (!repair->again && ws_fix_is_within(teller->module, one, other))
        ws_text_add(text, " Both are of one line of the source: split it there first.");
    ws_fix_add_pairs(text, repair->pairs);
}

/* Threads wait for an mbarrier object before each of the two lines, and go on too early. */
static inline void ws_fix_add_phase(ws_text *text) {
    ws_text_add(text, " lets threads go on before all have come: compare the count of mbarrier.init with the"
                      " arrivals of one phase, and the phase of the wait with the round; who arrives has done its part"
                      " before, and does not arrive with .relaxed");
}

/* Different threads come to the two lines, and none to both. */
static inline void ws_fix_add_apart(const ws_teller *teller, ws_text *text, const ws_found *found,
                                    const ws_repair *repair) {
    const uint32_t depth = ws_teller_common(teller, found->step, found->other);
    const bool is_warp = found->rule == WS_RUN_WARP_RACE;
    if (repair->waits[0] != WS_NO_INDEX && repair->waits[1] != WS_NO_INDEX) {
        ws_text_add(text, "An mbarrier object that ");
        ws_teller_add_line(teller, text, repair->waits[0]);
        ws_text_add(text, " or ");
        ws_teller_add_line(teller, text, repair->waits[1]);
        ws_text_add(text, " waits for");
        ws_fix_add_phase(text);
        ws_text_add(text, "; a lane that speaks for its warp does so after ");
        ws_text_add(text, teller->words->warp_barrier);
        ws_text_add(text, ".");
        return;
    }
    ws_text_add(text, "No thread comes to both ");
    ws_teller_add_line_in(teller, text, found->step, depth);
    ws_text_add(text, " and ");
    ws_teller_add_line_in(teller, text, found->other, depth);
    if (is_warp) {
        ws_text_add(text, ", and no barrier of a branch orders both: end the branch of the one, put ");
        ws_text_add(text, teller->words->warp_barrier);
        ws_text_add(
            text,
            " at a point that all lanes of the warp reach, and begin that of the other after it; or pass the value by"
            " an atomic.");
        return;
    }
    ws_text_add(text,
                ": let those of the one branch wait for those of the other, at a named barrier with the count of both"
                " (bar.arrive, bar.sync), at an mbarrier object, or at a flag with ");
    ws_text_add(text, teller->words->block_fence);
    ws_text_add(
        text,
        " before it is written and after it is read. Who is waited for arrives after its access; a lane that speaks"
        " for its warp does so after ");
    ws_text_add(text, teller->words->warp_barrier);
    ws_text_add(text, ".");
}

/* One barrier for one pair of lines or for several. */
static inline void ws_fix_add_repair(const ws_teller *teller, ws_text *text, const ws_repair *repair) {
    if (repair->place == WS_PLACE_NOWHERE) {
        ws_fix_add_nowhere(teller, text, repair->after, repair->before, repair->kind);
        return;
    }
    ws_text_add(text, "Put ");
    ws_text_add(text, ws_fix_barrier(teller, repair->kind));
    ws_fix_add_between(teller, text, repair, repair->after, repair->before, repair->kind);
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

/* Is the first in the text a bulk copy that reads global memory? */
static inline bool ws_fix_reads_bulk(const ws_teller *teller, const ws_found *found) {
    return found->space == WS_AT_GLOBAL && ws_teller_is(teller, found->step, WS_EVENT_BULK) && !found->is_write;
}

/* Does a copy come first, and may nobody have waited for it? */
static inline bool ws_fix_is_after_copy(const ws_found *found, const ws_repair *repair) {
    if ((!found->is_copy && !found->other_is_copy) || repair->awaited) return false;
    return repair->again || (found->is_copy ? found->step <= found->other : found->other <= found->step);
}

/* One line that threads race at with each other. */
static inline void ws_fix_add_alone(const ws_teller *teller, ws_text *text, const ws_found *found,
                                    const ws_repair *repair, int kind) {
    const bool again =
        repair->again && !ws_teller_is(teller, found->step, WS_EVENT_OBJECT_INIT) && repair->place != WS_PLACE_NOWHERE;
    ws_text_add(text, again ? "Put " : "Let one thread alone execute ");
    if (again) ws_text_add(text, ws_fix_barrier(teller, kind));
    if (again) ws_text_add(text, " into the loop around ");
    ws_teller_add_line(teller, text, found->step);
    if (again) ws_fix_add_place(text, repair, kind);
    ws_text_add(text, ", or give each thread bytes of its own.");
}

/* What is to stand between two lines. */
static inline void ws_fix_add_what(const ws_teller *teller, ws_text *text, const ws_found *found,
                                   const ws_repair *repair, int kind) {
    const bool is_bulk =
        ws_teller_is(teller, found->step, WS_EVENT_BULK) || ws_teller_is(teller, found->other, WS_EVENT_BULK);
    const bool reads = !found->is_copy && !found->other_is_copy; /* the copy does */
    ws_text_add(text, "Put ");
    if (is_bulk && ws_fix_reads_bulk(teller, found)) {
        ws_text_add(text, "the wait for the copy, ");
        ws_text_add(text, teller->words->wait_bulk);
        ws_text_add(text, ", and then ");
        ws_text_add(text, ws_fix_barrier(teller, kind));
        ws_text_add(text, ",");
    } else if (is_bulk) {
        ws_text_add(text, teller->words->block_barrier);
        ws_text_add(text, reads ? ", after fence.proxy.async where a bulk copy reads what was stored," : "");
    } else if (ws_fix_is_after_copy(found, repair)) {
        ws_text_add(text, "the wait for the copy, and then ");
        ws_text_add(text, ws_fix_barrier(teller, kind));
        ws_text_add(text, ",");
    } else {
        ws_text_add(text, ws_fix_barrier(teller, kind));
    }
}

/* A barrier between two lines, or in the loop around one. */
static inline void ws_fix_add_order(const ws_teller *teller, ws_text *text, const ws_found *found,
                                    const ws_repair *repair) {
    const bool is_shared = found->rule == WS_RUN_RACE && found->block != found->other_block;
    const int kind = found->rule == WS_RUN_WARP_RACE ? WS_REPAIR_WARP : is_shared ? WS_REPAIR_CLUSTER : WS_REPAIR_BLOCK;
    if (ws_teller_line(teller, found->step) == ws_teller_line(teller, found->other)) {
        ws_fix_add_alone(teller, text, found, repair, kind);
        return;
    }
    if (repair->place == WS_PLACE_NOWHERE) {
        ws_fix_add_nowhere(teller, text, found->step, found->other, kind);
        return;
    }
    ws_fix_add_what(teller, text, found, repair, kind);
    ws_fix_add_between(teller, text, repair, repair->in_loop ? found->other : found->step,
                       repair->in_loop ? found->step : found->other, kind);
}

#endif
