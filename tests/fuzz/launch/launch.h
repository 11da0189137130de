/* One launch of a decoded kernel as the engine makes it, at a level of instructions, with observers or without, and all
 * that it leaves. Memory is reused, in heap blocks of exactly the size that was asked for. */
#ifndef FUZZ_LAUNCH_H
#define FUZZ_LAUNCH_H

#include "decoded.h"

enum { FUZZ_REGIONS = 24, FUZZ_PIECES = 64, FUZZ_VARIABLES = 2048 };

/* Launches so far, for whoever runs the fuzzer. */
extern unsigned long fuzz_launches;

/* What is launched. The bytes of regions are those that they begin with. */
typedef struct fuzz_launch {
    ws_region regions[FUZZ_REGIONS];
    bool unwritten[FUZZ_REGIONS];
    uint32_t count;
    uint64_t variables[FUZZ_VARIABLES];
    const uint8_t *parameters;
    uint32_t grid[3], threads[3], cluster[3], shared_bytes, stack_bytes;
    uint64_t order, steps, stops_at;
} fuzz_launch;

/* What observers of launches of one shape want of an arena: the same at every level. */
typedef struct fuzz_wanted {
    unsigned long number;
    uint32_t shape[12];
    size_t check, watch; /* 0: not known yet */
} fuzz_wanted;

static inline fuzz_wanted *fuzz_wanted_of(const fuzz_kernel *kernel, const fuzz_launch *what) {
    static fuzz_wanted latest;
    fuzz_wanted now;
    memset(&now, 0, sizeof now);
    now.number = kernel->number;
    memcpy(now.shape, what->grid, sizeof what->grid);
    memcpy(now.shape + 3, what->threads, sizeof what->threads);
    memcpy(now.shape + 6, what->cluster, sizeof what->cluster);
    now.shape[9] = what->shared_bytes;
    now.shape[10] = what->stack_bytes;
    now.shape[11] = what->count;
    if (memcmp(&now, &latest, offsetof(fuzz_wanted, check)) != 0) latest = now;
    return &latest;
}

/* What it leaves. */
typedef struct fuzz_left {
    ws_stop stop;
    uint32_t block[3]; /* that has stopped */
    bool ended;
    uint64_t steps;
    uint32_t paused; /* so often it did, for other clusters to go on first: clock/pause.h */
    fuzz_room bytes[FUZZ_REGIONS], shared;
    ws_check check; /* its rows, where it was checked */
    ws_watch watch; /* its lines, where it was watched */
    bool is_checked, is_watched;
    fuzz_room blocks, checked, watched, shadows, cells[FUZZ_REGIONS];
} fuzz_left;

enum { FUZZ_CHECKED = 1, FUZZ_WATCHED = 2, FUZZ_CROWD = 64 /* rows, so that some find no room */ };

static inline void fuzz_check_begins(const ws_launch *launch, const fuzz_kernel *kernel, const fuzz_launch *what,
                                     fuzz_left *left) {
    static ws_journal journal;
    const ws_module *module = &kernel->module;
    fuzz_wanted *wanted = fuzz_wanted_of(kernel, what);
    static ws_crowd_row rows[FUZZ_CROWD];
    static ws_crowd crowd;
    ws_arrays arrays = {NULL, ws_check_shift(launch, WS_AT_GLOBAL), NULL, &crowd};
    ws_arena arena = ws_arena_make(NULL, 0);
    uint32_t i;
    arrays.shadows = (ws_array_shadow *)fuzz_room_zeros(&left->shadows, what->count * sizeof(ws_array_shadow));
    for (i = 0; i < what->count; i++) {
        const ws_region *region = &launch->memory.regions[i];
        arrays.shadows[i].is_unwritten = what->unwritten[i];
        if (region->is_read_only) continue;
        ws_array_shadow_make(&arrays.shadows[i], region,
                             (ws_array_cell *)fuzz_room_zeros(
                                 &left->cells[i], (size_t)ws_array_shadow_bytes(region->nbytes, arrays.shift)));
    }
    crowd = ws_crowd_make(rows, FUZZ_CROWD, 8);
    ws_journal_begin(&journal);
    memset(&left->check, 0, sizeof left->check);
    if (wanted->check == 0) (void)ws_check_make(launch, module, &arrays, &journal, &arena, &left->check);
    if (wanted->check == 0) wanted->check = arena.wanted;
    arena = ws_arena_make(fuzz_room_zeros(&left->checked, wanted->check), wanted->check);
    left->is_checked = ws_check_make(launch, module, &arrays, &journal, &arena, &left->check);
    FUZZ_CHECK_EQUAL(arena.wanted, wanted->check);
    left->check.judge.found.stops_at = what->stops_at;
}

