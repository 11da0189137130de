/* The places in memory that a bulk copy names, and what is wrong with them. */
#ifndef WARPSIM_BULK_SPOT_H
#define WARPSIM_BULK_SPOT_H

#include "land.h"

/* Where each operand is in the list of the step: an address takes two places, itself and its offset. */
enum {
    WS_BULK_AT_SHARED = 0,
    WS_BULK_AT_GLOBAL = 2,
    WS_BULK_AT_BARRIER = 4,
    WS_BULK_AT_OTHER = 6, /* the destination of a copy from shared to shared memory */
    WS_BULK_AT_SIZE = 8,
    WS_BULK_AT_MASK = 9,
    WS_BULK_AT_PLACE = 10,
    WS_BULK_AT_OFFSETS = WS_BULK_AT_PLACE + WS_TENSOR_RANK,
    WS_BULK_AT_RANKS = WS_BULK_AT_OFFSETS + WS_TENSOR_SPATIAL, /* of a multicast */
    WS_BULK_OPERANDS
};

/* ws_step.immediate of a bulk copy. */
enum {
    WS_BULK_KIND = 3, /* mask: ws_tma_kind */
    WS_BULK_TENSOR = 1 << 2,
    WS_BULK_IM2COL = 1 << 3,
    WS_BULK_RANK = 4,    /* from this bit on, 3 bits */
    WS_BULK_REDUCES = 8, /* from this bit on: 0, or 1 + ws_atomic_op */
    WS_BULK_SHARED_ALIGN = 128
};

static inline uint64_t ws_tma_value(const ws_lanes *lanes, const ws_step *step, uint32_t operand, int lane,
                                    bool is_wide) {
    const uint32_t reference = lanes->list[step->list + operand];
    const uint32_t *row = reference != WS_NONE ? ws_row(lanes, reference) : NULL;
    return row == NULL ? 0 : row[lane] | (is_wide ? (uint64_t)row[lane + WS_LANES] << 32 : 0);
}

/* What a copy names that is wrong: the launch ends. */
static inline bool ws_tma_fault(ws_lanes *lanes, const ws_step *step, ws_kernel_rule kind, int lane, uint64_t address,
                                uint32_t nbytes) {
    ws_stop *stop = &ws_block_of(lanes)->stop;
    ws_stop_at(lanes, step, kind, UINT32_C(1) << lane);
    stop->space = (uint8_t)(address >= WS_FIRST_PARAMETER       ? WS_AT_GLOBAL
                            : address >= WS_SHARED_WINDOW_BYTES ? WS_AT_CLUSTER
                                                                : WS_AT_SHARED);
    stop->is_write = (step->immediate & WS_BULK_KIND) == (stop->space == WS_AT_GLOBAL ? WS_BULK_STORE : WS_BULK_LOAD);
    stop->nbytes = nbytes;
    stop->address = address;
    return false;
}

/* The hardware refuses the copy, for these numbers. */
static inline bool ws_tma_refuse(ws_lanes *lanes, const ws_step *step, int lane, uint64_t address,
                                 ws_tensor_refusal refusal, int64_t given, int64_t wanted) {
    ws_stop *stop = &ws_block_of(lanes)->stop;
    (void)ws_tma_fault(lanes, step, WS_RUN_TENSOR, lane, address, 0);
    stop->refusal = (uint8_t)refusal;
    stop->given = given;
    stop->wanted = wanted;
    return false;
}

/* A place in the shared memory of a block of the cluster. */
typedef struct ws_tma_spot {
    uint32_t at;
    uint8_t rank;
} ws_tma_spot;

/* Shared memory that a copy reads or writes; generic addresses lie in the window. */
static inline bool ws_tma_find(ws_lanes *lanes, const ws_step *step, uint32_t operand, int lane, uint32_t nbytes,
                               uint32_t align, ws_tma_spot *spot) {
    ws_block *block = ws_block_of(lanes);
    const uint32_t all = block->launch->shared_bytes;
    const uint32_t address = (uint32_t)(ws_tma_value(lanes, step, operand, lane, false) +
                                        ws_tma_value(lanes, step, operand + 1, lane, false)) &
                             (uint32_t)(WS_CLUSTER_WINDOW_BYTES - 1);
    const ws_block *owner = ws_shared_place(block, address, &spot->at);
    const bool is_own = (step->immediate & WS_BULK_KIND) != WS_BULK_LOAD && operand == WS_BULK_AT_SHARED;
    if (address % align != 0) return ws_tma_fault(lanes, step, WS_RUN_ALIGNMENT, lane, address, align);
    if (owner == NULL || (is_own && owner != block) || nbytes > all || spot->at > all - nbytes)
        return ws_tma_fault(lanes, step, WS_RUN_BOUNDS, lane, address, nbytes);
    spot->rank = (uint8_t)owner->rank;
    return true;
}

/* Global memory that a copy reads or writes. */
static inline bool ws_tma_fits_global(ws_lanes *lanes, const ws_step *step, int lane, uint64_t address,
                                      uint32_t nbytes) {
    const ws_region *region = ws_space_find(&ws_block_of(lanes)->launch->memory, address, nbytes);
    const bool is_write = (step->immediate & WS_BULK_KIND) == WS_BULK_STORE;
    if (region == NULL) return ws_tma_fault(lanes, step, WS_RUN_BOUNDS, lane, address, nbytes);
    if (is_write && region->is_read_only) return ws_tma_fault(lanes, step, WS_RUN_READ_ONLY, lane, address, nbytes);
    return true;
}

#endif
