/* What each kind of pair gets as its remedy: small kernels, and rows as a check finds them. */
#include "../check.h"
#include <warpsim/run.h>

enum { FIX_ROOM = 1 << 20, FIX_MOST = 4, FIX_NONE = -1 };

/* Statement 0 is in line 4, and each of a body has a line of its own. */
#define HEAD                                                                                                           \
    ".version 8.6\n.target sm_90a\n.address_size 64\n"                                                                 \
    ".visible .entry k() { .reg .b32 %r<9>; .reg .b64 %d<3>; .reg .pred %p<3>; .reg .b16 %h<3>; .reg .f32 %f<2>; "     \
    ".shared .b8 s[64]; "
#define TAIL "\nret; }\n"

/* A row of a check: statements, and who made the accesses. */
typedef struct fix_given {
    ws_kernel_rule rule;
    int step, other;
    bool is_write, other_is_write;
    uint32_t other_block, other_thread; /* the first is thread 1 of block 0 */
} fix_given;

typedef struct fixed {
    const char *name, *body, *fix; /* of the first row */
    fix_given rows[FIX_MOST];
} fixed;

static uint8_t fix_of_module[FIX_ROOM], fix_of_program[FIX_ROOM], fix_of_told[FIX_ROOM];
static ws_module fix_module;
static ws_kernel fix_program;

static void fix_decode(const char *text) {
    const ws_chosen chosen = {0, ws_target_find("sm_90a"), WS_SIMD_AUTO, true};
    ws_arena arena = ws_arena_make(fix_of_program, FIX_ROOM);
    ws_refused refused;
    ws_error error;
    if (!CHECK_EQUAL(ws_module_parse(text, strlen(text), fix_of_module, &fix_module, &error), WS_OK) ||
        !CHECK_EQUAL(ws_kernel_make(&fix_module, &chosen, &arena, &fix_program, &refused, &error), WS_OK)) {
        fprintf(stderr, "%s: %s\n", text, error.message);
        exit(1);
    }
}

static ws_found row_of(const fix_given *one) {
    ws_found found;
    memset(&found, 0, sizeof found);
    found.rule = (uint32_t)one->rule;
    found.count = 1;
    found.step = (uint32_t)one->step;
    found.other = one->other == FIX_NONE ? WS_FOUND_NO_STEP : (uint32_t)one->other;
    found.via = WS_FOUND_NO_STEP;
    found.is_write = one->is_write;
    found.other_is_write = one->other_is_write;
    found.thread = 1;
    found.other_thread = one->other_thread;
    found.other_block = one->other_block;
    found.space = one->rule == WS_RUN_ARRAY_RACE ? (uint8_t)WS_AT_GLOBAL : (uint8_t)WS_AT_SHARED;
    found.nbytes = 4;
    found.object = ws_found_object_none();
    return found;
}

/* The remedy of the first row. */
static const char *fix_of(const fix_given *rows, ws_language language) {
    static char words[1024];
    const ws_teller teller = ws_teller_make(&fix_module, &fix_program, (int)language);
    const ws_ran ran = ws_ran_unknown();
    ws_arena arena = ws_arena_make(fix_of_told, FIX_ROOM);
    ws_text fix = ws_text_make(words, sizeof words);
    ws_found found[FIX_MOST];
    ws_repair *repairs;
    ws_told told;
    uint32_t count, i;
    for (count = 0; count < FIX_MOST && rows[count].rule != WS_RUN_NONE; count++) found[count] = row_of(&rows[count]);
    CHECK(ws_told_make(found, count, &fix_module, &arena, &told));
    repairs = ws_repairs_make(&told, &fix_program, &ran, &arena);
    CHECK(repairs != NULL);
    for (i = 0; i < told.count && told.rows[i].rule != (uint32_t)rows[0].rule; i++) continue;
    if (CHECK(i < told.count)) ws_fix_add(&teller, &fix, &told.rows[i], &repairs[i]);
    return words;
}

#define LOAD "ld.shared.u32 %r0, [%r2];\n"
#define STORE "st.shared.u32 [%r2], %r1;\n"
#define ADD "add.u32 %r1, %r0, 1;\n"
#define SWAP "atom.shared.cas.b32 %r5, [s], 0, 1;\n"
#define COPY "cp.async.ca.shared.global [%r2], [%d0], 4;\n"
#define BULK "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%d0], 16, [%r3];\n"
#define BULK_STORE "cp.async.bulk.global.shared::cta.bulk_group [%d0], [%r2], 16;\n"
#define WAIT "mbarrier.test_wait.parity.shared.b64 %p0, [%r3], 0;\n"
#define BRANCHES(first, second) "@%p0 bra B;\n" STORE first "bra E;\nB: " LOAD second "E:"

