/* Accesses within memory, but outside of the variable that they mean.
 *
 *     local memory     the bytes of one variable, of a function that runs: this one, or one that has called it
 *     parameters       the bytes of one parameter of the kernel
 *     all of these, and shared memory: where the text says which variable an address names (object/origin.h), its bytes alone
 *
 * Nothing is touched that the kernel was not given, so the launch goes on. Global memory has an object in each region, and
 * pieces of the heap: arrays.h. */
#ifndef WARPSIM_CHECK_BOUNDS_H
#define WARPSIM_CHECK_BOUNDS_H

#include "../run/control.h"
#include "../use/carry.h"
#include "cluster.h"
#include "named.h"

#if WS_BODIES

enum { WS_BOUNDS_FRAMES = 8 /* whose variables a message looks for */, WS_NEAREST_TAKES = 16 /* of WS_TURN_BYTES */ };

/* One lane's access outside of what it means; `found`: about which object, and where in it. */
static inline void ws_bounds_report(ws_check *check, const ws_pass *pass, int lane, const ws_visit *visit,
                                    const ws_found_object *object) {
    ws_found one = ws_check_about_lanes(check, WS_RUN_BOUNDS, pass->step, pass->place, UINT32_C(1) << lane);
    one.address = visit->address;
    one.nbytes = visit->nbytes;
    one.space = visit->space;
    one.is_write = pass->is_write;
    one.object = *object;
    ws_found_add(&check->judge.found, &one);
}

/* An object of a variable that begins at `begin`. */
static inline ws_found_object ws_bounds_of(const ws_check *check, uint32_t variable, uint64_t begin, uint64_t at) {
    ws_found_object object = ws_found_object_none();
    object.variable = variable;
    object.nbytes = check->uses.module->variables[variable].nbytes;
    object.inside = (int64_t)(at - begin);
    return object;
}

static inline bool ws_bounds_hold(const ws_found_object *object, uint32_t nbytes) {
    return object->inside >= 0 && (uint64_t)object->inside + nbytes <= object->nbytes;
}

/* Shared memory: the variable that the address names. */
static inline void ws_bounds_shared(ws_check *check, const ws_block *block, const ws_pass *pass) {
    const uint32_t variable = check->steps[pass->step].variable, own = ws_check_own(check, block);
    const ws_variable *row = &check->uses.module->variables[variable != WS_NO_INDEX ? variable : 0];
    const bool is_dynamic = row->linkage == WS_LINKAGE_EXTERN;
    uint32_t left, begin, nbytes;
    if (variable == WS_NO_INDEX || row->space != WS_NAME_SHARED) return;
    begin = is_dynamic ? (uint32_t)block->launch->variables[variable] : block->program->offset_of[variable];
    nbytes = is_dynamic ? block->launch->shared_bytes - begin : (uint32_t)row->nbytes;
    for (left = pass->mask; left != 0; left &= left - 1) {
        const int lane = ws_first_lane(left);
        const uint32_t at = pass->offset[lane] - own;
        ws_found_object object;
        ws_visit visit;
        if ((at - begin < nbytes && pass->nbytes <= nbytes - (at - begin)) || at >= block->launch->shared_bytes)
            continue;
        object = ws_bounds_of(check, variable, begin, at);
        object.inside = (int64_t)at - (int64_t)begin;
        object.nbytes = nbytes;
        visit = ws_check_where(WS_AT_SHARED, ws_judge_address(&check->judge, pass->offset[lane]), pass->nbytes);
        ws_bounds_report(check, pass, lane, &visit, &object);
    }
}

static inline uint64_t ws_bounds_distance(const ws_found_object *object) {
    if (object->inside < 0) return (uint64_t)-object->inside;
    return (uint64_t)object->inside < object->nbytes ? 0 : (uint64_t)object->inside - object->nbytes + 1;
}

