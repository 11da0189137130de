/* What else the assembler makes of floating point, as far as NaN show it:
 *
 *     neg of neg, mul by 1    the operand itself, with all its bits: f32, f64, f16, bf16, and neg of pairs of f16; only
 *                             without modifiers
 *     f64 of two operands     the one that was computed later comes second: of two NaN, it survives
 *
 * Measured (the pairs of tests/truth), and read in what the assembler writes. As in contract.h, the steps that belong
 * together lie in one stretch. */
#ifndef WARPSIM_DECODE_REWRITE_H
#define WARPSIM_DECODE_REWRITE_H

#include "contract.h"

/* Who wrote each register last, by its first row: the number of the step + 1; 0: nobody yet. */
typedef struct ws_written {
    ws_decoder *decoder;
    uint32_t *by, rows;
    uint32_t stretch; /* the first step of this one */
} ws_written;

#define WS_INNER_ROW UINT32_MAX /* not the first row of its register */

static inline ws_written ws_written_begin(ws_decoder *decoder, uint32_t first) {
    const ws_function *function = decoder->function;
    ws_written written = {decoder, decoder->uses, decoder->callee->rows, first};
    uint32_t i;
    for (i = 0; i < written.rows; i++) written.by[i] = WS_INNER_ROW;
    for (i = 0; i < function->register_count; i++) {
        const uint32_t number = function->first_register + i;
        if (decoder->module->registers[number].type != WS_TYPE_PRED) written.by[decoder->row_of[number]] = 0;
    }
    return written;
}

static inline void ws_written_mark(ws_written *written, uint32_t row, uint32_t number) {
    if (row >= written->rows) return; /* a row of the statement alone, a constant, no destination */
    while (written->by[row] == WS_INNER_ROW) row--;
    written->by[row] = number + 1;
}

static inline uint32_t ws_written_by(const ws_written *written, uint32_t row) {
    if (row < written->rows) return written->by[row];
    return row >> 30 == WS_FRAME_ROWS ? 0 : WS_INNER_ROW; /* constants come last */
}

/* Is the destination of a step a predicate? */
static inline bool ws_written_is_predicate(const ws_decoder *decoder, const ws_step *step) {
    const ws_statement_form *form = decoder->opcodes[decoder->module->statements[step->statement].opcode].form;
    return (form != NULL && form->operands[0] == 'p') || ws_decode_means(decoder, step, WS_DO_MOV_PRED) ||
           ws_decode_means(decoder, step, WS_DO_ISSPACEP);
}

/* What writes by a list, or elsewhere, ends the stretch, except loads. */
static inline void ws_written_step(ws_written *written, uint32_t number) {
    const ws_decoder *decoder = written->decoder;
    const ws_step *step = &decoder->program->steps[number];
    uint32_t i;
    if (step->d[0] != WS_NONE) {
        if (!ws_written_is_predicate(decoder, step)) ws_written_mark(written, step->d[0], number);
    } else if (ws_decode_means(decoder, step, WS_DO_LD)) {
        for (i = 0; i < step->count; i++) ws_written_mark(written, decoder->program->list[step->list + i], number);
    } else if (!ws_decode_means(decoder, step, WS_DO_ST)) {
        written->stretch = number + 1;
    }
}

/* The step of this stretch that gave a row its value, or NULL. */
static inline const ws_step *ws_written_step_of(const ws_written *written, uint32_t row) {
    const uint32_t by = row < written->rows && written->by[row] != WS_INNER_ROW ? written->by[row] : 0;
    const ws_step *step = written->decoder->program->steps + (by != 0 ? by - 1 : 0);
    return by > written->stretch && step->d[0] == row && step->guard == 0 ? step : NULL;
}

