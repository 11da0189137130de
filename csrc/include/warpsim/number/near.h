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
    const bool fits = v > -1.0f && v < 4294967296.0f;
    const uint32_t number = (uint32_t)(int64_t)(fits ? v : 0.0f);
    return fits ? number : v > 0.0f ? UINT32_MAX : 0;
}

static inline uint64_t ws_f64_of_f32(uint32_t x) {
    const uint64_t quiet = (uint64_t)(x | UINT32_C(0x00400000)) << 29;
    return ws_f32_is_nan(x) ? (uint64_t)(x & WS_SIGN_F32) << 32 | (quiet & UINT64_C(0x000fffffffffffff)) |
                                  UINT64_C(0x7ff0000000000000)
                            : ws_bits64_of((double)ws_float_of(x));
}

#endif
