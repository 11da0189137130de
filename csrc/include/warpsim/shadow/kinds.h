/* What the check wants to know of each step, from what the decoder tells of it. */
#ifndef WARPSIM_SHADOW_KINDS_H
#define WARPSIM_SHADOW_KINDS_H

#include "../meaning/meanings.h"
#include "../watch/kinds.h"

#if WS_BODIES

typedef enum ws_checked_kind {
    WS_CHECKED_NONE = 0,
    WS_CHECKED_ACCESS, /* ld, st, atom, red */
    WS_CHECKED_COPY,   /* cp.async */
    WS_CHECKED_MATRIX,
    WS_CHECKED_BARRIER, /* bar and barrier that wait */
    WS_CHECKED_ARRIVE,
    WS_CHECKED_CLUSTER_ARRIVE,
    WS_CHECKED_CLUSTER_WAIT,
    WS_CHECKED_MEMBERS, /* shfl, vote, match, redux, elect, bar.warp.sync */
    WS_CHECKED_FENCE,
    WS_CHECKED_OBJECT, /* mbarrier */
    WS_CHECKED_ASYNC,  /* st.async, red.async: is_atomic */
    WS_CHECKED_LAND,   /* what waits for copies */
    WS_CHECKED_DIVIDE,
    WS_CHECKED_BULK,      /* cp.async.bulk and its kin */
    WS_CHECKED_BULK_WAIT, /* for their groups */
    WS_CHECKED_PROXY,     /* fence.proxy.async */
    WS_CHECKED_CALL,
    WS_CHECKED_PASS, /* what a call passes */
    WS_CHECKED_DISCARD,
    WS_CHECKED_EXIT,
    WS_CHECKED_FENCE_INIT, /* fence.mbarrier_init */
    WS_CHECKED_PRODUCT,    /* wgmma; from here on: nothing to do without such products */
    WS_CHECKED_PRODUCT_FENCE,
    WS_CHECKED_PRODUCT_COMMIT,
    WS_CHECKED_PRODUCT_WAIT
} ws_checked_kind;

typedef struct ws_checked {
    uint8_t kind;    /* ws_checked_kind */
    uint8_t event;   /* ws_event */
    uint8_t use;     /* ws_use_kind */
    bool is_begin;   /* the first step of its statement that has all operands */
    uint8_t nbytes;  /* of a lane's access */
    uint8_t members; /* the source with the member masks */
    bool is_write, is_atomic, is_volatile, takes;
    bool reads;                /* what it writes depends on what was there, or it gives it */
    uint8_t scope;             /* ws_scope, of strong accesses and fences */
    bool observes;             /* a strong read */
    bool is_consistent;        /* a sequentially consistent fence */
    bool releases, acquires;   /* by itself; else fences do; of a fence: its sides */
    bool is_aligned, meets;    /* all threads of the warp must execute it; it orders memory: bar.warp.sync */
    bool is_init, is_wait;     /* of an mbarrier object */
    bool is_quiet;             /* a plain load, or nothing that memory or its order depends on */
    bool is_whole;             /* a copy of 16 bytes */
    bool is_noncoherent;       /* ld.global.nc */
    bool always;               /* it is looked at even while no register has marks */
    bool signals;              /* it may tell other clusters something: clock/pause.h */
    bool is_passed;            /* it hands arguments or results of a call from frame to frame */
    uint32_t again;            /* a load from shared memory: its number among them, else WS_NO_INDEX */
    uint32_t callee, variable; /* whose step it is; what its address names, or WS_NO_INDEX */
    uint32_t product;          /* of ldmatrix: the step that takes its registers as A, or WS_NO_INDEX; */
    uint8_t places;            /* and in which places: two bits for each */
    uint32_t ignored;          /* bytes of a load that the compiler says nobody uses */
    uint32_t pointer;          /* the parameter of the kernel that its address comes from, or WS_NO_INDEX */
} ws_checked;

