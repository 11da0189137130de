/* The maps of the matrix instructions; what moves by them, at every level, is in test_rows.c. */
#include "../ops.h"

enum { IMAGE_BYTES = 1024 };

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
        CHECK_EQUAL(get_bits(image, (uint64_t)(i * form->element_bits), form->element_bits), winner);
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

CHECK_MAIN(test_map_every_element_is_held_once, test_map_figures_of_the_manual,
           test_movmatrix_every_field_holds_the_element_of_the_map,
           test_stmatrix_overlapping_rows_later_matrix_then_lowest_row_wins)
