/* Executes n issues of one instruction: op -> the header that moves its data, under a policy for undefined behaviour. */
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
#include "../data/movmatrix.h"
#include "../data/plain.h"
#include "../data/stmatrix.h"
#include "../undefined/check.h"
#include "../data/wmma.h"

/* Moves the data of one warp. `registers`: its [32][num_registers]; movmatrix reads `source_registers`. */
static inline void ws_move_warp(const ws_op *op, const ws_memory *memory, const ws_access *access, size_t warp,
                                const uint32_t *source_registers, void *registers) {
    const uint32_t running = ws_access_running(access, warp);
    const int row_lanes = ws_op_is_wmma(op) ? 0 : ws_op_row_lanes(op);
    ws_place place[WS_LANES], source[WS_LANES];
    int lane;
    for (lane = 0; lane < row_lanes; lane++) {
        place[lane] = access->policy == WS_POLICY_HARDWARE ? ws_hardware_place(op, access, memory, warp, lane)
                                                           : ws_access_place(access, op, memory, warp, lane);
        if (op->kind == WS_CP_ASYNC) source[lane] = ws_access_source_place(access, op, memory, warp, lane);
    }
    switch (op->kind) {
        case WS_LDMATRIX: ws_ldmatrix_warp(op, memory, place, (uint32_t *)registers); break;
        case WS_STMATRIX: ws_stmatrix_warp(op, memory, place, (const uint32_t *)registers); break;
        case WS_MOVMATRIX: ws_movmatrix_warp(op, source_registers, (uint32_t *)registers); break;
        case WS_WMMA_LOAD: ws_wmma_load_warp(op, memory, access, warp, registers); break;
        case WS_WMMA_STORE: ws_wmma_store_warp(op, memory, access, warp, registers); break;
        case WS_LD: ws_ld_warp(op, memory, place, running, registers); break;
        case WS_ST: ws_st_warp(op, memory, place, running, registers); break;
        default: ws_cp_async_warp(op, memory, place, source, running);
    }
}

/* Bytes of registers that one warp has. */
static inline size_t ws_warp_register_bytes(const ws_op *op) {
    return (size_t)(WS_LANES * ws_op_num_registers(op) * (ws_op_register_bits(op) / 8));
}

/* Are the registers of n warps better written past the caches? */
static inline bool ws_registers_are_large(const ws_op *op, size_t n) {
    return n * ws_warp_register_bytes(op) > WS_ROWS_LARGE_BYTES;
}

static inline void ws_zero_warp(const ws_op *op, void *registers) {
    size_t i;
    for (i = 0; i < ws_warp_register_bytes(op); i++) ((uint8_t *)registers)[i] = 0;
}

/* What is done with one warp: its movement, nothing, or a status that ends the call. */
static inline ws_status ws_judge_warp(const ws_op *op, const ws_memory *memory, const ws_access *access, size_t warp,
                                      bool defined, ws_outcome *outcome, ws_error *error) {
    const char *code = NULL;
    *outcome = WS_OUTCOME_RUNS;
    if (ws_op_is_wmma(op) && access->target != WS_NO_TARGET && ws_target(access->target)->number < 75) {
        return ws_error_set(error, WS_UNKNOWN_HARDWARE,
                            "which lane holds which wmma element on sm_70 and sm_72 is not known");
    }
    if (ws_access_active(access, warp) == 0) *outcome = WS_OUTCOME_NOTHING;
    if (defined && !(access->policy == WS_POLICY_HARDWARE && ws_hardware_is_stricter(op, access, warp))) return WS_OK;
    if (access->policy == WS_POLICY_RAISE) return WS_UNDEFINED;
    if (access->policy == WS_POLICY_RECORD) {
        *outcome = WS_OUTCOME_NOTHING;
        return WS_OK;
    }
    *outcome = ws_hardware_outcome(op, memory, access, warp, &code);
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
        ws_text_add(&text, ": nobody measured what ");
        ws_text_add(&text, ws_target(access->target)->name);
        ws_text_add(&text, " does here");
        return WS_UNKNOWN_HARDWARE;
    }
    return WS_OK;
}

/* The message of a warp whose findings begin at `first`: its first error, as far as the sink had room. */
static inline void ws_say_undefined(const ws_op *op, const ws_memory *memory, const ws_findings *sink, size_t first,
                                    size_t warp, ws_error *error) {
    const size_t kept = sink->count < sink->capacity ? sink->count : sink->capacity;
    ws_text text = ws_error_text(error);
    size_t i = first;
    while (i < kept && ws_rule_at(sink->items[i].rule)->severity != WS_ERROR) i++;
    if (i < kept) {
        ws_finding_write(op, memory, &sink->items[i], &text);
        return;
    }
    ws_text_add(&text, "warp ");
    ws_text_add_uint(&text, warp);
    ws_text_add(&text, ": undefined behaviour; the sink has no room for the finding");
}

