/* mul and add (or sub) that name no rounding become one fma, as the assembler makes them.
 *
 *     mul.f32 t, a, b;  ...  add.f32 d, t, c;      d = a * b + c, rounded once, if nothing else reads t
 *
 * Measured (the pairs of tests/truth): neither may name a rounding, .ftz must agree, the product may not be .sat; for f32,
 * f64, f16, bf16 and pairs. Here, both lie in one stretch without a jump or a label. */
#ifndef WARPSIM_DECODE_CONTRACT_H
#define WARPSIM_DECODE_CONTRACT_H

#include "decoder.h"

enum { WS_CONTRACT_REACH = 256 /* steps between the two */ };

typedef struct ws_contract_row {
    uint16_t mul, add, sub, fma, neg;
    uint8_t rows;
    uint64_t one; /* as bits; 0: products by 1 remain */
} ws_contract_row;

/* NULL after the last. */
static inline const ws_contract_row *ws_contract_rows(size_t number) {
    static const ws_contract_row rows[] = {
        {WS_DO_MUL_F32, WS_DO_ADD_F32, WS_DO_SUB_F32, WS_DO_FMA_F32, WS_DO_NEG_F32, 1, UINT64_C(0x3f800000)},
        {WS_DO_MUL_F64, WS_DO_ADD_F64, WS_DO_SUB_F64, WS_DO_FMA_F64, WS_DO_NEG_F64, 2, WS_ONE_F64},
        {WS_DO_MUL_F16, WS_DO_ADD_F16, WS_DO_SUB_F16, WS_DO_FMA_F16, WS_DO_NEG_F16, 1, 0x3c00},
        {WS_DO_MUL_BF16, WS_DO_ADD_BF16, WS_DO_SUB_BF16, WS_DO_FMA_BF16, WS_DO_NEG_BF16, 1, 0x3f80},
        {WS_DO_MUL_F16X2, WS_DO_ADD_F16X2, WS_DO_SUB_F16X2, WS_DO_FMA_F16X2, WS_DO_NEG_F16X2, 1, 0},
        {WS_DO_MUL_BF16X2, WS_DO_ADD_BF16X2, WS_DO_SUB_BF16X2, WS_DO_FMA_BF16X2, WS_DO_NEG_BF16X2, 1, 0},
    };
    return number < sizeof rows / sizeof rows[0] ? &rows[number] : NULL;
}

static inline const ws_contract_row *ws_contract_find(const ws_decoder *decoder, const ws_step *step) {
    size_t i;
    for (i = 0; ws_contract_rows(i) != NULL; i++) {
        if (ws_decode_means(decoder, step, ws_contract_rows(i)->mul)) return ws_contract_rows(i);
    }
    return NULL;
}

/* Does the statement of a step name a rounding? */
static inline bool ws_contract_rounds(const ws_decoder *decoder, const ws_step *step) {
    return decoder->program->meant[step - decoder->program->steps].said.rounds;
}

static inline bool ws_contract_fits(const ws_decoder *decoder, const ws_step *step) {
    return step->guard == 0 && !ws_contract_rounds(decoder, step);
}

static inline bool ws_contract_writes(const ws_step *step, uint32_t row, uint32_t rows) {
    uint32_t i;
    for (i = 0; i < 4; i++) {
        if (step->d[0] != WS_NONE && step->d[0] + i >= row && step->d[0] + i < row + rows) return true;
    }
    return false;
}

/* How often each row of the frame occurs in the steps of the function, as destination or source. */
static inline void ws_contract_count(const ws_decoder *decoder, uint32_t *uses) {
    uint32_t i, k;
    for (i = 0; i < decoder->callee->rows; i++) uses[i] = 0;
    for (i = 0; i < decoder->function->statement_count; i++) {
        const ws_statement *statement = &decoder->module->statements[decoder->function->first_statement + i];
        for (k = 0; k < statement->item_count; k++) {
            const ws_item *item = &decoder->module->items[statement->first_item + k];
            uint32_t p;
            for (p = 0; p <= item->part_count; p++) {
                const ws_item *part = p == 0 ? item : &decoder->module->items[item->first_part + p - 1];
                const bool is_base = part->kind == WS_ITEM_ADDRESS && part->base_kind == WS_ITEM_REGISTER;
                if (part->kind != WS_ITEM_REGISTER && !is_base) continue;
                if (decoder->module->registers[decoder->function->first_register + part->index].type == WS_TYPE_PRED)
                    continue;
                uses[decoder->row_of[decoder->function->first_register + part->index]]++;
            }
        }
    }
}

