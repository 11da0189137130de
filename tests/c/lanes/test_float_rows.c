/* Statements of floating point over rows: answers of an H200, at every level that this CPU has. */
#include <warpsim/lanes/forms_float.h>
#include <warpsim/lanes/levels.h>

#include "../check.h"

typedef struct answer {
    const char *opcode;
    uint64_t sources[3], result;
} answer;

static const answer answers[] = {
#include "float_answers.inc"
};

enum { BEFORE = 0x5a5a5a5a, ROW_OF_D = 0, ROW_OF_SOURCES = 2, ROWS = 8 };

typedef struct operation {
    ws_opcode_match match;
    int meaning, sources;
    bool is_test, is_wide; /* a predicate; d of 64 bits */
} operation;

static bool find(const char *opcode, operation *found) {
    size_t count, i;
    const ws_statement_form *forms = ws_forms_float(&count);
    for (i = 0; i < count; i++) {
        const char *at = forms[i].operands;
        if (!ws_form_matches(&forms[i], opcode, strlen(opcode), &found->match)) continue;
        found->meaning = forms[i].meaning;
        found->is_test = *at == 'p';
        found->is_wide = ws_type_bits(found->match.type[0]) == 64;
        for (found->sources = 0; *at != '\0'; at++) found->sources += *at == 's' || *at == 'k';
        return true;
    }
    return false;
}

static uint32_t rows[ROWS * WS_LANES], predicates[2];

static void set(int row, int lane, uint64_t value) {
    rows[row * WS_LANES + lane] = (uint32_t)value;
    rows[(row + 1) * WS_LANES + lane] = (uint32_t)(value >> 32);
}

static uint64_t get(const operation *of, int lane) {
    const uint64_t high = of->is_wide ? rows[(ROW_OF_D + 1) * WS_LANES + lane] : 0;
    return of->is_test ? predicates[1] >> lane & 1 : high << 32 | rows[ROW_OF_D * WS_LANES + lane];
}

static void run(const operation *of, int level, int sources, uint32_t mask) {
    uint32_t aside[2 * WS_LANES];
    ws_lanes lanes = {{rows, NULL, NULL}, predicates, NULL, aside, mask, 0, 0};
    ws_step step;
    memset(&step, 0, sizeof step);
    step.how = of->match.how;
    step.d[0] = of->is_test ? 1 << 1 : ROW_OF_D;
    step.d[1] = WS_NONE;
    for (int i = 0; i < WS_STEP_SOURCES; i++) step.s[i] = i < sources ? (uint32_t)(ROW_OF_SOURCES + 2 * i) : WS_NONE;
    predicates[0] = WS_ALL_LANES;
    ws_lanes_at(of->meaning, level)(&lanes, &step, mask);
}

/* The answer in the lanes of the mask and nothing in the others; 16-bit registers have anything above their bits. */
static void check_answer(const answer *one, const operation *of, int level, uint32_t mask) {
    const bool narrow = ws_type_bits(of->match.type[0]) == 16;
    const int sources = of->sources == 3 && strstr(one->opcode, "fma") == NULL ? 2 : of->sources;
    bool same = true;
    for (int lane = 0; lane < WS_LANES; lane++) {
        set(ROW_OF_D, lane, (uint64_t)BEFORE << 32 | BEFORE);
        for (int i = 0; i < 3; i++)
            set(ROW_OF_SOURCES + 2 * i, lane, one->sources[i] | (narrow ? (uint64_t)(lane + 1) << 16 : 0));
    }
    predicates[1] = 0;
    run(of, level, sources, mask);
    for (int lane = 0; lane < WS_LANES; lane++) {
        const uint64_t before = of->is_test ? 0 : of->is_wide ? (uint64_t)BEFORE << 32 | BEFORE : BEFORE;
        const uint64_t result = narrow && (mask >> lane & 1) ? get(of, lane) & 0xffff : get(of, lane);
        same &= result == ((mask >> lane & 1) ? one->result : before);
    }
    if (!CHECK(same))
        fprintf(stderr, "    %s at %s: got 0x%llx\n", one->opcode, ws_simd_word(level), (unsigned long long)get(of, 0));
}

static void test_answers_of_hardware(void) {
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        operation of;
        if (!CHECK(find(answers[i].opcode, &of))) continue;
        for (int level = WS_SIMD_PORTABLE; level <= ws_simd_best(); level++) {
            check_answer(&answers[i], &of, level, WS_ALL_LANES);
            check_answer(&answers[i], &of, level, 0x80000001);
        }
    }
}

/* Any bits, and often what is near the ends of the formats. */
static uint64_t random_value(uint64_t *state) {
    const uint64_t r = check_random(state), ends = UINT64_C(0x7f007f8000800001);
    return r % 3 == 0 ? check_random(state) : (check_random(state) & UINT64_C(0x800f800f800f800f)) ^ (r & ends);
}

