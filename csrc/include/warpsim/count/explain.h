/* Which lanes collide in which bank in which pass: the cells that make up a wavefront count.
 *
 * One cell is one bank's word (for cp.async, its destination word) that one lane requests:
 *
 *     group 0 (matrix 0)   pass 0   lane 3 -> bank 12, word 44 */
#ifndef WARPSIM_COUNT_EXPLAIN_H
#define WARPSIM_COUNT_EXPLAIN_H

#include "traffic.h"

typedef struct ws_bank_cell {
    uint64_t word; /* shared address / 4 */
    uint8_t group; /* group of lanes; cp.async.cg: class of moves */
    uint8_t lane;
    uint8_t bank;
    uint8_t pass; /* in its group, from 0 */
} ws_bank_cell;

/* wmma: up to 16 accesses of 32 lanes, or 4 of 64 words each */
enum { WS_MAX_CELLS = 512, WS_MAX_GROUPS = 32 };

typedef struct ws_bank_cells {
    ws_bank_cell cell[WS_MAX_CELLS];
    int cells;
    int groups;
    uint8_t group_wavefronts[WS_MAX_GROUPS];
} ws_bank_cells;

/* The shared-memory side of one warp's issue; no cells if it does not touch shared memory. */
WS_PUBLIC void ws_explain_warp(const ws_op *op, const ws_access *access, size_t warp, ws_bank_cells *cells);

#if WS_BODIES

static inline void ws_bank_cells_add(ws_bank_cells *cells, int group, int lane, uint64_t word, int pass) {
    ws_bank_cell *cell = &cells->cell[cells->cells++];
    cell->word = word;
    cell->group = (uint8_t)group;
    cell->lane = (uint8_t)lane;
    cell->bank = (uint8_t)(word % WS_BANK_COUNT);
    cell->pass = (uint8_t)pass;
}

static inline void ws_explain_stream(const ws_stream *stream, ws_bank_cells *cells) {
    const int group_lanes = ws_stream_group_lanes(stream);
    int first, lane;
    for (first = 0; first < WS_LANES; first += group_lanes) {
        ws_bank_table table;
        ws_bank_table_clear(&table);
        for (lane = first; lane < first + group_lanes; lane++) {
            const uint64_t address = stream->address[lane];
            uint64_t word;
            if (!(stream->mask >> lane & 1)) continue;
            for (word = address / 4; word <= (address + (uint64_t)stream->width_bytes - 1) / 4; word++) {
                ws_bank_cells_add(cells, cells->groups, lane, word, ws_bank_table_add(&table, word));
            }
        }
        if (table.words > 0) cells->group_wavefronts[cells->groups++] = (uint8_t)table.passes;
    }
}

static inline void ws_explain_copy(const ws_plan *plan, const ws_access *access, size_t warp, ws_bank_cells *cells) {
    const ws_op *op = &plan->op;
    uint64_t to[WS_LANES], from[WS_LANES], word;
    const uint32_t mask = ws_stream_copy(op, access, warp, to, from);
    const int group_lanes = plan->group_lanes;
    ws_cp_async_moves all;
    int i, lane;
    if (op->cache == WS_CACHE_CG) {
        ws_cp_async_cg_moves(to, from, mask, &all);
        for (i = 0; i < all.classes; i++)
            cells->group_wavefronts[cells->groups++] = (uint8_t)ws_cp_async_cg_class(&all, i);
        for (lane = 0; lane < WS_LANES; lane++) {
            if (all.move_of[lane] == 255) continue;
            for (word = to[lane] / 4; word < to[lane] / 4 + 4; word++) {
                ws_bank_cells_add(cells, all.move[all.move_of[lane]].of_class, lane, word, 0);
            }
        }
        return;
    }
    for (i = 0; i < WS_LANES; i += group_lanes) {
        uint8_t pass_of[WS_LANES];
        const int wavefronts = ws_cp_async_ca_group(to, from, mask, i, group_lanes, op->size_bytes, pass_of);
        if (wavefronts == 0) continue;
        for (lane = i; lane < i + group_lanes; lane++) {
            if (!(mask >> lane & 1)) continue;
            for (word = to[lane] / 4; word < to[lane] / 4 + (uint64_t)op->size_bytes / 4; word++) {
                ws_bank_cells_add(cells, cells->groups, lane, word, pass_of[lane]);
            }
        }
        cells->group_wavefronts[cells->groups++] = (uint8_t)wavefronts;
    }
}

static inline void ws_explain_wmma(const ws_plan *plan, const ws_access *access, size_t warp, ws_bank_cells *cells) {
    int unit;
    for (unit = 0; unit < plan->code.units; unit += plan->code.units_per_access) {
        ws_stream stream;
        ws_stream_wmma(plan, access, warp, unit, WS_IN_SHARED, &stream);
        if (stream.mask != 0) ws_explain_stream(&stream, cells);
    }
}

WS_PUBLIC void ws_explain_warp(const ws_op *op, const ws_access *access, size_t warp, ws_bank_cells *cells) {
    const ws_plan plan = ws_plan_make(op, access);
    ws_stream stream;
    cells->cells = 0;
    cells->groups = 0;
    if (op->kind == WS_MOVMATRIX || ws_stream_lanes(&plan, access, warp) == 0) return;
    if (op->kind == WS_CP_ASYNC) {
        ws_explain_copy(&plan, access, warp, cells);
        return;
    }
    if (plan.is_wmma) {
        ws_explain_wmma(&plan, access, warp, cells);
        return;
    }
    ws_stream_make(&plan, access, warp, WS_IN_SHARED, &stream);
    ws_explain_stream(&stream, cells);
}

#endif /* WS_BODIES */
#endif
