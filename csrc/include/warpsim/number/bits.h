/* Floating-point values of C and their bits, and what C's arithmetic may be trusted with.
 *
 * C's operations on float and double round to nearest, once, on every machine but those that compute in wider registers
 * (x87): there WS_HAS_EXACT_C is 0, and whole numbers do the work (exact.h). A compiler may contract a product and a sum
 * into a fused operation: here sums take only products that are exact, so it changes nothing. */
#ifndef WARPSIM_NUMBER_BITS_H
#define WARPSIM_NUMBER_BITS_H

#include <stdint.h>

#ifdef __FLT_EVAL_METHOD__
#define WS_HAS_EXACT_C (__FLT_EVAL_METHOD__ == 0)
#else
#define WS_HAS_EXACT_C 1
#endif

static inline float ws_float_of(uint32_t bits) {
    union {
        uint32_t bits;
        float value;
    } both;
    both.bits = bits;
    return both.value;
}

static inline uint32_t ws_bits_of(float value) {
    union {
        float value;
        uint32_t bits;
    } both;
    both.value = value;
    return both.bits;
}

static inline double ws_double_of(uint64_t bits) {
    union {
        uint64_t bits;
        double value;
    } both;
    both.bits = bits;
    return both.value;
}

static inline uint64_t ws_bits64_of(double value) {
    union {
        double value;
        uint64_t bits;
    } both;
    both.value = value;
    return both.bits;
}

#endif
