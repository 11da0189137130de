/* Little-endian values in memory, on any machine. */
#ifndef WARPSIM_BASE_BYTES_H
#define WARPSIM_BASE_BYTES_H

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

#endif
