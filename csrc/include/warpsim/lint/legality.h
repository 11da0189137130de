/* Is a statement legal for a file's version and target, as written?
 *
 * isa/legality.h checks the instruction in its final form. This file checks what else a statement says: .weak, ::cta on
 * cp.async, and wmma's .aligned, which PTX 6.3 added to the older f16 wmma. Source: the "PTX ISA Notes" of each
 * instruction, as NVIDIA's assembler applies them. */
#ifndef WARPSIM_LINT_LEGALITY_H
#define WARPSIM_LINT_LEGALITY_H

#include "../isa/legality.h"
#include "findings.h"

enum { WS_ALIGNED_WMMA_PTX = 63, WS_WEAK_TARGET = 70 };

/* Checked for: a row of ws_target or WS_NO_TARGET, and a version; 0 if unknown. */
typedef struct ws_lint_place {
    int target;
    int ptx;
    bool ptx_is_open; /* there is no version at all: a target alone is checked in the newest */
} ws_lint_place;

/* The version that a piece of the code names; 0 for an unknown version. */
static inline int ws_lint_ptx_of(const char *code, ws_span piece) {
    char version[4] = "";
    size_t i;
    if (piece.end - piece.begin != sizeof version - 1) return 0;
    for (i = 0; i < sizeof version - 1; i++) version[i] = code[piece.begin + i];
    return ws_ptx_find(version);
}

static inline int ws_lint_target_of(const char *code, ws_span piece) {
    int i;
    for (i = 0; i < WS_TARGET_COUNT; i++) {
        if (ws_bytes_equal(code + piece.begin, piece.end - piece.begin, ws_target(i)->name)) return i;
    }
    return WS_NO_TARGET;
}

/* An unknown version or target. */
static inline void ws_lint_not_judged(ws_lint_text *lint, const char *what, ws_span piece) {
    ws_text text = ws_lint_begin(lint);
    ws_text_add(&text, what);
    ws_text_add_code(&text, lint, piece);
    ws_text_add(&text, " is unknown: legality is not checked; name one with --target or --ptx-version");
    ws_lint_end_at(lint, WS_LINT_NOT_JUDGED, piece, &text);
}

/* Words that legality depends on but that a ws_op does not keep. */
typedef struct ws_lint_words {
    bool aligned, weak, cta;
} ws_lint_words;

static inline ws_lint_words ws_lint_words_of(const char *code, const ws_op *op, ws_span opcode) {
    ws_lint_words words = {false, false, false};
    size_t at = opcode.begin;
    if (ws_op_is_collective(op) && !ws_op_is_wmma(op)) return words; /* none of which they depend on */
    while (at < opcode.end) {
        size_t end = at;
        while (end < opcode.end && code[end] != '.' && !ws_ptx_is_space(code[end])) end++;
        words.aligned = words.aligned || ws_bytes_equal(code + at, end - at, "aligned");
        words.weak = words.weak || ws_bytes_equal(code + at, end - at, "weak");
        words.cta = words.cta || ws_bytes_equal(code + at, end - at, "shared::cta");
        at = end + 1;
    }
    return words;
}

/* The first PTX version with f16 wmma of this shape, originally without .aligned; 0 for any other instruction. */
static inline int ws_wmma_early_ptx(const ws_op *op) {
    if (!ws_op_is_wmma(op) || op->space == WS_SPACE_SHARED_CTA) return 0;
    if (op->type != WS_TYPE_F16 && op->type != WS_TYPE_F32) return 0;
    if (op->shape == WS_SHAPE_M16N16K16) return 60;
    return op->shape == WS_SHAPE_M8N32K16 || op->shape == WS_SHAPE_M32N8K16 ? 61 : 0;
}

static inline void ws_lint_needs_ptx(ws_lint_text *lint, ws_span opcode, const char *what, const char *of, int least,
                                     int ptx) {
    ws_text text = ws_lint_begin(lint);
    ws_text_add(&text, what);
    ws_text_add(&text, of);
    ws_text_add(&text, " needs PTX ");
    ws_text_add_ptx(&text, least);
    ws_text_add(&text, " or later, not ");
    ws_text_add_ptx(&text, ptx);
    ws_lint_end_at(lint, WS_LINT_NOT_HERE, opcode, &text);
}

static inline void ws_lint_aligned(ws_lint_text *lint, ws_span opcode, bool aligned, int ptx) {
    ws_text text = ws_lint_begin(lint);
    ws_text_add(&text, aligned ? "wmma must not have .aligned before PTX 6.3; this is PTX "
                               : "wmma needs .aligned in PTX 6.3 and later; this is PTX ");
    ws_text_add_ptx(&text, ptx);
    ws_lint_end_at(lint, WS_LINT_ALIGNED, opcode, &text);
}

/* Findings about version and target, except for a target that does not exist in the version: that is the file's
 * mistake. */
static inline void ws_lint_judge(ws_lint_text *lint, const ws_op *op, ws_span opcode, const ws_lint_place *place) {
    const ws_lint_words words = ws_lint_words_of(lint->code, op, opcode);
    const int early = ws_wmma_early_ptx(op);
    int ptx = place->ptx_is_open ? WS_LAST_PTX : place->ptx;
    if (ptx == 0) return;
    if (ws_op_is_wmma(op) && place->ptx != 0 && words.aligned != (place->ptx >= WS_ALIGNED_WMMA_PTX)) {
        ws_lint_aligned(lint, opcode, words.aligned, place->ptx);
    }
    if (early != 0 && ptx < WS_ALIGNED_WMMA_PTX) {
        if (ptx < early) ws_lint_needs_ptx(lint, opcode, "wmma .", ws_shape_word(op->shape), early, ptx);
        ptx = WS_ALIGNED_WMMA_PTX; /* only the target is left to check */
    }
    if (op->kind == WS_CP_ASYNC && words.cta && ptx < WS_CTA_PTX) {
        ws_lint_needs_ptx(lint, opcode, "the sub-qualifier ::cta", "", WS_CTA_PTX, ptx);
    }
    if (place->target == WS_NO_TARGET) return;
    if (words.weak && ws_target(place->target)->number < WS_WEAK_TARGET) {
        ws_text text = ws_lint_begin(lint);
        ws_text_add(&text, ".weak needs sm_70 or higher, not ");
        ws_text_add(&text, ws_target(place->target)->name);
        ws_lint_end_at(lint, WS_LINT_NOT_HERE, opcode, &text);
    }
    if (!ws_target_takes(place->target, ws_op_form(op)->targets)) {
        ws_text text = ws_lint_begin(lint);
        ws_legality_add_target_reason(&text, op, place->target);
        ws_lint_end_at(lint, WS_LINT_NOT_HERE, opcode, &text);
    }
    if (ptx < ws_op_min_ptx(op)) {
        ws_text text = ws_lint_begin(lint);
        ws_legality_add_version_reason(&text, op, ptx);
        ws_lint_end_at(lint, WS_LINT_NOT_HERE, opcode, &text);
    }
}

#endif
