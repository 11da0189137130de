/* Lanes and warps that wait for each other: exchanges, barriers, atomics, copies under way, mbarrier objects. */
#include "rows.h"

static const kernel_row sync_rows[] = {
    {"halves at two places are one exchange",
     "@%p1 bra A; shfl.sync.bfly.b32 %r1, 5, 16, 31, -1; bra E; A: shfl.sync.bfly.b32 %r1, 6, 1, 31, -1; E:",
     32,
     WS_RUN_NONE,
     {6, 6, 6, 6}},
    {"halves at two places that exchange twice, the second time what they got the first time",
     "@%p1 bra A; shfl.sync.bfly.b32 %r1, %r9, 16, 31, -1; mul.lo.u32 %r3, %r1, 100;"
     "shfl.sync.bfly.b32 %r4, %r3, 16, 31, -1; bra E;"
     "A: shfl.sync.bfly.b32 %r1, %r9, 16, 31, -1; mul.lo.u32 %r3, %r1, 100; shfl.sync.bfly.b32 %r4, %r3, 16, 31, -1;"
     "E: add.u32 %r1, %r1, %r4;",
     32,
     WS_RUN_NONE,
     {16, 117, 1701, 3115}},
    {"halves at a barrier and at an exchange do not meet",
     "@%p1 bra A; bar.warp.sync -1; bra E; A: shfl.sync.bfly.b32 %r1, 6, 1, 31, -1; E:",
     32,
     WS_RUN_DEADLOCK,
     {7, 7, 7, 7}},
    {"halves with masks of their own at one place",
     "selp.b32 %r2, 0xffff, 0xffff0000, %p1; redux.sync.add.u32 %r1, %r9, %r2;",
     32,
     WS_RUN_NONE,
     {120, 120, 376, 376}},
    {"a lane outside of its own mask", "redux.sync.add.u32 %r1, %r9, 0xffff;", 32, WS_RUN_MEMBERS, {7, 7, 7, 7}},
    {"masks that name each other and differ",
     "selp.b32 %r2, -1, 0xffff0000, %p1; vote.sync.ballot.b32 %r1, 1, %r2;",
     32,
     WS_RUN_MASKS,
     {7, 7, 7, 7}},
    {"exited lanes are not waited for",
     "@%p1 bra A; vote.sync.ballot.b32 %r1, 1, -1; bra E; A: mov.u32 %r1, 3; st.global.u32 [%d1], %r1; exit; E:",
     32,
     WS_RUN_NONE,
     {3, 3, 0xffff0000, 0xffff0000}},
    {"a guard keeps lanes out", "@%p1 activemask.b32 %r1;", 32, WS_RUN_NONE, {0xffff, 0xffff, 0, 0}},
    {"a warp arrives once though its halves wait at two places",
     "@%p1 bra A; bar.red.popc.u32 %r1, 0, 1; bra E; A: bar.red.popc.u32 %r1, 0, 0; E:",
     THREADS,
     WS_RUN_NONE,
     {48, 48, 48, 48}},
    {"warps that have exited are not waited for",
     "@%p3 bra A; st.global.u32 [%d1], %r1; exit; A: bar.sync 0; mov.u32 %r1, 9;",
     THREADS,
     WS_RUN_NONE,
     {9, 9, 9, 9}},
    {"arrivals without waiting count",
     "@%p3 bra A; bar.arrive 2, 96; bra E; A: barrier.sync 2, 96; mov.u32 %r1, 1; E:",
     THREADS,
     WS_RUN_NONE,
     {1, 1, 1, 1}},
    {"a barrier is one step for each warp that waits there",
     "mov.u32 %r2, %clock; bar.sync 0; mov.u32 %r1, %clock; bar.sync 0; mov.u32 %r1, %clock; sub.u32 %r1, %r1, %r2;",
     32,
     WS_RUN_NONE,
     {6, 6, 6, 6}}, /* a read of the clock is two */
    {"an mbarrier object that nobody made",
     "mov.u32 %r2, s; mbarrier.arrive.shared.b64 %d2, [%r2];",
     32,
     WS_RUN_NO_OBJECT,
     {7, 7, 7, 7}},
    {"an mbarrier object that ended",
     "mov.u32 %r2, s; mbarrier.init.shared.b64 [%r2], 32; mbarrier.inval.shared.b64 [%r2]; mbarrier.arrive.shared.b64 "
     "%d2, [%r2];",
     32,
     WS_RUN_NO_OBJECT,
     {7, 7, 7, 7}},
    {"too few threads come", "@%p3 bar.sync 1, 64;", THREADS, WS_RUN_DEADLOCK, {7, 7, 7, 7}},
    {"a count that is no whole warp", "bar.sync 1, 48;", THREADS, WS_RUN_BARRIER, {7, 7, 7, 7}},
    {"and, or over the block",
     "bar.red.and.pred %p4, 0, %p3; bar.red.or.pred %p5, 0, %p3; selp.b32 %r1, 1, 0, %p4; selp.b32 %r2, 2, 0, %p5;"
     "or.b32 %r1, %r1, %r2;",
     THREADS,
     WS_RUN_NONE,
     {2, 2, 2, 2}},
    {"a cluster of one block",
     "barrier.cluster.arrive; barrier.cluster.wait; mov.u32 %r1, 4;",
     THREADS,
     WS_RUN_NONE,
     {4, 4, 4, 4}},
    {"copies arrive at the wait that covers them", /* 1: after no wait, 2: first group, 4: second group */
     "mov.u32 %r2, 7; st.global.u32 [%d1], %r2; shl.b32 %r3, %r0, 2; mov.u32 %r4, s; add.u32 %r3, %r3, %r4;"
     "cp.async.ca.shared.global [%r3], [%d1], 4; cp.async.commit_group;"
     "cp.async.ca.shared.global [%r3+128], [%d1], 4; cp.async.commit_group; ld.shared.u32 %r1, [%r3];"
     "cp.async.wait_group 1; ld.shared.u32 %r5, [%r3]; ld.shared.u32 %r6, [%r3+128]; mad.lo.u32 %r1, %r5, 10, %r1;"
     "mad.lo.u32 %r1, %r6, 100, %r1; cp.async.wait_all; ld.shared.u32 %r6, [%r3+128]; mad.lo.u32 %r1, %r6, 1000, %r1;",
     32,
     WS_RUN_NONE,
     {7070, 7070, 7070, 7070}},
    {"lanes that copy nothing get zeros and need no address",
     "shl.b32 %r3, %r0, 2; mov.u32 %r4, s; add.u32 %r3, %r3, %r4; st.shared.u32 [%r3], %r3; mov.u64 %d2, 0;"
     "selp.b64 %d3, %d2, %d1, %p1; selp.b32 %r5, 0, 4, %p1; cp.async.ca.shared.global [%r3], [%d3], 4, %r5;"
     "cp.async.wait_all; ld.shared.u32 %r1, [%r3];",
     32,
     WS_RUN_NONE,
     {0, 0, 7, 7}},
    {"atomics go up the lanes", "mov.u32 %r2, s; atom.shared.add.u32 %r1, [%r2], 3;", 32, WS_RUN_NONE, {0, 3, 51, 93}},
    {"64-bit loops in shared memory: a lane of each half by turns", /* the upper half tries only if memory is as it was */
     "mov.u32 %r2, s; cvt.u64.u32 %d2, %r9; setp.ge.u32 %p4, %r9, 16; selp.b64 %d3, 0, 1, %p4;"
     "atom.shared.add.u64 %d4, [%r2], %d3; cvt.u32.u64 %r1, %d4;",
     32,
     WS_RUN_NONE,
     {0, 1, 16, 16}},
    {"f32 add: shared memory keeps denormals, global memory flushes them",
     "mov.u32 %r2, s; mov.b32 %f1, 0f00000001; @%p2 red.shared.add.f32 [%r2], %f1; bar.warp.sync -1;"
     "ld.shared.u32 %r1, [%r2]; mov.u32 %r5, 1; st.global.u32 [%d1], %r5; red.global.add.f32 [%d1], %f1;"
     "ld.global.u32 %r5, [%d1]; mad.lo.u32 %r1, %r5, 10, %r1;",
     32,
     WS_RUN_NONE,
     {1, 1, 1, 1}},
    {"an mbarrier passes its phases",
     "mov.u32 %r2, s; @%p2 mbarrier.init.shared.b64 [%r2], 96; bar.sync 0; @!%p3 bra B;"
     "L: mbarrier.try_wait.parity.shared.b64 %p4, [%r2], 1; @!%p4 bra L; B: mbarrier.arrive.shared.b64 %d2, [%r2];"
     "W: mbarrier.test_wait.shared.b64 %p5, [%r2], %d2; @!%p5 bra W; ld.shared.b64 %d3, [%r2];"
     "mbarrier.pending_count.b64 %r1, %d3;",
     THREADS,
     WS_RUN_NONE,
     {96, 96, 96, 96}},
    {"an mbarrier for each lane",
     "mov.u32 %r2, s; mad.lo.u32 %r2, %r9, 8, %r2; add.u32 %r3, %r9, 2; mbarrier.init.shared.b64 [%r2], %r3;"
     "mbarrier.arrive.shared.b64 %d2, [%r2]; ld.shared.b64 %d3, [%r2]; mbarrier.pending_count.b64 %r1, %d3;",
     32,
     WS_RUN_NONE,
     {1, 2, 18, 32}},
    {"bytes that are expected hold a phase",
     "mov.u32 %r2, s; @%p2 mbarrier.init.shared.b64 [%r2], 1; @%p2 mbarrier.arrive.expect_tx.shared.b64 %d2, [%r2], 8;"
     "bar.warp.sync -1; mbarrier.test_wait.parity.shared.b64 %p4, [%r2], 0; selp.b32 %r1, 1, 0, %p4; bar.warp.sync -1;"
     "@%p2 mbarrier.complete_tx.shared.b64 [%r2], 8; bar.warp.sync -1;"
     "mbarrier.test_wait.parity.shared.b64 %p4, [%r2], 0; selp.b32 %r3, 2, 0, %p4; or.b32 %r1, %r1, %r3;",
     32,
     WS_RUN_NONE,
     {2, 2, 2, 2}},
};

