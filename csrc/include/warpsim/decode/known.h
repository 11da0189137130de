/* Is a word an instruction of PTX? Most are known by their forms; here are those that have none: not modelled, or read
 * by parsers of their own.
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
        "alloca",    "clusterlaunchcontrol",
        "istypep",   "ldmatrix",
        "mma",       "movmatrix",
        "multimem",  "stackrestore",
        "stacksave", "stmatrix",
        "suld",      "suq",
        "sured",     "sust",
        "tcgen05",   "tensormap",
        "tex",       "tld4",
        "txq",       "vabsdiff",
        "vadd",      "vmax",
        "vmin",      "vset",
        "vshl",      "vshr",
        "vsub",      "wgmma",
        "wmma",
    };
    size_t i;
    for (i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (ws_bytes_equal(word, length, words[i])) return true;
    }
    return false;
}

/* Does PTX have an instruction whose opcode begins with this word? */
static inline bool ws_opcode_is_ptx(const char *text, size_t length) {
    const size_t word = ws_opcode_word(text, length);
    int number;
    size_t i;
    if (ws_word_has_no_form(text, word)) return true;
    for (number = 0;; number++) {
        const ws_form_table table = ws_form_table_at(number);
        if (table.forms == NULL) return false;
        for (i = 0; i < table.count; i++) {
            const char *form = table.forms[i].opcode;
            const size_t count = ws_opcode_word(form, ws_string_length(form));
            if (count == word && ws_form_same(form, text, word)) return true;
        }
    }
}

/* WS_SYNTAX at the first statement whose first word is not an instruction. */
static inline ws_status ws_module_check(const ws_module *module, ws_error *error) {
    uint32_t i, k;
    for (i = 0; i < module->opcode_count; i++) {
        const ws_opcode *opcode = &module->opcodes[i];
        const size_t word = ws_opcode_word(opcode->text, opcode->length);
        ws_text text;
        if (ws_opcode_is_ptx(opcode->text, opcode->length)) continue;
        text = ws_error_text(error);
        ws_text_add(&text, "unknown instruction '");
        ws_text_add_bytes(&text, opcode->text, word < 60 ? word : 60);
        ws_text_add(&text, "'");
        for (k = 0; k < module->statement_count && module->statements[k].opcode != i; k++) {
        }
        if (error != NULL && k < module->statement_count) {
            error->column = (int)module->statements[k].at;
            error->length = (int)word;
        }
        return WS_SYNTAX;
    }
    return WS_OK;
}

#endif
