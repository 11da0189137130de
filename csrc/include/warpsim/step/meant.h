/* What each step is to those who observe a kernel: an event with a name, and what its statement says of order. The decoder
 * tells it once (ws_kernel.meant); whoever observes asks this, never what a step runs or how its opcode is written. */
#ifndef WARPSIM_STEP_MEANT_H
#define WARPSIM_STEP_MEANT_H

#include "../lanes/step.h"

typedef enum ws_event {
    WS_EVENT_NONE = 0, /* nothing but registers */
    WS_EVENT_DIVIDE,   /* of integers */
    WS_EVENT_LOAD,
    WS_EVENT_STORE,
    WS_EVENT_ATOMIC,    /* atom, red */
    WS_EVENT_EXCHANGE,  /* atom.exch: what it writes does not depend on what was there */
    WS_EVENT_SWAP,      /* atom.cas */
    WS_EVENT_COPY,      /* cp.async */
    WS_EVENT_COPY_WAIT, /* for its groups, but the latest `immediate` */
    WS_EVENT_COPY_WAIT_ALL,
    WS_EVENT_MATRIX,  /* ldmatrix, stmatrix, wmma.load, wmma.store */
    WS_EVENT_BARRIER, /* bar and barrier that wait */
    WS_EVENT_BARRIER_ARRIVE,
    WS_EVENT_CLUSTER_ARRIVE, /* barrier.cluster */
    WS_EVENT_CLUSTER_WAIT,
    WS_EVENT_WARP_BARRIER, /* bar.warp.sync */
    WS_EVENT_MEMBERS_S0,   /* elect, vote, match, redux, shfl: lanes of a member mask exchange values; */
    WS_EVENT_MEMBERS_S1,   /* the mask is in that source */
    WS_EVENT_MEMBERS_S3,
    WS_EVENT_FENCE,
    WS_EVENT_FENCE_INIT,  /* fence.mbarrier_init */
    WS_EVENT_FENCE_PROXY, /* fence.proxy.async */
    WS_EVENT_OBJECT_INIT, /* mbarrier */
    WS_EVENT_OBJECT_END,
    WS_EVENT_OBJECT_ARRIVE, /* and what changes the counts of bytes */
    WS_EVENT_OBJECT_COPIES, /* the copies of the thread arrive */
    WS_EVENT_OBJECT_TEST,   /* by a state */
    WS_EVENT_OBJECT_TEST_PARITY,
    WS_EVENT_ASYNC_STORE, /* st.async, red.async, try_cancel: they write when an mbarrier object hears of it */
    WS_EVENT_ASYNC_REDUCE,
    WS_EVENT_ASYNC_CANCEL,
    WS_EVENT_BULK, /* cp.async.bulk and its kin */
    WS_EVENT_BULK_WAIT,
    WS_EVENT_PRODUCT, /* wgmma.mma_async */
    WS_EVENT_PRODUCT_FENCE,
    WS_EVENT_PRODUCT_COMMIT,
    WS_EVENT_PRODUCT_WAIT,
    WS_EVENT_BRANCH,
    WS_EVENT_CALL,
    WS_EVENT_CALL_INDIRECT,
    WS_EVENT_RETURN,
    WS_EVENT_EXIT
} ws_event;

/* The source that holds a member mask. */
enum { WS_MEMBERS_S0 = 0, WS_MEMBERS_S1 = 1, WS_MEMBERS_S3 = 3, WS_MEMBERS_NONE = WS_STEP_SOURCES };

/* What a statement does with the values that it reads. */
typedef enum ws_use_kind {
    WS_USE_CARRIES = 0, /* what it writes depends on them, lane by lane */
    WS_USE_ALL,         /* it uses all of them: stores, branches */
    WS_USE_ATOMIC,      /* likewise, and writes a register */
    WS_USE_LOAD,        /* it writes what memory holds */
    WS_USE_SELECT,      /* selp */
    WS_USE_WARP,        /* what each lane gets depends on those of all lanes */
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
} ws_said;

typedef struct ws_meant {
    uint16_t meaning; /* WS_DO_... */
    uint8_t event;    /* ws_event */
    uint8_t members;  /* the source with the member mask, or WS_MEMBERS_NONE */
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
