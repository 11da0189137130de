/* What the check wants to know of each step: told by what it runs and, for orders, by the words of its opcode. */
#ifndef WARPSIM_CHECK_KINDS_H
#define WARPSIM_CHECK_KINDS_H

#include "../meaning/meanings.h"
#include "../module/scope.h"
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
    WS_CHECKED_EXIT,
    WS_CHECKED_FENCE_INIT, /* fence.mbarrier_init */
    WS_CHECKED_PRODUCT,    /* wgmma; from here on: nothing to do without such products */
    WS_CHECKED_PRODUCT_FENCE,
    WS_CHECKED_PRODUCT_COMMIT,
    WS_CHECKED_PRODUCT_WAIT
} ws_checked_kind;

/* What a statement does with values that it reads. */
typedef enum ws_use_kind {
    WS_USE_CARRIES = 0, /* what it writes depends on them, lane by lane */
    WS_USE_ALL,         /* it uses all of them: stores, branches */
    WS_USE_ATOMIC,      /* likewise, and writes a register */
    WS_USE_LOAD,        /* it writes what memory holds */
    WS_USE_SELECT,      /* selp */
    WS_USE_WARP,        /* what each lane gets depends on those of all lanes */
    WS_USE_SHUFFLE      /* and from here on: + ws_shfl_mode */
} ws_use_kind;

typedef struct ws_checked {
    uint8_t kind;   /* ws_checked_kind */
    uint8_t use;    /* ws_use_kind */
    bool is_begin;  /* the first step of its statement that has all operands */
    uint8_t nbytes; /* of a lane's access */
    uint8_t at;     /* of members: the source with the masks */
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
    bool is_passed;            /* it hands arguments or results of a call from frame to frame */
    uint32_t again;            /* a load from shared memory: its number among them, else WS_NO_INDEX */
    uint32_t callee, variable; /* whose step it is; what its address names, or WS_NO_INDEX */
} ws_checked;

/* Meanings that are no plain accesses: what they are, and the source that has a member mask. */
static inline ws_checked_kind ws_checked_kind_of(const ws_step *step, int level, uint8_t *at) {
    static const struct {
        int16_t meaning;
        uint8_t kind, at;
    } rows[] = {
        {WS_DO_BAR_SYNC, WS_CHECKED_BARRIER, 0},
        {WS_DO_BAR_RED, WS_CHECKED_BARRIER, 0},
        {WS_DO_BAR_ARRIVE, WS_CHECKED_ARRIVE, 0},
        {WS_DO_CLUSTER_ARRIVE, WS_CHECKED_CLUSTER_ARRIVE, 0},
        {WS_DO_CLUSTER_WAIT, WS_CHECKED_CLUSTER_WAIT, 0},
        {WS_DO_SHFL_UP, WS_CHECKED_MEMBERS, 3},
        {WS_DO_SHFL_DOWN, WS_CHECKED_MEMBERS, 3},
        {WS_DO_SHFL_BFLY, WS_CHECKED_MEMBERS, 3},
        {WS_DO_SHFL_IDX, WS_CHECKED_MEMBERS, 3},
        {WS_DO_VOTE_ALL, WS_CHECKED_MEMBERS, 1},
        {WS_DO_VOTE_ANY, WS_CHECKED_MEMBERS, 1},
        {WS_DO_VOTE_UNI, WS_CHECKED_MEMBERS, 1},
        {WS_DO_VOTE_BALLOT, WS_CHECKED_MEMBERS, 1},
        {WS_DO_MATCH_ANY, WS_CHECKED_MEMBERS, 1},
        {WS_DO_MATCH_ALL, WS_CHECKED_MEMBERS, 1},
        {WS_DO_REDUX_ADD, WS_CHECKED_MEMBERS, 1},
        {WS_DO_REDUX_MIN, WS_CHECKED_MEMBERS, 1},
        {WS_DO_REDUX_MAX, WS_CHECKED_MEMBERS, 1},
        {WS_DO_REDUX_LOGIC, WS_CHECKED_MEMBERS, 1},
        {WS_DO_ELECT, WS_CHECKED_MEMBERS, 0},
        {WS_DO_WARP_SYNC, WS_CHECKED_MEMBERS, 0},
        {WS_DO_CP_WAIT, WS_CHECKED_LAND, 0},
        {WS_DO_CP_WAIT_ALL, WS_CHECKED_LAND, 1},
        {WS_DO_CP_ARRIVE, WS_CHECKED_OBJECT, 0},
        {WS_DO_CP_ARRIVE_NOINC, WS_CHECKED_OBJECT, 0},
        {WS_DO_MBARRIER_INIT, WS_CHECKED_OBJECT, 0},
        {WS_DO_MBARRIER_INVAL, WS_CHECKED_OBJECT, 0},
        {WS_DO_MBARRIER_ARRIVE, WS_CHECKED_OBJECT, 0},
        {WS_DO_MBARRIER_ARRIVE_TX, WS_CHECKED_OBJECT, 0},
        {WS_DO_MBARRIER_DROP, WS_CHECKED_OBJECT, 0},
        {WS_DO_MBARRIER_DROP_TX, WS_CHECKED_OBJECT, 0},
        {WS_DO_MBARRIER_EXPECT_TX, WS_CHECKED_OBJECT, 0},
        {WS_DO_MBARRIER_COMPLETE_TX, WS_CHECKED_OBJECT, 0},
        {WS_DO_MBARRIER_TEST, WS_CHECKED_OBJECT, 0},
        {WS_DO_MBARRIER_TEST_PARITY, WS_CHECKED_OBJECT, 1},
        {WS_DO_BULK, WS_CHECKED_BULK, 0},
        {WS_DO_BULK_WAIT, WS_CHECKED_BULK_WAIT, 0},
        {WS_DO_WGMMA, WS_CHECKED_PRODUCT, 0},
        {WS_DO_WGMMA_FENCE, WS_CHECKED_PRODUCT_FENCE, 0},
        {WS_DO_WGMMA_COMMIT, WS_CHECKED_PRODUCT_COMMIT, 0},
        {WS_DO_WGMMA_WAIT, WS_CHECKED_PRODUCT_WAIT, 0},
        {WS_DO_EXIT, WS_CHECKED_EXIT, 0},
        {WS_DO_RET, WS_CHECKED_EXIT, 1},
        {WS_DO_TRY_CANCEL, WS_CHECKED_ASYNC, 0},
        {WS_DO_ST_ASYNC, WS_CHECKED_ASYNC, 0},
        {WS_DO_RED_ASYNC_ADD, WS_CHECKED_ASYNC, 1},
        {WS_DO_RED_ASYNC_MIN, WS_CHECKED_ASYNC, 1},
        {WS_DO_RED_ASYNC_MAX, WS_CHECKED_ASYNC, 1},
        {WS_DO_RED_ASYNC_INC, WS_CHECKED_ASYNC, 1},
        {WS_DO_RED_ASYNC_DEC, WS_CHECKED_ASYNC, 1},
        {WS_DO_RED_ASYNC_LOGIC, WS_CHECKED_ASYNC, 1},
        {WS_DO_CALL, WS_CHECKED_CALL, 0},
        {WS_DO_CALL_INDIRECT, WS_CHECKED_CALL, 1},
        {WS_DO_DIV_32, WS_CHECKED_DIVIDE, 0},
        {WS_DO_REM_32, WS_CHECKED_DIVIDE, 0},
        {WS_DO_DIV_64, WS_CHECKED_DIVIDE, 1},
        {WS_DO_REM_64, WS_CHECKED_DIVIDE, 1},
    };
    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (step->run != ws_meaning_at(rows[i].meaning, level)) continue;
        *at = rows[i].at;
        return (ws_checked_kind)rows[i].kind;
    }
    return WS_CHECKED_NONE;
}

