/* A product that is ready to be computed: its form, its target's arithmetic and the order of its steps, made once.
 *
 * wmma's shapes of 256 results are two pieces of 16 x 8; m8n32 has A and B swapped. The place of element k of a row of A
 * or a column of B is its part of a word times the words, plus its word: decoded words keep their neighbours. */
#ifndef WARPSIM_MMA_PLAN_H
#define WARPSIM_MMA_PLAN_H

#include "../base/cpu.h"
#include "../number/bits.h"
#include "../number/format.h"
#include "arithmetic.h"
#include "metadata.h"

enum { WS_MMA_MAX_STORED = 64 /* elements of a row of A */, WS_MMA_MAX_K = 128 };

typedef enum ws_mma_path {
    WS_MMA_STEPS = 0,
    WS_MMA_INTEGERS,
    WS_MMA_BIT_COUNTS,
    WS_MMA_CHAIN,
    WS_MMA_QUADS,
    WS_MMA_SCALED /* steps whose terms have factors: scaled.h */
} ws_mma_path;

/* How the elements of a register become numbers. */
typedef struct ws_mma_format {
    uint8_t format_mantissa; /* bits of the mantissa */
    uint8_t parts;           /* elements of a register */
    uint8_t bits;            /* of an element: distance of the parts */
    uint8_t shift;           /* bits of a register that are ignored: 13 of tf32 */
    uint32_t magnitude;      /* mask of the bits except the sign */
    uint32_t top;            /* the smallest magnitude that is not finite */
    float factor;            /* 2^(127 - bias): what the bits, as those of an f32, have to be multiplied by */
    int lowest;              /* exponent of denormal numbers */
    int format;              /* of number/format.h */
    bool is_signed;          /* integers */
} ws_mma_format;

typedef struct ws_mma_plan {
    ws_mma mma;
    const ws_mma_arithmetic *arithmetic;
    ws_mma_format a, b;
    int16_t floor;                      /* of the largest exponent */
    uint8_t path;                       /* ws_mma_path */
    uint8_t level;                      /* of SIMD */
    uint8_t selector;                   /* of the metadata */
    uint8_t pieces, rows;               /* 1 or 2 pieces of 8 or 16 rows */
    uint8_t a_words, b_words;           /* registers' words in a row of A, in a column of B */
    uint8_t a_registers, b_registers;   /* of one piece */
    uint8_t c_registers, d_registers;   /* of one piece */
    bool a_pieces, b_pieces;            /* each piece has its own registers of A, of B */
    bool swapped;                       /* A and B in each other's place */
    bool is_f16;                        /* the accumulator is f16, else f32 */
    bool is_fused;                      /* m8n8k4 by f32 instructions */
    bool is_widened;                    /* fp8 as f16 */
    bool is_quick;                      /* sums of a step fit into 32 bits */
    uint8_t stored;                     /* elements of a row of A */
    uint8_t step;                       /* products of a step */
    uint8_t a_order[WS_MMA_MAX_STORED]; /* places of the elements of a row of A, in the order of the steps */
    uint8_t b_order[WS_MMA_MAX_STORED]; /* places of what they meet, if not sparse */
    uint8_t index[WS_MMA_MAX_STORED];   /* mma.sp: which index of the row says what they meet */
    uint8_t first[WS_MMA_MAX_STORED];   /* mma.sp: the element of B that index 0 means */
    uint8_t places[WS_MMA_MAX_K];       /* of the elements of a column of B */
} ws_mma_plan;

