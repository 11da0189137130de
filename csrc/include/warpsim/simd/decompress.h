/* Packed 6- and 4-bit rows -> one byte per element.
 *
 * Element e is bits [w*e, w*e + w) of the row, data first, then padding, which is never read:
 *
 *     b6x16_p32   |e0 .. e15: 96 bits|32 bits of padding|     value in the low 6 bits, zeros above
 *     b4x16_p64   |e0 .. e15: 64 bits|64 bits of padding|     value in the low 4 bits, zeros above
 *     s4          |e0 .. e15: 64 bits|                        sign-extended to 8 bits
 *
 * Sources: "Sub-byte packed types" in the PTX ISA; for the position of the value in its byte, CUTLASS's fp4 shift and a
 * published all-ones test; for s4 a measurement. */
#ifndef WARPSIM_SIMD_DECOMPRESS_H
#define WARPSIM_SIMD_DECOMPRESS_H

#include <stddef.h>
#include <stdint.h>

#include "../base/bytes.h"

enum { WS_ROW_ELEMENTS = 16 };

/* 8 elements of 6 bits, in the low 48 bits -> 8 bytes: the upper half of each piece moves up, three times. To move a
 * part up by k bits, add it 2^k - 1 more times to where it is. */
static inline uint64_t ws_decompress_b6_half(uint64_t x) {
    x += (x & UINT64_C(0xffffff000000)) * 255;
    x += (x & UINT64_C(0xfff00000fff000)) * 15;
    return x + (x & UINT64_C(0xfc00fc00fc00fc0)) * 3;
}

/* 8 bytes, lowest first: one load and one store where the compiler allows it. */
static inline uint64_t ws_decompress_get(const uint8_t *from) {
    uint64_t x = 0;
#if WS_LITTLE_ENDIAN && (defined(__GNUC__) || defined(__clang__))
    __builtin_memcpy(&x, from, 8);
#else
    int i;
    for (i = 7; i >= 0; i--) x = x << 8 | from[i];
#endif
    return x;
}

static inline void ws_decompress_put(uint64_t x, uint8_t *out) {
#if WS_LITTLE_ENDIAN && (defined(__GNUC__) || defined(__clang__))
    __builtin_memcpy(out, &x, 8);
#else
    int i;
    for (i = 0; i < 8; i++) out[i] = (uint8_t)(x >> (8 * i));
#endif
}

/* Elements 0 to 7, and 8 to 15, of a row. */
static inline uint64_t ws_decompress_b6_low(const uint8_t packed[12]) {
    return ws_decompress_b6_half(ws_decompress_get(packed) & UINT64_C(0xffffffffffff));
}

static inline uint64_t ws_decompress_b6_high(const uint8_t packed[12]) {
    return ws_decompress_b6_half(ws_decompress_get(packed + 4) >> 16);
}

static inline void ws_decompress_b6(const uint8_t packed[12], uint8_t out[WS_ROW_ELEMENTS]) {
    const uint64_t low = ws_decompress_b6_low(packed), high = ws_decompress_b6_high(packed);
    ws_decompress_put(low, out);
    ws_decompress_put(high, out + 8);
}

/* 8 elements of 4 bits, in the low 32 bits -> 8 bytes. */
static inline uint64_t ws_decompress_b4_half(uint64_t x) {
    x += (x & UINT64_C(0xffff0000)) * 0xffff;
    x += (x & UINT64_C(0xff000000ff00)) * 255;
    return x + (x & UINT64_C(0xf000f000f000f0)) * 15;
}

static inline void ws_decompress_b4(const uint8_t packed[8], uint8_t out[WS_ROW_ELEMENTS]) {
    const uint64_t bits = ws_decompress_get(packed);
    const uint64_t low = ws_decompress_b4_half(bits & UINT32_MAX), high = ws_decompress_b4_half(bits >> 32);
    ws_decompress_put(low, out);
    ws_decompress_put(high, out + 8);
}

static inline void ws_decompress_s4(const uint8_t packed[8], uint8_t out[WS_ROW_ELEMENTS]) {
    int i;
    ws_decompress_b4(packed, out);
    for (i = 0; i < WS_ROW_ELEMENTS; i++) out[i] = (uint8_t)((out[i] ^ 8) - 8);
}

#endif
