/* Is a product legal for this target and PTX version, and if not, why?
 *
 * It is if the table says so, the target exists in that version, and the version has the product's own qualifiers.
 * Every verdict of ptxas 12.9, 13.0 and 13.5 is reproduced. */
#ifndef WARPSIM_MMA_LEGALITY_H
#define WARPSIM_MMA_LEGALITY_H

#include "../base/apart.h"
#include "text.h"
#include "../isa/legality.h"

static inline bool ws_mma_is_taken(const ws_mma *mma, int target) {
    const ws_mma_form *form = ws_mma_form_at(mma->form);
    const ws_target_row *row = ws_target(target);
    if (form->chips != WS_MMA_ALL_CHIPS && row->suffix != 'a' && (row->suffix != 'f' || form->chips == WS_MMA_OWN_CHIP))
        return false;
    return row->number >= form->first_sm;
}

/* Lowest version in which the product is legal for the target; 0: none. */
static inline int ws_mma_min_ptx_at(const ws_mma *mma, int target) {
    const int form = ws_mma_min_ptx(mma), first = ws_target(target)->first_ptx;
    const int lowest = form > first ? form : first;
    return ws_mma_is_taken(mma, target) && lowest <= ws_target(target)->last_ptx ? lowest : 0;
}

static inline uint64_t ws_mma_targets(const ws_mma *mma) {
    uint64_t targets = 0;
    int i;
    for (i = 0; i < WS_TARGET_COUNT; i++) {
        if (ws_mma_min_ptx_at(mma, i) != 0) targets |= UINT64_C(1) << i;
    }
    return targets;
}

/* The name of the form in a sentence: "mma.m16n8k16 of bf16", "mma.m16n8k32 of e4m3 into f16", "mma.m8n8k128.and". */
WS_ONCE void ws_text_add_mma_form(ws_text *text, const ws_mma *mma) {
    ws_text_add(text, ws_mma_kind_word(mma->kind));
    ws_mma_add_shape(text, mma);
    ws_mma_add_word(text, ws_mma_bits_word(mma->bits));
    ws_mma_add_narrow(text, mma);
    if (mma->bits != 0) return;
    ws_text_add(text, " of ");
    ws_text_add(text, ws_type_word(mma->a));
    if (mma->d == WS_TYPE_F16 && mma->a != WS_TYPE_F16) ws_text_add(text, " into f16");
}

static inline void ws_mma_add_target_reason(ws_text *text, const ws_mma *mma, int target) {
    const ws_mma_form *form = ws_mma_form_at(mma->form);
    ws_text_add_mma_form(text, mma);
    ws_text_add(text, " needs sm_");
    ws_text_add_uint(text, form->first_sm);
    if (form->chips != WS_MMA_ALL_CHIPS) {
        ws_text_add(text, form->chips == WS_MMA_FAMILIES ? "a, its family (f)" : "a");
    }
    ws_text_add(text, " or higher; ");
    ws_text_add(text, ws_target(target)->name);
    ws_text_add(text, " does not have it");
}

static inline void ws_mma_add_version_reason(ws_text *text, const ws_mma *mma, int ptx) {
    const bool own = ptx < ws_mma_form_at(mma->form)->min_ptx;
    if (own) {
        ws_text_add_mma_form(text, mma);
    } else {
        ws_text_add(text, "the qualifier .sp::ordered_metadata");
    }
    ws_text_add(text, " needs PTX ");
    ws_text_add_ptx(text, ws_mma_min_ptx(mma));
    ws_text_add(text, " or later, not ");
    ws_text_add_ptx(text, ptx);
}

/* `mma` must be valid, `target` be a row of ws_target, `ptx` exist. */
static inline ws_legality ws_mma_legality_of(const ws_mma *mma, int target, int ptx) {
    ws_legality legality;
    const bool taken = ws_mma_is_taken(mma, target), exists = ws_target_exists_at(target, ptx);
    ws_text text;
    legality.min_ptx = ws_mma_min_ptx_at(mma, target);
    legality.targets = ws_mma_targets(mma);
    legality.ok = taken && exists && ptx >= ws_mma_min_ptx(mma);
    legality.reason_count = 0;
    if (!exists) {
        text = ws_text_make(legality.reasons[legality.reason_count++], WS_REASON_BYTES);
        ws_legality_add_existence_reason(&text, target, ptx);
    }
    if (!taken) {
        text = ws_text_make(legality.reasons[legality.reason_count++], WS_REASON_BYTES);
        ws_mma_add_target_reason(&text, mma, target);
    }
    if (ptx < ws_mma_min_ptx(mma)) {
        text = ws_text_make(legality.reasons[legality.reason_count++], WS_REASON_BYTES);
        ws_mma_add_version_reason(&text, mma, ptx);
    }
    return legality;
}

#endif
