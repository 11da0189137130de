/* Matrix instructions on images whose elements name their own matrix, row or column. */
#include "../ops.h"

enum { SLOTS = 64, IMAGE_BYTES = SLOTS * 16 };

/* Which of its coordinates an element's value is, four bits at a time: the narrowest element has no more. */
enum { NAMES_MATRIX, NAMES_ROW, NAMES_COLUMN, NAMES_SIXTEENTH, NAMES };

static int name_of(ws_element element, int names) {
    switch (names) {
        case NAMES_MATRIX: return element.matrix;
        case NAMES_ROW: return element.row;
        case NAMES_COLUMN: return element.column % 16;
        default: return element.column / 16;
    }
}

/* Rows lie anywhere but over each other; lanes without a row hold nonsense. */
static void scatter(const ws_op *op, uint64_t *state, uint32_t address[WS_LANES]) {
    bool taken[SLOTS] = {false};
    for (int lane = 0; lane < WS_LANES; lane++) {
        uint32_t slot;
        do slot = (uint32_t)(check_random(state) % SLOTS);
        while (taken[slot]);
        taken[slot] = true;
        address[lane] = lane < ws_op_row_lanes(op) ? slot * 16 : UINT32_C(0xdeadbeef);
    }
}

static void put_bits(uint8_t *bytes, int first, int width, int value) {
    for (int bit = 0; bit < width; bit++) {
        const uint8_t mask = (uint8_t)(1u << ((first + bit) % 8));
        uint8_t *byte = &bytes[(first + bit) / 8];
        *byte = (uint8_t)(value >> bit & 1 ? *byte | mask : *byte & ~mask);
    }
}

static int get_bits(const uint8_t *bytes, int first, int width) {
    int value = 0;
    for (int bit = 0; bit < width; bit++) value |= (bytes[(first + bit) / 8] >> ((first + bit) % 8) & 1) << bit;
    return value;
}

static void run(const ws_op *op, uint8_t *image, const uint32_t address[WS_LANES], uint32_t *registers) {
    const ws_memory memory = ws_memory_make(image, IMAGE_BYTES, 0);
    const ws_access access = ws_access_make(address, 1);
    ws_error error;
    if (!CHECK_EQUAL(ws_execute(op, &memory, &access, registers, NULL, &error), WS_OK)) {
        fprintf(stderr, "    %s\n", error.message);
    }
}

static uint32_t field_of(const ws_op *op, const uint32_t *registers, int lane, int reg, int field) {
    const int bits = 32 / ws_op_fields(op);
    const uint32_t value = registers[lane * ws_op_num_registers(op) + reg] >> (bits * field);
    return value & ((UINT32_C(1) << bits) - 1);
}

static void check_load(const ws_op *op, int names, uint64_t *state) {
    const ws_form *form = ws_op_form(op);
    uint8_t image[IMAGE_BYTES];
    uint32_t address[WS_LANES], registers[WS_LANES * WS_MAX_REGISTERS];
    check_random_bytes(state, image, sizeof image);
    scatter(op, state, address);
    for (int lane = 0; lane < ws_op_row_lanes(op); lane++) {
        for (int column = 0; column < form->row_elements; column++) {
            const ws_element element = {lane / form->rows, lane % form->rows, column};
            put_bits(image + address[lane], column * form->element_bits, form->element_bits, name_of(element, names));
        }
    }
    run(op, image, address, registers);
    for (int lane = 0; lane < WS_LANES; lane++) {
        for (int reg = 0; reg < ws_op_num_registers(op); reg++) {
            for (int field = 0; field < ws_op_fields(op); field++) {
                const ws_element element = ws_fragment_element(op, lane, reg, field);
                int expected = name_of(element, names);
                if (ws_op_form(op)->packing == WS_ROWS_S4 && expected >= 8) expected += 0xf0;
                CHECK_EQUAL(field_of(op, registers, lane, reg, field), expected);
            }
        }
    }
}

static void check_store(const ws_op *op, int names, uint64_t *state) {
    const ws_form *form = ws_op_form(op);
    uint8_t image[IMAGE_BYTES], before[IMAGE_BYTES];
    uint32_t address[WS_LANES], registers[WS_LANES * WS_MAX_REGISTERS] = {0};
    check_random_bytes(state, image, sizeof image);
    memcpy(before, image, sizeof before);
    scatter(op, state, address);
    for (int lane = 0; lane < WS_LANES; lane++) {
        for (int reg = 0; reg < ws_op_num_registers(op); reg++) {
            for (int field = 0; field < ws_op_fields(op); field++) {
                const uint32_t name = (uint32_t)name_of(ws_fragment_element(op, lane, reg, field), names);
                registers[lane * ws_op_num_registers(op) + reg] |= name << (32 / ws_op_fields(op) * field);
            }
        }
    }
    run(op, image, address, registers);
    for (int lane = 0; lane < ws_op_row_lanes(op); lane++) {
        for (int column = 0; column < form->row_elements; column++) {
            const ws_element element = {lane / form->rows, lane % form->rows, column};
            const int value = get_bits(image + address[lane], column * form->element_bits, form->element_bits);
            CHECK_EQUAL(value, name_of(element, names));
        }
        memcpy(before + address[lane], image + address[lane], form->row_bytes);
    }
    for (size_t i = 0; i < sizeof image; i++) CHECK_EQUAL(image[i], before[i]); /* nothing beside the rows */
}

