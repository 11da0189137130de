/* Executes n issues of one instruction: op -> the header that moves its data, under a policy for undefined
 * behaviour. */
#ifndef WARPSIM_EXECUTE_EXECUTE_H
#define WARPSIM_EXECUTE_EXECUTE_H

#include "../data/access.h"
#include "../undefined/findings.h"

/* `registers` is [n][32][num_registers] of uint32_t, or uint64_t for 64-bit types: written by loads, read by stores;
 * movmatrix transposes them in place. Registers of lanes that do not run keep what they hold.
 * `sink` may be NULL. Under "raise" nothing is changed if any warp's behaviour is undefined. */
WS_PUBLIC ws_status ws_execute(const ws_op *op, const ws_memory *memory, const ws_access *access, void *registers,
                               ws_findings *sink, ws_error *error);

#if WS_BODIES
#include "bulk.h"
#include "../undefined/hardware.h"
#include "../data/ldmatrix.h"
#include "../data/plain.h"
#include "../data/stmatrix.h"
#include "../undefined/check.h"
#include "../data/wmma.h"

/* Moves the data of one warp. Not for movmatrix, whose defined warps are all executed in bulk. */
static inline void ws_move_warp(const ws_call *call, size_t warp) {
    const ws_plan *plan = call->plan;
    const ws_op *op = &plan->op;
    const ws_memory *memory = call->memory;
    const ws_access *access = call->access;
    const uint32_t running = ws_access_running(access, warp);
    void *registers = ws_call_registers(call, warp);
    ws_place place[WS_LANES], source[WS_LANES];
    int lane;
    for (lane = 0; lane < plan->row_lanes && !plan->is_wmma; lane++) {
        place[lane] = access->policy == WS_POLICY_HARDWARE ? ws_hardware_place(op, access, memory, warp, lane)
                                                           : ws_access_place(access, op, memory, warp, lane);
        if (op->kind == WS_CP_ASYNC) source[lane] = ws_access_source_place(access, op, memory, warp, lane);
    }
    switch (op->kind) {
        case WS_LDMATRIX: ws_ldmatrix_warp(plan, memory, place, (uint32_t *)registers); break;
        case WS_STMATRIX: ws_stmatrix_warp(plan, memory, place, (const uint32_t *)registers); break;
        case WS_WMMA_LOAD: ws_wmma_load_warp(plan, memory, access, warp, registers); break;
        case WS_WMMA_STORE: ws_wmma_store_warp(plan, memory, access, warp, registers); break;
        case WS_LD: ws_ld_warp(plan, memory, place, running, registers); break;
        case WS_ST: ws_st_warp(plan, memory, place, running, registers); break;
        default: ws_cp_async_warp(plan, memory, place, source, running);
    }
}

/* Executes one warp: moves its data, does nothing, or returns a status that ends the call. */
static inline ws_status ws_judge_warp(const ws_call *call, size_t warp, bool defined, ws_outcome *outcome,
                                      ws_error *error) {
    const ws_plan *plan = call->plan;
    const ws_access *access = call->access;
    const char *code = NULL;
    *outcome = WS_OUTCOME_RUNS;
    if (plan->is_wmma && !ws_wmma_is_known(plan->target)) {
        return ws_error_set(error, WS_UNKNOWN_HARDWARE,
                            "which lane holds which wmma element on sm_70 and sm_72 is unknown");
    }
    if (ws_access_active(access, warp) == 0) *outcome = WS_OUTCOME_NOTHING;
    if (defined && !(access->policy == WS_POLICY_HARDWARE && ws_hardware_is_stricter(plan, access, warp))) return WS_OK;
    if (access->policy == WS_POLICY_RAISE) return WS_UNDEFINED;
    if (access->policy == WS_POLICY_RECORD) {
        *outcome = WS_OUTCOME_NOTHING;
        return WS_OK;
    }
    *outcome = ws_hardware_outcome(plan, call->memory, access, warp, &code);
    if (*outcome == WS_OUTCOME_TRAP) {
        ws_text text = ws_error_text(error);
        ws_text_add(&text, "warp ");
        ws_text_add_uint(&text, warp);
        ws_text_add(&text, ": ");
        ws_text_add(&text, code);
        if (error != NULL) error->code = code;
        return WS_TRAP;
    }
    if (*outcome == WS_OUTCOME_UNKNOWN) {
        ws_text text = ws_error_text(error);
        ws_text_add(&text, "warp ");
        ws_text_add_uint(&text, warp);
        ws_text_add(&text, ": what ");
        ws_text_add(&text, ws_target(plan->target)->name);
        ws_text_add(&text, " does here was never measured");
        return WS_UNKNOWN_HARDWARE;
    }
    return WS_OK;
}