#define UPDATE(atomic, load, store)                                                                                    \
    "Use " atomic " in place of what line " load " loads and line " store                                              \
    " stores: between the two another thread does the same, and its update is lost."
#define BETWEEN(a, b) "Put __syncthreads() (bar.sync) between line " a " and line " b
#define APART(a, b)                                                                                                    \
    "No thread comes to both line " a " and line " b                                                                   \
    ": let those of the one branch wait for those of the other, at a named barrier with the count of both (bar.arrive" \
    ", bar.sync), at an mbarrier object, or at a flag with __threadfence_block() before it is written and after it is" \
    " read. Who is waited for arrives after its access; a lane that speaks for its warp does so after __syncwarp()"    \
    " (bar.warp.sync)."

#define RACE(a, b)                                                                                                     \
    { WS_RUN_RACE, a, b, false, true, 0, 40 }
#define MEETS(store)                                                                                                   \
    { WS_RUN_RACE, store, store, true, true, 0, 40 }

static const fixed updates[] = {
    {"a sum", LOAD ADD STORE, UPDATE("atomicAdd()", "4", "6"), {RACE(0, 2)}},
    {"a maximum", LOAD "max.u32 %r1, %r0, %r3;\n" STORE, UPDATE("atomicMax()", "4", "6"), {RACE(0, 2)}},
    {"a copy of the sum", LOAD ADD "mov.u32 %r1, %r1;\n" STORE, UPDATE("atomicAdd()", "4", "7"), {RACE(0, 3)}},
    {"a sum of a copy",
     LOAD "mov.u32 %r4, %r0;\nadd.u32 %r1, %r4, 1;\n" STORE,
     UPDATE("atomicAdd()", "4", "7"),
     {RACE(0, 3)}},
    {"the change of the one statement that can have written the value",
     LOAD "add.u32 %r1, %r3, 1;\nand.b32 %r1, %r0, 7;\n" STORE,
     UPDATE("atomicAnd()", "4", "7"),
     {RACE(0, 3)}},
    {"two changes", LOAD ADD "and.b32 %r1, %r1, 7;\n" STORE, UPDATE("a loop of atomicCAS()", "4", "7"), {RACE(0, 3)}},
    {"two sums", LOAD ADD "add.u32 %r1, %r1, %r3;\n" STORE, UPDATE("atomicAdd()", "4", "7"), {RACE(0, 3)}},
    {"twice the value", LOAD "add.u32 %r1, %r0, %r0;\n" STORE, UPDATE("a loop of atomicCAS()", "4", "6"), {RACE(0, 2)}},
    {"a difference", LOAD "sub.u32 %r1, %r0, %r3;\n" STORE, UPDATE("atomicAdd()", "4", "6"), {RACE(0, 2)}},
    {"a difference from another value",
     LOAD "sub.u32 %r1, %r3, %r0;\n" STORE,
     UPDATE("a loop of atomicCAS()", "4", "6"),
     {RACE(0, 2)}},
    {"a product is added",
     LOAD "mad.lo.u32 %r1, %r3, %r3, %r0;\n" STORE,
     UPDATE("atomicAdd()", "4", "6"),
     {RACE(0, 2)}},
    {"a product of the value",
     LOAD "mad.lo.u32 %r1, %r0, %r3, 1;\n" STORE,
     UPDATE("a loop of atomicCAS()", "4", "6"),
     {RACE(0, 2)}},
    {"what is added depends on the value",
     LOAD "not.b32 %r4, %r0;\nadd.u32 %r1, %r0, %r4;\n" STORE,
     UPDATE("a loop of atomicCAS()", "4", "7"),
     {RACE(0, 3)}},
    {"what is added is read where the value says",
     LOAD "ld.shared.u32 %r4, [%r0];\nadd.u32 %r1, %r0, %r4;\n" STORE,
     UPDATE("a loop of atomicCAS()", "4", "7"),
     {RACE(0, 3)}},
    {"the value says whether it is changed",
     LOAD "setp.lt.u32 %p0, %r0, 7;\n@%p0 add.u32 %r0, %r0, 1;\nst.shared.u32 [%r2], %r0;\n",
     UPDATE("a loop of atomicCAS()", "4", "7"),
     {RACE(0, 3)}},
    {"the value says whether it is stored",
     LOAD "setp.lt.u32 %p0, %r0, 7;\n" ADD "@!%p0 bra E;\n" STORE "E:",
     UPDATE("a loop of atomicCAS()", "4", "8"),
     {RACE(0, 4), MEETS(4)}},
    {"the value says by a guard whether it is stored",
     LOAD "setp.lt.u32 %p0, %r0, 7;\n" ADD "@%p0 " STORE,
     UPDATE("a loop of atomicCAS()", "4", "7"),
     {RACE(0, 3), MEETS(3)}},
    {"a sum that carries",
     LOAD "add.cc.u32 %r1, %r0, 1;\n" STORE,
     UPDATE("a loop of atomicCAS()", "4", "6"),
     {RACE(0, 2)}},
    {"a sum that saturates",
     LOAD "add.sat.s32 %r1, %r0, 1;\n" STORE,
     UPDATE("a loop of atomicCAS()", "4", "6"),
     {RACE(0, 2)}},
    {"a sum of halves",
     "ld.shared.u16 %h0, [%r2];\nadd.f16 %h1, %h0, %h0;\nadd.f16 %h1, %h0, %h2;\nst.shared.u16 [%r2], %h1;\n",
     UPDATE("atomicAdd()", "4", "7"),
     {RACE(0, 3)}},
    {"a sum of short integers",
     "ld.shared.u16 %h0, [%r2];\nadd.u16 %h1, %h0, 1;\nst.shared.u16 [%r2], %h1;\n",
     UPDATE("a loop of atomicCAS()", "4", "6"),
     {RACE(0, 2)}},
    {"bits of short integers",
     "ld.shared.u16 %h0, [%r2];\nor.b16 %h1, %h0, 1;\nst.shared.u16 [%r2], %h1;\n",
     UPDATE("a loop of atomicCAS()", "4", "6"),
     {RACE(0, 2)}},
    {"a short integer in a long register",
     "ld.shared.u16 %r0, [%r2];\n" ADD "st.shared.u16 [%r2], %r1;\n",
     UPDATE("a loop of atomicCAS()", "4", "6"),
     {RACE(0, 2)}},
    {"a sum of bytes",
     "ld.shared.u8 %r0, [%r2];\n" ADD "st.shared.u8 [%r2], %r1;\n",
     UPDATE("a loop of atomicCAS() on the 32-bit word that holds the byte", "4", "6"),
     {RACE(0, 2)}},
    {"a store if a comparison with a sum says so",
     LOAD "add.u32 %r4, %r0, 1;\nsetp.lt.u32 %p0, %r1, %r4;\n@%p0 " STORE,
     UPDATE("a loop of atomicCAS()", "4", "7"),
     {RACE(0, 3), MEETS(3)}},
    {"a store if a comparison of floats says so",
     "ld.shared.f32 %f0, [%r2];\nsetp.lt.f32 %p0, %f1, %f0;\n@%p0 st.shared.f32 [%r2], %f1;\n",
     UPDATE("a loop of atomicCAS()", "4", "6"),
     {RACE(0, 2), MEETS(2)}},
    {"another place", LOAD ADD "st.shared.u32 [%r3], %r1;\n", BETWEEN("4", "6") ".", {RACE(0, 2)}},
    {"another value", LOAD "add.u32 %r1, %r3, 1;\n" STORE, BETWEEN("4", "6") ".", {RACE(0, 2)}},
    {"a value that was overwritten", LOAD "mov.u32 %r0, 1;\n" ADD STORE, BETWEEN("4", "7") ".", {RACE(0, 3)}},
    {"a value that may have been overwritten",
     LOAD "@%p0 mov.u32 %r0, 1;\n" ADD STORE,
     UPDATE("atomicAdd()", "4", "7"),
     {RACE(0, 3)}},
    {"a store of some", LOAD ADD "@%p0 bra E;\n" STORE "E:", BETWEEN("4", "7") ".", {RACE(0, 3)}},
    {"a store of some with a guard", LOAD ADD "@%p0 " STORE, BETWEEN("4", "6") ".", {RACE(0, 2)}},
    {"a store of several of them",
     LOAD ADD "@%p0 bra E;\n" STORE "E:",
     UPDATE("atomicAdd()", "4", "7"),
     {RACE(0, 3), MEETS(3)}},
    {"a store if a comparison says so",
     LOAD "setp.lt.u32 %p0, %r1, %r0;\n@%p0 " STORE,
     UPDATE("atomicMin() or atomicMax()", "4", "6"),
     {RACE(0, 2), MEETS(2)}},
    {"a store that a comparison jumps past",
     LOAD "setp.lt.u32 %p0, %r1, %r0;\n@!%p0 bra E;\n" STORE "E:",
     UPDATE("atomicMin() or atomicMax()", "4", "7"),
     {RACE(0, 3), MEETS(3)}},
    {"a comparison of another value, which the store hangs on",
     LOAD "setp.lt.u32 %p0, %r3, %r0;\n@%p0 " STORE,
     "Use atomicCAS() in place of what line 4 loads and line 6 stores, and ask what it returns: between the two another"
     " thread finds the same, and both go on.",
     {RACE(0, 2), MEETS(2)}},
    {"behind a lock", SWAP LOAD ADD STORE, BETWEEN("5", "7") ".", {RACE(1, 3)}},
    {"behind an exchange",
     "atom.shared.exch.b32 %r5, [s], 1;\nsetp.ne.u32 %p0, %r5, 0;\n" LOAD ADD STORE,
     BETWEEN("6", "8") ".",
     {RACE(2, 4)}},
    {"behind an exchange whose result nobody reads, which is no lock",
     "atom.shared.exch.b32 %r5, [s], 1;\n" LOAD ADD STORE,
     UPDATE("atomicAdd()", "5", "7"),
     {RACE(1, 3)}},
    {"behind a swap of what was loaded, which is no lock",
     "ld.shared.u32 %r6, [%r7];\natom.shared.cas.b32 %r5, [%r7], %r6, %r6;\n" LOAD ADD STORE,
     UPDATE("atomicAdd()", "6", "8"),
     {RACE(2, 4)}},
    {"one that meets an atomic",
     LOAD ADD "@%p0 bra E;\n" STORE "E: red.shared.add.u32 [%r2], 1;",
     UPDATE("atomicAdd()", "4", "7"),
     {{WS_RUN_RACE, 3, 4, true, true, 0, 40}}},
    {"a loop whose counter is the address: threads meet in different rounds",
     "mov.u32 %r2, s;\nL: add.u32 %r2, %r2, 4;\n" LOAD ADD STORE "@%p0 bra L;",
     BETWEEN("6", "8") "; in a loop, also before the next round begins.",
     {RACE(2, 4)}},
    {"a loop whose address memory says",
     "ld.shared.u32 %r2, [%r7];\nL: add.u32 %r2, %r2, 4;\n" LOAD ADD STORE "@%p0 bra L;",
     UPDATE("atomicAdd()", "6", "8"),
     {RACE(2, 4)}},
};

