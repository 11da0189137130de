/* Words of an opcode in another order than PTX writes them: the assembler takes those of ld, st, atom and red in any. */
#ifndef WARPSIM_DECODE_ORDERED_H
#define WARPSIM_DECODE_ORDERED_H

#include "../lanes/form.h"

enum { WS_ORDERED_WORDS = 16, WS_ORDERED_LENGTH = 128 };

/* An opcode whose words are put into the order of a form. */
typedef struct ws_ordered {
    const char *word[WS_ORDERED_WORDS];
    size_t length[WS_ORDERED_WORDS];
    uint32_t count, used; /* bit i: word i has its place */
    char text[WS_ORDERED_LENGTH];
    size_t taken;
} ws_ordered;

/* False: it has too many words, or other assemblers' rules. */
static inline bool ws_ordered_make(ws_ordered *ordered, const char *text, size_t length) {
    static const char *const mnemonics[] = {"ld", "st", "atom", "red"};
    const size_t most = sizeof mnemonics / sizeof mnemonics[0];
    size_t at = 0, i = 0;
    ordered->count = 0;
    while (at < length) {
        size_t end = at + 1;
        while (end < length && text[end] != '.') end++;
        if (ordered->count == WS_ORDERED_WORDS || length > WS_ORDERED_LENGTH) return false;
        ordered->word[ordered->count] = text + at;
        ordered->length[ordered->count++] = end - at;
        at = end;
    }
    while (i < most && !ws_bytes_equal(text, ordered->length[0], mnemonics[i])) i++;
    return i < most;
}

/* The bit of the first such word that is still unused; 0: all are used. */
static inline uint32_t ws_ordered_find(const ws_ordered *ordered, uint32_t used, const char *word, size_t length) {
    uint32_t i;
    for (i = 0; i < ordered->count; i++) {
        if (!(used >> i & 1) && ordered->length[i] == length && ws_form_same(ordered->word[i], word, length))
            return UINT32_C(1) << i;
    }
    return 0;
}

/* The words of one alternative, if all are there: they come next. *pattern: then at its end. */
static inline bool ws_ordered_take(ws_ordered *ordered, const char **pattern) {
    const char *const begin = *pattern, *p = begin;
    uint32_t used = ordered->used;
    bool fits = true;
    while (*p != '\0' && *p != '|' && *p != '}' && *p != ')' && *p != '{' && *p != '(') {
        const char *after = p + 1;
        uint32_t bit;
        while (!ws_form_ends_word(*after)) after++;
        bit = ws_ordered_find(ordered, used, p, (size_t)(after - p));
        fits = fits && bit != 0;
        used |= bit;
        p = after;
    }
    *pattern = p;
    if (!fits) return false;
    ordered->used = used;
    for (p = begin; p < *pattern; p++) ordered->text[ordered->taken++] = *p;
    return true;
}

/* Is the opcode one of the form, in some order of its words? */
static inline bool ws_ordered_matches(ws_ordered *ordered, const ws_statement_form *form, ws_opcode_match *match) {
    const char *pattern = form->opcode;
    ordered->used = 0;
    ordered->taken = 0;
    while (*pattern != '\0') {
        const bool is_choice = *pattern == '{' || *pattern == '(';
        const char closes = *pattern == '{' ? '}' : ')';
        bool found = false;
        if (!is_choice) {
            if (!ws_ordered_take(ordered, &pattern)) return false;
            continue;
        }
        while (*pattern++ != closes) {
            const char *skipped = pattern;
            while (found && *skipped != '|' && *skipped != closes) skipped++;
            if (found) pattern = skipped;
            else found = ws_ordered_take(ordered, &pattern);
        }
        if (!found && closes == ')') return false;
    }
    return ordered->used == (UINT32_C(1) << ordered->count) - 1 &&
           ws_form_matches(form, ordered->text, ordered->taken, match);
}

#endif
