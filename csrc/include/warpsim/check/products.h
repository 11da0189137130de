/* Products of warpgroups under way: whose registers may be touched, and what must be fenced.
 *
 *     wgmma.mma_async     takes its number among those of the warpgroup: each of the four warps counts alike
 *     commit, wait        a wait of a warp covers all products up to one number
 *     registers           of results: not to be read or written before the wait; of A: not to be written
 *     wgmma.fence         after other instructions have written a register, before a product has it
 *
 * What the products read of shared memory is in tiles.h. */
#ifndef WARPSIM_CHECK_PRODUCTS_H
#define WARPSIM_CHECK_PRODUCTS_H

#include "../use/use.h"

#if WS_BODIES

/* A warp's view of a register that a wgmma in flight uses. */
typedef struct ws_product_mark {
    uint32_t number;  /* of the latest product that has it; 0: none yet */
    uint32_t written; /* event of the latest write by another instruction; 0: never */
    uint32_t writer;  /* its step */
    bool is_result;   /* of that product; else of A */
} ws_product_mark;

/* Registers that all products of the kernel have, at most; 0: it has none. */
static inline uint32_t ws_products_most(const ws_kernel *program) {
    uint32_t i, most = 0;
    for (i = 0; i < program->num_steps; i++) {
        if (program->meant[i].event == WS_EVENT_PRODUCT)
            most += program->steps[i].count + (uint32_t)WS_WGMMA_A_REGISTERS;
    }
    return most;
}

static inline ws_product_row *ws_product_at(ws_warpgroup *group, uint32_t number) {
    return &group->rows[number % WS_PRODUCTS_KEPT];
}

/* Is that product under way for the warp, and still remembered? */
static inline bool ws_product_runs(const ws_warpgroup *group, uint32_t w, uint32_t number) {
    return number > group->waited[w] && number + WS_PRODUCTS_KEPT > group->issued[w];
}

/* The number of the warp's warpgroup in the cluster. */
static inline uint32_t ws_products_number_of(const ws_check *check, const ws_warp *warp) {
    return warp->block->rank * check->products.each + warp->number / WS_WGMMA_WARPS;
}

static inline ws_warpgroup *ws_products_group(ws_check *check, const ws_warp *warp) {
    return &check->products.groups[ws_products_number_of(check, warp)];
}

static inline ws_product_mark *ws_products_mark(ws_check *check, const ws_warp *warp, uint32_t reg) {
    const uint32_t slot = check->products.slot_of[reg];
    return slot == 0 ? NULL : &check->products.marks[(size_t)warp->place * check->products.slots + slot - 1];
}

/* The registers of the operands of a product: results first, then A. False: it is none of them. */
static inline bool ws_product_has(const ws_step *step, uint32_t place) {
    return place < (uint32_t)step->count + (step->how & WS_WGMMA_SHARES_A ? 0 : WS_WGMMA_A_REGISTERS);
}

static inline void ws_products_report(ws_check *check, const ws_warp *warp, ws_kernel_rule rule, uint32_t number,
                                      bool is_write, uint32_t other) {
    ws_found one = ws_check_about_lanes(check, rule, number, warp->place, WS_ALL_LANES);
    one.is_write = is_write;
    one.other_is_write = true;
    one.other = other;
    one.other_thread = one.thread;
    ws_found_add(&check->judge.found, &one);
}

/* Another statement reads and writes registers. */
static inline void ws_products_touch(ws_check *check, const ws_warp *warp, const ws_step *step, uint32_t number) {
    ws_products *products = &check->products;
    ws_warpgroup *group = ws_products_group(check, warp);
    ws_use_walk walk = ws_use_walk_make(&check->uses, step);
    const uint32_t w = warp->number % WS_WGMMA_WARPS;
    uint32_t reg;
    while ((reg = ws_use_next(&walk)) != WS_NO_INDEX) {
        ws_product_mark *mark = ws_products_mark(check, warp, reg);
        const bool is_write = walk.is_first && !walk.is_address && check->steps[number].use != WS_USE_ALL;
        if (mark == NULL) continue;
        if (ws_product_runs(group, w, mark->number) && (is_write || mark->is_result))
            ws_products_report(check, warp, WS_RUN_PRODUCT_REGISTER, number, is_write,
                               ws_product_at(group, mark->number)->step);
        if (!is_write) continue;
        mark->written = ++products->events;
        mark->writer = number;
    }
}

