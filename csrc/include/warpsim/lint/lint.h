/* A whole PTX file: every ldmatrix, stmatrix, movmatrix, wmma.load, wmma.store, ld, st and cp.async in it, checked.
 *
 * The parser checks qualifiers, operand shapes and counts; legality is checked for the file's own version and target;
 * declared types, state spaces and constants come from the file. Everything else in the text is skipped.
 *
 *     char code[BYTES], messages[4096];                 // BYTES: at least the text's length
 *     ws_name names[256];
 *     uint32_t buckets[256];                            // a power of two
 *     ws_lint_finding findings[64];
 *     ws_lint_instruction instructions[1024];
 *     ws_lint_storage storage = {code, sizeof code, names, 256, buckets, 256, 0};
 *     ws_lint_sink sink = {findings, 64, 0, instructions, 1024, 0, messages, sizeof messages, 0, {0, 0}, {0, 0}};
 *     if (ws_lint(text, length, WS_NO_TARGET, 0, &storage, &sink, &err) == WS_OK)
 *         for (size_t i = 0; i < sink.finding_count; i++) puts(messages + findings[i].message); */
#ifndef WARPSIM_LINT_LINT_H
#define WARPSIM_LINT_LINT_H

#include "../ptx/names.h"
#include "findings.h"

/* What a run needs; the caller owns all of it, and only `names_wanted` matters afterwards. */
typedef struct ws_lint_storage {
    char *code; /* becomes the text without comments and strings */
    size_t code_capacity;
    ws_name *names;
    size_t name_capacity;
    uint32_t *buckets;
    size_t bucket_count; /* a power of two; about as many as names */
    size_t names_wanted; /* written: a name_capacity that is enough */
} ws_lint_storage;

/* Fills the sink with what is found in `length` bytes of PTX. `target` (a row of ws_target) and `ptx` (86 is PTX 8.6)
 * replace those of the text; WS_NO_TARGET and 0 do not. WS_INVALID_ARGUMENT: the storage is too small; it then says how
 * large it has to be. */
WS_PUBLIC ws_status ws_lint(const char *text, size_t length, int target, int ptx, ws_lint_storage *storage,
                            ws_lint_sink *sink, ws_error *error);

#if WS_BODIES
#include "../ptx/file.h"
#include "legality.h"
#include "refused.h"
#include "stride.h"

enum { WS_LINT_HEADS = 16 };

/* A run over one file. */
typedef struct ws_lint_run {
    ws_parsed_head heads[WS_LINT_HEADS]; /* of statements before, each where its opcode's length and letters lead */
    ws_lint_text lint;
    ws_ptx_file file;
    ws_lint_place place;
    int target, ptx; /* the caller's */
    bool is_placed;  /* target and version are known */
} ws_lint_run;

/* Uses version and target of the file if the caller gave none; do they exist, alone and together? */
static inline void ws_lint_take_place(ws_lint_run *run, int target, int ptx) {
    ws_lint_text *lint = &run->lint;
    const ws_span version = run->file.version, name = run->file.target;
    lint->sink->version = version;
    lint->sink->target = name;
    run->place.ptx_is_open = ptx == 0 && version.end == 0;
    run->place.ptx = ptx;
    if (ptx == 0 && version.end != 0) {
        run->place.ptx = ws_lint_ptx_of(lint->code, version);
        if (run->place.ptx == 0) ws_lint_not_judged(lint, "PTX ", version);
    }
    run->place.target = target;
    if (target == WS_NO_TARGET && name.end != 0) {
        run->place.target = ws_lint_target_of(lint->code, name);
        if (run->place.target == WS_NO_TARGET) ws_lint_not_judged(lint, "target ", name);
    }
    if (run->place.target != WS_NO_TARGET && run->place.ptx != 0 &&
        !ws_target_exists_at(run->place.target, run->place.ptx)) {
        ws_text text = ws_lint_begin(lint);
        ws_legality_add_existence_reason(&text, run->place.target, run->place.ptx);
        ws_lint_end_at(lint, WS_LINT_NO_SUCH_TARGET, name, &text);
    }
    ws_lint_sort(lint->sink, 0);
}

static inline void ws_lint_operands(const ws_lint_check *check, size_t at, size_t end) {
    const uint8_t kind = check->op->kind;
    const bool address_first = kind == WS_STMATRIX || kind == WS_ST || kind == WS_CP_ASYNC || kind == WS_WMMA_STORE;
    int i;
    for (i = 0; i < (ws_op_is_wmma(check->op) ? 3 : 2); i++) {
        const ws_span operand = ws_lint_operand(check->lint->code, &at, end);
        if (operand.begin == operand.end) return;
        if (i == 2) ws_lint_stride(check, operand);
        else if (kind == WS_CP_ASYNC) ws_lint_address(check, operand, i == 1);
        else if (kind == WS_MOVMATRIX || address_first == (i == 1)) ws_lint_data(check, operand);
        else ws_lint_address(check, operand, false);
    }
}

