/* What the silicon of a target was measured to do where PTX leaves the behaviour undefined.
 *
 * One GPU was measured: an H200 (sm_90), with dynamic shared memory starting at absolute shared address 1024.
 *
 *     0          1024         base + nbytes   rounded up to 128          2^24
 *     |- system -|- memory ---|- readable ----|- ILLEGAL_ADDRESS --------|- ILLEGAL_INSTRUCTION ...
 *
 * Conditions that were not measured are reported as unknown; nothing is guessed. */
#ifndef WARPSIM_UNDEFINED_HARDWARE_H
#define WARPSIM_UNDEFINED_HARDWARE_H

#include "../data/plan.h"

typedef enum ws_outcome {
    WS_OUTCOME_RUNS = 0, /* the instruction executes with the addresses that ws_hardware_place returns */
    WS_OUTCOME_NOTHING,  /* no register and no byte changes */
    WS_OUTCOME_TRAP,     /* *code says how */
    WS_OUTCOME_UNKNOWN
} ws_outcome;

enum { WS_MEASURED_SM = 90, WS_ALLOCATION_BYTES = 128 };
#define WS_SHARED_LIMIT UINT64_C(0x1000000) /* 2^24 */

/* A generic address outside the shared window loses its upper 32 bits in ldmatrix. */
static inline ws_place ws_hardware_place(const ws_op *op, const ws_access *access, const ws_memory *memory, size_t warp,
                                         int lane) {
    ws_place place = ws_access_place(access, op, memory, warp, lane);
    if (op->kind == WS_LDMATRIX && place.where != WS_IN_SHARED) {
        place.where = WS_IN_SHARED;
        place.address = ws_access_address(access, warp, lane) & UINT32_MAX;
    }
    return place;
}

/* One access, decided in this order over all its lanes: beyond 2^24 in shared memory, outside the memory,
 * misaligned. */
static inline ws_outcome ws_hardware_places(const ws_memory *memory, const ws_place place[WS_LANES], uint32_t lanes,
                                            uint64_t bytes, const char **code) {
    const uint64_t end = memory->shared.base + memory->shared.nbytes;
    const uint64_t limit = (end + WS_ALLOCATION_BYTES - 1) / WS_ALLOCATION_BYTES * WS_ALLOCATION_BYTES;
    bool beyond_space = false, beyond_memory = false, misaligned = false;
    int lane;
    for (lane = 0; lane < WS_LANES; lane++) {
        const bool shared = place[lane].where == WS_IN_SHARED;
        if (!(lanes >> lane & 1)) continue;
        beyond_space |= shared && place[lane].address >= WS_SHARED_LIMIT;
        beyond_memory |= shared ? place[lane].address + bytes > limit : !ws_memory_holds(memory, place[lane], bytes);
        misaligned |= place[lane].address % bytes != 0;
    }
    *code = beyond_space    ? "CUDA_ERROR_ILLEGAL_INSTRUCTION"
            : beyond_memory ? "CUDA_ERROR_ILLEGAL_ADDRESS"
            : misaligned    ? "CUDA_ERROR_MISALIGNED_ADDRESS"
                            : NULL;
    return *code == NULL ? WS_OUTCOME_RUNS : WS_OUTCOME_TRAP;
}

/* Accesses whose lanes all use shared memory. */
static inline ws_outcome ws_hardware_shared(const ws_plan *plan, const ws_memory *memory, const ws_access *access,
                                            size_t warp, uint32_t lanes, const char **code) {
    ws_place place[WS_LANES];
    int lane;
    for (lane = 0; lane < WS_LANES; lane++) {
        place[lane].where = WS_IN_SHARED;
        place[lane].address = 0;
        if (!(lanes >> lane & 1)) continue;
        place[lane] = ws_hardware_place(&plan->op, access, memory, warp, lane);
        if (place[lane].where != WS_IN_SHARED) return WS_OUTCOME_UNKNOWN;
    }
    return ws_hardware_places(memory, place, lanes, (uint64_t)plan->access_bytes, code);
}

/* The lowered accesses of wmma, in order: the first that faults decides. */
static inline ws_outcome ws_hardware_wmma(const ws_plan *plan, const ws_memory *memory, const ws_access *access,
                                          size_t warp, const char **code) {
    const ws_wmma_code *lowered = &plan->code;
    int unit, lane;
    for (unit = 0; unit < lowered->units; unit += lowered->units_per_access) {
        uint64_t address[WS_LANES];
        ws_place place[WS_LANES];
        uint32_t mask = 0;
        int i;
        for (i = unit; i < unit + lowered->units_per_access && i < lowered->units; i++) {
            mask |= ws_wmma_unit_addresses(&plan->op, lowered, access, warp, i, address);
        }
        for (lane = 0; lane < WS_LANES; lane++) {
            if (mask >> lane & 1) place[lane] = ws_memory_place(memory, plan->op.space, address[lane]);
        }
        if (ws_hardware_places(memory, place, mask, (uint64_t)lowered->width_bytes, code) == WS_OUTCOME_TRAP) {
            return WS_OUTCOME_TRAP;
        }
    }
    return WS_OUTCOME_RUNS;
}

/* wmma from shared memory can trap where PTX defines the result: .s4 and .b1 need 16-byte rows, PTX requires 4. */
static inline bool ws_hardware_is_stricter(const ws_plan *plan, const ws_access *access, size_t warp) {
    return plan->is_wmma && ws_target(plan->target)->number == WS_MEASURED_SM && ws_access_active(access, warp) != 0;
}

/* What happens to a warp whose behaviour is undefined. */
static inline ws_outcome ws_hardware_outcome(const ws_plan *plan, const ws_memory *memory, const ws_access *access,
                                             size_t warp, const char **code) {
    const ws_op *op = &plan->op;
    const uint32_t active = ws_access_active(access, warp), exited = ws_access_exited(access, warp);
    *code = NULL;
    if (ws_target(plan->target)->number != WS_MEASURED_SM || op->kind == WS_CP_ASYNC || op->kind == WS_MOVMATRIX) {
        return WS_OUTCOME_UNKNOWN;
    }
    if (plan->is_wmma && (exited != 0 || active != UINT32_MAX)) return WS_OUTCOME_UNKNOWN;
    if (plan->is_collective && exited != 0) return WS_OUTCOME_NOTHING;
    if (plan->is_collective && active != UINT32_MAX) {
        if (op->kind == WS_LDMATRIX) return WS_OUTCOME_NOTHING;
        *code = "HANG"; /* the assembler emits a predicated WARPSYNC.ALL before it */
        return WS_OUTCOME_TRAP;
    }
    if (plan->is_wmma) return ws_hardware_wmma(plan, memory, access, warp, code);
    if (op->kind != WS_LDMATRIX && op->space == WS_SPACE_GENERIC) return WS_OUTCOME_UNKNOWN;
    if (op->space == WS_SPACE_GLOBAL) return WS_OUTCOME_UNKNOWN;
    return ws_hardware_shared(plan, memory, access, warp, ws_lane_mask(plan->row_lanes) & active & ~exited, code);
}

/* Lanes that branch to different instructions of one kind; only .trans against no .trans was measured. */
static inline ws_outcome ws_hardware_divergent(const ws_op *a, const ws_op *b, int target, const char **code) {
    ws_op same = *b;
    same.trans = a->trans;
    *code = "HANG";
    return ws_target(target)->number == WS_MEASURED_SM && a->kind == WS_LDMATRIX && ws_op_equal(a, &same)
               ? WS_OUTCOME_TRAP
               : WS_OUTCOME_UNKNOWN;
}

#endif
