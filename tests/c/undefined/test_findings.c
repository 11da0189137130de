/* What is found, in which order, and what each policy leaves unchanged. */
#include "../ops.h"

enum { NBYTES = 1024, SINK = 64, CANARY = 0x5a };

#define X4 "ldmatrix.sync.aligned.m8n8.x4.shared.b16"
#define X1 "ldmatrix.sync.aligned.m8n8.x1.shared.b16"
#define STORE_X1 "stmatrix.sync.aligned.m8n8.x1.shared.b16"
#define MOV "movmatrix.sync.aligned.m8n8.trans.b16"

/* Two warps of one instruction, all well until a test spoils something. */
typedef struct scene {
    ws_op op;
    uint8_t image[NBYTES], image_before[NBYTES];
    uint32_t address[2][WS_LANES], active[2], exited[2];
    uint32_t registers[2 * WS_LANES * WS_MAX_REGISTERS], registers_before[2 * WS_LANES * WS_MAX_REGISTERS];
    ws_memory memory;
    ws_access access;
    ws_finding items[SINK];
    ws_findings sink;
    ws_error error;
} scene;

static void scene_set(scene *s, const char *text) {
    uint64_t state = 10;
    s->op = op_of(text);
    for (size_t i = 0; i < NBYTES; i++) s->image[i] = (uint8_t)(check_random(&state) | 1);
    for (size_t i = 0; i < 2 * WS_LANES * WS_MAX_REGISTERS; i++) s->registers[i] = (uint32_t)check_random(&state) | 1;
    for (int warp = 0; warp < 2; warp++) {
        for (int lane = 0; lane < WS_LANES; lane++) s->address[warp][lane] = (uint32_t)(warp * 512 + lane * 16);
        s->active[warp] = UINT32_MAX;
        s->exited[warp] = 0;
    }
    memcpy(s->image_before, s->image, sizeof s->image);
    memcpy(s->registers_before, s->registers, sizeof s->registers);
    s->memory = ws_memory_make(s->image, NBYTES, 0);
    s->access = ws_access_make(&s->address[0][0], 2);
    s->access.active = s->active;
    s->access.exited = s->exited;
    s->sink.items = s->items;
    s->sink.capacity = SINK;
}

static ws_status scene_run(scene *s, ws_policy policy) {
    s->access.policy = policy;
    s->sink.count = 0;
    return ws_execute(&s->op, &s->memory, &s->access, s->registers, &s->sink, &s->error);
}

static bool image_unchanged(const scene *s) { return memcmp(s->image, s->image_before, sizeof s->image) == 0; }

static bool registers_unchanged(const scene *s) {
    return memcmp(s->registers, s->registers_before, sizeof s->registers) == 0;
}

/* The first register of a lane is this, or what the scene put there. */
static uint32_t first_register(const scene *s, int warp, int lane) {
    return s->registers[(warp * WS_LANES + lane) * ws_op_num_registers(&s->op)];
}

static uint32_t first_register_before(const scene *s, int warp, int lane) {
    return s->registers_before[(warp * WS_LANES + lane) * ws_op_num_registers(&s->op)];
}

/* All that was found: "LDM-001 0:5" is rule WS-LDM-001, warp 0, lane 5. */
static void check_found(const scene *s, const char *expected) {
    char bytes[256];
    ws_text text = ws_text_make(bytes, sizeof bytes);
    for (size_t i = 0; i < s->sink.count && i < s->sink.capacity; i++) {
        char one[32];
        snprintf(one, sizeof one, "%s%s %d:%d", i == 0 ? "" : ", ", ws_rule_at(s->items[i].rule)->id + 3,
                 (int)s->items[i].warp, s->items[i].lane);
        ws_text_add(&text, one);
    }
    CHECK_TEXT(bytes, expected);
}

static void check_finding(const scene *s, size_t index, const char *rule, uint64_t warp, int lane) {
    const ws_finding *finding = &s->items[index];
    if (!CHECK(index < s->sink.count && index < s->sink.capacity)) return;
    CHECK_TEXT(ws_rule_at(finding->rule)->id, rule);
    CHECK_EQUAL(finding->warp, warp);
    CHECK_EQUAL(finding->lane, lane);
}

