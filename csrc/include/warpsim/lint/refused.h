/* A statement of the families that the parser rejects: its complaint as a finding, unless it is legal but not
 * modelled. */
#ifndef WARPSIM_LINT_REFUSED_H
#define WARPSIM_LINT_REFUSED_H

#include "findings.h"
#include "statement.h"
#include "../ptx/names.h"
#include "../ptx/parse.h"

enum { WS_LINT_WIDTH = 100, WS_LINT_BEFORE = 40 /* a long line is shown from this many bytes before */ };

/* How many of `count` bytes at a column of a statement are underlined. */
static inline size_t ws_lint_shown(const char *text, size_t length, size_t column, size_t count) {
    size_t begin = column, end = column;
    while (begin > 0 && text[begin - 1] != '\n') begin--;
    while (end < length && text[end] != '\n') end++;
    if (end - begin > WS_LINT_WIDTH) {
        if (column - begin > WS_LINT_BEFORE) begin = column - WS_LINT_BEFORE;
        if (end - begin > WS_LINT_WIDTH) end = begin + WS_LINT_WIDTH;
    }
    if (count > end - column) count = end - column;
    return count > 0 ? count : 1;
}

/* ld.global.v4.f32 v, [a]; with .reg .v4 .f32 v is legal, and not modelled. */
static inline bool ws_lint_names_vector(const char *code, ws_span piece, const ws_names *names) {
    ws_span name = ws_ptx_find_name(code, piece.begin, piece.end);
    for (; name.end > name.begin; name = ws_ptx_find_name(code, name.end, piece.end)) {
        const ws_declared *declared = ws_names_find(names, code + name.begin, name.end - name.begin);
        if (declared != NULL && declared->space == WS_NAME_REG && declared->type_length == 0) return true;
    }
    return false;
}

static inline void ws_lint_refused(ws_lint_text *lint, const ws_names *names, const ws_lint_statement *statement,
                                   ws_status status, const ws_error *error) {
    const ws_lint_rule rule = status == WS_SYNTAX ? WS_LINT_SYNTAX : WS_LINT_NOWHERE;
    const ws_span whole = statement->whole;
    const size_t place = error->column >= 0 ? whole.begin + (size_t)error->column : statement->opcode.begin;
    size_t count;
    ws_text text;
    if (status == WS_NOT_MODELLED) return;
    if (rule == WS_LINT_SYNTAX &&
        ws_lint_names_vector(lint->code, ws_span_make(statement->opcode.end, whole.end), names)) {
        return;
    }
    text = ws_lint_begin(lint);
    if (error->expected != NULL && place == whole.end && place < lint->length) { /* the file continues */
        ws_text_add_expected(&text, error->expected, lint->code + place, 1);
    } else {
        ws_text_add(&text, error->message);
    }
    if (error->column < 0) {
        ws_lint_end_at(lint, rule, statement->opcode, &text);
        return;
    }
    count =
        ws_lint_shown(lint->text + whole.begin, whole.end - whole.begin, (size_t)error->column, (size_t)error->length);
    if (place == lint->length || lint->text[place] == '\n') count = 0; /* there is nothing to mark */
    ws_lint_end(lint, rule, place, count, &text);
}

#endif
