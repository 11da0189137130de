/* Which steps access memory, how and where. */
#ifndef WARPSIM_WATCH_KINDS_H
#define WARPSIM_WATCH_KINDS_H

#include "../isa/validate.h"
#include "../module/module.h"
#include "../meaning/meanings.h"
#include "../run/pieces.h"
#include "line.h"

#if WS_BODIES

typedef enum ws_watched_kind {
    WS_WATCHED_NONE = 0,
    WS_WATCHED_LOAD,
    WS_WATCHED_STORE,
    WS_WATCHED_ATOMIC,
    WS_WATCHED_COPY, /* cp.async */
    WS_WATCHED_MATRIX,
    WS_WATCHED_PRODUCT /* of a warpgroup */
} ws_watched_kind;

/* How a step accesses memory. */
typedef struct ws_watched {
    uint8_t kind;   /* ws_watched_kind */
    uint8_t nbytes; /* of a lane */
    uint8_t batch;  /* which groups of lanes meet in the banks: 0 to 2 for 32, 16 and 8 */
    bool may_merge; /* a load whose groups can merge */
    bool is_cg;     /* of a copy */
    uint8_t turns;  /* of an atomic: ws_line_turns */
    bool is_loop;   /* of an atomic: a loop of compare and swap on the H200, whose rounds nobody can tell */
    uint8_t made;   /* what the machine code does otherwise: ws_made; 0: as the text says */
} ws_watched;

static inline ws_watched_kind ws_watched_kind_of(const ws_meant *meant) {
    switch (meant->event) {
        case WS_EVENT_LOAD: return WS_WATCHED_LOAD;
        case WS_EVENT_STORE: return WS_WATCHED_STORE;
        case WS_EVENT_ATOMIC:
        case WS_EVENT_EXCHANGE:
        case WS_EVENT_SWAP: return WS_WATCHED_ATOMIC;
        case WS_EVENT_COPY: return WS_WATCHED_COPY;
        case WS_EVENT_MATRIX: return WS_WATCHED_MATRIX;
        case WS_EVENT_PRODUCT: return WS_WATCHED_PRODUCT;
        default: return WS_WATCHED_NONE;
    }
}

/* Can it access shared memory, other than by an atomic? */
static inline bool ws_watched_may_share(const ws_step *step, const ws_meant *meant) {
    const int kind = (int)ws_watched_kind_of(meant);
    return kind == WS_WATCHED_COPY || kind == WS_WATCHED_MATRIX ||
           ((kind == WS_WATCHED_LOAD || kind == WS_WATCHED_STORE) &&
            (step->space == WS_AT_SHARED || step->space == WS_AT_GENERIC || step->space == WS_AT_CLUSTER));
}

static inline int ws_watched_batch(int group_lanes) { return group_lanes == 32 ? 0 : group_lanes == 16 ? 1 : 2; }

static inline void ws_watched_widen(ws_watched *watched, uint32_t nbytes) {
    watched->nbytes = (uint8_t)nbytes;
    watched->batch = (uint8_t)ws_watched_batch(ws_group_lanes_of_width((int)nbytes));
    watched->may_merge = watched->kind == WS_WATCHED_LOAD && nbytes >= 8;
}

/* Does any step name the result of this one? */
static inline bool ws_watched_is_read(const ws_kernel *program, const ws_step *step) {
    uint32_t i, k;
    if (step->d[0] == WS_NONE) return false;
    for (i = 0; i < program->num_list; i++) {
        if (program->list[i] == step->d[0]) return true;
    }
    for (i = 0; i < program->num_steps; i++) {
        for (k = 0; k < WS_STEP_SOURCES; k++) {
            if (program->steps[i].s[k] == step->d[0]) return true;
        }
    }
    return false;
}

