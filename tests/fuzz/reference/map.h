/* Which element each field of each register holds. g = lane / 4 and t = lane % 4, as in the drawings of the PTX ISA.
 *
 * wmma: as observed on silicon and in the assembler's output: every operand is a row of operands of mma. */
#ifndef REFERENCE_MAP_H
#define REFERENCE_MAP_H

#include "form.h"

REFERENCE_BEGIN

typedef struct ref_element {
    int matrix, row, col; /* row: which row address; wmma: PTX's i and j */
} ref_element;

/* ldmatrix and stmatrix: `field` of register `reg`, counted from the low bits. */
static inline ref_element ref_matrix_element(const ref_form *f, int lane, int reg, int field) {
    const int g = lane / 4, t = lane % 4;
    ref_element e = {reg, g, 2 * t + field};
    if (f->matrix == REF_M8N8 && f->trans) {
        e.row = 2 * t + field;
        e.col = g;
    } else if (f->matrix == REF_M16N16) {
        e.matrix = reg / 2;
        e.row = 4 * t + field;
        e.col = g + 8 * (reg % 2);
    } else if (f->matrix == REF_M8N16) {
        e.col = 4 * t + field;
    } else if (f->matrix == REF_M16N8) { /* the accumulator of mma m16n8, stored column by column */
        e.row = 2 * t + field % 2;
        e.col = g + 8 * (field / 2);
    }
    return e;
}

/* Value i of a lane of A (rows x K) as mma takes it; of B the same with N for the rows. `tall`: tiles of 16 rows. */
static inline void ref_factor_value(int bits, bool tall, int lane, int i, int *row, int *depth) {
    const int g = lane / 4, t = lane % 4;
    if (bits == 16) { /* m16n8k16: A has 8 values, B 4 */
        const int per_tile = tall ? 8 : 4, tile = i / per_tile, pair = i % per_tile / 2, q = i % 2;
        *row = g + (tall ? 8 * (pair % 2) + 16 * tile : 8 * tile);
        *depth = 2 * t + q + 8 * (tall ? pair / 2 : pair);
    } else if (bits == 32) { /* tf32, m16n8k8: A has 4 values, B 2 */
        const int per_tile = tall ? 4 : 2, tile = i / per_tile, v = i % per_tile;
        *row = g + (tall ? 8 * (v % 2) + 16 * tile : 8 * tile);
        *depth = t + 4 * (tall ? v / 2 : v);
    } else if (bits == 64) { /* f64, m8n8k4 */
        *row = g;
        *depth = t;
    } else { /* m8n8 of 8, 4 and 1 bits: a register holds consecutive places along K */
        const int width = 32 / bits;
        *row = g + 8 * (i / width);
        *depth = width * t + i % width;
    }
}

/* Value i of a lane of a wmma operand. f16 A and B repeat the registers that bf16 has. */
static inline ref_element ref_wmma_element(const ref_form *f, int lane, int i, bool sm_75) {
    const int g = lane / 4, t = lane % 4, pair = i / 2, q = i % 2;
    ref_element e = {0, 0, 0};
    if (!ref_is_accumulator(f)) {
        const int rows = f->operand == 'a' ? f->m : f->n, values = rows * f->k / 32;
        const bool swapped = f->m == 8 && f->n == 32; /* executed transposed: B is what mma calls A */
        int row, depth;
        ref_factor_value(f->bits, (f->operand == 'a') != swapped, lane, i % values, &row, &depth);
        e.row = f->operand == 'a' ? row : depth;
        e.col = f->operand == 'a' ? depth : row;
    } else if (f->m == 8 && f->n == 32) {
        const bool upright = sm_75 && f->is_s32;
        e.row = upright ? g : 2 * t + q;
        e.col = upright ? 2 * t + q + 8 * pair : g + 8 * pair;
    } else if (f->m == 8) {
        e.row = g;
        e.col = 2 * t + q;
    } else if (f->m == 32) {
        e.row = g + 8 * pair;
        e.col = 2 * t + q;
    } else {
        e.row = g + 8 * (pair % 2);
        e.col = 2 * t + q + 8 * (pair / 2);
    }
    return e;
}

/* The line of memory that a value lies in, and its place in the line. */
static inline void ref_wmma_place(const ref_form *f, int lane, int i, bool sm_75, int *line, int *index) {
    const ref_element e = ref_wmma_element(f, lane, i, sm_75);
    *line = f->by_row ? e.row : e.col;
    *index = f->by_row ? e.col : e.row;
}

/* Values of a lane's registers. */
static inline int ref_wmma_values(const ref_form *f) { return f->registers * f->register_bits / f->bits; }

REFERENCE_END

#endif
