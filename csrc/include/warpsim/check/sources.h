/* The source of a cp.async is its own until its wait. */
#ifndef WARPSIM_CHECK_SOURCES_H
#define WARPSIM_CHECK_SOURCES_H

#include "../watch/access.h"
#include "../shadow/shadow.h"
#include "../use/state.h"

#if WS_BODIES

/* Lanes write global memory that copies of this block may still read: the source of a cp.async is its own until its wait. */
static inline void ws_check_sources(ws_check *check, const ws_block *block, const ws_pass *pass,
                                    const uint64_t address[WS_LANES], uint32_t place) {
    uint32_t w, i, left;
    for (w = 0; w < block->num_warps; w++) {
        const ws_warp *warp = &block->warps[w];
        for (i = 0; i < warp->flight_count; i++) {
            const ws_flight *flight = ws_flight_at(warp, i);
            ws_found one;
            for (left = flight->nbytes != 0 ? pass->mask : 0; left != 0; left &= left - 1) {
                const uint64_t at = address[ws_first_lane(left)];
                if (at >= flight->from + flight->taken || flight->from >= at + pass->nbytes) continue;
                one = ws_check_about_lanes(check, WS_RUN_READING, pass->step, place, left & (0u - left));
                one.other = flight->step;
                one.other_thread = w * WS_LANES + flight->lane;
                one.address = at;
                one.nbytes = pass->nbytes;
                one.space = WS_AT_GLOBAL;
                one.is_write = true;
                ws_found_add(&check->judge.found, &one);
            }
        }
    }
}

#endif /* WS_BODIES */

#endif
