/* The errors of the cost model's laws: evidence.h says what they are.
 *
 * The rows are written by `python3 -m docs.make.evidence` from the timings; tests/time/test_evidence.py does it again. */
#ifndef WARPSIM_TIME_EVIDENCE_TABLE_H
#define WARPSIM_TIME_EVIDENCE_TABLE_H

#include "../isa/op.h"

typedef enum ws_quantity { WS_LATENCY = 0, WS_INTERVAL } ws_quantity;

typedef struct ws_law_row {
    uint8_t kind, space, cache;
    uint8_t quantity; /* ws_quantity */
    bool many;        /* warps, of an interval: enough to keep the data pipe busy */
    int cases;
    double error;
    const char *source;
} ws_law_row;

/* generated */
enum { WS_LAW_PROGRAM = 0, WS_LAW_MAINLOOP, WS_LAW_ASSEMBLED, WS_LAW_COUNT = 33 };

static inline const ws_law_row *ws_law_at(int law) {
    /* clang-format off */
    static const ws_law_row table[WS_LAW_COUNT] = {
        {WS_KIND_NONE, WS_SPACE_GENERIC, WS_CACHE_NONE, WS_LATENCY, false, 549, 0.22, "H200, 432 drawn and 117 reference programs of ldmatrix"},
        {WS_KIND_NONE, WS_SPACE_GENERIC, WS_CACHE_NONE, WS_LATENCY, false, 400, 0.12, "H100, 400 held-out main loops"},
        {WS_KIND_NONE, WS_SPACE_GENERIC, WS_CACHE_NONE, WS_LATENCY, false, 400, 0.09, "H100, 400 held-out main loops as assembled"},
        {WS_LD, WS_SPACE_SHARED, WS_CACHE_NONE, WS_LATENCY, false, 229, 0.03, "H200, 96 drawn and 133 reference chains of ld.shared"},
        {WS_LD, WS_SPACE_SHARED, WS_CACHE_NONE, WS_INTERVAL, false, 975, 0.22, "H200, 224 drawn and 751 reference streams of ld.shared, fewer than 8 warps"},
        {WS_LD, WS_SPACE_SHARED, WS_CACHE_NONE, WS_INTERVAL, true, 557, 0.01, "H200, 160 drawn and 397 reference streams of ld.shared, 8 or more warps"},
        {WS_ST, WS_SPACE_SHARED, WS_CACHE_NONE, WS_LATENCY, false, 163, 0.1, "H200, 96 drawn and 67 reference chains of st.shared"},
        {WS_ST, WS_SPACE_SHARED, WS_CACHE_NONE, WS_INTERVAL, false, 794, 0.18, "H200, 244 drawn and 550 reference streams of st.shared, fewer than 8 warps"},
        {WS_ST, WS_SPACE_SHARED, WS_CACHE_NONE, WS_INTERVAL, true, 470, 0.01, "H200, 140 drawn and 330 reference streams of st.shared, 8 or more warps"},
        {WS_LD, WS_SPACE_GLOBAL, WS_CACHE_NONE, WS_LATENCY, false, 86, 0.03, "H200, 64 drawn and 22 reference chains of ld.global, L1 hits"},
        {WS_LD, WS_SPACE_GLOBAL, WS_CACHE_NONE, WS_INTERVAL, false, 156, 0.36, "H200, 156 drawn streams of ld.global, fewer than 8 warps"},
        {WS_LD, WS_SPACE_GLOBAL, WS_CACHE_NONE, WS_INTERVAL, true, 100, 0.01, "H200, 100 drawn streams of ld.global, 8 or more warps"},
        {WS_LDMATRIX, WS_SPACE_SHARED, WS_CACHE_NONE, WS_LATENCY, false, 228, 0.01, "H200, 96 drawn and 132 reference chains of ldmatrix"},
        {WS_LDMATRIX, WS_SPACE_SHARED, WS_CACHE_NONE, WS_INTERVAL, false, 1175, 0.22, "H200, 251 drawn and 924 reference streams of ldmatrix, fewer than 8 warps"},
        {WS_LDMATRIX, WS_SPACE_SHARED, WS_CACHE_NONE, WS_INTERVAL, true, 617, 0.01, "H200, 133 drawn and 484 reference streams of ldmatrix, 8 or more warps"},
        {WS_STMATRIX, WS_SPACE_SHARED, WS_CACHE_NONE, WS_LATENCY, false, 228, 0.01, "H200, 96 drawn and 132 reference chains of stmatrix"},
        {WS_STMATRIX, WS_SPACE_SHARED, WS_CACHE_NONE, WS_INTERVAL, false, 905, 0.2, "H200, 245 drawn and 660 reference streams of stmatrix, fewer than 8 warps"},
        {WS_STMATRIX, WS_SPACE_SHARED, WS_CACHE_NONE, WS_INTERVAL, true, 535, 0.01, "H200, 139 drawn and 396 reference streams of stmatrix, 8 or more warps"},
        {WS_MOVMATRIX, WS_SPACE_SHARED, WS_CACHE_NONE, WS_LATENCY, false, 17, 0.04, "H200, 16 drawn and 1 reference chains of movmatrix"},
        {WS_MOVMATRIX, WS_SPACE_SHARED, WS_CACHE_NONE, WS_INTERVAL, false, 46, 0.14, "H200, 41 drawn and 5 reference streams of movmatrix, fewer than 8 warps"},
        {WS_MOVMATRIX, WS_SPACE_SHARED, WS_CACHE_NONE, WS_INTERVAL, true, 26, 0.03, "H200, 23 drawn and 3 reference streams of movmatrix, 8 or more warps"},
        {WS_WMMA_LOAD, WS_SPACE_SHARED, WS_CACHE_NONE, WS_LATENCY, false, 100, 0.1, "H200, 48 drawn and 52 reference chains of wmma.load.shared"},
        {WS_WMMA_LOAD, WS_SPACE_SHARED, WS_CACHE_NONE, WS_INTERVAL, false, 87, 0.48, "H200, 87 drawn streams of wmma.load.shared, fewer than 8 warps"},
        {WS_WMMA_LOAD, WS_SPACE_SHARED, WS_CACHE_NONE, WS_INTERVAL, true, 19, 0.01, "H200, 19 drawn streams of wmma.load.shared, 8 or more warps"},
        {WS_WMMA_LOAD, WS_SPACE_GLOBAL, WS_CACHE_NONE, WS_LATENCY, false, 100, 0.21, "H200, 48 drawn and 52 reference chains of wmma.load.global, L1 hits"},
        {WS_WMMA_LOAD, WS_SPACE_GLOBAL, WS_CACHE_NONE, WS_INTERVAL, false, 87, 0.61, "H200, 87 drawn streams of wmma.load.global, fewer than 8 warps"},
        {WS_WMMA_LOAD, WS_SPACE_GLOBAL, WS_CACHE_NONE, WS_INTERVAL, true, 23, 0.27, "H200, 23 drawn streams of wmma.load.global, 8 or more warps"},
        {WS_CP_ASYNC, WS_SPACE_SHARED, WS_CACHE_CG, WS_LATENCY, false, 16, 0.1, "H200, 16 drawn chains of cp.async.cg, L2 hits"},
        {WS_CP_ASYNC, WS_SPACE_SHARED, WS_CACHE_CG, WS_INTERVAL, false, 139, 0.68, "H200, 43 drawn and 96 reference streams of cp.async.cg, fewer than 8 warps or 6 wavefronts"},
        {WS_CP_ASYNC, WS_SPACE_SHARED, WS_CACHE_CG, WS_INTERVAL, true, 55, 0.07, "H200, 21 drawn and 34 reference streams of cp.async.cg, 8 or more warps, 6 or more wavefronts"},
        {WS_CP_ASYNC, WS_SPACE_SHARED, WS_CACHE_CA, WS_LATENCY, false, 48, 0.1, "H200, 48 drawn chains of cp.async.ca, L2 hits"},
        {WS_CP_ASYNC, WS_SPACE_SHARED, WS_CACHE_CA, WS_INTERVAL, false, 298, 0.3, "H200, 112 drawn and 186 reference streams of cp.async.ca, fewer than 8 warps"},
        {WS_CP_ASYNC, WS_SPACE_SHARED, WS_CACHE_CA, WS_INTERVAL, true, 204, 0.29, "H200, 80 drawn and 124 reference streams of cp.async.ca, 8 or more warps"},
    };
    /* clang-format on */
    return &table[law >= 0 && law < WS_LAW_COUNT ? law : 0];
}
/* end */

#endif
