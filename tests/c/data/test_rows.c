/* Rows <-> registers: every level that this CPU has does what the maps say, for every form of the table, and nothing else. */
#include "../ops.h"

enum { BYTES = 4096, WARPS = 40, FENCE = 64, MOST_WORDS = 16 };

static uint32_t addresses[WARPS * 32];
static uint8_t image[BYTES + FENCE], image_before[BYTES + FENCE], image_expected[BYTES + FENCE];
static uint32_t registers[WARPS * 32 * MOST_WORDS + FENCE], registers_before[WARPS * 32 * MOST_WORDS + FENCE];
static uint32_t registers_expected[WARPS * 32 * MOST_WORDS + FENCE];

static void put_bits(uint8_t *bytes, uint64_t first, int width, uint64_t value) {
    for (int bit = 0; bit < width; bit++, first++) {
        const uint8_t mask = (uint8_t)(1u << first % 8);
        bytes[first / 8] = (uint8_t)(value >> bit & 1 ? bytes[first / 8] | mask : bytes[first / 8] & ~mask);
    }
}

/* The bit of the image at which the element of one field begins: of a row, or of a matrix of wmma with the default stride. */
static uint64_t bit_of(const ws_op *op, const uint32_t *address, uint32_t base, ws_element e) {
    const ws_form *form = ws_op_form(op);
    const ws_place_in_matrix place = {e.row, e.column};
    const int line = ws_wmma_line_of(op, place), index = ws_wmma_index_of(op, place);
    if (ws_op_is_wmma(op)) {
        return 8 * (uint64_t)(address[0] - base) +
               (uint64_t)((line * ws_wmma_line_elements(op) + index) * ws_type_bits(op->type));
    }
    return 8 * (uint64_t)(address[form->rows * e.matrix + e.row] - base) + (uint64_t)(e.column * form->element_bits);
}

/* One warp of a collective instruction, field by field, as fragment.h maps them. */
static void move_by_map(const ws_op *op, const uint32_t *address, uint32_t base, uint8_t *of_warp) {
    const int count = ws_op_num_registers(op), fields = ws_op_fields(op), bits = ws_op_form(op)->element_bits;
    const int register_bits = ws_op_register_bits(op), width = register_bits / fields;
    for (int lane = 0; lane < WS_LANES; lane++) {
        for (int reg = 0; reg < count; reg++) {
            for (int field = 0; field < fields; field++) {
                const uint64_t at = (uint64_t)(register_bits * (lane * count + reg) + width * field);
                const uint64_t in_memory = bit_of(op, address, base, ws_fragment_element(op, lane, reg, field));
                uint64_t value;
                if (ws_op_writes_memory(op)) {
                    put_bits(image, in_memory, bits, get_bits(of_warp, at, width));
                    continue;
                }
                value = get_bits(image, in_memory, bits);
                if (ws_op_form(op)->packing == WS_ROWS_S4 && value >= 8) value += 0xf0;
                put_bits(of_warp, at, width, value);
            }
        }
    }
}

/* Stores of rows that overlap: each by itself, matrix after matrix, the rows of a matrix from the last. */
static void store_by_map(const ws_op *op, const uint32_t *address, uint32_t base, uint8_t *of_warp) {
    const int rows = ws_op_form(op)->rows, bytes = ws_op_form(op)->row_bytes, all = rows * op->num;
    uint8_t whole[sizeof image], apart[WS_LANES * 16];
    uint32_t places[WS_LANES];
    for (int i = 0; i < WS_LANES; i++) places[i] = base + (uint32_t)(bytes * i);
    memcpy(whole, image, sizeof image);
    move_by_map(op, places, base, of_warp);
    memcpy(apart, image, sizeof apart);
    memcpy(image, whole, sizeof image);
    for (int i = 0; i < all; i++) {
        const int row = i / rows * rows + rows - 1 - i % rows;
        memcpy(image + (address[row] - base), apart + bytes * row, (size_t)bytes);
    }
}

