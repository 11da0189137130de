/* ws_execute: registers, memory and findings against the reference, under every policy and at every level. */
#include "decode.h"
#include "print_case.h"
#include "reference/hardware.h"

enum { MOST_WARPS = 16 };

typedef struct state {
    uint8_t *shared, *global;
    void *registers;
} state;

/* What the reference expects. */
typedef struct expected {
    ws_status status;
    const char *code; /* of a trap, or NULL: any */
    ref_findings found[FUZZ_WARPS];
    bool moved[MOST_WARPS];
} expected_case;

static size_t register_bytes(const fuzz_case *c) {
    return (size_t)(REF_LANES * c->form->registers * c->form->register_bits / 8);
}

static state state_make(const fuzz_case *c) {
    state s;
    const size_t bytes = c->n * register_bytes(c);
    s.shared = (uint8_t *)fuzz_block(c->shared_bytes);
    s.global = (uint8_t *)fuzz_block(c->global_bytes);
    s.registers = fuzz_block(bytes);
    fuzz_fill(c->seed, s.shared, c->shared_bytes);
    fuzz_fill(c->seed + 1000u, s.global, c->global_bytes);
    fuzz_fill(c->seed + 2000u, (uint8_t *)s.registers, bytes);
    return s;
}

static state state_copy(const fuzz_case *c, const state *from) {
    state s;
    s.shared = (uint8_t *)fuzz_copy(from->shared, c->shared_bytes);
    s.global = (uint8_t *)fuzz_copy(from->global, c->global_bytes);
    s.registers = fuzz_copy(from->registers, c->n * register_bytes(c));
    return s;
}

static void state_free(state *s) {
    free(s->shared);
    free(s->global);
    free(s->registers);
}

/* One warp of the reference: its registers out of and into the array. */
static void run_one(const fuzz_case *c, const ref_memory *memory, const ref_issue *issue, uint8_t *registers,
                    bool lowered) {
    const size_t of_lane = register_bytes(c) / REF_LANES;
    ref_registers r;
    for (int lane = 0; lane < REF_LANES && of_lane > 0; lane++)
        memcpy(r[lane], registers + (size_t)lane * of_lane, of_lane);
    if (lowered) ref_hardware_move(c->form, c->form->lowering[0], memory, issue, r);
    else ref_move(c->form, memory, issue, r);
    for (int lane = 0; lane < REF_LANES && of_lane > 0; lane++)
        memcpy(registers + (size_t)lane * of_lane, r[lane], of_lane);
}

/* Warps in order. Under "raise", and where one traps, nothing happens at all. */
static void run_reference(const fuzz_case *c, ws_policy policy, const ref_memory *memory, state *s, expected_case *e) {
    ref_verdict verdict[FUZZ_WARPS];
    e->status = WS_OK;
    e->code = NULL;
    for (int i = 0; i < c->different; i++) ref_check(c->form, memory, &c->issue[i], &e->found[i]);
    for (int i = 0; i < c->different; i++) {
        const bool volta = ref_is_wmma(c->form) && c->target != WS_NO_TARGET && c->issue[i].target < 75;
        verdict[i] = ref_hardware(c->form, c->form->lowering[0], memory, &c->issue[i], !e->found[i].error);
        if (e->status != WS_OK) continue;
        if (volta) e->status = WS_UNKNOWN_HARDWARE;
        else if (policy == WS_POLICY_RAISE && e->found[i].error) e->status = WS_UNDEFINED;
        else if (policy == WS_POLICY_HARDWARE && verdict[i].outcome == REF_TRAPS) e->status = WS_TRAP;
        else if (policy == WS_POLICY_HARDWARE && verdict[i].outcome == REF_UNKNOWN) e->status = WS_UNKNOWN_HARDWARE;
        if (e->status == WS_TRAP) e->code = verdict[i].code;
    }
    for (size_t warp = 0; warp < c->n && e->status == WS_OK; warp++) {
        const size_t which = warp % (size_t)c->different;
        uint8_t *registers = (uint8_t *)s->registers + warp * register_bytes(c);
        if (policy == WS_POLICY_HARDWARE) {
            const bool lowered = e->found[which].error || (ref_is_wmma(c->form) && c->issue[which].target == 90);
            if (verdict[which].outcome == REF_RUNS) run_one(c, memory, &c->issue[which], registers, lowered);
        } else if (!e->found[which].error) {
            run_one(c, memory, &c->issue[which], registers, false);
        } else if (ref_is_load(c->form) || c->form->kind == REF_MOVMATRIX) {
            memset(registers, 0, register_bytes(c));
        }
    }
}

static void check_findings(const fuzz_case *c, const ws_memory *memory, const expected_case *e,
                           const ws_findings *sink) {
    size_t count = 0;
    for (size_t warp = 0; warp < c->n; warp++) {
        const ref_findings *wanted = &e->found[warp % (size_t)c->different];
        for (int i = 0; i < wanted->count; i++, count++) {
            const ref_finding *one = &wanted->item[i];
            const ws_finding *got = &sink->items[count];
            if (count >= sink->count || count >= sink->capacity) continue;
            FUZZ_CHECK_EQUAL(got->warp, warp);
            if (strcmp(ws_rule_at(got->rule)->id, one->rule) != 0) {
                fprintf(stderr, "rule %s, expected %s, lane %d\n", ws_rule_at(got->rule)->id, one->rule, one->lane);
                abort();
            }
            FUZZ_CHECK_EQUAL(got->lane, one->lane);
            FUZZ_CHECK_EQUAL(got->has_address, one->has_address);
            if (one->has_address) FUZZ_CHECK_EQUAL(got->address, one->address);
            if (count < 4) { /* its text fits into any buffer */
                const size_t room = 1 + (size_t)got->address % 400;
                char *bytes = (char *)fuzz_block(room);
                ws_text text = ws_text_make(bytes, room);
                ws_finding_write(c->op, memory, got, &text);
                FUZZ_CHECK(strlen(bytes) == text.length && text.length < room && text.wanted > 10);
                free(bytes);
            }
        }
    }
    FUZZ_CHECK_EQUAL(sink->count, count);
}