/* The nearest variable of the functions that run. */
static inline ws_found_object ws_bounds_nearest(ws_check *check, const ws_warp *warp, int lane, uint32_t callee,
                                                uint64_t at) {
    const uint32_t own = callee;
    const ws_kernel *program = warp->block->program;
    const ws_module *module = check->uses.module;
    const ws_frame *frame = &warp->group[warp->current].frame;
    ws_found_object nearest = ws_found_object_none();
    uint32_t depth = frame->depth, base = frame->locals, left = WS_BOUNDS_FRAMES, i;
    for (; left != 0; left--, depth--) {
        for (i = ws_locals_first(&check->locals, program, callee); i != WS_NO_INDEX; i = check->locals.next[i]) {
            const ws_found_object one = ws_bounds_of(check, i, base + (uint64_t)program->offset_of[i], at);
            check->spent += WS_NEAREST_TAKES;
            if (one.nbytes == 0 || !check->locals.pointed[i] || !ws_local_is_of(program, module, callee, i)) continue;
            if (nearest.variable == WS_FOUND_NO_STEP || ws_bounds_distance(&one) < ws_bounds_distance(&nearest))
                nearest = one;
        }
        if (depth == 0) break;
        base = ws_return_of(warp, lane, depth)->locals;
        callee = check->steps[ws_return_of(warp, lane, depth)->pc].callee;
    }
    nearest.is_ended = at >= (uint64_t)frame->locals + program->callees[own].locals + WS_RETURN_BYTES;
    return nearest;
}

/* One lane's access to local memory. */
static inline void ws_bounds_local(ws_check *check, const ws_warp *warp, const ws_pass *pass, int lane, uint64_t at) {
    const ws_checked *checked = &check->steps[pass->step];
    const uint32_t base = warp->group[warp->current].frame.locals;
    const ws_visit visit = ws_check_where(WS_AT_LOCAL, at, pass->nbytes);
    ws_found_object object = ws_found_object_none();
    if ((at & (pass->alignment - 1)) != 0 || at + pass->nbytes > warp->local_bytes) return; /* ends the launch */
    if (checked->variable != WS_NO_INDEX &&
        ws_local_is_of(warp->block->program, check->uses.module, checked->callee, checked->variable)) {
        object = ws_bounds_of(check, checked->variable,
                              base + (uint64_t)warp->block->program->offset_of[checked->variable], at);
        if (ws_bounds_hold(&object, pass->nbytes)) return;
    } else if (ws_locals_hold(&check->locals, pass->place, lane, at, pass->nbytes)) {
        return;
    } else {
        object = ws_bounds_nearest(check, warp, lane, checked->callee, at);
    }
    ws_bounds_report(check, pass, lane, &visit, &object);
}

/* Accesses of lanes to local memory, of those of the mask that make any: their addresses become those of their thread. */
static inline uint32_t ws_bounds_locals(ws_check *check, const ws_warp *warp, const ws_step *step, ws_pass *pass,
                                        ws_reach *reach, uint32_t mask) {
    const uint64_t base = step->space == WS_AT_LOCAL ? 0 : WS_LOCAL_WINDOW;
    const bool is_passed = check->steps[pass->step].is_passed;
    uint32_t here = 0, i;
    if (step->space != WS_AT_LOCAL && step->space != WS_AT_GENERIC) return 0;
    for (; mask != 0; mask &= mask - 1) {
        const int lane = ws_first_lane(mask);
        uint32_t holes;
        if (reach->address[lane] - base >= WS_LOCAL_WINDOW_BYTES) continue;
        reach->address[lane] -= base;
        here |= UINT32_C(1) << lane;
        if (is_passed) continue;
        ws_bounds_local(check, warp, pass, lane, reach->address[lane]);
        holes = ws_locals_access(&check->locals, pass->place, lane, reach->address[lane], pass->nbytes, pass->is_write);
        for (i = 0; holes != 0 && pass->reads; i++, holes >>= 1) {
            if (holes & 1) ws_carry_from_local(check, pass, lane, reach->address[lane], i);
        }
        for (i = 0; pass->is_write && i < WS_PASS_ELEMENTS; i++) {
            if (pass->carries[i] >> lane & 1) ws_carry_to_local(check, pass, lane, reach->address[lane], i);
        }
    }
    return here;
}

/* The frame of the callee begins after that of the caller. */
static inline void ws_bounds_call(ws_check *check, ws_lanes *lanes, const ws_step *step, uint32_t number,
                                  uint32_t mask) {
    const ws_warp *warp = ws_warp_of(lanes);
    const ws_kernel *program = warp->block->program;
    const ws_callee *caller = &program->callees[step->s[WS_S_CALLER]];
    const uint32_t base = warp->group[warp->current].frame.locals + caller->locals + WS_RETURN_BYTES;
    const bool is_indirect = check->steps[number].event == WS_EVENT_CALL_INDIRECT;
    const uint32_t *low = is_indirect ? ws_row(lanes, step->s[WS_S_TARGET]) : NULL;
    if (!is_indirect) ws_locals_call(&check->locals, warp->place, mask, (uint32_t)step->immediate, base, false);
    for (; is_indirect && mask != 0; mask &= mask - 1) {
        const int lane = ws_first_lane(mask);
        const ws_callee *callee = ws_callee_of(program, low[lane] | (uint64_t)low[lane + WS_LANES] << 32);
        if (callee != NULL)
            ws_locals_call(&check->locals, warp->place, UINT32_C(1) << lane, (uint32_t)(callee - program->callees),
                           base, false);
    }
}

