/* What the check finds in small kernels, and what it does not: each way of ordering two accesses, with it and without. */
#include "found.h"

/* %r2: the thread's word of s; %r4: that of the thread 32 on, %r5: of the lane 1 on, in a ring of 64 words. */
#define WORDS                                                                                                          \
    "and.b32 %r2, %r0, 63; add.u32 %r4, %r2, 32; and.b32 %r4, %r4, 63; add.u32 %r5, %r2, 1; and.b32 %r5, %r5, 63;"     \
    "mov.u32 %r6, s; mad.lo.u32 %r2, %r2, 4, %r6; mad.lo.u32 %r4, %r4, 4, %r6; mad.lo.u32 %r5, %r5, 4, %r6;"
#define STORE "st.shared.u32 [%r2], %r0;"
#define LOAD "ld.shared.u32 %r1, [%r4];"
/* %r1 is used */
#define USE "setp.eq.u32 %p5, %r1, 7777; @%p5 trap;"
#define COPY "cp.async.ca.shared.global [%r2], [%d1], 4;"

static const checked_row found_rows[] = {
    /* shared memory, between warps */
    {"a barrier between a store and a load", WORDS STORE "bar.sync 0;" LOAD, 64, 1, ""},
    {"no barrier", WORDS STORE LOAD, 64, 1, "17:64 21:1 27:1"},
    {"a barrier of each warp alone", WORDS STORE "bar.warp.sync -1;" LOAD, 64, 1, "17:64 21:1 27:1"},
    {"a load, then a store", WORDS STORE "bar.sync 0;" LOAD STORE, 64, 1, "17:64"},
    {"a load, a barrier, a store", WORDS STORE "bar.sync 0;" LOAD "bar.sync 0;" STORE, 64, 1, ""},
    {"two stores of different values", WORDS "st.shared.u32 [%r6], %r0;", 64, 1, "17:1 22:63"},
    {"two stores of one value", WORDS "st.shared.u32 [%r6], 5;", 64, 1, "23:1"},
    {"atomics", WORDS STORE "bar.sync 0; red.shared.add.u32 [%r6], %r0;", 64, 1, ""},
    {"an atomic and a load", WORDS STORE "bar.sync 0; red.shared.add.u32 [%r2], 1; ld.shared.u32 %r1, [%r4];", 64, 1,
     "17:64"},
    {"atomics of three warps, and the last one loads",
     "@%p2 st.shared.u32 [s], %r0; bar.sync 0; red.shared.add.u32 [s], 1; setp.eq.u32 %p4, %r0, 95;"
     "@%p4 ld.shared.u32 %r1, [s];",
     96, 1, "17:64 18:4"},
    {"an atomic after a store", WORDS STORE "red.shared.add.u32 [%r2], 1; red.shared.add.u32 [%r4], 1;", 64, 1,
     "17:64 21:1 27:1"},
    {"bytes of one word", WORDS "st.shared.u8 [s], %r9; @%p3 bra E; ld.shared.u8 %r1, [s+1]; E:", 64, 1,
     "21:1 22:63 23:1 27:1"},
    {"bytes of their own", "mov.u32 %r2, s; add.u32 %r2, %r2, %r0; st.shared.u8 [%r2], %r9; ld.shared.u8 %r1, [%r2];",
     64, 1, ""},
    {"vectors that overlap", WORDS "and.b32 %r4, %r4, -16; st.shared.v4.u32 [%r4], {%r0, %r0, %r0, %r0};", 32, 1,
     "22:32"},
    {"stores that meet with one value", WORDS "and.b32 %r4, %r4, -16; st.shared.v4.u32 [%r4], {%r3, %r3, %r3, %r3};",
     32, 1, ""},

    {"a loop that reads, and stores in between",
     "@%p2 st.shared.u32 [s], %r0; bar.sync 0; mov.u32 %r4, 0; L: ld.shared.u32 %r1, [s];" USE
     "@%p2 st.shared.u32 [s], %r4; add.u32 %r4, %r4, 1; setp.lt.u32 %p4, %r4, 2; @%p4 bra L;",
     32, 1, "18:34"},
    {"words of 16 bytes that are read one by one, too",
     "shl.b32 %r2, %r9, 4; st.shared.v4.u32 [%r2], {%r0, %r0, %r0, %r0}; ld.shared.u32 %r1, [%r2+4];", 32, 1, ""},
    {"four global words stored by one thread, then one by one by others",
     "@%p2 st.global.v4.u32 [%d0], {%r0, %r0, %r0, %r0}; setp.eq.u32 %p4, %r0, 40; @%p4 st.global.u32 [%d0+12], 5;", 64,
     1, "19:1 23:3"},

    /* lanes of a warp */
    {"lanes without __syncwarp", WORDS STORE "ld.shared.u32 %r1, [%r5];", 32, 1, "18:31 21:1 27:1"},
    {"lanes with it", WORDS STORE "bar.warp.sync -1; @!%p1 bra E; ld.shared.u32 %r1, [%r5]; E:", 32, 1, ""},
    {"lanes with it, but of a part", WORDS STORE "@!%p1 bra E; bar.warp.sync 0xffff; ld.shared.u32 %r1, [%r5]; E:", 32,
     1, "18:1"},
    {"shuffles order nothing",
     WORDS STORE "shfl.sync.idx.b32 %r3, %r1, 0, 31, -1; @!%p1 bra E; ld.shared.u32 %r1, [%r5]; E:", 32, 1, "18:16"},
    {"volatile lanes",
     WORDS "st.volatile.shared.u32 [%r2], %r0; @!%p1 bra E; ld.volatile.shared.u32 %r1, [%r5]; E:", 32, 1, "18:16"},
    {"volatile warps", WORDS "st.volatile.shared.u32 [%r2], %r0; ld.volatile.shared.u32 %r1, [%r4];", 64, 1,
     "21:1 27:1 30:64"},
    {"lanes that meet at two places",
     WORDS STORE "@%p1 bra A; bar.warp.sync -1; bra E; A: bar.warp.sync -1; ld.shared.u32 %r1, [%r5]; E:", 32, 1, ""},
    {"a mask of lanes that have left", "@%p1 bra A; exit; A: bar.warp.sync -1;", 32, 1, "25:1"},
    {"a mask of lanes that have left, computed", "@%p1 bra A; exit; A: bar.warp.sync 0xffff;", 32, 1, ""},
    {"a mask of lanes that leave meanwhile", "@%p1 bra A; exit; A: vote.sync.ballot.b32 %r1, 1, -1;", 32, 1, "25:1"},
    {"a mask of lanes that never were", "bar.warp.sync -1;", 20, 1, ""},

    /* other barriers of the block */
    {"a named barrier orders its threads", WORDS STORE "bar.sync 1, 64;" LOAD, 64, 1, ""},
    {"two of three warps",
     "mov.u32 %r2, s; setp.ge.u32 %p4, %r0, 64; @%p4 bra E; @%p2 st.shared.u32 [%r2], %r0; bar.sync 1, 64;"
     "ld.shared.u32 %r1, [%r2]; E:",
     96, 1, ""},
    {"the third reads, too",
     "mov.u32 %r2, s; setp.ge.u32 %p4, %r0, 64; @%p4 bra A; @%p2 st.shared.u32 [%r2], %r0; bar.sync 1, 64; bra E;"
     "A: bar.sync 2, 32; E: ld.shared.u32 %r1, [%r2];",
     96, 1, "17:32"},
    {"three warps read, and the third one stores when the first has come",
     "@%p2 st.shared.u32 [s], %r0; bar.sync 0; ld.shared.u32 %r1, [s]; xor.b32 %r2, %r0, 32; setp.lt.u32 %p5, %r2, 32;"
     "@%p5 bra E; bar.sync 1, 64; setp.eq.u32 %p5, %r0, 64; @%p5 st.shared.u32 [s], 7; E:",
     96, 1, "17:2"},
    {"who arrives releases",
     "mov.u32 %r2, s; @!%p3 bra A; @%p2 st.shared.u32 [%r2], %r0; bar.arrive 1, 64; bra E;"
     "A: bar.sync 1, 64; ld.shared.u32 %r1, [%r2]; E:",
     64, 1, ""},
    {"who arrives acquires nothing",
     "mov.u32 %r2, s; setp.eq.u32 %p4, %r0, 32; @%p3 bra A; @%p4 st.shared.u32 [%r2], %r0; bar.sync 1, 64; bra E;"
     "A: bar.arrive 1, 64; ld.shared.u32 %r1, [%r2]; E:",
     64, 1, "17:4 21:1 27:1"},
    {"what is done after an arrival is not released",
     "mov.u32 %r2, s; @!%p3 bra A; bar.arrive 1, 64; @%p2 st.shared.u32 [%r2], %r0; bra E;"
     "A: bar.sync 1, 64; ld.shared.u32 %r1, [%r2]; E:",
     64, 1, "17:32"},
    {"a barrier in a branch", "@%p1 bra A; bar.sync 0; bra E; A: bar.sync 0; E:", 32, 1, "24:2"},
    {"unaligned, it may be there", "@%p1 bra A; barrier.sync 0; bra E; A: barrier.sync 0; E:", 32, 1, ""},
    {"threads that have left", "@%p1 bra A; exit; A: bar.sync 0;", 32, 1, "24:1"},
    {"a cluster's barrier", WORDS STORE "barrier.cluster.arrive; barrier.cluster.wait;" LOAD, 64, 1, ""},
    {"a cluster's barrier, arrived at before", WORDS "barrier.cluster.arrive;" STORE "barrier.cluster.wait;" LOAD, 64,
     1, "17:64"},

    /* mbarrier objects */
    {"an mbarrier",
     WORDS
     "@%p2 mbarrier.init.shared.b64 [s+256], 64; bar.sync 0;" STORE
     "mbarrier.arrive.shared.b64 %d2, [s+256]; W: mbarrier.test_wait.shared.b64 %p5, [s+256], %d2; @!%p5 bra W;" LOAD,
     64, 1, ""},
    {"an mbarrier that nobody waits for",
     WORDS "@%p2 mbarrier.init.shared.b64 [s+256], 64; bar.sync 0;" STORE
           "mbarrier.arrive.shared.b64 %d2, [s+256];" LOAD,
     64, 1, "17:64 21:1 27:1"},
    {"an mbarrier, the wrong parity",
     WORDS "@%p2 mbarrier.init.shared.b64 [s+256], 64; bar.sync 0;" STORE
           "mbarrier.arrive.shared.b64 %d2, [s+256]; mbarrier.test_wait.parity.shared.b64 %p5, [s+256], 1;" LOAD,
     64, 1, "17:64 21:1 27:1"},
    {"an mbarrier without a barrier after init",
     "@%p2 mbarrier.init.shared.b64 [s+256], 64; mbarrier.arrive.shared.b64 %d2, [s+256];", 64, 1, "17:64 18:62"},
#define INIT "@%p2 mbarrier.init.shared.b64 [s+256], 64; bar.sync 0;"
    {"the last byte of an mbarrier, read", INIT "@%p2 ld.shared.u8 %r1, [s+263];", 64, 1, "31:1"},
    {"the byte after an mbarrier, and the one before",
     INIT "@%p2 st.shared.u8 [s+264], %r9; @%p2 st.shared.u8 [s+255], %r9;", 64, 1, ""},
    {"the memory of an mbarrier after inval",
     INIT "@%p2 mbarrier.inval.shared.b64 [s+256]; bar.sync 0;" INIT
          "@%p2 mbarrier.inval.shared.b64 [s+256]; @%p2 st.shared.u64 [s+256], %d0;",
     64, 1, ""},
    {"an mbarrier that is made twice", INIT INIT, 64, 1, "31:1"},

    /* fences and atomics */
    {"a flag with fences",
     "mov.u32 %r2, s; @!%p2 bra A; st.shared.u32 [%r2], 7; membar.cta; atom.shared.exch.b32 %r7, [s+64], 1; A: @%p3 "
     "bra E;"
     "W: atom.shared.or.b32 %r3, [s+64], 0; setp.eq.u32 %p4, %r3, 0; @%p4 bra W; membar.cta; ld.shared.u32 %r1, [%r2]; "
     "E:",
     64, 1, ""},
    {"a flag with a fence on one side",
     "mov.u32 %r2, s; @!%p2 bra A; st.shared.u32 [%r2], 7; membar.cta; atom.shared.exch.b32 %r7, [s+64], 1; A: @%p3 "
     "bra E;"
     "W: atom.shared.or.b32 %r3, [s+64], 0; setp.eq.u32 %p4, %r3, 0; @%p4 bra W; ld.shared.u32 %r1, [%r2]; E:",
     64, 1, "46:32"},
    {"a flag without",
     "mov.u32 %r2, s; @!%p2 bra A; st.shared.u32 [%r2], 7; atom.shared.exch.b32 %r7, [s+64], 1; A: @%p3 bra E;"
     "W: atom.shared.or.b32 %r3, [s+64], 0; setp.eq.u32 %p4, %r3, 0; @%p4 bra W; ld.shared.u32 %r1, [%r2]; E:",
     64, 1, "17:32"},
#define LANES_SHARED WORDS "@%p2 st.shared.u32 [s+256], 0; bar.sync 0; @!%p3 bra A; st.shared.u32 [%r2], 7;"
#define LANE_SETS                                                                                                      \
    "@%p2 st.relaxed.cta.shared.u32 [s+256], 1; bra E; A: setp.eq.u32 %p4, %r0, 32; @!%p4 bra M;"                      \
    "W: ld.relaxed.cta.shared.u32 %r3, [s+256]; setp.eq.u32 %p5, %r3, 0; @%p5 bra W; membar.cta; M: bar.warp.sync -1;" \
    "ld.shared.u32 %r1, [%r4];" USE "E:"
    {"a flag with release and acquire",
     "mov.u32 %r2, s; @!%p2 bra A; st.shared.u32 [%r2], 7; st.release.cta.shared.u32 [s+64], 1; A: @%p3 bra E;"
     "W: ld.acquire.cta.shared.u32 %r3, [s+64]; setp.eq.u32 %p4, %r3, 0; @%p4 bra W; ld.shared.u32 %r1, [%r2]; E:",
     64, 1, ""},

    {"one lane fences, and then its warp meets and it sets the flag",
     LANES_SHARED "@%p2 membar.cta; bar.warp.sync -1;" LANE_SETS, 64, 1, "17:31"},
    {"the warp meets, and then one lane fences and sets the flag",
     LANES_SHARED "bar.warp.sync -1; @%p2 membar.cta;" LANE_SETS, 64, 1, ""},
    {"all lanes fence, meet, and one sets the flag", LANES_SHARED "membar.cta; bar.warp.sync -1;" LANE_SETS, 64, 1, ""},

/* sequentially consistent fences of other threads */
#define STORES                                                                                                         \
    "mov.u32 %r3, %ctaid.x; mad.wide.u32 %d3, %r3, 4, %d0; setp.eq.u32 %p4, %r0, 40; @%p4 st.global.u32 [%d3], %r3;"
#define COUNTS "mov.u32 %r4, 0; @%p2 atom.global.add.u32 %r4, [%d0+256], 1;"
#define LOADS "ld.global.u32 %r1, [%d0];" USE "exit;"
#define LANES_STORE                                                                                                    \
    "mov.u32 %r3, %ctaid.x; mad.wide.u32 %d3, %r0, 4, %d0; setp.ne.u32 %p4, %r3, 0; @%p4 bra A;"                       \
    "st.global.u32 [%d3], 7;"
#define LANE_TELLS                                                                                                     \
    "@%p2 st.relaxed.gpu.global.u32 [%d0+256], 1; exit; A: @%p2 ld.relaxed.gpu.global.u32 %r4, [%d0+256];"             \
    "@%p2 membar.gl; bar.warp.sync -1; ld.global.u32 %r1, [%d3];" USE "exit;"
#define PASSES_BY(before, read, behind)                                                                                \
    "mov.u32 %r3, %ctaid.x; setp.ne.u32 %p4, %r3, 0; @%p4 bra A; st.volatile.global.u32 [%d0], 7;" before              \
    "atom.global.add.u32 %r4, [%d0+256], 1; exit; A: " read behind                                                     \
    "ld.volatile.global.u32 %r1, [%d0]; st.global.u32 [%d0+260], %r1; exit;"
#define PASSES(before, behind) PASSES_BY(before, "ld.volatile.global.u32 %r4, [%d0+256];", behind)
    {"all threads fence, then one counts",
     STORES "membar.gl; bar.sync 0;" COUNTS "setp.eq.u32 %p4, %r4, 1; @!%p4 exit; membar.gl;" LOADS, 64, 2, ""},
    {"the same with fences that are not sequentially consistent",
     STORES "fence.acq_rel.gpu; bar.sync 0;" COUNTS "setp.eq.u32 %p4, %r4, 1; @!%p4 exit; membar.gl;" LOADS, 64, 2,
     "19:1"},
    {"the same with fences of the block",
     STORES "membar.cta; bar.sync 0;" COUNTS "setp.eq.u32 %p4, %r4, 1; @!%p4 exit; membar.gl;" LOADS, 64, 2, "19:1"},
    {"one counts, then another thread fences",
     STORES "bar.sync 0; @%p2 membar.gl;" COUNTS
            "@%p2 st.shared.u32 [s], %r4; bar.sync 0; ld.shared.u32 %r4, [s]; setp.eq.u32 %p4, %r4, 1;"
            "setp.eq.and.u32 %p4, %r0, 33, %p4; @!%p4 exit; membar.gl;" LOADS,
     64, 2, ""},
    {"the same with a fence that is not sequentially consistent",
     STORES "bar.sync 0; @%p2 membar.gl;" COUNTS
            "@%p2 st.shared.u32 [s], %r4; bar.sync 0; ld.shared.u32 %r4, [s]; setp.eq.u32 %p4, %r4, 1;"
            "setp.eq.and.u32 %p4, %r0, 33, %p4; @!%p4 exit; fence.acq_rel.gpu;" LOADS,
     64, 2, "46:1"},
    {"a named barrier, then one fences and counts",
     STORES "setp.lt.u32 %p5, %r0, 64; @!%p5 exit; barrier.sync 1, 64; @%p2 membar.gl;" COUNTS
            "setp.eq.u32 %p4, %r4, 1; @!%p4 exit; membar.gl;" LOADS,
     96, 2, ""},
    {"all threads fence, then one counts, and those of the other warp have fenced again",
     STORES "membar.gl; bar.sync 0; @!%p3 membar.gl;" COUNTS "setp.eq.u32 %p4, %r4, 1; @!%p4 exit; membar.gl;" LOADS,
     64, 2, ""},
    {"the other warp stores and fences after the barrier alone",
     "membar.gl; bar.sync 0;" STORES "@!%p3 membar.gl;" COUNTS "setp.eq.u32 %p4, %r4, 1; @!%p4 exit; membar.gl;" LOADS,
     64, 2, "19:1"},
    {"no barrier, and one fences and counts",
     STORES "@%p2 membar.gl;" COUNTS "setp.eq.u32 %p4, %r4, 1; @!%p4 exit; membar.gl;" LOADS, 64, 2, "19:1"},

    {"one lane fences, and then its warp meets", LANES_STORE "@%p2 membar.gl; bar.warp.sync -1;" LANE_TELLS, 32, 2,
     "19:31"},
    {"the warp meets, and then one lane fences", LANES_STORE "bar.warp.sync -1; @%p2 membar.gl;" LANE_TELLS, 32, 2, ""},
    {"all lanes fence, and then meet", LANES_STORE "membar.gl; bar.warp.sync -1;" LANE_TELLS, 32, 2, ""},
    {"all lanes fence, and nobody meets", LANES_STORE "membar.gl;" LANE_TELLS, 32, 2, "19:31"},
    {"all lanes have fenced before they store, and half of them since",
     "membar.gl;" LANES_STORE "@%p1 membar.gl; bar.sync 0;" LANE_TELLS, 32, 2, "19:16"},
    {"all lanes fence, meet, and fence again", LANES_STORE "membar.gl; bar.warp.sync -1; membar.gl;" LANE_TELLS, 32, 2,
     ""},

    /* strong data, and a flag that was set later */
    {"volatile data and a flag without a fence", PASSES("", "membar.gl;"), 1, 2, "19:1"},
    {"the same with fences", PASSES("membar.gl;", "membar.gl;"), 1, 2, ""},
    {"without the one behind the flag", PASSES("membar.gl;", ""), 1, 2, "46:1"},
    {"a counter that is read by an atomic needs none",
     PASSES_BY("membar.gl;", "atom.global.add.u32 %r4, [%d0+256], 1; setp.eq.u32 %p5, %r4, 9; @%p5 exit;", ""), 1, 2,
     ""},
    {"but it does before the counter",
     PASSES_BY("", "atom.global.add.u32 %r4, [%d0+256], 1; setp.eq.u32 %p5, %r4, 9; @%p5 exit;", ""), 1, 2, "19:1"},
    {"a flag of another thread", PASSES_BY("", "ld.volatile.global.u32 %r4, [%d0+128];", "membar.gl;"), 1, 2, ""},
    {"a flag that was set before",
     "mov.u32 %r3, %ctaid.x; setp.ne.u32 %p4, %r3, 0; @%p4 bra A; st.volatile.global.u32 [%d0+256], 1;"
     "st.volatile.global.u32 [%d0], 7; exit; A: ld.volatile.global.u32 %r4, [%d0+256];"
     "ld.volatile.global.u32 %r1, [%d0]; exit;",
     1, 2, ""},
    {"one place, read twice",
     "mov.u32 %r3, %ctaid.x; setp.ne.u32 %p4, %r3, 0; @%p4 bra A; st.volatile.global.u32 [%d0], 1;"
     "st.volatile.global.u32 [%d0], 7; exit; A: ld.volatile.global.u32 %r4, [%d0];"
     "ld.volatile.global.u32 %r1, [%d0]; exit;",
     1, 2, ""},

/* loads that a compare-and-swap checks */
#define GUESS "ld.global.u32 %r4, [%d0+256];"
#define SWAPS                                                                                                          \
    "L: mov.u32 %r6, %r4; add.u32 %r5, %r6, 1; atom.global.cas.b32 %r4, [%d0+256], %r6, %r5;"                          \
    "setp.ne.u32 %p4, %r6, %r4; @%p4 bra L;"
    {"an addition by compare-and-swap", GUESS SWAPS "exit;", 1, 2, "47:2"},
    {"one that gives the old value",
     GUESS SWAPS "mov.u32 %r3, %ctaid.x; mad.wide.u32 %d3, %r3, 4, %d0;"
                 "st.global.u32 [%d3], %r6; exit;",
     1, 2, "47:2"},
    {"one whose guess is stored before it is checked",
     GUESS "mov.u32 %r3, %ctaid.x; mad.wide.u32 %d3, %r3, 4, %d0;"
           "st.global.u32 [%d3], %r4;" SWAPS "exit;",
     1, 2, "19:2"},
    {"one whose first guess is stored",
     GUESS "mov.u32 %r10, %r4;" SWAPS "mov.u32 %r3, %ctaid.x;"
           "mad.wide.u32 %d3, %r3, 4, %d0; st.global.u32 [%d3], %r10; exit;",
     1, 2, "19:2"},
    {"one that may leave before it asks",
     GUESS "setp.eq.u32 %p5, %r0, 9; @%p5 bra E;" SWAPS
           "E: mov.u32 %r3, %ctaid.x; mad.wide.u32 %d3, %r3, 4, %d0; st.global.u32 [%d3], %r4; exit;",
     1, 2, "19:2"},
    {"a compare-and-swap of another value",
     "ld.global.u32 %r1, [%d0+256];" USE "mov.u32 %r4, 3;"
     "atom.global.cas.b32 %r5, [%d0+256], %r9, 1; exit;",
     1, 2, "19:2"},
    {"a compare-and-swap of another place",
     GUESS "atom.global.cas.b32 %r5, [%d0+260], %r4, 1; red.global.add.u32 [%d0+256], 1; exit;", 1, 2, "19:2"},
    {"an atomic read before the compare-and-swap", "ld.relaxed.gpu.global.u32 %r4, [%d0+256];" SWAPS "exit;", 1, 2, ""},

    /* copies */
    {"a copy, waited for", WORDS COPY "cp.async.wait_all; bar.sync 0;" LOAD, 64, 1, ""},
    {"a copy, read at once", WORDS COPY "ld.shared.u32 %r1, [%r2]; cp.async.wait_all;", 32, 1, "20:32"},
    {"a copy, a barrier, no wait", WORDS COPY "bar.sync 0;" LOAD, 64, 1, "20:64 40:64"},
    {"a copy, waited for by each thread alone", WORDS COPY "cp.async.wait_all;" LOAD, 64, 1, "17:64 21:1 27:1"},
    {"the second of two groups is under way",
     WORDS COPY "cp.async.commit_group; add.u32 %r2, %r2, 256; " COPY
                "cp.async.commit_group; cp.async.wait_group 1; ld.shared.u32 %r1, [%r2]; cp.async.wait_all;",
     32, 1, "20:32"},
    {"the first of two groups is there",
     WORDS COPY "cp.async.commit_group; add.u32 %r5, %r2, 0; add.u32 %r2, %r2, 256; " COPY
                "cp.async.commit_group; cp.async.wait_group 1; ld.shared.u32 %r1, [%r5]; cp.async.wait_all;",
     32, 1, ""},
    {"a copy onto a copy", WORDS COPY COPY "cp.async.wait_all;", 32, 1, "20:32"},

    /* global memory */
    {"blocks that write their words", "", 32, 1, ""},
    {"blocks that write the same words", "mov.u32 %r3, %ctaid.x; add.u32 %r1, %r3, %r0;", 32, 2, "19:32"},
    {"blocks that write the same values", "", 32, 2, "23:32"},
    {"blocks that add", "red.global.add.u32 [%d1+128], 1; setp.gt.u32 %p4, %r0, 99; @!%p4 exit;", 32, 2, ""},
    {"the last block reads what the others wrote",
     "mov.u32 %r3, %ctaid.x; mad.wide.u32 %d3, %r3, 4, %d0; st.global.u32 [%d3], %r3; membar.gl;"
     "atom.global.add.u32 %r4, [%d0+256], 1; and.b32 %r4, %r4, 1; setp.eq.u32 %p4, %r4, 0; @%p4 exit;"
     "membar.gl; ld.global.u32 %r1, [%d0];" USE "exit;",
     1, 2, ""},
    {"the last block reads, without a fence behind the counter",
     "mov.u32 %r3, %ctaid.x; mad.wide.u32 %d3, %r3, 4, %d0; st.global.u32 [%d3], %r3; membar.gl;"
     "atom.global.add.u32 %r4, [%d0+256], 1; and.b32 %r4, %r4, 1; setp.eq.u32 %p4, %r4, 0; @%p4 exit;"
     "ld.global.u32 %r1, [%d0];" USE "exit;",
     1, 2, "46:1"},
    {"the same with a fence of one block before it",
     "mov.u32 %r3, %ctaid.x; mad.wide.u32 %d3, %r3, 4, %d0; st.global.u32 [%d3], %r3; membar.cta;"
     "atom.global.add.u32 %r4, [%d0+256], 1; and.b32 %r4, %r4, 1; setp.eq.u32 %p4, %r4, 0; @%p4 exit;"
     "membar.gl; ld.global.u32 %r1, [%d0];" USE "exit;",
     1, 2, "19:1"},
    {"the same with a fence of one block behind it",
     "mov.u32 %r3, %ctaid.x; mad.wide.u32 %d3, %r3, 4, %d0; st.global.u32 [%d3], %r3; membar.gl;"
     "atom.global.add.u32 %r4, [%d0+256], 1; and.b32 %r4, %r4, 1; setp.eq.u32 %p4, %r4, 0; @%p4 exit;"
     "membar.cta; ld.global.u32 %r1, [%d0];" USE "exit;",
     1, 2, "46:1"},
    {"the same with a counter of one block",
     "mov.u32 %r3, %ctaid.x; mad.wide.u32 %d3, %r3, 4, %d0; st.global.u32 [%d3], %r3; membar.gl;"
     "atom.global.cta.add.u32 %r4, [%d0+256], 1; and.b32 %r4, %r4, 1; setp.eq.u32 %p4, %r4, 0; @%p4 exit;"
     "membar.gl; ld.global.u32 %r1, [%d0];" USE "exit;",
     1, 2, "19:2"},
    {"the same without a fence",
     "mov.u32 %r3, %ctaid.x; mad.wide.u32 %d3, %r3, 4, %d0; st.global.u32 [%d3], %r3;"
     "atom.global.add.u32 %r4, [%d0+256], 1; and.b32 %r4, %r4, 1; setp.eq.u32 %p4, %r4, 0; @%p4 exit;"
     "ld.global.u32 %r1, [%d0];" USE "exit;",
     1, 2, "19:1"},
    {"a block that reads without looking whether the other is done",
     "mov.u32 %r3, %ctaid.x; setp.eq.u32 %p4, %r3, 1; @%p4 bra R; st.global.u32 [%d0], %r3; membar.gl;"
     "red.global.add.u32 [%d0+256], 1; exit; R: ld.global.u32 %r1, [%d0];" USE "exit;",
     1, 2, "19:1"},
    {"warps that share global memory",
     "st.global.u32 [%d1], %r0; xor.b32 %r3, %r0, 32; mad.wide.u32 %d3, %r3, 4, %d0;"
     "ld.global.u32 %r1, [%d3];" USE "exit;",
     64, 1, "19:64"},
    {"and meet before",
     "st.global.u32 [%d1], %r0; xor.b32 %r3, %r0, 32; mad.wide.u32 %d3, %r3, 4, %d0; bar.sync 0;"
     "ld.global.u32 %r1, [%d3];" USE "exit;",
     64, 1, ""},

    /* uninitialised memory */
    {"a read that is stored", WORDS LOAD, 32, 1, "21:1 27:1"},
    {"a read that is not used", WORDS "ld.shared.u32 %r3, [%r4];", 32, 1, "27:1"},
    {"a read that is selected away", WORDS "ld.shared.u32 %r3, [%r4]; selp.b32 %r1, %r0, %r3, %p1;", 16, 1, "27:1"},
    {"a read that is selected", WORDS "ld.shared.u32 %r3, [%r4]; selp.b32 %r1, %r0, %r3, %p1;", 32, 1, "21:1 27:1"},
    {"a read in an address", WORDS "ld.shared.u32 %r3, [%r4]; add.u32 %r3, %r3, %r6; ld.shared.u32 %r3, [%r3];", 32, 1,
     "21:1 27:2"},
    {"a read in a branch", WORDS "ld.shared.u32 %r3, [%r4]; setp.eq.u32 %p4, %r3, 0; @%p4 bra E; E:", 32, 1,
     "21:1 27:1"},
    {"a read that is overwritten", WORDS "ld.shared.u32 %r1, [%r4]; mov.u32 %r1, 5;", 32, 1, "27:1"},
    {"a read that one half of the lanes overwrites, then the other",
     WORDS "ld.shared.u32 %r1, [%r4]; @%p1 mov.u32 %r1, 5; @!%p1 mov.u32 %r1, 6;", 32, 1, "27:1"},
    {"a shuffle from a lane that is elsewhere", "@!%p1 bra E; shfl.sync.idx.b32 %r1, %r0, 20, 31, 0xffff; E:", 32, 1,
     "21:1"},
    {"a shuffle of a clock", "shfl.sync.idx.b32 %r1, %clock, 0, 31, -1;", 32, 1, ""},
    {"a shuffle by a clock", "shfl.sync.idx.b32 %r1, %r0, %clock, 31, -1;", 32, 1, ""},
    {"a clock that is selected", WORDS "ld.shared.u32 %r3, [%r4]; selp.b32 %r1, %clock, %r3, %p1;", 32, 1, "21:1 27:1"},
    {"a shuffle down", "shfl.sync.down.b32 %r1, %r0, 8, 31, -1;", 32, 1, ""},
    {"a sum over lanes of what one of them has read",
     WORDS "@%p1 " STORE "ld.shared.u32 %r3, [%r2]; redux.sync.add.u32 %r1, %r3, -1;", 32, 1, "21:1 27:1"},
    {"shared memory that the block before has written",
     "mov.u32 %r3, %ctaid.x; setp.eq.u32 %p4, %r3, 0; @%p4 st.shared.u32 [s], 5; @%p4 exit; ld.shared.u32 %r1, [s];",
     32, 2, "21:1 27:1"},
    {"an exchange that is stored", WORDS "atom.shared.exch.b32 %r1, [%r2], 1;", 32, 1, "21:1 27:1"},
    {"an exchange of 64 bits that is stored",
     WORDS "and.b32 %r4, %r4, -8; atom.shared.exch.b64 %d3, [%r4], 1; cvt.u32.u64 %r1, %d3;", 32, 1, "21:1 27:1"},
    {"an exchange of 128 bits that is stored",
     ".reg .b128 %q; shl.b32 %r2, %r9, 4; add.u32 %r2, %r2, 0; mov.b128 %q, {%d0, %d0};"
     "atom.shared.exch.b128 %q, [%r2], %q; mov.b128 {%d3, %d4}, %q; cvt.u32.u64 %r1, %d3;",
     32, 1, "21:1 27:1"},
    {"exchanges until the lock was free", "L: atom.shared.exch.b32 %r3, [s], 1; setp.ne.u32 %p4, %r3, 0; @%p4 bra L;",
     1, 1, "21:1 27:1"},
    {"exchanges of a lock that is set",
     "st.shared.u32 [s], 0; L: atom.shared.exch.b32 %r3, [s], 1; setp.ne.u32 %p4, %r3, 0; @%p4 bra L;", 1, 1, ""},
    {"an exchange whose result is not used", WORDS "atom.shared.exch.b32 %r7, [%r2], 1; ld.shared.u32 %r1, [%r2];", 32,
     1, ""},
    {"an exchange in an array that was never written", "/* unwritten */ atom.global.exch.b32 %r1, [%d1], 1;", 32, 1,
     "21:1 27:1"},
    {"an array that was never written", "/* unwritten */ ld.global.u32 %r1, [%d1];", 32, 1, "21:1 27:1"},
    {"an array that may have been", "ld.global.u32 %r1, [%d1];", 32, 1, ""},

    {"one matrix, whose rows eight lanes name",
     "setp.lt.u32 %p4, %r9, 8; mov.u32 %r2, s; mad.lo.u32 %r2, %r9, 16, %r2; @%p4 st.shared.v4.u32 [%r2], {%r9, %r9, "
     "%r9, %r9};"
     "bar.warp.sync -1; ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r2];",
     32, 1, ""},
    {"two matrices of which one is written",
     "setp.lt.u32 %p4, %r9, 8; mov.u32 %r2, s; mad.lo.u32 %r2, %r9, 16, %r2; @%p4 st.shared.v4.u32 [%r2], {%r9, %r9, "
     "%r9, %r9};"
     "bar.warp.sync -1; ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r3, %r1}, [%r2];",
     32, 1, "21:1 27:1"},
    {"a fragment of uninitialised memory",
     "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r10, %r11, %r12, %r13, %r14, %r15, %r16, %r1}, [s];", 32, 1,
     "21:1 27:1"},
    {"a fragment of a tile whose first line is written",
     WORDS "setp.lt.u32 %p4, %r9, 8; @%p4 " STORE "bar.warp.sync -1;"
           "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r10, %r11, %r12, %r13, %r14, %r15, %r16, %r1}, [s];",
     32, 1, "21:1 27:1"},

/* %r3 is uninitialised in lanes 0 to 3, and %f5 is %r3: a row of A, a column of B or four places in a row of C */
#define SOME                                                                                                           \
    WORDS "mov.u32 %r10, 0; mov.f32 %f0, 0f00000000; setp.lt.u32 %p4, %r9, 4;"                                         \
          "ld.shared.u32 %r3, [%r4]; @!%p4 mov.u32 %r3, 0; mov.b32 %f5, %r3;"
#define PRODUCT(a, b, c)                                                                                               \
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {" a ", %r10, %r10, %r10}, {" b           \
    ", %r10}, {" c ", %f0, %f0, %f0};"
    {"a row of A", SOME PRODUCT("%r3", "%r10", "%f0") "mov.b32 %r1, %f1;", 32, 1, "21:1 27:1"},
    {"a row of A, of which nobody stores anything",
     SOME PRODUCT("%r3", "%r10", "%f0") "mov.b32 %r1, %f1; @%p4 mov.u32 %r1, 0;", 32, 1, "27:1"},
    {"a row of A, and what is eight rows below", SOME PRODUCT("%r3", "%r10", "%f0") "mov.b32 %r1, %f3;", 32, 1, "27:1"},
    {"a column of B", SOME PRODUCT("%r10", "%r3", "%f0") "mov.b32 %r1, %f3;", 32, 1, "21:1 27:1"},
    {"a column of B, of which nobody stores anything",
     SOME PRODUCT("%r10", "%r3",
                  "%f0") "mov.b32 %r1, %f3; and.b32 %r5, %r9, 3; setp.eq.u32 %p4, %r5, 0; @%p4 mov.u32 %r1, 0;",
     32, 1, "27:1"},
    {"a column of B, and the one beside it", SOME PRODUCT("%r10", "%r3", "%f0") "mov.b32 %r1, %f2;", 32, 1, "27:1"},
    {"places of C", SOME PRODUCT("%r10", "%r10", "%f5") "mov.b32 %r1, %f1;", 32, 1, "21:1 27:1"},
    {"places of C of which nobody stores anything",
     SOME PRODUCT("%r10", "%r10", "%f5") "mov.b32 %r1, %f1; @%p4 mov.u32 %r1, 0;", 32, 1, "27:1"},
    {"places of C, and those beside them", SOME PRODUCT("%r10", "%r10", "%f5") "mov.b32 %r1, %f2;", 32, 1, "27:1"},

    /* the rest */
    {"division by zero", "div.u32 %r1, 5, %r9;", 32, 1, "26:1"},
    {"division of 64 bits", "cvt.u64.u32 %d3, %r9; shl.b64 %d3, %d3, 32; rem.u64 %d3, %d0, %d3; cvt.u32.u64 %r1, %d3;",
     32, 1, "26:1"},
    {"division by what is not zero", "add.u32 %r3, %r9, 1; div.s32 %r1, 5, %r3;", 32, 1, ""},
};

