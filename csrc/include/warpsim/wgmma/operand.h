/* The operands of a product of a warpgroup, from shared memory to words of matrices. */
#ifndef WARPSIM_WGMMA_OPERAND_H
#define WARPSIM_WGMMA_OPERAND_H

#include "../base/bytes.h"
#include "../mma/tile.h"
#include "descriptor.h"

enum { WS_WGMMA_MOST_CHUNKS = 4 /* of a line: 64 bytes */ };

/* A matrix in shared memory. */
typedef struct ws_wgmma_operand {
    ws_wgmma_matrix matrix;
    uint32_t groups; /* of eight lines */
    uint32_t chunks; /* of a line */
} ws_wgmma_operand;

/* Is all of it inside of `nbytes` bytes? *address: of the first chunk that is not. */
static inline bool ws_wgmma_is_inside(const ws_wgmma_operand *operand, uint32_t nbytes, uint32_t *address) {
    uint32_t g, c, i;
    for (g = 0; g < operand->groups; g++) {
        for (c = 0; c < operand->chunks; c++) {
            for (i = 0; i < WS_WGMMA_LINES; i++) {
                *address = ws_wgmma_chunk(&operand->matrix, g, i, c);
                if (nbytes < WS_WGMMA_CHUNK || *address > nbytes - WS_WGMMA_CHUNK) return false;
            }
        }
    }
    return true;
}

/* The words of the lines of group `g`: word w of line i at words[stride w + i]. It lies inside of shared memory. */
static inline void ws_wgmma_gather(const ws_wgmma_operand *operand, const uint8_t *shared, uint32_t g, uint32_t stride,
                                   uint32_t *words) {
    uint32_t c, i, w;
    for (c = 0; c < operand->chunks; c++) {
        for (i = 0; i < WS_WGMMA_LINES; i++) {
            const uint8_t *const bytes = shared + ws_wgmma_chunk(&operand->matrix, g, i, c);
            uint32_t *const to = words + (size_t)(4 * c) * stride;
            if (!operand->matrix.is_line_major) {
                for (w = 0; w < 4; w++) to[w * stride + i] = ws_load_u32(bytes + 4 * w);
                continue;
            }
            for (w = 0; w < WS_WGMMA_LINES; w++) {
                const uint32_t half = (uint32_t)bytes[2 * w] | (uint32_t)bytes[2 * w + 1] << 8;
                uint32_t *const word = &to[i / 2 * stride + w];
                *word = i % 2 == 0 ? half : *word | half << 16;
            }
        }
    }
}

/* The signs of all elements change. */
static inline void ws_wgmma_negate(int type, uint32_t *words, uint32_t count) {
    const int bits = ws_type_bits(type);
    const uint32_t signs = bits == 32 ? UINT32_C(0x80000000) : bits == 16 ? UINT32_C(0x80008000) : UINT32_C(0x80808080);
    uint32_t i;
    for (i = 0; i < count; i++) words[i] ^= signs;
}

#endif