/* A statement that the parser accepts. */
static inline void ws_lint_taken(ws_lint_run *run, const ws_lint_statement *statement, const ws_op *op) {
    ws_lint_text *lint = &run->lint;
    const ws_span whole = statement->whole;
    ws_lint_check check;
    check.lint = lint;
    check.names = &run->file.names;
    check.op = op;
    if (lint->text[whole.end - 1] != ';') {
        ws_text text = ws_lint_begin(lint);
        ws_text_add(&text, "expected ';' after the instruction");
        ws_lint_end(lint, WS_LINT_SYNTAX, ws_ptx_trim(lint->text, whole.begin, whole.end), 0, &text);
    }
    ws_lint_judge(lint, op, statement->opcode, &run->place);
    if (statement->guard.end > statement->guard.begin) {
        const ws_span name = ws_lint_guard_name(lint->code, statement->guard);
        if (name.end > name.begin) ws_lint_guard(&check, name);
    }
    ws_lint_operands(&check, statement->opcode.end, whole.end);
}

static inline ws_parsed_head *ws_lint_head(ws_lint_run *run, ws_span opcode) {
    const char *code = run->file.code;
    const unsigned char middle = (unsigned char)code[(opcode.begin + opcode.end) / 2];
    const size_t letters = 5 * (size_t)middle + (unsigned char)code[opcode.end - 1];
    return &run->heads[(opcode.end - opcode.begin + letters) % WS_LINT_HEADS];
}

/* Parses and checks one statement of the families. */
static inline void ws_lint_check_statement(ws_lint_run *run, const ws_lint_statement *statement) {
    ws_lint_text *lint = &run->lint;
    ws_lint_sink *sink = lint->sink;
    const ws_span whole = statement->whole;
    const size_t first = sink->finding_count;
    ws_lint_instruction instruction;
    ws_error error;
    ws_status status;
    ws_lint_go_to(lint, whole.begin);
    status = ws_parse_after(lint->text + whole.begin, whole.end - whole.begin, ws_lint_head(run, statement->opcode),
                            &instruction.op, &error);
    if (status == WS_OK) ws_lint_taken(run, statement, &instruction.op);
    else ws_lint_refused(lint, &run->file.names, statement, status, &error);
    ws_lint_sort(sink, first);
    ws_lint_go_to(lint, statement->opcode.begin);
    instruction.opcode = statement->opcode;
    instruction.line = lint->line;
    if (sink->instruction_count < sink->instruction_capacity) sink->instructions[sink->instruction_count] = instruction;
    sink->instruction_count++;
}

/* Begins a run over a text whose comments and strings are already blanked out in storage->code: ws_ptx_blank does that,
 * and a caller that knows Unicode may then have replaced characters by other bytes (ptx/text.h). The caller sets
 * run->target and run->ptx. */
static inline ws_status ws_lint_open(ws_lint_run *run, const char *text, size_t length, ws_lint_storage *storage,
                                     ws_lint_sink *sink, ws_error *error) {
    int i;
    ws_error_clear(error);
    if (storage->bucket_count == 0 || (storage->bucket_count & (storage->bucket_count - 1)) != 0) {
        return ws_error_set(error, WS_INVALID_ARGUMENT, "ws_lint: bucket_count must be a power of two");
    }
    run->lint = ws_lint_text_make(text, storage->code, length, sink);
    run->file = ws_ptx_file_make(
        storage->code, length,
        ws_names_make(storage->names, storage->name_capacity, storage->buckets, storage->bucket_count));
    run->is_placed = false;
    for (i = 0; i < WS_LINT_HEADS; i++) run->heads[i].length = 0;
    return WS_OK;
}

/* Reads and checks that many more pieces (statements, directives, braces); false at the end. */
static inline bool ws_lint_go_on(ws_lint_run *run, size_t pieces) {
    for (; pieces > 0; pieces--) {
        ws_lint_statement statement;
        const ws_ptx_piece piece = ws_ptx_file_next(&run->file, &statement.whole);
        if (piece == WS_PTX_PASSED) continue;
        if (!run->is_placed)
            ws_lint_take_place(run, run->target, run->ptx); /* those before the first instruction count */
        run->is_placed = true;
        if (piece == WS_PTX_END) return false;
        if (ws_lint_take(run->file.code, run->file.length, &statement)) ws_lint_check_statement(run, &statement);
    }
    return true;
}

/* Was there room for everything? */
static inline ws_status ws_lint_close(const ws_lint_run *run, ws_lint_storage *storage, ws_error *error) {
    const ws_lint_sink *sink = run->lint.sink;
    storage->names_wanted = run->file.names.wanted;
    if (storage->names_wanted > storage->name_capacity || sink->finding_count > sink->finding_capacity ||
        sink->instruction_count > sink->instruction_capacity || sink->message_count > sink->message_capacity) {
        return ws_error_set(error, WS_INVALID_ARGUMENT,
                            "ws_lint: too little room; names_wanted and the counts of the sink say how much is needed");
    }
    return WS_OK;
}

WS_PUBLIC ws_status ws_lint(const char *text, size_t length, int target, int ptx, ws_lint_storage *storage,
                            ws_lint_sink *sink, ws_error *error) {
    ws_lint_run run;
    if ((text == NULL && length > 0) || storage == NULL || sink == NULL) {
        return ws_error_set(error, WS_INVALID_ARGUMENT, "ws_lint: text, storage and sink must not be NULL");
    }
    if (storage->code_capacity < length) {
        return ws_error_set(error, WS_INVALID_ARGUMENT, "ws_lint: storage->code must have room for the text");
    }
    ws_ptx_blank(text, length, storage->code);
    run.target = target;
    run.ptx = ptx;
    WS_RETURN_IF_ERROR(ws_lint_open(&run, text, length, storage, sink, error));
    while (ws_lint_go_on(&run, 1024)) {
    }
    return ws_lint_close(&run, storage, error);
}

#endif /* WS_BODIES */
#endif
