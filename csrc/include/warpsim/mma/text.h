/* The text of a product's opcode, as PTX writes it.
 *
 *     mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32       types: D, A, B, C
 *     mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0   and of the scales
 *     wmma.mma.sync.aligned.row.col.m16n16k16.f32.f16                 f16: D and C alone
 *
 * Reading is in parse.h. */
#ifndef WARPSIM_MMA_TEXT_H
#define WARPSIM_MMA_TEXT_H

#include "form.h"

enum { WS_MMA_TEXT_BYTES = 160 /* the longest opcode and its end */ };

static inline const char *ws_mma_kind_word(int kind) {
    static const char *const words[] = {"", "mma", "mma.sp", "mma.sp::ordered_metadata", "wmma.mma"};
    return kind >= 0 && kind < WS_MMA_KIND_COUNT ? words[kind] : "?";
}

static inline const char *ws_mma_rounding_word(int rounding) {
    static const char *const words[] = {"", "rn", "rz", "rm", "rp"};
    return rounding >= 0 && rounding < WS_MMA_ROUNDING_COUNT ? words[rounding] : "?";
}

static inline const char *ws_mma_bits_word(int bits) {
    static const char *const words[] = {"", "xor", "and"};
    return bits >= 0 && bits < WS_MMA_BITS_COUNT ? words[bits] : "?";
}

static inline const char *ws_mma_narrow_word(int narrow) {
    static const char *const words[] = {"", "f8f6f4", "mxf8f6f4", "mxf4", "mxf4nvf4"};
    return narrow >= 0 && narrow < WS_MMA_NARROW_COUNT ? words[narrow] : "?";
}

static inline void ws_mma_add_word(ws_text *text, const char *word) {
    if (word[0] == '\0') return;
    ws_text_add(text, ".");
    ws_text_add(text, word);
}

static inline void ws_mma_add_shape(ws_text *text, const ws_mma *mma) {
    ws_text_add(text, ".m");
    ws_text_add_uint(text, mma->m);
    ws_text_add(text, "n");
    ws_text_add_uint(text, mma->n);
    ws_text_add(text, "k");
    ws_text_add_uint(text, mma->k);
}

/* ".kind::mxf4.block_scale.scale_vec::2X" */
static inline void ws_mma_add_narrow(ws_text *text, const ws_mma *mma) {
    if (mma->narrow == WS_MMA_PLAIN) return;
    ws_text_add(text, ".kind::");
    ws_text_add(text, ws_mma_narrow_word(mma->narrow));
    if (mma->scale_vec == 0) return;
    ws_text_add(text, ".block_scale.scale_vec::");
    ws_text_add_uint(text, mma->scale_vec);
    ws_text_add(text, "X");
}

/* The opcode in PTX's order. */
static inline void ws_text_add_mma(ws_text *text, const ws_mma *mma) {
    const bool wmma = mma->kind == WS_MMA_WMMA, f16 = wmma && mma->a == WS_TYPE_F16;
    ws_text_add(text, ws_mma_kind_word(mma->kind));
    if (wmma && mma->bits != 0) {
        ws_mma_add_word(text, ws_mma_bits_word(mma->bits));
        ws_text_add(text, ".popc");
    }
    ws_text_add(text, ".sync.aligned");
    if (!wmma) ws_mma_add_shape(text, mma);
    ws_mma_add_word(text, ws_layout_word(mma->a_layout));
    ws_mma_add_word(text, ws_layout_word(mma->b_layout));
    if (wmma) ws_mma_add_shape(text, mma);
    if (!wmma && mma->satfinite) ws_text_add(text, ".satfinite");
    ws_mma_add_word(text, ws_mma_rounding_word(mma->rounding));
    ws_mma_add_narrow(text, mma);
    ws_mma_add_word(text, ws_type_word(mma->d));
    if (!f16) ws_mma_add_word(text, ws_type_word(mma->a));
    if (!f16) ws_mma_add_word(text, ws_type_word(mma->b));
    ws_mma_add_word(text, ws_type_word(mma->c));
    ws_mma_add_word(text, ws_type_word(mma->scale));
    if (wmma && mma->satfinite) ws_text_add(text, ".satfinite");
    if (!wmma && mma->bits != 0) {
        ws_mma_add_word(text, ws_mma_bits_word(mma->bits));
        ws_text_add(text, ".popc");
    }
}

#endif
