/* Bytes of .local variables that their threads have not written yet: a bit each, set while nobody has.
 *
 *     local memory of a thread:  parameters, results | .local variables | return record | the same of the callee ...
 *
 * What lies there besides variables counts as written: calls put it there. So does the frame of a function that is called
 * by its address. */
#ifndef WARPSIM_CHECK_LOCALS_H
#define WARPSIM_CHECK_LOCALS_H

#include "../module/module.h"
#include "../cluster/setup.h"

/* Where the .local variables of a function lie in its frame, and the bytes of the frame. */
typedef struct ws_local_range {
    uint32_t begin, end, frame;
} ws_local_range;

typedef struct ws_locals {
    uint32_t *bits;         /* [threads][words]; words 0: no function has such variables */
    ws_local_range *ranges; /* of each callee */
    uint32_t words;
    uint32_t most; /* bytes of the largest frame */
} ws_locals;

static inline ws_local_range ws_local_range_of(const ws_kernel *program, const ws_module *module, uint32_t callee) {
    ws_local_range range = {UINT32_MAX, 0, program->callees[callee].locals};
    uint32_t i;
    for (i = 0; i < module->variable_count; i++) {
        const ws_variable *variable = &module->variables[i];
        const uint32_t at = program->offset_of[i];
        if (variable->space != WS_NAME_LOCAL || variable->function != program->callees[callee].function ||
            at == WS_NO_INDEX)
            continue;
        if (at < range.begin) range.begin = at;
        if (at + (uint32_t)variable->nbytes > range.end) range.end = at + (uint32_t)variable->nbytes;
    }
    if (range.begin > range.end) range.begin = range.end;
    return range;
}

static inline void ws_locals_make(ws_locals *locals, const ws_launch *launch, const ws_module *module,
                                  ws_arena *arena) {
    const ws_kernel *program = launch->program;
    const uint32_t bytes = (uint32_t)ws_launch_stack(launch).locals;
    uint32_t i;
    locals->words = locals->most = 0;
    locals->ranges = (ws_local_range *)ws_arena_take(arena, program->num_callees, sizeof(ws_local_range));
    for (i = 0; i < program->num_callees; i++) {
        const ws_local_range range = ws_local_range_of(program, module, i);
        if (range.end != range.begin) locals->words = (bytes + 31) / 32;
        if (range.frame > locals->most) locals->most = range.frame;
        if (locals->ranges != NULL) locals->ranges[i] = range;
    }
    locals->bits = (uint32_t *)ws_arena_take(
        arena, (size_t)ws_launch_warps(launch) * ws_launch_ranks(launch) * WS_LANES * locals->words, sizeof(uint32_t));
}

/* The words of a thread. */
static inline uint32_t *ws_locals_of(const ws_locals *locals, uint32_t warp, int lane) {
    return locals->bits + ((size_t)warp * WS_LANES + (uint32_t)lane) * locals->words;
}

/* Bits of word `word` that lie in [from, to). */
static inline uint32_t ws_local_bits(uint32_t word, uint32_t from, uint32_t to) {
    const uint32_t first = word * 32, low = from > first ? from - first : 0, high = to > first ? to - first : 0;
    const uint32_t below = high >= 32 ? UINT32_MAX : (UINT32_C(1) << high) - 1;
    return low >= 32 ? 0 : below >> low << low;
}

/* A call of a function by lanes whose frame begins at `base`; callee WS_NO_INDEX: nobody knows which. What lies behind the
 * frame is left as it is: each call wipes its own, so that a recursion takes time in proportion to its depth. */
static inline void ws_locals_call(const ws_locals *locals, uint32_t warp, uint32_t lanes, uint32_t callee,
                                  uint32_t base) {
    const ws_local_range any = {0, 0, locals->most}, range = callee == WS_NO_INDEX ? any : locals->ranges[callee];
    const uint32_t frame_end = base + range.frame, words_end = (frame_end + 31) / 32;
    const uint32_t end = words_end < locals->words ? words_end : locals->words;
    for (; lanes != 0 && locals->words != 0; lanes &= lanes - 1) {
        uint32_t *words = ws_locals_of(locals, warp, ws_first_lane(lanes)), i;
        for (i = base / 32; i < end; i++) {
            words[i] &= ~ws_local_bits(i, base, frame_end);
            words[i] |= ws_local_bits(i, base + range.begin, base + range.end);
        }
    }
}

/* A lane accesses aligned bytes: those that nobody has written, from bit 0 on; a write leaves none. */
static inline uint32_t ws_locals_access(const ws_locals *locals, uint32_t warp, int lane, uint64_t at, uint32_t nbytes,
                                        bool is_write) {
    const uint32_t bits = nbytes >= 32 ? UINT32_MAX : (UINT32_C(1) << nbytes) - 1;
    uint32_t *words = ws_locals_of(locals, warp, lane), found;
    if (at / 32 >= locals->words || at % 32 + nbytes > 32) return 0;
    found = words[at / 32] >> at % 32 & bits;
    if (is_write) words[at / 32] &= ~(bits << at % 32);
    return found;
}

#endif
