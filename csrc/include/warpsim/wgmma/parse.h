/* The opcode of a product of a warpgroup, read.
 *
 *     wgmma.mma_async{.sp}.sync.aligned.m64nNkK{.satfinite}.d.a.b          b1: .and.popc at the end
 *
 * This file knows nothing about operands. */
#ifndef WARPSIM_WGMMA_PARSE_H
#define WARPSIM_WGMMA_PARSE_H

#include "../mma/parse.h"
#include "form.h"

/* "m64n256k16": the letters and what follows them. */
static inline bool ws_wgmma_read_shape(ws_mma_word word, ws_wgmma *wgmma) {
    ws_mma part; /* n of 256 does not fit into it */
    size_t n = 0;
    uint16_t cols = 0;
    if (!ws_mma_word_begins(word, "m64n") || !ws_mma_read_shape(&part, word)) return false;
    for (n = 4; n < word.length && word.text[n] != 'k'; n++) cols = (uint16_t)(10 * cols + (word.text[n] - '0'));
    wgmma->n = cols;
    wgmma->k = part.k;
    return true;
}

/* The words after the shape: types in the order d, a, b. */
static inline bool ws_wgmma_read_word(ws_mma_word word, ws_wgmma *wgmma, int *types, bool *is_and, bool *popc) {
    const int type = ws_mma_find_word(ws_type_word, WS_TYPE_COUNT, word);
    uint8_t *const fields[] = {&wgmma->d, &wgmma->a, &wgmma->b};
    if (type != 0 && *types < 3) {
        *fields[(*types)++] = (uint8_t)type;
        return true;
    }
    if (ws_mma_word_is(word, "satfinite") && *types == 0) return ws_mma_set_once(&wgmma->satfinite, 1);
    if (ws_mma_word_is(word, "and") && *types == 3) return ws_mma_flag_once(is_and);
    return ws_mma_word_is(word, "popc") && *is_and && ws_mma_flag_once(popc);
}

/* False: it is no opcode of a product of a warpgroup. */
static inline bool ws_wgmma_parse(const char *text, size_t length, ws_wgmma *wgmma) {
    static const char *const begins[] = {"wgmma.mma_async.sync.aligned.", "wgmma.mma_async.sp.sync.aligned."};
    bool is_and = false, popc = false;
    int types = 0, i;
    ws_mma_word word;
    size_t at = 0;
    for (i = 0; i < 2; i++) {
        const size_t begin = ws_string_length(begins[i]);
        if (length >= begin && ws_bytes_equal(text, begin, begins[i])) {
            wgmma->is_sparse = i == 1;
            at = begin;
        }
    }
    if (at == 0) return false;
    wgmma->d = wgmma->a = wgmma->b = WS_TYPE_NONE;
    wgmma->satfinite = 0;
    word = ws_mma_word_at(text, length, at);
    if (!ws_wgmma_read_shape(word, wgmma)) return false;
    for (at += word.length + 1; at <= length; at += word.length + 1) {
        word = ws_mma_word_at(text, length, at);
        if (!ws_wgmma_read_word(word, wgmma, &types, &is_and, &popc)) return false;
    }
    wgmma->form = (uint8_t)ws_wgmma_find(wgmma);
    return wgmma->form != 0 && popc == (wgmma->a == WS_TYPE_B1);
}

#endif