static void test_findings(void) { check_findings(found_rows, sizeof found_rows / sizeof found_rows[0]); }

/* The first block passes the time at which the next one begins anew. */
static void test_times_that_begin_anew_change_nothing(void) {
    uint8_t out[4 * THREADS] = {0};
    begins = WS_TIME_MOST;
    test_findings();
    for (blocks = 1; blocks <= 2; blocks++) {
        CHECK_EQUAL(run(HEAD WORDS STORE TAIL, 64, WS_SIMD_PORTABLE, out), WS_RUN_NONE);
        CHECK_EQUAL(check.judge.clock.now > WS_TIME_MOST, blocks == 1);
    }
    begins = 0;
}

static const ws_found *only_row(void) {
    const ws_found *found = NULL;
    uint32_t i;
    for (i = 0; i < WS_FOUND_CAPACITY; i++) {
        if (check.judge.found.rows[i].count == 0) continue;
        CHECK(found == NULL);
        found = &check.judge.found.rows[i];
    }
    CHECK(found != NULL);
    return found;
}

static void test_example(void) {
    uint8_t out[4 * THREADS] = {0};
    const ws_found *found;
    blocks = 1;
    CHECK_EQUAL(run(HEAD "@%p1 exit; bar.warp.sync -1;" TAIL, 64, WS_SIMD_PORTABLE, out), WS_RUN_NONE);
    found = only_row();
    CHECK_EQUAL(found->thread, 16);
    CHECK_EQUAL(found->lanes, 0xffff0000);
    CHECK_EQUAL(found->count, 2); /* one of each warp, the first is the example */
    CHECK_EQUAL(run(HEAD WORDS STORE "bar.sync 0; @%p2 ld.shared.u32 %r1, [%r4]; @!%p3"
                                     " st.shared.u32 [%r2], 3;" TAIL,
                    64, WS_SIMD_PORTABLE, out),
                WS_RUN_NONE);
    found = only_row();
    CHECK_EQUAL(found->address, 128);
    CHECK_EQUAL(found->thread + found->other_thread, 32); /* 0 and 32, whoever came first */
    CHECK(found->is_write != found->other_is_write && found->nbytes == 4 && found->space == WS_AT_SHARED);
    CHECK_EQUAL(check.judge.found.lost, 0);
}

static void test_all(void) {
    test_findings();
    test_times_that_begin_anew_change_nothing();
    test_example();
}

CHECK_MAIN(test_all)
