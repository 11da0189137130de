/* Which rules one warp breaks: the conditions that PTX leaves undefined, checked lane by lane.
 *
 * Order of findings: by lane; for each lane its own state, then misalignment, then bounds. An empty mask executes
 * nothing and breaks no rule. This file knows nothing about what hardware does. */
#ifndef WARPSIM_UNDEFINED_CHECK_H
#define WARPSIM_UNDEFINED_CHECK_H

#include "findings.h"
#include "check_wmma.h"

enum { WS_MAX_WARP_FINDINGS = 5 * WS_LANES /* of one warp: the faults that a lane of cp.async can have */ };

/* One condition of one address: reported if it holds. Returns true if it does not. */
static inline bool ws_require(bool broken, ws_findings *sink, const ws_op *op, ws_fault fault, size_t warp, int lane,
                              uint64_t address) {
    if (broken) ws_report(sink, op, fault, warp, lane, &address);
    return !broken;
}

/* The address of one lane, and for cp.async its source; true if both are fine. */
static inline bool ws_check_address(const ws_plan *plan, const ws_memory *memory, const ws_access *access, size_t warp,
                                    int lane, ws_findings *sink) {
    const ws_op *op = &plan->op;
    const uint64_t address = ws_access_address(access, warp, lane), bytes = (uint64_t)plan->access_bytes;
    const ws_place place = ws_access_place(access, op, memory, warp, lane);
    const bool shared_only = plan->is_collective, copies = op->kind == WS_CP_ASYNC;
    const bool wrong_space = shared_only ? place.where != WS_IN_SHARED : place.where == WS_NOWHERE;
    const uint64_t source = copies ? ws_access_source(access, op, warp, lane) : 0;
    bool ok = ws_require(address % bytes != 0, sink, op, WS_FAULT_MISALIGNED, warp, lane, address);
    ok &= ws_require(source % bytes != 0, sink, op, WS_FAULT_SOURCE_MISALIGNED, warp, lane, source);
    ok &= ws_require(wrong_space, sink, op, shared_only ? WS_FAULT_NON_SHARED : WS_FAULT_NOWHERE, warp, lane, address);
    ok &= ws_require(!wrong_space && !ws_memory_holds(memory, place, bytes), sink, op, WS_FAULT_OUT_OF_BOUNDS, warp,
                     lane, address);
    if (!copies) return ok;
    return ws_require(!ws_memory_holds(memory, ws_access_source_place(access, op, memory, warp, lane), bytes), sink, op,
                      WS_FAULT_SOURCE_OUT_OF_BOUNDS, warp, lane, source) &&
           ok;
}

/* cp.async.cg: a lane with the same destination as a lower running lane (a warning). */
static inline void ws_check_equal_destination(const ws_op *op, const ws_access *access, size_t warp, int lane,
                                              uint32_t running, ws_findings *sink) {
    uint64_t address;
    int lower;
    if (op->cache != WS_CACHE_CG) return;
    address = ws_access_address(access, warp, lane);
    for (lower = 0; lower < lane; lower++) {
        if ((running >> lower & 1) && ws_access_address(access, warp, lower) == address) {
            ws_report(sink, op, WS_FAULT_EQUAL_DESTINATIONS, warp, lane, &address);
            return;
        }
    }
}

/* sm_75: even a lane that supplies no row must hold a valid address. */
static inline bool ws_check_unused_lane(const ws_plan *plan, const ws_memory *memory, const ws_access *access,
                                        size_t warp, int lane, ws_findings *sink) {
    const uint64_t address = ws_access_address(access, warp, lane), bytes = (uint64_t)plan->access_bytes;
    const ws_place place = ws_access_place(access, &plan->op, memory, warp, lane);
    if (address % bytes == 0 && place.where == WS_IN_SHARED && ws_memory_holds(memory, place, bytes)) return true;
    ws_report(sink, &plan->op, WS_FAULT_UNUSED_LANE, warp, lane, &address);
    return false;
}

/* One instruction per lane: the lanes whose instruction differs from the lowest running lane's. */
static inline bool ws_check_qualifiers(const ws_op ops[WS_LANES], const ws_access *access, size_t warp,
                                       ws_findings *sink) {
    const uint32_t running = ws_access_running(access, warp);
    int lane, lowest = 0;
    bool ok = true;
    while (lowest < WS_LANES && !(running >> lowest & 1)) lowest++;
    for (lane = lowest + 1; lane < WS_LANES; lane++) {
        if (!(running >> lane & 1) || ws_op_equal(&ops[lane], &ops[lowest])) continue;
        ws_report(sink, &ops[lowest], WS_FAULT_DIVERGENT, warp, lane, NULL);
        ok = false;
    }
    return ok;
}

/* True if the behaviour of this warp is defined; every fault goes to the sink. */
static inline bool ws_check_warp(const ws_plan *plan, const ws_memory *memory, const ws_access *access, size_t warp,
                                 ws_findings *sink) {
    const ws_op *op = &plan->op;
    const uint32_t active = ws_access_active(access, warp), exited = ws_access_exited(access, warp);
    const uint32_t running = active & ~exited;
    const bool all_lanes_valid = op->kind == WS_LDMATRIX && plan->before_sm_80;
    bool ok = true;
    int lane;
    if (active == 0) return true;
    if (plan->is_wmma) return ws_check_wmma(plan, memory, access, warp, sink);
    for (lane = 0; lane < WS_LANES; lane++) {
        if (!(running >> lane & 1)) {
            if (!plan->is_collective) continue;
            ws_report(sink, op, exited >> lane & 1 ? WS_FAULT_EXITED : WS_FAULT_INACTIVE, warp, lane, NULL);
            ok = false;
        } else if (lane < plan->row_lanes) {
            ok &= ws_check_address(plan, memory, access, warp, lane, sink);
            ws_check_equal_destination(op, access, warp, lane, running, sink);
        } else if (all_lanes_valid) {
            ok &= ws_check_unused_lane(plan, memory, access, warp, lane, sink);
        }
    }
    return ok;
}

#endif
