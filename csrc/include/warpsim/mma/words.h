/* The qualifiers of a product's opcode, one by one, and what they have said so far.
 *
 * This file knows nothing about which go together. */
#ifndef WARPSIM_MMA_WORDS_H
#define WARPSIM_MMA_WORDS_H

#include "../base/apart.h"
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
    int types[5], num_types, num_layouts;
    bool sync, aligned, popc, block_scale;
} ws_mma_reading;

static inline bool ws_mma_word_is(ws_mma_word word, const char *string) {
    return ws_bytes_equal(word.text, word.length, string);
}

static inline bool ws_mma_word_begins(ws_mma_word word, const char *string) {
    const size_t length = ws_string_length(string);
    return word.length >= length && ws_bytes_equal(word.text, length, string);
}

WS_ONCE ws_status ws_mma_complain(const ws_mma_reading *r, ws_mma_word word, ws_status status, const char *what) {
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

/* The word without its first `count` characters. */
static inline ws_mma_word ws_mma_word_after(ws_mma_word word, size_t count) {
    word.text += count;
    word.length -= count;
    word.at += count;
    return word;
}

/* "m16n8k256": three numbers of up to three digits. */
static inline bool ws_mma_read_shape(ws_mma *mma, ws_mma_word word) {
    const char letters[] = {'m', 'n', 'k'};
    int numbers[3] = {0, 0, 0};
    size_t at = 0;
    int i;
    for (i = 0; i < 3; i++) {
        int digits = 0;
        if (at >= word.length || word.text[at] != letters[i]) return false;
        for (at++; at < word.length && digits < 3 && word.text[at] >= '0' && word.text[at] <= '9'; at++, digits++) {
            numbers[i] = numbers[i] * 10 + (word.text[at] - '0');
        }
        if (numbers[i] == 0 || numbers[i] > (i == 0 ? 255 : 256)) return false; /* m of 0: no shape yet */
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

#endif
