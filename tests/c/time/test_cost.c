/* The constants and their sources, and known answers of the laws, each worked out by hand. */
#include "../ops.h"

#define X1 "ldmatrix.sync.aligned.m8n8.x1.shared.b16"
#define X4 "ldmatrix.sync.aligned.m8n8.x4.shared.b16"
#define STORE_X4 "stmatrix.sync.aligned.m8n8.x4.shared.b16"
#define MOVM "movmatrix.sync.aligned.m8n8.trans.b16"
#define COPY "cp.async.cg.shared.global [a], [b], 16;"

enum { MOST_WARPS = 64 };

static ws_profile profile_of(const char *target) { return ws_profile_of(ws_target_find(target)); }

static ws_counts counted(int wavefronts, int groups) {
    ws_counts counts = {1, 1, 0, 0, 0, 0};
    counts.wavefronts = (uint64_t)wavefronts;
    counts.ideal_wavefronts = (uint64_t)groups;
    return counts;
}

static ws_cost cost_of(const char *text, int wavefronts, int groups, int warps) {
    const ws_op op = op_of(text);
    const ws_counts counts = counted(wavefronts, groups);
    const ws_profile profile = profile_of("sm_90");
    return ws_cost_of(&op, &counts, &profile, warps);
}

static ws_demand demand_of(const char *text, int wavefronts, int groups) {
    const ws_op op = op_of(text);
    const ws_counts counts = counted(wavefronts, groups);
    const ws_profile profile = profile_of("sm_90");
    return ws_demand_of(&op, &counts, &profile);
}

/* --- constants --------------------------------------------------------------------------- */

static void test_known_rows_are_unique_and_have_sources(void) {
    int j;
    for (int i = 0; i < WS_KNOWN_COUNT; i++) {
        const ws_known *row = ws_known_at(i);
        CHECK(row->constant < WS_CONSTANT_COUNT && row->basis < WS_BASIS_ASSUMED);
        CHECK(row->value > 0 && row->value < 1e6);
        CHECK(near(row->error, -1) || (row->error >= 0 && row->error < 1));
        CHECK(row->source != NULL && strlen(row->source) > 3);
        CHECK(row->basis != WS_BASIS_FITTED || row->error < 0);
        for (j = 0; j < i; j++)
            CHECK(ws_known_at(j)->number != row->number || ws_known_at(j)->constant != row->constant);
        for (j = 0; j < WS_TARGET_COUNT && ws_target(j)->number != row->number; j++) continue;
        CHECK(j < WS_TARGET_COUNT);
    }
}

static void test_constants_have_names_units_and_meanings(void) {
    for (int i = 0; i < WS_CONSTANT_COUNT; i++) {
        const ws_profile_constant_row *row = ws_profile_constant_at(i);
        CHECK(strlen(row->name) > 0 && strlen(row->unit) > 0 && strlen(row->meaning) > 0);
        for (int j = 0; j < i; j++) CHECK(strcmp(ws_profile_constant_at(j)->name, row->name) != 0);
    }
}

static void test_sm_90_and_its_variants_have_every_constant(void) {
    const ws_profile plain = profile_of("sm_90"), variant = profile_of("sm_90a"),
                     fallback = ws_profile_of(WS_NO_TARGET);
    bool known[WS_CONSTANT_COUNT] = {false};
    for (int i = 0; i < WS_KNOWN_COUNT; i++) {
        if (ws_known_at(i)->number == 90) known[ws_known_at(i)->constant] = true;
    }
    for (int i = 0; i < WS_CONSTANT_COUNT; i++) {
        CHECK(known[i]);
        CHECK(plain.constant[i].basis != WS_BASIS_ASSUMED);
        CHECK(near(plain.constant[i].value, variant.constant[i].value));
        CHECK_EQUAL(plain.constant[i].basis, variant.constant[i].basis);
        CHECK(near(plain.constant[i].value, fallback.constant[i].value));
    }
    CHECK_TEXT(ws_target(fallback.target)->name, "sm_90");
}