static void spoil(scene *s) {
    s->address[0][2] = NBYTES;           /* out of bounds */
    s->address[0][5] = NBYTES + 3;       /* misaligned and out of bounds */
    s->address[1][0] = 8;                /* misaligned */
    s->address[1][31] = UINT32_MAX - 15; /* out of bounds */
}

static void test_order_by_warp_lane_then_misalignment_before_bounds(void) {
    scene s;
    scene_set(&s, X4);
    spoil(&s);
    CHECK_EQUAL(scene_run(&s, WS_POLICY_RAISE), WS_UNDEFINED);
    check_found(&s, "LDM-002 0:2, LDM-001 0:5, LDM-002 0:5, LDM-001 1:0, LDM-002 1:31");
    CHECK_EQUAL(s.items[1].has_address, 1);
    CHECK_EQUAL(s.items[1].address, NBYTES + 3);
    CHECK_HAS(s.error.message, "warp 0, lane 2 (matrix 0, row 2): row outside shared memory: 0x400");
}

static void test_order_lane_state_comes_between_its_neighbours(void) {
    scene s;
    scene_set(&s, X4);
    s.address[0][3] = 1;
    s.address[0][4] = 1; /* does not run: its address is not checked */
    s.address[0][5] = 1;
    s.active[0] = ~(UINT32_C(1) << 4);
    CHECK_EQUAL(scene_run(&s, WS_POLICY_RAISE), WS_UNDEFINED);
    check_found(&s, "LDM-001 0:3, LDM-004 0:4, LDM-001 0:5");
    CHECK_EQUAL(s.items[1].has_address, 0);
}

static void test_order_copy_both_misalignments_before_both_bounds(void) {
    scene s;
    uint64_t source[2][WS_LANES] = {{0}};
    scene_set(&s, "cp.async.ca.shared.global [d], [s], 16;");
    s.memory = ws_memory_with_global(s.memory, s.image, NBYTES, 0);
    s.access.source = &source[0][0];
    s.address[0][7] = NBYTES + 8;
    source[0][7] = NBYTES + 4;
    source[1][9] = UINT64_MAX - 15;
    CHECK_EQUAL(scene_run(&s, WS_POLICY_RAISE), WS_UNDEFINED);
    check_found(&s, "CPA-001 0:7, CPA-003 0:7, CPA-002 0:7, CPA-004 0:7, CPA-004 1:9");
    CHECK_EQUAL(s.items[1].address, NBYTES + 4); /* the source */
    CHECK_EQUAL(s.items[2].address, NBYTES + 8);
    CHECK(image_unchanged(&s));
}

static void test_sink_smaller_than_the_count_counts_on(void) {
    scene s;
    for (size_t capacity = 0; capacity <= 6; capacity++) {
        scene_set(&s, X4);
        spoil(&s);
        memset(s.items, CANARY, sizeof s.items);
        s.sink.capacity = capacity;
        CHECK_EQUAL(scene_run(&s, WS_POLICY_RAISE), WS_UNDEFINED);
        CHECK_EQUAL(s.sink.count, 5);
        if (capacity > 0) check_finding(&s, 0, "WS-LDM-002", 0, 2);
        if (capacity >= 5) check_finding(&s, 4, "WS-LDM-002", 1, 31);
        CHECK_EQUAL(((const uint8_t *)s.items)[sizeof(ws_finding) * (capacity < 5 ? capacity : 5)], CANARY);
    }
}

static void test_sink_null_changes_no_status(void) {
    scene s;
    scene_set(&s, X4);
    s.access.policy = WS_POLICY_RAISE;
    CHECK_EQUAL(ws_execute(&s.op, &s.memory, &s.access, s.registers, NULL, NULL), WS_OK);
    spoil(&s);
    CHECK_EQUAL(ws_execute(&s.op, &s.memory, &s.access, s.registers, NULL, &s.error), WS_UNDEFINED);
    CHECK_HAS(s.error.message, "lane 2");
    CHECK_EQUAL(ws_execute(&s.op, &s.memory, &s.access, s.registers, NULL, NULL), WS_UNDEFINED);
}

