/* What products of warpgroups read of shared memory, in chunks of 16 bytes: while they may still read them, nobody may
 * write them; and what ordinary stores wrote must have passed the proxy fence.
 *
 * A product's reads have ended for whoever is ordered after the wait of one of its four warps: the warps execute it
 * together. */
#ifndef WARPSIM_CHECK_TILES_H
#define WARPSIM_CHECK_TILES_H

#include "products.h"
#include "../shadow/shadow.h"

#if WS_BODIES

/* The first thread of a warpgroup, in its block and in the cluster. */
static inline uint32_t ws_tile_first(const ws_check *check, uint32_t group) {
    return group % check->products.each * WS_WGMMA_WARPS * WS_LANES;
}

static inline uint32_t ws_tile_thread(const ws_check *check, uint32_t group) {
    return group / check->products.each * check->judge.clock.each + ws_tile_first(check, group);
}

/* Is what a thread does now ordered after a wait for the product? */
static inline bool ws_tile_is_free(const ws_check *check, uint32_t group, const ws_product_row *row, uint32_t thread) {
    uint32_t w, lane;
    for (w = 0; w < WS_WGMMA_WARPS; w++) {
        const uint32_t first = ws_tile_thread(check, group) + w * WS_LANES;
        for (lane = 0; lane < WS_LANES && row->waited[w] != 0; lane++) {
            if (ws_clock_orders(&check->judge.clock, thread, first + lane, row->waited[w])) return true;
        }
    }
    return false;
}

/* Somebody writes `nbytes` bytes at an offset in the shared memory of the cluster: the products of that block read it. */
static inline void ws_tiles_written(ws_check *check, const ws_stamp *stamp, uint32_t offset, uint32_t nbytes) {
    const ws_products *products = &check->products;
    const uint32_t rank = check->judge.clock.ranks == 1 ? 0 : offset / check->judge.stride;
    const uint32_t at = offset - rank * check->judge.stride;
    uint32_t g, chunk;
    for (g = rank * products->each; g < (rank + 1) * products->each; g++) {
        ws_warpgroup *group = &products->groups[g];
        for (chunk = at / WS_WGMMA_CHUNK; chunk <= (at + nbytes - 1) / WS_WGMMA_CHUNK; chunk++) {
            const uint32_t number = chunk < products->chunks ? products->readers[g * products->chunks + chunk] : 0;
            const ws_product_row *row = ws_product_at(group, number);
            ws_visit visit;
            ws_stamp reader;
            if (number == 0 || row->number != number ||
                ws_tile_is_free(check, g, row, ws_stamp_thread(&check->judge, stamp)))
                continue;
            visit = ws_check_where(WS_AT_SHARED, offset, nbytes);
            visit.stamp = *stamp;
            visit.is_write = true;
            reader.time = row->waited[0];
            reader.who = ws_who_of(&check->judge, rank, row->step) | ws_tile_first(check, g);
            ws_judge_report(&check->judge, WS_RUN_PRODUCT_TILE, &visit, &reader, false, check->judge.block);
            return;
        }
    }
}

/* What is kept of a chunk that a tensor copy has filled: the step and the swizzle of the map, from 1 on. */
static inline uint32_t ws_tiles_filling(const ws_tma *flight) {
    return flight->is_tensor ? 1 + (flight->step << 2 | flight->map.swizzle) : 0;
}

/* A bulk copy writes a stretch of the shared memory of the cluster. */
static inline void ws_tiles_filled(ws_check *check, const ws_tma *flight, uint32_t offset, uint32_t nbytes) {
    const uint32_t rank = check->judge.clock.ranks == 1 ? 0 : offset / check->judge.stride;
    const uint32_t first = (offset - rank * check->judge.stride) / WS_WGMMA_CHUNK, most = check->products.chunks;
    uint32_t i;
    for (i = first; i < first + nbytes / WS_WGMMA_CHUNK && i < most && check->products.groups != NULL; i++) {
        check->products.filled[rank * most + i] = ws_tiles_filling(flight);
    }
}

/* A product reads a chunk: if a tensor copy was the last to write it, then by the swizzle of the descriptor? */
static inline void ws_tiles_judge_swizzle(ws_check *check, const ws_wgmma_operand *operand, uint32_t filling,
                                          const ws_visit *visit) {
    const ws_stamp *write = &check->shared.cells[visit->address >> check->shared.shift].write;
    if (filling == 0 || (UINT32_C(16) << ((filling - 1) & 3)) == operand->matrix.atom) return;
    if ((write->who & WS_WHO_COPY) == 0 || ws_stamp_step(&check->judge, write) != (filling - 1) >> 2) return;
    ws_judge_report(&check->judge, WS_RUN_PRODUCT_SWIZZLE, visit, write, true, check->judge.block);
}

/* Lanes write to shared memory. */
static inline void ws_tiles_pass(ws_check *check, const ws_pass *pass) {
    uint32_t left;
    for (left = pass->mask; left != 0; left &= left - 1) {
        const int lane = ws_first_lane(left);
        const ws_stamp stamp = ws_pass_stamp(&check->judge, pass, lane);
        ws_tiles_written(check, &stamp, pass->offset[lane], pass->nbytes);
    }
}