static void test_every_form_is_the_same_at_every_level(void) {
    size_t count;
    const ws_statement_form *forms = ws_forms_float(&count);
    uint64_t state = 19, portable[WS_LANES];
    for (size_t i = 0; i < count; i++) {
        static const uint32_t modifiers[] = {0, WS_HOW_FTZ, WS_HOW_SAT, WS_HOW_FTZ | WS_HOW_SAT, WS_ROUND_UP};
        operation of = {{0, {0, 0, 0, 0}, 0, 1},
                        forms[i].meaning,
                        3,
                        forms[i].operands[0] == 'p',
                        strstr(forms[i].opcode, "64") || strstr(forms[i].opcode, "f32x2")};
        for (int repeat = 0; repeat < 40; repeat++) {
            of.match.how = modifiers[repeat % 5] & (strstr(forms[i].opcode, ".f64") ? WS_HOW_ROUNDING : UINT32_MAX);
            for (int k = 0; k < 3 * WS_LANES; k++)
                set(ROW_OF_SOURCES + k / WS_LANES * 2, k % WS_LANES, random_value(&state));
            for (int level = WS_SIMD_PORTABLE; level <= ws_simd_best(); level++) {
                bool same = true;
                run(&of, level, repeat % 2 != 0 && strstr(forms[i].operands, "?") ? 2 : 3, WS_ALL_LANES);
                for (int lane = 0; lane < WS_LANES; lane++) {
                    if (level == WS_SIMD_PORTABLE) portable[lane] = get(&of, lane);
                    same &= portable[lane] == get(&of, lane);
                }
                if (!CHECK(same)) fprintf(stderr, "    %s at %s\n", forms[i].opcode, ws_simd_word(level));
            }
        }
    }
}

static uint64_t once(const char *opcode, int sources, uint64_t a, uint64_t b, uint64_t c) {
    operation of;
    if (!CHECK(find(opcode, &of))) return 0;
    for (int lane = 0; lane < WS_LANES; lane++) {
        set(ROW_OF_SOURCES, lane, a);
        set(ROW_OF_SOURCES + 2, lane, b);
        set(ROW_OF_SOURCES + 4, lane, c);
    }
    run(&of, WS_SIMD_PORTABLE, sources, WS_ALL_LANES);
    return get(&of, 5);
}

/* What sm_100 adds, as PTX defines it by what is older. */
static void test_newer_forms_are_made_of_older_ones(void) {
    const uint64_t a = UINT64_C(0xff8000003f800001), b = UINT64_C(0x7f80000033800001), c = UINT64_C(0x3f8000003f800000);
    CHECK_EQUAL(once("add.rz.f32x2", 2, a, b, 0), UINT64_C(0x7fffffff3f800001));
    CHECK_EQUAL(once("add.rp.f32x2", 2, a, b, 0), UINT64_C(0x7fffffff3f800002));
    CHECK_EQUAL(once("fma.rn.f32x2", 3, a, c, b), UINT64_C(0x7fffffff3f800002));
    CHECK_EQUAL(once("mul.f32x2", 2, a, c, 0), a);
    CHECK_EQUAL(once("sub.f32x2", 2, a, c, 0), UINT64_C(0xff80000034000000));
    CHECK_EQUAL(once("add.rn.f32.f16", 2, 0x0001, 0x3f800000, 0), 0x3f800000);
    CHECK_EQUAL(once("add.rp.f32.f16", 2, 0x0001, 0x3f800000, 0), 0x3f800001);
    CHECK_EQUAL(once("add.rz.f32.f16", 2, 0x3c00, 0x33800001, 0), 0x3f800000);
    CHECK_EQUAL(once("add.rp.f32.bf16", 2, 0x3f80, 0x33800001, 0), 0x3f800001);
    CHECK_EQUAL(once("sub.rm.f32.f16", 2, 0xbc00, 0x33800001, 0), 0xbf800001);
    CHECK_EQUAL(once("sub.rz.f32.bf16", 2, 0xbf80, 0x33800001, 0), 0xbf800000);
    CHECK_EQUAL(once("sub.f32.bf16", 2, 0x3f80, 0x40000000, 0), 0xbf800000);
    CHECK_EQUAL(once("fma.rn.sat.f32.f16", 3, 0x3c00, 0x4000, 0xbf800000), 0x3f800000);
    CHECK_EQUAL(once("fma.rn.sat.f32.f16", 3, 0x3c00, 0x4000, 0xc0000000), 0);
    CHECK_EQUAL(once("min.f32", 3, 0x40000000, 0xc0400000, 0x3f800000), 0xc0400000);
    CHECK_EQUAL(once("min.abs.f32", 3, 0x40000000, 0xc0400000, 0xbf800000), 0x3f800000);
    CHECK_EQUAL(once("max.f32", 3, 0x7fc00000, 0xc0400000, 0x7fc00000), 0xc0400000);
    CHECK_EQUAL(once("max.NaN.f32", 3, 1, 2, 0xffc00001), 0x7fffffff);
}

CHECK_MAIN(test_answers_of_hardware, test_every_form_is_the_same_at_every_level,
           test_newer_forms_are_made_of_older_ones)
