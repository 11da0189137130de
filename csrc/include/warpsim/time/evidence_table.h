/* The errors of the cost model's laws: evidence.h says what they are.
 *
 * Written by `python3 -m docs.make.evidence` from benchmarks/device; tests/time/test_evidence.py computes each row again. */
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

enum { WS_LAW_PROGRAM = 0, WS_LAW_MAINLOOP, WS_LAW_COUNT = 32 };

static inline const ws_law_row *ws_law_at(int law) {
    /* clang-format off */
    static const ws_law_row table[WS_LAW_COUNT] = {
        {WS_KIND_NONE, WS_SPACE_GENERIC, WS_CACHE_NONE, WS_LATENCY, false, 549, 0.22, "H200: 432 programs of ldmatrix drawn by chance, and 117 of the reference"},
        {WS_KIND_NONE, WS_SPACE_GENERIC, WS_CACHE_NONE, WS_LATENCY, false, 160, 0.26, "H200: 160 main loops drawn by chance that nobody looked at"},
        {WS_LD, WS_SPACE_SHARED, WS_CACHE_NONE, WS_LATENCY, false, 229, 0.03, "H200: 96 chains of ld.shared drawn by chance, and 133 of the reference"},
        {WS_LD, WS_SPACE_SHARED, WS_CACHE_NONE, WS_INTERVAL, false, 975, 0.22, "H200: 224 streams of ld.shared drawn by chance, fewer than 8 warps, and 751 of the reference"},
        {WS_LD, WS_SPACE_SHARED, WS_CACHE_NONE, WS_INTERVAL, true, 557, 0.01, "H200: 160 streams of ld.shared drawn by chance, 8 or more warps, and 397 of the reference"},
        {WS_ST, WS_SPACE_SHARED, WS_CACHE_NONE, WS_LATENCY, false, 163, 0.1, "H200: 96 chains of st.shared drawn by chance, and 67 of the reference"},
        {WS_ST, WS_SPACE_SHARED, WS_CACHE_NONE, WS_INTERVAL, false, 794, 0.18, "H200: 244 streams of st.shared drawn by chance, fewer than 8 warps, and 550 of the reference"},
        {WS_ST, WS_SPACE_SHARED, WS_CACHE_NONE, WS_INTERVAL, true, 470, 0.01, "H200: 140 streams of st.shared drawn by chance, 8 or more warps, and 330 of the reference"},
        {WS_LD, WS_SPACE_GLOBAL, WS_CACHE_NONE, WS_LATENCY, false, 86, 0.03, "H200: 64 chains of ld.global drawn by chance, L1 hits, and 22 of the reference"},
        {WS_LD, WS_SPACE_GLOBAL, WS_CACHE_NONE, WS_INTERVAL, false, 156, 0.36, "H200: 156 streams of ld.global drawn by chance, fewer than 8 warps"},
        {WS_LD, WS_SPACE_GLOBAL, WS_CACHE_NONE, WS_INTERVAL, true, 100, 0.01, "H200: 100 streams of ld.global drawn by chance, 8 or more warps"},
        {WS_LDMATRIX, WS_SPACE_SHARED, WS_CACHE_NONE, WS_LATENCY, false, 228, 0.01, "H200: 96 chains of ldmatrix drawn by chance, and 132 of the reference"},
        {WS_LDMATRIX, WS_SPACE_SHARED, WS_CACHE_NONE, WS_INTERVAL, false, 1175, 0.22, "H200: 251 streams of ldmatrix drawn by chance, fewer than 8 warps, and 924 of the reference"},
        {WS_LDMATRIX, WS_SPACE_SHARED, WS_CACHE_NONE, WS_INTERVAL, true, 617, 0.01, "H200: 133 streams of ldmatrix drawn by chance, 8 or more warps, and 484 of the reference"},
        {WS_STMATRIX, WS_SPACE_SHARED, WS_CACHE_NONE, WS_LATENCY, false, 228, 0.01, "H200: 96 chains of stmatrix drawn by chance, and 132 of the reference"},
        {WS_STMATRIX, WS_SPACE_SHARED, WS_CACHE_NONE, WS_INTERVAL, false, 905, 0.2, "H200: 245 streams of stmatrix drawn by chance, fewer than 8 warps, and 660 of the reference"},
        {WS_STMATRIX, WS_SPACE_SHARED, WS_CACHE_NONE, WS_INTERVAL, true, 535, 0.01, "H200: 139 streams of stmatrix drawn by chance, 8 or more warps, and 396 of the reference"},
        {WS_MOVMATRIX, WS_SPACE_SHARED, WS_CACHE_NONE, WS_LATENCY, false, 17, 0.04, "H200: 16 chains of movmatrix drawn by chance, and 1 of the reference"},
        {WS_MOVMATRIX, WS_SPACE_SHARED, WS_CACHE_NONE, WS_INTERVAL, false, 46, 0.14, "H200: 41 streams of movmatrix drawn by chance, fewer than 8 warps, and 5 of the reference"},
        {WS_MOVMATRIX, WS_SPACE_SHARED, WS_CACHE_NONE, WS_INTERVAL, true, 26, 0.03, "H200: 23 streams of movmatrix drawn by chance, 8 or more warps, and 3 of the reference"},
        {WS_WMMA_LOAD, WS_SPACE_SHARED, WS_CACHE_NONE, WS_LATENCY, false, 100, 0.1, "H200: 48 chains of wmma.load.shared drawn by chance, and 52 of the reference"},
        {WS_WMMA_LOAD, WS_SPACE_SHARED, WS_CACHE_NONE, WS_INTERVAL, false, 87, 0.48, "H200: 87 streams of wmma.load.shared drawn by chance, fewer than 8 warps"},
        {WS_WMMA_LOAD, WS_SPACE_SHARED, WS_CACHE_NONE, WS_INTERVAL, true, 19, 0.01, "H200: 19 streams of wmma.load.shared drawn by chance, 8 or more warps"},
        {WS_WMMA_LOAD, WS_SPACE_GLOBAL, WS_CACHE_NONE, WS_LATENCY, false, 100, 0.21, "H200: 48 chains of wmma.load.global drawn by chance, L1 hits, and 52 of the reference"},
        {WS_WMMA_LOAD, WS_SPACE_GLOBAL, WS_CACHE_NONE, WS_INTERVAL, false, 87, 0.61, "H200: 87 streams of wmma.load.global drawn by chance, fewer than 8 warps"},
        {WS_WMMA_LOAD, WS_SPACE_GLOBAL, WS_CACHE_NONE, WS_INTERVAL, true, 23, 0.27, "H200: 23 streams of wmma.load.global drawn by chance, 8 or more warps"},
        {WS_CP_ASYNC, WS_SPACE_SHARED, WS_CACHE_CG, WS_LATENCY, false, 16, 0.17, "H200: 16 chains of cp.async.cg drawn by chance, L2 hits"},
        {WS_CP_ASYNC, WS_SPACE_SHARED, WS_CACHE_CG, WS_INTERVAL, false, 139, 0.68, "H200: 43 streams of cp.async.cg drawn by chance, fewer than 8 warps or 6 wavefronts, and 96 of the reference"},
        {WS_CP_ASYNC, WS_SPACE_SHARED, WS_CACHE_CG, WS_INTERVAL, true, 55, 0.07, "H200: 21 streams of cp.async.cg drawn by chance, 8 or more warps, 6 or more wavefronts, and 34 of the reference"},
        {WS_CP_ASYNC, WS_SPACE_SHARED, WS_CACHE_CA, WS_LATENCY, false, 48, 0.17, "H200: 48 chains of cp.async.ca drawn by chance, L2 hits"},
        {WS_CP_ASYNC, WS_SPACE_SHARED, WS_CACHE_CA, WS_INTERVAL, false, 298, 0.3, "H200: 112 streams of cp.async.ca drawn by chance, fewer than 8 warps, and 186 of the reference"},
        {WS_CP_ASYNC, WS_SPACE_SHARED, WS_CACHE_CA, WS_INTERVAL, true, 204, 0.29, "H200: 80 streams of cp.async.ca drawn by chance, 8 or more warps, and 124 of the reference"},
    };
    /* clang-format on */
    return &table[law >= 0 && law < WS_LAW_COUNT ? law : 0];
}

#endif