static inline ws_mma_format ws_mma_float_format(int type, bool is_widened) {
    static const struct {
        uint8_t type, exponent, mantissa, bits, shift; /* e2m1 in a byte: bits 2 to 5 */
        uint32_t top;
        float factor;
    } rows[] = {
        {WS_TYPE_F16, 5, 10, 16, 0, 0x7c00, 5192296858534827628530496329220096.0f}, /* 2^112 */
        {WS_TYPE_BF16, 8, 7, 16, 0, 0x7f80, 1.0f},
        {WS_TYPE_TF32, 8, 10, 32, 13, 0x3fc00, 1.0f},
        {WS_TYPE_E4M3, 4, 3, 8, 0, 0x7f, 1329227995784915872903807060280344576.0f}, /* 2^120 */
        {WS_TYPE_E5M2, 5, 2, 8, 0, 0x7c, 5192296858534827628530496329220096.0f},
        {WS_TYPE_E3M2, 3, 2, 8, 0, 0x20, 21267647932558653966460912964485513216.0f}, /* 2^124 */
        {WS_TYPE_E2M3, 2, 3, 8, 0, 0x20, 85070591730234615865843651857942052864.0f}, /* 2^126 */
        {WS_TYPE_E2M1, 2, 1, 8, 2, 0x08, 85070591730234615865843651857942052864.0f},
    };
    ws_mma_format format = {0, 0, 0, 0, 0, 0, 0.0f, 0, 0, false};
    int i = 0;
    while (i < (int)(sizeof rows / sizeof rows[0]) - 1 && rows[i].type != type) i++;
    format.format_mantissa = rows[i].mantissa;
    format.bits = rows[i].bits;
    format.shift = rows[i].shift;
    format.parts = (uint8_t)(32 / rows[i].bits);
    format.magnitude = (UINT32_C(1) << (rows[i].exponent + rows[i].mantissa)) - 1;
    format.top = rows[i].top;
    format.factor = rows[i].factor;
    format.format = rows[i].exponent << 8 | rows[i].mantissa;
    format.lowest = is_widened ? -14 : 2 - (1 << (rows[i].exponent - 1));
    return format;
}

static inline ws_mma_format ws_mma_integer_format(int type) {
    ws_mma_format format = {0, 0, 0, 0, 0, 0, 0.0f, 0, 0, false};
    format.bits = (uint8_t)ws_type_bits(type);
    format.parts = (uint8_t)(format.bits < 32 ? 32 / format.bits : 1);
    format.magnitude = (UINT32_C(1) << (format.bits % 32 == 0 ? 1 : format.bits - 1)) - 1;
    format.is_signed = type == WS_TYPE_S8 || type == WS_TYPE_S4;
    return format;
}

static inline ws_mma_format ws_mma_format_of(int type, bool is_widened) {
    return ws_mma_is_exact(type) ? ws_mma_integer_format(type) : ws_mma_float_format(type, is_widened);
}

/* e2m1 without its byte. */
static inline ws_mma_format ws_mma_packed(ws_mma_format format) {
    format.bits = 4;
    format.parts = 8;
    format.shift = 0;
    return format;
}

static inline int ws_mma_path_of(const ws_mma *mma) {
    if (ws_mma_products(mma) > 1) return WS_MMA_QUADS;
    if (mma->a == WS_TYPE_F64) return WS_MMA_CHAIN;
    if (mma->a == WS_TYPE_B1) return WS_MMA_BIT_COUNTS;
    if (mma->scale_vec != 0) return WS_MMA_SCALED;
    return ws_mma_is_exact(mma->a) ? WS_MMA_INTEGERS : WS_MMA_STEPS;
}

/* Element k among `words` words. */
static inline int ws_mma_place_in(const ws_mma_format *format, int words, int k) {
    return k % format->parts * words + k / format->parts;
}

/* The bits of the element at a place of a row or column; `words` words, `stride` apart. */
static inline uint32_t ws_mma_element(const ws_mma_format *format, const uint32_t *word, size_t stride, int words,
                                      int place) {
    const uint32_t mask = format->magnitude << 1 | 1;
    return word[(size_t)(place % words) * stride] >> (format->shift + place / words * format->bits) & mask;
}

/* Which element comes at `at` of the steps: fp8 as f16 takes k mod 4 = 0, 1 first. */
static inline int ws_mma_ordered(const ws_mma_plan *plan, int at) {
    const int half = plan->stored / 2, i = at % half;
    return plan->is_widened ? 4 * (i / 2) + i % 2 + 2 * (at / half) : at;
}

/* The order and length of the steps. */
static inline void ws_mma_plan_steps(ws_mma_plan *plan) {
    const ws_mma_arithmetic *row = plan->arithmetic;
    const int unit = ws_mma_index_elements(&plan->mma);
    int i;
    plan->step = plan->stored;
    for (i = 0; i < plan->stored; i++) {
        const int k = ws_mma_ordered(plan, i);
        plan->a_order[i] = (uint8_t)ws_mma_place_in(&plan->a, plan->a_words, k);
        plan->b_order[i] = (uint8_t)ws_mma_place_in(&plan->b, plan->b_words, k);
        plan->index[i] = (uint8_t)(k / unit);
        plan->first[i] = (uint8_t)(unit * (4 * (k / unit / 2)) + k % unit);
    }
    for (i = 0; i < plan->mma.k; i++) plan->places[i] = (uint8_t)ws_mma_place_in(&plan->b, plan->b_words, i);
    if (row == NULL && !ws_mma_is_sparse(&plan->mma)) { /* integers, in pairs */
        plan->step = (uint8_t)(plan->stored / 2);
        for (i = 0; i < plan->step; i++) plan->a_order[i] = plan->b_order[i] = (uint8_t)i;
    }
    if (row == NULL) return;
    if (plan->is_widened) {
        plan->step = (uint8_t)(plan->stored / 2);
    } else {
        const int products = plan->mma.kind == WS_MMA_WMMA && plan->mma.a == WS_TYPE_TF32 ? 4 : row->products;
        if (products < plan->step) plan->step = (uint8_t)products;
    }
    plan->floor = plan->is_f16 ? row->floor_f16 : row->floor_f32;
    plan->is_quick = WS_HAS_EXACT_C && (uint64_t)plan->step << (row->fraction + 2) <= UINT64_C(1) << 31;
}