/* One warp, by the map, or lane by lane. */
static void move_alone(const ws_op *op, const ws_memory *memory, const ws_access *access, size_t warp) {
    const ws_plan plan = ws_plan_make(op, access);
    const ws_call call = ws_call_make(&plan, memory, access, registers_expected);
    uint8_t *of_warp = ws_call_registers(&call, warp);
    const uint32_t *address = (const uint32_t *)access->address + warp * WS_LANES, base = (uint32_t)memory->shared.base;
    if (!ws_op_is_collective(op)) ws_move_warp(&call, warp);
    else if (ws_op_form(op)->rows > 0 && ws_op_writes_memory(op)) store_by_map(op, address, base, of_warp);
    else move_by_map(op, address, base, of_warp);
}

/* The next instruction of the table, from *index on, that goes to .shared. */
static bool next_op(uint32_t *index, ws_op *op) {
    while (*index < table_size()) {
        *op = table_op((*index)++);
        if (op->space == WS_SPACE_SHARED) return true;
    }
    return false;
}

static void compare(const ws_op *op, size_t bytes, uint32_t base, size_t n, int bad_warp) {
    const size_t size = n * ws_warp_register_bytes(op) + FENCE;
    for (int level = WS_SIMD_PORTABLE; level <= ws_simd_best(); level++) {
        ws_access access = ws_access_make(addresses, n);
        ws_memory memory;
        ws_findings sink = {NULL, 0, 0};
        ws_plan plan;
        ws_call call;
        size_t done;
        access.simd = level;
        memcpy(image, image_before, sizeof image);
        memcpy(registers_expected, registers_before, size);
        memory = ws_memory_make(image, bytes, base);
        for (size_t warp = 0; warp < (bad_warp < 0 ? n : (size_t)bad_warp); warp++)
            move_alone(op, &memory, &access, warp);
        memcpy(image_expected, image, sizeof image);
        memcpy(image, image_before, sizeof image);
        memcpy(registers, registers_before, size);
        plan = ws_plan_make(op, &access);
        call = ws_call_make(&plan, &memory, &access, registers);
        done = ws_execute_range(&call, 0, n, &sink);
        CHECK_EQUAL(done, bad_warp < 0 ? n : (size_t)bad_warp);
        CHECK_EQUAL(sink.count != 0, bad_warp >= 0);
        const bool loaded = CHECK(memcmp(registers, registers_expected, size) == 0);
        const bool kept = CHECK(memcmp(image, image_expected, sizeof image) == 0);
        if (!loaded || !kept) {
            char text[160];
            ws_text writer = ws_text_make(text, sizeof text);
            ws_op_write(op, &writer);
            fprintf(stderr, "    %s, %s, %zu warps\n", text, ws_simd_word(level), n);
        }
    }
}

/* Aligned addresses inside [base, base + bytes); p alone for wmma. */
static void fill(const ws_op *op, size_t bytes, uint32_t base, uint64_t *seed) {
    const uint32_t unit = (uint32_t)ws_op_access_bytes(op);
    uint32_t room = (uint32_t)bytes - unit;
    if (ws_op_is_wmma(op)) room = (uint32_t)bytes - 2048; /* a default matrix is at most 32 x 16 x 4 bytes */
    for (size_t i = 0; i < WARPS * 32; i++)
        addresses[i] = base + (uint32_t)check_random(seed) % (room / unit + 1) * unit;
    for (size_t i = 0; i < WARPS * 32 && ws_op_is_wmma(op); i++) addresses[i] = addresses[i / 32 * 32];
}