static inline ws_checked_kind ws_checked_kind_of(int event) {
    switch (event) {
        case WS_EVENT_LOAD:
        case WS_EVENT_STORE:
        case WS_EVENT_ATOMIC:
        case WS_EVENT_EXCHANGE:
        case WS_EVENT_SWAP: return WS_CHECKED_ACCESS;
        case WS_EVENT_COPY: return WS_CHECKED_COPY;
        case WS_EVENT_MATRIX: return WS_CHECKED_MATRIX;
        case WS_EVENT_BARRIER: return WS_CHECKED_BARRIER;
        case WS_EVENT_BARRIER_ARRIVE: return WS_CHECKED_ARRIVE;
        case WS_EVENT_CLUSTER_ARRIVE: return WS_CHECKED_CLUSTER_ARRIVE;
        case WS_EVENT_CLUSTER_WAIT: return WS_CHECKED_CLUSTER_WAIT;
        case WS_EVENT_WARP_BARRIER:
        case WS_EVENT_MEMBERS_S0:
        case WS_EVENT_MEMBERS_S1:
        case WS_EVENT_MEMBERS_S3: return WS_CHECKED_MEMBERS;
        case WS_EVENT_FENCE: return WS_CHECKED_FENCE;
        case WS_EVENT_FENCE_INIT: return WS_CHECKED_FENCE_INIT;
        case WS_EVENT_FENCE_PROXY: return WS_CHECKED_PROXY;
        case WS_EVENT_OBJECT_INIT:
        case WS_EVENT_OBJECT_END:
        case WS_EVENT_OBJECT_ARRIVE:
        case WS_EVENT_OBJECT_COPIES:
        case WS_EVENT_OBJECT_TEST:
        case WS_EVENT_OBJECT_TEST_PARITY: return WS_CHECKED_OBJECT;
        case WS_EVENT_ASYNC_STORE:
        case WS_EVENT_ASYNC_REDUCE:
        case WS_EVENT_ASYNC_CANCEL: return WS_CHECKED_ASYNC;
        case WS_EVENT_COPY_WAIT:
        case WS_EVENT_COPY_WAIT_ALL: return WS_CHECKED_LAND;
        case WS_EVENT_DIVIDE: return WS_CHECKED_DIVIDE;
        case WS_EVENT_BULK: return WS_CHECKED_BULK;
        case WS_EVENT_BULK_WAIT: return WS_CHECKED_BULK_WAIT;
        case WS_EVENT_PASS: return WS_CHECKED_PASS;
        case WS_EVENT_DISCARD: return WS_CHECKED_DISCARD;
        case WS_EVENT_CALL:
        case WS_EVENT_CALL_INDIRECT: return WS_CHECKED_CALL;
        case WS_EVENT_RETURN:
        case WS_EVENT_EXIT: return WS_CHECKED_EXIT;
        case WS_EVENT_PRODUCT: return WS_CHECKED_PRODUCT;
        case WS_EVENT_PRODUCT_FENCE: return WS_CHECKED_PRODUCT_FENCE;
        case WS_EVENT_PRODUCT_COMMIT: return WS_CHECKED_PRODUCT_COMMIT;
        case WS_EVENT_PRODUCT_WAIT: return WS_CHECKED_PRODUCT_WAIT;
        case WS_EVENT_COPY_COMMIT:
        case WS_EVENT_BULK_COMMIT: return WS_CHECKED_NONE; /* it orders nothing; remedies look for it */
        default: return WS_CHECKED_NONE;
    }
}

static inline void ws_checked_object(ws_checked *checked) {
    const bool ends = checked->event == WS_EVENT_OBJECT_END;
    checked->is_init = ends || checked->event == WS_EVENT_OBJECT_INIT;
    checked->is_wait = checked->event == WS_EVENT_OBJECT_TEST || checked->event == WS_EVENT_OBJECT_TEST_PARITY;
    checked->meets = checked->event == WS_EVENT_OBJECT_COPIES;
    checked->is_write = !checked->is_wait;
    checked->is_atomic = ends || !checked->is_init;
    checked->nbytes = 8;
}

static inline ws_checked ws_checked_of(const ws_step *step, const ws_meant *meant) {
    const ws_said *said = &meant->said;
    const bool is_load = meant->event == WS_EVENT_LOAD, is_atomic = ws_event_is_atomic(meant->event),
               is_barrier = meant->event == WS_EVENT_BARRIER || meant->event == WS_EVENT_BARRIER_ARRIVE,
               is_meeting = meant->event == WS_EVENT_CLUSTER_ARRIVE || meant->event == WS_EVENT_CLUSTER_WAIT;
    const uint32_t elements = step->count != 0 ? step->count : 1;
    ws_checked checked;
    checked.is_begin = checked.always = checked.signals = checked.takes = checked.is_init = checked.is_wait = false;
    checked.callee = checked.ignored = 0;
    checked.kind = (uint8_t)ws_checked_kind_of(meant->event);
    checked.event = meant->event;
    checked.use = said->use;
    checked.members = meant->members;
    checked.again = checked.variable = checked.pointer = checked.product = WS_NO_INDEX;
    checked.places = 0;
    checked.nbytes = (uint8_t)((uint32_t)ws_type_bits(step->type) / 8 * elements);
    checked.is_write = meant->event == WS_EVENT_STORE || is_atomic;
    checked.reads = is_load || (is_atomic && meant->event != WS_EVENT_EXCHANGE);
    checked.is_volatile = said->is_volatile;
    checked.is_atomic = is_atomic || said->is_strong;
    checked.observes = checked.is_atomic && meant->event != WS_EVENT_STORE;
    checked.releases = said->releases;
    checked.acquires = said->acquires;
    checked.scope =
        checked.kind == WS_CHECKED_FENCE || checked.kind == WS_CHECKED_ACCESS ? said->scope : (uint8_t)WS_SCOPE_GPU;
    checked.is_consistent = checked.kind == WS_CHECKED_FENCE && said->is_consistent;
    checked.is_aligned = (is_barrier || is_meeting) && said->is_aligned;
    checked.meets = meant->event == WS_EVENT_WARP_BARRIER;
    checked.is_quiet = meant->event == WS_EVENT_DIVIDE || (is_load && !checked.is_atomic);
    checked.is_noncoherent = is_load && said->is_noncoherent;
    checked.is_passed = said->is_passed;
    checked.is_whole = checked.kind == WS_CHECKED_COPY && said->bypasses_l1;
    if (checked.kind == WS_CHECKED_OBJECT) ws_checked_object(&checked);
    if (checked.kind == WS_CHECKED_ASYNC) {
        checked.is_write = true;
        checked.is_atomic = checked.reads = meant->event == WS_EVENT_ASYNC_REDUCE;
        checked.releases = checked.acquires = false;
    }
    if (is_meeting || checked.kind == WS_CHECKED_OBJECT) checked.releases = !said->is_relaxed;
    return checked;
}

#endif /* WS_BODIES */
#endif
