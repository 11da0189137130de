/* Is the form legal for this target and PTX version, and if not, why?
 *
 * A form is legal if its row of the table says so, the target exists in that version, and the version has the
 * sub-qualifier ::cta (PTX 7.8) if the form uses it. Source: the "PTX ISA Notes" and "Target ISA Notes" of each
 * instruction, as NVIDIA's assembler applies them.
 *
 * This file knows nothing about addresses and data. */
#ifndef WARPSIM_ISA_LEGALITY_H
#define WARPSIM_ISA_LEGALITY_H

#include "../base/apart.h"
#include "targets.h"

enum { WS_MAX_REASONS = 3, WS_REASON_BYTES = 320, WS_CTA_PTX = 78 };

typedef struct ws_legality {
    bool ok;
    int min_ptx;      /* lowest version in which the form is legal for this target; 0: none */
    uint64_t targets; /* bit set: the rows of all targets that have it in any version */
    int reason_count; /* 0 if ok */
    char reasons[WS_MAX_REASONS][WS_REASON_BYTES];
} ws_legality;

/* The PTX version that the form itself needs. */
static inline int ws_op_min_ptx(const ws_op *op) {
    const int form = ws_op_form(op)->min_ptx;
    return op->space == WS_SPACE_SHARED_CTA && form < WS_CTA_PTX ? WS_CTA_PTX : form;
}

/* Lowest version in which the form is legal for the target; 0: none. */
static inline int ws_op_min_ptx_at(const ws_op *op, int target) {
    const int form = ws_op_min_ptx(op);
    const int first = ws_target(target)->first_ptx;
    const int lowest = form > first ? form : first;
    if (!ws_target_takes(target, ws_op_form(op)->targets)) return 0;
    return lowest <= ws_target(target)->last_ptx ? lowest : 0;
}

static inline uint64_t ws_op_targets(const ws_op *op) {
    uint64_t targets = 0;
    int i;
    for (i = 0; i < WS_TARGET_COUNT; i++) {
        if (ws_op_min_ptx_at(op, i) != 0) targets |= UINT64_C(1) << i;
    }
    return targets;
}

/* "sm_100a, sm_103a ... or their f families": what to compile for instead. */
static inline void ws_text_add_needed_targets(ws_text *text, const ws_op *op) {
    const uint64_t targets = ws_op_targets(op);
    const int rule = ws_op_form(op)->targets;
    int i, last = -1;
    if (rule != WS_TARGETS_AF100_UP && rule != WS_TARGETS_90A_AF100_UP) {
        for (i = 0; i < WS_TARGET_COUNT && last < 0; i++) {
            if (targets >> i & 1) last = i;
        }
        ws_text_add(text, ws_target(last)->name);
        ws_text_add(text, " or higher");
        return;
    }
    for (i = 0; i < WS_TARGET_COUNT; i++) {
        if (ws_target(i)->suffix == 'a' && (targets >> i & 1)) last = i;
    }
    for (i = 0; i <= last; i++) {
        if (ws_target(i)->suffix != 'a' || !(targets >> i & 1)) continue;
        ws_text_add(text, ws_target(i)->name);
        ws_text_add(text, i == last ? "" : ", ");
    }
    ws_text_add(text, " or, for sm_100 and later, their f families");
}

/* The name of the form's distinguishing part, for a sentence: ".m16n16", "ldmatrix". */
static inline void ws_text_add_form(ws_text *text, const ws_op *op) {
    ws_text_add(text, ws_kind_word(op->kind));
    if (op->operand != 0) {
        ws_text_add(text, ".");
        ws_text_add(text, ws_operand_word(op->operand));
    }
    if (!ws_op_is_collective(op) || op->kind == WS_MOVMATRIX || op->shape == WS_SHAPE_M8N8) return;
    ws_text_add(text, ".");
    ws_text_add(text, ws_shape_word(op->shape));
    ws_text_add(text, ".");
    ws_text_add(text, ws_type_word(op->type));
}

WS_ONCE void ws_legality_add_target_reason(ws_text *text, const ws_op *op, int target) {
    ws_text_add_form(text, op);
    ws_text_add(text, " needs ");
    ws_text_add_needed_targets(text, op);
    ws_text_add(text, "; ");
    ws_text_add(text, ws_target(target)->suffix == 0 && ws_target(target)->number >= 90 ? "plain " : "");
    ws_text_add(text, ws_target(target)->name);
    ws_text_add(text, " has no ");
    ws_text_add_form(text, op);
}

WS_ONCE void ws_legality_add_existence_reason(ws_text *text, int target, int ptx) {
    const ws_target_row *row = ws_target(target);
    ws_text_add(text, "target ");
    ws_text_add(text, row->name);
    ws_text_add(text, " does not exist in PTX ");
    ws_text_add_ptx(text, ptx);
    ws_text_add(text, ptx < row->first_ptx ? ": it exists from PTX " : ": it exists up to PTX ");
    ws_text_add_ptx(text, ptx < row->first_ptx ? row->first_ptx : row->last_ptx);
    if (ptx > row->last_ptx) ws_text_add(text, " (sm_101 was renamed sm_110)");
}

static inline void ws_legality_add_version_reason(ws_text *text, const ws_op *op, int ptx) {
    const int form = ws_op_form(op)->min_ptx;
    if (ptx < form) {
        ws_text_add_form(text, op);
    } else {
        ws_text_add(text, "the sub-qualifier ::cta");
    }
    ws_text_add(text, " needs PTX ");
    ws_text_add_ptx(text, ptx < form ? form : WS_CTA_PTX);
    ws_text_add(text, " or later, not ");
    ws_text_add_ptx(text, ptx);
}

/* `op` must have a row in the table, `target` be a row of ws_target, `ptx` exist. */
static inline ws_legality ws_legality_of(const ws_op *op, int target, int ptx) {
    ws_legality legality;
    const bool taken = ws_target_takes(target, ws_op_form(op)->targets);
    const bool exists = ws_target_exists_at(target, ptx);
    const bool old_enough = ptx >= ws_op_min_ptx(op);
    ws_text text;
    legality.min_ptx = ws_op_min_ptx_at(op, target);
    legality.targets = ws_op_targets(op);
    legality.ok = taken && exists && old_enough;
    legality.reason_count = 0;
    if (!exists) {
        text = ws_text_make(legality.reasons[legality.reason_count++], WS_REASON_BYTES);
        ws_legality_add_existence_reason(&text, target, ptx);
    }
    if (!taken) {
        text = ws_text_make(legality.reasons[legality.reason_count++], WS_REASON_BYTES);
        ws_legality_add_target_reason(&text, op, target);
    }
    if (!old_enough) {
        text = ws_text_make(legality.reasons[legality.reason_count++], WS_REASON_BYTES);
        ws_legality_add_version_reason(&text, op, ptx);
    }
    return legality;
}

#endif
