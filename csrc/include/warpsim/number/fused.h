/* Fused products and sums of f32 and narrower formats in double, where no instruction does it.
 *
 * The product of two such numbers is exact in double. The sum is rounded to odd: if it is inexact, to the neighbour whose
 * last bit is 1. Rounding that again, to 51 bits or fewer, is rounding the exact sum (Boldo, Melquiond 2008). */
#ifndef WARPSIM_NUMBER_FUSED_H
#define WARPSIM_NUMBER_FUSED_H

#include "bits.h"

/* p + c to odd. The error of the rounded sum comes from Knuth's two-sum; infinities and NaN pass. */
WS_IN_LOOPS double ws_sum_to_odd(double p, double c) {
    const double sum = p + c, of_c = sum - p, error = (p - (sum - of_c)) + (c - of_c);
    const uint64_t bits = ws_bits64_of(sum);
    const uint64_t toward_zero = (ws_bits64_of(error) ^ bits) >> 63, size = ws_bits64_of(error) << 1;
    const uint64_t inexact = (size | (UINT64_C(0) - size)) >> 63, endless = ((bits >> 52 & 0x7ff) + 1) >> 11;
    const uint64_t moves = inexact & ~endless & ~bits & 1; /* an even sum goes to its odd neighbour, toward the error */
    return ws_double_of(bits + moves - 2 * (moves & toward_zero));
}

/* a x b + c of f32, rounded to nearest once. */
WS_IN_LOOPS float ws_fused_f32(float a, float b, float c) {
    return (float)ws_sum_to_odd((double)a * (double)b, (double)c);
}

/* A double on the grid of a format with that many mantissa bits and that exponent of the smallest normal number, to
 * nearest: adding 1.5 x 2^k cuts the bits below the grid. Beyond the format's range it stays a number of its precision. */
WS_IN_LOOPS double ws_to_grid(double x, int mantissa, int lowest) {
    const uint64_t size = ws_bits64_of(x) & ~((uint64_t)1 << 63), least = (uint64_t)(lowest + 1023) << 52;
    const uint64_t binade =
        ws_pick64(ws_double_of(size) < ws_double_of(least), least, size) & UINT64_C(0x7ff0000000000000);
    const double cutter = ws_double_of(binade + ((uint64_t)(52 - mantissa) << 52) + ((uint64_t)1 << 51));
    const uint64_t sign = (uint64_t)1 << 63, cut = ws_bits64_of((x + cutter) - cutter);
    return ws_double_of((cut & ~sign) | (ws_bits64_of(x) & sign)); /* zeros keep their sign */
}

#endif