static bool
mixed_exit(const fuzz_case *c) { /* stmatrix with lanes off and others exited: either was measured, not both */
    for (int i = 0; i < c->different; i++) {
        if (c->form->kind == REF_STMATRIX && c->issue[i].exited != 0 && c->issue[i].active != UINT32_MAX) return true;
    }
    return false;
}

static void print_execute(const fuzz_case *c, const state *begin, const state *end, const expected_case *e) {
    print_begin(c);
    printf(", \"n\": %d, \"shared_base\": %llu, \"global_base\": %llu, \"status\": %d", (int)c->n,
           (unsigned long long)c->shared_base, (unsigned long long)c->global_base, (int)e->status);
    print_hex("shared", begin->shared, c->has_shared ? c->shared_bytes : 0);
    print_hex("global", begin->global, c->has_global ? c->global_bytes : 0);
    print_hex("registers", (const uint8_t *)begin->registers, c->n * register_bytes(c));
    print_hex("shared_after", end->shared, c->has_shared ? c->shared_bytes : 0);
    print_hex("global_after", end->global, c->has_global ? c->global_bytes : 0);
    print_hex("registers_after", (const uint8_t *)end->registers, c->n * register_bytes(c));
    printf(", \"found\": [");
    for (int i = 0; i < c->different; i++) {
        printf("%s{\"error\": %d", i == 0 ? "" : ", ", e->found[i].error);
        print_findings(&e->found[i]);
        printf("}");
    }
    printf("]}\n");
}

static void run_core(const fuzz_case *c, ws_policy policy, int simd, size_t room, const expected_case *e,
                     const state *begin, const state *wanted) {
    state s = state_copy(c, begin);
    fuzz_access a = fuzz_access_make(c, c->n);
    ws_memory memory =
        ws_memory_make(c->has_shared ? s.shared : NULL, c->has_shared ? c->shared_bytes : 0, c->shared_base);
    ws_findings sink = {(ws_finding *)fuzz_block(room * sizeof(ws_finding)), room, 0};
    ws_error error;
    ws_status status;
    memory = ws_memory_with_global(memory, c->has_global ? s.global : NULL, c->has_global ? c->global_bytes : 0,
                                   c->global_base);
    memory.shared_window = c->window;
    a.access.policy = policy;
    a.access.simd = simd;
    status = ws_execute(c->op, &memory, &a.access, s.registers, room > 0 ? &sink : NULL, &error);
    FUZZ_CHECK_EQUAL(status, e->status);
    FUZZ_CHECK(memchr(error.message, 0, sizeof error.message) != NULL);
    FUZZ_CHECK((error.message[0] == 0) == (status == WS_OK));
    FUZZ_CHECK((error.code != NULL) == (status == WS_TRAP));
    if (e->code != NULL && strcmp(error.code, e->code) != 0) {
        fprintf(stderr, "trap %s, expected %s\n", error.code, e->code);
        abort();
    }
    if (room > 0 && (status == WS_OK || status == WS_UNDEFINED)) check_findings(c, &memory, e, &sink);
    FUZZ_CHECK(memcmp(s.shared, wanted->shared, c->shared_bytes) == 0);
    FUZZ_CHECK(memcmp(s.global, wanted->global, c->global_bytes) == 0);
    FUZZ_CHECK(memcmp(s.registers, wanted->registers, c->n * register_bytes(c)) == 0);
    free(sink.items);
    fuzz_access_free(&a);
    state_free(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input in = fuzz_input_make(data, size);
    fuzz_case c;
    expected_case e;
    ws_policy policy;
    ref_memory memory;
    state begin, end;
    uint8_t how;
    fuzz_take_form(&in, &c);
    how = fuzz_u8(&in);
    fuzz_take_memory(&in, &c);
    fuzz_take_issues(&in, &c);
    policy = how / 8 % 4 == 0 ? WS_POLICY_RAISE : how / 8 % 4 < 3 ? WS_POLICY_RECORD : WS_POLICY_HARDWARE;
    if (policy == WS_POLICY_HARDWARE) { /* mostly the target that was measured */
        if (how / 32 % 8 != 7 || c.target == WS_NO_TARGET) c.target = ws_target_find("sm_90");
        for (int i = 0; i < c.different; i++) c.issue[i].target = ws_target(c.target)->number;
        if (mixed_exit(&c)) return -1;
    }
    begin = state_make(&c);
    end = state_copy(&c, &begin);
    memory.shared.bytes = c.has_shared ? end.shared : NULL;
    memory.shared.nbytes = c.has_shared ? c.shared_bytes : 0;
    memory.shared.base = c.shared_base;
    memory.global.bytes = c.has_global ? end.global : NULL;
    memory.global.nbytes = c.has_global ? c.global_bytes : 0;
    memory.global.base = c.global_base;
    memory.window = c.window;
    run_reference(&c, policy, &memory, &end, &e);
    run_core(&c, policy, how % WS_SIMD_COUNT, how / 128 == 0 ? c.n * REF_MOST_FINDINGS : how / 8 % 4, &e, &begin, &end);
    if (fuzz_prints && policy == WS_POLICY_RECORD) print_execute(&c, &begin, &end, &e);
    state_free(&begin);
    state_free(&end);
    return 0;
}
