/* A kernel being decoded: its functions, where their registers and bytes lie, the constants that it needs.
 *
 * Every table has room for all that the module can ask for, so nothing here runs out of memory later. */
#ifndef WARPSIM_DECODE_DECODER_H
#define WARPSIM_DECODE_DECODER_H

#include "../base/apart.h"
#include "../base/arena.h"
#include "../lanes/form.h"
#include "../module/module.h"
#include "../meaning/meanings.h"
#include "../run/kernel.h"
#include "said.h"

/* What an opcode of the module is. */
typedef struct ws_opcode_form {
    const ws_statement_form *form; /* NULL: not modelled */
    ws_opcode_match match;
    ws_said said;
    bool is_known, is_said; /* looked up; what it says is */
} ws_opcode_form;

typedef struct ws_decoder {
    const ws_module *module;
    ws_kernel *program;
    ws_opcode_form *opcodes; /* of each opcode of the module */
    uint32_t *callee_of;     /* of each function; WS_NO_INDEX: not reached */
    uint32_t *row_of;        /* of each register: its first row, or its predicate */
    uint32_t *offset_of;     /* of each variable in a frame or in shared memory; WS_NO_INDEX: not placed */
    uint32_t *step_of;       /* of each statement, and of the end of each function */
    uint32_t *table_of;      /* of each list: in program->targets */
    uint32_t *buckets;       /* of constants: number + 1 */
    uint32_t bucket_mask;
    uint32_t *uses;        /* of each row of the function: how often the text names it */
    uint8_t *is_label;     /* of each statement: jumps go there */
    uint8_t *kinds;        /* of each opcode: ws_guess_kind */
    uint32_t *unsupported; /* statements */
    uint32_t unsupported_count, unsupported_capacity;
    uint32_t step_capacity, list_capacity, constant_capacity, op_capacity;
    const ws_function *function; /* that is decoded */
    ws_callee *callee;
    const ws_statement *statement;
    uint32_t temporaries; /* rows that the statement has used */
    uint64_t shared_used;
    int level;
    bool contracts; /* mul and add become fma */
    bool is_lost;   /* no room, or a statement that cannot be decoded: its reason is in `error` */
    ws_error *error;
} ws_decoder;

/* Rows that a value of a type takes. */
static inline uint32_t ws_rows_of_type(int type) {
    const int bits = ws_type_bits(type);
    return bits <= 32 ? 1 : bits <= 64 ? 2 : 4;
}

/* The statement cannot be decoded: `why` names what was expected. */
static inline void ws_decode_refuse(ws_decoder *decoder, uint32_t at, const char *why) {
    ws_text text;
    if (decoder->is_lost) return;
    decoder->is_lost = true;
    text = ws_error_text(decoder->error);
    ws_text_add(&text, why);
    if (decoder->error != NULL) {
        decoder->error->column = (int)at;
        decoder->error->length = 1;
    }
}

/* Bytes of a kernel's parameters, of a frame, or of shared memory; of all frames: more than any GPU has. */
enum { WS_MOST_PLACED = (1 << 26) - 1, WS_MOST_FRAMES = 1 << 30 };

/* Where a variable lies behind those that take `*used` bytes, which then has its own, too. */
static inline uint32_t ws_decode_put(ws_decoder *decoder, const ws_variable *variable, uint64_t *used) {
    const uint64_t align = variable->align != 0 ? variable->align : 1, at = (*used + align - 1) / align * align;
    if (at + variable->nbytes > WS_MOST_PLACED) {
        ws_decode_refuse(decoder, (uint32_t)variable->name.begin,
                         "this variable is too large: with those before it, it takes more than 67,108,863 bytes");
        return 0;
    }
    *used = at + variable->nbytes;
    return (uint32_t)at;
}

/* What a step means from here on. */
static inline void ws_decode_mean(ws_decoder *decoder, ws_step *step, int meaning) {
    const uint32_t number = decoder->module->statements[step->statement].opcode;
    ws_opcode_form *opcode = &decoder->opcodes[number];
    if (!opcode->is_said) opcode->said = ws_opcode_said(&decoder->module->opcodes[number]);
    opcode->is_said = true;
    step->run = ws_meaning_at(meaning, decoder->level);
    decoder->program->meant[step - decoder->program->steps] = ws_meaning_meant(meaning, opcode->said);
}

/* Does a step mean that? */
static inline bool ws_decode_means(const ws_decoder *decoder, const ws_step *step, int meaning) {
    return decoder->program->meant[step - decoder->program->steps].meaning == meaning;
}

static inline ws_step *ws_decode_emit(ws_decoder *decoder, int meaning) {
    ws_kernel *program = decoder->program;
    ws_step *step = &program->steps[program->num_steps]; /* there is one more than the capacity */
    int i;
    if (program->num_steps < decoder->step_capacity) program->num_steps++;
    else ws_decode_refuse(decoder, decoder->statement->at, "this kernel has too many steps");
    step->statement = (uint32_t)(decoder->statement - decoder->module->statements);
    ws_decode_mean(decoder, step, meaning);
    step->immediate = 0;
    step->guard = 0;
    step->how = 0;
    step->d[0] = step->d[1] = WS_NONE;
    for (i = 0; i < WS_STEP_SOURCES; i++) step->s[i] = WS_NONE;
    step->list = 0;
    step->type = step->type2 = WS_TYPE_NONE;
    step->count = 0;
    step->space = 0;
    if (decoder->statement->guard != WS_NO_INDEX) {
        step->guard = decoder->row_of[decoder->function->first_register + decoder->statement->guard] << 1 |
                      (uint32_t)decoder->statement->guard_is_negated;
    }
    return step;
}

static inline const ws_item *ws_decode_item(const ws_decoder *decoder, uint32_t number) {
    return &decoder->module->items[decoder->statement->first_item + number];
}