static const fixed copies[] = {
    {"own",
     COPY LOAD,
     "Between the copy at line 4 and the access at line 5, wait for the copy: cp.async.wait_group with a smaller "
     "count.",
     {{WS_RUN_IN_FLIGHT, 0, 1, true, false, 0, 1}}},
    {"another thread's",
     COPY LOAD,
     "Between the copy at line 4 and the access at line 5, wait for the copy in its own thread: cp.async.wait_group "
     "with a"
     " smaller count; then put __syncthreads() (bar.sync).",
     {{WS_RUN_IN_FLIGHT, 0, 1, true, false, 0, 40}}},
    {"the wait comes before the commit",
     COPY "cp.async.wait_group 0;\ncp.async.commit_group;\n" LOAD,
     "Commit the copy at line 4 (cp.async.commit_group, __pipeline_commit()) before line 5, which waits for groups that"
     " are committed, and for no other copies.",
     {{WS_RUN_IN_FLIGHT, 0, 3, true, false, 0, 1}}},
    {"the wait comes before the commit of a bulk copy",
     BULK_STORE "cp.async.bulk.wait_group.read 0;\ncp.async.bulk.commit_group;\n" STORE,
     "Commit the copy at line 4 (cp.async.bulk.commit_group) before line 5, which waits for groups that are committed,"
     " and for no other copies.",
     {{WS_RUN_READING, 0, 3, false, true, 0, 1}}},
    {"the wait is for an earlier group",
     COPY "cp.async.commit_group;\ncp.async.wait_group 1;\n" LOAD,
     "Between the copy at line 4 and the access at line 7, wait for the copy: cp.async.wait_group with a smaller "
     "count.",
     {{WS_RUN_IN_FLIGHT, 0, 3, true, false, 0, 1}}},
    {"groups beside an object",
     COPY "cp.async.commit_group;\ncp.async.mbarrier.arrive.noinc.shared.b64 [%r3];\n" LOAD,
     "Between the copy at line 4 and the access at line 7, wait for the copy: cp.async.wait_group with a smaller "
     "count.",
     {{WS_RUN_IN_FLIGHT, 0, 3, true, false, 0, 1}}},
    {"it arrives at an object",
     COPY "cp.async.mbarrier.arrive.noinc.shared.b64 [%r3];\n" LOAD,
     "Between the copy at line 4 and the access at line 6, wait for the phase of the mbarrier object in which it "
     "arrives:"
     " mbarrier.try_wait, which wait() of a cuda::barrier and consumer_wait() of a cuda::pipeline do.",
     {{WS_RUN_IN_FLIGHT, 0, 2, true, false, 0, 40}}},
    {"an object at which it does not arrive",
     COPY WAIT LOAD,
     "Between the copy at line 4 and the access at line 6, wait for an mbarrier object at which the copy arrives "
     "itself,"
     " when it has come: cp.async.mbarrier.arrive.noinc by each thread that copies, in place of its mbarrier.arrive.",
     {{WS_RUN_IN_FLIGHT, 0, 2, true, false, 0, 40}}},
    {"a global copy that reads what was stored",
     "st.global.u32 [%d0], %r1;\n" BULK,
     "Put __syncthreads() (bar.sync), after fence.proxy.async where a bulk copy reads what was stored, between line 4 "
     "and"
     " line 5.",
     {{WS_RUN_ARRAY_RACE, 0, 1, true, false, 0, 40}}},
    {"it overtakes a read",
     LOAD COPY,
     "Put __syncthreads() (bar.sync) after line 4, before the copy at line 5 begins that goes to the same bytes: other"
     " threads may still access them.",
     {{WS_RUN_IN_FLIGHT, 0, 1, false, true, 0, 40}}},
    {"one that counts at an object",
     BULK LOAD,
     "Between the copy at line 4 and the access at line 5, wait for the phase of its mbarrier object: mbarrier.try_wait"
     " with the parity of this round.",
     {{WS_RUN_IN_FLIGHT, 0, 1, true, false, 0, 40}}},
    {"one whose object was waited for",
     BULK WAIT LOAD,
     "Compare the bytes that expect_tx tells the mbarrier object with those that all copies of its phase bring, and the"
     " phase of the wait with the round: the wait between the copy at line 4 and line 6 ends before they have come.",
     {{WS_RUN_IN_FLIGHT, 0, 2, true, false, 0, 40}}},
    {"the last one",
     BULK_STORE,
     "Let the thread that issues the copy at line 4 wait for it before it exits: cp.async.bulk.commit_group, and"
     " cp.async.bulk.wait_group.read 0 after it.",
     {{WS_RUN_READING, 0, FIX_NONE, false, false, 0, 1}}},
    {"one whose source is written",
     BULK_STORE STORE,
     "Put cp.async.bulk.wait_group.read with a smaller count into the thread that committed the copy, before the write,"
     " and then a barrier.",
     {{WS_RUN_READING, 0, 1, false, true, 0, 1}}},
};

