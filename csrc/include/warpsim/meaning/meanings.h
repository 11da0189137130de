/* The functions of all meanings by number: those of lanes, then those that know warps, memory and blocks. */
#ifndef WARPSIM_MEANING_MEANINGS_H
#define WARPSIM_MEANING_MEANINGS_H

#include "../bulk/copy.h"
#include "../bulk/replace.h"
#include "../lanes/levels.h"
#include "../cluster/address.h"
#include "../cluster/async.h"
#include "../cluster/cancel.h"
#include "../run/atomic.h"
#include "../meet/barrier.h"
#include "../run/control.h"
#include "../meet/exchange.h"
#include "../run/matrix.h"
#include "../meet/mbarrier.h"
#include "../run/memory.h"
#include "../run/product.h"
#include "../run/system.h"

/* Another step, number `list` of all meanings, that has no exact rule. */
static inline void ws_do_inexact_once(ws_lanes *lanes, const ws_step *step, uint32_t mask);

#define WS_RUN_MEANINGS(X)                                                                                             \
    WS_MEANINGS_MEMORY(X)                                                                                              \
    WS_MEANINGS_CONTROL(X)                                                                                             \
    WS_MEANINGS_MATRIX(X)                                                                                              \
    WS_MEANINGS_PRODUCT(X)                                                                                             \
    X(INEXACT, inexact, SCALAR, NONE)                                                                                  \
    WS_MEANINGS_SYSTEM(X)                                                                                              \
    WS_MEANINGS_BULK(X)                                                                                                \
    WS_MEANINGS_MAP(X)                                                                                                 \
    WS_MEANINGS_CLUSTER(X)                                                                                             \
    WS_MEANINGS_CANCEL(X)                                                                                              \
    WS_MEANINGS_CLUSTER_ASYNC(X)                                                                                       \
    WS_MEANINGS_EXCHANGE(X) WS_MEANINGS_BARRIER(X) WS_MEANINGS_ATOMIC(X) WS_MEANINGS_COPIES(X) WS_MEANINGS_MBARRIER(X)

#define WS_ENUM(NAME, name, kind, event) WS_DO_##NAME,
enum { WS_FIRST_RUN_MEANING = WS_LANE_MEANING_COUNT - 1, WS_RUN_MEANINGS(WS_ENUM) WS_MEANING_COUNT };
#undef WS_ENUM

/* What the decoder itself makes steps of. */
enum {
    WS_DECODE_MOV = WS_MEANING_COUNT,
    WS_DECODE_CVTA,
    WS_DECODE_ISSPACEP,
    WS_DECODE_LOAD,
    WS_DECODE_STORE,
    WS_DECODE_VIDEO,
    WS_DECODE_VIDEO_MAD,
    WS_DECODE_BRANCH,
    WS_DECODE_BRX,
    WS_DECODE_CALL,
    WS_DECODE_RET,
    WS_DECODE_MATRIX,
    WS_DECODE_MMA,
    WS_DECODE_BULK
};

/* The functions of a row: portable (SSE2 has the same), AVX2, AVX-512. */
#if WS_HAS_X86
#define WS_MEANING_VECTOR(name)                                                                                        \
    { ws_do_##name##_portable, ws_do_##name##_portable, ws_do_##name##_avx2, ws_do_##name##_avx512 }
#else
#define WS_MEANING_VECTOR(name)                                                                                        \
    { ws_do_##name##_portable, NULL, NULL, NULL }
#endif
#define WS_MEANING_SCALAR(name)                                                                                        \
    { ws_do_##name##_once, ws_do_##name##_once, ws_do_##name##_once, ws_do_##name##_once }

typedef struct ws_meaning_row {
    ws_lanes_function *at[4]; /* WS_SIMD_PORTABLE .. WS_SIMD_AVX512 */
} ws_meaning_row;

/* level: WS_SIMD_PORTABLE .. WS_SIMD_AVX512. */
static inline ws_lanes_function *ws_meaning_at(int meaning, int level) {
#define WS_RUN_ROW(NAME, name, kind, event) {WS_MEANING_##kind(name)},
    static const ws_meaning_row rows[] = {WS_RUN_MEANINGS(WS_RUN_ROW)};
#undef WS_RUN_ROW
    if (meaning < WS_LANE_MEANING_COUNT) return ws_lanes_at(meaning, level);
    return rows[meaning - WS_LANE_MEANING_COUNT].at[level - WS_SIMD_PORTABLE];
}

/* What a step of a meaning is to those who observe it; of the meanings of lanes, only divisions are anything. */
static inline ws_meant ws_meaning_meant(int meaning, ws_said said) {
#define WS_RUN_ROW(NAME, name, kind, event) WS_EVENT_##event,
    static const uint8_t rows[] = {WS_RUN_MEANINGS(WS_RUN_ROW)};
#undef WS_RUN_ROW
    const bool divides =
        meaning == WS_DO_DIV_32 || meaning == WS_DO_REM_32 || meaning == WS_DO_DIV_64 || meaning == WS_DO_REM_64;
    ws_meant meant;
    meant.meaning = (uint16_t)meaning;
    meant.event = divides ? WS_EVENT_DIVIDE : WS_EVENT_NONE;
    meant.prepares = meaning == WS_DO_CLOCK || meaning == WS_DO_FRAME_ADDRESS || meaning == WS_DO_OFFSET_64;
    meant.is_guess = false;
    meant.said = said;
    if (meaning >= WS_LANE_MEANING_COUNT) meant.event = rows[meaning - WS_LANE_MEANING_COUNT];
    meant.members = (uint8_t)ws_event_members(meant.event);
    return meant;
}

static inline void ws_do_inexact_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    if (mask != 0) ws_ran_inexact(lanes, step);
    ws_meaning_at((int)step->list, ws_simd_level(ws_block_of(lanes)->launch->simd))(lanes, step, mask);
}

#endif
