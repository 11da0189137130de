/* Bounds of the images: the last byte that is inside and the first that is not. Images are allocations of exactly
 * their size, so that the sanitizer sees a byte too many. */
#include <stdlib.h>

#include "../ops.h"

static ws_status load_at(const char *text, const ws_memory *memory, uint64_t address, uint64_t *value) {
    const ws_op op = op_of(text);
    uint64_t addresses[WS_LANES] = {0};
    union {
        uint32_t narrow[WS_LANES * 4];
        uint64_t wide[WS_LANES * 2];
    } registers;
    ws_access access = ws_access_make_64(addresses, 1);
    ws_error error;
    uint32_t one_lane = 1;
    ws_status status;
    if (ws_op_is_collective(&op)) {
        for (int lane = 0; lane < WS_LANES; lane++) addresses[lane] = address;
    } else {
        addresses[0] = address;
        access.active = &one_lane;
    }
    memset(&registers, 0, sizeof registers);
    status = ws_execute(&op, memory, &access, &registers, NULL, &error);
    CHECK(status == WS_OK || status == WS_UNDEFINED);
    CHECK_EQUAL(error.message[0] == '\0', status == WS_OK);
    if (value != NULL) *value = ws_op_register_bits(&op) == 64 ? registers.wide[0] : registers.narrow[0];
    return status;
}

static bool holds(uint64_t nbytes, uint64_t base, uint64_t address, uint64_t count) {
    uint8_t byte = 0;
    const ws_image image = {&byte, nbytes, base};
    return ws_image_holds(&image, address, count);
}

static void test_image_holds_both_sides_of_its_ends(void) {
    CHECK(holds(64, 0, 0, 64));
    CHECK(!holds(64, 0, 0, 65));
    CHECK(holds(64, 0, 63, 1));
    CHECK(!holds(64, 0, 64, 1));
    CHECK(holds(64, 0, 48, 16));
    CHECK(!holds(64, 0, 49, 16));
    CHECK(holds(64, 1024, 1024, 1));
    CHECK(!holds(64, 1024, 1023, 1));
    CHECK(!holds(64, 1024, 0, 1));
    CHECK(!holds(0, 0, 0, 1));
    CHECK(!holds(1, 0, 0, 2));
}

static void test_image_at_the_end_of_the_numbers_does_not_wrap(void) {
    CHECK(holds(16, UINT64_MAX - 15, UINT64_MAX - 15, 16));
    CHECK(holds(16, UINT64_MAX - 15, UINT64_MAX, 1));
    CHECK(!holds(16, UINT64_MAX - 15, UINT64_MAX, 2));
    CHECK(!holds(16, UINT64_MAX - 15, 0, 1));
    CHECK(!holds(64, 0, UINT64_MAX, 1));
    CHECK(!holds(64, 0, UINT64_MAX, 2));
    CHECK(!holds(64, 0, UINT64_MAX - 7, 16));
    CHECK(!holds(64, 0, UINT64_C(1) << 32, 1));
    CHECK(!holds(64, 0, UINT32_MAX - 7, 16));
    CHECK(holds(UINT64_MAX, 0, 0, UINT64_MAX));
    CHECK(!holds(UINT64_MAX, 0, 1, UINT64_MAX));
}