static void test_load_and_store_every_field_holds_the_element_of_the_map(void) {
    uint64_t state = 6;
    int loads = 0, stores = 0;
    for (uint32_t index = 0; index < table_size(); index++) {
        const ws_op op = table_op(index);
        if (op.space == WS_SPACE_GENERIC) continue;
        for (int names = 0; names < NAMES; names++) {
            if (op.kind == WS_LDMATRIX) check_load(&op, names, &state);
            if (op.kind == WS_STMATRIX) check_store(&op, names, &state);
        }
        loads += op.kind == WS_LDMATRIX;
        stores += op.kind == WS_STMATRIX;
    }
    CHECK(loads > 0 && stores > 0);
}

static void test_map_every_element_is_held_once(void) {
    for (uint32_t index = 0; index < table_size(); index++) {
        const ws_op op = table_op(index);
        const int rows = op.kind == WS_MOVMATRIX ? 8 : ws_op_form(&op)->rows, columns = ws_op_form(&op)->row_elements;
        int held[4][16][32] = {{{0}}};
        if (!ws_op_is_collective(&op) || ws_op_is_wmma(&op)) continue;
        for (int lane = 0; lane < WS_LANES; lane++) {
            for (int reg = 0; reg < ws_op_num_registers(&op); reg++) {
                for (int field = 0; field < ws_op_fields(&op); field++) {
                    const ws_element e = ws_fragment_element(&op, lane, reg, field);
                    if (!CHECK(e.matrix >= 0 && e.matrix < op.num && e.row >= 0 && e.row < rows && e.column >= 0 &&
                               e.column < columns))
                        continue;
                    held[e.matrix][e.row][e.column]++;
                }
            }
        }
        for (int matrix = 0; matrix < op.num; matrix++) {
            for (int row = 0; row < rows; row++) {
                for (int column = 0; column < columns; column++) CHECK_EQUAL(held[matrix][row][column], 1);
            }
        }
    }
}

/* Read off the fragment figures of the PTX manual. */
static void test_map_figures_of_the_manual(void) {
    static const struct {
        const char *text;
        int lane, reg, field, matrix, row, column;
    } cases[] = {
        {"ldmatrix.sync.aligned.m8n8.x1.shared.b16", 0, 0, 1, 0, 0, 1},
        {"ldmatrix.sync.aligned.m8n8.x1.shared.b16", 31, 0, 0, 0, 7, 6},
        {"ldmatrix.sync.aligned.m8n8.x4.shared.b16", 5, 3, 1, 3, 1, 3},
        {"ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16", 5, 2, 1, 2, 3, 1},
        {"stmatrix.sync.aligned.m8n8.x2.trans.shared.b16", 30, 1, 0, 1, 4, 7},
        {"ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8", 6, 3, 2, 1, 10, 9},
        {"ldmatrix.sync.aligned.m8n16.x2.shared.b8x16.b4x16_p64", 6, 1, 3, 1, 1, 11},
        {"stmatrix.sync.aligned.m16n8.x2.trans.shared.b8", 7, 1, 3, 1, 7, 9},
        {"movmatrix.sync.aligned.m8n8.trans.b16", 9, 0, 1, 0, 3, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const ws_op op = op_of(cases[i].text);
        const ws_element e = ws_fragment_element(&op, cases[i].lane, cases[i].reg, cases[i].field);
        CHECK_EQUAL(e.matrix, cases[i].matrix);
        CHECK_EQUAL(e.row, cases[i].row);
        CHECK_EQUAL(e.column, cases[i].column);
    }
}

static void test_round_trip_store_of_a_load_gives_the_rows_back(void) {
    static const char *const pairs[][2] = {
        {"ldmatrix.sync.aligned.m8n8.x1.shared.b16", "stmatrix.sync.aligned.m8n8.x1.shared.b16"},
        {"ldmatrix.sync.aligned.m8n8.x2.shared.b16", "stmatrix.sync.aligned.m8n8.x2.shared.b16"},
        {"ldmatrix.sync.aligned.m8n8.x4.shared.b16", "stmatrix.sync.aligned.m8n8.x4.shared.b16"},
        {"ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16", "stmatrix.sync.aligned.m8n8.x1.trans.shared.b16"},
        {"ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16", "stmatrix.sync.aligned.m8n8.x2.trans.shared.b16"},
        {"ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16", "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16"},
    };
    uint64_t state = 7;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const ws_op load = op_of(pairs[i][0]), store = op_of(pairs[i][1]);
        uint8_t from[IMAGE_BYTES], to[IMAGE_BYTES] = {0};
        uint32_t load_address[WS_LANES], store_address[WS_LANES], registers[WS_LANES * WS_MAX_REGISTERS];
        check_random_bytes(&state, from, sizeof from);
        scatter(&load, &state, load_address);
        scatter(&store, &state, store_address);
        run(&load, from, load_address, registers);
        run(&store, to, store_address, registers);
        for (int lane = 0; lane < ws_op_row_lanes(&load); lane++) {
            CHECK(memcmp(from + load_address[lane], to + store_address[lane], 16) == 0);
        }
    }
}

