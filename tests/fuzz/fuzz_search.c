/* Layouts, tiles and their search: every address, counter and reason against the reference, the ranking against all pairs. */
#include "decode.h"
#include "reference/layout.h"

enum { MOST_CANDIDATES = 8, MOST_BYTES = 6144 };

static ref_unit units[REF_MOST_UNITS];

static const ref_form *take_form(fuzz_input *in, const ws_op **op) {
    static const char *const usual[] = {"ldmatrix.sync.aligned.m8n8.x4.shared.b16",
                                        "st.shared.v4.b32",
                                        "ld.shared.v4.b32",
                                        "cp.async.cg.shared.global [dst], [src], 16;",
                                        "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16",
                                        "cp.async.ca.shared.global [dst], [src], 4;",
                                        "st.shared.b32",
                                        "st.shared.b8"};
    static int number[sizeof usual / sizeof usual[0]], ready = 0;
    const uint8_t which = fuzz_u8(in);
    int i = 0;
    fuzz_ops_make();
    for (int k = 0; !ready && k < 8; k++) {
        for (i = 0; i < REF_FORMS; i++) {
            char text[128];
            ref_form_text(&ref_forms[i], text, sizeof text);
            if (ref_is(text, usual[k])) number[k] = i;
        }
    }
    ready = 1;
    i = which % 4 != 3 ? number[which / 4 % 8] : fuzz_below(in, REF_FORMS);
    *op = &fuzz_ops[i];
    return &ref_forms[i];
}

static void take_swizzle(fuzz_input *in, ref_layout *l) {
    const int distance = fuzz_u8(in) % 8;
    l->b = fuzz_u8(in) % 5;
    l->m = fuzz_u8(in) % 8;
    l->s = distance < l->b ? l->b : distance;
    if (fuzz_u8(in) % 4 == 3) l->s = -l->s;
    l->in_bytes = l->packed || fuzz_u8(in) % 2 == 1;
    if (l->b == 0) l->m = l->s = 0;
}

static void take_layout(fuzz_input *in, ref_layout *l) {
    static const uint8_t sizes[] = {8, 16, 32, 64, 1, 24, 48, 40, 96, 128, 4, 12},
                         bits[] = {16, 16, 16, 32, 8, 4, 64, 6, 4};
    static const uint8_t pads[] = {0, 0, 8, 16, 1, 4, 32, 2};
    const uint8_t type = fuzz_u8(in) % 9;
    l->rows = FUZZ_CHOOSE(in, sizes);
    l->cols = FUZZ_CHOOSE(in, sizes);
    l->bits = bits[type];
    l->packed = type >= 7;
    l->by_col = fuzz_u8(in) % 4 == 3;
    l->pad = FUZZ_CHOOSE(in, pads) * (l->packed ? 16 : 1);
    take_swizzle(in, l);
    while (ref_dense_bytes(l) > MOST_BYTES && ref_runs(l) > 1) {
        if (l->by_col) l->cols /= 2;
        else l->rows /= 2;
    }
}

static ws_layout core_layout(const ref_layout *l) {
    ws_layout layout = ws_layout_make(l->rows, l->cols, l->bits);
    layout.pad = l->pad;
    layout.packed = l->packed;
    layout.col_major = l->by_col;
    layout.swizzle.bits = (int8_t)l->b;
    layout.swizzle.base = (int8_t)l->m;
    layout.swizzle.shift = (int8_t)l->s;
    layout.swizzle.unit_is_byte = l->in_bytes;
    return layout;
}

static void check_layout(fuzz_input *in, const ref_layout *l) {
    const ws_layout layout = core_layout(l);
    for (int i = 0; i < 4; i++) {
        const int row = fuzz_u8(in) % l->rows, col = fuzz_u8(in) % l->cols;
        FUZZ_CHECK_EQUAL(ws_layout_offset(&layout, row, col), ref_offset(l, row, col));
    }
    FUZZ_CHECK_EQUAL(ws_layout_pitch_bytes(&layout), ref_pitch_bits(l) / 8);
    FUZZ_CHECK_EQUAL(ws_layout_nbytes(&layout), ref_end_byte(l));
}