static inline const ws_register *ws_decode_register(const ws_decoder *decoder, const ws_item *item) {
    return &decoder->module->registers[decoder->function->first_register + item->index];
}

static inline uint32_t ws_decode_row(const ws_decoder *decoder, const ws_item *item) {
    return decoder->row_of[decoder->function->first_register + item->index];
}

/* Adds a reference of a vector operand. */
static inline void ws_decode_list(ws_decoder *decoder, uint32_t reference) {
    ws_kernel *program = decoder->program;
    if (program->num_list < decoder->list_capacity) program->list[program->num_list++] = reference;
    else ws_decode_refuse(decoder, decoder->statement->at, "this kernel has too many operands");
}

/* The statement is not modelled. */
static inline void ws_decode_unsupported(ws_decoder *decoder) {
    const uint32_t number = (uint32_t)(decoder->statement - decoder->module->statements);
    if (decoder->unsupported_count < decoder->unsupported_capacity) {
        decoder->unsupported[decoder->unsupported_count++] = number;
    }
}

/* A row of the frame for this statement alone. */
static inline uint32_t ws_decode_temporary(ws_decoder *decoder, uint32_t rows) {
    const uint32_t first = decoder->callee->rows + decoder->temporaries;
    decoder->temporaries += rows;
    return first;
}

static inline uint64_t ws_constant_hash(const ws_constant_rows *constant) {
    uint64_t h = constant->value * UINT64_C(0x9E3779B97F4A7C15) + constant->variable;
    h = (h ^ h >> 29) * UINT64_C(0xBF58476D1CE4E5B9) + ((uint64_t)constant->kind << 8 | constant->rows) +
        ((uint64_t)constant->nbytes << 16 | (uint64_t)constant->is_signed << 24);
    return (h ^ h >> 32) * UINT64_C(0x94D049BB133111EB) >> 20;
}

static inline bool ws_constant_equal(const ws_constant_rows *a, const ws_constant_rows *b) {
    return a->value == b->value && a->variable == b->variable && a->kind == b->kind && a->rows == b->rows &&
           a->nbytes == b->nbytes && a->is_signed == b->is_signed;
}

/* The row of a constant: one that is there already, or a new one. */
static inline uint32_t ws_decode_constant(ws_decoder *decoder, ws_constant_rows constant) {
    ws_kernel *program = decoder->program;
    uint32_t bucket = (uint32_t)ws_constant_hash(&constant) & decoder->bucket_mask, number;
    while ((number = decoder->buckets[bucket]) != 0) {
        if (ws_constant_equal(&program->constants[number - 1], &constant)) break;
        bucket = (bucket + 1) & decoder->bucket_mask;
    }
    if (number == 0 && program->num_constants == decoder->constant_capacity) {
        ws_decode_refuse(decoder, decoder->statement->at, "this kernel has too many constants");
        return WS_ROW_REF(WS_BLOCK_ROWS, 0);
    }
    if (number == 0) {
        constant.row = program->block_rows;
        program->block_rows += constant.rows;
        program->constants[program->num_constants++] = constant;
        number = decoder->buckets[bucket] = program->num_constants;
    }
    return WS_ROW_REF(WS_BLOCK_ROWS, program->constants[number - 1].row);
}

static inline ws_constant_rows ws_constant_make(ws_constant_source kind, uint64_t value, uint32_t variable,
                                                uint32_t rows) {
    ws_constant_rows constant;
    constant.value = value;
    constant.row = 0;
    constant.variable = variable;
    constant.kind = (uint8_t)kind;
    constant.rows = (uint8_t)rows;
    constant.nbytes = (uint8_t)(4 * rows);
    constant.is_signed = false;
    return constant;
}

static inline uint32_t ws_decode_value(ws_decoder *decoder, uint64_t value, uint32_t rows) {
    if (rows == 1) value = (uint32_t)value;
    return ws_decode_constant(decoder, ws_constant_make(WS_CONSTANT_VALUE, value, 0, rows));
}

enum { WS_GUESS_STATEMENTS = 1 << 26 }; /* that are looked at for the guesses of a kernel: some tenths of a second */

/* Tells of plain loads which are only guesses, where the kernel has a compare-and-swap. */
WS_ONCE void ws_decode_guesses(ws_decoder *decoder) {
    const ws_kernel *program = decoder->program;
    const ws_module *module = decoder->module;
    uint8_t *const kinds = decoder->kinds, *const room = (uint8_t *)(void *)decoder->uses;
    uint64_t left = WS_GUESS_STATEMENTS;
    uint32_t i, k;
    if (decoder->is_lost || decoder->unsupported_count != 0) return; /* operands may not fit */
    for (i = 0; i < module->opcode_count; i++) kinds[i] = (uint8_t)ws_said_guess(&module->opcodes[i]);
    for (i = 0; i < program->num_steps; i++) {
        const ws_statement *swap = &module->statements[program->steps[i].statement];
        if (program->meant[i].event != WS_EVENT_SWAP) continue;
        if (left < program->num_steps) break;
        left -= program->num_steps;
        for (k = 0; k < program->num_steps; k++) {
            const ws_statement *load = &module->statements[program->steps[k].statement];
            ws_meant *meant = &program->meant[k];
            if (meant->event != WS_EVENT_LOAD || meant->said.is_strong || meant->is_guess) continue;
            meant->is_guess = ws_guess_may_be(module, kinds, swap, load);
        }
    }
    for (k = 0; k < program->num_steps; k++) { /* once for each load: that looks at the whole function */
        const ws_statement *load = &module->statements[program->steps[k].statement];
        program->meant[k].is_guess = program->meant[k].is_guess && ws_guess_make(module, kinds, load, room, &left);
    }
}

#endif
