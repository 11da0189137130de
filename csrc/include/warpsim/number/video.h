/* Video instructions as PTX defines them: two or four numbers in 32 bits, and products of parts of registers.
 *
 *     each pair of numbers gives one of a bit more; .sat clamps it to the type of d, otherwise its low bits remain
 *     .add: c plus the sum of all of them, each with its bit more */
#ifndef WARPSIM_NUMBER_VIDEO_H
#define WARPSIM_NUMBER_VIDEO_H

#include "convert.h"

/* One pair. vavrg rounds halves away from zero. */
static inline int32_t ws_video_pair(int32_t x, int32_t y, uint32_t how) {
    switch (how & WS_HOW_CHOICE) {
        case WS_CHOICE_VADD2:
        case WS_CHOICE_VADD4: return x + y;
        case WS_CHOICE_VSUB2:
        case WS_CHOICE_VSUB4: return x - y;
        case WS_CHOICE_VAVRG2:
        case WS_CHOICE_VAVRG4: return x + y < 0 ? -((1 - x - y) / 2) : (x + y + 1) / 2;
        case WS_CHOICE_VABSDIFF2:
        case WS_CHOICE_VABSDIFF4: return x < y ? y - x : x - y;
        case WS_CHOICE_VMIN2:
        case WS_CHOICE_VMIN4: return x < y ? x : y;
        default: return x < y ? y : x; /* vmax2, vmax4 */
    }
}

/* The pair of a and b at `at`: of `bits` bits, signed or not. */
static inline int32_t ws_video_at(uint32_t a, uint32_t b, int bits, int at, bool is_signed, uint32_t how) {
    const int32_t x = (int32_t)ws_whole(a >> at, bits, is_signed), y = (int32_t)ws_whole(b >> at, bits, is_signed);
    return ws_video_pair(x, y, how);
}

/* `bits` of 16 or 8: two or four pairs; to: the type of one of d, of as many bits. */
static inline uint32_t ws_video_pairs(uint32_t a, uint32_t b, int to, bool is_signed, uint32_t how) {
    const int bits = to & WS_WHOLE_BITS;
    uint32_t result = 0;
    int at;
    for (at = 0; at < 32; at += bits) {
        const uint64_t number = (uint64_t)(int64_t)ws_video_at(a, b, bits, at, is_signed, how);
        const uint64_t fitted = ws_whole_of_whole(to, 64 | WS_WHOLE_SIGNED, number, how);
        result |= (uint32_t)(fitted & ((UINT64_C(1) << bits) - 1)) << at;
    }
    return result;
}

static inline uint32_t ws_video_sum(uint32_t a, uint32_t b, uint32_t c, int bits, bool is_signed, uint32_t how) {
    int at;
    for (at = 0; at < 32; at += bits) c += (uint32_t)ws_video_at(a, b, bits, at, is_signed, how);
    return c;
}

/* vmad: a x b + c, all signed or none; shifted right, then .sat. */
static inline uint32_t ws_video_mad(uint32_t a, uint32_t b, uint32_t c, bool is_signed, uint32_t how) {
    const uint32_t choice = how & WS_HOW_CHOICE;
    const int shift = choice == WS_CHOICE_SHR7 ? 7 : choice == WS_CHOICE_SHR15 ? 15 : 0;
    const int from = 64 | (is_signed ? WS_WHOLE_SIGNED : 0), to = 32 | (is_signed ? WS_WHOLE_SIGNED : 0);
    const uint64_t sum = ws_whole(a, 32, is_signed) * ws_whole(b, 32, is_signed) + ws_whole(c, 32, is_signed);
    const uint64_t scaled = sum >> shift, sign = is_signed && sum >> 63 != 0 ? ~(UINT64_MAX >> shift) : 0;
    return (uint32_t)ws_whole_of_whole(to, from, scaled | sign, how);
}

#endif
