/* How warps cover a whole tile with one instruction, and the lane addresses of every step.
 *
 *     matrix instructions   a unit is the block of matrices of one instruction:   | m0 m2 |  x4; x2 is its left half
 *                                                                                 | m1 m3 |
 *     plain accesses        a unit is 32 pieces along the contiguous axis, row after row
 *
 * Units are numbered along the contiguous axis first; warp w handles unit s * warps + w in step s. Only the last unit
 * of plain accesses may be partial: its lanes repeat the last piece.
 *
 * This file knows nothing about what the addresses cost and whether they are aligned. */
#ifndef WARPSIM_TILE_TILE_H
#define WARPSIM_TILE_TILE_H

#include "layout.h"

enum { WS_TILE_MAX_WARPS = 64 /* that fit on an SM */ };

typedef struct ws_tiling {
    int64_t units; /* instructions that cover the tile once */
    int64_t warps;
    int64_t steps;  /* instructions of each warp */
    int64_t along;  /* units (plain accesses: pieces) per run */
    int64_t pieces; /* plain accesses: of the whole tile */
} ws_tiling;

/* Matrices of one instruction along the contiguous axis, and across it. */
WS_CONSTANT int ws_tile_matrices_along(const ws_layout *layout, const ws_op *op) {
    const int down = op->num >= 2 ? 2 : 1;
    return layout->col_major ? down : op->num / down;
}

WS_CONSTANT int ws_tile_matrices_across(const ws_layout *layout, const ws_op *op) {
    return op->num / ws_tile_matrices_along(layout, op);
}

/* Can the op cover a tile: does it have lane addresses? */
WS_CONSTANT bool ws_tile_takes(const ws_op *op) {
    return ws_op_is_valid(op) && op->kind != WS_MOVMATRIX && !ws_op_is_wmma(op);
}

/* "cols: ldmatrix takes ...; expected a multiple of 16, the nearest are 48 and 64; got 60". */
static inline ws_status ws_tile_indivisible(const ws_op *op, const char *name, const char *takes, int64_t unit,
                                            int64_t given, ws_error *error) {
    ws_text text = ws_error_about(error, name);
    ws_text_add(&text, ws_kind_word(op->kind));
    ws_text_add(&text, takes);
    ws_text_add(&text, "; expected a multiple of ");
    ws_text_add_int(&text, unit);
    ws_text_add(&text, given < unit ? ", the nearest is " : ", the nearest are ");
    if (given >= unit) {
        ws_text_add_int(&text, given / unit * unit);
        ws_text_add(&text, " and ");
    }
    ws_text_add_int(&text, (given / unit + 1) * unit);
    ws_text_add(&text, "; got ");
    ws_text_add_int(&text, given);
    return WS_INVALID_ARGUMENT;
}

/* Distributes the units over the warps. */
static inline ws_status ws_tile_deal(int64_t warps, ws_tiling *tiling, ws_error *error) {
    int64_t below = warps < tiling->units ? warps : tiling->units, above = warps + 1;
    ws_text text;
    if (warps >= 1 && warps <= WS_TILE_MAX_WARPS && tiling->units % warps == 0) {
        tiling->warps = warps;
        tiling->steps = tiling->units / warps;
        return WS_OK;
    }
    text = ws_error_about(error, "warps");
    if (warps < 1 || warps > WS_TILE_MAX_WARPS) {
        ws_text_add(&text, "expected 1 to ");
        ws_text_add_int(&text, WS_TILE_MAX_WARPS);
    } else {
        while (tiling->units % below != 0) below--;
        while (above <= WS_TILE_MAX_WARPS && tiling->units % above != 0) above++;
        ws_text_add_int(&text, tiling->units);
        ws_text_add(&text, tiling->units == 1 ? " instruction covers" : " instructions cover");
        ws_text_add(&text, " the tile; expected a number that divides them, the nearest ");
        ws_text_add(&text, above <= WS_TILE_MAX_WARPS ? "are " : "is ");
        ws_text_add_int(&text, below);
        if (above <= WS_TILE_MAX_WARPS) {
            ws_text_add(&text, " and ");
            ws_text_add_int(&text, above);
        }
    }
    ws_text_add(&text, "; got ");
    ws_text_add_int(&text, warps);
    return WS_INVALID_ARGUMENT;
}

/* The piece of a tile that one instruction takes: elements along a run, and runs. */
typedef struct ws_tile_block {
    int64_t unit, across; /* unit 0: the op cannot cover tiles */
    int64_t multiple;     /* of elements along a run; packed formats have no half pieces */
} ws_tile_block;

WS_CONSTANT ws_tile_block ws_tile_block_of(const ws_layout *layout, const ws_op *op) {
    ws_tile_block block = {ws_tile_takes(op) ? ws_layout_piece_elements(layout, op) : 0, 1, 1};
    if (block.unit > 0 && ws_op_is_collective(op)) {
        block.unit *= ws_tile_matrices_along(layout, op);
        block.across = (int64_t)ws_op_form(op)->rows * ws_tile_matrices_across(layout, op);
    }
    block.multiple = layout->packed && block.unit < 16 ? 16 : block.unit;
    return block;
}

/* The instructions that cover a tile which blocks divide, all of one warp. */
WS_CONSTANT ws_tiling ws_tile_split(const ws_layout *layout, const ws_op *op, const ws_tile_block *block) {
    const int64_t runs = ws_layout_runs(layout);
    ws_tiling tiling = {0, 1, 0, ws_layout_run(layout) / block->unit, 0};
    tiling.pieces = ws_op_is_collective(op) ? 0 : tiling.along * runs;
    tiling.units =
        ws_op_is_collective(op) ? tiling.along * (runs / block->across) : (tiling.pieces + WS_LANES - 1) / WS_LANES;
    tiling.steps = tiling.units;
    return tiling;
}

