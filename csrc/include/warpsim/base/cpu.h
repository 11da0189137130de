/* Which vector instructions this CPU has, and which of them a call uses.
 *
 *     portable       plain C, on every machine
 *     sse2           every x86-64
 *     avx2           with FMA; detected at run time
 *     avx512         F, BW, DQ, VL; detected at run time
 *
 * Every level gives the same answers. Only gcc and clang on x86-64 have more than "portable"; clang-cl does not (its
 * headers hide instructions unless a flag enables them). Define WS_NO_SIMD before the first include to use "portable"
 * alone. */
#ifndef WARPSIM_BASE_CPU_H
#define WARPSIM_BASE_CPU_H

#include <stdbool.h>

enum { WS_SIMD_AUTO = 0, WS_SIMD_PORTABLE, WS_SIMD_SSE2, WS_SIMD_AVX2, WS_SIMD_AVX512, WS_SIMD_COUNT };

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__)) && !defined(_MSC_VER) && !defined(WS_NO_SIMD)
#define WS_HAS_X86 1
#else
#define WS_HAS_X86 0
#endif

static inline const char *ws_simd_word(int level) {
    static const char *const words[] = {"auto", "portable", "sse2", "avx2", "avx512"};
    return level >= 0 && level < WS_SIMD_COUNT ? words[level] : "?";
}

/* The highest level that this CPU has. */
static inline int ws_simd_best(void) {
#if WS_HAS_X86
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return WS_SIMD_SSE2;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw")) return WS_SIMD_AVX2;
    return __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") ? WS_SIMD_AVX512 : WS_SIMD_AVX2;
#else
    return WS_SIMD_PORTABLE;
#endif
}

/* The level to use when `wanted` is requested: never one that the CPU lacks. */
static inline int ws_simd_level(int wanted) {
    const int best = wanted == WS_SIMD_PORTABLE ? WS_SIMD_PORTABLE : ws_simd_best();
    return wanted > WS_SIMD_AUTO && wanted < best ? wanted : best;
}

#endif
