/* An instruction in words, and what is undefined about it at a place. */
#include "../ops.h"

static const char *summary(const char *ptx) {
    static char bytes[512];
    const ws_op op = op_of(ptx);
    ws_text text = ws_text_make(bytes, sizeof bytes);
    ws_report_summary(&op, &text);
    return bytes;
}

/* The numbers of the notes about an instruction, as digits. */
static const char *notes(const char *ptx) {
    static char bytes[WS_NOTE_COUNT + 1], words[512];
    const ws_op op = op_of(ptx);
    ws_text text = ws_text_make(bytes, sizeof bytes);
    for (int i = -1; i <= WS_NOTE_COUNT; i++) {
        ws_text note = ws_text_make(words, sizeof words);
        const bool applies = ws_report_note(&op, i, &note);
        CHECK_EQUAL(applies, words[0] != '\0');
        if (applies) ws_text_add_int(&text, i);
    }
    return bytes;
}

static void test_summary_says_what_a_lane_gives_and_gets(void) {
    CHECK_TEXT(summary("ldmatrix.sync.aligned.m8n8.x2.shared.b16"),
               "2 registers of 32 bits a lane; addresses from lanes 0-15, 16 bytes each, aligned to 16");
    CHECK_TEXT(summary("movmatrix.sync.aligned.m8n8.trans.b16"), "1 register of 32 bits a lane");
    CHECK_TEXT(summary("cp.async.cg.shared.global [d], [s], 16;"),
               "copies 16 bytes a lane from global to shared memory");
    CHECK_HAS(summary("wmma.load.a.sync.aligned.row.m16n16k16.shared.f16"), "16x16 matrix, row-major; 8 registers");
}

static void test_notes_are_those_of_the_instruction(void) {
    CHECK_TEXT(notes("ldmatrix.sync.aligned.m8n8.x4.shared.b16"), "");
    CHECK_TEXT(notes("ldmatrix.sync.aligned.m8n8.x2.b16"), "34");
    CHECK_TEXT(notes("ld.b32"), "4");
    CHECK_TEXT(notes("ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8x16.b4x16_p64"), "56");
    CHECK_TEXT(notes("ldmatrix.sync.aligned.m8n16.x1.shared.s8.s4"), "7");
    CHECK_TEXT(notes("cp.async.cg.shared.global [d], [s], 16;"), "8");
    CHECK_TEXT(notes("wmma.load.a.sync.aligned.row.m8n8k32.shared.s4"), "02");
    CHECK_TEXT(notes("wmma.load.b.sync.aligned.row.m32n8k16.shared.f16"), "01");
}

static void test_targets_are_a_first_one_or_names(void) {
    char bytes[512];
    ws_text text = ws_text_make(bytes, sizeof bytes);
    ws_op op = op_of("ldmatrix.sync.aligned.m8n8.x4.shared.b16");
    CHECK_EQUAL(ws_report_targets(&op, &text), 65);
    CHECK_TEXT(bytes, "sm_75 and later");
    text = ws_text_make(bytes, sizeof bytes);
    op = op_of("ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8");
    CHECK_EQUAL(ws_report_targets(&op, &text), 86);
    CHECK_HAS(bytes, "sm_100a, sm_100f, ");
}

/* Rows of 8 halves a pitch apart, from `first` on: how many findings, and the fix of the first. */
static size_t found_at(const char *ptx, uint64_t first, uint64_t pitch, const ws_layout *tile, char fix[400]) {
    const ws_op op = op_of(ptx);
    ws_finding items[64];
    ws_findings sink = {items, 64, 0};
    uint64_t address[WS_LANES];
    ws_access access = ws_access_make_64(address, 1);
    ws_text text = ws_text_make(fix, 400);
    for (int lane = 0; lane < WS_LANES; lane++) address[lane] = first + (uint64_t)lane * pitch;
    access.target = ws_target_find("sm_90");
    (void)ws_report_findings(&op, &access, &sink);
    if (sink.count > 0) ws_report_fix(&op, &items[0], tile, &text);
    return sink.count;
}

static void test_findings_are_of_a_block_with_all_its_shared_memory(void) {
    const ws_layout tile = ws_layout_make(32, 66, 16);
    char fix[400];
    CHECK_EQUAL(found_at("ld.b32", WS_SHARED_WINDOW + 232448 - 128, 4, NULL, fix), 0);
    CHECK_EQUAL(found_at("ld.b32", WS_SHARED_WINDOW + 232448 - 124, 4, NULL, fix), 1);
    CHECK_EQUAL(found_at("ld.b32", 4096, 4, NULL, fix), 0); /* global memory */
    CHECK_EQUAL(found_at("ld.b32", 4096, WS_REPORT_GLOBAL_BYTES_MAX / 31 / 16 * 16, NULL, fix), 32);
    CHECK_EQUAL(found_at("ld.global.b32", 1, 1, NULL, fix), 0);
    CHECK_EQUAL(found_at("ldmatrix.sync.aligned.m8n8.x4.b16", WS_SHARED_WINDOW, 132, NULL, fix), 24);
    CHECK_HAS(fix, "multiples of the row's size in bytes");
    CHECK_EQUAL(found_at("ldmatrix.sync.aligned.m8n8.x4.b16", WS_SHARED_WINDOW, 132, &tile, fix), 24);
    CHECK_HAS(fix, "128 bytes (pad -2)");
}

static void test_sides_of_a_tile_have_their_kinds(void) {
    char bytes[80];
    ws_text text = ws_text_make(bytes, sizeof bytes);
    const ws_op load = op_of("ld.shared.b32"), global = op_of("st.global.b32"),
                copy = op_of("cp.async.cg.shared.global");
    ws_text_add_tile_kinds(&text, WS_TILE_STORE);
    CHECK_TEXT(bytes, "stmatrix, st or cp.async");
    CHECK(ws_tile_side_takes(WS_TILE_LOAD, &load) && !ws_tile_side_takes(WS_TILE_STORE, &load));
    CHECK(ws_tile_side_takes(WS_TILE_STORE, &copy) && !ws_tile_side_takes(WS_TILE_STORE, &global));
}

static void test_candidates_are_every_padding_with_every_swizzle(void) {
    static ws_layout candidate[1 << 15];
    ws_swizzle swizzle[WS_SEARCH_SWIZZLES_MAX];
    const size_t swizzles = ws_search_swizzles(swizzle);
    ws_layout tile = ws_layout_of_type(64, 64, ws_element_type_find("f16", 3));
    CHECK_EQUAL(ws_search_candidates(&tile, candidate, 1 << 15), 65 * swizzles);
    CHECK_EQUAL(candidate[65 * swizzles - 1].pad, WS_SEARCH_PAD_MAX);
    tile = ws_layout_of_type(64, 64, ws_element_type_find("b6x16_p32", 9));
    CHECK_EQUAL(ws_search_candidates(&tile, candidate, 1), 5 * swizzles);
    CHECK(candidate[0].packed && candidate[0].swizzle.unit_is_byte);
    CHECK_EQUAL(ws_element_type_find("f16x", 4), WS_NO_ELEMENT_TYPE);
}

CHECK_MAIN(test_summary_says_what_a_lane_gives_and_gets, test_notes_are_those_of_the_instruction,
           test_targets_are_a_first_one_or_names, test_findings_are_of_a_block_with_all_its_shared_memory,
           test_sides_of_a_tile_have_their_kinds, test_candidates_are_every_padding_with_every_swizzle)
