/* A block before its first step: its memory in the caller's arena, its constants, its warps.
 *
 *     ws_block_bytes(launch)       the arena that one block at a time needs; any number of blocks one after the other
 *     ws_block_make(launch, arena, &block)       once for each thread of the caller
 *     ws_block_start(&block, x, y, z)            for each block */
#ifndef WARPSIM_RUN_SETUP_H
#define WARPSIM_RUN_SETUP_H

#include <string.h>

#include "../base/arena.h"
#include "constants.h"

enum { WS_MOST_THREADS = 1024, WS_FLIGHTS = 1024 /* cp.async of a warp's lanes under way at a time */ };

/* A launch without memory, arguments and output, which the caller fills in; round robin, static shared memory alone. */
static inline ws_launch ws_launch_make(const ws_kernel *program, uint32_t blocks, uint32_t threads) {
    ws_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.program = program;
    launch.grid[0] = blocks;
    launch.threads[0] = threads;
    launch.grid[1] = launch.grid[2] = launch.threads[1] = launch.threads[2] = 1;
    launch.cluster[0] = launch.cluster[1] = launch.cluster[2] = 1;
    launch.shared_bytes = program->static_shared_bytes;
    launch.stack_bytes = 1024;
    launch.simd = WS_SIMD_AUTO;
    return launch;
}

static inline uint32_t ws_launch_threads(const ws_launch *launch) {
    return launch->threads[0] * launch->threads[1] * launch->threads[2];
}

static inline uint32_t ws_launch_warps(const ws_launch *launch) {
    return (ws_launch_threads(launch) + WS_LANES - 1) / WS_LANES;
}

/* Room of a warp for frames: one call of each function, and what calls that recurse may use. */
typedef struct ws_stack {
    uint64_t rows, predicates, locals;
} ws_stack;

static inline ws_stack ws_launch_stack(const ws_launch *launch) {
    const ws_kernel *program = launch->program;
    ws_stack stack = {program->most_rows, program->most_predicates, program->most_locals};
    if (program->is_recursive) {
        const uint64_t calls = launch->stack_bytes / 32 + 1;
        uint32_t i, rows = 0, predicates = 0;
        for (i = 1; i < program->num_callees; i++) {
            if (program->callees[i].rows > rows) rows = program->callees[i].rows;
            if (program->callees[i].predicates > predicates) predicates = program->callees[i].predicates;
        }
        stack.rows += calls * rows;
        stack.predicates += calls * predicates;
        stack.locals += launch->stack_bytes;
    }
    stack.locals = (stack.locals + 64 + 15) / 16 * 16;
    return stack;
}

/* Bulk copies of a block that are kept at a time. */
static inline uint32_t ws_launch_bulks(const ws_launch *launch) {
    const uint64_t wanted = (uint64_t)WS_BULKS_EACH * launch->program->num_bulks * ws_launch_threads(launch);
    if (launch->program->num_bulks == 0) return 0;
    if (wanted < WS_LEAST_BULKS) return WS_LEAST_BULKS;
    return wanted > WS_MOST_BULKS ? (uint32_t)WS_MOST_BULKS : (uint32_t)wanted;
}