static void test_other_targets_assume_what_nobody_knows_there(void) {
    const ws_profile ada = profile_of("sm_86"), hopper = profile_of("sm_90");
    int own = 0;
    for (int i = 0; i < WS_CONSTANT_COUNT; i++) {
        bool known = false;
        for (int j = 0; j < WS_KNOWN_COUNT; j++)
            known = known || (ws_known_at(j)->number == 86 && ws_known_at(j)->constant == i);
        CHECK_EQUAL(ada.constant[i].basis == WS_BASIS_ASSUMED, !known);
        CHECK(known || (near(ada.constant[i].value, hopper.constant[i].value) && ada.constant[i].error < 0));
        own += known;
    }
    CHECK(own >= 3 && own < WS_CONSTANT_COUNT);
    CHECK_EQUAL(ws_profile_shared_bytes(&ada), 101376);
    CHECK_EQUAL(ada.constant[WS_LOAD_LATENCY].basis, WS_BASIS_ASSUMED);
    CHECK_EQUAL(ada.constant[WS_DENSE_FMA].basis, WS_BASIS_SPECIFIED);
    for (int i = 0; i < WS_TARGET_COUNT; i++) {
        const ws_profile profile = ws_profile_of(i);
        for (int j = 0; j < WS_CONSTANT_COUNT; j++)
            CHECK(profile.constant[j].value > 0 && profile.constant[j].source[0] != '\0');
    }
}

static void test_sub_partitions_are_one_to_eight_whatever_the_user_says(void) {
    static const double given[] = {-1e300, -1, 0, 0.5, 1, 4.5, 8, 9, 1e300};
    static const int taken[] = {1, 1, 1, 1, 1, 4, 8, 8, 8};
    ws_profile profile = profile_of("sm_90");
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
        profile.constant[WS_SUB_PARTITIONS].value = given[i];
        CHECK_EQUAL(ws_profile_partitions(&profile), taken[i]);
    }
}

static void test_errors_are_known_only_where_it_was_measured(void) {
    ws_profile hopper = profile_of("sm_90a"), ampere = profile_of("sm_80");
    for (int law = 0; law < WS_LAW_COUNT; law++) {
        CHECK(near(ws_law_error(law, &hopper), ws_law_at(law)->error) && ws_law_at(law)->error > 0);
        CHECK(ws_law_error(law, &ampere) < 0);
    }
    hopper.constant[WS_COPY_PATH].basis = WS_BASIS_USER;
    CHECK(ws_law_error(WS_LAW_PROGRAM, &hopper) < 0);
    CHECK(ws_law_error(WS_LAW_NONE, &hopper) < 0 && ws_law_error(WS_LAW_COUNT, &hopper) < 0);
}

static ws_asked asked_of(double wavefronts) {
    ws_asked asked = {0, 0, 0, 0, 0, true};
    asked.shared = wavefronts;
    return asked;
}

/* Kind, space, warps and quantity of the row for an issue of 6 wavefronts; "none": nobody timed it. */
static const char *law_source(const char *text, double wavefronts, int warps, ws_quantity quantity) {
    const ws_op op = op_of(text);
    const ws_asked asked = asked_of(wavefronts);
    const int law = ws_law_of(&op, &asked, warps, quantity);
    return law == WS_LAW_NONE ? "none" : ws_law_at(law)->source;
}

static bool says(const char *source, const char *words) { return strstr(source, words) != NULL; }