/* A parameter or a result goes from one frame to the other. */
static inline void ws_bounds_pass(ws_check *check, const ws_warp *warp, const ws_step *step, uint32_t mask) {
    const uint32_t base = warp->group[warp->current].frame.locals, from = base + step->list,
                   to = base + (uint32_t)step->immediate;
    for (; mask != 0; mask &= mask - 1)
        ws_locals_pass(&check->locals, warp->place, ws_first_lane(mask), from, to, step->s[WS_S_PASSED]);
}

/* Lanes leave a function: nothing of its frame is left but its results. */
static inline void ws_bounds_return(ws_check *check, const ws_warp *warp, uint32_t number, uint32_t mask) {
    const ws_frame *frame = &warp->group[warp->current].frame;
    const ws_checked *checked = &check->steps[number];
    if (checked->event == WS_EVENT_RETURN && frame->depth != 0)
        ws_locals_call(&check->locals, warp->place, mask, checked->callee, frame->locals, true);
}

/* Global memory: the array that the parameter points to which the address comes from. The lanes that stay in it, or that lie
 * in no array at all, which ends the launch. */
static inline uint32_t ws_bounds_arrays(ws_check *check, const ws_launch *launch, const ws_pass *pass,
                                        const uint64_t address[WS_LANES], uint32_t mask) {
    const uint32_t variable = check->steps[pass->step].pointer;
    const ws_region *region = NULL;
    uint32_t inside = mask;
    if (variable != WS_NO_INDEX)
        region = ws_space_find(&launch->memory, ws_bounds_pointer(launch, check->uses.module, variable), 1);
    for (; mask != 0 && region != NULL; mask &= mask - 1) {
        const int lane = ws_first_lane(mask);
        const uint64_t at = address[lane] - region->base;
        const ws_visit visit = ws_check_where(WS_AT_GLOBAL, address[lane], pass->nbytes);
        ws_found_object object = ws_found_object_none();
        if ((at < region->nbytes && pass->nbytes <= region->nbytes - at) ||
            ws_space_find(&launch->memory, address[lane], pass->nbytes) == NULL)
            continue;
        inside &= ~(UINT32_C(1) << lane);
        object.variable = variable;
        object.inside = (int64_t)at;
        object.nbytes = region->nbytes;
        ws_bounds_report(check, pass, lane, &visit, &object);
    }
    return inside;
}

/* The kernel's parameter that an access means: the one that its address names, else the one that it begins in. */
static inline ws_found_object ws_bounds_parameter(const ws_check *check, const ws_kernel *program, uint32_t named,
                                                  uint64_t at) {
    const ws_function *kernel = &check->uses.module->functions[program->callees[0].function];
    const uint32_t end = kernel->first_parameter + kernel->parameter_count;
    ws_found_object object = ws_found_object_none();
    uint32_t i;
    if (named >= kernel->first_parameter && named < end)
        return ws_bounds_of(check, named, program->offset_of[named], at);
    for (i = kernel->first_parameter; i < end && program->offset_of[i] <= at; i++)
        object = ws_bounds_of(check, i, program->offset_of[i], at);
    return object;
}

static inline void ws_bounds_parameters(ws_check *check, const ws_kernel *program, const ws_step *step,
                                        const ws_pass *pass, const ws_reach *reach, uint32_t mask) {
    if (step->space != WS_AT_PARAM && step->space != WS_AT_CONST && step->space != WS_AT_GENERIC) return;
    for (; mask != 0; mask &= mask - 1) {
        const int lane = ws_first_lane(mask);
        const uint64_t at = reach->address[lane] - WS_FIRST_PARAMETER;
        ws_found_object object;
        if (at >= program->parameter_bytes || pass->nbytes > program->parameter_bytes - at) continue;
        object = ws_bounds_parameter(check, program, check->steps[pass->step].variable, at);
        if ((at & (pass->alignment - 1)) == 0 && !ws_bounds_hold(&object, pass->nbytes)) {
            const ws_visit visit = ws_check_where(WS_AT_PARAM, reach->address[lane], pass->nbytes);
            ws_bounds_report(check, pass, lane, &visit, &object);
        }
    }
}

#endif /* WS_BODIES */
#endif
