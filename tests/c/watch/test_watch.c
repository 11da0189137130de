/* Counters of small kernels: what 32 threads do to shared and global memory, each way once. */
#include "../run/rows.h"

/* A body, and the sums over the kernel; its last statement stores 4 bytes a thread to global memory: 4 sectors. */
typedef struct counted_row {
    const char *name, *body;
    uint64_t requests, wavefronts, ideal, conflicts, sectors, ideal_sectors, inexact;
} counted_row;

static const counted_row counted_rows[] = {
    {"nothing else", "", 0, 0, 0, 0, 4, 4, 0},
    {"a row of words", "shl.b32 %r2, %r9, 2; ld.shared.u32 %r3, [%r2];", 1, 1, 1, 0, 4, 4, 0},
    {"every fourth word", "shl.b32 %r2, %r9, 4; ld.shared.u32 %r3, [%r2];", 1, 4, 1, 3, 4, 4, 0},
    {"stores of 16 bytes", "shl.b32 %r2, %r9, 4; st.shared.v4.u32 [%r2], {%r1, %r1, %r1, %r1};", 1, 4, 4, 0, 4, 4, 0},
    {"loads of 8 bytes, all of one word: merged", "ld.shared.u64 %d3, [s];", 1, 1, 1, 0, 4, 4, 0},
    {"stores of 8 bytes by 8 lanes, apart",
     "shl.b32 %r2, %r9, 3; and.b32 %r4, %r9, 3; setp.eq.u32 %p4, %r4, 0;"
     "@%p4 st.shared.u64 [%r2], %d1;",
     1, 2, 1, 0, 4, 4, 0},
    {"half of the lanes", "shl.b32 %r2, %r9, 4; @%p1 ld.shared.u32 %r3, [%r2];", 1, 2, 1, 1, 4, 4, 0},
    {"no lane", "setp.gt.u32 %p4, %r9, 40; @%p4 ld.shared.u32 %r3, [s];", 0, 0, 0, 0, 4, 4, 0},
    {"atomics of one word take turns", "red.shared.max.u32 [s], %r9;", 1, 32, 1, 31, 4, 4, 0},
    {"atomics that add 1 unread do not", "red.shared.add.u32 [s], 1;", 1, 1, 1, 0, 4, 4, 0},
    {"atomics that add 1 and are read do", "atom.shared.add.u32 %r3, [s], 1; add.u32 %r1, %r3, 1;", 1, 32, 1, 31, 4, 4,
     0},
    {"compare and swap takes two turns each", "atom.shared.cas.b32 %r3, [s], 0, 1;", 1, 64, 2, 62, 4, 4, 0},
    {"exchanges of 8 bytes go by half warps", "shl.b32 %r2, %r9, 3; atom.shared.exch.b64 %d3, [%r2], %d1;", 1, 2, 2, 0,
     4, 4, 0},
    {"additions of floats are loops", "shl.b32 %r2, %r9, 2; red.shared.add.f32 [%r2], %f1;", 1, 1, 1, 0, 4, 4,
     1 << 4 | 1 << 5 | 1 << 6},
    {"matrices", "shl.b32 %r2, %r9, 4; ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r3, %r4, %r5, %r6}, [%r2];", 1, 4, 4,
     0, 4, 4, 0},
    {"one matrix of rows 32 bytes apart",
     "and.b32 %r2, %r9, 7; shl.b32 %r2, %r2, 5; "
     "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r3}, [%r2];",
     1, 2, 1, 1, 4, 4, 0},
    {"a generic address of shared memory", "cvta.shared.u64 %d3, %d2; ld.u32 %r3, [%d3];", 1, 1, 1, 0, 4, 4, 0},
    {"global memory, each lane its sector",
     "and.b32 %r2, %r9, 3; mad.wide.u32 %d3, %r2, 32, %d0; ld.global.u32 %r3, [%d3];", 0, 0, 0, 0, 8, 8, 0},
    {"global memory, one word", "ld.global.u32 %r3, [%d0];", 0, 0, 0, 0, 5, 5, 0},
    {"global memory, few bytes of each sector",
     "and.b32 %r2, %r9, 3; mad.wide.u32 %d3, %r2, 32, %d0;"
     "@%p1 ld.global.u8 %r3, [%d3];",
     0, 0, 0, 0, 8, 5, 0},
    {"a loop over three strides",
     "mov.u32 %r4, 2; L: shl.b32 %r2, %r9, %r4; ld.shared.u32 %r3, [%r2]; add.u32 %r4, %r4, 1;"
     "setp.lt.u32 %p4, %r4, 5; @%p4 bra L;",
     3, 7, 3, 4, 4, 4, 0},
    {"a loop by all lanes, then by half of them",
     "mov.u32 %r4, 32; shl.b32 %r2, %r9, 4; L: setp.lt.u32 %p4, %r9, %r4; @%p4 ld.shared.u32 %r3, [%r2];"
     "shr.u32 %r4, %r4, 1; setp.eq.u32 %p4, %r4, 16; @%p4 bra L;",
     2, 6, 2, 4, 4, 4, 0},
    {"a loop over words that lie side by side",
     "shl.b32 %r2, %r9, 3; mov.u32 %r4, 0; L: ld.shared.u32 %r3, [%r2]; add.u32 %r2, %r2, 4; add.u32 %r4, %r4, 1;"
     "setp.lt.u32 %p4, %r4, 3; @%p4 bra L;",
     3, 6, 3, 3, 4, 4, 0},
    {"a loop over bytes that cross a word",
     "and.b32 %r2, %r9, 1; mul.lo.u32 %r2, %r2, 131; mov.u32 %r4, 0; L: ld.shared.u8 %r3, [%r2];"
     "add.u32 %r2, %r2, 1; add.u32 %r4, %r4, 1; setp.lt.u32 %p4, %r4, 2; @%p4 bra L;",
     2, 3, 2, 1, 4, 4, 0},
    {"copies",
     "mul.wide.u32 %d3, %r9, 4; add.u64 %d3, %d3, %d0; shl.b32 %r2, %r9, 2;"
     "cp.async.ca.shared.global [%r2], [%d3], 4; cp.async.wait_all;",
     1, 1, 1, 0, 8, 8, 0},
    {"copies of nothing", "shl.b32 %r2, %r9, 4; cp.async.cg.shared.global [%r2], [%d0], 16, 0; cp.async.wait_all;", 1,
     4, 4, 0, 4, 4, 1 << 4 | 1 << 5 | 1 << 6},
};

