/* Rows <-> registers: every level that this CPU has does what the headers of the instructions do, and nothing else. */
#include <warpsim/warpsim.h>

#include "../check.h"

enum { BYTES = 4096, WARPS = 40, FENCE = 64, MOST_WORDS = 16 };

static const char *const texts[] = {
    "ldmatrix.sync.aligned.m8n8.x1.shared.b16",
    "ldmatrix.sync.aligned.m8n8.x2.shared.b16",
    "ldmatrix.sync.aligned.m8n8.x4.shared.b16",
    "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16",
    "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16",
    "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16",
    "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8",
    "ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8",
    "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8x16.b6x16_p32",
    "ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8x16.b6x16_p32",
    "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8x16.b4x16_p64",
    "ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8x16.b4x16_p64",
    "ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b6x16_p32",
    "ldmatrix.sync.aligned.m8n16.x2.shared.b8x16.b6x16_p32",
    "ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b6x16_p32",
    "ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b4x16_p64",
    "ldmatrix.sync.aligned.m8n16.x2.shared.b8x16.b4x16_p64",
    "ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b4x16_p64",
    "ldmatrix.sync.aligned.m8n16.x1.shared.s8.s4",
    "ldmatrix.sync.aligned.m8n16.x2.shared.s8.s4",
    "ldmatrix.sync.aligned.m8n16.x4.shared.s8.s4",
    "stmatrix.sync.aligned.m8n8.x1.shared.b16",
    "stmatrix.sync.aligned.m8n8.x2.shared.b16",
    "stmatrix.sync.aligned.m8n8.x4.shared.b16",
    "stmatrix.sync.aligned.m8n8.x1.trans.shared.b16",
    "stmatrix.sync.aligned.m8n8.x2.trans.shared.b16",
    "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16",
    "stmatrix.sync.aligned.m16n8.x1.trans.shared.b8",
    "stmatrix.sync.aligned.m16n8.x2.trans.shared.b8",
    "stmatrix.sync.aligned.m16n8.x4.trans.shared.b8",
    "ld.shared.b32",
    "ld.shared.v2.b32",
    "ld.shared.v4.b32",
    "ld.shared.b64",
    "ld.shared.v2.b64",
    "ld.shared.u8",
    "st.shared.b32",
    "st.shared.v2.b32",
    "st.shared.v4.b32",
    "st.shared.b64",
    "st.shared.v2.b64",
    "st.shared.b16",
    "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16",
    "wmma.load.a.sync.aligned.col.m16n16k16.shared.f16",
    "wmma.load.b.sync.aligned.row.m8n32k16.shared.bf16",
    "wmma.load.a.sync.aligned.row.m32n8k16.shared.u8",
    "wmma.load.a.sync.aligned.col.m32n8k16.shared.s8",
    "wmma.load.c.sync.aligned.row.m16n16k16.shared.f32",
    "wmma.load.c.sync.aligned.col.m16n16k16.shared.f16",
    "wmma.load.a.sync.aligned.row.m8n8k4.shared.f64",
    "wmma.load.b.sync.aligned.col.m16n16k8.shared.tf32",
    "wmma.load.a.sync.aligned.row.m8n8k32.shared.s4",
    "wmma.load.b.sync.aligned.col.m8n8k128.shared.b1",
    "wmma.store.d.sync.aligned.row.m16n16k16.shared.f32",
    "wmma.store.d.sync.aligned.col.m8n32k16.shared.f16",
    "wmma.store.d.sync.aligned.row.m8n8k4.shared.f64",
};
enum { TEXTS = sizeof texts / sizeof *texts };

static uint32_t addresses[WARPS * 32];
static uint8_t image[BYTES + FENCE], image_before[BYTES + FENCE], image_expected[BYTES + FENCE];
static uint32_t registers[WARPS * 32 * MOST_WORDS + FENCE], registers_before[WARPS * 32 * MOST_WORDS + FENCE];
static uint32_t registers_expected[WARPS * 32 * MOST_WORDS + FENCE];
static size_t warps_compared;

/* One warp, by the header that bears the instruction's name. */
static void move_alone(const ws_op *op, const ws_memory *memory, const ws_access *access, size_t warp) {
    ws_move_warp(op, memory, access, warp, NULL, (uint8_t *)registers_expected + warp * ws_warp_register_bytes(op));
}