static void test_raise_last_warp_undefined_changes_nothing(void) {
    static const char *const texts[] = {X4, STORE_X1, "ld.shared.b32", "st.shared.v2.b32",
                                        "cp.async.cg.shared.global [d], [s], 16;"};
    scene s;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        scene_set(&s, texts[i]);
        s.memory = ws_memory_with_global(s.memory, s.image + 512, 512, 0);
        s.address[1][3] = NBYTES;
        CHECK_EQUAL(scene_run(&s, WS_POLICY_RAISE), WS_UNDEFINED);
        CHECK(s.error.message[0] != '\0');
        CHECK(image_unchanged(&s));
        CHECK(registers_unchanged(&s));
    }
    scene_set(&s, MOV);
    s.active[1] = 1;
    CHECK_EQUAL(scene_run(&s, WS_POLICY_RAISE), WS_UNDEFINED);
    CHECK(registers_unchanged(&s));
}

static void test_record_undefined_load_is_zero_and_the_other_warp_is_right(void) {
    scene s, right;
    scene_set(&right, X4);
    CHECK_EQUAL(scene_run(&right, WS_POLICY_RAISE), WS_OK);
    CHECK_EQUAL(right.sink.count, 0);
    scene_set(&s, X4);
    s.address[0][7] += 4;
    CHECK_EQUAL(scene_run(&s, WS_POLICY_RECORD), WS_OK);
    CHECK_EQUAL(s.error.message[0], '\0');
    check_found(&s, "LDM-001 0:7");
    for (int lane = 0; lane < WS_LANES; lane++) {
        for (int reg = 0; reg < 4; reg++) {
            CHECK_EQUAL(s.registers[lane * 4 + reg], 0);
            CHECK_EQUAL(s.registers[(WS_LANES + lane) * 4 + reg], right.registers[(WS_LANES + lane) * 4 + reg]);
            CHECK(right.registers[lane * 4 + reg] != 0);
        }
    }
    CHECK(image_unchanged(&s));
}

static void test_record_undefined_store_stores_nothing_and_the_other_warp_does(void) {
    scene s;
    scene_set(&s, STORE_X1);
    s.address[0][7] = NBYTES;
    CHECK_EQUAL(scene_run(&s, WS_POLICY_RECORD), WS_OK);
    CHECK_EQUAL(s.sink.count, 1);
    CHECK(memcmp(s.image, s.image_before, 512) == 0);
    CHECK(memcmp(s.image + 512, s.image_before + 512, 8 * 16) != 0);
    CHECK(memcmp(s.image + 640, s.image_before + 640, NBYTES - 640) == 0);
    CHECK(registers_unchanged(&s)); /* those of a store are read only */
}

static void test_record_zeroes_an_undefined_movmatrix_alone(void) {
    scene s, right;
    scene_set(&right, MOV);
    CHECK_EQUAL(scene_run(&right, WS_POLICY_RAISE), WS_OK);
    scene_set(&s, MOV);
    s.exited[0] = 1;
    CHECK_EQUAL(scene_run(&s, WS_POLICY_RECORD), WS_OK);
    check_found(&s, "MOV-002 0:0");
    for (int lane = 0; lane < WS_LANES; lane++) {
        CHECK_EQUAL(first_register(&s, 0, lane), 0);
        CHECK_EQUAL(first_register(&s, 1, lane), first_register(&right, 1, lane));
    }
}

static void test_collective_inactive_and_exited_lanes_are_told_apart(void) {
    scene s;
    scene_set(&s, X1);
    s.active[0] = ~UINT32_C(0x6);       /* lanes 1 and 2 inactive ... */
    s.exited[0] = UINT32_C(0x80000004); /* ... 2 and 31 exited */
    s.address[0][1] = UINT32_MAX;
    CHECK_EQUAL(scene_run(&s, WS_POLICY_RECORD), WS_OK);
    check_found(&s, "LDM-004 0:1, LDM-005 0:2, LDM-005 0:31"); /* supplies no row, but must execute */
    scene_set(&s, STORE_X1);
    s.active[1] = UINT32_MAX >> 1;
    CHECK_EQUAL(scene_run(&s, WS_POLICY_RECORD), WS_OK);
    check_found(&s, "STM-004 1:31");
    scene_set(&s, MOV);
    s.active[0] = UINT32_MAX << 1;
    CHECK_EQUAL(scene_run(&s, WS_POLICY_RECORD), WS_OK);
    check_found(&s, "MOV-001 0:0");
}

