/* Lanes of a warp that exchange values: shfl, vote, match, redux, elect, activemask; bar.warp.sync waits alone.
 *
 * Who exchanges is in members.h. A source lane that is absent gives shfl 0, as on the H200.
 *
 * Source: "shfl.sync, vote.sync, match.sync, redux.sync, elect.sync, activemask, bar.warp.sync" of the PTX ISA. */
#ifndef WARPSIM_MEET_EXCHANGE_H
#define WARPSIM_MEET_EXCHANGE_H

#include "../number/order.h"
#include "members.h"

/* The same value in each lane of a mask. */
static inline void ws_row_fill(ws_lanes *lanes, uint32_t reference, uint32_t value, uint32_t mask) {
    uint32_t *row = ws_row(lanes, reference);
    int lane;
    for (lane = 0; lane < WS_LANES; lane++) {
        if (mask >> lane & 1) row[lane] = value;
    }
}

#define WS_EXCHANGE(name, call)                                                                                        \
    static inline void ws_do_##name##_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) { call; }

typedef enum ws_shfl_mode { WS_SHFL_UP, WS_SHFL_DOWN, WS_SHFL_BFLY, WS_SHFL_IDX } ws_shfl_mode;

/* The lane that a lane reads, or -1: out of its segment. */
static inline int ws_shfl_lane(ws_shfl_mode mode, int lane, uint32_t b, uint32_t c) {
    const int segment = (int)(c >> 8 & 31), distance = (int)(b & 31);
    const int bound = (lane & segment) | ((int)(c & 31) & ~segment);
    const int from = mode == WS_SHFL_UP     ? lane - distance
                     : mode == WS_SHFL_DOWN ? lane + distance
                     : mode == WS_SHFL_BFLY ? lane ^ distance
                                            : (lane & segment) | (distance & ~segment);
    return (mode == WS_SHFL_UP ? from >= bound : from <= bound) ? from : -1;
}

static inline void ws_shfl(ws_lanes *lanes, const ws_step *step, uint32_t mask, ws_shfl_mode mode) {
    ws_sets sets = ws_sets_make(lanes, step, WS_MEMBERS_S3, mask, WS_GIVES_ROW);
    const uint32_t *b = ws_row(lanes, step->s[WS_S_FROM]), *c = ws_row(lanes, step->s[WS_S_BOUND]);
    const uint32_t *const bits = ws_lane_bits();
    uint32_t *d = ws_row(lanes, step->d[0]), out[WS_LANES], found = 0, done = 0;
    int from[WS_LANES], lane;
    for (lane = 0; lane < WS_LANES; lane++) {
        const int in_range = ws_shfl_lane(mode, lane, b[lane], c[lane]);
        from[lane] = in_range < 0 ? lane : in_range & 31;
        found |= (0u - (uint32_t)(in_range >= 0)) & bits[lane];
    }
    while (ws_sets_next(&sets)) {
        done |= sets.same;
        for (lane = 0; lane < WS_LANES; lane++) {
            if (sets.same >> lane & 1) out[lane] = sets.met >> from[lane] & 1 ? sets.given[0][from[lane]] : 0;
        }
    }
    for (lane = 0; lane < WS_LANES; lane++) {
        if (done >> lane & 1) d[lane] = out[lane];
    }
    ws_predicate_set(lanes, step->d[1], found, done);
}

WS_EXCHANGE(shfl_up, ws_shfl(lanes, step, mask, WS_SHFL_UP))
WS_EXCHANGE(shfl_down, ws_shfl(lanes, step, mask, WS_SHFL_DOWN))
WS_EXCHANGE(shfl_bfly, ws_shfl(lanes, step, mask, WS_SHFL_BFLY))
WS_EXCHANGE(shfl_idx, ws_shfl(lanes, step, mask, WS_SHFL_IDX))

typedef enum ws_vote_mode { WS_VOTE_ALL, WS_VOTE_ANY, WS_VOTE_UNI } ws_vote_mode;