/* One register of a product: has something else touched it since the fence, is it another product's? */
static inline void ws_products_take(ws_check *check, const ws_warp *warp, const ws_step *step, uint32_t number,
                                    ws_product_mark *mark, bool is_result) {
    ws_warpgroup *group = ws_products_group(check, warp);
    const uint32_t w = warp->number % WS_WGMMA_WARPS;
    if (mark->written > group->fenced[w])
        ws_products_report(check, warp, WS_RUN_PRODUCT_FENCE, number, is_result, mark->writer);
    if (mark->number != group->issued[w] && ws_product_runs(group, w, mark->number) && mark->is_result) {
        const ws_product_row *row = ws_product_at(group, mark->number);
        if (!is_result || row->cols != (uint32_t)step->immediate || row->registers != step->count)
            ws_products_report(check, warp, WS_RUN_PRODUCT_REGISTER, number, is_result, row->step);
    }
    mark->number = group->issued[w];
    mark->is_result = is_result;
}

/* A warp comes to a product; true: the other three have been there. */
static inline bool ws_products_issue(ws_check *check, const ws_warp *warp, const ws_step *step, uint32_t number) {
    ws_warpgroup *group = ws_products_group(check, warp);
    const uint32_t w = warp->number % WS_WGMMA_WARPS, mine = ++group->issued[w];
    ws_product_row *row = ws_product_at(group, mine);
    ws_use_walk walk = ws_use_walk_make(&check->uses, step);
    uint32_t i, reg;
    if (row->number != mine) {
        row->number = mine;
        row->step = number;
        row->cols = (uint32_t)step->immediate;
        row->registers = step->count;
        for (i = 0; i < WS_WGMMA_WARPS; i++) row->waited[i] = 0;
    }
    if (group->fenced[w] == 0) ws_check_lanes(check, WS_RUN_PRODUCT_FENCE, number, warp->place, WS_ALL_LANES);
    for (i = 0; ws_product_has(step, i) && (reg = ws_use_next(&walk)) != WS_NO_INDEX; i++) {
        ws_product_mark *mark = ws_products_mark(check, warp, reg);
        if (mark != NULL) ws_products_take(check, warp, step, number, mark, i < step->count);
    }
    for (i = 0; i < WS_WGMMA_WARPS; i++) {
        if (group->issued[i] < mine) return false;
    }
    return true;
}

static inline void ws_products_fence(ws_check *check, const ws_warp *warp) {
    ws_products_group(check, warp)->fenced[warp->number % WS_WGMMA_WARPS] = ++check->products.events;
}

static inline void ws_products_commit(ws_check *check, const ws_warp *warp) {
    ws_warpgroup *group = ws_products_group(check, warp);
    const uint32_t w = warp->number % WS_WGMMA_WARPS;
    group->committed[w][group->commits[w]++ % WS_PRODUCTS_KEPT] = group->issued[w];
}

/* All but the `kept` latest groups have ended. */
static inline void ws_products_wait(ws_check *check, const ws_warp *warp, uint64_t kept) {
    ws_warpgroup *group = ws_products_group(check, warp);
    const uint32_t w = warp->number % WS_WGMMA_WARPS, commits = group->commits[w];
    uint32_t number;
    if (kept >= commits || kept >= WS_PRODUCTS_KEPT) return;
    number = group->committed[w][(commits - 1 - (uint32_t)kept) % WS_PRODUCTS_KEPT];
    check->judge.clock.now++;
    while (group->waited[w] < number) {
        ws_product_row *row = ws_product_at(group, ++group->waited[w]);
        if (row->number == group->waited[w]) row->waited[w] = check->judge.clock.now;
    }
}

/* fence.proxy.async. */
static inline void ws_products_pass(ws_check *check, const ws_warp *warp, uint32_t mask) {
    check->judge.clock.now++;
    for (; mask != 0; mask &= mask - 1)
        check->products.passed[warp->place * WS_LANES + (uint32_t)ws_first_lane(mask)] = check->judge.clock.now;
}

