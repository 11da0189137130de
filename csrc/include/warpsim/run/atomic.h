/* atom and red of lanes: read, compute, write, in ascending order of lanes as on the H200.
 *
 *     shared memory, 64 bits, add min max and or xor: software loops there. Each round the lowest waiting lane of 0-15
 *     succeeds, then the lowest of 16-31 if memory is as it was; min and max that change nothing leave at once
 *     f32 add: global memory flushes denormals, shared memory does not
 *
 * Source: "Parallel Synchronization and Communication Instructions: atom, red" of the PTX ISA; measured on the H200. */
#ifndef WARPSIM_RUN_ATOMIC_H
#define WARPSIM_RUN_ATOMIC_H

#include "../number/f64.h"
#include "../number/half.h"
#include "control.h"
#include "draws.h"
#include "memory.h"
#include "output.h"

enum { WS_ATOMIC_ELEMENTS = 8 };

typedef enum ws_atomic_op {
    WS_ATOMIC_ADD,
    WS_ATOMIC_MIN,
    WS_ATOMIC_MAX,
    WS_ATOMIC_INC,
    WS_ATOMIC_DEC,
    WS_ATOMIC_EXCH,
    WS_ATOMIC_CAS,
    WS_ATOMIC_LOGIC /* and, or, xor: `how` */
} ws_atomic_op;

/* What one access does in one piece of memory. */
typedef struct ws_atomic {
    ws_atomic_op op;
    int type;
    uint32_t how, nbytes; /* of an element */
    bool is_global;
} ws_atomic;

static inline uint32_t ws_atomic_half(const ws_atomic *atomic, int format, uint32_t x, uint32_t y) {
    if (atomic->op == WS_ATOMIC_ADD) return ws_half_add(format, x, y, 0) & 0xffff;
    return ws_choose(format, x & 0xffff, y & 0xffff, 0, atomic->op == WS_ATOMIC_MAX) & 0xffff;
}

/* Which NaN survives: in global memory the operand's, else memory's, as they are. */
static inline uint64_t ws_atomic_f64(const ws_atomic *atomic, uint64_t x, uint64_t y) {
    if (!atomic->is_global) return ws_f64_add(y, x, 0);
    return ws_is_nan(WS_FORMAT_F64, y) ? y : ws_is_nan(WS_FORMAT_F64, x) ? x : ws_f64_add(x, y, 0);
}

static inline uint64_t ws_atomic_float(const ws_atomic *atomic, uint64_t x, uint64_t y) {
    const int format = atomic->type == WS_TYPE_F16 || atomic->type == WS_TYPE_F16X2 ? WS_FORMAT_F16 : WS_FORMAT_BF16;
    const uint32_t a = (uint32_t)x, b = (uint32_t)y;
    if (atomic->type == WS_TYPE_F64) return ws_atomic_f64(atomic, x, y);
    if (atomic->type == WS_TYPE_F32) return ws_f32_add(a, b, atomic->is_global ? WS_HOW_FTZ : 0);
    if (atomic->nbytes == 2) return ws_atomic_half(atomic, format, a, b);
    return ws_atomic_half(atomic, format, a & 0xffff, b & 0xffff) | ws_atomic_half(atomic, format, a >> 16, b >> 16)
                                                                        << 16;
}

static inline bool ws_atomic_is_float(int type) {
    return type == WS_TYPE_F64 || type == WS_TYPE_F32 || type == WS_TYPE_F16 || type == WS_TYPE_F16X2 ||
           type == WS_TYPE_BF16 || type == WS_TYPE_BF16X2;
}

static inline uint64_t ws_atomic_lesser(const ws_atomic *atomic, uint64_t x, uint64_t y) {
    const uint64_t flip = ws_type_is_signed(atomic->type) ? UINT64_C(1) << (8 * atomic->nbytes - 1) : 0;
    return ((x ^ flip) < (y ^ flip)) == (atomic->op == WS_ATOMIC_MIN) ? x : y;
}

