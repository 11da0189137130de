/* Video instructions: two or four numbers in 32 bits, and products of parts of registers; as measured on an H100.
 *
 *     each pair of numbers gives one of a bit more; .sat clamps it to the type of d, otherwise its low bits remain
 *     .add: c plus the sum of all that the mask names, each with its bit more
 *     vmad: whole registers and c are signed, whatever the types say; unsigned types shift and clamp without a sign */
#ifndef WARPSIM_NUMBER_VIDEO_H
#define WARPSIM_NUMBER_VIDEO_H

#include "convert.h"

/* A statement of two or four numbers, as the number of its step:
 *
 *     bits 0-15   which number of b:a each result takes first: 4 bits each      bits 16-31   second
 *     bits 32-35  the results that d takes; the others are those of c           bits 36-41   of a number: 16 or 8
 *     bit 42      .add                       bits 43, 44, 45  d, the first, the second number are signed */
enum {
    WS_VIDEO_MASK_AT = 32,
    WS_VIDEO_BITS_AT = 36,
    WS_VIDEO_ADD_AT = 42,
    WS_VIDEO_D_AT = 43,
    WS_VIDEO_A_AT = 44,
    WS_VIDEO_B_AT = 45
};

static inline bool ws_video_has(uint64_t video, int at) { return (video >> at & 1) != 0; }

/* One pair. vavrg rounds halves away from zero. */
static inline int32_t ws_video_pair(int32_t x, int32_t y, uint32_t how) {
    switch (how & WS_HOW_CHOICE) {
        case WS_CHOICE_VADD: return x + y;
        case WS_CHOICE_VSUB: return x - y;
        case WS_CHOICE_VAVRG: return x + y < 0 ? -((1 - x - y) / 2) : (x + y + 1) / 2;
        case WS_CHOICE_VABSDIFF: return x < y ? y - x : x - y;
        case WS_CHOICE_VMIN: return x < y ? x : y;
        case WS_CHOICE_VMAX: return x < y ? y : x;
        case WS_CHOICE_EQ: return x == y;
        case WS_CHOICE_NE: return x != y;
        case WS_CHOICE_LT: return x < y;
        case WS_CHOICE_LE: return x <= y;
        case WS_CHOICE_GT: return x > y;
        default: return x >= y;
    }
}

/* Number `index` of b:a. */
static inline int32_t ws_video_at(uint32_t a, uint32_t b, uint64_t index, int bits, bool is_signed) {
    return (int32_t)ws_whole(((uint64_t)b << 32 | a) >> (index * (uint64_t)bits), bits, is_signed);
}

static inline uint32_t ws_video_numbers(uint64_t video, uint32_t a, uint32_t b, uint32_t c, uint32_t how) {
    const int bits = (int)(video >> WS_VIDEO_BITS_AT & 31);
    const int to = bits | (ws_video_has(video, WS_VIDEO_D_AT) ? (int)WS_WHOLE_SIGNED : 0);
    uint32_t sum = c, result = 0;
    int i;
    for (i = 0; i < 32 / bits; i++) {
        const int32_t x = ws_video_at(a, b, video >> 4 * i & 7, bits, ws_video_has(video, WS_VIDEO_A_AT));
        const int32_t y = ws_video_at(a, b, video >> (16 + 4 * i) & 7, bits, ws_video_has(video, WS_VIDEO_B_AT));
        const int32_t one = ws_video_pair(x, y, how);
        const bool is_taken = ws_video_has(video, WS_VIDEO_MASK_AT + i);
        const uint64_t fitted = ws_whole_of_whole(to, 64 | WS_WHOLE_SIGNED, (uint64_t)(int64_t)one, how);
        const uint64_t kept = is_taken ? fitted : c >> bits * i;
        if (is_taken) sum += (uint32_t)one;
        result |= (uint32_t)(kept & ((UINT64_C(1) << bits) - 1)) << bits * i;
    }
    return ws_video_has(video, WS_VIDEO_ADD_AT) ? sum : result;
}

/* vmad: a x b + c, or what its flags say; shifted right, then .sat. */
enum { WS_VIDEO_PLUS_ONE = 1, WS_VIDEO_MINUS_PRODUCT = 2, WS_VIDEO_MINUS_C = 4, WS_VIDEO_SIGNED = 8 };

static inline uint32_t ws_video_mad(uint64_t flags, uint32_t a, uint32_t b, uint32_t c, uint32_t how) {
    const uint32_t choice = how & WS_HOW_CHOICE;
    const int shift = choice == WS_CHOICE_SHR7 ? 7 : choice == WS_CHOICE_SHR15 ? 15 : 0;
    const bool is_signed = (flags & WS_VIDEO_SIGNED) != 0;
    const uint64_t product = (uint64_t)((int64_t)(int32_t)a * (int32_t)b);
    const uint64_t addend = ws_whole((flags & WS_VIDEO_MINUS_C) != 0 ? ~c : c, 32, true);
    const uint64_t sum = ((flags & WS_VIDEO_MINUS_PRODUCT) != 0 ? ~product : product) + addend + ((flags & 7) != 0);
    const uint64_t sign = is_signed && sum >> 63 != 0 ? ~(UINT64_MAX >> shift) : 0;
    return (uint32_t)ws_whole_of_whole(32 | (is_signed ? (int)WS_WHOLE_SIGNED : 0), 64 | WS_WHOLE_SIGNED,
                                       sum >> shift | sign, how);
}

#endif
