/* The table of forms against every combination of fields. */
#include "../ops.h"

static void test_table_every_combination_matches_one_row_at_most(void) {
    uint32_t matched[WS_FORM_COUNT] = {0};
    for (uint32_t index = 0; index < CROSS_SIZE; index++) {
        const ws_op op = cross_op(index);
        int rows = 0;
        for (int form = 0; form < WS_FORM_COUNT; form++) {
            if (ws_form_match(ws_isa_form(form), &op) != WS_MATCH_ALL) continue;
            rows++;
            matched[form]++;
            CHECK_EQUAL(form, op.form);
        }
        CHECK_EQUAL(rows, op.form != 0);
    }
    CHECK_EQUAL(matched[0], 0);
    for (int form = 1; form < WS_FORM_COUNT; form++) {
        CHECK(matched[form] > 0);
        CHECK_EQUAL(matched[form], row_size(ws_isa_form(form)));
    }
}

/* What the rows make is what matches them, one instruction each. */
static void test_table_every_instruction_of_a_row_is_found_there(void) {
    for (uint32_t index = 0; index < table_size(); index++) {
        const ws_op op = table_op(index);
        CHECK(ws_op_is_valid(&op));
        CHECK_EQUAL(ws_op_count(&op), ws_op_is_wmma(&op) ? 1 : op.num + op.vec + op.size_bytes);
    }
}

/* A word that no row needs is not one of these instructions'. */
static void test_vocabulary_every_value_has_a_row(void) {
    uint32_t shapes = 0, types = 0, spaces = 0, operands = 0, layouts = 0, caches = 0, kinds = 0;
    for (int form = 1; form < WS_FORM_COUNT; form++) {
        const ws_form *row = ws_isa_form(form);
        shapes |= row->shapes;
        types |= row->types;
        spaces |= row->spaces;
        operands |= row->operands;
        layouts |= row->layouts;
        caches |= WS_BIT(row->cache);
        kinds |= WS_BIT(row->kind);
    }
    CHECK_EQUAL(shapes, WS_BIT(WS_SHAPE_COUNT) - 1);
    CHECK_EQUAL(types, WS_BIT(WS_TYPE_S8_S4 + 1) - 1); /* those after it are of whole kernels */
    CHECK_EQUAL(spaces, WS_BIT(WS_SPACE_COUNT) - 1);
    CHECK_EQUAL(operands, WS_BIT(WS_OPERAND_COUNT) - 1);
    CHECK_EQUAL(layouts, WS_BIT(WS_LAYOUT_COUNT) - 1);
    CHECK_EQUAL(caches, WS_BIT(WS_CACHE_COUNT) - 1);
    CHECK_EQUAL(kinds, WS_BIT(WS_KIND_COUNT) - 2);
}

/* What a kernel author counts on, written from the PTX manual and the measurements, not from the table. */
static void test_kinds_that_read_registers(void) {
    uint32_t kinds = 0;
    int kind;
    for (kind = 1; kind < WS_KIND_COUNT; kind++) kinds |= (uint32_t)ws_kind_reads_registers(kind) << kind;
    CHECK_EQUAL(kinds, WS_BIT(WS_STMATRIX) | WS_BIT(WS_MOVMATRIX) | WS_BIT(WS_ST) | WS_BIT(WS_WMMA_STORE));
}

