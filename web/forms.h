/* Every instruction that there is: each row of the table in isa.h, each value of its bit sets. */
#ifndef WARPSIM_WEB_FORMS_H
#define WARPSIM_WEB_FORMS_H

#include "json.h"

enum { FORM_SETS = 7 };

/* The next value of a bit set above `value`; 32 after the last. */
static inline int forms_next(uint32_t set, int value) {
    for (value++; value < 32 && !(set >> value & 1); value++) {
    }
    return value;
}

static inline ws_op forms_op(const ws_form *form, const int value[FORM_SETS]) {
    ws_op op = ws_op_none();
    const bool plain = form->kind == WS_LD || form->kind == WS_ST,
               wmma = form->kind == WS_WMMA_LOAD || form->kind == WS_WMMA_STORE;
    op.kind = form->kind;
    op.shape = (uint8_t)value[0];
    op.type = (uint8_t)value[1];
    op.space = (uint8_t)value[2];
    if (form->kind == WS_CP_ASYNC) op.size_bytes = (uint8_t)value[3];
    else if (plain) op.vec = (uint8_t)value[3];
    else if (!wmma) op.num = (uint8_t)value[3];
    op.trans = (uint8_t)value[4];
    op.operand = (uint8_t)value[5];
    op.layout = (uint8_t)value[6];
    op.cache = form->cache;
    return op;
}

/* Their texts, as strings of a JSON list; with a target only those that are legal there. */
static inline void forms_write(ws_text *out, int target, int ptx) {
    int row, i;
    for (row = 1; row < WS_FORM_COUNT; row++) {
        const ws_form *form = ws_isa_form(row);
        const uint32_t trans = form->trans == WS_TRANS_MAY ? 3 : form->trans == WS_TRANS_MUST ? 2 : 1;
        const uint32_t sets[FORM_SETS] = {form->shapes, form->types,    form->spaces, form->counts,
                                          trans,        form->operands, form->layouts};
        int value[FORM_SETS];
        for (i = 0; i < FORM_SETS; i++) value[i] = forms_next(sets[i], -1);
        for (i = 0; i < FORM_SETS;) {
            ws_op op = forms_op(form, value);
            if (ws_op_validate(&op, NULL) == WS_OK && (target == WS_NO_TARGET || ws_legality_of(&op, target, ptx).ok)) {
                char bytes[160];
                ws_text text = ws_text_make(bytes, sizeof bytes);
                ws_op_write(&op, &text);
                json_string(out, bytes);
            }
            for (i = 0; i < FORM_SETS; i++) {
                value[i] = forms_next(sets[i], value[i]);
                if (value[i] < 32) break;
                value[i] = forms_next(sets[i], -1);
            }
        }
    }
}

#endif