/* The registers that a product has, numbered. */
static inline void ws_products_number(ws_products *products, const ws_uses *uses, const ws_step *step) {
    ws_use_walk walk = ws_use_walk_make(uses, step);
    uint32_t i, reg;
    for (i = 0; ws_product_has(step, i) && (reg = ws_use_next(&walk)) != WS_NO_INDEX; i++) {
        if (products->slot_of[reg] == 0) products->slot_of[reg] = ++products->slots;
    }
}

/* Which steps have one of them. */
static inline void ws_products_find(ws_products *products, const ws_kernel *program, const ws_uses *uses,
                                    const ws_checked *steps) {
    uint32_t i, reg;
    for (i = 0; i < program->num_steps; i++) {
        ws_use_walk walk = ws_use_walk_make(uses, &program->steps[i]);
        if (steps[i].kind == WS_CHECKED_PRODUCT || !steps[i].is_begin) continue;
        while ((reg = ws_use_next(&walk)) != WS_NO_INDEX) products->touches[i] |= products->slot_of[reg] != 0;
    }
}

/* Takes what it needs from the arena, which is zeros; nothing if the kernel has no products of warpgroups. */
static inline void ws_products_make(ws_products *products, const ws_launch *launch, const ws_uses *uses,
                                    const ws_checked *steps, ws_arena *arena) {
    const ws_kernel *program = launch->program;
    const uint32_t most = ws_products_most(program);
    uint32_t i;
    products->each = most != 0 ? (ws_launch_warps(launch) + WS_WGMMA_WARPS - 1) / WS_WGMMA_WARPS : 0;
    products->num_warps = most != 0 ? ws_launch_warps(launch) * ws_launch_ranks(launch) : 0;
    products->num_groups = products->each * ws_launch_ranks(launch);
    products->chunks = launch->shared_bytes / WS_WGMMA_CHUNK;
    products->num_chunks = most != 0 ? products->chunks * ws_launch_ranks(launch) : 0;
    products->slots = products->events = 0;
    products->groups = (ws_warpgroup *)ws_arena_take(arena, products->num_groups, sizeof(ws_warpgroup));
    products->marks =
        (ws_product_mark *)ws_arena_take(arena, (size_t)products->num_warps * most, sizeof(ws_product_mark));
    products->slot_of = (uint32_t *)ws_arena_take(arena, most != 0 ? uses->registers : 0, sizeof(uint32_t));
    products->touches = (uint8_t *)ws_arena_take(arena, most != 0 ? program->num_steps : 0, 1);
    products->readers =
        (uint32_t *)ws_arena_take(arena, (size_t)products->num_groups * products->chunks, sizeof(uint32_t));
    products->filled = (uint32_t *)ws_arena_take(arena, products->num_chunks, sizeof(uint32_t));
    products->passed = (uint32_t *)ws_arena_take(arena, (size_t)products->num_warps * WS_LANES, sizeof(uint32_t));
    if (arena->wanted > arena->capacity) return;
    if (most == 0) products->groups = NULL;
    for (i = 0; i < program->num_steps && most != 0; i++) {
        if (steps[i].kind == WS_CHECKED_PRODUCT) ws_products_number(products, uses, &program->steps[i]);
    }
    if (most != 0) ws_products_find(products, program, uses, steps);
}

static inline void ws_products_start(ws_products *products) {
    const uint32_t marks = products->num_warps * products->slots;
    uint32_t i;
    if (products->groups == NULL) return;
    ws_words_clear((uint32_t *)(void *)products->groups, products->num_groups * (sizeof(ws_warpgroup) / 4));
    ws_words_clear(products->readers, (size_t)products->num_groups * products->chunks);
    ws_words_clear(products->filled, products->num_chunks);
    ws_words_clear(products->passed, (size_t)products->num_warps * WS_LANES);
    for (i = 0; i < marks; i++) products->marks[i].number = products->marks[i].written = 0;
    products->events = 0;
}

#endif /* WS_BODIES */
#endif