static void test_form_known_instruction_has_its_sizes(void) {
    static const struct {
        const char *text;
        int registers, register_bits, row_lanes, access_bytes, group_lanes, fields;
    } cases[] = {
        {"ldmatrix.sync.aligned.m8n8.x1.shared.b16", 1, 32, 8, 16, 8, 2},
        {"ldmatrix.sync.aligned.m8n8.x4.trans.b16", 4, 32, 32, 16, 8, 2},
        {"ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8", 2, 32, 16, 16, 8, 4},
        {"ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8x16.b6x16_p32", 4, 32, 32, 16, 8, 4},
        {"ldmatrix.sync.aligned.m8n16.x2.shared.b8x16.b4x16_p64", 2, 32, 16, 16, 8, 4},
        {"ldmatrix.sync.aligned.m8n16.x4.shared.s8.s4", 4, 32, 32, 8, 16, 4},
        {"stmatrix.sync.aligned.m8n8.x2.shared.b16", 2, 32, 16, 16, 8, 2},
        {"stmatrix.sync.aligned.m16n8.x4.trans.shared.b8", 4, 32, 32, 16, 8, 4},
        {"ld.shared.u8", 1, 32, 32, 1, 32, 0},
        {"ld.shared.v2.b32", 2, 32, 32, 8, 16, 0},
        {"st.shared.v2.f64", 2, 64, 32, 16, 8, 0},
        {"st.global.v4.b8", 4, 32, 32, 4, 32, 0},
        {"wmma.load.a.sync.aligned.row.m16n16k16.shared.f16", 8, 32, 1, 32, 0, 2},
        {"wmma.load.b.sync.aligned.col.m8n32k16.global.bf16", 8, 32, 1, 32, 0, 2},
        {"wmma.load.a.sync.aligned.row.m8n8k128.b1", 1, 32, 1, 4, 0, 32},
        {"wmma.store.d.sync.aligned.col.m8n8k4.f64", 2, 64, 1, 16, 0, 1},
        {"cp.async.ca.shared.global [d], [s], 8;", 0, 32, 32, 8, 16, 0},
        {"cp.async.cg.shared.global [d], [s], 16;", 0, 32, 32, 16, 8, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const ws_op op = op_of(cases[i].text);
        CHECK_EQUAL(ws_op_num_registers(&op), cases[i].registers);
        CHECK_EQUAL(ws_op_register_bits(&op), cases[i].register_bits);
        CHECK_EQUAL(ws_op_row_lanes(&op), cases[i].row_lanes);
        CHECK_EQUAL(ws_op_access_bytes(&op), cases[i].access_bytes);
        CHECK_EQUAL(ws_op_group_lanes(&op), cases[i].group_lanes);
        CHECK_EQUAL(ws_op_fields(&op), cases[i].fields);
    }
    {
        const ws_op op = op_of("movmatrix.sync.aligned.m8n8.trans.b16");
        CHECK_EQUAL(ws_op_num_registers(&op), 1);
        CHECK_EQUAL(ws_op_row_lanes(&op), 0);
        CHECK_EQUAL(ws_op_fields(&op), 2);
    }
}

static void test_form_every_row_fits_its_registers(void) {
    for (uint32_t index = 0; index < table_size(); index++) {
        const ws_op op = table_op(index);
        const ws_form *form = ws_op_form(&op);
        CHECK(ws_op_num_registers(&op) <= WS_MAX_REGISTERS);
        CHECK(ws_op_access_bytes(&op) <= (ws_op_is_wmma(&op) ? 32 : 16));
        CHECK(ws_op_row_lanes(&op) <= WS_LANES);
        if (op.kind != WS_LDMATRIX && op.kind != WS_STMATRIX) continue;
        /* as many fields in the warp as elements in memory */
        CHECK_EQUAL(WS_LANES * ws_op_num_registers(&op) * ws_op_fields(&op), ws_op_row_lanes(&op) * form->row_elements);
        CHECK(form->row_elements * form->element_bits <= form->row_bytes * 8);
        CHECK_EQUAL(form->packing == WS_ROWS_PLAIN, form->element_bits == form->field_bits);
        CHECK_EQUAL(form->turn == WS_ROWS_NO_TURN, form->trans == WS_TRANS_NEVER);
    }
}

static void test_validate_no_row_says_why(void) {
    for (uint32_t index = 0; index < CROSS_SIZE; index++) {
        ws_op op = cross_op(index);
        const uint8_t form = op.form;
        ws_error error;
        ws_error_clear(&error);
        const ws_status status = ws_op_validate(&op, &error);
        CHECK(form != 0 ? status == WS_OK : status == WS_UNSUPPORTED || status == WS_NOT_MODELLED);
        CHECK_EQUAL(op.form, form);
        CHECK_EQUAL(error.message[0] == '\0', form != 0);
    }
}

static void test_validate_numbers_of_other_instructions_are_refused(void) {
    static const char *const texts[] = {
        "ldmatrix.sync.aligned.m8n8.x4.shared.b16", "movmatrix.sync.aligned.m8n8.trans.b16", "ld.shared.v2.b32",
        "cp.async.cg.shared.global [d], [s], 16;", "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        for (int field = 0; field < 3; field++) {
            ws_op op = op_of(texts[i]);
            uint8_t *number = field == 0 ? &op.num : field == 1 ? &op.vec : &op.size_bytes;
            ws_error error;
            CHECK_EQUAL(ws_op_validate(&op, &error), WS_OK);
            if (*number != 0) continue; /* its own */
            *number = 4;
            CHECK_EQUAL(ws_op_validate(&op, &error), WS_UNSUPPORTED);
            CHECK_HAS(error.message, "do not belong to one instruction");
        }
    }
}

