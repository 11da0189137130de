/* Uninitialised values in products of a warp: a result depends on its row of A, its column of B and its place of C. */
#ifndef WARPSIM_USE_FRAGMENTS_H
#define WARPSIM_USE_FRAGMENTS_H

#include "../mma/fragment.h"
#include "marks.h"

#if WS_BODIES

enum { WS_FRAGMENT_PRODUCTS = 4, WS_FRAGMENT_ROWS = 32 };

/* Uninitialised elements, for each product of the instruction. */
typedef struct ws_fragments {
    uint32_t rows[WS_FRAGMENT_PRODUCTS], cols[WS_FRAGMENT_PRODUCTS]; /* of A, of B */
    uint32_t cols_of[WS_FRAGMENT_PRODUCTS][WS_FRAGMENT_ROWS];        /* of C, row by row */
} ws_fragments;

static inline bool ws_fragments_have(const ws_fragments *marks, ws_mma_place place) {
    const uint32_t cols = marks->cols[place.product] | marks->cols_of[place.product][place.row];
    return (marks->rows[place.product] >> place.row & 1) || (cols >> place.col & 1);
}

static inline void ws_fragments_add(ws_fragments *marks, int operand, ws_mma_place place) {
    if (operand == WS_OPERAND_A) marks->rows[place.product] |= UINT32_C(1) << place.row;
    else if (operand == WS_OPERAND_B) marks->cols[place.product] |= UINT32_C(1) << place.col;
    else marks->cols_of[place.product][place.row] |= UINT32_C(1) << place.col;
}

/* The elements that lanes have in a register of an operand. */
static inline void ws_fragments_mark(ws_fragments *marks, const ws_mma *mma, int operand, uint32_t reg,
                                     uint32_t lanes) {
    const int values = ws_mma_values_of_register(mma, operand);
    int i;
    for (; lanes != 0; lanes &= lanes - 1) {
        for (i = 0; i < values; i++)
            ws_fragments_add(marks, operand,
                             ws_mma_place_at(mma, operand, ws_first_lane(lanes), (int)reg * values + i));
    }
}

/* The lanes whose elements of a register of the result depend on them. */
static inline uint32_t ws_fragments_lanes(const ws_fragments *marks, const ws_mma *mma, uint32_t reg) {
    const int values = ws_mma_values_of_register(mma, WS_OPERAND_D);
    uint32_t lanes = 0;
    int lane, i;
    for (lane = 0; lane < WS_LANES; lane++) {
        for (i = 0; i < values; i++) {
            const ws_mma_place place = ws_mma_place_at(mma, WS_OPERAND_D, lane, (int)reg * values + i);
            lanes |= (uint32_t)ws_fragments_have(marks, place) << lane;
        }
    }
    return lanes;
}

/* The operands of the statement d, a, b, c: false where it is no such product. */
static inline bool ws_fragments_carry(ws_check *check, const ws_warp *warp, const ws_step *step, uint32_t number) {
    static const uint8_t operands[] = {WS_OPERAND_D, WS_OPERAND_A, WS_OPERAND_B, WS_OPERAND_C};
    const ws_kernel *program = warp->block->program;
    const ws_mma *mma;
    ws_fragments marks = {{0}, {0}, {{0}}};
    uint32_t origin = number, reg;
    ws_use_walk walk = ws_use_walk_make(&check->uses, step);
    if (program->meant[number].meaning != WS_DO_PRODUCT || step->s[WS_S_METADATA] != WS_NONE) return false;
    mma = &program->plans[step->s[WS_S_PLAN]].mma;
    if (mma->scale_vec != 0) return false;
    while ((reg = ws_use_next(&walk)) != WS_NO_INDEX) {
        const ws_mark *mark = ws_use_mark(&check->uses, warp, reg);
        if (walk.operand == 0 || mark->lanes == 0) continue;
        ws_fragments_mark(&marks, mma, operands[walk.operand & 3], walk.element, mark->lanes);
        origin = ws_use_earlier(&check->uses, origin != number, origin, mark);
    }
    walk = ws_use_walk_make(&check->uses, step);
    for (reg = ws_use_next(&walk); reg != WS_NO_INDEX && walk.is_first; reg = ws_use_next(&walk))
        ws_use_set(&check->uses, warp, reg, ws_fragments_lanes(&marks, mma, walk.element), WS_ALL_LANES, origin);
    return true;
}

#endif /* WS_BODIES */
#endif
