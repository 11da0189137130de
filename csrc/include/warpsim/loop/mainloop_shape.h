/* What a main loop is: the tile of the block, how its warps share it, the layouts of both slabs; and whether that is
 * valid.
 *
 * This file knows nothing about what the loop costs. */
#ifndef WARPSIM_LOOP_MAINLOOP_SHAPE_H
#define WARPSIM_LOOP_MAINLOOP_SHAPE_H

#include "../tile/layout.h"
#include "pipeline_work.h"

enum {
    WS_MAINLOOP_MOST = 4096,  /* of M, N, K */
    WS_MAINLOOP_LOADS = 8192, /* ldmatrix of all warps in one iteration */
    WS_MAINLOOP_COPIES = 4096 /* cp.async */
};

/* An instruction: ws_schedule_kind, the cycles it stalls the warp, the mask of scoreboards for which it waits, the
 * scoreboard that its data release and the one that it releases once it has read its registers, WS_SCHEDULE_NOTHING
 * for none. */
enum {
    WS_ASSEMBLED_KIND,
    WS_ASSEMBLED_STALL,
    WS_ASSEMBLED_WAITS,
    WS_ASSEMBLED_SETS,
    WS_ASSEMBLED_FREES,
    WS_ASSEMBLED_FIELDS
};

/* One iteration, from the target of the branch to the branch. */
typedef struct ws_assembled {
    const uint8_t (*instruction)[WS_ASSEMBLED_FIELDS];
    int64_t count;
    int64_t registers; /* of a thread */
} ws_assembled;

typedef struct ws_mainloop {
    int64_t m, n, k; /* the block's tile, elements */
    int64_t warps_m, warps_n;
    int64_t stages;   /* 0: nothing is filled */
    bool trans_b;     /* B is K x N, read with .trans */
    ws_layout a, b;   /* row-major, of 8-, 16- or 32-bit elements, both the same; with trans_b of 16 bits */
    int simd;         /* WS_SIMD_AUTO, or the level to count at */
    bool narrow_sums; /* accumulators of f16, two in a register */
    bool unpacked;    /* e4m3 or e5m2 on sm_90, 100, 103, 110: conversions, two mma of f16, additions of f32 */
    const ws_assembled *assembled; /* its machine code; NULL: estimated */
} ws_mainloop;

/* Elements of 16 bytes; a step along K is twice that, whatever the type. */
static inline int64_t ws_mainloop_piece(const ws_mainloop *loop) { return 128 / loop->a.element_bits; }

static inline bool ws_mainloop_layout_fits(const ws_mainloop *loop, const ws_layout *layout, int64_t rows,
                                           int64_t cols) {
    const int bits = layout->element_bits;
    return layout->rows == rows && layout->cols == cols && !layout->col_major && !layout->packed &&
           bits == loop->a.element_bits && (bits == 16 || (!loop->trans_b && (bits == 8 || bits == 32)));
}

/* "stages: expected 0 to 15; got 16". */
static inline ws_status ws_mainloop_wrong(ws_error *error, const char *argument, const char *expected,
                                          const int64_t *given, int count) {
    ws_text text = ws_error_about(error, argument);
    int i;
    ws_text_add(&text, expected);
    for (i = 0; i < count; i++) {
        ws_text_add(&text, i == 0 ? "; got " : " x ");
        ws_text_add_int(&text, given[i]);
    }
    return WS_INVALID_ARGUMENT;
}

/* The layouts, and that their rows are whole steps of K. */
static inline ws_status ws_mainloop_check_layouts(const ws_mainloop *loop, ws_error *error) {
    const int64_t tile[3] = {loop->m, loop->n, loop->k};
    if (!ws_mainloop_layout_fits(loop, &loop->a, loop->m, loop->k)) {
        return ws_error_wrong(error, "a",
                              "expected a row-major layout of M x K elements of 8, 16 or 32 bits, with trans_b 16");
    }
    if (!ws_mainloop_layout_fits(loop, &loop->b, loop->trans_b ? loop->k : loop->n,
                                 loop->trans_b ? loop->n : loop->k)) {
        return ws_error_wrong(error, "b",
                              loop->trans_b ? "expected a row-major layout of K x N elements of 16 bits"
                                            : "expected a row-major layout of N x K elements, as wide as those of A");
    }
    if (loop->k % (2 * ws_mainloop_piece(loop)) != 0) {
        return ws_mainloop_wrong(error, "tile", "expected K a multiple of 32 bytes", tile, 3);
    }
    return WS_OK;
}

static inline ws_status ws_mainloop_check(const ws_mainloop *loop, ws_error *error) {
    const int64_t tile[3] = {loop->m, loop->n, loop->k}, grid[2] = {loop->warps_m, loop->warps_n},
                  stages[1] = {loop->stages};
    int64_t piece;
    if (loop->m < 1 || loop->n < 1 || loop->k < 1 || loop->m > WS_MAINLOOP_MOST || loop->n > WS_MAINLOOP_MOST ||
        loop->k > WS_MAINLOOP_MOST) {
        return ws_mainloop_wrong(error, "tile", "expected M, N and K from 1 to 4096", tile, 3);
    }
    if (grid[0] < 1 || grid[1] < 1 || grid[0] > WS_PIPELINE_WARPS || grid[1] > WS_PIPELINE_WARPS / grid[0]) {
        return ws_mainloop_wrong(error, "warps", "expected a grid of 1 to 32 warps", grid, 2);
    }
    if (loop->m % (16 * grid[0]) != 0 || loop->n % (16 * grid[1]) != 0) {
        return ws_mainloop_wrong(error, "tile", "expected M a multiple of 16 * warps[0] and N of 16 * warps[1]", tile,
                                 3);
    }
    if (loop->m / grid[0] / 16 * (loop->n / grid[1] / 8) > WS_PIPELINE_SUMS) {
        return ws_mainloop_wrong(error, "tile",
                                 "too large for the warps; expected at most 32768 result elements per warp", tile, 3);
    }
    if (loop->stages < 0 || loop->stages >= WS_PIPELINE_GROUPS) {
        return ws_mainloop_wrong(error, "stages", "expected 0 to 15", stages, 1);
    }
    if (ws_mainloop_check_layouts(loop, error) != WS_OK) return WS_INVALID_ARGUMENT;
    piece = ws_mainloop_piece(loop);
    if ((loop->k / (2 * piece)) * (loop->m / 16 * grid[1] + loop->n / 16 * grid[0]) > WS_MAINLOOP_LOADS ||
        (loop->m + loop->n) * loop->k / piece / 32 + 2 * grid[0] * grid[1] > WS_MAINLOOP_COPIES) {
        return ws_mainloop_wrong(error, "tile", "too large; at most 8192 ldmatrix and 4096 cp.async per iteration",
                                 tile, 3);
    }
    return WS_OK;
}

#endif
