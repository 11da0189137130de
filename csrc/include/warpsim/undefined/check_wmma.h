/* Which rules one warp's wmma.load or wmma.store breaks.
 *
 * If all lanes pass the same p and stride, these and the rows of the matrix are checked once for the warp. If they
 * differ, each lane is checked on its own, lanes that differ from the lowest one are findings, and there is no matrix
 * whose rows could be checked. The default stride is never a finding, although PTX's own alignment rule forbids it for
 * f16 a.col of m8n32k16 and b.row of m32n8k16. */
#ifndef WARPSIM_UNDEFINED_CHECK_WMMA_H
#define WARPSIM_UNDEFINED_CHECK_WMMA_H

#include "findings.h"
#include "../base/mask.h"
#include "../data/plan.h"

enum { WS_WMMA_MOST_LINES = 32 };

/* The fault of a stride; *found says whether there is one. */
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

/* The lines of a matrix in memory that begin where lane `first` says. */
typedef struct ws_wmma_memory_lines {
    int first;                          /* the lowest lane that runs */
    uint8_t holder[WS_WMMA_MOST_LINES]; /* of each line: the lowest lane that holds an element of it */
} ws_wmma_memory_lines;

static inline void ws_wmma_find_holders(const ws_plan *plan, ws_wmma_memory_lines *lines) {
    const ws_op *op = &plan->op;
    const int values = ws_wmma_values(op);
    int lane, value;
    for (lane = WS_LANES - 1; lane >= 0; lane--) {
        for (value = 0; value < values; value++) {
            lines->holder[ws_wmma_line_of(op, ws_wmma_element(op, lane, value, plan->code.sm_75))] = (uint8_t)lane;
        }
    }
}

/* The address at which a line starts by PTX's formula: no bits are dropped, and shared addresses do not wrap. */
static inline uint64_t ws_wmma_line_address(const ws_op *op, const ws_access *access, size_t warp, int lane, int line) {
    const uint64_t stride = ws_access_stride(access, warp, lane, ws_wmma_default_stride(op));
    return ws_access_address(access, warp, lane) + (uint64_t)line * stride * (uint64_t)ws_type_bits(op->type) / 8;
}

static inline bool ws_wmma_line_is_inside(const ws_op *op, const ws_memory *memory, uint64_t address) {
    return ws_memory_holds(memory, ws_memory_place(memory, op->space, address), (uint64_t)ws_op_span_bytes(op));
}

/* p and stride of one lane, reported for lane `named`: WS_NO_LANE for the whole warp. */
static inline bool ws_check_wmma_operands(const ws_op *op, const ws_access *access, size_t warp, int lane, int named,
                                          ws_findings *sink) {
    const uint64_t p = ws_access_address(access, warp, lane);
    const uint32_t stride = ws_access_stride(access, warp, lane, ws_wmma_default_stride(op));
    const uint64_t value = stride;
    bool ok = true, found;
    ws_fault fault;
    if (p % (uint64_t)ws_op_access_bytes(op) != 0) {
        ws_report(sink, op, WS_FAULT_MISALIGNED, warp, named, &p);
        ok = false;
    }
    fault = ws_wmma_stride_fault(op, stride, &found);
    if (found) {
        ws_report(sink, op, fault, warp, named, &value);
        ok &= fault == WS_FAULT_STRIDE_FRAGMENT;
    }
    return ok;
}

/* Running lanes whose p, and whose stride, differs from lane `first`. */
typedef struct ws_wmma_differences {
    uint32_t p, stride; /* lane masks */
} ws_wmma_differences;

static inline ws_wmma_differences ws_wmma_differences_of(const ws_op *op, const ws_access *access, size_t warp,
                                                         int first) {
    const uint32_t running = ws_access_running(access, warp), fallback = ws_wmma_default_stride(op);
    ws_wmma_differences differ = {0, 0};
    int lane;
    for (lane = 0; lane < WS_LANES; lane++) {
        const uint32_t bit = UINT32_C(1) << lane;
        if (!(running & bit)) continue;
        if (ws_access_address(access, warp, lane) != ws_access_address(access, warp, first)) differ.p |= bit;
        if (ws_access_stride(access, warp, lane, fallback) != ws_access_stride(access, warp, first, fallback)) {
            differ.stride |= bit;
        }
    }
    return differ;
}

/* A lane that does not run, or whose operands differ from the first lane's. */
static inline bool ws_check_wmma_lane(const ws_op *op, const ws_access *access, size_t warp, int lane,
                                      const ws_wmma_differences *differ, ws_findings *sink) {
    if (!(ws_access_running(access, warp) >> lane & 1)) {
        const bool exited = (ws_access_exited(access, warp) >> lane & 1) != 0;
        ws_report(sink, op, exited ? WS_FAULT_EXITED : WS_FAULT_INACTIVE, warp, lane, NULL);
        return false;
    }
    if (differ->p >> lane & 1) {
        const uint64_t p = ws_access_address(access, warp, lane);
        ws_report(sink, op, WS_FAULT_DIVERGENT_ADDRESS, warp, lane, &p);
    }
    if (differ->stride >> lane & 1) ws_report(sink, op, WS_FAULT_DIVERGENT_STRIDE, warp, lane, NULL);
    if ((differ->p | differ->stride) == 0) return true;
    ws_check_wmma_operands(op, access, warp, lane, lane, sink);
    return false;
}

/* The rows of the matrix that are not inside the memory and whose lowest holder is this lane. */
static inline bool ws_check_wmma_rows(const ws_op *op, const ws_wmma_memory_lines *lines, const ws_memory *memory,
                                      const ws_access *access, size_t warp, int lane, ws_findings *sink) {
    bool ok = true;
    int line;
    for (line = 0; line < ws_wmma_lines(op); line++) {
        uint64_t address;
        ws_where where;
        if (lines->holder[line] != lane) continue;
        address = ws_wmma_line_address(op, access, warp, lines->first, line);
        if (ws_wmma_line_is_inside(op, memory, address)) continue;
        where = ws_memory_place(memory, op->space, address).where;
        ws_report(sink, op, where == WS_NOWHERE ? WS_FAULT_NOWHERE : WS_FAULT_OUT_OF_BOUNDS, warp, lane, &address);
        ok = false;
    }
    return ok;
}

static inline bool ws_check_wmma(const ws_plan *plan, const ws_memory *memory, const ws_access *access, size_t warp,
                                 ws_findings *sink) {
    const ws_op *op = &plan->op;
    const uint32_t running = ws_access_running(access, warp);
    const int first = ws_first_lane(running);
    const ws_wmma_differences differ = ws_wmma_differences_of(op, access, warp, first);
    const bool agree = running != 0 && (differ.p | differ.stride) == 0; /* lanes that do not run pass nothing */
    ws_wmma_memory_lines lines;
    bool ok = true, inside = true;
    int lane, line;
    lines.first = first;
    if (agree) ok = ws_check_wmma_operands(op, access, warp, first, WS_NO_LANE, sink);
    for (line = 0; line < ws_wmma_lines(op) && inside; line++) {
        inside = ws_wmma_line_is_inside(op, memory, ws_wmma_line_address(op, access, warp, first, line));
    }
    if (agree && !inside) ws_wmma_find_holders(plan, &lines);
    for (lane = 0; lane < WS_LANES; lane++) {
        ok &= ws_check_wmma_lane(op, access, warp, lane, &differ, sink);
        if (agree && !inside) ok &= ws_check_wmma_rows(op, &lines, memory, access, warp, lane, sink);
    }
    return ok;
}

#endif