static const fixed orders[] = {
    {"two branches", BRANCHES("", ""), APART("5", "7"), {RACE(1, 3)}},
    {"two branches of lanes",
     BRANCHES("", ""),
     "No thread comes to both line 5 and line 7, and no barrier of a branch orders both: end the branch of the one, put"
     " __syncwarp() (bar.warp.sync) at a point that all lanes of the warp reach, and begin that of the other after it; "
     "or pass the"
     " value by an atomic.",
     {{WS_RUN_WARP_RACE, 1, 3, true, false, 0, 40}}},
    {"branches of a table that fall through",
     "t: .branchtargets B, C;\nbrx.idx %r3, t;\nB: " STORE "C: " LOAD,
     BETWEEN("6", "7") ".",
     {RACE(1, 2)}},
    {"two barriers that meet",
     BRANCHES("bar.sync 0;\n", "bar.sync 0;\n"),
     "After the one line threads wait next at the barrier of line 6, after the other at that of line 9: the two let "
     "each"
     " other's threads go on. Let all threads of the block execute both, in one order.",
     {RACE(1, 4)}},
    {"two of different numbers", BRANCHES("bar.sync 1;\n", "bar.sync 0;\n"), APART("5", "8"), {RACE(1, 4)}},
    {"two branches, and one barrier after both", BRANCHES("", "") " bar.sync 0;", APART("5", "7"), {RACE(1, 3)}},
    {"a barrier between",
     STORE "bar.sync 0;\n" LOAD,
     "The barrier at line 5 does not order them: let the threads of both lines wait at one and the same.",
     {RACE(0, 2)}},
    {"a barrier of the cluster that is relaxed",
     STORE "barrier.cluster.arrive.relaxed;\nbarrier.cluster.wait;\n" LOAD,
     "The barrier at line 6 does not order them: let barrier.cluster.arrive release and barrier.cluster.wait acquire,"
     " without .relaxed, or put fence.acq_rel.cluster before the one and after the other.",
     {RACE(0, 3)}},
    {"a relaxed one in a loop",
     "L: " STORE "barrier.cluster.arrive.relaxed;\nbarrier.cluster.wait;\n" LOAD "@%p0 bra L;",
     "The barrier at line 6 does not order them: let barrier.cluster.arrive release and barrier.cluster.wait acquire,"
     " without .relaxed, or put fence.acq_rel.cluster before the one and after the other.",
     {RACE(0, 3)}},
    {"a relaxed one after a fence, in a loop",
     "L: " STORE "fence.acq_rel.cluster;\nbarrier.cluster.arrive.relaxed;\nbarrier.cluster.wait;\n" LOAD "@%p0 bra L;",
     "Put __syncthreads() (bar.sync) after line 8, before the next round of the loop comes to line 4.",
     {RACE(0, 4)}},
    {"a barrier before the wait for a copy",
     COPY "cp.async.commit_group;\nbar.sync 0;\ncp.async.wait_group 0;\n" LOAD,
     "The barrier at line 6 does not order them: a thread waits for its own copies alone. Put __syncthreads() "
     "(bar.sync)"
     " between that wait and line 8.",
     {RACE(0, 4)}},
    {"a sum after a flag and a barrier, which give no turn",
     "P: ld.acquire.gpu.global.u32 %r5, [%d0];\nsetp.eq.u32 %p1, %r5, 0;\n@%p1 bra P;\nbar.sync 0;\n" LOAD ADD STORE
     "@%p2 st.release.gpu.global.u32 [%d1], %r5;\n",
     UPDATE("atomicAdd()", "8", "10"),
     {RACE(4, 6)}},
    {"a barrier that some jump past", STORE "@%p0 bra L;\nbar.sync 0;\nL: " LOAD, BETWEEN("4", "7") ".", {RACE(0, 3)}},
    {"an object between",
     STORE WAIT LOAD,
     "The mbarrier object that line 5 waits for lets threads go on before all have come: compare the count of"
     " mbarrier.init with the arrivals of one phase, and the phase of the wait with the round; who arrives has done its"
     " part before, and does not arrive with .relaxed.",
     {RACE(0, 2)}},
    {"an object between, in a loop",
     "L: " STORE WAIT LOAD "@%p0 bra L;",
     "The mbarrier object that line 5 waits for lets threads go on before all have come: compare the count of"
     " mbarrier.init with the arrivals of one phase, and the phase of the wait with the round; who arrives has done its"
     " part before, and does not arrive with .relaxed; where they are right, put a barrier of all threads before the"
     " next round begins.",
     {RACE(0, 2)}},
    {"where an object is made", "mbarrier.init.shared.b64 [%r3], 4;\n" WAIT LOAD, BETWEEN("4", "6") ".", {RACE(0, 2)}},
    {"an object after both", STORE LOAD WAIT, BETWEEN("4", "5") ".", {RACE(0, 1)}},
    {"some exit between", STORE "@%p0 exit;\n" LOAD, BETWEEN("4", "6") ".", {RACE(0, 2)}},
    {"all exit between", STORE "exit;\n" LOAD, APART("4", "6"), {RACE(0, 2)}},
    {"a lock that a store gives back",
     SWAP "st.shared.u32 [s], 0;",
     "Give the lock back by an atomic: __threadfence() and then atomicExch() (atom.exch.release).",
     {{WS_RUN_RACE, 0, 1, true, true, 0, 40}}},
    {"a store before a lock",
     "st.shared.u32 [s], 0;\n" SWAP,
     BETWEEN("4", "5") ".",
     {{WS_RUN_RACE, 0, 1, true, true, 0, 40}}},
    {"an atomic of its block and another block",
     "red.cta.global.add.u32 [%d0], 1;\nld.global.u32 %r0, [%d0];",
     "Let the accesses reach the GPU: atomicAdd() instead of atomicAdd_block(), cuda::thread_scope_device instead of"
     " thread_scope_block, .gpu instead of .cta and .cluster.",
     {{WS_RUN_ARRAY_RACE, 0, 1, true, false, 1, 1}}},
    {"atomics of their blocks in a cluster",
     "red.cta.shared.add.u32 [%r2], 1;\nred.cta.shared.add.u32 [%r2], 2;",
     "Let both atomics reach the cluster: .cluster or .gpu instead of .cta.",
     {{WS_RUN_RACE, 0, 1, true, true, 1, 1}}},
    {"one statement", STORE, "Let one thread alone execute line 4, or give each thread bytes of its own.", {MEETS(0)}},
};

