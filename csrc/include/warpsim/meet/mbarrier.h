/* mbarrier objects: 64 bits of shared memory in an encoding of our own.
 *
 *     bits 0-19 pending arrivals   20-39 expected ones   40-60 bytes still to come, signed
 *     61 and 62: 1 and 0 in an object that init made   63 parity of the phase
 *
 * A phase ends when no arrival and no byte is pending. Waits answer at once, so a lane that must wait spins; other
 * warps have a turn each time.
 *
 * Source: "mbarrier" of the PTX ISA. */
#ifndef WARPSIM_MEET_MBARRIER_H
#define WARPSIM_MEET_MBARRIER_H

#include "../run/copies.h"
#include "../run/system.h"

enum { WS_MBARRIER_COUNT = 0xfffff, WS_MBARRIER_BYTES = 0x1fffff, WS_MBARRIER_MADE = 1, WS_MBARRIER_SIZE = 8 };

typedef struct ws_mbarrier {
    uint32_t pending, expected, bytes, parity;
} ws_mbarrier;

/* What an instruction does to the object, in this order. */
enum {
    WS_MBARRIER_INITS = 1,
    WS_MBARRIER_EXPECTS = 2, /* bytes, as many as the operand says */
    WS_MBARRIER_DROPS = 4,   /* expects fewer arrivals from now on */
    WS_MBARRIER_ARRIVES = 8,
    WS_MBARRIER_RECEIVES = 16, /* bytes */
    WS_MBARRIER_ENDS = 32
};

static inline ws_mbarrier ws_mbarrier_of(uint64_t word) {
    ws_mbarrier barrier;
    barrier.pending = (uint32_t)word & WS_MBARRIER_COUNT;
    barrier.expected = (uint32_t)(word >> 20) & WS_MBARRIER_COUNT;
    barrier.bytes = (uint32_t)(word >> 40) & WS_MBARRIER_BYTES;
    barrier.parity = (uint32_t)(word >> 63);
    return barrier;
}

static inline uint64_t ws_mbarrier_word(const ws_mbarrier *barrier) {
    return (uint64_t)(barrier->pending & WS_MBARRIER_COUNT) | (uint64_t)(barrier->expected & WS_MBARRIER_COUNT) << 20 |
           (uint64_t)(barrier->bytes & WS_MBARRIER_BYTES) << 40 | (uint64_t)WS_MBARRIER_MADE << 61 |
           (uint64_t)barrier->parity << 63;
}

static inline bool ws_mbarrier_is_made(uint64_t word) { return (word >> 61 & 3) == WS_MBARRIER_MADE; }

/* Are arrivals and bytes in the range that an object has room for? `operand`: as for ws_mbarrier_after. */
static inline bool ws_mbarrier_has_room(uint64_t word, uint32_t does, uint32_t operand) {
    const ws_mbarrier barrier = ws_mbarrier_of(word);
    const uint32_t above = WS_MBARRIER_BYTES - WS_MBARRIER_COUNT; /* bytes from here on are negative */
    const int64_t bytes = (int64_t)barrier.bytes - (barrier.bytes >= above ? (int64_t)WS_MBARRIER_BYTES + 1 : 0);
    if (does & WS_MBARRIER_INITS) return operand - 1 < WS_MBARRIER_COUNT;
    if ((does & WS_MBARRIER_EXPECTS) && bytes + operand > WS_MBARRIER_COUNT) return false;
    if ((does & WS_MBARRIER_RECEIVES) && bytes - operand < -(int64_t)WS_MBARRIER_COUNT) return false;
    return !(does & WS_MBARRIER_ARRIVES) || (does & WS_MBARRIER_EXPECTS ? 1 : operand) <= barrier.pending;
}

/* `operand`: bytes if the instruction counts bytes, else arrivals. */
static inline uint64_t ws_mbarrier_after(uint64_t word, uint32_t does, uint32_t operand) {
    ws_mbarrier barrier = ws_mbarrier_of(word);
    const uint32_t arrivals = does & WS_MBARRIER_EXPECTS ? 1 : operand;
    if (does & WS_MBARRIER_ENDS) return 0;
    if (does & WS_MBARRIER_INITS) {
        barrier.pending = barrier.expected = operand;
        barrier.bytes = barrier.parity = 0;
        return ws_mbarrier_word(&barrier);
    }
    if (does & WS_MBARRIER_EXPECTS) barrier.bytes += operand;
    if (does & WS_MBARRIER_DROPS) barrier.expected -= arrivals;
    if (does & WS_MBARRIER_ARRIVES) barrier.pending -= arrivals;
    if (does & WS_MBARRIER_RECEIVES) barrier.bytes -= operand;
    if ((does & (WS_MBARRIER_ARRIVES | WS_MBARRIER_RECEIVES)) && (barrier.pending & WS_MBARRIER_COUNT) == 0 &&
        (barrier.bytes & WS_MBARRIER_BYTES) == 0) {
        barrier.pending = barrier.expected;
        barrier.parity ^= 1;
    }
    return ws_mbarrier_word(&barrier);
}