static inline void ws_checked_object(ws_checked *checked, const ws_step *step, int level) {
    const bool ends = step->run == ws_meaning_at(WS_DO_MBARRIER_INVAL, level);
    checked->is_init = ends || step->run == ws_meaning_at(WS_DO_MBARRIER_INIT, level);
    checked->is_wait = step->run == ws_meaning_at(WS_DO_MBARRIER_TEST, level) ||
                       step->run == ws_meaning_at(WS_DO_MBARRIER_TEST_PARITY, level);
    checked->meets = step->run == ws_meaning_at(WS_DO_CP_ARRIVE, level) ||
                     step->run == ws_meaning_at(WS_DO_CP_ARRIVE_NOINC, level); /* the copies arrive */
    checked->is_write = !checked->is_wait;
    checked->is_atomic = ends || !checked->is_init;
    checked->nbytes = 8;
}

static inline ws_use_kind ws_use_kind_of(const ws_opcode *opcode) {
    static const struct {
        const char *word;
        uint8_t use;
    } rows[] = {
        {"st", WS_USE_ALL},
        {"red.", WS_USE_ALL},
        {"br", WS_USE_ALL},
        {"bar", WS_USE_ALL},
        {"wmma.store", WS_USE_ALL},
        {"cp.", WS_USE_ALL},
        {"mbarrier", WS_USE_ATOMIC},
        {"atom", WS_USE_ATOMIC},
        {"ld", WS_USE_LOAD},
        {"wmma.load", WS_USE_LOAD},
        {"selp", WS_USE_SELECT},
        {"shfl.sync.up", (int)WS_USE_SHUFFLE + (int)WS_SHFL_UP},
        {"shfl.sync.down", (int)WS_USE_SHUFFLE + (int)WS_SHFL_DOWN},
        {"shfl.sync.bfly", (int)WS_USE_SHUFFLE + (int)WS_SHFL_BFLY},
        {"shfl.sync.idx", (int)WS_USE_SHUFFLE + (int)WS_SHFL_IDX},
        {"vote", WS_USE_WARP},
        {"match", WS_USE_WARP},
        {"redux", WS_USE_WARP},
        {"mma", WS_USE_WARP},
        {"wgmma", WS_USE_WARP},
        {"wmma.mma", WS_USE_WARP},
        {"movmatrix", WS_USE_WARP},
    };
    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (ws_opcode_begins(opcode, rows[i].word)) return (ws_use_kind)rows[i].use;
    }
    return WS_USE_CARRIES;
}