static inline void ws_vote(ws_lanes *lanes, const ws_step *step, uint32_t mask, ws_vote_mode mode) {
    ws_sets sets = ws_sets_make(lanes, step, WS_MEMBERS_S1, mask, WS_GIVES_PREDICATE);
    while (ws_sets_next(&sets)) {
        const uint32_t yes = sets.holds & sets.met;
        const bool all = yes == sets.met, any = yes != 0;
        const bool result = mode == WS_VOTE_ALL ? all : mode == WS_VOTE_ANY ? any : all || !any;
        ws_predicate_set(lanes, step->d[0], 0u - (uint32_t)result, sets.same);
    }
}

WS_EXCHANGE(vote_all, ws_vote(lanes, step, mask, WS_VOTE_ALL))
WS_EXCHANGE(vote_any, ws_vote(lanes, step, mask, WS_VOTE_ANY))
WS_EXCHANGE(vote_uni, ws_vote(lanes, step, mask, WS_VOTE_UNI))
static inline void ws_do_vote_ballot_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    ws_sets sets = ws_sets_make(lanes, step, WS_MEMBERS_S1, mask, WS_GIVES_PREDICATE);
    while (ws_sets_next(&sets)) ws_row_fill(lanes, step->d[0], sets.holds & sets.met, sets.same);
}

/* Lanes of a set with the value of its lowest one. */
static inline uint32_t ws_match_first(const ws_sets *sets, uint32_t mask) {
    const uint32_t same = ws_lanes_like_first(sets->given[0], mask);
    return sets->given[1] != NULL ? ws_lanes_like_first(sets->given[1], same) : same;
}

static inline ws_sets ws_match_make(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    const bool is_wide = ws_type_bits(step->type) == 64;
    ws_sets sets = ws_sets_make(lanes, step, WS_MEMBERS_S1, mask, is_wide ? WS_GIVES_PAIR : WS_GIVES_ROW);
    if (!is_wide) sets.given[1] = NULL;
    return sets;
}

static inline void ws_do_match_any_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    ws_sets sets = ws_match_make(lanes, step, mask);
    uint32_t out[WS_LANES], done = 0, *d = ws_row(lanes, step->d[0]);
    int lane;
    while (ws_sets_next(&sets)) {
        uint32_t left = sets.met;
        done |= sets.same;
        while (left != 0) {
            const uint32_t same = ws_match_first(&sets, left);
            for (lane = 0; lane < WS_LANES; lane++) {
                if (same >> lane & 1) out[lane] = same;
            }
            left &= ~same;
        }
    }
    for (lane = 0; lane < WS_LANES; lane++) {
        if (done >> lane & 1) d[lane] = out[lane];
    }
}

static inline void ws_do_match_all_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    ws_sets sets = ws_match_make(lanes, step, mask);
    while (ws_sets_next(&sets)) {
        const bool all = ws_match_first(&sets, sets.met) == sets.met;
        ws_row_fill(lanes, step->d[0], all ? sets.met : 0, sets.same);
        ws_predicate_set(lanes, step->d[1], all ? WS_ALL_LANES : 0, sets.same);
    }
}

typedef enum ws_redux_op { WS_REDUX_ADD, WS_REDUX_MIN, WS_REDUX_MAX, WS_REDUX_LOGIC } ws_redux_op;

static inline uint32_t ws_redux_two(const ws_step *step, ws_redux_op op, uint32_t a, uint32_t b) {
    const uint32_t how = step->how & WS_HOW_COMBINE, flip = step->type == WS_TYPE_S32 ? UINT32_C(0x80000000) : 0;
    if (op == WS_REDUX_ADD) return a + b;
    if (op == WS_REDUX_LOGIC) return how == WS_HOW_AND ? a & b : how == WS_HOW_OR ? a | b : a ^ b;
    if (step->type == WS_TYPE_F32) return ws_choose3(WS_FORMAT_F32, a, b, b, step->how, op == WS_REDUX_MAX);
    return ((a ^ flip) < (b ^ flip)) == (op == WS_REDUX_MIN) ? a : b;
}

