/* How far the cost model is from measurement: one law for each kind of instruction, memory, quantity and load of an SM.
 *
 * The error is the 95th percentile of |model - measured| / measured, rounded up, over cases that were drawn by chance
 * and timed after the laws were fixed. Only an H200 was measured: on other targets, and for what no row names, no error
 * is known. */
#ifndef WARPSIM_TIME_EVIDENCE_H
#define WARPSIM_TIME_EVIDENCE_H

#include "cost.h"
#include "evidence_table.h"

enum { WS_LAW_NONE = -1, WS_MANY_WARPS = 8, WS_COPY_WAVEFRONTS = 6 };

/* Whether the form is one of those that were timed: other types, widths and shapes may follow the same law. */
static inline bool ws_form_was_timed(const ws_op *op) {
    const int bits = ws_type_bits(op->type);
    if (op->kind == WS_LDMATRIX || op->kind == WS_STMATRIX) return op->shape == WS_SHAPE_M8N8;
    if (op->kind == WS_WMMA_LOAD) return bits >= 8 && bits <= 32;
    if (op->kind != WS_LD && op->kind != WS_ST) return true;
    if (op->vec > 1) return bits == 32;
    return bits <= 64 && (op->space == WS_SPACE_SHARED || bits >= 32);
}

/* The row for what one issue asks of the memories; WS_LAW_NONE: nobody timed that. */
static inline int ws_law_of(const ws_op *op, const ws_asked *asked, int warps, ws_quantity quantity) {
    const bool enough =
        op->kind != WS_CP_ASYNC || op->cache != WS_CACHE_CG || asked->shared >= (double)WS_COPY_WAVEFRONTS;
    const bool many = warps >= WS_MANY_WARPS && enough;
    const int space = op->kind == WS_MOVMATRIX || op->kind == WS_CP_ASYNC ? (int)WS_SPACE_SHARED : (int)op->space;
    int i;
    if (!asked->usual || !ws_form_was_timed(op)) return WS_LAW_NONE;
    for (i = WS_LAW_ASSEMBLED + 1; i < WS_LAW_COUNT; i++) {
        const ws_law_row *row = ws_law_at(i);
        if (row->kind != op->kind || row->space != space || row->quantity != quantity) continue;
        if (row->cache != op->cache && op->kind == WS_CP_ASYNC) continue;
        if (quantity == WS_LATENCY || row->many == many) return i;
    }
    return WS_LAW_NONE;
}

/* The relative error of a law on a profile's SM; negative if it was never measured or the user changed a constant. */
static inline double ws_law_error(int law, const ws_profile *profile) {
    int i;
    if (law < 0 || law >= WS_LAW_COUNT || ws_target(profile->target)->number != 90) return -1;
    for (i = 0; i < WS_CONSTANT_COUNT; i++) {
        if (profile->constant[i].basis == WS_BASIS_USER || profile->constant[i].basis == WS_BASIS_ASSUMED) return -1;
    }
    return ws_law_at(law)->error;
}

/* Of a straight-line program: only ldmatrix by all lanes was timed. */
static inline bool ws_program_was_timed(const ws_op *op, const ws_asked *asked) {
    return op->kind == WS_LDMATRIX && ws_law_of(op, asked, 1, WS_LATENCY) != WS_LAW_NONE;
}

#endif
