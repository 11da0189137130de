/* What lint finds: which rule is broken where in the text, and a sentence about it.
 *
 * Findings, instructions and sentences go to arrays that the caller owns; counting continues when they are full. */
#ifndef WARPSIM_LINT_FINDINGS_H
#define WARPSIM_LINT_FINDINGS_H

#include "../isa/op.h"
#include "../ptx/text.h"
#include "../rules/rules.h"

typedef struct ws_lint_finding {
    size_t at;      /* byte of the text */
    size_t length;  /* bytes meant from there, on one line; 0 after the end of a text */
    size_t line;    /* from 1 */
    size_t column;  /* from 1, in bytes */
    size_t message; /* where its sentence starts in the messages; zero-terminated */
    uint8_t rule;   /* ws_lint_rule */
} ws_lint_finding;

/* One statement of the families that lint checks. */
typedef struct ws_lint_instruction {
    ws_span opcode; /* in the text, with its qualifiers */
    size_t line;    /* from 1 */
    ws_op op;       /* ws_op_none() if the statement is malformed or not modelled */
} ws_lint_instruction;

/* The caller owns the arrays; counts continue beyond the capacities and are then the capacities needed. */
typedef struct ws_lint_sink {
    ws_lint_finding *findings;
    size_t finding_capacity;
    size_t finding_count;
    ws_lint_instruction *instructions;
    size_t instruction_capacity;
    size_t instruction_count;
    char *messages;
    size_t message_capacity; /* bytes */
    size_t message_count;
    ws_span version; /* the .version and .target that the text was checked for if the caller gave none; empty: none */
    ws_span target;
} ws_lint_sink;

/* A text that is being checked, and where its findings go. Lines are counted up to `at`, and never backwards. */
typedef struct ws_lint_text {
    const char *text;
    const char *code; /* of the same length, without comments and strings */
    size_t length;
    ws_lint_sink *sink;
    size_t at;
    size_t line; /* of `at`, from 1 */
    size_t line_begin;
} ws_lint_text;

static inline ws_lint_text ws_lint_text_make(const char *text, const char *code, size_t length, ws_lint_sink *sink) {
    ws_lint_text lint;
    lint.text = text;
    lint.code = code;
    lint.length = length;
    lint.sink = sink;
    lint.at = lint.line_begin = 0;
    lint.line = 1;
    sink->finding_count = sink->instruction_count = sink->message_count = 0;
    return lint;
}

/* Advances the line count to a position. */
static inline void ws_lint_go_to(ws_lint_text *lint, size_t at) {
    for (;; lint->line++) {
        lint->at = ws_bytes_find(lint->text, lint->at, at, '\n', '\n', '\n');
        if (lint->at >= at) return;
        lint->line_begin = ++lint->at;
    }
}

/* Begins a finding's sentence; ws_lint_end takes what the caller wrote. */
static inline ws_text ws_lint_begin(const ws_lint_text *lint) {
    const ws_lint_sink *sink = lint->sink;
    if (sink->message_count >= sink->message_capacity) return ws_text_make(NULL, 0);
    return ws_text_make(sink->messages + sink->message_count, sink->message_capacity - sink->message_count);
}

/* Adds a finding about `length` bytes starting at `at`, which is not before lint->at. */
static inline void ws_lint_end(ws_lint_text *lint, ws_lint_rule rule, size_t at, size_t length,
                               const ws_text *message) {
    ws_lint_sink *sink = lint->sink;
    ws_lint_text place = *lint;
    ws_lint_finding finding;
    ws_lint_go_to(&place, at);
    finding.at = at;
    finding.length = length;
    finding.line = place.line;
    finding.column = at - place.line_begin + 1;
    finding.message = sink->message_count;
    finding.rule = (uint8_t)rule;
    if (sink->finding_count < sink->finding_capacity) sink->findings[sink->finding_count] = finding;
    sink->finding_count++;
    sink->message_count += message->wanted + 1;
}

/* The same for a piece of the code; if it has several lines, for the first. */
static inline void ws_lint_end_at(ws_lint_text *lint, ws_lint_rule rule, ws_span piece, const ws_text *message) {
    size_t end = piece.begin;
    while (end < piece.end && lint->code[end] != '\n') end++;
    ws_lint_end(lint, rule, piece.begin, end - piece.begin, message);
}

static inline void ws_text_add_code(ws_text *text, const ws_lint_text *lint, ws_span piece) {
    ws_text_add_bytes(text, lint->code + piece.begin, piece.end - piece.begin);
}

/* Sorts the findings from `first` by position; findings at one position keep their order. */
static inline void ws_lint_sort(ws_lint_sink *sink, size_t first) {
    const size_t count = sink->finding_count < sink->finding_capacity ? sink->finding_count : sink->finding_capacity;
    size_t i;
    for (i = first + 1; i < count; i++) {
        const ws_lint_finding moved = sink->findings[i];
        size_t to = i;
        for (; to > first && sink->findings[to - 1].at > moved.at; to--) sink->findings[to] = sink->findings[to - 1];
        sink->findings[to] = moved;
    }
}

#endif
