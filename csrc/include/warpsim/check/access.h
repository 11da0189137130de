/* What steps access, as the shadows want it; and what asynchronous copies have under way. */
#ifndef WARPSIM_CHECK_ACCESS_H
#define WARPSIM_CHECK_ACCESS_H

#include "../base/apart.h"
#include "../watch/access.h"
#include "../use/follow.h"
#include "bounds.h"
#include "../use/carry.h"
#include "objects.h"
#include "strong.h"
#include "sources.h"
#include "tiles.h"
#include "visitors.h"

#if WS_BODIES

static inline ws_pass ws_check_pass(ws_check *check, ws_lanes *lanes, const ws_step *step, uint32_t number,
                                    uint32_t mask) {
    const ws_checked *checked = &check->steps[number];
    const ws_warp *warp = ws_warp_of(lanes);
    ws_pass pass;
    int i;
    check->judge.clock.now++;
    ws_meeting_access(&check->meeting, warp->place, mask);
    pass.offset = NULL;
    pass.memory = warp->block->cluster != NULL ? warp->block->cluster->shared : warp->block->shared;
    pass.values.lanes = lanes;
    pass.values.step = checked->kind == WS_CHECKED_ACCESS && checked->is_write && !checked->is_atomic ? step : NULL;
    pass.values.element = (uint32_t)ws_type_bits(step->type) / 8;
    pass.values.rows = NULL;
    pass.values.has_image = false;
    pass.mask = mask;
    pass.nbytes = pass.alignment = checked->nbytes;
    pass.who =
        ws_who_of(&check->judge, warp->block->rank, number) | (checked->is_atomic ? (uint32_t)WS_WHO_ATOMIC : 0) |
        (checked->is_volatile ? (uint32_t)WS_WHO_VOLATILE : 0) | (checked->is_write ? (uint32_t)WS_WHO_WRITES : 0);
    pass.warp = warp->number;
    pass.place = warp->place;
    pass.step = number;
    pass.space = WS_AT_SHARED;
    pass.is_write = checked->is_write;
    pass.reads = checked->reads;
    pass.takes = checked->takes;
    pass.is_noncoherent = checked->is_noncoherent;
    pass.is_partial = mask != warp->living;
    pass.is_told = true;
    pass.unwritten = 0;
    pass.bits = &check->bits;
    for (i = 0; i < WS_PASS_ELEMENTS; i++) pass.holes[i] = pass.carries[i] = 0;
    pass.carried = pass.origin = 0;
    pass.asked = mask;
    pass.ignored = checked->ignored;
    pass.padding = WS_PADDING_MOST;
    ws_ahead_loads(&check->judge.idle, &check->ahead, warp, step, number, mask, check->judge.clock.now);
    return pass;
}

/* A pass that writes, or one that reads. */
static inline void ws_check_pass_writes(ws_pass *pass, bool is_write) {
    pass->is_write = is_write;
    pass->reads = !is_write;
    pass->who = is_write ? pass->who | WS_WHO_WRITES : pass->who & ~(uint32_t)WS_WHO_WRITES;
}

/* The lanes that lie inside of shared memory and are aligned: the others end the launch. */
static inline uint32_t ws_check_inside(const ws_check *check, const ws_block *block, const uint32_t offset[WS_LANES],
                                       uint32_t mask, uint32_t nbytes, uint32_t alignment) {
    uint32_t left;
    for (left = mask; left != 0; left &= left - 1) {
        const int lane = ws_first_lane(left);
        const uint32_t at = check->judge.clock.ranks == 1 ? offset[lane] : offset[lane] % check->judge.stride;
        const bool is_inside = nbytes <= block->launch->shared_bytes && at <= block->launch->shared_bytes - nbytes &&
                               (at & (alignment - 1)) == 0;
        if (!is_inside) mask &= ~(UINT32_C(1) << lane);
    }
    return mask;
}

static inline void ws_check_shared(ws_check *check, const ws_block *block, ws_pass *pass,
                                   const uint32_t offset[WS_LANES], uint32_t mask) {
    pass->offset = offset;
    pass->mask = ws_check_inside(check, block, offset, mask, pass->nbytes, pass->alignment);
    ws_bounds_shared(check, block, pass);
    if (check->num_objects != 0 && check->steps[pass->step].kind != WS_CHECKED_OBJECT) ws_objects_touched(check, pass);
    if (check->products.groups != NULL && pass->is_write) ws_tiles_pass(check, pass);
    if (check->visitors != NULL) ws_visitors_come(check, pass);
    if (pass->mask != 0) ws_shadow_pass(&check->judge, &check->shared, pass);
    ws_shadow_carries(&check->shared, pass);
}

/* Marks what lanes have read uninitialised. What an atomic writes depends on it, except for an exchange. */
static inline void ws_check_unwritten(ws_check *check, const ws_warp *warp, const ws_step *step, const ws_pass *pass,
                                      const ws_visit *read) {
    const uint32_t number = pass->step;
    ws_use_begin(check, warp, step, number, pass->unwritten, pass, read);
    if (pass->is_write && check->steps[number].event != WS_EVENT_EXCHANGE)
        ws_use_report(check, warp, number, number, pass->unwritten);
}

enum { WS_PAGE_BITS = 12, WS_FEW_PAGES = 8, WS_PAGE_TAKES = 160 /* of WS_TURN_BYTES */ };

