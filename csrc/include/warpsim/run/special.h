/* Special registers: their words, how wide they are, and who knows their values.
 *
 * Source: "Special Registers" of the PTX ISA; the numbers of SMs and warps are the H200's. */
#ifndef WARPSIM_RUN_SPECIAL_H
#define WARPSIM_RUN_SPECIAL_H

#include "block.h"

/* Who knows: a LANE value is the same in each warp, an OWN one lies in rows of the warp, a BLOCK one is uniform. */
enum { WS_KNOWN_LANE, WS_KNOWN_OWN, WS_KNOWN_BLOCK, WS_KNOWN_CLOCK };

enum { WS_OWN_TID_X = 0, WS_OWN_TID_Y, WS_OWN_TID_Z, WS_OWN_WARPID, WS_OWN_ASIDE, WS_OWN_ROWS = WS_OWN_ASIDE + 2 };

enum { WS_H200_SMS = 132, WS_H200_WARPS = 64 };

/* Shared memory is allocated in units. */
enum { WS_SMEM_UNIT_BYTES = 128 };

/* clang-format off */
#define WS_SPECIAL_LIST(X)                                                                                             \
    X(TID_X, "%tid.x", OWN, 32) X(TID_Y, "%tid.y", OWN, 32) X(TID_Z, "%tid.z", OWN, 32)                                \
    X(WARPID, "%warpid", OWN, 32) X(LANEID, "%laneid", LANE, 32)                                                       \
    X(LANEMASK_EQ, "%lanemask_eq", LANE, 32) X(LANEMASK_LE, "%lanemask_le", LANE, 32)                                  \
    X(LANEMASK_LT, "%lanemask_lt", LANE, 32) X(LANEMASK_GE, "%lanemask_ge", LANE, 32)                                  \
    X(LANEMASK_GT, "%lanemask_gt", LANE, 32)                                                                           \
    X(NTID_X, "%ntid.x", BLOCK, 32) X(NTID_Y, "%ntid.y", BLOCK, 32) X(NTID_Z, "%ntid.z", BLOCK, 32)                    \
    X(CTAID_X, "%ctaid.x", BLOCK, 32) X(CTAID_Y, "%ctaid.y", BLOCK, 32) X(CTAID_Z, "%ctaid.z", BLOCK, 32)              \
    X(NCTAID_X, "%nctaid.x", BLOCK, 32) X(NCTAID_Y, "%nctaid.y", BLOCK, 32) X(NCTAID_Z, "%nctaid.z", BLOCK, 32)        \
    X(CLUSTERID_X, "%clusterid.x", BLOCK, 32) X(CLUSTERID_Y, "%clusterid.y", BLOCK, 32)                                \
    X(CLUSTERID_Z, "%clusterid.z", BLOCK, 32) X(NCLUSTERID_X, "%nclusterid.x", BLOCK, 32)                              \
    X(NCLUSTERID_Y, "%nclusterid.y", BLOCK, 32) X(NCLUSTERID_Z, "%nclusterid.z", BLOCK, 32)                            \
    X(CLUSTER_CTAID_X, "%cluster_ctaid.x", BLOCK, 32) X(CLUSTER_CTAID_Y, "%cluster_ctaid.y", BLOCK, 32)                \
    X(CLUSTER_CTAID_Z, "%cluster_ctaid.z", BLOCK, 32) X(CLUSTER_NCTAID_X, "%cluster_nctaid.x", BLOCK, 32)              \
    X(CLUSTER_NCTAID_Y, "%cluster_nctaid.y", BLOCK, 32) X(CLUSTER_NCTAID_Z, "%cluster_nctaid.z", BLOCK, 32)            \
    X(CLUSTER_CTARANK, "%cluster_ctarank", BLOCK, 32) X(CLUSTER_NCTARANK, "%cluster_nctarank", BLOCK, 32)              \
    X(SMID, "%smid", BLOCK, 32) X(NSMID, "%nsmid", BLOCK, 32) X(NWARPID, "%nwarpid", BLOCK, 32)                        \
    X(GRIDID, "%gridid", BLOCK, 64) X(DYNAMIC_SMEM, "%dynamic_smem_size", BLOCK, 32)                                   \
    X(TOTAL_SMEM, "%total_smem_size", BLOCK, 32) X(AGGR_SMEM, "%aggr_smem_size", BLOCK, 32)                            \
    X(RESERVED_BEGIN, "%reserved_smem_offset_begin", BLOCK, 32)                                                        \
    X(RESERVED_END, "%reserved_smem_offset_end", BLOCK, 32) X(RESERVED_CAP, "%reserved_smem_offset_cap", BLOCK, 32)    \
    X(RESERVED_0, "%reserved_smem_offset_0", BLOCK, 32) X(RESERVED_1, "%reserved_smem_offset_1", BLOCK, 32)            \
    X(ENVREG1, "%envreg1", BLOCK, 32) X(ENVREG2, "%envreg2", BLOCK, 32)                                                \
    X(CLOCK, "%clock", CLOCK, 32) X(CLOCK_HI, "%clock_hi", CLOCK, 32) X(CLOCK64, "%clock64", CLOCK, 64)                \
    X(GLOBALTIMER, "%globaltimer", CLOCK, 64) X(GLOBALTIMER_LO, "%globaltimer_lo", CLOCK, 32)                          \
    X(GLOBALTIMER_HI, "%globaltimer_hi", CLOCK, 32)