static void test_sync_rows(void) { check_rows(sync_rows, sizeof sync_rows / sizeof sync_rows[0]); }

/* A cluster sees that its warps only wait; who counts meanwhile does something. */
static void test_pauses_without_an_end_are_a_deadlock(void) {
    static const struct {
        const char *body;
        int stop;
    } pauses[] = {
        {"L: nanosleep.u32 20; ld.shared.u32 %r2, [s]; setp.eq.u32 %p4, %r2, 0; @%p4 bra L;", WS_RUN_DEADLOCK},
        {"mov.u32 %r2, 0; L: nanosleep.u32 20; add.u32 %r2, %r2, 1; setp.lt.u32 %p4, %r2, 30000; @%p4 bra L;",
         WS_RUN_NONE},
    };
    size_t i;
    by_cluster = true;
    for (i = 0; i < sizeof pauses / sizeof pauses[0]; i++) {
        uint8_t out[4 * THREADS] = {0};
        char text[4096];
        snprintf(text, sizeof text, "%s%s%s", HEAD, pauses[i].body, TAIL);
        CHECK_EQUAL(run(text, 32, WS_SIMD_AUTO, out), pauses[i].stop);
    }
    by_cluster = false;
}

CHECK_MAIN(test_sync_rows, test_pauses_without_an_end_are_a_deadlock)
