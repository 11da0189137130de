/* Do the fields of an instruction make one of the table's forms, and if not, what would make one?
 *
 * The reason names the first field that no row allows, and what the closest rows have instead. */
#ifndef WARPSIM_ISA_VALIDATE_H
#define WARPSIM_ISA_VALIDATE_H

#include "../base/apart.h"
#include "isa.h"

/* Sets op->form, or says why the fields do not make an instruction. */
WS_PUBLIC ws_status ws_op_validate(ws_op *op, ws_error *error);

#if WS_BODIES

/* The words of a bit set of values, for a sentence: ".x1, .x2 or .x4". */
static inline void ws_text_add_choices(ws_text *text, uint32_t set, const char *prefix, const char *(*word_of)(int)) {
    int i, left = 0;
    for (i = 0; i < 32; i++) left += (int)(set >> i & 1);
    for (i = 0; i < 32; i++) {
        if (!(set >> i & 1)) continue;
        if (word_of == NULL || i > 0) ws_text_add(text, prefix);
        if (word_of != NULL) {
            ws_text_add(text, i == 0 ? "none" : word_of(i));
        } else {
            ws_text_add_uint(text, (uint64_t)i);
        }
        left--;
        if (left > 0) ws_text_add(text, left == 1 ? " or " : ", ");
    }
}

/* "; .b8 goes with .m16n16": the shapes with which the op's kind and operand have its type, if any. */
static inline void ws_op_add_shapes_of_type(const ws_op *op, ws_text *text) {
    uint32_t shapes = 0;
    int i;
    for (i = 1; i < WS_FORM_COUNT; i++) {
        const ws_form *form = ws_isa_form(i);
        if (form->kind != op->kind || !ws_in(form->operands, op->operand)) continue;
        if (ws_in(form->types, op->type)) shapes |= form->shapes;
    }
    if (op->type == 0 || op->shape == 0 || shapes == 0) return;
    ws_text_add(text, "; .");
    ws_text_add(text, ws_type_word(op->type));
    ws_text_add(text, " goes with ");
    ws_text_add_choices(text, shapes, ".", ws_shape_word);
}

/* ld.global.v4.b64: legal on newer targets, but wider than the 16 bytes per lane that are modelled. */
static inline bool ws_op_is_too_wide(const ws_op *op, uint32_t spaces) {
    return op->vec == 4 && ws_type_bits(op->type) == 64 && ws_in(spaces, op->space) &&
           (op->space == WS_SPACE_GENERIC || op->space == WS_SPACE_GLOBAL);
}

/* Why no row of the table matches `op`: what the closest rows have instead. */
WS_ONCE ws_status ws_op_say_why_not(const ws_op *op, ws_text *text) {
    ws_match closest = WS_MATCH_NONE;
    int i;
    uint32_t shapes = 0, types = 0, counts = 0, spaces = 0, operands = 0, layouts = 0;
    bool trans = false;
    for (i = 1; i < WS_FORM_COUNT; i++) {
        const ws_match match = ws_form_match(ws_isa_form(i), op);
        if (match > closest) closest = match;
    }
    for (i = 1; i < WS_FORM_COUNT; i++) {
        const ws_form *form = ws_isa_form(i);
        if (ws_form_match(form, op) != closest) continue;
        shapes |= form->shapes;
        operands |= form->operands;
        layouts |= form->layouts;
        types |= form->types;
        counts |= form->counts;
        spaces |= form->spaces;
        trans = form->trans == WS_TRANS_MUST;
    }
    if (closest == WS_MATCH_NONE) {
        ws_text_add(text, "these fields do not belong to one instruction");
        return WS_UNSUPPORTED;
    }
    ws_text_add(text, ws_kind_word(op->kind));
    if (op->operand != 0) {
        ws_text_add(text, ".");
        ws_text_add(text, ws_operand_word(op->operand));
    }
    if (op->shape != 0) {
        ws_text_add(text, " .");
        ws_text_add(text, ws_shape_word(op->shape));
    }
    switch (closest) {
        case WS_MATCH_NOT_OPERAND:
            ws_text_add(text, " does not have this operand: expected ");
            ws_text_add_choices(text, operands, ".", ws_operand_word);
            break;
        case WS_MATCH_NOT_LAYOUT:
            ws_text_add(text, op->layout == 0 ? " needs a layout: " : " of this type exists only as ");
            ws_text_add_choices(text, layouts, ".", ws_layout_word);
            break;
        case WS_MATCH_NOT_SHAPE:
            ws_text_add(text, op->shape == 0 ? " needs a shape: " : " does not exist: the shape is ");
            ws_text_add_choices(text, shapes, ".", ws_shape_word);
            break;
        case WS_MATCH_NOT_CACHE: ws_text_add(text, " needs .ca or .cg"); break;
        case WS_MATCH_NOT_TYPE:
            ws_text_add(text, op->type == 0 ? " needs a type: " : " has no such type: expected ");
            ws_text_add_choices(text, types, ".", ws_type_word);
            ws_op_add_shapes_of_type(op, text);
            break;
        case WS_MATCH_NOT_COUNT:
            if (op->kind == WS_CP_ASYNC) {
                ws_text_add(text, " needs its size in bytes: ");
                ws_text_add_choices(text, counts, "", NULL);
            } else if (op->kind == WS_LD || op->kind == WS_ST) {
                const bool wide = ws_op_is_too_wide(op, spaces);
                ws_text_add(text, wide ? ": not modelled beyond 16 bytes per lane: vec is "
                                       : " moves at most 16 bytes per lane: vec is ");
                ws_text_add_choices(text, counts, "", NULL);
                if (wide) return WS_NOT_MODELLED;
            } else {
                ws_text_add(text, ws_op_count(op) == 0 ? " needs .num: " : " does not have this .num: expected ");
                ws_text_add_choices(text, counts, ".x", NULL);
            }
            break;
        case WS_MATCH_NOT_TRANS:
            ws_text_add(text,
                        trans ? " exists only with .trans for this type" : " exists only without .trans for this type");
            break;
        default:
            ws_text_add(text, " does not take this state space: expected ");
            ws_text_add_choices(text, spaces, ".", ws_space_word);
    }
    return WS_UNSUPPORTED;
}

WS_PUBLIC ws_status ws_op_validate(ws_op *op, ws_error *error) {
    ws_text text;
    op->form = (uint8_t)ws_isa_find(op);
    if (op->form != 0) return WS_OK;
    text = ws_error_text(error);
    return ws_op_say_why_not(op, &text);
}

#endif /* WS_BODIES */
#endif