static void test_counters(void) {
    size_t i;
    for (i = 0; i < sizeof counted_rows / sizeof counted_rows[0]; i++) {
        const counted_row *one = &counted_rows[i];
        uint8_t out[4 * THREADS] = {0};
        char text[4096];
        bool ok;
        snprintf(text, sizeof text, "%s%s%s", HEAD, one->body, TAIL);
        ok = CHECK_EQUAL(run(text, 32, WS_SIMD_AUTO, out), WS_RUN_NONE);
        ok = CHECK_EQUAL(counted.requests, one->requests) && ok;
        ok = CHECK_EQUAL(counted.wavefronts, one->wavefronts) && ok;
        ok = CHECK_EQUAL(counted.ideal_wavefronts, one->ideal) && ok;
        ok = CHECK_EQUAL(counted.bank_conflicts, one->conflicts) && ok;
        ok = CHECK_EQUAL(counted.sectors, one->sectors) && ok;
        ok = CHECK_EQUAL(counted.ideal_sectors, one->ideal_sectors) && ok;
        ok = CHECK_EQUAL(counted.inexact, one->inexact) && ok;
        if (!ok) fprintf(stderr, "    %s\n", one->name);
    }
}

/* Three statements of the body, by 96 threads: a barrier counts once for each warp, though it waits. */
static void test_executions(void) {
    static const char body[] = "bar.sync 0; @%p1 mov.u32 %r1, 5; bar.sync 0;";
    uint8_t out[4 * THREADS] = {0};
    ws_line bare;
    char text[4096];
    snprintf(text, sizeof text, "%s%s", HEAD, TAIL);
    CHECK_EQUAL(run(text, THREADS, WS_SIMD_AUTO, out), WS_RUN_NONE);
    bare = counted;
    snprintf(text, sizeof text, "%s%s%s", HEAD, body, TAIL);
    CHECK_EQUAL(run(text, THREADS, WS_SIMD_AUTO, out), WS_RUN_NONE);
    CHECK_EQUAL(counted.executed - bare.executed, 9);
    CHECK_EQUAL(counted.threads - bare.threads, 3 * (32 + 16 + 32));
    CHECK_EQUAL(counted.divergent, 0);
    snprintf(text, sizeof text, "%s%s%s", HEAD, "@%p1 bra L; add.u32 %r1, %r1, 1; L: ", TAIL);
    CHECK_EQUAL(run(text, 32, WS_SIMD_AUTO, out), WS_RUN_NONE);
    CHECK_EQUAL(counted.divergent, 1);
}