/* Looks at the warps first <= w < last and changes nothing: WS_OK if all may be executed; under "raise" every finding is
 * made before WS_UNDEFINED is returned. ok[w - first] may be NULL. */
static inline ws_status ws_check_range(const ws_op *op, const ws_memory *memory, const ws_access *access, size_t first,
                                       size_t last, uint8_t *ok, ws_findings *sink, ws_error *error) {
    ws_status status = WS_OK;
    size_t warp = first;
    ws_bulk bulk;
    ws_bulk_make(op, memory, access, &bulk);
    while (warp < last) {
        const size_t before = sink->count, plain = ws_bulk_check(&bulk, op, access, warp, last);
        ws_outcome outcome;
        ws_status judged;
        bool defined;
        size_t i;
        for (i = 0; i < plain && ok != NULL; i++) ok[warp - first + i] = 1;
        warp += plain;
        if (warp == last) break;
        defined = ws_check_warp(op, memory, access, warp, sink);
        if (ok != NULL) ok[warp - first] = defined;
        warp++;
        if (status != WS_OK) continue;
        judged = ws_judge_warp(op, memory, access, warp - 1, defined, &outcome, error);
        status = judged;
        if (judged == WS_UNDEFINED) ws_say_undefined(op, memory, sink, before, warp - 1, error);
        if (judged == WS_TRAP || judged == WS_UNKNOWN_HARDWARE) return status;
    }
    return status;
}

/* Executes the warps first <= w < last until one's behaviour ends the call; returns that warp, or `last`. `checked`: ws_check_range
 * has returned WS_OK for them under "raise"; it must have returned WS_OK for stores in any case. `registers` is that of warp `first`,
 * as is `source_registers`, which only movmatrix has. `large`: ws_registers_are_large. Findings go to the sink. */
static inline size_t ws_execute_range(const ws_op *op, const ws_memory *memory, const ws_access *access, size_t first,
                                      size_t last, const uint32_t *source_registers, void *registers, bool checked,
                                      bool large, ws_findings *sink) {
    const size_t step = ws_warp_register_bytes(op);
    size_t warp = first;
    ws_bulk bulk;
    ws_bulk_make(op, memory, access, &bulk);
    while (warp < last) {
        uint8_t *of_warp = (uint8_t *)registers + (registers != NULL ? (warp - first) * step : 0);
        const uint32_t *from = source_registers == NULL ? NULL : source_registers + (warp - first) * WS_LANES;
        const size_t plain = ws_bulk_execute(&bulk, op, access, warp, last, from, of_warp, step, checked, large);
        ws_outcome outcome;
        bool defined;
        warp += plain;
        if (plain > 0) continue;
        defined = ws_check_warp(op, memory, access, warp, sink);
        if (ws_judge_warp(op, memory, access, warp, defined, &outcome, NULL) != WS_OK) return warp;
        if (outcome == WS_OUTCOME_RUNS) ws_move_warp(op, memory, access, warp, from, of_warp);
        if (!defined && access->policy == WS_POLICY_RECORD && !ws_op_writes_memory(op)) ws_zero_warp(op, of_warp);
        warp++;
    }
    return last;
}

WS_PUBLIC ws_status ws_execute(const ws_op *op, const ws_memory *memory, const ws_access *access, void *registers,
                               ws_findings *sink, ws_error *error) {
    ws_finding first_finding;
    ws_findings own = {&first_finding, 1, 0}, nobody = {NULL, 0, 0};
    bool checked;
    size_t warp;
    ws_error_clear(error);
    if (op == NULL || memory == NULL || access == NULL || !ws_op_is_valid(op)) {
        return ws_error_set(error, WS_INVALID_ARGUMENT, "ws_execute: op, memory and access must be valid");
    }
    if (access->policy == WS_POLICY_HARDWARE && access->target == WS_NO_TARGET) {
        return ws_error_set(error, WS_INVALID_ARGUMENT, "ws_execute: the policy hardware needs a target");
    }
    checked = access->policy == WS_POLICY_RAISE;
    WS_RETURN_IF_ERROR(ws_check_range(op, memory, access, 0, access->n, NULL, sink != NULL ? sink : &own, error));
    if (op->kind != WS_MOVMATRIX) {
        ws_execute_range(op, memory, access, 0, access->n, NULL, registers, checked,
                         ws_registers_are_large(op, access->n), &nobody);
        return WS_OK;
    }
    for (warp = 0; warp < access->n; warp++) {
        uint32_t *of_warp = (uint32_t *)registers + warp * WS_LANES;
        uint32_t source[WS_LANES];
        int lane;
        for (lane = 0; lane < WS_LANES; lane++) source[lane] = of_warp[lane];
        ws_execute_range(op, memory, access, warp, warp + 1, source, of_warp, checked, false, &nobody);
    }
    return WS_OK;
}

#endif /* WS_BODIES */
#endif