static void test_law_is_that_of_the_kind_the_memory_and_the_quantity(void) {
    CHECK(says(law_source(X4, 6, 8, WS_LATENCY), "chains of ldmatrix"));
    CHECK(says(law_source(X4, 6, 8, WS_INTERVAL), "streams of ldmatrix, 8 or more warps"));
    CHECK(says(law_source(X4, 6, 7, WS_INTERVAL), "streams of ldmatrix, fewer than 8 warps"));
    CHECK(says(law_source(MOVM, 0, 8, WS_INTERVAL), "streams of movmatrix, 8 or more"));
    CHECK(says(law_source(COPY, 6, 8, WS_INTERVAL), "cp.async.cg, 8 or more warps"));
    CHECK(says(law_source(COPY, 6, 7, WS_INTERVAL), "cp.async.cg, fewer than"));
    CHECK(says(law_source(COPY, 5, 8, WS_INTERVAL), "cp.async.cg, fewer than"));
    CHECK(says(law_source("cp.async.ca.shared.global [a], [b], 16;", 1, 8, WS_INTERVAL), "cp.async.ca, 8"));
    CHECK(says(law_source("ld.global.b32", 1, 8, WS_INTERVAL), "ld.global, 8 or more"));
    CHECK(says(law_source("wmma.load.a.sync.aligned.row.m16n16k16.global.f16", 6, 8, WS_LATENCY), "wmma.load.global"));
}

static void test_nobody_timed_these(void) {
    static const char *const texts[] = {
        "ld.b32",
        "st.b32",
        "st.global.b32",
        "ld.shared.v4.u8",
        "ld.shared.v2.u16",
        "ld.shared.v2.b64",
        "ld.global.u8",
        "wmma.store.d.sync.aligned.row.m16n16k16.shared.f32",
        "ldmatrix.sync.aligned.m8n16.x1.shared.s8.s4",
        "wmma.load.a.sync.aligned.row.m8n8k4.shared.f64",
        "ldmatrix.sync.aligned.m8n8.x4.b16",
    };
    const ws_op load = op_of("ld.shared.b64"), x4 = op_of(X4);
    ws_asked some = asked_of(6);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        CHECK_TEXT(law_source(texts[i], 6, 8, WS_LATENCY), "none");
        CHECK_TEXT(law_source(texts[i], 6, 1, WS_INTERVAL), "none");
    }
    CHECK(ws_law_of(&load, &some, 8, WS_LATENCY) != WS_LAW_NONE && ws_program_was_timed(&x4, &some));
    CHECK(!ws_program_was_timed(&load, &some));
    some.usual = false; /* a partial mask, a copy of pieces of sectors */
    CHECK_EQUAL(ws_law_of(&load, &some, 8, WS_LATENCY), WS_LAW_NONE);
    CHECK(!ws_program_was_timed(&x4, &some));
}

static void test_law_rows_are_unique(void) {
    for (int i = WS_LAW_ASSEMBLED + 1; i < WS_LAW_COUNT; i++) {
        for (int j = i + 1; j < WS_LAW_COUNT; j++) {
            const ws_law_row *a = ws_law_at(i), *b = ws_law_at(j);
            CHECK(a->kind != b->kind || a->space != b->space || a->cache != b->cache || a->quantity != b->quantity ||
                  a->many != b->many);
        }
        CHECK(ws_law_at(i)->cases >= 16);
    }
}

/* --- one instruction --------------------------------------------------------------------- */

static void test_latency_is_21_and_2_a_wavefront_and_1_a_further_group(void) {
    for (int w = 0; w <= 32; w++) {
        CHECK(near(cost_of(X4, w, 4, 1).latency, 21 + 2 * w));
        CHECK(near(cost_of("ld.shared.b32", w, 1, 1).latency, 21 + 2 * w));
        CHECK(near(cost_of("ld.shared.b64", w, 2, 1).latency, 21 + 2 * w + 1));
        CHECK(near(cost_of("ld.shared.v4.b32", w, 4, 1).latency, 21 + 2 * w + 3));
        CHECK(near(cost_of("ld.shared.v4.b32", w, 2, 1).latency, 21 + 2 * w + 1)); /* merged */
        CHECK(near(cost_of("ld.shared.b32", w, 0, 1).latency, 21 + 2 * w));
        CHECK(near(cost_of("st.shared.b32", w, 1, 1).latency, 3 + 2 * w));
        CHECK(near(cost_of("st.shared.b64", w, 2, 1).latency, 3 + 2 * w + 2));
        CHECK(near(cost_of("st.shared.v4.b32", w, 4, 1).latency, 3 + 2 * w + 6));
        CHECK(near(cost_of(STORE_X4, w, 4, 1).latency, 3 + 2 * w + 6));
    }
    CHECK(near(cost_of("ld.shared.u8", 1, 1, 1).latency, 23.28));
    CHECK(near(cost_of("ld.shared.s16", 1, 1, 1).latency, 23.28));
    CHECK(near(cost_of("ld.shared.v2.u8", 1, 1, 1).latency, 23));
    CHECK(near(cost_of(MOVM, 0, 0, 1).latency, 24));
    CHECK(near(cost_of("ld.global.b32", 2, 1, 1).latency, 34));
    CHECK(near(cost_of(COPY, 4, 4, 1).latency, 279));
}