/* It makes an operand for a later step of its statement: a clock, an address. */
static inline bool ws_checked_prepares(const ws_step *step, int level) {
    return step->run == ws_meaning_at(WS_DO_CLOCK, level) || step->run == ws_meaning_at(WS_DO_FRAME_ADDRESS, level) ||
           step->run == ws_meaning_at(WS_DO_OFFSET_64, level);
}

static inline ws_checked ws_checked_of(const ws_module *module, const ws_step *step, int level) {
    const ws_opcode *opcode = &module->opcodes[module->statements[step->statement].opcode];
    const ws_watched_kind kind = ws_watched_kind_of(step, level);
    const uint32_t elements = step->count != 0 ? step->count : 1;
    ws_checked checked = {0,     0,           false, 0,          0,     false, false, false, false, false, WS_SCOPE_GPU,
                          false, false,       false, false,      false, false, false, false, false, false, false,
                          false, WS_NO_INDEX, 0,     WS_NO_INDEX};
    checked.use = (uint8_t)(ws_opcode_has(opcode, ".param") ? WS_USE_LOAD : ws_use_kind_of(opcode));
    if (kind == WS_WATCHED_NONE) {
        checked.kind = (uint8_t)ws_checked_kind_of(step, level, &checked.at);
        if (step->run == ws_meaning_at(WS_DO_NOTHING, level) && ws_opcode_is_fence(opcode))
            checked.kind = ws_opcode_has(opcode, ".mbarrier_init") ? WS_CHECKED_FENCE_INIT : WS_CHECKED_FENCE;
        if (step->run == ws_meaning_at(WS_DO_NOTHING, level) && ws_opcode_has(opcode, "proxy.async"))
            checked.kind = WS_CHECKED_PROXY;
    } else {
        checked.kind = kind == WS_WATCHED_COPY     ? WS_CHECKED_COPY
                       : kind == WS_WATCHED_MATRIX ? WS_CHECKED_MATRIX
                                                   : WS_CHECKED_ACCESS;
    }
    const bool is_meeting = checked.kind == WS_CHECKED_CLUSTER_ARRIVE || checked.kind == WS_CHECKED_CLUSTER_WAIT;
    checked.nbytes = (uint8_t)((uint32_t)ws_type_bits(step->type) / 8 * elements);
    checked.is_write = kind == WS_WATCHED_STORE || kind == WS_WATCHED_ATOMIC;
    checked.reads = kind == WS_WATCHED_LOAD || (kind == WS_WATCHED_ATOMIC && !ws_opcode_has(opcode, ".exch"));
    checked.is_volatile = ws_opcode_has(opcode, ".volatile");
    checked.is_atomic = kind == WS_WATCHED_ATOMIC || ws_opcode_is_strong(opcode);
    checked.observes = checked.is_atomic && kind != WS_WATCHED_STORE;
    checked.releases = ws_opcode_releases(opcode);
    checked.acquires = ws_opcode_acquires(opcode);
    if (checked.kind == WS_CHECKED_FENCE || checked.kind == WS_CHECKED_ACCESS)
        checked.scope = (uint8_t)ws_opcode_scope(opcode);
    checked.is_consistent = checked.kind == WS_CHECKED_FENCE && ws_opcode_is_consistent(opcode);
    checked.is_aligned = (checked.kind == WS_CHECKED_BARRIER || checked.kind == WS_CHECKED_ARRIVE) &&
                         (!ws_opcode_has(opcode, "barrier") || ws_opcode_has(opcode, ".aligned"));
    checked.meets = step->run == ws_meaning_at(WS_DO_WARP_SYNC, level);
    checked.is_quiet = checked.kind == WS_CHECKED_DIVIDE || (kind == WS_WATCHED_LOAD && !checked.is_atomic);
    checked.is_noncoherent = kind == WS_WATCHED_LOAD && ws_opcode_has(opcode, ".nc");
    checked.is_passed = ws_opcode_begins(opcode, "call") || ws_opcode_begins(opcode, "ret");
    checked.is_whole = checked.kind == WS_CHECKED_COPY && ws_opcode_begins(opcode, "cp.async.cg");
    if (checked.kind == WS_CHECKED_OBJECT) ws_checked_object(&checked, step, level);
    if (checked.kind == WS_CHECKED_ASYNC) {
        checked.is_write = true;
        checked.is_atomic = checked.reads = checked.at != 0;
        checked.releases = checked.acquires = false;
    }
    if (is_meeting) checked.is_aligned = ws_opcode_has(opcode, ".aligned");
    if (is_meeting || checked.kind == WS_CHECKED_OBJECT) checked.releases = !ws_opcode_has(opcode, ".relaxed");
    return checked;
}

#endif /* WS_BODIES */
#endif