static void compare(const ws_op *op, size_t bytes, uint32_t base, size_t n, int bad_warp) {
    int level;
    size_t warp;
    for (level = WS_SIMD_PORTABLE; level <= ws_simd_best(); level++) {
        ws_access access = ws_access_make(addresses, n);
        ws_memory memory;
        ws_findings sink = {NULL, 0, 0};
        size_t done;
        access.simd = level;
        memcpy(image, image_before, sizeof image);
        memcpy(registers_expected, registers_before, sizeof registers);
        memory = ws_memory_make(image, bytes, base);
        for (warp = 0; warp < (bad_warp < 0 ? n : (size_t)bad_warp); warp++) move_alone(op, &memory, &access, warp);
        memcpy(image_expected, image, sizeof image);
        memcpy(image, image_before, sizeof image);
        memcpy(registers, registers_before, sizeof registers);
        done = ws_execute_range(op, &memory, &access, 0, n, NULL, registers, false, false, &sink);
        CHECK_EQUAL(done, bad_warp < 0 ? n : (size_t)bad_warp);
        CHECK_EQUAL(sink.count != 0, bad_warp >= 0);
        const bool loaded = CHECK(memcmp(registers, registers_expected, sizeof registers) == 0);
        const bool kept = CHECK(memcmp(image, image_expected, sizeof image) == 0);
        if (!loaded || !kept) {
            char text[160];
            ws_text writer = ws_text_make(text, sizeof text);
            ws_op_write(op, &writer);
            fprintf(stderr, "    %s, %s, %zu warps\n", text, ws_simd_word(level), n);
        }
        warps_compared += n;
    }
}

/* Aligned addresses inside [base, base + bytes); p alone for wmma. */
static void fill(const ws_op *op, size_t bytes, uint32_t base, uint64_t *seed) {
    const uint32_t unit = (uint32_t)ws_op_access_bytes(op);
    uint32_t room = (uint32_t)bytes - unit;
    size_t i;
    if (ws_op_is_wmma(op)) room = (uint32_t)bytes - 2048; /* a default matrix is at most 32 x 16 x 4 bytes */
    for (i = 0; i < WARPS * 32; i++) addresses[i] = base + (uint32_t)check_random(seed) % (room / unit + 1) * unit;
    for (i = 0; i < WARPS * 32 && ws_op_is_wmma(op); i++) addresses[i] = addresses[i / 32 * 32];
}

static void test_every_form_at_every_level(void) {
    uint64_t seed = 1;
    size_t text, n;
    ws_error error;
    for (text = 0; text < TEXTS; text++) {
        ws_op op;
        if (!CHECK_EQUAL(ws_parse_text(texts[text], strlen(texts[text]), &op, &error), WS_OK)) continue;
        for (n = 1; n <= WARPS; n += 13) {
            check_random_bytes(&seed, image_before, sizeof image_before);
            check_random_bytes(&seed, (uint8_t *)registers_before, sizeof registers_before);
            fill(&op, BYTES, 1024, &seed);
            compare(&op, BYTES, 1024, n, -1);
        }
    }
}

/* The last row that fits, and the first that does not; aligned, and off by the least that is not; in every lane. */
static void test_bounds_both_sides(void) {
    uint64_t seed = 2;
    size_t text;
    ws_error error;
    for (text = 0; text < TEXTS; text++) {
        ws_op op;
        uint32_t unit, lane;
        if (!CHECK_EQUAL(ws_parse_text(texts[text], strlen(texts[text]), &op, &error), WS_OK) || ws_op_is_wmma(&op))
            continue;
        unit = (uint32_t)ws_op_access_bytes(&op);
        for (lane = 0; lane < (uint32_t)ws_op_row_lanes(&op); lane++) {
            const size_t bytes = 1024 + lane % unit; /* not always a multiple of the row */
            const uint32_t last = (uint32_t)(bytes / unit - 1) * unit;
            fill(&op, bytes / unit * unit, 512, &seed);
            addresses[2 * 32 + lane] = 512 + last;
            compare(&op, bytes, 512, 3, -1);
            addresses[2 * 32 + lane] = 512 + last + unit;
            compare(&op, bytes, 512, 3, 2);
            addresses[2 * 32 + lane] = 512 - unit;
            compare(&op, bytes, 512, 3, 2);
            addresses[2 * 32 + lane] = UINT32_MAX / unit * unit;
            compare(&op, bytes, 512, 3, 2);
            if (unit == 1) continue;
            addresses[2 * 32 + lane] = 512 + unit / 2;
            compare(&op, bytes, 512, 3, 2);
        }
    }
}

/* Lanes that supply no row may hold anything. */
static void test_unused_lanes_hold_anything(void) {
    uint64_t seed = 3;
    size_t text, i;
    ws_error error;
    for (text = 0; text < 30; text++) {
        ws_op op;
        if (!CHECK_EQUAL(ws_parse_text(texts[text], strlen(texts[text]), &op, &error), WS_OK)) continue;
        fill(&op, BYTES, 0, &seed);
        for (i = 0; i < WARPS * 32; i++) {
            if ((int)(i % 32) >= ws_op_row_lanes(&op)) addresses[i] = (uint32_t)check_random(&seed);
        }
        compare(&op, BYTES, 0, WARPS, -1);
    }
}

