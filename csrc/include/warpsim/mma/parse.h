/* A product's opcode, read: its qualifiers in any order, as NVIDIA's assembler takes them.
 *
 * The types come in their own order, D, A, B, C, and so do the layouts, A before B. This file knows nothing about
 * operands. */
#ifndef WARPSIM_MMA_PARSE_H
#define WARPSIM_MMA_PARSE_H

#include "words.h"

static inline int ws_mma_sparsity(ws_mma_word word) {
    if (ws_mma_word_is(word, "sp")) return WS_MMA_SPARSE;
    return ws_mma_word_is(word, "sp::ordered_metadata") ? WS_MMA_ORDERED : WS_MMA_NONE;
}

/* .kind::mxf4, .block_scale, .scale_vec::2X */
static inline bool ws_mma_read_narrow(ws_mma_reading *r, ws_mma_word word, bool *fits) {
    if (ws_mma_word_begins(word, "kind::")) {
        const int narrow = ws_mma_find_word(ws_mma_narrow_word, WS_MMA_NARROW_COUNT, ws_mma_word_after(word, 6));
        if (narrow == 0 || r->mma.kind == WS_MMA_WMMA) return false;
        *fits = ws_mma_set_once(&r->mma.narrow, narrow);
    } else if (ws_mma_word_is(word, "block_scale")) {
        *fits = ws_mma_flag_once(&r->block_scale);
    } else if (ws_mma_word_is(word, "scale_vec::1X") || ws_mma_word_is(word, "scale_vec::2X") ||
               ws_mma_word_is(word, "scale_vec::4X")) {
        *fits = ws_mma_set_once(&r->mma.scale_vec, word.text[11] - '0');
    } else {
        return false;
    }
    return true;
}

/* Whether the word is one of the modifiers; *fits: false if there was one of its kind before. */
static inline bool ws_mma_read_modifier(ws_mma_reading *r, ws_mma_word word, bool *fits) {
    const int rounding = ws_mma_find_word(ws_mma_rounding_word, WS_MMA_ROUNDING_COUNT, word);
    const int bits = ws_mma_find_word(ws_mma_bits_word, WS_MMA_BITS_COUNT, word);
    const int layout = ws_mma_find_word(ws_layout_word, WS_LAYOUT_COUNT, word);
    if (rounding != 0) {
        *fits = ws_mma_set_once(&r->mma.rounding, rounding);
    } else if (bits != 0) {
        *fits = ws_mma_set_once(&r->mma.bits, bits);
    } else if (layout != 0) {
        *fits = ws_mma_set_once(r->num_layouts++ == 0 ? &r->mma.a_layout : &r->mma.b_layout, layout);
    } else if (ws_mma_word_is(word, "satfinite")) {
        *fits = ws_mma_set_once(&r->mma.satfinite, 1);
    } else if (ws_mma_word_is(word, "sync")) {
        *fits = ws_mma_flag_once(&r->sync);
    } else if (ws_mma_word_is(word, "aligned")) {
        *fits = ws_mma_flag_once(&r->aligned);
    } else if (ws_mma_word_is(word, "popc")) {
        *fits = ws_mma_flag_once(&r->popc) && r->mma.bits != 0;
    } else if (ws_mma_sparsity(word) != WS_MMA_NONE && r->mma.kind != WS_MMA_WMMA) {
        *fits = r->mma.kind == WS_MMA_DENSE;
        r->mma.kind = (uint8_t)ws_mma_sparsity(word);
    } else {
        return ws_mma_read_narrow(r, word, fits);
    }
    return true;
}

static inline ws_status ws_mma_read_word(ws_mma_reading *r, ws_mma_word word) {
    const int type = ws_mma_find_word(ws_type_word, WS_TYPE_COUNT, word);
    bool fits = true;
    ws_mma shape = r->mma;
    if (ws_mma_read_modifier(r, word, &fits)) {
        /* stored */
    } else if (ws_mma_read_shape(&shape, word)) {
        fits = r->mma.m == 0;
        r->mma = shape;
    } else if (type != 0) {
        fits = r->num_types < 5;
        if (fits) r->types[r->num_types++] = type;
    } else {
        return ws_mma_complain(r, word, WS_UNSUPPORTED, "does not take the qualifier");
    }
    return fits ? WS_OK : ws_mma_complain(r, word, WS_UNSUPPORTED, "one qualifier of its kind too many:");
}

/* "mma" or "wmma.mma": *at: the end of what was read. .sp is a qualifier of mma like the others. */
static inline int ws_mma_read_kind(const char *text, size_t length, size_t *at) {
    const ws_mma_word first = ws_mma_word_at(text, length, 0);
    const bool is_wmma = length >= 8 && ws_bytes_equal(text, 8, "wmma.mma") && (length == 8 || text[8] == '.');
    *at = is_wmma ? 8 : first.length;
    if (is_wmma) return WS_MMA_WMMA;
    return ws_mma_word_is(first, "mma") ? WS_MMA_DENSE : WS_MMA_NONE;
}