static inline void fuzz_watch_begins(const ws_launch *launch, const fuzz_kernel *kernel, const fuzz_launch *what,
                                     fuzz_left *left) {
    fuzz_wanted *wanted = fuzz_wanted_of(kernel, what);
    ws_arena arena = ws_arena_make(NULL, 0);
    memset(&left->watch, 0, sizeof left->watch);
    if (wanted->watch == 0) (void)ws_watch_make(launch, &arena, &left->watch);
    if (wanted->watch == 0) wanted->watch = arena.wanted;
    arena = ws_arena_make(fuzz_room_zeros(&left->watched, wanted->watch), wanted->watch);
    FUZZ_CHECK(ws_watch_make(launch, &arena, &left->watch));
    FUZZ_CHECK_EQUAL(arena.wanted, wanted->watch);
    left->is_watched = true;
}

/* All clusters, one after the other, until one stops or the steps are used up. */
static inline void fuzz_clusters(const ws_launch *launch, ws_cluster *cluster, uint64_t steps, fuzz_left *left) {
    const uint32_t count =
        ws_launch_clusters(launch, 0) * ws_launch_clusters(launch, 1) * ws_launch_clusters(launch, 2);
    const ws_block *stopped = NULL;
    uint32_t i, may_pause;
    left->ended = true;
    memset(left->block, 0, sizeof left->block);
    for (i = 0; i < count && left->ended && stopped == NULL; i++) {
        if (left->is_watched) left->watch.samples.block = i;
        if (left->is_checked) ws_check_start(&left->check, i);
        may_pause = left->is_checked ? left->check.pause.left : 0;
        ws_cluster_start(cluster, i);
        left->ended = steps > left->steps && ws_cluster_go_on(cluster, steps - left->steps);
        if (left->is_checked) left->paused += may_pause - left->check.pause.left;
        left->steps += ws_cluster_steps(cluster);
        stopped = ws_cluster_stopped(cluster);
    }
    if (stopped == NULL) return;
    left->stop = stopped->stop;
    memcpy(left->block, stopped->index, sizeof left->block);
}

static inline void fuzz_run(const fuzz_kernel *kernel, int level, const fuzz_launch *what, int observers,
                            fuzz_left *left) {
    static uint8_t printed[256];
    static ws_heap_piece pieces[FUZZ_PIECES];
    ws_output output = {printed, sizeof printed, 0, 0, 0, 0, 0, 0, pieces, FUZZ_PIECES, 0, 0, {0}};
    ws_launch launch = ws_launch_make(&kernel->programs[level], 1, 32);
    ws_region regions[FUZZ_REGIONS];
    ws_arena arena = ws_arena_make(NULL, 0);
    ws_cluster cluster;
    uint32_t i;
    memset(pieces, 0, sizeof pieces);
    for (i = 0; i < what->count; i++) {
        const size_t nbytes = (size_t)what->regions[i].nbytes;
        regions[i] = what->regions[i];
        regions[i].bytes = (uint8_t *)fuzz_room_zeros(&left->bytes[i], nbytes);
        memcpy(regions[i].bytes, what->regions[i].bytes, nbytes);
        if (regions[i].kind != WS_REGION_HEAP) continue;
        output.heap_base = regions[i].base;
        output.heap_bytes = regions[i].nbytes;
    }
    memcpy(launch.grid, what->grid, sizeof launch.grid);
    memcpy(launch.threads, what->threads, sizeof launch.threads);
    memcpy(launch.cluster, what->cluster, sizeof launch.cluster);
    launch.has_clusters = ws_launch_ranks(&launch) > 1;
    launch.memory.regions = regions;
    launch.memory.count = what->count;
    launch.variables = what->variables;
    launch.parameters = what->parameters;
    launch.shared_bytes = what->shared_bytes;
    launch.stack_bytes = what->stack_bytes;
    launch.order = what->order;
    launch.output = &output;
    launch.simd = WS_SIMD_PORTABLE + level;
    ws_cluster_make(&launch, &arena, &cluster);
    arena = ws_arena_make(fuzz_room_zeros(&left->blocks, arena.wanted), arena.wanted);
    FUZZ_CHECK(ws_cluster_make(&launch, &arena, &cluster));
    memset(&left->stop, 0, sizeof left->stop);
    left->steps = 0;
    left->paused = 0;
    left->is_checked = left->is_watched = false;
    if (observers & FUZZ_WATCHED) {
        fuzz_watch_begins(&launch, kernel, what, left);
        ws_cluster_observe(&cluster, &left->watch.observer);
    }
    if (observers & FUZZ_CHECKED) fuzz_check_begins(&launch, kernel, what, left);
    if (left->is_checked) ws_cluster_observe(&cluster, &left->check.observer);
    fuzz_clusters(&launch, &cluster, what->steps, left);
    if (left->is_watched) ws_watch_end(&left->watch);
    i = ws_launch_ranks(&launch) * cluster.stride;
    memcpy(fuzz_room_zeros(&left->shared, i), cluster.shared, i);
    fuzz_launches++;
}