static void test_plain_inactive_lanes_keep_their_registers(void) {
    scene s;
    scene_set(&s, "ld.shared.b32");
    s.active[0] = UINT32_C(0x0000ffff);
    s.exited[0] = UINT32_C(0x000000ff);
    for (int lane = 0; lane < 8; lane++) s.address[0][lane] = 1;
    for (int lane = 16; lane < WS_LANES; lane++) s.address[0][lane] = UINT32_MAX;
    CHECK_EQUAL(scene_run(&s, WS_POLICY_RAISE), WS_OK);
    CHECK_EQUAL(s.sink.count, 0);
    for (int lane = 0; lane < WS_LANES; lane++) {
        const bool runs = lane >= 8 && lane < 16;
        CHECK_EQUAL(first_register(&s, 0, lane),
                    runs ? ws_load_u32(s.image + s.address[0][lane]) : first_register_before(&s, 0, lane));
    }
}

static void test_empty_mask_executes_nothing_and_breaks_nothing(void) {
    static const char *const texts[] = {X4, STORE_X1, MOV, "ld.shared.b32", "st.shared.b32"};
    scene s;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        scene_set(&s, texts[i]);
        s.active[0] = s.active[1] = 0;
        s.exited[0] = 1;
        s.address[0][0] = UINT32_MAX;
        CHECK_EQUAL(scene_run(&s, WS_POLICY_RAISE), WS_OK);
        CHECK_EQUAL(s.sink.count, 0);
        CHECK(image_unchanged(&s));
        CHECK(registers_unchanged(&s));
    }
}

static void test_generic_address_outside_shared_breaks_matrices(void) {
    scene s;
    uint64_t address[2][WS_LANES];
    for (int lane = 0; lane < 2 * WS_LANES; lane++) address[lane / WS_LANES][lane % WS_LANES] = WS_SHARED_WINDOW;
    address[0][4] = 4096; /* global */
    address[0][5] = 17;   /* nowhere, and misaligned */
    address[1][6] = WS_SHARED_WINDOW + NBYTES;
    scene_set(&s, "ldmatrix.sync.aligned.m8n8.x1.b16");
    s.memory = ws_memory_with_global(s.memory, s.image, NBYTES, 4096);
    s.access.address = address;
    s.access.address_bytes = 8;
    CHECK_EQUAL(scene_run(&s, WS_POLICY_RECORD), WS_OK);
    check_found(&s, "LDM-003 0:4, LDM-001 0:5, LDM-003 0:5, LDM-002 1:6");
    s.op = op_of("st.v4.b32");
    CHECK_EQUAL(scene_run(&s, WS_POLICY_RECORD), WS_OK);
    check_found(&s, "ST-001 0:5, ST-003 0:5, ST-002 1:6");
}

static void test_unused_lane_bad_address_matters_up_to_sm_75_only(void) {
    scene s;
    scene_set(&s, X1);
    s.address[0][20] = UINT32_MAX;
    s.address[1][8] = 4;
    CHECK_EQUAL(scene_run(&s, WS_POLICY_RAISE), WS_OK);
    s.access.target = ws_target_find("sm_80");
    CHECK_EQUAL(scene_run(&s, WS_POLICY_RAISE), WS_OK);
    s.access.target = ws_target_find("sm_75");
    CHECK_EQUAL(scene_run(&s, WS_POLICY_RAISE), WS_UNDEFINED);
    check_found(&s, "LDM-007 0:20, LDM-007 1:8");
}

static void test_qualifiers_that_differ_between_lanes_are_found(void) {
    scene s;
    ws_op ops[WS_LANES];
    scene_set(&s, X4);
    for (int lane = 0; lane < WS_LANES; lane++) ops[lane] = s.op;
    s.sink.count = 0;
    CHECK(ws_check_qualifiers(ops, &s.access, 0, &s.sink));
    ops[0].trans = 1;
    ops[9].trans = 1;
    s.active[0] = ~UINT32_C(1); /* lane 0 does not take part */
    CHECK(!ws_check_qualifiers(ops, &s.access, 0, &s.sink));
    check_found(&s, "LDM-006 0:9");
    s.active[0] = 0;
    s.sink.count = 0;
    CHECK(ws_check_qualifiers(ops, &s.access, 0, &s.sink));
    CHECK_EQUAL(s.sink.count, 0);
}