static void decode_body(const fixed *one) {
    static char text[2048]; /* the module has no copy */
    snprintf(text, sizeof text, "%s%s%s", HEAD, one->body, TAIL);
    fix_decode(text);
}

static void check_cases(const fixed *cases, size_t count) {
    size_t i;
    for (i = 0; i < count; i++) {
        decode_body(&cases[i]);
        if (!CHECK_TEXT(fix_of(cases[i].rows, WS_CUDA), cases[i].fix)) fprintf(stderr, "    %s\n", cases[i].name);
    }
}

static void test_updates_that_are_lost(void) { check_cases(updates, sizeof updates / sizeof updates[0]); }
static void test_copies_under_way(void) { check_cases(copies, sizeof copies / sizeof copies[0]); }
static void test_accesses_that_nothing_orders(void) { check_cases(orders, sizeof orders / sizeof orders[0]); }

/* What a search comes to when it may look at enough statements, and the rule's own sentence with one less. */
static void check_bounded(const fixed *one) {
    const ws_teller teller = ws_teller_make(&fix_module, &fix_program, WS_CUDA);
    const ws_found row = row_of(&one->rows[0]);
    const char *general = ws_fix_of_rule(&teller, &row);
    uint64_t less = 0, enough = 100000;
    ws_effort effort;
    decode_body(one);
    fix_module.effort = &effort;
    while (enough - less > 1) {
        const uint64_t middle = effort.left = (less + enough) / 2;
        if (strcmp(fix_of(one->rows, WS_CUDA), general) == 0) less = middle;
        else enough = middle;
    }
    effort.left = enough;
    CHECK_TEXT(fix_of(one->rows, WS_CUDA), one->fix);
    for (effort.left = 1; less > 1 && effort.left < less; effort.left = 1 + less / 2) {
        CHECK_TEXT(fix_of(one->rows, WS_CUDA), general);
        less /= 2;
    }
    fix_module.effort = NULL;
}