/* The message for a warp whose findings begin at `first`: its first error, if the sink had room for it. */
static inline void ws_say_undefined(const ws_call *call, const ws_findings *sink, size_t first, size_t warp,
                                    ws_error *error) {
    const size_t kept = sink->count < sink->capacity ? sink->count : sink->capacity;
    ws_text text = ws_error_text(error);
    size_t i = first;
    while (i < kept && ws_rule_at(sink->items[i].rule)->severity != WS_ERROR) i++;
    if (i < kept) {
        ws_finding_write(&call->plan->op, call->memory, &sink->items[i], &text);
        return;
    }
    ws_text_add(&text, "warp ");
    ws_text_add_uint(&text, warp);
    ws_text_add(&text, ": undefined behaviour; the sink has no room for the finding");
}

/* Checks the warps first <= w < last and changes nothing: WS_OK if all may be executed; under "raise", reports every
 * finding before it returns WS_UNDEFINED. ok[w - first] may be NULL. */
static inline ws_status ws_check_range(const ws_call *call, size_t first, size_t last, uint8_t *ok, ws_findings *sink,
                                       ws_error *error) {
    ws_status status = WS_OK;
    size_t warp = first;
    ws_bulk bulk;
    ws_bulk_make(call, &bulk);
    while (warp < last) {
        const size_t before = sink->count, plain = ws_bulk_check(&bulk, warp, last);
        ws_outcome outcome;
        ws_status judged;
        bool defined;
        size_t i;
        for (i = 0; i < plain && ok != NULL; i++) ok[warp - first + i] = 1;
        warp += plain;
        if (warp == last) break;
        defined = ws_check_warp(call->plan, call->memory, call->access, warp, sink);
        if (ok != NULL) ok[warp - first] = defined;
        warp++;
        if (status != WS_OK) continue;
        judged = ws_judge_warp(call, warp - 1, defined, &outcome, error);
        status = judged;
        if (judged == WS_UNDEFINED) ws_say_undefined(call, sink, before, warp - 1, error);
        if (judged == WS_TRAP || judged == WS_UNKNOWN_HARDWARE) return status;
    }
    return status;
}

/* Executes the warps first <= w < last until one's behaviour ends the call; returns that warp, or `last`. Stores must
 * have passed ws_check_range before. Findings go to the sink. */
static inline size_t ws_execute_range(const ws_call *call, size_t first, size_t last, ws_findings *sink) {
    const ws_op *op = &call->plan->op;
    size_t warp = first;
    ws_bulk bulk;
    ws_bulk_make(call, &bulk);
    while (warp < last) {
        const size_t plain = ws_bulk_execute(&bulk, warp, last);
        ws_outcome outcome;
        bool defined;
        warp += plain;
        if (plain > 0) continue;
        defined = ws_check_warp(call->plan, call->memory, call->access, warp, sink);
        if (ws_judge_warp(call, warp, defined, &outcome, NULL) != WS_OK) return warp;
        if (outcome == WS_OUTCOME_RUNS) ws_move_warp(call, warp);
        if (!defined && call->access->policy == WS_POLICY_RECORD && !ws_op_writes_memory(op)) {
            uint8_t *registers = ws_call_registers(call, warp);
            size_t i;
            for (i = 0; i < call->plan->warp_bytes; i++) registers[i] = 0;
        }
        warp++;
    }
    return last;
}

WS_PUBLIC ws_status ws_execute(const ws_op *op, const ws_memory *memory, const ws_access *access, void *registers,
                               ws_findings *sink, ws_error *error) {
    ws_finding first_finding;
    ws_findings own = {&first_finding, 1, 0}, nobody = {NULL, 0, 0};
    ws_plan plan;
    ws_call call;
    ws_error_clear(error);
    if (op == NULL || memory == NULL || access == NULL || !ws_op_is_valid(op)) {
        return ws_error_set(error, WS_INVALID_ARGUMENT, "ws_execute: op, memory and access must be valid");
    }
    if (access->policy == WS_POLICY_HARDWARE && access->target == WS_NO_TARGET) {
        return ws_error_set(error, WS_INVALID_ARGUMENT, "ws_execute: the policy hardware needs a target");
    }
    plan = ws_plan_make(op, access);
    call = ws_call_make(&plan, memory, access, registers);
    WS_RETURN_IF_ERROR(ws_check_range(&call, 0, access->n, NULL, sink != NULL ? sink : &own, error));
    call.checked = access->policy == WS_POLICY_RAISE;
    ws_execute_range(&call, 0, access->n, &nobody);
    return WS_OK;
}

#endif /* WS_BODIES */
#endif
