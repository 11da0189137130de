/* One wmma instruction with one stride, seen from p: where its accesses go when all lanes pass the same.
 *
 * Addresses are offsets from p, modulo 2^32 (shared memory), so one table serves every warp with this stride. */
#ifndef WARPSIM_COUNT_WMMA_PATTERN_H
#define WARPSIM_COUNT_WMMA_PATTERN_H

#include "../data/plan.h"

enum { WS_WMMA_MAX_ACCESSES = 16 };

typedef struct ws_wmma_pattern {
    uint32_t stride; /* elements */
    int accesses;
    uint32_t mask[WS_WMMA_MAX_ACCESSES];             /* lanes that supply addresses */
    uint32_t offset[WS_WMMA_MAX_ACCESSES][WS_LANES]; /* bytes from p */
} ws_wmma_pattern;

static inline void ws_wmma_pattern_make(const ws_plan *plan, uint32_t stride, ws_wmma_pattern *pattern) {
    const ws_wmma_code *code = &plan->code;
    const uint32_t origin = 0;
    ws_access access = ws_access_make(&origin, 1);
    int unit, i, lane;
    access.address_lanes = 1;
    access.stride = &stride;
    pattern->stride = stride;
    pattern->accesses = 0;
    for (unit = 0; unit < code->units; unit += code->units_per_access) {
        uint64_t address[WS_LANES];
        uint32_t mask = 0;
        for (i = unit; i < unit + code->units_per_access && i < code->units; i++) {
            mask |= ws_wmma_unit_addresses(&plan->op, code, &access, 0, i, address);
        }
        for (lane = 0; lane < WS_LANES; lane++) {
            pattern->offset[pattern->accesses][lane] = mask >> lane & 1 ? (uint32_t)address[lane] : 0;
        }
        pattern->mask[pattern->accesses++] = mask;
    }
}

#endif
