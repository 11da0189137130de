/* Whole numbers of 128 bits, as far as exact products and sums of floating-point numbers need them.
 *
 * A number whose lowest bit is "sticky" stands for something in between: the bit says that nonzero bits were cut off
 * below it. Sums and roundings well above the lowest bit then come out as if nothing had been cut. */
#ifndef WARPSIM_NUMBER_WIDE_H
#define WARPSIM_NUMBER_WIDE_H

#include <stdint.h>
#include <stdbool.h>

typedef struct ws_wide {
    uint64_t high, low;
} ws_wide;

/* Zeros above the highest 1; 64 for 0. */
static inline int ws_zeros_above(uint64_t v) {
#ifdef __GNUC__
    return v == 0 ? 64 : __builtin_clzll(v);
#else
    int count = 0, step;
    if (v == 0) return 64;
    for (step = 32; step > 0; step /= 2) {
        if (v >> (64 - step) == 0) {
            v <<= step;
            count += step;
        }
    }
    return count;
#endif
}

static inline ws_wide ws_wide_product(uint64_t a, uint64_t b) {
    const uint64_t mask = UINT32_MAX;
    const uint64_t low = (a & mask) * (b & mask), one = (a >> 32) * (b & mask), other = (a & mask) * (b >> 32);
    const uint64_t middle = (low >> 32) + (one & mask) + (other & mask);
    ws_wide product;
    product.high = (a >> 32) * (b >> 32) + (one >> 32) + (other >> 32) + (middle >> 32);
    product.low = middle << 32 | (low & mask);
    return product;
}

static inline ws_wide ws_wide_sum(ws_wide a, ws_wide b) {
    ws_wide sum;
    sum.low = a.low + b.low;
    sum.high = a.high + b.high + (sum.low < a.low);
    return sum;
}

static inline ws_wide ws_wide_difference(ws_wide a, ws_wide b) {
    ws_wide rest;
    rest.low = a.low - b.low;
    rest.high = a.high - b.high - (a.low < b.low);
    return rest;
}

static inline bool ws_wide_less(ws_wide a, ws_wide b) { return a.high < b.high || (a.high == b.high && a.low < b.low); }

/* Shifted right by any count; the lowest bit becomes sticky. */
static inline uint64_t ws_sticky_shift(uint64_t v, int count) {
    if (count == 0) return v;
    if (count >= 64) return v != 0;
    return v >> count | (v << (64 - count) != 0);
}

static inline ws_wide ws_wide_sticky_shift(ws_wide v, int count) {
    ws_wide shifted = v;
    if (count >= 64) {
        shifted.high = 0;
        shifted.low = ws_sticky_shift(v.high, count - 64) | (v.low != 0);
    } else if (count > 0) {
        shifted.high = v.high >> count;
        shifted.low = v.high << (64 - count) | ws_sticky_shift(v.low, count);
    }
    return shifted;
}

/* v as 64 bits, the lowest sticky, times 2^*exponent. */
static inline uint64_t ws_wide_top(ws_wide v, int *exponent) {
    const int zeros = ws_zeros_above(v.high);
    if (zeros == 64) {
        *exponent = 0;
        return v.low;
    }
    *exponent = 64 - zeros;
    if (zeros == 0) return v.high | (v.low != 0);
    return v.high << zeros | v.low >> (64 - zeros) | (v.low << zeros != 0);
}

#endif
