/* Conversions between f32 and others without branches, for loops that become vectors; convert.h has the rules. */
#ifndef WARPSIM_NUMBER_NEAR_H
#define WARPSIM_NUMBER_NEAR_H

#include "half.h"
#include "integer.h"

/* Toward zero. C converts what is in range alone. */
static inline uint32_t ws_s32_of_float(float v) {
    const bool fits = v >= -2147483648.0f && v < 2147483648.0f;
    const uint32_t number = (uint32_t)(int32_t)(fits ? v : 0.0f);
    return fits ? number : v < 0.0f ? UINT32_C(0x80000000) : v > 0.0f ? UINT32_C(0x7fffffff) : 0;
}

static inline uint32_t ws_u32_of_float(float v) {
    const uint32_t fits = 0u - ((uint32_t)(v > -1.0f) & (uint32_t)(v < 4294967296.0f)),
                   above = 0u - (uint32_t)(v > 0.0f);
    const uint32_t upper = 0u - (uint32_t)(v >= 2147483648.0f); /* in two halves of what int32 holds */
    const float part = ws_float_of(ws_bits_of(v - ws_float_of(upper & UINT32_C(0x4f000000))) & fits);
    return (((uint32_t)(int32_t)part + (upper & UINT32_C(0x80000000))) & fits) | (above & ~fits);
}

static inline uint64_t ws_f64_of_f32(uint32_t x) {
    const uint64_t nan_only = 0 - (uint64_t)((x & ~WS_SIGN_F32) > WS_INFINITY_F32);
    const uint64_t nan =
        (uint64_t)(x & WS_SIGN_F32) << 32 | (uint64_t)(x & UINT32_C(0x007fffff)) << 29 | UINT64_C(0x7ff8000000000000);
    return (nan & nan_only) | (ws_bits64_of((double)ws_float_of(x)) & ~nan_only);
}

#endif
