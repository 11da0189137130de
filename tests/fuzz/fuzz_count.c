/* ws_count: every counter against the reference, level against level, a batch against its warps. */
#include "decode.h"
#include "print_case.h"
#include "reference/count.h"

static void check_counts(const ws_counts *actual, const ref_counts *expected, uint64_t times) {
    FUZZ_CHECK_EQUAL(actual->instructions, expected->instructions * times);
    FUZZ_CHECK_EQUAL(actual->requests, expected->requests * times);
    FUZZ_CHECK_EQUAL(actual->wavefronts, expected->wavefronts * times);
    FUZZ_CHECK_EQUAL(actual->ideal_wavefronts, expected->ideal * times);
    FUZZ_CHECK_EQUAL(actual->bank_conflicts, expected->conflicts * times);
    FUZZ_CHECK_EQUAL(actual->sectors, expected->sectors * times);
}

/* One warp by itself, and each warp of a batch. */
static void check_batch(const fuzz_case *c, fuzz_access *a, const ref_counts expected[FUZZ_WARPS]) {
    ws_counts *each = (ws_counts *)fuzz_block(c->n * sizeof *each);
    const ws_plan plan = ws_plan_make(c->op, &a->access);
    ws_count_range(&plan, &a->access, 0, c->n, each, NULL);
    for (size_t warp = 0; warp < c->n; warp++) check_counts(&each[warp], &expected[warp % (size_t)c->different], 1);
    free(each);
    if (ws_count_is_uniform(&plan, &a->access)) {
        int64_t *wavefronts = (int64_t *)fuzz_block(c->n * sizeof *wavefronts);
        ws_count_wavefronts(&plan, &a->access, 0, c->n, wavefronts);
        for (size_t warp = 0; warp < c->n; warp++)
            FUZZ_CHECK_EQUAL(wavefronts[warp], expected[warp % (size_t)c->different].wavefronts);
        free(wavefronts);
    }
    ws_count_inexact(c->op, &a->access);
}

/* The cells that explain one warp's wavefronts: as many passes as were counted. */
static void check_cells(const fuzz_case *c, fuzz_access *a, const ref_counts *expected) {
    ws_bank_cells *cells = (ws_bank_cells *)fuzz_block(sizeof *cells);
    uint64_t wavefronts = 0;
    ws_explain_warp(c->op, &a->access, 0, cells);
    FUZZ_CHECK(cells->cells <= WS_MAX_CELLS && cells->groups <= WS_MAX_GROUPS);
    for (int i = 0; i < cells->groups; i++) wavefronts += cells->group_wavefronts[i];
    if (c->form->shared || ref_is_matrix(c->form)) FUZZ_CHECK_EQUAL(wavefronts, expected->wavefronts);
    for (int i = 0; i < cells->cells; i++) {
        FUZZ_CHECK(cells->cell[i].group < cells->groups && cells->cell[i].lane < 32);
        FUZZ_CHECK_EQUAL(cells->cell[i].bank, cells->cell[i].word % 32);
        FUZZ_CHECK(c->form->is_cg || cells->cell[i].pass < cells->group_wavefronts[cells->cell[i].group]);
    }
    free(cells);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const uint16_t many[] = {63, 64, 65, 130, 255, 256, 257, 300};
    fuzz_input in = fuzz_input_make(data, size);
    fuzz_case c;
    fuzz_access a;
    ref_counts expected[FUZZ_WARPS], sum = {0, 0, 0, 0, 0, 0};
    ws_counts counts;
    ws_error error;
    uint8_t how;
    fuzz_take_form(&in, &c);
    how = fuzz_u8(&in);
    fuzz_take_memory(&in, &c);
    fuzz_take_issues(&in, &c);
    if (how % 64 == 63) c.n = FUZZ_CHOOSE(&in, many);
    for (int i = 0; i < c.different; i++) {
        const bool sm_75 = c.issue[i].target != 0 && c.issue[i].target < 80;
        expected[i] = ref_count(c.form, c.form->lowering[sm_75], &c.issue[i], c.window);
    }
    for (size_t warp = 0; warp < c.n; warp++) {
        const ref_counts *one = &expected[warp % (size_t)c.different];
        sum.instructions += one->instructions;
        sum.requests += one->requests;
        sum.wavefronts += one->wavefronts;
        sum.ideal += one->ideal;
        sum.conflicts += one->conflicts;
        sum.sectors += one->sectors;
    }
    a = fuzz_access_make(&c, c.n);
    a.access.simd = how % WS_SIMD_COUNT;
    FUZZ_CHECK_EQUAL(ws_count(c.op, &a.access, &counts, &error), WS_OK);
    FUZZ_CHECK_EQUAL(error.message[0], 0);
    check_counts(&counts, &sum, 1);
    if (how / 8 % 4 == 0) check_batch(&c, &a, expected);
    if (how / 8 % 4 == 1) check_cells(&c, &a, &expected[0]);
    fuzz_access_free(&a);
    if (fuzz_prints) print_count(&c, expected);
    return 0;
}
