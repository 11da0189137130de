/* Products of the common case at each level of vector instructions. */
#ifndef WARPSIM_MMA_LEVELS_H
#define WARPSIM_MMA_LEVELS_H

#include "eight.h"
#include "exact.h"

enum {
    WS_MMA_GROUP = 32,    /* results of four rows */
    WS_MMA_LOWEST = -100, /* E between these: everything is a normal float */
    WS_MMA_HIGHEST = 120,
    WS_MMA_ABSENT = -100000, /* exponent of zero */
    WS_MMA_BEYOND = 1000000  /* exponent of infinity and NaN, whatever is added */
};

#define WS_MMA_TWO_112 5192296858534827628530496329220096.0f
#define WS_MMA_TWO_MINUS_112 1.925929944387235853e-34f

/* The elements of A and B: [place][row], [place][column]; integers, in pairs, are where exponents of floats are. */
typedef struct ws_mma_numbers {
    float a[(int)WS_MMA_MAX_STORED * WS_MMA_ROWS];
    float b[WS_MMA_VALUES * WS_MMA_COLS];
    int32_t a_exponent[(int)WS_MMA_MAX_STORED * WS_MMA_ROWS];
    int32_t b_exponent[WS_MMA_VALUES * WS_MMA_COLS];
} ws_mma_numbers;

/* Where the elements of A and B of a tile are. */
typedef struct ws_mma_factors {
    const float *a, *b;
    const int32_t *a_exponent, *b_exponent;
} ws_mma_factors;

static inline ws_mma_factors ws_mma_factors_of(const ws_mma_numbers *numbers) {
    ws_mma_factors factors;
    factors.a = numbers->a;
    factors.b = numbers->b;
    factors.a_exponent = numbers->a_exponent;
    factors.b_exponent = numbers->b_exponent;
    return factors;
}

/* Four rows in one step. */
typedef struct ws_mma_group {
    const float *a, *b;
    const int32_t *a_exponent, *b_exponent;
    const uint8_t *a_order;  /* places of the step's elements */
    const uint8_t *meets[4]; /* and of what those of each row meet */
    bool is_sparse;          /* else all rows meet the same */
    int count;               /* products of the step */
    int32_t floor;
} ws_mma_group;

static inline ws_mma_group ws_mma_group_of(const ws_mma_plan *plan, const ws_mma_tile *tile,
                                           const ws_mma_factors *factors, int row) {
    ws_mma_group group;
    int r;
    group.a = factors->a + row;
    group.b = factors->b;
    group.a_exponent = factors->a_exponent + row;
    group.b_exponent = factors->b_exponent;
    group.a_order = plan->a_order;
    for (r = 0; r < 4; r++) group.meets[r] = ws_mma_meets(plan, tile, row + r);
    group.is_sparse = ws_mma_is_sparse(&plan->mma);
    group.count = plan->step;
    group.floor = plan->floor;
    return group;
}

#ifdef WS_LEVELS_DECLARED
#define WS_LEVEL_DECLARED(level)                                                                                       \
    WS_LEVELS_DECLARED void ws_mma_decode_##level(const ws_mma_format *format, const uint32_t *words, int count,       \
                                                  float *value, int32_t *exponent);                                    \
    WS_LEVELS_DECLARED bool ws_mma_step_tile_##level(const ws_mma_plan *plan, const ws_mma_step *step,                 \
                                                     const ws_mma_factors *factors, ws_mma_tile *tile);                \
    WS_LEVELS_DECLARED bool ws_mma_steps_##level(const ws_mma_plan *plan, const ws_mma_step *step, ws_mma_tile *tile,  \
                                                 ws_mma_numbers *numbers);                                             \
    WS_LEVELS_DECLARED void ws_mma_decode_pairs_##level(const ws_mma_format *format, const uint32_t *words, int count, \
                                                        bool single, int32_t *value);                                  \
    WS_LEVELS_DECLARED void ws_mma_whole_tile_##level(const ws_mma_plan *plan, const ws_mma_factors *factors,          \
                                                      ws_mma_tile *tile);                                              \
    WS_LEVELS_DECLARED void ws_mma_integers_##level(const ws_mma_plan *plan, ws_mma_tile *tile,                        \
                                                    ws_mma_numbers *numbers);                                          \
    WS_LEVELS_DECLARED void ws_mma_bit_counts_##level(const ws_mma_plan *plan, ws_mma_tile *tile);
WS_LEVEL_DECLARED(portable)
WS_LEVEL_DECLARED(sse2)
WS_LEVEL_DECLARED(avx2)
WS_LEVEL_DECLARED(avx512)
#undef WS_LEVEL_DECLARED
#endif

#if WS_LEVELS_MADE & WS_MAKES_PRODUCTS
#define WS_AT_LEVEL static inline WS_TARGET

#define WS_TARGET
#define WS_LEVEL(name) name##_portable
#define WS_EIGHT(name) name##_portable
#include "step_block.h"
#include "whole_block.h"
#undef WS_LEVEL
#undef WS_EIGHT

#if WS_HAS_X86
#define WS_LEVEL(name) name##_sse2
#define WS_EIGHT(name) name##_sse2
#include "step_block.h"
#include "whole_block.h"
#undef WS_LEVEL
#undef WS_EIGHT
#undef WS_TARGET

#define WS_TARGET __attribute__((target("avx2,fma")))
#define WS_LEVEL(name) name##_avx2
#define WS_EIGHT(name) name##_avx2
#include "step_block.h"
#include "whole_block.h"
#undef WS_LEVEL
#undef WS_EIGHT
#undef WS_TARGET

#define WS_TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")))
#define WS_LEVEL(name) name##_avx512
#define WS_EIGHT(name) name##_avx2
#include "step_block.h"
#include "whole_block.h"
#undef WS_LEVEL
#undef WS_EIGHT
#endif
#undef WS_TARGET
#undef WS_AT_LEVEL
#endif

#endif