static void test_load_last_access_is_inside_and_the_next_is_not(void) {
    static const struct {
        const char *text;
        uint64_t bytes;
    } cases[] = {
        {"ldmatrix.sync.aligned.m8n8.x4.shared.b16", 16},
        {"ldmatrix.sync.aligned.m8n16.x1.shared.s8.s4", 8},
        {"ld.shared.u8", 1},
        {"ld.shared.s16", 2},
        {"ld.shared.b32", 4},
        {"ld.shared.f64", 8},
        {"ld.shared.v4.b32", 16},
        {"ld.shared.v2.b8", 2},
        {"ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8x16.b4x16_p64", 16},
    };
    static const uint64_t bases[] = {0, 1024, UINT64_C(0xffffff00)};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint64_t bytes = cases[i].bytes;
        for (size_t j = 0; j < sizeof bases / sizeof bases[0]; j++) {
            for (size_t nbytes = 1; nbytes <= 64; nbytes++) {
                uint8_t *image = (uint8_t *)malloc(nbytes);
                const ws_memory memory = ws_memory_make(image, nbytes, bases[j]);
                const uint64_t end = nbytes / bytes * bytes; /* after the last aligned access */
                memset(image, 0xa5, nbytes);
                if (end > 0) CHECK_EQUAL(load_at(cases[i].text, &memory, bases[j] + end - bytes, NULL), WS_OK);
                CHECK_EQUAL(load_at(cases[i].text, &memory, bases[j] + end, NULL), WS_UNDEFINED);
                CHECK_EQUAL(load_at(cases[i].text, &memory, bases[j] - bytes, NULL), WS_UNDEFINED);
                free(image);
            }
        }
    }
}

static void test_store_first_byte_outside_is_not_written(void) {
    const ws_op store = op_of("st.shared.v4.b32");
    uint8_t *image = (uint8_t *)malloc(24);
    const ws_memory memory = ws_memory_make(image, 24, 0);
    const uint32_t address[WS_LANES] = {16}, one_lane = 1;
    uint32_t registers[WS_LANES * 4];
    ws_access access = ws_access_make(address, 1);
    memset(image, 0, 24);
    memset(registers, 0xff, sizeof registers);
    access.active = &one_lane;
    CHECK_EQUAL(ws_execute(&store, &memory, &access, registers, NULL, NULL), WS_UNDEFINED);
    access.policy = WS_POLICY_RECORD;
    CHECK_EQUAL(ws_execute(&store, &memory, &access, registers, NULL, NULL), WS_OK);
    for (int i = 0; i < 24; i++) CHECK_EQUAL(image[i], 0);
    free(image);
}

static void test_address_near_2_to_32_and_2_to_64_does_not_wrap_to_the_start(void) {
    uint8_t *image = (uint8_t *)malloc(64);
    const ws_memory shared = ws_memory_make(image, 64, 0);
    const ws_memory both = ws_memory_with_global(shared, image, 64, 0);
    memset(image, 1, 64);
    CHECK_EQUAL(load_at("ldmatrix.sync.aligned.m8n8.x1.shared.b16", &shared, UINT32_MAX - 15, NULL), WS_UNDEFINED);
    CHECK_EQUAL(load_at("ldmatrix.sync.aligned.m8n8.x1.shared.b16", &shared, UINT32_MAX - 7, NULL), WS_UNDEFINED);
    CHECK_EQUAL(load_at("ldmatrix.sync.aligned.m8n8.x1.shared.b16", &shared, UINT64_C(1) << 32, NULL), WS_UNDEFINED);
    CHECK_EQUAL(load_at("ld.shared.v2.b64", &shared, UINT32_MAX - 15, NULL), WS_UNDEFINED);
    CHECK_EQUAL(load_at("ld.global.v2.b64", &both, 48, NULL), WS_OK);
    CHECK_EQUAL(load_at("ld.global.v2.b64", &both, 64, NULL), WS_UNDEFINED);
    CHECK_EQUAL(load_at("ld.global.v2.b64", &both, UINT64_MAX - 15, NULL), WS_UNDEFINED);
    CHECK_EQUAL(load_at("ld.global.v2.b64", &both, UINT64_MAX - 7, NULL), WS_UNDEFINED);
    CHECK_EQUAL(load_at("ld.global.u8", &both, UINT64_MAX, NULL), WS_UNDEFINED);
    CHECK_EQUAL(load_at("ld.b64", &both, UINT64_MAX - 7, NULL), WS_UNDEFINED);
    free(image);
}

