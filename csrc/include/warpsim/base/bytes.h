/* Little-endian values in memory, on any machine, and looks at 8 bytes at once. */
#ifndef WARPSIM_BASE_BYTES_H
#define WARPSIM_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__BYTE_ORDER__) && defined(__ORDER_BIG_ENDIAN__)
#define WS_LITTLE_ENDIAN (__BYTE_ORDER__ != __ORDER_BIG_ENDIAN__)
#else
#define WS_LITTLE_ENDIAN 1
#endif

static inline uint32_t ws_load_u16(const uint8_t *bytes) { return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8; }

/* As one copy where that does the same: loops of them become vectors. */
#if WS_LITTLE_ENDIAN && (defined(__GNUC__) || defined(__clang__))
static inline uint32_t ws_load_u32(const uint8_t *bytes) {
    uint32_t value;
    __builtin_memcpy(&value, bytes, sizeof value);
    return value;
}

static inline void ws_store_u32(uint8_t *bytes, uint32_t value) { __builtin_memcpy(bytes, &value, sizeof value); }
#else
static inline uint32_t ws_load_u32(const uint8_t *bytes) { return ws_load_u16(bytes) | ws_load_u16(bytes + 2) << 16; }

static inline void ws_store_u32(uint8_t *bytes, uint32_t value) {
    bytes[0] = (uint8_t)value;
    bytes[1] = (uint8_t)(value >> 8);
    bytes[2] = (uint8_t)(value >> 16);
    bytes[3] = (uint8_t)(value >> 24);
}
#endif

static inline uint64_t ws_load_u64(const uint8_t *bytes) {
    return (uint64_t)ws_load_u32(bytes) | (uint64_t)ws_load_u32(bytes + 4) << 32;
}

static inline void ws_store_u64(uint8_t *bytes, uint64_t value) {
    ws_store_u32(bytes, (uint32_t)value);
    ws_store_u32(bytes + 4, (uint32_t)(value >> 32));
}

static inline bool ws_bytes_same(const char *a, const char *b, size_t count) {
    size_t at = 0;
    for (; at + 8 <= count; at += 8) {
        if (ws_load_u64((const uint8_t *)a + at) != ws_load_u64((const uint8_t *)b + at)) return false;
    }
    while (at < count && a[at] == b[at]) at++;
    return at == count;
}

/* Not 0 if one of 8 bytes is c. */
static inline uint64_t ws_u64_has(uint64_t bytes, char c) {
    const uint64_t ones = UINT64_C(0x0101010101010101), others = bytes ^ ones * (unsigned char)c;
    return (others - ones) & ~others & ones << 7;
}

/* The first of the bytes at .. end - 1 that is a, b or c; `end` if none is. */
static inline size_t ws_bytes_find(const char *bytes, size_t at, size_t end, char a, char b, char c) {
    for (; at + 8 <= end; at += 8) {
        const uint64_t next = ws_load_u64((const uint8_t *)bytes + at);
        if ((ws_u64_has(next, a) | ws_u64_has(next, b) | ws_u64_has(next, c)) != 0) break;
    }
    while (at < end && bytes[at] != a && bytes[at] != b && bytes[at] != c) at++;
    return at;
}

#endif
