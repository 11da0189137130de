/* What a GPU can hold, of an SM and of one thread block: whoever refuses or counts asks here.
 *
 * Sources: "Technical specifications per compute capability" of the CUDA programming guide, and NVIDIA's cuda_occupancy.h;
 * static shared memory, .const and parameters: what ptxas refuses, and "Kernel Function Parameters" of the PTX ISA. */
#ifndef WARPSIM_ISA_LIMITS_H
#define WARPSIM_ISA_LIMITS_H

#include "targets.h"

/* number of the target; KiB of shared memory of an SM, and of a block, static and dynamic; blocks and warps of an SM (0: not
 * published); blocks of a cluster, more than 8 of them only if the kernel asks for it */
#define WS_LIMITS(X)                                                                                                   \
    X(60, 64, 48, 32, 64, 1)                                                                                           \
    X(61, 96, 48, 32, 64, 1)                                                                                           \
    X(62, 0, 48, 0, 0, 1)                                                                                              \
    X(70, 96, 96, 32, 64, 1)                                                                                           \
    X(72, 96, 96, 32, 64, 1)                                                                                           \
    X(75, 64, 64, 16, 32, 1)                                                                                           \
    X(80, 164, 163, 32, 64, 1)                                                                                         \
    X(86, 100, 99, 16, 48, 1)                                                                                          \
    X(87, 164, 163, 16, 48, 1)                                                                                         \
    X(89, 100, 99, 24, 48, 1)                                                                                          \
    X(90, 228, 227, 32, 64, 16)                                                                                        \
    X(100, 228, 227, 32, 64, 16)                                                                                       \
    X(101, 228, 227, 24, 48, 16)                                                                                       \
    X(103, 228, 227, 32, 64, 16)                                                                                       \
    X(110, 228, 227, 24, 48, 16)                                                                                       \
    X(120, 100, 99, 24, 48, 8)                                                                                         \
    X(121, 100, 99, 24, 48, 8)

typedef struct ws_limits {
    uint16_t number;
    uint32_t sm_shared_bytes, block_shared_bytes;
    uint32_t sm_blocks, sm_warps, cluster_blocks;
} ws_limits;

enum {
    WS_LIMIT_STATIC_SHARED_BYTES = 49152,  /* of variables in shared memory */
    WS_LIMIT_CONST_BYTES = 65536,          /* of all .const variables of a text */
    WS_LIMIT_PARAMETER_BYTES = 32764,      /* of a kernel */
    WS_LIMIT_EARLY_PARAMETER_BYTES = 4352, /* before PTX 8.1, and below sm_70 */
    WS_LIMIT_BLOCK_THREADS = 1024,
    WS_LIMIT_BLOCK_REGISTERS = 65536, /* and of an SM */
    WS_LIMIT_THREAD_REGISTERS = 255,
    WS_LIMIT_GRID_X = 2147483647,
    WS_LIMIT_GRID_YZ = 65535,
    WS_LIMIT_BLOCK_Z = 64
};

/* NULL: no target, or its limits are not published. */
static inline const ws_limits *ws_limits_of(int target) {
#define WS_ROW(number, sm, block, blocks, warps, ranks) {number, (sm)*1024, (block)*1024, blocks, warps, ranks},
    static const ws_limits table[] = {WS_LIMITS(WS_ROW)};
#undef WS_ROW
    size_t i;
    for (i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (target >= 0 && table[i].number == ws_target(target)->number) return &table[i];
    }
    return NULL;
}

#endif