static void test_image_null_or_empty_holds_nothing(void) {
    uint8_t *nothing = (uint8_t *)malloc(1);
    const ws_memory memories[] = {ws_memory_make(NULL, 0, 0), ws_memory_make(NULL, 64, 0),
                                  ws_memory_make(nothing, 0, 0),
                                  ws_memory_with_global(ws_memory_make(NULL, 64, 0), NULL, 64, 0)};
    for (size_t i = 0; i < sizeof memories / sizeof memories[0]; i++) {
        const ws_place shared = {WS_IN_SHARED, 0}, global = {WS_IN_GLOBAL, 0}, nowhere = {WS_NOWHERE, 0};
        uint8_t out[16];
        CHECK_EQUAL(load_at("ldmatrix.sync.aligned.m8n8.x4.shared.b16", &memories[i], 0, NULL), WS_UNDEFINED);
        CHECK_EQUAL(load_at("ldmatrix.sync.aligned.m8n8.x4.b16", &memories[i], WS_SHARED_WINDOW, NULL), WS_UNDEFINED);
        CHECK_EQUAL(load_at("ld.shared.u8", &memories[i], 0, NULL), WS_UNDEFINED);
        CHECK_EQUAL(load_at("ld.global.u8", &memories[i], 0, NULL), WS_UNDEFINED);
        CHECK_EQUAL(load_at("ld.u8", &memories[i], 0, NULL), WS_UNDEFINED);
        memset(out, 0xff, sizeof out);
        ws_memory_write(&memories[i], shared, 16, out);
        ws_memory_write(&memories[i], global, 16, out);
        ws_memory_write(&memories[i], nowhere, 16, out);
        ws_memory_read(&memories[i], shared, 16, out);
        CHECK(out[0] == 0 && out[15] == 0);
    }
    free(nothing);
}

static void test_execute_zero_warps_touches_nothing(void) {
    static const char *const texts[] = {"ldmatrix.sync.aligned.m8n8.x4.shared.b16",
                                        "stmatrix.sync.aligned.m8n8.x4.shared.b16",
                                        "movmatrix.sync.aligned.m8n8.trans.b16",
                                        "ld.shared.b32",
                                        "st.shared.b32",
                                        "cp.async.ca.shared.global [d], [s], 4;"};
    const ws_memory memory = ws_memory_make(NULL, 0, 0);
    const ws_access access = ws_access_make(NULL, 0);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const ws_op op = op_of(texts[i]);
        ws_counts counts;
        CHECK_EQUAL(ws_execute(&op, &memory, &access, NULL, NULL, NULL), WS_OK);
        CHECK_EQUAL(ws_count(&op, &access, &counts, NULL), WS_OK);
        CHECK_EQUAL(counts.instructions, 0);
    }
}

static void test_read_partly_outside_gives_zeros_there_and_write_leaves_it(void) {
    uint8_t *image = (uint8_t *)malloc(16), bytes[16];
    const ws_memory memory = ws_memory_make(image, 16, 100);
    const ws_place before = {WS_IN_SHARED, 92}, behind = {WS_IN_SHARED, 108};
    memset(image, 7, 16);
    ws_memory_read(&memory, before, 16, bytes);
    for (int i = 0; i < 16; i++) CHECK_EQUAL(bytes[i], i < 8 ? 0 : 7);
    ws_memory_read(&memory, behind, 16, bytes);
    for (int i = 0; i < 16; i++) CHECK_EQUAL(bytes[i], i < 8 ? 7 : 0);
    memset(bytes, 9, sizeof bytes);
    ws_memory_write(&memory, behind, 16, bytes);
    for (int i = 0; i < 16; i++) CHECK_EQUAL(image[i], i < 8 ? 7 : 9);
    free(image);
}