/* Bytes that are under way to the object may come at any time: now, if somebody cannot do without them. */
static inline bool ws_mbarrier_lands(ws_lanes *lanes, const ws_piece *piece, int lane, uint64_t *word) {
    ws_block *own = ws_block_of(lanes), *owner = own;
    uint32_t rank;
    for (rank = 0; rank < ws_block_peers(own); rank++) {
        if (ws_block_peer(own, rank)->shared == piece->bytes) owner = ws_block_peer(own, rank);
    }
    if (owner->land == NULL || !owner->land(owner, piece->offset[lane])) return false;
    *word = ws_load_u64(piece->bytes + piece->offset[lane]);
    return true;
}

/* The object's word; false: it is not one, and the launch ends. */
static inline bool ws_mbarrier_read(ws_lanes *lanes, const ws_step *step, const ws_piece *piece, int lane,
                                    uint64_t *word) {
    *word = ws_load_u64(piece->bytes + piece->offset[lane]);
    if (ws_mbarrier_is_made(*word)) return true;
    ws_stop_at(lanes, step, WS_RUN_NO_OBJECT, UINT32_C(1) << lane);
    return false;
}

static inline void ws_mbarrier_update(ws_lanes *lanes, const ws_step *step, uint32_t mask, uint32_t does) {
    const uint32_t *operand = step->s[WS_S_COUNT] == WS_NONE ? NULL : ws_row(lanes, step->s[WS_S_COUNT]);
    uint32_t *d = step->d[0] == WS_NONE ? NULL : ws_row(lanes, step->d[0]);
    ws_reach reach;
    ws_piece piece;
    int lane;
    ws_reach_make(&reach, lanes, step, WS_S_ADDRESS, mask);
    if (!ws_reach_begin(&reach, lanes, step, 8, true)) return;
    while (ws_next_piece(&piece, &reach, lanes, step)) {
        for (lane = 0; lane < WS_LANES; lane++) {
            const uint32_t count = operand == NULL ? 1 : operand[lane];
            uint64_t word = 0;
            if (!(piece.mask >> lane & 1)) continue;
            if (does != WS_MBARRIER_INITS && !ws_mbarrier_read(lanes, step, &piece, lane, &word)) return;
            if (!ws_mbarrier_has_room(word, does, count) &&
                !(ws_mbarrier_lands(lanes, &piece, lane, &word) && ws_mbarrier_has_room(word, does, count))) {
                ws_stop_at(lanes, step, WS_RUN_MBARRIER_COUNT, UINT32_C(1) << lane);
                return;
            }
            ws_store_u64(piece.bytes + piece.offset[lane], ws_mbarrier_after(word, does, count));
            if (d == NULL) continue;
            d[lane] = (uint32_t)word;
            d[lane + WS_LANES] = (uint32_t)(word >> 32);
        }
    }
}

/* Has the phase of each lane's operand ended? Sources: address; a state, or the parity of the phase (is_state false). */
static inline void ws_mbarrier_test(ws_lanes *lanes, const ws_step *step, uint32_t mask, bool is_state) {
    const uint32_t *phase = ws_row(lanes, step->s[WS_S_PHASE]) + (is_state ? WS_LANES : 0);
    ws_reach reach;
    ws_piece piece;
    uint32_t ended = 0;
    int lane;
    ws_reach_make(&reach, lanes, step, WS_S_ADDRESS, mask);
    if (!ws_reach_begin(&reach, lanes, step, 8, false)) return;
    while (ws_next_piece(&piece, &reach, lanes, step)) {
        for (lane = 0; lane < WS_LANES; lane++) {
            const uint32_t parity = is_state ? phase[lane] >> 31 : phase[lane] & 1;
            uint64_t word;
            if (!(piece.mask >> lane & 1)) continue;
            if (!ws_mbarrier_read(lanes, step, &piece, lane, &word)) return;
            if (ws_mbarrier_of(word).parity == parity) (void)ws_mbarrier_lands(lanes, &piece, lane, &word);
            ended |= (uint32_t)(ws_mbarrier_of(word).parity != parity) << lane;
        }
    }
    if (lanes->event == WS_ASKS_STOP) return;
    ws_predicate_set(lanes, step->d[0], ended, mask);
    if (ended == mask) return;
    ws_warp_of(lanes)->waits_at = step->statement;
    ws_warp_of(lanes)->waits_for = (uint32_t)reach.address[ws_first_lane(mask & ~ended)];
    ws_warp_yield(ws_warp_of(lanes), ws_step_pc(ws_block_of(lanes), step) + 1);
}