/* Every lane copies a source of its own to one destination. */
static void check_equal_destinations(const char *text, size_t findings, int winner) {
    scene s;
    uint64_t source[2][WS_LANES];
    scene_set(&s, text);
    s.memory = ws_memory_with_global(ws_memory_make(s.image, 512, 0), s.image + 512, 512, 0);
    s.access.n = 1;
    s.access.source = &source[0][0];
    for (int lane = 0; lane < WS_LANES; lane++) {
        s.address[0][lane] = 0;
        source[0][lane] = (uint64_t)lane * 16;
    }
    s.active[0] = ~UINT32_C(0x80000001);
    CHECK_EQUAL(scene_run(&s, WS_POLICY_RAISE), WS_OK); /* a warning raises nothing */
    CHECK_EQUAL(s.sink.count, findings);
    if (findings > 0) {
        check_finding(&s, 0, "WS-CPA-005", 0, 2);
        CHECK_EQUAL(ws_rule_at(s.items[0].rule)->severity, WS_WARNING);
    }
    CHECK(memcmp(s.image, s.image + 512 + winner * 16, 16) == 0);
    CHECK(memcmp(s.image + 16, s.image_before + 16, NBYTES - 16) == 0);
}

static void test_copy_equal_destinations_are_a_warning_for_cg_alone(void) {
    check_equal_destinations("cp.async.cg.shared.global [d], [s], 16;", 29, 1);
    check_equal_destinations("cp.async.ca.shared.global [d], [s], 16;", 0, 30);
}

static void test_plain_store_equal_addresses_later_group_then_lowest_lane_wins(void) {
    static const struct {
        const char *text;
        int winner;
    } cases[] = {{"st.shared.b32", 0}, {"st.shared.v2.b32", 16}, {"st.shared.v4.b32", 24}};
    scene s;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int whole = 0; whole < 2; whole++) { /* a warp that lacks a lane is served lane by lane */
            scene_set(&s, cases[i].text);
            s.access.n = 1;
            s.active[0] = whole ? UINT32_MAX : ~UINT32_C(0x80000000);
            memset(s.address[0], 0, sizeof s.address[0]);
            CHECK_EQUAL(scene_run(&s, WS_POLICY_RAISE), WS_OK);
            CHECK_EQUAL(ws_load_u32(s.image), first_register(&s, 0, cases[i].winner));
        }
    }
}

static void test_hardware_measured_target_does_what_it_does(void) {
    scene s;
    scene_set(&s, X4);
    s.access.target = ws_target_find("sm_90");
    s.address[1][3] = 8;
    CHECK_EQUAL(scene_run(&s, WS_POLICY_HARDWARE), WS_TRAP);
    CHECK_TEXT(s.error.code, "CUDA_ERROR_MISALIGNED_ADDRESS");
    CHECK_HAS(s.error.message, "warp 1: CUDA_ERROR_MISALIGNED_ADDRESS");
    CHECK(registers_unchanged(&s));
    s.address[1][4] = 1 << 20; /* beyond the allocation comes before misalignment, */
    CHECK_EQUAL(scene_run(&s, WS_POLICY_HARDWARE), WS_TRAP);
    CHECK_TEXT(s.error.code, "CUDA_ERROR_ILLEGAL_ADDRESS");
    s.address[1][5] = 1 << 24; /* and beyond 2^24 before everything */
    CHECK_EQUAL(scene_run(&s, WS_POLICY_HARDWARE), WS_TRAP);
    CHECK_TEXT(s.error.code, "CUDA_ERROR_ILLEGAL_INSTRUCTION");
    s.active[1] = 1; /* but a partial warp does nothing at all */
    CHECK_EQUAL(scene_run(&s, WS_POLICY_HARDWARE), WS_OK);
    CHECK(memcmp(s.registers + 128, s.registers_before + 128, 128 * sizeof(uint32_t)) == 0);
    s.access.target = ws_target_find("sm_80");
    CHECK_EQUAL(scene_run(&s, WS_POLICY_HARDWARE), WS_UNKNOWN_HARDWARE);
    CHECK(s.error.code == NULL);
    scene_set(&s, STORE_X1);
    s.access.target = ws_target_find("sm_90");
    s.active[0] = 1;
    CHECK_EQUAL(scene_run(&s, WS_POLICY_HARDWARE), WS_TRAP);
    CHECK_TEXT(s.error.code, "HANG");
}