static inline void fuzz_same_row(const ws_found *a, const ws_found *b) {
    FUZZ_CHECK_EQUAL(a->count, b->count);
    if (a->count == 0) return;
    FUZZ_CHECK_EQUAL(a->rule, b->rule);
    FUZZ_CHECK_EQUAL(a->step, b->step);
    FUZZ_CHECK_EQUAL(a->other, b->other);
    FUZZ_CHECK_EQUAL(a->address, b->address);
    FUZZ_CHECK(a->block == b->block && a->other_block == b->other_block);
    FUZZ_CHECK(a->thread == b->thread && a->other_thread == b->other_thread);
    FUZZ_CHECK(a->lanes == b->lanes && a->nbytes == b->nbytes && a->space == b->space);
    FUZZ_CHECK(a->is_write == b->is_write && a->other_is_write == b->other_is_write);
    FUZZ_CHECK(a->is_copy == b->is_copy && a->other_is_copy == b->other_is_copy);
}

/* Two launches of one kernel end alike: the same stop, the same bytes, and what both have seen is the same. Checks
 * may pause, which gives the warps other turns: where one launch has paused more often, a race may end otherwise. */
static inline void fuzz_same(const fuzz_launch *what, const fuzz_left *a, const fuzz_left *b) {
    uint32_t i;
    if (a->paused != b->paused) return;
    FUZZ_CHECK_EQUAL(a->stop.kind, b->stop.kind);
    FUZZ_CHECK_EQUAL(a->stop.statement, b->stop.statement);
    FUZZ_CHECK_EQUAL(a->stop.lanes, b->stop.lanes);
    FUZZ_CHECK_EQUAL(a->stop.warp, b->stop.warp);
    FUZZ_CHECK_EQUAL(a->stop.address, b->stop.address);
    FUZZ_CHECK_EQUAL(a->stop.rule, b->stop.rule);
    FUZZ_CHECK(memcmp(a->block, b->block, sizeof a->block) == 0);
    FUZZ_CHECK(a->ended == b->ended && a->steps == b->steps);
    for (i = 0; i < what->count; i++) FUZZ_CHECK(memcmp(a->bytes[i].bytes, b->bytes[i].bytes, a->bytes[i].count) == 0);
    FUZZ_CHECK(memcmp(a->shared.bytes, b->shared.bytes, a->shared.count) == 0);
    for (i = 0; i < WS_FOUND_CAPACITY && a->is_checked && b->is_checked; i++)
        fuzz_same_row(&a->check.judge.found.rows[i], &b->check.judge.found.rows[i]);
    for (i = 0; a->is_watched && b->is_watched && i < a->watch.num_steps; i++)
        FUZZ_CHECK(memcmp(&a->watch.lines[i], &b->watch.lines[i], sizeof(ws_line)) == 0);
}

#endif