static inline void ws_do_mbarrier_pending_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    const uint32_t *state = ws_row(lanes, step->s[WS_S_STATE]);
    uint32_t *d = ws_row(lanes, step->d[0]);
    int lane;
    for (lane = 0; lane < WS_LANES; lane++) {
        if (mask >> lane & 1) d[lane] = state[lane] & WS_MBARRIER_COUNT;
    }
}

/* cp.async.mbarrier.arrive: the lanes' copies arrive, and then the lanes. Without .noinc one arrival more is expected. */
static inline void ws_do_cp_arrive_noinc_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    ws_flights_land(ws_warp_of(lanes), mask, 0, true);
    ws_mbarrier_update(lanes, step, mask, WS_MBARRIER_ARRIVES);
}

static inline void ws_do_cp_arrive_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    ws_flights_land(ws_warp_of(lanes), mask, 0, true);
    ws_mbarrier_update(lanes, step, mask, 0);
}

#define WS_MBARRIER(name, call)                                                                                        \
    static inline void ws_do_mbarrier_##name##_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) { call; }
WS_MBARRIER(init, ws_mbarrier_update(lanes, step, mask, WS_MBARRIER_INITS))
WS_MBARRIER(inval, ws_mbarrier_update(lanes, step, mask, WS_MBARRIER_ENDS))
WS_MBARRIER(arrive, ws_mbarrier_update(lanes, step, mask, WS_MBARRIER_ARRIVES))
WS_MBARRIER(arrive_tx, ws_mbarrier_update(lanes, step, mask, WS_MBARRIER_ARRIVES | WS_MBARRIER_EXPECTS))
WS_MBARRIER(drop, ws_mbarrier_update(lanes, step, mask, WS_MBARRIER_ARRIVES | WS_MBARRIER_DROPS))
WS_MBARRIER(drop_tx,
            ws_mbarrier_update(lanes, step, mask, WS_MBARRIER_ARRIVES | WS_MBARRIER_DROPS | WS_MBARRIER_EXPECTS))
WS_MBARRIER(expect_tx, ws_mbarrier_update(lanes, step, mask, WS_MBARRIER_EXPECTS))
WS_MBARRIER(complete_tx, ws_mbarrier_update(lanes, step, mask, WS_MBARRIER_RECEIVES))
WS_MBARRIER(test, ws_mbarrier_test(lanes, step, mask, true))
WS_MBARRIER(test_parity, ws_mbarrier_test(lanes, step, mask, false))
#undef WS_MBARRIER

/* clang-format off */
#define WS_MEANINGS_MBARRIER(X) X(MBARRIER_INIT, mbarrier_init, SCALAR, OBJECT_INIT)                                   \
    X(MBARRIER_INVAL, mbarrier_inval, SCALAR, OBJECT_END) X(MBARRIER_ARRIVE, mbarrier_arrive, SCALAR, OBJECT_ARRIVE)   \
    X(MBARRIER_ARRIVE_TX, mbarrier_arrive_tx, SCALAR, OBJECT_ARRIVE)                                                   \
    X(MBARRIER_DROP, mbarrier_drop, SCALAR, OBJECT_ARRIVE)                                                             \
    X(MBARRIER_DROP_TX, mbarrier_drop_tx, SCALAR, OBJECT_ARRIVE)                                                       \
    X(MBARRIER_EXPECT_TX, mbarrier_expect_tx, SCALAR, OBJECT_ARRIVE)                                                   \
    X(MBARRIER_COMPLETE_TX, mbarrier_complete_tx, SCALAR, OBJECT_ARRIVE)                                               \
    X(MBARRIER_TEST, mbarrier_test, SCALAR, OBJECT_TEST)                                                               \
    X(MBARRIER_TEST_PARITY, mbarrier_test_parity, SCALAR, OBJECT_TEST_PARITY)                                          \
    X(MBARRIER_PENDING, mbarrier_pending, SCALAR, NONE) X(CP_ARRIVE, cp_arrive, SCALAR, OBJECT_COPIES)                 \
    X(CP_ARRIVE_NOINC, cp_arrive_noinc, SCALAR, OBJECT_COPIES)
/* clang-format on */

#endif
