/* The types of a tile's elements, and how they lie in a row.
 *
 * The packed formats lie in pieces of 16 elements, 16 bytes; all others one beside the other, so that a row of sub-byte
 * elements must have a whole number of bytes. */
#ifndef WARPSIM_TILE_ELEMENT_H
#define WARPSIM_TILE_ELEMENT_H

#include "layout.h"

typedef struct ws_element_type {
    const char *name;
    uint8_t bits;
    bool packed;
} ws_element_type;

enum { WS_ELEMENT_TYPE_COUNT = 16, WS_NO_ELEMENT_TYPE = -1 };

static inline const ws_element_type *ws_element_type_at(int index) {
    /* clang-format off */
    static const ws_element_type types[WS_ELEMENT_TYPE_COUNT] = {
        {"f16", 16, false}, {"bf16", 16, false}, {"f32", 32, false}, {"tf32", 32, false},
        {"f64", 64, false}, {"b8", 8, false}, {"b16", 16, false}, {"b32", 32, false},
        {"s8", 8, false}, {"u8", 8, false}, {"e4m3", 8, false}, {"e5m2", 8, false},
        {"s4", 4, false}, {"u4", 4, false}, {"b6x16_p32", 6, true}, {"b4x16_p64", 4, true},
    };
    /* clang-format on */
    return &types[index >= 0 && index < WS_ELEMENT_TYPE_COUNT ? index : 0];
}

/* The row of "f16", `count` bytes; WS_NO_ELEMENT_TYPE if there is no such type. */
static inline int ws_element_type_find(const char *name, size_t count) {
    int i;
    for (i = 0; i < WS_ELEMENT_TYPE_COUNT; i++) {
        if (ws_bytes_equal(name, count, ws_element_type_at(i)->name)) return i;
    }
    return WS_NO_ELEMENT_TYPE;
}

/* Row-major, no padding, no swizzle; of a packed type, swizzles count bytes. */
static inline ws_layout ws_layout_of_type(int64_t rows, int64_t cols, int type) {
    ws_layout layout = ws_layout_make(rows, cols, ws_element_type_at(type)->bits);
    layout.packed = ws_element_type_at(type)->packed;
    layout.swizzle.unit_is_byte = layout.packed;
    return layout;
}

#endif
