/* st.async and red.async: bytes that arrive when an mbarrier object says so. The thread that sent them knows of them no
 * earlier than those who wait for the object. */
#ifndef WARPSIM_CHECK_ASYNC_H
#define WARPSIM_CHECK_ASYNC_H

#include "access.h"

#if WS_BODIES

/* The objects that lanes name: their phases may have ended; `object`: their offsets. Returns the lanes that have one. */
static inline uint32_t ws_async_objects(ws_check *check, ws_lanes *lanes, const ws_step *step, uint32_t mask,
                                        uint32_t object[WS_LANES]) {
    ws_block *block = ws_block_of(lanes);
    ws_step signal = *step;
    ws_reach reach;
    uint32_t left, own;
    const ws_pass pass = ws_check_pass(check, lanes, step, ws_step_pc(block, step), mask);
    signal.s[WS_S_ADDRESS] = step->s[WS_S_OBJECT];
    signal.immediate = 0;
    ws_reach_make(&reach, lanes, &signal, WS_S_ADDRESS, mask);
    own = ws_watch_split(block, &signal, &reach, mask, object);
    mask &= ws_check_cluster(check, block, &signal, &reach, mask, own, object);
    mask = ws_check_inside(check, block, object, mask, 8, 8);
    for (left = mask; left != 0; left &= left - 1) {
        const uint32_t offset = object[ws_first_lane(left)];
        const uint64_t word = ws_load_u64(pass.memory + offset);
        ws_objects_see(check, ws_objects_at(check, offset, ws_mbarrier_of(word).parity), word);
    }
    return mask;
}

/* The phase of a lane's object that counts its bytes, after those of earlier lanes. */
static inline uint32_t ws_async_parity(const ws_pass *pass, const uint32_t object[WS_LANES], uint32_t before,
                                       int lane) {
    uint64_t word = ws_load_u64(pass->memory + object[lane]);
    for (; before != 0; before &= before - 1) {
        if (object[ws_first_lane(before)] != object[lane]) continue;
        word = ws_mbarrier_after(word, WS_MBARRIER_RECEIVES, pass->nbytes);
    }
    return ws_mbarrier_of(word).parity;
}

/* Lanes send bytes to places of the cluster's shared memory, which objects count. */
static inline void ws_async_write(ws_check *check, const ws_warp *warp, ws_pass *pass, const uint32_t offset[WS_LANES],
                                  const uint32_t object[WS_LANES], uint32_t mask) {
    uint32_t left;
    ws_check_shared(check, warp->block, pass, offset, mask);
    for (left = pass->mask; left != 0; left &= left - 1) {
        const int lane = ws_first_lane(left);
        const ws_awaited one = {object[lane],
                                offset[lane],
                                pass->nbytes,
                                warp->place * WS_LANES + (uint32_t)lane,
                                ws_async_parity(pass, object, pass->mask & ((UINT32_C(1) << lane) - 1), lane),
                                0,
                                false};
        ws_objects_await(check, &one);
    }
}

/* The same place in the next block. */
static inline uint32_t ws_async_next(const ws_check *check, uint32_t offset) {
    return (offset + check->judge.stride) % (check->judge.stride * check->judge.clock.ranks);
}

static inline void ws_check_async(ws_check *check, ws_lanes *lanes, const ws_step *step, uint32_t number,
                                  uint32_t mask) {
    const ws_warp *warp = ws_warp_of(lanes);
    const uint32_t nbytes = ws_row(lanes, step->s[WS_S_BYTES])[0];
    uint32_t offset[WS_LANES], object[WS_LANES], own, left, i;
    ws_reach reach;
    ws_pass pass;
    const uint32_t known = ws_async_objects(check, lanes, step, mask, object);
    pass = ws_check_pass(check, lanes, step, number, mask);
    pass.nbytes = pass.alignment = nbytes;
    if (!check->steps[number].is_atomic) pass.who |= WS_WHO_COPY;
    ws_reach_make(&reach, lanes, step, WS_S_ADDRESS, mask);
    own = ws_watch_split(warp->block, step, &reach, mask, offset);
    mask &= ws_check_cluster(check, warp->block, step, &reach, mask, own, offset);
    ws_async_write(check, warp, &pass, offset, object, mask & known);
    if (check->steps[number].event != WS_EVENT_ASYNC_CANCEL || step->count == 0) return;
    for (i = 1; i < check->judge.clock.ranks; i++) { /* likewise in the other blocks */
        for (left = mask; left != 0; left &= left - 1) {
            const int lane = ws_first_lane(left);
            offset[lane] = ws_async_next(check, offset[lane]);
            object[lane] = ws_async_next(check, object[lane]);
        }
        ws_async_write(check, warp, &pass, offset, object, mask & known);
    }
}

#endif /* WS_BODIES */
#endif