static void check_interval(const char *text, int wavefronts, int groups, int warps, double interval, int bound) {
    const ws_cost cost = cost_of(text, wavefronts, groups, warps);
    if (!CHECK(near(cost.interval, interval) && cost.bound == bound)) {
        fprintf(stderr, "    %s, %d wavefronts, %d warps: %g by %s, expected %g by %s\n", text, wavefronts, warps,
                cost.interval, ws_bound_word(cost.bound), interval, ws_bound_word(bound));
    }
}

static void test_interval_both_sides_of_each_bound(void) {
    check_interval(X1, 1, 1, 4, 4.3 / 4, WS_BOUND_WARP); /* an access per 4 cycles and warp, and a gap of 0.3 */
    check_interval(X1, 1, 1, 5, 1, WS_BOUND_DATA_PIPE);
    check_interval(X1, 2, 1, 1, 4.3, WS_BOUND_WARP); /* 2 wavefronts in 4 cycles, 3 in 6 */
    check_interval(X1, 3, 1, 1, 6.3, WS_BOUND_WARP);
    check_interval(X4, 4, 4, 2, 4.15, WS_BOUND_WARP); /* a wavefront per 2 cycles and warp */
    check_interval(X4, 4, 4, 3, 4, WS_BOUND_DATA_PIPE);
    check_interval("ld.shared.b32", 0, 0, 64, 1, WS_BOUND_DATA_PIPE);
    check_interval("st.shared.b32", 1, 1, 4, 1, WS_BOUND_DATA_PIPE); /* 4 cycles of a port; the fifth warp shares one */
    check_interval("st.shared.b32", 1, 1, 5, 1.6, WS_BOUND_SUB_PARTITION);
    check_interval("st.shared.b32", 1, 1, 8, 1, WS_BOUND_DATA_PIPE);
    check_interval("st.shared.b32", 1, 1, 9, 4.0 * 3 / 9, WS_BOUND_SUB_PARTITION);
    check_interval("st.shared.v4.b32", 2, 4, 8, 2.5, WS_BOUND_SUB_PARTITION); /* 10 cycles of a port */
    check_interval("st.shared.v4.b32", 3, 4, 8, 3, WS_BOUND_DATA_PIPE);
    check_interval("st.shared.v4.b32", 5, 4, 1, 10, WS_BOUND_SUB_PARTITION);
    check_interval("st.shared.v4.b32", 6, 4, 1, 12, WS_BOUND_WARP);
    check_interval(MOVM, 0, 0, 1, 4.75, WS_BOUND_WARP);
    check_interval(MOVM, 0, 0, 4, 4.75 / 4, WS_BOUND_WARP);
    check_interval(MOVM, 0, 0, 5, 1, WS_BOUND_DATA_PIPE);
    check_interval(COPY, 4, 4, 16, 4.24, WS_BOUND_GLOBAL);
    check_interval(COPY, 5, 4, 16, 5, WS_BOUND_DATA_PIPE);
    check_interval(COPY, 4, 4, 1, 23.5, WS_BOUND_WARP);
    check_interval("cp.async.ca.shared.global [a], [b], 4;", 1, 1, 4, 13.9 / 4, WS_BOUND_WARP);
    check_interval("cp.async.ca.shared.global [a], [b], 4;", 1, 1, 5, 3.4, WS_BOUND_DATA_PIPE);
}

