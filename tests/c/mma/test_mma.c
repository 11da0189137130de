/* Products of warps: the table and its texts, fragments, levels against the exact definition, values worked by hand. */
#include "../check.h"
#include <warpsim/mma/multiply.h>
#include <warpsim/mma/parse.h>

enum { WORDS = WS_LANES * WS_MMA_MAX_REGISTERS, ROUNDS = 24 };

static const char *const KINDS[] = {
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
    "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16",
    "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32",
    "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
    "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32",
    "mma.sync.aligned.m16n8k16.row.col.f16.e5m2.e4m3.f16",
    "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32",
    "mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32",
    "wmma.mma.sync.aligned.row.col.m8n32k16.f16.f32",
    "wmma.mma.sync.aligned.col.row.m16n16k8.f32.tf32.tf32.f32",
    "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32",
    "mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f16",
};

static ws_mma parsed(const char *text) {
    ws_mma mma;
    ws_error error;
    CHECK_EQUAL(ws_mma_parse(text, strlen(text), &mma, &error), WS_OK);
    return mma;
}

/* Every product that a row has, counted: *mma goes through all fields. */
static void each_type(const ws_mma_form *form, ws_mma mma, int row, unsigned long *made) {
    for (mma.rounding = 0; mma.rounding < WS_MMA_ROUNDING_COUNT; mma.rounding++) {
        for (mma.satfinite = 0; mma.satfinite < 2; mma.satfinite++) {
            char written[WS_MMA_TEXT_BYTES];
            ws_text text = ws_text_make(written, sizeof written);
            ws_mma again;
            ws_error error;
            if (!ws_mma_matches(form, &mma)) continue;
            if (form->narrow == WS_MMA_F8F6F4 && ws_mma_find(&mma) < row)
                continue; /* fp8: a row that more chips take */
            ++*made;
            CHECK_EQUAL(ws_mma_find(&mma), row);
            ws_text_add_mma(&text, &mma);
            CHECK(text.wanted < sizeof written);
            if (!CHECK_EQUAL(ws_mma_parse(written, text.length, &again, &error), WS_OK)) puts(written);
            CHECK(again.form == row && again.a == mma.a && again.b == mma.b && again.c == mma.c && again.d == mma.d);
            CHECK(again.rounding == mma.rounding && again.satfinite == mma.satfinite && again.bits == mma.bits);
            CHECK(again.narrow == mma.narrow && again.scale_vec == mma.scale_vec && again.scale == mma.scale);
        }
    }
}

static void test_table_every_product_is_of_one_row_and_is_read_as_written(void) {
    unsigned long made = 0;
    for (int row = 1; row < WS_MMA_FORM_COUNT; row++) {
        const ws_mma_form *form = ws_mma_form_at(row);
        const unsigned long before = made;
        ws_mma mma = {0, form->m, form->n,      form->k,         0,           0, 0, 0, 0, 0, 0,
                      0, 0,       form->narrow, form->scale_vec, form->scale, 0};
        for (mma.kind = 1; mma.kind < WS_MMA_KIND_COUNT; mma.kind++) {
            for (uint32_t types = 0; types < 1u << 8; types++) { /* four of the types that a row can have */
                static const uint8_t factors[] = {WS_TYPE_F16,  WS_TYPE_BF16, WS_TYPE_TF32, WS_TYPE_F64, WS_TYPE_E4M3,
                                                  WS_TYPE_E5M2, WS_TYPE_S8,   WS_TYPE_U8,   WS_TYPE_S4,  WS_TYPE_U4,
                                                  WS_TYPE_B1,   WS_TYPE_E3M2, WS_TYPE_E2M3, WS_TYPE_E2M1};
                static const uint8_t sums[] = {WS_TYPE_F16, WS_TYPE_F32, WS_TYPE_S32, WS_TYPE_F64};
                mma.c = sums[types & 3];
                mma.d = sums[types >> 2 & 3];
                mma.a_layout = (uint8_t)(1 + (types >> 4 & 1));
                mma.b_layout = (uint8_t)(1 + (types >> 5 & 1));
                mma.bits = (uint8_t)(types >> 6);
                for (uint32_t pair = 0; pair < 14 * 14; pair++) {
                    mma.a = factors[pair / 14];
                    mma.b = factors[pair % 14];
                    if (mma.bits < WS_MMA_BITS_COUNT) each_type(form, mma, row, &made);
                }
            }
        }
        CHECK(made > before);
    }
    CHECK(made > 300);
}

