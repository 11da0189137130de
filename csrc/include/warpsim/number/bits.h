/* Floating-point values of C and their bits, and what C's arithmetic may be trusted with.
 *
 * C's operations on float and double round to nearest, once, on every machine but those that compute in wider registers
 * (x87): there WS_HAS_EXACT_C is 0, and whole numbers do the work (exact.h). A compiler may contract a product and a sum
 * into a fused operation: here sums take only products that are exact, so it changes nothing. */
#ifndef WARPSIM_NUMBER_BITS_H
#define WARPSIM_NUMBER_BITS_H

#include <stdint.h>

#include "../base/cpu.h"
#if WS_HAS_X86
#include <emmintrin.h>
#endif

#ifdef __FLT_EVAL_METHOD__
#define WS_HAS_EXACT_C (__FLT_EVAL_METHOD__ == 0)
#else
#define WS_HAS_EXACT_C 1
#endif

/* Functions that loops over rows are made of: part of them, so that they become vectors. */
#if defined(__GNUC__) && defined(__OPTIMIZE__)
#define WS_IN_LOOPS static inline __attribute__((always_inline))
#else
#define WS_IN_LOOPS static inline
#endif

/* One of two. Of 32 bits by a mask: compilers make vectors of that where a branch would stop them. */
WS_IN_LOOPS uint32_t ws_pick(int chosen, uint32_t yes, uint32_t no) {
    const uint32_t mask = 0u - (uint32_t)chosen;
    return (yes & mask) | (no & ~mask);
}

WS_IN_LOOPS uint64_t ws_pick64(int chosen, uint64_t yes, uint64_t no) { return chosen ? yes : no; }

WS_IN_LOOPS float ws_float_of(uint32_t bits) {
    union {
        uint32_t bits;
        float value;
    } both;
    both.bits = bits;
    return both.value;
}

WS_IN_LOOPS uint32_t ws_bits_of(float value) {
    union {
        float value;
        uint32_t bits;
    } both;
    both.value = value;
    return both.bits;
}

WS_IN_LOOPS double ws_double_of(uint64_t bits) {
    union {
        uint64_t bits;
        double value;
    } both;
    both.bits = bits;
    return both.value;
}

WS_IN_LOOPS uint64_t ws_bits64_of(double value) {
    union {
        double value;
        uint64_t bits;
    } both;
    both.value = value;
    return both.bits;
}

/* Roots to nearest, where an instruction has them. */
#if WS_HAS_X86
#define WS_HAS_ROOT 1
static inline float ws_float_root(float x) { return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(x))); }
static inline double ws_double_root(double x) { return _mm_cvtsd_f64(_mm_sqrt_sd(_mm_setzero_pd(), _mm_set_sd(x))); }
#else
#define WS_HAS_ROOT 0
static inline float ws_float_root(float x) { return x; }
static inline double ws_double_root(double x) { return x; }
#endif

#endif