static void test_hardware_allocation_ends_at_the_next_multiple_of_128(void) {
    scene s;
    scene_set(&s, X1);
    s.memory = ws_memory_make(s.image, 100, 1024);
    s.access.n = 1;
    s.access.target = ws_target_find("sm_90");
    for (int lane = 0; lane < 8; lane++) s.address[0][lane] = 1024 + 112;
    CHECK_EQUAL(scene_run(&s, WS_POLICY_HARDWARE), WS_OK);
    CHECK_EQUAL(s.sink.count, 8); /* undefined all the same */
    CHECK_EQUAL(first_register(&s, 0, 0), 0);
    s.address[0][0] = 0; /* the system's part can be read */
    CHECK_EQUAL(scene_run(&s, WS_POLICY_HARDWARE), WS_OK);
    s.address[0][0] = 1024 + 128;
    CHECK_EQUAL(scene_run(&s, WS_POLICY_HARDWARE), WS_TRAP);
    CHECK_TEXT(s.error.code, "CUDA_ERROR_ILLEGAL_ADDRESS");
}

static void test_execute_and_count_invalid_arguments_are_refused(void) {
    scene s;
    ws_counts counts;
    ws_op none = ws_op_none();
    scene_set(&s, X4);
    CHECK_EQUAL(ws_execute(NULL, &s.memory, &s.access, s.registers, NULL, &s.error), WS_INVALID_ARGUMENT);
    CHECK_HAS(s.error.message, "ws_execute");
    CHECK_EQUAL(ws_execute(&s.op, NULL, &s.access, s.registers, NULL, NULL), WS_INVALID_ARGUMENT);
    CHECK_EQUAL(ws_execute(&s.op, &s.memory, NULL, s.registers, NULL, NULL), WS_INVALID_ARGUMENT);
    CHECK_EQUAL(ws_execute(&none, &s.memory, &s.access, s.registers, NULL, NULL), WS_INVALID_ARGUMENT);
    CHECK_EQUAL(ws_count(NULL, &s.access, &counts, &s.error), WS_INVALID_ARGUMENT);
    CHECK_EQUAL(ws_count(&none, &s.access, &counts, NULL), WS_INVALID_ARGUMENT);
    CHECK_EQUAL(ws_count(&s.op, &s.access, NULL, NULL), WS_INVALID_ARGUMENT);
    s.access.target = WS_NO_TARGET;
    CHECK_EQUAL(scene_run(&s, WS_POLICY_HARDWARE), WS_INVALID_ARGUMENT);
}

/* The text of the first finding of a warp whose first lane's address is this. */
static void check_text(const char *instruction, uint32_t address, const uint32_t *stride, const char *part) {
    char bytes[512];
    ws_text text = ws_text_make(bytes, sizeof bytes);
    scene s;
    scene_set(&s, instruction);
    s.access.n = 1;
    s.access.stride = stride;
    s.access.address_lanes = ws_op_is_wmma(&s.op) ? 1 : WS_LANES;
    s.active[0] = ws_op_is_collective(&s.op) ? UINT32_MAX : 1;
    s.address[0][0] = address;
    scene_run(&s, WS_POLICY_RECORD);
    if (!CHECK(s.sink.count > 0)) return;
    ws_finding_write(&s.op, &s.memory, &s.items[0], &text);
    CHECK_HAS(bytes, part);
    CHECK_EQUAL(s.items[0].has_address, stride == NULL);
}

static void test_texts_name_the_nearest_that_is_aligned(void) {
    const uint32_t off_fragment = 24, misaligned = 17, below = UINT32_MAX;
    check_text("ld.shared.b64", 12, NULL, "0xc is not a multiple of 8; nearest: 0x8, 0x10");
    check_text("ld.shared.b32", 3, NULL, "0x3 is not a multiple of 4; nearest: 0x0, 0x4");
    check_text(X4, 17, NULL,
               "lane 0 (matrix 0, row 0): misaligned row address: 0x11 is not a multiple of 16; nearest: 0x10, 0x20");
    check_text("wmma.load.a.sync.aligned.row.m16n16k16.shared.f16", 0, &off_fragment,
               "24 elements of 16 bits; expected at least 16");
    check_text("wmma.load.a.sync.aligned.row.m16n16k16.shared.f16", 0, &misaligned, "17 elements of 16 bits");
    check_text("wmma.load.a.sync.aligned.row.m16n16k16.shared.f16", 0, &below, "-1 elements of 16 bits");
}

