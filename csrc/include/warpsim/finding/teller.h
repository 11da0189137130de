/* Whose findings are told, and what their statements and lines are called.
 *
 *     line 63 (gemm.cu:31, in load_tile (tile.h:12))     the kernel's own line, and the one of the innermost function
 *     line 63 (tile.h:12, in load_tile)                  for a remedy: the line in the function where it is to stand */
#ifndef WARPSIM_FINDING_TELLER_H
#define WARPSIM_FINDING_TELLER_H

#include "../base/plain.h"
#include "../module/frames.h"
#include "../place/source.h"
#include "../run/kernel.h"
#include "words.h"

typedef struct ws_teller {
    const ws_module *module;
    const ws_kernel *program;
    const ws_words *words;
    int language; /* ws_language */
} ws_teller;

static inline ws_teller ws_teller_make(const ws_module *module, const ws_kernel *program, int language) {
    ws_teller teller;
    teller.module = module;
    teller.program = program;
    teller.words = ws_words_of(language);
    teller.language = language;
    return teller;
}

static inline const ws_meant *ws_teller_meant(const ws_teller *teller, uint32_t statement) {
    (void)ws_effort_take(teller->module->effort, teller->program->num_steps);
    return ws_kernel_meant(teller->program, statement);
}

static inline bool ws_teller_is(const ws_teller *teller, uint32_t statement, ws_event event) {
    return ws_teller_meant(teller, statement)->event == event;
}

static inline uint32_t ws_teller_line(const ws_teller *teller, uint32_t statement) {
    return ws_module_place(teller->module, teller->module->statements[statement].at).line;
}

/* "tile.h:12" */
static inline void ws_teller_add_location(const ws_module *module, ws_text *text, uint32_t at) {
    ws_span name = module->files[module->locations[at].file].name;
    size_t i;
    for (i = name.begin; i < name.end; i++) {
        if (module->text[i] == '/') name.begin = i + 1;
    }
    ws_text_add_file(text, module->text + name.begin, name.end - name.begin);
    ws_text_add(text, ":");
    ws_text_add_uint(text, module->locations[at].line);
}

/* ", in load_tile": the function that a line is of, if the text says it. */
static inline void ws_teller_add_function(const ws_module *module, ws_text *text, uint32_t at) {
    const ws_span name = module->locations[at].function_name;
    char words[256];
    ws_text plain = ws_text_make(words, sizeof words);
    const size_t kept = ws_plain_is_lambda((const char *)module->bytes + name.begin, name.end - name.begin)
                            ? ws_string_length(WS_PLAIN_LAMBDA)
                            : 0;
    size_t i, begin = kept;
    if (name.begin == name.end) return;
    ws_text_add_plain(&plain, (const char *)module->bytes + name.begin, name.end - name.begin);
    for (i = kept; i + 1 < plain.length; i++) {
        if (words[i] == ':' && words[i + 1] == ':')
            begin = i + 2; /* its namespaces say little, and much of a library */
    }
    ws_text_add(text, ", in ");
    ws_text_add_bytes(text, words, kept);
    ws_text_add_bytes(text, words + begin, plain.length - begin);
}

/* " (gemm.cu:31, in load_tile (tile.h:12))", if the text names its source. */
static inline void ws_teller_add_source(const ws_teller *teller, ws_text *text, uint32_t statement) {
    const ws_source_frames frames = ws_source_frames_of(teller->module, statement);
    const uint32_t own = frames.count == 0 ? WS_NO_INDEX : frames.location[frames.count - 1];
    if (frames.count == 0) return;
    ws_text_add(text, " (");
    ws_teller_add_location(teller->module, text, frames.location[0]);
    if (frames.count > 1) {
        ws_teller_add_function(teller->module, text, own);
        ws_text_add(text, " (");
        ws_teller_add_location(teller->module, text, own);
        ws_text_add(text, ")");
    }
    ws_text_add(text, ")");
}

/* "line 12 (gemm.cu:3)" */
static inline void ws_teller_add_line(const ws_teller *teller, ws_text *text, uint32_t statement) {
    ws_text_add(text, "line ");
    ws_text_add_uint(text, ws_teller_line(teller, statement));
    ws_teller_add_source(teller, text, statement);
}

/* How many calls lie around both statements, down to the innermost function that is the user's. */
static inline uint32_t ws_teller_common(const ws_teller *teller, uint32_t a, uint32_t b) {
    return ws_source_common(teller->module, a, b);
}

/* "line 12 (tile.h:12, in load_tile)": as the function has it that lies inside so many calls. */
static inline void ws_teller_add_line_in(const ws_teller *teller, ws_text *text, uint32_t statement, uint32_t depth) {
    const ws_source_frames frames = ws_source_frames_of(teller->module, statement);
    ws_text_add(text, "line ");
    ws_text_add_uint(text, ws_teller_line(teller, statement));
    if (depth >= frames.count) return;
    ws_text_add(text, " (");
    ws_teller_add_location(teller->module, text, frames.location[depth]);
    if (depth > 0) ws_teller_add_function(teller->module, text, frames.location[depth]);
    ws_text_add(text, ")");
}

/* The name of a register whose operand begins there, without its sign or bracket. */
static inline void ws_teller_add_name(ws_text *text, const ws_module *module, size_t at) {
    size_t end;
    while (at < module->length &&
           (module->text[at] == '[' || module->text[at] == '!' || module->text[at] == '-' || module->text[at] == ' '))
        at++;
    end = ws_ptx_skip_word(module->text, at + 1, module->length);
    ws_text_add_bytes(text, module->text + at, end - at);
}

/* ": %r5": the name that an operand has for a register; a guard's is not told. */
static inline void ws_teller_add_register(const ws_teller *teller, ws_text *text, uint32_t number, uint64_t reg) {
    const ws_module *module = teller->module;
    const ws_statement *statement = &module->statements[number];
    const ws_item *item = module->items + statement->first_item, *end = item + statement->item_count;
    for (; item < end; item++) {
        uint32_t k;
        for (k = 0; k <= item->part_count; k++) {
            const ws_item *one = k == 0 ? item : &module->items[item->first_part + k - 1];
            const bool is_base = one->kind == WS_ITEM_ADDRESS && one->base_kind == WS_ITEM_REGISTER;
            if ((one->kind != WS_ITEM_REGISTER && !is_base) || one->index != reg) continue;
            ws_text_add(text, ": ");
            ws_teller_add_name(text, module, one->at);
            return;
        }
    }
}

#endif