/* The last word of a field has a row, and what lies beyond has none. */
static void test_fields_beyond_their_words_are_of_no_row(void) {
    const ws_mma bytes = parsed("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32"),
                 doubles = parsed("mma.sync.aligned.m16n8k4.row.col.rp.f64.f64.f64.f64"), tile = parsed(KINDS[9]);
    ws_mma one = bytes;
    CHECK_EQUAL(ws_mma_find(&one), bytes.form);
    one.satfinite = 2;
    CHECK_EQUAL(ws_mma_find(&one), 0);
    one = doubles;
    for (one.rounding = 0; one.rounding < WS_MMA_ROUNDING_COUNT; one.rounding++)
        CHECK_EQUAL(ws_mma_find(&one), doubles.form);
    CHECK_EQUAL(ws_mma_find(&one), 0);
    for (int a = 0; a < 4; a++) {
        for (int b = 0; b < 4; b++) {
            one = tile;
            one.a_layout = (uint8_t)a;
            one.b_layout = (uint8_t)b;
            CHECK_EQUAL(ws_mma_find(&one), a % 3 != 0 && b % 3 != 0 ? tile.form : 0);
        }
    }
    one = tile;
    one.kind = WS_MMA_NONE;
    CHECK_EQUAL(ws_mma_find(&one), 0);
}

static void test_fragments_hold_every_element_once(void) {
    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; i++) {
        const ws_mma mma = parsed(KINDS[i]);
        for (int operand = WS_OPERAND_A; operand <= WS_OPERAND_D; operand++) {
            const int rows = ws_mma_rows(&mma, operand), cols = ws_mma_cols(&mma, operand);
            const int products = ws_mma_products(&mma);
            uint8_t held[1024] = {0};
            CHECK_EQUAL(ws_mma_values(&mma, operand) * WS_LANES, rows * cols * products);
            for (int lane = 0; lane < WS_LANES; lane++) {
                for (int value = 0; value < ws_mma_values(&mma, operand); value++) {
                    const ws_mma_place place = ws_mma_place_at(&mma, operand, lane, value);
                    if (CHECK(place.row < rows && place.col < cols)) held[place.row * cols + place.col]++;
                }
            }
            for (int at = 0; at < rows * cols; at++) CHECK_EQUAL(held[at], products);
        }
    }
}

/* Numbers of a like size, so that sums round and cancel; every eighth word is any bits. */
static uint32_t element_word(uint64_t *state, int type, int round) {
    const uint64_t r = check_random(state);
    const uint32_t any = (uint32_t)r, spread = (uint32_t)(r >> 40) % (uint32_t)(1 + round);
    if (round % 8 == 7 && r >> 61 == 0) return any;
    switch (type) {
        case WS_TYPE_F16: return (any & 0x83ff83ff) | (0x3c003c00 - spread % 15 * 0x04000400);
        case WS_TYPE_BF16: return (any & 0x807f807f) | (0x3f803f80 - spread * 0x00800080);
        case WS_TYPE_E4M3: return (any & 0x87878787) | 0x38383838;
        case WS_TYPE_E5M2: return (any & 0x83838383) | 0x3c3c3c3c;
        default: return (any & 0x807fffff) | (0x3f800000 - (spread << 23));
    }
}

static void fill(uint64_t *state, const ws_mma *mma, int round, uint32_t words[4][WORDS]) {
    for (int i = 0; i < WORDS; i++) {
        for (int operand = 0; operand < 3; operand++) {
            words[operand][i] = element_word(state, ws_mma_type(mma, operand + 1), round);
        }
        words[3][i] = (uint32_t)check_random(state);
    }
}

/* D by the definition alone. */
static void exactly(const ws_mma *mma, int sm, const ws_mma_batch *batch) {
    ws_mma_plan plan;
    ws_error error;
    ws_mma_view view;
    CHECK_EQUAL(ws_mma_plan_make(mma, sm, batch->selector, WS_SIMD_PORTABLE, &plan, &error), WS_OK);
    plan.is_quick = false;
    ws_mma_batch_view(mma, batch, 0, &view);
    ws_mma_run(&plan, &view);
}

