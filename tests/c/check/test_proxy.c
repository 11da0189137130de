/* Fences between ordinary accesses and the copies of the async proxy: what reads always needs them, what writes and
 * completes where the launch is strict. */
#include "found.h"

/* Thread 0 makes an object and issues copies that complete on it; all wait. %r2: a word that the copies write. */
#define MAKE                                                                                                           \
    "setp.lt.u32 %p4, %r0, 16; and.b32 %r2, %r0, 15; mov.u32 %r6, s; mad.lo.u32 %r2, %r2, 4, %r6; @%p2 "               \
    "mbarrier.init.shared.b64 [s+256], 1;"
#define MADE "@%p2 fence.mbarrier_init.release.cluster;"
#define PROXY "fence.proxy.async.shared::cta;"
#define COPY                                                                                                           \
    "@%p2 mbarrier.arrive.expect_tx.shared.b64 _, [s+256], 64;"                                                        \
    "@%p2 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%d0], 64, [s+256];"
#define WAIT(number, parity)                                                                                           \
    "W" number ": mbarrier.try_wait.parity.shared.b64 %p4, [s+256], " parity "; @!%p4 bra W" number ";"
#define READ "ld.shared.u32 %r3, [%r2]; add.u32 %r1, %r1, %r3;"
#define FIRST MAKE MADE "bar.sync 0;" COPY WAIT("0", "0") READ
#define AGAIN COPY WAIT("1", "1") READ
/* Thread 40 alone */
#define FORTY "setp.eq.u32 %p5, %r0, 40; @%p5 "
#define SEND                                                                                                           \
    "@%p2 cp.async.bulk.global.shared::cta.bulk_group [%d0], [s], 64; @%p2 cp.async.bulk.commit_group;"                \
    "@%p2 cp.async.bulk.wait_group 0; bar.sync 0;"
#define STORE MAKE "@%p4 st.shared.u32 [%r2], 5;"

static const checked_row proxy_rows[] = {
    {"no fence, and the launch is not strict", FIRST "bar.sync 0;" AGAIN, 64, 1, ""},
    {"and the launch is not strict", MAKE "bar.sync 0;" COPY WAIT("0", "0") READ, 64, 1, ""},
    /* what a copy reads */
    {"a copy that reads", STORE PROXY "bar.sync 0;" SEND, 16, 1, ""},
    {"a copy that reads, without a fence", STORE "bar.sync 0;" SEND, 16, 1, "39:16"},
    {"another thread fences between two barriers", STORE "bar.sync 0;" FORTY PROXY "bar.sync 0;" SEND, 64, 1, ""},
    {"another thread fences, and nothing orders it before the copy", STORE "bar.sync 0;" FORTY PROXY SEND, 64, 1,
     "39:16"},
};

static const checked_row strict_rows[] = {
    /* a copy onto what was read */
    {"no fence", FIRST "bar.sync 0;" AGAIN, 64, 1, "53:16"},
    {"the readers fence", FIRST PROXY "bar.sync 0;" AGAIN, 64, 1, ""},
    {"the readers have fenced before they read",
     MAKE MADE "bar.sync 0;" COPY WAIT("0", "0") PROXY READ "bar.sync 0;" AGAIN, 64, 1, "53:16"},
    {"the thread that issues the copy fences", FIRST "bar.sync 0; @%p2 " PROXY AGAIN, 64, 1, ""},
    {"it fences before the barrier", FIRST "@%p2 " PROXY "bar.sync 0;" AGAIN, 64, 1, "53:16"},
    {"another thread fences between two barriers", FIRST "bar.sync 0;" FORTY PROXY "bar.sync 0;" AGAIN, 64, 1, ""},
    {"another thread fences, and nothing orders it before the copy", FIRST "bar.sync 0;" FORTY PROXY AGAIN, 64, 1,
     "53:16"},
    {"another thread fences before the barrier", FIRST FORTY PROXY "bar.sync 0;" AGAIN, 64, 1, "53:16"},
    {"nothing orders the reads of other threads: they race", FIRST AGAIN, 32, 1, "17:31 53:1"},
    /* onto what was stored */
    {"stores", MAKE MADE "st.shared.u32 [%r2], 5; bar.sync 0;" COPY WAIT("0", "0") READ, 16, 1, "53:16"},
    {"stores, fenced", MAKE MADE "st.shared.u32 [%r2], 5;" PROXY "bar.sync 0;" COPY WAIT("0", "0") READ, 16, 1, ""},
    {"a copy onto a copy's bytes that nobody read", MAKE MADE "bar.sync 0;" COPY WAIT("0", "0") "bar.sync 0;" AGAIN, 64,
     1, ""},
    /* objects */
    {"an object without a fence", MAKE "bar.sync 0;" COPY WAIT("0", "0") READ, 64, 1, "54:1"},
    {"fence.mbarrier_init before the init",
     "@%p2 fence.mbarrier_init.release.cluster;" MAKE "bar.sync 0;" COPY WAIT("0", "0"), 64, 1, "54:1"},
    {"by another thread", MAKE FORTY "fence.mbarrier_init.release.cluster; bar.sync 0;" COPY WAIT("0", "0"), 64, 1,
     "54:1"},
    {"the fence of the proxy", MAKE "@%p2 " PROXY "bar.sync 0;" COPY WAIT("0", "0"), 64, 1, ""},
    {"the fence of the proxy after the barrier", MAKE "bar.sync 0; @%p2 " PROXY COPY WAIT("0", "0"), 64, 1, ""},
};

/* The first block fences at a late time, and the second one, whose times begin anew, does not. */
static const checked_row late_rows[] = {
    {"a fence of another block",
     FIRST "mov.u32 %r7, %ctaid.x; setp.eq.u32 %p5, %r7, 0; @%p5 " PROXY "bar.sync 0;" AGAIN, 64, 2,
     "19:32 23:64 53:16"},
};

static void test_proxies(void) {
    check_findings(proxy_rows, sizeof proxy_rows / sizeof proxy_rows[0]);
    strict = true;
    check_findings(strict_rows, sizeof strict_rows / sizeof strict_rows[0]);
    check_findings(late_rows, 1);
    begins = WS_TIME_MOST;
    check_findings(late_rows, 1);
}

CHECK_MAIN(test_proxies)