static void test_validate_reason_names_what_there_is(void) {
    static const char *const texts[][2] = {
        {"ldmatrix.sync.aligned.m8n8.x8.shared.b16",
         "ldmatrix .m8n8 does not have this .num: expected .x1, .x2 or .x4"},
        {"ldmatrix.sync.aligned.m16n16.x4.trans.shared.b8",
         "ldmatrix .m16n16 does not have this .num: expected .x1 or .x2"},
        {"ldmatrix.sync.aligned.m16n16.x1.shared.b8", "ldmatrix .m16n16 exists only with .trans for this type"},
        {"ldmatrix.sync.aligned.m8n16.x1.trans.shared.s8.s4",
         "ldmatrix .m8n16 exists only without .trans for this type"},
        {"wmma.load.a.sync.aligned.m16n16k16.shared.f16", "wmma.load.a .m16n16k16 needs a layout: .row or .col"},
        {"ldmatrix.sync.aligned.m8n8.x4.shared", "ldmatrix .m8n8 needs a type: .b16"},
        {"ldmatrix.sync.aligned.m8n8.x4.shared.b8",
         "ldmatrix .m8n8 has no such type: expected .b16; .b8 goes with .m16n16"},
        {"wmma.load.a.sync.aligned.row.m16n16k16.shared.tf32",
         "wmma.load.a .m16n16k16 has no such type: expected .u8, .s8, .f16 or .bf16; .tf32 goes with .m16n16k8"},
    };
    ws_op op;
    ws_error error;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        CHECK_EQUAL(ws_parse(texts[i][0], &op, &error), WS_UNSUPPORTED);
        CHECK_TEXT(error.message, texts[i][1]);
    }
    op = op_of("wmma.load.a.sync.aligned.row.m16n16k16.shared.f16");
    op.operand = WS_OPERAND_D;
    CHECK_EQUAL(ws_op_validate(&op, &error), WS_UNSUPPORTED);
    CHECK_TEXT(error.message, "wmma.load.d .m16n16k16 does not have this operand: expected .a, .b or .c");
}

/* What has no shape has no matrix. */
static void test_no_shape_is_no_matrix(void) {
    static const int none[] = {0, -1, WS_SHAPE_COUNT};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        CHECK_EQUAL(ws_shape_at(none[i])->m, 0);
        CHECK_EQUAL(ws_shape_at(none[i])->n, 0);
        CHECK_EQUAL(ws_shape_at(none[i])->k, 0);
    }
}

/* Tables may be asked for any number: beyond either end they say "?", or give their first row. */
static void test_tables_beyond_either_end_say_so(void) {
    static const struct {
        const char *(*word_of)(int);
        int count;
    } words[] = {{ws_kind_word, WS_KIND_COUNT},
                 {ws_shape_word, WS_SHAPE_COUNT},
                 {ws_type_word, WS_TYPE_COUNT},
                 {ws_space_word, WS_SPACE_COUNT},
                 {ws_cache_word, WS_CACHE_COUNT},
                 {ws_operand_word, WS_OPERAND_COUNT},
                 {ws_layout_word, WS_LAYOUT_COUNT},
                 {ws_counter_word, WS_COUNTER_COUNT},
                 {ws_basis_word, WS_BASIS_COUNT},
                 {ws_bound_word, WS_BOUND_COUNT},
                 {ws_program_part_word, WS_PROGRAM_PART_COUNT},
                 {ws_tile_side_word, WS_TILE_SIDE_COUNT},
                 {ws_search_reason_word, WS_SEARCH_REASON_COUNT},
                 {ws_name_space_word, WS_NAME_SPACE_COUNT}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        CHECK_TEXT(words[i].word_of(-1), "?");
        CHECK_TEXT(words[i].word_of(words[i].count), "?");
        CHECK(strcmp(words[i].word_of(words[i].count - 1), "?") != 0);
        CHECK(strcmp(words[i].word_of(0), "?") != 0);
    }
    CHECK(ws_type_bits(WS_TYPE_F16X2) == 32 && ws_type_bits(WS_TYPE_BF16X2) == 32);
    CHECK_EQUAL(ws_type_bits(WS_TYPE_COUNT), 0);
    CHECK_EQUAL(ws_type_bits(-1), 0);
    for (size_t i = 0; i < 2; i++) {
        const bool below = i == 0;
        CHECK(ws_isa_form(below ? -1 : WS_FORM_COUNT) == ws_isa_form(0));
        CHECK(ws_target(below ? -1 : WS_TARGET_COUNT) == ws_target(0));
        CHECK(ws_rule_at(below ? -1 : WS_RULE_COUNT) == ws_rule_at(0));
        CHECK(ws_law_at(below ? -1 : WS_LAW_COUNT) == ws_law_at(0));
        CHECK(ws_known_at(below ? -1 : WS_KNOWN_COUNT) == ws_known_at(0));
        CHECK(ws_profile_constant_at(below ? -1 : WS_CONSTANT_COUNT) == ws_profile_constant_at(0));
    }
    CHECK(ws_rule_at(WS_RULE_COUNT - 1) != ws_rule_at(0));
    CHECK_EQUAL(ws_rule_find(WS_MOVMATRIX, WS_FAULT_MISALIGNED), 0); /* no rule is about that */
}

CHECK_MAIN(test_table_every_combination_matches_one_row_at_most, test_table_every_instruction_of_a_row_is_found_there,
           test_vocabulary_every_value_has_a_row, test_kinds_that_read_registers,
           test_form_known_instruction_has_its_sizes, test_form_every_row_fits_its_registers,
           test_validate_no_row_says_why, test_validate_numbers_of_other_instructions_are_refused,
           test_validate_reason_names_what_there_is, test_no_shape_is_no_matrix, test_tables_beyond_either_end_say_so)