/* clang-format on */

#define WS_ENUM(NAME, word, who, bits) WS_SPECIAL_##NAME,
enum { WS_SPECIAL_LIST(WS_ENUM) WS_SPECIAL_COUNT };
#undef WS_ENUM

typedef struct ws_special_row {
    const char *word;
    uint8_t who, bits;
} ws_special_row;

static inline const ws_special_row *ws_special_at(uint32_t special) {
#define WS_ROW(NAME, word, who, bits) {word, WS_KNOWN_##who, bits},
    static const ws_special_row rows[] = {WS_SPECIAL_LIST(WS_ROW)};
#undef WS_ROW
    return &rows[special];
}

/* The register of a word such as %tid, and a component: 0 .. 2 of .x .. .z, or any other number without one.
 * WS_SPECIAL_COUNT: it is not modelled. */
static inline uint32_t ws_special_find(const char *word, size_t length, uint32_t component) {
    uint32_t i;
    for (i = 0; i < WS_SPECIAL_COUNT; i++) {
        const char *name = ws_special_at(i)->word;
        const size_t whole = ws_string_length(name);
        if (component > 2 && ws_bytes_equal(word, length, name)) break;
        if (component <= 2 && whole == length + 2 && name[length] == '.' && name[length + 1] == "xyz"[component]) {
            size_t k = 0;
            while (k < length && name[k] == word[k]) k++;
            if (k == length) break;
        }
    }
    return i;
}

/* Does the kernel ask where the workspace of its grid lies? The barrier of a grid has its counter there. */
static inline bool ws_kernel_meets(const ws_kernel *program) {
    uint32_t i = 0;
    while (i < program->num_constants && (program->constants[i].kind != WS_CONSTANT_SPECIAL ||
                                          (program->constants[i].variable != WS_SPECIAL_ENVREG1 &&
                                           program->constants[i].variable != WS_SPECIAL_ENVREG2)))
        i++;
    return i < program->num_constants;
}

static inline uint32_t ws_special_of_lane(uint32_t special, uint32_t lane) {
    const uint32_t own = UINT32_C(1) << lane;
    switch (special) {
        case WS_SPECIAL_LANEMASK_EQ: return own;
        case WS_SPECIAL_LANEMASK_LT: return own - 1;
        case WS_SPECIAL_LANEMASK_LE: return own | (own - 1);
        case WS_SPECIAL_LANEMASK_GE: return 0u - own;
        case WS_SPECIAL_LANEMASK_GT: return 0u - own - own;
        default: return lane;
    }
}

