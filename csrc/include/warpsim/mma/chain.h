/* Products that are made of ordinary instructions: f64, and f16 m8n8k4 from sm_80 on.
 *
 *     f64        d = fma(a[k-1], b[k-1], ... fma(a[0], b[0], c)), each rounded as the product says
 *     m8n8k4     D f32: c + fma(a3, b3, fma(a2, b2, fma(a1, b1, a0 b0)))
 *                D f16: (c + fma(a1, b1, a0 b0)) + fma(a3, b3, a2 b2), in f32, then to f16
 *
 * Before sm_80 m8n8k4 is a step of the tensor core (exact.h). Measured on H200. */
#ifndef WARPSIM_MMA_CHAIN_H
#define WARPSIM_MMA_CHAIN_H

#include "exact.h"
#include "fragment.h"

/* A matrix operand of one of four products m8n8k4, or f64: elements in rows. */
typedef struct ws_mma_matrix64 {
    uint64_t at[WS_MMA_ROWS * WS_MMA_ROWS];
} ws_mma_matrix64;

static inline uint64_t ws_mma_quiet(uint64_t nan) { return nan | UINT64_C(1) << 51; }

/* One fused multiply-add of f64: the first NaN of b, c, a. */
static inline uint64_t ws_mma_fma64(uint64_t a, uint64_t b, uint64_t c, uint32_t how) {
    bool invalid;
    uint64_t d;
    if (ws_is_nan(WS_FORMAT_F64, b)) return ws_mma_quiet(b);
    if (ws_is_nan(WS_FORMAT_F64, c)) return ws_mma_quiet(c);
    if (ws_is_nan(WS_FORMAT_F64, a)) return ws_mma_quiet(a);
    d = ws_exact_fma(WS_FORMAT_F64, a, b, c, how, &invalid);
    return invalid ? WS_NAN_F64 : d;
}

static inline uint32_t ws_mma_how(int rounding) {
    static const uint8_t how[WS_MMA_ROUNDING_COUNT] = {WS_ROUND_NEAREST, WS_ROUND_NEAREST, WS_ROUND_ZERO, WS_ROUND_DOWN,
                                                       WS_ROUND_UP};
    return how[rounding];
}

static inline void ws_mma_load64(const ws_mma *mma, int operand, const uint32_t *const *registers, size_t stride,
                                 ws_mma_matrix64 *to) {
    const int cols = ws_mma_cols(mma, operand), values = ws_mma_values(mma, operand);
    int lane, i;
    for (lane = 0; lane < WS_LANES; lane++) {
        for (i = 0; i < values; i++) {
            const ws_mma_place place = ws_mma_place_at(mma, operand, lane, i);
            const size_t at = (size_t)lane * stride;
            to->at[place.row * cols + place.col] = registers[2 * i][at] | (uint64_t)registers[2 * i + 1][at] << 32;
        }
    }
}

/* Row i of D to nearest, by the machine's fma; false, and nothing is done, if some result is not finite: NaN have rules. */
#if WS_HAS_X86
__attribute__((target("avx2,fma"))) static inline bool
ws_mma_chain_row(const ws_mma *mma, const ws_mma_matrix64 *a, const ws_mma_matrix64 *b, ws_mma_matrix64 *d, int i) {
    bool finite = true;
    double sum[8];
    int j, k;
    for (j = 0; j < 8; j++) sum[j] = ws_double_of(d->at[8 * i + j]);
    for (k = 0; k < mma->k; k++) {
        const double factor = ws_double_of(a->at[i * mma->k + k]);
        for (j = 0; j < 8; j++) sum[j] = __builtin_fma(factor, ws_double_of(b->at[8 * k + j]), sum[j]);
    }
    for (j = 0; j < 8; j++) finite &= sum[j] - sum[j] >= 0.0; /* of infinities and NaN it is NaN */
    for (j = 0; j < 8 && finite; j++) d->at[8 * i + j] = ws_bits64_of(sum[j]);
    return finite;
}
#endif

/* D of an f64 product. */
static inline void ws_mma_chain(const ws_mma_plan *plan, const ws_mma_view *view) {
    const ws_mma *const mma = &plan->mma;
    const uint32_t how = ws_mma_how(mma->rounding);
    ws_mma_matrix64 a, b, d;
    int i, j, k, lane;
    ws_mma_load64(mma, WS_OPERAND_A, view->a, view->a_stride, &a);
    ws_mma_load64(mma, WS_OPERAND_B, view->b, view->b_stride, &b);
    ws_mma_load64(mma, WS_OPERAND_C, view->c, view->c_stride, &d);
    for (i = 0; i < mma->m; i++) {
#if WS_HAS_X86
        if (plan->level >= WS_SIMD_AVX2 && how == WS_ROUND_NEAREST && ws_mma_chain_row(mma, &a, &b, &d, i)) continue;
#endif
        for (j = 0; j < 8; j++) {
            for (k = 0; k < mma->k; k++) {
                d.at[8 * i + j] = ws_mma_fma64(a.at[i * mma->k + k], b.at[8 * k + j], d.at[8 * i + j], how);
            }
        }
    }
    for (lane = 0; lane < WS_LANES; lane++) {
        for (i = 0; i < ws_mma_values(mma, WS_OPERAND_D); i++) {
            const ws_mma_place place = ws_mma_place_at(mma, WS_OPERAND_D, lane, i);
            const uint64_t value = d.at[8 * place.row + place.col];
            view->d[2 * i][(size_t)lane * view->d_stride] = (uint32_t)value;
            view->d[2 * i + 1][(size_t)lane * view->d_stride] = (uint32_t)(value >> 32);
        }
    }
}

