/* Addresses of the shared memory of a cluster: whose they are, and the same place in another block.
 *
 *     address    rank << 24 | offset        generic: plus the shared window
 *     mapa       the same offset, another rank
 *
 * Source: "Data Movement and Conversion Instructions: mapa, getctarank" of the PTX ISA; the form of addresses is the
 * H200's. */
#ifndef WARPSIM_CLUSTER_ADDRESS_H
#define WARPSIM_CLUSTER_ADDRESS_H

#include "../run/pieces.h"

/* Low words change alone: generic addresses of a cluster have one high word. */
static inline void ws_do_mapa_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    const uint32_t *low = ws_row(lanes, step->s[WS_S_ADDRESS]), *rank = ws_row(lanes, step->s[WS_S_RANK]);
    const bool is_wide = ws_type_bits(step->type) == 64;
    uint32_t *d = ws_row(lanes, step->d[0]);
    int lane;
    for (lane = 0; lane < WS_LANES; lane++) {
        const uint32_t offset = low[lane] & ((UINT32_C(1) << WS_RANK_SHIFT) - 1);
        const uint32_t high = is_wide ? low[lane + WS_LANES] : 0;
        if (!(mask >> lane & 1)) continue;
        d[lane] = rank[lane] << WS_RANK_SHIFT | offset;
        if (is_wide) d[lane + WS_LANES] = high;
    }
}

static inline void ws_do_ctarank_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    const uint32_t *low = ws_row(lanes, step->s[WS_S_ADDRESS]);
    uint32_t *d = ws_row(lanes, step->d[0]);
    int lane;
    for (lane = 0; lane < WS_LANES; lane++) {
        if (mask >> lane & 1) d[lane] = low[lane] >> WS_RANK_SHIFT;
    }
}

/* %is_explicit_cluster: has the launch clusters, or does the kernel say so? */
static inline void ws_do_is_cluster_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    ws_predicate_set(lanes, step->d[0], ws_block_of(lanes)->launch->has_clusters ? WS_ALL_LANES : 0, mask);
}

/* clang-format off */
#define WS_MEANINGS_CLUSTER(X) X(MAPA, mapa, SCALAR, NONE) X(CTARANK, ctarank, SCALAR, NONE)                           \
    X(IS_CLUSTER, is_cluster, SCALAR, NONE)
/* clang-format on */

#endif