static void test_every_form_at_every_level(void) {
    uint64_t seed = 1;
    uint32_t index = 0;
    ws_op op;
    while (next_op(&index, &op)) {
        for (size_t n = 1; n <= WARPS; n += 13) {
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
    uint32_t index = 0;
    ws_op op;
    while (next_op(&index, &op)) {
        const uint32_t unit = (uint32_t)ws_op_access_bytes(&op);
        if (ws_op_is_wmma(&op)) continue;
        for (uint32_t lane = 0; lane < (uint32_t)ws_op_row_lanes(&op); lane++) {
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
    uint32_t index = 0;
    ws_op op;
    while (next_op(&index, &op)) {
        if (ws_op_form(&op)->rows == 0) continue;
        fill(&op, BYTES, 0, &seed);
        for (size_t i = 0; i < WARPS * 32; i++) {
            if ((int)(i % 32) >= ws_op_row_lanes(&op)) addresses[i] = (uint32_t)check_random(&seed);
        }
        compare(&op, BYTES, 0, WARPS, -1);
    }
}

/* Movmatrix has no addresses: its source is the registers. */
static void test_movmatrix_at_every_level_is_the_map(void) {
    const ws_op op = op_of("movmatrix.sync.aligned.m8n8.trans.b16");
    uint32_t source[WS_LANES], moved[WS_LANES];
    uint64_t seed = 6;
    for (int lane = 0; lane < WS_LANES; lane++) source[lane] = (uint32_t)check_random(&seed);
    for (int level = WS_SIMD_PORTABLE; level <= ws_simd_best(); level++) {
        ws_movmatrix_warps(source, 1, moved, level);
        for (int lane = 0; lane < WS_LANES; lane++) {
            for (int field = 0; field < 2; field++) {
                const ws_element e = ws_fragment_element(&op, lane, 0, field);
                const uint32_t from = source[4 * e.row + e.column / 2] >> (16 * (e.column % 2));
                CHECK_EQUAL(moved[lane] >> (16 * field) & 0xffff, from & 0xffff);
            }
        }
    }
}

/* Many warps at once, to any address. */
static void test_any_output_is_the_same(void) {
    enum { MANY = 9000 };
    static uint32_t many_addresses[MANY * 32], plain[MANY * 128 + 4], moved_to[MANY * 128 + 4];
    ws_error error;
    uint64_t seed = 4;
    for (size_t i = 0; i < MANY * 32; i++) many_addresses[i] = (uint32_t)check_random(&seed) % (BYTES / 16) * 16;
    check_random_bytes(&seed, image, sizeof image);
    for (int trans = 0; trans < 2; trans++) {
        const char *text =
            trans ? "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16" : "ldmatrix.sync.aligned.m8n8.x4.shared.b16";
        ws_memory memory = ws_memory_make(image, BYTES, 0);
        ws_access access = ws_access_make(many_addresses, MANY);
        ws_op op;
        CHECK_EQUAL(ws_parse_text(text, strlen(text), &op, &error), WS_OK);
        access.simd = WS_SIMD_PORTABLE;
        CHECK_EQUAL(ws_execute(&op, &memory, &access, plain, NULL, &error), WS_OK);
        for (int level = WS_SIMD_SSE2; level <= ws_simd_best(); level++) {
            for (size_t shift = 0; shift < 4; shift++) {
                memset(moved_to, 0, sizeof moved_to);
                access.simd = level;
                CHECK_EQUAL(ws_execute(&op, &memory, &access, moved_to + shift, NULL, &error), WS_OK);
                CHECK(memcmp(moved_to + shift, plain, sizeof plain - 16) == 0);
            }
        }
    }
}

static void test_unpacked_rows_agree(void) {
    static uint8_t packed[300 * 16], unpacked[300 * 16 + FENCE];
    uint64_t seed = 5;
    check_random_bytes(&seed, packed, sizeof packed);
    for (int packing = WS_ROWS_PLAIN; packing <= WS_ROWS_S4; packing++) {
        for (int level = WS_SIMD_PORTABLE; level <= ws_simd_best(); level++) {
            for (size_t n = 0; n <= 300; n += 50) {
                memset(unpacked, 0xee, sizeof unpacked);
                ws_rows_unpack(packing, packed, n, unpacked, level);
                for (size_t i = 0; i < n; i++) {
                    uint8_t row[16];
                    ws_rows_unpack_one(packing, packed + 16 * i, row);
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
    for (size_t i = 0; i < sizeof address / sizeof address[0]; i++)
        CHECK(ws_rows_at(&rows, &address[i]) == bytes + offset[i]);
}

/* The same of whole warps, whose rows lie in an allocation of their own size. */
static void test_rows_outside_the_memory_are_rows_of_it(void) {
    enum { ROWS = 3, BASE = 48 };
    uint8_t *bytes = malloc(16 * ROWS);
    uint32_t address[WS_LANES], to[WS_LANES * 4];
    uint64_t seed = 7;
    for (int i = 0; i < 16 * ROWS; i++) bytes[i] = (uint8_t)(i / 16 + 1);
    for (int lane = 0; lane < WS_LANES; lane++)
        address[lane] = lane % 3 == 0 ? BASE - 1 : lane % 3 == 1 ? UINT32_MAX : (uint32_t)check_random(&seed);
    for (int turn = WS_ROWS_NO_TURN; turn <= WS_ROWS_TURN_8X8; turn++) {
        for (int matrices = 1; matrices <= 4; matrices *= 2) {
            const ws_rows rows = {bytes, {BASE, 16 * (ROWS - 1), 15}, (uint8_t)matrices, WS_ROWS_PLAIN, (uint8_t)turn,
                                  false};
            for (int level = WS_SIMD_PORTABLE; level <= ws_simd_best(); level++) {
                memset(to, 0, sizeof to);
                ws_rows_load(&rows, address, 1, to, level);
                for (int i = 0; i < WS_LANES * matrices; i++)
                    for (int byte = 0; byte < 4; byte++)
                        CHECK((to[i] >> (8 * byte) & 0xff) >= 1 && (to[i] >> (8 * byte) & 0xff) <= ROWS);
            }
        }
    }
    free(bytes);
}

/* One lane of several warps, just before the memory or just beyond it; the others' rows near each other, or far. */
static void test_one_row_outside_the_memory_is_its_last_row(void) {
    enum { ROWS = 3, SOME = 9, WORDS = WS_LANES * 4 };
    uint8_t *bytes = malloc(16 * ROWS);
    uint32_t to[SOME * WORDS];
    for (int i = 0; i < 16 * ROWS; i++) bytes[i] = (uint8_t)(i / 16 + 1);
    for (int at = 0; at < 8 * WS_LANES; at++) {
        const uint32_t base = at % 2 == 0 ? 0 : 64, where = at / 2 % 2 == 0 ? base - 16 : base + 16 * ROWS;
        const int lane = at / 8, warp = at / 4 % 2 == 0 ? SOME - 1 : 2;
        uint32_t address[SOME * WS_LANES];
        for (int i = 0; i < SOME * WS_LANES; i++) address[i] = base + (uint32_t)(i % 5 == 0 && at % 3 == 0 ? 32 : 16);
        address[warp * WS_LANES + lane] = where;
        for (int level = WS_SIMD_PORTABLE; level <= ws_simd_best(); level++) {
            const ws_rows rows = {bytes, {base, 16 * (ROWS - 1), 15}, 4, WS_ROWS_PLAIN, WS_ROWS_NO_TURN, false};
            CHECK_EQUAL(ws_fit(&rows.bounds, address, SOME, WS_LANES, level), warp);
            ws_rows_load(&rows, address, SOME, to, level);
            for (int i = 0; i < SOME * WORDS; i++) {
                const int from = i / WORDS * WS_LANES + i % 4 * 8 + i % WORDS / 16;
                const uint32_t row = address[from] == where ? ROWS - 1 : (address[from] - base) / 16;
                CHECK_EQUAL(to[i], 0x01010101u * (row + 1));
            }
        }
    }
    free(bytes);
}

/* A misaligned address among rows that lie near each other, of any lane of four warps. */
static void test_near_rows_are_aligned(void) {
    uint32_t address[4 * WS_LANES];
    for (int lane = 0; lane < 4 * WS_LANES; lane++) {
        const ws_bounds bounds = {lane % 2 == 0 ? 0u : 4096u, 0xbff0, 15};
        for (int i = 0; i < 4 * WS_LANES; i++) address[i] = bounds.base + 0x8000 + 16 * (uint32_t)i;
        for (int level = WS_SIMD_PORTABLE; level <= ws_simd_best(); level++) {
            CHECK_EQUAL(ws_fit(&bounds, address, 4, WS_LANES, level), 4);
            address[lane] += 8;
            CHECK_EQUAL(ws_fit(&bounds, address, 4, WS_LANES, level), lane / WS_LANES);
            address[lane] -= 8;
        }
    }
}

CHECK_MAIN(test_a_row_outside_the_memory_is_its_last_row, test_rows_outside_the_memory_are_rows_of_it,
           test_one_row_outside_the_memory_is_its_last_row, test_near_rows_are_aligned, test_every_form_at_every_level,
           test_bounds_both_sides, test_unused_lanes_hold_anything, test_movmatrix_at_every_level_is_the_map,
           test_any_output_is_the_same, test_unpacked_rows_agree)