static inline void ws_redux(ws_lanes *lanes, const ws_step *step, uint32_t mask, ws_redux_op op) {
    ws_sets sets = ws_sets_make(lanes, step, WS_MEMBERS_S1, mask, WS_GIVES_ROW);
    while (ws_sets_next(&sets)) {
        const int first = ws_first_lane(sets.met);
        const uint32_t *a = sets.given[0];
        const bool is_float = step->type == WS_TYPE_F32;
        uint32_t result = is_float ? ws_redux_two(step, op, a[first], a[first]) : a[first];
        int lane;
        for (lane = first + 1; lane < WS_LANES; lane++) {
            if (sets.met >> lane & 1) result = ws_redux_two(step, op, result, a[lane]);
        }
        ws_row_fill(lanes, step->d[0], result, sets.same);
    }
}

WS_EXCHANGE(redux_add, ws_redux(lanes, step, mask, WS_REDUX_ADD))
WS_EXCHANGE(redux_min, ws_redux(lanes, step, mask, WS_REDUX_MIN))
WS_EXCHANGE(redux_max, ws_redux(lanes, step, mask, WS_REDUX_MAX))
WS_EXCHANGE(redux_logic, ws_redux(lanes, step, mask, WS_REDUX_LOGIC))

static inline void ws_do_activemask_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    ws_row_fill(lanes, step->d[0], mask, mask);
}

static inline void ws_do_elect_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    ws_sets sets = ws_sets_make(lanes, step, WS_MEMBERS_S0, mask, WS_GIVES_NOTHING);
    while (ws_sets_next(&sets)) {
        const int first = ws_first_lane(sets.met);
        ws_row_fill(lanes, step->d[0], (uint32_t)first, sets.same);
        ws_predicate_set(lanes, step->d[1], UINT32_C(1) << first, sets.same);
    }
}

static inline void ws_do_warp_sync_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    uint32_t met;
    ws_members_meet(lanes, step, ws_row(lanes, step->s[WS_MEMBERS_S0]), mask, WS_GIVES_NOTHING, &met);
}

/* clang-format off */
#define WS_MEANINGS_EXCHANGE(X) X(SHFL_UP, shfl_up, SCALAR, MEMBERS_S3) X(SHFL_DOWN, shfl_down, SCALAR, MEMBERS_S3)    \
    X(SHFL_BFLY, shfl_bfly, SCALAR, MEMBERS_S3) X(SHFL_IDX, shfl_idx, SCALAR, MEMBERS_S3)                              \
    X(VOTE_ALL, vote_all, SCALAR, MEMBERS_S1) X(VOTE_ANY, vote_any, SCALAR, MEMBERS_S1)                                \
    X(VOTE_UNI, vote_uni, SCALAR, MEMBERS_S1) X(VOTE_BALLOT, vote_ballot, SCALAR, MEMBERS_S1)                          \
    X(MATCH_ANY, match_any, SCALAR, MEMBERS_S1) X(MATCH_ALL, match_all, SCALAR, MEMBERS_S1)                            \
    X(REDUX_ADD, redux_add, SCALAR, MEMBERS_S1) X(REDUX_MIN, redux_min, SCALAR, MEMBERS_S1)                            \
    X(REDUX_MAX, redux_max, SCALAR, MEMBERS_S1) X(REDUX_LOGIC, redux_logic, SCALAR, MEMBERS_S1)                        \
    X(ACTIVEMASK, activemask, SCALAR, NONE) X(ELECT, elect, SCALAR, MEMBERS_S0)                                        \
    X(WARP_SYNC, warp_sync, SCALAR, WARP_BARRIER)
/* clang-format on */

#endif