static void test_a_search_that_takes_too_long_gives_the_sentence_of_the_rule(void) {
    size_t i;
    for (i = 0; i < sizeof updates / sizeof updates[0]; i++) check_bounded(&updates[i]);
    for (i = 0; i < sizeof orders / sizeof orders[0]; i++) check_bounded(&orders[i]);
}

static void test_words_are_those_of_the_language(void) {
    const fix_given update[FIX_MOST] = {RACE(0, 2)},
                    outside[FIX_MOST] = {{WS_RUN_BOUNDS, 0, FIX_NONE, false, false, 0, 1}},
                    guess[FIX_MOST] = {{WS_RUN_PRODUCT_TILE, 0, FIX_NONE, false, false, 0, 1}};
    fix_decode(HEAD LOAD ADD STORE TAIL);
    CHECK_HAS(fix_of(update, WS_TRITON), "Use tl.atomic_add in place");
    CHECK_HAS(fix_of(update, WS_GLUON), "Use gl.atomic_add in place");
    CHECK_HAS(fix_of(update, WS_NUMBA), "Use cuda.atomic.add in place");
    CHECK_HAS(fix_of(outside, WS_TRITON), "such as mask=offsets < n");
    CHECK_HAS(fix_of(outside, WS_GLUON), "such as mask=offsets < n"); /* Triton's, where it has none of its own */
    CHECK(strstr(fix_of(outside, WS_NUMBA), "mask=") == NULL);
    CHECK_HAS(fix_of(guess, WS_GLUON), "warpgroup_mma_wait");
    CHECK(strstr(fix_of(guess, WS_TRITON), "warpgroup_mma_wait") == NULL);
}

