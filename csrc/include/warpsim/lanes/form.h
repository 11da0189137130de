/* Forms of statements as data: the text of an opcode with its choices, its operands, and the meaning that executes it.
 *
 *     {"add{.rn|.rz|.rm|.rp}{.ftz}{.sat}.f32", "d0 s0 s0", WS_DO_ADD_F32}
 *
 * {a|b}: one of them or none; (a|b): one of them; an alternative may be several words. Words that are types are collected
 * in order; every other word adds its bits to `how` (number/how.h), if it has any.
 *
 * Operands, in the text's order, separated by blanks; ? before one: it may be missing.
 *     d0 d1 dw d.u32   destination of the first or second type, twice as wide as the first, of the named type
 *     s0 s1 sw s.u32   source: register, immediate or symbol
 *     k0               source; a constant one the assembler turns into the result by itself, more exactly than the GPU
 *     p  p|p  d0|p     destination predicate, two of them, register with a predicate; the second may be missing
 *     q                source predicate, perhaps negated
 *     i                immediate integer       v0 w0  vector or scalar: destinations, sources       m  address
 *     r  c.u32         immediate count of registers, of bytes that cp.async copies
 *     z  source or source predicate */
#ifndef WARPSIM_LANES_FORM_H
#define WARPSIM_LANES_FORM_H

#include "../isa/op.h"
#include "../number/how.h"

enum { WS_FORM_TYPES = 4 };

typedef struct ws_statement_form {
    const char *opcode;
    const char *operands;
    uint16_t meaning;
} ws_statement_form;

/* What an opcode says beyond its row. */
typedef struct ws_opcode_match {
    uint32_t how;
    uint8_t type[WS_FORM_TYPES]; /* ws_type */
    int type_count;
    uint32_t elements; /* .v2, .v4, .v8; else 1 */
} ws_opcode_match;

static inline bool ws_form_ends_word(char c) {
    return c == '\0' || c == '.' || c == '{' || c == '}' || c == '(' || c == ')' || c == '|';
}

static inline bool ws_form_same(const char *a, const char *b, size_t count) {
    size_t i = 0;
    while (i < count && a[i] == b[i]) i++;
    return i == count;
}

static inline int ws_form_type(const char *word, size_t length) {
    int type;
    for (type = 1; type < WS_TYPE_COUNT; type++) {
        if (ws_bytes_equal(word, length, ws_type_word(type))) return type;
    }
    return WS_TYPE_NONE;
}

/* The bits of `how` that a word sets; 0 for words that say nothing to what executes the statement. */
static inline uint32_t ws_how_of_word(const char *word, size_t length) {
    static const struct {
        const char *word;
        uint32_t bits;
    } rows[] = {
#define WS_ROW(word, bits) {word, bits},
        WS_HOW_WORDS(WS_ROW)
#undef WS_ROW
#define WS_ROW(name, word) {word, WS_CHOICE_##name},
            WS_CHOICES(WS_ROW)
#undef WS_ROW
    };
    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (ws_bytes_equal(word, length, rows[i].word)) return rows[i].bits;
    }
    return 0;
}

static inline void ws_form_take_word(ws_opcode_match *match, const char *word, size_t length) {
    const int type = ws_form_type(word, length);
    if (length == 2 && word[0] == 'v') {
        match->elements = (uint32_t)(word[1] - '0');
    } else if (type == WS_TYPE_NONE) {
        match->how |= ws_how_of_word(word, length);
    } else if (match->type_count < WS_FORM_TYPES) {
        match->type[match->type_count++] = (uint8_t)type;
    }
}

/* The text after the words of the pattern up to its next | } ) or choice, or NULL. */
static inline const char *ws_form_words(const char **pattern, const char *text, const char *end,
                                        ws_opcode_match *match) {
    const char *p = *pattern;
    bool fits = true;
    while (*p != '\0' && *p != '|' && *p != '}' && *p != ')' && *p != '{' && *p != '(') {
        const char *word = *p == '.' ? p + 1 : p, *after = word;
        size_t length;
        while (!ws_form_ends_word(*after)) after++;
        length = (size_t)(after - word) + (size_t)(word - p);
        if (fits && (size_t)(end - text) >= length && ws_form_same(text, p, length) &&
            (text + length == end || text[length] == '.')) {
            ws_form_take_word(match, word, (size_t)(after - word));
            text += length;
        } else {
            fits = false;
        }
        p = after;
    }
    *pattern = p;
    return fits ? text : NULL;
}

/* One choice: *pattern is after its bracket, and then after its end. */
static inline const char *ws_form_choice(const char **pattern, const char *text, const char *end,
                                         ws_opcode_match *match) {
    const char *found = NULL;
    for (;;) {
        ws_opcode_match trial = *match;
        const char *rest = ws_form_words(pattern, text, end, &trial);
        if (rest != NULL && found == NULL) {
            found = rest;
            *match = trial;
        }
        if (*(*pattern)++ != '|') return found;
    }
}

/* Is this opcode one of the row? */
static inline bool ws_form_matches(const ws_statement_form *form, const char *text, size_t length,
                                   ws_opcode_match *match) {
    const char *pattern = form->opcode, *const end = text + length;
    match->how = 0;
    match->type_count = 0;
    match->elements = 1;
    match->type[0] = match->type[1] = match->type[2] = match->type[3] = WS_TYPE_NONE;
    while (*pattern != '\0') {
        const char *rest;
        if (*pattern == '{' || *pattern == '(') {
            const bool optional = *pattern++ == '{';
            rest = ws_form_choice(&pattern, text, end, match);
            if (rest == NULL && optional) rest = text;
        } else {
            rest = ws_form_words(&pattern, text, end, match);
        }
        if (rest == NULL) return false;
        text = rest;
    }
    return text == end;
}

/* An operand token being matched: "s0", "?d.u32", "d0|p". */
typedef struct ws_token {
    char kind;
    char type;        /* '0', '1', '2', 'w', or '.' with a word, or 0 */
    const char *word; /* after the dot */
    size_t length;
    bool is_optional, has_predicate;
} ws_token;

static inline ws_token ws_token_next(const char **text) {
    const char *p = *text;
    ws_token token = {0, 0, NULL, 0, false, false};
    while (*p == ' ') p++;
    if (*p == '?') {
        token.is_optional = true;
        p++;
    }
    token.kind = *p;
    if (*p != '\0') p++;
    if (*p == '.') {
        token.type = '.';
        token.word = ++p;
        while (*p != '\0' && *p != ' ' && *p != '|') p++;
        token.length = (size_t)(p - token.word);
    } else if (*p != '\0' && *p != ' ' && *p != '|') {
        token.type = *p++;
    }
    if (*p == '|') {
        token.has_predicate = true;
        p += 2;
    }
    *text = p;
    return token;
}

static inline int ws_token_type(const ws_token *token, const ws_opcode_match *match) {
    if (token->type == '.') return ws_form_type(token->word, token->length);
    if (token->type == 'w') return ws_type_bits(match->type[0]) == 16 ? (int)WS_TYPE_B32 : (int)WS_TYPE_B64;
    return match->type[token->type == '1' ? 1 : token->type == '2' ? 2 : 0];
}

/* The operands that may not be missing from here on. */
static inline uint32_t ws_tokens_needed(const char *text) {
    uint32_t needed = 0;
    for (;;) {
        const ws_token token = ws_token_next(&text);
        if (token.kind == '\0') return needed;
        needed += !token.is_optional;
    }
}

#endif
