/* What each step is to those who observe a kernel: an event with a name, and what its statement says of order. The decoder
 * tells it once (ws_kernel.meant); whoever observes asks this, never what a step runs or how its opcode is written. */
#ifndef WARPSIM_STEP_MEANT_H
#define WARPSIM_STEP_MEANT_H

#include "../lanes/step.h"

/* What a step is: X(name, word). */
/* clang-format off */
#define WS_EVENTS(X)                                                                                                   \
    X(NONE, "none") /* nothing but registers */                                                                        \
    X(DIVIDE, "divide") /* of integers */                                                                              \
    X(LOAD, "load")                                                                                                    \
    X(STORE, "store")                                                                                                  \
    X(ATOMIC, "atomic") /* atom, red */                                                                                \
    X(EXCHANGE, "exchange") /* atom.exch: what it writes does not depend on what was there */                          \
    X(SWAP, "swap") /* atom.cas */                                                                                     \
    X(COPY, "copy") /* cp.async */                                                                                     \
    X(COPY_COMMIT, "copy_commit")                                                                                      \
    X(COPY_WAIT, "copy_wait") /* for its groups, but the latest `immediate` */                                         \
    X(COPY_WAIT_ALL, "copy_wait_all")                                                                                  \
    X(MATRIX, "matrix") /* ldmatrix, stmatrix, wmma.load, wmma.store */                                                \
    X(BARRIER, "barrier") /* bar and barrier that wait */                                                              \
    X(BARRIER_ARRIVE, "barrier_arrive")                                                                                \
    X(CLUSTER_ARRIVE, "cluster_arrive") /* barrier.cluster */                                                          \
    X(CLUSTER_WAIT, "cluster_wait")                                                                                    \
    X(WARP_BARRIER, "warp_barrier") /* bar.warp.sync */                                                                \
    X(MEMBERS_S0, "members") /* elect, vote, match, redux, shfl: lanes of a member mask exchange values; */            \
    X(MEMBERS_S1, "members") /* the mask is in that source */                                                          \
    X(MEMBERS_S3, "members")                                                                                           \
    X(FENCE, "fence")                                                                                                  \
    X(FENCE_INIT, "fence_init") /* fence.mbarrier_init */                                                              \
    X(FENCE_PROXY, "fence_proxy") /* fence.proxy.async */                                                              \
    X(OBJECT_INIT, "object_init") /* mbarrier */                                                                       \
    X(OBJECT_END, "object_end")                                                                                        \
    X(OBJECT_ARRIVE, "object_arrive") /* and what changes the counts of bytes */                                       \
    X(OBJECT_COPIES, "object_copies") /* the copies of the thread arrive */                                            \
    X(OBJECT_TEST, "object_test") /* by a state */                                                                     \
    X(OBJECT_TEST_PARITY, "object_test_parity")                                                                        \
    X(ASYNC_STORE, "async_store") /* st.async, red.async, try_cancel: they write when an mbarrier object hears of it */\
    X(ASYNC_REDUCE, "async_reduce")                                                                                    \
    X(ASYNC_CANCEL, "async_cancel")                                                                                    \
    X(BULK, "bulk") /* cp.async.bulk and its kin */                                                                    \
    X(BULK_COMMIT, "bulk_commit")                                                                                      \
    X(BULK_WAIT, "bulk_wait")                                                                                          \
    X(PRODUCT, "product") /* wgmma.mma_async */                                                                        \
    X(PRODUCT_FENCE, "product_fence")                                                                                  \
    X(PRODUCT_COMMIT, "product_commit")                                                                                \
    X(PRODUCT_WAIT, "product_wait")                                                                                    \
    X(BRANCH, "branch")                                                                                                \
    X(DISCARD, "discard")                                                                                              \
    X(PASS, "pass") /* a parameter or a result of a call, copied */                                                    \
    X(CALL, "call")                                                                                                    \
    X(CALL_INDIRECT, "call_indirect")                                                                                  \
    X(RETURN, "return")                                                                                                \
    X(EXIT, "exit")