/* Takes everything from the arena; false if it is too small (or none: then arena->wanted says how much it takes). */
static inline bool ws_block_make(const ws_launch *launch, ws_arena *arena, ws_block *block) {
    const ws_stack stack = ws_launch_stack(launch);
    const uint32_t warps = ws_launch_warps(launch);
    const uint32_t flights = launch->program->num_copies != 0 ? WS_FLIGHTS : 0;
    const uint32_t bulks = ws_launch_bulks(launch);
    const uint64_t depth = launch->program->is_recursive ? stack.locals / WS_RETURN_BYTES : 0;
    const uint32_t inexact = launch->program->num_inexact != 0 ? launch->program->num_steps : 0;
    ws_flight *flight;
    ws_return *returns;
    uint8_t *locals;
    uint32_t *rows, *predicates, *own, i;
    block->launch = launch;
    block->program = launch->program;
    block->num_warps = warps;
    block->has_constants = false;
    block->observer = NULL;
    block->cluster = NULL;
    block->rank = block->shared_at = 0;
    block->steps = 0;
    block->warps = (ws_warp *)ws_arena_take(arena, warps, sizeof(ws_warp));
    block->shared = (uint8_t *)ws_arena_take(arena, launch->shared_bytes, 1);
    block->reserved = (uint8_t *)ws_arena_take(arena, WS_RESERVED_BYTES, 1);
    block->block_rows = (uint32_t *)ws_arena_take(arena, launch->program->block_rows, WS_LANES * sizeof(uint32_t));
    own = (uint32_t *)ws_arena_take(arena, (size_t)warps * WS_OWN_ROWS, WS_LANES * sizeof(uint32_t));
    predicates = (uint32_t *)ws_arena_take(arena, (size_t)(warps * stack.predicates), sizeof(uint32_t));
    rows = (uint32_t *)ws_arena_take(arena, (size_t)(warps * stack.rows), WS_LANES * sizeof(uint32_t));
    locals = (uint8_t *)ws_arena_take(arena, (size_t)(warps * stack.locals), WS_LANES);
    returns = (ws_return *)ws_arena_take(arena, (size_t)(warps * depth), WS_LANES * sizeof(ws_return));
    flight = (ws_flight *)ws_arena_take(arena, (size_t)warps * flights, sizeof(ws_flight));
    block->bulks.flights = (ws_tma *)ws_arena_take(arena, bulks, sizeof(ws_tma));
    block->bulks.commits =
        (uint32_t *)ws_arena_take(arena, bulks != 0 ? (size_t)warps * WS_LANES : 0, sizeof(uint32_t));
    block->bulks.capacity = bulks;
    block->inexact = (uint8_t *)ws_arena_take(arena, inexact, 1);
    if (arena->wanted > arena->capacity) return false;
    for (i = 0; i < inexact; i++) block->inexact[i] = 0;
    for (i = 0; i < warps; i++) {
        ws_warp *warp = &block->warps[i];
        warp->block = block;
        warp->number = warp->place = i;
        warp->rows = rows + (size_t)(i * stack.rows) * WS_LANES;
        warp->predicates = predicates + (size_t)(i * stack.predicates);
        warp->own_rows = own + (size_t)i * WS_OWN_ROWS * WS_LANES;
        warp->local = locals + (size_t)(i * stack.locals) * WS_LANES;
        warp->local_bytes = (uint32_t)stack.locals;
        warp->returns = returns + (size_t)(i * depth) * WS_LANES;
        warp->most_depth = (uint32_t)depth;
        warp->flights = flights != 0 ? flight + (size_t)i * flights : NULL;
        warp->flight_capacity = flights;
        warp->most_rows = (uint32_t)stack.rows;
        warp->most_predicates = (uint32_t)stack.predicates;
        warp->lanes.rows[WS_BLOCK_ROWS] = block->block_rows;
        warp->lanes.rows[WS_WARP_ROWS] = warp->own_rows;
        warp->lanes.list = launch->program->list;
        warp->lanes.aside = warp->own_rows + (size_t)WS_OWN_ASIDE * WS_LANES;
    }
    return true;
}

/* The bytes of the arena that ws_block_make takes. */
static inline size_t ws_block_bytes(const ws_launch *launch) {
    ws_arena arena = ws_arena_make(NULL, 0);
    ws_block block;
    ws_block_make(launch, &arena, &block);
    return arena.wanted;
}

