/* Is an opcode PTX? Most words are known by the forms; here are those that have none: not modelled, or read by parsers of
 * their own.
 *
 * Source: "Instructions" of the PTX ISA 9.0. */
#ifndef WARPSIM_DECODE_KNOWN_H
#define WARPSIM_DECODE_KNOWN_H

#include "../module/module.h"
#include "tables.h"

/* The length of the first word of an opcode. */
static inline size_t ws_opcode_word(const char *text, size_t length) {
    size_t n = 0;
    while (n < length && text[n] != '.' && text[n] != '{' && text[n] != '(') n++;
    return n;
}

static inline bool ws_word_has_no_form(const char *word, size_t length) {
    static const char *const words[] = {
        "alloca", "istypep", "ldmatrix", "mma",  "movmatrix", "multimem", "stackrestore", "stacksave", "stmatrix",
        "suld",   "suq",     "sured",    "sust", "tcgen05",   "tex",      "tld4",         "txq",       "vabsdiff",
        "vadd",   "vmax",    "vmin",     "vset", "vshl",      "vshr",     "vsub",         "wgmma",     "wmma",
    };
    size_t i;
    for (i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (ws_bytes_equal(word, length, words[i])) return true;
    }
    return false;
}

/* Is this qualifier, with its dot, in the text of a form? */
static inline bool ws_pattern_has(const char *pattern, const char *qualifier, size_t length) {
    for (; *pattern != '\0'; pattern++) {
        if (*pattern == '.' && ws_form_same(pattern, qualifier, length) && ws_form_ends_word(pattern[length]))
            return true;
    }
    return false;
}

/* Qualifiers of instructions that have forms, where they are not modelled. */
static inline const char *ws_qualifiers_beyond(const char *word, size_t length) {
    static const struct {
        const char *word, *qualifiers;
    } rows[] = {
        {"cvt", ".rs.e4m3x4.e5m2x4.e2m3x4.e3m2x4.e2m1x4.s2f6x2.scaled::n2::ue8m0"},
        {"fma", ".rz"}, /* of bf16: the assembler takes it, and gets it wrong */
        {"ld", ".unified"},
        {"mov", ".v2.v4"},
        {"red", ".async.mmio"},
        {"st", ".async.bulk"},
    };
    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (ws_bytes_equal(word, length, rows[i].word)) return rows[i].qualifiers;
    }
    return "";
}

/* Is one more word of the opcode PTX? The first one has no dot. */
static inline bool ws_word_is_ptx(const char *first, size_t length, const char *word, size_t count) {
    int number;
    size_t i;
    for (number = 0;; number++) {
        const ws_form_table table = ws_form_table_at(number);
        if (table.forms == NULL) return ws_pattern_has(ws_qualifiers_beyond(first, length), word, count);
        for (i = 0; i < table.count; i++) {
            const char *form = table.forms[i].opcode;
            if (ws_opcode_word(form, ws_string_length(form)) != length || !ws_form_same(form, first, length)) continue;
            if (word == first || ws_pattern_has(form, word, count)) return true;
        }
    }
}

/* Where the first word of an opcode is that PTX does not have, or its end; *count: how long. Words without forms take
 * any qualifier, and so does cp, most of whose kinds have none. */
static inline size_t ws_opcode_unknown(const char *text, size_t length, size_t *count) {
    const size_t first = ws_opcode_word(text, length);
    size_t at = 0;
    if (ws_word_has_no_form(text, first) || ws_bytes_equal(text, first, "cp")) return length;
    while (at < length) {
        *count = at == 0 ? first : 1 + ws_opcode_word(text + at + 1, length - at - 1);
        if (!ws_word_is_ptx(text, first, text + at, *count)) return at;
        at += *count;
    }
    return length;
}

/* Where byte `at` of an opcode is written, if the opcode is in one piece; else where the statement is. */
static inline size_t ws_opcode_place(const ws_module *module, const ws_statement *statement, size_t at) {
    const ws_opcode *opcode = &module->opcodes[statement->opcode];
    const bool fits = statement->opcode_at + (size_t)opcode->length <= module->length;
    if (fits && ws_form_same(module->text + statement->opcode_at, opcode->text, opcode->length))
        return statement->opcode_at + at;
    return statement->at + at;
}

/* WS_SYNTAX at the first statement that names what is not PTX. */
static inline ws_status ws_module_check(const ws_module *module, ws_error *error) {
    uint32_t i, k;
    for (i = 0; i < module->opcode_count; i++) {
        const ws_opcode *opcode = &module->opcodes[i];
        size_t count = 0;
        const size_t at = ws_opcode_unknown(opcode->text, opcode->length, &count);
        ws_text text;
        if (at == opcode->length) continue;
        text = ws_error_text(error);
        ws_text_add(&text, at == 0 ? "unknown instruction '" : "this instruction does not have the qualifier '");
        ws_text_add_bytes(&text, opcode->text + at, count < 60 ? count : 60);
        ws_text_add(&text, "'");
        for (k = 0; k < module->statement_count && module->statements[k].opcode != i; k++) {
        }
        if (error != NULL && k < module->statement_count) {
            error->column = (int)ws_opcode_place(module, &module->statements[k], at);
            error->length = (int)count;
        }
        return WS_SYNTAX;
    }
    return WS_OK;
}

#endif
