/* The functions of rows: each level of vector instructions gives the bits of the portable one, in the lanes of the mask
 * alone. */
#include "../check.h"

#include <warpsim/lanes/levels.h>

enum { ROWS = 64, PREDICATES = 16 };

typedef struct state {
    uint32_t rows[ROWS][WS_LANES], predicates[PREDICATES], carry;
} state;

static uint32_t drawn(uint32_t *seed) {
    *seed = *seed * 1664525 + 1013904223;
    return *seed ^ *seed >> 15;
}

/* Words with few bits and the edges of formats among them. */
static void state_fill(state *s, uint32_t seed) {
    static const uint32_t edges[] = {0,          1,          0x80000000, 0x7fffffff, 0xffffffff,
                                     0x7f800000, 0x7fc00001, 0x4f000000, 0x00800000, 0x38800000,
                                     0x477fefff, 0x7c007c00, 0x00010001, 0x3f800000};
    for (int row = 0; row < ROWS; row++) {
        for (int lane = 0; lane < WS_LANES; lane++) {
            const uint32_t word = drawn(&seed), choice = drawn(&seed) % 32;
            s->rows[row][lane] = choice < sizeof edges / sizeof edges[0] ? edges[choice] : word;
        }
    }
    for (int i = 1; i < PREDICATES; i++) s->predicates[i] = drawn(&seed);
    s->predicates[0] = WS_ALL_LANES;
    s->carry = drawn(&seed);
}

/* One step on rows 0 to 17, or on predicates: references that are good for both. */
static ws_step step_of(uint32_t how, int type, int type2) {
    ws_step step = {0};
    for (uint32_t i = 0; i < WS_STEP_SOURCES; i++) step.s[i] = 2 + 4 * i;
    step.d[0] = 22;
    step.d[1] = 26;
    step.how = how;
    step.type = (uint8_t)type;
    step.type2 = (uint8_t)type2;
    step.immediate = 22;
    return step;
}

static state after(ws_lanes_function *run, const ws_step *step, const state *before, uint32_t mask) {
    state s = *before;
    uint32_t aside[2 * WS_LANES];
    ws_lanes lanes = {0};
    lanes.aside = aside;
    lanes.rows[WS_FRAME_ROWS] = s.rows[0];
    lanes.predicates = s.predicates;
    lanes.carry = s.carry;
    run(&lanes, step, mask);
    s.carry = lanes.carry;
    return s;
}

static bool lanes_are_equal(const state *a, const state *b, uint32_t mask) {
    uint32_t different = a->carry ^ b->carry;
    for (int i = 0; i < PREDICATES; i++) different |= a->predicates[i] ^ b->predicates[i];
    for (int row = 0; row < ROWS; row++) {
        for (int lane = 0; lane < WS_LANES; lane++) {
            different |= (uint32_t)(a->rows[row][lane] != b->rows[row][lane]) << lane;
        }
    }
    return (different & mask) == 0;
}

static void test_levels_agree_and_leave_other_lanes_alone(void) {
    static const uint32_t hows[] = {0, WS_CHOICE_LT, WS_CHOICE_NEU | WS_HOW_FTZ | WS_HOW_AND,
                                    WS_HOW_SAT | WS_HOW_RELU | WS_HOW_FTZ, WS_CHOICE_HI | WS_HOW_CARRIES | WS_HOW_CC};
    static const uint32_t masks[] = {WS_ALL_LANES, 0x0001fff0, 0};
    const int levels = ws_simd_best();
    state before;
    for (uint32_t round = 0; round < 12; round++) {
        const ws_step step = step_of(hows[round % 5], WS_TYPE_S32, WS_TYPE_S32);
        const uint32_t mask = masks[round % 3];
        state_fill(&before, round);
        for (int m = 0; m < WS_LANE_MEANING_COUNT; m++) {
            if (ws_lanes_once(m) != NULL) continue; /* types of its own */
            const state expected = after(ws_lanes_portable(m), &step, &before, mask);
            CHECK(lanes_are_equal(&before, &expected, ~mask));
            for (int level = WS_SIMD_AVX2; level <= levels; level++) {
                const state found = after(ws_lanes_at(m, level), &step, &before, mask);
                if (!CHECK(lanes_are_equal(&expected, &found, WS_ALL_LANES)))
                    printf("meaning %d, level %s\n", m, ws_simd_word(level));
            }
        }
    }
}

static void test_each_meaning_is_compiled_once_or_for_each_level(void) {
    for (int m = 0; m < WS_LANE_MEANING_COUNT; m++) {
        CHECK((ws_lanes_once(m) == NULL) != (ws_lanes_portable(m) == NULL));
        CHECK(ws_lanes_at(m, WS_SIMD_PORTABLE) != NULL);
        CHECK(ws_lanes_at(m, WS_SIMD_SSE2) == ws_lanes_at(m, WS_SIMD_PORTABLE));
#if WS_HAS_X86
        CHECK((ws_lanes_once(m) == NULL) == (ws_lanes_at(m, WS_SIMD_AVX2) != ws_lanes_at(m, WS_SIMD_PORTABLE)));
        CHECK((ws_lanes_once(m) == NULL) == (ws_lanes_at(m, WS_SIMD_AVX512) != ws_lanes_at(m, WS_SIMD_AVX2)));
#endif
    }
}

CHECK_MAIN(test_levels_agree_and_leave_other_lanes_alone, test_each_meaning_is_compiled_once_or_for_each_level)
