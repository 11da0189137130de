/* A product's opcode, read: its qualifiers in any order, as NVIDIA's assembler takes them.
 *
 * The types come in their own order, D, A, B, C, and so do the layouts, A before B. This file knows nothing about
 * operands. */
#ifndef WARPSIM_MMA_PARSE_H
#define WARPSIM_MMA_PARSE_H

#include "text.h"

/* One qualifier of the text. */
typedef struct ws_mma_word {
    const char *text;
    size_t at, length;
} ws_mma_word;

/* What the qualifiers have said so far. */
typedef struct ws_mma_reading {
    ws_mma mma;
    ws_error *error;
    int types[4], num_types, num_layouts;
    bool sync, aligned, popc;
} ws_mma_reading;

static inline bool ws_mma_word_is(ws_mma_word word, const char *string) {
    return ws_bytes_equal(word.text, word.length, string);
}

static inline bool ws_mma_word_begins(ws_mma_word word, const char *string) {
    const size_t length = ws_string_length(string);
    return word.length >= length && ws_bytes_equal(word.text, length, string);
}

static inline ws_status ws_mma_complain(const ws_mma_reading *r, ws_mma_word word, ws_status status, const char *what) {
    ws_text text = ws_error_text(r->error);
    ws_text_add(&text, r->mma.kind != WS_MMA_NONE ? ws_mma_kind_word(r->mma.kind) : "mma");
    ws_text_add(&text, ": ");
    ws_text_add(&text, what);
    if (word.length > 0) {
        ws_text_add(&text, " '.");
        ws_text_add_bytes(&text, word.text, word.length < 60 ? word.length : 60);
        ws_text_add(&text, "'");
    }
    if (r->error != NULL) {
        r->error->column = word.at > INT32_MAX ? INT32_MAX : (int)word.at;
        r->error->length = word.length > 200 ? 200 : (int)word.length;
    }
    return status;
}

/* The word that begins at `at`, up to the next dot. */
static inline ws_mma_word ws_mma_word_at(const char *text, size_t length, size_t at) {
    ws_mma_word word;
    word.text = text + at;
    word.at = at;
    word.length = 0;
    while (at + word.length < length && text[at + word.length] != '.') word.length++;
    return word;
}

/* "m16n8k256": three numbers of up to three digits. */
static inline bool ws_mma_read_shape(ws_mma *mma, ws_mma_word word) {
    const char letters[] = {'m', 'n', 'k'};
    int numbers[3] = {0, 0, 0};
    size_t at = 0;
    int i;
    for (i = 0; i < 3; i++) {
        size_t digits = 0;
        if (at >= word.length || word.text[at] != letters[i]) return false;
        for (at++; at < word.length && digits < 3 && word.text[at] >= '0' && word.text[at] <= '9'; at++, digits++) {
            numbers[i] = numbers[i] * 10 + (word.text[at] - '0');
        }
        if (digits == 0 || numbers[i] > 256) return false;
    }
    if (at != word.length) return false;
    mma->m = (uint8_t)numbers[0];
    mma->n = (uint8_t)numbers[1];
    mma->k = (uint16_t)numbers[2];
    return true;
}

static inline int ws_mma_find_word(const char *(*word_of)(int), int values, ws_mma_word word) {
    int i;
    for (i = 1; i < values; i++) {
        if (ws_mma_word_is(word, word_of(i))) return i;
    }
    return 0;
}

/* Sets a field that may be set once. */
static inline bool ws_mma_set_once(uint8_t *field, int value) {
    if (*field != 0) return false;
    *field = (uint8_t)value;
    return true;
}

static inline bool ws_mma_flag_once(bool *flag) {
    const bool first = !*flag;
    *flag = true;
    return first;
}

static inline int ws_mma_sparsity(ws_mma_word word) {
    if (ws_mma_word_is(word, "sp")) return WS_MMA_SPARSE;
    return ws_mma_word_is(word, "sp::ordered_metadata") ? WS_MMA_ORDERED : WS_MMA_NONE;
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
        return false;
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
        fits = r->num_types < 4;
        if (fits) r->types[r->num_types++] = type;
    } else if (ws_mma_word_begins(word, "kind::") || ws_mma_word_begins(word, "scale_vec::") ||
               ws_mma_word_is(word, "block_scale")) {
        return ws_mma_complain(r, word, WS_NOT_MODELLED, "not modelled: the qualifier");
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
    if (r->num_types != 4 && !two) return false;
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
    return "PTX does not have this layout or modifier with this shape and these types";
}

/* Legal PTX that is in no row: why it is not modelled; NULL if the product is not legal anywhere. */
static inline const char *ws_mma_left_out(const ws_mma *mma) {
    ws_mma like = *mma;
    if (mma->kind == WS_MMA_WMMA && mma->a == WS_TYPE_F16 && mma->satfinite) {
        like.satfinite = 0;
        if (ws_mma_find(&like) != 0) return "not modelled: .satfinite of f16, which PTX 6.5 dropped";
    }
    if (mma->kind == WS_MMA_ORDERED && mma->k == 64 && mma->c == WS_TYPE_F16) {
        like.c = WS_TYPE_F32;
        like.d = mma->d == WS_TYPE_F16 ? (uint8_t)WS_TYPE_F32 : (uint8_t)WS_TYPE_NONE;
        if (ws_type_bits(mma->a) == 8 && ws_mma_find(&like) != 0)
            return "not modelled: fp8 into f16, which only sm_120a and sm_121a have";
    }
    return NULL;
}

static inline ws_status ws_mma_check(ws_mma_reading *r, ws_mma_word all) {
    const char *missing = NULL;
    if (!r->sync) missing = "expected .sync";
    if (!r->aligned) missing = "expected .aligned";
    if (r->mma.m == 0) missing = "expected a shape, such as .m16n8k16";
    if (r->num_layouts != 2) missing = "expected two layouts, such as .row.col";
    if (!ws_mma_read_types(r)) missing = "expected the types of D, A, B and C (wmma with f16: of D and C)";
    if (r->popc != (r->mma.bits != 0)) missing = "expected .xor.popc or .and.popc";
    all.length = 0;
    if (missing != NULL) {
        if (r->error != NULL) r->error->expected = missing + 9;
        return ws_mma_complain(r, all, WS_SYNTAX, missing);
    }
    r->mma.form = (uint8_t)ws_mma_find(&r->mma);
    if (r->mma.form != 0) return WS_OK;
    missing = ws_mma_left_out(&r->mma);
    if (missing != NULL) return ws_mma_complain(r, all, WS_NOT_MODELLED, missing);
    return ws_mma_complain(r, all, WS_UNSUPPORTED, ws_mma_mismatch(&r->mma));
}

/* Reads an opcode, all `length` bytes. *mma is valid if the call succeeds, else row 0. */
static inline ws_status ws_mma_parse(const char *text, size_t length, ws_mma *mma, ws_error *error) {
    const ws_mma none = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    ws_mma_reading r = {none, NULL, {0, 0, 0, 0}, 0, 0, false, false, false};
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