static inline uint64_t ws_linear(const uint32_t index[3], const uint32_t extent[3]) {
    return ((uint64_t)index[2] * extent[1] + index[1]) * extent[0] + index[0];
}

static inline uint64_t ws_special_of_block(const ws_block *block, uint32_t special) {
    const ws_launch *launch = block->launch;
    const uint32_t reserved = block->shared_at + WS_RESERVED_AT;
    if (special >= WS_SPECIAL_NTID_X && special <= WS_SPECIAL_NTID_Z)
        return launch->threads[special - WS_SPECIAL_NTID_X];
    if (special >= WS_SPECIAL_CTAID_X && special <= WS_SPECIAL_CTAID_Z)
        return block->index[special - WS_SPECIAL_CTAID_X];
    if (special >= WS_SPECIAL_NCTAID_X && special <= WS_SPECIAL_NCTAID_Z)
        return launch->grid[special - WS_SPECIAL_NCTAID_X];
    if (special >= WS_SPECIAL_CLUSTERID_X && special <= WS_SPECIAL_CLUSTERID_Z) {
        return block->index[special - WS_SPECIAL_CLUSTERID_X] / launch->cluster[special - WS_SPECIAL_CLUSTERID_X];
    }
    if (special >= WS_SPECIAL_NCLUSTERID_X && special <= WS_SPECIAL_NCLUSTERID_Z) {
        return launch->grid[special - WS_SPECIAL_NCLUSTERID_X] / launch->cluster[special - WS_SPECIAL_NCLUSTERID_X];
    }
    if (special >= WS_SPECIAL_CLUSTER_CTAID_X && special <= WS_SPECIAL_CLUSTER_CTAID_Z) {
        return block->index[special - WS_SPECIAL_CLUSTER_CTAID_X] %
               launch->cluster[special - WS_SPECIAL_CLUSTER_CTAID_X];
    }
    if (special >= WS_SPECIAL_CLUSTER_NCTAID_X && special <= WS_SPECIAL_CLUSTER_NCTAID_Z)
        return launch->cluster[special - WS_SPECIAL_CLUSTER_NCTAID_X];
    switch (special) {
        case WS_SPECIAL_CLUSTER_CTARANK: return block->rank;
        case WS_SPECIAL_CLUSTER_NCTARANK: return launch->cluster[0] * launch->cluster[1] * launch->cluster[2];
        case WS_SPECIAL_SMID: return ws_linear(block->index, launch->grid) % WS_H200_SMS;
        case WS_SPECIAL_NSMID: return WS_H200_SMS;
        case WS_SPECIAL_NWARPID: return WS_H200_WARPS;
        case WS_SPECIAL_GRIDID: return 1;
        case WS_SPECIAL_DYNAMIC_SMEM: return launch->shared_bytes - block->program->static_shared_bytes;
        case WS_SPECIAL_TOTAL_SMEM:
            return (launch->shared_bytes + WS_SMEM_UNIT_BYTES - 1) / WS_SMEM_UNIT_BYTES * WS_SMEM_UNIT_BYTES;
        case WS_SPECIAL_AGGR_SMEM: return launch->shared_bytes + WS_RESERVED_BYTES;
        case WS_SPECIAL_RESERVED_BEGIN:
        case WS_SPECIAL_RESERVED_0:
        case WS_SPECIAL_RESERVED_1: return reserved;
        case WS_SPECIAL_RESERVED_END: return reserved + WS_RESERVED_USED;
        case WS_SPECIAL_RESERVED_CAP: return reserved + WS_RESERVED_BYTES;
        case WS_SPECIAL_ENVREG1: return launch->workspace >> 32;
        case WS_SPECIAL_ENVREG2: return (uint32_t)launch->workspace;
        default: return 0;
    }
}

#endif
