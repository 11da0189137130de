/* wmma.load and wmma.store: every form against the plain address formula. */
#include <string.h>

#include "../ops.h"

enum { IMAGE_BYTES = 8192, MOST_REGISTERS = 8 };

static uint8_t image[IMAGE_BYTES];

static ws_memory memory_for(const ws_op *op, void *bytes) {
    ws_memory memory = ws_memory_make(bytes, IMAGE_BYTES, 0);
    if (op->space == WS_SPACE_GLOBAL) {
        memory = ws_memory_make(NULL, 0, 0);
        memory = ws_memory_with_global(memory, bytes, IMAGE_BYTES, 0);
    }
    return memory;
}

static ws_access access_for(const ws_op *op, const uint32_t *p, const uint64_t *p64, const uint32_t *stride) {
    ws_access access = op->space == WS_SPACE_GLOBAL ? ws_access_make_64(p64, 1) : ws_access_make(p, 1);
    access.address_lanes = 1;
    access.stride = stride;
    return access;
}

/* The stride: the default, or a padded one that every form allows. */
static uint32_t stride_of(const ws_op *op, bool padded) {
    const uint32_t fallback = ws_wmma_default_stride(op);
    return padded ? fallback + (uint32_t)(256 / ws_type_bits(op->type)) : fallback;
}

static void check_load(const ws_op *op, bool padded) {
    const uint32_t p = 64, stride = stride_of(op, padded);
    const uint64_t p64 = 64;
    const int bits = ws_type_bits(op->type), width = ws_op_register_bits(op), count = ws_op_num_registers(op);
    int held[128][128] = {{0}};
    uint64_t wide[WS_LANES][MOST_REGISTERS] = {{0}};
    uint32_t narrow[WS_LANES * MOST_REGISTERS];
    ws_memory memory = memory_for(op, image);
    const ws_access access = access_for(op, &p, &p64, padded ? &stride : NULL);
    ws_error error;
    void *registers = width == 64 ? (void *)wide : (void *)narrow;
    if (!CHECK(ws_execute(op, &memory, &access, registers, NULL, &error) == WS_OK)) return;
    for (int lane = 0; lane < WS_LANES; lane++) {
        for (int reg = 0; reg < count; reg++) {
            const size_t at = (size_t)(lane * count + reg);
            const uint64_t word = width == 64 ? ((const uint64_t *)registers)[at] : narrow[at];
            for (int field = 0; field < width / bits; field++) {
                const ws_element e = ws_fragment_element(op, lane, reg, field);
                const uint32_t line = (uint32_t)(op->layout == WS_LAYOUT_ROW ? e.row : e.column);
                const uint32_t index = (uint32_t)(op->layout == WS_LAYOUT_ROW ? e.column : e.row);
                const uint64_t wanted = get_bits(image, (size_t)p * 8 + (line * stride + index) * (uint32_t)bits, bits);
                const uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
                CHECK_EQUAL(word >> (field * bits) & mask, wanted);
                held[e.row][e.column]++;
            }
        }
    }
    for (int row = 0; row < ws_wmma_rows(op); row++) { /* every element equally often: f16 a and b up to four times */
        for (int col = 0; col < ws_wmma_cols(op); col++)
            CHECK_EQUAL(held[row][col], count / ws_wmma_distinct_registers(op));
    }
}

/* What store writes is what load of c reads back, and nothing beside the matrix changes. */
static void check_store(const ws_op *op, bool padded) {
    const uint32_t p = 64, stride = stride_of(op, padded);
    const uint64_t p64 = 64;
    uint8_t target[IMAGE_BYTES];
    uint64_t given[WS_LANES][MOST_REGISTERS], back[WS_LANES][MOST_REGISTERS];
    size_t i, used = ws_warp_register_bytes(op), changed = 0;
    ws_op load = *op;
    ws_memory memory = memory_for(op, target);
    ws_access access = access_for(op, &p, &p64, padded ? &stride : NULL);
    ws_error error;
    for (i = 0; i < sizeof given; i++) ((uint8_t *)given)[i] = (uint8_t)(i * 37 + i / 251 + 1);
    memset(target, 0xEE, sizeof target);
    if (!CHECK(ws_execute(op, &memory, &access, given, NULL, &error) == WS_OK)) return;
    load.kind = WS_WMMA_LOAD;
    load.operand = WS_OPERAND_C;
    CHECK_EQUAL(ws_op_validate(&load, &error), WS_OK);
    CHECK_EQUAL(ws_execute(&load, &memory, &access, back, NULL, &error), WS_OK);
    CHECK(memcmp(given, back, used) == 0);
    for (i = 0; i < sizeof target; i++) changed += target[i] != 0xEE;
    CHECK(changed <= used && changed > used / 2);
}

static void test_every_form_moves_the_elements_of_the_formula(void) {
    int loads = 0, stores = 0;
    for (size_t i = 0; i < sizeof image; i++) image[i] = (uint8_t)(i * 73 + i / 256 * 11 + 5);
    for (uint32_t index = 0; index < CROSS_SIZE; index++) {
        const ws_op op = cross_op(index);
        if (op.form == 0 || !ws_op_is_wmma(&op) || op.space == WS_SPACE_GENERIC) continue;
        for (int padded = 0; padded < 2; padded++) {
            if (op.kind == WS_WMMA_LOAD) check_load(&op, padded != 0);
            else check_store(&op, padded != 0);
        }
        loads += op.kind == WS_WMMA_LOAD;
        stores += op.kind == WS_WMMA_STORE;
    }
    CHECK_EQUAL(loads, 88 * 3);
    CHECK_EQUAL(stores, 26 * 3);
}

static void test_stride_both_sides_of_every_bound(void) {
    static const struct {
        const char *text;
        uint32_t stride;
        bool found, warning;
    } cases[] = {
        {"wmma.load.a.sync.aligned.row.m16n16k16.shared.f16", 16, false, false},
        {"wmma.load.a.sync.aligned.row.m16n16k16.shared.f16", 15, true, false},
        {"wmma.load.a.sync.aligned.row.m16n16k16.shared.f16", 17, true, false},
        {"wmma.load.a.sync.aligned.row.m16n16k16.shared.f16", 24, true, true},
        {"wmma.load.a.sync.aligned.row.m16n16k16.shared.f16", 32, false, false},
        {"wmma.load.a.sync.aligned.row.m16n16k16.shared.f16", UINT32_MAX - 15, true, false},
        {"wmma.load.a.sync.aligned.col.m8n32k16.shared.f16", 8, false, false},
        {"wmma.load.a.sync.aligned.row.m8n8k32.shared.s4", 40, false, false},
        {"wmma.load.a.sync.aligned.row.m8n8k32.shared.s4", 36, true, false},
        {"wmma.load.a.sync.aligned.row.m8n8k128.shared.b1", 160, false, false},
        {"wmma.load.a.sync.aligned.row.m8n8k128.shared.b1", 136, true, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const ws_op op = op_of(cases[i].text);
        bool found;
        const ws_fault fault = ws_wmma_stride_fault(&op, cases[i].stride, &found);
        CHECK_EQUAL(found, cases[i].found);
        if (found) CHECK_EQUAL(fault == WS_FAULT_STRIDE_FRAGMENT, cases[i].warning);
    }
}

CHECK_MAIN(test_every_form_moves_the_elements_of_the_formula, test_stride_both_sides_of_every_bound)