static void test_lines_of_copies(void) {
    uint64_t source[WS_LANES];
    for (int lane = 0; lane < WS_LANES; lane++) source[lane] = (uint64_t)lane * 16;
    CHECK_EQUAL(ws_copy_lines(source, UINT32_MAX), 4);
    CHECK_EQUAL(ws_copy_lines(source, 0x00ff00ff), 2);
    CHECK_EQUAL(ws_copy_lines(source, 0), 0);
    for (int lane = 0; lane < WS_LANES; lane++) source[lane] = (uint64_t)lane * 128 + 112;
    CHECK_EQUAL(ws_copy_lines(source, UINT32_MAX), 32);
    source[31] = 127;
    CHECK_EQUAL(ws_copy_lines(source, UINT32_MAX), 31);
    source[31] = 128;
    CHECK_EQUAL(ws_copy_lines(source, UINT32_C(1) | UINT32_C(1) << 31), 2);
}

static void test_what_is_asked_of_the_memories(void) {
    const ws_op global = op_of("ld.global.b32"), generic = op_of("ld.b32"), copy = op_of(COPY);
    const ws_profile profile = profile_of("sm_90");
    const ws_counts four = counted(4, 4);
    uint64_t address[WS_LANES];
    uint32_t to[WS_LANES], mask = 0x0000ffff;
    ws_access access;
    ws_asked asked;
    for (int lane = 0; lane < WS_LANES; lane++) address[lane] = UINT64_C(0x7f0000000000) + (uint64_t)lane * 128;
    access = ws_access_make_64(address, 1);
    asked = ws_asked_of(&global, &access, 0); /* 32 lines, eight in each tag bank; all words in bank 0 */
    CHECK(near(asked.tags, 8) && near(asked.banks, 32) && near(asked.slower, 32) && near(asked.shared, 0) &&
          asked.usual);
    CHECK(near(ws_asked_of(&generic, &access, 0).slower, 32));
    for (int lane = 0; lane < WS_LANES; lane++) address[lane] = (uint64_t)lane * (128 + 4);
    asked = ws_asked_of(&global, &access, 0); /* 32 lines, eight in each tag bank; a word in each bank */
    CHECK(near(asked.tags, 8) && near(asked.banks, 1) && near(asked.slower, 8));
    for (int lane = 0; lane < WS_LANES; lane++) address[lane] = UINT64_C(0x7f0000000000) + (uint64_t)lane * 128;
    access.shared_window = UINT64_C(0x7f0000000000);
    asked = ws_asked_of(&generic, &access, 0);
    CHECK(near(asked.shared, 32) && near(asked.tags, 0) && near(asked.slower, 0));
    access.active = &mask;
    CHECK(!ws_asked_of(&generic, &access, 0).usual);
    for (int lane = 0; lane < WS_LANES; lane++) to[lane] = (uint32_t)lane * 16, address[lane] = (uint64_t)lane * 128;
    access = ws_access_make(to, 1);
    access.source = address;
    asked = ws_asked_of(&copy, &access, 0);
    CHECK(asked.lines == 32 && !asked.usual);
    CHECK(near(ws_cost_of_demand(ws_demand_at(&copy, &four, &asked, &profile), &profile, 16).interval, 32 * 1.06));
    for (int lane = 0; lane < WS_LANES; lane++) address[lane] = (uint64_t)lane * 16;
    CHECK(ws_asked_of(&copy, &access, 0).usual);
}