#define FILES(name) ".file 1 \"" name "\"\n.file 2 \"/home/a/tile.h\"\n.file 3 \"/usr/include/x.h\"\n"

static ws_language language_of(const char *text) {
    fix_decode(text);
    return ws_language_of(&fix_module);
}

static void test_the_text_tells_its_language(void) {
    CHECK_EQUAL(language_of(HEAD STORE TAIL FILES("gemm.cu")), WS_CUDA);
    CHECK_EQUAL(language_of(HEAD STORE TAIL FILES("gemm.py")), WS_NUMBA);
    CHECK_EQUAL(language_of("// Generated by LLVM NVPTX\n" HEAD STORE TAIL FILES("gemm.py")), WS_TRITON);
    CHECK_EQUAL(language_of("// Generated by LLVM NVPTX\n" HEAD STORE TAIL FILES("gemm.cu")), WS_CUDA);
    CHECK_EQUAL(language_of(HEAD STORE TAIL FILES("py")), WS_CUDA);
}

/* What a remedy calls the line of the first statement, and of the second, after these .loc. */
static void check_lines(const char *first, const char *second, const char *before, const char *after) {
    const fix_given rows[FIX_MOST] = {RACE(0, 1)};
    char text[2048], wanted[256];
    snprintf(text, sizeof text, "%s\n%s%s%s%s%s%s", HEAD, first, STORE, second, LOAD, TAIL, FILES("/home/a/gemm.cu"));
    fix_decode(text);
    snprintf(wanted, sizeof wanted, "between line %s and line %s", before, after);
    if (!CHECK(strstr(fix_of(rows, WS_CUDA), wanted) != NULL))
        fprintf(stderr, "    %s\n    %s\n", fix_of(rows, WS_CUDA), wanted);
}