/* What the machine code makes of a body, and its counters; executed: beyond those of the same body as it is. */
static void test_made(void) {
    static const struct made_row {
        uint8_t made;
        const char *body;
        uint64_t requests, wavefronts, ideal, conflicts;
        int64_t executed, threads;
    } made_rows[] = {
        {16, "shl.b32 %r2, %r9, 4; ld.shared.u32 %r3, [%r2];", 1, 4, 4, 0, 0, 0},
        {16, "shl.b32 %r2, %r9, 4; ld.shared.u32 %r3, [%r2+12];", 1, 4, 4, 0, 0, 0},
        {8, "shl.b32 %r2, %r9, 4; st.shared.u32 [%r2+4], %r1;", 1, 4, 2, 2, 0, 0},
        {8, "ld.shared.u32 %r3, [s+4];", 1, 1, 1, 0, 0, 0},
        {16 | WS_MADE_FOLDED,
         "shl.b32 %r2, %r9, 4; mov.u32 %r4, 0; L: ld.shared.u32 %r3, [%r2]; add.u32 %r2, %r2, 4; add.u32 %r4, %r4, 1;"
         "setp.lt.u32 %p4, %r4, 4; @%p4 bra L;",
         1, 4, 4, 0, -3, -96},
        {16 | WS_MADE_FOLDED, /* the first lanes stay away */
         "shl.b32 %r2, %r9, 4; mov.u32 %r4, 0; L: @!%p1 ld.shared.u32 %r3, [%r2]; add.u32 %r2, %r2, 4;"
         "add.u32 %r4, %r4, 1; setp.lt.u32 %p4, %r4, 4; @%p4 bra L;",
         1, 2, 2, 0, -3, -48},
        {WS_MADE_LOOP, "shl.b32 %r2, %r9, 2; red.shared.add.f32 [%r2], %f1;", 2, 3, 3, 0, 1, 32},
        {WS_MADE_LOOP, "red.shared.add.f32 [s], %f1;", 64, 96, 96, 0, 63, 1056 - 32},
        {WS_MADE_LOOP, "shl.b32 %r2, %r9, 3; and.b32 %r2, %r2, 384; red.shared.add.f32 [%r2], %f1;", 64, 112, 96, 16,
         63, 1056 - 32},
        {WS_MADE_LOOP, "shl.b32 %r2, %r9, 3; red.shared.add.u64 [%r2], %d1;", 2, 6, 6, 0, 1, 32},
    };
    size_t i;
    for (i = 0; i < sizeof made_rows / sizeof made_rows[0]; i++) {
        const struct made_row *one = &made_rows[i];
        uint8_t out[4 * THREADS] = {0};
        char text[4096];
        ws_line before;
        bool ok;
        snprintf(text, sizeof text, "%s%s%s", HEAD, one->body, TAIL);
        ok = CHECK_EQUAL(run(text, 32, WS_SIMD_AUTO, out), WS_RUN_NONE);
        before = counted;
        made = one->made;
        ok = CHECK_EQUAL(run(text, 32, WS_SIMD_AUTO, out), WS_RUN_NONE) && ok;
        made = 0;
        ok = CHECK_EQUAL(counted.requests, one->requests) && ok;
        ok = CHECK_EQUAL(counted.wavefronts, one->wavefronts) && ok;
        ok = CHECK_EQUAL(counted.ideal_wavefronts, one->ideal) && ok;
        ok = CHECK_EQUAL(counted.bank_conflicts, one->conflicts) && ok;
        ok = CHECK_EQUAL((int64_t)(counted.executed - before.executed), one->executed) && ok;
        ok = CHECK_EQUAL((int64_t)(counted.threads - before.threads), one->threads) && ok;
        if (!ok) fprintf(stderr, "    made %d: %s\n", one->made, one->body);
    }
}

/* The first, second, fourth ... execution of one block; of two threads of the caller, the earlier block. */
static void test_samples(void) {
    ws_sample total = {0}, one = {0};
    uint32_t offset[WS_LANES] = {0}, i;
    for (i = 0; i < 20; i++) {
        offset[3] = i;
        ws_sample_see(&one, 5, offset, 8, 4);
        ws_sample_see(&one, 6, offset, 9, 4);
    }
    CHECK_EQUAL(one.rows, 5);
    CHECK_EQUAL(one.block, 5);
    for (i = 0; i < 5; i++) {
        CHECK_EQUAL(one.offset[i][3], (1 << i) - 1);
        CHECK_EQUAL(one.mask[i], 8);
    }
    ws_sample_add(&total, &one);
    one.block = 7;
    ws_sample_add(&total, &one);
    CHECK_EQUAL(total.block, 5);
    one.block = 2;
    ws_sample_add(&total, &one);
    CHECK_EQUAL(total.block, 2);
    one.rows = 0;
    one.block = 1;
    ws_sample_add(&total, &one);
    CHECK_EQUAL(total.block, 2);
}

static void test_watch(void) {
    test_samples();
    test_counters();
    test_made();
    test_executions();
}

CHECK_MAIN(test_watch)
