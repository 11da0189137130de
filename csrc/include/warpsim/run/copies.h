/* cp.async: bytes are read from global memory at once and arrive in shared memory as late as PTX allows, at the wait that
 * covers them. Who reads them earlier sees what was there before.
 *
 * Those under way lie in a ring of the warp; when it is full the oldest arrives.
 *
 * Source: "Asynchronous copy: cp.async, cp.async.commit_group, cp.async.wait_group" of the PTX ISA. */
#ifndef WARPSIM_RUN_COPIES_H
#define WARPSIM_RUN_COPIES_H

#include "control.h"

enum { WS_COPY_BYTES = 16 /* at most, of a lane */ };

/* `number` is less than the ring holds. */
static inline ws_flight *ws_flight_at(const ws_warp *warp, uint32_t number) {
    const uint32_t at = warp->first_flight + number;
    return &warp->flights[at < warp->flight_capacity ? at : at - warp->flight_capacity];
}

/* At most 16 bytes; that many at once, since most copies are such. */
static inline void ws_copy_bytes(uint8_t *to, const uint8_t *from, uint32_t nbytes) {
    uint32_t i;
    if (nbytes == WS_COPY_BYTES) {
        for (i = 0; i < WS_COPY_BYTES; i += 4) ws_store_u32(to + i, ws_load_u32(from + i));
    } else {
        for (i = 0; i < nbytes; i++) to[i] = from[i];
    }
}

static inline void ws_flight_land(const ws_warp *warp, ws_flight *flight) {
    ws_copy_bytes(warp->block->shared + flight->to, flight->bytes, flight->nbytes);
    flight->nbytes = 0;
}

/* Forgets the oldest ones that have landed. */
static inline void ws_flights_pop(ws_warp *warp) {
    while (warp->flight_count > 0 && ws_flight_at(warp, 0)->nbytes == 0) {
        warp->first_flight = warp->first_flight + 1 < warp->flight_capacity ? warp->first_flight + 1 : 0;
        warp->flight_count--;
    }
}

/* Does it land when the lanes of the mask wait for all but their `kept` latest groups? `open`: what is in no group yet,
 * too. */
static inline bool ws_flight_is_due(const ws_warp *warp, const ws_flight *flight, uint32_t mask, uint32_t kept,
                                    bool open) {
    const uint32_t younger = warp->commits[flight->lane] - flight->group; /* groups from its own on; 0: in none */
    return (mask >> flight->lane & 1) && (younger > kept || open);
}

static inline void ws_flights_land(ws_warp *warp, uint32_t mask, uint32_t kept, bool open) {
    uint32_t i;
    for (i = 0; i < warp->flight_count; i++) {
        ws_flight *flight = ws_flight_at(warp, i);
        if (ws_flight_is_due(warp, flight, mask, kept, open)) ws_flight_land(warp, flight);
    }
    ws_flights_pop(warp);
}

static inline ws_flight *ws_flight_begin(ws_warp *warp) {
    if (warp->flight_count == warp->flight_capacity) {
        ws_flight_land(warp, ws_flight_at(warp, 0));
        ws_flights_pop(warp);
    }
    return ws_flight_at(warp, warp->flight_count++);
}

/* One cp.async while it is read. */
typedef struct ws_copy {
    uint32_t nbytes;
    uint32_t taken[WS_LANES]; /* bytes that each lane reads; the others are zeros */
    uint8_t bytes[(int)WS_LANES * WS_COPY_BYTES];
} ws_copy;

static inline void ws_copy_sizes(ws_copy *copy, const ws_lanes *lanes, const ws_step *step) {
    const uint32_t size = ws_row(lanes, step->s[WS_S_SIZE])[0];
    int lane;
    copy->nbytes = size == 4 || size == 8 ? size : (uint32_t)WS_COPY_BYTES;
    for (lane = 0; lane < WS_LANES; lane++) {
        uint32_t taken = copy->nbytes;
        if (step->s[WS_S_TAKEN] != WS_NONE && step->count == 1) {
            taken = ws_predicate(lanes, step->s[WS_S_TAKEN]) >> lane & 1 ? 0 : taken;
        } else if (step->s[WS_S_TAKEN] != WS_NONE) {
            const uint32_t asked = ws_row(lanes, step->s[WS_S_TAKEN])[lane];
            taken = asked < taken ? asked : taken;
        }
        copy->taken[lane] = taken;
    }
}