/* The step that ends a stretch: control goes elsewhere, or comes from elsewhere. */
static inline bool ws_contract_ends(const ws_decoder *decoder, uint32_t number) {
    const ws_step *step = &decoder->program->steps[number];
    return decoder->is_label[step->statement] || ws_decode_means(decoder, step, WS_DO_BRA) ||
           ws_decode_means(decoder, step, WS_DO_BRX) || ws_decode_means(decoder, step, WS_DO_CALL) ||
           ws_decode_means(decoder, step, WS_DO_CALL_INDIRECT) || ws_decode_means(decoder, step, WS_DO_RET) ||
           ws_decode_means(decoder, step, WS_DO_EXIT);
}

/* The add or sub that takes the product, or 0. */
static inline uint32_t ws_contract_partner(const ws_decoder *decoder, const ws_contract_row *row, uint32_t number) {
    const ws_kernel *program = decoder->program;
    const ws_step *mul = &program->steps[number];
    uint32_t i;
    for (i = number + 1; i < program->num_steps && i < number + WS_CONTRACT_REACH; i++) {
        const ws_step *step = &program->steps[i];
        const bool adds = ws_decode_means(decoder, step, row->add);
        if (ws_contract_ends(decoder, i)) return 0;
        if ((adds || ws_decode_means(decoder, step, row->sub)) &&
            (step->s[0] == mul->d[0]) != (step->s[1] == mul->d[0])) {
            return ws_contract_fits(decoder, step) && (step->how & WS_HOW_FTZ) == (mul->how & WS_HOW_FTZ) ? i : 0;
        }
        if (ws_contract_writes(step, mul->s[0], row->rows) || ws_contract_writes(step, mul->s[1], row->rows) ||
            ws_contract_writes(step, mul->d[0], row->rows)) {
            return 0;
        }
    }
    return 0;
}

/* The steps between move up by one; before the fma, one negates what sub subtracts. */
static inline void ws_contract_join(ws_decoder *decoder, const ws_contract_row *row, uint32_t number,
                                    uint32_t partner) {
    ws_step *steps = decoder->program->steps;
    const ws_step mul = steps[number];
    ws_step *fma = &steps[partner], *free_step = &steps[partner - 1];
    const bool first = fma->s[0] == mul.d[0], subtracts = ws_decode_means(decoder, fma, row->sub);
    const uint32_t other = first ? fma->s[1] : fma->s[0];
    uint32_t i;
    for (i = number; i + 1 < partner; i++) {
        steps[i] = steps[i + 1];
        decoder->program->meant[i] = decoder->program->meant[i + 1];
    }
    *free_step = mul;
    free_step->statement = fma->statement;
    free_step->how = 0;
    ws_decode_mean(decoder, free_step, subtracts ? row->neg : (int)WS_DO_NOTHING);
    free_step->s[0] = subtracts && first ? other : mul.s[0];
    ws_decode_mean(decoder, fma, row->fma);
    fma->s[0] = subtracts && !first ? mul.d[0] : mul.s[0];
    fma->s[1] = mul.s[1];
    fma->s[2] = subtracts && first ? mul.d[0] : other;
}

/* All pairs of the function that was decoded from step `first` on. */
static inline void ws_contract(ws_decoder *decoder, uint32_t first) {
    ws_kernel *program = decoder->program;
    uint32_t i;
    ws_contract_count(decoder, decoder->uses);
    for (i = first; i < program->num_steps; i++) {
        const ws_step *step = &program->steps[i];
        const ws_contract_row *row = ws_contract_find(decoder, step);
        uint32_t partner;
        if (row == NULL || !ws_contract_fits(decoder, step) || (step->how & WS_HOW_SAT) || step->d[0] >> 30 != 0)
            continue;
        if (step->d[0] >= decoder->callee->rows || decoder->uses[step->d[0]] != 2) continue;
        partner = ws_contract_partner(decoder, row, i);
        if (partner != 0) {
            ws_contract_join(decoder, row, i, partner);
            i--; /* another step has come here */
        }
    }
}

#endif