/* Thread indices of a warp: the same in each block. */
static inline void ws_warp_number_threads(ws_warp *warp) {
    const uint32_t *threads = warp->block->launch->threads;
    uint32_t *own = warp->own_rows, lane;
    for (lane = 0; lane < WS_LANES; lane++) {
        const uint32_t thread = warp->number * WS_LANES + lane;
        own[(uint32_t)WS_OWN_TID_X * WS_LANES + lane] = thread % threads[0];
        own[(uint32_t)WS_OWN_TID_Y * WS_LANES + lane] = thread / threads[0] % threads[1];
        own[(uint32_t)WS_OWN_TID_Z * WS_LANES + lane] = thread / threads[0] / threads[1];
        own[(uint32_t)WS_OWN_WARPID * WS_LANES + lane] = warp->number;
    }
}

static inline void ws_words_clear(uint32_t *words, size_t count) {
    size_t i;
    for (i = 0; i < count; i++) words[i] = 0;
}

static inline void ws_bytes_clear(uint8_t *bytes, size_t count) {
    size_t i;
    for (i = 0; i < count; i++) bytes[i] = 0;
}

/* Lanes beyond the block never live. What nobody writes reads as 0, whatever ran before. */
static inline void ws_warp_start(ws_warp *warp) {
    const ws_launch *launch = warp->block->launch;
    const uint32_t living = ws_launch_threads(launch) - warp->number * WS_LANES;
    const ws_frame frame = {0, 0, 0, 0};
    uint32_t lane;
    warp->living = living < WS_LANES ? (1u << living) - 1 : WS_ALL_LANES;
    ws_words_clear(warp->rows, (size_t)warp->most_rows * WS_LANES);
    ws_bytes_clear(warp->local, (size_t)warp->local_bytes * WS_LANES);
    ws_words_clear(warp->predicates, warp->most_predicates);
    warp->predicates[0] = WS_ALL_LANES;
    warp->lanes.carry = 0;
    warp->lanes.event = WS_ASKS_NONE;
    warp->groups = warp->current = 0;
    warp->has_polled = warp->yields = warp->ran = warp->has_drawn = false;
    warp->has_worked = warp->drew = warp->pauses = false;
    warp->draws = WS_WARP_DRAWS;
    warp->polls = 0;
    warp->origin = 0;
    warp->waits_for = WS_NONE;
    warp->busy = warp->moved = warp->spent = warp->waits_at = 0;
    warp->is_held = false;
    warp->at_cluster = warp->came[0] = warp->came[1] = warp->first_flight = warp->flight_count = 0;
    for (lane = 0; lane < WS_LANES; lane++) warp->commits[lane] = 0;
    ws_warp_add(warp, launch->program->callees[0].entry, warp->living, &frame);
}

static inline void ws_block_start(ws_block *block, uint32_t x, uint32_t y, uint32_t z) {
    const ws_kernel *program = block->program;
    const bool is_first = !block->has_constants;
    uint32_t i;
    block->index[0] = x;
    block->index[1] = y;
    block->index[2] = z;
    block->turn = block->num_warps - 1;
    block->living_warps = block->num_warps;
    block->random = block->launch->order + ws_linear(block->index, block->launch->grid);
    block->stop.kind = WS_RUN_NONE;
    block->stop.other = block->stop.other_warp = WS_NONE;
    block->has_constants = true;
    block->land = NULL;
    block->bulks.count = 0;
    for (i = 0; i < block->num_warps * WS_LANES && block->bulks.capacity != 0; i++) block->bulks.commits[i] = 0;
    for (i = 0; i < WS_BARRIERS; i++) ws_barrier_clear(&block->barrier[i]);
    for (i = 0; i < program->num_constants; i++) {
        if (is_first || program->constants[i].kind == WS_CONSTANT_SPECIAL)
            ws_block_fill_constant(block, &program->constants[i]);
    }
    ws_bytes_clear(block->shared, block->launch->shared_bytes);
    ws_bytes_clear(block->reserved, WS_RESERVED_BYTES);
    for (i = 0; i < block->num_warps; i++) {
        if (is_first) ws_warp_number_threads(&block->warps[i]);
        ws_warp_start(&block->warps[i]);
    }
}

#endif