static void test_global_loads_wait_for_tags_and_banks(void) {
    const ws_op load = op_of("ld.global.b32"), generic = op_of("ld.b32");
    const ws_profile profile = profile_of("sm_90");
    const ws_counts counts = counted(12, 0);
    ws_asked asked = asked_of(0);
    ws_cost cost;
    asked.tags = 11, asked.banks = 4, asked.slower = 11;
    cost = ws_cost_of_demand(ws_demand_at(&load, &counts, &asked, &profile), &profile, 8);
    CHECK(near(cost.latency, 29 + 11 + 2 * 4) && near(cost.interval, 11));
    cost = ws_cost_of_demand(ws_demand_at(&generic, &counts, &asked, &profile), &profile, 8);
    CHECK(near(cost.latency, 29 + 11 + 2 * 4));
    cost = ws_cost_of_demand(ws_demand_at(&load, &counts, &asked, &profile), &profile, 1);
    CHECK(near(cost.interval, 11) && near(cost.part[WS_BOUND_WARP], 2 * 4 + 1.9));
    asked.tags = 1, asked.banks = 1, asked.slower = 1;
    cost = ws_cost_of_demand(ws_demand_at(&load, &counts, &asked, &profile), &profile, 1);
    CHECK(near(cost.latency, 32) && near(cost.interval, 4 + 1.9));
}

/* --- programs ---------------------------------------------------------------------------- */

static ws_program_cost run(int warps, const ws_demand *steps, int count) {
    const ws_profile profile = profile_of("sm_90");
    ws_program program = ws_program_begin(&profile);
    for (int warp = 0; warp < warps; warp++) {
        ws_program_warp(&program);
        for (int step = 0; step < count; step++) ws_program_add(&program, &steps[step]);
    }
    return ws_program_end(&program);
}

static void test_program_a_load_cannot_pass_a_store(void) {
    const ws_demand load = demand_of(X4, 4, 4), store = demand_of(STORE_X4, 5, 4);
    const ws_demand loads[2] = {load, load}, stores[2] = {store, store}, both[2] = {store, load},
                    turned[2] = {load, store};
    CHECK(near(run(1, loads, 2).cycles, 8 + 29));
    CHECK(near(run(1, stores, 2).cycles, 10 + 19)); /* a store's port is busy for 2 + 2 * 4 cycles */
    CHECK(near(run(1, both, 2).cycles, 19 + 29));
    CHECK(near(run(1, turned, 2).cycles, 29)); /* the load's data come later than the store is done: 8 + 19 */
    CHECK_EQUAL(run(1, both, 2).bound, WS_BOUND_WARP);
    CHECK_EQUAL(run(1, loads, 1).bound, WS_BOUND_LATENCY);
}

/* More of the same for many warps; more of anything for one. */
static void test_program_of_more_never_costs_less(void) {
    static const char *const texts[] = {X1, X4, "ld.shared.b32", "st.shared.b32", STORE_X4, MOVM, COPY};
    uint64_t state = 7;
    for (int round = 0; round < 1000; round++) {
        const bool same = round % 3 == 0;
        const int warps = same ? 1 + (int)(check_random(&state) % MOST_WARPS) : 1;
        const char *text = texts[check_random(&state) % 7];
        ws_demand steps[6];
        double before = 0;
        for (int i = 0; i < 6; i++) {
            const int wavefronts = 5 + (same ? round : (int)check_random(&state) & 0xff) % 28;
            ws_program_cost cost;
            if (!same) text = texts[check_random(&state) % 7];
            steps[i] = demand_of(text, wavefronts, 1);
            cost = run(warps, steps, i + 1);
            CHECK(cost.cycles >= before - 1e-9 && cost.cycles >= cost.wavefronts);
            before = cost.cycles;
        }
    }
}

static void test_program_drains_all_but_the_two_longest_last_accesses(void) {
    const ws_profile profile = profile_of("sm_90");
    static const int wavefronts[4] = {3, 32, 5, 7};
    ws_program program = ws_program_begin(&profile);
    ws_program_cost cost;
    for (int warp = 0; warp < 4; warp++) {
        const ws_demand first = demand_of(X4, 4, 4), last = demand_of(X4, wavefronts[warp], 4);
        ws_program_warp(&program);
        ws_program_add(&program, &first);
        ws_program_add(&program, &last);
    }
    cost = ws_program_end(&program);
    CHECK(near(cost.part[WS_PROGRAM_DRAIN], 3 + 5));
    CHECK(near(cost.part[WS_PROGRAM_DATA_PIPE], 4 * 4 + 47));
    CHECK(near(cost.part[WS_PROGRAM_WARP], 8 + 64));
    CHECK(near(cost.part[WS_PROGRAM_START], 7));
    CHECK(near(cost.cycles, 21 + 7 + 72)); /* 63 + 8 < 72 */
    CHECK_EQUAL(cost.bound, WS_BOUND_WARP);
}

