/* clusterlaunchcontrol: a cluster asks for the place of one that has not started. Here none is ever given up: each request
 * fails, as it may on hardware at any time. Not measured: it needs sm_100.
 *
 *     response, 16 bytes     word 0: was a cluster cancelled?    words 1 to 3: the index of its first block
 *
 * Source: "Parallel Synchronization and Communication Instructions: clusterlaunchcontrol" of the PTX ISA. */
#ifndef WARPSIM_CLUSTER_CANCEL_H
#define WARPSIM_CLUSTER_CANCEL_H

#include "../base/apart.h"
#include "../meet/mbarrier.h"

enum { WS_CANCEL_BYTES = 16 };

/* Bytes have arrived in the shared memory of a block: its object at an offset hears of it. False: it has no such object,
 * and the launch ends. */
static inline bool ws_object_receives(ws_lanes *lanes, const ws_step *step, int lane, ws_block *owner, uint32_t offset,
                                      uint32_t nbytes) {
    uint8_t *bytes = owner->shared + offset;
    if (offset % 8 != 0 || (uint64_t)offset + 8 > owner->launch->shared_bytes ||
        !ws_mbarrier_is_made(ws_load_u64(bytes))) {
        ws_stop_at(lanes, step, WS_RUN_NO_OBJECT, UINT32_C(1) << lane);
        return false;
    }
    ws_store_u64(bytes, ws_mbarrier_after(ws_load_u64(bytes), WS_MBARRIER_RECEIVES, nbytes));
    return true;
}

/* count 1: likewise in every block of the cluster. */
WS_ONCE void ws_do_try_cancel_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    ws_block *block = ws_block_of(lanes);
    const uint32_t *object = ws_row(lanes, step->s[WS_S_OBJECT]), most = step->count != 0 ? ws_block_peers(block) : 1;
    ws_reach reach;
    ws_piece piece;
    uint32_t rank, i;
    int lane;
    ws_reach_make(&reach, lanes, step, WS_S_ADDRESS, mask);
    if (!ws_reach_begin(&reach, lanes, step, WS_CANCEL_BYTES, true)) return;
    while (ws_next_piece(&piece, &reach, lanes, step)) {
        if (piece.bytes != block->shared) {
            ws_reach_fault(&reach, lanes, step, WS_RUN_BOUNDS, piece.mask);
            return;
        }
        for (lane = 0; lane < WS_LANES; lane++) {
            if (!(piece.mask >> lane & 1) || piece.space != WS_AT_SHARED) continue;
            for (rank = 0; rank < most; rank++) {
                ws_block *owner = step->count != 0 ? ws_block_peer(block, rank) : block;
                const uint32_t at = object[lane] & ((UINT32_C(1) << WS_RANK_SHIFT) - 1);
                for (i = 0; i < WS_CANCEL_BYTES; i++) owner->shared[piece.offset[lane] + i] = 0;
                if (!ws_object_receives(lanes, step, lane, owner, at, WS_CANCEL_BYTES)) return;
            }
        }
    }
}

static inline void ws_do_is_canceled_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    const uint32_t *response = ws_row(lanes, step->s[WS_S_GIVEN]);
    uint32_t truth = 0;
    int lane;
    for (lane = 0; lane < WS_LANES; lane++) truth |= (response[lane] & 1) << lane;
    ws_predicate_set(lanes, step->d[0], truth, mask);
}

/* list: x, y, z and one more; or d alone: the axis in `immediate`. */
static inline void ws_do_first_ctaid_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    const uint32_t *response = ws_row(lanes, step->s[WS_S_GIVEN]);
    uint32_t i;
    int lane;
    for (i = 0; i < (step->count != 0 ? step->count : 1u); i++) {
        const uint32_t word = step->count != 0 ? i + 1 : 1 + (uint32_t)step->immediate;
        uint32_t *d = ws_row(lanes, step->count != 0 ? lanes->list[step->list + i] : step->d[0]);
        for (lane = 0; lane < WS_LANES; lane++) {
            if (mask >> lane & 1) d[lane] = word < 4 ? response[word * WS_LANES + (uint32_t)lane] : 0;
        }
    }
}

/* clang-format off */
#define WS_MEANINGS_CANCEL(X) X(TRY_CANCEL, try_cancel, SCALAR, ASYNC_CANCEL)                                          \
    X(IS_CANCELED, is_canceled, SCALAR, NONE) X(FIRST_CTAID, first_ctaid, SCALAR, NONE)
/* clang-format on */

#endif