static void test_write_at_the_end_of_the_numbers_does_not_wrap(void) {
    const uint8_t four[] = {1, 2, 3, 4};
    const ws_place place = {WS_IN_GLOBAL, UINT64_MAX - 1};
    uint8_t low[4] = {9, 9, 9, 9}, high[2] = {9, 9}, read[4];
    ws_memory memory = ws_memory_with_global(ws_memory_make(NULL, 0, 0), low, sizeof low, 0);
    ws_memory_write(&memory, place, 4, four);
    CHECK(low[0] == 9 && low[1] == 9);
    ws_memory_read(&memory, place, 4, read);
    CHECK(read[0] == 0 && read[1] == 0 && read[2] == 0 && read[3] == 0);
    memory = ws_memory_with_global(memory, high, sizeof high, UINT64_MAX - 1);
    ws_memory_write(&memory, place, 4, four);
    CHECK(high[0] == 1 && high[1] == 2);
    ws_memory_read(&memory, place, 4, read);
    CHECK(read[0] == 1 && read[1] == 2 && read[2] == 0 && read[3] == 0);
}

/* An image whose base is not a multiple of 16 is served through a buffer, which has to give what the kernels give. */
static void test_matrices_through_a_buffer_are_those_of_the_kernels(void) {
    enum { NBYTES = 512, WORDS = WS_LANES * WS_MAX_REGISTERS };
    uint64_t state = 5;
    uint32_t compared = 0;
    for (uint32_t index = 0; index < table_size(); index++) {
        const ws_op op = table_op(index);
        uint8_t image[2][NBYTES];
        uint32_t registers[2][WORDS], address[WS_LANES];
        if (!ws_op_is_shared(&op) || ws_op_form(&op)->rows == 0) continue;
        check_random_bytes(&state, image[0], NBYTES);
        memcpy(image[1], image[0], NBYTES);
        for (int lane = 0; lane < WORDS; lane++)
            registers[0][lane] = registers[1][lane] = (uint32_t)check_random(&state);
        for (int lane = 0; lane < WS_LANES; lane++)
            address[lane] = 16 + 16 * (uint32_t)(check_random(&state) % (NBYTES / 16 - 1)); /* rows overlap */
        for (int way = 0; way < 2; way++) {
            const ws_memory memory = ws_memory_make(image[way] + 8 * way, NBYTES - 8 * (size_t)way, 8 * (uint64_t)way);
            ws_access access = ws_access_make(address, 1);
            access.policy = WS_POLICY_RAISE;
            CHECK_EQUAL(ws_execute(&op, &memory, &access, registers[way], NULL, NULL), WS_OK);
        }
        if (!CHECK(memcmp(registers[0], registers[1], sizeof registers[0]) == 0)) fprintf(stderr, "    %u\n", index);
        if (!CHECK(memcmp(image[0], image[1], NBYTES) == 0)) fprintf(stderr, "    %u\n", index);
        compared++;
    }
    CHECK(compared > 0);
}