/* How `warps` warps cover the tile; if they cannot, WS_INVALID_ARGUMENT with sizes that work. */
static inline ws_status ws_tile_cover(const ws_layout *layout, const ws_op *op, int64_t warps, ws_tiling *tiling,
                                      ws_error *error) {
    const char *along_name = layout->col_major ? "rows" : "cols", *across_name = layout->col_major ? "cols" : "rows";
    const int64_t run = ws_layout_run(layout), runs = ws_layout_runs(layout);
    const ws_tile_block block = ws_tile_block_of(layout, op);
    ws_error_clear(error);
    if (block.unit < 1) {
        return ws_error_wrong(
            error, "op",
            !ws_tile_takes(op) ? "expected an instruction with lane addresses: ldmatrix, stmatrix, ld, st or cp.async"
                               : "expected accesses that hold at least one element of the layout");
    }
    if (run % block.multiple != 0) {
        return ws_tile_indivisible(op, along_name,
                                   ws_op_is_collective(op) ? " takes whole blocks of matrices" : " takes whole pieces",
                                   block.multiple, run, error);
    }
    if (runs % block.across != 0) {
        return ws_tile_indivisible(op, across_name, " takes whole blocks of matrices", block.across, runs, error);
    }
    *tiling = ws_tile_split(layout, op, &block);
    return ws_tile_deal(warps, tiling, error);
}

/* Where piece `inner` of run `outer` begins without the swizzle, in bytes; pieces have `elements` elements. */
WS_CONSTANT int64_t ws_tile_piece_at(const ws_layout *layout, const ws_op *op, int64_t outer, int64_t inner,
                                     int64_t elements) {
    if (layout->row_at != NULL) return ws_layout_plain_bits(layout, outer, inner * elements) / 8;
    return outer * ws_layout_pitch_bytes(layout) + inner * ws_op_access_bytes(op);
}

/* Where the lanes of a unit would point without the swizzle, in bytes from the start of the layout. */
WS_CONSTANT void ws_tile_unit(const ws_layout *layout, const ws_op *op, const ws_tiling *tiling, int64_t unit,
                              int64_t offset[WS_LANES]) {
    const int64_t piece = ws_layout_piece_elements(layout, op);
    int lane;
    if (ws_op_is_collective(op)) {
        const int along = ws_tile_matrices_along(layout, op), across = ws_tile_matrices_across(layout, op);
        const int rows = ws_op_form(op)->rows, row_lanes = ws_op_row_lanes(op);
        const int64_t outer0 = unit / tiling->along * across * rows, inner0 = unit % tiling->along * along;
        for (lane = 0; lane < row_lanes; lane++) {
            const int down = lane / rows % 2, right = lane / rows / 2;
            const int64_t outer = (layout->col_major ? right : down) * rows + lane % rows;
            const int64_t inner = inner0 + (layout->col_major ? down : right);
            offset[lane] = ws_tile_piece_at(layout, op, outer0 + outer, inner, piece);
        }
        for (lane = row_lanes; lane < WS_LANES; lane++) offset[lane] = offset[lane - row_lanes];
    } else {
        int64_t next = unit * WS_LANES, outer = next / tiling->along, inner = next % tiling->along;
        for (lane = 0; lane < WS_LANES; lane++) {
            offset[lane] = ws_tile_piece_at(layout, op, outer, inner, piece);
            if (++next >= tiling->pieces) continue;
            if (++inner == tiling->along) {
                inner = 0;
                outer++;
            }
        }
    }
}

/* Where the lanes of a unit of cp.async read: the tile is dense there, and starts at a multiple of 128. */
WS_CONSTANT void ws_tile_source(const ws_op *op, const ws_tiling *tiling, int64_t unit, uint64_t source[WS_LANES]) {
    int lane;
    for (lane = 0; lane < WS_LANES; lane++) {
        const int64_t piece = unit * WS_LANES + lane;
        source[lane] = (uint64_t)(piece < tiling->pieces ? piece : tiling->pieces - 1) * op->size_bytes;
    }
}

/* The unit that one warp handles in one step. */
WS_CONSTANT int64_t ws_tiling_unit(const ws_tiling *tiling, int64_t warp, int64_t step) {
    return step * tiling->warps + warp;
}

/* Lane addresses of the steps first <= i < last, where i = warp * steps + step, into address[i]: bytes from the start
 * of the layout. */
WS_CONSTANT void ws_tile_steps_range(const ws_layout *layout, const ws_op *op, const ws_tiling *tiling, int64_t first,
                                     int64_t last, int64_t *address) {
    int64_t i;
    int lane;
    for (i = first; i < last; i++) {
        int64_t *to = address + i * WS_LANES;
        ws_tile_unit(layout, op, tiling, ws_tiling_unit(tiling, i / tiling->steps, i % tiling->steps), to);
        for (lane = 0; lane < WS_LANES; lane++) to[lane] = ws_layout_swizzled(layout, (uint64_t)to[lane] * 8);
    }
}

/* The addresses of every step, address[warps][steps][32]. */
WS_CONSTANT void ws_tile_steps(const ws_layout *layout, const ws_op *op, const ws_tiling *tiling, int64_t *address) {
    ws_tile_steps_range(layout, op, tiling, 0, tiling->warps * tiling->steps, address);
}

#endif
