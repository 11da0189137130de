/* Packed 6- and 4-bit rows -> one byte an element.
 *
 * Element e is bits [w*e, w*e + w) of the row, data first, padding last and never looked at:
 *
 *     b6x16_p32   |e0 .. e15: 96 bits|32 bits of padding|     value in the low 6 bits, zeros above
 *     b4x16_p64   |e0 .. e15: 64 bits|64 bits of padding|     value in the low 4 bits, zeros above
 *     s4          |e0 .. e15: 64 bits|                        sign-extended to 8 bits
 *
 * Sources: "Sub-byte packed types" of the PTX ISA; for the place of the value in its byte
 * CUTLASS's fp4 shift and a published all-ones test; for s4 a measurement. */
#ifndef WARPSIM_DECOMPRESS_H
#define WARPSIM_DECOMPRESS_H

#include "op.h"

enum { WS_ROW_ELEMENTS = 16 };

static inline void ws_decompress_b6(const uint8_t packed[12], uint8_t out[WS_ROW_ELEMENTS]) {
    int i;
    for (i = 0; i < 4; i++) { /* three bytes hold four elements */
        const uint32_t bits =
            (uint32_t)packed[3 * i] | (uint32_t)packed[3 * i + 1] << 8 | (uint32_t)packed[3 * i + 2] << 16;
        out[4 * i] = (uint8_t)(bits & 0x3f);
        out[4 * i + 1] = (uint8_t)(bits >> 6 & 0x3f);
        out[4 * i + 2] = (uint8_t)(bits >> 12 & 0x3f);
        out[4 * i + 3] = (uint8_t)(bits >> 18 & 0x3f);
    }
}

static inline void ws_decompress_b4(const uint8_t packed[8], uint8_t out[WS_ROW_ELEMENTS]) {
    int i;
    for (i = 0; i < 8; i++) {
        out[2 * i] = packed[i] & 0x0f;
        out[2 * i + 1] = packed[i] >> 4;
    }
}

static inline void ws_decompress_s4(const uint8_t packed[8], uint8_t out[WS_ROW_ELEMENTS]) {
    int i;
    ws_decompress_b4(packed, out);
    for (i = 0; i < WS_ROW_ELEMENTS; i++) out[i] = (uint8_t)((out[i] ^ 8) - 8);
}

/* A row of 16 bytes as its type has it in registers; other types stay as they are. */
static inline void ws_decompress_row(int type, uint8_t row[WS_ROW_ELEMENTS]) {
    uint8_t packed[WS_ROW_ELEMENTS];
    int i;
    for (i = 0; i < WS_ROW_ELEMENTS; i++) packed[i] = row[i];
    if (type == WS_TYPE_B8X16_B6X16_P32) ws_decompress_b6(packed, row);
    if (type == WS_TYPE_B8X16_B4X16_P64) ws_decompress_b4(packed, row);
    if (type == WS_TYPE_S8_S4) ws_decompress_s4(packed, row);
}

#endif
