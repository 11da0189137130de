/* What is prepared once a call is: the functions that do it are counted. */
#include <warpsim/data/wmma_lowering.h>

enum { WARPS = 200 };

static int times_lowered, times_checked[WARPS];

#define ws_wmma_code_of(op, target) (times_lowered++, ws_wmma_code_of(op, target))
#include <warpsim/undefined/check.h>
#define ws_check_warp(plan, memory, access, warp, sink)                                                                \
    (times_checked[warp]++, ws_check_warp(plan, memory, access, warp, sink))
#include "../ops.h"

static uint32_t address[WARPS], registers[WARPS * WS_LANES * 8];
static uint8_t image[4096];

/* Every third warp breaks a rule. */
static ws_access some_break_a_rule(ws_policy policy) {
    ws_access access = ws_access_make(address, WARPS);
    for (int warp = 0; warp < WARPS; warp++) {
        times_checked[warp] = 0;
        address[warp] = warp % 3 == 0 ? 8 : 64;
    }
    access.address_lanes = 1;
    access.policy = policy;
    times_lowered = 0;
    return access;
}

static void test_call_lowers_wmma_once_and_checks_a_warp_twice_at_most(void) {
    static const ws_policy policies[] = {WS_POLICY_RAISE, WS_POLICY_RECORD};
    const ws_op op = op_of("wmma.load.a.sync.aligned.row.m16n16k16.shared.f16");
    const ws_memory memory = ws_memory_make(image, sizeof image, 0);
    for (int i = 0; i < 2; i++) {
        const ws_access access = some_break_a_rule(policies[i]);
        ws_findings sink = {NULL, 0, 0};
        const ws_status status = ws_execute(&op, &memory, &access, registers, &sink, NULL);
        CHECK_EQUAL(status, policies[i] == WS_POLICY_RAISE ? WS_UNDEFINED : WS_OK);
        CHECK_EQUAL(times_lowered, 1);
        CHECK(sink.count > 0);
        for (int warp = 0; warp < WARPS; warp++) {
            const bool in_bulk = WS_LITTLE_ENDIAN && warp % 3 != 0;
            CHECK(times_checked[warp] <= i + 1 && (warp % 3 != 0 || times_checked[warp] == i + 1));
            CHECK(!in_bulk || times_checked[warp] == 0);
        }
    }
}

static void test_count_lowers_wmma_once(void) {
    const ws_op op = op_of("wmma.load.a.sync.aligned.row.m16n16k16.shared.f16");
    const ws_access access = some_break_a_rule(WS_POLICY_RAISE);
    static ws_bank_cells cells;
    ws_counts counts;
    CHECK_EQUAL(ws_count(&op, &access, &counts, NULL), WS_OK);
    CHECK_EQUAL(times_lowered, 1);
    ws_explain_warp(&op, &access, 0, &cells);
    CHECK_EQUAL(times_lowered, 2);
}

/* What the plan says is what the functions of the form say. */
static void test_plan_is_the_form(void) {
    const ws_access access = ws_access_make(NULL, 0);
    for (uint32_t index = 0; index < table_size(); index++) {
        const ws_op op = table_op(index);
        const ws_plan plan = ws_plan_make(&op, &access);
        CHECK_EQUAL(plan.row_lanes, ws_op_row_lanes(&op));
        CHECK_EQUAL(plan.access_bytes, ws_op_access_bytes(&op));
        CHECK_EQUAL(plan.warp_bytes, ws_warp_register_bytes(&op));
        CHECK_EQUAL(plan.is_wmma, op.kind == WS_WMMA_LOAD || op.kind == WS_WMMA_STORE);
        CHECK_EQUAL(plan.is_shared, op.space == WS_SPACE_SHARED || op.space == WS_SPACE_SHARED_CTA);
        if (!plan.is_wmma) CHECK_EQUAL(plan.group_lanes, ws_op_group_lanes(&op));
        if (plan.merges_groups) CHECK(ws_op_is_load(&op) && ws_op_form(&op)->rows == 0);
    }
}

CHECK_MAIN(test_call_lowers_wmma_once_and_checks_a_warp_twice_at_most, test_count_lowers_wmma_once,
           test_plan_is_the_form)