/* Lanes that add 1 and do not read what was there need no turns of their own. */
static inline ws_line_turns ws_watched_turns(const ws_kernel *program, const ws_step *step, const ws_meant *meant) {
    uint32_t i;
    if (meant->event == WS_EVENT_SWAP) return WS_TURNS_TWICE;
    if (meant->meaning != WS_DO_ATOM_ADD || ws_type_bits(step->type) != 32) return WS_TURNS_LANES;
    for (i = 0; i < program->num_constants; i++) {
        const ws_constant_rows *constant = &program->constants[i];
        if (WS_ROW_REF(WS_BLOCK_ROWS, constant->row) == step->s[WS_S_VALUE] && constant->kind == WS_CONSTANT_VALUE)
            return constant->value == 1 && !ws_watched_is_read(program, step) ? WS_TURNS_WORDS : WS_TURNS_LANES;
    }
    return WS_TURNS_LANES;
}

static inline ws_watched ws_watched_of(const ws_kernel *program, uint32_t number) {
    const ws_step *step = &program->steps[number];
    const ws_meant *meant = &program->meant[number];
    const uint32_t elements = step->count != 0 ? step->count : 1;
    ws_watched watched = {0, 0, 0, false, false, 0, false, 0};
    watched.kind = (uint8_t)ws_watched_kind_of(meant);
    if (watched.kind == WS_WATCHED_NONE || watched.kind == WS_WATCHED_PRODUCT) return watched;
    watched.nbytes = (uint8_t)((uint32_t)ws_type_bits(step->type) / 8 * elements);
    if (watched.kind == WS_WATCHED_ATOMIC) watched.turns = (uint8_t)ws_watched_turns(program, step, meant);
    watched.is_loop = watched.kind == WS_WATCHED_ATOMIC && watched.turns != WS_TURNS_TWICE &&
                      meant->meaning != WS_DO_ATOM_EXCH && (watched.nbytes > 4 || ws_atomic_is_float(step->type));
    watched.is_cg = watched.kind == WS_WATCHED_COPY && meant->said.bypasses_l1;
    ws_watched_widen(&watched, watched.nbytes);
    return watched;
}

/* The lanes whose addresses lie in the block's own shared memory, with their offsets there. */
static inline uint32_t ws_watch_split(const ws_block *block, const ws_step *step, const ws_reach *reach, uint32_t mask,
                                      uint32_t offset[WS_LANES]) {
    const bool may_share = step->space == WS_AT_SHARED || step->space == WS_AT_GENERIC || step->space == WS_AT_CLUSTER;
    const uint64_t base = block->shared_at + (step->space == WS_AT_GENERIC ? WS_SHARED_WINDOW : 0);
    uint32_t shared = 0;
    int lane;
    for (lane = 0; lane < WS_LANES; lane++) {
        offset[lane] = (uint32_t)(reach->address[lane] - base);
        shared |= (uint32_t)(reach->address[lane] - base < WS_SHARED_WINDOW_BYTES) << lane;
    }
    return may_share ? shared & mask : 0;
}

static inline uint32_t ws_watch_global(const ws_step *step, const ws_reach *reach, uint32_t mask) {
    uint32_t found = 0;
    int lane;
    if (step->space == WS_AT_GLOBAL) return mask;
    if (step->space != WS_AT_GENERIC) return 0;
    for (lane = 0; lane < WS_LANES; lane++) {
        const bool is_local = reach->address[lane] - WS_LOCAL_WINDOW < WS_LOCAL_WINDOW_BYTES;
        const bool is_cluster = reach->address[lane] - WS_SHARED_WINDOW < WS_CLUSTER_WINDOW_BYTES;
        found |= (uint32_t)(!is_local && !is_cluster) << lane;
    }
    return found & mask;
}

enum { WS_WATCHED_COPIES = 4 /* kinds of cp.async: .ca of 4, 8, 16 bytes, .cg */ };

/* The core's instruction for each of them. */
static inline ws_op ws_watched_copy(int number) {
    ws_op op = ws_op_none();
    ws_error error;
    op.kind = WS_CP_ASYNC;
    op.size_bytes = (uint8_t)(number < 3 ? 4 << number : 16);
    op.num = op.vec = 1;
    op.cache = number < 3 ? WS_CACHE_CA : WS_CACHE_CG;
    (void)ws_op_validate(&op, &error);
    return op;
}

static inline int ws_watched_copy_of(bool is_cg, uint32_t size_bytes) {
    return is_cg ? 3 : size_bytes == 4 ? 0 : size_bytes == 8 ? 1 : 2;
}

#endif /* WS_BODIES */
#endif