/* What x in memory becomes. */
static inline uint64_t ws_atomic_new(const ws_atomic *atomic, uint64_t x, uint64_t y, uint64_t z) {
    const uint32_t logic = atomic->how & WS_HOW_COMBINE;
    switch (atomic->op) {
        case WS_ATOMIC_EXCH: return y;
        case WS_ATOMIC_CAS: return x == y ? z : x;
        case WS_ATOMIC_INC: return x >= y ? 0 : x + 1;
        case WS_ATOMIC_DEC: return x == 0 || x > y ? y : x - 1;
        case WS_ATOMIC_LOGIC: return logic == WS_HOW_AND ? x & y : logic == WS_HOW_OR ? x | y : x ^ y;
        default: break;
    }
    if (ws_atomic_is_float(atomic->type)) return ws_atomic_float(atomic, x, y);
    return atomic->op == WS_ATOMIC_ADD ? x + y : ws_atomic_lesser(atomic, x, y);
}

/* A lane's value of a source row. */
static inline uint64_t ws_atomic_value(const uint32_t *row, int lane, uint32_t nbytes) {
    if (nbytes == 2) return row[lane] & 0xffff;
    return row[lane] | (nbytes == 8 ? (uint64_t)row[lane + WS_LANES] << 32 : 0);
}

static inline void ws_atomic_result(uint32_t *row, int lane, uint32_t nbytes, uint64_t value) {
    row[lane] = (uint32_t)value;
    if (nbytes == 8) row[lane + WS_LANES] = (uint32_t)(value >> 32);
}

/* One lane; d is NULL for red. */
static inline void ws_atomic_lane(const ws_lanes *lanes, const ws_step *step, const ws_atomic *atomic, uint8_t *bytes,
                                  int lane) {
    const uint32_t nbytes = atomic->nbytes;
    const uint64_t y = ws_atomic_value(ws_row(lanes, step->s[WS_S_VALUE]), lane, nbytes);
    const uint64_t z =
        atomic->op == WS_ATOMIC_CAS ? ws_atomic_value(ws_row(lanes, step->s[WS_S_SWAP]), lane, nbytes) : 0;
    const uint64_t x = ws_atomic_read(bytes, nbytes);
    ws_atomic_write(bytes, nbytes, ws_atomic_new(atomic, x, y, z));
    if (step->d[0] != WS_NONE) ws_atomic_result(ws_row(lanes, step->d[0]), lane, nbytes, x);
}

/* Vectors: the list has the sources, and before them the destinations of atom. */
static inline void ws_atomic_vector(const ws_lanes *lanes, const ws_step *step, const ws_atomic *atomic, uint8_t *bytes,
                                    int lane) {
    const uint32_t nbytes = atomic->nbytes, *sources = lanes->list + step->list;
    uint64_t y[WS_ATOMIC_ELEMENTS];
    uint32_t i;
    for (i = 0; i < step->count; i++) y[i] = ws_atomic_value(ws_row(lanes, sources[i]), lane, nbytes);
    for (i = 0; i < step->count; i++, bytes += nbytes) {
        const uint64_t x = ws_atomic_read(bytes, nbytes);
        ws_atomic_write(bytes, nbytes, ws_atomic_new(atomic, x, y[i], 0));
        if (step->how & WS_HOW_REDUCES) continue;
        ws_atomic_result(ws_row(lanes, lanes->list[step->list - step->count + i]), lane, nbytes, x);
    }
}