/* Large outputs are written past the caches, to any address. */
static void test_streamed_output_is_the_same(void) {
    enum { MANY = 9000 };
    static uint32_t many_addresses[MANY * 32], plain[MANY * 128 + 4], streamed[MANY * 128 + 4];
    ws_error error;
    uint64_t seed = 4;
    size_t i, shift;
    int trans, level;
    for (i = 0; i < MANY * 32; i++) many_addresses[i] = (uint32_t)check_random(&seed) % (BYTES / 16) * 16;
    check_random_bytes(&seed, image, sizeof image);
    for (trans = 0; trans < 2; trans++) {
        const char *text = texts[trans ? 5 : 2];
        ws_memory memory = ws_memory_make(image, BYTES, 0);
        ws_access access = ws_access_make(many_addresses, MANY);
        ws_op op;
        CHECK_EQUAL(ws_parse_text(text, strlen(text), &op, &error), WS_OK);
        access.simd = WS_SIMD_PORTABLE;
        CHECK_EQUAL(ws_execute(&op, &memory, &access, plain, NULL, &error), WS_OK);
        for (level = WS_SIMD_SSE2; level <= ws_simd_best(); level++) {
            for (shift = 0; shift < 4; shift++) {
                memset(streamed, 0, sizeof streamed);
                access.simd = level;
                CHECK_EQUAL(ws_execute(&op, &memory, &access, streamed + shift, NULL, &error), WS_OK);
                CHECK(memcmp(streamed + shift, plain, sizeof plain - 16) == 0);
            }
        }
    }
}

static void test_unpacked_rows_agree(void) {
    static const int types[] = {WS_TYPE_B8X16_B6X16_P32, WS_TYPE_B8X16_B4X16_P64, WS_TYPE_S8_S4};
    static uint8_t packed[300 * 16], unpacked[300 * 16 + FENCE];
    uint64_t seed = 5;
    size_t i, t, n;
    int level;
    check_random_bytes(&seed, packed, sizeof packed);
    for (t = 0; t < 3; t++) {
        for (level = WS_SIMD_PORTABLE; level <= ws_simd_best(); level++) {
            for (n = 0; n <= 300; n += 50) {
                memset(unpacked, 0xee, sizeof unpacked);
                ws_decompress_rows(types[t], packed, n, unpacked, level);
                for (i = 0; i < n; i++) {
                    uint8_t row[16];
                    memcpy(row, packed + 16 * i, 16);
                    ws_decompress_row(types[t], row);
                    CHECK(memcmp(row, unpacked + 16 * i, 16) == 0);
                }
                CHECK_EQUAL(unpacked[16 * n], 0xee);
            }
        }
    }
}

/* Addresses that another thread changes after the check reach nothing outside. */
static void test_a_row_outside_the_memory_is_its_last_row(void) {
    uint8_t bytes[64];
    const ws_rows rows = {bytes, {16, 48, 15}, 1, WS_ROWS_PLAIN, WS_ROWS_NO_TURN, false};
    const uint32_t address[] = {16, 64, 65, 80, 0, UINT32_MAX};
    static const int offset[] = {0, 48, 48, 48, 48, 48};
    size_t i;
    for (i = 0; i < sizeof address / sizeof address[0]; i++) CHECK(ws_rows_at(&rows, &address[i]) == bytes + offset[i]);
}

/* A format of its own for every kind of row, plain ones, too. */
static void test_plain_rows_unpack_to_themselves_at_every_level(void) {
    enum { ROWS = 5 };
    uint8_t from[16 * ROWS], out[16 * ROWS];
    uint64_t state = 11;
    int level;
    check_random_bytes(&state, from, sizeof from);
    for (level = WS_SIMD_PORTABLE; level <= ws_simd_best(); level++) {
        memset(out, 0, sizeof out);
        ws_rows_unpack(WS_ROWS_PLAIN, from, ROWS, out, level);
        CHECK(memcmp(out, from, sizeof out) == 0);
    }
}

int main(void) {
    test_a_row_outside_the_memory_is_its_last_row();
    test_plain_rows_unpack_to_themselves_at_every_level();
    test_every_form_at_every_level();
    test_bounds_both_sides();
    test_unused_lanes_hold_anything();
    test_streamed_output_is_the_same();
    test_unpacked_rows_agree();
    printf("%zu warps, %d forms\n", warps_compared, TEXTS);
    return check_report();
}
