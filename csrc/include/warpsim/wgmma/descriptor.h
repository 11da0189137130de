/* Matrix descriptors of wgmma: where in shared memory the 16 bytes of a matrix lie that belong together.
 *
 *     bits 0-13 start / 16     16-29 leading byte offset / 16     32-45 stride byte offset / 16
 *     bits 49-51 base offset   62-63 swizzle: 0 none, 1 128, 2 64, 3 32 bytes
 *
 * Eight lines (rows of A, columns of B) make a group; a group is chunks of 16 bytes, eight to a core matrix:
 *
 *     k contiguous          chunk (i, c) has 16 bytes of line i, from byte 16 c of k on
 *     lines contiguous      chunk (i, c) has all eight lines of k = 8 c + i, two bytes each
 *
 *     A row of an atom has S bytes, S / 16 chunks; without swizzle S is 16.
 *     k contiguous          start + S i + 16 (c mod S/16) + leading (c / (S/16)) + stride g       g: the group
 *     lines contiguous      start + S i + 16 (g mod S/16) + leading (g / (S/16)) + stride c       S > 16
 *                           start + 16 i + leading c + stride g                                  S = 16
 *
 * A swizzle then exchanges the chunks of each row of an atom, by bits 7 to 9 of the address less the base offset.
 * Measured on H200: the addresses of all chunks for 336 descriptors, and 28,384,256 results by 14,282 random ones.
 *
 * Source: "Asynchronous Warpgroup Level Matrix Shared Memory Layout" of the PTX ISA. */
#ifndef WARPSIM_WGMMA_DESCRIPTOR_H
#define WARPSIM_WGMMA_DESCRIPTOR_H

#include <stdbool.h>
#include <stdint.h>

enum { WS_WGMMA_CHUNK = 16, WS_WGMMA_LINES = 8 };

#define WS_WGMMA_ADDRESS_MASK UINT32_C(0x3ffff) /* 18 bits of address */

typedef struct ws_wgmma_matrix {
    uint32_t start, leading, stride; /* bytes */
    uint32_t atom;                   /* bytes of a row of the swizzle: 16 (none), 32, 64, 128 */
    uint32_t base_offset;            /* 0 .. 7 */
    bool is_line_major;              /* lines are contiguous, else k is */
} ws_wgmma_matrix;

static inline ws_wgmma_matrix ws_wgmma_matrix_of(uint64_t descriptor, bool is_line_major) {
    static const uint8_t atoms[4] = {16, 128, 64, 32};
    ws_wgmma_matrix matrix;
    matrix.start = (uint32_t)(descriptor & 0x3fff) << 4;
    matrix.leading = (uint32_t)(descriptor >> 16 & 0x3fff) << 4;
    matrix.stride = (uint32_t)(descriptor >> 32 & 0x3fff) << 4;
    matrix.base_offset = (uint32_t)(descriptor >> 49 & 7);
    matrix.atom = atoms[descriptor >> 62];
    matrix.is_line_major = is_line_major;
    return matrix;
}

static inline uint32_t ws_wgmma_swizzled(const ws_wgmma_matrix *matrix, uint32_t address) {
    const uint32_t row = (address >> 7) - matrix->base_offset;
    return address ^ ((row << 4) & (matrix->atom - WS_WGMMA_CHUNK));
}

/* Does the matrix begin in the midst of the pattern of its swizzle? The base offset should say where that begins. */
static inline bool ws_wgmma_is_displaced(const ws_wgmma_matrix *matrix) {
    return (((matrix->start >> 7) - matrix->base_offset) & (matrix->atom / WS_WGMMA_CHUNK - 1)) != 0;
}

/* The shared address of chunk (i, c) of group `g`. */
static inline uint32_t ws_wgmma_chunk(const ws_wgmma_matrix *matrix, uint32_t g, uint32_t i, uint32_t c) {
    const bool is_turned = matrix->is_line_major && matrix->atom != WS_WGMMA_CHUNK;
    const uint32_t across = matrix->atom / WS_WGMMA_CHUNK, near = is_turned ? g : c, far = is_turned ? c : g;
    const uint32_t address = matrix->start + matrix->atom * i + WS_WGMMA_CHUNK * (near % across) +
                             matrix->leading * (near / across) + matrix->stride * far;
    return ws_wgmma_swizzled(matrix, address & WS_WGMMA_ADDRESS_MASK);
}

#endif