/* clang-format on */

#define WS_EVENT_(name, word) WS_EVENT_##name,
typedef enum ws_event { WS_EVENTS(WS_EVENT_) WS_EVENT_COUNT } ws_event;
#undef WS_EVENT_

static inline const char *ws_event_word(int event) {
#define WS_WORD(name, word) word,
    static const char *const words[] = {WS_EVENTS(WS_WORD)};
#undef WS_WORD
    return words[event];
}

/* The source that holds a member mask. */
enum { WS_MEMBERS_S0 = 0, WS_MEMBERS_S1 = 1, WS_MEMBERS_S3 = 3, WS_MEMBERS_NONE = WS_STEP_SOURCES };

/* What a statement does with the values that it reads. */
typedef enum ws_use_kind {
    WS_USE_CARRIES = 0, /* what it writes depends on them, lane by lane */
    WS_USE_ALL,         /* it uses all of them: branches, copies */
    WS_USE_STORE,       /* addresses alone: what it stores it uses in global memory, and carries on elsewhere */
    WS_USE_ATOMIC,      /* likewise, and writes a register */
    WS_USE_LOAD,        /* it writes what memory holds */
    WS_USE_SELECT,      /* selp */
    WS_USE_WARP,        /* what each lane gets depends on those of all lanes */
    WS_USE_PRODUCT,     /* mma: likewise, by rows and columns */
    WS_USE_SHUFFLE      /* and from here on: + ws_shfl_mode */
} ws_use_kind;

/* Whom an operation may synchronise with. One GPU is simulated: the scope of the system is that of the GPU. */
typedef enum ws_scope { WS_SCOPE_CTA, WS_SCOPE_CLUSTER, WS_SCOPE_GPU } ws_scope;

/* What the words of an opcode say. */
typedef struct ws_said {
    uint8_t use;             /* ws_use_kind */
    uint8_t scope;           /* ws_scope; without one, that of the GPU */
    bool is_volatile;        /* .volatile */
    bool is_strong;          /* .volatile, .relaxed, .acquire or .release, where ld and st would be weak without */
    bool is_relaxed;         /* .relaxed */
    bool releases, acquires; /* by itself; of a fence: its sides */
    bool is_consistent;      /* a fence that is sequentially consistent */
    bool is_aligned;         /* .aligned; bar always: all threads of the warp must execute it together */
    bool is_noncoherent;     /* .nc */
    bool bypasses_l1;        /* .cg of a copy */
    bool is_passed;          /* call, ret: it hands arguments or results from frame to frame */
    bool stores;             /* it may change memory, though it is no store or atomic of its own lanes */
    bool rounds;             /* it names a rounding: .rn .rz .rm .rp */
    bool of_sources;         /* it waits for what bulk copies read, not for what they write: .read */
} ws_said;

typedef struct ws_meant {
    uint16_t meaning; /* WS_DO_... */
    uint8_t event;    /* ws_event */
    uint8_t members;  /* the source with the member mask, or WS_MEMBERS_NONE */
    bool prepares;    /* an operand for a later step of its statement: a clock, an address */
    bool is_guess;    /* a plain load whose value a compare-and-swap of the same place checks */
    ws_said said;
} ws_meant;

static inline int ws_event_members(int event) {
    if (event == WS_EVENT_MEMBERS_S0 || event == WS_EVENT_WARP_BARRIER) return WS_MEMBERS_S0;
    if (event == WS_EVENT_MEMBERS_S1) return WS_MEMBERS_S1;
    return event == WS_EVENT_MEMBERS_S3 ? WS_MEMBERS_S3 : WS_MEMBERS_NONE;
}

static inline bool ws_event_is_atomic(int event) {
    return event == WS_EVENT_ATOMIC || event == WS_EVENT_EXCHANGE || event == WS_EVENT_SWAP;
}

#endif