static void test_levels_every_one_equals_the_definition(void) {
    static const int generations[] = {75, 80, 89, 90, 100, 120};
    static uint32_t words[4][WORDS], expected[WORDS], found[WORDS];
    uint64_t state = 19;
    unsigned long made = 0;
    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; i++) {
        const ws_mma mma = parsed(KINDS[i]);
        const size_t bytes = (size_t)(WS_LANES * ws_mma_registers(&mma, WS_OPERAND_D)) * sizeof found[0];
        for (int round = 0; round < ROUNDS * 6; round++) {
            const int sm = generations[round % 6];
            ws_mma_batch batch = {words[0], words[1], words[2], words[3], expected, 0, {NULL, NULL}, {{0, 0}, {0, 0}}};
            if (ws_mma_arithmetic_of(mma.a, sm) == NULL) continue;
            fill(&state, &mma, round / 6, words);
            exactly(&mma, sm, &batch);
            for (int level = WS_SIMD_PORTABLE; level <= ws_simd_best(); level++) {
                batch.d = found;
                CHECK_EQUAL(ws_mma_multiply(&mma, sm, &batch, 1, level, NULL), WS_OK);
                if (!CHECK(memcmp(found, expected, bytes) == 0)) printf("%s sm_%d level %d\n", KINDS[i], sm, level);
                made++;
            }
        }
    }
    CHECK(made > 500);
}

/* One result of m16n8k16 f16 to f32 on sm_`sm`: row 0 of A times column 0 of B, plus c. */
static uint32_t one_result(int sm, const uint16_t a[16], uint32_t c) {
    static uint32_t ra[128], rb[64], rc[128], rd[128];
    const ws_mma mma = parsed(KINDS[0]);
    const ws_mma_batch batch = {ra, rb, rc, NULL, rd, 0, {NULL, NULL}, {{0, 0}, {0, 0}}};
    memset(ra, 0, sizeof ra);
    for (size_t i = 0; i < 64; i++) rb[i] = 0x3c003c00; /* ones */
    for (size_t i = 0; i < 128; i++) rc[i] = c;
    for (size_t k = 0; k < 16; k++) ra[k / 2 % 4 * 4 + k / 8 * 2] |= (uint32_t)a[k] << 16 * (k % 2);
    CHECK_EQUAL(ws_mma_multiply(&mma, sm, &batch, 1, WS_SIMD_AUTO, NULL), WS_OK);
    return rd[0];
}

static void test_values_that_tell_the_rules_apart(void) {
    const uint16_t large_and_tiny[16] = {0x7bff, 0x0001, 0xfbff}; /* 65504 + 2^-24 - 65504: cut at 2^(15 - 25) */
    const uint16_t minus_zero[16] = {0x8000, 0x8000}, infinite[16] = {0x7c00}, both[16] = {0x7c00, 0xfc00};
    const uint16_t halves[16] = {0x3c00, 0, 0, 0, 0, 0, 0, 0, 0xbc00, 0x0001}; /* 1 | -1 + 2^-24: one step or two */
    CHECK_EQUAL(one_result(90, large_and_tiny, 0), 0);
    CHECK_EQUAL(one_result(90, minus_zero, 0x80000000), 0); /* a zero sum is +0 */
    CHECK_EQUAL(one_result(90, infinite, 0x3f800000), 0x7f800000);
    CHECK_EQUAL(one_result(90, both, 0), 0x7fffffff);
    CHECK_EQUAL(one_result(90, minus_zero, 0x7f800001), 0x7fffffff);
    CHECK_EQUAL(one_result(90, infinite, 0xff800000), 0x7fffffff);
    CHECK_EQUAL(one_result(90, halves, 0), 0x33800000);          /* 2^-24 is above 2^(0 - 25) */
    CHECK_EQUAL(one_result(90, halves, 0x40000000), 0x40000000); /* 2 + 2^-24: toward zero */
    CHECK_EQUAL(one_result(80, halves, 0x4b000000), 0x4b000000); /* 2^23 + 1, - 1 */
    CHECK_EQUAL(one_result(80, halves, 0x4b800000), 0x4b7fffff); /* 2^24 + 1 is cut between two steps, then - 1 */
    CHECK_EQUAL(one_result(90, halves, 0x4b800000), 0x4b800000);
}

CHECK_MAIN(test_table_every_product_is_of_one_row_and_is_read_as_written, test_fields_beyond_their_words_are_of_no_row,
           test_fragments_hold_every_element_once, test_levels_every_one_equals_the_definition,
           test_values_that_tell_the_rules_apart)