static inline bool ws_rewrite_is_one(const ws_written *written, uint32_t row, const ws_contract_row *of) {
    ws_decoder *decoder = written->decoder;
    const ws_step *step = ws_written_step_of(written, row);
    if (step != NULL && ws_decode_means(decoder, step, of->rows == 2 ? WS_DO_MOV_64 : WS_DO_MOV_32)) {
        row = step->s[0];
    }
    return row >> 30 == WS_BLOCK_ROWS && of->one != 0 && row == ws_decode_value(decoder, of->one, of->rows);
}

/* neg of neg, mul by 1: the row that the result repeats, or WS_NONE. */
static inline uint32_t ws_rewrite_same(const ws_written *written, const ws_step *step, const ws_contract_row *row) {
    const ws_decoder *decoder = written->decoder;
    const ws_step *before;
    if (step->guard != 0 || step->how != 0) return WS_NONE;
    if (ws_decode_means(decoder, step, row->mul) && !ws_contract_rounds(decoder, step)) {
        if (ws_rewrite_is_one(written, step->s[1], row)) return step->s[0];
        return ws_rewrite_is_one(written, step->s[0], row) ? step->s[1] : WS_NONE;
    }
    if (!ws_decode_means(decoder, step, row->neg) || row->neg == WS_DO_NEG_BF16X2) return WS_NONE;
    before = ws_written_step_of(written, step->s[0]);
    if (before == NULL || !ws_decode_means(decoder, before, row->neg) || before->how != 0) return WS_NONE;
    return ws_written_by(written, before->s[0]) <= (uint32_t)(before - decoder->program->steps) ? before->s[0]
                                                                                                : WS_NONE;
}

/* When the value of a row was computed: neg and abs are part of the instruction that takes their result. */
static inline uint32_t ws_rewrite_when(const ws_written *written, uint32_t row) {
    const ws_decoder *decoder = written->decoder;
    const ws_step *step = ws_written_step_of(written, row);
    const bool is_sign = step != NULL && (ws_decode_means(decoder, step, WS_DO_NEG_F64) ||
                                          ws_decode_means(decoder, step, WS_DO_ABS_F64));
    return ws_written_by(written, is_sign ? step->s[0] : row);
}

static inline void ws_rewrite_order(const ws_written *written, ws_step *step) {
    static const uint16_t commute[] = {WS_DO_ADD_F64, WS_DO_MUL_F64, WS_DO_FMA_F64, WS_DO_MIN_F64, WS_DO_MAX_F64};
    ws_decoder *decoder = written->decoder;
    const uint32_t a = step->s[0], b = step->s[1];
    size_t i;
    if (ws_rewrite_when(written, a) <= ws_rewrite_when(written, b)) return;
    if (ws_decode_means(decoder, step, WS_DO_SUB_F64)) ws_decode_mean(decoder, step, WS_DO_SUB_FIRST_F64);
    for (i = 0; i < sizeof commute / sizeof commute[0]; i++) {
        if (!ws_decode_means(decoder, step, commute[i])) continue;
        step->s[0] = b;
        step->s[1] = a;
        return;
    }
}

/* All steps of the function that was decoded from step `first` on. */
static inline void ws_rewrite(ws_decoder *decoder, uint32_t first) {
    ws_written written = ws_written_begin(decoder, first);
    uint32_t i, k;
    for (i = first; i < decoder->program->num_steps; i++) {
        ws_step *step = &decoder->program->steps[i];
        if (ws_contract_ends(decoder, i)) written.stretch = i;
        for (k = 0; ws_contract_rows(k) != NULL && step->d[0] != WS_NONE; k++) {
            const uint32_t same = ws_rewrite_same(&written, step, ws_contract_rows(k));
            if (same == WS_NONE) continue;
            ws_decode_mean(decoder, step, ws_contract_rows(k)->rows == 2 ? WS_DO_MOV_64 : WS_DO_MOV_32);
            step->s[0] = same;
            break;
        }
        ws_rewrite_order(&written, step);
        ws_written_step(&written, i);
    }
}

#endif