/* Pieces and their registers. */
static inline void ws_mma_plan_pieces(ws_mma_plan *plan, const ws_mma *mma) {
    const bool two = mma->m * mma->n == 256;
    const int factor_bits = ws_mma_bits_of(mma, WS_OPERAND_A);
    plan->swapped = mma->m == 8 && mma->n == 32;
    plan->pieces = two ? 2 : 1;
    plan->rows = two ? 16 : mma->m;
    plan->a_pieces = two && mma->m != mma->n;
    plan->b_pieces = two && mma->m == mma->n;
    plan->stored = (uint8_t)(ws_mma_cols(mma, WS_OPERAND_A) < 256 ? ws_mma_cols(mma, WS_OPERAND_A) : 0);
    plan->a_words = (uint8_t)(ws_mma_cols(mma, WS_OPERAND_A) * factor_bits / 32);
    plan->b_words = (uint8_t)(mma->k * factor_bits / 32);
    plan->a_registers = (uint8_t)(plan->a_words * plan->rows / WS_LANES);
    plan->b_registers = (uint8_t)(plan->b_words / 4);
    plan->c_registers = (uint8_t)(ws_mma_registers(mma, WS_OPERAND_C) / plan->pieces);
    plan->d_registers = (uint8_t)(ws_mma_registers(mma, WS_OPERAND_D) / plan->pieces);
}

/* `sm`: 90 of sm_90a. */
static inline ws_status ws_mma_plan_make(const ws_mma *mma, int sm, int selector, int simd, ws_mma_plan *plan,
                                         ws_error *error) {
    const int selectors = ws_mma_selectors(mma);
    if (!ws_mma_is_valid(mma))
        return ws_error_wrong(error, "mma", "expected a product that was parsed or found in the table");
    if (selector < 0 || selector >= (selectors > 0 ? selectors : 1)) {
        return ws_error_wrong(error, "selector",
                              selectors > 0 ? "expected a selector that the form has: 0 .. 3 with "
                                              "8 indices a row, 0 or 1 with 16, 0 with 32"
                                            : "expected 0: the product is not sparse");
    }
    plan->mma = *mma;
    plan->arithmetic = ws_mma_arithmetic_of_form(mma, sm);
    if (plan->arithmetic == NULL && !ws_mma_is_exact(mma->a)) {
        return ws_error_set(error, WS_UNSUPPORTED, "mma: this target has no product of these types");
    }
    plan->path = (uint8_t)ws_mma_path_of(mma);
    plan->level = (uint8_t)ws_simd_level(simd);
    plan->selector = (uint8_t)selector;
    plan->is_f16 = mma->c == WS_TYPE_F16 && mma->d == WS_TYPE_F16;
    plan->is_fused = ws_mma_is_fused(mma, sm);
    plan->is_widened = plan->arithmetic != NULL && plan->arithmetic->is_widened && mma->narrow == 0;
    plan->floor = 0;
    plan->is_quick = true;
    plan->step = 0;
    plan->a = ws_mma_format_of(mma->a, plan->is_widened);
    plan->b = ws_mma_format_of(mma->b, plan->is_widened);
    if (mma->narrow >= WS_MMA_MXF4) plan->a = plan->b = ws_mma_packed(plan->a);
    ws_mma_plan_pieces(plan, mma);
    if (plan->path <= WS_MMA_INTEGERS || plan->path == WS_MMA_SCALED) ws_mma_plan_steps(plan);
    return WS_OK;
}

/* Whether the bits of the result were measured on that generation (else: published models). */
static inline bool ws_mma_plan_is_measured(const ws_mma_plan *plan) {
    return plan->arithmetic == NULL || plan->arithmetic->is_measured;
}

#endif