/* The four products of m8n8k4: [product][row or column][element], C and D [product][row][column]. */
typedef struct ws_mma_quads {
    uint32_t a[4][8][4], b[4][8][4], c[4][8][8];
} ws_mma_quads;

/* Value i of a lane's registers, of 16 or 32 bits. */
static inline uint32_t ws_mma_value_of(const uint32_t *const *registers, size_t at, int bits, int i) {
    return bits == 32 ? registers[i][at] : registers[i / 2][at] >> 16 * (i % 2) & 0xffff;
}

static inline void ws_mma_load_quads(const ws_mma *mma, const ws_mma_view *view, ws_mma_quads *quads) {
    const int c_bits = ws_type_bits(mma->c);
    int lane, i;
    for (lane = 0; lane < WS_LANES; lane++) {
        for (i = 0; i < 4; i++) {
            const ws_mma_place a = ws_mma_place_at(mma, WS_OPERAND_A, lane, i);
            const ws_mma_place b = ws_mma_place_at(mma, WS_OPERAND_B, lane, i);
            quads->a[a.product][a.row][a.col] = ws_mma_value_of(view->a, (size_t)lane * view->a_stride, 16, i);
            quads->b[b.product][b.col][b.row] = ws_mma_value_of(view->b, (size_t)lane * view->b_stride, 16, i);
        }
        for (i = 0; i < 8; i++) {
            const ws_mma_place c = ws_mma_place_at(mma, WS_OPERAND_C, lane, i);
            quads->c[c.product][c.row][c.col] = ws_mma_value_of(view->c, (size_t)lane * view->c_stride, c_bits, i);
        }
    }
}

/* fma of f32 to nearest; the factors are f16 numbers as f32. */
static inline uint32_t ws_mma_fma32(uint32_t a, uint32_t b, uint32_t c) {
    bool invalid;
    uint64_t d;
    if (ws_is_nan(WS_FORMAT_F32, a) || ws_is_nan(WS_FORMAT_F32, b) || ws_is_nan(WS_FORMAT_F32, c)) return WS_NAN_F32;
    d = ws_exact_fma(WS_FORMAT_F32, a, b, c, WS_ROUND_NEAREST, &invalid);
    return invalid ? WS_NAN_F32 : (uint32_t)d;
}

static inline uint32_t ws_mma_fused(const ws_mma *mma, const uint32_t a[4], const uint32_t b[4], uint32_t c) {
    uint32_t x[4], y[4], first, second;
    int k;
    for (k = 0; k < 4; k++) {
        x[k] = ws_mma_f32_of_f16(a[k]);
        y[k] = ws_mma_f32_of_f16(b[k]);
    }
    if (mma->c == WS_TYPE_F16) c = ws_mma_f32_of_f16(c);
    first = ws_mma_fma32(x[1], y[1], ws_mma_fma32(x[0], y[0], mma->d == WS_TYPE_F16 ? UINT32_C(0x80000000) : 0));
    if (mma->d != WS_TYPE_F16) {
        first = ws_mma_fma32(x[3], y[3], ws_mma_fma32(x[2], y[2], first));
        return ws_mma_ordinary_sum(WS_FORMAT_F32, c, first);
    }
    second = ws_mma_fma32(x[3], y[3], ws_mma_fma32(x[2], y[2], UINT32_C(0x80000000)));
    first = ws_mma_ordinary_sum(WS_FORMAT_F32, c, first);
    return ws_mma_f16_of_f32(ws_mma_ordinary_sum(WS_FORMAT_F32, first, second));
}

/* D of f16 m8n8k4. */
static inline void ws_mma_quad_products(const ws_mma_plan *plan, const ws_mma_step *step, const ws_mma_view *view) {
    const ws_mma *mma = &plan->mma;
    ws_mma_quads quads;
    int lane, i;
    ws_mma_load_quads(mma, view, &quads);
    for (lane = 0; lane < WS_LANES; lane++) {
        const size_t to = (size_t)lane * view->d_stride;
        for (i = 0; i < 8; i++) {
            const ws_mma_place at = ws_mma_place_at(mma, WS_OPERAND_D, lane, i);
            const uint32_t *a = quads.a[at.product][at.row], *b = quads.b[at.product][at.col];
            uint32_t c = quads.c[at.product][at.row][at.col], d;
            if (plan->is_fused) {
                d = ws_mma_fused(mma, a, b, c);
            } else {
                if (mma->c == WS_TYPE_F16 && !step->is_f16) c = ws_mma_f32_of_f16(c);
                d = ws_mma_exact_step(step, a, b, 4, c);
            }
            if (mma->d == WS_TYPE_F32) {
                view->d[i][to] = d;
            } else {
                view->d[i / 2][to] = i % 2 == 0 ? d : view->d[i / 2][to] | d << 16;
            }
        }
    }
}

#endif
