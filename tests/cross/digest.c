/* What this machine makes of each instruction on standard input: digests of registers, memory and counters, by value.
 *
 * The same numbers go in everywhere (SplitMix64), so two machines must print the same lines. Of each instruction 40 warps: enough
 * for the bulk paths, one in eight misaligned. */
#include <warpsim/warpsim.h>

#include "../c/check.h"

enum { WARPS = 40, NBYTES = 8192, MOST_REGISTERS = 32 };

#define GLOBAL_BASE UINT64_C(0x7f0000000000)

static uint8_t shared_bytes[NBYTES], global_bytes[NBYTES];
static uint32_t address_32[WARPS][WS_LANES];
static uint64_t address_64[WARPS][WS_LANES], source[WARPS][WS_LANES];
static union {
    uint32_t of_32[WARPS * WS_LANES * MOST_REGISTERS];
    uint64_t of_64[WARPS * WS_LANES * MOST_REGISTERS];
} registers;

static uint64_t mix(uint64_t digest, uint64_t value) {
    return (digest ^ value) * UINT64_C(0x100000001b3) + (digest >> 29);
}

static uint64_t mix_bytes(uint64_t digest, const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) digest = mix(digest, bytes[i]);
    return digest;
}

static ws_access random_access(const ws_op *op, uint64_t *state) {
    const bool wide = op->space == WS_SPACE_GENERIC || op->space == WS_SPACE_GLOBAL;
    const uint64_t align = ws_op_is_wmma(op) ? 32 : op->kind == WS_MOVMATRIX ? 1 : (uint64_t)ws_op_access_bytes(op);
    const uint64_t base = op->space == WS_SPACE_GLOBAL ? GLOBAL_BASE : wide ? WS_SHARED_WINDOW : 0;
    ws_access access = wide && op->kind != WS_CP_ASYNC ? ws_access_make_64(&address_64[0][0], WARPS)
                                                       : ws_access_make(&address_32[0][0], WARPS);
    for (int warp = 0; warp < WARPS; warp++) {
        for (int lane = 0; lane < WS_LANES; lane++) {
            uint64_t offset = check_random(state) % (NBYTES / 2) / align * align;
            if (warp % 8 == 7 && lane == 3) offset += 1;
            if (ws_op_is_wmma(op) && lane > 0) offset = address_32[warp][0];
            address_32[warp][lane] = (uint32_t)offset;
            address_64[warp][lane] = base + offset;
            source[warp][lane] = GLOBAL_BASE + check_random(state) % (NBYTES / 2) / 16 * 16;
        }
    }
    if (op->kind == WS_CP_ASYNC) access.source = &source[0][0];
    access.policy = WS_POLICY_RECORD;
    return access;
}

static void digest(const char *text, uint64_t state) {
    const ws_memory memory =
        ws_memory_with_global(ws_memory_make(shared_bytes, NBYTES, 0), global_bytes, NBYTES, GLOBAL_BASE);
    ws_finding items[64];
    ws_findings sink = {items, 64, 0};
    uint64_t of_registers = 0, of_memory = 0, of_findings = 0;
    ws_counts counts = {0, 0, 0, 0, 0, 0};
    ws_error error;
    ws_op op;
    ws_access access;
    size_t count;
    bool wide;
    if (!CHECK_EQUAL(ws_parse(text, &op, &error), WS_OK)) return;
    wide = ws_op_register_bits(&op) == 64;
    count = (size_t)(WARPS * WS_LANES * ws_op_num_registers(&op));
    check_random_bytes(&state, shared_bytes, NBYTES);
    check_random_bytes(&state, global_bytes, NBYTES);
    for (size_t i = 0; i < count; i++) {
        if (wide) registers.of_64[i] = check_random(&state);
        else registers.of_32[i] = (uint32_t)check_random(&state);
    }
    access = random_access(&op, &state);
    if (op.kind != WS_MOVMATRIX) CHECK_EQUAL(ws_count(&op, &access, &counts, &error), WS_OK);
    CHECK_EQUAL(ws_execute(&op, &memory, &access, &registers, &sink, &error), WS_OK);
    for (size_t i = 0; i < count; i++) of_registers = mix(of_registers, wide ? registers.of_64[i] : registers.of_32[i]);
    of_memory = mix_bytes(mix_bytes(0, shared_bytes, NBYTES), global_bytes, NBYTES);
    for (size_t i = 0; i < sink.count && i < 64; i++) {
        char bytes[WS_MESSAGE_BYTES];
        ws_text message = ws_text_make(bytes, sizeof bytes);
        ws_finding_write(&op, &memory, &items[i], &message);
        of_findings = mix_bytes(of_findings, (const uint8_t *)bytes, message.length);
    }
    printf("%s %016llx %016llx %lu %016llx %lu %lu %lu\n", text, (unsigned long long)of_registers,
           (unsigned long long)of_memory, (unsigned long)sink.count, (unsigned long long)of_findings,
           (unsigned long)counts.requests, (unsigned long)counts.wavefronts, (unsigned long)counts.sectors);
}

int main(void) {
    char line[256];
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        digest(line, 20 + strlen(line));
    }
    return check_failed != 0;
}
