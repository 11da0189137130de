/* Which element of a matrix each value of a lane's registers is.
 *
 *     lane = 4 g + t                  a register holds w elements; value i is element q of register h
 *     A    row g, or g + 8 (h & 1)    column w t + q + 4 w h, or h >> 1 with 16 rows
 *     B    row w t + q + 4 w h        column g
 *     C, D row g + 8 (i >> 1)         column 2 t + (i & 1)
 *
 * wmma's shapes of 256 results are two products of 16 x 8; m8n32 is computed transposed, B in the place of A. f16 m8n8k4
 * is four products, each of the lanes 4 p .. 4 p + 3 and 16 above. Measured on H200, equal to PTX's pictures.
 *
 * This file knows nothing about arithmetic. */
#ifndef WARPSIM_MMA_FRAGMENT_H
#define WARPSIM_MMA_FRAGMENT_H

#include "form.h"

typedef struct ws_mma_place {
    uint8_t product; /* 0, or which of the four of m8n8k4 */
    uint8_t row;
    uint16_t col;
} ws_mma_place;

/* Values of one 32-bit register; f64: 1, since a value takes two. */
static inline int ws_mma_values_of_register(const ws_mma *mma, int operand) {
    const int bits = ws_mma_bits_of(mma, operand);
    return bits < 32 ? 32 / bits : 1;
}

/* Values of a lane that are different elements. */
static inline int ws_mma_values(const ws_mma *mma, int operand) {
    const int elements = ws_mma_rows(mma, operand) * ws_mma_cols(mma, operand);
    return elements * ws_mma_products(mma) / WS_LANES;
}

static inline ws_mma_place ws_mma_place_of(int product, int row, int col) {
    ws_mma_place place;
    place.product = (uint8_t)product;
    place.row = (uint8_t)row;
    place.col = (uint16_t)col;
    return place;
}

static inline ws_mma_place ws_mma_swapped(ws_mma_place place) {
    return ws_mma_place_of(place.product, place.col, place.row);
}

/* A with 8 or 16 rows; B is A of 8 rows, transposed. */
static inline ws_mma_place ws_mma_place_factor(int rows, int w, int lane, int i) {
    const int g = lane >> 2, t = lane & 3, h = i / w, q = i % w;
    if (rows == 8) return ws_mma_place_of(0, g, w * t + q + 4 * w * h);
    return ws_mma_place_of(0, g + 8 * (h & 1), w * t + q + 4 * w * (h >> 1));
}

static inline ws_mma_place ws_mma_place_result(int lane, int i) {
    return ws_mma_place_of(0, (lane >> 2) + 8 * (i >> 1), 2 * (lane & 3) + (i & 1));
}

/* f16 m8n8k4. */
static inline ws_mma_place ws_mma_place_quad(const ws_mma *mma, int operand, int lane, int i) {
    const int p = lane >> 2 & 3, s = lane >> 4, c = lane & 3;
    const bool by_row = operand == WS_OPERAND_A ? mma->a_layout == WS_LAYOUT_ROW : mma->b_layout == WS_LAYOUT_COL;
    if (operand > WS_OPERAND_B) {
        if (ws_mma_type(mma, operand) == WS_TYPE_F16) return ws_mma_place_of(p, c + 4 * s, i);
        return ws_mma_place_of(p, (lane & 1) + (i & 2) + 4 * s, (i & 4) + (lane & 2) + (i & 1));
    } else {
        const ws_mma_place place = by_row ? ws_mma_place_of(p, c + 4 * s, i) : ws_mma_place_of(p, i + 4 * s, c);
        return operand == WS_OPERAND_A ? place : ws_mma_swapped(place);
    }
}

/* wmma's shapes of 256 results: piece `p` of the operand that has two pieces is 16 rows or 8 columns further. */
static inline ws_mma_place ws_mma_place_wmma(const ws_mma *mma, int operand, int lane, int i) {
    const bool transposed = mma->m == 8, is_result = operand > WS_OPERAND_B;
    const bool tall = operand == (transposed ? WS_OPERAND_B : WS_OPERAND_A); /* in the place of A */
    const bool two = is_result || (tall ? mma->m != mma->n : mma->m == mma->n);
    const int w = ws_mma_values_of_register(mma, operand);
    const int of_piece = ws_mma_values(mma, operand) / (two ? 2 : 1), p = i / of_piece, j = i % of_piece;
    ws_mma_place place = is_result ? ws_mma_place_result(lane, j) : ws_mma_place_factor(tall ? 16 : 8, w, lane, j);
    if (!is_result && !tall) place = ws_mma_swapped(place);
    if (mma->m == mma->n) {
        place.col = (uint16_t)(place.col + 8 * p);
    } else {
        place.row = (uint8_t)(place.row + 16 * p);
    }
    return transposed ? ws_mma_swapped(place) : place;
}

/* The element that is value `i` of an operand in a lane; A of mma.sp: among the stored columns. Registers that repeat
 * others give the same elements again. */
static inline ws_mma_place ws_mma_place_at(const ws_mma *mma, int operand, int lane, int i) {
    const int w = ws_mma_values_of_register(mma, operand);
    i %= ws_mma_values(mma, operand);
    if (ws_mma_products(mma) > 1) return ws_mma_place_quad(mma, operand, lane, i);
    if (mma->m * mma->n == 256) return ws_mma_place_wmma(mma, operand, lane, i);
    if (operand > WS_OPERAND_B) return ws_mma_place_result(lane, i);
    if (operand == WS_OPERAND_A) return ws_mma_place_factor(mma->m, w, lane, i);
    return ws_mma_swapped(ws_mma_place_factor(8, w, lane, i));
}

#endif