/* Lane addresses at any place: inside of the image, or refused with a place outside the matrix. */
static void check_addresses(fuzz_input *in, const ref_layout *l, const ref_form *f, const ws_op *op) {
    const ws_layout layout = core_layout(l);
    const bool by_row = fuzz_u8(in) % 2 == 1;
    const int row0 = fuzz_u8(in) % (l->rows + 2) - 1, col0 = fuzz_u8(in) % (l->cols + 2) - 1;
    int64_t row = row0, col = col0, address[WS_LANES];
    const int64_t end = ws_layout_nbytes(&layout);
    if (!ws_layout_addresses(&layout, op, &row, &col, by_row, address)) return;
    FUZZ_CHECK(ref_has_units(f) && row0 >= 0 && col0 >= 0);
    for (int lane = 0; lane < WS_LANES; lane++) FUZZ_CHECK(address[lane] >= 0 && address[lane] < end);
    if (l->packed) return;
    for (int lane = 0; lane < WS_LANES && ref_is_matrix(f); lane++) {
        const int wide = f->width * 8 / l->bits, matrix = lane % f->lanes / f->rows, line = lane % f->rows;
        const int down = by_row ? matrix / 2 : matrix % 2, right = by_row ? matrix % 2 : matrix / 2;
        const int r = row0 + down * (l->by_col ? wide : f->rows) + (l->by_col ? 0 : line);
        const int c = col0 + right * (l->by_col ? f->rows : wide) + (l->by_col ? line : 0);
        FUZZ_CHECK_EQUAL(address[lane], ref_offset(l, r, c));
    }
}

/* One side of a tile: its units, their addresses and what they count; the wavefronts of all, or -1 where it does not cover. */
static void check_tile(fuzz_input *in, const ref_layout *l, const ref_form *f, const ws_op *op) {
    const ws_layout layout = core_layout(l);
    const int64_t warps = (int64_t)(fuzz_u8(in) % 9);
    const int expected = ref_units(l, f, units), level = fuzz_u8(in) % WS_SIMD_COUNT;
    ws_tiling tiling;
    ws_error error;
    ws_counts *counts;
    int64_t *address;
    const ws_status status = ws_tile_cover(&layout, op, warps, &tiling, &error);
    if (expected > REF_MOST_UNITS) return;
    FUZZ_CHECK_EQUAL(status, expected > 0 && warps > 0 && expected % warps == 0 ? WS_OK : WS_INVALID_ARGUMENT);
    FUZZ_CHECK((status == WS_OK) == (error.message[0] == 0));
    if (status != WS_OK) return;
    FUZZ_CHECK_EQUAL(tiling.units, expected);
    FUZZ_CHECK_EQUAL(tiling.steps, expected / warps);
    counts = (ws_counts *)fuzz_block((size_t)expected * sizeof *counts);
    address = (int64_t *)fuzz_block((size_t)expected * WS_LANES * sizeof *address);
    ws_tile_steps(&layout, op, &tiling, address);
    ws_tile_count(&layout, op, &tiling, level, counts);
    for (int64_t warp = 0; warp < warps; warp++) {
        for (int64_t step = 0; step < tiling.steps; step++) {
            const int64_t at = warp * tiling.steps + step;
            const ref_unit *unit = &units[step * warps + warp];
            const ref_counts one = ref_count_unit(f, unit);
            for (int lane = 0; lane < WS_LANES; lane++)
                FUZZ_CHECK_EQUAL(address[at * WS_LANES + lane], unit->address[lane]);
            FUZZ_CHECK_EQUAL(counts[at].wavefronts, one.wavefronts);
            FUZZ_CHECK_EQUAL(counts[at].bank_conflicts, one.conflicts);
            FUZZ_CHECK_EQUAL(counts[at].ideal_wavefronts, one.ideal);
            FUZZ_CHECK_EQUAL(counts[at].sectors, one.sectors);
        }
    }
    free(counts);
    free(address);
}

/* What is wrong with a tile can be said in any room. */
static void check_findings(fuzz_input *in, const ref_layout *l, const ws_op *store, const ws_op *load) {
    const ws_layout layout = core_layout(l);
    const ws_profile profile = ws_profile_of(fuzz_u8(in) % WS_TARGET_COUNT);
    ws_tile_finding found[WS_TILE_MAX_FINDINGS];
    const int count = ws_tile_find(&layout, store, load, &profile, found);
    FUZZ_CHECK(count >= 0 && count <= WS_TILE_MAX_FINDINGS);
    for (int i = 0; i < count; i++) {
        const size_t room = 1 + fuzz_u8(in) * 4u;
        char *bytes = (char *)fuzz_block(room);
        ws_text text = ws_text_make(bytes, room);
        ws_tile_finding_write(&layout, found[i].side == WS_TILE_LOAD ? load : store, &profile, &found[i], &text);
        FUZZ_CHECK(strlen(bytes) == text.length && text.wanted > 10);
        free(bytes);
    }
}