static void test_check_of_a_range_fills_its_own_part(void) {
    scene s;
    uint8_t ok[2] = {9, 9};
    ws_plan plan;
    ws_call call;
    scene_set(&s, X4);
    s.access.policy = WS_POLICY_RECORD;
    plan = ws_plan_make(&s.op, &s.access);
    call = ws_call_make(&plan, &s.memory, &s.access, NULL);
    s.sink.count = 0;
    s.address[1][7] += 4;
    CHECK_EQUAL(ws_check_range(&call, 1, 2, ok, &s.sink, &s.error), WS_OK);
    CHECK_EQUAL(ok[0], 0);
    check_found(&s, "LDM-001 1:7");
    s.address[1][7] -= 4;
    CHECK_EQUAL(ws_check_range(&call, 1, 2, ok, &s.sink, &s.error), WS_OK);
    CHECK_EQUAL(ok[0], 1);
    CHECK_EQUAL(ok[1], 9);
    CHECK_EQUAL(s.sink.count, 1);
}

static void test_rules_have_unique_ids_and_texts(void) {
    for (int i = 0; i < WS_RULE_COUNT; i++) {
        const ws_rule *rule = ws_rule_at(i);
        CHECK(strncmp(rule->id, "WS-", 3) == 0);
        CHECK(rule->title[0] != '\0' && rule->fix[strlen(rule->fix) - 1] == '.');
        CHECK(strcmp(ws_severity_word(rule->severity), "?") != 0);
        CHECK_EQUAL(rule->ptx != NULL, i < WS_RULES_TILE || i >= WS_RULES_KERNEL);
        CHECK_EQUAL(rule->hardware != NULL, i < WS_RULES_TILE || i >= WS_RULES_KERNEL);
        CHECK_EQUAL(strncmp(rule->id, "WS-TILE-", 8) == 0, i >= WS_RULES_TILE && i < WS_RULES_LINT);
        CHECK_EQUAL(strncmp(rule->id, "WS-LINT-", 8) == 0, i >= WS_RULES_LINT && i < WS_RULES_KERNEL);
        CHECK_EQUAL(strncmp(rule->id, "WS-RUN-", 7) == 0, i >= WS_RULES_KERNEL);
        if (i < WS_RULES_TILE) CHECK_EQUAL(ws_rule_find(rule->kind, (ws_fault)rule->fault), i);
        for (int j = 0; j < i; j++) CHECK(strcmp(rule->id, ws_rule_at(j)->id) != 0);
    }
}

CHECK_MAIN(test_order_by_warp_lane_then_misalignment_before_bounds, test_order_lane_state_comes_between_its_neighbours,
           test_order_copy_both_misalignments_before_both_bounds, test_sink_smaller_than_the_count_counts_on,
           test_sink_null_changes_no_status, test_raise_last_warp_undefined_changes_nothing,
           test_record_undefined_load_is_zero_and_the_other_warp_is_right,
           test_record_undefined_store_stores_nothing_and_the_other_warp_does,
           test_record_zeroes_an_undefined_movmatrix_alone, test_collective_inactive_and_exited_lanes_are_told_apart,
           test_plain_inactive_lanes_keep_their_registers, test_empty_mask_executes_nothing_and_breaks_nothing,
           test_generic_address_outside_shared_breaks_matrices, test_unused_lane_bad_address_matters_up_to_sm_75_only,
           test_qualifiers_that_differ_between_lanes_are_found, test_copy_equal_destinations_are_a_warning_for_cg_alone,
           test_plain_store_equal_addresses_later_group_then_lowest_lane_wins,
           test_hardware_measured_target_does_what_it_does, test_hardware_allocation_ends_at_the_next_multiple_of_128,
           test_execute_and_count_invalid_arguments_are_refused, test_texts_name_the_nearest_that_is_aligned,
           test_check_of_a_range_fills_its_own_part, test_rules_have_unique_ids_and_texts)
