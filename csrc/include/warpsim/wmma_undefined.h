/* Which rules one warp's wmma.load or wmma.store breaks.
 *
 * p, stride and the rows of the matrix are judged by the lowest running lane; lanes that differ from it are findings of their own.
 * The default stride is never a finding, although PTX's own alignment rule forbids it for f16 a.col of m8n32k16 and b.row of
 * m32n8k16. */
#ifndef WARPSIM_WMMA_UNDEFINED_H
#define WARPSIM_WMMA_UNDEFINED_H

#include "findings.h"
#include "wmma_lowering.h"

static inline int ws_lowest_lane(uint32_t mask) {
    int lane = 0;
    while (lane < WS_LANES - 1 && !(mask >> lane & 1)) lane++;
    return lane;
}

/* The fault of a stride, if any; *found tells. */
static inline ws_fault ws_wmma_stride_fault(const ws_op *op, uint32_t stride, bool *found) {
    const uint32_t fallback = ws_wmma_default_stride(op), fragment = (uint32_t)ws_op_access_bytes(op);
    const uint64_t bits = (uint64_t)stride * (uint64_t)ws_type_bits(op->type);
    const uint32_t piece = fragment < 16 ? fragment : 16;
    *found = stride != fallback;
    if (stride < fallback || stride > INT32_MAX) return WS_FAULT_STRIDE_BELOW_DEFAULT;
    if (bits % (8 * piece) != 0) return WS_FAULT_STRIDE_ALIGNMENT;
    *found = *found && bits % (8 * fragment) != 0;
    return WS_FAULT_STRIDE_FRAGMENT;
}

/* The lowest lane that holds an element of a line. */
static inline int ws_wmma_lowest_holder(const ws_op *op, const ws_wmma_code *code, int line) {
    int lane, value;
    for (lane = 0; lane < WS_LANES; lane++) {
        for (value = 0; value < ws_wmma_values(op); value++) {
            if (ws_wmma_line_of(op, ws_wmma_element(op, lane, value, code->sm_75)) == line) return lane;
        }
    }
    return 0;
}

/* The address at which a line begins, in the caller's terms. */
static inline uint64_t ws_wmma_line_address(const ws_op *op, const ws_wmma_code *code, const ws_access *access, size_t warp,
                                            int lane, int line) {
    const uint32_t stride = ws_access_stride(access, warp, lane, ws_wmma_default_stride(op));
    return ws_wmma_address(op, code, ws_access_address(access, warp, lane), stride, line, 0);
}

static inline bool ws_wmma_line_is_inside(const ws_op *op, const ws_memory *memory, uint64_t address) {
    return ws_memory_holds(memory, ws_memory_place(memory, op->space, address), (uint64_t)ws_op_span_bytes(op));
}

/* What holds for the whole warp: p and stride. */
static inline bool ws_check_wmma_operands(const ws_op *op, const ws_access *access, size_t warp, int lane, ws_findings *sink) {
    const uint64_t p = ws_access_address(access, warp, lane);
    const uint32_t stride = ws_access_stride(access, warp, lane, ws_wmma_default_stride(op));
    bool ok = true, found;
    ws_fault fault;
    if (p % (uint64_t)ws_op_access_bytes(op) != 0) {
        ws_report(sink, op, WS_FAULT_MISALIGNED, warp, WS_NO_LANE, &p);
        ok = false;
    }
    fault = ws_wmma_stride_fault(op, stride, &found);
    if (found) {
        const uint64_t value = stride;
        ws_report(sink, op, fault, warp, WS_NO_LANE, &value);
        ok &= fault == WS_FAULT_STRIDE_FRAGMENT;
    }
    return ok;
}

/* What holds for one lane: does it run, and does it pass what the first one passes? */
static inline bool ws_check_wmma_lane(const ws_op *op, const ws_access *access, size_t warp, int lane, int first,
                                      ws_findings *sink) {
    const uint32_t running = ws_access_running(access, warp), fallback = ws_wmma_default_stride(op);
    const uint64_t p = ws_access_address(access, warp, lane);
    bool ok = true;
    if (!(running >> lane & 1)) {
        const bool exited = (ws_access_exited(access, warp) >> lane & 1) != 0;
        ws_report(sink, op, exited ? WS_FAULT_EXITED : WS_FAULT_INACTIVE, warp, lane, NULL);
        return false;
    }
    if (p != ws_access_address(access, warp, first)) {
        ws_report(sink, op, WS_FAULT_DIVERGENT_ADDRESS, warp, lane, &p);
        ok = false;
    }
    if (ws_access_stride(access, warp, lane, fallback) != ws_access_stride(access, warp, first, fallback)) {
        ws_report(sink, op, WS_FAULT_DIVERGENT_STRIDE, warp, lane, NULL);
        ok = false;
    }
    return ok;
}

static inline bool ws_check_wmma(const ws_op *op, const ws_memory *memory, const ws_access *access, size_t warp,
                                 ws_findings *sink) {
    const ws_wmma_code code = ws_wmma_code_of(op, access->target);
    const int first = ws_lowest_lane(ws_access_running(access, warp)), lines = ws_wmma_lines(op);
    uint64_t outside = 0; /* bit set of lines */
    int lane, line;
    bool ok = ws_check_wmma_operands(op, access, warp, first, sink);
    for (line = 0; line < lines; line++) {
        const uint64_t address = ws_wmma_line_address(op, &code, access, warp, first, line);
        if (!ws_wmma_line_is_inside(op, memory, address)) outside |= UINT64_C(1) << line;
    }
    for (lane = 0; lane < WS_LANES; lane++) {
        ok &= ws_check_wmma_lane(op, access, warp, lane, first, sink);
        for (line = 0; line < lines; line++) {
            uint64_t address;
            ws_where where;
            if (!(outside >> line & 1) || ws_wmma_lowest_holder(op, &code, line) != lane) continue;
            address = ws_wmma_line_address(op, &code, access, warp, first, line);
            where = ws_memory_place(memory, op->space, address).where;
            ws_report(sink, op, where == WS_NOWHERE ? WS_FAULT_NOWHERE : WS_FAULT_OUT_OF_BOUNDS, warp, lane, &address);
            ok = false;
        }
    }
    return ok;
}

#endif
