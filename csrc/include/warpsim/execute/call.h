/* One call: a prepared instruction, the memory it works on, the accesses of its warps, and their registers. */
#ifndef WARPSIM_EXECUTE_CALL_H
#define WARPSIM_EXECUTE_CALL_H

#include "../data/plan.h"

typedef struct ws_call {
    const ws_plan *plan;
    const ws_memory *memory;
    const ws_access *access;
    const uint32_t *source; /* [n][32]: what movmatrix reads; else NULL */
    void *registers;        /* [n][32][num_registers], uint32_t or uint64_t; NULL: none (cp.async) */
    bool checked;           /* all warps are known to be defined: ws_check_range has returned WS_OK under "raise" */
} ws_call;

/* Movmatrix reads the registers that it writes. */
static inline ws_call ws_call_make(const ws_plan *plan, const ws_memory *memory, const ws_access *access,
                                   void *registers) {
    ws_call call;
    call.plan = plan;
    call.memory = memory;
    call.access = access;
    call.source = plan->op.kind == WS_MOVMATRIX ? (const uint32_t *)registers : NULL;
    call.registers = registers;
    call.checked = false;
    return call;
}

static inline uint8_t *ws_call_registers(const ws_call *call, size_t warp) {
    return call->registers == NULL ? NULL : (uint8_t *)call->registers + warp * call->plan->warp_bytes;
}

#endif
