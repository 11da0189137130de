/* One statement of a PTX file as lint sees it: guard, opcode and operands, found without the parser.
 *
 * A statement that the parser rejects must be distinguished from other instructions, which are skipped. */
#ifndef WARPSIM_LINT_STATEMENT_H
#define WARPSIM_LINT_STATEMENT_H

#include "../ptx/text.h"

/* One statement of the families: `guard` ends where the opcode begins. */
typedef struct ws_lint_statement {
    ws_span whole, guard, opcode;
} ws_lint_statement;

/* After the opcode's last qualifier. */
static inline size_t ws_lint_opcode_end(const char *code, size_t at, size_t end) {
    for (;;) {
        const size_t dot = ws_ptx_skip_space(code, at, end);
        if (dot >= end || code[dot] != '.') return at;
        at = ws_ptx_skip_space(code, dot + 1, end);
        while (at < end && (code[at] == ':' || ws_ptx_is_name(code[at]))) at++;
    }
}

/* Does the opcode, starting at `at` and ignoring blanks, say this? Then *next is the character after it, 0 at its
 * end. */
static inline bool ws_lint_says(const char *code, size_t at, size_t end, const char *words, char *next) {
    for (; *words != '\0'; words++, at++) {
        at = ws_ptx_skip_space(code, at, end);
        if (at >= end || ws_ptx_fold(code[at]) != *words) return false;
    }
    at = ws_ptx_skip_space(code, at, end);
    *next = at < end ? code[at] : '\0';
    return true;
}

/* Other instructions whose names start like one of the families. */
static inline bool ws_lint_is_other(const char *code, ws_span opcode) {
    static const char *const others[] = {"wmma.mma", "st.async", "st.bulk", "cp.reduce"};
    static const char *const copies[] = {"cp.async.bulk", "cp.async.commit_group", "cp.async.wait_group",
                                         "cp.async.wait_all", "cp.async.mbarrier"};
    bool copies_later = false;
    char next = '\0';
    size_t i;
    for (i = 0; i < 4; i++) {
        if (ws_lint_says(code, opcode.begin, opcode.end, others[i], &next) && !ws_ptx_is_word(next)) return true;
    }
    if (!ws_lint_says(code, opcode.begin, opcode.end, "cp", &next)) return false;
    for (i = 0; i < 5; i++) {
        if (!ws_lint_says(code, opcode.begin, opcode.end, copies[i], &next)) continue;
        if (next != ':' && !ws_ptx_is_word(next)) return true;
    }
    for (i = opcode.begin; i < opcode.end && !copies_later; i++) {
        if (code[i] != '.') continue;
        copies_later = ws_lint_says(code, i, opcode.end, ".async", &next) && !ws_ptx_is_word(next);
    }
    return !copies_later;
}

/* The predicate of the first guard; empty without a guard. */
static inline ws_span ws_lint_guard_name(const char *code, ws_span guard) {
    size_t at = ws_ptx_skip_space(code, guard.begin + 1, guard.end);
    if (at < guard.end && code[at] == '!') at = ws_ptx_skip_space(code, at + 1, guard.end);
    return ws_span_make(at, ws_ptx_skip_loose_name(code, at, guard.end));
}

/* Finds guard and opcode; false if the statement does not belong to one of the families. */
static inline bool ws_lint_take(const char *code, size_t end, ws_lint_statement *statement) {
    static const char *const families[] = {"ld", "st", "ldmatrix", "stmatrix", "movmatrix", "wmma", "cp"};
    size_t at = statement->whole.begin, after, i;
    char next;
    while (at < end && code[at] == '@') {
        at = ws_ptx_skip_space(code, at + 1, end);
        if (at < end && code[at] == '!') at = ws_ptx_skip_space(code, at + 1, end);
        at = ws_ptx_skip_space(code, ws_ptx_skip_loose_name(code, at, end), end);
    }
    after = ws_ptx_skip_name(code, at, end);
    if (after - at < 2 || after - at > 9) return false;
    for (i = 0; i < sizeof families / sizeof families[0]; i++) {
        if (ws_string_length(families[i]) == after - at && ws_lint_says(code, at, after, families[i], &next)) break;
    }
    if (i == sizeof families / sizeof families[0]) return false;
    statement->guard = ws_span_make(statement->whole.begin, at);
    statement->opcode = ws_span_make(at, ws_ptx_trim(code, at, ws_lint_opcode_end(code, after, end)));
    return !ws_lint_is_other(code, statement->opcode);
}

/* The next operand starting at *at: an address, a vector, or everything up to the next comma; empty at the end. */
static inline ws_span ws_lint_operand(const char *code, size_t *at, size_t end) {
    for (; *at < end; (*at)++) {
        const char c = code[*at];
        const size_t begin = *at;
        size_t i = begin + 1;
        if (ws_ptx_is_space(c) || c == ',' || c == ';') continue;
        if (c == '[' || c == '{') {
            const char closing = c == '[' ? ']' : '}';
            i = ws_bytes_find(code, i, end, closing, closing, closing);
            if (i >= end) continue;
            i++;
        } else {
            while (i < end && code[i] != ',' && code[i] != ';' && code[i] != '[' && code[i] != '{') i++;
        }
        *at = i;
        return ws_span_make(begin, ws_ptx_trim(code, begin, i));
    }
    return ws_span_make(end, end);
}

#endif
