/* Findings: which warp and lane broke which rule, at what address.
 *
 * A finding is a small plain value; its text is made on demand. Findings go to a sink whose storage the caller owns;
 * the sink keeps counting when it is full. */
#ifndef WARPSIM_UNDEFINED_FINDINGS_H
#define WARPSIM_UNDEFINED_FINDINGS_H

#include "../base/apart.h"
#include "../data/memory.h"
#include "../isa/form.h"
#include "../rules/rules.h"

enum { WS_NO_LANE = -1 };

typedef struct ws_finding {
    uint64_t warp;
    uint64_t address;    /* as the caller passed it, if has_address; for a stride rule, the stride */
    int16_t lane;        /* WS_NO_LANE if it is not about a lane */
    uint8_t rule;        /* row of ws_rule_at */
    uint8_t has_address; /* 0, 1 */
} ws_finding;

typedef struct ws_findings {
    ws_finding *items; /* the caller's; NULL with capacity 0 */
    size_t capacity;
    size_t count; /* findings made, including those beyond capacity */
} ws_findings;

static inline void ws_findings_add(ws_findings *sink, const ws_finding *finding) {
    if (sink->count < sink->capacity) sink->items[sink->count] = *finding;
    sink->count++;
}

/* Adds a finding for a condition of `op`; `address` is NULL if it is not about one. */
static inline void ws_report(ws_findings *sink, const ws_op *op, ws_fault fault, size_t warp, int lane,
                             const uint64_t *address) {
    ws_finding finding;
    finding.warp = warp;
    finding.lane = (int16_t)lane;
    finding.rule = (uint8_t)ws_rule_find(op->kind, fault);
    finding.has_address = address != NULL && !ws_fault_is_stride(fault);
    finding.address = address != NULL ? *address : 0;
    ws_findings_add(sink, &finding);
}

/* "lane 5 (matrix 0, row 5): misaligned row address 0x35: not a multiple of 16, nearest 0x30 and 0x40" */
WS_ONCE void ws_finding_write(const ws_op *op, const ws_memory *memory, const ws_finding *finding, ws_text *text) {
    const ws_rule *rule = ws_rule_at(finding->rule);
    const uint64_t bytes = (uint64_t)ws_op_span_bytes(op), unit = (uint64_t)ws_op_access_bytes(op);
    const bool copies = op->kind == WS_CP_ASYNC;
    const bool global = copies ? rule->fault == WS_FAULT_SOURCE_OUT_OF_BOUNDS
                               : ws_memory_place(memory, op->space, finding->address).where == WS_IN_GLOBAL;
    const ws_image *image = global ? &memory->global : &memory->shared;
    ws_text_add(text, "warp ");
    ws_text_add_uint(text, finding->warp);
    if (finding->lane != WS_NO_LANE) {
        ws_text_add(text, ", lane ");
        ws_text_add_uint(text, (uint64_t)finding->lane);
    }
    if (finding->has_address && ws_op_is_collective(op) && !ws_op_is_wmma(op) && finding->lane < ws_op_row_lanes(op)) {
        ws_text_add(text, " (matrix ");
        ws_text_add_uint(text, (uint64_t)(finding->lane / ws_op_form(op)->rows));
        ws_text_add(text, ", row ");
        ws_text_add_uint(text, (uint64_t)(finding->lane % ws_op_form(op)->rows));
        ws_text_add(text, ")");
    }
    ws_text_add(text, ": ");
    ws_text_add(text, rule->title);
    if (ws_fault_is_stride((ws_fault)rule->fault)) {
        const bool alignment = rule->fault == WS_FAULT_STRIDE_ALIGNMENT;
        ws_text_add(text, ": ");
        if (finding->address > INT32_MAX) {
            ws_text_add(text, "-");
            ws_text_add_uint(text, (UINT64_C(1) << 32) - finding->address);
        } else {
            ws_text_add_uint(text, finding->address);
        }
        ws_text_add(text, " elements of ");
        ws_text_add_uint(text, (uint64_t)ws_type_bits(op->type));
        ws_text_add(text, " bits; expected at least ");
        ws_text_add_uint(text, (uint64_t)(ws_op_span_bytes(op) * 8 / ws_type_bits(op->type)));
        ws_text_add(text, ", a multiple of ");
        ws_text_add_uint(text, alignment && unit > 16 ? 16 : unit);
        ws_text_add(text, " bytes");
    }
    if (!finding->has_address) return;
    ws_text_add(text, ": ");
    ws_text_add_hex(text, finding->address);
    if (rule->fault == WS_FAULT_MISALIGNED || rule->fault == WS_FAULT_SOURCE_MISALIGNED) {
        ws_text_add(text, " is not a multiple of ");
        ws_text_add_uint(text, unit);
        ws_text_add(text, "; nearest: ");
        ws_text_add_hex(text, finding->address / unit * unit);
        ws_text_add(text, ", ");
        ws_text_add_hex(text, finding->address / unit * unit + unit);
    } else if (rule->fault == WS_FAULT_OUT_OF_BOUNDS || rule->fault == WS_FAULT_SOURCE_OUT_OF_BOUNDS) {
        ws_text_add(text, " and the ");
        ws_text_add_uint(text, bytes);
        ws_text_add(text, " bytes from there are not inside ");
        ws_text_add_hex(text, image->base);
        ws_text_add(text, " .. ");
        ws_text_add_hex(text, image->base + image->nbytes);
    }
}

#endif