/* Reads what lanes want, all those of one number of bytes at a time; false after a fault. */
static inline bool ws_copy_read(ws_copy *copy, ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    ws_step from = *step;
    ws_reach reach;
    ws_piece piece;
    uint32_t left, same, i;
    int lane;
    from.space = WS_AT_GLOBAL;
    for (i = 0; i < sizeof copy->bytes; i++) copy->bytes[i] = 0;
    for (left = mask; left != 0; left &= ~same) {
        const uint32_t taken = copy->taken[ws_first_lane(left)];
        same = ws_lanes_like_first(copy->taken, left);
        if (taken == 0) continue;
        ws_reach_make(&reach, lanes, &from, WS_S_SOURCE, same);
        if (!ws_reach_begin(&reach, lanes, step, copy->nbytes, false)) return false;
        reach.nbytes = taken;
        while (ws_next_piece(&piece, &reach, lanes, step)) {
            for (lane = 0; lane < WS_LANES; lane++) {
                uint8_t *to = copy->bytes + (size_t)lane * WS_COPY_BYTES;
                if (piece.mask >> lane & 1) ws_copy_bytes(to, piece.bytes + piece.offset[lane], taken);
            }
        }
        if (lanes->event == WS_ASKS_STOP) return false;
    }
    return true;
}

/* `list`: the offset of the destination. */
static inline void ws_do_cp_async_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    ws_warp *warp = ws_warp_of(lanes);
    ws_step to = *step, from = *step;
    ws_reach reach, source;
    ws_piece piece;
    ws_copy copy;
    int lane;
    if (mask == 0) return;
    from.space = WS_AT_GLOBAL;
    ws_reach_make(&source, lanes, &from, WS_S_SOURCE, mask);
    to.space = WS_AT_SHARED;
    to.immediate = (int32_t)step->list;
    ws_copy_sizes(&copy, lanes, step);
    ws_reach_make(&reach, lanes, &to, WS_S_ADDRESS, mask);
    if (!ws_reach_begin(&reach, lanes, step, copy.nbytes, true)) return;
    while (ws_next_piece(&piece, &reach, lanes, step)) {
        if (piece.bytes == warp->block->shared) continue;
        ws_reach_fault(&reach, lanes, step, WS_RUN_BOUNDS, piece.mask); /* what is reserved for the system */
    }
    if (lanes->event == WS_ASKS_STOP) return;
    if (!ws_copy_read(&copy, lanes, step, mask)) return;
    for (lane = 0; lane < WS_LANES; lane++) {
        ws_flight *flight;
        if (!(mask >> lane & 1)) continue;
        flight = ws_flight_begin(warp);
        flight->to = piece.offset[lane];
        flight->group = warp->commits[lane];
        flight->lane = (uint8_t)lane;
        flight->nbytes = (uint8_t)copy.nbytes;
        flight->from = source.address[lane];
        flight->taken = (uint8_t)copy.taken[lane];
        flight->step = ws_step_pc(warp->block, step);
        ws_copy_bytes(flight->bytes, copy.bytes + (size_t)lane * WS_COPY_BYTES, copy.nbytes);
    }
}

static inline void ws_do_cp_commit_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    ws_warp *warp = ws_warp_of(lanes);
    int lane;
    (void)step;
    for (lane = 0; lane < WS_LANES; lane++) warp->commits[lane] += mask >> lane & 1;
}

/* immediate: groups that may still be under way. */
static inline void ws_do_cp_wait_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    const uint64_t kept = (uint64_t)step->immediate;
    ws_flights_land(ws_warp_of(lanes), mask, kept < UINT32_MAX ? (uint32_t)kept : UINT32_MAX, false);
}

static inline void ws_do_cp_wait_all_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    (void)step;
    ws_flights_land(ws_warp_of(lanes), mask, 0, true);
}

/* clang-format off */
#define WS_MEANINGS_COPIES(X) X(CP_ASYNC, cp_async, SCALAR, COPY) X(CP_COMMIT, cp_commit, SCALAR, COPY_COMMIT)         \
    X(CP_WAIT, cp_wait, SCALAR, COPY_WAIT) X(CP_WAIT_ALL, cp_wait_all, SCALAR, COPY_WAIT_ALL)
/* clang-format on */

#endif