/* Lanes of one address that run the loop around a 64-bit compare-and-store. */
static inline void ws_atomic_rounds(const ws_lanes *lanes, const ws_step *step, const ws_atomic *atomic, uint8_t *bytes,
                                    uint32_t waiting) {
    const uint32_t *row = ws_row(lanes, step->s[WS_S_VALUE]);
    const bool leaves = atomic->op == WS_ATOMIC_MIN || atomic->op == WS_ATOMIC_MAX;
    while (waiting != 0) {
        const uint64_t seen = ws_atomic_read(bytes, 8);
        uint32_t half;
        int lane;
        for (lane = 0; leaves && lane < WS_LANES; lane++) {
            if (!(waiting >> lane & 1) || ws_atomic_new(atomic, seen, ws_atomic_value(row, lane, 8), 0) != seen)
                continue;
            if (step->d[0] != WS_NONE) ws_atomic_result(ws_row(lanes, step->d[0]), lane, 8, seen);
            waiting &= ~(UINT32_C(1) << lane);
        }
        for (half = 0xffff; half != 0; half = half == 0xffff ? UINT32_C(0xffff0000) : 0) {
            if ((waiting & half) == 0 || ws_atomic_read(bytes, 8) != seen) continue;
            lane = ws_first_lane(waiting & half);
            ws_atomic_lane(lanes, step, atomic, bytes, lane);
            waiting &= ~(UINT32_C(1) << lane);
        }
    }
}

static inline bool ws_atomic_is_loop(const ws_atomic *atomic, const ws_piece *piece) {
    return piece->space == WS_AT_SHARED && atomic->nbytes == 8 && atomic->op != WS_ATOMIC_EXCH &&
           atomic->op != WS_ATOMIC_CAS;
}

static inline void ws_atomic_piece(const ws_lanes *lanes, const ws_step *step, const ws_atomic *atomic,
                                   const ws_piece *piece) {
    uint32_t left = piece->mask;
    while (left != 0) {
        const int lane = ws_first_lane(left);
        uint8_t *bytes = piece->bytes + piece->offset[lane];
        uint32_t served = UINT32_C(1) << lane;
        if (ws_atomic_is_loop(atomic, piece)) {
            served = ws_lanes_like_first(piece->offset, left);
            ws_atomic_rounds(lanes, step, atomic, bytes, served);
        } else if (step->count != 0) {
            ws_atomic_vector(lanes, step, atomic, bytes, lane);
        } else {
            ws_atomic_lane(lanes, step, atomic, bytes, lane);
        }
        left &= ~served;
    }
}

/* How its writes commute with those of others: space.h. */
static inline uint8_t ws_atomic_mark(const ws_atomic *atomic) {
    const uint32_t logic = atomic->how & WS_HOW_COMBINE;
    const int kind = atomic->op != WS_ATOMIC_LOGIC ? (int)atomic->op
                     : logic == WS_HOW_AND         ? 3
                                                   : 4 + (logic == WS_HOW_XOR);
    const int sign = (kind == 1 || kind == 2) && ws_type_is_signed(atomic->type);
    const bool is_plain = atomic->op > WS_ATOMIC_MAX && atomic->op < WS_ATOMIC_LOGIC;
    if (is_plain || ws_atomic_is_float(atomic->type)) return WS_MARK_PLAIN;
    return (uint8_t)(WS_MARK_ATOMIC + 4 * kind + (atomic->nbytes == 8) * 2 + sign);
}

static inline void ws_atomic_do(ws_lanes *lanes, const ws_step *step, uint32_t mask, ws_atomic_op op) {
    uint8_t *lock = ws_block_of(lanes)->launch->lock;
    ws_atomic atomic;
    ws_reach reach;
    ws_piece piece;
    atomic.op = op;
    atomic.type = step->type;
    atomic.how = step->how;
    atomic.nbytes = ws_step_element_bytes(step);
    ws_warp_of(lanes)->has_polled = true;
    ws_reach_make(&reach, lanes, step, WS_S_ADDRESS, mask);
    if (!ws_reach_begin(&reach, lanes, step, atomic.nbytes * (step->count != 0 ? step->count : 1), true)) return;
    while (ws_next_piece(&piece, &reach, lanes, step)) {
        atomic.is_global = piece.space == WS_AT_GLOBAL;
        if (atomic.is_global) ws_lock(lock);
        ws_atomic_piece(lanes, step, &atomic, &piece);
        if (atomic.is_global) ws_unlock(lock);
        if (atomic.is_global && (op == WS_ATOMIC_ADD || op == WS_ATOMIC_INC || op == WS_ATOMIC_DEC))
            ws_warp_draws(lanes, step, piece.mask, op == WS_ATOMIC_ADD);
        ws_piece_mark(&piece, reach.nbytes, ws_atomic_mark(&atomic));
    }
}