static void test_program_bounds_have_their_names(void) {
    const ws_demand load = demand_of(X4, 32, 4), store = demand_of(STORE_X4, 4, 4);
    ws_demand many[12];
    for (int i = 0; i < 12; i++) many[i] = load;
    CHECK_EQUAL(run(8, many, 12).bound, WS_BOUND_DATA_PIPE);
    CHECK_EQUAL(run(1, many, 12).bound, WS_BOUND_WARP);
    for (int i = 0; i < 12; i++) many[i] = store;
    CHECK_EQUAL(run(1, many, 12).bound, WS_BOUND_WARP); /* nothing waits for the port's last access */
    for (int i = 0; i < 12; i++) many[i] = demand_of("st.shared.v4.b32", 2, 4);
    CHECK_EQUAL(run(8, many, 12).bound, WS_BOUND_SUB_PARTITION);
}

static void test_program_of_nothing_costs_nothing(void) {
    const ws_program_cost cost = run(1, NULL, 0);
    CHECK(near(cost.cycles, 0) && near(cost.wavefronts, 0));
}

static void test_tile_cycles_are_those_of_the_program(void) {
    static const struct {
        const char *text;
        int groups;
    } ops[] = {{X4, 4},
               {"ldmatrix.sync.aligned.m8n8.x1.shared.b16", 4},
               {"ld.shared.v4.b32", 4},
               {"ld.shared.b32", 1},
               {"st.shared.v4.b32", 4},
               {"st.shared.b64", 2},
               {STORE_X4, 4}};
    const ws_profile profile = profile_of("sm_90");
    uint32_t random = 1;
    for (size_t k = 0; k < sizeof ops / sizeof ops[0]; k++) {
        const ws_op op = op_of(ops[k].text);
        for (int round = 0; round < 200; round++) {
            const int warps = 1 + round % 5, steps = 1 + round / 5 % 6;
            int64_t wavefronts[5 * 6];
            ws_program program = ws_program_begin(&profile);
            for (int i = 0; i < warps * steps; i++) {
                ws_demand one;
                random = random * 1664525 + 1013904223;
                wavefronts[i] = 1 + (random >> 24) % (round % 2 == 0 ? 33 : 5);
                one = demand_of(ops[k].text, (int)wavefronts[i], ops[k].groups);
                if (i % steps == 0) ws_program_warp(&program);
                ws_program_add(&program, &one);
            }
            CHECK(near(ws_tile_cycles(&op, &profile, wavefronts, warps, steps), ws_program_end(&program).cycles));
        }
    }
}

CHECK_MAIN(test_known_rows_are_unique_and_have_sources, test_constants_have_names_units_and_meanings,
           test_sm_90_and_its_variants_have_every_constant, test_other_targets_assume_what_nobody_knows_there,
           test_sub_partitions_are_one_to_eight_whatever_the_user_says,
           test_errors_are_known_only_where_it_was_measured, test_law_is_that_of_the_kind_the_memory_and_the_quantity,
           test_nobody_timed_these, test_law_rows_are_unique,
           test_latency_is_21_and_2_a_wavefront_and_1_a_further_group, test_interval_both_sides_of_each_bound,
           test_lines_of_copies, test_what_is_asked_of_the_memories, test_global_loads_wait_for_tags_and_banks,
           test_program_a_load_cannot_pass_a_store, test_program_of_more_never_costs_less,
           test_program_drains_all_but_the_two_longest_last_accesses, test_program_bounds_have_their_names,
           test_program_of_nothing_costs_nothing, test_tile_cycles_are_those_of_the_program)