static void test_lines_have_their_places_in_the_source(void) {
    check_lines("", "", "5", "6");
    check_lines(".loc 1 31 1\n", "", "6 (gemm.cu:31)", "7 (gemm.cu:31)");
    check_lines(".loc 1 31 1\n", ".loc 2 7 1\n", "6 (gemm.cu:31)", "8 (tile.h:7)");
    check_lines(".loc 1 31 1\n.loc 2 7 1, function_name F, inlined_at 1 31 1\n",
                ".loc 2 9 1, function_name F, inlined_at 1 31 1\n", "7 (tile.h:7)", "9 (tile.h:9)");
    check_lines(".loc 1 31 1\n.loc 2 7 1, function_name F, inlined_at 1 31 1\n", ".loc 1 40 1\n", "7 (gemm.cu:31)",
                "9 (gemm.cu:40)");
    check_lines(".loc 1 31 1\n.loc 2 7 1, function_name F, inlined_at 1 31 1\n", /* two calls of it */
                ".loc 1 40 1\n.loc 2 9 1, function_name F, inlined_at 1 40 1\n", "7 (gemm.cu:31)", "10 (gemm.cu:40)");
    check_lines(".loc 1 31 1\n.loc 3 7 1, function_name F, inlined_at 1 31 1\n", /* none of the user's own */
                ".loc 3 9 1, function_name F, inlined_at 1 31 1\n", "7 (gemm.cu:31)", "9 (gemm.cu:31)");
    check_lines(".loc 3 7 1\n.loc 2 7 1, function_name F, inlined_at 3 7 1\n", "", "7 (tile.h:7)", "8 (tile.h:7)");
    check_lines(".loc 3 7 1\n.loc 2 7 1, function_name F, inlined_at 3 7 1\n",
                ".loc 3 8 1\n.loc 2 9 1, function_name F, inlined_at 3 8 1\n", "7 (tile.h:7)", "10 (tile.h:9)");
    check_lines(".loc 1 31 1\n", ".loc 1 0 1\n", "6 (gemm.cu:31)", "8 (gemm.cu:31)");
}

static void test_effort_is_taken_until_it_is_spent(void) {
    ws_effort effort = {5};
    CHECK(ws_effort_take(&effort, 3) && effort.left == 2 && !ws_effort_is_spent(&effort));
    CHECK(!ws_effort_take(&effort, 3) && ws_effort_is_spent(&effort));
    CHECK(!ws_effort_take(&effort, 1) && ws_effort_take(NULL, 3));
}

CHECK_MAIN(test_effort_is_taken_until_it_is_spent, test_updates_that_are_lost, test_copies_under_way,
           test_accesses_that_nothing_orders, test_a_search_that_takes_too_long_gives_the_sentence_of_the_rule,
           test_words_are_those_of_the_language, test_the_text_tells_its_language,
           test_lines_have_their_places_in_the_source)