/* exch of 128 bits; with z: cas. */
static inline void ws_atomic_wide(ws_lanes *lanes, const ws_step *step, uint32_t mask, const uint32_t *z) {
    uint8_t *lock = ws_block_of(lanes)->launch->lock;
    const uint32_t *y = ws_row(lanes, step->s[WS_S_VALUE]);
    uint32_t *d = ws_row(lanes, step->d[0]);
    ws_reach reach;
    ws_piece piece;
    int lane, i;
    ws_warp_of(lanes)->has_polled = true;
    ws_reach_make(&reach, lanes, step, WS_S_ADDRESS, mask);
    if (!ws_reach_begin(&reach, lanes, step, 16, true)) return;
    while (ws_next_piece(&piece, &reach, lanes, step)) {
        ws_lock(lock);
        for (lane = 0; lane < WS_LANES; lane++) {
            uint8_t *bytes = piece.bytes + piece.offset[lane];
            uint32_t x[4], writes = 1;
            if (!(piece.mask >> lane & 1)) continue;
            for (i = 0; i < 4; i++) x[i] = ws_load_u32(bytes + 4 * i);
            for (i = 0; i < 4 && z != NULL; i++) writes &= x[i] == y[i * WS_LANES + lane];
            for (i = 0; i < 4 && writes; i++) ws_store_u32(bytes + 4 * i, (z != NULL ? z : y)[i * WS_LANES + lane]);
            for (i = 0; i < 4; i++) d[i * WS_LANES + lane] = x[i];
        }
        ws_unlock(lock);
        ws_piece_mark(&piece, 16, WS_MARK_PLAIN);
    }
}

#define WS_ATOMIC(name, call)                                                                                          \
    static inline void ws_do_atom_##name##_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) { call; }
WS_ATOMIC(add, ws_atomic_do(lanes, step, mask, WS_ATOMIC_ADD))
WS_ATOMIC(min, ws_atomic_do(lanes, step, mask, WS_ATOMIC_MIN))
WS_ATOMIC(max, ws_atomic_do(lanes, step, mask, WS_ATOMIC_MAX))
WS_ATOMIC(inc, ws_atomic_do(lanes, step, mask, WS_ATOMIC_INC))
WS_ATOMIC(dec, ws_atomic_do(lanes, step, mask, WS_ATOMIC_DEC))
WS_ATOMIC(exch, ws_atomic_do(lanes, step, mask, WS_ATOMIC_EXCH))
WS_ATOMIC(cas, ws_atomic_do(lanes, step, mask, WS_ATOMIC_CAS))
WS_ATOMIC(logic, ws_atomic_do(lanes, step, mask, WS_ATOMIC_LOGIC))
WS_ATOMIC(exch_wide, ws_atomic_wide(lanes, step, mask, NULL))
WS_ATOMIC(cas_wide, ws_atomic_wide(lanes, step, mask, ws_row(lanes, step->s[WS_S_SWAP])))
#undef WS_ATOMIC

/* clang-format off */
#define WS_MEANINGS_ATOMIC(X) X(ATOM_ADD, atom_add, SCALAR, ATOMIC) X(ATOM_MIN, atom_min, SCALAR, ATOMIC)              \
    X(ATOM_MAX, atom_max, SCALAR, ATOMIC) X(ATOM_INC, atom_inc, SCALAR, ATOMIC) X(ATOM_DEC, atom_dec, SCALAR, ATOMIC)  \
    X(ATOM_EXCH, atom_exch, SCALAR, EXCHANGE) X(ATOM_CAS, atom_cas, SCALAR, SWAP)                                      \
    X(ATOM_LOGIC, atom_logic, SCALAR, ATOMIC) X(ATOM_EXCH_WIDE, atom_exch_wide, SCALAR, EXCHANGE)                      \
    X(ATOM_CAS_WIDE, atom_cas_wide, SCALAR, SWAP)
/* clang-format on */

#endif
