/* What n issues of one instruction access: lane addresses, masks, and how to treat undefined behaviour.
 *
 * The last axis of every address array is the 32 lanes of a warp. Lanes that do not supply an address may hold
 * anything. */
#ifndef WARPSIM_DATA_ACCESS_H
#define WARPSIM_DATA_ACCESS_H

#include "../isa/targets.h"
#include "../isa/form.h"
#include "memory.h"
#include "../base/cpu.h"

/* What to do about behaviour that PTX leaves undefined. */
typedef enum ws_policy {
    WS_POLICY_RAISE = 0, /* stop before changing anything */
    WS_POLICY_RECORD,    /* the warp loads zeros and stores nothing; other warps continue */
    WS_POLICY_HARDWARE   /* what the silicon of `target` was measured to do */
} ws_policy;

typedef struct ws_access {
    const void *address;    /* [n][32], uint32_t or uint64_t as address_bytes says; NULL for movmatrix */
    const uint64_t *source; /* [n][32] global addresses of cp.async; NULL: consecutive, see ws_access_source */
    const uint32_t *active; /* [n] masks, bit l = lane l; NULL: all lanes */
    const uint32_t *exited; /* [n] masks; NULL: none */
    size_t n;               /* warps */
    int address_bytes;      /* 4 or 8 */
    int address_lanes;      /* 32; wmma also 1: all lanes of a warp pass the same */
    const uint32_t *stride; /* wmma, in elements: [n] or [n][32] as stride_lanes says; NULL: the default */
    int stride_lanes;       /* 1 or 32 */
    int target;             /* row of ws_target, or WS_NO_TARGET: the rules of sm_80 and later */
    ws_policy policy;
    uint64_t shared_window; /* for counting generic accesses without a memory */
    int simd;               /* WS_SIMD_AUTO, or the level to work at: the results are the same */
} ws_access;

static inline ws_access ws_access_make_any(const void *address, int address_bytes, size_t n) {
    ws_access access;
    access.address = address;
    access.source = NULL;
    access.active = NULL;
    access.exited = NULL;
    access.n = n;
    access.address_bytes = address_bytes;
    access.address_lanes = WS_LANES;
    access.stride = NULL;
    access.stride_lanes = 1;
    access.target = WS_NO_TARGET;
    access.policy = WS_POLICY_RAISE;
    access.shared_window = WS_SHARED_WINDOW;
    access.simd = WS_SIMD_AUTO;
    return access;
}

/* All lanes active, shared addresses uint32_t [n][32]. */
static inline ws_access ws_access_make(const uint32_t *address, size_t n) { return ws_access_make_any(address, 4, n); }

/* All lanes active, global or generic addresses uint64_t [n][32]. */
static inline ws_access ws_access_make_64(const uint64_t *address, size_t n) {
    return ws_access_make_any(address, 8, n);
}

static inline uint64_t ws_access_address(const ws_access *access, size_t warp, int lane) {
    const size_t index = access->address_lanes == 1 ? warp : warp * WS_LANES + (size_t)lane;
    if (access->address_bytes == 8) return ((const uint64_t *)access->address)[index];
    return ((const uint32_t *)access->address)[index];
}

/* cp.async without sources: the lanes copy consecutive bytes, starting at a 128-byte boundary. */
static inline uint64_t ws_access_source(const ws_access *access, const ws_op *op, size_t warp, int lane) {
    if (access->source == NULL) return (uint64_t)lane * op->size_bytes;
    return access->source[warp * WS_LANES + (size_t)lane];
}

static inline uint32_t ws_access_active(const ws_access *access, size_t warp) {
    return access->active == NULL ? UINT32_MAX : access->active[warp];
}

static inline uint32_t ws_access_exited(const ws_access *access, size_t warp) {
    return access->exited == NULL ? 0 : access->exited[warp];
}

/* Is this a target where all lanes of ldmatrix must hold valid addresses, and wmma has older maps? */
static inline bool ws_is_before_sm_80(int target) { return target != WS_NO_TARGET && ws_target(target)->number < 80; }

/* Is it known which lane holds which element of a wmma fragment there? */
static inline bool ws_wmma_is_known(int target) { return target == WS_NO_TARGET || ws_target(target)->number >= 75; }

/* Lanes that execute the instruction. */
static inline uint32_t ws_access_running(const ws_access *access, size_t warp) {
    return ws_access_active(access, warp) & ~ws_access_exited(access, warp);
}

/* The stride operand of a lane, in elements; `fallback` if it has none. */
static inline uint32_t ws_access_stride(const ws_access *access, size_t warp, int lane, uint32_t fallback) {
    if (access->stride == NULL) return fallback;
    return access->stride[access->stride_lanes == 1 ? warp : warp * WS_LANES + (size_t)lane];
}

static inline ws_place ws_access_place(const ws_access *access, const ws_op *op, const ws_memory *memory, size_t warp,
                                       int lane) {
    const int space = op->kind == WS_CP_ASYNC ? (int)WS_SPACE_SHARED : (int)op->space;
    return ws_memory_place(memory, space, ws_access_address(access, warp, lane));
}

static inline ws_place ws_access_source_place(const ws_access *access, const ws_op *op, const ws_memory *memory,
                                              size_t warp, int lane) {
    return ws_memory_place(memory, WS_SPACE_GLOBAL, ws_access_source(access, op, warp, lane));
}

#endif
