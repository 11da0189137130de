/* st.async and red.async: a store or a reduction in the shared memory of a block of the cluster, whose bytes an mbarrier
 * object of the same block counts.
 *
 *     s 0: where   list: values   s 2: the object   s 3: bytes        here the bytes are there at once
 *
 * Source: "Data Movement and Conversion Instructions: st.async" and "red.async" of the PTX ISA. */
#ifndef WARPSIM_CLUSTER_ASYNC_H
#define WARPSIM_CLUSTER_ASYNC_H

#include "../run/atomic.h"
#include "../meet/mbarrier.h"
#include "../run/memory.h"

/* Signals the mbarrier object that the bytes have arrived. */
static inline void ws_async_signal(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    ws_step signal = *step;
    signal.s[WS_S_ADDRESS] = step->s[WS_S_OBJECT];
    signal.s[WS_S_COUNT] = step->s[WS_S_BYTES];
    signal.immediate = 0;
    if (lanes->event != WS_ASKS_STOP) ws_mbarrier_update(lanes, &signal, mask, WS_MBARRIER_RECEIVES);
}

static inline void ws_do_st_async_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    ws_do_st_portable(lanes, step, mask);
    ws_async_signal(lanes, step, mask);
}

static inline void ws_red_async(ws_lanes *lanes, const ws_step *step, uint32_t mask, ws_atomic_op op) {
    ws_step plain = *step;
    plain.count = 0;
    ws_atomic_do(lanes, &plain, mask, op);
    ws_async_signal(lanes, step, mask);
}

#define WS_RED_ASYNC(name, op)                                                                                         \
    static inline void ws_do_red_async_##name##_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {            \
        ws_red_async(lanes, step, mask, op);                                                                           \
    }
WS_RED_ASYNC(add, WS_ATOMIC_ADD)
WS_RED_ASYNC(min, WS_ATOMIC_MIN)
WS_RED_ASYNC(max, WS_ATOMIC_MAX)
WS_RED_ASYNC(inc, WS_ATOMIC_INC)
WS_RED_ASYNC(dec, WS_ATOMIC_DEC)
WS_RED_ASYNC(logic, WS_ATOMIC_LOGIC)
#undef WS_RED_ASYNC

/* clang-format off */
#define WS_MEANINGS_CLUSTER_ASYNC(X) X(ST_ASYNC, st_async, SCALAR, ASYNC_STORE)                                        \
    X(RED_ASYNC_ADD, red_async_add, SCALAR, ASYNC_REDUCE) X(RED_ASYNC_MIN, red_async_min, SCALAR, ASYNC_REDUCE)        \
    X(RED_ASYNC_MAX, red_async_max, SCALAR, ASYNC_REDUCE) X(RED_ASYNC_INC, red_async_inc, SCALAR, ASYNC_REDUCE)        \
    X(RED_ASYNC_DEC, red_async_dec, SCALAR, ASYNC_REDUCE) X(RED_ASYNC_LOGIC, red_async_logic, SCALAR, ASYNC_REDUCE)
/* clang-format on */

#endif