/* A product reads a cell that a thread has written by an ordinary store: has it passed the proxy fence since? */
static inline bool ws_tiles_has_passed(const ws_check *check, const ws_stamp *write, uint32_t reader) {
    const uint32_t *passed = check->products.passed;
    return (write->who & WS_WHO_COPY) || passed[ws_stamp_thread(&check->judge, write)] > write->time ||
           passed[reader] > write->time;
}

/* While the tiles of a product are read: who wrote what was fine so far, and the first uninitialised bytes. */
typedef struct ws_tile_reading {
    ws_visit visit, unwritten;
    ws_stamp fine;
    bool has_unwritten;
} ws_tile_reading;

static inline void ws_tiles_read_cell(ws_check *check, ws_tile_reading *reading) {
    ws_judge *judge = &check->judge;
    const ws_visit *visit = &reading->visit;
    const ws_stamp *write = &check->shared.cells[visit->address >> check->shared.shift].write;
    if (write->time == reading->fine.time && write->who == reading->fine.who) return;
    if (write->time == WS_TIME_IN_FLIGHT) {
        ws_judge_report(judge, WS_RUN_IN_FLIGHT, visit, write, true, judge->block);
    } else if (write->time < judge->clock.start) {
        if (!reading->has_unwritten) reading->unwritten = *visit;
        reading->has_unwritten = true;
    } else if (ws_judge_is_race(judge, visit, write, judge->block)) {
        ws_judge_race(judge, visit, write, judge->block);
    } else if (!ws_tiles_has_passed(check, write, ws_stamp_thread(judge, &visit->stamp))) {
        ws_judge_report(judge, WS_RUN_PRODUCT_PROXY, visit, write, true, judge->block);
    } else {
        reading->fine = *write;
    }
}

static inline void ws_tiles_read(ws_check *check, uint32_t g, const ws_wgmma_operand *operand,
                                 ws_tile_reading *reading) {
    const ws_products *products = &check->products;
    const uint32_t size = UINT32_C(1) << check->shared.shift, base = g / products->each * check->judge.stride;
    const uint32_t *filled = products->filled + g / products->each * products->chunks;
    uint32_t i, c, line, at;
    for (i = 0; i < operand->groups * operand->chunks * WS_WGMMA_LINES; i++) {
        line = i % WS_WGMMA_LINES;
        c = i / WS_WGMMA_LINES % operand->chunks;
        at = ws_wgmma_chunk(&operand->matrix, i / WS_WGMMA_LINES / operand->chunks, line, c);
        if (at / WS_WGMMA_CHUNK >= products->chunks) return; /* outside: the launch ends */
        products->readers[g * products->chunks + at / WS_WGMMA_CHUNK] = products->groups[g].issued[0];
        for (line = 0; line < WS_WGMMA_CHUNK; line += size) {
            reading->visit.address = base + at + line;
            ws_tiles_read_cell(check, reading);
        }
        reading->visit.address = base + at;
        ws_tiles_judge_swizzle(check, operand, filled[at / WS_WGMMA_CHUNK], &reading->visit);
    }
}

/* The four warps are at a product, which reads its operands. */
static inline void ws_tiles_product(ws_check *check, ws_lanes *lanes, const ws_step *step, uint32_t number) {
    const ws_warp *warp = ws_warp_of(lanes);
    ws_tile_reading reading;
    ws_wgmma_product product;
    uint32_t w;
    int is_b;
    check->judge.clock.now++;
    ws_wgmma_product_of(warp->block->program, step, lanes, &product);
    reading.visit = ws_check_where(WS_AT_SHARED, 0, UINT32_C(1) << check->shared.shift);
    reading.visit.reads = true;
    reading.visit.stamp.time = check->judge.clock.now;
    reading.visit.stamp.who = ws_who_of(&check->judge, warp->block->rank, number) | warp->number * WS_LANES;
    reading.fine = reading.visit.stamp; /* of no write */
    reading.has_unwritten = false;
    for (is_b = product.shares_a ? 0 : 1; is_b < 2; is_b++) {
        const ws_wgmma_operand operand = ws_wgmma_operand_of(&product, is_b != 0);
        if (ws_wgmma_is_displaced(&operand.matrix))
            ws_check_lanes(check, WS_RUN_PRODUCT_START, number, warp->place, WS_ALL_LANES);
        ws_tiles_read(check, ws_products_number_of(check, warp), &operand, &reading);
    }
    for (w = 0; w < WS_WGMMA_WARPS && reading.has_unwritten; w++) {
        const ws_warp *one = &warp->block->warps[warp->number / WS_WGMMA_WARPS * WS_WGMMA_WARPS + w];
        ws_use_begin(check, one, step, number, WS_ALL_LANES, NULL, &reading.unwritten);
    }
}

#endif /* WS_BODIES */
#endif
