/* Products that cannot be asked for, and what the error names. */
#include "../check.h"
#include <warpsim/mma/multiply.h>
#include <warpsim/mma/parse.h>

enum { WORDS = WS_LANES * WS_MMA_MAX_REGISTERS };

static ws_mma parsed(const char *text) {
    ws_mma mma;
    ws_error error;
    CHECK_EQUAL(ws_mma_parse(text, strlen(text), &mma, &error), WS_OK);
    return mma;
}

static void test_wrong_requests_are_refused(void) {
    static uint32_t words[WORDS];
    const ws_mma dense = parsed("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"),
                 sparse = parsed("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32"),
                 fp8 = parsed("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32"),
                 none = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    ws_mma_batch batch = {words, words, words, NULL, words, 0, {NULL, NULL}, {{0, 0}, {0, 0}}};
    ws_error error;
    CHECK_EQUAL(ws_mma_multiply(&none, 90, &batch, 1, 0, &error), WS_INVALID_ARGUMENT);
    CHECK_EQUAL(ws_mma_multiply(&sparse, 90, &batch, 1, 0, &error), WS_INVALID_ARGUMENT);
    CHECK_TEXT(error.argument, "metadata");
    CHECK_EQUAL(ws_mma_multiply(&fp8, 80, &batch, 1, 0, &error), WS_UNSUPPORTED);
    batch.selector = 1;
    CHECK_EQUAL(ws_mma_multiply(&dense, 90, &batch, 1, 0, &error), WS_INVALID_ARGUMENT);
    CHECK_TEXT(error.argument, "selector");
    batch.metadata = words;
    CHECK_EQUAL(ws_mma_multiply(&sparse, 90, &batch, 1, 0, &error), WS_OK);
    batch.selector = 2;
    CHECK_EQUAL(ws_mma_multiply(&sparse, 90, &batch, 1, 0, &error), WS_INVALID_ARGUMENT);
}

static void test_scales_are_words_of_ids_that_exist(void) {
    static uint32_t words[WORDS];
    const ws_mma mma =
        parsed("mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0");
    ws_mma_batch batch = {words, words, words, NULL, words, 0, {words, words}, {{2, 1}, {2, 3}}};
    const ws_mma_batch good = batch;
    ws_error error;
    CHECK_EQUAL(ws_mma_multiply(&mma, 120, &batch, 1, 0, &error), WS_OK);
    for (int wrong = 0; wrong < 6; wrong++) {
        batch = good;
        if (wrong < 2) batch.scales[wrong] = NULL;
        else if (wrong < 4) batch.scale_id[wrong - 2].byte = 1;
        else batch.scale_id[wrong - 4].thread = 4;
        CHECK_EQUAL(ws_mma_multiply(&mma, 120, &batch, 1, 0, &error), WS_INVALID_ARGUMENT);
        CHECK_TEXT(error.argument, "scales");
    }
    CHECK_EQUAL(ws_mma_type(&mma, WS_OPERAND_D), WS_TYPE_F32);
    CHECK_EQUAL(ws_mma_type(&mma, WS_OPERAND_D + 1), WS_TYPE_NONE);
}

CHECK_MAIN(test_wrong_requests_are_refused, test_scales_are_words_of_ids_that_exist)
