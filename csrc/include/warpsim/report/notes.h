/* What an instruction is, in words: one line about it, where it exists, and what people trip over without any error.
 *
 * The sentences of measurements are of one H200. This file refuses to know addresses. */
#ifndef WARPSIM_REPORT_NOTES_H
#define WARPSIM_REPORT_NOTES_H

#include "../base/public.h"
#include "../data/wmma_lowering.h"
#include "../isa/legality.h"

enum { WS_NOTE_COUNT = 9 };

/* "4 registers of 32 bits a lane; addresses from lanes 0-31, 16 bytes each, aligned to 16" */
WS_PUBLIC void ws_report_summary(const ws_op *op, ws_text *text);

/* "sm_75 and later", or the names of all targets that ever take the form; gives the lowest PTX version of all. */
WS_PUBLIC int ws_report_targets(const ws_op *op, ws_text *text);

/* Note number `index`, from 0; false, and nothing added, if it is not about this instruction. */
WS_PUBLIC bool ws_report_note(const ws_op *op, int index, ws_text *text);

#if WS_BODIES
#include "../data/memory.h"

static inline void ws_report_registers(const ws_op *op, ws_text *text) {
    ws_text_add_int(text, ws_op_num_registers(op));
    ws_text_add(text, ws_op_num_registers(op) > 1 ? " registers of " : " register of ");
    ws_text_add_int(text, ws_op_register_bits(op));
    ws_text_add(text, " bits a lane");
}

WS_PUBLIC void ws_report_summary(const ws_op *op, ws_text *text) {
    if (op->kind == WS_CP_ASYNC) {
        ws_text_add(text, "copies ");
        ws_text_add_int(text, op->size_bytes);
        ws_text_add(text, " bytes a lane from global to shared memory");
    } else if (ws_op_is_wmma(op)) {
        ws_text_add_int(text, ws_wmma_rows(op));
        ws_text_add(text, "x");
        ws_text_add_int(text, ws_wmma_cols(op));
        ws_text_add(text, " matrix, ");
        ws_text_add(text, ws_layout_word(op->layout));
        ws_text_add(text, "-major; ");
        ws_report_registers(op, text);
        ws_text_add(text, "; p a multiple of ");
        ws_text_add_int(text, ws_op_access_bytes(op));
        ws_text_add(text, " bytes, default stride ");
        ws_text_add_int(text, ws_wmma_default_stride(op));
        ws_text_add(text, " elements");
    } else {
        ws_report_registers(op, text);
        if (op->kind == WS_MOVMATRIX) return;
        ws_text_add(text, "; addresses from lanes 0-");
        ws_text_add_int(text, ws_op_row_lanes(op) - 1);
        ws_text_add(text, ", ");
        ws_text_add_int(text, ws_op_access_bytes(op));
        ws_text_add(text, " bytes each, aligned to ");
        ws_text_add_int(text, ws_op_access_bytes(op));
    }
}

WS_PUBLIC int ws_report_targets(const ws_op *op, ws_text *text) {
    const uint64_t all = (UINT64_C(1) << WS_TARGET_COUNT) - 1, targets = ws_op_targets(op);
    int i, first = 0, lowest = 0, left = 0;
    while (first < WS_TARGET_COUNT - 1 && !(targets >> first & 1)) first++;
    for (i = first; i < WS_TARGET_COUNT; i++) {
        const int ptx = ws_op_min_ptx_at(op, i);
        if (ptx != 0 && (lowest == 0 || ptx < lowest)) lowest = ptx;
        left += ptx != 0;
    }
    if (targets == (all >> first) << first) {
        ws_text_add(text, ws_target(first)->name);
        ws_text_add(text, " and later");
        return lowest;
    }
    for (i = first; i < WS_TARGET_COUNT; i++) {
        if (!(targets >> i & 1)) continue;
        ws_text_add(text, ws_target(i)->name);
        if (--left > 0) ws_text_add(text, ", ");
    }
    return lowest;
}

static inline void ws_report_generic(const ws_op *op, ws_text *text) {
    ws_text_add(text, "without .shared an address is generic; shared memory is taken to lie at ");
    ws_text_add_hex(text, WS_SHARED_WINDOW);
    ws_text_add(text, "-");
    ws_text_add_hex(text, WS_SHARED_WINDOW + WS_SHARED_WINDOW_BYTES - 1);
    ws_text_add(text, op->kind == WS_LDMATRIX || op->kind == WS_STMATRIX
                          ? ", and nothing else may be read or written"
                          : ", any other address to be one of global memory");
}

/* Of the notes that are one sentence: it, or NULL. */
static inline const char *ws_report_sentence(const ws_op *op, int index) {
    const bool shared = op->space == WS_SPACE_SHARED || op->space == WS_SPACE_SHARED_CTA;
    const bool small = op->type == WS_TYPE_S4 || op->type == WS_TYPE_U4 || op->type == WS_TYPE_B1;
    switch (index) {
        case 0:
            if (!ws_op_is_wmma(op)) return NULL;
            return "PTX leaves open which lane holds what; these maps were observed on sm_80 and later (sm_75: one "
                   "differs, sm_70: unknown)";
        case 1:
            if (!ws_op_is_wmma(op) || ws_op_access_bytes(op) != 32 || op->type != WS_TYPE_F16) return NULL;
            if (ws_wmma_default_stride(op) != 8) return NULL;
            return "the default stride of 8 elements breaks PTX's own alignment rule (16 bytes, the fragment has 32); "
                   "it works, and is not reported as a finding";
        case 2:
            if (!small || !shared) return NULL;
            return "PTX asks for an alignment of 4 bytes; the code reads rows of 16 bytes from shared memory and traps "
                   "if p or the stride is not a multiple of 16 (sm_90)";
        case 5:
            if (op->shape != WS_SHAPE_M16N16) return NULL;
            return "16 lanes supply the rows of a matrix (PTX's table of 8 is for m8n8)";
        case 6:
            if (op->type != WS_TYPE_B8X16_B4X16_P64) return NULL;
            return "a 4-bit code comes out in the low nibble; mma .kind::f8f6f4 wants it in bits 2-5: shift by 2 "
                   "(warpsim.fp4_to_mma)";
        case 7:
            if (op->type != WS_TYPE_S8_S4) return NULL;
            return "rows of 8 bytes, values sign-extended (measured; PTX states neither)";
        case 8:
            if (op->cache != WS_CACHE_CG) return NULL;
            return "the write side has rules of its own: rows padded by 16 bytes cost 2.6 to 6 times the wavefronts of "
                   "the bank rule";
        default: return NULL;
    }
}

WS_PUBLIC bool ws_report_note(const ws_op *op, int index, ws_text *text) {
    const char *sentence = ws_report_sentence(op, index);
    if (sentence != NULL) {
        ws_text_add(text, sentence);
    } else if (index == 3 && op->kind == WS_LDMATRIX && op->shape == WS_SHAPE_M8N8 && ws_op_row_lanes(op) < WS_LANES) {
        ws_text_add(text, "addresses of lanes ");
        ws_text_add_int(text, ws_op_row_lanes(op));
        ws_text_add(text, "-31 are ignored on sm_80 and later; sm_75 wants them valid");
    } else if (index == 4 && op->space == WS_SPACE_GENERIC && op->kind != WS_CP_ASYNC && op->kind != WS_MOVMATRIX) {
        ws_report_generic(op, text);
    } else {
        return false;
    }
    return true;
}

#endif /* WS_BODIES */
#endif