enum { MOST_FORMS = 4 };

static ws_search_reason reason_of(const ref_layout *l, const ref_form *const *form, const ws_search_terms *terms,
                                  uint64_t *bytes) {
    const uint64_t shared = (uint64_t)ws_profile_shared_bytes(terms->profile);
    if (!ref_is_spelled(l)) return WS_SEARCH_PAD;
    for (int i = 0; i < terms->count; i++) {
        const int n = ref_units(l, form[i], units);
        if (n == 0 || terms->warps < 1 || n % terms->warps != 0) return WS_SEARCH_COVER;
    }
    for (int i = 0; i < terms->count; i++) {
        if (!ref_runs_are_aligned(l, form[i]->width)) return WS_SEARCH_PITCH;
    }
    for (int i = 0; i < terms->count; i++) {
        if (!ref_pieces_stay_whole(l, form[i]->width)) return WS_SEARCH_SWIZZLE;
    }
    *bytes = ref_end_byte(l);
    if (*bytes > (uint64_t)terms->max_bytes) return WS_SEARCH_BYTES;
    return *bytes > shared ? WS_SEARCH_SHARED : WS_SEARCH_COUNTED;
}

/* Wavefronts of one side, and its cycles as a program of its accesses. */
static int64_t side_of(const ref_form *f, const ws_op *op, const ref_unit *unit, int n, const ws_search_terms *terms,
                       double *cycles) {
    ws_program program = ws_program_begin(terms->profile);
    ws_demand demand = ws_tile_demand(op, terms->profile);
    int64_t sum = 0;
    for (int64_t warp = 0; warp < terms->warps; warp++) {
        ws_program_warp(&program);
        for (int64_t step = 0; step < n / terms->warps; step++) {
            const ref_counts one = ref_count_unit(f, &unit[step * terms->warps + warp]);
            sum += (int64_t)one.wavefronts;
            demand.wavefronts = (double)one.wavefronts;
            ws_program_add(&program, &demand);
        }
    }
    *cycles = ws_program_end(&program).cycles;
    return sum;
}

/* Is candidate i better than j: cycles, bytes, then the simpler one, then the earlier? */
static bool is_better(const ref_layout *l, const ws_search_row *row, int i, int j) {
    const double a[] = {row[i].cycles, (double)row[i].bytes, l[i].b > 0, l[i].pad, l[i].by_col, l[i].b,
                        l[i].m,        abs(l[i].s),          l[i].s < 0, i};
    const double b[] = {row[j].cycles, (double)row[j].bytes, l[j].b > 0, l[j].pad, l[j].by_col, l[j].b,
                        l[j].m,        abs(l[j].s),          l[j].s < 0, j};
    size_t k = 0;
    while (k < sizeof a / sizeof a[0] && a[k] <= b[k] && a[k] >= b[k]) k++;
    return k < sizeof a / sizeof a[0] && a[k] < b[k];
}

static void check_ranking(const ref_layout *l, const ws_layout *candidate, const ws_search_row *row, size_t n) {
    int64_t *order = (int64_t *)fuzz_block(n * sizeof *order), *scratch = (int64_t *)fuzz_block(n * sizeof *scratch);
    int64_t *front = (int64_t *)fuzz_block(n * sizeof *front);
    const size_t kept = ws_search_rank(candidate, row, n, order, scratch),
                 on_front = ws_search_pareto(row, order, kept, front);
    size_t counted = 0, found = 0;
    for (size_t i = 0; i < n; i++) counted += row[i].rejected == WS_SEARCH_COUNTED;
    FUZZ_CHECK_EQUAL(kept, counted);
    for (size_t i = 1; i < kept; i++) FUZZ_CHECK(is_better(l, row, (int)order[i - 1], (int)order[i]));
    for (size_t i = 0; i < kept; i++) {
        const ws_search_row *one = &row[order[i]];
        bool beaten = false;
        for (size_t j = 0; j < kept; j++) {
            const ws_search_row *other = &row[order[j]];
            beaten |= other->cycles <= one->cycles && other->bytes <= one->bytes &&
                      (other->cycles < one->cycles || other->bytes < one->bytes);
        }
        if (beaten) continue;
        FUZZ_CHECK(found < on_front);
        FUZZ_CHECK_EQUAL(front[found++], i);
    }
    FUZZ_CHECK_EQUAL(found, on_front);
    free(order);
    free(scratch);
    free(front);
}

