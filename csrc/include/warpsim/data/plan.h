/* A prepared instruction: what follows from an instruction and from how it is called, computed once per call.
 *
 * Code that handles many warps takes the plan, and the access, which says what each warp does. */
#ifndef WARPSIM_DATA_PLAN_H
#define WARPSIM_DATA_PLAN_H

#include "wmma_lowering.h"

typedef struct ws_plan {
    ws_op op;
    const ws_form *form; /* its row of the table */
    ws_wmma_code code;   /* wmma only */
    int target;          /* row of ws_target, or WS_NO_TARGET */
    int level;           /* of the vector kernels */
    int row_lanes;       /* lanes that supply an address; wmma: 1 */
    int access_bytes;    /* that one address covers, and its alignment; wmma: of a lane's fragment */
    int group_lanes;     /* whose addresses meet in the banks at once; wmma: in each of its accesses */
    size_t warp_bytes;   /* of the registers of one warp */
    bool is_wmma;
    bool is_collective;
    bool is_shared;     /* by its state space: every address is in shared memory */
    bool before_sm_80;  /* older maps of wmma; all lanes of ldmatrix must hold valid addresses */
    bool merges_groups; /* a load whose neighbouring groups of lanes can merge */
} ws_plan;

/* Bytes of registers that one warp has. */
static inline size_t ws_warp_register_bytes(const ws_op *op) {
    return (size_t)(WS_LANES * ws_op_num_registers(op) * (ws_op_register_bits(op) / 8));
}

static inline ws_plan ws_plan_make(const ws_op *op, const ws_access *access) {
    static const ws_wmma_code none = {WS_WMMA_LANES, 0, 0, 0, 0, false, false};
    ws_plan plan;
    plan.op = *op;
    plan.form = ws_op_form(op);
    plan.code = none;
    plan.target = access->target;
    plan.level = ws_simd_level(access->simd);
    plan.is_wmma = ws_op_is_wmma(op);
    plan.is_collective = ws_op_is_collective(op);
    plan.is_shared = ws_op_is_shared(op);
    plan.before_sm_80 = ws_is_before_sm_80(plan.target);
    plan.row_lanes = ws_op_row_lanes(op);
    plan.access_bytes = ws_op_access_bytes(op);
    plan.group_lanes = ws_op_group_lanes(op);
    plan.warp_bytes = ws_warp_register_bytes(op);
    plan.merges_groups = ws_op_merges_groups(op);
    if (plan.is_wmma) {
        plan.code = ws_wmma_code_of(op, plan.target);
        plan.group_lanes = ws_group_lanes_of_width(plan.code.width_bytes);
        plan.merges_groups = ws_op_is_load(op) && plan.code.mode != WS_WMMA_ROWS && plan.code.width_bytes >= 8;
    }
    return plan;
}

#endif
