/* Both sides of every version bound and of every target rule. */
#include "../ops.h"

static int target_of(const char *name) {
    const int target = ws_target_find(name);
    CHECK(target != WS_NO_TARGET);
    return target;
}

static int previous_ptx(int ptx) {
    for (ptx--; ptx >= WS_FIRST_PTX && !ws_ptx_exists(ptx); ptx--) {
    }
    return ptx;
}

/* The last version that refuses and the first one that takes the text, from the "PTX ISA Notes". */
static void test_version_both_sides_of_a_bound_differ(void) {
    static const struct {
        const char *text, *target, *refused, *taken, *reason;
    } cases[] = {
        {"ldmatrix.sync.aligned.m8n8.x4.shared.b16", "sm_75", "6.4", "6.5", "ldmatrix needs PTX 6.5 or later, not 6.4"},
        {"ldmatrix.sync.aligned.m8n8.x4.b16", "sm_75", "6.4", "6.5", "needs PTX 6.5"},
        {"ldmatrix.sync.aligned.m8n8.x4.shared::cta.b16", "sm_75", "7.7", "7.8",
         "::cta needs PTX 7.8 or later, not 7.7"},
        {"stmatrix.sync.aligned.m8n8.x4.shared.b16", "sm_90", "7.7", "7.8", "stmatrix needs PTX 7.8"},
        {"stmatrix.sync.aligned.m8n8.x4.shared::cta.b16", "sm_90", "7.7", "7.8", "needs PTX 7.8"},
        {"movmatrix.sync.aligned.m8n8.trans.b16", "sm_75", "7.7", "7.8", "movmatrix needs PTX 7.8"},
        {"ld.shared::cta.b32", "sm_60", "7.7", "7.8", "::cta needs PTX 7.8"},
        {"st.shared::cta.v4.f32", "sm_80", "7.7", "7.8", "::cta needs PTX 7.8"},
        {"ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8", "sm_100a", "8.5", "8.6", "needs PTX 8.6"},
        {"ldmatrix.sync.aligned.m16n16.x2.trans.shared::cta.b8", "sm_100a", "8.5", "8.6", "needs PTX 8.6"},
        {"ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8x16.b6x16_p32", "sm_101a", "8.5", "8.6", "needs PTX 8.6"},
        {"ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8x16.b4x16_p64", "sm_120a", "8.6", "8.7",
         "sm_120a does not exist in PTX 8.6"},
        {"ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b6x16_p32", "sm_100f", "8.7", "8.8",
         "sm_100f does not exist in PTX 8.7"},
        {"ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b4x16_p64", "sm_110a", "8.8", "9.0",
         "sm_110a does not exist in PTX 8.8"},
        {"stmatrix.sync.aligned.m16n8.x1.trans.shared.b8", "sm_100a", "8.5", "8.6", "needs PTX 8.6"},
        {"ldmatrix.sync.aligned.m8n16.x1.shared.s8.s4", "sm_90a", "9.3", "9.4", "needs PTX 9.4 or later, not 9.3"},
        {"cp.async.ca.shared.global [d], [s], 4;", "sm_80", "6.5", "7.0", "cp.async needs PTX 7.0"},
        {"cp.async.cg.shared.global [d], [s], 16;", "sm_80", "6.5", "7.0", "cp.async needs PTX 7.0"},
        {"ld.shared.b32", "sm_89", "7.7", "7.8", "target sm_89 does not exist in PTX 7.7: it exists from PTX 7.8"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const ws_op op = op_of(cases[i].text);
        const int target = target_of(cases[i].target);
        const ws_legality before = ws_legality_of(&op, target, ws_ptx_find(cases[i].refused));
        const ws_legality after = ws_legality_of(&op, target, ws_ptx_find(cases[i].taken));
        bool said = false;
        CHECK_EQUAL(previous_ptx(ws_ptx_find(cases[i].taken)), ws_ptx_find(cases[i].refused));
        CHECK(!before.ok);
        if (!CHECK(after.ok)) fprintf(stderr, "    %s\n", cases[i].text);
        CHECK_EQUAL(before.min_ptx, ws_ptx_find(cases[i].taken));
        for (int j = 0; j < before.reason_count; j++) said |= strstr(before.reasons[j], cases[i].reason) != NULL;
        if (!CHECK(said)) fprintf(stderr, "    %s: %s\n", cases[i].text, before.reasons[0]);
    }
}

static void test_version_renamed_target_is_refused_after_its_last(void) {
    const ws_op op = op_of("ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8");
    const ws_op younger = op_of("ldmatrix.sync.aligned.m8n16.x1.shared.s8.s4");
    const ws_legality gone = ws_legality_of(&op, target_of("sm_101a"), 90);
    CHECK(ws_legality_of(&op, target_of("sm_101a"), 88).ok);
    CHECK(!gone.ok);
    CHECK_EQUAL(gone.min_ptx, 86);
    CHECK_HAS(gone.reasons[0], "up to PTX 8.8 (sm_101 was renamed sm_110)");
    CHECK_HAS(ws_legality_of(&op, target_of("sm_100"), 90).reasons[0],
              "f families; plain sm_100 has no ldmatrix.m16n16.b8");
    CHECK_EQUAL(ws_op_min_ptx_at(&younger, target_of("sm_101a")), 0); /* 9.4: the name has ended */
}

static void test_target_both_sides_of_a_rule_differ(void) {
    static const struct {
        const char *text, *refused[4], *taken[4], *reason;
    } cases[] = {
        {"ldmatrix.sync.aligned.m8n8.x1.shared.b16", {"sm_60", "sm_72"}, {"sm_75", "sm_121"}, "needs sm_75 or higher"},
        {"stmatrix.sync.aligned.m8n8.x1.shared.b16",
         {"sm_75", "sm_89"},
         {"sm_90", "sm_90a", "sm_100"},
         "needs sm_90 or higher"},
        {"movmatrix.sync.aligned.m8n8.trans.b16", {"sm_72"}, {"sm_75", "sm_90"}, "needs sm_75 or higher"},
        {"cp.async.ca.shared.global [d], [s], 8;", {"sm_75"}, {"sm_80"}, "needs sm_80 or higher"},
        {"ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8",
         {"sm_90a", "sm_100", "sm_121"},
         {"sm_100a", "sm_100f", "sm_121f"},
         "plain sm_100 has no ldmatrix.m16n16.b8"},
        {"ldmatrix.sync.aligned.m8n16.x1.b8x16.b6x16_p32", {"sm_90a", "sm_103"}, {"sm_103a", "sm_107f"}, "sm_107a"},
        {"stmatrix.sync.aligned.m16n8.x1.trans.shared.b8",
         {"sm_90", "sm_90a", "sm_120"},
         {"sm_120a", "sm_110f"},
         "sm_110a"},
        {"ldmatrix.sync.aligned.m8n16.x1.shared.s8.s4",
         {"sm_89", "sm_90", "sm_100"},
         {"sm_90a", "sm_100a", "sm_120f"},
         "needs sm_90a, sm_100a"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const ws_op op = op_of(cases[i].text);
        bool said = false;
        for (size_t j = 0; j < 4 && cases[i].refused[j] != NULL; j++) {
            const ws_legality legality = ws_legality_of(&op, target_of(cases[i].refused[j]), WS_LAST_PTX);
            CHECK(!legality.ok);
            CHECK_EQUAL(legality.min_ptx, 0);
            for (int k = 0; k < legality.reason_count; k++)
                said |= strstr(legality.reasons[k], cases[i].reason) != NULL;
        }
        if (!CHECK(said)) fprintf(stderr, "    %s\n", cases[i].text);
        for (size_t j = 0; j < 4 && cases[i].taken[j] != NULL; j++) {
            CHECK(ws_legality_of(&op, target_of(cases[i].taken[j]), WS_LAST_PTX).ok);
        }
    }
}

/* From the release notes, as the assemblers were seen to take the names. */
static void test_target_first_and_last_version_are_those_of_the_assembler(void) {
    static const struct {
        int ptx;
        const char *names[10];
    } firsts[] = {
        {60, {"sm_60", "sm_61", "sm_62", "sm_70"}},
        {61, {"sm_72"}},
        {63, {"sm_75"}},
        {70, {"sm_80"}},
        {71, {"sm_86"}},
        {74, {"sm_87"}},
        {78, {"sm_89", "sm_90"}},
        {80, {"sm_90a"}},
        {86, {"sm_100", "sm_100a", "sm_101", "sm_101a"}},
        {87, {"sm_120", "sm_120a"}},
        {88, {"sm_100f", "sm_101f", "sm_103", "sm_103a", "sm_103f", "sm_120f", "sm_121", "sm_121a", "sm_121f"}},
        {90, {"sm_88", "sm_110", "sm_110a", "sm_110f"}},
        {94, {"sm_107", "sm_107a", "sm_107f"}},
    };
    int named = 0;
    for (size_t i = 0; i < sizeof firsts / sizeof firsts[0]; i++) {
        for (size_t j = 0; j < 10 && firsts[i].names[j] != NULL; j++, named++) {
            const int target = target_of(firsts[i].names[j]);
            const bool renamed = strncmp(firsts[i].names[j], "sm_101", 6) == 0;
            CHECK(!ws_target_exists_at(target, previous_ptx(firsts[i].ptx)));
            CHECK(ws_target_exists_at(target, firsts[i].ptx));
            CHECK(ws_target_exists_at(target, 88) == (firsts[i].ptx <= 88));
            CHECK(ws_target_exists_at(target, WS_LAST_PTX) != renamed);
        }
    }
    CHECK_EQUAL(named, WS_TARGET_COUNT);
}

/* min_ptx and targets say what a scan over all versions finds, and a refusal always has a reason. */
static void test_legality_every_form_target_and_version_is_consistent(void) {
    uint64_t seen[WS_FORM_COUNT] = {0};
    for (uint32_t index = 0; index < CROSS_SIZE; index++) {
        const ws_op op = cross_op(index);
        uint64_t targets = 0;
        if (op.form == 0 || (seen[op.form] >> op.space & 1)) continue;
        seen[op.form] |= UINT64_C(1) << op.space;
        for (int target = 0; target < WS_TARGET_COUNT; target++) {
            int lowest = 0;
            for (int ptx = WS_FIRST_PTX; ptx <= WS_LAST_PTX; ptx++) {
                ws_legality legality;
                if (!ws_ptx_exists(ptx)) continue;
                legality = ws_legality_of(&op, target, ptx);
                if (legality.ok && lowest == 0) lowest = ptx;
                if (legality.ok) targets |= UINT64_C(1) << target;
                CHECK_EQUAL(legality.ok,
                            legality.min_ptx != 0 && ptx >= legality.min_ptx && ws_target_exists_at(target, ptx));
                CHECK_EQUAL(legality.ok, legality.reason_count == 0);
                CHECK(legality.reason_count <= WS_MAX_REASONS);
                for (int i = 0; i < legality.reason_count; i++) {
                    CHECK(strlen(legality.reasons[i]) > 0 &&
                          strlen(legality.reasons[i]) < WS_REASON_BYTES - 1); /* not cut */
                }
            }
            CHECK_EQUAL(ws_op_min_ptx_at(&op, target), lowest);
        }
        CHECK_EQUAL(ws_op_targets(&op), targets);
    }
}

static void test_names_every_one_is_found_and_no_other(void) {
    static const char *const no_targets[] = {"", "sm_", "sm_90b", "sm_9", "sm_900", "SM_90", "sm_90 ", "sm_88a", "90"};
    static const char *const no_versions[] = {"",     "6",    "6.",  "6.6", "5.9", "7.9", "8.9", "9.6",
                                              "10.0", "6.50", "6.:", "a.b", "6,5", " .5", "~.0"};
    int versions = 0;
    for (int target = 0; target < WS_TARGET_COUNT; target++)
        CHECK_EQUAL(ws_target_find(ws_target(target)->name), target);
    for (int target = 1; target < WS_TARGET_COUNT; target++)
        CHECK(ws_target(target)->number >= ws_target(target - 1)->number);
    for (size_t i = 0; i < sizeof no_targets / sizeof no_targets[0]; i++)
        CHECK_EQUAL(ws_target_find(no_targets[i]), WS_NO_TARGET);
    for (int ptx = 0; ptx < 256; ptx++) {
        const char text[] = {(char)('0' + ptx / 10 % 10), '.', (char)('0' + ptx % 10), '\0'};
        if (!ws_ptx_exists(ptx)) continue;
        CHECK_EQUAL(ws_ptx_find(text), ptx);
        versions++;
    }
    CHECK_EQUAL(versions, 6 + 9 + 9 + 6);
    for (size_t i = 0; i < sizeof no_versions / sizeof no_versions[0]; i++) CHECK_EQUAL(ws_ptx_find(no_versions[i]), 0);
}

CHECK_MAIN(test_version_both_sides_of_a_bound_differ, test_version_renamed_target_is_refused_after_its_last,
           test_target_both_sides_of_a_rule_differ, test_target_first_and_last_version_are_those_of_the_assembler,
           test_legality_every_form_target_and_version_is_consistent, test_names_every_one_is_found_and_no_other)