static bool sizes_are_small(const ref_layout *l, const ref_form *const *form, int count) {
    for (int i = 0; i < count; i++) {
        if (ref_units(l, form[i], units) > REF_MOST_UNITS) return false;
    }
    return true;
}

static void check_search(fuzz_input *in, const ref_layout *first) {
    static const uint8_t steps[] = {0, 8, 16, 1, 4, 32};
    const size_t n = 1 + fuzz_u8(in) % MOST_CANDIDATES;
    ref_layout l[MOST_CANDIDATES];
    ws_layout *candidate = (ws_layout *)fuzz_block(n * sizeof *candidate);
    ws_search_row *row = (ws_search_row *)fuzz_block(n * sizeof *row);
    const ws_profile profile = ws_profile_of(ws_target_find("sm_90"));
    const ref_form *form[MOST_FORMS];
    const int count = 1 + fuzz_u8(in) % MOST_FORMS;
    bool have_units = true;
    ws_search_terms terms;
    ws_error error;
    void *storage;
    terms.count = count;
    for (int i = 0; i < count; i++) {
        const ws_op *op;
        form[i] = take_form(in, &op);
        terms.op[i] = *op;
        terms.weight[i] = 1 + fuzz_u8(in) % 4;
        have_units &= ref_has_units(form[i]);
    }
    for (size_t i = 0; i < n; i++) {
        l[i] = i == 0 ? *first : l[i - 1];
        if (i > 0 && fuzz_u8(in) % 4 == 0) l[i].pad = FUZZ_CHOOSE(in, steps) * (l[i].packed ? 16 : 1);
        if (i > 0) take_swizzle(in, &l[i]);
        if (i > 0 && fuzz_u8(in) % 16 == 0) l[i].by_col = !l[i].by_col;
        candidate[i] = core_layout(&l[i]);
    }
    terms.warps = 1 + fuzz_u8(in) % 5;
    terms.max_bytes = fuzz_u8(in) % 4 == 3 ? fuzz_u16(in) : INT64_MAX;
    terms.profile = &profile;
    terms.simd = fuzz_u8(in) % WS_SIMD_COUNT;
    storage = fuzz_block(8 * ws_search_words(candidate, n, &terms));
    if (ws_search(candidate, n, &terms, storage, row, &error) != WS_OK) {
        FUZZ_CHECK(!have_units);
    } else {
        FUZZ_CHECK(have_units);
        for (size_t i = 0; i < n && sizes_are_small(&l[i], form, count); i++) {
            int64_t wavefronts[2] = {0, 0};
            uint64_t bytes = 0;
            double sum = 0;
            FUZZ_CHECK_EQUAL(row[i].rejected, reason_of(&l[i], form, &terms, &bytes));
            if (row[i].rejected != WS_SEARCH_COUNTED) continue;
            FUZZ_CHECK_EQUAL(row[i].bytes, bytes);
            for (int k = 0; k < count; k++) {
                double cycles;
                const int n_units = ref_units(&l[i], form[k], units);
                const bool reads = !ws_tile_side_takes(WS_TILE_STORE, &terms.op[k]);
                wavefronts[reads] += side_of(form[k], &terms.op[k], units, n_units, &terms, &cycles);
                sum += terms.weight[k] * cycles;
            }
            FUZZ_CHECK_EQUAL(row[i].store_wavefronts, wavefronts[0]);
            FUZZ_CHECK_EQUAL(row[i].load_wavefronts, wavefronts[1]);
            FUZZ_CHECK(row[i].cycles - sum < 1e-6 && row[i].cycles - sum > -1e-6);
        }
        check_ranking(l, candidate, row, n);
    }
    free(storage);
    free(candidate);
    free(row);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input in = fuzz_input_make(data, size);
    const uint8_t how = fuzz_u8(&in);
    const ref_form *store, *load;
    const ws_op *store_op, *load_op;
    ref_layout l;
    take_layout(&in, &l);
    if (how % 4 == 0) {
        check_search(&in, &l);
        return 0;
    }
    if (!ref_is_spelled(&l)) return 0;
    store = take_form(&in, &store_op);
    load = take_form(&in, &load_op);
    (void)store;
    check_layout(&in, &l);
    check_addresses(&in, &l, load, load_op);
    check_tile(&in, &l, load, load_op);
    if (how % 8 == 1 && ref_has_units(store) && ref_has_units(load)) check_findings(&in, &l, store_op, load_op);
    return 0;
}