/* Gives the types to the operands; two stand for D and C of wmma with f16 factors. */
static inline bool ws_mma_read_types(ws_mma_reading *r) {
    const bool two = r->mma.kind == WS_MMA_WMMA && r->num_types == 2;
    if (r->num_types != (r->block_scale ? 5 : 4) && !two) return false;
    r->mma.scale = (uint8_t)(r->block_scale ? r->types[4] : (int)WS_TYPE_NONE);
    r->mma.d = (uint8_t)r->types[0];
    r->mma.a = (uint8_t)(two ? (int)WS_TYPE_F16 : r->types[1]);
    r->mma.b = (uint8_t)(two ? (int)WS_TYPE_F16 : r->types[2]);
    r->mma.c = (uint8_t)r->types[two ? 1 : 3];
    return two || r->mma.kind != WS_MMA_WMMA || r->mma.a != WS_TYPE_F16;
}

/* Why no row matches: the first thing that no row of the kind has. */
static inline const char *ws_mma_mismatch(const ws_mma *mma) {
    bool shape = false, types = false;
    int i;
    for (i = 1; i < WS_MMA_FORM_COUNT; i++) {
        const ws_mma_form *form = &ws_mma_forms[i];
        if (!ws_in(form->kinds, mma->kind) || form->m != mma->m || form->n != mma->n || form->k != mma->k) continue;
        shape = true;
        if (ws_mma_types_match(form, mma)) types = true;
    }
    if (!shape) return "PTX does not have this shape";
    if (!types) return "PTX does not have these types with this shape";
    return mma->narrow != WS_MMA_PLAIN
               ? "PTX does not have this kind, scale or modifier with this shape and these types"
               : "PTX does not have this layout or modifier with this shape and these types";
}

/* Legal PTX that is in no row: why it is not modelled; NULL if the product is not legal anywhere. */
static inline const char *ws_mma_left_out(const ws_mma *mma) {
    ws_mma like = *mma;
    if (mma->kind == WS_MMA_WMMA && mma->a == WS_TYPE_F16 && mma->satfinite) {
        like.satfinite = 0;
        if (ws_mma_find(&like) != 0) return "not modelled: .satfinite of f16, which PTX 6.5 dropped";
    }
    return NULL;
}

/* Where .scale_vec is not written; mxf4nvf4 needs it. */
static inline uint8_t ws_mma_default_scale_vec(int narrow) {
    if (narrow == WS_MMA_MXF8F6F4) return 1;
    return narrow == WS_MMA_MXF4 ? 2 : 0;
}

static inline ws_status ws_mma_check(ws_mma_reading *r, ws_mma_word all) {
    const char *missing = NULL;
    if (!r->sync) missing = "expected .sync";
    if (!r->aligned) missing = "expected .aligned";
    if (r->mma.m == 0) missing = "expected a shape, such as .m16n8k16";
    if (r->num_layouts != 2) missing = "expected two layouts, such as .row.col";
    if (!ws_mma_read_types(r))
        missing = r->block_scale ? "expected the types of D, A, B, C and the scales"
                                 : "expected the types of D, A, B and C (wmma with f16: of D and C)";
    if (r->mma.scale_vec != 0 && !r->block_scale) missing = "expected .block_scale";
    if (r->popc != (r->mma.bits != 0)) missing = "expected .xor.popc or .and.popc";
    all.length = 0;
    if (missing != NULL) {
        if (r->error != NULL) r->error->expected = missing + 9;
        return ws_mma_complain(r, all, WS_SYNTAX, missing);
    }
    if (r->block_scale && r->mma.scale_vec == 0) r->mma.scale_vec = ws_mma_default_scale_vec(r->mma.narrow);
    r->mma.form = (uint8_t)ws_mma_find(&r->mma);
    if (r->mma.form != 0) return WS_OK;
    missing = ws_mma_left_out(&r->mma);
    if (missing != NULL) return ws_mma_complain(r, all, WS_NOT_MODELLED, missing);
    return ws_mma_complain(r, all, WS_UNSUPPORTED, ws_mma_mismatch(&r->mma));
}

/* Reads an opcode, all `length` bytes. *mma is valid if the call succeeds, else row 0. */
static inline ws_status ws_mma_parse(const char *text, size_t length, ws_mma *mma, ws_error *error) {
    const ws_mma none = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    ws_mma_reading r = {none, NULL, {0, 0, 0, 0, 0}, 0, 0, false, false, false, false};
    ws_mma_word word = ws_mma_word_at(text, length, 0);
    size_t at;
    *mma = none;
    r.error = error;
    ws_error_clear(error);
    r.mma.kind = (uint8_t)ws_mma_read_kind(text, length, &at);
    if (r.mma.kind == WS_MMA_NONE)
        return ws_mma_complain(&r, word, WS_SYNTAX, "expected mma, mma.sp or wmma.mma, found");
    while (at < length) { /* at a dot */
        word = ws_mma_word_at(text, length, at + 1);
        WS_RETURN_IF_ERROR(ws_mma_read_word(&r, word));
        at = word.at + word.length;
    }
    WS_RETURN_IF_ERROR(ws_mma_check(&r, word));
    *mma = r.mma;
    return WS_OK;
}

#endif