/* Lanes that are pages apart may be the first to touch theirs, and their shadows'. */
static inline uint32_t ws_check_pages(const uint64_t address[WS_LANES], uint32_t mask) {
    uint64_t last = 0;
    uint32_t pages = 0;
    for (; mask != 0; mask &= mask - 1) {
        const uint64_t page = address[ws_first_lane(mask)] >> WS_PAGE_BITS;
        pages += page != last;
        last = page;
    }
    return pages > (uint32_t)WS_FEW_PAGES ? pages * WS_PAGE_TAKES : 0;
}

static inline void ws_check_access(ws_check *check, ws_lanes *lanes, const ws_step *step, uint32_t number,
                                   uint32_t mask) {
    const ws_checked *checked = &check->steps[number];
    ws_block *block = ws_block_of(lanes);
    ws_again *const again = checked->again != WS_NO_INDEX ? &check->again[checked->again] : NULL;
    const uint32_t warp = ws_warp_of(lanes)->place;
    uint32_t offset[WS_LANES], left, local;
    ws_reach reach;
    const uint32_t own = ws_watch_reach(&reach, lanes, step, mask, offset);
    const uint32_t shared = ws_check_cluster(check, block, step, &reach, mask, own, offset);
    ws_pass pass;
    if (again != NULL && ws_check_is_again(check, again, warp, offset, mask)) {
        ws_ahead_marks(&check->judge.idle, &check->ahead, ws_warp_of(lanes), step, number, mask);
        return;
    }
    pass = ws_check_pass(check, lanes, step, number, mask);
    ws_carry_given(check, ws_warp_of(lanes), step, mask, &pass);
    if (shared != 0) ws_check_shared(check, block, &pass, offset, shared);
    if (again != NULL) {
        ws_repeat_begin(&again->access, offset, mask);
        again->warp = warp;
        again->version = (pass.unwritten | pass.carried) == 0 && shared == mask ? check->version : 0;
    }
    local = ws_bounds_locals(check, ws_warp_of(lanes), step, &pass, &reach, mask & ~shared);
    ws_carry_on(check, ws_warp_of(lanes), step, &pass, ~(shared | local));
    ws_bounds_parameters(check, block->program, step, &pass, &reach, mask & ~shared & ~local);
    mask = ws_watch_global(step, &reach, mask & ~shared & ~local);
    mask = ws_bounds_arrays(check, block->launch, &pass, reach.address, mask);
    if (checked->is_atomic) {
        for (left = shared | mask; left != 0; left &= left - 1) {
            const int lane = ws_first_lane(left);
            const bool is_global = mask >> lane & 1;
            const uint64_t address = is_global ? reach.address[lane] : offset[lane];
            ws_order_place(check, checked, warp * WS_LANES + (uint32_t)lane, address, is_global);
        }
    }
    check->spent += ws_check_pages(reach.address, mask);
    pass.mask = mask;
    pass.space = WS_AT_GLOBAL;
    if (pass.is_write && block->program->num_copies != 0) ws_check_sources(check, block, &pass, reach.address, warp);
    if (ws_arrays_pass(&check->judge, &check->arrays, &block->launch->memory, reach.address, &pass) != 0) {
        const int lane = ws_first_lane(pass.unwritten);
        const bool is_shared = shared >> lane & 1, is_local = local >> lane & 1;
        ws_visit read = ws_check_where(is_shared  ? WS_AT_SHARED
                                       : is_local ? WS_AT_LOCAL
                                                  : WS_AT_GLOBAL,
                                       is_shared ? offset[lane] : reach.address[lane], pass.nbytes);
        read.is_write = pass.is_write;
        ws_check_unwritten(check, ws_warp_of(lanes), step, &pass, &read);
    }
}

/* discard: a store of nobody knows what to 128 bytes. */
WS_ONCE void ws_check_discard(ws_check *check, ws_lanes *lanes, const ws_step *step, uint32_t number, uint32_t mask) {
    const ws_space_map *map = &ws_block_of(lanes)->launch->memory;
    ws_pass pass = ws_check_pass(check, lanes, step, number, mask);
    ws_reach reach;
    ws_reach_make(&reach, lanes, step, WS_S_ADDRESS, mask);
    ws_check_pass_writes(&pass, true);
    pass.reads = false;
    pass.nbytes = pass.alignment = WS_DISCARDED;
    pass.space = WS_AT_GLOBAL;
    pass.values.step = pass.values.rows = NULL;
    (void)ws_arrays_pass(&check->judge, &check->arrays, map, reach.address, &pass);
    for (; mask != 0; mask &= mask - 1) ws_arrays_discard(&check->arrays, map, reach.address[ws_first_lane(mask)]);
}

static inline void ws_check_bulk(ws_check *check, ws_lanes *lanes, const ws_step *step, uint32_t number,
                                 uint32_t mask) {
    ws_pass pass = ws_check_pass(check, lanes, step, number, mask);
    ws_bulk_issues(check, lanes, step, &pass, mask);
}

static inline void ws_check_divide(ws_check *check, ws_lanes *lanes, const ws_step *step, uint32_t number,
                                   uint32_t mask) {
    const uint32_t *low = ws_row(lanes, step->s[WS_S_DIVISOR]);
    const int bits = ws_type_bits(step->type);
    uint32_t zeros = 0;
    int lane;
    for (lane = 0; lane < WS_LANES; lane++) {
        const uint32_t value = bits == 16 ? low[lane] & 0xffff : low[lane] | (bits == 64 ? low[lane + WS_LANES] : 0);
        zeros |= (uint32_t)(value == 0) << lane;
    }
    if (zeros & mask) ws_check_lanes(check, WS_RUN_ZERO, number, ws_warp_of(lanes)->place, zeros & mask);
}

#endif /* WS_BODIES */
#endif
