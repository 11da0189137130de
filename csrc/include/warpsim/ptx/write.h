/* Instruction -> PTX text. */
#ifndef WARPSIM_PTX_WRITE_H
#define WARPSIM_PTX_WRITE_H

#include "../isa/op.h"

/* The canonical text, in the order of the PTX grammar; ws_parse returns the same instruction. */
WS_PUBLIC void ws_op_write(const ws_op *op, ws_text *text);

#if WS_BODIES
/* ".word", or nothing if the word is empty. */
static inline void ws_text_add_qualifier(ws_text *text, const char *word) {
    if (word[0] == '\0') return;
    ws_text_add(text, ".");
    ws_text_add(text, word);
}

WS_PUBLIC void ws_op_write(const ws_op *op, ws_text *text) {
    ws_text_add(text, ws_kind_word(op->kind));
    ws_text_add_qualifier(text, ws_operand_word(op->operand));
    if (op->kind == WS_CP_ASYNC) {
        ws_text_add_qualifier(text, ws_cache_word(op->cache));
        ws_text_add(text, ".shared.global [dst], [src], ");
        ws_text_add_uint(text, op->size_bytes);
        ws_text_add(text, ";");
        return;
    }
    if (ws_op_is_collective(op)) {
        ws_text_add(text, ".sync.aligned");
        ws_text_add_qualifier(text, ws_layout_word(op->layout));
        ws_text_add_qualifier(text, ws_shape_word(op->shape));
    }
    if (op->num > 0 && op->kind != WS_MOVMATRIX) {
        ws_text_add(text, ".x");
        ws_text_add_uint(text, op->num);
    }
    ws_text_add_qualifier(text, op->trans ? "trans" : "");
    ws_text_add_qualifier(text, ws_space_word(op->space));
    if (op->vec > 1) {
        ws_text_add(text, ".v");
        ws_text_add_uint(text, op->vec);
    }
    ws_text_add_qualifier(text, ws_type_word(op->type));
}

#endif /* WS_BODIES */
#endif