static void test_movmatrix_of_a_load_is_the_transposed_load(void) {
    const ws_op plain = op_of("ldmatrix.sync.aligned.m8n8.x1.shared.b16");
    const ws_op trans = op_of("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16");
    const ws_op mov = op_of("movmatrix.sync.aligned.m8n8.trans.b16");
    uint64_t state = 8;
    uint8_t image[IMAGE_BYTES];
    uint32_t address[WS_LANES], moved[WS_LANES], expected[WS_LANES], twice[WS_LANES];
    check_random_bytes(&state, image, sizeof image);
    scatter(&plain, &state, address);
    run(&plain, image, address, moved);
    memcpy(twice, moved, sizeof twice);
    run(&mov, NULL, NULL, moved);
    run(&trans, image, address, expected);
    for (int lane = 0; lane < WS_LANES; lane++) CHECK_EQUAL(moved[lane], expected[lane]);
    run(&mov, NULL, NULL, moved);
    for (int lane = 0; lane < WS_LANES; lane++) CHECK_EQUAL(moved[lane], twice[lane]);
}

static void test_movmatrix_every_field_holds_the_element_of_the_map(void) {
    const ws_op mov = op_of("movmatrix.sync.aligned.m8n8.trans.b16");
    uint32_t registers[WS_LANES];
    for (int lane = 0; lane < WS_LANES; lane++) { /* row r, column c: lane 4r + c / 2, half c % 2 */
        const uint32_t first = (uint32_t)(16 * (lane / 4) + 2 * (lane % 4));
        registers[lane] = first | (first + 1) << 16;
    }
    run(&mov, NULL, NULL, registers);
    for (int lane = 0; lane < WS_LANES; lane++) {
        for (int field = 0; field < 2; field++) {
            const ws_element e = ws_fragment_element(&mov, lane, 0, field);
            CHECK_EQUAL(field_of(&mov, registers, lane, 0, field), 16 * e.row + e.column);
        }
    }
}

/* Lanes store their own number; `winner` is the lane whose row stays where all lanes of `overlapping` write. */
static void check_overlap(const char *text, uint32_t overlapping, int winner) {
    const ws_op op = op_of(text);
    const ws_form *form = ws_op_form(&op);
    uint8_t image[IMAGE_BYTES] = {0};
    uint32_t address[WS_LANES], registers[WS_LANES * WS_MAX_REGISTERS] = {0};
    for (int lane = 0; lane < WS_LANES; lane++) {
        address[lane] = overlapping >> lane & 1 ? 0 : (uint32_t)(lane + 1) * 16;
        for (int reg = 0; reg < ws_op_num_registers(&op); reg++) {
            for (int field = 0; field < ws_op_fields(&op); field++) {
                const ws_element e = ws_fragment_element(&op, lane, reg, field);
                const uint32_t row_lane = (uint32_t)(form->rows * e.matrix + e.row);
                registers[lane * ws_op_num_registers(&op) + reg] |= row_lane << (32 / ws_op_fields(&op) * field);
            }
        }
    }
    run(&op, image, address, registers);
    for (int i = 0; i < form->row_elements; i++)
        CHECK_EQUAL(get_bits(image, i * form->element_bits, form->element_bits), winner);
}

static void test_stmatrix_overlapping_rows_later_matrix_then_lowest_row_wins(void) {
    check_overlap("stmatrix.sync.aligned.m8n8.x1.shared.b16", UINT32_MAX, 0);
    check_overlap("stmatrix.sync.aligned.m8n8.x2.shared.b16", UINT32_MAX, 8);
    check_overlap("stmatrix.sync.aligned.m8n8.x4.shared.b16", UINT32_MAX, 24);
    check_overlap("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16", UINT32_MAX, 24);
    check_overlap("stmatrix.sync.aligned.m8n8.x4.shared.b16", UINT32_C(0x0080ff01), 23); /* last row of matrix 2 */
    check_overlap("stmatrix.sync.aligned.m8n8.x4.shared.b16", UINT32_C(0xa8), 3);
    check_overlap("stmatrix.sync.aligned.m8n8.x4.shared.b16", UINT32_C(0xa0c0), 13);
    check_overlap("stmatrix.sync.aligned.m16n8.x2.trans.shared.b8", UINT32_MAX, 8);
    check_overlap("stmatrix.sync.aligned.m16n8.x4.trans.shared.b8", UINT32_C(0x00c00003), 22);
}

CHECK_MAIN(test_load_and_store_every_field_holds_the_element_of_the_map, test_map_every_element_is_held_once,
           test_map_figures_of_the_manual, test_round_trip_store_of_a_load_gives_the_rows_back,
           test_movmatrix_of_a_load_is_the_transposed_load, test_movmatrix_every_field_holds_the_element_of_the_map,
           test_stmatrix_overlapping_rows_later_matrix_then_lowest_row_wins)