static void test_generic_both_sides_of_the_shared_window_differ(void) {
    uint8_t shared_bytes[64] = {0}, global_bytes[64] = {0};
    ws_memory memory = ws_memory_with_global(ws_memory_make(shared_bytes, 64, 0), global_bytes, 64, 4096);
    uint64_t value;
    shared_bytes[0] = 11;
    shared_bytes[63] = 12;
    global_bytes[0] = 21;
    global_bytes[63] = 22;
    CHECK_EQUAL(load_at("ld.u8", &memory, WS_SHARED_WINDOW, &value), WS_OK);
    CHECK_EQUAL(value, 11);
    CHECK_EQUAL(load_at("ld.u8", &memory, WS_SHARED_WINDOW + 63, &value), WS_OK);
    CHECK_EQUAL(value, 12);
    CHECK_EQUAL(load_at("ld.u8", &memory, 4096, &value), WS_OK);
    CHECK_EQUAL(value, 21);
    CHECK_EQUAL(load_at("ld.u8", &memory, 4096 + 63, &value), WS_OK);
    CHECK_EQUAL(value, 22);
    CHECK_EQUAL(ws_memory_place(&memory, WS_SPACE_GENERIC, WS_SHARED_WINDOW - 1).where, WS_NOWHERE);
    CHECK_EQUAL(ws_memory_place(&memory, WS_SPACE_GENERIC, WS_SHARED_WINDOW + 64).where, WS_IN_SHARED);
    CHECK_EQUAL(ws_memory_place(&memory, WS_SPACE_GENERIC, WS_SHARED_WINDOW + WS_SHARED_WINDOW_BYTES - 1).where,
                WS_IN_SHARED);
    CHECK_EQUAL(ws_memory_place(&memory, WS_SPACE_GENERIC, WS_SHARED_WINDOW + WS_SHARED_WINDOW_BYTES).where,
                WS_NOWHERE);
    CHECK_EQUAL(ws_memory_place(&memory, WS_SPACE_GENERIC, 4095).where, WS_NOWHERE);
    CHECK_EQUAL(ws_memory_place(&memory, WS_SPACE_GENERIC, 4096 + 64).where, WS_NOWHERE);
    CHECK_EQUAL(load_at("ld.u8", &memory, WS_SHARED_WINDOW + 64, NULL), WS_UNDEFINED);
    CHECK_EQUAL(load_at("ld.u8", &memory, 4095, NULL), WS_UNDEFINED);
    CHECK_EQUAL(load_at("ld.u8", &memory, 4096 + 64, NULL), WS_UNDEFINED);
    CHECK_EQUAL(load_at("ld.u8", &memory, 0, NULL), WS_UNDEFINED);
    memory.shared_window = UINT64_MAX - 31; /* a window that ends where the numbers do */
    CHECK_EQUAL(load_at("ld.u8", &memory, UINT64_MAX - 31, &value), WS_OK);
    CHECK_EQUAL(value, 11);
    CHECK_EQUAL(load_at("ld.u8", &memory, 0, NULL), WS_UNDEFINED);
}

static void test_load_narrow_types_extend_as_they_say(void) {
    uint8_t image[8] = {0x80, 0xff, 0x34, 0x92, 0x01, 0x02, 0x03, 0x84};
    const ws_memory memory = ws_memory_make(image, sizeof image, 0);
    static const struct {
        const char *text;
        uint64_t address, value;
    } cases[] = {
        {"ld.shared.u8", 0, 0x80},
        {"ld.shared.b8", 0, 0x80},
        {"ld.shared.s8", 0, 0xffffff80},
        {"ld.shared.s8", 4, 1},
        {"ld.shared.u16", 2, 0x9234},
        {"ld.shared.s16", 2, 0xffff9234},
        {"ld.shared.s16", 4, 0x0201},
        {"ld.shared.b32", 0, 0x9234ff80},
        {"ld.shared.s64", 0, UINT64_C(0x840302019234ff80)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t value;
        CHECK_EQUAL(load_at(cases[i].text, &memory, cases[i].address, &value), WS_OK);
        CHECK_EQUAL(value, cases[i].value);
    }
}

CHECK_MAIN(test_image_holds_both_sides_of_its_ends, test_image_at_the_end_of_the_numbers_does_not_wrap,
           test_load_last_access_is_inside_and_the_next_is_not, test_store_first_byte_outside_is_not_written,
           test_address_near_2_to_32_and_2_to_64_does_not_wrap_to_the_start, test_image_null_or_empty_holds_nothing,
           test_execute_zero_warps_touches_nothing, test_read_partly_outside_gives_zeros_there_and_write_leaves_it,
           test_write_at_the_end_of_the_numbers_does_not_wrap, test_matrices_through_a_buffer_are_those_of_the_kernels,
           test_generic_both_sides_of_the_shared_window_differ, test_load_narrow_types_extend_as_they_say)
